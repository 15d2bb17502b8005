//! Moving vectors between streets.
//!
//! A pack holds eight betting lines side by side, one row per combo of the earlier street. Picking the combos that a card
//! leaves, in another order, then copies rows; 8×8 transposes turn rows into the vectors of the later street, one per
//! betting line, and back.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

use super::Kernel;
use super::lanes::Lanes;
use super::rows::{ListIndex, Row};

/// Packs up to eight slots. A row of zeros is put behind the last combo.
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
            let mut lanes = [V::zero(); 8];
            for (lane, &slot) in lanes.iter_mut().zip(slots) {
                *lane = V::load(&from[slot as usize * rows + block]);
            }
            let columns = V::transpose(lanes);
            for at in 0..8 {
                columns[at].store(&mut to[at]);
            }
        }
        V::zero().store(&mut pack[8 * rows]);
    }
}

/// Unpacks up to eight slots.
pub(crate) struct Unpack<'a> {
    pub slots: &'a [u32],
    /// Whether a slot's values are added to what it holds.
    pub accumulate: &'a [bool],
    pub pack: &'a [Row],
    pub rows: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Unpack { slots, accumulate, pack, rows, to } = self;
        for (block, from) in pack.chunks_exact(8).take(rows).enumerate() {
            let mut combos = [V::zero(); 8];
            for at in 0..8 {
                combos[at] = V::load(&from[at]);
            }
            let columns = V::transpose(combos);
            for ((column, &slot), &accumulates) in columns.iter().zip(slots).zip(accumulate) {
                let row = &mut to[slot as usize * rows + block];
                let value = if accumulates { V::load(row).add(*column) } else { *column };
                value.store(row);
            }
        }
    }
}

/// Gathers the rows of a pack that a card leaves, as vectors in slots `first`, `first` + 1, …
pub(crate) struct Gather<'a> {
    pub pack: &'a [Row],
    /// The row of the pack of each combo; padding has the row of zeros.
    pub indices: &'a [ListIndex],
    pub first: usize,
    pub num_lines: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Gather { pack, indices, first, num_lines, to } = self;
        let rows = indices.len() / 8;
        let to = &mut to[first * rows..(first + num_lines) * rows];
        for (block, indices) in indices.chunks_exact(8).enumerate() {
            let mut combos = [V::zero(); 8];
            for at in 0..8 {
                combos[at] = V::load(&pack[indices[at].get()]);
            }
            let columns = V::transpose(combos);
            for line in 0..num_lines.min(8) {
                columns[line].store(&mut to[line * rows + block]);
            }
        }
    }
}

/// Adds the vectors in slots `first`, `first` + 1, … times a factor to the rows of a pack, once for each image; without
/// images, replaces the pack by these vectors in their own order.
pub(crate) struct Scatter<'a> {
    pub from: &'a [Row],
    pub first: usize,
    pub num_lines: usize,
    pub factor: f32,
    pub rows: usize,
    /// For each image the row of the pack of each combo; padding has a row that is never read.
    pub images: Option<&'a [Vec<ListIndex>]>,
    pub pack: &'a mut [Row],
}

impl Kernel for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Scatter { from, first, num_lines, factor, rows, images, pack } = self;
        let from = &from[first * rows..(first + num_lines) * rows];
        let factor = V::splat(factor);
        for block in 0..rows {
            let mut lanes = [V::zero(); 8];
            for line in 0..num_lines.min(8) {
                lanes[line] = V::load(&from[line * rows + block]).mul(factor);
            }
            let columns = V::transpose(lanes);
            let Some(images) = images else {
                for at in 0..8 {
                    columns[at].store(&mut pack[8 * block + at]);
                }
                continue;
            };
            for image in images {
                for (column, at) in columns.iter().zip(&image[8 * block..8 * block + 8]) {
                    let row = &mut pack[at.get()];
                    V::load(row).add(*column).store(row);
                }
            }
        }
    }
}

/// Adds rows to the rows of a pack, once for each image.
pub(crate) struct AddRows<'a> {
    pub from: &'a [Row],
    /// As in [`Scatter`].
    pub images: &'a [Vec<ListIndex>],
    pub pack: &'a mut [Row],
}

impl Kernel for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let AddRows { from, images, pack } = self;
        for image in images {
            for (row, at) in from.iter().zip(image) {
                let to = &mut pack[at.get()];
                V::load(to).add(V::load(row)).store(to);
            }
        }
    }
}

/// Adds the rows of several lists to the rows of a pack, as [`Scatter`] adds one list at several images: eight rows of each
/// list after the other.
pub(crate) struct AddLists<'a> {
    /// Lists of the same length, in whole rows of eight, and for each the row of the pack of each of its rows.
    pub lists: &'a [(&'a [Row], &'a [ListIndex])],
    pub pack: &'a mut [Row],
}

impl Kernel for AddLists<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let AddLists { lists, pack } = self;
        let len = lists.first().map_or(0, |(from, _)| from.len());
        for start in (0..len).step_by(8) {
            for (from, image) in lists {
                for (row, at) in from[start..start + 8].iter().zip(&image[start..start + 8]) {
                    let to = &mut pack[at.get()];
                    V::load(to).add(V::load(row)).store(to);
                }
            }
        }
    }
}
