//! What people read of `equipoise equity`.

use equipoise::cards::parse_cards;
use equipoise::documents::{range_groups, seat_expansion};
use equipoise::equity::{Equity, Mode, PlayerEquity, Seat};

use super::By;
use crate::cli::equity_query::EquityQuery;
use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, clipped, duration, grouped, percent, wrapped};

/// The widest that a player's text gets in the table; the expansion shows all of it.
const INPUT_COLUMNS: usize = 36;
/// The widest that a line of an expansion gets.
const EXPANSION_COLUMNS: usize = 90;

pub(super) fn report(query: &EquityQuery, result: &Equity, by: Option<By>, printer: &Printer) -> String {
    let mut text = cards_lines(query, printer);
    text.push_str(&players_table(query, result, printer));
    text.push_str(&expansions(query));
    for (i, player) in result.players.iter().enumerate() {
        if let Some(by) = by {
            text.push_str(&format!("\n  player {} by {}\n", i + 1, by.name()));
            text.push_str(&shares_table(player, by));
        }
    }
    text.push('\n');
    text.push_str(&method_line(result));
    text
}

/// Board and dead cards, where there are any.
fn cards_lines(query: &EquityQuery, printer: &Printer) -> String {
    let board = query.matchup.board().cards().to_vec();
    let dead: Vec<_> = query.matchup.dead().iter().rev().collect();
    let named = [("board", board), ("dead", dead)].into_iter().filter(|(_, cards)| !cards.is_empty());
    let lines: String =
        named.map(|(name, cards)| format!("  {name:5}  {}\n", printer.cards(cards))).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

/// One row for each player; a standard error only where there is one.
pub(crate) fn players_table(query: &EquityQuery, result: &Equity, printer: &Printer) -> String {
    const COLUMNS: [(&str, Align); 7] = [
        ("", Align::Right),
        ("player", Align::Left),
        ("combos", Align::Right),
        ("equity", Align::Right),
        ("win", Align::Right),
        ("tie", Align::Right),
        ("std error", Align::Right),
    ];
    let num_columns = if result.mode == Mode::Exact { COLUMNS.len() - 1 } else { COLUMNS.len() };
    let mut table = Table::new(&COLUMNS[..num_columns]);
    for (i, player) in result.players.iter().enumerate() {
        let cells = [
            (i + 1).to_string(),
            player_name(&query.inputs[i], &query.matchup.seats()[i], printer),
            grouped(player.combos as u128),
            percent(player.equity),
            percent(player.win),
            percent(player.tie),
            percent(player.std_error),
        ];
        table.row(cells.into_iter().take(num_columns));
    }
    table.render()
}

/// What was written for the player, cut if it is long; cards get their colours where there are any.
fn player_name(input: &str, seat: &Seat, printer: &Printer) -> String {
    match seat {
        Seat::Unknown => "random".to_owned(),
        Seat::Combo(_) | Seat::Card(_) if printer.colour() => {
            printer.cards(parse_cards(input).unwrap_or_default())
        }
        _ => clipped(input.trim(), INPUT_COLUMNS),
    }
}

/// What the players' texts stand for, where they are more than cards.
fn expansions(query: &EquityQuery) -> String {
    let mut text = String::new();
    for (i, seat) in query.matchup.seats().iter().enumerate() {
        let groups = match seat {
            Seat::Combo(_) => continue,
            Seat::Range(range) => range_groups(range),
            _ => vec![seat_expansion(seat)],
        };
        for (line_number, line) in wrapped(&groups, EXPANSION_COLUMNS).iter().enumerate() {
            let label = if line_number == 0 { format!("{:>3} =", i + 1) } else { String::new() };
            text.push_str(&format!("{label:5} {line}\n"));
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// How the numbers were found.
pub(crate) fn method_line(result: &Equity) -> String {
    let (deals, elapsed) = (grouped(result.deals), duration(result.elapsed));
    let interrupted = if result.interrupted { ", interrupted" } else { "" };
    match result.mode {
        Mode::Exact => format!("  exact: {deals} deals in {elapsed}\n"),
        _ => {
            let error = percent(result.std_error);
            format!(
                "  monte-carlo: {deals} deals in {elapsed}, standard error at most {error}{interrupted}\n"
            )
        }
    }
}

impl By {
    const fn name(self) -> &'static str {
        match self {
            By::Class => "class",
            By::Combo => "combo",
        }
    }
}

/// One row for each class or combo of a player.
fn shares_table(player: &PlayerEquity, by: By) -> String {
    let mut table = Table::new(&[
        (by.name(), Align::Left),
        ("held", Align::Right),
        ("equity", Align::Right),
        ("win", Align::Right),
        ("tie", Align::Right),
    ]);
    let mut row = |name: String, numbers: [f64; 4]| {
        table.row([name].into_iter().chain(numbers.map(percent)));
    };
    match by {
        By::Class => {
            for c in player.by_class() {
                row(c.class.to_string(), [c.probability, c.equity, c.win, c.tie]);
            }
        }
        By::Combo => {
            for c in player.by_combo.iter().rev() {
                row(c.combo.to_string(), [c.probability, c.equity, c.win, c.tie]);
            }
        }
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_wrap_between_groups() {
        let groups = ["AA-QQ", "AKs", "AKo"].map(str::to_owned);
        assert_eq!(wrapped(&groups, 80), ["AA-QQ, AKs, AKo"]);
        assert_eq!(wrapped(&groups, 12), ["AA-QQ, AKs,", "AKo"]);
        assert!(wrapped(&[], 12).is_empty());
    }
}
