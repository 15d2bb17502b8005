//! How large a problem is.

use equipoise_game::{PerPlayer, Player, StreetStats, TreeConfig, TreeStats};
use equipoise_postflop::{Contents, Memory, Options, Precision, Solver, SpotCount, Storage};
use equipoise_run::estimate::TimeEstimate;
use equipoise_run::saving::FileSizes;
use equipoise_spots::spot_file::{Problem, precision_key};
use serde::Serialize;

use crate::{Both, SCHEMA_VERSION};

/// What `equipoise solve --dry-run` prints.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SizeDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The name with all parameters.
    pub algorithm: String,
    /// How many combos the board leaves each range.
    pub combos: Both<u64>,
    /// Of the betting tree.
    pub nodes: u64,
    /// Actions of combos over all boards that differ.
    pub entries: u64,
    /// Street by street.
    pub streets: Vec<StreetDocument>,
    /// By storage.
    pub memory: Vec<StorageMemoryDocument>,
    /// What there is, or what was allowed.
    pub memory_limit_bytes: Option<u64>,
    /// Of a file of the solution, by what it keeps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileDocument>,
    /// Bytes that the file may take: what the disk has left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_room_bytes: Option<u64>,
    /// How long a solve may take, where the machine was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateDocument>,
    /// What the author of the spot may not have meant.
    pub notes: Vec<String>,
}

/// How long a solve may take: an estimate.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct EstimateDocument {
    /// Iterations to the target, or all that are allowed.
    pub iterations: u32,
    /// Of one iteration.
    pub seconds_per_iteration: f64,
    /// Of all, without set-up and saving.
    pub seconds: f64,
}

/// One street of the betting tree, counted once and not per board.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StreetDocument {
    /// Which.
    pub street: String,
    /// Ways into it.
    pub lines: u64,
    /// Where somebody acts.
    pub decisions: Both<u64>,
    /// What can be done there, in all.
    pub actions: Both<u64>,
    /// Ends by folding.
    pub folds: u64,
    /// Ends by showdown.
    pub showdowns: u64,
    /// Ends with both all-in and cards to come.
    pub runouts: u64,
}

/// The memory of a storage.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StorageMemoryDocument {
    /// Its key in spot files, or its name where it has none.
    pub quantization: String,
    /// Regrets and strategies.
    pub tables_bytes: u64,
    /// Everything.
    pub total_bytes: u64,
    /// Whether the spot asks for it.
    pub selected: bool,
}

/// The size of a file, by what it keeps.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FileDocument {
    /// As of `equipoise solve --save`.
    pub save: &'static str,
    /// At most: before it is compressed.
    pub most_bytes: u64,
    /// Whether that fits for certain.
    pub fits: bool,
}

impl SizeDocument {
    /// With what files of the solution take.
    #[must_use]
    pub fn with_files(mut self, sizes: &FileSizes) -> SizeDocument {
        let file = |&(contents, most_bytes): &(Contents, u64)| FileDocument {
            save: contents.name(),
            most_bytes,
            fits: sizes.fits(most_bytes),
        };
        self.files = sizes.most.iter().map(file).collect();
        self.disk_room_bytes = sizes.room;
        self
    }

    /// With how long a solve may take.
    #[must_use]
    pub fn with_estimate(mut self, estimate: TimeEstimate) -> SizeDocument {
        let TimeEstimate { iterations, seconds_per_iteration, seconds, .. } = estimate;
        self.estimate = Some(EstimateDocument { iterations, seconds_per_iteration, seconds });
        self
    }

    /// The size of a problem, with a memory limit in bytes.
    #[must_use]
    pub fn new(problem: &Problem, limit: Option<u64>) -> SizeDocument {
        let Problem { spot, options, .. } = problem;
        let tree = spot.tree();
        SizeDocument {
            combos: Player::ALL.map(|player| spot.num_combos(player) as u64).into(),
            nodes: tree.nodes().len() as u64,
            notes: tree.notes().iter().map(ToString::to_string).collect(),
            ..SizeDocument::of(options, limit, tree.config(), &tree.stats(), |options| {
                Solver::memory(spot, options)
            })
        }
    }

    /// The same of a spot that is counted and not built.
    #[must_use]
    pub fn of_count(spot: &SpotCount, options: &Options, limit: Option<u64>) -> SizeDocument {
        let tree = spot.tree();
        SizeDocument {
            combos: Player::ALL.map(|player| spot.num_combos(player) as u64).into(),
            nodes: tree.num_nodes(),
            notes: tree.notes().iter().map(ToString::to_string).collect(),
            ..SizeDocument::of(options, limit, spot.config(), tree.stats(), |options| spot.memory(options))
        }
    }

    fn of(
        options: &Options,
        limit: Option<u64>,
        config: &TreeConfig,
        stats: &TreeStats,
        memory: impl Fn(&Options) -> Memory,
    ) -> SizeDocument {
        let streets = config.streets().map(|street| of_street(street.to_string(), stats.street(street)));
        let mut modes = Precision::ALL.map(Storage::of).to_vec();
        modes.insert(2, Storage { strategy: Precision::Bits8, ..Storage::of(Precision::Bits16) });
        if !modes.contains(&options.storage) {
            modes.push(options.storage);
        }
        let of_mode = |storage: Storage| {
            let memory = memory(&Options { storage, ..options.clone() });
            of_memory(storage, &memory, storage == options.storage)
        };
        SizeDocument {
            schema_version: SCHEMA_VERSION,
            algorithm: options.algorithm.to_string(),
            combos: PerPlayer::default().into(),
            nodes: 0,
            entries: memory(options).real_entries,
            streets: streets.collect(),
            memory: modes.into_iter().map(of_mode).collect(),
            memory_limit_bytes: limit,
            files: Vec::new(),
            disk_room_bytes: None,
            estimate: None,
            notes: Vec::new(),
        }
    }
}

fn of_street(street: String, stats: &StreetStats) -> StreetDocument {
    StreetDocument {
        street,
        lines: stats.num_lines,
        decisions: stats.num_decisions.into(),
        actions: stats.num_actions.into(),
        folds: stats.num_folds,
        showdowns: stats.num_showdowns,
        runouts: stats.num_runouts,
    }
}

fn of_memory(storage: Storage, memory: &Memory, selected: bool) -> StorageMemoryDocument {
    let quantization = match Precision::ALL.into_iter().find(|&precision| storage == Storage::of(precision)) {
        Some(precision) => precision_key(precision),
        None => storage.to_string(),
    };
    StorageMemoryDocument { quantization, tables_bytes: memory.tables, total_bytes: memory.total(), selected }
}
