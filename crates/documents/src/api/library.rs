//! `/solutions`, `/solutions/{id}` and `/solutions/{id}/labels`.

use equipoise_postflop::{Contents, SavedEv};
use serde::{Deserialize, Serialize};

use super::CheckDocument;
use crate::{Both, ExploitabilityDocument};

/// A solution of the library.
#[derive(Clone, Debug, Serialize)]
pub struct SolutionRow {
    /// The name of its file.
    pub id: String,
    /// The cards at the root.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// In chips.
    pub starting_pot: u32,
    /// In chips.
    pub effective_stack: u32,
    /// In chips, if the spot says what a big blind is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub big_blind: Option<f64>,
    /// How far from equilibrium.
    pub exploitability: ExploitabilityDocument,
    /// Both players updated once.
    pub iterations: u32,
    /// The name with all parameters.
    pub algorithm: String,
    /// What the tables were kept in.
    pub storage: String,
    /// In percent of the starting pot.
    pub target_pct: f64,
    /// Whether the target was reached.
    pub converged: bool,
    /// Contents of the file.
    pub contents: Contents,
    /// Its size.
    pub bytes: u64,
    /// RFC 3339.
    pub modified: String,
    /// The number of locked decisions.
    pub locked: usize,
    /// What people wrote about it.
    #[serde(flatten)]
    pub labels: LabelsDocument,
}

/// What people write about a solution; empty where nobody wrote anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelsDocument {
    /// What they call it.
    pub title: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Any text.
    pub notes: String,
}

/// A solution with what it was made from.
#[derive(Clone, Debug, Serialize)]
pub struct SolutionDetail {
    /// What the list says of it.
    #[serde(flatten)]
    pub row: SolutionRow,
    /// The spot file.
    pub toml: String,
    /// As text.
    pub ranges: Both<String>,
    /// In their order.
    pub checks: Vec<CheckDocument>,
    /// Seconds of solving.
    pub elapsed_s: f64,
    /// At the root.
    pub evs: Both<SavedEv>,
}

/// The library: all solutions, and the files that cannot be used.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LibraryDocument {
    /// Newest first.
    pub solutions: Vec<SolutionRow>,
    /// Newest first.
    pub damaged: Vec<DamagedDocument>,
}

/// A file that cannot be used.
#[derive(Clone, Debug, Serialize)]
pub struct DamagedDocument {
    /// Its name.
    pub id: String,
    /// Why not.
    pub message: String,
}
