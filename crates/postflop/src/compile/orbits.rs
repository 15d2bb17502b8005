//! Combos that a board cannot tell apart.
//!
//! Boards that differ only by suit are solved once. That is right only while the strategies above them are symmetric:
//! combos that a symmetry of the board maps to each other, an orbit, must play the same strategy, to the last bit.
//! Rounding, whether of sums in another order or of entries in few bits, would let them drift apart. So on every board
//! with joined boards below it, the first combo of an orbit represents the others: they get copies of its numbers.
//! Rivers have no boards below them and need no orbits. Boards that are solved apart have the same orbits, so that both
//! ways give the same numbers.

use equipoise_cards::SuitPermutation;

use crate::compile::layout::{combo_at, indices};
use crate::kernel::{Cell, ListIndex, Row};

/// The orbits of one player's list of combos on a board. By default every combo is an orbit of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orbits {
    /// Rows that the list takes.
    rows: usize,
    /// The first combo of an orbit, and another one.
    pairs: Vec<(ListIndex, ListIndex)>,
    /// One over the size of the orbit that a combo is the first of.
    parts: Vec<[f32; 8]>,
}

impl Orbits {
    /// The orbits of a list under a group of symmetries that maps the board and the list to themselves.
    pub(crate) fn new(combos: &[u16], symmetries: &[SuitPermutation]) -> Orbits {
        let indices = indices(combos);
        let first = |&combo: &u16| {
            let image = |suits: &SuitPermutation| indices[suits.map_combo(combo_at(combo)).index()];
            symmetries.iter().filter_map(image).min().expect("the identity is among them")
        };
        let firsts = combos.iter().map(first).zip(ListIndex::all(combos.len()));
        let pairs: Vec<(ListIndex, ListIndex)> = firsts.filter(|(first, at)| first != at).collect();
        let rows = combos.len().div_ceil(8);
        let mut sizes = vec![[1u8; 8]; rows];
        for (first, _) in &pairs {
            sizes[first.row()][first.lane()] += 1;
        }
        let parts = sizes.iter().map(|row| row.map(|size| 1.0 / f32::from(size))).collect();
        Orbits { rows, pairs, parts }
    }

    /// Gives every combo the numbers of the first one of its orbit, in each of consecutive lists.
    #[inline]
    pub(crate) fn spread<C: Cell>(&self, cells: &mut [C]) {
        if self.pairs.is_empty() {
            return;
        }
        for list in cells.chunks_exact_mut(self.rows) {
            for &(from, to) in &self.pairs {
                C::copy_number(list, from, to);
            }
        }
    }

    /// Gives every combo the mean of its orbit, in each of consecutive lists.
    pub(crate) fn average(&self, rows: &mut [Row]) {
        if self.pairs.is_empty() {
            return;
        }
        for list in rows.chunks_exact_mut(self.rows) {
            for &(first, other) in &self.pairs {
                list[first.row()].0[first.lane()] += list[other.row()].0[other.lane()];
            }
            for (row, parts) in list.iter_mut().zip(&self.parts) {
                row.0.iter_mut().zip(parts).for_each(|(number, part)| *number *= part);
            }
        }
        self.spread(rows);
    }

    /// The greatest difference between a combo and the first of its orbit in one list.
    pub(crate) fn deviation(&self, list: &[Row]) -> f32 {
        let number = |at: ListIndex| list[at.row()].0[at.lane()];
        self.pairs.iter().map(|&(first, other)| (number(first) - number(other)).abs()).fold(0.0, f32::max)
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.pairs[..]) + size_of_val(&self.parts[..])
    }
}
