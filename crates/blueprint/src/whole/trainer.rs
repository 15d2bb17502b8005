//! Training: batches of boards.

use std::num::{NonZeroU32, NonZeroUsize};

use equipoise_cards::{Board, HandClass, Range, Street};
use equipoise_cfr::{Algorithm, Asymmetry, Scheme};
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::betting::Betting;
use crate::bucketed::chance::{RunoutOrder, SubsetOrder, drawn_boards};
use crate::bucketed::deal::{BucketRows, Dealer, StreetDeals};
use crate::bucketed::engine::{Engine, Layout, num_matchups};
use crate::bucketed::pack::Purpose;
use crate::bucketed::{BucketedError, Buckets};
use crate::whole::blueprint::{Blueprint, BlueprintHeader};
use crate::whole::exploit::Exploiter;
use crate::whole::game::WholeGame;
use crate::whole::source::BucketSource;
use crate::whole::strategies::Strategies;

/// How a whole game is trained.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TrainerOptions {
    /// The algorithm; an iteration is a batch.
    pub algorithm: Algorithm,
    /// How many boards a batch has.
    pub batch: NonZeroU32,
    /// Seed of the order of boards.
    pub seed: u64,
    /// How many threads work; absent: one per processor. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// The most bytes that the tables may take; absent: as many as they need.
    pub memory_limit: Option<u64>,
    /// The most nodes that the betting may have.
    pub max_nodes: usize,
}

impl Default for TrainerOptions {
    fn default() -> TrainerOptions {
        TrainerOptions {
            algorithm: "lcfr".parse().expect("it is an algorithm"),
            batch: NonZeroU32::new(16).expect("it is above 0"),
            seed: 0,
            threads: None,
            memory_limit: None,
            max_nodes: 10_000_000,
        }
    }
}

/// Which boards come.
#[derive(Clone, Debug)]
enum Order {
    All(RunoutOrder),
    Subset(SubsetOrder),
}

impl Order {
    fn boards(&mut self, first: u64, count: u64) -> Vec<Board> {
        match self {
            Order::All(order) => (first..first + count).map(|place| order.board(place)).collect(),
            Order::Subset(order) => order.boards(first, count),
        }
    }
}

/// Tables whose rows are the numbers of buckets over all boards.
pub(super) fn global_rows(
    layout: &Layout,
    buckets: PerPlayer<&dyn Buckets>,
) -> Result<[PerPlayer<BucketRows>; 4], BucketedError> {
    let mut rows = std::array::from_fn(|_| PerPlayer::from_fn(|_| BucketRows::Global(0)));
    for &(street, _) in &layout.streets {
        for player in Player::ALL {
            let count = buckets[player].num_buckets(street);
            let count = count.ok_or(BucketedError::LocalBuckets { street })?;
            rows[street as usize][player] = BucketRows::Global(count);
        }
    }
    Ok(rows)
}

/// The packs of a game, and the rows of its tables.
type LaidOut = (Layout, [PerPlayer<BucketRows>; 4], [PerPlayer<usize>; 4]);

fn laid_out(
    game: &WholeGame,
    buckets: &dyn Buckets,
    options: &TrainerOptions,
) -> Result<LaidOut, BucketedError> {
    let layout = Layout::new(Betting::of_game(game, options.max_nodes)?, Street::Preflop);
    let rows = global_rows(&layout, PerPlayer::new(buckets, buckets))?;
    let num_buckets = rows.each_ref().map(|rows| rows.as_ref().map(BucketRows::len));
    Ok((layout, rows, num_buckets))
}

fn training_bytes(layout: &Layout, num_buckets: &[PerPlayer<usize>; 4], options: &TrainerOptions) -> u64 {
    let has_last = options.algorithm.requirements().last_instant;
    layout.training_bytes(num_buckets, options.batch.get() as usize, has_last)
}

/// Trains the strategies of a whole game.
///
/// ```
/// use equipoise_blueprint::bucketed::Lossless;
/// use equipoise_blueprint::whole::{Trainer, TrainerOptions, WholeGame};
/// use equipoise_game::{BettingAbstraction, Chips, HandConfig};
/// // Jam or fold with ten big blinds.
/// let mut betting = BettingAbstraction::default();
/// betting.preflop.open = "a".parse()?;
/// let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(1_000));
/// let options = TrainerOptions { algorithm: "dcfr".parse()?, ..TrainerOptions::default() };
/// let mut trainer = Trainer::new(&WholeGame { hand, betting }, &Lossless, &options)?;
/// trainer.train(500)?;
/// let aces = trainer.opening("AA".parse()?);
/// assert!(aces[1] > 0.999, "{aces:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations)] // Tables of millions of numbers.
pub struct Trainer<'a> {
    pub(super) game: WholeGame,
    ranges: PerPlayer<Range>,
    buckets: &'a dyn Buckets,
    rows: [PerPlayer<BucketRows>; 4],
    pub(super) options: TrainerOptions,
    pub(super) engine: Engine<f32>,
    order: Order,
    pub(super) num_batches: u32,
    memory_bytes: u64,
    /// Linearly weighted sum of the button's values, and of the weights.
    pub(super) self_play: [f64; 2],
}

impl<'a> Trainer<'a> {
    /// A trainer before its first board.
    ///
    /// # Errors
    /// [`BucketedError`] if the betting makes no game, if a street has no buckets, or if the tables would take more memory
    /// than allowed.
    pub fn new(
        game: &WholeGame,
        buckets: &'a dyn Buckets,
        options: &TrainerOptions,
    ) -> Result<Trainer<'a>, BucketedError> {
        if options.algorithm.looks_ahead() {
            return Err(BucketedError::LookAhead { algorithm: options.algorithm.to_string() });
        }
        let needs = options.algorithm.requirements();
        if let Some(Asymmetry::Auto { .. }) = needs.asymmetry {
            return Err(BucketedError::Algorithm { algorithm: options.algorithm.to_string() });
        }
        let (layout, rows, num_buckets) = laid_out(game, buckets, options)?;
        let memory_bytes = training_bytes(&layout, &num_buckets, options);
        if let Some(limit) = options.memory_limit.filter(|&limit| memory_bytes > limit) {
            return Err(BucketedError::Memory { needed: memory_bytes, limit });
        }
        Ok(Trainer {
            game: game.clone(),
            ranges: PerPlayer::new(Range::full(), Range::full()),
            buckets,
            rows,
            engine: Engine::new(layout, &num_buckets, Some(needs), options.threads)?,
            order: Order::All(RunoutOrder::new(Board::EMPTY, options.seed)),
            options: options.clone(),
            num_batches: 0,
            memory_bytes,
            self_play: [0.0; 2],
        })
    }

    /// The bytes that the tables would take.
    pub(super) fn needed(
        game: &WholeGame,
        buckets: &dyn Buckets,
        options: &TrainerOptions,
    ) -> Result<u64, BucketedError> {
        let (layout, _, num_buckets) = laid_out(game, buckets, options)?;
        Ok(training_bytes(&layout, &num_buckets, options))
    }

    /// Draws boards of these flops only, each with its weight.
    pub(super) fn set_flops(&mut self, flops: &[(Board, f64)]) {
        self.order = Order::Subset(SubsetOrder::new(flops, self.options.seed));
    }

    fn draw(&mut self) -> Result<Vec<StreetDeals<f32>>, BucketedError> {
        let batch = u64::from(self.options.batch.get());
        let first = u64::from(self.num_batches) * batch;
        let rivers = self.order.boards(first, batch);
        let dealer = Dealer::of_one(&self.ranges, self.buckets, &self.rows);
        self.engine.install(|| drawn_boards(&dealer, Board::EMPTY, &rivers, self.engine.streets.len()))
    }

    /// Plays this many batches.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read.
    pub fn train(&mut self, num_batches: u32) -> Result<(), BucketedError> {
        let algorithm = self.options.algorithm;
        for _ in 0..num_batches {
            let deals = self.draw()?;
            let t = self.num_batches + 1;
            let begun = self.engine.begin(t, &algorithm, &deals);
            for player in Player::ALL {
                let value = self.engine.pass(player, Purpose::Train, &deals);
                self.engine.update(player, &begun);
                if player == Player::Ip {
                    self.self_play[0] += f64::from(t) * value / num_matchups(&deals[0]);
                    self.self_play[1] += f64::from(t);
                }
            }
            self.num_batches = t;
        }
        Ok(())
    }

    /// How many boards were played.
    #[must_use]
    pub fn num_boards(&self) -> u64 {
        u64::from(self.num_batches) * u64::from(self.options.batch.get())
    }

    /// The bytes of the tables.
    #[must_use]
    pub const fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// How many boards a batch has.
    pub(super) fn batch(&self) -> u64 {
        u64::from(self.options.batch.get())
    }

    pub(super) fn threads(&self) -> Option<NonZeroUsize> {
        self.options.threads
    }

    /// [`self_play`](Trainer::self_play) in big blinds.
    #[must_use]
    pub fn self_play_bb(&self) -> f64 {
        self.game.big_blinds(self.self_play())
    }

    /// What the hand was worth to the button in training, in chips: the mean over the boards played, later ones counting
    /// more.
    #[must_use]
    pub fn self_play(&self) -> f64 {
        if self.self_play[1] > 0.0 { self.self_play[0] / self.self_play[1] } else { 0.0 }
    }

    /// The average strategies as they are now; `source` says where the buckets come from.
    ///
    /// # Errors
    /// [`BucketedError`] if the betting has more nodes than a file may have.
    pub fn blueprint(&self, source: Option<BucketSource>) -> Result<Blueprint, BucketedError> {
        let header = BlueprintHeader {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            game: self.game.clone(),
            num_buckets: self.rows.each_ref().map(|rows| rows[Player::Oop].len()),
            source,
            algorithm: self.options.algorithm.to_string(),
            seed: self.options.seed,
            boards: self.num_boards(),
            self_play_bb: self.game.big_blinds(self.self_play()),
            exploitability: None,
        };
        Blueprint::new(header, |node| {
            let place = self.engine.place(node).expect("a decision has its place");
            let num_buckets = self.engine.num_buckets_at(place);
            let num_actions = self.engine.betting.nodes[node].num_children;
            let entries = (0..num_actions * num_buckets).map(|at| (at / num_buckets, at % num_buckets));
            entries.map(|(action, bucket)| self.engine.average_frequency(place, action, bucket)).collect()
        })
    }

    /// Prepares to measure the average strategies as they are now.
    ///
    /// # Errors
    /// As [`Exploiter::new`].
    pub fn exploiter(&self) -> Result<Exploiter<'_>, BucketedError> {
        Exploiter::of(self, self.buckets, self.options.threads)
    }

    /// How often the button takes each of its first actions with a hand class, on average; empty if it does not act.
    #[must_use]
    pub fn opening(&self, class: HandClass) -> Vec<f64> {
        let Some(place) = self.engine.place(0) else { return Vec::new() };
        self.engine.average_of(place, class.index() as u32)
    }

    /// What the average strategies are worth where no board matters: the value of each player and of its best response, in
    /// chips. `None` if there is betting after the flop.
    pub fn measure_preflop(&mut self) -> Option<[PerPlayer<f64>; 2]> {
        if self.engine.streets.len() > 1 {
            return None;
        }
        let deals = self.draw().ok()?;
        self.engine.load_averages(&deals);
        let num_matchups = num_matchups(&deals[0]);
        let mut mean = |player, purpose| self.engine.pass(player, purpose, &deals) / num_matchups;
        Some([
            PerPlayer::from_fn(|player| mean(player, Purpose::Evaluate)),
            PerPlayer::from_fn(|player| mean(player, Purpose::BestResponse)),
        ])
    }
}

/// The average strategies as they are now.
impl Strategies for Trainer<'_> {
    fn game(&self) -> &WholeGame {
        &self.game
    }

    fn betting(&self) -> &Betting {
        &self.engine.betting
    }

    fn num_buckets(&self) -> [usize; 4] {
        self.rows.each_ref().map(|rows| rows[Player::Oop].len())
    }

    fn frequency(&self, node: usize, action: usize, bucket: usize) -> f64 {
        let place = self.engine.place(node).expect("somebody acts there");
        self.engine.average_frequency(place, action, bucket)
    }
}
