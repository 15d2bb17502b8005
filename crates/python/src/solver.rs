//! Solves: run, interrupted, continued, saved.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use equipoise_postflop::{Contents, FileError, Header, Reader, ResumeError, SolveError, SolveProgress};
use equipoise_progress::Observer;
use equipoise_run::saving::SaveError;
use equipoise_run::{Run, RunError, RunEvent, RunObserver, RunOutcome, StartedRun};
use equipoise_spots::spot_file;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Error, wrong};
use crate::problem::{Problem, Settings};
use crate::solution::{Solution, SolutionInfo, Source};
use crate::work::{Reporter, Told, watch, watch_fraction};

/// A file that cannot be used.
pub(crate) fn file_error(error: &FileError) -> PyErr {
    Error::new("FileError", error).into()
}

/// A solve that cannot begin.
fn run_error(error: &RunError) -> PyErr {
    match error {
        RunError::TooLarge(large) => Error::new("TooLarge", large)
            .number("needed", large.needed)
            .number("limit", large.limit)
            .advice(&large.advice)
            .help(large.advice.first().cloned())
            .into(),
        RunError::Resume(ResumeError::File(error)) => file_error(error),
        RunError::Solve(SolveError::Memory { needed, limit }) => {
            Error::new("TooLarge", error).number("needed", *needed).number("limit", *limit).into()
        }
        error => wrong(error),
    }
}

/// What a file keeps.
pub(crate) fn contents(name: &str) -> PyResult<Contents> {
    [Contents::Full, Contents::NoRiver, Contents::NoTurn, Contents::Resumable]
        .into_iter()
        .find(|contents| contents.name() == name)
        .ok_or_else(|| {
            wrong(format!(
                "'{name}' is nothing that a file keeps: write full, no-river, no-turn or resumable"
            ))
        })
}

/// A solution that the disk has not taken.
pub(crate) fn save_error(error: &SaveError) -> PyErr {
    let name = |contents: Contents| format!("contents={:?}", contents.name());
    Error::new("FileError", error).help(Some(error.advice(name))).into()
}

/// A solve before, between or after its runs.
#[derive(Debug)]
pub(crate) enum Held {
    Started(Box<StartedRun>),
    Ended(Box<RunOutcome>),
    /// While it is moved; for good only if a run has panicked.
    Gone,
}

impl Held {
    fn take(&mut self) -> Option<StartedRun> {
        match std::mem::replace(self, Held::Gone) {
            Held::Started(run) => Some(*run),
            Held::Ended(outcome) => Some(outcome.into_run()),
            Held::Gone => None,
        }
    }

    pub(crate) fn solution(&self) -> Option<&equipoise_postflop::Solution> {
        match self {
            Held::Started(run) => Some(run.solution()),
            Held::Ended(outcome) => Some(outcome.solution()),
            Held::Gone => None,
        }
    }

    fn solution_mut(&mut self) -> Option<&mut equipoise_postflop::Solution> {
        match self {
            Held::Started(run) => Some(run.solution_mut()),
            Held::Ended(outcome) => Some(outcome.solution_mut()),
            Held::Gone => None,
        }
    }

    fn save(&mut self, path: &Path, contents: Contents) -> Option<Result<u64, SaveError>> {
        let saved = match self {
            Held::Started(run) => run.save(path, contents),
            Held::Ended(outcome) => outcome.save(path, contents),
            Held::Gone => return None,
        };
        Some(saved.map(|saved| saved.bytes))
    }
}

/// What a solver and the solutions read from it share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) held: Mutex<Held>,
    /// Checks: iteration, exploitability in percent of the pot, seconds.
    history: Mutex<Vec<[f64; 3]>>,
    problem: Arc<spot_file::Problem>,
    process: u32,
}

impl Shared {
    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(wrong("this solver is of the process that forked this one: save it there, or make it here"))
    }

    /// Saves what there is.
    pub(crate) fn save(
        self: &Arc<Shared>,
        py: Python<'_>,
        path: String,
        contents: Contents,
    ) -> PyResult<u64> {
        self.check_process()?;
        let saved = with(py, self, move |held| held.save(path.as_ref(), contents))?;
        saved.ok_or_else(gone)?.map_err(|error| save_error(&error))
    }
}

fn gone() -> PyErr {
    Error::new("InternalError", "the solve has panicked and is gone").into()
}

/// Does something with the solve, once nobody else does.
fn with<T: Send + 'static>(
    py: Python<'_>,
    shared: &Arc<Shared>,
    work: impl FnOnce(&mut Held) -> T + Send + 'static,
) -> PyResult<T> {
    let shared = Arc::clone(shared);
    watch_fraction(py, None, None, move |_| {
        work(&mut shared.held.lock().unwrap_or_else(PoisonError::into_inner))
    })
}

/// Works on a spot, run by run.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Solver {
    shared: Arc<Shared>,
}

/// The observer of a run.
struct Watcher<'a> {
    reporter: &'a mut Reporter<SolveProgress>,
    shared: &'a Shared,
}

impl Observer<RunEvent> for Watcher<'_> {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        let RunEvent::Progress(progress) = event else { return ControlFlow::Continue(()) };
        if let Some(found) = progress.exploitability {
            let row = [f64::from(progress.iteration), found.pct_pot, progress.elapsed.as_secs_f64()];
            self.shared.history.lock().unwrap_or_else(PoisonError::into_inner).push(row);
        }
        self.reporter.tell(*progress)
    }

    fn is_cancelled(&self) -> bool {
        self.reporter.is_cancelled()
    }
}

impl RunObserver for Watcher<'_> {}

impl Told for SolveProgress {
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let answer = PyDict::new(py);
        answer.set_item("fraction", self.fraction())?;
        answer.set_item("iteration", self.iteration)?;
        answer.set_item("max_iterations", self.max_iterations)?;
        answer.set_item("exploitability_pct", self.exploitability.map(|found| found.pct_pot))?;
        answer.set_item("seconds", self.elapsed.as_secs_f64())?;
        answer.set_item("seconds_left", self.eta.map(|eta| eta.as_secs_f64()))?;
        answer.set_item("memory_bytes", self.memory_bytes)?;
        Ok(answer.into_any())
    }
}

/// Begins a run and shares it.
fn begin(py: Python<'_>, problem: Arc<spot_file::Problem>, run: Run) -> PyResult<(Solver, Option<String>)> {
    let (mut started, warm) = watch_fraction(py, None, None, move |_| {
        run.begin().map(|mut started| {
            let warm = started.take_warm_start();
            (started, warm)
        })
    })?
    .map_err(|error| run_error(&error))?;
    let warm = warm.map(|found| match found {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    });
    let iterations = started.solution_mut().iterations();
    let history = match started.solution().exploitability() {
        Some(found) if iterations > 0 => {
            vec![[f64::from(iterations), found.pct_pot, started.solution().elapsed().as_secs_f64()]]
        }
        _ => Vec::new(),
    };
    let held = Mutex::new(Held::Started(Box::new(started)));
    let shared = Shared { held, history: Mutex::new(history), problem, process: std::process::id() };
    Ok((Solver { shared: Arc::new(shared) }, warm))
}

#[pymethods]
impl Solver {
    /// A solver before its first iteration. With `old` it begins with the regrets of that file; the second value is then
    /// why not, or empty.
    #[staticmethod]
    fn begin(
        py: Python<'_>,
        problem: &Problem,
        settings: Settings,
        old: Option<String>,
    ) -> PyResult<(Solver, Option<String>)> {
        let mut changed = spot_file::Problem::clone(&problem.inner);
        changed.options = settings.options(&changed.options)?;
        let run = Run::new(changed.clone()).threads(changed.options.threads);
        let run = match old {
            Some(old) => run.warm_start(old),
            None => run,
        };
        begin(py, Arc::new(changed), run)
    }

    /// The solve of a resumable file.
    #[staticmethod]
    fn resume(py: Python<'_>, path: String, settings: Settings) -> PyResult<Solver> {
        let of_file = path.clone();
        let opened = watch_fraction(py, None, None, move |reporter| {
            Reader::open_unless(of_file.as_ref(), &|| reporter.is_cancelled())
                .map(|(reader, header)| spot_file::Problem::of_solution(reader.spot(), &header))
        })?;
        let mut problem = opened.map_err(|error| file_error(&error))?;
        problem.options = settings.options(&problem.options)?;
        let run = Run::new(problem.clone()).threads(problem.options.threads).resume(path);
        begin(py, Arc::new(problem), run).map(|(solver, _)| solver)
    }

    /// Runs until the target or for a number of further iterations, without either until what the problem says; why it ended.
    fn run(
        &self,
        py: Python<'_>,
        target: Option<f64>,
        iterations: Option<u32>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        self.shared.check_process()?;
        let shared = Arc::clone(&self.shared);
        let found = watch(py, None, progress.as_ref(), move |reporter: &mut Reporter<SolveProgress>| {
            let mut held = shared.held.lock().unwrap_or_else(PoisonError::into_inner);
            let options = &shared.problem.options;
            let mut run = held.take()?;
            let done = run.solution().iterations();
            let most = iterations.map_or(options.max_iterations.max(done), |more| done.saturating_add(more));
            let target = target.unwrap_or(if iterations.is_some() { 0.0 } else { options.target_pct });
            if let Err(error) = run.set_limits(target, most) {
                *held = Held::Started(Box::new(run));
                return Some(Err(error));
            }
            let outcome = run.solve(&mut Watcher { reporter, shared: &shared });
            let reason = outcome.reason();
            *held = Held::Ended(Box::new(outcome));
            Some(Ok(reason.key()))
        })?;
        found.ok_or_else(gone)?.map_err(|error| wrong(&error))
    }

    /// Iterations, exploitability in percent of the pot and in chips if it is known, seconds, bytes.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.shared.check_process()?;
        let found = with(py, &self.shared, |held| {
            held.solution().map(|solution| {
                let known = solution.exploitability();
                (solution.iterations(), known, solution.elapsed(), solution.memory_bytes())
            })
        })?;
        let (iterations, known, elapsed, bytes) = found.ok_or_else(gone)?;
        let answer = PyDict::new(py);
        answer.set_item("iterations", iterations)?;
        answer.set_item("exploitability_pct", known.map(|known| known.pct_pot))?;
        answer.set_item("seconds", elapsed.as_secs_f64())?;
        answer.set_item("memory_bytes", bytes)?;
        Ok(answer)
    }

    /// Measures the exploitability now, in percent of the pot.
    fn measure(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.check_process()?;
        let found = with(py, &self.shared, |held| {
            let solution = held.solution_mut()?;
            let known = solution.exploitability();
            Some(known.unwrap_or_else(|| solution.measure()).pct_pot)
        })?;
        found.ok_or_else(gone)
    }

    /// The checks so far: iteration, exploitability in percent of the pot, seconds.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.shared.history.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let num_rows = rows.len();
        rows.concat().into_pyarray(py).reshape([num_rows, 3])
    }

    /// What has been found so far, to be read.
    fn solution(&self, py: Python<'_>) -> PyResult<Solution> {
        self.shared.check_process()?;
        let problem = Arc::clone(&self.shared.problem);
        let found = with(py, &self.shared, move |held| {
            if let Held::Ended(outcome) = held {
                outcome.conclude(&mut ());
            }
            let solution = held.solution_mut()?;
            let exploitability = solution.exploitability().unwrap_or_else(|| solution.measure());
            let evs = solution.evs();
            let reader = Reader::of(solution);
            Some((reader, SolutionInfo::of(solution, exploitability, &evs, &problem)))
        })?;
        let (reader, mut info) = found.ok_or_else(gone)?;
        info.history = self.shared.history.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Solution::new(reader, info, Source::Solver(Arc::clone(&self.shared))))
    }

    /// Saves what has been found so far; bytes.
    fn save(&self, py: Python<'_>, path: String, what: &str) -> PyResult<u64> {
        self.shared.save(py, path, contents(what)?)
    }

    /// The text of the spot.
    #[getter]
    fn text(&self) -> &str {
        &self.shared.problem.text
    }
}

/// What a file of a solution says about itself.
#[pyfunction]
pub(crate) fn file_header(path: &str) -> PyResult<String> {
    let header = Header::read(path.as_ref()).map_err(|error| file_error(&error))?;
    serde_json::to_string(&header).map_err(wrong)
}
