//! One job, from its plan to its result.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use equipoise_postflop::{
    Contents, FileError, Header, Options, Progress, SaveOptions, SolveError, Solver, StopReason, Verdict,
};
use equipoise_spots::memory::TooLarge;
use equipoise_spots::solution_file::next_checkpoint;
use equipoise_spots::spot_file::Problem;
use thiserror::Error;

use crate::folder::Folder;
use crate::job::Job;
use crate::summary::Summary;

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
    /// Its file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
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

impl Folder {
    /// Does one job, unless it is done or somebody else is at it. Any number of processes may call this for any jobs.
    ///
    /// `watch` is told how the solve goes and may stop it.
    ///
    /// # Errors
    /// [`JobError`] says why not; the reason is kept in the folder too.
    pub fn solve(
        &self,
        job: &Job,
        resources: &Resources,
        watch: &mut dyn FnMut(&Progress) -> Verdict,
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
        match self.solve_locked(job, resources, watch) {
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
        watch: &mut dyn FnMut(&Progress) -> Verdict,
    ) -> Result<Outcome, JobError> {
        let problem = job.problem();
        let options = Options {
            threads: Some(resources.threads),
            memory_limit: resources.memory,
            ..problem.options.clone()
        };
        let mut solver = self.solver(job, &problem, &options)?;
        let part = self.part_path(job.id);
        let save = |solver: &mut Solver, path: &Path, contents: Contents| {
            let target_pct = options.target_pct;
            let options = SaveOptions { contents, configuration: job.text.clone(), target_pct };
            solver.solution_mut().save(path, &options)
        };
        let mut last = Duration::ZERO;
        loop {
            let due = resources.checkpoint.map(|interval| next_checkpoint(interval, last));
            let mut is_stopped = false;
            let reason = solver.run(&mut |progress: &Progress| {
                is_stopped = watch(progress) == Verdict::Stop;
                let is_due = due.is_some_and(|due| Instant::now() >= due);
                if is_stopped || is_due { Verdict::Stop } else { Verdict::Continue }
            });
            if reason != StopReason::Stopped {
                break;
            }
            let begun = Instant::now();
            save(&mut solver, &part, Contents::Resumable)?;
            if is_stopped {
                return Ok(Outcome::Stopped { iterations: solver.solution().iterations() });
            }
            last = begun.elapsed();
        }
        let bytes = match job.save.contents() {
            Some(contents) => save(&mut solver, &self.solution_path(job.id), contents)?,
            None => 0,
        };
        let summary = Summary::of(job, solver.solution_mut(), bytes);
        self.finish(&summary).map_err(|source| JobError::Io { path: self.jobs_path(), source })?;
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
