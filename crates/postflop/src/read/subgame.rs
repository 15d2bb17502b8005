//! Streets that a file leaves out, solved again from the ranges that get there.

use std::collections::HashMap;
use std::sync::Arc;

use equipoise_cards::{Card, Combo, Range};
use equipoise_game::{NodeId, Player};
use equipoise_progress::Observer;

use super::hands::HandDetail;
use super::{Detail, ReadError, Reader};
use crate::problem::spot::SpotError;
use crate::read::equity::Weights;
use crate::read::view::{NodeView, PlayerView, SolvedAgain};
use crate::solve::progress::{SolveProgress, StopReason};
use crate::solve::solver::{SolveError, Solver};

/// A part that was solved again.
#[derive(Debug)]
pub(super) struct Again {
    reader: Reader,
    /// The nodes of the whole tree, by those of the part.
    nodes: Vec<NodeId>,
    solved: SolvedAgain,
    /// What the weights of the ranges were divided by.
    scales: [f64; 2],
}

/// A part that was solved again: the first node of it in the whole tree, and how many cards are dealt before that.
pub(super) struct Part<'a> {
    pub again: &'a Again,
    pub start: NodeId,
    pub depth: usize,
}

/// Parts that are kept once they were solved again, so that reading many takes no more memory than reading a few.
const MOST_PARTS: usize = 16;

/// The parts that were solved again, by where they begin.
pub(super) type Parts = HashMap<(NodeId, Vec<Card>), Arc<Again>>;

impl Again {
    /// The part's own node for one of the whole tree that is in it.
    fn node(&self, node: NodeId) -> NodeId {
        let at = self.nodes.iter().position(|&old| old == node).expect("the part has the node");
        self.reader.spot.tree().node_ids().nth(at).expect("as many nodes")
    }

    /// Makes the weights of a player those of the whole solution.
    fn scale(&self, player: &mut PlayerView) {
        let (own, other) =
            (self.scales[player.player.index()], self.scales[player.player.opponent().index()]);
        for combo in &mut player.combos {
            combo.weight *= own;
            combo.meets *= other;
            combo.share *= own * other;
        }
    }

    /// What a player has at a node of the whole tree that is in the part.
    pub(super) fn hands(
        &self,
        node: NodeId,
        runout: &[Card],
        player: Player,
        detail: HandDetail,
    ) -> Result<PlayerView, ReadError> {
        let mut view = self.reader.hands_at(self.node(node), runout, player, detail, &mut ())?;
        self.scale(&mut view);
        Ok(view)
    }
}

impl Reader {
    /// The part that has a node which the file leaves out, solved again if need be; where it begins and how many cards
    /// are dealt before it.
    pub(super) fn solved_again(
        &self,
        node: NodeId,
        runout: &[Card],
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Option<(Arc<Again>, NodeId, usize)>, ReadError> {
        let tree = self.spot.tree();
        if tree.node(node).street() <= self.last {
            return Ok(None);
        }
        let mut start = node;
        while let Some(parent) = tree.node(start).parent() {
            let is_first = tree.node(start).action().is_none();
            if is_first && tree.node(parent).street() == self.last {
                break;
            }
            start = parent;
        }
        let depth = self.spot.num_dealt(start);
        let key = (start, runout[..depth].to_vec());
        if let Some(known) = self.again.lock().expect("no thread panics with the lock").get(&key) {
            return Ok(Some((Arc::clone(known), start, depth)));
        }
        let again = Arc::new(self.solve_again(start, &runout[..depth], observer)?);
        let mut parts = self.again.lock().expect("no thread panics with the lock");
        if parts.len() >= MOST_PARTS {
            parts.clear();
        }
        parts.insert(key, Arc::clone(&again));
        Ok(Some((again, start, depth)))
    }

    fn solve_again(
        &self,
        start: NodeId,
        runout: &[Card],
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Again, ReadError> {
        let street = self.spot.tree().node(start).street();
        let failed = |reason: String| ReadError::Again { street, reason };
        let board = self.board(runout)?;
        // The street before it ends with a card, so its last node is the chance node.
        let chance = self.spot.tree().node(start).parent().expect("a street comes before");
        let weights = self.weights_before(chance, runout)?;
        let scales = weights
            .each_ref()
            .map(|weights| weights.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE));
        let range = |player: usize| {
            let mut range = Range::default();
            for combo in Combo::all() {
                let weight = weights[player][combo.index()] / scales[player];
                if weight > 1e-6 {
                    range.set(combo, weight.min(1.0) as f32).expect("a weight from 0 to 1");
                }
            }
            range
        };
        let (spot, nodes) = self
            .spot
            .below(start, board, [range(0), range(1)])
            .map_err(|error: SpotError| failed(error.to_string()))?;
        let mut solver =
            Solver::new(spot, &self.options).map_err(|error: SolveError| failed(error.to_string()))?;
        let reason = solver.run(observer);
        if reason == StopReason::Stopped {
            return Err(ReadError::Stopped { street });
        }
        let mut solution = solver.into_solution();
        let exploitability = solution.measure();
        let solved = SolvedAgain { exploitability, iterations: solution.iterations() };
        Ok(Again { reader: Reader::of(&mut solution), nodes, solved, scales })
    }

    /// The weights at the end of a street that is there, without what the next cards block.
    fn weights_before(&self, chance: NodeId, runout: &[Card]) -> Result<Weights, ReadError> {
        let before = &runout[..self.spot.num_dealt(chance)];
        let mut weights = self.weights(chance, before)?;
        let dead = self.board(runout)?.set();
        for combo in Combo::all().filter(|combo| combo.cards().intersects(dead)) {
            weights.iter_mut().for_each(|weights| weights[combo.index()] = 0.0);
        }
        Ok(weights)
    }

    pub(super) fn view_again(
        &self,
        &Part { again, start, depth }: &Part<'_>,
        node: NodeId,
        runout: &[Card],
        detail: Detail,
    ) -> Result<NodeView, ReadError> {
        let part = again.node(node);
        let mut view = again.reader.view_at(part, &runout[depth..], detail, &mut ())?;
        let chance = self.spot.tree().node(start).parent().expect("a street comes before");
        let before = self.weights_before(chance, &runout[..depth])?;
        view.players.iter_mut().for_each(|player| again.scale(player));
        view.node = node;
        view.runout = runout.to_vec();
        view.probability *= self.probability(&self.board(&runout[..depth])?, &before);
        view.solved_again = Some(again.solved);
        Ok(view)
    }
}
