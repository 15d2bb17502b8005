//! Solves one job.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use equipoise_documents::{Both, SolutionDocument};
use equipoise_postflop::{Contents, Reader, Solution, Solver, StopReason};
use equipoise_progress::Observer;
use equipoise_run::{Request, Run, RunEvent, RunObserver, RunOutcome, StartedRun, memory};
use equipoise_spots::spot_file::{Problem, big_blind};

use super::Shared;
use super::document::{JobDocument, JobState};
use super::job::{Live, PendingRequest, QueuedSolve};
use crate::source::Source;
use crate::work::Cancel;

/// A view of a running solve takes two bytes for each number of a strategy, and a little more.
const VIEW_BYTES: u64 = 3;

/// Tables up to this size are kept with a solution, so that a change of it begins where it ended.
const KEPT_BYTES: u64 = 64 << 20;

/// Tells views of running jobs apart.
static VIEWS: AtomicU64 = AtomicU64::new(0);

/// Why a job failed.
enum Failed {
    /// There is no answer.
    Lost(String),
    /// There is one, to be viewed while the server runs, but not on the disk.
    NotSaved(String),
}

impl From<String> for Failed {
    fn from(reason: String) -> Failed {
        Failed::Lost(reason)
    }
}

/// Works on a job until it is finished or something else is asked, and notes what came of it.
pub(super) fn work(shared: &Shared, job: &Arc<QueuedSolve>) {
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
            live.record.job.setting_up = None;
            live.request = None;
        });
        // Whoever asks is told all the same; only a restart would not know.
        drop(failed);
    }
    job.dismiss(is_kept);
}

fn solve(shared: &Shared, job: &Arc<QueuedSolve>) -> Result<(), Failed> {
    let text = job.live().record.text.clone();
    let mut problem: Problem = text.parse().map_err(|error| format!("its spot: {error}"))?;
    problem.options.threads = shared.threads;
    problem.options.memory_limit = shared.memory_limit();
    let mut watch = Watch { shared, job, problem };
    job.note_set_up(0.0);
    let Some(started) = watch.begin()? else { return watch.end_early() };
    let outcome = started.solve(&mut watch);
    watch.end(outcome)
}

/// A job on its way: tells of it, and asks of the solve what is asked of the job.
struct Watch<'a> {
    shared: &'a Shared,
    job: &'a Arc<QueuedSolve>,
    problem: Problem,
}

impl Observer<RunEvent> for Watch<'_> {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        match event {
            RunEvent::SettingUp { done } => self.job.note_set_up(*done),
            RunEvent::Progress(progress) => self.job.note(progress),
            RunEvent::CheckpointSaved { iterations, .. } => self.note(|live| {
                live.record.job.warning = None;
                live.record.job.saved_iteration = Some(*iterations);
            }),
            RunEvent::CheckpointFailed(error) => {
                let warning = format!("{error}; it is tried again at the next one");
                self.note(|live| {
                    live.record.job.warning = Some(warning);
                    // What is in memory only is not given up for a pause.
                    live.request = live.request.filter(|&request| request != PendingRequest::Pause);
                });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl RunObserver for Watch<'_> {
    fn request(&mut self) -> Option<Request> {
        match self.job.live().request {
            Some(PendingRequest::Pause) => return Some(Request::Pause),
            Some(PendingRequest::Stop | PendingRequest::Delete) => return Some(Request::Stop),
            None => {}
        }
        if self.shared.is_closing() {
            return Some(Request::Stop);
        }
        self.job.is_view_wanted().then_some(Request::Inspect)
    }

    /// Gives a view to everybody who waits for one.
    fn inspect(&mut self, solution: &mut Solution) {
        if self.has_memory_for_view() {
            self.publish(solution);
        } else {
            self.job.live().view_bytes = self.view_bytes();
            self.job.dismiss(true);
        }
    }
}

impl Watch<'_> {
    /// Begins at the checkpoint, or anew where there is none that can be used, with the regrets of the solution that it is
    /// compared with if that helps. Nothing if something else was asked before its tables were there.
    fn begin(&mut self) -> Result<Option<StartedRun>, String> {
        let mut run = Run::new(self.problem.clone())
            .checkpoints(self.job.checkpoint(), Some(self.shared.checkpoint))
            .resume_checkpoint();
        let from = self.job.live().record.job.from.clone();
        if let Some(old) = from.and_then(|id| self.shared.library.open(&id, &Cancel::default()).ok()) {
            run = run.warm_start(old.path());
        }
        let started = match run.begin_observed(self) {
            Err(error) if error.is_cancelled() => return Ok(None),
            started => started.map_err(|error| error.to_string())?,
        };
        let (solution, is_resumed) = (started.solution(), started.is_resumed());
        let iterations = solution.iterations();
        self.note(|live| {
            let job = &mut live.record.job;
            job.state = JobState::Running;
            job.iteration = iterations;
            job.saved_iteration = is_resumed.then_some(iterations);
            job.elapsed_s = solution.elapsed().as_secs_f64();
            job.memory_bytes = solution.memory_bytes() as u64;
            (job.error, job.warning) = (None, None);
            // After a crash the checkpoint may be older than what was noted.
            job.checks.retain(|check| check.iteration <= iterations);
            if job.checks.is_empty() {
                job.exploitability = None;
            }
        });
        Ok(Some(started))
    }

    /// Notes what came of a solve that was ended before its first iteration. A checkpoint, if there is one, is as it was.
    fn end_early(&self) -> Result<(), Failed> {
        let checkpoint = self.job.checkpoint();
        let asked = self.job.live().request;
        let state = match asked {
            Some(PendingRequest::Pause) => JobState::Paused,
            Some(PendingRequest::Stop) => JobState::Stopped,
            // The server ends, or the job is gone.
            _ => return Ok(()),
        };
        let name = self.job.live().record.job.name.clone();
        let kept =
            (state == JobState::Stopped && checkpoint.is_file()).then(|| self.shared.library.reserve(&name));
        if let Some(reserved) = &kept {
            fs::rename(&checkpoint, reserved.path())
                .map_err(|error| format!("cannot keep the checkpoint: {error}"))?;
            self.shared.library.entitle(&reserved.id, &name);
        }
        self.write_down(|job| {
            job.state = state;
            job.setting_up = None;
            job.solution = kept.as_ref().map(|reserved| reserved.id.clone());
        });
        Ok(())
    }

    fn has_memory_for_view(&self) -> bool {
        memory::available().is_none_or(|left| left >= self.view_bytes())
    }

    /// What a view takes.
    fn view_bytes(&self) -> u64 {
        VIEW_BYTES * Solver::memory(&self.problem.spot, &self.problem.options).entries
    }

    /// Keeps a view of what has been found so far in memory.
    fn publish(&self, solution: &mut Solution) {
        let reader = Arc::new(Reader::of(solution));
        let config = self.problem.spot.tree().config();
        let job = self.job.document();
        let document = SolutionDocument {
            file: job.id,
            board: job.board,
            starting_pot: config.starting_pot.count(),
            effective_stack: config.effective_stack.count(),
            big_blind: big_blind(&self.problem.text, config),
            unit: self.problem.spot.tree().unit().into(),
            exploitability: job.exploitability,
            iterations: solution.iterations(),
            algorithm: job.algorithm,
            storage: job.storage,
            target_pct: job.target_pct,
            converged: solution.converged(),
        };
        let key = format!("view {}", VIEWS.fetch_add(1, Ordering::Relaxed));
        self.job.publish(Source { key, reader, solution: document, contents: Contents::Full });
    }

    /// Notes something of the job. What the disk does not take is known as long as the server runs.
    fn note(&self, change: impl FnOnce(&mut Live)) {
        if let Err(error) = self.job.change(change) {
            let warning = format!("the job could not be written down: {error}");
            self.job.live().record.job.warning.get_or_insert(warning);
        }
    }

    /// Notes what came of it; no request is left.
    fn write_down(&self, change: impl FnOnce(&mut JobDocument)) {
        self.note(|live| {
            live.request = live.request.filter(|&request| request == PendingRequest::Delete);
            change(&mut live.record.job);
        });
    }

    fn end(&mut self, mut outcome: RunOutcome) -> Result<(), Failed> {
        if outcome.reason() != StopReason::Stopped {
            let reason = outcome.reason();
            return self.finish(&mut outcome, JobState::Done, Some(reason));
        }
        let asked = self.job.live().request;
        match (outcome.request(), asked) {
            (_, Some(PendingRequest::Delete)) => {}
            (Some(Request::Pause), _) => self.write_down(|job| {
                job.state = JobState::Paused;
                job.setting_up = None;
                job.eta_s = None;
            }),
            (_, Some(PendingRequest::Stop)) => return self.finish(&mut outcome, JobState::Stopped, None),
            // The server ends. The record says that the job runs, so it is resumed when there is a server again: from
            // here, or where the disk did not take that from the last checkpoint.
            _ => self.close(&mut outcome),
        }
        Ok(())
    }

    fn close(&mut self, outcome: &mut RunOutcome) {
        let event = match outcome.save_checkpoint() {
            Ok(bytes) => RunEvent::CheckpointSaved {
                iterations: outcome.solution().iterations(),
                bytes: bytes.unwrap_or_default(),
            },
            Err(error) => RunEvent::CheckpointFailed(error),
        };
        let _ = self.progress(&event);
    }

    /// Puts the solution into the library: all of it, or as much as there is room for. What does not fit at all can be
    /// viewed as long as the server runs.
    fn finish(
        &self,
        outcome: &mut RunOutcome,
        state: JobState,
        reason: Option<StopReason>,
    ) -> Result<(), Failed> {
        let name = self.job.live().record.job.name.clone();
        let reserved = self.shared.library.reserve(&name);
        let found = outcome.solution().exploitability();
        let note = |job: &mut JobDocument| {
            job.setting_up = None;
            job.stop_reason = reason.map(|reason| reason.key().to_owned());
            job.exploitability = found.map(Into::into).or(job.exploitability);
            job.eta_s = None;
        };
        let saved = self.save(outcome, &reserved.path());
        let gains = self.gains(outcome.solution_mut());
        let warning = match saved {
            Ok(warning) => warning,
            Err(failed) => {
                self.write_down(|job| {
                    note(job);
                    job.gains = gains;
                });
                if !self.has_memory_for_view() {
                    return Err(Failed::Lost(failed));
                }
                self.publish(outcome.solution_mut());
                let failed = format!("{failed}; it can be viewed as long as the server runs");
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
    fn save(&self, outcome: &mut RunOutcome, path: &Path) -> Result<Option<String>, String> {
        let tables = Solver::memory(&self.problem.spot, &self.problem.options).tables;
        let contents = if tables <= KEPT_BYTES { Contents::Resumable } else { Contents::Full };
        match outcome.save_what_fits(path, contents) {
            Ok((_, None)) => Ok(None),
            Ok((saved, Some(error))) => {
                let (wanted, kept) = (error.contents.name(), saved.contents.name());
                Ok(Some(format!("saved as {kept}, for want of room for {wanted}: {error}")))
            }
            Err(error) => {
                let advice = error.advice(|contents| contents.name().to_owned());
                Err(format!("the solution is not saved: {error}; {advice}"))
            }
        }
    }

    /// What each player gets more than in the solution that this one is compared with.
    fn gains(&self, solution: &mut Solution) -> Option<Both<f64>> {
        let from = self.job.live().record.job.from.clone()?;
        let before = self.shared.library.open(&from, &Cancel::default()).ok()?.header.evs;
        let now = solution.evs();
        Some(now.zip(before).map(|(now, before)| now.mean - before.ev).into())
    }
}
