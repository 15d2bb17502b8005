//! `equipoise rules`.

use serde::Serialize;

/// The size of a whole game. Counts are strings, since they are too large for numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CountDocument {
    /// Of this document.
    pub schema_version: u32,
    /// In chips.
    pub blinds: [u32; 2],
    /// In chips.
    pub ante: u32,
    /// In chips.
    pub stack: u32,
    /// Of betting, by street.
    pub sequences: SequencesDocument,
    /// Of the game.
    pub states: String,
    /// Of both players.
    pub infosets: String,
}

/// Betting sequences by street.
#[derive(Clone, Debug, Serialize)]
pub struct SequencesDocument {
    /// Before the flop.
    pub preflop: String,
    /// On the flop.
    pub flop: String,
    /// On the turn.
    pub turn: String,
    /// On the river.
    pub river: String,
}

/// A betting abstraction.
#[derive(Clone, Debug, Serialize)]
pub struct BettingTreeDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Its name or file.
    pub betting: String,
    /// In chips.
    pub blinds: [u32; 2],
    /// In chips.
    pub ante: u32,
    /// In chips.
    pub stack: u32,
    /// Street by street.
    pub streets: Vec<BettingStreetDocument>,
    /// From the blinds to the end.
    pub num_lines: u64,
}

/// A street of a betting abstraction.
#[derive(Clone, Debug, Serialize)]
pub struct BettingStreetDocument {
    /// Which.
    pub street: String,
    /// Ways into it.
    pub beginnings: u64,
    /// Where somebody acts.
    pub decisions: u64,
    /// In all.
    pub actions: u64,
}
