//! Which kernels run: the one place that reads `EQUIPOISE_KERNEL`, for all crates.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

/// Which kernels run. The variable `EQUIPOISE_KERNEL` of the environment sets it for all crates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelChoice {
    /// The fastest that this processor has instructions for; the default.
    #[default]
    Auto,
    /// The portable twins, which run on any processor.
    Portable,
}

/// A value of `EQUIPOISE_KERNEL` that names no choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown kernel '{found}' in the environment variable EQUIPOISE_KERNEL: it is one of auto, portable")]
pub struct UnknownKernel {
    found: String,
}

impl KernelChoice {
    /// All choices.
    pub const ALL: [KernelChoice; 2] = [KernelChoice::Auto, KernelChoice::Portable];

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

    /// Whether the environment forces the portable twins. A value that names no choice does not: a program refuses it
    /// when it starts ([`KernelChoice::from_environment`]).
    pub fn is_portable_forced() -> bool {
        KernelChoice::from_environment() == Ok(KernelChoice::Portable)
    }
}

impl fmt::Display for KernelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KernelChoice::Auto => "auto",
            KernelChoice::Portable => "portable",
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
        for text in ["avx2", "PORTABLE", "portable "] {
            let message = text.parse::<KernelChoice>().unwrap_err().to_string();
            assert!(message.contains(&format!("'{text}'")), "{message}");
            assert!(message.contains(KernelChoice::VARIABLE), "{message}");
            let names = KernelChoice::ALL.map(|choice| choice.to_string()).join(", ");
            assert!(message.ends_with(&names), "{message}");
        }
    }
}
