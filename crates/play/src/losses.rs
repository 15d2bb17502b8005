//! What many decisions gave away: by street, by situation, and the dearest ones.

use std::collections::BTreeMap;

use crate::review::ReviewedDecision;

/// A strategy that takes an action less often than this would rarely do it.
const RARE: f64 = 0.01;

/// A decision of a sitting or a file.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Reviewed {
    /// The number of its hand, from 1.
    pub hand: u64,
    /// How many actions of the hand came before it.
    pub at: usize,
    /// Chips of a big blind in that hand.
    pub big_blind: f64,
    /// The decision.
    pub decision: ReviewedDecision,
}

impl Reviewed {
    /// What it gave away, in big blinds.
    #[must_use]
    pub fn loss_bb(&self) -> f64 {
        self.decision.loss / self.big_blind
    }
}

/// The decisions of a sitting or a file.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs)] // Plain data.
pub struct Losses {
    /// All of them.
    pub decisions: Vec<Reviewed>,
}

/// Decisions that are alike.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LossGroup {
    /// What they have in common.
    pub name: String,
    /// How many.
    pub decisions: u64,
    /// What they gave away, in big blinds.
    pub loss_bb: f64,
    /// How many took an action that the strategy takes less than once in a hundred.
    pub rare_actions: u64,
}

impl Losses {
    /// Big blinds given away.
    #[must_use]
    pub fn total_bb(&self) -> f64 {
        // From 0 on: an empty sum is −0.
        self.decisions.iter().fold(0.0, |sum, reviewed| sum + reviewed.loss_bb())
    }

    fn groups<K: Ord + ToString>(&self, key: impl Fn(&ReviewedDecision) -> K) -> Vec<LossGroup> {
        let mut groups: BTreeMap<K, LossGroup> = BTreeMap::new();
        for reviewed in &self.decisions {
            let key = key(&reviewed.decision);
            let name = key.to_string();
            let none = || LossGroup { name, decisions: 0, loss_bb: 0.0, rare_actions: 0 };
            let group = groups.entry(key).or_insert_with(none);
            group.decisions += 1;
            group.loss_bb += reviewed.loss_bb();
            group.rare_actions += u64::from(reviewed.decision.frequency() < RARE);
        }
        // Situations that people call the same are one.
        let mut named: Vec<LossGroup> = Vec::with_capacity(groups.len());
        for group in groups.into_values() {
            match named.iter_mut().find(|other| other.name == group.name) {
                Some(other) => {
                    other.decisions += group.decisions;
                    other.loss_bb += group.loss_bb;
                    other.rare_actions += group.rare_actions;
                }
                None => named.push(group),
            }
        }
        named
    }

    /// By street, the first street first.
    #[must_use]
    pub fn by_street(&self) -> Vec<LossGroup> {
        self.groups(|decision| decision.before.street())
    }

    /// By kind of pot, position, and what was answered.
    #[must_use]
    pub fn by_situation(&self) -> Vec<LossGroup> {
        self.groups(|decision| decision.situation)
    }

    /// The decisions that cost most, the dearest first; those that cost nothing are left out.
    #[must_use]
    pub fn worst(&self, count: usize) -> Vec<&Reviewed> {
        let mut all: Vec<_> = self.decisions.iter().filter(|reviewed| reviewed.decision.loss > 0.0).collect();
        all.sort_by(|a, b| b.loss_bb().total_cmp(&a.loss_bb()));
        all.truncate(count);
        all
    }
}
