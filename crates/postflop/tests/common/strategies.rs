//! Strategies over the twin's lists.

use std::cell::RefCell;
use std::collections::HashMap;

use equipoise_cards::{Card, Combo};
use equipoise_game::NodeId;
use equipoise_postflop::{Reader, Solution, ViewDetail};

use super::twin::{Numbers, Twin};

/// The solution's strategy over the twin's lists, read through the public face for every runout.
pub fn of_solution<'a>(
    solution: &'a Solution,
    twin: &'a Twin<'_>,
) -> impl Fn(NodeId, &[Card]) -> Numbers + 'a {
    let cache: RefCell<HashMap<(NodeId, Vec<Card>), Numbers>> = RefCell::default();
    move |node, runout| {
        let key = (node, runout.to_vec());
        if let Some(found) = cache.borrow().get(&key) {
            return found.clone();
        }
        let strategy = solution.strategy(node, runout).unwrap();
        let numbers: Numbers = twin.combos[strategy.player.index()]
            .iter()
            .map(|(combo, _)| {
                let found = strategy.combos.iter().find(|other| other.combo == *combo);
                found.map_or_else(|| vec![0.0; strategy.actions.len()], |found| found.frequencies.clone())
            })
            .collect();
        cache.borrow_mut().insert(key, numbers.clone());
        numbers
    }
}

/// The strategies of a reader over the twin's lists.
pub fn of_reader<'a>(reader: &'a Reader, twin: &'a Twin<'_>) -> impl Fn(NodeId, &[Card]) -> Numbers + 'a {
    let known: RefCell<HashMap<(NodeId, Vec<Card>), Numbers>> = RefCell::default();
    move |node, runout| {
        let key = (node, runout.to_vec());
        if let Some(found) = known.borrow().get(&key) {
            return found.clone();
        }
        let view = reader.view(&reader.path_to(node, runout), ViewDetail::Strategies, &mut ()).unwrap();
        let none = vec![0.0; view.actions.len()];
        let of_combo = |(combo, _): &(Combo, f64)| {
            let seen = view.actor().combos.iter().find(|seen| seen.combo == *combo);
            seen.map_or_else(|| none.clone(), |seen| seen.frequencies.clone())
        };
        let numbers: Numbers = twin.combos[view.player.index()].iter().map(of_combo).collect();
        known.borrow_mut().insert(key, numbers.clone());
        numbers
    }
}
