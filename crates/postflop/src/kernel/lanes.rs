//! Eight numbers side by side, as an instruction set sees them.

use super::rows::{HalfRow, Row};

/// Eight `f32` that are worked on together. The kernels are written once over this trait; each instruction set
/// is one implementation.
pub(crate) trait Lanes: Copy {
    fn splat(value: f32) -> Self;
    fn load(row: &Row) -> Self;
    fn store(self, row: &mut Row);
    fn load_half(row: &HalfRow) -> Self;
    fn store_half(self, row: &mut HalfRow);
    fn load_shorts(shorts: &[i16; 8]) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// self · factor + addend, rounded once or twice.
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
