//! What can go wrong.

use equipoise_cards::Card;
use thiserror::Error;

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
}
