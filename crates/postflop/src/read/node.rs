//! Views of single decisions: rows of their boards.

use equipoise_cards::Card;
use equipoise_game::{NodeId, NodeKind, PerPlayer, Player};
use equipoise_progress::Observer;

use super::board::BoardReader;
use super::subgame::Part;
use super::{ReadError, Reader};
use crate::problem::node_path::NodePath;
use crate::read::view::{ComboView, NodeView, PlayerView};
use crate::solve::progress::SolveProgress;

/// How much is found out about a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // With equities or without.
pub enum ViewDetail {
    /// Everything but equities, which take most of the time before the river: they are left empty.
    Strategies,
    /// Everything.
    #[default]
    Equities,
}

/// What a player has at a node, in the order of the board's list. Not a number: nothing.
#[derive(Debug, Default)]
pub(super) struct Hands {
    pub weights: Vec<f64>,
    pub matchups: Vec<f64>,
    /// Empty if they are not asked for.
    pub equities: Vec<f64>,
    pub evs: Vec<f64>,
    /// By action; empty for the player who does not act.
    pub frequencies: Vec<Vec<f64>>,
    pub action_evs: Vec<Vec<f64>>,
}

impl Hands {
    /// Combo by combo, by number. Where play never gets, hands count by their weight.
    pub(super) fn view(&self, board: &BoardReader<'_>, player: Player, is_reached: bool) -> PlayerView {
        let list = &board.lists[player];
        let there = |numbers: &[f64], place: usize| numbers.get(place).copied().filter(|ev| ev.is_finite());
        let combo = |place: usize| ComboView {
            combo: list.combos()[place],
            weight: self.weights[place],
            matchups: self.matchups[place],
            equity: there(&self.equities, place),
            ev: there(&self.evs, place),
            frequencies: self.frequencies.iter().map(|action| action[place]).collect(),
            action_evs: self.action_evs.iter().map(|evs| there(evs, place)).collect(),
            share: self.weights[place] * if is_reached { self.matchups[place] } else { 1.0 },
        };
        let places: Vec<usize> = (0..list.len()).collect();
        PlayerView { player, combos: list.sorted(&places).into_iter().map(combo).collect() }
    }
}

impl Reader {
    /// What can be seen at a decision. What the file leaves out is re-solved, and the observer is told about that.
    ///
    /// # Errors
    /// [`ReadError`] if there is no such decision, the file cannot be read, or the observer wants no more.
    pub fn view(
        &self,
        path: &NodePath,
        detail: ViewDetail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        let node = self.find(path)?;
        match self.spot.tree().node(node).kind() {
            NodeKind::Decision(_) => self.view_at(node, &path.runout, detail, observer),
            NodeKind::Chance => {
                let board = self.board(&path.runout)?;
                let example = Card::ALL.into_iter().find(|&card| !board.set().contains(card));
                let example = example.expect("a board leaves cards");
                Err(ReadError::Chance { path: path.clone(), example })
            }
            _ => Err(ReadError::HandOver { path: path.clone() }),
        }
    }

    /// The first decisions after each card that can come where a street ends.
    ///
    /// # Errors
    /// [`ReadError`] if no card comes there, and as [`view`](Self::view).
    pub fn runouts(
        &self,
        path: &NodePath,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<Vec<(Card, NodeView)>, ReadError> {
        let node = self.find(path)?;
        let at = self.spot.tree().node(node);
        let (NodeKind::Chance, Some(next)) = (at.kind(), at.children().next()) else {
            return Err(ReadError::NoChance { path: path.clone() });
        };
        let board = self.board(&path.runout)?;
        let cards = Card::ALL.into_iter().filter(|&card| !board.set().contains(card));
        let view = |card: Card| {
            let runout: Vec<Card> = path.runout.iter().copied().chain([card]).collect();
            Ok((card, self.view_at(next, &runout, ViewDetail::Equities, observer)?))
        };
        cards.map(view).collect()
    }

    pub(super) fn view_at(
        &self,
        node: NodeId,
        runout: &[Card],
        detail: ViewDetail,
        observer: &mut dyn Observer<SolveProgress>,
    ) -> Result<NodeView, ReadError> {
        self.check_wanted(node, observer)?;
        if let Some((subgame, start, depth)) = self.subgame(node, runout, observer)? {
            let part = Part { subgame: &subgame, start, depth };
            return self.view_subgame(&part, node, runout, detail);
        }
        let start = self.board_start(node, runout)?;
        let mut board = BoardReader::new(self, &start)?;
        board.read_decision(node, board.in_order(&start.entries[0].1));
        let row = &board.rows[0];
        let actor = row.player;
        let mut hands = PerPlayer::from_fn(|player| Hands {
            weights: row.weights[player].clone(),
            matchups: board.matchups(player, &row.weights),
            ..Hands::default()
        });
        if detail == ViewDetail::Equities {
            for (player, won) in Player::ALL.into_iter().zip(board.won_once(&row.weights)) {
                hands[player].equities = board.equities(player, won, &hands[player].matchups);
            }
        }
        let acting = &mut hands[actor];
        (acting.evs, acting.action_evs) = board.actor_evs(row, &acting.matchups);
        acting.frequencies.clone_from(&row.frequencies);
        let waiting = &mut hands[actor.opponent()];
        waiting.evs = board.waiting_evs(row, &waiting.matchups);
        let probability = board.probability(&hands[Player::Oop].weights, &hands[Player::Oop].matchups);
        let tree = self.spot.tree();
        Ok(NodeView {
            node,
            board: start.board,
            runout: runout.to_vec(),
            player: actor,
            actions: tree.actions(node).map(|(action, _)| action).collect(),
            pot: tree.pot(node),
            stacks: PerPlayer::from_fn(|player| tree.stack(node, player)),
            probability,
            players: PerPlayer::from_fn(|player| hands[player].view(&board, player, probability > 0.0)),
            subgame: None,
            unit: tree.unit(),
        })
    }
}
