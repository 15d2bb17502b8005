//! Reading cards from text.

use thiserror::Error;

use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;

/// Why a text is not a list of cards; `at` is the byte where the trouble begins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseCardsError {
    /// A character that names no rank.
    #[error("unknown rank '{found}' at byte {at}: a rank is one of 2 3 4 5 6 7 8 9 T J Q K A")]
    UnknownRank {
        /// Where it stands.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// A character that names no suit.
    #[error("unknown suit '{found}' at byte {at}: a suit is one of c d h s (lower case) or ♣ ♦ ♥ ♠")]
    UnknownSuit {
        /// Where it stands.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// The text ends after a rank.
    #[error("the card at byte {at} has no suit: write it like Ah")]
    MissingSuit {
        /// Where the rank stands.
        at: usize,
    },
    /// A card that stands in the text twice.
    #[error("the card {card} at byte {at} is there twice")]
    Duplicate {
        /// Where its second mention stands.
        at: usize,
        /// The card.
        card: Card,
    },
    /// Another number of cards than was asked for.
    #[error("expected {expected} card(s), found {found}")]
    WrongCount {
        /// How many are needed.
        expected: usize,
        /// How many the text has.
        found: usize,
        /// Where the text ends.
        at: usize,
    },
}

impl ParseCardsError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match *self {
            ParseCardsError::UnknownRank { at, .. }
            | ParseCardsError::UnknownSuit { at, .. }
            | ParseCardsError::MissingSuit { at }
            | ParseCardsError::Duplicate { at, .. }
            | ParseCardsError::WrongCount { at, .. } => at,
        }
    }
}

/// Reads cards written with or without blanks or commas between them, in their order.
///
/// Ranks are accepted in either case and ten also as `10`; suits are lower-case letters or symbols.
///
/// ```
/// use equipoise_cards::parse_cards;
/// let cards = parse_cards("AhKd")?;
/// assert_eq!(parse_cards("ah, kd")?, cards);
/// assert_eq!(parse_cards("A♥ K♦")?, cards);
/// assert_eq!(parse_cards("AhXd").unwrap_err().at(), 2);
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
///
/// # Errors
/// [`ParseCardsError`] when something is no card or a card comes twice.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardsError> {
    let mut cards = Vec::new();
    let mut seen = CardSet::EMPTY;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() || c == ',' {
            continue;
        }
        let rank = match c {
            '1' if chars.next_if(|&(_, next)| next == '0').is_some() => Rank::TEN,
            _ => Rank::from_char(c).ok_or(ParseCardsError::UnknownRank { at, found: c })?,
        };
        let (suit_at, found) = chars.next().ok_or(ParseCardsError::MissingSuit { at })?;
        if found.is_whitespace() || found == ',' {
            return Err(ParseCardsError::MissingSuit { at });
        }
        let suit = Suit::from_char(found).ok_or(ParseCardsError::UnknownSuit { at: suit_at, found })?;
        let card = Card::new(rank, suit);
        if !seen.insert(card) {
            return Err(ParseCardsError::Duplicate { at, card });
        }
        cards.push(card);
    }
    Ok(cards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_spelling_reads_the_same() {
        let want = parse_cards("AhTd2c").unwrap();
        for text in ["Ah Td 2c", "Ah,Td,2c", "ah, 10d ,2c,", " A♥T♦2♣ ", "A♡t♢2♧"] {
            assert_eq!(parse_cards(text).unwrap(), want, "{text}");
        }
        assert_eq!(parse_cards(""), Ok(vec![]));
    }

    #[test]
    fn errors_point_at_the_byte() {
        for (text, at) in [
            ("AhXd", 2),
            ("AhK", 2),
            ("AhKx", 3),
            ("AH", 1),
            ("Ah Ah", 3),
            ("A♥,A♥", 5),
            ("A h", 0),
            ("1h", 0),
        ] {
            assert_eq!(parse_cards(text).unwrap_err().at(), at, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_positions_are_inside(text in "\\PC{0,24}") {
            if let Err(error) = parse_cards(&text) {
                prop_assert!(text.is_char_boundary(error.at()));
            }
        }

        #[test]
        fn near_misses_do_not_panic(text in "[2-9TJQKAtjqkacdhs♥♠ ,x10]{0,16}") {
            match parse_cards(&text) {
                Err(error) => prop_assert!(text.is_char_boundary(error.at())),
                Ok(cards) => {
                    let shown: String = cards.iter().map(ToString::to_string).collect();
                    prop_assert_eq!(parse_cards(&shown).unwrap(), cards);
                }
            }
        }
    }
}
