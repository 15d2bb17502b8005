//! Solves one job.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use equipoise_documents::{Both, SolutionDocument};
use equipoise_postflop::{
    Contents, Options, Reader, SaveOptions, SolveProgress, Solver, Spot, StopReason, WarmStartError,
};
use equipoise_progress::Observer;
use equipoise_spots::memory;
use equipoise_spots::saving::{self, Checkpoints};
use equipoise_spots::spot_file::Problem;

use super::Shared;
use super::document::JobState;
use super::job::{Job, Live, Wish};
use crate::source::Source;
use crate::work::Cancel;

/// A look takes two bytes for each number of a strategy, and a little more.
const LOOK_BYTES: u64 = 3;

/// Tables up to this size are kept with a solution, so that a change of it begins where it ended.
const KEPT_BYTES: u64 = 64 << 20;

/// Tells looks at running jobs apart.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// Watches a solve and ends it when something else is to be done.
struct Watch<'a> {
    shared: &'a Shared,
    job: &'a Job,
    checkpoint: Instant,
}

impl Watch<'_> {
    fn wants_end(&self) -> bool {
        self.shared.is_closing() || self.job.live().wish.is_some()
    }
}

impl Observer<SolveProgress> for Watch<'_> {
    fn progress(&mut self, progress: &SolveProgress) -> ControlFlow<()> {
        self.job.note(progress);
        let is_due = self.wants_end() || self.job.is_looked_for() || Instant::now() >= self.checkpoint;
        if is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Why a job leaves the solver.
enum End {
    Finished(StopReason),
    Wished(Wish),
    Closing,
}

/// Why a job failed.
enum Failed {
    /// There is no answer.
    Lost(String),
    /// There is one, to be looked at while the server runs, but not on the disk.
    NotSaved(String),
}

impl From<String> for Failed {
    fn from(reason: String) -> Failed {
        Failed::Lost(reason)
    }
}

/// Works on a job until it is finished or something else is wished, and notes what came of it.
pub(super) fn work(shared: &Shared, job: &Arc<Job>) {
    let done = solve(shared, job);
    if job.live().is_deleted {
        job.remove();
    }
    let is_kept = matches!(done, Err(Failed::NotSaved(_)));
    if let Err(Failed::NotSaved(reason) | Failed::Lost(reason)) = done {
        let failed = job.change(|live| {
            live.record.job.state = JobState::Failed;
            live.record.job.error = Some(reason);
            live.record.job.eta_s = None;
            live.wish = None;
        });
        // Whoever asks is told all the same; only a restart would not know.
        drop(failed);
    }
    job.dismiss(is_kept);
}

fn solve(shared: &Shared, job: &Arc<Job>) -> Result<(), Failed> {
    let text = job.live().record.text.clone();
    let mut problem: Problem = text.parse().map_err(|error| format!("its spot: {error}"))?;
    problem.options.threads = shared.threads;
    problem.options.memory_limit = shared.memory_limit();
    let checkpoints = Checkpoints::new(job.checkpoint(), Some(shared.checkpoint));
    let mut run = Run { shared, job, options: problem.options.clone(), text, problem, checkpoints };
    let mut solver = run.begin()?;
    let end = run.go_on(&mut solver);
    run.end(&mut solver, &end)
}

/// A job on its way.
struct Run<'a> {
    shared: &'a Shared,
    job: &'a Arc<Job>,
    problem: Problem,
    options: Options,
    text: String,
    checkpoints: Checkpoints,
}

impl Run<'_> {
    /// A solver at the checkpoint, or at the beginning where there is none that can be used.
    fn begin(&self) -> Result<Solver, String> {
        let (checkpoint, spot) = (self.job.checkpoint(), self.problem.spot.clone());
        let resumed = checkpoint.is_file().then(|| Solver::resume(&checkpoint, spot.clone(), &self.options));
        let (solver, is_resumed) = match resumed {
            Some(Ok(solver)) => (solver, true),
            _ => (self.start(spot)?, false),
        };
        let iterations = solver.solution().iterations();
        self.note(|live| {
            let job = &mut live.record.job;
            job.state = JobState::Running;
            job.iteration = iterations;
            job.saved_iteration = is_resumed.then_some(iterations);
            job.elapsed_s = solver.solution().elapsed().as_secs_f64();
            job.memory_bytes = solver.solution().memory_bytes() as u64;
            (job.error, job.warning) = (None, None);
            // After a crash the checkpoint may be older than what was noted.
            job.checks.retain(|check| check.iteration <= iterations);
            if job.checks.is_empty() {
                job.exploitability = None;
            }
        });
        Ok(solver)
    }

    /// A solver before its first iteration, with what the solution that it is held against knows, if that helps.
    fn start(&self, spot: Spot) -> Result<Solver, String> {
        let new = || Solver::new(spot.clone(), &self.options).map_err(|error| error.to_string());
        let mut solver = new()?;
        let from = self.job.live().record.job.from.clone();
        let Some(old) = from.and_then(|id| self.shared.library.open(&id, &Cancel::default()).ok()) else {
            return Ok(solver);
        };
        match solver.start_from(old.path(), &old.problem.spot, &old.problem.options) {
            // Damaged halfway: what was taken over goes too.
            Err(WarmStartError::File(_)) => new(),
            _ => Ok(solver),
        }
    }

    fn go_on(&mut self, solver: &mut Solver) -> End {
        loop {
            let checkpoint = self.checkpoints.due().unwrap_or_else(Instant::now);
            let mut watch = Watch { shared: self.shared, job: self.job, checkpoint };
            let reason = solver.run(&mut watch);
            if reason != StopReason::Stopped {
                return End::Finished(reason);
            }
            if self.job.live().wish == Some(Wish::Pause) && !self.save_checkpoint(solver) {
                // What is in memory only is not given up for a pause.
                self.job.live().wish = None;
                continue;
            }
            // The wish may have been taken back in the meantime, or another one.
            if let Some(wish) = self.job.live().wish {
                return End::Wished(wish);
            }
            if self.shared.is_closing() {
                return End::Closing;
            }
            if self.job.is_looked_for() {
                self.look(solver);
            } else {
                self.save_checkpoint(solver);
            }
        }
    }

    /// Lets everybody look who waits for it.
    fn look(&self, solver: &mut Solver) {
        if self.has_memory_to_look() {
            self.publish(solver);
        } else {
            self.job.live().look_bytes = self.bytes_to_look();
            self.job.dismiss(true);
        }
    }

    fn has_memory_to_look(&self) -> bool {
        memory::available().is_none_or(|left| left >= self.bytes_to_look())
    }

    /// What a look takes.
    fn bytes_to_look(&self) -> u64 {
        LOOK_BYTES * Solver::memory(&self.problem.spot, &self.options).entries
    }

    /// Keeps what has been found so far in memory, to be looked at.
    fn publish(&self, solver: &mut Solver) {
        let reader = Arc::new(Reader::of(solver.solution_mut()));
        let config = self.problem.spot.tree().config();
        let job = self.job.document();
        let solution = SolutionDocument {
            file: job.id,
            board: job.board,
            starting_pot: config.starting_pot.count(),
            effective_stack: config.effective_stack.count(),
            exploitability: job.exploitability,
            iterations: solver.solution().iterations(),
            algorithm: job.algorithm,
            storage: job.storage,
            target_pct: job.target_pct,
            converged: solver.solution().converged(),
        };
        let key = format!("look {}", LOOKS.fetch_add(1, Ordering::Relaxed));
        self.job.publish(Source { key, reader, solution, contents: Contents::Full });
    }

    /// Whether what has been found so far is on the disk now. If not, the job says so and goes on.
    fn save_checkpoint(&mut self, solver: &mut Solver) -> bool {
        let saved = self.checkpoints.save(solver.solution_mut(), &self.text, self.options.target_pct);
        let warning = saved.err().map(|error| format!("{error}; it is tried again at the next one"));
        let is_saved = warning.is_none();
        let iterations = solver.solution().iterations();
        self.note(|live| {
            let job = &mut live.record.job;
            job.warning = warning;
            if is_saved {
                job.saved_iteration = Some(iterations);
            }
        });
        is_saved
    }

    /// Notes something of the job. What the disk does not take is known as long as the server runs.
    fn note(&self, change: impl FnOnce(&mut Live)) {
        if let Err(error) = self.job.change(change) {
            let warning = format!("the job could not be written down: {error}");
            self.job.live().record.job.warning.get_or_insert(warning);
        }
    }

    fn save_options(&self, contents: Contents) -> SaveOptions {
        SaveOptions { contents, configuration: self.text.clone(), target_pct: self.options.target_pct }
    }

    /// Notes what came of it; no wish is left.
    fn write_down(&self, change: impl FnOnce(&mut super::document::JobDocument)) {
        self.note(|live| {
            live.wish = live.wish.filter(|&wish| wish == Wish::Delete);
            change(&mut live.record.job);
        });
    }

    fn end(&mut self, solver: &mut Solver, end: &End) -> Result<(), Failed> {
        match *end {
            End::Wished(Wish::Delete) => {}
            // The record says that it runs, so it goes on when there is a server again: from here, or where the disk did
            // not take that from the last checkpoint.
            End::Closing => {
                self.save_checkpoint(solver);
            }
            End::Wished(Wish::Pause) => self.write_down(|job| {
                job.state = JobState::Paused;
                job.eta_s = None;
            }),
            End::Wished(Wish::Stop) => return self.finish(solver, JobState::Stopped, None),
            End::Finished(reason) => return self.finish(solver, JobState::Done, Some(reason)),
        }
        Ok(())
    }

    /// Puts the solution into the library: all of it, or as much as there is room for. What does not fit at all can be
    /// looked at as long as the server runs.
    fn finish(&self, solver: &mut Solver, state: JobState, reason: Option<StopReason>) -> Result<(), Failed> {
        let name = self.job.live().record.job.name.clone();
        let reserved = self.shared.library.reserve(&name);
        let found = solver.solution().exploitability();
        let note = |job: &mut super::document::JobDocument| {
            job.stop_reason = reason.map(|reason| reason.key().to_owned());
            job.exploitability = found.map(Into::into).or(job.exploitability);
            job.eta_s = None;
        };
        let saved = self.save(solver, &reserved.path());
        let gains = self.gains(solver);
        let warning = match saved {
            Ok(warning) => warning,
            Err(failed) => {
                self.write_down(|job| {
                    note(job);
                    job.gains = gains;
                });
                if !self.has_memory_to_look() {
                    return Err(Failed::Lost(failed));
                }
                self.publish(solver);
                let failed = format!("{failed}; it can be looked at as long as the server runs");
                return Err(Failed::NotSaved(failed));
            }
        };
        self.shared.library.entitle(&reserved.id, &name);
        self.write_down(|job| {
            note(job);
            job.state = state;
            job.solution = Some(reserved.id.clone());
            job.warning = warning;
            job.gains = gains;
        });
        let _ = fs::remove_file(self.job.checkpoint());
        Ok(())
    }

    /// Saves the solution; says what had to be left out for want of room.
    fn save(&self, solver: &mut Solver, path: &Path) -> Result<Option<String>, String> {
        let tables = Solver::memory(&self.problem.spot, &self.options).tables;
        let contents = if tables <= KEPT_BYTES { Contents::Resumable } else { Contents::Full };
        let Err(error) = saving::save(solver.solution_mut(), path, &self.save_options(contents)) else {
            return Ok(None);
        };
        for (contents, _) in error.fitting() {
            if solver.solution_mut().save(path, &self.save_options(contents)).is_ok() {
                let (wanted, kept) = (error.contents.name(), contents.name());
                return Ok(Some(format!("saved as {kept}, for want of room for {wanted}: {error}")));
            }
        }
        let advice = error.advice(|contents| contents.name().to_owned());
        Err(format!("the solution is not saved: {error}; {advice}"))
    }

    /// What each player gets more than in the solution that this one is held against.
    fn gains(&self, solver: &mut Solver) -> Option<Both<f64>> {
        let from = self.job.live().record.job.from.clone()?;
        let before = self.shared.library.open(&from, &Cancel::default()).ok()?.header.evs;
        let now = solver.solution_mut().evs();
        Some(Both { oop: now[0].mean - before[0].ev, ip: now[1].mean - before[1].ev })
    }
}
