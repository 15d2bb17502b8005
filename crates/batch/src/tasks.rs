//! Lists of jobs for schedulers, whose tasks are numbers: line N of a list is the job of task N, counted from 0.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use equipoise_documents::batch::JobId;
use equipoise_files::{AtomicFile, FileKind, read_text};
use thiserror::Error;

use crate::job::{Job, Needs};

/// Lists of tasks among other files.
pub const TASKS_KIND: FileKind = FileKind::new("a list of tasks", |bytes| bytes.starts_with(HEAD.as_bytes()));

/// The first line; what it names stands in the columns below it, with tabs between them.
const HEAD: &str = "#job\tmemory_bytes\tboard\tspot\n";

/// Why a list of tasks cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TasksError {
    /// The system says no.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The list.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is no list of tasks.
    #[error("{path}, line {line}: {reason}")]
    Line {
        /// The list.
        path: String,
        /// From 1 on.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// No task has this number.
    #[error("{path} has no task {index}: there are {count}, counted from 0")]
    Index {
        /// The list.
        path: String,
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

/// Writes a list of jobs and what each takes.
///
/// # Errors
/// If the disk does not take it.
pub fn write_tasks(path: &Path, tasks: &[(&Job, Needs)]) -> io::Result<()> {
    let mut text = HEAD.to_owned();
    for (job, needs) in tasks {
        let _ = writeln!(text, "{}\t{}\t{}\t{}", job.id, needs.memory, job.board, job.spot);
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// The jobs of a list, in the order of its tasks.
///
/// # Errors
/// [`TasksError`] says where it is wrong.
pub fn read_tasks(path: &Path) -> Result<Vec<JobId>, TasksError> {
    let name = path.display().to_string();
    let text = read_text(path).map_err(|source| TasksError::Read { path: name.clone(), source })?;
    let wrong = |line, reason: String| TasksError::Line { path: name.clone(), line, reason };
    let lines = text.strip_prefix(HEAD).ok_or_else(|| {
        wrong(1, "this is no list of tasks, which `equipoise batch jobs --list` writes".to_owned())
    })?;
    let job = |(at, line): (usize, &str)| {
        let id = line.split('\t').next().unwrap_or_default();
        id.parse()
            .map_err(|error: equipoise_documents::batch::ParseJobIdError| wrong(at + 2, error.to_string()))
    };
    lines.lines().enumerate().map(job).collect()
}

/// The job of a task.
///
/// # Errors
/// [`TasksError`] if the list cannot be used or has no such task.
pub fn task(path: &Path, index: usize) -> Result<JobId, TasksError> {
    let tasks = read_tasks(path)?;
    let count = tasks.len();
    tasks.get(index).copied().ok_or_else(|| TasksError::Index {
        path: path.display().to_string(),
        index,
        count,
    })
}
