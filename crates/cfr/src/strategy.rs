//! A probability for every action of a tree, and what it is worth.

use thiserror::Error;

use crate::game::Player;
use crate::tree::{Infoset, NodeKind, Tree};

/// A strategy of both players: a probability for every action of every information set.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    probabilities: Vec<f64>,
}

/// Numbers that are no strategy of the tree.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// Not one number per action.
    #[error("the tree has {expected} actions, not {found}")]
    Length {
        /// The tree's number of actions.
        expected: usize,
        /// How many numbers there are.
        found: usize,
    },
    /// An information set whose numbers are no probabilities.
    #[error("the numbers of information set {infoset} are no probabilities or do not sum to 1")]
    Probabilities {
        /// Its text.
        infoset: String,
    },
}

impl Strategy {
    /// A strategy from numbers in the order of [`Infoset::entries`].
    ///
    /// # Errors
    /// If they are not probabilities for this tree.
    pub fn new(tree: &Tree, probabilities: Vec<f64>) -> Result<Strategy, StrategyError> {
        let (expected, found) = (tree.num_entries(), probabilities.len());
        if expected != found {
            return Err(StrategyError::Length { expected, found });
        }
        for infoset in tree.infosets() {
            let own = &probabilities[infoset.entries()];
            let sum: f64 = own.iter().sum();
            if !own.iter().all(|&p| p >= 0.0) || (sum - 1.0).abs() >= 1e-9 {
                return Err(StrategyError::Probabilities { infoset: infoset.name().to_owned() });
            }
        }
        Ok(Strategy { probabilities })
    }

    /// Weights normalised per information set; uniform where all are 0.
    pub(crate) fn normalised(tree: &Tree, mut weights: Vec<f64>) -> Strategy {
        for infoset in tree.infosets() {
            normalise(&mut weights[infoset.entries()]);
        }
        Strategy { probabilities: weights }
    }

    /// All probabilities, in the order of [`Infoset::entries`].
    #[must_use]
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The probabilities of one information set.
    #[must_use]
    pub fn at(&self, infoset: &Infoset) -> &[f64] {
        &self.probabilities[infoset.entries()]
    }
}

impl Tree {
    /// Every action equally often.
    #[must_use]
    pub fn uniform_strategy(&self) -> Strategy {
        Strategy::normalised(self, vec![0.0; self.num_entries()])
    }

    /// What each player wins on average when both play `strategy`.
    ///
    /// # Panics
    /// If the strategy is another tree's and does not fit.
    #[must_use]
    pub fn evs(&self, strategy: &Strategy) -> [f64; 2] {
        Player::ALL.map(|player| {
            let mut evs = vec![0.0; self.num_nodes()];
            self.fill_evs(player, strategy.probabilities(), &mut evs, |_, _| {});
            evs[0]
        })
    }

    /// One pass up: the expected payoff of `player` at every node. `at_own_node` is called at each of the
    /// player's nodes once its children are known, with the node's id and all values so far.
    pub(crate) fn fill_evs(
        &self,
        player: Player,
        probabilities: &[f64],
        evs: &mut [f64],
        mut at_own_node: impl FnMut(usize, &[f64]),
    ) {
        for (node_id, node) in self.nodes.iter().enumerate().rev() {
            let children = node.children();
            evs[node_id] = match node.kind {
                NodeKind::Terminal(payoffs) => payoffs[player.index()],
                NodeKind::Chance => children.map(|child| self.nodes[child].chance * evs[child]).sum(),
                NodeKind::Decision { first_entry, .. } => {
                    let own = probabilities[first_entry..].iter();
                    own.zip(&evs[children]).map(|(probability, ev)| probability * ev).sum()
                }
            };
            if matches!(node.kind, NodeKind::Decision { player: actor, .. } if actor == player) {
                at_own_node(node_id, evs);
            }
        }
    }

    /// One pass down: own reach and cf reach of `player` at every node.
    pub(crate) fn fill_reaches(&self, player: Player, probabilities: &[f64], reaches: &mut [Reach]) {
        reaches[0] = Reach { own: 1.0, cf: 1.0 };
        for (node_id, node) in self.nodes.iter().enumerate() {
            let reach = reaches[node_id];
            for (action, child) in node.children().enumerate() {
                reaches[child] = match node.kind {
                    NodeKind::Decision { player: actor, first_entry } => {
                        reach.after(actor == player, probabilities[first_entry + action])
                    }
                    _ => reach.after(false, self.nodes[child].chance),
                };
            }
        }
    }
}

/// How likely a player's own actions are to come to a node, and everything else.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) own: f64,
    pub(crate) cf: f64,
}

impl Reach {
    fn after(self, own: bool, probability: f64) -> Reach {
        if own {
            Reach { own: self.own * probability, ..self }
        } else {
            Reach { cf: self.cf * probability, ..self }
        }
    }
}

/// Divides by the sum; uniform if that is 0.
pub(crate) fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    } else {
        weights.fill(1.0 / weights.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::ToyGame;

    #[test]
    fn numbers_are_checked() {
        let tree = ToyGame::Kuhn.tree();
        let uniform = tree.uniform_strategy();
        assert_eq!(Strategy::new(&tree, uniform.probabilities().to_vec()), Ok(uniform));
        assert!(matches!(
            Strategy::new(&tree, vec![0.5; 3]),
            Err(StrategyError::Length { expected: 24, .. })
        ));
        for wrong in [0.4, f64::NAN, -0.5] {
            let mut probabilities = vec![0.5; 24];
            probabilities[7] = wrong;
            assert!(matches!(Strategy::new(&tree, probabilities), Err(StrategyError::Probabilities { .. })));
        }
    }
}
