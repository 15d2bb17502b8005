//! The JSON document of `equipoise solve`.

use equipoise::documents::{Both, ExploitabilityDocument, PlayerDocument};
use equipoise::game::Action;
use serde::Serialize;

use super::Solved;
use super::progress::Measured;
use super::saving::{NotSavedDocument, SavedDocument};
use crate::cli::print::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct SolveDocument {
    schema_version: u32,
    converged: bool,
    exploitability: ExploitabilityDocument,
    iterations: u32,
    elapsed_s: f64,
    memory_bytes: usize,
    algorithm: String,
    storage: String,
    /// `converged`, `max_iterations`, `stalled` or `interrupted`.
    stop_reason: &'static str,
    asymmetry: Option<AsymmetryDocument>,
    players: Both<PlayerDocument>,
    root: RootDocument,
    /// With `--from`.
    from: Option<FromDocument>,
    saved: Option<SavedDocument>,
    not_saved: Option<NotSavedDocument>,
}

#[derive(Serialize)]
struct FromDocument {
    path: String,
    oop: GainDocument,
    ip: GainDocument,
    warm_start: Option<WarmStartDocument>,
}

#[derive(Serialize)]
struct WarmStartDocument {
    decisions: usize,
    known: usize,
}

#[derive(Serialize)]
struct GainDocument {
    ev: f64,
    gain: f64,
}

#[derive(Serialize)]
struct AsymmetryDocument {
    mean: f64,
    min: f64,
    max: f64,
    total_instant_norm: Option<f64>,
    total_regret_norm: Option<f64>,
}

#[derive(Serialize)]
struct RootDocument {
    /// Null if both players are all-in.
    player: Option<String>,
    actions: Vec<ActionDocument>,
}

#[derive(Serialize)]
struct ActionDocument {
    name: String,
    kind: &'static str,
    chips: u32,
    frequency: f64,
}

pub(super) fn document(outcome: &Solved) -> SolveDocument {
    let solution = &outcome.solution;
    let exploitability = outcome.exploitability;
    let actions = outcome.root.as_ref().map_or_else(Vec::new, |root| {
        root.actions.iter().zip(root.frequencies()).map(|(&action, share)| of_action(action, share)).collect()
    });
    SolveDocument {
        schema_version: SCHEMA_VERSION,
        converged: solution.converged(),
        exploitability: exploitability.into(),
        iterations: solution.iterations(),
        elapsed_s: solution.elapsed().as_secs_f64(),
        memory_bytes: solution.memory_bytes(),
        algorithm: solution.algorithm().to_string(),
        storage: outcome.storage.to_string(),
        stop_reason: outcome.stop_reason(),
        asymmetry: outcome.asymmetry.map(of_asymmetry),
        players: outcome.players().into(),
        root: RootDocument { player: outcome.root.as_ref().map(|root| root.player.to_string()), actions },
        from: outcome.before.as_ref().map(|before| {
            let gain = |player: usize| {
                let ev = before.evs[player];
                GainDocument { ev, gain: outcome.evs[player].mean - ev }
            };
            FromDocument {
                path: before.path.display().to_string(),
                oop: gain(0),
                ip: gain(1),
                warm_start: before
                    .start
                    .map(|start| WarmStartDocument { decisions: start.decisions, known: start.known }),
            }
        }),
        saved: outcome.saved.clone(),
        not_saved: outcome.not_saved.clone(),
    }
}

fn of_asymmetry(Measured { alphas: [mean, min, max], norms }: Measured) -> AsymmetryDocument {
    let [total_instant_norm, total_regret_norm] = norms.map(|norms| norms.map(Some)).unwrap_or_default();
    AsymmetryDocument { mean, min, max, total_instant_norm, total_regret_norm }
}

fn of_action(action: Action, frequency: f64) -> ActionDocument {
    // At the root nothing has been invested on this street, so a check leaves the total at 0.
    let chips = action.total().map_or(0, equipoise::game::Chips::count);
    ActionDocument { name: action.to_string(), kind: action.kind(), chips, frequency }
}
