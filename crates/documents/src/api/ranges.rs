//! `/cards` and `/ranges/…`.

use equipoise_cards::{Combo, NamedRange, Range};
use serde::Serialize;

use crate::range_groups;

/// The order of the 1,326 weights of a range.
#[derive(Clone, Debug, Serialize)]
pub struct CardsDocument {
    combos: Vec<String>,
    classes: Vec<String>,
}

impl Default for CardsDocument {
    fn default() -> CardsDocument {
        CardsDocument {
            combos: Combo::all().map(|combo| combo.to_string()).collect(),
            classes: Combo::all().map(|combo| combo.class().to_string()).collect(),
        }
    }
}

/// Ranges to begin with.
#[derive(Clone, Debug, Serialize)]
pub struct PresetsDocument {
    /// In the order in which they are offered.
    pub presets: Vec<PresetDocument>,
}

/// A range to begin with.
#[derive(Clone, Debug, Serialize)]
pub struct PresetDocument {
    /// For people.
    pub name: String,
    /// The range.
    pub text: String,
    /// What it is called in ranges, such as `@btn-open`.
    pub named: String,
}

impl From<NamedRange> for PresetDocument {
    fn from(range: NamedRange) -> PresetDocument {
        PresetDocument { name: range.title, text: range.text, named: format!("@{}", range.name) }
    }
}

/// A range, as text and as weights.
#[derive(Clone, Debug, Serialize)]
pub struct RangeDocument {
    text: String,
    expansion: String,
    combos: usize,
    weight: f64,
    weights: Vec<f32>,
}

impl RangeDocument {
    /// Of a range that may be empty.
    #[must_use]
    pub fn new(range: &Range) -> RangeDocument {
        RangeDocument {
            text: if range.is_empty() { String::new() } else { range.to_string() },
            expansion: range_groups(range).join(", "),
            combos: range.num_combos(),
            weight: range.total_weight(),
            weights: range.weights().to_vec(),
        }
    }
}
