//! `equipoise show`, `tree` and `runouts`.

use serde::Serialize;

use crate::{ClassDocument, ComboDocument, KindDocument, NodeDocument, RunoutDocument, SolutionDocument};

/// `equipoise show`.
#[derive(Clone, Debug, Serialize)]
pub struct ShowDocument {
    /// Of this document.
    pub schema_version: u32,
    /// What is read.
    pub solution: SolutionDocument,
    /// The decision.
    pub node: NodeDocument,
    /// Whose combos follow: `oop` or `ip`.
    pub player: String,
    /// Unless one of the others is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combos: Option<Vec<ComboDocument>>,
    /// With `--by-kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<KindDocument>>,
    /// With `--by-class`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<ClassDocument>>,
    /// Those that have a given strategy, where not all have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_combos: Option<Vec<String>>,
    /// With `--range`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// With `--weights`: in the order of other programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed_weights: Option<Vec<f32>>,
}

/// `equipoise tree`.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedTreeDocument {
    /// Of this document.
    pub schema_version: u32,
    /// What is read.
    pub solution: SolutionDocument,
    /// The path of the first decision.
    pub node: String,
    /// How often play gets there when these cards come.
    pub probability: f64,
    /// Whether play never gets there.
    pub unreached: bool,
    /// Whether that is so rare that the strategy was hardly trained.
    pub unreliable: bool,
    /// Each before those after it.
    pub actions: Vec<TreeRow>,
}

/// An action of the tree.
#[derive(Clone, Debug, Serialize)]
pub struct TreeRow {
    /// The path after it.
    pub path: String,
    /// From 1.
    pub depth: u32,
    /// Who takes it: `oop` or `ip`.
    pub player: String,
    /// As paths name it, such as `bet:120`.
    pub action: String,
    /// How often the range takes it.
    pub frequency: f64,
    /// How often play takes it.
    pub reached: f64,
    /// For those who take it.
    pub ev: Option<f64>,
    /// After it, in chips.
    pub pot: u32,
    /// `oop`, `ip`, `card`, `fold`, `showdown` or `runout`.
    pub then: &'static str,
    /// Whether play never gets to the decision.
    pub unreached: bool,
    /// Whether that is so rare that the strategy was hardly trained.
    pub unreliable: bool,
    /// Whether `all` or `some` combos of the player have a given strategy at the decision.
    pub locked: Option<&'static str>,
}

/// `equipoise runouts`.
#[derive(Clone, Debug, Serialize)]
pub struct RunoutsDocument {
    /// Of this document.
    pub schema_version: u32,
    /// What is read.
    pub solution: SolutionDocument,
    /// The end of the street.
    pub path: String,
    /// Card by card, highest first.
    pub runouts: Vec<RunoutDocument>,
}
