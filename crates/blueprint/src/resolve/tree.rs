//! The betting of a street and those after it as a tree: what the blueprint considers, and what was played beside it.

use equipoise_game::{
    Action, BettingAbstraction, HandState, Line, NodeId, NodeKind, Thresholds, Tree, TreeConfig,
    WrittenAction,
};

use crate::resolve::{ResolveError, is_same};
use crate::whole::{Blueprint, Position};

/// What the tree is built from.
#[derive(Debug)]
pub(super) struct StreetTree {
    pub config: TreeConfig,
}

impl StreetTree {
    /// From the first decision of a street, with the actions that were played there.
    pub(super) fn new(
        hand: &HandState,
        betting: &BettingAbstraction,
        played: &[Action],
    ) -> Result<StreetTree, ResolveError> {
        let mut config = TreeConfig::new(hand.street(), hand.pot(), hand.behind());
        // The lines say all.
        config.thresholds =
            Thresholds { add_allin: 0.0, force_allin: 0.0, merging: 0.0, ..Thresholds::default() };
        let mut lines = Vec::new();
        add_lines(hand, betting, Some(played), &Line::root(), &mut lines);
        config.add_lines = lines;
        Ok(StreetTree { config })
    }

    /// By node: where it is in the blueprint.
    pub(super) fn positions<'a>(
        &self,
        tree: &Tree,
        blueprint: &'a Blueprint,
        root: &Position<'a>,
    ) -> Vec<Option<Position<'a>>> {
        let mut positions = vec![None; tree.node_ids().count()];
        positions[NodeId::ROOT.index()] = Some(root.clone());
        for id in tree.node_ids() {
            let Some(position): Option<Position<'a>> = positions[id.index()].clone() else { continue };
            if tree.node(id).kind() == NodeKind::Chance {
                for child in tree.node(id).children() {
                    positions[child.index()] = blueprint.deal(&position);
                }
                continue;
            }
            let actions = position.actions();
            for (action, child) in tree.actions(id) {
                let place = actions.iter().position(|&other| is_same(other, action));
                positions[child.index()] = place.and_then(|place| blueprint.act(&position, place));
            }
        }
        positions
    }
}

/// Every line that ends with a bet or a raise.
fn add_lines(
    hand: &HandState,
    betting: &BettingAbstraction,
    played: Option<&[Action]>,
    line: &Line,
    lines: &mut Vec<Line>,
) {
    match hand.kind() {
        NodeKind::Chance => {
            let mut line = line.clone();
            line.deal();
            if let Ok(next) = hand.deal() {
                add_lines(&next, betting, None, &line, lines);
            }
        }
        NodeKind::Decision(_) => {
            let mut actions = betting.actions(hand);
            let next = played.and_then(<[Action]>::split_first);
            if let Some((&action, _)) = next
                && !actions.iter().any(|&other| is_same(other, action))
            {
                actions.push(action);
            }
            for action in actions {
                let Ok(after) = hand.act(action) else { continue };
                let mut line = line.clone();
                line.act(WrittenAction::from(action));
                if action.total().is_some() {
                    lines.push(line.clone());
                }
                let rest = next.filter(|(first, _)| is_same(**first, action)).map(|(_, rest)| rest);
                add_lines(&after, betting, rest, &line, lines);
            }
        }
        _ => {}
    }
}
