//! Which kernels run: the one place that reads `EQUIPOISE_KERNEL`, for all crates.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

/// Which kernels run. The variable `EQUIPOISE_KERNEL` of the environment sets it for all crates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelChoice {
    /// The default: AVX2 where the processor has it. AVX-512 was slower where it was measured.
    #[default]
    Auto,
    /// The portable twins, which run on any processor.
    Portable,
    /// At most AVX2.
    Avx2,
    /// At most AVX-512, which is the most there is.
    Avx512,
}

/// A value of `EQUIPOISE_KERNEL` that names no choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown kernel '{found}' in the environment variable EQUIPOISE_KERNEL: it is one of {}", names())]
pub struct UnknownKernel {
    found: String,
}

impl KernelChoice {
    /// All choices.
    pub const ALL: [KernelChoice; 4] =
        [KernelChoice::Auto, KernelChoice::Portable, KernelChoice::Avx2, KernelChoice::Avx512];

    /// The variable of the environment.
    pub(crate) const VARIABLE: &str = "EQUIPOISE_KERNEL";

    /// What the environment asks for. It is read once; without the variable, or if it is empty, the choice is `auto`.
    ///
    /// # Errors
    /// If the variable has a value that names no choice.
    pub fn from_environment() -> Result<KernelChoice, UnknownKernel> {
        static CHOICE: LazyLock<Result<KernelChoice, UnknownKernel>> =
            LazyLock::new(|| match std::env::var_os(KernelChoice::VARIABLE) {
                Some(value) if !value.is_empty() => value.to_string_lossy().parse(),
                _ => Ok(KernelChoice::Auto),
            });
        CHOICE.clone()
    }

    /// Whether instructions of this name may run.
    pub(crate) fn allows(self, isa: &str) -> bool {
        match self {
            KernelChoice::Avx512 => true,
            KernelChoice::Auto | KernelChoice::Avx2 => isa != "avx512",
            KernelChoice::Portable => isa == "portable",
        }
    }
}

/// The names of all choices.
fn names() -> String {
    KernelChoice::ALL.map(|choice| choice.to_string()).join(", ")
}

impl fmt::Display for KernelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KernelChoice::Auto => "auto",
            KernelChoice::Portable => "portable",
            KernelChoice::Avx2 => "avx2",
            KernelChoice::Avx512 => "avx512",
        })
    }
}

impl FromStr for KernelChoice {
    type Err = UnknownKernel;

    fn from_str(text: &str) -> Result<KernelChoice, UnknownKernel> {
        let choice = KernelChoice::ALL.into_iter().find(|choice| choice.to_string() == text);
        choice.ok_or_else(|| UnknownKernel { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for choice in KernelChoice::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn an_unknown_name_is_told_which_there_are() {
        for text in ["sse2", "PORTABLE", "portable "] {
            let message = text.parse::<KernelChoice>().unwrap_err().to_string();
            assert!(message.contains(&format!("'{text}'")), "{message}");
            assert!(message.contains(KernelChoice::VARIABLE), "{message}");
            assert!(message.ends_with(&names()), "{message}");
        }
    }
}
