//! The betting of one street as a flat list of steps, parents before children.

use equipoise_game::{NodeId, NodeKind, PerPlayer, Player, Tree};

use crate::bucketed::sweep::{LANES, Terminals};

/// The kind of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepKind {
    /// A player acts; the number of the decision in this betting.
    Decision { player: Player, decision: usize },
    /// The hand is over.
    Terminal,
    /// The next card comes; the number of the betting line after it.
    Chance { line: usize },
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub id: NodeId,
    pub kind: StepKind,
    /// The first of its children, which are consecutive.
    pub first_child: usize,
    pub num_children: usize,
}

/// The betting of one street from one node on. Values have a slot for each step. Reaches have fewer: a decision of the
/// traverser does not change the opponent's reach.
#[derive(Clone, Debug)]
pub(crate) struct Betting {
    pub steps: Vec<Step>,
    /// By traverser: the slot of the opponent's reach at each step.
    pub reach_slots: PerPlayer<Vec<usize>>,
    pub num_reaches: PerPlayer<usize>,
    /// By traverser: showdowns and folds, in batches.
    pub shows: PerPlayer<Vec<Terminals>>,
    pub folds: PerPlayer<Vec<Terminals>>,
    /// The node of each decision.
    pub decisions: Vec<NodeId>,
}

/// The nodes after the chance nodes of a street: the first of the next street, or a showdown without further betting.
pub(crate) type NextLines = Vec<NodeId>;

impl Betting {
    /// The steps of a street from its first node on, and the betting lines that continue after the next card.
    pub(crate) fn of_street(tree: &Tree, first: NodeId, is_last: bool) -> (Betting, NextLines) {
        let mut lines = Vec::new();
        let mut decisions = Vec::new();
        let mut ids = vec![first];
        let mut steps = Vec::new();
        while let Some(&id) = ids.get(steps.len()) {
            let node = tree.node(id);
            let (first_child, mut num_children) = (ids.len(), 0);
            let kind = match node.kind() {
                NodeKind::Decision(player) => {
                    ids.extend(node.children());
                    num_children = node.num_children();
                    decisions.push(id);
                    StepKind::Decision { player, decision: decisions.len() - 1 }
                }
                NodeKind::Chance | NodeKind::Runout if !is_last => {
                    lines.push(node.children().next().unwrap_or(id));
                    StepKind::Chance { line: lines.len() - 1 }
                }
                _ => StepKind::Terminal,
            };
            steps.push(Step { id, kind, first_child, num_children });
        }
        let reach_slots = PerPlayer::from_fn(|traverser| reach_slots(&steps, traverser));
        let num_reaches = reach_slots.as_ref().map(|slots| slots.iter().max().map_or(0, |most| most + 1));
        let terminals = |traverser: Player, folded: bool| {
            batches(tree, &steps, &reach_slots[traverser], traverser, folded)
        };
        let betting = Betting {
            shows: PerPlayer::from_fn(|traverser| terminals(traverser, false)),
            folds: PerPlayer::from_fn(|traverser| terminals(traverser, true)),
            steps,
            num_reaches,
            reach_slots,
            decisions,
        };
        (betting, lines)
    }

    /// The player and the number of actions of each decision.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (Player, usize)> {
        self.steps.iter().filter_map(|step| match step.kind {
            StepKind::Decision { player, .. } => Some((player, step.num_children)),
            _ => None,
        })
    }
}

fn reach_slots(steps: &[Step], traverser: Player) -> Vec<usize> {
    let mut slots = vec![0; steps.len()];
    let mut num_slots = 1;
    for (at, step) in steps.iter().enumerate() {
        let StepKind::Decision { player, .. } = step.kind else { continue };
        for child in step.first_child..step.first_child + step.num_children {
            if player == traverser {
                slots[child] = slots[at];
            } else {
                slots[child] = num_slots;
                num_slots += 1;
            }
        }
    }
    slots
}

/// Batches of the terminals of one kind, with the payoffs of the traverser.
fn batches(tree: &Tree, steps: &[Step], slots: &[usize], traverser: Player, folded: bool) -> Vec<Terminals> {
    let is_wanted = |step: &Step| {
        let end = tree.terminal(step.id);
        matches!(step.kind, StepKind::Terminal) && end.is_some_and(|end| end.folded().is_some() == folded)
    };
    let wanted: Vec<usize> = (0..steps.len()).filter(|&at| is_wanted(&steps[at])).collect();
    wanted
        .chunks(LANES)
        .map(|chunk| {
            let mut terminals = Terminals::default();
            for &at in chunk {
                let end = tree.terminal(steps[at].id).expect("only terminals are wanted");
                terminals.push(slots[at], at, &end, traverser);
            }
            terminals
        })
        .collect()
}
