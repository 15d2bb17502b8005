//! Re-solving of a decision of a whole hand: exact subgame solving from the first decision of its street to the end.
//!
//! The hero's reach and what the opponent's combos are worth come from a [`Blueprint`], or from what was solved on the
//! street before ([`Resolved::next`]); so re-solves are nested. Bets that the blueprint does not have are put into the
//! tree. Before the flop the blueprint's own strategy is played; raises that it lacks are put into its betting, which is then
//! solved against values of its flop entries.
//!
//! What a combo of the opponent can have instead of coming into the subgame depends on the [`Mode`]. By default it is its value
//! when both play the blueprint.

mod history;
mod measure;
mod preflop;
mod rivers;
mod rollout;
mod spot;
mod tree;

use std::cell::RefCell;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise_cards::{Board, Card, Combo, Range, Street};
use equipoise_game::{Action, IllegalAction, NodeId, NodeKind, PerPlayer, Player, Tree};
use equipoise_postflop::{
    Continuation, NodeView, Opponent, Options, SolveError, Solver, Spot, SpotError, SubgameCheck,
    SubgameError, SubgameProgress, SubgameSolver,
};
use equipoise_progress::Observer;
use thiserror::Error;

use crate::bucketed::{BucketedError, Buckets};
use crate::resolve::tree::StreetTree;
use crate::whole::{Blueprint, Position};

pub use history::{History, HistoryError};
pub use measure::{TurnExploitability, random_turns, turn_exploitability};
pub use preflop::{EntryOptions, FlopEntries, PreflopOptions, ResolvedPreflop, has_preflop, resolve_preflop};
pub use rivers::{ResolvedRivers, resolve_rivers};
pub use rollout::{ActionValues, RolloutOptions, action_values};
pub use spot::street_spot;

/// What the opponent may do at the root of the subgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Each combo follows or terminates for its value in self-play, or in the last re-solve.
    #[default]
    Estimate,
    /// Each combo follows or terminates for its best-response value against the blueprint.
    Resolve,
    /// The hero maximises the least margin below the best-response values.
    MaxMargin,
    /// The opponent enters with its range in the blueprint: the strategy may be far more exploitable than the blueprint.
    Unsafe,
}

impl Mode {
    /// All of them, the default first.
    pub const ALL: [Mode; 4] = [Mode::Estimate, Mode::Resolve, Mode::MaxMargin, Mode::Unsafe];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Estimate => "estimate",
            Mode::Resolve => "resolve",
            Mode::MaxMargin => "maxmargin",
            Mode::Unsafe => "unsafe",
        }
    }
}

/// Options of a re-solve.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ResolveOptions {
    /// What the opponent may do.
    pub mode: Mode,
    /// Stop after this time, set-up included; absent: when the iterations are done. Iterations are whole, so it is
    /// exceeded by at most five of them.
    pub time: Option<Duration>,
    /// Stop after this many iterations.
    pub max_iterations: u32,
    /// Stop at this exploitability of the subgame, in percent of the pot where the street begins.
    pub target_pct: f64,
    /// How many threads work; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// The most bytes that the solver may take; absent: as many as it needs.
    pub memory_limit: Option<u64>,
}

impl Default for ResolveOptions {
    fn default() -> ResolveOptions {
        ResolveOptions {
            mode: Mode::default(),
            time: None,
            max_iterations: 1000,
            target_pct: 0.1,
            threads: None,
            memory_limit: None,
        }
    }
}

/// The least weight of [`History::held`], as a share of the largest.
const HELD: f64 = 1e-4;

/// Both players at the root of the next re-solve, from the last one.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Nested {
    /// Whose strategy was solved.
    pub hero: Player,
    /// Its reach by combo number.
    pub reach: Vec<f64>,
    /// What the opponent's combos are worth, by combo number: chips times the hero's reach.
    pub values: Vec<f64>,
    /// The opponent's reach in the last solution, by combo number.
    pub opponent_reach: Vec<f64>,
}

/// Why a decision cannot be re-solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// Nobody acts, or the other player does.
    #[error("nobody acts there: give a line that ends where somebody decides")]
    NobodyActs,
    /// An action that the rules do not allow.
    #[error("the actions of the {street}: {source}")]
    Action {
        /// The street.
        street: Street,
        /// What is wrong.
        source: IllegalAction,
    },
    /// Buckets cannot be read.
    #[error(transparent)]
    Buckets(#[from] BucketedError),
    /// The subgame cannot be solved.
    #[error(transparent)]
    Subgame(#[from] SubgameError),
    /// There is no such spot.
    #[error(transparent)]
    Spot(#[from] SpotError),
    /// The observer ended the work.
    #[error("cancelled")]
    Cancelled,
    /// The time was over before the first iteration.
    #[error("the time was over before the subgame could be set up: give it more seconds")]
    OutOfTime,
    /// A betting tree without the actions of the hand.
    #[error(
        "the betting tree of the {street} lacks the line that was played: this is a mistake of the program"
    )]
    Tree {
        /// The street.
        street: Street,
    },
}

impl ResolveError {
    /// Whether time or memory did not suffice, or the street has no spot that can be solved: whoever has to act plays something
    /// else. What is wrong otherwise is a mistake.
    #[must_use]
    pub const fn is_too_large(&self) -> bool {
        matches!(
            self,
            ResolveError::OutOfTime
                | ResolveError::Subgame(SubgameError::Solve(SolveError::Memory { .. }))
                | ResolveError::Spot(_)
        )
    }
}

/// A strategy for every combo of the hero.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResolvedStrategy {
    /// What can be done, bets that were added included.
    pub actions: Vec<Action>,
    /// By combo number: how often the hero's own actions lead here; 0 if the board blocks the combo.
    pub reach: Vec<f64>,
    /// By combo number: how often each action is taken; empty for combos that do not come here.
    pub frequencies: Vec<Vec<f64>>,
}

/// A re-solved decision.
#[derive(Debug)]
#[non_exhaustive]
pub struct Resolved {
    /// How; `None` before the flop.
    pub mode: Option<Mode>,
    /// Who acts.
    pub hero: Player,
    /// The strategy for every combo of the hero.
    pub strategy: ResolvedStrategy,
    /// How far the subgame is from being solved, and its margins.
    pub check: Option<SubgameCheck>,
    /// How many iterations were run.
    pub iterations: u32,
    /// The time of set-up and iterations.
    pub elapsed: Duration,
    /// Bytes that the solver took.
    pub memory_bytes: usize,
    /// Whether the hero's reach in the blueprint is 0, so that its range is uniform.
    pub is_off_path: bool,
    /// Whether the time was over before the target or the last iteration.
    pub is_out_of_time: bool,
    /// Before the flop, after raises that the blueprint lacks: how its betting was re-solved with them.
    pub inserted: Option<ResolvedPreflop>,
    solved: Option<Solved>,
}

#[derive(Debug)]
struct Solved {
    subgame: SubgameSolver,
    /// The actions of the street before the decision.
    actions: Vec<Action>,
}

impl Resolved {
    /// Where the next street begins after these actions of this street, counted from its beginning, and this card; `None`
    /// before the flop, or if the solved tree does not have them.
    #[must_use]
    pub fn next(&self, actions: &[Action], card: Card) -> Option<Nested> {
        let Solved { subgame, .. } = self.solved.as_ref()?;
        let tree = subgame.spot().tree();
        let at = find(tree, actions)?;
        let start = tree.node(at).children().next().filter(|_| tree.node(at).kind() == NodeKind::Chance)?;
        let Continuation { reach, values, opponent_reach, .. } = subgame.continuation(start, &[card]).ok()?;
        Some(Nested { hero: self.hero, reach, values, opponent_reach })
    }

    /// The strategy at another decision of the same street in the same solution: for the hero's next decision on it.
    #[must_use]
    pub fn at(&self, actions: &[Action]) -> Option<ResolvedStrategy> {
        let Solved { subgame, .. } = self.solved.as_ref()?;
        let node = find(subgame.spot().tree(), actions)?;
        strategy_at(subgame, node)
    }

    /// The decision after these actions of the street with what each action is worth, both players coming with the ranges that
    /// the subgame was solved for; `None` before the flop, and for modes other than [`Mode::Unsafe`], in which the opponent has
    /// no range.
    #[must_use]
    pub fn view(&mut self, actions: &[Action]) -> Option<NodeView> {
        let Solved { subgame, .. } = self.solved.as_mut().filter(|_| self.mode == Some(Mode::Unsafe))?;
        let node = find(subgame.spot().tree(), actions)?;
        subgame.view(node, &[]).ok()
    }

    /// The actions of the street before the decision.
    #[must_use]
    pub fn actions_before(&self) -> &[Action] {
        self.solved.as_ref().map_or(&[], |solved| &solved.actions)
    }
}

/// Re-solves the decision at the end of a history, for the player who acts. `nested` has reaches and values from the last
/// re-solve of this hand ([`Resolved::next`]); without it they are the blueprint's.
///
/// # Errors
/// [`ResolveError`] says what is wrong.
pub fn resolve(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    history: &History<'_>,
    nested: Option<&Nested>,
    options: &ResolveOptions,
    observer: &mut dyn Observer<SubgameProgress>,
) -> Result<Resolved, ResolveError> {
    let start = Instant::now();
    let street = history.hand.street();
    let mut hand = history.hand;
    for &action in &history.actions {
        hand = hand.act(action).map_err(|source| ResolveError::Action { street, source })?;
    }
    let hero = hand.to_act().ok_or(ResolveError::NobodyActs)?;
    if street == Street::Preflop {
        if has_preflop(blueprint, &history.actions) {
            return of_blueprint(blueprint, buckets, history, hero, start);
        }
        let measured = EntryOptions { threads: options.threads, ..EntryOptions::default() };
        let entries = FlopEntries::measure(blueprint, buckets, &measured, &mut ())?;
        return of_preflop(blueprint, &entries, history, start);
    }
    let nested = nested.filter(|nested| nested.hero == hero);
    let mut reaches = history.line.reaches(blueprint, buckets)?;
    if let Some(nested) = nested {
        reaches[hero].clone_from(&nested.reach);
        reaches[hero.opponent()].clone_from(&nested.opponent_reach);
    }
    let board = history.line.board;
    let is_off_path = uniform_where_nobody_comes(&mut reaches, board)[hero];
    if let Some(held) = history.held.filter(|held| !held.cards().intersects(board.set())) {
        let reach = &mut reaches[hero];
        let largest = reach.iter().copied().fold(0.0, f64::max);
        reach[held.index()] = reach[held.index()].max(HELD * largest);
    }
    let end = End { deadline: options.time.map(|time| start + time), observer: &*observer };
    let opponent = match (options.mode, nested) {
        (Mode::Unsafe, _) => Opponent::Range,
        (mode, nested) => {
            let values = match nested {
                Some(nested) => nested.values.clone(),
                None => values(blueprint, buckets, history, hero, &reaches[hero], options, &end)?,
            };
            // Hands that were played for other pots.
            let pots =
                [history.hand.pot(), history.line.position.hand().pot()].map(equipoise_game::Chips::as_f64);
            let scale = if nested.is_some() || !history.is_followed() { 1.0 } else { pots[0] / pots[1] };
            let values = values.into_iter().map(|value| value * scale).collect();
            if mode == Mode::MaxMargin { Opponent::MaxMargin(values) } else { Opponent::Alternatives(values) }
        }
    };
    let asked: Vec<Action> = history.actions.iter().copied().chain(history.offered).collect();
    let played = StreetTree::new(&history.hand, &blueprint.header().game.betting, &asked)?;
    let ranges = ranges(board, hero, &reaches, options.mode != Mode::Unsafe);
    let spot = Spot::new(ranges, board, &played.config)?;
    let node = find(spot.tree(), &history.actions).ok_or(ResolveError::Tree { street })?;
    let solver_options = Options {
        target_pct: options.target_pct,
        max_iterations: options.max_iterations,
        threads: options.threads,
        memory_limit: options.memory_limit,
        ..Options::default()
    };
    end.check()?;
    let mut subgame = SubgameSolver::new(spot, hero, opponent, &solver_options)?;
    end.check()?;
    let mut is_out_of_time = false;
    subgame.run(&mut |progress: &SubgameProgress| {
        is_out_of_time = options.time.is_some_and(|time| start.elapsed() >= time);
        if is_out_of_time { ControlFlow::Break(()) } else { observer.progress(progress) }
    });
    let check = subgame.check();
    let strategy = strategy_at(&subgame, node).ok_or(ResolveError::Tree { street })?;
    Ok(Resolved {
        mode: Some(options.mode),
        hero,
        strategy,
        check: Some(check),
        iterations: subgame.iterations(),
        elapsed: start.elapsed(),
        memory_bytes: subgame.memory_bytes(),
        is_off_path,
        is_out_of_time,
        inserted: None,
        solved: Some(Solved { subgame, actions: history.actions.clone() }),
    })
}

/// The blueprint's own strategy.
fn of_blueprint(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    history: &History<'_>,
    hero: Player,
    start: Instant,
) -> Result<Resolved, ResolveError> {
    let mut line = history.line.clone();
    for &action in &history.actions {
        let place = line.position.actions().iter().position(|&other| other == action);
        let next = place.and_then(|place| line.after(blueprint, place));
        line = next.ok_or(ResolveError::NobodyActs)?;
    }
    let found = line.strategies(blueprint, buckets)?.ok_or(ResolveError::NobodyActs)?;
    let strategy = ResolvedStrategy {
        actions: line.position.actions(),
        reach: found.reach,
        frequencies: found.frequencies,
    };
    Ok(Resolved {
        mode: None,
        hero,
        strategy,
        check: None,
        iterations: 0,
        elapsed: start.elapsed(),
        memory_bytes: 0,
        is_off_path: false,
        is_out_of_time: false,
        inserted: None,
        solved: None,
    })
}

/// The blueprint's betting before the flop with raises that it lacks.
fn of_preflop(
    blueprint: &Blueprint,
    entries: &FlopEntries,
    history: &History<'_>,
    start: Instant,
) -> Result<Resolved, ResolveError> {
    let options = PreflopOptions::default();
    let found = resolve_preflop(blueprint, entries, &history.actions, history.offered, &options)?;
    let class = |combo: Combo| combo.class().index();
    let strategy = ResolvedStrategy {
        actions: found.actions.clone(),
        reach: Combo::all().map(|combo| found.reach[class(combo)]).collect(),
        frequencies: Combo::all().map(|combo| found.frequencies[class(combo)].clone()).collect(),
    };
    Ok(Resolved {
        mode: None,
        hero: found.hero,
        strategy,
        check: None,
        iterations: found.iterations,
        elapsed: start.elapsed(),
        memory_bytes: 0,
        is_off_path: false,
        is_out_of_time: false,
        inserted: Some(found),
        solved: None,
    })
}

/// What ends the set-up of a re-solve before it is done.
#[derive(Clone, Copy)]
struct End<'o> {
    deadline: Option<Instant>,
    observer: &'o dyn Observer<SubgameProgress>,
}

impl End<'_> {
    fn check(&self) -> Result<(), ResolveError> {
        match self.deadline {
            _ if self.observer.is_cancelled() => Err(ResolveError::Cancelled),
            Some(deadline) if Instant::now() >= deadline => Err(ResolveError::OutOfTime),
            _ => Ok(()),
        }
    }
}

/// Where a player never comes, every combo of it does; says of each player whether that is so.
fn uniform_where_nobody_comes(reaches: &mut PerPlayer<Vec<f64>>, board: Board) -> PerPlayer<bool> {
    PerPlayer::from_fn(|player| {
        let reach = &mut reaches[player];
        let is_never = live(board).map(|combo| reach[combo.index()]).fold(0.0, f64::max) <= 0.0;
        if is_never {
            live(board).for_each(|combo| reach[combo.index()] = 1.0);
        }
        is_never
    })
}

/// What the opponent's combos are worth where a street begins, against the hero's part of the blueprint: in self-play, or
/// with the best response. Where the blueprint's hand is over and the one that is played is not, both check and call.
fn values(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    history: &History<'_>,
    hero: Player,
    reach: &[f64],
    options: &ResolveOptions,
    end: &End<'_>,
) -> Result<Vec<f64>, ResolveError> {
    let line = &history.line;
    let hand = if history.is_followed() { line.position.hand() } else { &history.hand };
    let tree = StreetTree::new(hand, &blueprint.header().game.betting, &[])?;
    let board = line.board;
    let reaches = PerPlayer::from_fn(|_| reach.to_vec());
    let spot = Spot::new(ranges(board, hero, &reaches, true), board, &tree.config)?;
    let positions = match history.is_followed() {
        true => tree.positions(spot.tree(), blueprint, &line.position),
        false => vec![None; spot.tree().node_ids().count()],
    };
    let solver_options =
        Options { threads: options.threads, memory_limit: options.memory_limit, ..Options::default() };
    // Ranges of real hands are rarely alike in all suits; strategies of buckets always are.
    let mut solver = Solver::new(spot, &solver_options).map_err(SubgameError::from)?;
    BlueprintPlay { blueprint, buckets, board, positions, end: Some(*end) }.set(&mut solver)?;
    let best_response = matches!(options.mode, Mode::Resolve | Mode::MaxMargin);
    let mut values = vec![0.0; Combo::COUNT];
    for (combo, value) in solver.root_values(hero.opponent(), best_response) {
        values[combo.index()] = value;
    }
    Ok(values)
}

/// The blueprint's strategies from where a street begins.
struct BlueprintPlay<'a> {
    blueprint: &'a Blueprint,
    buckets: &'a dyn Buckets,
    board: Board,
    /// By node: where it is in the blueprint; where it is not, both check and call.
    positions: Vec<Option<Position<'a>>>,
    end: Option<End<'a>>,
}

impl BlueprintPlay<'_> {
    /// Replaces the strategies of a solver.
    fn set(&self, solver: &mut Solver) -> Result<(), ResolveError> {
        let passive = passive_strategies(solver.solution().spot().tree());
        let known: RefCell<HashMap<Board, Vec<u32>>> = RefCell::default();
        let failed: RefCell<Option<ResolveError>> = RefCell::default();
        solver.set_strategies(&|node: NodeId, runout: &[Card]| {
            if failed.borrow().is_some() {
                return Vec::new();
            }
            if let Some(Err(error)) = self.end.map(|end| end.check()) {
                *failed.borrow_mut() = Some(error);
                return Vec::new();
            }
            let deal = |board: Board, &card: &Card| board.deal(card).expect("a runout fits");
            let here = runout.iter().fold(self.board, deal);
            let Some(position) = &self.positions[node.index()] else {
                return live(here).map(|combo| (combo, passive[node.index()].clone())).collect();
            };
            let mut known = known.borrow_mut();
            let of_board = known.entry(here).or_insert_with(|| match self.buckets.of_board(&here) {
                Ok(of_board) => of_board,
                Err(error) => {
                    *failed.borrow_mut() = Some(error.into());
                    Vec::new()
                }
            });
            let of_combo = |combo: Combo| {
                let bucket = *of_board.get(combo.index())?;
                let frequencies = self.blueprint.strategy(position, bucket as usize);
                (!frequencies.is_empty()).then_some((combo, frequencies))
            };
            live(here).filter_map(of_combo).collect()
        });
        failed.into_inner().map_or(Ok(()), Err)
    }
}

/// By node: check or call, always; empty where nobody acts.
fn passive_strategies(tree: &Tree) -> Vec<Vec<f64>> {
    let is_passive = |action: Action| matches!(action, Action::Check | Action::Call);
    let of_node = |node| match tree.node(node).player() {
        Some(_) => tree.actions(node).map(|(action, _)| f64::from(u8::from(is_passive(action)))).collect(),
        None => Vec::new(),
    };
    tree.node_ids().map(of_node).collect()
}

fn live(board: Board) -> impl Iterator<Item = Combo> {
    Combo::all().filter(move |combo| !combo.cards().intersects(board.set()))
}

/// The hero's range, and the opponent's or every combo.
fn ranges(board: Board, hero: Player, reaches: &PerPlayer<Vec<f64>>, is_every: bool) -> PerPlayer<Range> {
    PerPlayer::from_fn(|player| {
        let mut range = Range::default();
        let reach = &reaches[player];
        let least = 1e-7 * live(board).map(|combo| reach[combo.index()]).fold(0.0, f64::max);
        for combo in live(board) {
            let weight = if player == hero || !is_every { reach[combo.index()] } else { 1.0 };
            if weight > least || (weight > 0.0 && player != hero) {
                range.set(combo, weight.min(1.0) as f32).expect("a weight from 0 to 1");
            }
        }
        range
    })
}

/// The node after actions from the root.
fn find(tree: &Tree, actions: &[Action]) -> Option<NodeId> {
    let mut node = NodeId::ROOT;
    for &action in actions {
        node = tree.actions(node).find(|(other, _)| is_same(*other, action))?.1;
    }
    Some(node)
}

/// Whether two actions are one: a bet of everything is the all-in.
fn is_same(a: Action, b: Action) -> bool {
    match (a.total(), b.total()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn strategy_at(subgame: &SubgameSolver, node: NodeId) -> Option<ResolvedStrategy> {
    let found = subgame.strategy(node, &[]).ok()?;
    let mut reach = vec![0.0; Combo::COUNT];
    let mut frequencies = vec![Vec::new(); Combo::COUNT];
    for combo in found.combos {
        reach[combo.combo.index()] = combo.reach;
        frequencies[combo.combo.index()] = combo.frequencies;
    }
    Some(ResolvedStrategy { actions: found.actions, reach, frequencies })
}
