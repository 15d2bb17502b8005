//! The JSON document of `equipoise show`.

use equipoise::documents::command::ShowDocument;
use equipoise::documents::{Locked, NodeDocument};

use super::report::range_text;
use super::{ShowArgs, Shown};
use crate::cli::print::SCHEMA_VERSION;

pub(super) fn document(shown: &Shown<'_>, args: &ShowArgs) -> ShowDocument {
    let &ShowArgs { by_kind, by_class, range: as_range, weights, .. } = args;
    let held = &shown.held;
    ShowDocument {
        schema_version: SCHEMA_VERSION,
        solution: shown.saved.document(),
        node: NodeDocument::new(&shown.saved.reader, shown.view),
        player: shown.player.to_string(),
        combos: (!by_kind && !by_class && !as_range && !weights)
            .then(|| shown.combos.iter().map(|combo| held.combo(combo)).collect()),
        kinds: by_kind.then(|| shown.kinds().iter().map(|(name, group)| held.group(*name, group)).collect()),
        classes: by_class
            .then(|| shown.classes().iter().map(|(class, group)| held.class(*class, group)).collect()),
        locked_combos: locked_combos(shown),
        range: as_range.then(|| range_text(&shown.range())),
        listed_weights: weights.then(|| shown.range().listed_weights().collect()),
    }
}

/// Those that are locked where not all are.
fn locked_combos(shown: &Shown<'_>) -> Option<Vec<String>> {
    match Locked::at(shown.saved.spot(), shown.view.node, &shown.view.runout)? {
        Locked::All => None,
        Locked::Some(combos) => Some(combos.iter().map(ToString::to_string).collect()),
    }
}
