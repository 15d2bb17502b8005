//! Memory in units of eight numbers.

use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

use super::arena::Zeroed;
use super::lanes::Lanes;

/// Eight `f32` at an aligned place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Row(pub [f32; 8]);

/// Eight 16-bit floats at an aligned place, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct HalfRow(pub [u16; 8]);

impl Row {
    pub(crate) const ZERO: Row = Row([0.0; 8]);
}

/// Where a number stands: its row, and its lane there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub row: usize,
    pub lane: usize,
}

/// What a table keeps eight numbers in.
pub(crate) trait Cell: Zeroed + Default + Sized {
    /// Whether numbers can become so small that processors slow down on them.
    const HAS_DENORMALS: bool;
    fn get<V: Lanes>(&self) -> V;
    fn set<V: Lanes>(&mut self, value: V);
    /// The same for a sum: rounded with noise where the precision is low, since whatever is added or decays by less than
    /// half a step would never count if the sum were rounded to the nearest.
    fn set_noisily<V: Lanes>(&mut self, value: V, noise: V::Noise);
    /// The eight numbers.
    fn numbers(&self) -> [f32; 8];
    /// Replaces the eight numbers.
    fn set_numbers(&mut self, numbers: [f32; 8]);
    /// Makes one number the same as another.
    fn copy_number(cells: &mut [Self], from: Place, to: Place);
    /// Appends the bytes of all eight.
    fn put_bytes(&self, to: &mut Vec<u8>);
    /// Replaces all eight by as many bytes as they take.
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

    fn copy_number(cells: &mut [Self], from: Place, to: Place) {
        cells[to.row].0[to.lane] = cells[from.row].0[from.lane];
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
        // All eight at once where the processor can.
        let mut numbers = [0.0; 8];
        self.0.reinterpret_cast::<half::f16>().convert_to_f32_slice(&mut numbers);
        numbers
    }

    fn set_numbers(&mut self, numbers: [f32; 8]) {
        self.0 = numbers.map(|number| half::f16::from_f32(number).to_bits());
    }

    fn copy_number(cells: &mut [Self], from: Place, to: Place) {
        cells[to.row].0[to.lane] = cells[from.row].0[from.lane];
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

/// The numbers of consecutive rows one after another.
pub(crate) fn flatten(rows: &[Row]) -> impl Iterator<Item = f32> + '_ {
    rows.iter().flat_map(|row| row.0)
}
