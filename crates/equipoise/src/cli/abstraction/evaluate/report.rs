//! What people read of `equipoise abstraction evaluate`.

use equipoise::game::Player;

use super::Evaluation;
use crate::cli::print::Printer;
use crate::cli::table::{Align, Table, counted, duration, grouped};

pub(super) fn report(evaluation: &Evaluation, printer: &Printer) -> String {
    let Evaluation { problem, measured, elapsed, exact, .. } = evaluation;
    let (spot, config) = (&problem.spot, problem.spot.tree().config());
    format!(
        "  {} ({}): pot {} chips, stacks of {} chips\n\n{}\n{}\n  \
         exploitability in the real game {:.4} chips = {:.3} % of pot\n  \
         without buckets the exact solver is at {:.3} % after as many iterations\n  \
         {} of {} in {}\n",
        printer.cards(spot.board().cards().to_vec()),
        spot.board().street(),
        config.starting_pot,
        config.effective_stack,
        streets_table(evaluation),
        players_table(evaluation),
        measured.exploitability_chips,
        measured.exploitability_pct,
        exact.exploitability.pct_pot,
        counted(measured.iteration, "iteration"),
        problem.options.algorithm,
        duration(*elapsed),
    )
}

fn streets_table(evaluation: &Evaluation) -> String {
    let columns = ["street", "method", "buckets", "OOP reaches", "IP reaches"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    for street in &evaluation.streets {
        let counts = [usize::from(street.buckets), street.met[Player::Oop], street.met[Player::Ip]];
        let cells = [street.street.to_string(), street.method.to_owned()].into_iter();
        table.row(cells.chain(counts.map(|count| grouped(count as u128))));
    }
    table.render()
}

fn players_table(evaluation: &Evaluation) -> String {
    let columns = ["player", "EV by buckets", "best response", "gain by it"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    for player in Player::ALL {
        let measured = &evaluation.measured;
        let (ev, best) = (measured.evs[player], measured.best_responses[player]);
        let cells = [ev, best, best - ev].map(|chips| format!("{chips:.3} chips"));
        table.row([player.to_string().to_uppercase()].into_iter().chain(cells));
    }
    table.render()
}
