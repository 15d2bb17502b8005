//! One job, from its plan to its result.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use equipoise_documents::batch::Summary;
use equipoise_postflop::{Contents, Header, StopReason};
use equipoise_run::saving::CheckpointError;
use equipoise_run::{Run, RunError, RunObserver, RunOutcome};
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
pub enum JobEnd {
    /// It is done now.
    Solved(Summary),
    /// It was done already.
    Kept(Summary),
    /// Somebody else works on it.
    Busy,
    /// It was stopped; its checkpoint is kept, to be resumed.
    Stopped {
        /// How many iterations were done.
        iterations: u32,
    },
}

/// Why a job failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// It does not fit into memory or cannot be solved.
    #[error(transparent)]
    Run(#[from] RunError),
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
        observer: &mut dyn RunObserver,
    ) -> Result<JobEnd, JobError> {
        if let Some(summary) = self.verified(job) {
            return Ok(JobEnd::Kept(summary));
        }
        let failed = |source| JobError::Io { path: self.jobs_path(), source };
        let Some(lock) = self.lock(job.id).map_err(failed)? else { return Ok(JobEnd::Busy) };
        // Another process may have finished it before the lock was taken.
        if let Some(summary) = self.verified(job) {
            lock.remove();
            return Ok(JobEnd::Kept(summary));
        }
        match self.solve_locked(job, resources, observer) {
            Ok(outcome) => {
                if matches!(outcome, JobEnd::Solved(_)) {
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
        observer: &mut dyn RunObserver,
    ) -> Result<JobEnd, JobError> {
        let part = self.part_path(job.id);
        let started = Run::new(job.problem())
            .threads(Some(resources.threads))
            .memory_limit(resources.memory)
            .checkpoints(&part, resources.checkpoint)
            .resume_checkpoint()
            .begin_observed(observer);
        let started = match started {
            // What a checkpoint has is still there.
            Err(error) if error.is_cancelled() => {
                let iterations = Header::read(&part).map_or(0, |header| header.iterations);
                return Ok(JobEnd::Stopped { iterations });
            }
            started => started?,
        };
        if !started.is_resumed() {
            // What cannot be resumed is of no use.
            let _ = fs::remove_file(&part);
        }
        let mut outcome = started.solve(observer);
        if outcome.reason() == StopReason::Stopped {
            outcome.save_checkpoint()?;
            return Ok(JobEnd::Stopped { iterations: outcome.solution().iterations() });
        }
        self.keep(job, &mut outcome)
    }

    /// Saves what was found.
    fn keep(&self, job: &Job, outcome: &mut RunOutcome) -> Result<JobEnd, JobError> {
        let not_saved = |outcome: &mut RunOutcome, reason: String| {
            let summary = Box::new(job.summary(outcome.solution_mut(), 0));
            JobError::NotSaved { reason, summary }
        };
        let mut bytes = 0;
        if let Some(contents) = job.save.contents() {
            let saved = outcome.save(&self.solution_path(job.id), contents).map_err(|error| {
                let name = |contents: Contents| format!("save = \"{}\"", contents.name());
                not_saved(outcome, format!("{error}; {}", error.advice(name)))
            })?;
            bytes = saved.bytes;
        }
        let summary = job.summary(outcome.solution_mut(), bytes);
        self.finish(&summary)
            .map_err(|error| not_saved(outcome, format!("{}: {error}", self.jobs_path().display())))?;
        Ok(JobEnd::Solved(summary))
    }
}
