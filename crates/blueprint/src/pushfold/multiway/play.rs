//! Strategies played with real deals: what the approximations of larger tables come to.

use equipoise_cards::{Card, Combo, HandClass, Strength, Tally};
use equipoise_progress::{Cancelled, Observer, Progress};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::super::solve::N;
use super::evaluate::{Game, MAX_ALL_IN};
use super::{MultiwaySolution, TableStakes};

/// What came of playing a solution: hands and boards were dealt from one deck, so nothing is approximated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Played {
    /// Hands played.
    pub deals: u64,
    /// Seat by seat.
    pub seats: Vec<PlayedSeat>,
    /// How often a player acts after three all-ins, where a solution always folds.
    pub after_three: f64,
}

/// What came of playing for a seat, in the unit of the payoffs and per hand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayedSeat {
    /// The mean.
    pub ev: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Bounds of what going all-in after three all-ins would gain: the hands to do it with chosen by one half of the deals and
    /// counted in the other (at most the truth, in expectation), and chosen and counted in all of them (at least the truth).
    pub fourth_gain: [f64; 2],
    /// The same bounds of what the best response would gain at all other decisions, with real deals: what the approximations
    /// of a larger table cost this seat, and ε.
    pub real_gain: [f64; 2],
}

/// Deals of a block: each has its own generator, so that threads change nothing.
const BLOCK: u64 = 1 << 13;

/// Blocks whose sums are in memory at a time.
const MOST_BLOCKS: usize = 64;

#[derive(Clone)]
struct Sums {
    ev: Vec<f64>,
    squares: Vec<f64>,
    /// By half of the deals and seat: what the fourth all-in gains with each class.
    fourth: [Vec<[f64; N]>; 2],
    /// By half of the deals and decision: what playing pays more than folding with each class.
    plays: [Vec<[f64; N]>; 2],
    after_three: u64,
}

impl Sums {
    fn new(num_players: usize, num_decisions: usize) -> Sums {
        let (fourth, plays) = (vec![[0.0; N]; num_players], vec![[0.0; N]; num_decisions]);
        Sums {
            ev: vec![0.0; num_players],
            squares: vec![0.0; num_players],
            fourth: [fourth.clone(), fourth],
            plays: [plays.clone(), plays],
            after_three: 0,
        }
    }

    fn merge(&mut self, other: &Sums) {
        let add = |sums: &mut [f64], others: &[f64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        };
        add(&mut self.ev, &other.ev);
        add(&mut self.squares, &other.squares);
        let [fourth, plays] = [(&mut self.fourth, &other.fourth), (&mut self.plays, &other.plays)];
        for (own, others) in fourth.0.iter_mut().zip(fourth.1).chain(plays.0.iter_mut().zip(plays.1)) {
            own.iter_mut().zip(others).for_each(|(sums, others)| add(sums, others));
        }
        self.after_three += other.after_three;
    }
}

impl MultiwaySolution {
    /// Plays the solution of these stakes for a number of deals, rounded up to whole blocks of 8,192.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer ends it.
    pub fn play(
        &self,
        stakes: &TableStakes,
        deals: u64,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<Played, Cancelled> {
        let game = Game::new(stakes, None);
        let num_players = game.num_players();
        let blocks: Vec<u64> = (0..deals.div_ceil(BLOCK)).collect();
        let progress = Progress::new(observer, blocks.len() as u64);
        let num_decisions = self.decisions.len();
        let mut all = Sums::new(num_players, num_decisions);
        for some in blocks.chunks(MOST_BLOCKS) {
            let played = |&block: &u64| {
                let mut sums = Sums::new(num_players, num_decisions);
                let mut rng =
                    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ block);
                for deal in 0..BLOCK {
                    self.deal(&game, stakes, &mut rng, deal as usize % 2, &mut sums);
                }
                progress.advance(1).map(|()| sums)
            };
            let found: Vec<Sums> =
                some.par_iter().with_max_len(1).map(played).collect::<Result<_, Cancelled>>()?;
            found.iter().for_each(|sums| all.merge(sums));
        }
        let deals = blocks.len() as u64 * BLOCK;
        let count = deals as f64;
        let seats = (0..num_players).map(|seat| {
            let ev = all.ev[seat] / count;
            let variance = (all.squares[seat] / count - ev * ev).max(0.0);
            let halves = all.fourth[0][seat].iter().zip(&all.fourth[1][seat]);
            let (mut low, mut high) = (0.0, 0.0);
            for (a, b) in halves {
                low += if *a > 0.0 { *b } else { 0.0 } + if *b > 0.0 { *a } else { 0.0 };
                high += (a + b).max(0.0);
            }
            let fourth_gain = [low / count, high / count];
            let real_gain = self.real_gain(seat, &all).map(|gain| gain / count);
            PlayedSeat { ev, std_error: (variance / count).sqrt(), fourth_gain, real_gain }
        });
        Ok(Played { deals, seats: seats.collect(), after_three: all.after_three as f64 / count })
    }

    /// Bounds of what the best response of a seat gains, summed over the deals.
    fn real_gain(&self, seat: usize, sums: &Sums) -> [f64; 2] {
        let (mut low, mut high) = (0.0, 0.0);
        for (id, decision) in self.decisions.iter().enumerate().filter(|(_, own)| own.seat() == seat) {
            for (class, &often) in decision.plays.iter().enumerate() {
                let [a, b] = [0, 1].map(|half: usize| sums.plays[half][id][class]);
                // Always playing gains the part that is folded, always folding loses the part that is played.
                let gain = |chosen: f64, counted: f64| match chosen > 0.0 {
                    true => (1.0 - often) * counted,
                    false => -often * counted,
                };
                low += gain(a, b) + gain(b, a);
                high += gain(a + b, a + b);
            }
        }
        [low, high]
    }

    fn deal(
        &self,
        game: &Game<'_>,
        stakes: &TableStakes,
        rng: &mut Xoshiro256PlusPlus,
        half: usize,
        sums: &mut Sums,
    ) {
        let num_players = game.num_players();
        let mut deck = Card::ALL;
        for place in 0..2 * num_players + 5 {
            let left = (deck.len() - place) as u64;
            deck.swap(place, place + (((rng.next_u64() >> 32) * left) >> 32) as usize);
        }
        let combo =
            |seat: usize| Combo::new(deck[2 * seat], deck[2 * seat + 1]).expect("two cards of a deck");
        let board: Tally = deck[2 * num_players..2 * num_players + 5].iter().copied().collect();
        let chances: Vec<f64> =
            (0..num_players).map(|_| (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).collect();
        let classes: Vec<HandClass> = (0..num_players).map(|seat| combo(seat).class()).collect();
        let acts = |seat: usize, all_in: u16| {
            let id = game.id(seat, all_in);
            all_in
                | id.map_or(0, |id| u16::from(chances[seat] < self.decisions[id].play(classes[seat])) << seat)
        };
        let mut all_in = 0_u16;
        let mut after_three: Vec<usize> = Vec::new();
        // What each seat decides, and who is all-in before.
        let mut decided: Vec<(usize, usize, u16)> = Vec::with_capacity(num_players);
        for seat in 0..num_players {
            match game.id(seat, all_in) {
                Some(id) => decided.push((seat, id, all_in)),
                None if all_in.count_ones() >= MAX_ALL_IN => after_three.push(seat),
                None => {}
            }
            all_in = acts(seat, all_in);
        }
        let strength = |seat: usize| -> Strength { board.join(combo(seat).cards().into()).strength7() };
        let values = |all_in: u16| stakes.values_after(all_in, &places(num_players, all_in, &strength));
        let end = |all_in: u16| match all_in.count_ones() {
            0 | 1 => game.end(all_in, 0),
            _ => game.end(all_in, order(all_in, &strength)),
        };
        let ends = end(all_in);
        for (seat, id, before) in decided {
            // The same deal, with the other action.
            let other = (seat + 1..num_players)
                .fold(before | (!all_in & 1 << seat), |all_in, seat| acts(seat, all_in));
            let [played, folded] = if all_in >> seat & 1 == 1 { [all_in, other] } else { [other, all_in] };
            sums.plays[half][id][classes[seat].index()] += end(played)[seat] - end(folded)[seat];
        }
        for (seat, value) in ends.iter().enumerate() {
            sums.ev[seat] += value;
            sums.squares[seat] += value * value;
        }
        sums.after_three += u64::from(!after_three.is_empty());
        for seat in after_three {
            let gain = values(all_in | 1 << seat)[seat] - ends[seat];
            sums.fourth[half][seat][classes[seat].index()] += gain;
        }
    }
}

fn seats_of(num_players: usize, all_in: u16) -> impl Iterator<Item = usize> {
    (0..num_players).filter(move |seat| all_in >> seat & 1 == 1)
}

/// The place of every seat of a set: how many of the others have a better hand.
fn places(num_players: usize, all_in: u16, strength: &dyn Fn(usize) -> Strength) -> Vec<u8> {
    let strengths: Vec<(usize, Strength)> =
        seats_of(num_players, all_in).map(|seat| (seat, strength(seat))).collect();
    let mut places = vec![0; num_players];
    for &(seat, own) in &strengths {
        places[seat] = strengths.iter().filter(|(_, other)| *other > own).count() as u8;
    }
    places
}

/// The order of two or three hands, as [`Game::end`] counts them.
fn order(all_in: u16, strength: &dyn Fn(usize) -> Strength) -> usize {
    let strengths: Vec<Strength> = seats_of(u16::BITS as usize, all_in).map(strength).collect();
    match strengths[..] {
        [a, b] => usize::from(a <= b) + usize::from(a < b),
        [a, b, c] => {
            let levels = [a, b, c].map(|own| strengths.iter().filter(|other| **other < own).count() as u16);
            equipoise_equity::ShowdownOrder::of(levels).index()
        }
        _ => unreachable!("two or three players are all-in"),
    }
}
