//! The only place in this crate with `unsafe` and instructions of a particular processor.
//!
//! A kernel is a value that holds its arguments and is run by [`run`]: its code is compiled twice, once for any
//! processor and once for those with AVX2 and an instruction that counts bits. It uses neither by name, so both give
//! the same bits; a test compares them all the same. `EQUIPOISE_KERNEL=portable` forces the first.

mod cells;
mod sweep;

pub(crate) use cells::{CellSums, CellSweep, NowOrder};
pub(crate) use sweep::{ClusterSweep, Lanes, Sweep};

use std::sync::LazyLock;

/// Arguments that can be worked on with any instructions.
///
/// Implementations are always inlined, so that they are compiled for the instructions of their caller.
pub(crate) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

static IS_FAST: LazyLock<bool> = LazyLock::new(|| {
    let portable = std::env::var_os("EQUIPOISE_KERNEL").is_some_and(|name| name == "portable");
    !portable && has_fast()
});

#[cfg(target_arch = "x86_64")]
fn has_fast() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fast() -> bool {
    false
}

/// Runs a kernel with the best instructions that this processor has.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if *IS_FAST {
        #[allow(unsafe_code)]
        // SAFETY: `IS_FAST` is only true if the processor has the instructions.
        return unsafe { run_fast(kernel) };
    }
    kernel.run()
}

/// # Safety
/// The processor has AVX2, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_fast<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
