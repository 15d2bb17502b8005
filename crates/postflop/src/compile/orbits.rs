//! Combos that a board cannot tell apart.
//!
//! Boards after a card that differ only by suit are solved once and mirrored. That is right only while the strategies
//! above them are symmetric: combos that a symmetry of the board maps to each other, an orbit, must be played alike, to
//! the last bit. Rounding, whether of sums in another order or of entries in few bits, would let them drift apart. So on
//! every board with joined boards below it, the first combo of an orbit speaks for the others: its numbers are theirs.
//! Rivers have no boards below them, and may be as they are.

use equipoise_cards::{Combo, SuitPermutation};

use crate::kernel::{Cell, Place, Row};

/// The orbits of one player's list of combos on a board. By default every combo is an orbit of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orbits {
    /// Rows that the list takes.
    rows: usize,
    /// Where the first combo of an orbit stands, and where another one does.
    pairs: Vec<(u16, u16)>,
    /// One over the size of the orbit that a combo is the first of.
    parts: Vec<[f32; 8]>,
}

impl Orbits {
    /// The orbits of a list under a group of symmetries that leaves the board and the list as they are.
    pub(crate) fn new(combos: &[u16], symmetries: &[SuitPermutation]) -> Orbits {
        let mut places = [u16::MAX; Combo::COUNT];
        for (at, &combo) in combos.iter().enumerate() {
            places[usize::from(combo)] = at as u16;
        }
        let first = |&combo: &u16| {
            let combo = Combo::from_index(usize::from(combo)).expect("lists hold combo numbers");
            let image = |suits: &SuitPermutation| places[suits.map_combo(combo).index()];
            symmetries.iter().map(image).min().expect("the identity is among them")
        };
        let firsts = combos.iter().map(first).zip(0..);
        let pairs: Vec<(u16, u16)> = firsts.filter(|(first, at)| first != at).collect();
        let rows = combos.len().div_ceil(8);
        let mut sizes = vec![[1u8; 8]; rows];
        for at in pairs.iter().map(|&(first, _)| place(first)) {
            sizes[at.row][at.lane] += 1;
        }
        let parts = sizes.iter().map(|row| row.map(|size| 1.0 / f32::from(size))).collect();
        Orbits { rows, pairs, parts }
    }

    /// Gives every combo the numbers of the first one of its orbit: whole lists, one after another.
    #[inline]
    pub(crate) fn spread<C: Cell>(&self, cells: &mut [C]) {
        if self.pairs.is_empty() {
            return;
        }
        for list in cells.chunks_exact_mut(self.rows) {
            for &(from, to) in &self.pairs {
                C::copy_number(list, place(from), place(to));
            }
        }
    }

    /// Gives every combo the mean of its orbit: whole lists, one after another.
    pub(crate) fn average(&self, rows: &mut [Row]) {
        if self.pairs.is_empty() {
            return;
        }
        for list in rows.chunks_exact_mut(self.rows) {
            for &(first, other) in &self.pairs {
                let (to, from) = (place(first), place(other));
                list[to.row].0[to.lane] += list[from.row].0[from.lane];
            }
            for (row, parts) in list.iter_mut().zip(&self.parts) {
                row.0.iter_mut().zip(parts).for_each(|(number, part)| *number *= part);
            }
        }
        self.spread(rows);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.pairs[..]) + size_of_val(&self.parts[..])
    }
}

fn place(at: u16) -> Place {
    Place { row: usize::from(at) / 8, lane: usize::from(at) % 8 }
}
