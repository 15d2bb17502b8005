//! What is said of a job, to clients and to the disk.

use equipoise_report::documents::{Both, ExploitabilityDocument};
use serde::{Deserialize, Serialize};

use super::job::Wish;
use crate::library::CheckDocument;

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobState {
    Queued,
    Running,
    Paused,
    Done,
    Stopped,
    Failed,
}

impl JobState {
    /// Whether it has a place in the queue.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, JobState::Queued | JobState::Running)
    }
}

/// A solve, as clients see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobDocument {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) state: JobState,
    /// What it will do as soon as it can.
    #[serde(default)]
    pub(crate) wish: Option<Wish>,
    pub(crate) iteration: u32,
    /// The iteration of the last checkpoint: where a solve goes on that is cut off. Nothing before the first.
    #[serde(default)]
    pub(crate) saved_iteration: Option<u32>,
    pub(crate) max_iterations: u32,
    pub(crate) exploitability: Option<ExploitabilityDocument>,
    pub(crate) checks: Vec<CheckDocument>,
    pub(crate) elapsed_s: f64,
    pub(crate) eta_s: Option<f64>,
    pub(crate) memory_bytes: u64,
    pub(crate) algorithm: String,
    pub(crate) storage: String,
    pub(crate) target_pct: f64,
    pub(crate) board: String,
    pub(crate) street: String,
    pub(crate) created: String,
    pub(crate) stop_reason: Option<String>,
    pub(crate) solution: Option<String>,
    pub(crate) error: Option<String>,
    /// What went wrong without ending it, such as a checkpoint that the disk did not take.
    #[serde(default)]
    pub(crate) warning: Option<String>,
    pub(crate) toml: String,
    pub(crate) locks: Vec<String>,
    pub(crate) from: Option<String>,
    pub(crate) gains: Option<Both<f64>>,
}

/// A job as it is kept on the disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobRecord {
    pub(crate) job: JobDocument,
    /// The spot file with the locks in it, which is what is solved.
    pub(crate) text: String,
    /// The place in the queue: lower comes first.
    pub(crate) turn: u64,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_ms: u64,
}

/// The data of the event `progress`: everything but the history.
#[derive(Debug, Serialize)]
pub(crate) struct ProgressDocument<'a> {
    id: &'a str,
    name: &'a str,
    state: JobState,
    iteration: u32,
    saved_iteration: Option<u32>,
    max_iterations: u32,
    exploitability: Option<ExploitabilityDocument>,
    elapsed_s: f64,
    eta_s: Option<f64>,
    memory_bytes: u64,
    check: Option<CheckDocument>,
}

impl<'a> ProgressDocument<'a> {
    pub(crate) fn new(job: &'a JobDocument, check: Option<CheckDocument>) -> ProgressDocument<'a> {
        ProgressDocument {
            id: &job.id,
            name: &job.name,
            state: job.state,
            iteration: job.iteration,
            saved_iteration: job.saved_iteration,
            max_iterations: job.max_iterations,
            exploitability: job.exploitability,
            elapsed_s: job.elapsed_s,
            eta_s: job.eta_s,
            memory_bytes: job.memory_bytes,
            check,
        }
    }
}
