//! What people read of `equipoise solve`.

use equipoise::game::Player;
use equipoise::postflop::{NodeStrategy, Precision, StopReason};

use super::Solved;
use super::progress::Measured;
use super::strategy_grid::{Palette, strategy_grid};
use crate::cli::print::Printer;
use crate::cli::saved::{name, players_table};
use crate::cli::table::{Align, Table, bytes, counted, duration, percent};

pub(super) fn report(outcome: &Solved, printer: &Printer) -> String {
    let spot = outcome.solution.spot();
    let config = spot.tree().config();
    let mut text = format!(
        "  {} ({}): pot {} chips, stacks of {} chips\n\n",
        printer.cards(spot.board().cards().to_vec()),
        spot.board().street(),
        config.starting_pot,
        config.effective_stack,
    );
    if let Some(root) = &outcome.root {
        let palette = Palette::new(&root.actions, printer.colour());
        text.push_str(&format!("  {} opens with\n\n", name(root.player)));
        text.push_str(&strategy_grid(root, &palette));
        text.push('\n');
        text.push_str(&actions_table(root, &palette));
        text.push('\n');
    }
    text.push_str(&players_table(outcome.players()));
    text.push('\n');
    if let Some(before) = &outcome.before {
        let gain = |player: Player| {
            let (old, new) = (before.evs[player], outcome.evs[player].mean);
            format!("{} {old:.3} to {new:.3} chips ({:+.3})", name(player), new - old)
        };
        let gains = Player::ALL.map(gain).join(", ");
        text.push_str(&format!("  against {}: {gains}\n", before.path.display()));
        if let Some(start) = before.start {
            text.push_str(&format!(
                "  begun with its regrets at {} of {} decisions\n",
                start.known, start.decisions
            ));
        }
        text.push('\n');
    }
    text.push_str(&closing(outcome));
    text
}

fn actions_table(root: &NodeStrategy, palette: &Palette) -> String {
    let mut table = Table::new(&[
        ("", Align::Left),
        ("action", Align::Left),
        ("chips", Align::Right),
        ("frequency", Align::Right),
    ]);
    for (i, (action, frequency)) in root.actions.iter().zip(root.frequencies()).enumerate() {
        let chips = action.total().map_or_else(|| "0".to_owned(), |chips| chips.to_string());
        table.row([palette.mark(i), action.kind().to_owned(), chips, percent(frequency)]);
    }
    table.render()
}

/// How good the answer is and what it took.
fn closing(outcome: &Solved) -> String {
    let solution = &outcome.solution;
    let exploitability = outcome.exploitability;
    let reached = if solution.converged() { "reached" } else { "not reached" };
    let alpha =
        outcome.asymmetry.map_or_else(String::new, |Measured { alphas: [mean, min, max], .. }| {
            format!("  asymmetry α {mean:.3} on average, {min:.3} to {max:.3}\n")
        });
    let stalled = match outcome.stopped {
        StopReason::Stalled => {
            let is_finest = [outcome.storage.regrets, outcome.storage.strategy] == [Precision::Bits32; 2];
            let finer = if is_finest { "" } else { "finer storage or " };
            format!(
                "  stalled: the last two thirds of the iterations have not made it noticeably smaller; {finer}another \
                 algorithm may\n"
            )
        }
        _ => String::new(),
    };
    let saved = outcome.saved.as_ref().map_or_else(String::new, |saved| {
        let took = duration(std::time::Duration::from_secs_f64(saved.elapsed_s));
        format!("  saved to {}: {} in {took}\n", saved.path, bytes(saved.bytes))
    });
    format!(
        "  exploitability {:.4} chips = {:.4} % of pot; the target of {} % was {reached}\n{stalled}  \
         {} of {} in {}, after {} of set-up; {} of memory, {}\n{alpha}{saved}",
        exploitability.chips,
        exploitability.pct_pot,
        outcome.target_pct,
        counted(solution.iterations(), "iteration"),
        solution.algorithm(),
        duration(solution.elapsed()),
        duration(outcome.set_up),
        bytes(solution.memory_bytes() as u64),
        outcome.storage,
    )
}
