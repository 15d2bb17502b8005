//! `equipoise serve`.

use serde::Serialize;

/// The server is ready.
#[derive(Clone, Debug, Serialize)]
pub struct ReadyDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Of the page.
    pub url: String,
    /// With the port.
    pub address: String,
    /// The folder of the solutions.
    pub library: String,
    /// Whether the page is in this binary.
    pub page: bool,
    /// Queued or running.
    pub jobs: usize,
}
