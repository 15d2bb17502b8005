//! `equipoise solve` and `resume`.

use equipoise_postflop::Contents;
use serde::Serialize;

use crate::{Both, ExploitabilityDocument, PlayerDocument, UnitDocument};

/// A solve that is over.
#[derive(Clone, Debug, Serialize)]
pub struct SolveDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Whether the target was reached.
    pub converged: bool,
    /// What EVs are counted in.
    pub unit: UnitDocument,
    /// How far from equilibrium.
    pub exploitability: ExploitabilityDocument,
    /// Both players updated once.
    pub iterations: u32,
    /// Of iterations and checks.
    pub elapsed_s: f64,
    /// Of the solver.
    pub memory_bytes: usize,
    /// The name with all parameters.
    pub algorithm: String,
    /// What the tables are kept in.
    pub storage: String,
    /// `converged`, `max_iterations`, `stalled` or `interrupted`.
    pub stop_reason: &'static str,
    /// Of algorithms that have one.
    pub asymmetry: Option<AsymmetryDocument>,
    /// At the root.
    pub players: Both<PlayerDocument>,
    /// The first decision.
    pub root: RootDocument,
    /// With `--from`.
    pub from: Option<FromDocument>,
    /// With `-o`.
    pub saved: Option<SavedDocument>,
    /// Why there is no file.
    pub not_saved: Option<NotSavedDocument>,
}

/// What changes against an earlier solution.
#[derive(Clone, Debug, Serialize)]
pub struct FromDocument {
    /// The earlier solution.
    pub path: String,
    /// Out of position.
    pub oop: GainDocument,
    /// In position.
    pub ip: GainDocument,
    /// If the solve began with its tables.
    pub warm_start: Option<WarmStartDocument>,
}

/// The decisions that a warm start found in the earlier solution.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WarmStartDocument {
    /// Of the tree.
    pub decisions: usize,
    /// Of these, in the earlier solution.
    pub known: usize,
}

/// What a player gains against the earlier solution.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GainDocument {
    /// There.
    pub ev: f64,
    /// The EV now less the EV there.
    pub gain: f64,
}

/// How far predictions were trusted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AsymmetryDocument {
    /// Over all decisions.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// If it was measured.
    pub total_instant_norm: Option<f64>,
    /// If it was measured.
    pub total_regret_norm: Option<f64>,
}

/// The first decision.
#[derive(Clone, Debug, Serialize)]
pub struct RootDocument {
    /// Who acts; null if both players are all-in.
    pub player: Option<String>,
    /// What can be done.
    pub actions: Vec<RootAction>,
}

/// An action of the first decision.
#[derive(Clone, Debug, Serialize)]
pub struct RootAction {
    /// As paths name it, such as `bet:120`.
    pub name: String,
    /// `check`, `bet` or `allin`.
    pub kind: &'static str,
    /// Invested after it.
    pub chips: u32,
    /// How often the range takes it.
    pub frequency: f64,
}

/// What was saved.
#[derive(Clone, Debug, Serialize)]
pub struct SavedDocument {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// How long it took.
    pub elapsed_s: f64,
    /// What is in it.
    pub contents: Contents,
}

/// What could not be saved.
#[derive(Clone, Debug, Serialize)]
pub struct NotSavedDocument {
    /// The file.
    pub path: String,
    /// Why.
    pub message: String,
    /// What it was to keep.
    pub contents: Contents,
    /// The size of that.
    pub bytes: u64,
    /// What the disk has left.
    pub room_bytes: Option<u64>,
    /// What keeps less.
    pub less: Vec<LessDocument>,
    /// The iterations of the checkpoint that the file holds.
    pub held_iterations: Option<u32>,
}

/// A file that keeps less.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LessDocument {
    /// What it keeps.
    pub contents: Contents,
    /// Its size.
    pub bytes: u64,
    /// Whether there is room for it.
    pub fits: bool,
}
