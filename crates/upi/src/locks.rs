//! Strategies that are given rather than solved, and their text in spot files.

use std::collections::HashMap;

use equipoise_cards::{Card, Combo, SuitPermutation};
use equipoise_game::Line;
use equipoise_postflop::{Lock, LockedStrategy, Spot};
use equipoise_spots::spot_file::lock_tables;

use crate::error::UpiError;

/// Whether a lock is of this decision and holds after these cards.
fn holds(lock: &Lock, line: &Line, runout: &[Card]) -> bool {
    lock.line == *line && (lock.runout.is_empty() || lock.runout == runout)
}

/// The lock of a decision, if it has one.
pub(crate) fn find<'a>(locks: &'a [Lock], line: &Line, runout: &[Card]) -> Option<&'a Lock> {
    locks.iter().rev().find(|lock| holds(lock, line, runout))
}

/// Takes the locks of a decision away.
pub(crate) fn take(locks: &mut Vec<Lock>, line: &Line, runout: &[Card]) -> Option<Lock> {
    let taken = find(locks, line, runout).cloned();
    locks.retain(|lock| !holds(lock, line, runout));
    taken
}

/// How often a combo takes each action, if the lock says so.
pub(crate) fn frequencies(lock: &Lock, combo: Combo) -> Option<&[f64]> {
    match &lock.strategy {
        LockedStrategy::Every(frequencies) => Some(frequencies),
        LockedStrategy::Combos(combos) => {
            combos.iter().find(|(other, _)| *other == combo).map(|(_, frequencies)| &frequencies[..])
        }
    }
}

/// Frequencies that differ by less than this were not meant to differ.
const ROUNDING: f64 = 1e-3;

/// A strategy that was solved, with isomorphic hands made exactly alike: rounding leaves small
/// differences, and with those as a lock the solver could not solve such boards once any more.
pub(crate) fn alike(
    spot: &Spot,
    runout: &[Card],
    strategy: Vec<(Combo, Vec<f64>)>,
) -> Vec<(Combo, Vec<f64>)> {
    let keeps = |suits: &SuitPermutation| {
        suits.map_set(spot.board().set()) == spot.board().set()
            && runout.iter().all(|&card| suits.map_card(card) == card)
            && spot
                .ranges()
                .iter()
                .all(|range| Combo::all().all(|combo| range.get(combo) == range.get(suits.map_combo(combo))))
    };
    let symmetries: Vec<SuitPermutation> = SuitPermutation::ALL.into_iter().filter(keeps).collect();
    let known: HashMap<Combo, &Vec<f64>> = strategy.iter().map(|(combo, parts)| (*combo, parts)).collect();
    let mean = |(combo, parts): &(Combo, Vec<f64>)| -> Option<Vec<f64>> {
        let mut images: Vec<Combo> = symmetries.iter().map(|suits| suits.map_combo(*combo)).collect();
        // In the same order from each of them, so that sums are the same to the last bit.
        images.sort_unstable();
        let images: Vec<&Vec<f64>> =
            images.iter().map(|image| known.get(image).copied()).collect::<Option<_>>()?;
        let of = |action: usize| images.iter().map(|image| image[action]).sum::<f64>() / images.len() as f64;
        let means: Vec<f64> = (0..parts.len()).map(of).collect();
        let near =
            |image: &&Vec<f64>| image.iter().zip(&means).all(|(part, mean)| (part - mean).abs() < ROUNDING);
        images.iter().all(near).then_some(means)
    };
    let means: Option<Vec<Vec<f64>>> = strategy.iter().map(mean).collect();
    match means {
        Some(means) => strategy.iter().map(|(combo, _)| *combo).zip(means).collect(),
        None => strategy,
    }
}

/// The text of a problem without its locks.
pub(crate) fn without_locks(text: &str) -> Result<String, UpiError> {
    let mut table: toml::Table = text.parse().map_err(UpiError::new)?;
    if table.remove("locks").is_none() {
        return Ok(text.to_owned());
    }
    toml::to_string(&table).map_err(UpiError::new)
}

/// The text of a problem with locks added at its end.
pub(crate) fn with_locks<'a>(
    text: &str,
    spot: &Spot,
    locks: impl Iterator<Item = &'a Lock>,
) -> Result<String, UpiError> {
    let tables = lock_tables(spot, locks).map_err(UpiError::new)?;
    Ok(format!("{}\n{tables}", text.trim_end()))
}
