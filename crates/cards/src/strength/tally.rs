//! Single hands by two dependent loads.

use super::Strength;
use super::generate::{PLACE_BITS, ROW_BITS, rank_key};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::kernel::tables::{BOARD_IDS, FLUSHES, ROWS5, ROWS6, ROWS7, SLOTS5, SLOTS6, SLOTS7};

/// Cards added up for evaluation: build it card by card, share the common part, ask for the strength.
///
/// The key holds the scattered rank sum in its upper 32 bits, where overflow falls off, and four counters of four
/// bits for the suits, which start at 3 so that the fifth card of a suit sets a counter's top bit.
///
/// ```
/// use equipoise_cards::{CardSet, Tally};
/// let board: Tally = "Td9d6hQc2h".parse::<CardSet>()?.into();
/// let with = |text: &str| board.with_all(text.parse().unwrap()).strength7();
/// assert!(with("KsJs") > with("AhAd"));
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    key: u64,
    cards: CardSet,
}

const COUNTERS_AT_START: u64 = 0x3333;
const FLUSH_BITS: u64 = 0x8888;

/// What each card adds to the key; 64 entries so that a masked index needs no check.
static CARD_KEYS: [u64; 64] = {
    let mut keys = [0; 64];
    let mut id = 0;
    while id < 52 {
        keys[id] = (rank_key(id >> 2) as u64) << 32 | 1 << (4 * (id & 3));
        id += 1;
    }
    keys
};

impl Tally {
    /// No card yet.
    pub const EMPTY: Tally = Tally { key: COUNTERS_AT_START, cards: CardSet::EMPTY };

    /// One card more. A card that is there already makes the strength meaningless.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> Tally {
        debug_assert!(!self.cards.contains(card), "{card} is there twice");
        let key = self.key.wrapping_add(CARD_KEYS[card.index() & 63]);
        Tally { key, cards: self.cards.with(card) }
    }

    /// All of these cards more.
    #[inline]
    #[must_use]
    pub fn with_all(self, cards: CardSet) -> Tally {
        cards.iter().fold(self, Tally::with)
    }

    /// The cards so far.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// The strength of exactly seven cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength7(self) -> Strength {
        debug_assert_eq!(self.cards.len(), 7);
        self.strength(&ROWS7, &SLOTS7)
    }

    /// The strength of exactly six cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength6(self) -> Strength {
        debug_assert_eq!(self.cards.len(), 6);
        self.strength(&ROWS6, &SLOTS6)
    }

    /// The strength of exactly five cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength5(self) -> Strength {
        debug_assert_eq!(self.cards.len(), 5);
        self.strength(&ROWS5, &SLOTS5)
    }

    #[inline]
    fn strength(self, rows: &[u16; 1 << ROW_BITS], slots: &[u16; 1 << 16]) -> Strength {
        match self.flush_suit() {
            None => Strength::from_table(slots[usize::from(slot(self.key, rows))]),
            Some(suit) => Strength::from_table(FLUSHES[usize::from(self.cards.ranks_of(suit)) & 0x1fff]),
        }
    }

    /// The number of these five cards' rank multiset, for the board tables.
    #[inline]
    pub(crate) fn board_ranks_id(self) -> usize {
        debug_assert_eq!(self.cards.len(), 5);
        usize::from(BOARD_IDS[usize::from(slot(self.key, &ROWS5))])
    }

    #[inline]
    fn flush_suit(self) -> Option<Suit> {
        let flush = self.key & FLUSH_BITS;
        if flush == 0 { None } else { Suit::try_new(flush.trailing_zeros() as u8 / 4) }
    }
}

/// The slot of a key: the place in its row plus the row's shift.
#[inline]
fn slot(key: u64, rows: &[u16; 1 << ROW_BITS]) -> u16 {
    let row = rows[(key >> (64 - ROW_BITS)) as usize];
    let place = (key >> (64 - ROW_BITS - PLACE_BITS)) as u16 & ((1 << PLACE_BITS) - 1);
    row.wrapping_add(place)
}

impl FromIterator<Card> for Tally {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Tally {
        cards.into_iter().fold(Tally::EMPTY, Tally::with)
    }
}

impl From<CardSet> for Tally {
    fn from(cards: CardSet) -> Tally {
        Tally::EMPTY.with_all(cards)
    }
}

impl Strength {
    /// The strength of seven different cards; meaningless if one comes twice.
    #[inline]
    #[must_use]
    pub fn of_seven(cards: [Card; 7]) -> Strength {
        let key =
            cards.iter().fold(COUNTERS_AT_START, |key, card| key.wrapping_add(CARD_KEYS[card.index() & 63]));
        if key & FLUSH_BITS == 0 {
            return Strength::from_table(SLOTS7[usize::from(slot(key, &ROWS7))]);
        }
        Tally { key, cards: cards.into_iter().collect() }.strength7()
    }
}

#[cfg(test)]
mod tests {
    use crate::strength::generate::{SMALL_KEYS, for_each_counts};
    use std::collections::HashSet;

    #[test]
    fn sums_identify_multisets() {
        for (num_cards, count) in [(5, 6175), (6, 18_395), (7, 49_205)] {
            let mut sums = HashSet::new();
            for_each_counts(num_cards, &mut |counts| {
                sums.insert(counts.iter().zip(SMALL_KEYS).map(|(&n, key)| u32::from(n) * key).sum::<u32>());
            });
            assert_eq!(sums.len(), count);
        }
    }

    /// Repeats the search for the keys up to the jack; the last three would take minutes.
    #[test]
    fn keys_are_the_greedy_ones() {
        let mut sums: Vec<Vec<u32>> = vec![vec![0], vec![], vec![], vec![], vec![], vec![], vec![], vec![]];
        let mut seen = HashSet::new();
        for (rank, &expected) in SMALL_KEYS[..9].iter().enumerate() {
            let first = if rank == 0 { 0 } else { SMALL_KEYS[rank - 1] + 1 };
            let key = (first..)
                .find(|key| {
                    (5..=7).all(|num_cards: usize| {
                        seen.clear();
                        (0..=4)
                            .all(|n| sums[num_cards - n].iter().all(|sum| seen.insert(sum + n as u32 * key)))
                    })
                })
                .unwrap();
            assert_eq!(key, expected);
            sums = (0..8)
                .map(|num_cards: usize| {
                    (0..=num_cards.min(4))
                        .flat_map(|n| sums[num_cards - n].iter().map(move |sum| sum + n as u32 * key))
                        .collect()
                })
                .collect();
        }
    }
}
