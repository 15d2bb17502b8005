//! A job on the disk.

pub(crate) use equipoise_documents::api::{JobDocument, JobState, PendingRequest};
use serde::{Deserialize, Serialize};

/// A job on the disk.
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
