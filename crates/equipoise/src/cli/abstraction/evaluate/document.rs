//! The JSON document of `equipoise abstraction evaluate`.

use equipoise::documents::command::{
    EvaluateCheck, EvaluateDocument, EvaluatedPlayer, EvaluatedStreet, ExactDocument,
};
use equipoise::documents::{Both, ExploitabilityDocument};
use equipoise::game::Player;
use equipoise::postflop::StopReason;

use super::{Evaluation, StreetUse};
use crate::cli::print::SCHEMA_VERSION;

pub(super) fn document(evaluation: &Evaluation) -> EvaluateDocument {
    let Evaluation { problem, streets, checks, measured, stopped, elapsed, exact } = evaluation;
    let player = |player: Player| {
        let (ev, best_response) = (measured.evs[player], measured.best_responses[player]);
        EvaluatedPlayer { ev, best_response, gain: best_response - ev }
    };
    let street = |street: &StreetUse| EvaluatedStreet {
        street: street.street.to_string(),
        method: street.method,
        buckets: street.buckets,
        met_by_oop: street.met[Player::Oop],
        met_by_ip: street.met[Player::Ip],
    };
    EvaluateDocument {
        schema_version: SCHEMA_VERSION,
        board: problem.spot.board().to_string(),
        exploitability: ExploitabilityDocument::of_chips(
            measured.exploitability_chips,
            measured.exploitability_pct,
        ),
        players: Both { oop: player(Player::Oop), ip: player(Player::Ip) },
        streets: streets.iter().map(street).collect(),
        exact: ExactDocument { iterations: exact.iterations, exploitability: exact.exploitability.into() },
        iterations: measured.iteration,
        elapsed_s: elapsed.as_secs_f64(),
        algorithm: problem.options.algorithm.to_string(),
        stop_reason: match stopped {
            StopReason::Converged => "converged",
            StopReason::Stopped => "interrupted",
            _ => "max_iterations",
        },
        checks: checks
            .iter()
            .map(|check| EvaluateCheck { iteration: check.iteration, pct_pot: check.exploitability_pct })
            .collect(),
    }
}
