//! The loops over combos, and the only place of this crate with `unsafe`.
//!
//! A kernel is a value that holds its arguments and runs. Its code is plain Rust over arrays of lanes, compiled twice: for
//! any processor, and for those with AVX2. Neither fuses a product with a sum, so both give the same bits, which a property
//! test checks.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop)]

mod combos;
mod rows;
mod terminal;

pub(crate) use combos::{AddReach, Descend, Enter, Mix, MixBest, Scatter, Train};
pub(crate) use rows::{Accumulate, MatchRegrets, Normalise, Regrets};
pub(crate) use terminal::{Fold, Showdown};

use equipoise_cards::KernelChoice;

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

/// The arguments of a loop.
pub(crate) trait Kernel {
    fn run(self);
}

/// Which instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Isa(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Isa {
    /// The best that this processor has, unless the environment forces the portable twin.
    pub(crate) fn detect() -> Isa {
        if KernelChoice::is_portable_forced() { Isa(Kind::Portable) } else { Isa::best() }
    }

    fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Isa(Kind::Avx2);
        }
        Isa(Kind::Portable)
    }

    /// Runs a kernel.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) {
        match self.0 {
            Kind::Portable => kernel.run(),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `best` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { run_avx2(kernel) },
        }
    }
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
unsafe fn run_avx2<K: Kernel>(kernel: K) {
    kernel.run();
}

#[cfg(test)]
mod tests;
