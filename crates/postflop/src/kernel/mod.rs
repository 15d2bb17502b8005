//! The only module of this crate with `unsafe` and instructions of a particular processor.
//!
//! A kernel is a value that holds its arguments and runs on [`Lanes`]: plain arrays (the portable twin) or AVX2 registers.
//! Both run the same code, so they differ only in rounding: a fused multiply-add rounds once. [`KernelChoice`] can force
//! the twin.

mod arena;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod lanes;
mod node;
mod pack;
mod packed;
mod portable;
mod prefetch;
mod rows;
mod terminal;
mod thread_pool;

pub(crate) use arena::{Arena, Piece};
pub(crate) use lanes::Lanes;
pub(crate) use node::{
    ALWAYS, Averaging, Down, DownStrategy, MAX_ACTIONS, Prediction, ReadStrategy, Up, UpBest, UpStrategy,
    Update, has_average, parts_of,
};
pub(crate) use pack::{AddLists, AddRows, Gather, Pack, Scatter, Unpack};
pub(crate) use packed::{Decode, Encode, Format};
pub(crate) use prefetch::{CacheLines, PrefetchQueue, PrefetchStream, TableLines, prefetch};
pub(crate) use rows::{Cell, HalfRow, ListIndex, Row, flatten};
pub(crate) use terminal::{
    Fold, FoldBatch, Group, LaneScratch, MOST_BATCHES, MOST_PAYOUTS, Matchup, Payout, Runout, RunoutBatch,
    ShowBatch, Showdown, Ties,
};
pub(crate) use thread_pool::ThreadPool;

use equipoise_cards::KernelChoice;

/// The arguments of a kernel that runs on any lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<V: Lanes>(self) -> Self::Output;
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
    /// The instructions of any processor.
    pub(crate) const PORTABLE: Isa = Isa(Kind::Portable);

    /// The best that this processor has, unless the environment forces the portable twin.
    pub(crate) fn detect() -> Isa {
        if KernelChoice::is_portable_forced() {
            return Isa::PORTABLE;
        }
        Isa::best()
    }

    /// The best that this processor has.
    pub(crate) fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
        {
            return Isa(Kind::Avx2);
        }
        Isa::PORTABLE
    }

    /// Runs a kernel.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Portable => kernel.run::<portable::Portable>(),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `best` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { run_avx2(kernel) },
        }
    }
}

/// # Safety
/// The processor has AVX2, FMA and F16C.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}

#[cfg(test)]
mod tests;
