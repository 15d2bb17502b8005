//! The only module of this crate with `unsafe` and instructions of a particular processor.
//!
//! A kernel is a value that holds its arguments and runs on [`Lanes`]: plain arrays (the portable twin) or AVX2 registers.
//! Both run the same code, so they differ only in rounding: a fused multiply-add rounds once. The showdown has code of its
//! own for AVX-512, with the same bits as AVX2; [`KernelChoice`](equipoise_cards::KernelChoice) says when that runs, and can force
//! the portable twin.

mod arena;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
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
    ALWAYS, Averaging, Down, DownStrategy, LookAhead, MAX_ACTIONS, Prediction, ReadStrategy, Up, UpBest,
    UpStrategy, Update, has_average, parts_of,
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

use equipoise_cards::IsaKernel;

/// The arguments of a kernel that runs on any lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<V: Lanes>(self) -> Self::Output;

    /// Whether [`run_avx512`](Self::run_avx512) is faster than AVX2 where the processor has AVX-512.
    #[cfg(target_arch = "x86_64")]
    const HAS_AVX512: bool = false;

    /// Runs on wider registers.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run_avx512(self) -> Self::Output
    where
        Self: Sized,
    {
        self.run::<avx2::Avx2>()
    }
}

/// Which instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Isa(equipoise_cards::Isa);

impl Isa {
    /// The instructions of any processor.
    pub(crate) const PORTABLE: Isa = Isa(equipoise_cards::Isa::PORTABLE);

    /// See [`equipoise_cards::Isa::detect`].
    pub(crate) fn detect() -> Isa {
        Isa(equipoise_cards::Isa::detect())
    }

    /// See [`equipoise_cards::Isa::best`].
    #[cfg(test)]
    pub(crate) fn best() -> Isa {
        Isa(equipoise_cards::Isa::best())
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Isa> {
        equipoise_cards::Isa::all().map(Isa)
    }

    /// Runs a kernel on the lanes of the instructions.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.run(OnLanes(kernel))
    }
}

/// A kernel on the lanes of each instruction set.
struct OnLanes<K>(K);

impl<K: Kernel> IsaKernel for OnLanes<K> {
    type Output = K::Output;

    #[inline(always)]
    fn portable(self) -> K::Output {
        self.0.run::<portable::Portable>()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self) -> K::Output {
        self.0.run::<avx2::Avx2>()
    }

    #[cfg(target_arch = "x86_64")]
    const HAS_AVX512: bool = K::HAS_AVX512;

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self) -> K::Output {
        self.0.run_avx512()
    }
}

#[cfg(test)]
mod tests;
