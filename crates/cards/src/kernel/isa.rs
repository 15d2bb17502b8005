//! The instruction sets that kernels are compiled for: the one place that asks the processor, for all crates.

use super::choice::KernelChoice;

/// Instructions that this processor has. Only [`Isa::all`] makes other values than [`Isa::PORTABLE`], after it has asked
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
    #[cfg(target_arch = "x86_64")]
    Avx512,
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

    /// Whether it has a method of its own for AVX-512. Others run their code for AVX2: eight lanes are no faster with the
    /// newer instructions.
    const HAS_AVX512: bool = false;

    /// Runs where there is AVX-512F besides.
    #[inline(always)]
    fn avx512(self) -> Self::Output {
        self.avx2()
    }
}

impl Isa {
    /// The instructions of any processor.
    pub const PORTABLE: Isa = Isa(Kind::Portable);

    /// The best that this processor has and [`KernelChoice`] allows.
    #[must_use]
    pub fn detect() -> Isa {
        // A program refuses a name that is no choice when it starts.
        let choice = KernelChoice::from_environment().unwrap_or_default();
        Isa::all().filter(|isa| choice.allows(isa.name())).last().unwrap_or(Isa::PORTABLE)
    }

    /// The best that this processor has.
    #[must_use]
    pub fn best() -> Isa {
        Isa::all().last().unwrap_or(Isa::PORTABLE)
    }

    /// All that this processor has, the best last.
    pub fn all() -> impl Iterator<Item = Isa> {
        let kinds = [
            Some(Kind::Portable),
            #[cfg(target_arch = "x86_64")]
            has_avx2().then_some(Kind::Avx2),
            #[cfg(target_arch = "x86_64")]
            (has_avx2() && is_x86_feature_detected!("avx512f")).then_some(Kind::Avx512),
        ];
        kinds.into_iter().flatten().map(Isa)
    }

    /// Its name, as `EQUIPOISE_KERNEL` spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Runs a kernel.
    #[inline(always)]
    pub fn run<K: IsaKernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Portable => kernel.portable(),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: only `all` makes this kind, after it has detected the instructions.
            Kind::Avx2 => unsafe { run_avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: as above.
            Kind::Avx512 if K::HAS_AVX512 => unsafe { run_avx512(kernel) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: as above: this kind has the instructions of the other, too.
            Kind::Avx512 => unsafe { run_avx2(kernel) },
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

/// # Safety
/// The processor has AVX-512F, AVX2, FMA, F16C, BMI1, BMI2 and POPCNT.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f,avx2,fma,f16c,bmi1,bmi2,popcnt")]
unsafe fn run_avx512<K: IsaKernel>(kernel: K) -> K::Output {
    kernel.avx512()
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Property tests of kernels run on [`Isa::all`]. What this processor lacks is said where no test harness hides it.
    #[test]
    fn what_is_not_tested_here_is_said() {
        let names: Vec<&str> = Isa::all().map(Isa::name).collect();
        assert_eq!((names[0], *names.last().unwrap()), ("portable", Isa::best().name()));
        for choice in [KernelChoice::Portable, KernelChoice::Avx2, KernelChoice::Avx512] {
            let name = choice.to_string();
            let allowed: Vec<&str> = names.iter().copied().filter(|isa| choice.allows(isa)).collect();
            assert!(names.starts_with(&allowed) && !allowed.is_empty());
            if !names.contains(&&*name) {
                writeln!(
                    std::io::stderr(),
                    "NOT TESTED: kernels for {name}, which this processor does not have"
                )
                .unwrap();
            }
        }
    }
}
