//! How many opponents each combo beats both now and on the river, all combos in one sweep.
//!
//! A flop or turn board puts its combos in an order of strength *now*, and each river board in another one. For a combo c
//! and a river board we want the number of opponents that are weaker now and weaker then, weaker now and no stronger then,
//! and so on: four numbers, from which the nine cells follow. The sweep goes through the river's groups, weakest first,
//! and keeps the combos it has passed as bits in the order of now:
//!
//! ```text
//! weaker now and passed = passed bits below c's group of now
//!                         − those that hold c's first card − those that hold its second card
//! ```
//!
//! The first term is a prefix count: a count for each word of 64 bits, and one count of bits inside a word. For the
//! other two each card has a word of its own, with a bit for each combo that holds it, again in the order of now: at
//! most 48 of them. So a number takes three counts of bits, whatever the board.

use equipoise_cards::{Card, Combo, IsaKernel, StrengthOrder};

use super::sweep::CARDS_OF;

/// Words for the most combos that a flop leaves, 1,176, and one behind them.
const NUM_WORDS: usize = 1176_usize.div_ceil(64) + 1;
/// The same, filled up to whole vectors.
const PADDED_WORDS: usize = 32;

/// Where a combo stands in the order of now.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Its bit.
    bit: u16,
    /// The first bit of its group of equal strength, and the first behind the group.
    group: [u16; 2],
    cards: [u8; 2],
    /// Its bit in the words of its two cards.
    card_bits: [u8; 2],
    /// In the words of its two cards, the bits of weaker combos.
    weaker: [u64; 2],
    /// In the words of its two cards, the bits of combos that are no stronger.
    no_stronger: [u64; 2],
}

/// The order of strength of a board's combos now.
#[derive(Clone, Debug)]
pub(crate) struct NowOrder {
    /// By combo index; meaningless where the combo holds a card of the board.
    places: Box<[Place; Combo::COUNT]>,
    /// `2 · wins + ties` now against every opponent, by combo index.
    halves: Box<[u16; Combo::COUNT]>,
    wins: Box<[u16; Combo::COUNT]>,
}

impl Default for NowOrder {
    fn default() -> NowOrder {
        NowOrder {
            places: Box::new([Place::default(); Combo::COUNT]),
            halves: Box::new([0; Combo::COUNT]),
            wins: Box::new([0; Combo::COUNT]),
        }
    }
}

impl NowOrder {
    /// Replaces the order by that of these combos, given with their strengths and sorted by them.
    pub(crate) fn fill(&mut self, sorted: &[(u16, u16)]) {
        let mut of_card = [0_u8; Card::COUNT];
        let mut start = 0;
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let (before, end) = (of_card, start + group.len());
            for (i, &(_, index)) in group.iter().enumerate() {
                let cards = CARDS_OF[usize::from(index)];
                let card_bits = cards.map(|card| of_card[usize::from(card)]);
                cards.iter().for_each(|&card| of_card[usize::from(card)] += 1);
                let place = &mut self.places[usize::from(index)];
                *place = Place { bit: (start + i) as u16, cards, card_bits, ..Place::default() };
                place.group = [start as u16, end as u16];
                place.weaker = cards.map(|card| below(before[usize::from(card)]));
            }
            for &(_, index) in group {
                let place = &mut self.places[usize::from(index)];
                place.no_stronger = place.cards.map(|card| below(of_card[usize::from(card)]));
                let shared = |of_card: &[u8; Card::COUNT]| -> u16 {
                    place.cards.iter().map(|&card| u16::from(of_card[usize::from(card)])).sum()
                };
                let wins = start as u16 - shared(&before);
                self.wins[usize::from(index)] = wins;
                self.halves[usize::from(index)] = wins + end as u16 + 1 - shared(&of_card);
            }
            start = end;
        }
    }

    /// How many opponents the combo beats now, and `2 · wins + ties`.
    pub(crate) fn wins_and_halves(&self, index: usize) -> (u16, u16) {
        (self.wins[index], self.halves[index])
    }
}

/// The lowest `n` bits, n below 64.
#[inline(always)]
fn below(n: u8) -> u64 {
    (1 << n) - 1
}

/// What a combo has gathered over river boards: opponents that are …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellSums {
    /// … weaker now and weaker then.
    pub(crate) weaker_weaker: u32,
    /// … no stronger now and weaker then.
    pub(crate) upto_weaker: u32,
    /// … weaker now and no stronger then.
    pub(crate) weaker_upto: u32,
    /// … no stronger now and no stronger then.
    pub(crate) upto_upto: u32,
}

/// The combos passed so far.
struct Passed {
    words: [u64; PADDED_WORDS],
    /// Bits in the words before.
    before: [u16; PADDED_WORDS],
    of_card: [u64; 64],
}

impl Passed {
    #[inline(always)]
    fn insert(&mut self, place: &Place) {
        let word = usize::from(place.bit) / 64 % PADDED_WORDS;
        self.words[word] |= 1 << (place.bit % 64);
        for (w, before) in self.before.iter_mut().enumerate() {
            *before += u16::from(w > word);
        }
        for (&card, &bit) in place.cards.iter().zip(&place.card_bits) {
            self.of_card[usize::from(card & 63)] |= 1 << (bit & 63);
        }
    }

    /// How many bits there are before this one.
    #[inline(always)]
    fn prefix(&self, bit: u16) -> u32 {
        let word = usize::from(bit) / 64 % PADDED_WORDS;
        u32::from(self.before[word]) + (self.words[word] & below((bit % 64) as u8)).count_ones()
    }

    /// How many bits there are before this one, but for those of combos that hold one of the cards.
    #[inline(always)]
    fn count(&self, bit: u16, cards: [u8; 2], of_card: [u64; 2]) -> u32 {
        let [a, b] = cards.map(|card| self.of_card[usize::from(card & 63)]);
        self.prefix(bit).wrapping_sub((a & of_card[0]).count_ones() + (b & of_card[1]).count_ones())
    }
}

/// Adds what one river board says to each of its combos.
pub(crate) struct CellSweep<'a> {
    pub(crate) now: &'a NowOrder,
    pub(crate) order: &'a StrengthOrder,
    pub(crate) sums: &'a mut [CellSums; Combo::COUNT],
}

impl IsaKernel for CellSweep<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        const { assert!(NUM_WORDS <= PADDED_WORDS) };
        let mut passed = Passed { words: [0; PADDED_WORDS], before: [0; PADDED_WORDS], of_card: [0; 64] };
        for (group, _) in self.order.groups() {
            for &index in group {
                let place = &self.now.places[usize::from(index)];
                let sums = &mut self.sums[usize::from(index)];
                sums.weaker_weaker += passed.count(place.group[0], place.cards, place.weaker);
                sums.upto_weaker += passed.count(place.group[1], place.cards, place.no_stronger);
            }
            group.iter().for_each(|&index| passed.insert(&self.now.places[usize::from(index)]));
            for &index in group {
                let place = &self.now.places[usize::from(index)];
                let sums = &mut self.sums[usize::from(index)];
                sums.weaker_upto += passed.count(place.group[0], place.cards, place.weaker);
                // The combo itself was passed once and taken away for both its cards; one comes back.
                let upto = passed.count(place.group[1], place.cards, place.no_stronger);
                sums.upto_upto += upto.wrapping_add(1);
            }
        }
    }
}
