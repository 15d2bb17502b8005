//! What flops have in common.

use std::fmt;

use crate::board::{Board, Street};
use crate::card::Rank;

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
