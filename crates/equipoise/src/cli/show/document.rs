//! The JSON document of `equipoise show`.

use equipoise::documents::{ComboDocument, KindDocument, NodeDocument, SolutionDocument};
use serde::Serialize;

use super::report::range_text;
use super::{ShowArgs, Shown};
use crate::cli::print::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct ShowDocument {
    schema_version: u32,
    solution: SolutionDocument,
    node: NodeDocument,
    player: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    combos: Option<Vec<ComboDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kinds: Option<Vec<KindDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed_weights: Option<Vec<f32>>,
}

pub(super) fn document(shown: &Shown<'_>, args: &ShowArgs) -> ShowDocument {
    let &ShowArgs { by_kind, range: as_range, weights, .. } = args;
    let held = &shown.held;
    ShowDocument {
        schema_version: SCHEMA_VERSION,
        solution: shown.saved.document(),
        node: NodeDocument::new(&shown.saved.reader, shown.view),
        player: shown.player.to_string(),
        combos: (!by_kind && !as_range && !weights)
            .then(|| shown.combos.iter().map(|combo| held.combo(combo)).collect()),
        kinds: by_kind.then(|| {
            held.by_kind(&shown.combos).iter().map(|(name, group)| held.group(*name, group)).collect()
        }),
        range: as_range.then(|| range_text(&shown.range())),
        listed_weights: weights.then(|| shown.range().listed_weights().collect()),
    }
}
