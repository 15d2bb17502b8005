//! Batches: one spot over many flops, in a folder.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use equipoise_batch::{
    Aggregate, AggregateError, BatchEvent, BatchPath, By, Cell, Folder, FolderError, JobEnd, Jobs,
    Plan as BatchPlan, PlanError, Schedule, Settings, Table,
};
use equipoise_progress::Observer;
use equipoise_run::memory::{self, MemorySize};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Error, wrong};
use crate::work::{Reporter, Told, watch, watch_fraction};

fn plan_error(error: &PlanError) -> PyErr {
    match error {
        PlanError::File { error: at, .. } => {
            Error::new("SpotError", error).help(at.suggestion().map(str::to_owned)).into()
        }
        error => Error::new("FileError", error).into(),
    }
}

pub(crate) fn folder_error(error: &FolderError) -> PyErr {
    Error::new("FileError", error).into()
}

/// A plan and its jobs.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Plan {
    plan: Arc<BatchPlan>,
    jobs: Arc<Jobs>,
    path: String,
}

/// How far a run is.
struct State {
    jobs: usize,
    done: usize,
    fraction: f64,
}

impl Told for State {
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let answer = PyDict::new(py);
        answer.set_item("fraction", self.fraction)?;
        answer.set_item("jobs_done", self.done)?;
        answer.set_item("jobs", self.jobs)?;
        Ok(answer.into_any())
    }
}

/// The observer of a run: the mean of what its jobs have done.
struct Watcher<'a> {
    reporter: &'a mut Reporter<State>,
    fractions: Vec<f64>,
    done: usize,
}

impl Observer<BatchEvent<'_>> for Watcher<'_> {
    fn progress(&mut self, event: &BatchEvent<'_>) -> ControlFlow<()> {
        match event {
            BatchEvent::Job { job, event: equipoise_run::RunEvent::Progress(progress) } => {
                self.fractions[*job] = progress.fraction();
            }
            BatchEvent::Ended { job, .. } => {
                self.fractions[*job] = 1.0;
                self.done += 1;
            }
            _ => {}
        }
        let jobs = self.fractions.len();
        let fraction = self.fractions.iter().sum::<f64>() / jobs.max(1) as f64;
        self.reporter.tell(State { jobs, done: self.done, fraction })
    }

    fn is_cancelled(&self) -> bool {
        self.reporter.is_cancelled()
    }
}

#[pymethods]
impl Plan {
    /// Reads the text of a plan that stands in this file.
    #[new]
    fn new(py: Python<'_>, text: String, path: String) -> PyResult<Plan> {
        let of_file = path.clone();
        let found = watch_fraction(py, None, None, move |_| {
            BatchPlan::parse(&text, Path::new(&of_file)).map(|plan| {
                let jobs = Jobs::of(&plan);
                (plan, jobs)
            })
        })?;
        let (plan, jobs) = found.map_err(|error| plan_error(&error))?;
        Ok(Plan { plan: Arc::new(plan), jobs: Arc::new(jobs), path })
    }

    #[getter]
    fn text(&self) -> &str {
        &self.plan.text
    }

    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    #[getter]
    fn save(&self) -> &'static str {
        self.plan.save.name()
    }

    /// What the author may not have meant, and what cannot be solved.
    fn notes(&self) -> Vec<String> {
        let impossible = self.jobs.impossible.iter();
        let impossible =
            impossible.map(|job| format!("'{}' cannot be played on {}: {}", job.spot, job.board, job.reason));
        self.jobs.notes.iter().cloned().chain(impossible).collect()
    }

    /// The jobs: id, spot, board and weight.
    fn jobs(&self) -> Vec<(String, String, String, f64)> {
        let of = |job: &equipoise_batch::Job| {
            (job.id.to_string(), job.spot.clone(), job.board.to_string(), job.weight)
        };
        self.jobs.jobs.iter().map(of).collect()
    }

    /// Bytes of memory and disk of each job.
    fn needs(&self, py: Python<'_>, threads: usize) -> PyResult<Vec<(u64, u64)>> {
        let jobs = Arc::clone(&self.jobs);
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let found = watch_fraction(py, None, None, move |_| Jobs::needs(&jobs.jobs, threads))?;
        Ok(found.into_iter().map(|needs| (needs.memory, needs.disk)).collect())
    }

    /// The text of the spot file of a job.
    fn job_text(&self, number: usize) -> PyResult<&str> {
        self.jobs.jobs.get(number).map(|job| job.text.as_str()).ok_or_else(|| wrong("there is no such job"))
    }

    /// Writes the list of jobs into a folder, which is made.
    fn prepare(&self, folder: &str) -> PyResult<()> {
        Folder::new(folder).prepare(&self.plan, &self.jobs).map(drop).map_err(|error| folder_error(&error))
    }

    /// Solves what is not done, in a folder; of each job how it ended and, if it failed, why.
    #[pyo3(signature = (folder, threads, memory_limit, at_once, checkpoint, progress))]
    #[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
    fn run(
        &self,
        py: Python<'_>,
        folder: String,
        threads: Option<usize>,
        memory_limit: Option<&str>,
        at_once: Option<usize>,
        checkpoint: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(&'static str, String)>> {
        let (plan, jobs) = (Arc::clone(&self.plan), Arc::clone(&self.jobs));
        let asked = memory_limit.map(|size| size.parse::<MemorySize>().map_err(wrong)).transpose()?;
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let settings = Settings {
            threads: threads.and_then(NonZeroUsize::new).unwrap_or_else(all),
            memory: memory::limit(asked),
            at_once: at_once.and_then(NonZeroUsize::new),
        };
        let checkpoint =
            checkpoint.map(|seconds| Duration::try_from_secs_f64(seconds).map_err(wrong)).transpose()?;
        let ended = watch(py, threads, progress.as_ref(), move |reporter: &mut Reporter<State>| {
            let folder = Folder::new(folder);
            folder.prepare(&plan, &jobs)?;
            let needs = Jobs::needs(&jobs.jobs, NonZeroUsize::MIN);
            let schedule = Schedule::new(&needs, &settings);
            let mut watcher = Watcher { reporter, fractions: vec![0.0; jobs.jobs.len()], done: 0 };
            Ok(equipoise_batch::run(&folder, &jobs.jobs, &schedule, checkpoint, &mut watcher))
        })?;
        let ended = ended.map_err(|error| folder_error(&error))?;
        let words = |ended: Option<Result<JobEnd, equipoise_batch::JobError>>| match ended {
            None => ("waiting", String::new()),
            Some(Ok(JobEnd::Solved(_))) => ("solved", String::new()),
            Some(Ok(JobEnd::Kept(_))) => ("kept", String::new()),
            Some(Ok(JobEnd::Busy)) => ("busy", String::new()),
            Some(Ok(_)) => ("stopped", String::new()),
            Some(Err(error)) => ("failed", error.to_string()),
        };
        Ok(ended.into_iter().map(words).collect())
    }
}

/// How far a job is, why it failed, and where its file is.
type JobRow = (&'static str, Option<String>, Option<String>);

/// The folder of a batch, or a copy of its list and summaries.
fn open(folder: impl Into<std::path::PathBuf>, has_solutions: bool) -> Folder {
    if has_solutions { Folder::new(folder) } else { Folder::of_summaries(folder) }
}

/// What a folder's batch is: the list of its jobs as JSON, and of each how far it is, why it failed and where its file is.
#[pyfunction]
pub(crate) fn batch_listing(folder: &str, has_solutions: bool) -> PyResult<(String, Vec<JobRow>)> {
    let folder = open(folder, has_solutions);
    let listing = folder.listing().map_err(|error| folder_error(&error))?;
    let of = |job: &equipoise_batch::ListedJob| {
        let file = folder.solution_path(job.id);
        let is_there = folder.summary(job.id).is_some_and(|summary| summary.file_bytes > 0);
        (folder.state(job.id).name(), folder.failure(job.id), is_there.then(|| file.display().to_string()))
    };
    let states = listing.jobs.iter().map(of).collect();
    Ok((serde_json::to_string(&listing).map_err(wrong)?, states))
}

/// The averages of a folder's batch at a decision, as a table: names of columns, and the columns.
#[pyfunction]
#[pyo3(signature = (folder, has_solutions, by, path, spot, progress))]
pub(crate) fn batch_report<'py>(
    py: Python<'py>,
    folder: String,
    has_solutions: bool,
    by: &str,
    path: &str,
    spot: Option<String>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(Vec<String>, Bound<'py, PyList>)> {
    let groups = match by {
        "texture" => By::TEXTURES.to_vec(),
        name => match By::ALL.into_iter().find(|by| by.name() == name) {
            Some(by) => vec![by],
            None => {
                let known: Vec<&str> = By::ALL.iter().map(|by| by.name()).chain(["texture"]).collect();
                return Err(wrong(format!(
                    "flops are not grouped by '{name}': write one of {}",
                    known.join(", ")
                )));
            }
        },
    };
    let node: BatchPath = path.parse().map_err(|error: equipoise_postflop::ParsePathError| {
        PyErr::from(Error::new("SpotError", &error).at(path, error.at()))
    })?;
    let found = watch_fraction(py, None, progress.as_ref(), move |reporter| {
        Aggregate::of(&open(folder, has_solutions), &node, spot.as_deref(), reporter)
            .map(|found| Table::of(&found, &groups))
    })?;
    let table = found.map_err(|error| match error {
        AggregateError::Folder(error) => folder_error(&error),
        error => PyErr::from(Error::new("SpotError", error)),
    })?;
    let columns = PyList::empty(py);
    for at in 0..table.names.len() {
        let column = PyList::empty(py);
        for row in &table.rows {
            match &row[at] {
                Cell::Text(text) => column.append(text)?,
                Cell::Number(number) => column.append(number.unwrap_or(f64::NAN))?,
                _ => column.append(py.None())?,
            }
        }
        columns.append(column)?;
    }
    Ok((table.names, columns))
}
