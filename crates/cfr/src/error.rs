//! What can be wrong with the name or the parameters of an algorithm.

use thiserror::Error;

use crate::algorithms::Algorithm;
use crate::options::{AsymmetryMode, Options};

/// A text that names no algorithm.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// No algorithm has this name.
    #[error("unknown algorithm '{name}'{}; known: {}", did_you_mean(*suggestion), list(Algorithm::NAMES))]
    UnknownName {
        /// The name as it was written.
        name: String,
        /// The nearest known name, if any is near.
        suggestion: Option<&'static str>,
    },
    /// The parameters are not in one pair of brackets at the end.
    #[error("'{text}' has unbalanced brackets: write parameters as in dcfr(1.5,0,2)")]
    Brackets {
        /// The whole text.
        text: String,
    },
    /// More parameters than the algorithm has.
    #[error("{algorithm} takes {}", at_most(*most))]
    TooMany {
        /// The algorithm's name.
        algorithm: &'static str,
        /// How many it has.
        most: usize,
    },
    /// A parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// A parameter that an algorithm cannot take.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// No algorithm has such a parameter.
    #[error("unknown parameter '{key}'; known: {}", Options::KEYS.join(", "))]
    UnknownKey {
        /// The key as it was written.
        key: String,
    },
    /// Other algorithms have this parameter, this one does not.
    #[error("{algorithm} has no parameter '{key}'; it has {}", list(known))]
    NotOfAlgorithm {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The parameter.
        key: &'static str,
        /// What the algorithm has instead.
        known: Vec<&'static str>,
    },
    /// The value is not a number of the kind that is asked for.
    #[error("{key} = '{text}' is not a number that {key} can be")]
    NotANumber {
        /// The parameter.
        key: &'static str,
        /// The value as it was written.
        text: String,
    },
    /// The value is not finite or makes no sense.
    #[error("{key} = {value} is outside {least} to {most}")]
    OutOfRange {
        /// The parameter.
        key: &'static str,
        /// The value.
        value: f64,
        /// The smallest that is allowed.
        least: f64,
        /// The largest that is allowed.
        most: f64,
    },
    /// A parameter is given both by position and by key, or twice.
    #[error("{key} is given twice")]
    Twice {
        /// The parameter.
        key: &'static str,
    },
    /// Neither `auto` nor `fixed`.
    #[error("'{text}' is no asymmetry: write auto, auto 5, fixed or fixed 2")]
    Mode {
        /// The text.
        text: String,
    },
    /// The parameter belongs to the other kind of asymmetry.
    #[error("{key} needs asymmetry_mode = \"{mode}\"")]
    NeedsMode {
        /// The parameter.
        key: &'static str,
        /// The mode that it needs.
        mode: AsymmetryMode,
    },
    /// `auto` for an algorithm that is simple because its asymmetry is fixed.
    #[error("the asymmetry of sapcfr+ and sapdcfr+ is fixed; apcfr+ and apdcfr+ measure it")]
    AlwaysFixed,
    /// A number that could be taken for another lacks its sign.
    #[error("write {key} as +{text}, or another parameter as key=value")]
    NoSign {
        /// The parameter.
        key: &'static str,
        /// The value as it was written.
        text: String,
    },
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

fn at_most(most: usize) -> String {
    match most {
        0 => "no parameters".to_owned(),
        1 => "at most one parameter".to_owned(),
        _ => format!("at most {most} parameters"),
    }
}

fn list(keys: &[&str]) -> String {
    if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
}
