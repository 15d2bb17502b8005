//! Matches of two players with duplicate deals.

use std::num::NonZeroUsize;

use equipoise_game::{HandConfig, PerPlayer, Player};
use equipoise_progress::{Cancelled, Observer, Progress};
use rayon::prelude::*;

use crate::agent::{Agent, AgentError};
use crate::aivat::ValueModel;
use crate::draw::Deal;
use crate::hand::{PlayedHand, play_hand};

/// A mean of observations and how sure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// How many observations there were.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
}

impl Estimate {
    /// Takes an observation.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    /// The standard error of the mean; infinite for fewer than two observations.
    #[must_use]
    pub fn std_error(&self) -> f64 {
        match self.count {
            0 | 1 => f64::INFINITY,
            count => (self.squares / (count - 1) as f64 / count as f64).sqrt(),
        }
    }

    /// The 95 % interval.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        let half = 1.96 * self.std_error();
        [self.mean - half, self.mean + half]
    }
}

/// How a match is played.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct MatchOptions<'a> {
    /// Blinds and stacks.
    pub config: HandConfig,
    /// Pairs of hands: the same cards twice, the second time with the seats swapped.
    pub pairs: u64,
    /// What determines the cards.
    pub seed: u64,
    /// Threads; all if it is not said. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// The value function of AIVAT.
    pub model: ValueModel<'a>,
}

/// What came of a match.
#[derive(Debug)]
#[non_exhaustive]
pub struct MatchOutcome {
    /// Hands of whole pairs that count.
    pub hands: u64,
    /// What the first won in thousandths of a big blind a hand; an observation is a pair.
    pub raw: Estimate,
    /// The same by AIVAT.
    pub aivat: Estimate,
    /// Why it ended before its time, if a player could not go on.
    pub failed: Option<AgentError>,
    /// Whether the observer ended it.
    pub interrupted: bool,
}

/// Pairs that are played before their hands are logged.
const CHUNK: u64 = 64;

/// The hands of a pair, the first player first in position and then out of position.
type Pair = Result<[PlayedHand; 2], Stop>;

enum Stop {
    Failed(AgentError, Vec<PlayedHand>),
    Cancelled,
}

/// The seats of the first player in the hands of a pair.
const SEATS: [Player; 2] = [Player::Ip, Player::Oop];

/// Plays a match. Every hand is given to `log` in order with the seat of the first player, and what was played before a player could not go on counts as far as
/// pairs are whole.
///
/// # Errors
/// What `log` says.
pub fn play_match<E>(
    agents: [&dyn Agent; 2],
    options: &MatchOptions<'_>,
    observer: &mut dyn Observer,
    log: &mut dyn FnMut(&PlayedHand, Player) -> Result<(), E>,
) -> Result<MatchOutcome, E> {
    let mut outcome = MatchOutcome {
        hands: 0,
        raw: Estimate::default(),
        aivat: Estimate::default(),
        failed: None,
        interrupted: false,
    };
    let progress = Progress::new(observer, options.pairs.max(1));
    let is_sequential = agents.iter().any(Agent::is_sequential);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, NonZeroUsize::get))
        .build()
        .ok()
        .filter(|_| !is_sequential);
    let unit = 1000.0 / options.config.big_blind.as_f64();
    let chunk = if is_sequential { 1 } else { CHUNK };
    let mut pair = 0;
    'all: while pair < options.pairs {
        let numbers = pair..(pair + chunk).min(options.pairs);
        pair = numbers.end;
        let one = |number: u64| play_pair(agents, options, number, &progress);
        let played: Vec<Pair> = match &pool {
            Some(pool) => pool.install(|| numbers.into_par_iter().map(one).collect()),
            None => numbers.map(one).collect(),
        };
        for pair in played {
            match pair {
                Ok(hands) => {
                    for (hand, first) in hands.iter().zip(SEATS) {
                        log(hand, first)?;
                    }
                    let [ip, oop] = &hands;
                    let raw = oop.winnings[Player::Oop] + ip.winnings[Player::Ip];
                    outcome.hands += 2;
                    outcome.raw.add(unit * raw as f64 / 2.0);
                    outcome.aivat.add(unit * (oop.aivat - ip.aivat) / 2.0);
                }
                Err(Stop::Failed(error, hands)) => {
                    for (hand, first) in hands.iter().zip(SEATS) {
                        log(hand, first)?;
                    }
                    outcome.failed = Some(error);
                    break 'all;
                }
                Err(Stop::Cancelled) => {
                    outcome.interrupted = true;
                    break 'all;
                }
            }
        }
        if progress.is_cancelled() && pair < options.pairs {
            outcome.interrupted = true;
            break;
        }
    }
    Ok(outcome)
}

fn play_pair(
    agents: [&dyn Agent; 2],
    options: &MatchOptions<'_>,
    number: u64,
    progress: &Progress<'_>,
) -> Pair {
    if progress.is_cancelled() {
        return Err(Stop::Cancelled);
    }
    let deal = Deal::drawn(options.seed, number);
    let [first, second] = agents;
    let play = |seats: PerPlayer<&dyn Agent>, deal: Deal, number: u64| {
        play_hand(&options.config, &seats, deal, number, &options.model)
    };
    let ip = play(PerPlayer::new(second, first), deal, 2 * number)
        .map_err(|error| Stop::Failed(error, Vec::new()))?;
    let oop = match play(PerPlayer::new(first, second), deal, 2 * number + 1) {
        Ok(hand) => hand,
        Err(error) => return Err(Stop::Failed(error, vec![ip])),
    };
    // A pair that was played counts, whether or not more are wanted.
    let _: Result<(), Cancelled> = progress.advance(1);
    Ok([ip, oop])
}
