//! `/batches` and `/flops`; averages of a batch are an [`AggregateDocument`](crate::batch::AggregateDocument).

use serde::{Deserialize, Serialize};

use super::PendingRequest;
use crate::batch::{FlopDocument, JobId, Save};

/// Where a batch is in the server's queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // Whoever answers has to know them all.
pub enum BatchState {
    /// Nowhere: what it has is there, and nobody here works on it.
    #[default]
    Idle,
    /// It waits for its turn.
    Queued,
    /// Its flops are being solved.
    Running,
    /// What it has found is on the disk, and waits to be resumed.
    Paused,
}

/// A flop that is being solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlopProgress {
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// The fraction of its tables that is set up; absent once iterations run.
    pub setting_up: Option<f64>,
    /// How many iterations it has run.
    pub iteration: u32,
    /// Of the last check, in percent of the starting pot.
    pub exploitability_pct: Option<f64>,
}

/// A batch and how far it is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BatchRow {
    /// The name of its folder.
    pub id: String,
    /// The spots of its plan.
    pub spots: Vec<String>,
    /// The number of its jobs.
    pub jobs: usize,
    /// How many are done.
    pub done: usize,
    /// How many run now, here or in another process.
    pub running: usize,
    /// How many failed when they were tried last.
    pub failed: usize,
    /// Flops on which a spot cannot be played.
    pub impossible: usize,
    /// What is kept of every job.
    pub save: Save,
    /// Whether the server can run it: it is in the library.
    pub can_run: bool,
    /// Where it is in the server's queue.
    pub state: BatchState,
    /// What was requested and is not done yet.
    #[serde(rename = "wish")]
    pub request: Option<PendingRequest>,
    /// What is being solved now.
    pub under_way: Vec<FlopProgress>,
    /// Seconds that the server has worked on it since it was started.
    pub elapsed_s: f64,
    /// Seconds to the end, about.
    pub eta_s: Option<f64>,
    /// Of the jobs that run at a time, at most.
    pub memory_bytes: u64,
    /// Of all jobs that are not done, at most.
    pub disk_bytes: u64,
    /// Why it ended early, or what to mind.
    pub warning: Option<String>,
    /// The first failures, with their flops.
    pub failures: Vec<FlopFailure>,
}

/// A flop that failed when it was tried last.
#[derive(Clone, Debug, Serialize)]
pub struct FlopFailure {
    /// The cards where it begins.
    pub board: String,
    /// Why.
    pub reason: String,
}

/// All batches.
#[derive(Clone, Debug, Serialize)]
pub struct BatchesDocument {
    /// By name; those of `--batch` last.
    pub batches: Vec<BatchRow>,
}

/// One flop of a batch.
#[derive(Clone, Debug, Serialize)]
pub struct BatchJobDocument {
    /// The job.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// `done`, `running`, `begun`, `failed` or `waiting`.
    pub state: &'static str,
    /// What is kept of every job.
    pub save: Save,
    /// Bytes of its solution; 0 if there is none.
    pub file_bytes: u64,
    /// The spot file, if the plan can be read here.
    pub toml: Option<String>,
}

/// Flops of a name, with their textures.
#[derive(Clone, Debug, Serialize)]
pub struct FlopListDocument {
    /// In the order of the subset.
    pub flops: Vec<TexturedFlop>,
}

/// A flop with its weight and its texture word by word.
#[derive(Clone, Debug, Serialize)]
pub struct TexturedFlop {
    /// The cards and their weight.
    #[serde(flatten)]
    pub flop: FlopDocument,
    /// `rainbow`, `two-tone` or `monotone`.
    pub suits: String,
    /// `unpaired`, `paired` or `trips`.
    pub pairing: String,
    /// The highest rank.
    pub high: String,
    /// `disconnected`, `semi-connected` or `connected`.
    pub connectedness: String,
}
