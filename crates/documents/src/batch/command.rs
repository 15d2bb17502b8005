//! What `equipoise batch` prints with `--json`.

use serde::Serialize;

use super::{Impossible, JobId, Summary};

/// `equipoise batch flops`.
#[derive(Clone, Debug, Serialize)]
pub struct FlopsDocument<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// With their weights.
    pub flops: Vec<FlopDocument>,
    /// How well they stand for all flops, if that was measured.
    pub quality: Option<&'a SubsetQuality>,
}

/// A flop and its weight.
#[derive(Clone, Debug, Serialize)]
pub struct FlopDocument {
    /// The cards.
    pub board: String,
    /// How many flops it stands for.
    pub weight: f64,
    /// Such as `rainbow, unpaired, A high, disconnected`.
    pub texture: Option<String>,
}

/// A quantity over all flops and over a subset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantityError {
    /// What it is.
    pub name: String,
    /// The average over all flops, weighted by class size.
    pub all: f64,
    /// The weighted average over the subset.
    pub subset: f64,
    /// The standard deviation of single flops.
    pub deviation: f64,
}

impl QuantityError {
    /// How far off the subset is.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.subset - self.all
    }
}

/// How well a subset stands for all flops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubsetQuality {
    /// Quantities that subsets are not chosen by, as fractions of 1.
    pub quantities: Vec<QuantityError>,
    /// The mean distance from all flops.
    pub mean_error: f64,
    /// The greatest.
    pub max_error: f64,
}

/// `equipoise batch jobs`.
#[derive(Clone, Debug, Serialize)]
pub struct BatchJobsDocument<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// Jobs at a time.
    pub at_once: usize,
    /// Threads of each.
    pub threads: usize,
    /// Of the jobs that run at a time, at most.
    pub memory_bytes: u64,
    /// Of all jobs, at most.
    pub disk_bytes: u64,
    /// In the order of the plan.
    pub jobs: Vec<JobRow>,
    /// Flops on which a spot cannot be played.
    pub impossible: &'a [Impossible],
}

/// A job of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct JobRow {
    /// Its name.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// Of a flop.
    pub texture: Option<String>,
    /// How much it counts in averages.
    pub weight: f64,
    /// While it is solved.
    pub memory_bytes: u64,
    /// At most.
    pub disk_bytes: u64,
}

/// `equipoise batch job`.
#[derive(Clone, Debug, Serialize)]
pub struct JobOutcome<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// The job.
    pub id: JobId,
    /// `solved`, `kept`, `busy` (exit code 75) or `not_saved`.
    pub outcome: &'a str,
    /// What was found, if it is done.
    pub summary: Option<&'a Summary>,
}

/// `equipoise batch run`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Where the results are.
    pub folder: String,
    /// The number of jobs.
    pub jobs: usize,
    /// Done by this run.
    pub solved: usize,
    /// Done before.
    pub kept: usize,
    /// Another process has them.
    pub busy: usize,
    /// Begun, and kept on the disk.
    pub stopped: usize,
    /// With the reasons.
    pub failed: Vec<FailedJob>,
    /// Flops on which a spot cannot be played.
    pub impossible: Vec<Impossible>,
    /// Jobs at a time.
    pub at_once: usize,
    /// Threads of each.
    pub threads: usize,
    /// Of the run.
    pub elapsed_s: f64,
    /// Of the solutions.
    pub file_bytes: u64,
}

/// A job that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailedJob {
    /// Its name.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// Why.
    pub reason: String,
    /// What was found, if only saving it failed.
    pub summary: Option<Summary>,
}

/// `equipoise batch status`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BatchStatusDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Where the results are.
    pub folder: String,
    /// The number of jobs that are done.
    pub done: usize,
    /// That run now.
    pub running: usize,
    /// That were stopped on the way.
    pub begun: usize,
    /// That failed when they were tried last.
    pub failed: usize,
    /// That have not begun.
    pub waiting: usize,
    /// Of the solutions.
    pub file_bytes: u64,
    /// In the order of the plan.
    pub jobs: Vec<JobStatus>,
    /// Flops on which a spot cannot be played.
    pub impossible: Vec<Impossible>,
}

/// How far a job is.
#[derive(Clone, Debug, Serialize)]
pub struct JobStatus {
    /// Its name.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// How much it counts in averages.
    pub weight: f64,
    /// `done`, `running`, `begun`, `failed` or `waiting`.
    pub state: &'static str,
    /// Why it failed.
    pub reason: Option<String>,
    /// Of a job that is done.
    pub iterations: Option<u32>,
    /// Of a job that is done, in percent of the starting pot.
    pub exploitability_pct: Option<f64>,
    /// Of a job that is done.
    pub elapsed_s: Option<f64>,
    /// Of a job that is done.
    pub file_bytes: Option<u64>,
}

/// `equipoise batch submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SubmitDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Where the results are.
    pub folder: String,
    /// Jobs of the plan.
    pub jobs: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that the queue had already.
    pub queued: usize,
    /// What was sent; printed only, if `job` is absent.
    pub arrays: Vec<SubmittedArray>,
    /// Numbers of the scheduler that were told to end.
    pub cancelled: Vec<String>,
}

/// Jobs that were sent together.
#[derive(Clone, Debug, Serialize)]
pub struct SubmittedArray {
    /// As the queue names it.
    pub name: String,
    /// The scheduler's number; absent if it was not sent.
    pub job: Option<String>,
    /// How many jobs it has.
    pub jobs: usize,
    /// How many tasks; of a batch a task is a job.
    pub tasks: usize,
    /// Of its largest job.
    pub memory_bytes: u64,
    /// What was sent.
    pub script: String,
}

/// `equipoise batch export`.
#[derive(Clone, Debug, Serialize)]
pub struct BatchExportDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The table.
    pub file: String,
    /// How many were read.
    pub solutions: usize,
    /// How many are in the table.
    pub decisions: u64,
    /// Of the table.
    pub rows: u64,
    /// Of the file.
    pub bytes: u64,
    /// How long it took.
    pub elapsed_s: f64,
}
