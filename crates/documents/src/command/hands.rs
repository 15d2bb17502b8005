//! `equipoise eval`, `range` and `pot-odds`.

use equipoise_cards::Range;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::{ResultDocument, SCHEMA_VERSION};

/// `equipoise eval`.
#[derive(Clone, Debug, Serialize)]
pub struct EvalDocument {
    /// Of this document.
    pub schema_version: u32,
    /// In the order in which they were given.
    pub hands: Vec<HandDocument>,
    /// The best hands, from 0.
    pub winners: Vec<usize>,
}

/// A hand of five to seven cards.
#[derive(Clone, Debug, Serialize)]
pub struct HandDocument {
    /// As they were given.
    pub cards: String,
    /// Such as `full-house`.
    pub category: &'static str,
    /// 0 to 7,461; higher wins.
    pub strength: u16,
    /// The place among the strengths that seven cards can have, if it is one.
    pub dense7: Option<u16>,
    /// Category and ranks as digits.
    pub value: u32,
    /// The cards that count.
    pub best_five: String,
    /// For people.
    pub description: String,
}

/// `equipoise range`.
#[derive(Clone, Debug, Serialize)]
pub struct ExpandedRangeDocument<'a> {
    schema_version: u32,
    input: &'a str,
    text: String,
    combos: usize,
    weighted_combos: f64,
    percent: f64,
    weights: Weights<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed_weights: Option<Vec<f32>>,
}

/// The weights above 0 by combo.
#[derive(Clone, Debug)]
struct Weights<'a>(&'a Range);

impl Serialize for Weights<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.num_combos()))?;
        for (combo, weight) in self.0.iter().rev() {
            map.serialize_entry(&combo.to_string(), &weight)?;
        }
        map.end()
    }
}

impl<'a> ExpandedRangeDocument<'a> {
    /// What a text stands for; `is_listed` adds all weights in the order of other programs.
    #[must_use]
    pub fn new(input: &'a str, range: &'a Range, is_listed: bool) -> ExpandedRangeDocument<'a> {
        ExpandedRangeDocument {
            schema_version: SCHEMA_VERSION,
            input,
            text: range.to_string(),
            combos: range.num_combos(),
            weighted_combos: range.total_weight(),
            percent: range.percent(),
            weights: Weights(range),
            listed_weights: is_listed.then(|| range.listed_weights().collect()),
        }
    }
}

/// `equipoise pot-odds`.
#[derive(Debug, Serialize)]
pub struct PotOddsDocument<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// Before the call, the bet included.
    pub pot: f64,
    /// What the call costs.
    pub call: f64,
    /// A fraction of 1.
    pub required_equity: f64,
    /// If there are players.
    #[serde(flatten)]
    pub decision: Option<DecisionDocument<'a>>,
}

/// Whether the first player calls.
#[derive(Debug, Serialize)]
pub struct DecisionDocument<'a> {
    /// `call`, `fold` or `either`.
    pub decision: &'static str,
    /// The gain over a fold, in chips.
    pub ev: f64,
    /// Of sampled equities.
    pub ev_std_error: f64,
    /// Of the first player.
    pub equity: f64,
    /// Of all players.
    #[serde(flatten)]
    pub result: ResultDocument<'a>,
}
