//! What people read of `equipoise show`.

use equipoise::cards::Range;
use equipoise::documents::{ComboGroup, PlayerDocument};
use equipoise::game::PerPlayer;

use super::order::Order;
use super::{ShowArgs, Shown};
use crate::cli::amounts::short_action;
use crate::cli::grid::grid;
use crate::cli::print::Printer;
use crate::cli::saved::{cautions, combo_name, described, eqr_or_dash, name, percent_or_dash, players_table};
use crate::cli::solve::strategy_grid::{Palette, played_grid};
use crate::cli::table::{Align, Table, percent};

/// Rows of the table of combos, unless all are asked for.
const FIRST: usize = 20;

pub(super) fn report(shown: &Shown<'_>, args: &ShowArgs, printer: &Printer) -> String {
    let view = shown.view;
    let mut text = shown.saved.heading(printer);
    text.push('\n');
    text.push_str(&described(shown.saved, view, printer));
    if shown.is_opened {
        text.push_str("  the first decision with a choice; --node '' opens the root\n");
    }
    text.push_str(&cautions(shown.saved, view));
    text.push('\n');
    text.push_str(&strategy(shown, args.combo.is_none(), printer));
    let players = PerPlayer::from_fn(|player| PlayerDocument::new(shown.view, player));
    text.push_str(&players_table(players, &shown.saved.amounts));
    text.push('\n');
    if args.by_kind {
        text.push_str(&kinds_table(shown));
    } else if args.by_class {
        text.push_str(&classes_table(shown, args.all));
    } else {
        text.push_str(&combos_table(shown, args.all, printer));
    }
    text
}

/// A range as text that other programs read too; nothing has no text of its own.
pub(super) fn range_text(range: &Range) -> String {
    if range.is_empty() { "(nothing)".to_owned() } else { range.groups().join(",") }
}

/// Who acts and how, as a grid and a table; for the other player the range.
fn strategy(shown: &Shown<'_>, with_grid: bool, printer: &Printer) -> String {
    let view = shown.view;
    let of = shown.chosen.as_ref().map_or_else(String::new, |chosen| format!(" with {chosen}"));
    if shown.combos.is_empty() {
        return format!("  {} has nothing here{of}\n\n", name(shown.player));
    }
    if shown.player != view.player {
        let mut text = format!("  {} acts; {} has{of}\n\n", name(view.player), name(shown.player));
        if with_grid {
            text.push_str(&grid(&shown.range(), printer.colour()));
            text.push('\n');
        }
        return text;
    }
    let palette = Palette::new(&view.actions, printer.colour());
    let mut text = format!("  {} acts{of}\n\n", name(view.player));
    if with_grid {
        let played = shown.combos.iter();
        let played = played.map(|combo| (combo.combo, combo.share(), combo.frequencies.as_slice()));
        text.push_str(&played_grid(played, &palette));
        text.push('\n');
    }
    text.push_str(&actions_table(shown, &palette));
    text.push('\n');
    text
}

fn actions_table(shown: &Shown<'_>, palette: &Palette) -> String {
    let (view, amounts) = (shown.view, &shown.saved.amounts);
    let mut table = Table::new(&[
        ("", Align::Left),
        ("action", Align::Left),
        ("in paths", Align::Left),
        ("frequency", Align::Right),
        ("EV", Align::Right),
    ]);
    let group = ComboGroup::of(shown.combos.iter().copied(), view.actions.len());
    let tree = shown.saved.spot().tree();
    for (i, &action) in view.actions.iter().enumerate() {
        table.row([
            palette.mark(i),
            amounts.action(tree, view.node, action),
            action.to_string(),
            percent(group.frequencies[i]),
            amounts.ev_or_dash(group.action_evs[i]),
        ]);
    }
    table.render()
}

/// The actions of the player in few words; none if the other one acts.
fn labels(shown: &Shown<'_>) -> Vec<String> {
    let (tree, view) = (shown.saved.spot().tree(), shown.view);
    let actions = view.actions[..shown.held.num_actions()].iter();
    actions.map(|&action| short_action(tree, view.node, action)).collect()
}

/// A number above zero is not shown as zero.
fn weight(weight: f64) -> String {
    if weight > 0.0 && weight < 5e-4 { "<0.001".to_owned() } else { format!("{weight:.3}") }
}

fn narrow_percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

fn combos_table(shown: &Shown<'_>, all: bool, printer: &Printer) -> String {
    let amounts = &shown.saved.amounts;
    let actions = labels(shown);
    let mut columns = vec![
        ("combo", Align::Left),
        ("weight", Align::Right),
        ("equity", Align::Right),
        ("EV", Align::Right),
        ("EQR", Align::Right),
    ];
    for action in &actions {
        columns.extend([(action.as_str(), Align::Right), ("EV", Align::Right), ("loss", Align::Right)]);
    }
    columns.push(("kind", Align::Left));
    let mut table = Table::new(&columns);
    let num_rows = if all { shown.combos.len() } else { shown.combos.len().min(FIRST) };
    for combo in &shown.combos[..num_rows] {
        let mut row = vec![
            combo_name(combo.combo, printer),
            weight(combo.weight),
            combo.equity.map_or_else(|| "-".to_owned(), narrow_percent),
            amounts.narrow_ev(combo.ev),
            combo.ev.map_or_else(|| "-".to_owned(), |_| eqr_or_dash(shown.view.eqr(combo.ev, combo.equity))),
        ];
        for action in 0..actions.len() {
            row.push(narrow_percent(combo.frequencies[action]));
            row.push(amounts.narrow_ev(combo.action_evs[action]));
            row.push(amounts.narrow_ev(combo.ev_loss(action)));
        }
        row.push(shown.held.kind(combo).to_string());
        table.row(row);
    }
    let mut text = if num_rows > 0 { table.render() } else { String::new() };
    text.push_str(&notes(shown, num_rows));
    text
}

/// What the table leaves out, and its units.
fn notes(shown: &Shown<'_>, num_rows: usize) -> String {
    let mut text = String::new();
    if num_rows > 0 {
        let loss = if shown.held.num_actions() > 0 { " and loss against the best action" } else { "" };
        let (unit, order) =
            (shown.saved.amounts.ev_name(), shown.order.unwrap_or(Order::Ev).words(&labels(shown)));
        text.push_str(&format!("\n  EV{loss} in {unit}, from here on; {order}\n"));
    }
    if num_rows < shown.combos.len() {
        text.push_str(&format!("  {num_rows} of {} combos; --all shows every one\n", shown.combos.len()));
    }
    if shown.num_hidden > 0 {
        text.push_str(&format!("  {} more never get here\n", shown.num_hidden));
    }
    text
}

fn kinds_table(shown: &Shown<'_>) -> String {
    let actions = labels(shown);
    let mut columns = vec![
        ("kind", Align::Left),
        ("combos", Align::Right),
        ("share", Align::Right),
        ("equity", Align::Right),
        ("EV", Align::Right),
        ("EQR", Align::Right),
    ];
    columns.extend(actions.iter().map(|action| (action.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let held = shown.held.total();
    for (kind, group) in shown.kinds() {
        let mut row = vec![
            kind.to_string(),
            group.combos.to_string(),
            narrow_percent(group.held / held),
            percent_or_dash(group.equity),
            shown.saved.amounts.ev_or_dash(group.ev),
            eqr_or_dash(shown.view.eqr(group.ev, group.equity)),
        ];
        row.extend(group.frequencies.iter().map(|&frequency| narrow_percent(frequency)));
        table.row(row);
    }
    format!(
        "{}\n  share of {}'s range; each hand is one made hand, and may have several draws\n",
        table.render(),
        name(shown.player)
    )
}

fn classes_table(shown: &Shown<'_>, all: bool) -> String {
    let (actions, amounts) = (labels(shown), &shown.saved.amounts);
    let mut columns = vec![
        ("class", Align::Left),
        ("combos", Align::Right),
        ("by weight", Align::Right),
        ("share", Align::Right),
        ("equity", Align::Right),
        ("EV", Align::Right),
        ("EQR", Align::Right),
    ];
    for action in &actions {
        columns.extend([(action.as_str(), Align::Right), ("EV", Align::Right)]);
    }
    let mut table = Table::new(&columns);
    let (classes, held) = (shown.classes(), shown.held.total());
    let num_rows = if all { classes.len() } else { classes.len().min(FIRST) };
    for (class, group) in &classes[..num_rows] {
        let mut row = vec![
            class.to_string(),
            group.combos.to_string(),
            weight(group.weight),
            narrow_percent(group.held / held),
            group.equity.map_or_else(|| "-".to_owned(), narrow_percent),
            amounts.narrow_ev(group.ev),
            eqr_or_dash(shown.view.eqr(group.ev, group.equity)),
        ];
        for (&frequency, &ev) in group.frequencies.iter().zip(&group.action_evs) {
            row.extend([narrow_percent(frequency), amounts.narrow_ev(ev)]);
        }
        table.row(row);
    }
    let order = shown.order.unwrap_or(Order::Ev).words(&actions);
    let mut text = format!(
        "{}\n  share of {}'s range; EV in {}, of an action of those who take it; {order}\n",
        table.render(),
        name(shown.player),
        amounts.ev_name()
    );
    if num_rows < classes.len() {
        text.push_str(&format!("  {num_rows} of {} classes; --all shows every one\n", classes.len()));
    }
    text
}
