//! Subgames of streets that a file leaves out, re-solved from the ranges that get there.

use std::collections::HashMap;
use std::sync::Arc;

use equipoise_cards::{Card, Range};
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_progress::Observer;

use super::board_view::BoardStart;
use super::hands::HandDetail;
use super::node::ViewDetail;
use super::{ReadError, Reader};
use crate::compile::layout::combo_at;
use crate::problem::spot::SpotError;
use crate::read::view::{NodeView, PlayerView, ResolvedSubgame};
use crate::solve::progress::{SolveProgress, StopReason};
use crate::solve::solver::{SolveError, Solver};

/// A subgame that was re-solved.
#[derive(Debug)]
pub(super) struct Subgame {
    reader: Reader,
    /// The nodes of the whole tree, by those of the subgame.
    nodes: Vec<NodeId>,
    resolved: ResolvedSubgame,
    /// What the weights of the ranges were divided by.
    scales: PerPlayer<f64>,
}

/// A subgame in the whole tree: its first node there, and how many cards are dealt before that.
pub(super) struct Part<'a> {
    pub subgame: &'a Subgame,
    pub start: NodeId,
    pub depth: usize,
}

/// Subgames that stay in memory, so that reading many takes no more of it than reading a few.
const MAX_SUBGAMES: usize = 16;

/// The subgames that were re-solved, by where they begin.
pub(super) type Subgames = HashMap<(NodeId, Vec<Card>), Arc<Subgame>>;

impl Subgame {
    /// The subgame's own node for one of the whole tree that is in it.
    fn node(&self, node: NodeId) -> NodeId {
        let at = self.nodes.iter().position(|&old| old == node).expect("the subgame has the node");
        self.reader.spot.tree().node_ids().nth(at).expect("as many nodes")
    }

    /// Makes the weights of a player those of the whole solution.
    fn scale(&self, player: &mut PlayerView) {
        let (own, other) = (self.scales[player.player], self.scales[player.player.opponent()]);
        for combo in &mut player.combos {
            combo.weight *= own;
            combo.matchups *= other;
            combo.share *= own * other;
        }
    }

    /// What a player has at a node of the whole tree that is in the subgame.
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
    /// The subgame of a node that the file leaves out, re-solved if need be; where it begins and how many cards are dealt
    /// before it.
    pub(super) fn subgame(
        &self,
        node: NodeId,
        runout: &[Card],
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Option<(Arc<Subgame>, NodeId, usize)>, ReadError> {
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
        if let Some(known) = self.subgames.lock().expect("no thread panics with the lock").get(&key) {
            return Ok(Some((Arc::clone(known), start, depth)));
        }
        let subgame = Arc::new(self.resolve(start, &runout[..depth], observer)?);
        let mut subgames = self.subgames.lock().expect("no thread panics with the lock");
        if subgames.len() >= MAX_SUBGAMES {
            subgames.clear();
        }
        subgames.insert(key, Arc::clone(&subgame));
        Ok(Some((subgame, start, depth)))
    }

    fn resolve(
        &self,
        start: NodeId,
        runout: &[Card],
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Subgame, ReadError> {
        let street = self.spot.tree().node(start).street();
        let failed = |reason: String| ReadError::Resolve { street, reason };
        let BoardStart { board, numbers, entries, .. } = self.before(start, runout)?;
        let weights = &entries[0].1;
        let scales = weights
            .as_ref()
            .map(|weights| weights.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE));
        let range = |player: Player| {
            let mut range = Range::default();
            for (&number, weight) in numbers[player].iter().zip(&weights[player]) {
                let weight = weight / scales[player];
                if weight > 1e-6 {
                    range.set(combo_at(number), weight.min(1.0) as f32).expect("a weight from 0 to 1");
                }
            }
            range
        };
        let (spot, nodes) = self
            .spot
            .below(start, board, PerPlayer::from_fn(range))
            .map_err(|error: SpotError| failed(error.to_string()))?;
        let mut solver =
            Solver::new(spot, &self.options).map_err(|error: SolveError| failed(error.to_string()))?;
        let reason = solver.run(observer);
        if reason == StopReason::Stopped {
            return Err(ReadError::Stopped { street });
        }
        let mut solution = solver.into_solution();
        let exploitability = solution.measure();
        let resolved = ResolvedSubgame { exploitability, iterations: solution.iterations() };
        Ok(Subgame { reader: Reader::of(&mut solution), nodes, resolved, scales })
    }

    /// Where the street before a subgame ends, on the subgame's first board.
    fn before(&self, start: NodeId, runout: &[Card]) -> Result<BoardStart, ReadError> {
        // The street before it ends with a card, so its last node is the chance node.
        let chance = self.spot.tree().node(start).parent().expect("a street comes before");
        let (dealt, cards) = runout.split_at(self.spot.num_dealt(chance));
        let mut before = self.board_start(chance, dealt)?;
        for &card in cards {
            let board = before.board;
            before = before.deal(card).ok_or(ReadError::Card { card, board })?;
        }
        Ok(before)
    }

    pub(super) fn view_subgame(
        &self,
        &Part { subgame, start, depth }: &Part<'_>,
        node: NodeId,
        runout: &[Card],
        detail: ViewDetail,
    ) -> Result<NodeView, ReadError> {
        let own = subgame.node(node);
        let mut view = subgame.reader.view_at(own, &runout[depth..], detail, &mut ())?;
        view.players.iter_mut().for_each(|player| subgame.scale(player));
        view.node = node;
        view.runout = runout.to_vec();
        view.probability *= self.probability(&self.before(start, &runout[..depth])?);
        view.subgame = Some(subgame.resolved);
        Ok(view)
    }
}
