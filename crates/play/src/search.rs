//! A blueprint that re-solves what it comes to.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use equipoise_blueprint::resolve::{
    History, Mode, Nested, ResolveError, ResolveOptions, Resolved, ResolvedStrategy, resolve,
};
use equipoise_cards::{Board, Street};
use equipoise_game::{Action, HandState, Player};
use equipoise_progress::Observer;

use crate::agent::{Agent, AgentError, BlueprintAgent, BlueprintSeat, Decision, Seat, Taken, View, joined};
use crate::draw::{Draw, Purpose};
use crate::follow::Followed;

/// What is re-solved, and how long.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Search {
    /// The first street on which decisions are re-solved.
    pub from: Street,
    /// What the opponent may do where a subgame begins.
    pub mode: Mode,
    /// The time for a decision, set-up included; absent: as long as the iterations take.
    pub time: Option<Duration>,
    /// The most iterations of a re-solve.
    pub max_iterations: u32,
    /// How many threads a re-solve uses; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// The most bytes that a re-solve may take; a decision that takes more is played by the blueprint.
    pub memory_limit: Option<u64>,
}

/// What searching took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Decisions on streets that are re-solved.
    pub decisions: u64,
    /// Re-solves; a decision that an earlier one of its street has answered needs none.
    pub resolves: u64,
    /// Decisions that the blueprint took, since time or memory did not suffice.
    pub by_blueprint: u64,
    /// The time of all these decisions.
    pub total: Duration,
    /// The time of the slowest.
    pub longest: Duration,
}

impl SearchStats {
    /// The mean time of a decision in milliseconds; 0 if there were none.
    #[must_use]
    pub fn mean_ms(&self) -> f64 {
        1000.0 * self.total.as_secs_f64() / self.decisions.max(1) as f64
    }
}

/// A blueprint that re-solves every decision from a street on, to the end of the hand.
///
/// On a street that is re-solved, bets of the opponent are put into the tree as they are; on earlier ones they are taken for
/// their neighbours. The first re-solve of a hand begins with what the blueprint gives to the opponent's combos, each
/// later street with what the last re-solve gives them. With [`Search::time`] choices depend on the clock, otherwise on the
/// seed alone.
pub struct SearchAgent<'a> {
    base: BlueprintAgent<'a>,
    search: Search,
    stats: Mutex<SearchStats>,
    is_cancelled: IsCancelled<'a>,
}

/// Whether nobody waits for an answer any more, asked now and then.
pub type IsCancelled<'a> = &'a (dyn Fn() -> bool + Sync);

/// Work that nobody ends.
pub(crate) const NEVER: IsCancelled<'static> = &|| false;

/// Observes a re-solve for [`IsCancelled`].
pub(crate) struct Until<'a>(pub(crate) IsCancelled<'a>);

impl<P: ?Sized> Observer<P> for Until<'_> {
    fn is_cancelled(&self) -> bool {
        (self.0)()
    }
}

impl std::fmt::Debug for SearchAgent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SearchAgent { base, search, stats, .. } = self;
        f.debug_struct("SearchAgent")
            .field("base", base)
            .field("search", search)
            .field("stats", stats)
            .finish_non_exhaustive()
    }
}

impl<'a> SearchAgent<'a> {
    /// A player.
    #[must_use]
    pub fn new(base: BlueprintAgent<'a>, search: Search) -> SearchAgent<'a> {
        SearchAgent { base, search, stats: Mutex::default(), is_cancelled: NEVER }
    }

    /// A player whose decisions end with [`AgentError::Cancelled`] when this says so.
    #[must_use]
    pub const fn until(mut self, is_cancelled: IsCancelled<'a>) -> SearchAgent<'a> {
        self.is_cancelled = is_cancelled;
        self
    }

    /// Sits down again in a hand that was left.
    pub(crate) fn resume(&self, memory: SeatMemory) -> SearchSeat<'_> {
        let SeatMemory { followed, seen, last } = memory;
        SearchSeat { agent: self, blueprint: BlueprintSeat::resume(&self.base, followed, seen), last }
    }

    /// What searching has taken so far.
    #[must_use]
    pub fn stats(&self) -> SearchStats {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, SearchStats> {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Part of the time is left for what comes after the last iteration.
    fn options(&self) -> ResolveOptions {
        ResolveOptions {
            mode: self.search.mode,
            time: self.search.time.map(|time| time.mul_f64(0.85)),
            max_iterations: self.search.max_iterations,
            target_pct: if self.search.time.is_some() { 0.05 } else { 0.0 },
            threads: self.search.threads,
            memory_limit: self.search.memory_limit,
        }
    }
}

impl Agent for SearchAgent<'_> {
    fn name(&self) -> String {
        self.base.name.clone()
    }

    fn sit(&self, _: u64, _: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        Ok(Box::new(SearchSeat { agent: self, blueprint: BlueprintSeat::new(&self.base), last: None }))
    }
}

/// What a player knows in a hand between two of its decisions, without its blueprint.
#[derive(Debug, Default)]
pub(crate) struct SeatMemory {
    pub(crate) followed: Followed,
    pub(crate) seen: usize,
    pub(crate) last: Option<SolvedStreet>,
}

/// A street as it was re-solved.
#[derive(Debug)]
pub(crate) struct SolvedStreet {
    street: Street,
    resolved: Resolved,
    /// What the re-solve before knew of where it begins.
    nested: Option<Nested>,
}

pub(crate) struct SearchSeat<'a> {
    agent: &'a SearchAgent<'a>,
    blueprint: BlueprintSeat<'a>,
    last: Option<SolvedStreet>,
}

/// The hand where its street begins, and the actions since.
pub(crate) fn street_of(hand: &HandState, taken: &[Taken]) -> (HandState, Vec<Action>) {
    let here: Vec<&Taken> = taken.iter().filter(|taken| taken.before.street() == hand.street()).collect();
    let root = here.first().map_or(*hand, |first| first.before);
    (root, here.into_iter().map(|taken| taken.action).collect())
}

/// An action of a tree as the rules have it.
pub(crate) fn legal(hand: &HandState, action: Action) -> Action {
    let total = action.total().zip(hand.legal_actions());
    total.and_then(|(total, legal)| legal.to_total(total)).unwrap_or(action)
}

impl SearchSeat<'_> {
    /// Leaves a hand, to be resumed by a player with the same blueprint.
    pub(crate) fn leave(self) -> SeatMemory {
        let (followed, seen) = self.blueprint.leave();
        SeatMemory { followed, seen, last: self.last }
    }

    /// What the last street's re-solve knows of where this one begins.
    fn nested(&self, view: &View<'_>) -> Option<Nested> {
        let last = self.last.as_ref()?;
        if last.street == view.hand.street() {
            return last.nested.clone();
        }
        let is_next = last.street as usize + 1 == view.hand.street() as usize;
        let card = view.board.cards().last().copied().filter(|_| is_next)?;
        let before = view.taken.iter().filter(|taken| taken.before.street() == last.street);
        let actions: Vec<Action> = before.map(|taken| taken.action).collect();
        last.resolved.next(&actions, card)
    }

    fn solve(&mut self, view: &View<'_>) -> Result<ResolvedStrategy, ResolveError> {
        let street = view.hand.street();
        let (root, actions) = street_of(&view.hand, view.taken);
        let answered = self.last.as_ref().filter(|last| last.street == street);
        if let Some(strategy) = answered.and_then(|last| last.resolved.at(&actions)) {
            return Ok(strategy);
        }
        let begun = Instant::now();
        let nested = self.nested(view);
        let board = Board::new(&view.board.cards()[..street.num_board_cards()]);
        let board = board.expect("a part of a board is one");
        let line = self.blueprint.follower.street_line(board).ok_or(ResolveError::Tree { street })?;
        let history = History { line, hand: root, actions, offered: None, held: Some(view.combo) };
        let mut options = self.agent.options();
        options.time = options.time.map(|time| time.saturating_sub(begun.elapsed()));
        let BlueprintAgent { blueprint, buckets, .. } = self.agent.base;
        let mut until = Until(self.agent.is_cancelled);
        let resolved = resolve(blueprint, buckets, &history, nested.as_ref(), &options, &mut until)?;
        if (self.agent.is_cancelled)() {
            return Err(ResolveError::Cancelled);
        }
        self.agent.lock().resolves += 1;
        let strategy = resolved.strategy.clone();
        self.last = Some(SolvedStreet { street, resolved, nested });
        Ok(strategy)
    }

    fn search(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        let strategy = match self.solve(view) {
            Ok(strategy) => Some(strategy),
            Err(error) if error.is_too_large() => None,
            Err(error) => return Err(error.into()),
        };
        let policy: Vec<(Action, f64)> = strategy
            .map(|strategy| {
                let frequencies = strategy.frequencies[view.combo.index()].iter().copied();
                let actions = strategy.actions.iter().map(|&action| legal(&view.hand, action));
                actions.zip(frequencies).collect()
            })
            .unwrap_or_default();
        if policy.iter().map(|(_, share)| share).sum::<f64>() <= 0.0 {
            self.agent.lock().by_blueprint += 1;
            return self.blueprint.act(view);
        }
        let mut draw = Draw::new(self.agent.base.seed, view.number, Purpose::Act, view.taken.len() as u64);
        let place = draw.choose(policy.iter().map(|&(_, share)| share));
        Ok(Decision { action: policy[place].0, policy: Some(joined(policy)) })
    }
}

impl Seat for SearchSeat<'_> {
    fn act(&mut self, view: &View<'_>) -> Result<Decision, AgentError> {
        if view.hand.street() < self.agent.search.from {
            return self.blueprint.act(view);
        }
        let begun = Instant::now();
        self.blueprint.catch_up(view);
        let decision = self.search(view)?;
        let took = begun.elapsed();
        let mut stats = self.agent.lock();
        stats.decisions += 1;
        stats.total += took;
        stats.longest = stats.longest.max(took);
        Ok(decision)
    }
}
