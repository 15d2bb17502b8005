//! Subgame solving: a spot that is part of a larger game, solved for one player, the hero.

use std::time::Duration;

use equipoise_cards::{BlockerSums, Card, Combo, Range};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_progress::Observer;
use thiserror::Error;

use crate::compile::images::BoardSymmetry;
use crate::kernel::{Isa, ThreadPool};
use crate::problem::options::Options;
use crate::problem::spot::{Spot, SpotError};
use crate::read::solution::{NodeStrategy, RunoutError, Solution};
use crate::read::view::NodeView;
use crate::read::{ReadError, Reader, ViewDetail};
use crate::solve::gadget::{Choice, Gadget};
use crate::solve::pass::Pass;
use crate::solve::progress::StopReason;
use crate::solve::schedule::Schedule;
use crate::solve::solver::{SolveError, Solver};

/// What the hero's opponent may do at the root of a subgame.
///
/// Alternative values are by [combo number](Combo::index), in chips times the hero's weight, as those of
/// [`Solver::root_values`]: never divided by the pot or by a number of combos. Values of combos outside the spot's range
/// are ignored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Opponent {
    /// It enters with its range, as in any spot: *unsafe* subgame solving. Against the new strategy it may enter with another
    /// range, so the new strategy may be far more exploitable than the old one.
    Range,
    /// Each combo follows or terminates, which pays its alternative. With best-response values against the old strategy the new
    /// one is at most as exploitable (*resolve*); with values of self-play it is usually less exploitable (*estimate*). The
    /// spot's range should have weight 1 for every possible combo: the gadget decision makes the reach. At −∞ a combo must
    /// follow, at +∞ it must terminate.
    Alternatives(Vec<f64>),
    /// It chooses one combo. The margin of a combo is its alternative less its value; the hero maximises the least margin
    /// (*maxmargin*).
    MaxMargin(Vec<f64>),
}

/// Why a spot cannot be solved as a subgame.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubgameError {
    /// It cannot be solved as a spot.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The spot is not valid.
    #[error(transparent)]
    Spot(#[from] SpotError),
    /// An alternative is missing or no number, or infinite for [`Opponent::MaxMargin`].
    #[error("the alternative of {combo} is {value}: every combo of the range needs a number")]
    Alternative {
        /// The combo.
        combo: Combo,
        /// Its alternative.
        value: f64,
    },
    /// With rake or prizes one player's loss is not the other's gain, and a subgame's margins mean nothing.
    #[error("subgames are solved for chips without rake: take rake and prizes away")]
    NotZeroSum,
    /// A node that is no root of a subgame, or cards that do not fit it.
    #[error("no subgame begins there: it begins with the first decision of a street")]
    NoRoot,
}

/// Exploitability of a subgame and margins of the opponent's combos.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SubgameCheck {
    /// Exploitability of the subgame with its gadget decision, in chips.
    pub chips: f64,
    /// The same in percent of the starting pot.
    pub pct_pot: f64,
    /// The least margin of all combos, in chips: the alternative less what the combo's best response wins. `None` without
    /// alternatives.
    pub least_margin: Option<f64>,
    /// The mean over the opponent's combos of what their best responses win above the alternatives, in chips.
    pub mean_excess: Option<f64>,
}

/// Progress of a subgame's solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SubgameProgress {
    /// Iterations so far.
    pub iteration: u32,
    /// The last iteration.
    pub max_iterations: u32,
    /// The check after this iteration, if any.
    pub check: Option<SubgameCheck>,
    /// Time spent so far.
    pub elapsed: Duration,
}

/// Iterations that take longer than this are run one by one.
const SLOW: Duration = Duration::from_millis(5);

/// Both players at the root of the next subgame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Continuation {
    /// The hero's reach by combo number.
    pub reach: Vec<f64>,
    /// The value of each combo of the opponent, by combo number: alternatives for the next subgame.
    pub values: Vec<f64>,
    /// The opponent's reach by combo number, the gadget decision of this subgame included.
    pub opponent_reach: Vec<f64>,
}

/// Solves a spot as a subgame: the hero's range is its reach, and the opponent does what [`Opponent`] allows.
///
/// Tables and passes are those of [`Solver`]; the gadget decision at the root sets the opponent's weights. The answer does not
/// depend on the number of threads. A subgame cannot be saved: its opponent has no range that a file could hold.
///
/// ```
/// use equipoise_cards::{Combo, Range, Street};
/// use equipoise_game::{Chips, Player, Preset, TreeConfig};
/// use equipoise_postflop::{Opponent, Options, Solver, Spot, SubgameSolver};
///
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(200));
/// Preset::Simple.apply(&mut config);
/// let board = "Qd9d6h3c2h".parse()?;
/// let options = Options { target_pct: 0.05, ..Options::default() };
/// // An old strategy of the whole game, and the value of each combo against it.
/// let old = Spot::new(["AA,QQ,T8s".parse()?, "KK,JJ".parse()?], board, &config)?;
/// let mut solver = Solver::new(old, &options)?;
/// solver.run(&mut ());
/// let mut alternatives = vec![0.0; Combo::COUNT];
/// for (combo, value) in solver.root_values(Player::Ip, true) {
///     alternatives[combo.index()] = value;
/// }
/// let spot = Spot::new(["AA,QQ,T8s".parse()?, "KK,JJ".parse()?], board, &config)?;
/// let mut subgame = SubgameSolver::new(spot, Player::Oop, Opponent::Alternatives(alternatives), &options)?;
/// subgame.run(&mut ());
/// assert!(subgame.check().least_margin.is_some_and(|margin| margin > -0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SubgameSolver {
    solver: Solver,
    hero: Player,
    gadget: Option<Gadget>,
    /// The opponent's weights in the spot, in the order of the root's list.
    entering: Vec<f64>,
    /// By combo of the root's list of the opponent: the hero's weight on combos that share no card with it.
    matchups: Vec<f64>,
    pool: ThreadPool,
}

impl SubgameSolver {
    /// A solver before its first iteration.
    ///
    /// # Errors
    /// As [`SubgameError`] says.
    pub fn new(
        spot: Spot,
        hero: Player,
        opponent: Opponent,
        options: &Options,
    ) -> Result<SubgameSolver, SubgameError> {
        let config = spot.tree().config();
        if config.prizes.is_some() || config.rake.of(config.starting_pot) != 0.0 {
            return Err(SubgameError::NotZeroSum);
        }
        let villain = hero.opponent();
        let (choice, by_combo) = match opponent {
            Opponent::Range => (None, Vec::new()),
            Opponent::Alternatives(values) => (Some(Choice::Follow), values),
            Opponent::MaxMargin(values) => (Some(Choice::Combo), values),
        };
        if let Some(choice) = choice {
            for (combo, _) in spot.ranges()[villain].iter() {
                let value = by_combo.get(combo.index()).copied().unwrap_or(f64::NAN);
                if value.is_nan() || (choice == Choice::Combo && value.is_infinite()) {
                    return Err(SubgameError::Alternative { combo, value });
                }
            }
        }
        // Boards are isomorphic only under suit permutations that keep the alternatives.
        let is_kept = |suits: &equipoise_cards::SuitPermutation| {
            let same = |combo: Combo| {
                by_combo[combo.index()].to_bits() == by_combo[suits.map_combo(combo).index()].to_bits()
            };
            choice.is_none() || spot.ranges()[villain].iter().all(|(combo, _)| same(combo))
        };
        let suits = if options.isomorphism { spot.symmetries() } else { Vec::new() };
        let suits: Vec<_> = suits.into_iter().filter(is_kept).collect();
        let symmetry =
            if suits.is_empty() { BoardSymmetry::none() } else { BoardSymmetry { suits, are_joined: true } };
        let solver = Solver::build(spot, options, &symmetry, Isa::detect(), &mut ())?;
        let pool = solver.solution().engine.thread_pool();
        let mut subgame =
            SubgameSolver { solver, hero, gadget: None, entering: Vec::new(), matchups: Vec::new(), pool };
        subgame.prepare(choice, &by_combo);
        Ok(subgame)
    }

    fn prepare(&mut self, choice: Option<Choice>, by_combo: &[f64]) {
        let villain = self.hero.opponent();
        let record = &self.solver.solution().record;
        let mut sums = BlockerSums::default();
        let mut own = vec![0.0; Combo::COUNT];
        for &(combo, weight) in record.root_list(self.hero) {
            sums.add(combo, weight);
            own[combo.index()] = weight;
        }
        let list = record.root_list(villain);
        let matchups = list.iter().map(|&(combo, _)| sums.matchups(combo, own[combo.index()])).collect();
        let entering = list.iter().map(|&(_, weight)| weight).collect();
        let alternatives =
            |choice| Gadget::new(choice, list.iter().map(|(combo, _)| by_combo[combo.index()]).collect());
        let gadget = choice.map(alternatives);
        (self.matchups, self.entering, self.gadget) = (matchups, entering, gadget);
    }

    /// The spot.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        self.solver.solution().spot()
    }

    /// The player whose strategy is solved.
    #[must_use]
    pub const fn hero(&self) -> Player {
        self.hero
    }

    /// How many iterations were run.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.solver.solution().iterations()
    }

    /// Time spent in iterations.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.solver.solution().elapsed()
    }

    /// Bytes in use.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.solver.solution().memory_bytes()
    }

    /// Runs iterations: in each, both players update once, and the gadget decision with the opponent.
    pub fn iterate(&mut self, count: u32) {
        let villain = self.hero.opponent();
        let SubgameSolver { solver, gadget, entering, pool, .. } = self;
        let memory_bytes = solver.solution().memory_bytes();
        let (engine, record, options) = solver.parts();
        let mut schedule = Schedule::new(options, record, memory_bytes);
        schedule.start_chunk(count, false);
        while let Some(pass) = schedule.next_pass() {
            if let Some(gadget) = gadget
                && pass.player != villain
                && let Some(chosen) = gadget.play(&pass)
            {
                engine.set_root_weights(villain, &weighted(&chosen, entering));
            }
            let values = engine.run(pass, pool);
            if let Some(gadget) = gadget
                && pass.player == villain
            {
                gadget.update(&pass, &values.in_chips());
            }
        }
        schedule.end_chunk();
    }

    /// Iterates to the target exploitability, to the last iteration, or until the observer stops it. The observer is called
    /// after at most five iterations, so that a clock can stop in time.
    pub fn run(&mut self, observer: &mut dyn Observer<SubgameProgress>) -> StopReason {
        let (target, max_iterations) = {
            let (_, _, options) = self.solver.parts();
            (options.target_pct, options.max_iterations)
        };
        let next = |done: u32| (done + done.div_ceil(2)).max(20);
        let mut next_check = next(self.iterations());
        while self.iterations() < max_iterations {
            let done = self.iterations();
            // A clock waits for an iteration at most where they are slow.
            let is_slow = self.elapsed() > SLOW * done;
            let most = if is_slow || done == 0 { 1 } else { 5 };
            self.iterate((next_check.min(max_iterations) - done).min(most));
            let iteration = self.iterations();
            let is_check = iteration >= next_check;
            let check = is_check.then(|| self.check());
            if is_check {
                next_check = next(iteration);
            }
            let elapsed = self.elapsed();
            let flow = observer.progress(&SubgameProgress { iteration, max_iterations, check, elapsed });
            if check.is_some_and(|check| check.pct_pot <= target) {
                return StopReason::Converged;
            }
            if flow.is_break() {
                return StopReason::Stopped;
            }
        }
        StopReason::MaxIterations
    }

    /// Measures the average strategies, exactly.
    pub fn check(&mut self) -> SubgameCheck {
        let (hero, villain) = (self.hero, self.hero.opponent());
        let best = self.pass(Pass::best_response(villain));
        let pot = self.spot().pot();
        let chosen = self.gadget.as_ref().map_or_else(|| vec![1.0; self.entering.len()], Gadget::average);
        let coming = weighted(&chosen, &self.entering);
        self.solver.parts().0.set_root_weights(villain, &coming);
        let of_hero = self.pass(Pass::best_response(hero));
        let hero_weights = self.solver.solution().record.root_list(hero).iter().map(|&(_, weight)| weight);
        let hero_best: f64 = of_hero.iter().zip(hero_weights).map(|(value, weight)| value * weight).sum();
        // What both players win together with the weights of the average strategy.
        let shared: f64 = coming.iter().zip(&self.matchups).map(|(coming, m)| coming * m * pot).sum();
        let deals: f64 = self.entering.iter().zip(&self.matchups).map(|(weight, m)| weight * m).sum();
        let gap = match &self.gadget {
            None => dot(&best, &self.entering) + hero_best - shared,
            Some(gadget) => {
                let others = gadget.alternatives();
                match gadget.choice() {
                    Choice::Follow => {
                        let gains = best.iter().zip(others).zip(&chosen).zip(&self.entering);
                        // Where a combo terminates, both players' values are fixed by the alternative.
                        let opponent: f64 = gains
                            .map(|(((&best, &other), &chosen), weight)| {
                                let taken = if chosen < 1.0 { (1.0 - chosen) * other } else { 0.0 };
                                let most = if other == f64::INFINITY { return 0.0 } else { best.max(other) };
                                weight * (most - if other.is_finite() { taken } else { 0.0 })
                            })
                            .sum();
                        opponent + hero_best - shared
                    }
                    Choice::Combo => {
                        let margins = best.iter().zip(others).map(|(best, other)| best - other);
                        let most = margins.fold(f64::NEG_INFINITY, f64::max);
                        let count = others.len() as f64;
                        let paid: f64 = chosen.iter().zip(others).map(|(q, other)| q * other).sum();
                        // Weights are chances times the number of combos.
                        most * count + paid + hero_best - shared
                    }
                }
            }
        };
        let deals = match self.gadget.as_ref().map(Gadget::choice) {
            Some(Choice::Combo) => self.matchups.iter().sum(),
            _ => deals,
        };
        let chips = (gap / 2.0 / deals).max(0.0);
        let margins = self.gadget.as_ref().map(|gadget| {
            let per = best.iter().zip(gadget.alternatives()).zip(&self.matchups);
            let counted = per.filter(|((_, other), m)| **m > 1e-9 && other.is_finite());
            counted.map(|((best, other), m)| (other - best) / m).collect::<Vec<f64>>()
        });
        let excess = |margins: &Vec<f64>| {
            margins.iter().map(|margin| (-margin).max(0.0)).sum::<f64>() / margins.len().max(1) as f64
        };
        SubgameCheck {
            chips,
            pct_pot: 100.0 * chips / pot,
            mean_excess: margins.as_ref().map(excess),
            least_margin: margins.map(|all| all.into_iter().fold(f64::INFINITY, f64::min)),
        }
    }

    /// The values of a pass in chips.
    fn pass(&mut self, pass: Pass) -> Vec<f64> {
        let SubgameSolver { solver, pool, .. } = self;
        solver.parts().0.run(pass, pool).in_chips()
    }

    /// The weights with which the opponent's combos enter in the average strategy, by combo number: the range's without
    /// alternatives; for [`Opponent::MaxMargin`] the chance of each combo times their number.
    #[must_use]
    pub fn opponent_weights(&self) -> Vec<f64> {
        let mut found = vec![0.0; Combo::COUNT];
        let chosen = self.gadget.as_ref().map_or_else(|| vec![1.0; self.entering.len()], Gadget::average);
        let list = self.solver.solution().record.root_list(self.hero.opponent());
        for ((combo, weight), chosen) in list.iter().zip(chosen) {
            found[combo.index()] = weight * chosen;
        }
        found
    }

    /// The average strategy at a decision, after these cards. The opponent's reaches are those of the spot's range.
    ///
    /// # Errors
    /// [`RunoutError`] if the node is no decision or the cards do not fit.
    pub fn strategy(&self, node: NodeId, runout: &[Card]) -> Result<NodeStrategy, RunoutError> {
        self.solver.solution().strategy(node, runout)
    }

    /// A decision with what each action of each combo is worth against the opponent's range in the spot. Only a subgame without
    /// alternatives has such a range ([`Opponent::Range`]); with them the numbers are those of all combos coming alike.
    ///
    /// # Errors
    /// [`ReadError`] if nobody acts there or the cards do not fit.
    pub fn view(&mut self, node: NodeId, runout: &[Card]) -> Result<NodeView, ReadError> {
        let reader = Reader::of(self.solver.solution_mut());
        reader.view(&reader.path_to(node, runout), ViewDetail::Strategies, &mut ())
    }

    /// Reaches and values at the root of a later street's subgame, for nested subgame solving: the hero's reach, and the
    /// values of the opponent's combos in this solution, in the units of [`Opponent`].
    ///
    /// # Errors
    /// [`SubgameError`] if the node is not the first of a street, or if a player never reaches it.
    pub fn continuation(&self, node: NodeId, runout: &[Card]) -> Result<Continuation, SubgameError> {
        let mut reaches = self.solver.solution().reaches(node, runout);
        let reach = std::mem::take(&mut reaches[self.hero]);
        let villain = self.hero.opponent();
        let weights = self.spot().ranges()[villain].weights();
        let mut opponent_reach = std::mem::take(&mut reaches[villain]);
        for ((reach, coming), &weight) in opponent_reach.iter_mut().zip(self.opponent_weights()).zip(weights)
        {
            *reach *= if weight > 0.0 { coming / f64::from(weight) } else { 0.0 };
        }
        let reaches = PerPlayer::from_fn(|player| (player == self.hero).then_some(&reach[..]));
        let (spot, nodes) = below(self.spot(), node, runout, reaches)?;
        let options = Options { target_pct: 0.0, ..Options::default() };
        let mut solver = Solver::new(spot, &options)?;
        let solution = self.solver.solution();
        solver.set_strategies(&|own, cards| {
            let old = nodes[own.index()];
            let runout: Vec<Card> = runout.iter().chain(cards).copied().collect();
            let numbers = solution.engine.numbers(old, &runout).unwrap_or_default();
            numbers.into_iter().map(|numbers| (numbers.combo, numbers.frequencies)).collect()
        });
        let mut values = vec![0.0; Combo::COUNT];
        for (combo, value) in solver.root_values(self.hero.opponent(), false) {
            values[combo.index()] = value;
        }
        Ok(Continuation { reach, values, opponent_reach })
    }
}

/// The spot below the first node of a street, with these reaches by combo number, or every combo of a player's range; and by
/// its nodes those of the old tree.
pub(crate) fn below(
    spot: &Spot,
    node: NodeId,
    runout: &[Card],
    reaches: PerPlayer<Option<&[f64]>>,
) -> Result<(Spot, Vec<NodeId>), SubgameError> {
    let tree = spot.tree();
    let begins = tree.node(node).action().is_none() && tree.node(node).player().is_some();
    let mut board = *spot.board();
    for &card in runout {
        board = board.deal(card).ok_or(SubgameError::NoRoot)?;
    }
    if !begins || board.street() != tree.node(node).street() {
        return Err(SubgameError::NoRoot);
    }
    let ranges = PerPlayer::from_fn(|player| {
        let mut range = Range::default();
        for (combo, _) in spot.ranges()[player].iter() {
            let weight = reaches[player].map_or(1.0, |reach| reach[combo.index()]);
            if weight > 0.0 {
                range.set(combo, weight.min(1.0) as f32).expect("a weight from 0 to 1");
            }
        }
        range
    });
    Ok(spot.below(node, board, ranges)?)
}

fn weighted(chosen: &[f64], entering: &[f64]) -> Vec<f64> {
    chosen.iter().zip(entering).map(|(chosen, weight)| chosen * weight).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The strategies of combos at a decision on a runout.
pub type DecisionStrategies<'a> = dyn Fn(NodeId, &[Card]) -> Vec<(Combo, Vec<f64>)> + 'a;

impl Solver {
    /// Replaces the average strategies of all decisions: by node and the cards after the spot's board, the frequency of each
    /// action for each combo. Combos that are left out play uniformly. [`check`](Solver::check) and readers are exact for
    /// these strategies, whose frequencies have 16 bits.
    ///
    /// Isomorphic boards share one strategy; strategies that differ between them need [`Options::isomorphism`] to be off.
    pub fn set_strategies(&mut self, strategies: &DecisionStrategies<'_>) {
        let (engine, record, _) = self.parts();
        let root = record.spot.board().cards().len();
        let boards = crate::compile::boards::Boards::of_spot(&record.spot, record.symmetries());
        for board in boards.all() {
            engine.set_strategies(&board.path, &|node| strategies(node, &board.board.cards()[root..]));
        }
        (record.evs, record.exploitability, record.converged) = (None, None, false);
    }

    /// The counterfactual value of each combo of a player at the root: chips times the opponent's weight on combos that share no
    /// card with it. The player plays its average strategy, or a best response to the opponent's. Chips are received less
    /// invested from the root on.
    pub fn root_values(&mut self, player: Player, best_response: bool) -> Vec<(Combo, f64)> {
        let pass = if best_response { Pass::best_response(player) } else { Pass::evs(player) };
        let pass = Pass { has_wide_sums: true, ..pass };
        let (engine, record, _) = self.parts();
        let values = engine.values(&[pass]);
        record.root_list(player).iter().map(|&(combo, _)| combo).zip(values[0].1.iter().copied()).collect()
    }

    /// The spot below the first node of a street, with the hero's reach and every combo of the other player's range, or, without
    /// a hero, with both players' reaches; and by its nodes those of this tree.
    ///
    /// # Errors
    /// [`SubgameError`] if the node is not the first of a street, or if a player never reaches it.
    pub fn subgame_spot(
        &self,
        node: NodeId,
        runout: &[Card],
        hero: Option<Player>,
    ) -> Result<(Spot, Vec<NodeId>), SubgameError> {
        let solution: &Solution = self.solution();
        let reaches = solution.reaches(node, runout);
        let has_reach = |player| hero.is_none_or(|hero| hero == player);
        let reaches = PerPlayer::from_fn(|player| has_reach(player).then_some(&reaches[player][..]));
        below(solution.spot(), node, runout, reaches)
    }
}
