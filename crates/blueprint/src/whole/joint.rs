//! A joint solve of the betting before the flop and of a few flops, each with its weight.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise_cards::Board;
use equipoise_progress::Observer;

use crate::bucketed::BucketedError;
use crate::whole::chart::{ChartDecision, FlopEntry, FlopEvs, decision_lines, flop_entries};
use crate::whole::exploit::{Exploitability, FlopValues};
use crate::whole::game::WholeGame;
use crate::whole::session::SessionProgress;
use crate::whole::subset::SubsetBuckets;
use crate::whole::trainer::{Trainer, TrainerOptions};

/// When a joint solve ends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct JointStop {
    /// At this many boards.
    pub boards: Option<u64>,
    /// After this time, measurements on the way included.
    pub time: Option<Duration>,
    /// At this exploitability, in thousandths of a big blind a hand; 0 never stops.
    pub target_mbb: f64,
}

/// What a joint solve has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JointOutcome {
    /// Boards that were played.
    pub boards: u64,
    /// How many of them in a second.
    pub boards_per_s: f64,
    /// Time spent, measurements included.
    pub elapsed: Duration,
    /// What the strategies lose to a best response on these flops.
    pub exploitability: Exploitability,
    /// Every decision before the flop.
    pub chart: Vec<ChartDecision>,
    /// Every line that reaches the flop.
    pub entries: Vec<FlopEntry>,
    /// Whether the observer stopped it.
    pub is_stopped: bool,
}

/// Solves the betting before the flop together with a few flops.
///
/// The game is the one in which these flops, with their weights, are all there are: its best response is exact, over every
/// turn and river.
#[allow(missing_debug_implementations)] // Tables of millions of numbers.
pub struct JointSolver<'a> {
    trainer: Trainer<'a>,
    /// Weights in hundredths.
    flops: Vec<(Board, u32)>,
    started: Instant,
    measuring: Duration,
}

/// Boards of each flop before the first measurement; each of the next comes after twice as many.
const FIRST_MEASUREMENT: u64 = 2_000;

impl<'a> JointSolver<'a> {
    /// A solve before its first board.
    ///
    /// # Errors
    /// [`BucketedError`] if the betting makes no game, or if the tables would take more memory than allowed.
    pub fn new(
        game: &WholeGame,
        buckets: &'a SubsetBuckets,
        options: &TrainerOptions,
    ) -> Result<JointSolver<'a>, BucketedError> {
        let mut trainer = Trainer::new(game, buckets, options)?;
        trainer.set_flops(buckets.flops());
        let in_hundredths = |&(flop, weight): &(Board, f64)| (flop, ((100.0 * weight).round() as u32).max(1));
        let flops = buckets.flops().iter().map(in_hundredths).collect();
        Ok(JointSolver { trainer, flops, started: Instant::now(), measuring: Duration::ZERO })
    }

    /// The bytes that the tables of a solve would take.
    ///
    /// # Errors
    /// As [`new`](JointSolver::new).
    pub fn needed(
        game: &WholeGame,
        buckets: &SubsetBuckets,
        options: &TrainerOptions,
    ) -> Result<u64, BucketedError> {
        Trainer::needed(game, buckets, options)
    }

    /// The bytes of the tables.
    #[must_use]
    pub const fn memory_bytes(&self) -> u64 {
        self.trainer.memory_bytes()
    }

    /// The line of every decision that the chart will have.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        decision_lines(&self.trainer)
    }

    /// Solves until something says that it is enough, then measures and charts what it has. An observer that stops it still
    /// gets both.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read.
    pub fn run(
        &mut self,
        stop: &JointStop,
        observer: &mut dyn Observer<SessionProgress>,
    ) -> Result<JointOutcome, BucketedError> {
        (self.started, self.measuring) = (Instant::now(), Duration::ZERO);
        let mut next = FIRST_MEASUREMENT * self.flops.len() as u64;
        let (mut measured, mut is_stopped) = (None, false);
        loop {
            let boards = self.trainer.num_boards();
            let is_done = stop.boards.is_some_and(|most| boards >= most)
                || stop.time.is_some_and(|time| self.started.elapsed() >= time);
            if is_done || is_stopped {
                break;
            }
            self.trainer.train(1)?;
            measured = None;
            is_stopped = observer.progress(&self.progress(None, None)).is_break();
            if self.trainer.num_boards() >= next && !is_stopped {
                next *= 2;
                measured = self.measure(observer)?;
                is_stopped = measured.is_none();
                if measured.is_some_and(|found| found.estimate <= stop.target_mbb) {
                    break;
                }
            }
        }
        let boards_per_s = self.boards_per_s();
        // What was asked to end ends with its answer.
        let exploitability = match measured {
            Some(measured) => measured,
            None => self.measure(&mut ())?.expect("nobody stops it"),
        };
        let chart = self.chart()?;
        Ok(JointOutcome {
            boards: self.trainer.num_boards(),
            boards_per_s,
            elapsed: self.started.elapsed(),
            exploitability,
            chart,
            entries: flop_entries(&self.trainer),
            is_stopped,
        })
    }

    fn boards_per_s(&self) -> f64 {
        let seconds = (self.started.elapsed() - self.measuring).as_secs_f64();
        self.trainer.num_boards() as f64 / seconds.max(1e-9)
    }

    fn progress(&self, mbb: Option<f64>, measuring: Option<(usize, usize)>) -> SessionProgress {
        SessionProgress {
            boards: self.trainer.num_boards(),
            boards_per_s: self.boards_per_s(),
            elapsed: self.started.elapsed(),
            self_play_bb: self.trainer.self_play_bb(),
            exploitability_mbb: mbb,
            measuring,
        }
    }

    /// Measures the average strategies on all flops; `None` if the observer ends it.
    fn measure(
        &mut self,
        observer: &mut dyn Observer<SessionProgress>,
    ) -> Result<Option<Exploitability>, BucketedError> {
        let begun = Instant::now();
        let progress = self.progress(None, None);
        let mut exploiter = self.trainer.exploiter()?;
        let mut values: Vec<(FlopValues, u32)> = Vec::new();
        for &(flop, weight) in &self.flops {
            let measuring = Some((values.len(), self.flops.len()));
            if observer.progress(&SessionProgress { measuring, ..progress }) == ControlFlow::Break(()) {
                return Ok(None);
            }
            values.push((exploiter.flop(flop)?, weight));
        }
        let values: Vec<(&FlopValues, u32)> =
            values.iter().map(|(values, weight)| (values, *weight)).collect();
        let measured = exploiter.summary(&values, true);
        self.measuring += begun.elapsed();
        let mbb = Some(measured.estimate);
        let flow =
            observer.progress(&SessionProgress { exploitability_mbb: mbb, ..self.progress(mbb, None) });
        Ok((flow == ControlFlow::Continue(())).then_some(measured))
    }

    fn chart(&self) -> Result<Vec<ChartDecision>, BucketedError> {
        let mut exploiter = self.trainer.exploiter()?;
        let mut flops: Vec<(FlopEvs, f64)> = Vec::new();
        for &(flop, weight) in &self.flops {
            flops.push((exploiter.flop_evs(flop)?, weight.into()));
        }
        let mut chart = exploiter.chart_of(&flops);
        // These flops are all there are: nothing was drawn.
        for decision in &mut chart {
            decision.std_errors_bb.iter_mut().flatten().for_each(|error| *error = f64::INFINITY);
        }
        Ok(chart)
    }
}
