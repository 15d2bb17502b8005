//! What `equipoise blueprint` prints.

use std::collections::BTreeMap;

use serde::Serialize;

/// `blueprint train`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TrainDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The file.
    pub path: String,
    /// Boards played in all.
    pub boards: u64,
    /// Boards for each second of training in this session.
    pub boards_per_s: f64,
    /// Bytes of the tables.
    pub memory_bytes: u64,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// What the hand was worth to the button in training, in big blinds.
    pub self_play_bb: f64,
    /// Boards of the strategy that was saved.
    pub saved_boards: u64,
    /// Its exploitability on the flops of the measurement, if it was measured.
    pub exploitability_mbb: Option<f64>,
    /// Whether it was interrupted.
    pub is_interrupted: bool,
    /// What was known on the way.
    pub checkpoints: Vec<CheckpointDocument>,
}

/// A point of a training.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct CheckpointDocument {
    /// Boards played.
    pub boards: u64,
    /// Seconds of training.
    pub elapsed_s: f64,
    /// Thousandths of a big blind a hand, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploitability_mbb: Option<f64>,
}

/// `blueprint exploit --index`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct FlopTaskDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The task, counted from 0.
    pub index: usize,
    /// Flops that were measured now.
    pub flops: usize,
    /// Flops that had been measured before.
    pub kept: usize,
}

/// `blueprint exploit`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ExploitDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The file.
    pub path: String,
    /// How many flops were measured; classes if all.
    pub flops: usize,
    /// Whether these are all.
    pub is_exact: bool,
    /// The mean of both seats' gains, thousandths of a big blind a hand.
    pub exploitability_mbb: BracketDocument,
    /// The gain of each seat's best response, thousandths of a big blind a hand.
    pub by_seat: SeatsDocument,
    /// What the hand is worth to the button in self-play, in big blinds.
    pub self_play_bb: f64,
    /// The engines that measured the flops; one unless the program changed since the first.
    pub engines: Vec<FlopEngine>,
    /// Seconds.
    pub elapsed_s: f64,
}

/// How many flops an engine measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct FlopEngine {
    /// Version, commit and instructions; absent of one that did not say so.
    pub engine: Option<String>,
    /// How many flops.
    pub flops: usize,
}

/// An estimate between two ends.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BracketDocument {
    /// The middle.
    pub estimate: f64,
    /// Its standard error; absent from one flop alone.
    pub std_error: Option<f64>,
    /// An expectation of at most the truth.
    pub lower: f64,
    /// An expectation of at least the truth.
    pub upper: f64,
}

/// A number for each seat.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SeatsDocument {
    /// The button, who posts the small blind.
    pub sb: f64,
    /// The big blind.
    pub bb: f64,
}

/// `blueprint match`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct HeadToHeadDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// Boards that were dealt, all hands and both seats on each.
    pub boards: u64,
    /// What determined which.
    pub seed: u64,
    /// The winnings of the first.
    pub mbb_per_hand: MeanDocument,
    /// What the first wins in each seat.
    pub by_seat: SeatsDocument,
}

/// A mean with its interval.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MeanDocument {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval.
    pub ci95: [f64; 2],
}

/// `blueprint show`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BlueprintDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The file.
    pub path: String,
    /// Boards that were played.
    pub boards: u64,
    /// What was measured, if anything was.
    pub exploitability_mbb: Option<f64>,
    /// On how many flops.
    pub exploitability_flops: Option<u32>,
    /// The line.
    pub line: String,
    /// The cards on the table.
    pub board: String,
    /// The pot, in big blinds.
    pub pot_bb: f64,
    /// What the player to act has left, in big blinds.
    pub behind_bb: f64,
    /// `sb` or `bb`; absent where nobody acts.
    pub player: Option<&'static str>,
    /// Short names of the actions.
    pub actions: Vec<String>,
    /// How often each action is taken with hands that reach the decision.
    pub frequencies: Vec<f64>,
    /// The share of all hands that reach the decision.
    pub reach: f64,
    /// By hand class: the share of its combos that reach the decision, and how often each action is taken.
    pub classes: BTreeMap<String, ClassStrategyDocument>,
    /// By combo, with its bucket; empty before the flop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub combos: Vec<ComboStrategyDocument>,
}

/// The strategy of a hand class.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ClassStrategyDocument {
    /// The share of its combos that reach the decision.
    pub reach: f64,
    /// In the order of the actions.
    pub frequencies: Vec<f64>,
    /// The key of the information set, before the flop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The strategy of a combo.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ComboStrategyDocument {
    /// The combo.
    pub combo: String,
    /// Its bucket on the street.
    pub bucket: u32,
    /// How often it reaches the decision by its own actions.
    pub reach: f64,
    /// In the order of the actions.
    pub frequencies: Vec<f64>,
    /// The key of the information set.
    pub key: String,
}

/// `blueprint show --key`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct KeyDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The file.
    pub path: String,
    /// The key with its whole history.
    pub key: String,
    /// The street.
    pub street: String,
    /// `sb` or `bb`.
    pub player: &'static str,
    /// The pot in big blinds.
    pub pot_bb: f64,
    /// What each player has behind, in big blinds.
    pub behind_bb: f64,
    /// Short names of the actions.
    pub actions: Vec<String>,
    /// How often each is taken.
    pub frequencies: Vec<f64>,
}

/// `resolve`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ResolveDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The blueprint.
    pub path: String,
    /// `estimate`, `resolve`, `maxmargin`, `unsafe`; `blueprint` before the flop, where nothing is solved.
    pub mode: &'static str,
    /// The line.
    pub line: String,
    /// The cards on the table.
    pub board: String,
    /// `sb` or `bb`.
    pub player: &'static str,
    /// The pot where the street begins, in big blinds.
    pub pot_bb: f64,
    /// The actions, amounts in chips of the street.
    pub actions: Vec<String>,
    /// How often each action is taken with hands that reach the decision.
    pub frequencies: Vec<f64>,
    /// The share of all hands that reach the decision.
    pub reach: f64,
    /// By hand class: the share of its combos that reach the decision, and how often each action is taken.
    pub classes: BTreeMap<String, ClassStrategyDocument>,
    /// By combo.
    pub combos: Vec<ResolvedComboDocument>,
    /// Exploitability of the subgame with its gadget decision.
    pub exploitability_chips: Option<f64>,
    /// The same in percent of the pot where the street begins.
    pub exploitability_pct: Option<f64>,
    /// The least margin of the opponent's combos: the alternative less what the combo's best response wins.
    pub least_margin_chips: Option<f64>,
    /// The mean of what the opponent's combos' best responses win above their alternatives.
    pub mean_excess_chips: Option<f64>,
    /// Iterations.
    pub iterations: u32,
    /// The time of set-up and iterations.
    pub seconds: f64,
    /// Bytes that the solver took.
    pub memory_bytes: u64,
    /// Whether the player's reach in the blueprint is 0 here.
    pub is_off_path: bool,
    /// Whether the time was over before the target was reached.
    pub is_out_of_time: bool,
}

/// The strategy of a combo in `resolve`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ResolvedComboDocument {
    /// The combo.
    pub combo: String,
    /// How often it reaches the decision by its own actions.
    pub reach: f64,
    /// In the order of the actions.
    pub frequencies: Vec<f64>,
}
