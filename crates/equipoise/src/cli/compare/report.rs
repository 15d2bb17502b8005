//! What people read of `equipoise compare`.

use equipoise::game::Player;

use super::document::overall;
use super::{Difference, Listed, Pair, minus};
use crate::cli::amounts::short_action;
use crate::cli::print::Printer;
use crate::cli::saved::{cautions, combo_name, name, percent_or_dash};
use crate::cli::table::{Align, Table, fixed, signed};

/// Rows of a table, unless all are asked for.
const FIRST: usize = 10;
/// What moves less than this has not moved.
const SMALL: f64 = 1e-9;

pub(super) fn report(pair: &Pair<'_>, all: bool, printer: &Printer) -> String {
    let mut text = String::new();
    for (letter, (saved, view)) in ["A", "B"].iter().zip(pair.saved.iter().zip(&pair.views)) {
        text.push_str(&format!(
            "  {letter} = {}\n{}{}",
            saved.name,
            saved.heading(printer),
            cautions(saved, view)
        ));
    }
    let path = pair.saved[0].reader.path_to(pair.views[0].node, &pair.views[0].runout).to_string();
    let after = if path.is_empty() { "at the beginning".to_owned() } else { format!("after '{path}'") };
    text.push_str(&format!("\n  {after}: {} acts\n\n", name(pair.player)));
    text.push_str(&players_table(pair));
    text.push('\n');
    text.push_str(&actions_table(pair));
    text.push_str(&differences(pair, "class", pair.classes(), all, ToString::to_string));
    text.push_str(&differences(pair, "combo", pair.combos(), all, |&combo| combo_name(combo, printer)));
    text
}

fn players_table(pair: &Pair<'_>) -> String {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("equity A", Align::Right),
        ("equity B", Align::Right),
        ("B - A", Align::Right),
        ("EV A", Align::Right),
        ("EV B", Align::Right),
        ("B - A", Align::Right),
    ]);
    for player in Player::ALL {
        let [a, b] = pair.views.each_ref().map(|view| &view.players[player]);
        let (equities, evs) = ([a.equity(), b.equity()], [a.ev(), b.ev()]);
        table.row([
            name(player),
            percent_or_dash(equities[0]),
            percent_or_dash(equities[1]),
            points(minus(equities[1], equities[0])),
            pair.amounts.ev_or_dash(evs[0]),
            pair.amounts.ev_or_dash(evs[1]),
            pair.amounts.ev_difference(minus(evs[1], evs[0])),
        ]);
    }
    table.render()
}

fn points(difference: Option<f64>) -> String {
    difference.map_or_else(|| "-".to_owned(), |fraction| format!("{} points", signed(100.0 * fraction, 3)))
}

fn actions_table(pair: &Pair<'_>) -> String {
    let mut table = Table::new(&[
        ("action", Align::Left),
        ("A", Align::Right),
        ("B", Align::Right),
        ("B - A", Align::Right),
    ]);
    for (action, listed) in overall(pair).into_iter().zip(&pair.actions) {
        let difference = match (action.a, action.b) {
            (Some(_), None) => "only in A".to_owned(),
            (None, Some(_)) => "only in B".to_owned(),
            _ => points(action.difference),
        };
        table.row([words(pair, listed), percent_or_dash(action.a), percent_or_dash(action.b), difference]);
    }
    table.render()
}

/// An action in few words, from a tree that has it.
fn words(pair: &Pair<'_>, listed: &Listed) -> String {
    let side = usize::from(listed.numbers[0].is_none());
    short_action(pair.saved[side].spot().tree(), pair.views[side].node, listed.action)
}

/// The rows that differ, with what each plays in both.
fn differences<T>(
    pair: &Pair<'_>,
    what: &str,
    rows: Vec<Difference<T>>,
    all: bool,
    name: impl Fn(&T) -> String,
) -> String {
    let rows: Vec<Difference<T>> = rows.into_iter().filter(|row| row.moved > SMALL).collect();
    let plural = if what == "class" { "classes" } else { "combos" };
    if rows.is_empty() {
        return format!("\n  all {plural} that both hold play the same\n");
    }
    let actions: Vec<[String; 2]> = pair
        .actions
        .iter()
        .map(|listed| ["A", "B"].map(|side| format!("{} {side}", words(pair, listed))))
        .collect();
    let mut columns = vec![
        (what, Align::Left),
        ("held", Align::Right),
        ("moved", Align::Right),
        ("EV A", Align::Right),
        ("EV B", Align::Right),
    ];
    columns.extend(actions.iter().flatten().map(|action| (action.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let short = |fraction: f64| format!("{} %", fixed(100.0 * fraction, 1));
    let num_rows = if all { rows.len() } else { rows.len().min(FIRST) };
    for row in &rows[..num_rows] {
        let chips = |ev: Option<f64>| pair.amounts.ev_or_dash(ev);
        let mut cells =
            vec![name(&row.what), short(row.share), short(row.moved), chips(row.ev[0]), chips(row.ev[1])];
        for (a, b) in row.frequencies[0].iter().zip(&row.frequencies[1]) {
            cells.extend([a, b].map(|frequency| frequency.map_or_else(|| "-".to_owned(), short)));
        }
        table.row(cells);
    }
    let order = if what == "class" { "the most of the range moved first" } else { "the most moved first" };
    let mut text =
        format!("\n{}\n  {} of {} {plural} that differ, {order}", table.render(), num_rows, rows.len());
    text.push_str(if num_rows < rows.len() { "; --all shows every one\n" } else { "\n" });
    text
}
