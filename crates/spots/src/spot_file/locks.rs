//! `[[locks]]`: decisions whose strategy is given.

use std::collections::BTreeMap;

use crate::cards::{Combo, Range};
use crate::game::{Action, Line, ParseLineError, WrittenAction};
use crate::postflop::{Lock, LockedStrategy, Spot, SpotError};

use super::document::Document;
use super::error::{SpotFileError, join_keys};
use super::file::{FrequenciesFile, LockFile};
use super::resolve::{cards, range};

pub(super) fn resolve(
    document: &Document<'_>,
    files: &[LockFile],
    spot: &Spot,
) -> Result<Vec<Lock>, SpotFileError> {
    let mut locks: Vec<Lock> = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let place = format!("locks.{i}");
        let lock = LockReader { document, place: &place, spot }.read(file)?;
        if locks.iter().any(|other| other.line == lock.line && other.runout == lock.runout) {
            let message = format!("the decision after '{}' is locked twice", lock.line);
            return Err(document.wrong(&place, message).help("put both into one [[locks]] with `hands`"));
        }
        // Reports what does not fit with its place, which the whole list could not.
        spot.clone().with_locks(vec![lock.clone()]).map_err(|error| document.wrong(&place, error))?;
        locks.push(lock);
    }
    Ok(locks)
}

/// Reads one lock.
struct LockReader<'a> {
    document: &'a Document<'a>,
    place: &'a str,
    spot: &'a Spot,
}

impl LockReader<'_> {
    fn read(&self, file: &LockFile) -> Result<Lock, SpotFileError> {
        let place = self.at(&["line"]);
        let line: Line = file.line.parse().map_err(|error: ParseLineError| {
            self.document.wrong_inside(&place, Some((&file.line, error.at())), error)
        })?;
        let tree = self.spot.tree();
        let node = tree.find(&line).map_err(|error| self.document.wrong(&place, error))?;
        let actions: Vec<Action> = tree.actions(node).map(|(action, _)| action).collect();
        if tree.node(node).player().is_none() {
            return Err(self.document.wrong(&place, SpotError::LockedNoDecision { line: file.line.clone() }));
        }
        let strategy = self.strategy(file, &actions)?;
        let lock = Lock::new(line, strategy);
        match &file.runout {
            Some(text) => Ok(lock.on(cards(self.document, &self.at(&["runout"]), text)?)),
            None => Ok(lock),
        }
    }

    /// The place of a key inside the lock.
    fn at(&self, keys: &[&str]) -> String {
        format!("{}.{}", self.place, join_keys(keys))
    }

    fn strategy(&self, file: &LockFile, actions: &[Action]) -> Result<LockedStrategy, SpotFileError> {
        let whole = file.strategy.as_ref();
        let whole = whole.map(|written| self.frequencies(&["strategy"], written, actions)).transpose()?;
        if file.hands.is_empty() {
            return whole.map(LockedStrategy::Every).ok_or_else(|| {
                let input = self.document.wrong(self.place, "the lock says nothing about what is played");
                input.help("add strategy = { check = 1.0 }, or hands with a strategy for each")
            });
        }
        let mut combos: BTreeMap<Combo, Vec<f64>> = BTreeMap::new();
        if let Some(whole) = whole {
            combos.extend(Combo::all().map(|combo| (combo, whole.clone())));
        }
        // Classes first, so that a combo of its own stands over its class whatever the order of the keys.
        let mut hands: Vec<(&String, &FrequenciesFile, Range)> = Vec::new();
        for (text, written) in &file.hands {
            let range = range(self.document, &self.at(&["hands", text]), Some(text))?;
            if range.iter().any(|(_, weight)| weight != 1.0) {
                let message = format!("'{text}' has a weight, which a lock cannot have");
                return Err(self
                    .document
                    .wrong(&self.at(&["hands", text]), message)
                    .help("lock whole combos"));
            }
            hands.push((text, written, range));
        }
        hands.sort_by_key(|(_, _, range)| std::cmp::Reverse(range.num_combos()));
        for (text, written, range) in hands {
            let frequencies = self.frequencies(&["hands", text], written, actions)?;
            combos.extend(range.iter().map(|(combo, _)| (combo, frequencies.clone())));
        }
        Ok(LockedStrategy::Combos(combos.into_iter().collect()))
    }

    /// One number per action of the decision; actions that are not written have none.
    fn frequencies(
        &self,
        keys: &[&str],
        written: &FrequenciesFile,
        actions: &[Action],
    ) -> Result<Vec<f64>, SpotFileError> {
        let mut frequencies = vec![0.0; actions.len()];
        for (text, &frequency) in written {
            let place = self.at(&[keys, &[text]].concat());
            let action: WrittenAction = text.parse().map_err(|error| self.document.wrong(&place, error))?;
            let Some(at) = actions.iter().position(|&possible| action.matches(possible)) else {
                let possible: Vec<String> = actions.iter().map(ToString::to_string).collect();
                let message = format!("'{text}' is not possible there");
                return Err(self
                    .document
                    .wrong(&place, message)
                    .help(format!("possible: {}", possible.join(", "))));
            };
            if !(0.0..=1.0).contains(&frequency) {
                return Err(self
                    .document
                    .wrong(&place, format!("the frequency {frequency} is not within 0 to 1")));
            }
            frequencies[at] += frequency;
        }
        let sum: f64 = frequencies.iter().sum();
        if (sum - 1.0).abs() > 1e-3 {
            let message = format!("the frequencies sum to {sum}: they must sum to 1");
            return Err(self.document.wrong(&self.at(keys), message));
        }
        // Exact in spite of what was typed, such as three times 0.333.
        frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
        Ok(frequencies)
    }
}
