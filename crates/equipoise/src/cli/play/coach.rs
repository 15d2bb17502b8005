//! What decisions gave away, for people.

use equipoise::documents::command::{ReviewGroupDocument, action_text};
use equipoise::play::{Losses, Reviewed, ReviewedDecision, Source};

use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, fixed, grouped, signed};

/// A loss, with what is not certain of it.
fn loss_text(decision: &ReviewedDecision, big_blind: f64) -> String {
    let loss = fixed(decision.loss / big_blind, 2);
    if decision.std_error > 0.0 {
        format!("{loss} ± {} bb", fixed(1.96 * decision.std_error / big_blind, 2))
    } else {
        format!("{loss} bb")
    }
}

/// What is said about a decision.
pub(super) fn advice(decision: &ReviewedDecision, big_blind: f64) -> String {
    let actions: Vec<String> = decision
        .actions
        .iter()
        .map(|found| {
            format!(
                "{} {} % ({} bb)",
                action_text(found.action, big_blind),
                fixed(100.0 * found.frequency, 0),
                signed(found.ev / big_blind, 2)
            )
        })
        .collect();
    let against = match decision.source {
        Source::Resolved { exploitability_pct, .. } => {
            format!("re-solved to {} % of the pot", fixed(exploitability_pct, 1))
        }
        _ => "the blueprint".to_owned(),
    };
    let taken_as = if decision.is_translated() {
        format!(", taken for {}", action_text(decision.actions[decision.chosen].action, big_blind))
    } else {
        String::new()
    };
    format!(
        "  coach ({}): {}\n         {}{taken_as} gave away {} [{against}]\n",
        decision.before.street(),
        actions.join(", "),
        action_text(decision.action, big_blind),
        loss_text(decision, big_blind)
    )
}

/// Tables by street and situation, and the decisions that cost most.
pub(super) fn report(losses: &Losses, hands: u64, printer: &Printer) -> String {
    if losses.decisions.is_empty() {
        return String::new();
    }
    let total = losses.total_bb();
    let mut text = format!(
        "  {} decisions in {} hands gave away {} bb, {} bb/100\n\n",
        grouped(losses.decisions.len() as u128),
        grouped(hands.into()),
        fixed(total, 2),
        fixed(100.0 * total / hands.max(1) as f64, 1)
    );
    for (name, groups) in [("street", losses.by_street()), ("situation", losses.by_situation())] {
        let columns = [
            (name, Align::Left),
            ("decisions", Align::Right),
            ("given away (bb)", Align::Right),
            ("each (bb)", Align::Right),
            ("actions below 1 %", Align::Right),
        ];
        let mut table = Table::new(&columns);
        for group in groups.iter().map(ReviewGroupDocument::new) {
            table.row([
                group.name,
                grouped(group.decisions.into()),
                fixed(group.ev_loss_bb, 2),
                fixed(group.ev_loss_bb_per_decision, 3),
                grouped(group.rare_actions.into()),
            ]);
        }
        text.push_str(&table.render());
        text.push('\n');
    }
    text.push_str(&worst_report(losses, printer));
    text
}

fn worst_report(losses: &Losses, printer: &Printer) -> String {
    let worst = losses.worst(5);
    if worst.is_empty() {
        return String::new();
    }
    let columns = [
        ("hand", Align::Right),
        ("cards", Align::Left),
        ("board", Align::Left),
        ("did", Align::Left),
        ("best", Align::Left),
        ("cost", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for Reviewed { hand, big_blind, decision, .. } in worst {
        table.row([
            hand.to_string(),
            printer.cards(decision.combo.cards()),
            printer.cards(decision.board.cards().iter().copied()),
            action_text(decision.action, *big_blind),
            action_text(decision.best(), *big_blind),
            loss_text(decision, *big_blind),
        ]);
    }
    format!("  the decisions that cost most\n{}", table.render())
}
