//! The JSON document of `equipoise solve`.

use equipoise::documents::command::{
    AsymmetryDocument, FromDocument, GainDocument, RootAction, RootDocument, SolveDocument, WarmStartDocument,
};
use equipoise::game::{Action, Player};

use super::Solved;
use super::progress::Measured;
use crate::cli::print::SCHEMA_VERSION;

pub(super) fn document(outcome: &Solved) -> SolveDocument {
    let solution = &outcome.solution;
    let exploitability = outcome.exploitability;
    let actions = outcome.root.as_ref().map_or_else(Vec::new, |root| {
        root.actions.iter().zip(root.frequencies()).map(|(&action, share)| of_action(action, share)).collect()
    });
    SolveDocument {
        schema_version: SCHEMA_VERSION,
        converged: solution.converged(),
        unit: outcome.solution.spot().tree().unit().into(),
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
            let gain = |player: Player| {
                let ev = before.evs[player];
                GainDocument { ev, gain: outcome.evs[player].mean - ev }
            };
            FromDocument {
                path: before.path.display().to_string(),
                oop: gain(Player::Oop),
                ip: gain(Player::Ip),
                warm_start: before
                    .start
                    .map(|start| WarmStartDocument { decisions: start.decisions, known: start.known }),
            }
        }),
        saved: outcome.saved.clone(),
        not_saved: outcome.not_saved.as_ref().map(|not_saved| not_saved.document.clone()),
    }
}

fn of_asymmetry(Measured { alphas: [mean, min, max], norms }: Measured) -> AsymmetryDocument {
    let [total_instant_norm, total_regret_norm] = norms.map(|norms| norms.map(Some)).unwrap_or_default();
    AsymmetryDocument { mean, min, max, total_instant_norm, total_regret_norm }
}

fn of_action(action: Action, frequency: f64) -> RootAction {
    // At the root nothing is invested on this street, so a check leaves the total at 0.
    let chips = action.total().map_or(0, equipoise::game::Chips::count);
    RootAction { name: action.to_string(), kind: action.kind(), chips, frequency }
}
