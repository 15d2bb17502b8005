//! `[[locks]]`: decisions whose strategy is given.

use std::collections::BTreeMap;

use crate::cards::{Card, CardSet, Combo, Range};
use crate::game::{Action, Line, NodeId, ParseLineError, Player, WrittenAction};
use crate::postflop::{Lock, LockedStrategy, Spot, SpotError};

use super::document::Document;
use super::error::{SpotFileError, cards_in_words, join_keys};
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

/// Who acts at a locked decision, after which cards.
struct Holder<'a> {
    player: Player,
    runout: &'a [Card],
}

/// What the narrowest key of a combo gives it.
struct Given<'a> {
    text: &'a str,
    width: usize,
    frequencies: Vec<f64>,
    /// A key that is as narrow and gives it something else.
    rival: Option<&'a str>,
}

impl<'a> Given<'a> {
    /// The key that contradicts one of this width which gives the combo these frequencies instead.
    fn rival_of(&self, width: usize, frequencies: &[f64]) -> Option<&'a str> {
        match self.width == width {
            true if self.frequencies != frequencies => Some(self.text),
            true => self.rival,
            false => None,
        }
    }
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
        let Some(player) = tree.node(node).player() else {
            return Err(self.document.wrong(&place, SpotError::LockedNoDecision { line: file.line.clone() }));
        };
        let runout = file.runout.as_deref().map(|text| self.runout(text, node, &line)).transpose()?;
        let runout = runout.unwrap_or_default();
        let actions: Vec<Action> = tree.actions(node).map(|(action, _)| action).collect();
        let strategy = self.strategy(file, &actions, &Holder { player, runout: &runout })?;
        Ok(Lock::new(line, strategy).on(runout))
    }

    /// The cards of a lock, which are those that its line deals, or none.
    fn runout(&self, text: &str, node: NodeId, line: &Line) -> Result<Vec<Card>, SpotFileError> {
        let place = self.at(&["runout"]);
        let cards = cards(self.document, &place, text)?;
        let (now, first) = (self.spot.tree().node(node).street(), self.spot.board().street());
        let expected = now.num_board_cards() - first.num_board_cards();
        let line = line.to_string();
        let at = if line.is_empty() { "the beginning".to_owned() } else { format!("'{line}'") };
        if !cards.is_empty() && expected == 0 {
            let message = format!("{at} needs no card: it comes before any is dealt");
            return Err(self.document.wrong(&place, message).help("remove `runout`"));
        }
        if !cards.is_empty() && cards.len() != expected {
            let message = format!("{at} needs {}, not {}", cards_in_words(expected), cards.len());
            let help = "write the cards dealt on the way there, or remove `runout` to lock whatever comes";
            return Err(self.document.wrong(&place, message).help(help));
        }
        let mut seen = self.spot.board().set();
        match cards.iter().find(|&&card| !seen.insert(card)) {
            Some(card) if self.spot.board().set().contains(*card) => {
                Err(self.document.wrong(&place, format!("{card} is on the board already")))
            }
            Some(card) => Err(self.document.wrong(&place, format!("{card} is there twice"))),
            None => Ok(cards),
        }
    }

    /// The place of a key inside the lock.
    fn at(&self, keys: &[&str]) -> String {
        format!("{}.{}", self.place, join_keys(keys))
    }

    fn strategy(
        &self,
        file: &LockFile,
        actions: &[Action],
        holder: &Holder<'_>,
    ) -> Result<LockedStrategy, SpotFileError> {
        let whole = file.strategy.as_ref();
        let whole = whole.map(|written| self.frequencies(&["strategy"], written, actions)).transpose()?;
        if file.hands.is_empty() {
            return whole.map(LockedStrategy::Every).ok_or_else(|| {
                let input = self.document.wrong(self.place, "the lock says nothing about what is played");
                input.help("add strategy = { check = 1.0 }, or hands with a strategy for each")
            });
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
            self.check_held(text, &range, holder)?;
            hands.push((text, written, range));
        }
        hands.sort_by_key(|(_, _, range)| std::cmp::Reverse(range.num_combos()));
        let mut given: BTreeMap<Combo, Given<'_>> = BTreeMap::new();
        for (text, written, range) in hands {
            let frequencies = self.frequencies(&["hands", text], written, actions)?;
            let width = range.num_combos();
            for (combo, _) in range.iter() {
                let rival = given.get(&combo).and_then(|old| old.rival_of(width, &frequencies));
                given.insert(combo, Given { text, width, frequencies: frequencies.clone(), rival });
            }
        }
        if let Some((combo, text, rival)) =
            given.iter().find_map(|(combo, given)| Some((combo, given.text, given.rival?)))
        {
            let message =
                format!("'{rival}' and '{text}' are equally wide and give {combo} different strategies");
            let help = "give the hands that are in both a key of their own, which then stands over both";
            return Err(self.document.wrong(&self.at(&["hands", text]), message).help(help));
        }
        let mut combos: BTreeMap<Combo, Vec<f64>> = BTreeMap::new();
        if let Some(whole) = whole {
            combos.extend(Combo::all().map(|combo| (combo, whole.clone())));
        }
        combos.extend(given.into_iter().map(|(combo, given)| (combo, given.frequencies)));
        Ok(LockedStrategy::Combos(combos.into_iter().collect()))
    }

    /// A lock of hands that the player cannot hold would be without effect, which nobody means.
    fn check_held(&self, text: &str, range: &Range, holder: &Holder<'_>) -> Result<(), SpotFileError> {
        let Holder { player, runout } = *holder;
        let dealt: CardSet = runout.iter().copied().collect();
        let held = &self.spot.ranges()[player];
        if range.iter().any(|(combo, _)| held.get(combo) > 0.0 && !combo.cards().intersects(dealt)) {
            return Ok(());
        }
        let runout: String = runout.iter().map(ToString::to_string).collect();
        let message = format!(
            "none of its combos is in the range of {player} on the board {}{runout}",
            self.spot.board()
        );
        let input = self.document.wrong(&self.at(&["hands", text]), message);
        Err(input.help("remove it: it would lock nothing"))
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
            // Typed decimals are not exact in binary, and their sum shows it.
            let sum = (sum * 1e6).round() / 1e6;
            let message = format!("the frequencies sum to {sum}: they must sum to 1");
            return Err(self.document.wrong(&self.at(keys), message));
        }
        // Exact in spite of what was typed, such as three times 0.333.
        frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
        Ok(frequencies)
    }
}
