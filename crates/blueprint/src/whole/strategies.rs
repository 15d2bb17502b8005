//! What plays a whole game: strategies of buckets, wherever they are kept.

use equipoise_game::NodeKind;

use crate::bucketed::betting::Betting;
use crate::whole::blueprint::Blueprint;
use crate::whole::game::{Position, WholeGame};

/// Strategies of all information sets of a game.
pub(crate) trait Strategies: Sync {
    fn game(&self) -> &WholeGame;
    fn betting(&self) -> &Betting;
    /// By street: how many buckets it has; 0 for streets that are not played.
    fn num_buckets(&self) -> [usize; 4];
    /// How often a bucket takes an action at a node where somebody acts.
    fn frequency(&self, node: usize, action: usize, bucket: usize) -> f64;
}

impl<'s> dyn Strategies + 's {
    /// The first decision of a hand.
    pub(super) fn root(&self) -> Position<'_> {
        Position::root(self.game()).expect("the game was checked")
    }

    /// The position after an action.
    pub(super) fn act<'a>(&self, position: &Position<'a>, action: usize) -> Option<Position<'a>> {
        position.after(action, self.betting().nodes[position.node].first_child)
    }

    /// How often each action is taken with a bucket; empty if nobody acts.
    pub(super) fn strategy(&self, position: &Position<'_>, bucket: usize) -> Vec<f64> {
        let node = &self.betting().nodes[position.node];
        match node.kind {
            NodeKind::Decision(_) => {
                (0..node.num_children).map(|action| self.frequency(position.node, action, bucket)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Strategies for Blueprint {
    fn game(&self) -> &WholeGame {
        &self.header().game
    }

    fn betting(&self) -> &Betting {
        Blueprint::betting(self)
    }

    fn num_buckets(&self) -> [usize; 4] {
        self.header().num_buckets
    }

    fn frequency(&self, node: usize, action: usize, bucket: usize) -> f64 {
        Blueprint::frequency(self, node, action, bucket)
    }
}
