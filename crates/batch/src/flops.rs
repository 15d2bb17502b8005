//! Which flops, and how much each counts.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::{Board, BoardError, CanonicalBoard, Street, canonical_boards};
use thiserror::Error;

use crate::subset::Subset;

/// How many flops there are.
pub(crate) const NUM_FLOPS: f64 = 22_100.0;

/// A flop and how much it counts in averages.
///
/// ```
/// use equipoise_batch::Flop;
/// // Without a weight a flop counts as often as there are flops that differ from it in suits only.
/// assert_eq!("As7d2c".parse::<Flop>()?.weight, 24.0);
/// assert_eq!("As7s2s:100.5".parse::<Flop>()?.to_string(), "As7s2s:100.5");
/// # Ok::<(), equipoise_batch::ParseFlopError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Flop {
    /// The cards, highest first.
    pub board: Board,
    /// How much it counts.
    pub weight: f64,
}

/// Why a text is no flop.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseFlopError {
    /// The cards are no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The cards are another street's.
    #[error("a flop has 3 cards, not {found}")]
    NumCards {
        /// How many there are.
        found: usize,
    },
    /// The weight is none.
    #[error("'{text}' is no weight: write a number above 0 after the colon, as in As7d2c:24")]
    Weight {
        /// What stands after the colon.
        text: String,
    },
}

impl Flop {
    /// A flop that counts as often as there are flops that differ from it in suits only. The board must be a flop.
    #[must_use]
    pub fn of_class(board: Board) -> Flop {
        Flop { board: sorted(&board), weight: f64::from(CanonicalBoard::new(&board).class_size()) }
    }

    pub(crate) fn parts(text: &str) -> (&str, Option<&str>) {
        text.split_once(':').map_or((text, None), |(board, weight)| (board, Some(weight)))
    }
}

/// The same cards, highest first, so that the order in which they are written makes no difference.
pub(crate) fn sorted(board: &Board) -> Board {
    let mut cards = board.cards().to_vec();
    let flop = Street::Flop.num_board_cards().min(cards.len());
    cards[..flop].sort_unstable_by(|a, b| b.cmp(a));
    Board::new(&cards).expect("the cards of a board")
}

impl FromStr for Flop {
    type Err = ParseFlopError;

    fn from_str(text: &str) -> Result<Flop, ParseFlopError> {
        let (cards, weight) = Flop::parts(text);
        let board: Board = cards.parse().map_err(|error| match error {
            BoardError::WrongSize { found } => ParseFlopError::NumCards { found },
            error => error.into(),
        })?;
        if board.street() != Street::Flop {
            return Err(ParseFlopError::NumCards { found: board.cards().len() });
        }
        let flop = Flop::of_class(board);
        let Some(text) = weight else { return Ok(flop) };
        let weight = text.trim().parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight > 0.0);
        let weight = weight.ok_or_else(|| ParseFlopError::Weight { text: text.trim().to_owned() })?;
        Ok(Flop { weight, ..flop })
    }
}

impl fmt::Display for Flop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.board, self.weight)
    }
}

/// Every flop that differs in more than suits, with its class size: 1,755 of them, which sum to 22,100.
#[must_use]
pub(crate) fn all_flops() -> Vec<Flop> {
    let flop = |(board, size)| Flop { board: sorted(&board), weight: f64::from(size) };
    canonical_boards(Street::Flop).map(flop).collect()
}

/// The names that stand for flops in a plan.
pub const NAMES: [&str; 4] = ["25", "49", "95", "all"];

/// The flops of a name: `all`, or a subset that stands for all; `None` if there is no such name.
///
/// ```
/// assert_eq!(equipoise_batch::named_flops("all").unwrap().len(), 1_755);
/// assert_eq!(equipoise_batch::named_flops("49").unwrap().len(), 49);
/// assert!(equipoise_batch::named_flops("50").is_none());
/// ```
#[must_use]
pub fn named_flops(name: &str) -> Option<Vec<Flop>> {
    if name == "all" {
        return Some(all_flops());
    }
    Subset::SHIPPED.into_iter().find(|subset| subset.name() == name).map(Subset::flops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_sum_to_all_flops() {
        let flops = all_flops();
        assert_eq!(flops.len(), 1_755);
        assert_eq!(flops.iter().map(|flop| flop.weight).sum::<f64>(), NUM_FLOPS);
        // What is written of a class is read as the same flop.
        for flop in flops {
            assert_eq!(flop.board.to_string().parse(), Ok(flop));
        }
    }

    #[test]
    fn nonsense_is_no_flop() {
        for text in
            ["", "As", "AsKs", "AsKsQsJs", "AsAsKs", "AsKsXx", "AsKsQs:", "AsKsQs:0", "AsKsQs:-1", "AsKsQs:x"]
        {
            assert!(text.parse::<Flop>().is_err(), "{text}");
        }
        assert_eq!("2c7dAs".parse::<Flop>().unwrap().board.to_string(), "As7d2c");
    }
}
