//! A solve from its problem to its answer.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use equipoise_postflop::{
    Contents, FileError, Header, PlayError, Reader, ResumeError, Solution, SolveError, SolveProgress, Solver,
    StopReason, WarmStart, WarmStartError,
};
use equipoise_progress::Observer;
use equipoise_spots::spot_file::Problem;
use thiserror::Error;

use crate::memory::{self, TooLarge};
use crate::observer::{Request, RunEvent, RunObserver};
use crate::outcome::RunOutcome;
use crate::saving::{Checkpoints, FileText, SaveError, Saved};

/// Why a run cannot begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// It does not fit into memory.
    #[error("{0}; {advice}", advice = .0.advice.join("; "))]
    TooLarge(TooLarge),
    /// The file cannot be resumed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The spot cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl RunError {
    /// Whether the observer ended it before the first iteration.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(
            self,
            RunError::Solve(SolveError::Cancelled)
                | RunError::Resume(ResumeError::Solve(SolveError::Cancelled))
        )
    }
}

/// Where a solve begins.
#[derive(Clone, Debug, Default)]
enum Start {
    #[default]
    Anew,
    /// With this file, or not at all.
    File(PathBuf),
    /// With the last checkpoint, if there is one.
    Checkpoint,
}

/// A solve to be run; see the [crate](crate) for an example.
#[derive(Clone, Debug)]
#[must_use]
pub struct Run {
    problem: Problem,
    checkpoints: Option<(PathBuf, Option<Duration>)>,
    start: Start,
    /// A solution whose regrets the solve begins with.
    old: Option<PathBuf>,
}

impl Run {
    /// The solve of a problem, with the algorithm, the target and the limits that the problem says.
    pub fn new(problem: Problem) -> Run {
        Run { problem, checkpoints: None, start: Start::Anew, old: None }
    }

    /// Uses this number of threads; `None` for all. The answer does not depend on it.
    pub fn threads(mut self, threads: Option<NonZeroUsize>) -> Run {
        self.problem.options.threads = threads;
        self
    }

    /// Takes at most this many bytes of memory; `None` for what the machine has left when the solve begins.
    pub fn memory_limit(mut self, bytes: Option<u64>) -> Run {
        self.problem.options.memory_limit = bytes;
        self
    }

    /// Saves the solve to this file on the way, at most every `interval`; without one only for a pause and when
    /// [`RunOutcome::save_checkpoint`] is called.
    pub fn checkpoints(mut self, path: impl Into<PathBuf>, interval: Option<Duration>) -> Run {
        self.checkpoints = Some((path.into(), interval));
        self
    }

    /// Resumes the solve of this file, whose problem and algorithm must be these. The answer is that of a solve without
    /// interruption.
    pub fn resume(mut self, path: impl Into<PathBuf>) -> Run {
        self.start = Start::File(path.into());
        self
    }

    /// Resumes from the last checkpoint if it is of this problem and algorithm, and begins anew otherwise.
    pub fn resume_checkpoint(mut self) -> Run {
        self.start = Start::Checkpoint;
        self
    }

    /// Begins with the regrets of another solution, if the solve begins anew: a file of
    /// [`Contents::Resumable`](equipoise_postflop::Contents::Resumable). What cannot be used is ignored;
    /// [`StartedRun::warm_start`] says why.
    pub fn warm_start(mut self, old: impl Into<PathBuf>) -> Run {
        self.old = Some(old.into());
        self
    }

    /// Allocates the tables and loads what the solve begins with.
    ///
    /// # Errors
    /// [`RunError`]: it does not fit into memory, the file of [`resume`](Run::resume) cannot be used, or an option makes no
    /// sense.
    pub fn begin(self) -> Result<StartedRun, RunError> {
        self.begin_observed(&mut ())
    }

    /// The same for large spots, whose tables take seconds: the observer is told of it, and may end it.
    ///
    /// # Errors
    /// As [`begin`](Run::begin), and [`SolveError::Cancelled`] if the observer ends it.
    pub fn begin_observed(mut self, observer: &mut dyn RunObserver) -> Result<StartedRun, RunError> {
        let options = &mut self.problem.options;
        options.memory_limit = options.memory_limit.or_else(|| memory::limit(None));
        let Problem { spot, options, .. } = &self.problem;
        let limit = options.memory_limit;
        if let Some(too_large) = limit.and_then(|limit| TooLarge::check(spot, options, limit)) {
            return Err(RunError::TooLarge(too_large));
        }
        let (solver, is_resumed, warm_start) = self.solver(&mut SetUp(observer))?;
        let iterations = solver.solution().iterations();
        let is_at_checkpoint = match (&self.start, &self.checkpoints) {
            (Start::File(file), Some((path, _))) => file == path,
            (Start::Checkpoint, _) => is_resumed,
            _ => false,
        };
        let Problem { options, text, .. } = self.problem;
        Ok(StartedRun {
            solver: Box::new(solver),
            file: FileText { note: text, target_pct: options.target_pct },
            checkpoints: self.checkpoints.map(|(path, interval)| Checkpoints::new(path, interval)),
            checkpoint: is_at_checkpoint.then_some(iterations),
            is_resumed,
            warm_start,
        })
    }

    /// [Begins](Run::begin) and solves until the target, the last iteration or a request.
    ///
    /// # Errors
    /// As [`begin`](Run::begin).
    pub fn solve(self, observer: &mut dyn RunObserver) -> Result<RunOutcome, RunError> {
        Ok(self.begin_observed(observer)?.solve(observer))
    }

    #[allow(clippy::type_complexity)] // Each is a field of `StartedRun`.
    fn solver(
        &self,
        observer: &mut dyn Observer,
    ) -> Result<(Solver, bool, Option<Result<WarmStart, WarmStartError>>), RunError> {
        match &self.start {
            Start::File(path) => return Ok((self.resumed(path, observer)?, true, None)),
            Start::Checkpoint => {
                if let Some((path, _)) = self.checkpoints.as_ref().filter(|(path, _)| self.is_of(path)) {
                    match self.resumed(path, observer) {
                        Ok(solver) => return Ok((solver, true, None)),
                        Err(error) if error.is_cancelled() => return Err(error),
                        Err(_) => {}
                    }
                }
            }
            Start::Anew => {}
        }
        let Problem { spot, options, .. } = &self.problem;
        let mut solver = Solver::new_observed(spot.clone(), options, observer)?;
        let Some(old) = &self.old else { return Ok((solver, false, None)) };
        let warm_start = solver.start_from(old);
        if matches!(warm_start, Err(WarmStartError::File(_))) {
            // Damaged half way: what was loaded goes too.
            drop(solver);
            solver = Solver::new(spot.clone(), options)?;
        }
        Ok((solver, false, Some(warm_start)))
    }

    fn resumed(&self, path: &Path, observer: &mut dyn Observer) -> Result<Solver, RunError> {
        let Problem { spot, options, .. } = &self.problem;
        let solver = Solver::resume_observed(path, options, observer)?;
        if solver.solution().spot().content_hash() != spot.content_hash() {
            let (path, reason) = (path.to_owned(), "it is of another problem".to_owned());
            return Err(ResumeError::File(FileError::Invalid { path, reason }).into());
        }
        Ok(solver)
    }

    /// Whether a checkpoint is of this problem and algorithm.
    fn is_of(&self, path: &Path) -> bool {
        let Problem { spot, options, .. } = &self.problem;
        Header::read(path).is_ok_and(|header| {
            header.spot_hash == spot.content_hash() && header.algorithm == options.algorithm.to_string()
        })
    }
}

/// A solve whose tables are there.
#[derive(Debug)]
pub struct StartedRun {
    pub(crate) solver: Box<Solver>,
    pub(crate) file: FileText,
    pub(crate) checkpoints: Option<Checkpoints>,
    /// Iterations of the last checkpoint.
    pub(crate) checkpoint: Option<u32>,
    is_resumed: bool,
    warm_start: Option<Result<WarmStart, WarmStartError>>,
}

impl StartedRun {
    /// What it begins with.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        self.solver.solution()
    }

    /// What it begins with, for readings that work in the solver's own space.
    pub fn solution_mut(&mut self) -> &mut Solution {
        self.solver.solution_mut()
    }

    /// Sets the target, in percent of the starting pot, and the number of iterations, those that are done included.
    ///
    /// # Errors
    /// [`SolveError::Target`] if the target is negative or not a number.
    pub fn set_limits(&mut self, target_pct: f64, max_iterations: u32) -> Result<(), SolveError> {
        self.solver.set_limits(target_pct, max_iterations)?;
        self.file.target_pct = target_pct;
        Ok(())
    }

    /// Sets the text that saved files have of the problem; the text of the spot file without it.
    pub fn set_note(&mut self, note: String) {
        self.file.note = note;
    }

    /// Copies the average strategies of another solution of the spot, as [`Solver::play`] does: no iteration is needed to
    /// read what they are worth under the locks of this one.
    ///
    /// # Errors
    /// [`PlayError`] if they are of another spot or not complete, or if there is not enough memory.
    pub fn play(&mut self, strategies: &Reader) -> Result<(), PlayError> {
        self.solver.play(strategies)
    }

    /// Saves what it begins with.
    ///
    /// # Errors
    /// [`SaveError`] says what would fit; the solution is still here.
    pub fn save(&mut self, path: &Path, contents: Contents) -> Result<Saved, SaveError> {
        self.file.save(self.solver.solution_mut(), path, contents)
    }

    /// Whether it resumes a solve.
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// What the old solution of [`Run::warm_start`] gave, or why nothing; `None` if there was none or the solve was
    /// resumed.
    #[must_use]
    pub fn warm_start(&self) -> Option<&Result<WarmStart, WarmStartError>> {
        self.warm_start.as_ref()
    }

    /// The same, to be kept.
    pub fn take_warm_start(&mut self) -> Option<Result<WarmStart, WarmStartError>> {
        self.warm_start.take()
    }

    /// Solves until the target, the last iteration or a request, with checkpoints on the way.
    pub fn solve(mut self, observer: &mut dyn RunObserver) -> RunOutcome {
        let mut due = self.checkpoints.as_ref().and_then(Checkpoints::due);
        loop {
            let mut watch = Watch { observer: &mut *observer, due, request: None };
            let reason = self.solver.run(&mut watch);
            let request = watch.request;
            if reason != StopReason::Stopped {
                return self.into_outcome(reason, None);
            }
            match request {
                Some(Request::Stop) => return self.into_outcome(reason, request),
                Some(Request::Inspect) => observer.inspect(self.solver.solution_mut()),
                Some(Request::Pause) if self.checkpoints.is_none() => {
                    return self.into_outcome(reason, request);
                }
                Some(Request::Pause) | None => {
                    let is_saved = self.save_checkpoint(observer);
                    due = self.checkpoints.as_ref().and_then(Checkpoints::due);
                    let asked = observer.request().filter(|_| is_saved && request.is_some());
                    if let Some(asked @ (Request::Pause | Request::Stop)) = asked {
                        return self.into_outcome(reason, Some(asked));
                    }
                }
            }
        }
    }

    fn into_outcome(self, reason: StopReason, request: Option<Request>) -> RunOutcome {
        RunOutcome { reason, request, run: self }
    }

    /// Saves a checkpoint and tells of it; whether it is saved.
    fn save_checkpoint(&mut self, observer: &mut dyn RunObserver) -> bool {
        let Some(checkpoints) = &mut self.checkpoints else { return false };
        let saved = checkpoints.save(self.solver.solution_mut(), &self.file);
        let is_saved = saved.is_ok();
        let iterations = self.solver.solution().iterations();
        // What the observer answers, it answers again after the next iterations.
        let _ = observer.progress(&match saved {
            Ok(bytes) => {
                self.checkpoint = Some(iterations);
                RunEvent::CheckpointSaved { iterations, bytes }
            }
            Err(error) => RunEvent::CheckpointFailed(error),
        });
        is_saved
    }
}

/// Tells the observer of a run how far its tables are.
struct SetUp<'a>(&'a mut dyn RunObserver);

impl Observer for SetUp<'_> {
    fn progress(&mut self, done: &f64) -> ControlFlow<()> {
        let flow = self.0.progress(&RunEvent::SettingUp { done: *done });
        let is_ended = matches!(self.0.request(), Some(Request::Pause | Request::Stop));
        if is_ended || self.0.is_cancelled() { ControlFlow::Break(()) } else { flow }
    }
}

/// Leaves the iterations when something is asked or a checkpoint is due.
struct Watch<'a> {
    observer: &'a mut dyn RunObserver,
    due: Option<Instant>,
    request: Option<Request>,
}

impl Observer<SolveProgress> for Watch<'_> {
    fn progress(&mut self, progress: &SolveProgress) -> ControlFlow<()> {
        let flow = self.observer.progress(&RunEvent::Progress(*progress));
        self.request = if flow.is_break() { Some(Request::Stop) } else { self.observer.request() };
        let is_due = self.due.is_some_and(|due| Instant::now() >= due);
        if self.request.is_some() || is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
