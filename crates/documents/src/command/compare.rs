//! `equipoise compare`.

use serde::Serialize;

use crate::{Both, NodeDocument, SolutionDocument};

/// Two solutions at one decision.
#[derive(Clone, Debug, Serialize)]
pub struct CompareDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The first.
    pub a: SideDocument,
    /// The second.
    pub b: SideDocument,
    /// What the second has more.
    pub players: Both<PlayerDifference>,
    /// Of the whole range.
    pub actions: Vec<ActionDifference>,
    /// Those that differ most first.
    pub classes: Vec<DifferenceRow>,
    /// Those that differ most first.
    pub combos: Vec<DifferenceRow>,
}

/// One of the solutions.
#[derive(Clone, Debug, Serialize)]
pub struct SideDocument {
    /// What is read.
    pub solution: SolutionDocument,
    /// The decision.
    pub node: NodeDocument,
}

/// What a player has more in the second solution.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlayerDifference {
    /// In chips.
    pub ev: Option<f64>,
    /// A fraction of 1.
    pub equity: Option<f64>,
}

/// How often the range takes an action.
#[derive(Clone, Debug, Serialize)]
pub struct ActionDifference {
    /// As paths name it, such as `bet:120`.
    pub name: String,
    /// In the first; absent if its tree does not have it.
    pub a: Option<f64>,
    /// In the second.
    pub b: Option<f64>,
    /// How much more in the second.
    pub difference: Option<f64>,
}

/// A class or a combo in both solutions.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceRow {
    /// Such as `AKs` or `AhKh`.
    pub name: String,
    /// The part of all hands of the range.
    pub share: f64,
    /// The part of it that plays otherwise.
    pub moved: f64,
    /// In chips.
    pub ev: Sides<Option<f64>>,
    /// How much more in the second.
    pub difference: Option<f64>,
    /// In the order of the actions.
    pub frequencies: Sides<Vec<Option<f64>>>,
}

/// A value of each solution.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sides<T> {
    /// Of the first.
    pub a: T,
    /// Of the second.
    pub b: T,
}
