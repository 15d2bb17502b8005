//! How to compute.

use std::num::NonZeroUsize;

use equipoise_progress::Cancelled;
use thiserror::Error;

/// How to find the equity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Exact if that takes one core at most about two seconds, otherwise sampled to this standard error.
    Auto {
        /// The standard error to reach when sampling.
        std_error: f64,
    },
    /// Count every deal, however long it takes.
    Exact,
    /// Sample until the largest standard error is at most this, but at least [`Method::MIN_SAMPLES`] deals.
    StdError(f64),
    /// Sample exactly this many deals.
    Samples(u64),
}

impl Method {
    /// The default standard error of sampling.
    pub const DEFAULT_STD_ERROR: f64 = 0.0005;
    /// Seconds of one core that [`Method::Auto`] spends on an exact count at most, by estimate.
    pub const AUTO_SECONDS: f64 = 2.0;
    /// The fewest deals that sampling to a standard error takes.
    pub const MIN_SAMPLES: u64 = 10_000;
}

/// How to compute.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How to find the equity.
    pub method: Method,
    /// The seed of sampling.
    pub seed: u64,
    /// How many threads to use; all that the machine offers if `None`.
    pub threads: Option<NonZeroUsize>,
    /// Whether to report each combo of each player.
    pub by_combo: bool,
}

impl Default for Options {
    fn default() -> Options {
        let method = Method::Auto { std_error: Method::DEFAULT_STD_ERROR };
        Options { method, seed: 0, threads: None, by_combo: false }
    }
}

/// Why no equity was computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum EquityError {
    /// No sample was asked for.
    #[error("zero samples: ask for at least one")]
    NoSamples,
    /// A standard error that cannot be reached.
    #[error("the standard error {value} is not a number above 0")]
    StdError {
        /// What was asked for.
        value: f64,
    },
    /// The observer cancelled an exact count.
    #[error("cancelled before every deal was counted")]
    Cancelled,
    /// Drawing combos from the ranges hardly ever gives a deal without a shared card.
    #[error("{tries} draws from the ranges gave no deal without a shared card: count exactly instead")]
    TooRare {
        /// How many draws were made.
        tries: u32,
    },
    /// The threads could not be started.
    #[error("cannot start the worker threads: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
}

impl From<Cancelled> for EquityError {
    fn from(_: Cancelled) -> EquityError {
        EquityError::Cancelled
    }
}
