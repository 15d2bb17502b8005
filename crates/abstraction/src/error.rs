//! What can go wrong.

use std::io;
use std::path::PathBuf;

use equipoise_cards::{Card, Street};
use equipoise_progress::Cancelled;
use thiserror::Error;

use crate::buckets::BucketId;
use crate::config::Method;

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AbstractionError {
    /// A board with another number of cards than a street has.
    #[error("a board of {got} card(s) where {expected} are expected")]
    InvalidBoardSize {
        /// How many cards a board may have, in words.
        expected: &'static str,
        /// How many there are.
        got: usize,
    },
    /// A card that board and combo share, or that comes twice among them.
    #[error("the card {card} is dealt twice")]
    DuplicateCard {
        /// The card.
        card: Card,
    },
    /// The observer cancelled the work.
    #[error("cancelled before all boards were counted")]
    Cancelled,
    /// No bucket was asked for.
    #[error("zero buckets on the {street}: ask for at least one")]
    NoBuckets {
        /// The street.
        street: Street,
    },
    /// A sample of nothing.
    #[error("zero samples: ask for at least one, or for none to take every hand")]
    NoSamples,
    /// A method that says nothing on this street.
    #[error("'{method}' does not work on the {street}: {reason}")]
    Method {
        /// The method.
        method: Method,
        /// The street.
        street: Street,
        /// Why not, and what does.
        reason: &'static str,
    },
    /// Buckets by potential without those of the next street.
    #[error("'potential' on the {street} needs the buckets of the street that follows: build them first")]
    NoNextStreet {
        /// The street whose buckets were asked for.
        street: Street,
    },
    /// Buckets by potential, and buckets of another street or another configuration than they need.
    #[error("'potential' on the {street} was not built on these {found} buckets: build the streets together")]
    OtherNextStreet {
        /// The street whose buckets were asked for.
        street: Street,
        /// The street of the buckets that were given.
        found: Street,
    },
    /// Buckets of two streets, to be compared.
    #[error("buckets of the {first} cannot be compared with buckets of the {second}")]
    OtherStreet {
        /// The street of the first.
        first: Street,
        /// The street of the second.
        second: Street,
    },
    /// A bucket with a number that the street does not have.
    #[error("there is no bucket {bucket}: the {street} has buckets 0 to {}", buckets.saturating_sub(1))]
    NoSuchBucket {
        /// The bucket.
        bucket: BucketId,
        /// The street.
        street: Street,
        /// How many there are.
        buckets: u16,
    },
    /// The threads could not be started.
    #[error("cannot start the worker threads: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("cannot read {}", path.display())]
    LoadError {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}", path.display())]
    SaveError {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that holds no buckets, or damaged ones.
    #[error("{} holds no valid buckets: {reason}", path.display())]
    InvalidBoundaries {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl From<Cancelled> for AbstractionError {
    fn from(_: Cancelled) -> AbstractionError {
        AbstractionError::Cancelled
    }
}
