//! The best answer to a strategy, and how far that strategy is from equilibrium.

use crate::game::Player;
use crate::strategy::{Reach, Strategy};
use crate::tree::{NodeKind, Tree};

impl Tree {
    /// What `player` wins on average with the best answer to the other player's part of `strategy`.
    ///
    /// # Panics
    /// If the strategy is another tree's and does not fit.
    #[must_use]
    pub fn best_response_ev(&self, player: Player, strategy: &Strategy) -> f64 {
        let answer = self.best_response(player, strategy);
        self.evs(&answer)[player.index()]
    }

    /// The strategy with `player`'s part replaced by the best answer to the other's part.
    ///
    /// The best action of an information set depends on the player's later ones only, so they are found from
    /// the deepest (in own actions) upwards, one pass over the tree for each depth.
    ///
    /// # Panics
    /// If the strategy is another tree's and does not fit.
    #[must_use]
    pub fn best_response(&self, player: Player, strategy: &Strategy) -> Strategy {
        let mut reaches = vec![Reach::default(); self.num_nodes()];
        self.fill_reaches(player, strategy.probabilities(), &mut reaches);
        let mut answer = strategy.probabilities().to_vec();
        let mut evs = vec![0.0; self.num_nodes()];
        let num_depths = self.infosets_of(player).map(|(_, infoset)| infoset.own_depth + 1).max();
        for depth in (0..num_depths.unwrap_or(0)).rev() {
            let action_cfvs = self.action_cfvs(player, &answer, &reaches, &mut evs);
            for (_, infoset) in self.infosets_of(player).filter(|(_, infoset)| infoset.own_depth == depth) {
                let best = first_maximum(&action_cfvs[infoset.entries()]);
                let own = &mut answer[infoset.entries()];
                own.fill(0.0);
                own[best] = 1.0;
            }
        }
        Strategy::normalised(self, answer)
    }

    /// The cfv of every action of `player` when `probabilities` are played after it.
    pub(crate) fn action_cfvs(
        &self,
        player: Player,
        probabilities: &[f64],
        reaches: &[Reach],
        evs: &mut [f64],
    ) -> Vec<f64> {
        let mut cfvs = vec![0.0; self.num_entries()];
        self.fill_evs(player, probabilities, evs, |node_id, evs| {
            let node = &self.nodes[node_id];
            if let NodeKind::Decision { first_entry, .. } = node.kind {
                for (cfv, ev) in cfvs[first_entry..].iter_mut().zip(&evs[node.children()]) {
                    *cfv += reaches[node_id].cf * ev;
                }
            }
        });
        cfvs
    }

    /// Exploitability: the mean of what each player would gain by a best response, in the game's unit.
    ///
    /// # Panics
    /// If the strategy is another tree's and does not fit.
    #[must_use]
    pub fn exploitability(&self, strategy: &Strategy) -> f64 {
        let evs = self.evs(strategy);
        let gain = |player: Player| self.best_response_ev(player, strategy) - evs[player.index()];
        (gain(Player::First) + gain(Player::Second)) / 2.0
    }
}

fn first_maximum(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
