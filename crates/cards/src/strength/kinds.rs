//! The combos of a board in order of strength, by the kind.

use super::Tally;
use super::board::board_row;
use super::generate::{NUM_RANK_PAIRS, rank_pair, row_place};
use super::tally::flush_number;
use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::kernel::tables::PAIR_ORDER;

/// The kinds of combos of a board from weakest to strongest, in groups of equal strength.
///
/// At most one suit can make a flush on a board. Cards of a rank that are not of it are alike; so a card is one of 26
/// *kinds*, its rank or 13 more if it is of that suit, and a combo one of 351, a pair of them. Combos of a kind are equal
/// in strength, and as many of them hold any one card as any other card of its kind. A count of who beats whom thus takes
/// 91 steps on a board without a flush instead of 1,081. Reuse one value for many boards.
///
/// ```
/// use equipoise_cards::{Board, Combo, KindOrder};
/// let board: Board = "Td9d6hQc2h".parse()?;
/// let mut order = KindOrder::default();
/// order.fill(board.cards().try_into()?);
/// let combo: Combo = "KcJs".parse()?;
/// let kind = order.kinds_of_combos()[combo.index()];
/// assert_eq!(order.groups().last().unwrap(), [kind], "the nuts");
/// let [jack, king] = KindOrder::CARDS[usize::from(kind)];
/// assert_eq!((jack, order.num_cards()[usize::from(king)]), (9, 4), "all four kings are left");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KindOrder {
    kinds: Vec<u16>,
    /// End of each group in `kinds`.
    ends: Vec<u16>,
    num_cards: [u8; KindOrder::NUM_CARD_KINDS],
    suit: Option<Suit>,
    /// Strength and kind of what makes a flush, in one number that sorts by strength.
    flushes: Vec<u32>,
}

/// How many ranks there are; what a card of the flush's suit has more than another.
const SUITED: usize = Rank::COUNT;

/// The kind of two kinds of cards, `low <= high`. Of two ranks it is the number of the pair of ranks.
const fn kind(low: usize, high: usize) -> usize {
    rank_pair(low, high)
}

/// The kinds of all combos, by the suit that makes a flush; the last for none.
static KINDS_OF_COMBOS: [[u16; Combo::COUNT]; Suit::COUNT + 1] = {
    let mut kinds = [[0; Combo::COUNT]; Suit::COUNT + 1];
    let mut suit = 0;
    while suit <= Suit::COUNT {
        let (mut index, mut low) = (0, 0);
        while low < Card::COUNT {
            let mut high = low + 1;
            while high < Card::COUNT {
                let a = low / 4 + if low % 4 == suit { SUITED } else { 0 };
                let b = high / 4 + if high % 4 == suit { SUITED } else { 0 };
                kinds[suit][index] = if a < b { kind(a, b) } else { kind(b, a) } as u16;
                index += 1;
                high += 1;
            }
            low += 1;
        }
        suit += 1;
    }
    kinds
};

impl KindOrder {
    /// How many kinds of cards there are.
    pub const NUM_CARD_KINDS: usize = 2 * Rank::COUNT;
    /// How many kinds of combos there are.
    pub const NUM_KINDS: usize = KindOrder::NUM_CARD_KINDS * (KindOrder::NUM_CARD_KINDS + 1) / 2;
    /// The kinds of the two cards of each kind of combos, the lower first.
    pub const CARDS: [[u8; 2]; KindOrder::NUM_KINDS] = {
        let mut cards = [[0; 2]; KindOrder::NUM_KINDS];
        let mut high = 0;
        while high < KindOrder::NUM_CARD_KINDS {
            let mut low = 0;
            while low <= high {
                cards[kind(low, high)] = [low as u8, high as u8];
                low += 1;
            }
            high += 1;
        }
        cards
    };

    /// Replaces the order by that of a board of five different cards.
    pub fn fill(&mut self, board: [Card; 5]) {
        let tally: Tally = board.into_iter().collect();
        self.suit = tally.suit_of_three();
        self.kinds.clear();
        self.ends.clear();
        self.count_cards(!board.into_iter().collect::<CardSet>());
        let id = tally.board_ranks_id();
        let order = &PAIR_ORDER[id * NUM_RANK_PAIRS..][..NUM_RANK_PAIRS];
        let row = board_row(id);
        let strength_of = |pair: u8| {
            let [low, high] = KindOrder::CARDS[usize::from(pair)];
            row[row_place(usize::from(low), usize::from(high))]
        };
        match self.suit {
            None => self.fill_ranks(order, strength_of),
            Some(suit) => self.fill_suited(order, strength_of, tally.ranks_of(suit)),
        }
    }

    fn count_cards(&mut self, live: CardSet) {
        let suited = self.suit.map_or(0, |suit| live.ranks_of(suit));
        for rank in 0..Rank::COUNT {
            let of_suit = (suited >> rank & 1) as u8;
            let all = (live.bits() >> (4 * rank) & 15).count_ones() as u8;
            self.num_cards[rank] = all - of_suit;
            self.num_cards[SUITED + rank] = of_suit;
        }
    }

    /// Nobody makes a flush: the order of the pairs of ranks is all there is.
    fn fill_ranks(&mut self, order: &[u8], strength_of: impl Fn(u8) -> u16) {
        let mut last = None;
        for &pair in order {
            let strength = strength_of(pair);
            if last.is_some_and(|last| last != strength) {
                self.ends.push(self.kinds.len() as u16);
            }
            last = Some(strength);
            self.kinds.push(u16::from(pair));
        }
        self.ends.push(self.kinds.len() as u16);
    }

    /// What makes a flush is merged into the order of the rest.
    fn fill_suited(&mut self, order: &[u8], strength_of: impl Fn(u8) -> u16, on_board: u16) {
        let num_suited = on_board.count_ones();
        self.take_flushes(on_board);
        let flushes = std::mem::take(&mut self.flushes);
        let mut next_flush = flushes.iter().map(|flush| ((flush >> 16) as u16, *flush as u16)).peekable();
        let mut last = None;
        // A board that is a flush itself leaves nothing but flushes.
        for &pair in order.iter().filter(|_| num_suited < 5) {
            let strength = strength_of(pair);
            while let Some((flush, kind)) = next_flush.next_if(|&(flush, _)| flush < strength) {
                self.push(kind, flush, &mut last);
            }
            self.push(u16::from(pair), strength, &mut last);
            if num_suited == 3 {
                let [low, high] = KindOrder::CARDS[usize::from(pair)].map(usize::from);
                self.push(kind(low, SUITED + high) as u16, strength, &mut last);
                if low != high {
                    self.push(kind(high, SUITED + low) as u16, strength, &mut last);
                }
            }
        }
        for (flush, kind) in next_flush {
            self.push(kind, flush, &mut last);
        }
        self.ends.push(self.kinds.len() as u16);
        self.flushes = flushes;
    }

    #[inline]
    fn push(&mut self, kind: u16, strength: u16, last: &mut Option<u16>) {
        if last.is_some_and(|last| last != strength) {
            self.ends.push(self.kinds.len() as u16);
        }
        *last = Some(strength);
        self.kinds.push(kind);
    }

    /// Finds the kinds that make a flush with these ranks on the board, and sorts them.
    fn take_flushes(&mut self, on_board: u16) {
        self.flushes.clear();
        let num_suited = on_board.count_ones();
        let left = |rank: &usize| on_board >> rank & 1 == 0;
        for high in (0..Rank::COUNT).filter(left) {
            for low in (0..high).filter(left) {
                let strength = flush_number(usize::from(on_board | 1 << low | 1 << high));
                self.push_flush(strength, kind(SUITED + low, SUITED + high));
            }
            if num_suited >= 4 {
                let strength = flush_number(usize::from(on_board | 1 << high));
                (0..Rank::COUNT).for_each(|other| self.push_flush(strength, kind(other, SUITED + high)));
            }
        }
        if num_suited == 5 {
            let strength = flush_number(usize::from(on_board));
            (0..NUM_RANK_PAIRS).for_each(|pair| self.push_flush(strength, pair));
        }
        self.flushes.sort_unstable();
    }

    fn push_flush(&mut self, strength: u16, kind: usize) {
        self.flushes.push(u32::from(strength) << 16 | kind as u32);
    }

    /// The groups of equal strength from weakest to strongest: their kinds, among them some that no combo is left of.
    pub fn groups(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let group = &self.kinds[start..usize::from(end)];
            start = usize::from(end);
            group
        })
    }

    /// How many cards of each kind the board leaves.
    #[must_use]
    pub const fn num_cards(&self) -> &[u8; KindOrder::NUM_CARD_KINDS] {
        &self.num_cards
    }

    /// The kind of each combo on this board, by combo index.
    #[must_use]
    pub fn kinds_of_combos(&self) -> &'static [u16; Combo::COUNT] {
        &KINDS_OF_COMBOS[self.suit.map_or(Suit::COUNT, Suit::index)]
    }
}

impl Default for KindOrder {
    /// Room for an order, empty.
    fn default() -> KindOrder {
        KindOrder {
            kinds: Vec::new(),
            ends: Vec::new(),
            num_cards: [0; KindOrder::NUM_CARD_KINDS],
            suit: None,
            flushes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::Strength;
    use proptest::prelude::*;

    /// Every live combo is of a kind in the order, combos of a group are equal, and groups ascend.
    fn check(board: [Card; 5], order: &mut KindOrder) {
        order.fill(board);
        let cards: CardSet = board.into_iter().collect();
        let mut group_of = [usize::MAX; KindOrder::NUM_KINDS];
        for (number, group) in order.groups().enumerate() {
            for &kind in group {
                assert_eq!(group_of[usize::from(kind)], usize::MAX, "kind {kind} comes twice on {cards}");
                group_of[usize::from(kind)] = number;
            }
        }
        let mut strengths = std::collections::BTreeMap::new();
        let mut num_combos = [0; KindOrder::NUM_KINDS];
        for combo in Combo::all().filter(|combo| !combo.cards().intersects(cards)) {
            let strength = Strength::of(combo.cards() | cards).unwrap();
            let kind = usize::from(order.kinds_of_combos()[combo.index()]);
            num_combos[kind] += 1;
            assert_ne!(group_of[kind], usize::MAX, "{combo} on {cards}");
            assert_eq!(*strengths.entry(group_of[kind]).or_insert(strength), strength, "{combo} on {cards}");
        }
        let sorted: Vec<Strength> = strengths.into_values().collect();
        assert!(sorted.is_sorted_by(|a, b| a < b), "on {cards}");
        for (kind, [low, high]) in KindOrder::CARDS.into_iter().enumerate() {
            let [a, b] = [low, high].map(|card| usize::from(order.num_cards()[usize::from(card)]));
            let expected = if low == high { a * a.saturating_sub(1) / 2 } else { a * b };
            assert_eq!(num_combos[kind], expected, "kind {kind} on {cards}");
        }
    }

    #[test]
    fn named_boards() {
        let mut order = KindOrder::default();
        for text in
            ["AhKhQhJhTh", "2c2d2h2s3c", "AhAdKcKsQd", "2h3h4h5hKc", "7h8h9hAcAd", "9s8s7s6s2d", "2h4h6h8hTh"]
        {
            check(crate::parse_cards(text).unwrap().try_into().unwrap(), &mut order);
        }
    }

    proptest! {
        #[test]
        fn any_board(board in proptest::sample::subsequence(Card::ALL.to_vec(), 5).prop_shuffle()) {
            check(board.try_into().unwrap(), &mut KindOrder::default());
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
            if let Ok(board) = board.try_into() {
                check(board, &mut KindOrder::default());
            }
        }
    }
}
