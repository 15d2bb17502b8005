//! The betting of one street as a flat list, parents before children.

use equipoise_game::{NodeId, NodeKind, Player, Tree};

use crate::sweep::{Ends, LANES};

/// What happens at a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepKind {
    /// A player acts; the number of the decision on this street.
    Decision { player: Player, decision: usize },
    /// The hand is over here.
    End,
    /// The next card comes: where the lines behind it are kept.
    Exit { line: usize },
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub id: NodeId,
    pub kind: StepKind,
    /// The first of the steps behind it, and how many there are.
    pub first_child: usize,
    pub num_children: usize,
}

/// The betting of one street from one place on. Vectors of reaches and values have a slot for each step, or fewer:
/// behind a decision of the traverser the opponent's reach stays what it was.
#[derive(Clone, Debug)]
pub(crate) struct Betting {
    pub steps: Vec<Step>,
    /// By traverser: where each step has the opponent's reach.
    pub reach_slots: [Vec<usize>; 2],
    pub num_reaches: [usize; 2],
    /// By traverser: showdowns and folds, in batches.
    pub shows: [Vec<Ends>; 2],
    pub folds: [Vec<Ends>; 2],
    /// The node of each decision.
    pub decisions: Vec<NodeId>,
}

/// Where the betting of a street ends and cards come: either the next street's first node, or a showdown without
/// further betting.
pub(crate) type Exits = Vec<NodeId>;

impl Betting {
    /// The steps of a street from its first node on. If cards are to come, the nodes behind them are left to the exits;
    /// on the last street there are none.
    pub(crate) fn of_street(tree: &Tree, first: NodeId, is_last: bool) -> (Betting, Exits) {
        let mut exits = Vec::new();
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
                    exits.push(node.children().next().unwrap_or(id));
                    StepKind::Exit { line: exits.len() - 1 }
                }
                _ => StepKind::End,
            };
            steps.push(Step { id, kind, first_child, num_children });
        }
        let slots = Player::ALL.map(|traverser| reach_slots(&steps, traverser));
        let num_reaches = slots.each_ref().map(|slots| slots.iter().max().map_or(0, |most| most + 1));
        let ends = |traverser: Player, folded: bool| {
            batches(tree, &steps, &slots[traverser.index()], traverser, folded)
        };
        let betting = Betting {
            shows: Player::ALL.map(|traverser| ends(traverser, false)),
            folds: Player::ALL.map(|traverser| ends(traverser, true)),
            steps,
            num_reaches,
            reach_slots: slots,
            decisions,
        };
        (betting, exits)
    }

    /// The players who decide, in the order of the decisions, and between how many actions.
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

/// The ends of hands of one kind, as the traverser sees them, so many at a time.
fn batches(tree: &Tree, steps: &[Step], slots: &[usize], traverser: Player, folded: bool) -> Vec<Ends> {
    let is_wanted = |step: &Step| {
        let end = tree.terminal(step.id);
        matches!(step.kind, StepKind::End) && end.is_some_and(|end| end.folded().is_some() == folded)
    };
    let places: Vec<usize> = (0..steps.len()).filter(|&at| is_wanted(&steps[at])).collect();
    places
        .chunks(LANES)
        .map(|places| {
            let mut ends = Ends::default();
            for &at in places {
                let end = tree.terminal(steps[at].id).expect("only ends of hands are wanted");
                ends.push(slots[at], at, &end, traverser);
            }
            ends
        })
        .collect()
}
