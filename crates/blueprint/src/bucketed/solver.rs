//! Solves a spot in buckets, and measures the answer in the real game.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use equipoise_cards::{Card, Combo, Street};
use equipoise_cfr::{Algorithm, Scheme};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_postflop::{Spot, StopReason};
use equipoise_progress::Observer;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bucketed::betting::{Betting, StepKind};
use crate::bucketed::buckets::Buckets;
use crate::bucketed::deal::{Deal, StreetDeals};
use crate::bucketed::error::BucketedError;
use crate::bucketed::infosets::Infosets;
use crate::bucketed::street::{Iteration, Purpose, StreetTables};

/// How a spot is solved in buckets, and when to stop.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Options {
    /// The algorithm; `dcfr` with our parameters by default.
    pub algorithm: Algorithm,
    /// How many threads work; absent: one per processor. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// Stop at this exploitability in the real game, in percent of the starting pot. Few abstractions can come to 0.
    pub target_pct: f64,
    /// Stop after this many iterations.
    pub max_iterations: u32,
    /// The most bytes that the tables may take; absent: as many as they need.
    pub memory_limit: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            threads: None,
            target_pct: 0.0,
            max_iterations: 1000,
            memory_limit: None,
        }
    }
}

/// What the bucketed strategies are worth in the real game, where a best response sees every card. In chips, the mean over
/// all hands, chips received less chips invested from the root on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement {
    /// The iterations before it.
    pub iteration: u32,
    /// The value of each player when both play their bucketed strategies.
    pub evs: PerPlayer<f64>,
    /// The value of each player's best response.
    pub best_responses: PerPlayer<f64>,
    /// The mean of both players' gains by a best response.
    pub exploitability_chips: f64,
    /// The same in percent of the starting pot.
    pub exploitability_pct: f64,
}

/// Where a solve stands.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Iterations that are done.
    pub iteration: u32,
    /// The most that will be done.
    pub max_iterations: u32,
    /// What was measured after this iteration, if anything was.
    pub measured: Option<Measurement>,
    /// Time spent so far.
    pub elapsed: Duration,
}

/// The strategy of a combo: that of its bucket.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiftedStrategy {
    /// The combo.
    pub combo: Combo,
    /// One number per action, in the tree's order.
    pub frequencies: Vec<f64>,
}

/// The rivers of one betting line.
#[derive(Clone, Debug)]
struct RiverLine {
    tables: StreetTables,
    /// The chance step of the root's street before it.
    chance: usize,
    /// By combo of the traverser at the root.
    values: Vec<f64>,
}

/// Solves a spot in buckets, iteration by iteration.
///
/// An information set is a betting line and a bucket: earlier buckets and, where rivers share buckets, the river card are
/// forgotten. Every pass covers all combos and all rivers; nothing is sampled.
///
/// ```
/// use equipoise_blueprint::bucketed::{BucketedSolver, Lossless, Options};
/// use equipoise_cards::{Board, Combo, Street};
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::Spot;
///
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(200));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ,T8s".parse()?, "KK,JJ".parse()?], "Qd9d6h3c2h".parse()?, &config)?;
/// let options = Options { max_iterations: 300, ..Options::default() };
/// let mut exact = BucketedSolver::new(&spot, &Lossless, &options)?;
/// exact.run(&mut ());
/// // With one bucket for all hands, strategies are easily exploited.
/// let mut blind = BucketedSolver::new(&spot, &|_: Combo, _: &Board| 0, &options)?;
/// blind.run(&mut ());
/// let [exact, blind] = [exact, blind].map(|mut solver| solver.measure().exploitability_pct);
/// assert!(exact < blind / 2.0, "{exact} {blind}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BucketedSolver {
    spot: Spot,
    options: Options,
    pool: ThreadPool,
    /// The root's board; its street has one.
    root: StreetDeals,
    tables: StreetTables,
    rivers: Option<StreetDeals>,
    lines: Vec<RiverLine>,
    /// The weight of all pairs of combos that share no card.
    num_deals: f64,
    iterations: u32,
    elapsed: Duration,
}

impl BucketedSolver {
    /// A solver before its first iteration.
    ///
    /// # Errors
    /// [`BucketedError`] if the spot begins before the turn or has locks, if a street has no buckets, if the tables
    /// would take more memory than allowed, or if the target makes no sense.
    pub fn new(
        spot: &Spot,
        buckets: &dyn Buckets,
        options: &Options,
    ) -> Result<BucketedSolver, BucketedError> {
        let street = spot.board().street();
        if !matches!(street, Street::Turn | Street::River) {
            return Err(BucketedError::Street { street });
        }
        if !spot.locks().is_empty() {
            return Err(BucketedError::Locks);
        }
        if options.target_pct.is_nan() || options.target_pct < 0.0 {
            return Err(BucketedError::Target { value: options.target_pct });
        }
        let needs = options.algorithm.requirements();
        let root = StreetDeals::new(spot, std::iter::once(*spot.board()), buckets)?;
        let (betting, next_lines) = Betting::of_street(spot.tree(), NodeId::ROOT, street == Street::River);
        let rivers = if next_lines.is_empty() {
            None
        } else {
            let boards = Card::ALL.into_iter().filter_map(|card| spot.board().deal(card));
            Some(StreetDeals::new(spot, boards, buckets)?)
        };
        let lines: Vec<Betting> =
            next_lines.iter().map(|&first| Betting::of_street(spot.tree(), first, true).0).collect();
        let num_rivers = rivers.as_ref().map_or(PerPlayer::default(), |rivers| rivers.num_buckets);
        let needed = memory(&betting, root.num_buckets)
            + lines.iter().map(|line| memory(line, num_rivers)).sum::<u64>();
        if let Some(limit) = options.memory_limit.filter(|&limit| needed > limit) {
            return Err(BucketedError::Memory { needed, limit });
        }
        let threads = options.threads.map_or(0, NonZeroUsize::get);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| BucketedError::Threads { reason: error.to_string() })?;
        let chance_before = |line: usize| {
            let leads = |kind: &StepKind| matches!(kind, StepKind::Chance { line: other } if *other == line);
            betting.steps.iter().position(|step| leads(&step.kind)).expect("every line has its chance step")
        };
        let lines = lines
            .into_iter()
            .enumerate()
            .map(|(at, line)| RiverLine {
                tables: StreetTables::new(line, num_rivers, needs),
                chance: chance_before(at),
                values: Vec::new(),
            })
            .collect();
        let tables = StreetTables::new(betting, root.num_buckets, needs);
        Ok(BucketedSolver {
            num_deals: num_deals(&root.deals[0]),
            spot: spot.clone(),
            options: options.clone(),
            pool,
            root,
            tables,
            rivers,
            lines,
            iterations: 0,
            elapsed: Duration::ZERO,
        })
    }

    /// Runs iterations: in each, both players update once.
    pub fn iterate(&mut self, count: u32) {
        let start = Instant::now();
        let algorithm = self.options.algorithm;
        let needs = algorithm.requirements();
        for _ in 0..count {
            let t = self.iterations + 1;
            let iteration =
                Iteration { now: algorithm.coefficients(t), next: algorithm.coefficients(t + 1), needs };
            for player in Player::ALL {
                self.pass(player, Purpose::Train, Some(&iteration));
            }
            self.iterations = t;
        }
        self.elapsed += start.elapsed();
    }

    /// Measures the average strategies in the real game: each combo on each board plays the strategy of its bucket, and the
    /// best response is free of buckets.
    pub fn measure(&mut self) -> Measurement {
        let start = Instant::now();
        self.tables.normalise_averages();
        self.lines.iter_mut().for_each(|line| line.tables.normalise_averages());
        let evs = PerPlayer::from_fn(|player| self.mean(player, Purpose::Evaluate));
        let best_responses = PerPlayer::from_fn(|player| self.mean(player, Purpose::BestResponse));
        let gain = |player: Player| best_responses[player] - evs[player];
        let chips = (gain(Player::Oop) + gain(Player::Ip)) / 2.0;
        self.elapsed += start.elapsed();
        Measurement {
            iteration: self.iterations,
            evs,
            best_responses,
            exploitability_chips: chips,
            exploitability_pct: 100.0 * chips / self.spot.pot(),
        }
    }

    /// Iterates until the target, the last iteration or the observer's stop, and reports each iteration. The exploitability
    /// is measured after 10 iterations, then whenever there are a quarter more, and at the end.
    pub fn run(&mut self, observer: &mut dyn Observer<Progress>) -> StopReason {
        let max_iterations = self.options.max_iterations;
        let next = |done: u32| (done + done.div_ceil(4)).max(10);
        let mut next_check = next(self.iterations);
        while self.iterations < max_iterations {
            self.iterate(1);
            let is_check = self.iterations >= next_check || self.iterations == max_iterations;
            let measured = is_check.then(|| self.measure());
            if is_check {
                next_check = next(self.iterations);
            }
            let (iteration, elapsed) = (self.iterations, self.elapsed);
            let flow = observer.progress(&Progress { iteration, max_iterations, measured, elapsed });
            if measured.is_some_and(|measured| measured.exploitability_pct <= self.options.target_pct) {
                return StopReason::Converged;
            }
            if flow.is_break() {
                return StopReason::Stopped;
            }
        }
        StopReason::MaxIterations
    }

    /// The average strategy at a decision on one board, lifted to combos; `None` if nobody acts there or the cards do not
    /// fit.
    #[must_use]
    pub fn strategy(&self, node: NodeId, runout: &[Card]) -> Option<Vec<LiftedStrategy>> {
        let player = self.spot.tree().node(node).player()?;
        let mut board = *self.spot.board();
        for &card in runout {
            board = board.deal(card)?;
        }
        if board.street() != self.spot.tree().node(node).street() {
            return None;
        }
        let deals = self.rivers.iter().chain([&self.root]).flat_map(|street| &street.deals);
        let deal = deals.into_iter().find(|deal| deal.board == board)?;
        let mut tables = self.lines.iter().map(|line| &line.tables).chain([&self.tables]);
        let infosets = tables.find_map(|tables| {
            let decision = tables.betting.decisions.iter().position(|&id| id == node)?;
            Some(tables.infosets(decision))
        })?;
        let hands = deal.hands(player);
        let lifted = |(&combo, &bucket): (&Combo, &u32)| LiftedStrategy {
            combo,
            frequencies: infosets.average(bucket),
        };
        Some(hands.combos.iter().zip(&hands.buckets).map(lifted).collect())
    }

    /// How many buckets a player's range has on a street, over all boards; 0 if there is no betting.
    #[must_use]
    pub fn num_buckets(&self, street: Street, player: Player) -> usize {
        let root = (street == self.spot.board().street()).then_some(&self.root);
        let rivers = self.rivers.as_ref().filter(|_| street == Street::River);
        root.or(rivers).map_or(0, |street| street.num_buckets[player])
    }

    /// How many iterations were run.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Time spent in iterations and measurements.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The mean value of a player's range in a pass.
    fn mean(&mut self, player: Player, purpose: Purpose) -> f64 {
        self.pass(player, purpose, None) / self.num_deals
    }

    /// One pass for one player; the value of the whole range.
    fn pass(&mut self, own: Player, purpose: Purpose, iteration: Option<&Iteration>) -> f64 {
        let BucketedSolver { root, tables, rivers, lines, pool, .. } = self;
        let deal = &root.deals[0];
        let theirs = deal.hands(own.opponent());
        tables.descend(deal, own, purpose, |reach| reach.copy_from_slice(&theirs.weights));
        if let Some(rivers) = rivers {
            let tables = &*tables;
            pool.install(|| {
                lines.par_iter_mut().with_max_len(1).for_each(|line| {
                    let reach = tables.reach(line.chance, own, theirs.len());
                    line.pass(&rivers.deals, deal, own, purpose, reach);
                    if let Some(iteration) = iteration {
                        line.tables.update(own, iteration);
                    }
                });
            });
        }
        let values = tables.ascend(deal, own, purpose, |line| &lines[line].values);
        let value = values.iter().zip(&deal.hands(own).weights).map(|(value, weight)| value * weight).sum();
        if let Some(iteration) = iteration {
            tables.update(own, iteration);
        }
        value
    }
}

impl RiverLine {
    /// All rivers, one after another, with equal probabilities.
    fn pass(&mut self, rivers: &[Deal], root: &Deal, own: Player, purpose: Purpose, reach: &[f64]) {
        let RiverLine { tables, values, .. } = self;
        values.clear();
        values.resize(root.hands(own).len(), 0.0);
        let num_left = (Card::COUNT - 4 - root.board.cards().len()) as f64;
        for river in rivers {
            let theirs = river.hands(own.opponent());
            tables.descend(river, own, purpose, |entry| {
                for (entry, at) in entry.iter_mut().zip(&theirs.at_root) {
                    *entry = reach[at.get()] / num_left;
                }
            });
            let found = tables.ascend(river, own, purpose, |_| unreachable!("no card comes after the river"));
            for (value, at) in found.iter().zip(&river.hands(own).at_root) {
                values[at.get()] += value;
            }
        }
    }
}

/// The bytes of the tables of a street.
fn memory(betting: &Betting, num_buckets: PerPlayer<usize>) -> u64 {
    let entries = |(player, actions): (Player, usize)| (actions * num_buckets[player]) as u64;
    Infosets::bytes(betting.choices().map(entries).sum())
}

/// The weight of all pairs of combos that share no card.
fn num_deals(deal: &Deal) -> f64 {
    let [oop, ip] = deal.hands.as_ref().into_array();
    let mut sum = 0.0;
    for (own, weight) in oop.combos.iter().zip(&oop.weights) {
        let opponents = ip.combos.iter().zip(&ip.weights);
        let matchups = opponents.filter(|(other, _)| !own.cards().intersects(other.cards()));
        sum += weight * matchups.map(|(_, weight)| weight).sum::<f64>();
    }
    sum
}
