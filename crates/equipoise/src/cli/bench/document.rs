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
    pub(super) algorithms: Vec<AlgorithmsDocument>,
    pub(super) storage: Vec<StorageDocument>,
    pub(super) warm_start: Vec<WarmStartDocument>,
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

#[derive(Clone, Serialize)]
pub(super) struct TargetDocument {
    pub(super) target_pct: f64,
    pub(super) converged: bool,
    pub(super) iterations: u32,
    pub(super) elapsed_s: f64,
    /// Only where algorithms are compared.
    #[serde(flatten)]
    pub(super) versus: Option<VersusDocument>,
}

/// How many times as much as `dcfr` it took; null unless both reached the target.
#[derive(Clone, Copy, Serialize)]
pub(super) struct VersusDocument {
    pub(super) iterations_vs_dcfr: Option<f64>,
    pub(super) elapsed_vs_dcfr: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct SizeDocument {
    pub(super) bet_sizes: String,
    pub(super) entries: u64,
    pub(super) iteration_s: f64,
    pub(super) ns_per_entry: f64,
}

#[derive(Serialize)]
pub(super) struct AlgorithmsDocument {
    pub(super) spot: String,
    pub(super) runs: Vec<RunDocument>,
}

#[derive(Serialize)]
pub(super) struct RunDocument {
    pub(super) algorithm: String,
    pub(super) iteration_s: f64,
    pub(super) targets: Vec<TargetDocument>,
}

#[derive(Serialize)]
pub(super) struct StorageDocument {
    pub(super) spot: String,
    pub(super) modes: Vec<ModeDocument>,
}

#[derive(Serialize)]
pub(super) struct WarmStartDocument {
    pub(super) target_pct: f64,
    pub(super) changes: Vec<ChangeDocument>,
}

#[derive(Serialize)]
pub(super) struct ChangeDocument {
    pub(super) change: String,
    pub(super) decisions: usize,
    pub(super) known: usize,
    pub(super) cold_iterations: u32,
    pub(super) warm_iterations: u32,
    pub(super) cold_elapsed_s: f64,
    pub(super) warm_elapsed_s: f64,
}

#[derive(Serialize)]
pub(super) struct ModeDocument {
    pub(super) storage: String,
    pub(super) tables_bytes: u64,
    pub(super) iteration_s: f64,
    /// The least exploitability of any check, and its iteration.
    pub(super) least_pct_pot: f64,
    pub(super) at_iteration: u32,
    /// Whether the solve ended because it became no better.
    pub(super) stalled: bool,
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
            algorithms: Vec::new(),
            storage: Vec::new(),
            warm_start: Vec::new(),
        }
    }
}
