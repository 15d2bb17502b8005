//! The loops over combos.
//!
//! A kernel is a value that holds its arguments and runs. Its code is plain Rust over arrays of lanes, compiled for every
//! instruction set. None fuses a product with a sum, so all give the same bits, which a property test checks.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

mod combos;
mod rows;
mod terminal;

pub(crate) use combos::{AddLanes, AddReach, Descend, Enter, LaneRun, Mix, MixBest, Scatter, Train};
pub(crate) use rows::{Accumulate, MatchRegrets, Normalise, Regrets};
pub(crate) use terminal::{Fold, Showdown};

pub(crate) use equipoise_cards::Isa;

/// A number in every lane.
///
/// Rows are copied into locals before they are changed: two references might be to the same row, and the compiler would
/// then work on one lane at a time.
pub(super) mod lanes {
    use crate::bucketed::real::Real;

    /// Adds products.
    #[inline(always)]
    pub(crate) fn add_product<R: Real, const L: usize>(to: &mut [R; L], a: [R; L], b: [R; L]) {
        let mut sum = *to;
        for lane in 0..L {
            sum[lane] += a[lane] * b[lane];
        }
        *to = sum;
    }

    /// Adds.
    #[inline(always)]
    pub(crate) fn add<R: Real, const L: usize>(to: &mut [R; L], a: [R; L]) {
        let mut sum = *to;
        for lane in 0..L {
            sum[lane] += a[lane];
        }
        *to = sum;
    }

    /// Products.
    #[inline(always)]
    pub(crate) fn product<R: Real, const L: usize>(a: [R; L], b: [R; L]) -> [R; L] {
        let mut product = a;
        for lane in 0..L {
            product[lane] = a[lane] * b[lane];
        }
        product
    }
}

#[cfg(test)]
mod tests;
