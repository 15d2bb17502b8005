//! Monte Carlo.
//!
//! # Drawing a deal
//! A deal's probability is proportional to the product of the ranges' weights over deals without a shared card.
//!
//! 1. Players with ranges (more than one combo, not just "any card") are drawn together: if their joint choices are
//!    few, from a table of all of them; otherwise each from its own range, and all again when two share a card.
//!    Redrawing only the colliding player would favour some deals.
//! 2. Players of whom one card or none is known, and the board, are dealt from the cards that are left. Every choice
//!    in step 1 leaves equally many such deals, so the order does no harm.
//!
//! # The same answer at any number of threads
//! Samples come in blocks, each with a generator of its own, seeded by the seed and the block's number; blocks come in
//! rounds whose sizes depend on nothing but the round. Whether to stop is asked between rounds.

use equipoise_cards::{Board, Card, CardSet, Combo, Strength, Tally};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::matchup::{Matchup, Seat};
use crate::options::{EquityError, Observer};
use crate::totals::Totals;
use crate::tuples::for_each_choice;

/// Samples of a block.
const BLOCK: u64 = 1 << 14;
/// Blocks of the largest round.
const MAX_ROUND: u64 = 256;
/// The most joint choices of combos that are listed.
const MAX_LISTED: f64 = 100_000.0;
/// Tries to deal the ranges without a shared card before giving up.
const MAX_TRIES: u32 = 10_000_000;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    Samples(u64),
    StdError { std_error: f64, at_least: u64 },
}

/// What sampling found.
pub(crate) struct Sampled {
    pub(crate) totals: Totals,
    pub(crate) samples: u64,
    pub(crate) interrupted: bool,
}

pub(crate) fn sample(
    matchup: &Matchup,
    goal: Goal,
    seed: u64,
    empty: &Totals,
    observer: &dyn Observer,
) -> Result<Sampled, EquityError> {
    let dealer = Dealer::new(matchup);
    let mut found = Sampled { totals: empty.clone(), samples: 0, interrupted: false };
    let (mut next_block, mut round) = (0, 1);
    loop {
        let left = match goal {
            Goal::Samples(samples) => samples - found.samples,
            Goal::StdError { .. } => round * BLOCK,
        };
        let num_blocks = left.div_ceil(BLOCK).min(round);
        let blocks: Vec<Option<Totals>> = (0..num_blocks)
            .into_par_iter()
            .map(|block| {
                if observer.is_cancelled() {
                    return Ok(None);
                }
                let samples = BLOCK.min(left - block * BLOCK);
                dealer.block(seed, next_block + block, samples, empty).map(Some)
            })
            .collect::<Result<_, EquityError>>()?;
        for (block, totals) in (0..).zip(&blocks) {
            let Some(totals) = totals else {
                found.interrupted = true;
                continue;
            };
            found.totals.merge(totals);
            found.samples += BLOCK.min(left - block * BLOCK);
        }
        next_block += num_blocks;
        round = (round * 2).min(MAX_ROUND);
        if found.interrupted && found.samples == 0 {
            return Err(EquityError::Cancelled);
        }
        let done = part_done(goal, &found);
        observer.progress(done.min(1.0));
        if done >= 1.0 || found.interrupted {
            return Ok(found);
        }
    }
}

/// How near the goal is; 1 and above when it is reached.
fn part_done(goal: Goal, found: &Sampled) -> f64 {
    match goal {
        Goal::Samples(samples) => found.samples as f64 / samples as f64,
        Goal::StdError { std_error, at_least } => {
            let ratio = std_error / found.totals.std_error(found.samples as f64);
            (ratio * ratio).min(found.samples as f64 / at_least as f64)
        }
    }
}

/// Draws deals.
struct Dealer {
    num_players: usize,
    ranged: Ranged,
    /// Players with one card or none known, and how many cards each is dealt.
    dealt: Vec<(usize, CardSet)>,
    board: Tally,
    num_to_come: usize,
    /// Cards that may be dealt to a player or the board, some of which a range may take.
    deck: Vec<Card>,
    /// Cards that are out of the deck already.
    fixed: CardSet,
}

/// How players with ranges are drawn.
enum Ranged {
    /// From a list of all joint choices.
    Joint { players: Vec<usize>, choices: Vec<(Vec<Combo>, CardSet)>, alias: Alias },
    /// Each from its own range, until no card is shared.
    Apart { players: Vec<(usize, Vec<Combo>, Alias)> },
}

impl Dealer {
    fn new(matchup: &Matchup) -> Dealer {
        let (mut ranged, mut dealt, mut known) = (Vec::new(), Vec::new(), CardSet::EMPTY);
        for (player, seat) in matchup.seats().iter().enumerate() {
            known |= seat.known();
            match seat {
                Seat::Card(_) | Seat::Unknown => dealt.push((player, seat.known())),
                Seat::Combo(_) | Seat::Range(_) => ranged.push(player),
            }
        }
        let ranged = Ranged::new(matchup, ranged);
        let sure = match &ranged {
            Ranged::Joint { choices, .. } if choices.len() == 1 => choices[0].1,
            _ => CardSet::EMPTY,
        };
        let fixed = matchup.gone() | known | sure;
        Dealer {
            num_players: matchup.seats().len(),
            ranged,
            dealt,
            board: board_tally(matchup.board()),
            num_to_come: matchup.num_to_come(),
            deck: (!fixed).iter().collect(),
            fixed,
        }
    }

    fn block(&self, seed: u64, block: u64, samples: u64, empty: &Totals) -> Result<Totals, EquityError> {
        let mut rng = Random::new(seed, block);
        let mut totals = empty.clone();
        let mut counts = vec![0u64; self.num_players];
        let mut combos = vec![CardSet::EMPTY; self.num_players];
        let mut deck = Deck { cards: [Card::ALL[0]; 52], len: self.deck.len() };
        deck.cards[..deck.len].copy_from_slice(&self.deck);
        let mut indices = vec![0; self.num_players];
        for _ in 0..samples {
            let used = self.ranged.draw(&mut rng, &mut combos)?;
            let mut drawn = DrawnDeck { deck: &mut deck, used, next: 0 };
            for &(player, known) in &self.dealt {
                combos[player] = (known.len()..2).fold(known, |cards, _| cards.with(drawn.draw(&mut rng)));
            }
            let board = (0..self.num_to_come).fold(self.board, |board, _| board.with(drawn.draw(&mut rng)));
            let winners = winners(board, &combos);
            if winners.is_power_of_two() {
                counts[winners.trailing_zeros() as usize] += 1;
            } else {
                totals.add(winners, 1.0);
            }
            if totals.has_details() {
                for (index, cards) in indices.iter_mut().zip(&combos) {
                    *index = combo_of(*cards).index() as u16;
                }
                totals.add_details(&indices, winners, 1.0);
            }
        }
        for (player, count) in counts.into_iter().enumerate() {
            totals.add(1 << player, count as f64);
        }
        debug_assert!(self.deck.iter().all(|card| !self.fixed.contains(*card)));
        Ok(totals)
    }
}

fn board_tally(board: &Board) -> Tally {
    board.set().into()
}

fn combo_of(cards: CardSet) -> Combo {
    let mut cards = cards.iter();
    let pair = cards.next().zip(cards.next()).and_then(|(a, b)| Combo::new(a, b));
    pair.expect("every player holds two cards")
}

/// Who wins or shares.
#[inline]
fn winners(board: Tally, combos: &[CardSet]) -> u32 {
    let (mut best, mut winners) = (None::<Strength>, 0);
    for (player, &cards) in combos.iter().enumerate() {
        let strength = board.with_all(cards).strength7();
        match Some(strength).cmp(&best) {
            std::cmp::Ordering::Greater => (best, winners) = (Some(strength), 1 << player),
            std::cmp::Ordering::Equal => winners |= 1 << player,
            std::cmp::Ordering::Less => {}
        }
    }
    winners
}

impl Ranged {
    fn new(matchup: &Matchup, players: Vec<usize>) -> Ranged {
        let ranges: Vec<Vec<(u16, CardSet, f64)>> = players
            .iter()
            .map(|&player| {
                let range = &matchup.ranges()[player];
                range.iter().map(|(combo, w)| (combo.index() as u16, combo.cards(), f64::from(w))).collect()
            })
            .collect();
        let combo = |index: u16| Combo::from_index(usize::from(index)).expect("it was a combo's index");
        if ranges.iter().map(|range| range.len() as f64).product::<f64>() <= MAX_LISTED {
            let (mut choices, mut weights) = (Vec::new(), Vec::new());
            for_each_choice(&ranges, &mut |indices, weight| {
                let combos: Vec<Combo> = indices.iter().map(|&index| combo(index)).collect();
                let cards = combos.iter().fold(CardSet::EMPTY, |set, combo| set | combo.cards());
                choices.push((combos, cards));
                weights.push(weight);
            });
            return Ranged::Joint { players, choices, alias: Alias::new(&weights) };
        }
        let apart = players.into_iter().zip(ranges).map(|(player, range)| {
            let weights: Vec<f64> = range.iter().map(|entry| entry.2).collect();
            (player, range.iter().map(|entry| combo(entry.0)).collect(), Alias::new(&weights))
        });
        Ranged::Apart { players: apart.collect() }
    }

    /// Draws the combos of these players; returns their cards.
    #[inline]
    fn draw(&self, rng: &mut Random, combos: &mut [CardSet]) -> Result<CardSet, EquityError> {
        match self {
            Ranged::Joint { players, choices, alias } => {
                let (chosen, cards) = &choices[alias.draw(rng)];
                players.iter().zip(chosen).for_each(|(&player, combo)| combos[player] = combo.cards());
                Ok(*cards)
            }
            Ranged::Apart { players } => {
                'again: for _ in 0..MAX_TRIES {
                    let mut used = CardSet::EMPTY;
                    for (player, range, alias) in players {
                        let cards = range[alias.draw(rng)].cards();
                        if cards.intersects(used) {
                            continue 'again;
                        }
                        used |= cards;
                        combos[*player] = cards;
                    }
                    return Ok(used);
                }
                Err(EquityError::TooRare { tries: MAX_TRIES })
            }
        }
    }
}

/// Draws one of n things with given weights by one number: thing `i` is kept with its threshold's probability,
/// otherwise its alias is taken.
struct Alias {
    /// Threshold and alias.
    entries: Vec<(u32, u32)>,
}

impl Alias {
    fn new(weights: &[f64]) -> Alias {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut left: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&i| left[i] < 1.0);
        let mut entries: Vec<(u32, u32)> = (0..weights.len()).map(|i| (u32::MAX, i as u32)).collect();
        while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
            small.pop();
            entries[poor] = ((left[poor] * f64::from(u32::MAX)) as u32, rich as u32);
            left[rich] -= 1.0 - left[poor];
            if left[rich] < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        Alias { entries }
    }

    #[inline]
    fn draw(&self, rng: &mut Random) -> usize {
        if self.entries.len() == 1 {
            return 0;
        }
        let place = rng.below(self.entries.len() as u32) as usize;
        let (threshold, alias) = self.entries[place];
        if threshold == u32::MAX || rng.half() <= threshold { place } else { alias as usize }
    }
}

/// Cards in random order, drawn from the front by exchanging; what an earlier draw left behind is as random.
struct Deck {
    cards: [Card; 52],
    len: usize,
}

struct DrawnDeck<'a> {
    deck: &'a mut Deck,
    /// Cards that the ranges took.
    used: CardSet,
    next: usize,
}

impl DrawnDeck<'_> {
    #[inline]
    fn draw(&mut self, rng: &mut Random) -> Card {
        loop {
            let place = self.next + rng.below((self.deck.len - self.next) as u32) as usize;
            self.deck.cards.swap(self.next, place);
            let card = self.deck.cards[self.next];
            self.next += 1;
            if !self.used.contains(card) {
                return card;
            }
        }
    }
}

/// Random numbers of 32 bits, two from each of the generator's.
struct Random {
    rng: Xoshiro256PlusPlus,
    spare: Option<u32>,
}

impl Random {
    fn new(seed: u64, block: u64) -> Random {
        let mut bytes = [0; 32];
        for (chunk, word) in
            bytes.chunks_mut(8).zip([seed, block, !seed, block.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15])
        {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let mut rng = Xoshiro256PlusPlus::from_seed(bytes);
        // Seeds that differ in few bits need some steps until the states look unrelated.
        (0..16).for_each(|_| _ = rng.next_u64());
        Random { rng, spare: None }
    }

    #[inline]
    fn half(&mut self) -> u32 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let both = self.rng.next_u64();
        self.spare = Some((both >> 32) as u32);
        both as u32
    }

    /// A number below `n`, each equally likely: the high half of a product, redrawn in the few cases that would favour
    /// some results.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        loop {
            let product = u64::from(self.half()) * u64::from(n);
            if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_draw_in_proportion() {
        let weights = [1.0, 0.5, 0.0, 0.25, 2.0];
        let alias = Alias::new(&weights);
        let mut rng = Random::new(1, 2);
        let mut counts = [0.0; 5];
        let n = 400_000;
        (0..n).for_each(|_| counts[alias.draw(&mut rng)] += 1.0);
        for (count, weight) in counts.iter().zip(weights) {
            let p: f64 = weight / 3.75;
            let sigma = (p * (1.0 - p) * f64::from(n)).sqrt();
            assert!((count - p * f64::from(n)).abs() <= 4.5 * sigma, "{counts:?}");
        }
    }

    #[test]
    fn numbers_below_are_uniform() {
        let mut rng = Random::new(7, 0);
        let mut counts = [0.0f64; 48];
        let n = 480_000;
        (0..n).for_each(|_| counts[rng.below(48) as usize] += 1.0);
        let chi2: f64 = counts.iter().map(|count| (count - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 47.0 + 5.0 * (2.0f64 * 47.0).sqrt(), "{chi2}");
    }
}
