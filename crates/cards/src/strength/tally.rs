//! Single hands by two dependent loads.

use std::ops::Add;

use super::Strength;
use super::generate::{HASH_LEN, PLACE_BITS, ROW_BITS, rank_key};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::kernel::tables::{BOARD_IDS, FLUSHES, HASH5, HASH6, HASH7};

/// Cards added up for evaluation: build it card by card, share the common part, ask for the strength.
///
/// The key holds the scattered rank sum in its upper 32 bits, where overflow falls off, and four counters of four
/// bits for the suits, which start at 3 so that the fifth card of a suit sets a counter's top bit. For flushes the
/// ranks of each suit are kept as 16 bits of another word.
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
    suits: u64,
}

const COUNTERS_AT_START: u64 = 0x3333;
const FLUSH_BITS: u64 = 0x8888;

/// What a card adds to the key, by its number; as many entries as a byte has values, so that no index needs a check.
static CARD_KEYS: [u64; 256] = {
    let mut keys = [0; 256];
    let mut id = 0;
    while id < 52 {
        keys[id] = (rank_key(id >> 2) as u64) << 32 | 1 << (4 * (id & 3));
        id += 1;
    }
    keys
};

/// The bit of a card among the ranks of its suit.
#[inline]
const fn suit_bit(card: Card) -> u64 {
    1 << (16 * card.suit().id() + card.rank().id())
}

/// What one card adds to a [`Tally`], looked up beforehand: for loops that add the same cards repeatedly.
///
/// ```
/// use equipoise_cards::{Card, CardSum, Tally};
/// let sums = Card::ALL.map(CardSum::of);
/// let tally = sums[..7].iter().fold(Tally::EMPTY, |tally, sum| tally + *sum);
/// assert_eq!(tally, Card::ALL[..7].iter().copied().collect());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardSum {
    key: u64,
    suits: u64,
}

impl CardSum {
    /// What this card adds.
    #[inline]
    #[must_use]
    pub fn of(card: Card) -> CardSum {
        CardSum { key: CARD_KEYS[card.index()], suits: suit_bit(card) }
    }
}

impl Add<CardSum> for Tally {
    type Output = Tally;

    /// One card more. A card that is there already makes the strength meaningless.
    #[inline]
    fn add(self, card: CardSum) -> Tally {
        debug_assert!(self.suits & card.suits == 0, "a card is there twice");
        Tally { key: self.key.wrapping_add(card.key), suits: self.suits | card.suits }
    }
}

impl Tally {
    /// No card yet.
    pub const EMPTY: Tally = Tally { key: COUNTERS_AT_START, suits: 0 };

    /// One card more. A card that is there already makes the strength meaningless.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> Tally {
        self + CardSum::of(card)
    }

    /// All of these cards more.
    #[inline]
    #[must_use]
    pub fn with_all(self, cards: CardSet) -> Tally {
        cards.iter().fold(self, Tally::with)
    }

    /// The cards of both. A card that is in both makes the strength meaningless.
    #[inline]
    #[must_use]
    pub fn join(self, other: Tally) -> Tally {
        debug_assert!(self.suits & other.suits == 0, "a card is there twice");
        let key = self.key.wrapping_add(other.key).wrapping_sub(COUNTERS_AT_START);
        Tally { key, suits: self.suits | other.suits }
    }

    /// Whether some card is in both.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Tally) -> bool {
        self.suits & other.suits != 0
    }

    /// The cards of both, unless some card is in both.
    ///
    /// ```
    /// use equipoise_cards::{CardSet, Tally};
    /// let [aces, ace_king]: [Tally; 2] = ["AhAd", "AhKd"].map(|text| text.parse::<CardSet>().unwrap().into());
    /// assert!(aces.intersects(ace_king));
    /// assert_eq!(aces.checked_join(ace_king), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn checked_join(self, other: Tally) -> Option<Tally> {
        let key = self.key.wrapping_add(other.key).wrapping_sub(COUNTERS_AT_START);
        (!self.intersects(other)).then_some(Tally { key, suits: self.suits | other.suits })
    }

    /// The cards so far.
    #[must_use]
    pub fn cards(self) -> CardSet {
        Card::ALL.into_iter().filter(|card| self.suits & suit_bit(*card) != 0).collect()
    }

    /// The ranks that the cards have in one suit, as 13 bits, deuce lowest.
    #[inline]
    #[must_use]
    pub const fn ranks_of(self, suit: Suit) -> u16 {
        (self.suits >> (16 * suit.id())) as u16
    }

    /// The strength of exactly seven cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength7(self) -> Strength {
        debug_assert_eq!(self.suits.count_ones(), 7);
        self.strength(&HASH7)
    }

    /// The strengths of many hands of exactly seven cards, in their order: faster than one by one, because no branch
    /// depends on who has a flush.
    ///
    /// ```
    /// use equipoise_cards::{CardSet, Tally};
    /// let hands: Vec<Tally> = ["AhKhQh2d2cJhTh", "AhAdAcAs2c3d4h"]
    ///     .map(|text| Tally::from(text.parse::<CardSet>().unwrap()))
    ///     .to_vec();
    /// let mut strengths = Vec::new();
    /// Tally::strengths7(&hands, &mut strengths);
    /// assert_eq!(strengths, [hands[0].strength7(), hands[1].strength7()]);
    /// ```
    pub fn strengths7(hands: &[Tally], strengths: &mut Vec<Strength>) {
        const CHUNK: usize = 64;
        strengths.clear();
        for chunk in hands.chunks(CHUNK) {
            let start = strengths.len();
            // Where the flushes are: each place is written, and stays if it is one.
            let (mut flushes, mut num_flushes) = ([0_u8; CHUNK], 0);
            strengths.extend(chunk.iter().zip(0..).map(|(hand, place)| {
                flushes[num_flushes % CHUNK] = place;
                num_flushes += usize::from(hand.key & FLUSH_BITS != 0);
                Strength::from_table(look_up(hand.key, &HASH7))
            }));
            for &place in &flushes[..num_flushes] {
                let hand = chunk[usize::from(place)];
                strengths[start + usize::from(place)] =
                    Strength::from_table(flush_strength(hand.key, hand.suits));
            }
        }
    }

    /// The strengths of these six cards with each card that comes after a given one in the order of [`Card::ALL`], in
    /// that order: the innermost loop of a walk through all hands, and the fastest way to do it.
    ///
    /// Unless four cards share a suit, the four cards of a rank are worth the same, so that each rank is looked up
    /// once. None of the six cards may come after the given one.
    ///
    /// ```
    /// use equipoise_cards::{Card, Strength, Tally};
    /// let six: Tally = Card::ALL[..6].iter().copied().collect();
    /// let mut best = None;
    /// six.for_each_seventh_after(Card::ALL[5], |strength| best = best.max(Some(strength)));
    /// assert_eq!(best.map(|best| best.to_string()).unwrap(), "four of a kind, deuces, ace kicker");
    /// ```
    #[inline]
    pub fn for_each_seventh_after(self, last: Card, mut visit: impl FnMut(Strength)) {
        // A suit with four cards would be marked by one more in each suit.
        if self.key.wrapping_add(0x1111) & FLUSH_BITS != 0 {
            std::hint::cold_path();
            for card in &Card::ALL[last.index() + 1..] {
                visit(self.with(*card).strength7());
            }
            return;
        }
        let with_rank = |rank: usize| {
            let key = self.key.wrapping_add(u64::from(rank_key(rank)) << 32);
            Strength::from_table(look_up(key, &HASH7))
        };
        let (rank, suit) = (usize::from(last.rank().id()), last.suit().id());
        let strength = with_rank(rank);
        (suit..3).for_each(|_| visit(strength));
        for rank in rank + 1..13 {
            let strength = with_rank(rank);
            (0..4).for_each(|_| visit(strength));
        }
    }

    /// The strength of exactly six cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength6(self) -> Strength {
        debug_assert_eq!(self.suits.count_ones(), 6);
        self.strength(&HASH6)
    }

    /// The strength of exactly five cards; meaningless for another number.
    #[inline]
    #[must_use]
    pub fn strength5(self) -> Strength {
        debug_assert_eq!(self.suits.count_ones(), 5);
        self.strength(&HASH5)
    }

    #[inline]
    fn strength(self, hash: &[u16; HASH_LEN]) -> Strength {
        if self.key & FLUSH_BITS != 0 {
            // Three hands in a hundred come here.
            std::hint::cold_path();
            return Strength::from_table(flush_strength(self.key, self.suits));
        }
        Strength::from_table(look_up(self.key, hash))
    }

    /// The suit that at least three of five cards share.
    #[inline]
    pub(super) fn suit_of_three(self) -> Option<Suit> {
        // Counters start at 3 and have reached 6; two more mark them.
        let marks = (self.key + 0x2222) & FLUSH_BITS;
        (marks != 0).then(|| Suit::ALL[(marks.trailing_zeros() as usize / 4) & 3])
    }

    /// The number of these five cards' rank multiset, for the board tables.
    #[inline]
    pub(crate) fn board_ranks_id(self) -> usize {
        debug_assert_eq!(self.suits.count_ones(), 5);
        usize::from(BOARD_IDS[usize::from(slot(self.key, &HASH5))])
    }
}

/// The slot of a key: its place plus the row's shift.
#[inline]
fn slot(key: u64, hash: &[u16; HASH_LEN]) -> u16 {
    hash[(key >> (64 - ROW_BITS)) as usize].wrapping_add((key >> (64 - ROW_BITS - PLACE_BITS)) as u16)
}

/// The number of the strength of a key without a flush.
#[inline]
fn look_up(key: u64, hash: &[u16; HASH_LEN]) -> u16 {
    hash[(1 << ROW_BITS) + usize::from(slot(key, hash))]
}

/// The number of the strength of a flush with these ranks, a set of 13 bits; 0 for fewer than five.
#[inline]
pub(super) fn flush_number(ranks: usize) -> u16 {
    FLUSHES[ranks] as u16
}

/// The number of the strength of the flush in the suit whose counter is marked.
#[inline]
fn flush_strength(key: u64, suits: u64) -> u16 {
    // The mark of a suit is bit 4·suit + 3, its ranks begin at bit 16·suit. (Shifted before it is masked: the caller's
    // test then needs no register.)
    let mark = (key >> 3 & 0x1111).trailing_zeros();
    flush_number((suits >> (4 * mark) & 0x1fff) as usize)
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
        cards.into_iter().collect::<Tally>().strength7()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// Chunks with and without flushes, full and not.
    #[test]
    fn many_strengths_are_those_of_each() {
        let hands: Vec<Tally> = (0..1_000_usize)
            .map(|i| {
                let step = [1, 3, 4, 5, 9, 11, 15][i % 7];
                (0..7).map(|n| Card::ALL[(i / 7 + n * step) % Card::COUNT]).collect()
            })
            .collect();
        let mut strengths = Vec::new();
        for len in [0, 1, 63, 64, 65, 1_000] {
            Tally::strengths7(&hands[..len], &mut strengths);
            let expected: Vec<Strength> = hands[..len].iter().map(|hand| hand.strength7()).collect();
            assert_eq!(strengths, expected);
        }
        assert!(
            hands.iter().filter(|hand| hand.key & FLUSH_BITS != 0).count() > 64,
            "flushes are among them"
        );
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
