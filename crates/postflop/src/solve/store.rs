//! Arrays of table entries: in the format of the kernels, or packed into few bits.

use std::ops::Range;

use crate::compile::orbits::Orbits;
use crate::kernel::{Arena, CacheLines, Cell, Decode, Encode, Format, Isa, Piece, Row, prefetch};

/// An array of rows of eight entries.
pub(crate) trait Store: Send + Sync + std::fmt::Debug + 'static {
    /// The entries of the kernels.
    type Cell: Cell;

    /// Rows of zeros.
    fn new(len: usize, format: Format, arena: &Arena) -> Self;

    /// An array of the same entries.
    fn copy(&self, arena: &Arena) -> Self;

    /// Replaces everything by the entries of another array of the same length.
    fn copy_from(&mut self, other: &Self);

    /// Rows for reading; packed ones are unpacked into the scratch. Combos of an orbit have the same numbers.
    fn view<'a>(
        &'a self,
        isa: Isa,
        rows: Range<usize>,
        orbits: &Orbits,
        scratch: &'a mut Vec<Row>,
    ) -> &'a [Self::Cell];

    /// Rows for writing; changes take effect with [`Store::commit`].
    fn edit<'a>(
        &'a mut self,
        isa: Isa,
        rows: Range<usize>,
        orbits: &Orbits,
        scratch: &'a mut Vec<Row>,
    ) -> &'a mut [Self::Cell];

    /// Stores the changes to rows from [`Store::edit`], rounded stochastically. The first combo of an orbit represents the
    /// others.
    fn commit(&mut self, isa: Isa, rows: Range<usize>, orbits: &Orbits, scratch: &[Row], seed: u32);

    /// Prefetches rows.
    fn prefetch(&self, rows: Range<usize>);

    /// The cache lines of rows; none of an empty store.
    fn cache_lines(&self, rows: Range<usize>) -> CacheLines;

    fn is_empty(&self) -> bool;

    /// The numbers of one row, as they are stored.
    fn numbers(&self, row: usize) -> [f32; 8];

    fn bytes(&self) -> usize;

    /// Appends the bytes of all entries.
    fn put_bytes(&self, to: &mut Vec<u8>);

    /// Replaces all entries by the first bytes, and removes these; `None` if there are too few.
    fn set_bytes(&mut self, bytes: &mut &[u8], orbits: &Orbits) -> Option<()>;
}

fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

/// Entries in the format of the kernels.
#[derive(Debug)]
pub(crate) struct Plain<C>(Piece<C>);

impl<C: Cell> Store for Plain<C> {
    type Cell = C;

    fn new(len: usize, _: Format, arena: &Arena) -> Plain<C> {
        Plain(arena.zeros(len))
    }

    fn copy(&self, arena: &Arena) -> Plain<C> {
        let mut copy = Plain(arena.zeros(self.0.len()));
        copy.copy_from(self);
        copy
    }

    fn copy_from(&mut self, other: &Plain<C>) {
        self.0.copy_from_slice(&other.0);
    }

    #[inline]
    fn view<'a>(&'a self, _: Isa, rows: Range<usize>, _: &Orbits, _: &'a mut Vec<Row>) -> &'a [C] {
        &self.0[rows]
    }

    #[inline]
    fn edit<'a>(&'a mut self, _: Isa, rows: Range<usize>, _: &Orbits, _: &'a mut Vec<Row>) -> &'a mut [C] {
        &mut self.0[rows]
    }

    #[inline]
    fn commit(&mut self, _: Isa, rows: Range<usize>, orbits: &Orbits, _: &[Row], _: u32) {
        orbits.spread(&mut self.0[rows]);
    }

    fn prefetch(&self, rows: Range<usize>) {
        prefetch(&self.0[rows]);
    }

    fn cache_lines(&self, rows: Range<usize>) -> CacheLines {
        CacheLines::of(self.0.get(rows).unwrap_or_default())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn numbers(&self, row: usize) -> [f32; 8] {
        self.0[row].numbers()
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }

    fn put_bytes(&self, to: &mut Vec<u8>) {
        to.reserve(self.bytes());
        self.0.iter().for_each(|cell| cell.put_bytes(to));
    }

    fn set_bytes(&mut self, bytes: &mut &[u8], orbits: &Orbits) -> Option<()> {
        let taken = take(bytes, self.bytes())?;
        self.0
            .iter_mut()
            .zip(taken.chunks_exact(size_of::<C>()))
            .for_each(|(cell, bytes)| cell.set_bytes(bytes));
        orbits.spread(&mut self.0);
        Some(())
    }
}

/// Entries in any [`Format`]. The kernels work on unpacked copies, so that no format needs kernels of its own. Combos of an
/// orbit are rounded differently, since eight combos share a scale; they are made equal when they are unpacked.
#[derive(Debug)]
pub(crate) struct Packed {
    format: Format,
    bytes: Piece<u8>,
}

impl Packed {
    fn range(&self, rows: Range<usize>) -> Range<usize> {
        let size = self.format.row_bytes();
        rows.start * size..rows.end * size
    }

    fn unpack<'a>(
        &self,
        isa: Isa,
        rows: Range<usize>,
        orbits: &Orbits,
        scratch: &'a mut Vec<Row>,
    ) -> &'a mut [Row] {
        let len = rows.len();
        if scratch.len() < len {
            scratch.resize(len, Row::ZERO);
        }
        let from = &self.bytes[self.range(rows)];
        isa.run(Decode { format: self.format, from, rows: &mut scratch[..len] });
        orbits.spread(&mut scratch[..len]);
        &mut scratch[..len]
    }
}

impl Store for Packed {
    type Cell = Row;

    fn new(len: usize, format: Format, arena: &Arena) -> Packed {
        Packed { format, bytes: arena.zeros(len * format.row_bytes()) }
    }

    fn copy(&self, arena: &Arena) -> Packed {
        let mut copy = Packed { format: self.format, bytes: arena.zeros(self.bytes.len()) };
        copy.copy_from(self);
        copy
    }

    fn copy_from(&mut self, other: &Packed) {
        self.bytes.copy_from_slice(&other.bytes);
    }

    fn view<'a>(
        &'a self,
        isa: Isa,
        rows: Range<usize>,
        orbits: &Orbits,
        scratch: &'a mut Vec<Row>,
    ) -> &'a [Row] {
        self.unpack(isa, rows, orbits, scratch)
    }

    fn edit<'a>(
        &'a mut self,
        isa: Isa,
        rows: Range<usize>,
        orbits: &Orbits,
        scratch: &'a mut Vec<Row>,
    ) -> &'a mut [Row] {
        self.unpack(isa, rows, orbits, scratch)
    }

    fn commit(&mut self, isa: Isa, rows: Range<usize>, _: &Orbits, scratch: &[Row], seed: u32) {
        let from = &scratch[..rows.len()];
        let range = self.range(rows);
        isa.run(Encode { format: self.format, rows: from, to: &mut self.bytes[range], seed });
    }

    fn prefetch(&self, rows: Range<usize>) {
        prefetch(&self.bytes[self.range(rows)]);
    }

    fn cache_lines(&self, rows: Range<usize>) -> CacheLines {
        CacheLines::of(self.bytes.get(self.range(rows)).unwrap_or_default())
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn numbers(&self, row: usize) -> [f32; 8] {
        let mut numbers = [Row::ZERO];
        let from = &self.bytes[self.range(row..row + 1)];
        Isa::PORTABLE.run(Decode { format: self.format, from, rows: &mut numbers });
        numbers[0].0
    }

    fn bytes(&self) -> usize {
        self.bytes.len()
    }

    fn put_bytes(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.bytes);
    }

    fn set_bytes(&mut self, bytes: &mut &[u8], _: &Orbits) -> Option<()> {
        let len = self.bytes.len();
        self.bytes.copy_from_slice(take(bytes, len)?);
        Some(())
    }
}
