//! What people read of `equipoise solve`.

use equipoise::game::Player;
use equipoise::postflop::{Precision, StopReason};

use super::Solved;
use super::progress::Measured;
use super::strategy_grid::{Palette, strategy_grid};
use crate::cli::print::Printer;
use crate::cli::saved::{name, players_table};
use crate::cli::table::{Align, Table, bytes, counted, duration, percent};

pub(super) fn report(outcome: &Solved, printer: &Printer) -> String {
    let (spot, amounts) = (outcome.solution.spot(), &outcome.amounts);
    let config = spot.tree().config();
    let mut text = format!(
        "  {} ({}): pot {}, stacks of {}\n{}\n",
        printer.cards(spot.board().cards().to_vec()),
        spot.board().street(),
        amounts.exact(config.starting_pot.as_f64()),
        amounts.exact(config.effective_stack.as_f64()),
        amounts.prizes(spot.tree()),
    );
    text.push_str(&opening(outcome, printer));
    text.push_str(&players_table(outcome.players(), amounts));
    text.push('\n');
    if let Some(before) = &outcome.before {
        let gain = |player: Player| {
            let (old, new) = (before.evs[player], outcome.evs[player].mean);
            let [before, after] = [old, new].map(|ev| amounts.ev(ev));
            format!("{} {before} to {after} ({})", name(player), amounts.ev_difference(Some(new - old)))
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

/// What is played at the root, or at the first decision with a choice.
fn opening(outcome: &Solved, printer: &Printer) -> String {
    let tree = outcome.solution.spot().tree();
    let (node, strategy) = match (&outcome.first, &outcome.root) {
        (Some((node, strategy)), _) => (*node, strategy),
        (None, Some(root)) => (tree.root(), root),
        (None, None) => return String::new(),
    };
    let palette = Palette::new(&strategy.actions, printer.colour());
    let who = name(strategy.player);
    let mut text = if node == tree.root() {
        format!("  {who} opens with\n\n")
    } else {
        let line = tree.line_to(node);
        format!("  after '{line}', which is played all the time, {who} plays\n\n")
    };
    text.push_str(&strategy_grid(strategy, &palette));
    text.push('\n');
    let frequencies = strategy.frequencies();
    let mut table = Table::new(&[("", Align::Left), ("action", Align::Left), ("frequency", Align::Right)]);
    for (i, (&action, frequency)) in strategy.actions.iter().zip(frequencies).enumerate() {
        table.row([palette.mark(i), outcome.amounts.action(tree, node, action), percent(frequency)]);
    }
    text.push_str(&table.render());
    text.push('\n');
    text
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
        "  {}; the target of {} % was {reached}\n{stalled}  \
         {} of {} in {}, after {} of set-up; {} of memory, {}\n{alpha}{saved}",
        outcome.amounts.exploitability(&exploitability),
        outcome.target_pct,
        counted(solution.iterations(), "iteration"),
        solution.algorithm(),
        duration(solution.elapsed()),
        duration(outcome.set_up),
        bytes(solution.memory_bytes() as u64),
        outcome.storage,
    )
}
