//! The tables of `equipoise show` as CSV, with full precision.

use equipoise::cards::Draw;
use equipoise::documents::ComboGroup;

use super::Shown;
use crate::cli::saved::cell;

/// A row for each combo.
pub(super) fn combos(shown: &Shown<'_>) -> String {
    let actions = &shown.view.actions[..shown.held.num_actions()];
    let mut text = "combo,class,made,draws,weight,share,equity,ev,eqr".to_owned();
    for action in actions {
        text.push_str(&format!(",{action}_frequency,{action}_ev,{action}_ev_loss"));
    }
    text.push('\n');
    let held = shown.held.total();
    for combo in &shown.combos {
        let kind = shown.held.kind(combo);
        let draws: Vec<&str> = kind.draws.iter().map(Draw::key).collect();
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{},{}",
            combo.combo,
            combo.combo.class(),
            kind.made.key(),
            draws.join(" "),
            combo.weight,
            combo.share() / held,
            cell(combo.equity),
            cell(combo.ev),
            cell(shown.view.eqr(combo.ev, combo.equity)),
        ));
        for action in 0..actions.len() {
            let numbers = [Some(combo.frequencies[action]), combo.action_evs[action], combo.ev_loss(action)];
            numbers.into_iter().for_each(|number| text.push_str(&format!(",{}", cell(number))));
        }
        text.push('\n');
    }
    text
}

/// A row for each hand category.
pub(super) fn kinds(shown: &Shown<'_>) -> String {
    groups(shown, "kind", &shown.kinds(), |name| name.key().to_owned())
}

/// A row for each hand class.
pub(super) fn classes(shown: &Shown<'_>) -> String {
    groups(shown, "class", &shown.classes(), ToString::to_string)
}

fn groups<T>(shown: &Shown<'_>, what: &str, rows: &[(T, ComboGroup)], name: impl Fn(&T) -> String) -> String {
    let actions = &shown.view.actions[..shown.held.num_actions()];
    let mut text = format!("{what},combos,weighted_combos,share,equity,ev,eqr");
    actions.iter().for_each(|action| text.push_str(&format!(",{action}_frequency,{action}_ev")));
    text.push('\n');
    let held = shown.held.total();
    for (row, group) in rows {
        text.push_str(&format!(
            "{},{},{},{},{},{},{}",
            name(row),
            group.combos,
            group.weight,
            group.held / held,
            cell(group.equity),
            cell(group.ev),
            cell(shown.view.eqr(group.ev, group.equity)),
        ));
        for (frequency, ev) in group.frequencies.iter().zip(&group.action_evs) {
            text.push_str(&format!(",{frequency},{}", cell(*ev)));
        }
        text.push('\n');
    }
    text
}
