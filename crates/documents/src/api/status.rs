//! `/status`.

use serde::Serialize;

/// What the server is and has.
#[derive(Clone, Debug, Serialize)]
pub struct StatusDocument {
    /// Of the program.
    pub version: &'static str,
    /// Of a solve.
    pub threads: usize,
    /// For solves.
    pub memory: MemoryDocument,
    /// Of requests.
    pub limits: LimitsDocument,
    /// The folder of the solutions.
    pub library: String,
    /// How many there are.
    pub solutions: usize,
    /// Queued or running.
    pub jobs: usize,
    /// Whether the page is in this binary.
    pub page: bool,
}

/// Memory for solves.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MemoryDocument {
    /// Of the machine or the control group.
    pub total_bytes: Option<u64>,
    /// For the next solve, once the one under way is over.
    pub available_bytes: Option<u64>,
}

/// Limits of requests.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LimitsDocument {
    /// The largest body.
    pub body_bytes: usize,
    /// The largest upload.
    pub upload_bytes: u64,
    /// The longest time of an answer, in seconds.
    pub request_s: f64,
}
