//! Monte Carlo.
//!
//! # Drawing a deal
//! A deal's probability is proportional to the product of the ranges' weights over deals without a shared card.
//!
//! 1. Players with ranges (more than one combo, not just "any card") are drawn each from its own range, and all again
//!    when two share a card; redrawing only the colliding player would favour some deals. Where that would happen most
//!    of the time, they are drawn together from a list of all choices that share no card.
//! 2. Players of whom one card or none is known, and the board, are dealt from the cards that are left. Every choice
//!    in step 1 leaves equally many such deals, so the order does no harm.
//!
//! With few players there is a faster way, which [`batch`] explains: everything is drawn without regard to the rest, and
//! again where cards are shared.
//!
//! # The same answer at any number of threads
//! Samples come in blocks, each with a generator of its own, seeded by the seed and the block's number; blocks come in
//! rounds whose sizes depend on nothing but the round. Whether to stop is asked between rounds.

mod batch;

use batch::Batches;
use equipoise_cards::{Card, CardSet, Combo, Strength, Tally};
use equipoise_progress::{Observer, Progress};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::Found;
use crate::matchup::{Matchup, Seat};
use crate::options::EquityError;
use crate::totals::Totals;
use crate::tuples::for_each_choice;

/// Samples of a block.
const BLOCK: u64 = 1 << 14;
/// Blocks of the largest round.
const MAX_ROUND: u64 = 256;
/// The most joint choices of combos that are listed.
const MAX_LISTED: f64 = 100_000.0;
/// Joint choices that are listed in any case: their list stays in the fastest memory.
const FEW_CHOICES: f64 = 64.0;
/// The part of draws without a shared card below which choices are listed.
const MIN_ACCEPTED: f64 = 0.25;
/// Tries to deal the ranges without a shared card before giving up.
const MAX_TRIES: u32 = 10_000_000;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    Samples(u64),
    StdError { std_error: f64, at_least: u64 },
}

pub(crate) fn sample(
    matchup: &Matchup,
    goal: Goal,
    seed: u64,
    empty: &Totals,
    observer: &mut dyn Observer,
) -> Result<Found, EquityError> {
    let dealer = Dealer::new(matchup);
    let (mut totals, mut samples, mut interrupted) = (empty.clone(), 0, false);
    let (mut next_block, mut round) = (0, 1);
    loop {
        let left = match goal {
            Goal::Samples(goal) => goal - samples,
            Goal::StdError { .. } => round * BLOCK,
        };
        let num_blocks = left.div_ceil(BLOCK).min(round);
        let len_of = |block: u64| BLOCK.min(left - block * BLOCK);
        let numbers: Vec<u64> = (0..num_blocks).collect();
        let watched = Progress::new(&mut *observer, 1);
        let blocks: Vec<Option<Totals>> = numbers
            .par_iter()
            .with_max_len(1)
            .map(|&block| match watched.is_cancelled() {
                true => Ok(None),
                false => dealer.block(seed, next_block + block, len_of(block), empty).map(Some),
            })
            .collect::<Result<_, EquityError>>()?;
        for (block, found) in (0..).zip(&blocks) {
            match found {
                Some(found) => {
                    totals.merge(found);
                    samples += len_of(block);
                }
                None => interrupted = true,
            }
        }
        next_block += num_blocks;
        round = (round * 2).min(MAX_ROUND);
        if interrupted && samples == 0 {
            return Err(EquityError::Cancelled);
        }
        let done = part_done(goal, &totals, samples as f64);
        let is_over = observer.progress(&done.min(1.0)).is_break();
        interrupted |= is_over && done < 1.0;
        if done >= 1.0 || interrupted {
            return Ok(Found { totals, samples: Some(samples), interrupted });
        }
    }
}

/// How near the goal is; 1 and above when it is reached.
fn part_done(goal: Goal, totals: &Totals, samples: f64) -> f64 {
    match goal {
        Goal::Samples(goal) => samples / goal as f64,
        Goal::StdError { std_error, at_least } => {
            let ratio = std_error / totals.std_error(samples);
            (ratio * ratio).min(samples / at_least as f64)
        }
    }
}

/// Draws deals.
enum Dealer {
    OneByOne(OneByOne),
    Batches(Batches),
}

/// Draws deal after deal.
struct OneByOne {
    num_players: usize,
    ranged: Ranged,
    /// Players of whom one card or none is known, with that card and how many they lack.
    dealt: Vec<(usize, Tally, usize)>,
    board: Tally,
    num_to_come: usize,
    /// Cards that may be dealt to a player or the board, some of which a range may take.
    deck: Vec<Card>,
}

/// How players with ranges are drawn.
enum Ranged {
    /// From a list of all joint choices.
    Joint { players: Vec<usize>, choices: Choices, alias: Alias },
    /// Each from its own range, until no card is shared.
    Apart { players: Vec<Drawn> },
}

/// Choices of combos that share no card.
#[derive(Default)]
struct Choices {
    /// The players' combos, choice after choice.
    combos: Vec<Tally>,
    /// Those of a choice's cards that are in the deck.
    cards: Vec<CardSet>,
}

/// A player drawn from a range.
struct Drawn {
    player: usize,
    combos: Vec<(CardSet, Tally)>,
    alias: Alias,
}

impl Dealer {
    fn new(matchup: &Matchup) -> Dealer {
        match Batches::new(matchup) {
            Some(batches) => Dealer::Batches(batches),
            None => Dealer::OneByOne(OneByOne::new(matchup)),
        }
    }

    fn block(&self, seed: u64, block: u64, samples: u64, empty: &Totals) -> Result<Totals, EquityError> {
        match self {
            Dealer::OneByOne(dealer) => dealer.block(seed, block, samples, empty),
            Dealer::Batches(dealer) => dealer.block(seed, block, samples, empty),
        }
    }
}

/// The cards that lie on the board, are dead or are known of a player.
fn fixed_cards(matchup: &Matchup) -> CardSet {
    matchup.seats().iter().fold(matchup.gone(), |fixed, seat| fixed | seat.known())
}

impl OneByOne {
    fn new(matchup: &Matchup) -> OneByOne {
        let (mut ranged, mut dealt) = (Vec::new(), Vec::new());
        for (player, seat) in matchup.seats().iter().enumerate() {
            match seat {
                Seat::Card(_) | Seat::Unknown => {
                    dealt.push((player, seat.known().into(), 2 - seat.known().len()));
                }
                Seat::Combo(_) | Seat::Range(_) => ranged.push(player),
            }
        }
        let fixed = fixed_cards(matchup);
        OneByOne {
            num_players: matchup.seats().len(),
            ranged: Ranged::new(matchup, ranged, fixed),
            dealt,
            board: matchup.board().set().into(),
            num_to_come: matchup.num_to_come(),
            deck: (!fixed).iter().collect(),
        }
    }

    fn block(&self, seed: u64, block: u64, samples: u64, empty: &Totals) -> Result<Totals, EquityError> {
        let mut rng = Random::new(seed, block);
        let mut totals = empty.clone();
        let mut alone = vec![0u64; self.num_players];
        let mut combos = vec![Tally::EMPTY; self.num_players];
        let mut deck = Deck::new(&self.deck);
        for _ in 0..samples {
            deck.start(self.ranged.draw(&mut rng, &mut combos)?);
            for &(player, known, missing) in &self.dealt {
                combos[player] = (0..missing).fold(known, |cards, _| cards.with(deck.draw(&mut rng)));
            }
            let board = (0..self.num_to_come).fold(self.board, |board, _| board.with(deck.draw(&mut rng)));
            let winners = winners(combos.iter().map(|cards| board.join(*cards).strength7()));
            if winners.is_power_of_two() {
                alone[winners.trailing_zeros() as usize] += 1;
            } else {
                totals.add(winners, 1.0);
            }
            if totals.has_details() {
                let indices: Vec<u16> = combos.iter().map(|cards| index_of(*cards)).collect();
                totals.add_details(&indices, winners, 1.0);
            }
        }
        for (player, count) in alone.into_iter().enumerate() {
            totals.add(1 << player, count as f64);
        }
        Ok(totals)
    }
}

/// The index of the combo of two cards.
fn index_of(cards: Tally) -> u16 {
    let mut cards = cards.cards().iter();
    let combo = cards.next().zip(cards.next()).and_then(|(a, b)| Combo::new(a, b));
    combo.expect("every player holds two cards").index() as u16
}

/// Who wins or shares.
#[inline]
fn winners(strengths: impl Iterator<Item = Strength>) -> u32 {
    let (mut best, mut winners) = (None::<Strength>, 0);
    for (player, strength) in strengths.enumerate() {
        match Some(strength).cmp(&best) {
            std::cmp::Ordering::Greater => (best, winners) = (Some(strength), 1 << player),
            std::cmp::Ordering::Equal => winners |= 1 << player,
            std::cmp::Ordering::Less => {}
        }
    }
    winners
}

impl Ranged {
    /// `fixed` cards are out of the deck already.
    fn new(matchup: &Matchup, players: Vec<usize>, fixed: CardSet) -> Ranged {
        let ranges: Vec<Vec<(u16, CardSet, f64)>> = players
            .iter()
            .map(|&player| {
                let range = &matchup.ranges()[player];
                range.iter().map(|(combo, w)| (combo.index() as u16, combo.cards(), f64::from(w))).collect()
            })
            .collect();
        if should_list(&ranges) {
            let (mut choices, mut weights) = (Choices::default(), Vec::new());
            for_each_choice(&ranges, &mut |indices, weight| {
                let cards = |index: &u16| Combo::from_index(usize::from(*index)).map(Combo::cards);
                let sets: Vec<CardSet> = indices.iter().filter_map(cards).collect();
                let all = sets.iter().fold(CardSet::EMPTY, |all, set| all | *set);
                choices.combos.extend(sets.into_iter().map(Tally::from));
                choices.cards.push(all - fixed);
                weights.push(weight);
            });
            return Ranged::Joint { players, choices, alias: Alias::new(&weights) };
        }
        let apart = players.into_iter().zip(ranges).map(|(player, range)| {
            let weights: Vec<f64> = range.iter().map(|entry| entry.2).collect();
            let combos = range.iter().map(|entry| (entry.1, entry.1.into())).collect();
            Drawn { player, combos, alias: Alias::new(&weights) }
        });
        Ranged::Apart { players: apart.collect() }
    }

    /// Draws the combos of these players; returns those of their cards that were in the deck.
    #[inline]
    fn draw(&self, rng: &mut Random, combos: &mut [Tally]) -> Result<CardSet, EquityError> {
        match self {
            Ranged::Joint { players, choices, alias } => {
                let choice = alias.draw(rng);
                let of_choice = choices.of(choice, players.len());
                players.iter().zip(of_choice).for_each(|(&player, cards)| combos[player] = *cards);
                Ok(choices.cards[choice])
            }
            Ranged::Apart { players } => {
                'again: for _ in 0..MAX_TRIES {
                    let mut used = CardSet::EMPTY;
                    for Drawn { player, combos: range, alias } in players {
                        let (set, cards) = range[alias.draw(rng)];
                        if set.intersects(used) {
                            continue 'again;
                        }
                        used |= set;
                        combos[*player] = cards;
                    }
                    return Ok(used);
                }
                Err(EquityError::TooRare { tries: MAX_TRIES })
            }
        }
    }
}

impl Choices {
    /// The combos of one choice.
    #[inline]
    fn of(&self, choice: usize, num_players: usize) -> &[Tally] {
        &self.combos[choice * num_players..][..num_players]
    }
}

/// Whether joint choices should be listed: they are few, or drawing apart would seldom give one.
fn should_list(ranges: &[Vec<(u16, CardSet, f64)>]) -> bool {
    let product = ranges.iter().map(|range| range.len() as f64).product::<f64>();
    if product > MAX_LISTED {
        return false;
    }
    let apart: f64 = ranges.iter().map(|range| range.iter().map(|entry| entry.2).sum::<f64>()).product();
    let mut together = 0.0;
    for_each_choice(ranges, &mut |_, weight| together += weight);
    product <= FEW_CHOICES || together < MIN_ACCEPTED * apart
}

/// Draws one of n things with given weights by one number: thing `i` is kept with its threshold's probability,
/// otherwise its alias is taken.
struct Alias {
    /// Threshold and alias.
    entries: Vec<(u32, u32)>,
    places: Below,
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
        let places = Below::new(entries.len() as u32);
        Alias { entries, places }
    }

    #[inline]
    fn draw(&self, rng: &mut Random) -> usize {
        if self.entries.len() == 1 {
            return 0;
        }
        let place = rng.below(self.entries.len() as u32) as usize;
        let (threshold, alias) = self.entries[place];
        if threshold == u32::MAX || rng.word() as u32 <= threshold { place } else { alias as usize }
    }

    /// The same from one word and without a branch: a thing, and whether it counts.
    #[inline]
    fn draw_by(&self, word: u64) -> (usize, bool) {
        let (place, counts) = self.places.draw((word >> 32) as u32);
        let (threshold, alias) = self.entries[place];
        (if word as u32 <= threshold { place } else { alias as usize }, counts)
    }
}

/// Draws numbers below a bound from 32 random bits, each exactly equally likely: of the 2³² products with the bound, those
/// whose lower half is small belong to some numbers once more than to others, and are drawn again.
struct Below {
    bound: u32,
    /// The least lower half of a product that counts.
    least: u32,
}

impl Below {
    fn new(bound: u32) -> Below {
        Below { bound, least: bound.wrapping_neg() % bound }
    }

    /// A number, and whether it counts.
    #[inline]
    fn draw(&self, bits: u32) -> (usize, bool) {
        let product = u64::from(bits) * u64::from(self.bound);
        ((product >> 32) as usize, product as u32 >= self.least)
    }
}

/// Cards in random order, drawn from the front by exchanging; what an earlier deal left behind is as random.
struct Deck {
    cards: [Card; 64],
    len: u32,
    next: u32,
    /// Cards that the ranges took.
    used: CardSet,
}

impl Deck {
    fn new(cards: &[Card]) -> Deck {
        let mut deck =
            Deck { cards: [Card::ALL[0]; 64], len: cards.len() as u32, next: 0, used: CardSet::EMPTY };
        deck.cards[..cards.len()].copy_from_slice(cards);
        deck
    }

    /// Begins a deal in which these cards are taken.
    #[inline]
    fn start(&mut self, used: CardSet) {
        (self.next, self.used) = (0, used);
    }

    #[inline]
    fn draw(&mut self, rng: &mut Random) -> Card {
        loop {
            let place = self.next + rng.below(self.len - self.next);
            // The masks change nothing: they spare the checks.
            let (next, place) = ((self.next & 63) as usize, (place & 63) as usize);
            let card = self.cards[place];
            (self.cards[place], self.cards[next]) = (self.cards[next], card);
            self.next += 1;
            if !self.used.contains(card) {
                return card;
            }
        }
    }
}

/// Small random numbers, several from each word of the generator.
///
/// A word is taken as a fraction of 1: times n, its whole part is a number below n, and the rest is a fraction again,
/// uniform to what is left of its 64 bits. A new word is taken before fewer than 34 bits are left, so that no number is
/// likelier than another by more than one part in 2²⁸.
pub(crate) struct Random {
    rng: Xoshiro256PlusPlus,
    fraction: u64,
    /// Product of the numbers' bounds since the last word.
    spent: u64,
}

/// The most that may be spent of a word.
const MAX_SPENT: u64 = 1 << 30;

impl Random {
    pub(crate) fn new(seed: u64, block: u64) -> Random {
        let mut bytes = [0; 32];
        let words = [seed, block, !seed, block.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15];
        for (chunk, word) in bytes.chunks_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let mut rng = Xoshiro256PlusPlus::from_seed(bytes);
        // Seeds that differ in few bits need some steps until the states look unrelated.
        (0..16).for_each(|_| _ = rng.next_u64());
        Random { rng, fraction: 0, spent: u64::MAX }
    }

    #[inline]
    fn word(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A number below `n`, each equally likely.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.spent = self.spent.saturating_mul(u64::from(n));
        if self.spent > MAX_SPENT {
            (self.fraction, self.spent) = (self.word(), u64::from(n));
        }
        let product = u128::from(self.fraction) * u128::from(n);
        self.fraction = product as u64;
        (product >> 64) as u32
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
        let mut counts_by = [0.0; 5];
        let mut left = n;
        while left > 0 {
            let (thing, counts) = alias.draw_by(rng.word());
            counts_by[thing] += f64::from(u8::from(counts));
            left -= i32::from(counts);
        }
        for counts in [counts, counts_by] {
            for (count, weight) in counts.iter().zip(weights) {
                let p: f64 = weight / 3.75;
                let sigma = (p * (1.0 - p) * f64::from(n)).sqrt();
                assert!((count - p * f64::from(n)).abs() <= 4.5 * sigma, "{counts:?}");
            }
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

    /// A bound for which one draw in four does not count: what counts is uniform over all 2³² bits.
    #[test]
    fn draws_that_count_are_equally_likely() {
        let below = Below::new(3 << 30);
        assert_eq!(below.least, 1 << 30);
        let mut counts = [0; 3];
        for bits in (0..1 << 20).map(|n: u32| n << 12 | n & 3) {
            let (number, is_one) = below.draw(bits);
            counts[number >> 30] += u32::from(is_one);
        }
        assert!(counts.iter().all(|count| count.abs_diff(1 << 18) <= 2), "{counts:?}");
        assert_eq!(Below::new(1).draw(u32::MAX), (0, true));
    }
}
