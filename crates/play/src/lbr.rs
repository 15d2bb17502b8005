//! Local best response: a lower bound on what a strategy loses to its worst opponent.
//!
//! The responder knows the strategy, hence at every moment how likely each hand of the opponent is. It takes the action that
//! would be worth most if both checked and called to the showdown from then on; a bet also wins what the opponent's hands
//! fold. Before its first street and after its last it checks and calls. What it wins, a best response wins at least.
//!
//! Where the betting is over, what is counted is the mean over the opponent's hands and the boards that can come, each as
//! likely as it is then: the same mean as that of dealt hands, with less luck.

use std::num::NonZeroUsize;

use equipoise_blueprint::bucketed::{BucketedError, Buckets as _};
use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise_cards::{Board, BoardStrengths, Card, CardSet, Combo, Street};
use equipoise_equity::ClassTable;
use equipoise_game::{Action, Chips, HandConfig, HandState, NodeKind, Player, Winner};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;
use thiserror::Error;

use crate::agent::Simple;
use crate::draw::{Deal, Draw, Purpose};
use crate::follow::{Follower, passive};
use crate::matches::Estimate;

/// Whom the responder plays.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Opponent<'a> {
    /// A player that needs no cards.
    Simple(Simple),
    /// A blueprint that plays by its own strategy. The responder knows the chances with which it takes a bet that it lacks
    /// for another, but not for which.
    Blueprint(&'a Blueprint, &'a BlueprintBuckets),
}

/// What the responder considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // The two that results are published for.
pub enum LbrMenu {
    /// Fold and call.
    Fc,
    /// Fold, call, a bet or raise of the pot, and all-in.
    Fcpa,
}

/// How a local best response is measured.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct LbrOptions {
    /// Blinds and stacks.
    pub config: HandConfig,
    /// What the responder considers.
    pub menu: LbrMenu,
    /// Its first and its last street; on others it checks and calls.
    pub streets: (Street, Street),
    /// How many hands are played, every other one in each seat.
    pub hands: u64,
    /// What determines the cards and the opponent's choices.
    pub seed: u64,
    /// Threads; all if it is not said. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LbrOutcome {
    /// What the responder won, in thousandths of a big blind a hand. An observation is the mean of two hands, one in each seat:
    /// how often it sits where is no chance.
    pub won: Estimate,
    /// How many hands were played. The last of an odd number is in no observation.
    pub hands: u64,
    /// Whether the observer ended it.
    pub interrupted: bool,
}

/// Why nothing was measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LbrError {
    /// Buckets that cannot be read.
    #[error(transparent)]
    Buckets(#[from] BucketedError),
    /// No threads.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

/// Hands that are played before the observer is asked.
const CHUNK: u64 = 128;

/// Plays hands of local best response; those that were played if the observer ends the work.
///
/// # Errors
/// [`LbrError`] if buckets cannot be read.
pub fn local_best_response(
    opponent: Opponent<'_>,
    options: &LbrOptions,
    observer: &mut dyn Observer,
) -> Result<LbrOutcome, LbrError> {
    let progress = Progress::new(observer, options.hands.max(1));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, NonZeroUsize::get))
        .build()
        .map_err(|error| LbrError::Threads(error.to_string()))?;
    let unit = 1000.0 / options.config.big_blind.as_f64();
    let mut outcome = LbrOutcome { won: Estimate::default(), hands: 0, interrupted: false };
    let (mut next, mut first) = (0, None);
    while next < options.hands {
        let numbers = next..(next + CHUNK).min(options.hands);
        next = numbers.end;
        let won: Vec<Option<Result<f64, LbrError>>> = pool.install(|| {
            let one = |number: u64| {
                if progress.is_cancelled() {
                    return None;
                }
                let won = Responder::new(opponent, options, number).play();
                let _ = progress.advance(1);
                Some(won)
            };
            numbers.into_par_iter().map(one).collect()
        });
        for won in won {
            match won {
                Some(won) => {
                    outcome.hands += 1;
                    let won = unit * won?;
                    match first.take() {
                        Some(first) => outcome.won.add((first + won) / 2.0),
                        None => first = Some(won),
                    }
                }
                None => {
                    outcome.interrupted = true;
                    return Ok(outcome);
                }
            }
        }
    }
    Ok(outcome)
}

/// A way in which the opponent may see the hand, and how likely it has each combo and sees it so.
#[derive(Clone)]
struct Belief<'a> {
    follower: Option<Follower<'a>>,
    weights: Vec<f64>,
}

struct Responder<'a> {
    opponent: Opponent<'a>,
    options: &'a LbrOptions,
    number: u64,
    seat: Player,
    deal: Deal,
    hand: HandState,
    board: Board,
    beliefs: Vec<Belief<'a>>,
    /// By combo: the opponent's bucket.
    buckets: Vec<u32>,
    /// By combo of the opponent: the share of the pot that the responder's cards win at the showdown.
    equities: Vec<f64>,
    num_actions: u64,
}

impl<'a> Responder<'a> {
    fn new(opponent: Opponent<'a>, options: &'a LbrOptions, number: u64) -> Responder<'a> {
        let deal = Deal::drawn(options.seed, number);
        let seat = if number.is_multiple_of(2) { Player::Ip } else { Player::Oop };
        let own = deal.combos[seat];
        let free = |combo: Combo| f64::from(u8::from(!combo.cards().intersects(own.cards())));
        let follower = match opponent {
            Opponent::Simple(_) => None,
            Opponent::Blueprint(blueprint, _) => Some(Follower::new(blueprint)),
        };
        Responder {
            opponent,
            options,
            number,
            seat,
            deal,
            hand: HandState::new(&options.config).expect("the game was checked"),
            board: Board::EMPTY,
            beliefs: vec![Belief { follower, weights: Combo::all().map(free).collect() }],
            buckets: Combo::all().map(|combo| combo.class().index() as u32).collect(),
            equities: preflop_equities(own),
            num_actions: 0,
        }
    }

    /// What the responder wins, in chips.
    fn play(mut self) -> Result<f64, LbrError> {
        loop {
            match self.hand.kind() {
                NodeKind::Decision(player) if player == self.seat => {
                    let action = self.best();
                    self.beliefs = self.after_bet(action);
                    self.hand = self.hand.act(action).expect("it is legal");
                    self.num_actions += 1;
                }
                NodeKind::Decision(_) => self.opponent_acts(),
                NodeKind::Chance => self.next_street()?,
                _ => break,
            }
        }
        let pays = |winner: Winner| self.hand.winnings(winner)[self.seat] as f64;
        if let Some(winner) = self.hand.winner_by_fold() {
            return Ok(pays(winner));
        }
        let (win, lose) = (pays(Winner::Player(self.seat)), pays(Winner::Player(self.seat.opponent())));
        Ok(lose + self.chance_to_win(&self.beliefs) * (win - lose))
    }

    fn next_street(&mut self) -> Result<(), LbrError> {
        self.hand = self.hand.deal().expect("a card comes");
        let count = self.hand.street().num_board_cards();
        self.board = Board::new(&self.deal.board.cards()[..count]).expect("a part of a board is one");
        for belief in &mut self.beliefs {
            if let Some(follower) = &mut belief.follower {
                follower.begin_street(self.hand.street());
            }
            for (weight, combo) in belief.weights.iter_mut().zip(Combo::all()) {
                if combo.cards().intersects(self.board.set()) {
                    *weight = 0.0;
                }
            }
        }
        if let Opponent::Blueprint(_, buckets) = self.opponent {
            self.buckets = buckets.of_board(&self.board)?;
        }
        self.equities = equities(self.deal.combos[self.seat], &self.board);
        Ok(())
    }

    /// The action that is worth most if nobody bets any more.
    fn best(&self) -> Action {
        let calm = passive(&self.hand);
        let (first, last) = self.options.streets;
        if !(first..=last).contains(&self.hand.street()) {
            return calm;
        }
        let legal = self.hand.legal_actions().expect("the responder acts");
        let (pot, asked) = (self.hand.pot().as_f64(), legal.to_call().as_f64());
        let chance = self.chance_to_win(&self.beliefs);
        let mut best = (chance * pot - (1.0 - chance) * asked, calm);
        if asked > 0.0 && best.0 <= 0.0 {
            best = (0.0, Action::Fold);
        }
        for action in self.bets() {
            let total = action.total().expect("it is a bet").as_f64();
            let adds = total - self.hand.street_total(self.seat).as_f64();
            let mut after = self.after_bet(action);
            let next = self.hand.act(action).expect("it is legal");
            let all = total_weight(&after);
            self.fold_out(&mut after, &next);
            let folds = 1.0 - total_weight(&after) / all;
            let chance = self.chance_to_win(&after);
            // What is won and lost counts from this decision on; the pot grows by what the opponent calls.
            let called = chance * (pot + adds - asked) - (1.0 - chance) * adds;
            let worth = if folds >= 1.0 { pot } else { folds * pot + (1.0 - folds) * called };
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }

    /// The bets of the menu.
    fn bets(&self) -> Vec<Action> {
        let (Some(legal), Some(point)) = (self.hand.legal_actions(), self.hand.bet_point()) else {
            return Vec::new();
        };
        let (LbrMenu::Fcpa, Some((least, all_in))) = (self.options.menu, legal.totals()) else {
            return Vec::new();
        };
        let pot = Chips::new(point.to_beat.count().saturating_add(point.pot_after_call.count()))
            .max(least)
            .min(all_in);
        let mut bets: Vec<Action> =
            [pot, all_in].into_iter().filter_map(|total| legal.to_total(total)).collect();
        bets.dedup();
        bets
    }

    /// What the opponent may think after an action of the responder.
    fn after_bet(&self, action: Action) -> Vec<Belief<'a>> {
        let mut after = Vec::with_capacity(self.beliefs.len());
        for belief in &self.beliefs {
            let meanings = match &belief.follower {
                Some(follower) => follower.meanings(&self.hand, action),
                None => Vec::new(),
            };
            if meanings.is_empty() {
                after.push(belief.clone());
            }
            for (place, chance) in meanings {
                let mut next = belief.clone();
                if let Some(follower) = &mut next.follower {
                    follower.take(place);
                }
                if chance < 1.0 {
                    next.weights.iter_mut().for_each(|weight| *weight *= chance);
                }
                after.push(next);
            }
        }
        after
    }

    /// Leaves of each combo what does not fold.
    fn fold_out(&self, beliefs: &mut [Belief<'a>], hand: &HandState) {
        for belief in beliefs {
            match (&belief.follower, self.opponent) {
                (Some(follower), _) => {
                    let Some(position) = follower.position(hand) else { continue };
                    let num_actions = position.actions().len();
                    let fold = (0..num_actions).find(|&place| follower.action(place, hand) == Action::Fold);
                    let Some(fold) = fold else { continue };
                    let stays = |bucket: u32| 1.0 - follower.frequency(fold, bucket);
                    scale(&mut belief.weights, &self.buckets, &stays);
                }
                (None, Opponent::Simple(simple)) => {
                    let stays = 1.0 - simple.shares(hand)[0];
                    belief.weights.iter_mut().for_each(|weight| *weight *= stays);
                }
                _ => {}
            }
        }
    }

    fn opponent_acts(&mut self) {
        let mut draw = Draw::new(self.options.seed, self.number, Purpose::Act, self.num_actions);
        self.num_actions += 1;
        let action = match self.opponent {
            Opponent::Simple(simple) => simple.act(&self.hand, &mut draw),
            Opponent::Blueprint(..) => self.blueprint_acts(&mut draw),
        };
        self.hand = self.hand.act(action).expect("it is legal");
    }

    /// The action of the opponent's cards, and what is known of its hand then.
    fn blueprint_acts(&mut self, draw: &mut Draw) -> Action {
        let combo = self.deal.combos[self.seat.opponent()].index();
        let all: f64 = self.beliefs.iter().map(|belief| belief.weights[combo]).sum();
        let chosen = draw.choose(self.beliefs.iter().map(|belief| belief.weights[combo] / all));
        let strategy = |belief: &Belief<'_>| {
            belief.follower.as_ref().and_then(|follower| follower.strategy(&self.hand, self.buckets[combo]))
        };
        let action = match strategy(&self.beliefs[chosen]) {
            Some(policy) => policy[draw.choose(policy.iter().map(|&(_, share)| share))].0,
            None => passive(&self.hand),
        };
        let mut after = Vec::with_capacity(self.beliefs.len());
        for belief in self.beliefs.drain(..) {
            let Some(follower) = belief.follower.as_ref() else { continue };
            let Some(position) = follower.position(&self.hand) else {
                if action == passive(&self.hand) {
                    after.push(belief);
                }
                continue;
            };
            for place in 0..position.actions().len() {
                if follower.action(place, &self.hand) != action {
                    continue;
                }
                let mut next = belief.clone();
                scale(&mut next.weights, &self.buckets, &|bucket| follower.frequency(place, bucket));
                if let Some(follower) = &mut next.follower {
                    follower.take(place);
                }
                if next.weights.iter().any(|&weight| weight > 0.0) {
                    after.push(next);
                }
            }
        }
        self.beliefs = after;
        action
    }

    /// How much of the pot the responder wins at the showdown, on average over the opponent's hands.
    fn chance_to_win(&self, beliefs: &[Belief<'_>]) -> f64 {
        let won: f64 = beliefs
            .iter()
            .map(|belief| {
                belief.weights.iter().zip(&self.equities).map(|(weight, equity)| weight * equity).sum::<f64>()
            })
            .sum();
        let all = total_weight(beliefs);
        if all > 0.0 { won / all } else { 0.5 }
    }
}

fn total_weight(beliefs: &[Belief<'_>]) -> f64 {
    beliefs.iter().map(|belief| belief.weights.iter().sum::<f64>()).sum()
}

/// Multiplies each weight by a number of its combo's bucket.
fn scale(weights: &mut [f64], buckets: &[u32], by: &dyn Fn(u32) -> f64) {
    let mut known: std::collections::HashMap<u32, f64> = std::collections::HashMap::new();
    for (weight, &bucket) in weights.iter_mut().zip(buckets).filter(|(weight, _)| **weight > 0.0) {
        *weight *= *known.entry(bucket).or_insert_with(|| by(bucket));
    }
}

/// Against each combo before the flop. Strategies know classes there, over whose combos this is the mean.
fn preflop_equities(own: Combo) -> Vec<f64> {
    let table = ClassTable::shipped();
    Combo::all().map(|combo| table.matchup(own.class(), combo.class()).equity()).collect()
}

/// Against each combo on a board of three cards or more; anything for blocked combos.
fn equities(own: Combo, board: &Board) -> Vec<f64> {
    let seen = own.cards() | board.set();
    let deck: Vec<Card> = CardSet::FULL.iter().filter(|&card| !seen.contains(card)).collect();
    let mut halves = [0_i32; Combo::COUNT];
    let mut strengths = BoardStrengths::default();
    let mut count = |cards: &[Card]| {
        let mut river: Vec<Card> = board.cards().to_vec();
        river.extend(cards);
        let river: [Card; 5] = river.try_into().expect("a board has five cards");
        strengths.fill(river);
        let numbers = strengths.numbers();
        let mine = numbers[own.index()];
        for (halves, &number) in halves.iter_mut().zip(numbers) {
            *halves += i32::from(number < mine) + i32::from(number <= mine);
        }
        // Combos that hold one of the cards have no strength there.
        for &card in cards {
            for other in CardSet::FULL.iter().filter(|&other| other != card) {
                if let Some(combo) = Combo::new(card, other)
                    && !(cards.contains(&other) && other < card)
                {
                    let number = numbers[combo.index()];
                    halves[combo.index()] -= i32::from(number < mine) + i32::from(number <= mine);
                }
            }
        }
    };
    let free = deck.len() as f64;
    let boards = match 5 - board.cards().len() {
        0 => {
            count(&[]);
            1.0
        }
        1 => {
            deck.iter().for_each(|&card| count(&[card]));
            free - 2.0
        }
        _ => {
            for (at, &turn) in deck.iter().enumerate() {
                deck[at + 1..].iter().for_each(|&river| count(&[turn, river]));
            }
            (free - 2.0) * (free - 3.0) / 2.0
        }
    };
    halves.iter().map(|&halves| f64::from(halves) / (2.0 * boards)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_equity::{Matchup, Method};

    #[test]
    fn equities_are_those_of_all_deals() {
        for (own, board) in [("AhKd", "Td9d6h"), ("7c7d", "Td9d6hQc"), ("AsQs", "Td9d6hQc2h")] {
            let (own, board): (Combo, Board) = (own.parse().unwrap(), board.parse().unwrap());
            let found = equities(own, &board);
            for other in ["QcQs", "8d7s", "AcKs", "JdJh", "5d4d"] {
                let other: Combo = other.parse().unwrap();
                if other.cards().intersects(own.cards() | board.set()) {
                    continue;
                }
                let seats = vec![own.to_string().parse().unwrap(), other.to_string().parse().unwrap()];
                let matchup = Matchup::new(seats, board, "".parse().unwrap()).unwrap();
                let options = equipoise_equity::Options { method: Method::Exact, ..Default::default() };
                let wanted = equipoise_equity::equity(&matchup, &options, &mut ()).unwrap().players[0].equity;
                assert!((found[other.index()] - wanted).abs() < 1e-9, "{own} {other} {board}");
            }
        }
    }

    fn measured(simple: Simple, menu: LbrMenu, streets: (Street, Street), hands: u64) -> Estimate {
        let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
        let options = LbrOptions { config, menu, streets, hands, seed: 1, threads: None };
        local_best_response(Opponent::Simple(simple), &options, &mut ()).unwrap().won
    }

    #[test]
    fn folders_lose_the_blinds() {
        let won = measured(Simple::FOLD, LbrMenu::Fcpa, (Street::Preflop, Street::River), 64);
        assert_eq!((won.mean, won.interval()), (750.0, [750.0; 2]));
    }

    /// Published at 200 big blinds: 34.0 ± .5 big blinds a hand on all streets, 49.0 ± .4 on turn and river, 50 on the river, and 0
    /// for a responder that only calls and folds. Hands are few here, so bounds are four standard errors.
    #[test]
    fn callers_lose_what_is_published() {
        let near = |menu: LbrMenu, first: Street, hands: u64, wanted: f64| {
            let won = measured(Simple::CALL, menu, (first, Street::River), hands);
            let off = (won.mean - wanted).abs();
            assert!(
                off < 4.0 * won.std_error() + 500.0,
                "{menu:?} {first}: {} {:?}",
                won.mean,
                won.interval()
            );
        };
        near(LbrMenu::Fcpa, Street::Preflop, 1_024, 34_000.0);
        near(LbrMenu::Fcpa, Street::Turn, 512, 49_000.0);
        near(LbrMenu::Fcpa, Street::River, 512, 50_000.0);
        near(LbrMenu::Fc, Street::Preflop, 512, 0.0);
    }

    #[test]
    fn threads_and_parts_change_nothing() {
        let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
        let streets = (Street::Turn, Street::River);
        let options = LbrOptions { config, menu: LbrMenu::Fcpa, streets, hands: 150, seed: 3, threads: None };
        let of = |threads: usize| {
            let options = LbrOptions { threads: NonZeroUsize::new(threads), ..options.clone() };
            local_best_response(Opponent::Simple(Simple::RANDOM), &options, &mut ()).unwrap().won
        };
        assert_eq!(of(1), of(3));
    }
}
