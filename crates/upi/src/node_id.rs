//! Names of nodes: `r:0:b100:c:8h`.
//!
//! `r` is the root, `r:0` its first decision. Then come actions, `c` for check or call, `f` for fold, `b` with what the
//! player has invested since the root for a bet or raise, and cards where they come.

use equipoise_cards::{Board, Card};
use equipoise_game::{NodeId, NodeKind, Tree};
use equipoise_postflop::{NodePath, Spot};

use crate::error::{UpiError, shown};

/// A node on one board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// Whether it is `r`, which comes before the first decision.
    pub(crate) is_root: bool,
    pub(crate) node: NodeId,
    /// The cards after the root's board.
    pub(crate) runout: Vec<Card>,
}

impl Place {
    const ROOT: Place = Place { is_root: true, node: NodeId::ROOT, runout: Vec::new() };

    /// Finds a node by its name.
    pub(crate) fn parse(name: &str, spot: &Spot) -> Result<Place, UpiError> {
        let wrong = |reason: String| UpiError::new(format!("node '{}': {reason}", shown(name)));
        let mut parts = name.split(':');
        if parts.next() != Some("r") {
            return Err(wrong("names begin with r, as in r:0:c".to_owned()));
        }
        let mut place = Place::ROOT;
        match parts.next() {
            None => return Ok(place),
            Some("0") => place.is_root = false,
            Some(other) => return Err(wrong(format!("after r comes 0, not '{}'", shown(other)))),
        }
        for part in parts {
            place = place.step(part, spot).map_err(wrong)?;
        }
        Ok(place)
    }

    fn step(&self, part: &str, spot: &Spot) -> Result<Place, String> {
        let (tree, here) = (spot.tree(), || self.name(spot));
        match tree.node(self.node).kind() {
            NodeKind::Decision(_) => {
                let children = self.children(spot);
                let names: Vec<String> = children.iter().map(|child| child.last_part(spot)).collect();
                let at = names.iter().position(|name| name == part).ok_or_else(|| {
                    format!("there is no '{}' after {}; possible: {}", shown(part), here(), names.join(", "))
                })?;
                Ok(children[at].clone())
            }
            NodeKind::Chance => {
                let board = self.board(spot);
                let free = || Card::ALL.into_iter().find(|&card| !board.set().contains(card));
                let example = || free().map(|card| card.to_string()).unwrap_or_default();
                let card: Card = part.parse().map_err(|_| {
                    format!("after {} a card comes, not '{}': write {0}:{}", here(), shown(part), example())
                })?;
                if board.set().contains(card) {
                    return Err(format!("{card} cannot come after {}: it is on the board", here()));
                }
                let node = tree.node(self.node).children().next().ok_or("no card comes there")?;
                let runout = self.runout.iter().copied().chain([card]).collect();
                Ok(Place { is_root: false, node, runout })
            }
            _ => Err(format!("the hand is over at {}", here())),
        }
    }

    /// The name of the node.
    pub(crate) fn name(&self, spot: &Spot) -> String {
        if self.is_root {
            return "r".to_owned();
        }
        let tree = spot.tree();
        let mut parts = Vec::new();
        let (mut at, mut cards) = (self.node, self.runout.iter().rev());
        while let Some(parent) = tree.node(at).parent() {
            parts.push(match action_part(tree, at) {
                Some(part) => part,
                None => cards.next().map(ToString::to_string).unwrap_or_default(),
            });
            at = parent;
        }
        parts.extend(["0".to_owned(), "r".to_owned()]);
        parts.reverse();
        parts.join(":")
    }

    fn last_part(&self, spot: &Spot) -> String {
        action_part(spot.tree(), self.node).unwrap_or_default()
    }

    /// The nodes after this one: bets and raises from the largest, then check or call, then fold; or cards.
    pub(crate) fn children(&self, spot: &Spot) -> Vec<Place> {
        if self.is_root {
            return vec![Place { is_root: false, ..self.clone() }];
        }
        let node = spot.tree().node(self.node);
        if node.kind() == NodeKind::Chance {
            let board = self.board(spot);
            let next = node.children().next();
            let cards = Card::ALL.into_iter().filter(|&card| !board.set().contains(card));
            return cards
                .filter_map(|card| {
                    let runout = self.runout.iter().copied().chain([card]).collect();
                    Some(Place { is_root: false, node: next?, runout })
                })
                .collect();
        }
        node.children()
            .rev()
            .map(|node| Place { is_root: false, node, runout: self.runout.clone() })
            .collect()
    }

    pub(crate) fn board(&self, spot: &Spot) -> Board {
        self.runout.iter().fold(*spot.board(), |board, &card| board.deal(card).unwrap_or(board))
    }

    /// The same place as the rest of the engine names it.
    pub(crate) fn path(&self, spot: &Spot) -> NodePath {
        NodePath { line: spot.tree().line_to(self.node), runout: self.runout.clone() }
    }
}

/// `c`, `f` or `b` with its total; nothing for a node that a card leads to.
fn action_part(tree: &Tree, node: NodeId) -> Option<String> {
    let action = tree.node(node).action()?;
    Some(match action.total() {
        None if action.kind() == "fold" => "f".to_owned(),
        None => "c".to_owned(),
        Some(_) => {
            let player = tree.node(node).parent().and_then(|parent| tree.node(parent).player())?;
            format!("b{}", tree.node(node).invested(player))
        }
    })
}

/// Every betting line of a tree, without cards: parents first, folds before calls before bets.
pub(crate) fn all_lines(tree: &Tree) -> Vec<String> {
    let mut names: Vec<String> = vec![String::new(); tree.nodes().len()];
    let mut lines = vec!["r".to_owned()];
    let mut pending = vec![tree.root()];
    while let Some(id) = pending.pop() {
        let node = tree.node(id);
        let before = node.parent().map_or_else(|| "r:0".to_owned(), |parent| names[parent.index()].clone());
        match action_part(tree, id) {
            Some(part) => names[id.index()] = format!("{before}:{part}"),
            // A card is not part of a line.
            None => names[id.index()] = before,
        }
        if node.parent().is_none() || node.action().is_some() {
            lines.push(names[id.index()].clone());
        }
        pending.extend(node.children().rev());
    }
    lines
}
