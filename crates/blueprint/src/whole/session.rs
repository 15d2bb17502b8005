//! A training from its first board to its last: measurements on the way, checkpoints, and the best strategy that was found.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use equipoise_cards::Board;
use equipoise_progress::Observer;
use thiserror::Error;

use crate::bucketed::{BucketedError, Buckets};
use crate::whole::blueprint::{Blueprint, SavedExploitability};
use crate::whole::container::BlueprintFileError;
use crate::whole::exploit::{Exploitability, Exploiter, FlopValues, Flops};
use crate::whole::source::BucketSource;
use crate::whole::trainer::Trainer;
use crate::whole::training_file::{Checkpoint, training_path};

/// How long to train, and what to measure on the way.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SessionOptions {
    /// Stop at this many boards in all, those of earlier sessions included.
    pub boards: Option<u64>,
    /// Stop after this time, measurements included.
    pub time: Option<Duration>,
    /// On how many flops exploitability is measured; 0: never.
    pub flops: u32,
    /// What determines which flops.
    pub flop_seed: u64,
    /// How often the state is saved, to be resumed.
    pub save_every: Duration,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            boards: None,
            time: None,
            flops: 8,
            flop_seed: 0,
            save_every: Duration::from_mins(1),
        }
    }
}

/// Boards before the first measurement; each of the next comes after twice as many.
const FIRST_MEASUREMENT: u64 = 1_000;

/// Where a training stands.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SessionProgress {
    /// Boards played in all.
    pub boards: u64,
    /// Boards of this session for each second of training.
    pub boards_per_s: f64,
    /// Time spent in this session.
    pub elapsed: Duration,
    /// What the hand is worth to the button in training, in big blinds.
    pub self_play_bb: f64,
    /// What was measured last, if anything was.
    pub exploitability_mbb: Option<f64>,
    /// While it is being measured: flops done, and in all.
    pub measuring: Option<(usize, usize)>,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SessionOutcome {
    /// What was known on the way, earlier sessions included.
    pub checkpoints: Vec<Checkpoint>,
    /// Boards for each second of training.
    pub boards_per_s: f64,
    /// Boards of the strategy that was saved: the best that was measured, or the last.
    pub saved_boards: u64,
    /// Its exploitability, if it was measured.
    pub exploitability_mbb: Option<f64>,
    /// Whether the observer stopped it.
    pub is_stopped: bool,
}

/// Why a session ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// In the game.
    #[error(transparent)]
    Game(#[from] BucketedError),
    /// With a file.
    #[error(transparent)]
    File(#[from] BlueprintFileError),
}

/// A training whose best strategy is in one file, and whose state is in another beside it.
#[allow(missing_debug_implementations)] // Tables of millions of numbers.
pub struct Session<'a> {
    trainer: Trainer<'a>,
    buckets: &'a dyn Buckets,
    source: Option<BucketSource>,
    path: PathBuf,
    options: SessionOptions,
    checkpoints: Vec<Checkpoint>,
    /// Seconds of training before this session.
    earlier_s: f64,
    first_board: u64,
    started: Instant,
    measuring: Duration,
    best: Option<SavedBest>,
}

#[derive(Clone, Copy, Debug)]
struct SavedBest {
    boards: u64,
    mbb: f64,
}

impl<'a> Session<'a> {
    /// A session of a training that writes its strategies to `path`.
    #[must_use]
    pub fn new(
        trainer: Trainer<'a>,
        buckets: &'a dyn Buckets,
        source: Option<BucketSource>,
        path: &Path,
        options: SessionOptions,
    ) -> Session<'a> {
        Session {
            first_board: trainer.num_boards(),
            trainer,
            buckets,
            source,
            path: path.to_owned(),
            options,
            checkpoints: Vec::new(),
            earlier_s: 0.0,
            started: Instant::now(),
            measuring: Duration::ZERO,
            best: None,
        }
    }

    /// Resumes an earlier session from the file beside `path`.
    ///
    /// # Errors
    /// [`SessionError`] if the file cannot be read, or is of another training.
    pub fn resume(&mut self) -> Result<(), SessionError> {
        self.checkpoints = self.trainer.resume(&training_path(&self.path), self.source.clone())?;
        self.earlier_s = self.checkpoints.last().map_or(0.0, |last| last.elapsed_s);
        self.first_board = self.trainer.num_boards();
        let measured = |point: &Checkpoint| Some((point.boards, point.exploitability_mbb?));
        let best = self.checkpoints.iter().filter_map(measured).min_by(|a, b| a.1.total_cmp(&b.1));
        // The file may be gone, or of another measurement.
        let saved = Blueprint::open(&self.path).ok();
        let is_there = |boards| saved.as_ref().is_some_and(|saved| saved.header().boards == boards);
        self.best = best.filter(|best| is_there(best.0)).map(|(boards, mbb)| SavedBest { boards, mbb });
        Ok(())
    }

    /// Trains until the boards or the time are used up, or the observer stops it. The state is saved in any case.
    ///
    /// # Errors
    /// [`SessionError`] if buckets cannot be read or files not be written.
    pub fn run(
        &mut self,
        observer: &mut dyn Observer<SessionProgress>,
    ) -> Result<SessionOutcome, SessionError> {
        (self.started, self.measuring) = (Instant::now(), Duration::ZERO);
        // Saving large tables takes time: at most a twentieth of it all.
        let mut next_save = Instant::now() + self.options.save_every;
        let mut is_stopped = false;
        while !is_stopped && !self.is_done() {
            self.trainer.train(1)?;
            is_stopped = observer.progress(&self.progress(None)).is_break();
            if self.is_measurement_due() && !is_stopped {
                is_stopped = self.measure(observer)?.is_break();
            } else if Instant::now() < next_save {
                continue;
            }
            let begun = Instant::now();
            self.save_state()?;
            next_save = Instant::now() + self.options.save_every.max(20 * begun.elapsed());
        }
        let is_measured = self.checkpoints.last().is_some_and(|last| {
            last.boards == self.trainer.num_boards() && last.exploitability_mbb.is_some()
        });
        if !is_stopped && !is_measured && self.best.is_some() {
            is_stopped = self.measure(observer)?.is_break();
        }
        self.finish(is_stopped)
    }

    fn is_done(&self) -> bool {
        self.options.boards.is_some_and(|boards| self.trainer.num_boards() >= boards)
            || self.options.time.is_some_and(|time| self.started.elapsed() >= time)
    }

    /// Whether the number of boards has just passed 1,000, 2,000, 4,000 and so on.
    fn is_measurement_due(&self) -> bool {
        let number = |boards: u64| (boards / FIRST_MEASUREMENT).checked_ilog2();
        let boards = self.trainer.num_boards();
        self.options.flops > 0 && number(boards) != number(boards - self.trainer.batch())
    }

    fn training_s(&self) -> f64 {
        self.earlier_s + (self.started.elapsed() - self.measuring).as_secs_f64()
    }

    fn progress(&self, measuring: Option<(usize, usize)>) -> SessionProgress {
        SessionProgress {
            boards: self.trainer.num_boards(),
            boards_per_s: self.boards_per_s(),
            elapsed: self.started.elapsed(),
            self_play_bb: self.trainer.self_play_bb(),
            exploitability_mbb: self.checkpoints.iter().rev().find_map(|point| point.exploitability_mbb),
            measuring,
        }
    }

    fn boards_per_s(&self) -> f64 {
        let seconds = self.training_s() - self.earlier_s;
        (self.trainer.num_boards() - self.first_board) as f64 / seconds.max(1e-9)
    }

    fn note(&mut self, exploitability_mbb: Option<f64>) {
        let (boards, elapsed_s) = (self.trainer.num_boards(), self.training_s());
        self.checkpoints.retain(|point| point.boards != boards);
        self.checkpoints.push(Checkpoint { boards, elapsed_s, exploitability_mbb });
    }

    /// Measures the average strategies, and saves them if they are the best so far.
    fn measure(
        &mut self,
        observer: &mut dyn Observer<SessionProgress>,
    ) -> Result<ControlFlow<()>, SessionError> {
        let begun = Instant::now();
        let training_s = self.training_s();
        let mut blueprint = self.trainer.blueprint(self.source.clone())?;
        let flops = Flops::Sampled { count: self.options.flops as usize, seed: self.options.flop_seed };
        let progress = self.progress(None);
        let measured =
            measure(&blueprint, self.buckets, self.trainer.threads(), &flops, &mut |done, all| {
                observer.progress(&SessionProgress { measuring: Some((done, all)), ..progress })
            })?;
        self.measuring += begun.elapsed();
        let Some(measured) = measured else { return Ok(ControlFlow::Break(())) };
        self.note(Some(measured.upper));
        if let Some(point) = self.checkpoints.last_mut() {
            point.elapsed_s = training_s;
        }
        if self.best.is_none_or(|best| measured.upper < best.mbb) {
            self.best = Some(SavedBest { boards: self.trainer.num_boards(), mbb: measured.upper });
            blueprint.set_exploitability(SavedExploitability {
                mbb: measured.upper,
                flops: self.options.flops,
                seed: self.options.flop_seed,
            });
            blueprint.save(&self.path)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn save_state(&mut self) -> Result<(), SessionError> {
        let path = training_path(&self.path);
        self.trainer.save_training(&path, self.source.clone(), &self.checkpoints)?;
        Ok(())
    }

    fn finish(&mut self, is_stopped: bool) -> Result<SessionOutcome, SessionError> {
        if self.checkpoints.last().is_none_or(|last| last.boards != self.trainer.num_boards()) {
            self.note(None);
        }
        self.save_state()?;
        if self.best.is_none() {
            self.trainer.blueprint(self.source.clone())?.save(&self.path)?;
        }
        Ok(SessionOutcome {
            checkpoints: self.checkpoints.clone(),
            boards_per_s: self.boards_per_s(),
            saved_boards: self.best.map_or(self.trainer.num_boards(), |best| best.boards),
            exploitability_mbb: self.best.map(|best| best.mbb),
            is_stopped,
        })
    }
}

/// Measures a blueprint on flops, and says after each how many are done; `None` if that ends the work.
fn measure(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    threads: Option<std::num::NonZeroUsize>,
    flops: &Flops,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Option<Exploitability>, BucketedError> {
    let mut exploiter = Exploiter::new(blueprint, buckets, threads)?;
    let list: Vec<(Board, u32)> = flops.list();
    let mut values: Vec<(FlopValues, u32)> = Vec::new();
    for &(flop, weight) in &list {
        if progress(values.len(), list.len()).is_break() {
            return Ok(None);
        }
        values.push((exploiter.flop(flop)?, weight));
    }
    let values: Vec<(&FlopValues, u32)> = values.iter().map(|(values, weight)| (values, *weight)).collect();
    Ok(Some(exploiter.summary(&values, flops.is_exact())))
}
