//! `/batches`; one batch answers with [`AggregateDocument`](crate::batch::AggregateDocument).

use serde::Serialize;

/// A batch of the list.
#[derive(Clone, Debug, Serialize)]
pub struct BatchRow {
    /// The name of its folder.
    pub id: String,
    /// The spots of its plan.
    pub spots: Vec<String>,
    /// The number of its jobs.
    pub jobs: usize,
    /// How many are done.
    pub done: usize,
    /// How many run now.
    pub running: usize,
    /// How many failed when they were tried last.
    pub failed: usize,
}

/// All batches.
#[derive(Clone, Debug, Serialize)]
pub struct BatchesDocument {
    /// By name; those of `--batch` last.
    pub batches: Vec<BatchRow>,
}
