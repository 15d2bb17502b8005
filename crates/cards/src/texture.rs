//! What flops have in common, and what the cards after them do.

use std::fmt;

use crate::board::{Board, Street};
use crate::card::{Card, Rank};

/// How many suits a flop has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // Three cards have no other suits.
pub enum SuitTexture {
    /// Three suits.
    Rainbow,
    /// Two suits.
    TwoTone,
    /// One suit.
    Monotone,
}

/// How many ranks a flop has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // Three cards have no other ranks.
pub enum Pairing {
    /// Three ranks.
    Unpaired,
    /// Two ranks.
    Paired,
    /// One rank.
    Trips,
}

/// How many different ranks of a flop a single straight can have, and so what two private cards can make with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // One, two or three of three cards.
pub enum Connectedness {
    /// One: no straight, and no four cards of one.
    Disconnected,
    /// Two: no straight, but four cards of one.
    SemiConnected,
    /// Three: a straight.
    Connected,
}

/// What a flop looks like: suits, pairs, highest card and connectedness. Every flop is exactly one of each.
///
/// | | rainbow | two-tone | monotone | |
/// | --- | --- | --- | --- | --- |
/// | of 22,100 flops | 8,788 | 12,168 | 1,144 | |
/// | | unpaired | paired | trips | |
/// | | 18,304 | 3,744 | 52 | |
///
/// ```
/// use equipoise_cards::{Connectedness, FlopTexture, Pairing, Rank, SuitTexture};
/// let texture = FlopTexture::of(&"Td9d6h".parse()?).ok_or("a flop")?;
/// assert_eq!((texture.suits, texture.pairing), (SuitTexture::TwoTone, Pairing::Unpaired));
/// assert_eq!((texture.high, texture.connectedness), (Rank::TEN, Connectedness::Connected));
/// assert_eq!(texture.to_string(), "two-tone, unpaired, ten-high, connected");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FlopTexture {
    /// How many suits.
    pub suits: SuitTexture,
    /// How many ranks.
    pub pairing: Pairing,
    /// The highest rank; aces are high.
    pub high: Rank,
    /// What straights there can be; aces are high or low.
    pub connectedness: Connectedness,
}

impl FlopTexture {
    /// The texture of a board's first three cards; `None` before the flop.
    #[must_use]
    pub fn of(board: &Board) -> Option<FlopTexture> {
        let cards = board.cards().get(..Street::Flop.num_board_cards())?;
        let suits = cards.iter().fold(0_u8, |set, card| set | 1 << card.suit().id());
        let ranks = cards.iter().fold(0_u16, |set, card| set | 1 << card.rank().id());
        Some(FlopTexture {
            suits: match suits.count_ones() {
                1 => SuitTexture::Monotone,
                2 => SuitTexture::TwoTone,
                _ => SuitTexture::Rainbow,
            },
            pairing: match ranks.count_ones() {
                1 => Pairing::Trips,
                2 => Pairing::Paired,
                _ => Pairing::Unpaired,
            },
            high: cards.iter().map(|card| card.rank()).max()?,
            connectedness: match most_in_a_straight(ranks) {
                1 => Connectedness::Disconnected,
                2 => Connectedness::SemiConnected,
                _ => Connectedness::Connected,
            },
        })
    }
}

/// How many cards of its suit a turn or river card finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // None, one, or enough for a flush.
pub enum CardSuit {
    /// None.
    New,
    /// One.
    Second,
    /// Two or more: three of a suit are on the board, so that two private cards make a flush.
    Flush,
}

/// Where a turn or river card stands among the ranks of the board before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // Above, within or below.
pub enum CardHeight {
    /// Above all of them.
    Over,
    /// Neither above nor below all.
    Middle,
    /// Below all of them.
    Under,
}

/// What a turn or river card changes: suits, pairs, straights, and where it stands. Every card is exactly one of each.
///
/// ```
/// use equipoise_cards::{Board, CardHeight, CardSuit, CardTexture};
/// let flop: Board = "Td9d6h".parse()?;
/// let texture = CardTexture::of(&flop, "8d".parse()?);
/// assert_eq!((texture.suit, texture.height), (CardSuit::Flush, CardHeight::Middle));
/// assert!(!texture.pairs && texture.connects);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CardTexture {
    /// How many cards of its suit it finds.
    pub suit: CardSuit,
    /// Whether its rank is on the board already.
    pub pairs: bool,
    /// Whether one straight has more ranks of the board with it than without it, and at least three.
    pub connects: bool,
    /// Where it stands.
    pub height: CardHeight,
    /// Its rank.
    pub rank: Rank,
}

impl CardTexture {
    /// What a card changes on the board that it comes to.
    #[must_use]
    pub fn of(before: &Board, card: Card) -> CardTexture {
        let rank = card.rank();
        let ranks = before.cards().iter().fold(0_u16, |set, card| set | 1 << card.rank().id());
        let [without, with] = [ranks, ranks | 1 << rank.id()].map(most_in_a_straight);
        let is_above = |other: &Card| rank > other.rank();
        let is_below = |other: &Card| rank < other.rank();
        CardTexture {
            suit: match before.cards().iter().filter(|other| other.suit() == card.suit()).count() {
                0 => CardSuit::New,
                1 => CardSuit::Second,
                _ => CardSuit::Flush,
            },
            pairs: ranks >> rank.id() & 1 == 1,
            connects: with > without && with >= 3,
            height: if before.cards().iter().all(is_above) {
                CardHeight::Over
            } else if before.cards().iter().all(is_below) {
                CardHeight::Under
            } else {
                CardHeight::Middle
            },
            rank,
        }
    }
}

impl fmt::Display for CardSuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CardSuit::New => "new suit",
            CardSuit::Second => "second of its suit",
            CardSuit::Flush => "flush card",
        })
    }
}

impl fmt::Display for CardHeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CardHeight::Over => "overcard",
            CardHeight::Middle => "middle card",
            CardHeight::Under => "undercard",
        })
    }
}

/// The most of these ranks that one straight has.
fn most_in_a_straight(ranks: u16) -> u32 {
    // The ace stands below the deuce too.
    let with_low_ace = ranks << 1 | ranks >> 12 & 1;
    (0..10).map(|lowest| (with_low_ace >> lowest & 0b1_1111).count_ones()).max().unwrap_or(0)
}

impl fmt::Display for SuitTexture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SuitTexture::Rainbow => "rainbow",
            SuitTexture::TwoTone => "two-tone",
            SuitTexture::Monotone => "monotone",
        })
    }
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pairing::Unpaired => "unpaired",
            Pairing::Paired => "paired",
            Pairing::Trips => "trips",
        })
    }
}

impl fmt::Display for Connectedness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Connectedness::Disconnected => "disconnected",
            Connectedness::SemiConnected => "semi-connected",
            Connectedness::Connected => "connected",
        })
    }
}

impl fmt::Display for FlopTexture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FlopTexture { suits, pairing, high, connectedness } = self;
        write!(f, "{suits}, {pairing}, {}-high, {connectedness}", high.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical_boards;
    use std::collections::HashMap;

    fn texture(text: &str) -> FlopTexture {
        FlopTexture::of(&text.parse().unwrap()).unwrap()
    }

    /// The numbers are C(4,s)-counts: 13³·24, 13³·… are worked out by hand below, not read off the program.
    #[test]
    fn all_flops_are_counted() {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for (board, size) in canonical_boards(Street::Flop) {
            let FlopTexture { suits, pairing, high, connectedness } = FlopTexture::of(&board).unwrap();
            for word in [suits.to_string(), pairing.to_string(), high.to_string(), connectedness.to_string()]
            {
                *counts.entry(word).or_default() += size;
            }
        }
        // One suit: 4·C(13,3). Three: 4·13³. The rest of C(52,3) = 22,100.
        assert_eq!((counts["monotone"], counts["rainbow"], counts["two-tone"]), (1_144, 8_788, 12_168));
        // Trips: 13·C(4,3). A pair: 13·C(4,2)·48. No pair: C(13,3)·4³.
        assert_eq!((counts["trips"], counts["paired"], counts["unpaired"]), (52, 3_744, 18_304));
        // All of at most this rank less all of lower ranks: C(52,3) − C(48,3) and C(4,3).
        assert_eq!((counts["A"], counts["2"]), (4_804, 4));
        // Sets of three ranks inside five in a row: the first row has C(5,3), each of nine more adds those with its new
        // rank, C(4,2): 64 sets of 4³ flops.
        assert_eq!(counts["connected"], 64 * 64);
        assert_eq!(counts["connected"] + counts["semi-connected"] + counts["disconnected"], 22_100);
    }

    /// Counted by hand on flops whose suits, ranks and straights are plain to see.
    #[test]
    fn every_card_changes_something_or_nothing() {
        let count = |flop: &str, is: &dyn Fn(CardTexture) -> bool| {
            let flop: Board = flop.parse().unwrap();
            let cards = Card::ALL.into_iter().filter(|&card| !flop.set().contains(card));
            cards.filter(|&card| is(CardTexture::of(&flop, card))).count()
        };
        // Two diamonds, one heart: 11 diamonds, 12 hearts, 26 of the suits that are not there.
        for (suit, cards) in [(CardSuit::Flush, 11), (CardSuit::Second, 12), (CardSuit::New, 26)] {
            assert_eq!(count("Td9d6h", &|texture| texture.suit == suit), cards, "{suit}");
        }
        // Three of each rank on the board are left.
        assert_eq!(count("Td9d6h", &|texture| texture.pairs), 9);
        assert_eq!(count("KhKd4s", &|texture| texture.pairs), 5);
        // J to A stand above a ten, 5 to 2 below a six.
        assert_eq!(count("Td9d6h", &|texture| texture.height == CardHeight::Over), 16);
        assert_eq!(count("Td9d6h", &|texture| texture.height == CardHeight::Under), 16);
        // T, 9 and 6 are in one straight already; with 7 or 8 it has four of them.
        assert_eq!(count("Td9d6h", &|texture| texture.connects), 8);
        // No straight has two of K, 7 and 2, so that none has three with one card more.
        assert_eq!(count("Kc7d2h", &|texture| texture.connects), 0);
        // With K and 9 a queen, jack or ten; with 9 and 8 a seven, six or five.
        assert_eq!(count("Kc9d8h", &|texture| texture.connects), 24);
    }

    #[test]
    fn straights_decide_connectedness() {
        for (text, expected) in [
            ("Th9h8h", Connectedness::Connected),
            ("As4d5c", Connectedness::Connected),
            ("AsKdTc", Connectedness::Connected),
            ("Kc7d2h", Connectedness::Disconnected),
            ("Kc7d3h", Connectedness::SemiConnected),
            ("Ac8d2h", Connectedness::SemiConnected),
            ("Kc2dAh", Connectedness::SemiConnected),
            ("7c7d2h", Connectedness::Disconnected),
            ("7c7d6h", Connectedness::SemiConnected),
            ("7c7d7h", Connectedness::Disconnected),
        ] {
            assert_eq!(texture(text).connectedness, expected, "{text}");
        }
        assert_eq!(FlopTexture::of(&Board::EMPTY), None);
        assert_eq!(FlopTexture::of(&"Td9d6hQc".parse().unwrap()), Some(texture("Td9d6h")));
    }
}
