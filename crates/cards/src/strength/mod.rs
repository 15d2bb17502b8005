//! How strong five, six or seven cards are.

mod board;
mod board_ranks;
mod describe;
#[allow(dead_code)] // Most of it is for the build script.
pub(crate) mod generate;
mod kinds;
mod order;
mod rows;
mod tally;

pub use board::BoardStrengths;
pub use board_ranks::BoardRanks;
pub use describe::best_five;
pub use kinds::KindOrder;
pub use order::{ComboSet, StrengthOrder};
pub use rows::RowError;
pub use tally::{CardSum, Tally};

use std::fmt;

use crate::card_set::CardSet;
use crate::kernel::tables::{DENSE, VALUES};

/// What kind of five cards a hand makes, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // The rules of poker are closed.
pub enum Category {
    /// Nothing better than its highest card.
    HighCard,
    /// Two cards of a rank.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three cards of a rank.
    Trips,
    /// Five ranks in a row.
    Straight,
    /// Five cards of a suit.
    Flush,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four cards of a rank.
    Quads,
    /// Five ranks in a row in one suit.
    StraightFlush,
}

impl Category {
    /// Every category, weakest first.
    pub const ALL: [Category; 9] = [
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::Trips,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::Quads,
        Category::StraightFlush,
    ];

    /// The name that machines read: `straight_flush`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        const KEYS: [&str; 9] = [
            "high_card",
            "pair",
            "two_pair",
            "trips",
            "straight",
            "flush",
            "full_house",
            "quads",
            "straight_flush",
        ];
        KEYS[self as usize]
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 9] = [
            "high card",
            "pair",
            "two pair",
            "three of a kind",
            "straight",
            "flush",
            "full house",
            "four of a kind",
            "straight flush",
        ];
        f.write_str(NAMES[*self as usize])
    }
}

/// A number from 0 (7-5-4-3-2) to 7461 (a royal flush): higher wins, equal splits.
///
/// Strengths of five, six and seven cards are comparable with each other.
///
/// ```
/// use equipoise_cards::{Category, Strength};
/// let strength = |text: &str| Strength::of(text.parse().unwrap()).unwrap();
/// let aces_up = strength("AhAd8c8sKdQc2h");
/// assert_eq!(aces_up.category(), Category::TwoPair);
/// assert_eq!(aces_up.to_string(), "two pair, aces and eights, king kicker");
/// assert!(aces_up < strength("2c2d2h7s8s"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Strength(u16);

impl Strength {
    /// How many strengths there are.
    pub const COUNT: usize = generate::NUM_STRENGTHS;
    /// How many of them seven cards can have.
    pub const DENSE7_COUNT: usize = 4824;

    /// The strength of five, six or seven cards; `None` for any other number of cards.
    #[must_use]
    pub fn of(cards: CardSet) -> Option<Strength> {
        let tally: Tally = cards.iter().collect();
        match cards.len() {
            5 => Some(tally.strength5()),
            6 => Some(tally.strength6()),
            7 => Some(tally.strength7()),
            _ => None,
        }
    }

    /// The strength with this number, 0..7462.
    #[must_use]
    pub const fn try_new(number: u16) -> Option<Strength> {
        if (number as usize) < Strength::COUNT { Some(Strength(number)) } else { None }
    }

    /// For numbers that come out of the tables.
    pub(crate) const fn from_table(number: u16) -> Strength {
        Strength(number)
    }

    /// The number of this strength, 0..7462.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The number of this strength among the 4,824 that seven cards can have; `None` if they cannot have it.
    #[must_use]
    pub fn dense7(self) -> Option<u16> {
        let dense = DENSE[usize::from(self.0)];
        (dense != u16::MAX).then_some(dense)
    }

    /// The packed value: `category << 26 | primary ranks << 13 | kicker ranks`, rank sets of 13 bits.
    ///
    /// A straight keeps its high card in the low field; a wheel's high card is the five.
    #[must_use]
    pub fn value(self) -> u32 {
        VALUES[usize::from(self.0)]
    }

    /// The strength with this packed value, if there is one.
    #[must_use]
    pub fn from_value(value: u32) -> Option<Strength> {
        VALUES.binary_search(&value).ok().map(|at| Strength(at as u16))
    }

    /// The category of the hand.
    #[must_use]
    pub fn category(self) -> Category {
        Category::ALL[(self.value() >> 26) as usize]
    }

    /// The ranks that name the hand, as 13 bits; of a straight its high card.
    #[must_use]
    pub(crate) fn naming_ranks(self) -> u16 {
        let (primary, kickers) = self.fields();
        if self.is_straight() { kickers } else { primary }
    }

    fn is_straight(self) -> bool {
        matches!(self.category(), Category::Straight | Category::StraightFlush)
    }

    /// Primary and kicker ranks of the packed value.
    fn fields(self) -> (u16, u16) {
        let value = self.value();
        ((value >> 13 & 0x1fff) as u16, (value & 0x1fff) as u16)
    }
}

impl fmt::Debug for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strength({}: {self})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_reference() {
        let value = |text: &str| Strength::of(text.parse().unwrap()).unwrap().value();
        assert_eq!(value("Ah2c3d4s5h"), 268_435_464);
        assert_eq!(value("AhKhQhJhTh"), 536_875_008);
        // The weakest seven cards are 9-8-7-5-4.
        let weakest = Strength::of("9h8c7d5s4h3c2d".parse().unwrap()).unwrap();
        assert_eq!((weakest.value(), weakest.dense7()), (236, Some(0)));
        assert_eq!(Strength(7461).dense7(), Some(4823));
        assert_eq!(Strength::try_new(7462), None);
    }

    #[test]
    fn packed_values_come_back() {
        for number in 0..Strength::COUNT as u16 {
            let strength = Strength::try_new(number).unwrap();
            assert_eq!(Strength::from_value(strength.value()), Some(strength));
        }
        assert_eq!(Strength::from_value(0), None);
    }

    #[test]
    fn a_straight_is_named_by_its_high_card() {
        let wheel = Strength::of("Ah2c3d4s5h".parse().unwrap()).unwrap();
        assert_eq!(wheel.naming_ranks(), 1 << 3);
        let trips = Strength::of("AhAcAd4s5h".parse().unwrap()).unwrap();
        assert_eq!(trips.naming_ranks(), 1 << 12);
    }

    #[test]
    fn other_numbers_of_cards_have_no_strength() {
        for text in ["", "AhKh", "AhKhQhJh", "2c3c4c5c6c7c8c9c"] {
            assert_eq!(Strength::of(text.parse().unwrap()), None);
        }
    }
}
