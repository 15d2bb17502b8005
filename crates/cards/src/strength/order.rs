//! The combos of a board in order of strength.

use super::board::{board_row, index_of};
use super::generate::{NUM_RANK_PAIRS, rank_pair, row_place};
use super::tally::flush_number;
use super::{BoardStrengths, Tally};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::kernel::tables::PAIR_ORDER;

/// A set of combos, kept as the set of higher partners of each card.
///
/// ```
/// use equipoise_cards::{Combo, ComboSet};
/// let combo: Combo = "AhKd".parse()?;
/// let set: ComboSet = [combo].into_iter().collect();
/// assert!(set.contains(combo));
/// assert_eq!((set.len(), ComboSet::full().len()), (1, 1326));
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComboSet {
    partners: [u64; Card::COUNT],
}

impl ComboSet {
    /// No combo.
    #[must_use]
    pub const fn empty() -> ComboSet {
        ComboSet { partners: [0; Card::COUNT] }
    }

    /// All 1,326 combos.
    #[must_use]
    pub fn full() -> ComboSet {
        Combo::all().collect()
    }

    /// Adds a combo.
    pub const fn insert(&mut self, combo: Combo) {
        self.partners[combo.low().index()] |= 1 << combo.high().id();
    }

    /// Whether the combo is in the set.
    #[must_use]
    pub const fn contains(&self, combo: Combo) -> bool {
        self.partners[combo.low().index()] >> combo.high().id() & 1 != 0
    }

    /// How many combos are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.partners.iter().map(|partners| partners.count_ones() as usize).sum()
    }

    /// Whether the set has no combo.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.partners == [0; Card::COUNT]
    }
}

impl FromIterator<Combo> for ComboSet {
    fn from_iter<I: IntoIterator<Item = Combo>>(combos: I) -> ComboSet {
        let mut set = ComboSet::empty();
        combos.into_iter().for_each(|combo| set.insert(combo));
        set
    }
}

/// The most combos that a board of five cards leaves.
const MAX_LIVE: usize = 1081;
/// Runs of four combos are written whole: room behind the last.
const PADDED_LIVE: usize = MAX_LIVE + 4;

/// The live combos of a board from weakest to strongest, in groups of equal strength.
///
/// No sorting is needed for most of them: for each multiset of board ranks the order of the 91 private rank pairs is
/// a table, and each pair stands for up to sixteen combos of equal strength. Combos that make a flush are left out of
/// their pair and merged in. Reuse one value for many boards.
///
/// ```
/// use equipoise_cards::{Board, ComboSet, StrengthOrder};
/// let board: Board = "Td9d6hQc2h".parse()?;
/// let mut order = StrengthOrder::default();
/// order.fill(board.cards().try_into()?, &ComboSet::full());
/// assert_eq!(order.combos().len(), 1081);
/// let (nuts, strength) = order.groups().last().unwrap();
/// assert_eq!((nuts.len(), strength.to_string().as_str()), (16, "straight, king high"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StrengthOrder {
    combos: [u16; PADDED_LIVE],
    len: usize,
    /// End of each group in `combos` and its strength.
    groups: Vec<(u16, u16)>,
    /// Strength and index of each combo that makes a flush, in one number that sorts by strength.
    flushes: Vec<u32>,
}

impl Default for StrengthOrder {
    /// Room for an order, empty.
    fn default() -> StrengthOrder {
        StrengthOrder { combos: [0; PADDED_LIVE], len: 0, groups: Vec::new(), flushes: Vec::new() }
    }
}

impl std::fmt::Debug for StrengthOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StrengthOrder").field("len", &self.len).finish_non_exhaustive()
    }
}

/// For each set of four suits, their numbers packed to the front.
static SUITS_OF: [[u16; 4]; 16] = {
    let mut suits = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut suit, mut len) = (0, 0);
        while suit < 4 {
            if set >> suit & 1 != 0 {
                suits[set][len] = suit as u16;
                len += 1;
            }
            suit += 1;
        }
        set += 1;
    }
    suits
};

/// How many suits each set has. (Counting bits takes long without an instruction for it.)
static NUM_SUITS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// What to add to a high card to get the index of its combo with each low card; wraps around for the deuce of clubs.
static STARTS: [u16; Card::COUNT] = {
    let mut starts = [0; Card::COUNT];
    let mut low = 0;
    while low < Card::COUNT {
        starts[low] = index_of(low, 0) as u16;
        low += 1;
    }
    starts
};

/// Low and high rank of each of the 91 pairs.
static PAIR_RANKS: [(u8, u8); NUM_RANK_PAIRS] = {
    let mut ranks = [(0, 0); NUM_RANK_PAIRS];
    let mut high = 0;
    while high < 13 {
        let mut low = 0;
        while low <= high {
            ranks[rank_pair(low, high)] = (low as u8, high as u8);
            low += 1;
        }
        high += 1;
    }
    ranks
};

impl StrengthOrder {
    /// Replaces the order by that of the combos of `set` on a board of five different cards.
    ///
    /// Combos that hold a card of the board are left out.
    pub fn fill(&mut self, board: [Card; 5], set: &ComboSet) {
        self.len = 0;
        self.groups.clear();
        self.flushes.clear();
        let tally: Tally = board.into_iter().collect();
        let live = !board.into_iter().collect::<CardSet>();
        let suit = tally.suit_of_three();
        let on_board = suit.map_or(0, |suit| tally.ranks_of(suit));
        if on_board.count_ones() == 5 {
            return self.fill_flush_board(board, set);
        }
        // What the pairs below may use: the first card's partners, without combos that make a flush.
        let mut partners = [0; Card::COUNT];
        for card in live {
            partners[card.index()] = set.partners[card.index()] & live.bits();
        }
        if let Some(suit) = suit {
            self.take_flushes(suit, on_board, &mut partners);
        }
        let id = tally.board_ranks_id();
        let row = board_row(id);
        let mut flushes = std::mem::take(&mut self.flushes);
        let mut next_flush = flushes.iter().map(|flush| ((flush >> 16) as u16, *flush as u16)).peekable();
        for &pair in &PAIR_ORDER[id * NUM_RANK_PAIRS..][..NUM_RANK_PAIRS] {
            let (low, high) = PAIR_RANKS[usize::from(pair)];
            let strength = row[row_place(usize::from(low), usize::from(high))];
            while let Some((flush, index)) = next_flush.next_if(|&(flush, _)| flush < strength) {
                self.push(index, flush);
            }
            self.push_pair(usize::from(low), usize::from(high), strength, &partners);
        }
        for (flush, index) in next_flush {
            self.push(index, flush);
        }
        flushes.clear();
        self.flushes = flushes;
    }

    /// The combo indices from weakest to strongest.
    #[must_use]
    pub fn combos(&self) -> &[u16] {
        &self.combos[..self.len]
    }

    /// The groups of equal strength from weakest to strongest: their combo indices and their strength.
    pub fn groups(&self) -> impl Iterator<Item = (&[u16], super::Strength)> {
        let mut start = 0;
        self.groups.iter().map(move |&(end, strength)| {
            let group = &self.combos[start..usize::from(end)];
            start = usize::from(end);
            (group, super::Strength::from_table(strength))
        })
    }

    /// Appends a pair's combos: for each low card, up to four high cards at consecutive indices.
    #[inline]
    fn push_pair(&mut self, low: usize, high: usize, strength: u16, partners: &[u64; Card::COUNT]) {
        let before = self.len;
        for (partners, start) in partners[4 * low..4 * low + 4].iter().zip(&STARTS[4 * low..4 * low + 4]) {
            let suits = (partners >> (4 * high) & 15) as usize;
            let base = start.wrapping_add(4 * high as u16);
            let indices = SUITS_OF[suits].map(|suit| base.wrapping_add(suit));
            self.combos[self.len..self.len + 4].copy_from_slice(&indices);
            self.len += usize::from(NUM_SUITS[suits]);
        }
        if self.len > before {
            self.close_group(strength);
        }
    }

    fn push(&mut self, index: u16, strength: u16) {
        self.combos[self.len] = index;
        self.len += 1;
        self.close_group(strength);
    }

    /// Ends a group here, or moves the end of the last one if it has the same strength.
    #[inline]
    fn close_group(&mut self, strength: u16) {
        let end = self.len as u16;
        match self.groups.last_mut() {
            Some(last) if last.1 == strength => last.0 = end,
            _ => self.groups.push((end, strength)),
        }
    }

    /// Moves the combos that make a flush from `partners` to `self.flushes`, sorted.
    fn take_flushes(&mut self, suit: Suit, on_board: u16, partners: &mut [u64; Card::COUNT]) {
        let of_suit: u64 = CardSet::of_suit(suit).bits();
        let one_is_enough = on_board.count_ones() == 4;
        for (card, partners) in partners.iter_mut().enumerate() {
            let makes = if card & 3 == suit.index() && one_is_enough {
                *partners
            } else if card & 3 == suit.index() || one_is_enough {
                *partners & of_suit
            } else {
                0
            };
            *partners &= !makes;
            let mut left = makes;
            while left != 0 {
                let other = left.trailing_zeros() as usize;
                left &= left - 1;
                let bit = |card: usize| if card & 3 == suit.index() { 1 << (card >> 2) } else { 0 };
                let strength = flush_number(usize::from(on_board | bit(card) | bit(other)));
                self.flushes.push(u32::from(strength) << 16 | index_of(card, other) as u32);
            }
        }
        self.flushes.sort_unstable();
    }

    /// Five cards of one suit lie on the board: everybody has a flush.
    fn fill_flush_board(&mut self, board: [Card; 5], set: &ComboSet) {
        let mut strengths = BoardStrengths::default();
        strengths.fill(board);
        let live = (!strengths.board()).bits();
        for (low, partners) in set.partners.iter().enumerate().filter(|(low, _)| live >> low & 1 != 0) {
            let mut left = partners & live;
            while left != 0 {
                let index = index_of(low, left.trailing_zeros() as usize);
                left &= left - 1;
                self.flushes.push(u32::from(strengths.numbers()[index]) << 16 | index as u32);
            }
        }
        let mut flushes = std::mem::take(&mut self.flushes);
        flushes.sort_unstable();
        flushes.iter().for_each(|flush| self.push(*flush as u16, (flush >> 16) as u16));
        self.flushes = flushes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::Strength;
    use proptest::prelude::*;

    fn check(board: &[Card], set: &ComboSet) {
        let board: [Card; 5] = board.try_into().unwrap();
        let cards: CardSet = board.into_iter().collect();
        let (mut strengths, mut order) = (BoardStrengths::default(), StrengthOrder::default());
        // Used before, so that leftovers would show.
        order.fill([0, 4, 8, 12, 16].map(|id| Card::ALL[id]), &ComboSet::full());
        strengths.fill(board);
        order.fill(board, set);
        let mut expected: Vec<(Strength, usize)> = Combo::all()
            .filter(|combo| set.contains(*combo) && !combo.cards().intersects(cards))
            .map(|combo| (Strength::of(combo.cards() | cards).unwrap(), combo.index()))
            .collect();
        for combo in Combo::all() {
            let single =
                (!combo.cards().intersects(cards)).then(|| Strength::of(combo.cards() | cards).unwrap());
            assert_eq!(strengths.get(combo), single, "{combo} on {cards}");
        }
        expected.sort_unstable();
        let mut found = Vec::new();
        let mut last = None;
        for (group, strength) in order.groups() {
            assert!(last < Some(strength), "groups ascend and differ");
            last = Some(strength);
            found.extend(group.iter().map(|&index| (strength, usize::from(index))));
        }
        assert_eq!(found.len(), order.combos().len());
        found.sort_unstable();
        assert_eq!(found, expected, "on {cards}");
    }

    #[test]
    fn named_boards() {
        for text in ["AhKhQhJhTh", "2c2d2h2s3c", "AhAdKcKsQd", "2h3h4h5hKc", "7h8h9hAcAd", "9s8s7s6s2d"] {
            check(&crate::parse_cards(text).unwrap(), &ComboSet::full());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn any_board_and_set(
            board in proptest::sample::subsequence(Card::ALL.to_vec(), 5).prop_shuffle(),
            combos in proptest::collection::vec(0usize..1326, 0..1500),
        ) {
            let some = combos.into_iter().filter_map(Combo::from_index).collect();
            check(&board, &some);
            check(&board, &ComboSet::full());
        }

        /// Boards with many cards of one suit are rare among random ones.
        #[test]
        fn suited_boards(
            suit in 0usize..4,
            suited in proptest::sample::subsequence((0..13usize).collect::<Vec<_>>(), 3..=5),
            others in proptest::sample::subsequence(Card::ALL.to_vec(), 12),
        ) {
            let mut board: Vec<Card> = suited.into_iter().map(|rank| Card::ALL[4 * rank + suit]).collect();
            board.extend(others.into_iter().filter(|card| card.suit().index() != suit));
            board.truncate(5);
            if board.len() == 5 {
                check(&board, &ComboSet::full());
            }
        }
    }
}
