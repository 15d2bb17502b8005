//! `equipoise export`.

use serde::Serialize;

use crate::{Both, NodeDocument, SolutionDocument};

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct ExportDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Where.
    pub file: String,
    /// How many.
    pub decisions: u64,
    /// Of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Of the file.
    pub bytes: u64,
    /// How long it took.
    pub elapsed_s: f64,
}

/// The first line of a file of JSON lines.
#[derive(Clone, Debug, Serialize)]
pub struct FirstLine {
    /// Of all lines.
    pub schema_version: u32,
    /// What is read.
    pub solution: SolutionDocument,
}

/// Every other line: a decision.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionLine {
    /// The decision.
    #[serde(flatten)]
    pub node: NodeDocument,
    /// How many runouts its board stands for.
    pub num_runouts: usize,
    /// The combos that get there.
    pub ranges: Both<RangeLists>,
    /// Of the player who acts, in the order of the combos.
    pub strategy: StrategyLists,
}

/// The combos of a player, in one order.
#[derive(Clone, Debug, Serialize)]
pub struct RangeLists {
    /// Which.
    pub combos: Vec<String>,
    /// Range times own strategy on the way.
    pub weights: Vec<f64>,
    /// In chips.
    pub evs: Vec<Option<f64>>,
    /// With `--equity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equities: Option<Vec<Option<f64>>>,
}

/// A list for each action.
#[derive(Clone, Debug, Serialize)]
pub struct StrategyLists {
    /// How often each combo takes it.
    pub frequencies: Vec<Vec<f64>>,
    /// What it is worth to each.
    pub evs: Vec<Vec<Option<f64>>>,
}
