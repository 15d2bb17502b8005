//! Why there is nothing to read.

use equipoise_cards::{Board, Card, Street};
use equipoise_game::LineError;
use thiserror::Error;

use crate::file::FileError;
use crate::problem::node_path::NodePath;

/// Why there is nothing to read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The path leaves the tree.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Too few or too many cards.
    #[error("'{path}' deals {found} card(s) where {expected} come(s): write each between two '|'")]
    NumCards {
        /// The path.
        path: NodePath,
        /// How many it has.
        found: usize,
        /// How many come.
        expected: usize,
    },
    /// A card that cannot come.
    #[error("the {card} cannot come after {board}: it has been dealt")]
    Card {
        /// The card.
        card: Card,
        /// The board before it.
        board: Board,
    },
    /// The street is over there.
    #[error("after '{path}' a card comes: add it, as in '{path} | {example} |'")]
    Chance {
        /// The path.
        path: NodePath,
        /// A card that can come.
        example: Card,
    },
    /// The hand is over there.
    #[error("after '{path}' the hand is over: leave out the last action")]
    HandOver {
        /// The path.
        path: NodePath,
    },
    /// No card comes there.
    #[error("after '{path}' no card comes: go to where a street ends, as in 'check check'")]
    NoChance {
        /// The path.
        path: NodePath,
    },
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// What the file leaves out cannot be re-solved.
    #[error("the {street} is not in the file and cannot be re-solved: {reason}")]
    Resolve {
        /// The street.
        street: Street,
        /// Why.
        reason: String,
    },
    /// The observer wanted no more.
    #[error("stopped before the {street} was read or, if it is not in the file, re-solved")]
    Stopped {
        /// The street.
        street: Street,
    },
}
