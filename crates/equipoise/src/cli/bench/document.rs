//! What has been measured, as it stands in JSON.

use equipoise::cfr::Algorithm;
use serde::Serialize;

use crate::cli::print::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct BenchDocument {
    schema_version: u32,
    pub(super) threads: usize,
    pub(super) algorithm: String,
    quick: bool,
    pub(super) interrupted: bool,
    pub(super) read_bandwidth_gb_s: Option<f64>,
    pub(super) spots: Vec<SpotDocument>,
    pub(super) scaling: Vec<SizeDocument>,
}

#[derive(Serialize)]
pub(super) struct SpotDocument {
    pub(super) spot: String,
    pub(super) entries: u64,
    pub(super) set_up_s: f64,
    pub(super) iteration_s: f64,
    pub(super) least_iteration_s: f64,
    pub(super) targets: Vec<TargetDocument>,
    pub(super) memory_bytes: usize,
    pub(super) peak_bytes: Option<u64>,
    pub(super) bytes_per_iteration: u64,
    pub(super) bandwidth_gb_s: f64,
}

#[derive(Serialize)]
pub(super) struct TargetDocument {
    pub(super) target_pct: f64,
    pub(super) converged: bool,
    pub(super) iterations: u32,
    pub(super) elapsed_s: f64,
}

#[derive(Serialize)]
pub(super) struct SizeDocument {
    pub(super) bet_sizes: String,
    pub(super) entries: u64,
    pub(super) iteration_s: f64,
    pub(super) ns_per_entry: f64,
}

impl BenchDocument {
    /// Nothing measured yet.
    pub(super) fn new(threads: usize, quick: bool) -> BenchDocument {
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
}
