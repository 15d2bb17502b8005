//! What can go wrong.

use std::io;
use std::path::PathBuf;

use equipoise_cards::{Card, Street};
use equipoise_equity::Cancelled;
use thiserror::Error;

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
