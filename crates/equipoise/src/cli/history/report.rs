//! A hand as text.

use std::fmt::Write as _;

use equipoise::histories::{History, Move, Step};

use super::super::print::Printer;
use super::super::table::{Align, Table};

pub(super) fn report(id: u64, hand: &History, printer: &Printer) -> String {
    let (small, big) = hand.blinds();
    let name = hand.id.as_ref().map_or_else(String::new, |name| format!(" (#{name})"));
    let currency = hand.currency.as_ref().map_or_else(String::new, |currency| format!(" {currency}"));
    let mut text = format!(
        "  hand {id}{name}, {}, blinds {}/{}{currency}\n",
        hand.format,
        hand.amount(small),
        hand.amount(big)
    );
    text.push_str(&players(hand, printer));
    let Ok(replay) = hand.replay() else { return text };
    for street in &replay.streets {
        let cards = if street.cards.is_empty() {
            String::new()
        } else {
            format!(" {}", printer.cards(street.cards.clone()))
        };
        let steps: Vec<String> = street.steps.iter().map(|step| said(hand, step)).collect();
        let _ = writeln!(
            text,
            "  {}{cards}, pot {}: {}",
            street.street,
            hand.amount(street.pot),
            steps.join(", ")
        );
    }
    match (hand.winnings(), replay.is_over) {
        (Some(winnings), _) => {
            let won: Vec<String> = winnings
                .iter()
                .enumerate()
                .filter(|(_, won)| **won != 0)
                .map(|(seat, &won)| format!("{} {}", hand.name(seat), signed(hand, won)))
                .collect();
            let rake = hand
                .rake
                .filter(|&rake| rake > 0)
                .map_or_else(String::new, |rake| format!("; rake {}", hand.amount(rake)));
            let _ = writeln!(
                text,
                "  {}{rake}",
                if won.is_empty() { "nobody wins or loses".to_owned() } else { won.join(", ") }
            );
        }
        (None, true) => text.push_str("  over; the cards that decide are unknown\n"),
        (None, false) => {
            let next = replay
                .to_act
                .map_or_else(|| "a card comes".to_owned(), |seat| format!("{} acts", hand.name(seat)));
            let _ = writeln!(text, "  not over: {next}");
        }
    }
    text.push('\n');
    text
}

fn players(hand: &History, printer: &Printer) -> String {
    let columns =
        [("player", Align::Left), ("position", Align::Left), ("stack", Align::Right), ("cards", Align::Left)];
    let mut table = Table::new(&columns);
    for (seat, player) in hand.players.iter().enumerate() {
        let cards =
            player.cards.map_or_else(|| "–".to_owned(), |combo| printer.cards([combo.high(), combo.low()]));
        table.row([hand.name(seat), hand.position(seat), hand.amount(player.stack), cards]);
    }
    table.render()
}

fn said(hand: &History, step: &Step) -> String {
    let name = hand.name(step.player);
    let all_in = if step.is_all_in { " (all-in)" } else { "" };
    let total = hand.amount(step.street_total);
    match step.action {
        Move::Fold => format!("{name} folds"),
        Move::Check => format!("{name} checks"),
        Move::Call => format!("{name} calls{all_in}"),
        Move::Bet => format!("{name} bets {total}{all_in}"),
        Move::Raise => format!("{name} raises to {total}{all_in}"),
    }
}

fn signed(hand: &History, chips: i64) -> String {
    format!("{}{}", if chips < 0 { '-' } else { '+' }, hand.amount(chips.unsigned_abs()))
}
