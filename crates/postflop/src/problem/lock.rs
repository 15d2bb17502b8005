//! Strategies that the solver must not change.

use std::collections::{HashMap, HashSet};

use equipoise_cards::{Card, Combo, SuitPermutation};
use equipoise_game::Line;

/// What is locked at a decision.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums)] // What a lock can say.
pub enum LockedStrategy {
    /// Every combo plays each action this often; one number per action, in the tree's order.
    Every(Vec<f64>),
    /// Only these combos are locked; the others are solved.
    Combos(Vec<(Combo, Vec<f64>)>),
}

/// A decision whose strategy is given rather than solved.
///
/// ```
/// use equipoise_postflop::{Lock, LockedStrategy};
/// // Out of position always checks the root.
/// let lock = Lock::new("".parse()?, LockedStrategy::Every(vec![1.0, 0.0, 0.0]));
/// assert!(lock.runout.is_empty());
/// # Ok::<(), equipoise_game::ParseLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lock {
    /// The actions that lead to the decision.
    pub line: Line,
    /// The cards dealt after the root, one per street; empty: whatever cards come.
    pub runout: Vec<Card>,
    /// What is played there.
    pub strategy: LockedStrategy,
}

impl Lock {
    /// A lock that holds whatever cards come.
    #[must_use]
    pub fn new(line: Line, strategy: LockedStrategy) -> Lock {
        Lock { line, runout: Vec::new(), strategy }
    }

    /// The same lock for these cards only.
    #[must_use]
    pub fn on(mut self, runout: Vec<Card>) -> Lock {
        self.runout = runout;
        self
    }

    /// How often a combo takes each action, summing to 1; nothing where it is solved.
    pub(crate) fn frequencies(&self, combo: u16) -> Option<impl Iterator<Item = f64>> {
        let found = match &self.strategy {
            LockedStrategy::Every(frequencies) => frequencies,
            LockedStrategy::Combos(combos) => {
                &combos.iter().rfind(|(other, _)| other.index() == usize::from(combo))?.1
            }
        };
        let sum: f64 = found.iter().sum();
        Some(found.iter().map(move |frequency| frequency / sum))
    }

    /// What the lock becomes when the suits are renamed.
    pub(crate) fn map_suits(&self, suits: SuitPermutation) -> Lock {
        let strategy = match &self.strategy {
            LockedStrategy::Every(frequencies) => LockedStrategy::Every(frequencies.clone()),
            LockedStrategy::Combos(combos) => {
                let map =
                    |(combo, frequencies): &(Combo, Vec<f64>)| (suits.map_combo(*combo), frequencies.clone());
                LockedStrategy::Combos(combos.iter().map(map).collect())
            }
        };
        let runout = self.runout.iter().map(|&card| suits.map_card(card)).collect();
        Lock { line: self.line.clone(), runout, strategy }
    }

    /// Whether both locks speak of some combo.
    fn shares_combo(&self, other: &Lock) -> bool {
        match (&self.strategy, &other.strategy) {
            (LockedStrategy::Combos(ours), LockedStrategy::Combos(theirs)) => {
                let theirs: HashSet<Combo> = theirs.iter().map(|&(combo, _)| combo).collect();
                ours.iter().any(|(combo, _)| theirs.contains(combo))
            }
            _ => true,
        }
    }

    /// Bytes that locks of the same decision share if they say the same, in whatever order.
    pub(crate) fn key(&self) -> Vec<u8> {
        let mut sorted = self.clone();
        if let LockedStrategy::Combos(combos) = &mut sorted.strategy {
            combos.sort_by_key(|&(combo, _)| combo);
        }
        let mut bytes = Vec::new();
        sorted.write_bytes(&mut bytes);
        bytes
    }
}

/// The pairs of locks that speak of the same combos at the same decision: of these the later one holds.
pub(crate) fn conflicts(locks: &[Lock]) -> Vec<(usize, usize)> {
    // By decision and cards, because files may have many locks.
    let mut groups: HashMap<(String, &[Card]), Vec<usize>> = HashMap::new();
    for (at, lock) in locks.iter().enumerate() {
        groups.entry((lock.line.to_string(), &lock.runout)).or_default().push(at);
    }
    let mut pairs = Vec::new();
    for ((line, runout), group) in &groups {
        for (place, &one) in group.iter().enumerate() {
            pairs.extend(group[place + 1..].iter().map(|&other| (one, other)));
        }
        // Locks that hold whatever cards come.
        if let Some(always) = groups.get(&(line.clone(), &[][..])).filter(|_| !runout.is_empty()) {
            for &one in group {
                pairs.extend(always.iter().map(|&other| (one.min(other), one.max(other))));
            }
        }
    }
    pairs.retain(|&(one, other)| locks[one].shares_combo(&locks[other]));
    pairs
}
