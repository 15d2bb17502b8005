//! The JSON document of `equipoise show`.

use equipoise::cards::{Draw, KindName};
use equipoise::postflop::ComboView;
use serde::Serialize;

use super::Shown;
use super::report::range_text;
use crate::cli::group::Group;
use crate::cli::print::SCHEMA_VERSION;
use crate::cli::saved::{NodeDocument, SolutionDocument};

#[derive(Serialize)]
pub(super) struct ShowDocument<'a> {
    schema_version: u32,
    solution: SolutionDocument<'a>,
    node: NodeDocument,
    player: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    combos: Option<Vec<ComboDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kinds: Option<Vec<KindDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
}

#[derive(Serialize)]
struct ComboDocument {
    combo: String,
    class: String,
    made: &'static str,
    draws: Vec<&'static str>,
    weight: f64,
    share: f64,
    equity: Option<f64>,
    ev: Option<f64>,
    eqr: Option<f64>,
    actions: Vec<ComboActionDocument>,
}

#[derive(Serialize)]
struct ComboActionDocument {
    name: String,
    frequency: f64,
    ev: Option<f64>,
    ev_loss: Option<f64>,
}

#[derive(Serialize)]
struct KindDocument {
    kind: &'static str,
    name: &'static str,
    combos: usize,
    weighted_combos: f64,
    share: f64,
    equity: Option<f64>,
    ev: Option<f64>,
    eqr: Option<f64>,
    actions: Vec<KindActionDocument>,
}

#[derive(Serialize)]
struct KindActionDocument {
    name: String,
    frequency: f64,
    ev: Option<f64>,
}

pub(super) fn document<'a>(shown: &Shown<'a>, by_kind: bool, as_range: bool) -> ShowDocument<'a> {
    let held = shown.held();
    ShowDocument {
        schema_version: SCHEMA_VERSION,
        solution: shown.saved.document(),
        node: NodeDocument::new(shown.saved, shown.view),
        player: shown.player.to_string(),
        combos: (!by_kind && !as_range)
            .then(|| shown.combos.iter().map(|combo| of_combo(shown, combo, held)).collect()),
        kinds: by_kind.then(|| {
            shown.by_kind().iter().map(|(name, group)| of_kind(shown, *name, group, held)).collect()
        }),
        range: as_range.then(|| range_text(&shown.range())),
    }
}

fn of_combo(shown: &Shown<'_>, combo: &ComboView, held: f64) -> ComboDocument {
    let kind = shown.kind(combo);
    let action = |action: usize| ComboActionDocument {
        name: shown.view.actions[action].to_string(),
        frequency: combo.frequencies[action],
        ev: combo.action_evs[action],
        ev_loss: combo.ev_loss(action),
    };
    ComboDocument {
        combo: combo.combo.to_string(),
        class: combo.combo.class().to_string(),
        made: kind.made.key(),
        draws: kind.draws.iter().map(Draw::key).collect(),
        weight: combo.weight,
        share: combo.share() / held,
        equity: combo.equity,
        ev: combo.ev,
        eqr: shown.view.eqr(combo.ev, combo.equity),
        actions: (0..combo.frequencies.len()).map(action).collect(),
    }
}

fn of_kind(shown: &Shown<'_>, name: KindName, group: &Group, held: f64) -> KindDocument {
    let actions = shown.view.actions.iter().zip(&group.frequencies).zip(&group.action_evs);
    KindDocument {
        kind: name.key(),
        name: name.name(),
        combos: group.combos,
        weighted_combos: group.weight,
        share: group.held / held,
        equity: group.equity,
        ev: group.ev,
        eqr: shown.view.eqr(group.ev, group.equity),
        actions: actions
            .map(|((action, &frequency), &ev)| KindActionDocument { name: action.to_string(), frequency, ev })
            .collect(),
    }
}
