//! Strategies that the solver must not change.

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
