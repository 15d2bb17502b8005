//! `/jobs…`.

use serde::{Deserialize, Serialize};

use crate::{Both, ExploitabilityDocument};

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // Whoever answers has to know them all.
pub enum JobState {
    /// It waits for its turn.
    Queued,
    /// It is being solved.
    Running,
    /// It is on the disk, and waits to be resumed.
    Paused,
    /// Its solution is in the library.
    Done,
    /// The same, before it reached its target.
    Stopped,
    /// It has an error.
    Failed,
}

impl JobState {
    /// Whether it has a place in the queue.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, JobState::Queued | JobState::Running)
    }
}

/// What a client has requested of a running job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // Whoever answers has to know them all.
pub enum PendingRequest {
    /// To keep it on the disk.
    Pause,
    /// To end it with what it has found.
    Stop,
    /// To forget it.
    Delete,
}

/// A check of exploitability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckDocument {
    /// After how many iterations.
    pub iteration: u32,
    /// After how many seconds of solving.
    pub seconds: f64,
    /// In percent of the starting pot.
    pub pct_pot: f64,
}

/// A job: a solve of the server's queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobDocument {
    /// Its name in addresses.
    pub id: String,
    /// What the client calls it; its solution is named so.
    pub name: String,
    /// What it is doing.
    pub state: JobState,
    /// What was requested and is not done yet.
    #[serde(default, rename = "wish")]
    pub request: Option<PendingRequest>,
    /// The fraction of its tables that is set up, before the first iteration of a running job.
    #[serde(default)]
    pub setting_up: Option<f64>,
    /// How many iterations it has run.
    pub iteration: u32,
    /// The iteration of the last checkpoint, from which a solve resumes that is cut off; absent before the first.
    #[serde(default)]
    pub saved_iteration: Option<u32>,
    /// When it ends at the latest.
    pub max_iterations: u32,
    /// Of the last check; absent before the first.
    pub exploitability: Option<ExploitabilityDocument>,
    /// All checks, in their order.
    pub checks: Vec<CheckDocument>,
    /// Seconds of solving.
    pub elapsed_s: f64,
    /// Seconds to the target, about.
    pub eta_s: Option<f64>,
    /// What it takes while it runs.
    pub memory_bytes: u64,
    /// The name with all parameters.
    pub algorithm: String,
    /// What the tables are kept in.
    pub storage: String,
    /// In percent of the starting pot.
    pub target_pct: f64,
    /// The cards at the root.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// RFC 3339.
    pub created: String,
    /// Of a job that is done: `converged`, `max_iterations` or `stalled`.
    pub stop_reason: Option<String>,
    /// In the library, once it is done or stopped.
    pub solution: Option<String>,
    /// Of a job that failed.
    pub error: Option<String>,
    /// What went wrong without ending it, such as a checkpoint that the disk did not take.
    #[serde(default)]
    pub warning: Option<String>,
    /// The spot file.
    pub toml: String,
    /// As of `equipoise solve --lock`.
    pub locks: Vec<String>,
    /// The solution of the library that the answer is compared with.
    pub from: Option<String>,
    /// With `from`, once it is done: each player's EV less the EV there, in chips.
    pub gains: Option<Both<f64>>,
}

/// All jobs.
#[derive(Clone, Debug, Serialize)]
pub struct JobsDocument {
    /// Newest first.
    pub jobs: Vec<JobDocument>,
}

/// The data of the event `progress`: what changes while a job runs.
#[derive(Clone, Debug, Serialize)]
pub struct ProgressDocument<'a> {
    id: &'a str,
    name: &'a str,
    state: JobState,
    setting_up: Option<f64>,
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
    /// Of a job, with a check that is new.
    #[must_use]
    pub fn new(job: &'a JobDocument, check: Option<CheckDocument>) -> ProgressDocument<'a> {
        ProgressDocument {
            id: &job.id,
            name: &job.name,
            state: job.state,
            setting_up: job.setting_up,
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
