//! `equipoise cfr` and `bench`.

use serde::Serialize;

/// `equipoise cfr`.
#[derive(Clone, Debug, Serialize)]
pub struct CfrDocument {
    /// Of this document.
    pub schema_version: u32,
    /// `kuhn` or `leduc`.
    pub game: String,
    /// Of each algorithm.
    pub iterations: u32,
    /// Of the first player, in antes.
    pub equilibrium_ev: f64,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// Algorithm by algorithm.
    pub runs: Vec<CfrRun>,
}

/// One algorithm on a toy game.
#[derive(Clone, Debug, Serialize)]
pub struct CfrRun {
    /// The name with all parameters.
    pub algorithm: String,
    /// Of all iterations.
    pub elapsed_s: f64,
    /// In their order.
    pub points: Vec<CfrPoint>,
}

/// A check of a run.
#[derive(Clone, Debug, Serialize)]
pub struct CfrPoint {
    /// After how many iterations.
    pub iteration: u32,
    /// In antes.
    pub exploitability: f64,
    /// Of the first player, in antes.
    pub ev: f64,
    /// Of algorithms that have one.
    pub asymmetry: Option<CfrAsymmetry>,
}

/// How far predictions were trusted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CfrAsymmetry {
    /// Over all decisions.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// Of the change of instant regrets.
    pub instant_norm: f64,
    /// Of the change of regrets.
    pub regret_norm: f64,
}

/// `equipoise bench`.
#[derive(Clone, Debug, Serialize)]
pub struct BenchDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Of a solve.
    pub threads: usize,
    /// The name with all parameters.
    pub algorithm: String,
    /// With `--quick`.
    pub quick: bool,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// Of the machine, if it was measured.
    pub read_bandwidth_gb_s: Option<f64>,
    /// Spot by spot.
    pub spots: Vec<BenchSpot>,
    /// By size of the tree.
    pub scaling: Vec<BenchSize>,
}

/// A shipped spot.
#[derive(Clone, Debug, Serialize)]
pub struct BenchSpot {
    /// Its name.
    pub spot: String,
    /// The algorithm, which is the default of its street.
    pub algorithm: String,
    /// Actions of combos over all boards that differ.
    pub entries: u64,
    /// Seconds before the first iteration.
    pub set_up_s: f64,
    /// Seconds of an iteration, in the mean.
    pub iteration_s: f64,
    /// Seconds of the fastest iteration.
    pub least_iteration_s: f64,
    /// Target by target.
    pub targets: Vec<BenchTarget>,
    /// Of the solver.
    pub memory_bytes: usize,
    /// Of the process.
    pub peak_bytes: Option<u64>,
    /// Of the tables.
    pub bytes_per_iteration: u64,
    /// Of an iteration.
    pub bandwidth_gb_s: f64,
}

/// The way to a target.
#[derive(Clone, Debug, Serialize)]
pub struct BenchTarget {
    /// In percent of the starting pot.
    pub target_pct: f64,
    /// Whether it was reached.
    pub converged: bool,
    /// How many it took.
    pub iterations: u32,
    /// How long it took.
    pub elapsed_s: f64,
}

/// A tree of one size.
#[derive(Clone, Debug, Serialize)]
pub struct BenchSize {
    /// Of each player on each street.
    pub bet_sizes: String,
    /// Actions of combos over all boards that differ.
    pub entries: u64,
    /// Seconds of an iteration.
    pub iteration_s: f64,
    /// Of an iteration.
    pub ns_per_entry: f64,
}
