//! The JSON document of `equipoise abstraction evaluate`.

use equipoise::game::Player;
use equipoise::postflop::StopReason;
use serde::Serialize;

use super::{Outcome, StreetUse};
use crate::cli::print::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct EvaluateDocument {
    schema_version: u32,
    board: String,
    exploitability: ExploitabilityDocument,
    players: PlayersDocument,
    streets: Vec<StreetDocument>,
    exact: ExactDocument,
    iterations: u32,
    elapsed_s: f64,
    algorithm: String,
    /// `converged`, `max_iterations` or `interrupted`.
    stop_reason: &'static str,
    checks: Vec<CheckDocument>,
}

#[derive(Serialize)]
struct ExploitabilityDocument {
    chips: f64,
    pct_pot: f64,
}

#[derive(Serialize)]
struct PlayersDocument {
    oop: PlayerDocument,
    ip: PlayerDocument,
}

#[derive(Serialize)]
struct PlayerDocument {
    ev: f64,
    best_response: f64,
    gain: f64,
}

#[derive(Serialize)]
struct StreetDocument {
    street: String,
    method: &'static str,
    buckets: u16,
    met_by_oop: usize,
    met_by_ip: usize,
}

#[derive(Serialize)]
struct ExactDocument {
    iterations: u32,
    exploitability: ExploitabilityDocument,
}

#[derive(Serialize)]
struct CheckDocument {
    iteration: u32,
    pct_pot: f64,
}

pub(super) fn document(outcome: &Outcome) -> EvaluateDocument {
    let Outcome { problem, streets, checks, measured, stopped, elapsed, exact } = outcome;
    let player = |player: Player| {
        let (ev, best_response) = (measured.evs[player], measured.best_responses[player]);
        PlayerDocument { ev, best_response, gain: best_response - ev }
    };
    let street = |street: &StreetUse| StreetDocument {
        street: street.street.to_string(),
        method: street.method,
        buckets: street.buckets,
        met_by_oop: street.met[0],
        met_by_ip: street.met[1],
    };
    EvaluateDocument {
        schema_version: SCHEMA_VERSION,
        board: problem.spot.board().to_string(),
        exploitability: ExploitabilityDocument {
            chips: measured.exploitability_chips,
            pct_pot: measured.exploitability_pct,
        },
        players: PlayersDocument { oop: player(Player::Oop), ip: player(Player::Ip) },
        streets: streets.iter().map(street).collect(),
        exact: ExactDocument {
            iterations: exact.iterations,
            exploitability: ExploitabilityDocument {
                chips: exact.exploitability.chips,
                pct_pot: exact.exploitability.pct_pot,
            },
        },
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
            .map(|check| CheckDocument { iteration: check.iteration, pct_pot: check.exploitability_pct })
            .collect(),
    }
}
