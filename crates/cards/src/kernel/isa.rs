//! The instruction sets that kernels are compiled for: the one place that asks the processor, for all crates.

use super::choice::KernelChoice;

/// Instructions that this processor has. Only [`Isa::best`] makes other values than [`Isa::PORTABLE`], after it has asked
/// the processor.
///
/// ```
/// use equipoise_cards::{Isa, IsaKernel};
/// /// Sums numbers.
/// struct Sum<'a>(&'a [f32]);
///
/// impl IsaKernel for Sum<'_> {
///     type Output = f32;
///     fn portable(self) -> f32 {
///         self.0.iter().sum()
///     }
/// }
/// assert_eq!(Isa::detect().run(Sum(&[1.0, 2.0])), Isa::PORTABLE.run(Sum(&[1.0, 2.0])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

/// A kernel with its arguments. Each method is compiled for the instructions of its name if it is `#[inline(always)]`; without
/// a method of its own, an instruction set runs the portable code, compiled for it.
pub trait IsaKernel: Sized {
    /// What it returns.
    type Output;

    /// Runs on any processor.
    fn portable(self) -> Self::Output;

    /// Runs where there are AVX2, FMA, F16C, BMI1, BMI2 and POPCNT: processors from 2013 on.
    #[inline(always)]
    fn avx2(self) -> Self::Output {
        self.portable()
    }
}

impl Isa {
    /// The instructions of any processor.
    pub const PORTABLE: Isa = Isa(Kind::Portable);

    /// The best that this processor has, unless the environment chooses others ([`KernelChoice`]).
    #[must_use]
    pub fn detect() -> Isa {
        if KernelChoice::is_portable_forced() { Isa::PORTABLE } else { Isa::best() }
    }

    /// The best that this processor has.
    #[must_use]
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            return Isa(Kind::Avx2);
        }
        Isa::PORTABLE
    }

    /// Runs a kernel.
    #[inline(always)]
    pub fn run<K: IsaKernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Portable => kernel.portable(),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `best` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { run_avx2(kernel) },
        }
    }
}

/// # Safety
/// The processor has AVX2, FMA, F16C, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,popcnt")]
unsafe fn run_avx2<K: IsaKernel>(kernel: K) -> K::Output {
    kernel.avx2()
}
