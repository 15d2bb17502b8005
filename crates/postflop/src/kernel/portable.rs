//! The lanes of any processor: an array and plain loops.

use super::lanes::{
    LOST_BITS, LaneSums, Lanes, NOISE_SEED, NOISE_STARTS, NOISE_STEP, TwoRows, wide_in_two_rows,
};
use super::rows::{Cell, HalfRow, Row};

/// Eight `f32` in an array.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Portable([f32; 8]);

/// Eight `f64` in an array.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct WidePortable([f64; 8]);

impl LaneSums<Portable> for WidePortable {
    wide_in_two_rows!(Portable);

    #[inline(always)]
    fn of(numbers: Portable) -> Self {
        WidePortable(numbers.0.map(f64::from))
    }

    #[inline(always)]
    fn rounded(self) -> Portable {
        Portable(self.0.map(|sum| sum as f32))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        WidePortable(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        WidePortable(std::array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }
}

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Portable(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Portable {
    type Noise = [u32; 8];
    type Wide = WidePortable;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Portable([value; 8])
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Portable(row.0)
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        row.0 = self.0;
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        Portable(row.numbers())
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        row.set_numbers(self.0);
    }

    #[inline(always)]
    fn store_half_noisily(self, row: &mut HalfRow, noise: [u32; 8]) {
        for (lane, half) in row.0.iter_mut().enumerate() {
            let raised = f32::from_bits(self.0[lane].to_bits() + (noise[lane] >> (32 - LOST_BITS)));
            let nearest = half::f16::from_f32(raised);
            // Truncate: one step towards 0 if the nearest is beyond.
            *half = nearest.to_bits() - u16::from(nearest.to_f32().abs() > raised.abs());
        }
    }

    #[inline(always)]
    fn noise(seed: u32) -> [u32; 8] {
        NOISE_STARTS.map(|start| start.wrapping_add(seed.wrapping_mul(NOISE_SEED)))
    }

    #[inline(always)]
    fn next_noise(noise: [u32; 8]) -> [u32; 8] {
        noise.map(|noise| noise.wrapping_add(NOISE_STEP))
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16; 8]) -> Self {
        Portable(shorts.map(f32::from))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul(factor).add(addend)
    }

    #[inline(always)]
    fn flush(self, floor: Self) -> Self {
        self.zip(floor, |a, floor| if a.abs() > floor { a } else { 0.0 })
    }

    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        std::array::from_fn(|row| Portable(std::array::from_fn(|column| rows[column].0[row])))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}
