//! The JSON document of `equipoise show`.

use equipoise::documents::NodeDocument;
use equipoise::documents::command::ShowDocument;

use super::report::range_text;
use super::{ShowArgs, Shown};
use crate::cli::print::SCHEMA_VERSION;

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
