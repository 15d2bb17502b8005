//! Errors of the bucketed engine.

use equipoise_abstraction::AbstractionError;
use equipoise_cards::Street;
use thiserror::Error;

/// Why a spot cannot be solved in buckets.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BucketedError {
    /// The spot begins too early.
    #[error("play begins on the {street}, and only turn and river spots are solved inside an abstraction")]
    Street {
        /// Where play begins.
        street: Street,
    },
    /// The spot has locked decisions.
    #[error("the spot has locked decisions, which are of combos and not of buckets")]
    Locks,
    /// There are no buckets for a street that is played.
    #[error("there are no buckets for the {street}")]
    NoBuckets {
        /// The street.
        street: Street,
    },
    /// The buckets cannot be read.
    #[error(transparent)]
    Buckets(#[from] Box<AbstractionError>),
    /// The target is negative or not a number.
    #[error("the target of {value} % of the pot must be 0 or more")]
    Target {
        /// The target.
        value: f64,
    },
    /// More memory than allowed.
    #[error("the tables take {needed} bytes, and {limit} are allowed: use fewer buckets or fewer bet sizes")]
    Memory {
        /// What it would take.
        needed: u64,
        /// What is allowed.
        limit: u64,
    },
    /// No threads.
    #[error("no threads could be started: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
}
