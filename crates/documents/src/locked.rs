//! What is locked at a decision.

use equipoise_cards::{Card, Combo};
use equipoise_game::NodeId;
use equipoise_postflop::{Lock, LockedStrategy, Spot};

/// Whose strategy is given rather than solved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // All combos or some.
pub enum Locked {
    /// Every combo's.
    All,
    /// That of these combos.
    Some(Vec<Combo>),
}

impl Locked {
    /// What is locked at a decision after these cards, if anything is.
    #[must_use]
    pub fn at(spot: &Spot, node: NodeId, runout: &[Card]) -> Option<Locked> {
        let holds = |lock: &&Lock| {
            (lock.runout.is_empty() || lock.runout == runout) && spot.tree().find(&lock.line) == Ok(node)
        };
        let lock = spot.locks().iter().find(holds)?;
        Some(match &lock.strategy {
            LockedStrategy::Combos(combos) => Locked::Some(combos.iter().map(|(combo, _)| *combo).collect()),
            _ => Locked::All,
        })
    }

    /// `all` or `some`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Locked::All => "all",
            Locked::Some(_) => "some",
        }
    }
}
