//! The numbers of tables and vectors: 64 bits where answers are compared with others, 32 where a whole game is trained.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// `f32` or `f64`.
pub(crate) trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + Send
    + Sync
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    /// Below every value.
    const LEAST: Self;
    fn of(number: f64) -> Self;
    fn to_f64(self) -> f64;

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const LEAST: f32 = f32::NEG_INFINITY;

    #[inline(always)]
    fn of(number: f64) -> f32 {
        number as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const LEAST: f64 = f64::NEG_INFINITY;

    #[inline(always)]
    fn of(number: f64) -> f64 {
        number
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}
