//! Public cards and the street they make.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::text::{ParseCardsError, parse_cards};

/// A betting round, named by the public cards that lie open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // There will be no fifth street.
pub enum Street {
    /// No public card.
    Preflop,
    /// Three public cards.
    Flop,
    /// Four public cards.
    Turn,
    /// Five public cards.
    River,
}

impl Street {
    /// Every street in order of play.
    pub const ALL: [Street; 4] = [Street::Preflop, Street::Flop, Street::Turn, Street::River];

    /// How many public cards lie open on this street: 0, 3, 4 or 5.
    #[must_use]
    pub const fn num_board_cards(self) -> usize {
        [0, 3, 4, 5][self as usize]
    }

    /// The street of a board with this many cards; `None` for 1, 2 and more than 5.
    #[must_use]
    pub const fn from_num_board_cards(num_cards: usize) -> Option<Street> {
        match num_cards {
            0 => Some(Street::Preflop),
            3 => Some(Street::Flop),
            4 => Some(Street::Turn),
            5 => Some(Street::River),
            _ => None,
        }
    }
}

impl fmt::Display for Street {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["preflop", "flop", "turn", "river"][*self as usize])
    }
}

/// The public cards in the order they were dealt: none, a flop, a turn or a river.
///
/// ```
/// use equipoise_cards::{Board, Street};
/// let board: Board = "Td9d6h Qc".parse()?;
/// assert_eq!(board.street(), Street::Turn);
/// assert_eq!(board.to_string(), "Td9d6hQc");
/// assert!("Td9d".parse::<Board>().is_err());
/// # Ok::<(), equipoise_cards::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    cards: [Card; 5],
    street: Street,
}

/// Why cards make no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Not 0, 3, 4 or 5 cards.
    #[error("a board has 0, 3, 4 or 5 cards, not {found}")]
    WrongSize {
        /// How many cards were given.
        found: usize,
    },
    /// A card that comes twice.
    #[error("the card {card} is on the board twice")]
    Duplicate {
        /// The card.
        card: Card,
    },
    /// A text that is no list of cards.
    #[error(transparent)]
    Text(#[from] ParseCardsError),
}

impl Board {
    /// The board before the flop.
    pub const EMPTY: Board = Board { cards: [Card::from_id(0); 5], street: Street::Preflop };

    /// The board of these cards in the order they were dealt.
    ///
    /// # Errors
    /// [`BoardError`] if there are not 0, 3, 4 or 5 cards, all different.
    pub fn new(cards: &[Card]) -> Result<Board, BoardError> {
        let street =
            Street::from_num_board_cards(cards.len()).ok_or(BoardError::WrongSize { found: cards.len() })?;
        let mut seen = CardSet::EMPTY;
        let mut board = Board { street, ..Board::EMPTY };
        for (slot, &card) in board.cards.iter_mut().zip(cards) {
            if !seen.insert(card) {
                return Err(BoardError::Duplicate { card });
            }
            *slot = card;
        }
        Ok(board)
    }

    /// The cards in the order they were dealt.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.street.num_board_cards()]
    }

    /// The cards as a set.
    #[must_use]
    pub fn set(&self) -> CardSet {
        self.cards().iter().copied().collect()
    }

    /// The street that these cards make.
    #[must_use]
    pub const fn street(&self) -> Street {
        self.street
    }

    /// The board with one more card; `None` on the river, before the flop, or if the card is there already.
    #[must_use]
    pub fn deal(&self, card: Card) -> Option<Board> {
        let next = match self.street {
            Street::Flop => Street::Turn,
            Street::Turn => Street::River,
            Street::Preflop | Street::River => return None,
        };
        let mut board = Board { street: next, ..*self };
        board.cards[self.street.num_board_cards()] = card;
        (!self.set().contains(card)).then_some(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().iter().try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        Board::new(&parse_cards(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_make_streets() {
        for (text, street) in [
            ("", Street::Preflop),
            ("Td9d6h", Street::Flop),
            ("Td9d6h Qc", Street::Turn),
            ("Td9d6h Qc 2h", Street::River),
        ] {
            let board: Board = text.parse().unwrap();
            assert_eq!(board.street(), street);
            assert_eq!(Board::new(board.cards()), Ok(board));
        }
        for text in ["Td", "Td9d", "Td9d6hQc2h3h"] {
            assert!(matches!(text.parse::<Board>(), Err(BoardError::WrongSize { .. })), "{text}");
        }
    }

    #[test]
    fn dealing_goes_street_by_street() {
        let flop: Board = "Td9d6h".parse().unwrap();
        let turn = flop.deal("Qc".parse().unwrap()).unwrap();
        let river = turn.deal("2h".parse().unwrap()).unwrap();
        assert_eq!(river.to_string(), "Td9d6hQc2h");
        assert_eq!(flop.deal("Td".parse().unwrap()), None);
        assert_eq!(river.deal("3h".parse().unwrap()), None);
        assert_eq!(Board::EMPTY.deal("3h".parse().unwrap()), None);
        let twice = [flop.cards()[0], flop.cards()[0], flop.cards()[1]];
        assert!(matches!(Board::new(&twice), Err(BoardError::Duplicate { .. })));
    }
}
