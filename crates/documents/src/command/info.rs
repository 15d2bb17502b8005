//! `equipoise info`.

use serde::Serialize;

use crate::{Both, SolutionDocument};

/// A solution file and its spot.
#[derive(Clone, Debug, Serialize)]
pub struct InfoDocument {
    /// Of this document.
    pub schema_version: u32,
    /// What is read.
    pub solution: SolutionDocument,
    /// The file.
    pub file: InfoFile,
    /// Of the spot.
    pub ranges: Both<InfoRange>,
    /// If there is any.
    pub rake: Option<RakeDocument>,
    /// If it is not chips that are played for.
    pub prizes: Option<PrizesDocument>,
    /// Street by street.
    pub bet_sizes: InfoSizes,
    /// By the spot file.
    pub added_lines: Vec<String>,
    /// By the spot file.
    pub removed_lines: Vec<String>,
    /// Locked decisions.
    pub locks: Vec<LockDocument>,
    /// As TOML.
    pub spot_file: String,
}

/// A solution file.
#[derive(Clone, Debug, Serialize)]
pub struct InfoFile {
    /// Its size.
    pub bytes: u64,
    /// What it keeps.
    pub contents: &'static str,
    /// The version that wrote it.
    pub engine: String,
    /// Its format, major and minor.
    pub format: String,
}

/// A range of the spot.
#[derive(Clone, Debug, Serialize)]
pub struct InfoRange {
    /// The shortest text.
    pub text: String,
    /// How many the board leaves.
    pub combos: usize,
    /// Their weight.
    pub weighted_combos: f64,
}

/// The rake.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RakeDocument {
    /// A fraction of the pot.
    pub rate: f64,
    /// In chips.
    pub cap: Option<f64>,
}

/// What final stacks are worth.
#[derive(Clone, Debug, Serialize)]
pub struct PrizesDocument {
    /// What each has behind at the root, in chips.
    pub stacks: Both<u32>,
    /// The prizes of who gives up the pot at once, which EVs are counted from.
    pub base: Both<f64>,
    /// What the starting pot is worth.
    pub pot_worth: Both<f64>,
    /// Of the independent chip model.
    pub payouts: Option<Vec<f64>>,
    /// The stacks of the others, in chips.
    pub other_stacks: Option<Vec<u32>>,
    /// Points of chips and prize.
    pub table: Option<Vec<(f64, f64)>>,
}

/// Bet sizes by street.
#[derive(Clone, Debug, Serialize)]
pub struct InfoSizes {
    /// On the flop.
    pub flop: Both<PlayerSizes>,
    /// On the turn.
    pub turn: Both<PlayerSizes>,
    /// On the river.
    pub river: Both<PlayerSizes>,
}

/// The bet sizes of a player on a street.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSizes {
    /// As in spot files.
    pub bet: String,
    /// As in spot files.
    pub raise: String,
    /// Where they are not those of bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub donk: Option<String>,
}

/// A locked decision.
#[derive(Clone, Debug, Serialize)]
pub struct LockDocument {
    /// Its actions.
    pub line: String,
    /// Its cards after the root.
    pub runout: String,
    /// Who acts: `oop` or `ip`.
    pub player: String,
    /// Null for all.
    pub combos: Option<Vec<String>>,
    /// Null if combos differ.
    pub strategy: Option<Vec<LockedAction>>,
}

/// How often an action is taken.
#[derive(Clone, Debug, Serialize)]
pub struct LockedAction {
    /// As paths name it, such as `bet:120`.
    pub action: String,
    /// A fraction of 1.
    pub frequency: f64,
}
