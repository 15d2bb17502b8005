//! Single jobs of batches, for workers that have no plan and no folder in common.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use equipoise_batch::{Folder, Job, JobEnd, JobError, Resources, Save};
use equipoise_postflop::SolveProgress;
use equipoise_progress::Observer;
use equipoise_run::memory::{self, MemorySize};
use equipoise_run::{RunEvent, RunObserver};
use pyo3::prelude::*;

use crate::batch::folder_error;
use crate::errors::{Error, wrong};
use crate::problem::spot_error;
use crate::work::{Reporter, watch_apart};

/// Stops a job that another thread solves; what it has found is saved.
#[pyclass(frozen, module = "equipoise._equipoise")]
#[derive(Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// What whoever works looks at.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop::default()
    }

    /// Stops it.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is stopped.
    #[getter]
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The observer of a job.
struct Watcher<'a> {
    reporter: &'a mut Reporter<SolveProgress>,
    stop: Arc<AtomicBool>,
}

impl Observer<RunEvent> for Watcher<'_> {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        if let RunEvent::Progress(progress) = event {
            self.reporter.tell(*progress)?;
        }
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.reporter.is_cancelled()
    }
}

impl RunObserver for Watcher<'_> {}

/// Solves one job in a folder, from the text of its spot: its name, how it ended (`solved`, `kept`, `busy`, `stopped`,
/// `failed`) and, if it failed, why.
#[pyfunction]
#[pyo3(signature = (folder, spot, text, weight, save, threads, memory, checkpoint, stop, progress))]
#[allow(clippy::too_many_arguments)] // All that a job is, and what it may use.
pub(crate) fn solve_job(
    py: Python<'_>,
    folder: String,
    spot: &str,
    text: &str,
    weight: f64,
    save: &str,
    threads: usize,
    memory: Option<u64>,
    checkpoint: Option<f64>,
    stop: &Stop,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, &'static str, Option<String>)> {
    let save = Save::ALL.into_iter().find(|known| known.name() == save);
    let save = save.ok_or_else(|| wrong("this is nothing that a plan keeps"))?;
    let job = Job::of_text(spot, text, weight, save).map_err(|error| spot_error(text, &error))?;
    let id = job.id.to_string();
    let folder = Folder::new(folder);
    folder.make().map_err(|error| folder_error(&error))?;
    let resources = Resources {
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        memory: memory::limit(memory.map(MemorySize)),
        checkpoint: checkpoint
            .map(|seconds| Duration::try_from_secs_f64(seconds).map_err(wrong))
            .transpose()?,
    };
    let stop = Arc::clone(&stop.0);
    let ended =
        watch_apart(py, threads, progress.as_ref(), move |reporter: &mut Reporter<SolveProgress>| {
            folder.solve(&job, &resources, &mut Watcher { reporter, stop })
        })?;
    Ok(match ended {
        Ok(JobEnd::Solved(_)) => (id, "solved", None),
        Ok(JobEnd::Kept(_)) => (id, "kept", None),
        Ok(JobEnd::Busy) => (id, "busy", None),
        Ok(_) => (id, "stopped", None),
        // The disk is the worker's; elsewhere there may be room.
        Err(error @ (JobError::Io { .. } | JobError::NotSaved { .. } | JobError::Checkpoint(_))) => {
            return Err(Error::new("FileError", error).into());
        }
        Err(error) => (id, "failed", Some(error.to_string())),
    })
}

/// The engine: its version, and after a `+` the start of its commit if that is known; then its instructions.
#[pyfunction]
pub(crate) fn engine() -> (String, String) {
    let engine = equipoise_batch::engine();
    (engine.short(), engine.kernel)
}

/// Refuses an engine other than that of a version, or of a version and commit.
#[pyfunction]
pub(crate) fn check_engine(wanted: &str) -> PyResult<()> {
    equipoise_batch::check_engine(wanted).map_err(wrong)
}

/// Bytes that may be taken: what is asked for, at most what the machine and the process's control groups have left.
#[pyfunction]
#[pyo3(signature = (asked))]
pub(crate) fn memory_limit(asked: Option<&str>) -> PyResult<Option<u64>> {
    let asked = asked.map(|size| size.parse::<MemorySize>().map_err(wrong)).transpose()?;
    Ok(memory::limit(asked))
}
