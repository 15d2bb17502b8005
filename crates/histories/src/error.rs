//! What can be wrong with a history, and where.

use equipoise_cards::{BoardError, ParseCardsError};
use thiserror::Error;

use crate::history::Format;

/// Why a hand cannot be read.
#[derive(Debug, Error)]
#[error("hand {hand}, line {line}: {problem}")]
#[non_exhaustive]
pub struct HistoryError {
    /// Which hand of the file, the first being 1.
    pub hand: u64,
    /// The line of the file, the first being 1.
    pub line: u64,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a hand.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Bytes that are no UTF-8.
    #[error("the text is not UTF-8{}", if *.is_utf16 { " but UTF-16: save it as UTF-8" } else { "" })]
    Encoding {
        /// Whether it looks like UTF-16.
        is_utf16: bool,
    },
    /// None of the formats.
    #[error(
        "'{start}' begins no hand history that is known: ACPC (STATE:, MATCHSTATE:), Slumbot (b200c/kk), PHH (variant = \"NT\") or PokerStars"
    )]
    UnknownFormat {
        /// How the text begins.
        start: String,
    },
    /// Another game than no-limit Texas hold'em.
    #[error("'{game}' is not read: only no-limit Texas hold'em is")]
    UnknownGame {
        /// What it is.
        game: String,
    },
    /// A line or a hand that is longer than any should be.
    #[error("the hand is longer than {limit} bytes")]
    TooLong {
        /// The most.
        limit: usize,
    },
    /// A text that is not what its format asks for.
    #[error("{0}")]
    Syntax(String),
    /// The hand ends before it is over.
    #[error("the hand is cut off: {0}")]
    CutOff(String),
    /// An action or a card that the rules do not allow.
    #[error("{0}")]
    Illegal(String),
    /// What the history says was won is not what its actions and cards give.
    #[error("the history says that the winnings are {stated:?}, but its cards and actions give {found:?}")]
    Winnings {
        /// What it says.
        stated: Vec<i64>,
        /// What follows from the hand.
        found: Vec<i64>,
    },
    /// Cards that are none.
    #[error(transparent)]
    Cards(#[from] ParseCardsError),
    /// Public cards that make no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A hand that another format cannot hold.
    #[error("{format} cannot hold this hand: {reason}")]
    NotHeld {
        /// The format.
        format: Format,
        /// Why.
        reason: String,
    },
}

impl Problem {
    pub(crate) fn syntax(text: impl Into<String>) -> Problem {
        Problem::Syntax(text.into())
    }
}
