//! What the user wrote, section by section. Nothing is checked here but types and names of keys.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::amount::Amount;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SpotFile {
    pub(super) schema_version: Option<i64>,
    pub(super) ranges: RangesFile,
    pub(super) cards: CardsFile,
    pub(super) tree: TreeFile,
    pub(super) bet_sizes: BetSizesFile,
    pub(super) solver: SolverFile,
    pub(super) locks: Vec<LockFile>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RangesFile {
    pub(super) oop: Option<String>,
    pub(super) ip: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CardsFile {
    pub(super) flop: Option<String>,
    pub(super) turn: Option<String>,
    pub(super) river: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TreeFile {
    pub(super) big_blind: Option<f64>,
    pub(super) starting_pot: Option<Amount>,
    pub(super) effective_stack: Option<Amount>,
    pub(super) rake_rate: Option<f64>,
    pub(super) rake_cap: Option<Amount>,
    pub(super) payouts: Option<Vec<f64>>,
    pub(super) other_stacks: Option<Vec<Amount>>,
    pub(super) oop_stack: Option<Amount>,
    pub(super) ip_stack: Option<Amount>,
    pub(super) prize_table: Option<Vec<(f64, f64)>>,
    pub(super) add_allin_threshold: Option<f64>,
    pub(super) force_allin_threshold: Option<f64>,
    pub(super) merging_threshold: Option<f64>,
    pub(super) add_allin_without_sizes: Option<bool>,
    pub(super) preset: Option<String>,
    pub(super) add_lines: Vec<String>,
    pub(super) remove_lines: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BetSizesFile {
    pub(super) flop: StreetFile,
    pub(super) turn: StreetFile,
    pub(super) river: StreetFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StreetFile {
    pub(super) oop_bet: Option<String>,
    pub(super) oop_raise: Option<String>,
    pub(super) oop_donk: Option<String>,
    pub(super) ip_bet: Option<String>,
    pub(super) ip_raise: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SolverFile {
    pub(super) algorithm: Option<String>,
    pub(super) asymmetry_mode: Option<String>,
    pub(super) asymmetry_alpha: Option<f64>,
    pub(super) alpha_max: Option<f64>,
    pub(super) lambda: Option<f64>,
    pub(super) kappa: Option<f64>,
    pub(super) dcfr_beta: Option<f64>,
    pub(super) alpha: Option<f64>,
    pub(super) beta: Option<f64>,
    pub(super) gamma: Option<f64>,
    pub(super) offset: Option<f64>,
    pub(super) horizon: Option<u32>,
    pub(super) look_ahead: Option<f64>,
    pub(super) quantization: Option<String>,
    pub(super) regret_bits: Option<u32>,
    pub(super) strategy_bits: Option<u32>,
    pub(super) log_encoding: Option<bool>,
    pub(super) lazy_normalization: Option<bool>,
    pub(super) lazy_normalization_freq: Option<u32>,
    pub(super) isomorphism: Option<bool>,
    pub(super) keep_best: Option<bool>,
    pub(super) max_iterations: Option<u32>,
    pub(super) target_exploitability_pct: Option<f64>,
}

/// How often each action is played, by the action's text.
pub(super) type FrequenciesFile = BTreeMap<String, f64>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LockFile {
    pub(super) line: String,
    pub(super) runout: Option<String>,
    /// What every combo plays that `hands` does not name.
    pub(super) strategy: Option<FrequenciesFile>,
    /// By class, combo or any range text.
    pub(super) hands: BTreeMap<String, FrequenciesFile>,
}
