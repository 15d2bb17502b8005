//! Random numbers that are the same for the same hand and decision, whoever asks in whatever order.

use equipoise_cards::{Board, Card, CardSet, Combo};
use equipoise_game::PerPlayer;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a number is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The cards of a pair of hands.
    Deal = 1,
    /// An action of a player.
    Act = 2,
    /// What a bet is taken for.
    Translate = 3,
}

/// Random numbers for one purpose.
#[derive(Clone, Debug)]
pub(crate) struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// The numbers of a hand: `number` tells apart what is drawn for the same purpose in it.
    pub(crate) fn new(seed: u64, hand: u64, purpose: Purpose, number: u64) -> Draw {
        let mut mixed = seed;
        for part in [hand, purpose as u64, number] {
            mixed = mix(mixed ^ mix(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        }
        Draw(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// A number from 0 to 1, 1 not included.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below a count.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        // The bias is a part in 2^40 or less for the counts that are asked for.
        ((u128::from(self.0.next_u64()) * u128::from(count)) >> 64) as u64
    }

    /// One of the numbers of a list, each as likely as its weight; the last with a weight if they add up to less than one.
    pub(crate) fn choose(&mut self, weights: impl Iterator<Item = f64>) -> usize {
        let mut left = self.unit();
        let mut last = 0;
        for (id, weight) in weights.enumerate() {
            if weight <= 0.0 {
                continue;
            }
            last = id;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

/// Spreads the bits of a number over all 64.
const fn mix(number: u64) -> u64 {
    let mut number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The cards of a hand: two for each player and five for the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Deal {
    /// The private cards.
    pub combos: PerPlayer<Combo>,
    /// The board as it will be on the river.
    pub board: Board,
}

impl Deal {
    /// The cards of the hand with this number.
    #[must_use]
    pub fn drawn(seed: u64, number: u64) -> Deal {
        let mut draw = Draw::new(seed, number, Purpose::Deal, 0);
        let mut deck: Vec<Card> = CardSet::FULL.iter().collect();
        for place in 0..9 {
            let other = place + draw.below((deck.len() - place) as u64) as usize;
            deck.swap(place, other);
        }
        let combo = |at: usize| Combo::new(deck[at], deck[at + 1]).expect("cards differ");
        let board = Board::new(&deck[4..9]).expect("cards differ");
        Deal { combos: PerPlayer::new(combo(0), combo(2)), board }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn cards_are_dealt_evenly() {
        let mut counts: HashMap<Card, u32> = HashMap::new();
        for number in 0..10_000 {
            let deal = Deal::drawn(7, number);
            let cards: Vec<Card> = deal
                .combos
                .iter()
                .flat_map(|combo| combo.cards())
                .chain(deal.board.cards().iter().copied())
                .collect();
            assert_eq!(cards.iter().collect::<std::collections::HashSet<_>>().len(), 9);
            cards.into_iter().for_each(|card| *counts.entry(card).or_default() += 1);
        }
        // 1,731 each, with a standard deviation of 38.
        assert!(counts.values().all(|&count| (1_570..1_900).contains(&count)), "{counts:?}");
        assert_eq!(Deal::drawn(7, 1), Deal::drawn(7, 1));
        assert_ne!(Deal::drawn(7, 1), Deal::drawn(8, 1));
    }

    #[test]
    fn choices_follow_their_weights() {
        let weights = [0.25, 0.0, 0.75];
        let mut counts = [0_u32; 3];
        for hand in 0..4_000 {
            counts[Draw::new(1, hand, Purpose::Act, 3).choose(weights.into_iter())] += 1;
        }
        assert!(counts[1] == 0 && (900..1_100).contains(&counts[0]), "{counts:?}");
        assert_eq!(Draw::new(1, 1, Purpose::Act, 3).choose([0.0, 0.3, 0.0].into_iter()), 1);
    }
}
