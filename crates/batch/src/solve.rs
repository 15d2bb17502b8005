//! One job, from its plan to its result.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise_documents::batch::Summary;
use equipoise_postflop::{
    Contents, Header, Options, SaveOptions, Solution, SolveError, SolveProgress, Solver, StopReason,
};
use equipoise_progress::Observer;
use equipoise_spots::memory::TooLarge;
use equipoise_spots::saving::{self, CheckpointError, Checkpoints};
use equipoise_spots::spot_file::Problem;
use thiserror::Error;

use crate::folder::Folder;
use crate::job::Job;

/// What a job may use.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Resources {
    /// Threads of one solve; the result does not depend on it.
    pub threads: NonZeroUsize,
    /// The most bytes that one solve may take; absent: as many as it needs.
    pub memory: Option<u64>,
    /// How often a solve is saved on the way, at most; absent: only when it is stopped.
    pub checkpoint: Option<Duration>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// It is done now.
    Solved(Summary),
    /// It was done already.
    Kept(Summary),
    /// Somebody else works on it.
    Busy,
    /// It was stopped; what was found is kept to go on with.
    Stopped {
        /// How many iterations were done.
        iterations: u32,
    },
}

/// Why a job failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// It does not fit into memory.
    #[error("{0}; {advice}", advice = .0.advice.join("; "))]
    TooLarge(TooLarge),
    /// It cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// It was solved, and the disk does not take the solution.
    #[error("it was solved, and not saved: {reason}")]
    NotSaved {
        /// Why not, and what would fit.
        reason: String,
        /// What was found.
        summary: Box<Summary>,
    },
    /// It was stopped, and the disk does not take what was found.
    #[error("it was stopped, and what was found is lost: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The folder cannot be used.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: std::path::PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A mistake in the program.
    #[error("the program failed: {0}")]
    Panic(String),
}

impl JobError {
    /// What was found, if only saving it failed.
    #[must_use]
    pub fn into_summary(self) -> Option<Summary> {
        match self {
            JobError::NotSaved { summary, .. } => Some(*summary),
            _ => None,
        }
    }
}

/// What an observer of a job is told.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobEvent {
    /// The solve goes on.
    Progress(SolveProgress),
    /// A checkpoint failed; the solve goes on, and tries again when the next one is due. Told once for each reason.
    CheckpointFailed(CheckpointError),
}

impl Folder {
    /// Does one job, unless it is done or somebody else is at it. Any number of processes may call this for any jobs.
    ///
    /// The observer may stop the solve.
    ///
    /// # Errors
    /// [`JobError`] says why not; the reason is kept in the folder too.
    pub fn solve(
        &self,
        job: &Job,
        resources: &Resources,
        observer: &mut dyn Observer<JobEvent>,
    ) -> Result<Outcome, JobError> {
        if let Some(summary) = self.verified(job) {
            return Ok(Outcome::Kept(summary));
        }
        let failed = |source| JobError::Io { path: self.jobs_path(), source };
        let Some(lock) = self.lock(job.id).map_err(failed)? else { return Ok(Outcome::Busy) };
        // Somebody may have finished it between the look and the lock.
        if let Some(summary) = self.verified(job) {
            lock.remove();
            return Ok(Outcome::Kept(summary));
        }
        match self.solve_locked(job, resources, observer) {
            Ok(outcome) => {
                if matches!(outcome, Outcome::Solved(_)) {
                    lock.remove();
                }
                Ok(outcome)
            }
            Err(error) => {
                self.fail(job.id, &error.to_string());
                Err(error)
            }
        }
    }

    fn solve_locked(
        &self,
        job: &Job,
        resources: &Resources,
        observer: &mut dyn Observer<JobEvent>,
    ) -> Result<Outcome, JobError> {
        let problem = job.problem();
        let options = Options {
            threads: Some(resources.threads),
            memory_limit: resources.memory,
            ..problem.options.clone()
        };
        let mut solver = self.solver(job, &problem, &options)?;
        let mut checkpoints = Checkpoints::new(self.part_path(job.id), resources.checkpoint);
        loop {
            let due = checkpoints.due();
            let mut is_stopped = false;
            let reason = solver.run(&mut |progress: &SolveProgress| {
                is_stopped = observer.progress(&JobEvent::Progress(*progress)).is_break();
                let is_due = due.is_some_and(|due| Instant::now() >= due);
                if is_stopped || is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if reason != StopReason::Stopped {
                break;
            }
            let saved = checkpoints.save(solver.solution_mut(), &job.text, options.target_pct);
            if is_stopped {
                saved?;
                return Ok(Outcome::Stopped { iterations: solver.solution().iterations() });
            }
            if let Some(error) = saved.err().filter(|error| !error.is_repeated)
                && observer.progress(&JobEvent::CheckpointFailed(error)).is_break()
            {
                return Ok(Outcome::Stopped { iterations: solver.solution().iterations() });
            }
        }
        self.keep(job, solver.solution_mut(), options.target_pct)
    }

    /// Saves what was found.
    fn keep(&self, job: &Job, solution: &mut Solution, target_pct: f64) -> Result<Outcome, JobError> {
        let not_saved = |solution: &mut Solution, reason: String| {
            let summary = Box::new(job.summary(solution, 0));
            JobError::NotSaved { reason, summary }
        };
        let save = |solution: &mut Solution, contents: Contents| {
            let options = SaveOptions { contents, configuration: job.text.clone(), target_pct };
            saving::save(solution, &self.solution_path(job.id), &options).map_err(|error| {
                let name = |contents: Contents| format!("save = \"{}\"", contents.name());
                not_saved(solution, format!("{error}; {}", error.advice(name)))
            })
        };
        let bytes = job.save.contents().map_or(Ok(0), |contents| save(solution, contents))?;
        let summary = job.summary(solution, bytes);
        self.finish(&summary)
            .map_err(|error| not_saved(solution, format!("{}: {error}", self.jobs_path().display())))?;
        Ok(Outcome::Solved(summary))
    }

    /// A solver at its beginning, or where it was stopped.
    fn solver(&self, job: &Job, problem: &Problem, options: &Options) -> Result<Solver, JobError> {
        if let Some(too_large) =
            options.memory_limit.and_then(|limit| TooLarge::check(&problem.spot, options, limit))
        {
            return Err(JobError::TooLarge(too_large));
        }
        let part = self.part_path(job.id);
        let is_of_job =
            |header: Header| header.spot_hash == job.fingerprint && header.algorithm == job.algorithm;
        if Header::read(&part).is_ok_and(is_of_job)
            && let Ok(solver) = Solver::resume(&part, problem.spot.clone(), options)
        {
            return Ok(solver);
        }
        // What cannot be gone on with is of no use.
        let _ = fs::remove_file(&part);
        Ok(Solver::new(problem.spot.clone(), options)?)
    }
}
