//! What is measured, before anything is.

use equipoise::cfr::Algorithm;
use equipoise::documents::command::BenchDocument;

use crate::cli::print::SCHEMA_VERSION;

/// Nothing measured yet.
pub(super) fn empty(threads: usize, quick: bool) -> BenchDocument {
    BenchDocument {
        schema_version: SCHEMA_VERSION,
        threads,
        algorithm: Algorithm::default().to_string(),
        quick,
        interrupted: false,
        read_bandwidth_gb_s: None,
        spots: Vec::new(),
        scaling: Vec::new(),
    }
}
