//! `/spots/…`.

use serde::Serialize;

use crate::command::FormationDocument;
use crate::{Both, StreetDocument};

/// The spots that ship with the program.
#[derive(Clone, Debug, Serialize)]
pub struct ExamplesDocument {
    /// Smallest first.
    pub examples: Vec<ExampleDocument>,
}

/// A spot that ships with the program.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ExampleDocument {
    /// Its name.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// The spot file.
    pub toml: &'static str,
}

/// Formations to begin a spot with.
#[derive(Clone, Debug, Serialize)]
pub struct BeginningsDocument {
    /// In the order in which they are offered.
    pub formations: Vec<FormationDocument>,
    /// Names of stakes, for what the house takes.
    pub rakes: Vec<&'static str>,
}

/// A spot file to begin with.
#[derive(Clone, Debug, Serialize)]
pub struct BeginningDocument {
    /// The spot file, annotated.
    pub toml: String,
}

/// A spot that can be solved: its tree, and whether it fits into memory.
#[derive(Clone, Debug, Serialize)]
pub struct SpotCheckDocument {
    /// The spot file, with the locks in it.
    pub document: toml::Table,
    /// The same as TOML.
    pub toml: String,
    /// The cards at the root.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// How many combos the board leaves each range.
    pub combos: Both<u64>,
    /// The betting tree.
    pub tree: TreeDocument,
    /// The name with all parameters.
    pub algorithm: String,
    /// By storage.
    pub memory: Vec<MemoryRow>,
    /// With the storage that is selected.
    pub memory_bytes: u64,
    /// For the next solve.
    pub available_bytes: Option<u64>,
    /// Whether that is enough.
    pub fits: bool,
    /// What to drop, if not.
    pub advice: Option<String>,
    /// What the author of the spot may not have meant.
    pub notes: Vec<String>,
    /// The chips that bet sizes come to, where the tree first uses them.
    pub menus: Vec<MenuPreview>,
}

/// The betting tree, counted once and not per board.
#[derive(Clone, Debug, Serialize)]
pub struct TreeDocument {
    /// All nodes.
    pub nodes: u64,
    /// Where somebody acts.
    pub decisions: u64,
    /// Where the hand ends.
    pub terminals: u64,
    /// Actions of combos over all boards that differ.
    pub entries: u64,
    /// Street by street.
    pub streets: Vec<StreetDocument>,
}

/// The memory of a storage.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryRow {
    /// The value of `solver.quantization`.
    pub storage: String,
    /// In all.
    pub bytes: u64,
    /// Whether there is so much.
    pub fits: bool,
    /// Whether the spot asks for it.
    pub selected: bool,
}

/// The chips that some bet sizes come to.
#[derive(Clone, Debug, Serialize)]
pub struct MenuPreview {
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// `oop` or `ip`.
    pub player: String,
    /// The key of the spot file, such as `oop_bet`.
    pub key: String,
    /// The street's total of each.
    pub chips: Vec<u32>,
}
