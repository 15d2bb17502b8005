//! Rows of eight numbers, and indices into lists that are stored in rows.

use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

use super::arena::Zeroed;
use super::lanes::Lanes;

/// Eight `f32`, aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Row(pub [f32; 8]);

/// Eight 16-bit floats as bits, aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct HalfRow(pub [u16; 8]);

impl Row {
    pub(crate) const ZERO: Row = Row([0.0; 8]);
}

/// An index into the compact list of combos of a board, or just behind it. A list is stored in rows of eight lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListIndex(u16);

impl ListIndex {
    /// Lists have at most 1,326 combos.
    pub(crate) const fn new(at: usize) -> ListIndex {
        debug_assert!(at <= u16::MAX as usize);
        ListIndex(at as u16)
    }

    /// Every index of a list of this length.
    pub(crate) fn all(len: usize) -> impl Iterator<Item = ListIndex> {
        (0..len).map(ListIndex::new)
    }

    #[inline(always)]
    pub(crate) const fn get(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(crate) const fn row(self) -> usize {
        self.get() / 8
    }

    #[inline(always)]
    pub(crate) const fn lane(self) -> usize {
        self.get() % 8
    }
}

/// What a table stores eight numbers in.
pub(crate) trait Cell: Zeroed + Default + Sized {
    /// Whether numbers can become denormal, which processors are slow on.
    const HAS_DENORMALS: bool;
    fn get<V: Lanes>(&self) -> V;
    fn set<V: Lanes>(&mut self, value: V);
    /// The same for a sum: rounded stochastically where the precision is low. Rounding to nearest would lose everything
    /// that is added or decays by less than half a step.
    fn set_noisily<V: Lanes>(&mut self, value: V, noise: V::Noise);
    /// The eight numbers.
    fn numbers(&self) -> [f32; 8];
    /// Replaces the eight numbers.
    fn set_numbers(&mut self, numbers: [f32; 8]);
    /// Copies one number of a list to another.
    fn copy_number(cells: &mut [Self], from: ListIndex, to: ListIndex);
    /// Appends the bytes of all eight.
    fn put_bytes(&self, to: &mut Vec<u8>);
    /// Replaces all eight by their bytes.
    fn set_bytes(&mut self, bytes: &[u8]);
}

impl Cell for Row {
    const HAS_DENORMALS: bool = true;

    #[inline(always)]
    fn get<V: Lanes>(&self) -> V {
        V::load(self)
    }

    #[inline(always)]
    fn set<V: Lanes>(&mut self, value: V) {
        value.store(self);
    }

    #[inline(always)]
    fn set_noisily<V: Lanes>(&mut self, value: V, _: V::Noise) {
        value.store(self);
    }

    fn numbers(&self) -> [f32; 8] {
        self.0
    }

    fn set_numbers(&mut self, numbers: [f32; 8]) {
        self.0 = numbers;
    }

    fn copy_number(cells: &mut [Self], from: ListIndex, to: ListIndex) {
        cells[to.row()].0[to.lane()] = cells[from.row()].0[from.lane()];
    }

    fn put_bytes(&self, to: &mut Vec<u8>) {
        to.extend(self.0.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn set_bytes(&mut self, bytes: &[u8]) {
        for (number, bytes) in self.0.iter_mut().zip(bytes.as_chunks().0) {
            *number = f32::from_le_bytes(*bytes);
        }
    }
}

impl Cell for HalfRow {
    const HAS_DENORMALS: bool = false;

    #[inline(always)]
    fn get<V: Lanes>(&self) -> V {
        V::load_half(self)
    }

    #[inline(always)]
    fn set<V: Lanes>(&mut self, value: V) {
        value.store_half(self);
    }

    #[inline(always)]
    fn set_noisily<V: Lanes>(&mut self, value: V, noise: V::Noise) {
        value.store_half_noisily(self, noise);
    }

    fn numbers(&self) -> [f32; 8] {
        // Vectorised where the processor has the instruction.
        let mut numbers = [0.0; 8];
        self.0.reinterpret_cast::<half::f16>().convert_to_f32_slice(&mut numbers);
        numbers
    }

    fn set_numbers(&mut self, numbers: [f32; 8]) {
        self.0 = numbers.map(|number| half::f16::from_f32(number).to_bits());
    }

    fn copy_number(cells: &mut [Self], from: ListIndex, to: ListIndex) {
        cells[to.row()].0[to.lane()] = cells[from.row()].0[from.lane()];
    }

    fn put_bytes(&self, to: &mut Vec<u8>) {
        to.extend(self.0.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn set_bytes(&mut self, bytes: &[u8]) {
        for (number, bytes) in self.0.iter_mut().zip(bytes.as_chunks().0) {
            *number = u16::from_le_bytes(*bytes);
        }
    }
}

/// The numbers of consecutive rows.
pub(crate) fn flatten(rows: &[Row]) -> impl Iterator<Item = f32> + '_ {
    rows.iter().flat_map(|row| row.0)
}
