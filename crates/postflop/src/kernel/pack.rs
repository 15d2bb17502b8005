//! Moving vectors between streets.
//!
//! A pack holds eight betting lines side by side, one row per combo of the earlier street, so that picking the
//! combos that a card leaves (in another order) copies whole rows; 8×8 transposes turn rows into the vectors,
//! one per line, that the later street works on, and back.

use super::Kernel;
use super::lanes::Lanes;
use super::rows::Row;

/// Eight slots become a pack. Slots are numbered as in [`Unpack`]; a row of zeros is put behind the last combo.
pub(crate) struct Pack<'a> {
    pub slots: &'a [u32],
    pub from: &'a [Row],
    pub rows: usize,
    pub pack: &'a mut [Row],
}

impl Kernel for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Pack { slots, from, rows, pack } = self;
        for (block, to) in pack.chunks_exact_mut(8).take(rows).enumerate() {
            let lanes = std::array::from_fn(|lane| match slots.get(lane) {
                Some(&slot) => V::load(&from[slot as usize * rows + block]),
                None => V::zero(),
            });
            for (column, to) in V::transpose(lanes).into_iter().zip(to) {
                column.store(to);
            }
        }
        V::zero().store(&mut pack[8 * rows]);
    }
}

/// A pack becomes up to eight slots: added to what a slot holds where `keep` is 1.
pub(crate) struct Unpack<'a> {
    pub slots: &'a [u32],
    pub keep: &'a [f32],
    pub pack: &'a [Row],
    pub rows: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Unpack { slots, keep, pack, rows, to } = self;
        for (block, from) in pack.chunks_exact(8).take(rows).enumerate() {
            let columns = V::transpose(std::array::from_fn(|at| V::load(&from[at])));
            for ((column, &slot), &keep) in columns.into_iter().zip(slots).zip(keep) {
                let row = &mut to[slot as usize * rows + block];
                V::load(row).mul_add(V::splat(keep), column).store(row);
            }
        }
    }
}

/// The rows of a pack that a card leaves, as vectors in slots `first`, `first` + 1, …
pub(crate) struct Gather<'a> {
    pub pack: &'a [Row],
    /// Which row of the pack each combo is; padding points to the row of zeros.
    pub places: &'a [u16],
    pub first: usize,
    pub num_lines: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Gather { pack, places, first, num_lines, to } = self;
        let rows = places.len() / 8;
        let to = &mut to[first * rows..(first + num_lines) * rows];
        for (block, places) in places.chunks_exact(8).enumerate() {
            let columns = V::transpose(std::array::from_fn(|at| V::load(&pack[usize::from(places[at])])));
            for (line, column) in columns.into_iter().enumerate().take(num_lines) {
                column.store(&mut to[line * rows + block]);
            }
        }
    }
}

/// Adds vectors in slots `first`, `first` + 1, … times a factor to the rows of a pack, once for each list of
/// places.
pub(crate) struct Scatter<'a> {
    pub from: &'a [Row],
    pub first: usize,
    pub num_lines: usize,
    pub factor: f32,
    /// Lists of rows of the pack, by combo; padding points to a row that nobody reads.
    pub images: &'a [Vec<u16>],
    pub pack: &'a mut [Row],
}

impl Kernel for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Scatter { from, first, num_lines, factor, images, pack } = self;
        let Some(rows) = images.first().map(|places| places.len() / 8) else { return };
        let from = &from[first * rows..(first + num_lines) * rows];
        let factor = V::splat(factor);
        for block in 0..rows {
            let lanes = std::array::from_fn(|line| {
                if line < num_lines { V::load(&from[line * rows + block]).mul(factor) } else { V::zero() }
            });
            let columns = V::transpose(lanes);
            for places in images {
                for (column, &place) in columns.iter().zip(&places[8 * block..8 * block + 8]) {
                    let row = &mut pack[usize::from(place)];
                    V::load(row).add(*column).store(row);
                }
            }
        }
    }
}
