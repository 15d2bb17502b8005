//! Eight numbers in one vector of an instruction set, and sums of them.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

use super::rows::{HalfRow, Row};

/// The noise of each lane for seed 0, and its increment: digits of π and of the golden ratio.
pub(super) const NOISE_STARTS: [u32; 8] =
    [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344, 0xa409_3822, 0x299f_31d0, 0x082e_fa98, 0xec4e_6c89];
pub(super) const NOISE_STEP: u32 = 0x9e37_79b9;
/// The factor of a seed.
pub(super) const NOISE_SEED: u32 = 0x85eb_ca6b;
/// Bits of a 32-bit float that a 16-bit float lacks.
pub(super) const LOST_BITS: u32 = 13;

/// Eight `f32`. The kernels are written once over this trait; each instruction set is one implementation.
pub(crate) trait Lanes: Copy {
    /// Random bits, 32 a lane.
    type Noise: Copy;
    /// Sums in 64 bits.
    type Wide: LaneSums<Self>;
    fn splat(value: f32) -> Self;
    fn load(row: &Row) -> Self;
    fn store(self, row: &mut Row);
    fn load_half(row: &HalfRow) -> Self;
    fn store_half(self, row: &mut HalfRow);
    /// The same, rounded stochastically: away from 0 with the probability of the distance from the other neighbour.
    fn store_half_noisily(self, row: &mut HalfRow, noise: Self::Noise);
    /// The noise of a seed.
    fn noise(seed: u32) -> Self::Noise;
    /// The next noise.
    fn next_noise(noise: Self::Noise) -> Self::Noise;
    fn load_shorts(shorts: &[i16; 8]) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// self · factor + addend, rounded once (fused) or twice.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// Zero where the magnitude is not above the floor.
    fn flush(self, floor: Self) -> Self;
    /// Rows become columns.
    fn transpose(rows: [Self; 8]) -> [Self; 8];
    /// The sum of the eight.
    fn sum(self) -> f32;

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
}

/// Eight sums of reaches. What cards block is subtracted from a total, and where little is left of it the difference has
/// as many digits less as the two sums share. Training adds up in 32 bits: `V` itself. Values that are shown of single
/// combos need 64, in [`Lanes::Wide`].
pub(crate) trait LaneSums<V: Lanes>: Copy {
    /// Sums on their way through memory.
    type Stored;
    /// A type of a 32nd of the bytes: offsets of 32 a sum count these, which takes no instruction.
    type Unit;
    fn of(numbers: V) -> Self;
    /// Rounded to 32 bits.
    fn rounded(self) -> V;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn load_sums(stored: &Self::Stored) -> Self;
    fn store_sums(self, stored: &mut Self::Stored);
    /// Scratch rows as places for the sums of `B` batches.
    fn places<const B: usize>(rows: &mut [Row]) -> &mut [[Self::Stored; B]];
}

impl<V: Lanes> LaneSums<V> for V {
    type Stored = Row;
    type Unit = u8;

    #[inline(always)]
    fn of(numbers: V) -> V {
        numbers
    }

    #[inline(always)]
    fn rounded(self) -> V {
        self
    }

    #[inline(always)]
    fn plus(self, other: V) -> V {
        self.add(other)
    }

    #[inline(always)]
    fn minus(self, other: V) -> V {
        self.sub(other)
    }

    #[inline(always)]
    fn load_sums(stored: &Row) -> V {
        V::load(stored)
    }

    #[inline(always)]
    fn store_sums(self, stored: &mut Row) {
        self.store(stored);
    }

    #[inline(always)]
    fn places<const B: usize>(rows: &mut [Row]) -> &mut [[Row; B]] {
        rows.as_chunks_mut().0
    }
}

/// Sums of reaches of `B` batches at once.
pub(crate) trait BatchSums<V: Lanes, const B: usize>: Copy {
    /// The sums of one batch.
    type Sums: LaneSums<V>;
    /// Sums on their way through memory.
    type Stored;
    /// As [`LaneSums::Unit`].
    type Unit;
    fn zero() -> Self;
    fn load(rows: &[Row; B]) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The sums of a batch, which is below `B`.
    fn batch(&self, batch: usize) -> Self::Sums;
    fn load_sums(stored: &Self::Stored) -> Self;
    /// The sums of a batch, which is below `B`.
    fn load_batch(stored: &Self::Stored, batch: usize) -> Self::Sums;
    fn store_sums(self, stored: &mut Self::Stored);
    /// Scratch rows as places for sums.
    fn places(rows: &mut [Row]) -> &mut [Self::Stored];
}

/// One vector of sums a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart<A, const B: usize>([A; B]);

impl<V: Lanes, A: LaneSums<V>, const B: usize> BatchSums<V, B> for Apart<A, B> {
    type Sums = A;
    type Stored = [A::Stored; B];
    type Unit = [A::Unit; B];

    #[inline(always)]
    fn zero() -> Self {
        Apart([A::of(V::zero()); B])
    }

    #[inline(always)]
    fn load(rows: &[Row; B]) -> Self {
        let mut loaded = Self::zero();
        for batch in 0..B {
            loaded.0[batch] = A::of(V::load(&rows[batch]));
        }
        loaded
    }

    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        for batch in 0..B {
            self.0[batch] = self.0[batch].plus(other.0[batch]);
        }
        self
    }

    #[inline(always)]
    fn minus(mut self, other: Self) -> Self {
        for batch in 0..B {
            self.0[batch] = self.0[batch].minus(other.0[batch]);
        }
        self
    }

    #[inline(always)]
    fn batch(&self, batch: usize) -> A {
        self.0[batch]
    }

    #[inline(always)]
    fn load_sums(stored: &Self::Stored) -> Self {
        let mut loaded = Self::zero();
        for batch in 0..B {
            loaded.0[batch] = A::load_sums(&stored[batch]);
        }
        loaded
    }

    #[inline(always)]
    fn load_batch(stored: &Self::Stored, batch: usize) -> A {
        A::load_sums(&stored[batch])
    }

    #[inline(always)]
    fn store_sums(self, stored: &mut Self::Stored) {
        for batch in 0..B {
            self.0[batch].store_sums(&mut stored[batch]);
        }
    }

    #[inline(always)]
    fn places(rows: &mut [Row]) -> &mut [Self::Stored] {
        A::places::<B>(rows)
    }
}

/// The sum of two rows: numbers of 64 bits, and what rounding them to 32 bits leaves.
pub(super) type TwoRows = [Row; 2];

/// The parts of [`LaneSums`] that all wide sums share.
macro_rules! wide_in_two_rows {
    ($lanes:ty) => {
        type Stored = TwoRows;
        type Unit = u16;

        #[inline(always)]
        fn load_sums([high, low]: &TwoRows) -> Self {
            Self::of(<$lanes>::load(high)).plus(Self::of(<$lanes>::load(low)))
        }

        #[inline(always)]
        fn store_sums(self, [high, low]: &mut TwoRows) {
            let rounded: $lanes = self.rounded();
            rounded.store(high);
            self.minus(Self::of(rounded)).rounded().store(low);
        }

        #[inline(always)]
        fn places<const B: usize>(rows: &mut [Row]) -> &mut [[TwoRows; B]] {
            rows.as_chunks_mut().0.as_chunks_mut().0
        }
    };
}
pub(super) use wide_in_two_rows;
