//! Unordered sets of cards.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};
use std::str::FromStr;

use crate::card::{Card, Suit};
use crate::text::{ParseCardsError, parse_cards};

/// A set of cards as one `u64`: bit `i` stands for the card with number `i`.
///
/// ```
/// use equipoise_cards::CardSet;
/// let cards: CardSet = "AhKd2c".parse()?;
/// assert_eq!(cards.len(), 3);
/// assert_eq!(cards.to_string(), "AhKd2c");
/// assert!(cards.contains("Kd".parse()?));
/// assert_eq!((!cards).len(), 49);
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct CardSet(u64);

/// The bits of one suit's thirteen cards, clubs.
pub(crate) const CLUBS: u64 = 0x1_1111_1111_1111;

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << Card::COUNT) - 1);

    /// The thirteen cards of a suit.
    #[must_use]
    pub const fn of_suit(suit: Suit) -> CardSet {
        CardSet(CLUBS << suit.id())
    }

    /// The set with these bits; `None` if a bit above the 52nd is set.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<CardSet> {
        if bits & !CardSet::FULL.0 == 0 { Some(CardSet(bits)) } else { None }
    }

    /// The bits of this set.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many cards are in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.id() & 1 != 0
    }

    /// Whether the two sets share a card.
    #[must_use]
    pub const fn intersects(self, other: CardSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with one more card.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.id())
    }

    /// Adds a card; false if it was there already.
    pub const fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.id();
        self.0 != before
    }

    /// Removes a card; false if it was not there.
    pub const fn remove(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 &= !(1 << card.id());
        self.0 != before
    }

    /// The ranks that the set has in one suit, as 13 bits, deuce lowest.
    #[must_use]
    pub const fn ranks_of(self, suit: Suit) -> u16 {
        // Gathers every fourth bit by halving the gaps.
        let mut x = self.0 >> suit.id() & CLUBS;
        x = (x | x >> 3) & 0x0303_0303_0303_0303;
        x = (x | x >> 6) & 0x000f_000f_000f_000f;
        x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
        x = (x | x >> 24) & 0x1fff;
        x as u16
    }

    /// The cards in ascending order of their numbers.
    #[must_use]
    pub const fn iter(self) -> CardSetIter {
        CardSetIter(self.0)
    }

    /// The first card twice in these lists, if there is one.
    ///
    /// For checking that players, board and dead cards do not overlap.
    #[must_use]
    pub fn first_shared(self, other: CardSet) -> Option<Card> {
        (self & other).iter().next()
    }
}

impl fmt::Display for CardSet {
    /// Highest card first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().rev().try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl FromStr for CardSet {
    type Err = ParseCardsError;

    fn from_str(text: &str) -> Result<CardSet, ParseCardsError> {
        Ok(parse_cards(text)?.into_iter().collect())
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> CardSet {
        CardSet::EMPTY.with(card)
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;

    fn into_iter(self) -> CardSetIter {
        self.iter()
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = CardSet;

    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl Not for CardSet {
    type Output = CardSet;

    fn not(self) -> CardSet {
        CardSet::FULL - self
    }
}

/// The cards of a [`CardSet`], ascending.
#[derive(Clone, Debug)]
pub struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card::from_id(id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for CardSetIter {
    fn next_back(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let id = 63 - self.0.leading_zeros() as u8;
        self.0 &= !(1 << id);
        Some(Card::from_id(id))
    }
}

impl ExactSizeIterator for CardSetIter {}
impl FusedIterator for CardSetIter {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn set_operations_agree_with_lists(bits in 0u64..1 << 52, other in 0u64..1 << 52) {
            let (a, b) = (CardSet::from_bits(bits).unwrap(), CardSet::from_bits(other).unwrap());
            let listed: Vec<Card> = Card::ALL.into_iter().filter(|&c| a.contains(c)).collect();
            prop_assert_eq!(a.iter().collect::<Vec<_>>(), listed.clone());
            prop_assert_eq!(a.len(), listed.len());
            let both: CardSet = listed.iter().copied().filter(|&c| b.contains(c)).collect();
            prop_assert_eq!(a & b, both);
            prop_assert_eq!(a.intersects(b), !both.is_empty());
            prop_assert_eq!((a - b) | both, a);
            prop_assert_eq!(a.to_string().parse::<CardSet>().unwrap(), a);
            for suit in Suit::ALL {
                let ranks: u16 = listed.iter().filter(|c| c.suit() == suit).map(|c| 1 << c.rank().id()).sum();
                prop_assert_eq!(a.ranks_of(suit), ranks);
            }
        }
    }

    #[test]
    fn bits_beyond_the_deck_are_refused() {
        assert_eq!(CardSet::from_bits(1 << 52), None);
        assert_eq!(CardSet::FULL.len(), 52);
    }
}
