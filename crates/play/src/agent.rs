//! Players of a match.

use std::time::Duration;

use equipoise_blueprint::bucketed::BucketedError;
use equipoise_blueprint::resolve::ResolveError;
use equipoise_blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise_cards::{Board, Combo};
use equipoise_game::{Action, Chips, HandState, IllegalAction, PerPlayer, Player};
use thiserror::Error;

use crate::draw::{Draw, Purpose};
use crate::follow::{Followed, Follower, passive};

/// An action that was taken, and the hand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Taken {
    /// The hand before.
    pub before: HandState,
    /// What the player to act did.
    pub action: Action,
}

/// What a player sees when it is asked to act.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct View<'a> {
    /// The number of the hand in the match.
    pub number: u64,
    /// The seat.
    pub seat: Player,
    /// The private cards.
    pub combo: Combo,
    /// The public cards.
    pub board: Board,
    /// The betting.
    pub hand: HandState,
    /// What was done before.
    pub taken: &'a [Taken],
}

/// A hand that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct HandEnd<'a> {
    /// The number of the hand in the match.
    pub number: u64,
    /// How the betting ended.
    pub hand: HandState,
    /// What was done.
    pub taken: &'a [Taken],
    /// The private cards of both.
    pub combos: PerPlayer<Combo>,
    /// The public cards as far as they came.
    pub board: Board,
    /// What each won, in chips.
    pub winnings: PerPlayer<i64>,
}

/// An action, and how likely the player was to take each one, if that is known.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Decision {
    /// What is done.
    pub action: Action,
    /// What could have been done, with probabilities that add up to one.
    pub policy: Option<Vec<(Action, f64)>>,
}

impl Decision {
    /// An action, and nothing known about others.
    #[must_use]
    pub const fn of(action: Action) -> Decision {
        Decision { action, policy: None }
    }
}

/// Why a player cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The connection failed.
    #[error("{name}: {reason}")]
    Connection {
        /// Who.
        name: String,
        /// How.
        reason: String,
    },
    /// No answer in time.
    #[error("{name} did not answer within {} s", limit.as_secs_f64())]
    TimedOut {
        /// Who.
        name: String,
        /// How long was waited.
        limit: Duration,
    },
    /// An answer that is none.
    #[error("{name} sent '{text}': {reason}")]
    Nonsense {
        /// Who.
        name: String,
        /// What was sent, shortened.
        text: String,
        /// Why it is no answer.
        reason: String,
    },
    /// An action that is not legal.
    #[error("{name}: {error}")]
    Illegal {
        /// Who.
        name: String,
        /// What is not legal.
        error: IllegalAction,
    },
    /// Buckets that cannot be read.
    #[error(transparent)]
    Buckets(#[from] BucketedError),
    /// A decision that cannot be solved again.
    #[error("a decision cannot be re-solved: {0}")]
    Resolve(ResolveError),
    /// Whoever waited for the decision has gone.
    #[error("cancelled")]
    Cancelled,
}

impl From<ResolveError> for AgentError {
    fn from(error: ResolveError) -> AgentError {
        match error {
            ResolveError::Buckets(error) => error.into(),
            ResolveError::Cancelled => AgentError::Cancelled,
            error => AgentError::Resolve(error),
        }
    }
}

/// Someone who plays hands.
pub trait Agent: Sync {
    /// A short name.
    fn name(&self) -> String;

    /// Takes a seat for one hand.
    ///
    /// # Errors
    /// [`AgentError`] if the player is gone.
    fn sit(&self, number: u64, seat: Player) -> Result<Box<dyn Seat + '_>, AgentError>;

    /// Whether hands must be played one after another.
    fn is_sequential(&self) -> bool {
        false
    }
}

impl<A: Agent + ?Sized> Agent for &A {
    fn name(&self) -> String {
        (**self).name()
    }

    fn sit(&self, number: u64, seat: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        (**self).sit(number, seat)
    }

    fn is_sequential(&self) -> bool {
        (**self).is_sequential()
    }
}

/// A player in one hand.
pub trait Seat {
    /// Acts.
    ///
    /// # Errors
    /// [`AgentError`] if the player is gone or answers with nonsense.
    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError>;

    /// Is shown the hand while the other player acts.
    ///
    /// # Errors
    /// [`AgentError`] if the player is gone.
    fn sees(&mut self, _view: &View<'_>) -> Result<(), AgentError> {
        Ok(())
    }

    /// Is told how the hand ended.
    ///
    /// # Errors
    /// [`AgentError`] if the player is gone.
    fn over(&mut self, _seat: Player, _end: &HandEnd<'_>) -> Result<(), AgentError> {
        Ok(())
    }
}

/// A player that needs no cards: how often it folds, checks or calls, and bets or raises, in proportion where each is legal.
///
/// It never folds where nothing is to be called, and raises to any legal total, all equally likely.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Simple {
    /// A short name.
    pub name: &'static str,
    weights: [f64; 3],
}

impl Simple {
    /// Checks and calls.
    pub const CALL: Simple = Simple { name: "call", weights: [0.0, 1.0, 0.0] };
    /// Checks, and folds to any bet.
    pub const FOLD: Simple = Simple { name: "fold", weights: [1.0, 0.0, 0.0] };
    /// Folds, calls and raises equally often.
    pub const RANDOM: Simple = Simple { name: "random", weights: [1.0, 1.0, 1.0] };
    /// Calls half of the time and raises half of the time.
    pub const CALL_OR_RAISE: Simple = Simple { name: "call-or-raise", weights: [0.0, 1.0, 1.0] };

    /// How often it folds, checks or calls, and bets or raises; adds up to one.
    #[must_use]
    pub fn shares(self, hand: &HandState) -> [f64; 3] {
        const CHECK: [f64; 3] = [0.0, 1.0, 0.0];
        let Some(legal) = hand.legal_actions() else { return CHECK };
        let is_legal = [legal.to_call() > Chips::ZERO, true, legal.totals().is_some()];
        let weight = |kind: usize| if is_legal[kind] { self.weights[kind] } else { 0.0 };
        let weights = [weight(0), weight(1), weight(2)];
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 { weights.map(|weight| weight / sum) } else { CHECK }
    }

    /// An action.
    pub(crate) fn act(self, hand: &HandState, draw: &mut Draw) -> Action {
        let shares = self.shares(hand);
        match draw.choose(shares.into_iter()) {
            0 => Action::Fold,
            1 => passive(hand),
            _ => {
                let legal = hand.legal_actions().expect("somebody acts");
                let (least, all_in) = legal.totals().expect("a raise is legal");
                let more = draw.below(u64::from(all_in.count() - least.count()) + 1) as u32;
                legal.to_total(Chips::new(least.count() + more)).expect("it is between the bounds")
            }
        }
    }
}

/// A [`Simple`] player, and what determines its choices.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct SimpleAgent {
    /// How it plays.
    pub kind: Simple,
    /// What determines its choices.
    pub seed: u64,
}

impl Agent for SimpleAgent {
    fn name(&self) -> String {
        self.kind.name.to_owned()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        Ok(Box::new(*self))
    }
}

impl Seat for SimpleAgent {
    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        let mut draw = Draw::new(self.seed, view.number, Purpose::Act, view.taken.len() as u64);
        let action = self.kind.act(&view.hand, &mut draw);
        // One that may raise has thousands of actions; those that cannot are corrected.
        let shares = self.kind.shares(&view.hand);
        let policy = (shares[2] == 0.0).then(|| {
            let both = [(Action::Fold, shares[0]), (passive(&view.hand), shares[1])];
            both.into_iter().filter(|&(_, share)| share > 0.0).collect()
        });
        Ok(Decision { action, policy })
    }
}

/// A blueprint that plays by its own strategy.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // Callers put it together.
pub struct BlueprintAgent<'a> {
    /// A short name.
    pub name: String,
    /// The strategy.
    pub blueprint: &'a Blueprint,
    /// What it sees of the cards.
    pub buckets: &'a BlueprintBuckets,
    /// What determines its choices.
    pub seed: u64,
}

impl Agent for BlueprintAgent<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        Ok(Box::new(BlueprintSeat::new(self)))
    }
}

pub(crate) struct BlueprintSeat<'a> {
    pub(crate) agent: &'a BlueprintAgent<'a>,
    pub(crate) follower: Follower<'a>,
    /// How many actions the follower has seen.
    seen: usize,
}

impl<'a> BlueprintSeat<'a> {
    pub(crate) fn new(agent: &'a BlueprintAgent<'a>) -> BlueprintSeat<'a> {
        BlueprintSeat { agent, follower: Follower::new(agent.blueprint), seen: 0 }
    }

    /// Sits down again in a hand that was left.
    pub(crate) fn resume(
        agent: &'a BlueprintAgent<'a>,
        followed: Followed,
        seen: usize,
    ) -> BlueprintSeat<'a> {
        BlueprintSeat { agent, follower: Follower::resume(agent.blueprint, followed), seen }
    }

    /// Leaves a hand: where the blueprint is in it, and how many actions it has seen.
    pub(crate) fn leave(self) -> (Followed, usize) {
        (self.follower.leave(), self.seen)
    }

    /// Follows what was done since the last decision. Actions of the blueprint were followed when they were chosen.
    pub(crate) fn catch_up(&mut self, view: &View<'_>) {
        for (number, taken) in view.taken.iter().enumerate().skip(self.seen) {
            self.follower.begin_street(taken.before.street());
            let meanings = self.follower.meanings(&taken.before, taken.action);
            if !meanings.is_empty() {
                let mut draw = Draw::new(self.agent.seed, view.number, Purpose::Translate, number as u64);
                let chosen = draw.choose(meanings.iter().map(|&(_, chance)| chance));
                self.follower.take(meanings[chosen].0);
            }
        }
        self.seen = view.taken.len();
        self.follower.begin_street(view.hand.street());
    }
}

impl Seat for BlueprintSeat<'_> {
    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        self.catch_up(view);
        let mut draw = Draw::new(self.agent.seed, view.number, Purpose::Act, view.taken.len() as u64);
        let bucket = self.agent.buckets.bucket(view.combo, &view.board)?;
        let Some(policy) = self.follower.strategy(&view.hand, bucket) else {
            let action = passive(&view.hand);
            return Ok(Decision { action, policy: Some(vec![(action, 1.0)]) });
        };
        let place = draw.choose(policy.iter().map(|&(_, frequency)| frequency));
        let action = policy[place].0;
        self.follower.take(place);
        self.seen += 1;
        Ok(Decision { action, policy: Some(joined(policy)) })
    }
}

/// Equal actions as one: in a hand that has come apart from the blueprint's, two sizes may become the same.
pub(crate) fn joined(policy: Vec<(Action, f64)>) -> Vec<(Action, f64)> {
    let mut joined: Vec<(Action, f64)> = Vec::with_capacity(policy.len());
    for (action, frequency) in policy {
        match joined.iter_mut().find(|(other, _)| *other == action) {
            Some((_, sum)) => *sum += frequency,
            None => joined.push((action, frequency)),
        }
    }
    joined
}
