//! Solves one job.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use equipoise_postflop::{
    Contents, Observer, Options, Progress, Reader, SaveOptions, Solver, Spot, StopReason, Verdict,
    WarmStartError,
};
use equipoise_report::documents::{Both, SolutionDocument};
use equipoise_spots::memory;
use equipoise_spots::solution_file::next_checkpoint;
use equipoise_spots::spot_file::Problem;

use super::Shared;
use super::document::JobState;
use super::job::{Job, Wish};
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

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) -> Verdict {
        self.job.note(progress);
        let is_due = self.wants_end() || self.job.is_looked_for() || Instant::now() >= self.checkpoint;
        if is_due { Verdict::Stop } else { Verdict::Continue }
    }
}

/// Why a job leaves the solver.
enum End {
    Finished(StopReason),
    Wished(Wish),
    Closing,
}

/// Works on a job until it is finished or something else is wished, and notes what came of it.
pub(super) fn work(shared: &Shared, job: &Arc<Job>) {
    let done = solve(shared, job);
    if job.live().is_deleted {
        job.remove();
    }
    if let Err(reason) = done {
        let failed = job.change(|live| {
            live.record.job.state = JobState::Failed;
            live.record.job.error = Some(reason);
            live.record.job.eta_s = None;
            live.wish = None;
        });
        // Whoever asks is told all the same; only a restart would not know.
        drop(failed);
    }
    job.dismiss(false);
}

fn solve(shared: &Shared, job: &Arc<Job>) -> Result<(), String> {
    let text = job.live().record.text.clone();
    let mut problem: Problem = text.parse().map_err(|error| format!("its spot: {error}"))?;
    problem.options.threads = shared.threads;
    problem.options.memory_limit = shared.memory_limit();
    let mut run = Run { shared, job, options: problem.options.clone(), text, problem, last: Duration::ZERO };
    let mut solver = run.begin()?;
    let end = run.go_on(&mut solver)?;
    run.end(&mut solver, &end)
}

/// A job on its way.
struct Run<'a> {
    shared: &'a Shared,
    job: &'a Arc<Job>,
    problem: Problem,
    options: Options,
    text: String,
    /// How long the last checkpoint took.
    last: Duration,
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
        let noted = self.job.change(|live| {
            let job = &mut live.record.job;
            job.state = JobState::Running;
            job.iteration = iterations;
            job.saved_iteration = is_resumed.then_some(iterations);
            job.elapsed_s = solver.solution().elapsed().as_secs_f64();
            job.memory_bytes = solver.solution().memory_bytes() as u64;
            job.error = None;
            // After a crash the checkpoint may be older than what was noted.
            job.checks.retain(|check| check.iteration <= iterations);
            if job.checks.is_empty() {
                job.exploitability = None;
            }
        });
        noted.map_err(|error| format!("the job cannot be written down: {error}"))?;
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

    fn go_on(&mut self, solver: &mut Solver) -> Result<End, String> {
        loop {
            let checkpoint = next_checkpoint(self.shared.checkpoint, self.last);
            let mut watch = Watch { shared: self.shared, job: self.job, checkpoint };
            let reason = solver.run(&mut watch);
            if reason != StopReason::Stopped {
                return Ok(End::Finished(reason));
            }
            if self.job.live().wish == Some(Wish::Pause) {
                self.save_checkpoint(solver)?;
            }
            // The wish may have been taken back in the meantime, or another one.
            if let Some(wish) = self.job.live().wish {
                return Ok(End::Wished(wish));
            }
            if self.shared.is_closing() {
                return Ok(End::Closing);
            }
            if self.job.is_looked_for() {
                self.look(solver);
            } else {
                self.save_checkpoint(solver)?;
            }
        }
    }

    /// Lets everybody look who waits for it.
    fn look(&self, solver: &mut Solver) {
        let memory = Solver::memory(&self.problem.spot, &self.options);
        let needed = LOOK_BYTES * memory.entries;
        if memory::available().is_some_and(|left| left < needed) {
            self.job.live().look_bytes = needed;
            self.job.dismiss(true);
            return;
        }
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
            converged: false,
        };
        let key = format!("look {}", LOOKS.fetch_add(1, Ordering::Relaxed));
        self.job.publish(Source { key, reader, solution, contents: Contents::Full });
    }

    fn save_checkpoint(&mut self, solver: &mut Solver) -> Result<(), String> {
        let start = Instant::now();
        let options = self.save_options(Contents::Resumable);
        let saved = solver.solution_mut().save(&self.job.checkpoint(), &options);
        saved.map_err(|error| format!("it cannot be kept on the disk: {error}"))?;
        self.last = start.elapsed();
        let iterations = solver.solution().iterations();
        let noted = self.job.change(|live| live.record.job.saved_iteration = Some(iterations));
        noted.map_err(|error| format!("the job cannot be written down: {error}"))
    }

    fn save_options(&self, contents: Contents) -> SaveOptions {
        SaveOptions { contents, configuration: self.text.clone(), target_pct: self.options.target_pct }
    }

    /// Notes what came of it; no wish is left.
    fn write_down(&self, change: impl FnOnce(&mut super::document::JobDocument)) -> Result<(), String> {
        self.job
            .change(|live| {
                live.wish = live.wish.filter(|&wish| wish == Wish::Delete);
                change(&mut live.record.job);
            })
            .map_err(|error| format!("the job cannot be written down: {error}"))
    }

    fn end(&mut self, solver: &mut Solver, end: &End) -> Result<(), String> {
        match *end {
            End::Wished(Wish::Delete) => Ok(()),
            // The record says that it runs, so it goes on when there is a server again.
            End::Closing => self.save_checkpoint(solver),
            End::Wished(Wish::Pause) => self.write_down(|job| {
                job.state = JobState::Paused;
                job.eta_s = None;
            }),
            End::Wished(Wish::Stop) => self.finish(solver, JobState::Stopped, None),
            End::Finished(reason) => self.finish(solver, JobState::Done, Some(reason)),
        }
    }

    /// Puts the solution into the library.
    fn finish(&self, solver: &mut Solver, state: JobState, reason: Option<StopReason>) -> Result<(), String> {
        let name = self.job.live().record.job.name.clone();
        let reserved = self.shared.library.reserve(&name);
        let tables = Solver::memory(&self.problem.spot, &self.options).tables;
        let contents = if tables <= KEPT_BYTES { Contents::Resumable } else { Contents::Full };
        let saved = solver.solution_mut().save(&reserved.path(), &self.save_options(contents));
        saved.map_err(|error| format!("the solution cannot be saved: {error}"))?;
        let gains = self.gains(solver);
        let found = solver.solution().exploitability();
        let _ = fs::remove_file(self.job.checkpoint());
        self.write_down(|job| {
            job.state = state;
            job.solution = Some(reserved.id.clone());
            job.stop_reason = reason.map(|reason| reason_key(reason).to_owned());
            job.exploitability = found.map(Into::into).or(job.exploitability);
            job.gains = gains;
            job.eta_s = None;
        })
    }

    /// What each player gets more than in the solution that this one is held against.
    fn gains(&self, solver: &mut Solver) -> Option<Both<f64>> {
        let from = self.job.live().record.job.from.clone()?;
        let before = self.shared.library.open(&from, &Cancel::default()).ok()?.header.evs;
        let now = solver.solution_mut().evs();
        Some(Both { oop: now[0].mean - before[0].ev, ip: now[1].mean - before[1].ev })
    }
}

fn reason_key(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Converged => "converged",
        StopReason::MaxIterations => "max_iterations",
        StopReason::Stalled => "stalled",
        _ => "stopped",
    }
}
