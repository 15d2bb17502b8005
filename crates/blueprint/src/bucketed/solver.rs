//! Solves a spot in buckets, and measures the answer in the real game.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::{Duration, Instant};

use equipoise_cards::{Card, Combo, Range, Street};
use equipoise_cfr::{Algorithm, Scheme};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_postflop::{Spot, StopReason};
use equipoise_progress::Observer;

use crate::bucketed::betting::Betting;
use crate::bucketed::buckets::Buckets;
use crate::bucketed::chance::{RunoutOrder, all_boards, count_buckets, drawn_boards};
use crate::bucketed::deal::{BucketRows, Dealer, StreetDeals};
use crate::bucketed::engine::{Engine, Layout, num_matchups};
use crate::bucketed::error::BucketedError;
use crate::bucketed::pack::Purpose;

/// Which boards an iteration covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // All, or some.
pub enum Chance {
    /// All boards.
    #[default]
    Full,
    /// Some runouts, drawn at random, each once before any comes again.
    Sampled {
        /// How many an iteration.
        boards: NonZeroU32,
        /// What determines which.
        seed: u64,
    },
}

/// How a spot is solved in buckets, and when to stop.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BucketedOptions {
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
    /// Which boards an iteration covers.
    pub chance: Chance,
}

impl Default for BucketedOptions {
    fn default() -> BucketedOptions {
        BucketedOptions {
            algorithm: Algorithm::default(),
            threads: None,
            target_pct: 0.0,
            max_iterations: 1000,
            memory_limit: None,
            chance: Chance::Full,
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
pub struct BucketedProgress {
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

/// Solves a spot in buckets, iteration by iteration.
///
/// An information set is a betting line and a bucket: earlier buckets and, where rivers share buckets, the river card are
/// forgotten. A pass covers all combos, and all boards unless [`BucketedOptions::chance`] says otherwise; measurements always cover
/// all boards.
///
/// ```
/// use equipoise_blueprint::bucketed::{BucketedSolver, Lossless, BucketedOptions};
/// use equipoise_cards::{Board, Combo, Street};
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::Spot;
///
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(200));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ,T8s".parse()?, "KK,JJ".parse()?], "Qd9d6h3c2h".parse()?, &config)?;
/// let options = BucketedOptions { max_iterations: 300, ..BucketedOptions::default() };
/// let mut exact = BucketedSolver::new(&spot, &Lossless, &options)?;
/// exact.run(&mut ())?;
/// // With one bucket for all hands, strategies are easily exploited.
/// let one = |_: Combo, _: &Board| 0;
/// let mut blind = BucketedSolver::new(&spot, &one, &options)?;
/// blind.run(&mut ())?;
/// let (exact, blind) = (exact.measure()?.exploitability_pct, blind.measure()?.exploitability_pct);
/// assert!(exact < blind / 2.0, "{exact} {blind}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations)] // Tables of millions of numbers.
pub struct BucketedSolver<'a> {
    spot: Spot,
    ranges: PerPlayer<Range>,
    buckets: &'a dyn Buckets,
    rows: [PerPlayer<BucketRows>; 4],
    options: BucketedOptions,
    engine: Engine<f64>,
    /// All boards, once they are needed.
    all: Option<Vec<StreetDeals<f64>>>,
    iterations: u32,
    elapsed: Duration,
}

impl<'a> BucketedSolver<'a> {
    /// A solver before its first iteration.
    ///
    /// # Errors
    /// [`BucketedError`] if the spot has locks or is played for prizes, if a street has no buckets, if the tables would take more memory than
    /// allowed, or if the target makes no sense.
    pub fn new(
        spot: &Spot,
        buckets: &'a dyn Buckets,
        options: &BucketedOptions,
    ) -> Result<BucketedSolver<'a>, BucketedError> {
        if !spot.locks().is_empty() {
            return Err(BucketedError::Locks);
        }
        if spot.tree().config().prizes.is_some() {
            return Err(BucketedError::Prizes);
        }
        if options.algorithm.looks_ahead() {
            return Err(BucketedError::LookAhead { algorithm: options.algorithm.to_string() });
        }
        if options.target_pct.is_nan() || options.target_pct < 0.0 {
            return Err(BucketedError::Target { value: options.target_pct });
        }
        let layout = Layout::new(Betting::of_tree(spot.tree()), spot.board().street());
        let ranges = spot.ranges().clone();
        let rows = count_buckets(&ranges, buckets, *spot.board(), layout.streets.len())?;
        let num_buckets = rows.each_ref().map(|rows| rows.as_ref().map(BucketRows::len));
        // Five tables of eight bytes at most: regrets, the last instant regrets, averages, the strategy and sums.
        let needed = 40 * layout.num_entries(&num_buckets);
        if let Some(limit) = options.memory_limit.filter(|&limit| needed > limit) {
            return Err(BucketedError::Memory { needed, limit });
        }
        let needs = options.algorithm.requirements();
        let engine = Engine::new(layout, &num_buckets, Some(needs), options.threads)?;
        let mut solver = BucketedSolver {
            spot: spot.clone(),
            ranges,
            buckets,
            rows,
            options: options.clone(),
            engine,
            all: None,
            iterations: 0,
            elapsed: Duration::ZERO,
        };
        solver.all = match options.chance {
            Chance::Full => Some(solver.all_boards()?),
            Chance::Sampled { .. } => None,
        };
        Ok(solver)
    }

    fn dealer(&self) -> Dealer<'_> {
        Dealer::of_one(&self.ranges, self.buckets, &self.rows)
    }

    fn all_boards(&self) -> Result<Vec<StreetDeals<f64>>, BucketedError> {
        all_boards(&self.dealer(), *self.spot.board(), self.engine.streets.len())
    }

    /// The boards of the next iteration.
    fn draw(&self, boards: NonZeroU32, seed: u64) -> Result<Vec<StreetDeals<f64>>, BucketedError> {
        let order = RunoutOrder::new(*self.spot.board(), seed);
        let count = u64::from(boards.get());
        let first = u64::from(self.iterations) * count;
        let rivers: Vec<_> = (first..first + count).map(|place| order.board(place)).collect();
        let draw = || drawn_boards(&self.dealer(), *self.spot.board(), &rivers, self.engine.streets.len());
        self.engine.install(draw)
    }

    /// Runs iterations: in each, both players update once.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board that is drawn cannot be read.
    pub fn iterate(&mut self, count: u32) -> Result<(), BucketedError> {
        let start = Instant::now();
        let algorithm = self.options.algorithm;
        for _ in 0..count {
            let t = self.iterations + 1;
            let drawn = match self.options.chance {
                Chance::Full => None,
                Chance::Sampled { boards, seed } => Some(self.draw(boards, seed)?),
            };
            let deals = drawn.as_ref().or(self.all.as_ref()).expect("with full chance all boards are there");
            let begun = self.engine.begin(t, &algorithm, deals);
            for player in Player::ALL {
                self.engine.pass(player, Purpose::Train, deals);
                self.engine.update(player, &begun);
            }
            self.iterations = t;
        }
        self.elapsed += start.elapsed();
        Ok(())
    }

    /// Measures the average strategies in the real game: each combo on each board plays the strategy of its bucket, and the
    /// best response is free of buckets.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read.
    pub fn measure(&mut self) -> Result<Measurement, BucketedError> {
        let start = Instant::now();
        if self.all.is_none() {
            self.all = Some(self.all_boards()?);
        }
        let all = self.all.as_ref().expect("they were made above");
        self.engine.load_averages(all);
        let num_matchups = num_matchups(&all[0]);
        let mut mean = |player, purpose| self.engine.pass(player, purpose, all) / num_matchups;
        let evs = PerPlayer::from_fn(|player| mean(player, Purpose::Evaluate));
        let best_responses = PerPlayer::from_fn(|player| mean(player, Purpose::BestResponse));
        let gain = |player: Player| best_responses[player] - evs[player];
        let chips = (gain(Player::Oop) + gain(Player::Ip)) / 2.0;
        self.elapsed += start.elapsed();
        Ok(Measurement {
            iteration: self.iterations,
            evs,
            best_responses,
            exploitability_chips: chips,
            exploitability_pct: 100.0 * chips / self.spot.pot(),
        })
    }

    /// Iterates until the target, the last iteration or the observer's stop, and reports each iteration. The exploitability
    /// is measured after 10 iterations, then whenever there are a quarter more, and at the end.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read.
    pub fn run(
        &mut self,
        observer: &mut dyn Observer<BucketedProgress>,
    ) -> Result<StopReason, BucketedError> {
        let max_iterations = self.options.max_iterations;
        let next = |done: u32| (done + done.div_ceil(4)).max(10);
        let mut next_check = next(self.iterations);
        while self.iterations < max_iterations {
            self.iterate(1)?;
            let is_check = self.iterations >= next_check || self.iterations == max_iterations;
            let measured = if is_check { Some(self.measure()?) } else { None };
            if is_check {
                next_check = next(self.iterations);
            }
            let (iteration, elapsed) = (self.iterations, self.elapsed);
            let flow = observer.progress(&BucketedProgress { iteration, max_iterations, measured, elapsed });
            if measured.is_some_and(|measured| measured.exploitability_pct <= self.options.target_pct) {
                return Ok(StopReason::Converged);
            }
            if flow.is_break() {
                return Ok(StopReason::Stopped);
            }
        }
        Ok(StopReason::MaxIterations)
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
        let place = self.engine.place(node.index())?;
        let deal = self.dealer().deal::<f64>(board, None, 1.0).ok()?;
        let hands = deal.hands(player);
        let lifted = |(&combo, &bucket): (&u16, &u32)| LiftedStrategy {
            combo: Combo::from_index(combo.into()).expect("it is one of 1,326"),
            frequencies: self.engine.average_of(place, bucket),
        };
        Some(hands.combos.iter().zip(&hands.buckets).map(lifted).collect())
    }

    /// How many buckets a player's range has on a street, over all boards; 0 if there is no betting.
    #[must_use]
    pub fn num_buckets(&self, street: Street, player: Player) -> usize {
        self.rows[street as usize][player].len()
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
}
