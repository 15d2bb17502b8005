//! The betting of a game, whatever its root, and the betting of one street as a shape that many lines have in common.

use equipoise_cards::Street;
use equipoise_game::{
    Action, BettingAbstractionError, Chips, HandState, NodeId, NodeKind, PerPlayer, Player, Tree, Winner,
};

use crate::bucketed::error::BucketedError;
use crate::whole::WholeGame;

/// What the end of a hand pays a player, in chips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pays {
    /// How much more a tie pays than a loss, and a win than a tie.
    pub half: f64,
    pub lose: f64,
}

impl Pays {
    fn new(win: f64, lose: f64) -> Pays {
        Pays { half: (win - lose) / 2.0, lose }
    }

    pub(crate) fn win(self) -> f64 {
        self.lose + 2.0 * self.half
    }
}

/// A position in the betting of a game; its index is its place in [`Betting::nodes`].
#[derive(Clone, Debug)]
pub(crate) struct BettingNode {
    pub kind: NodeKind,
    /// The first of its children, which are consecutive.
    pub first_child: usize,
    pub num_children: usize,
    /// Of the end of a hand.
    pub pays: PerPlayer<Pays>,
}

/// The public tree of a game: of a spot, or of a whole hand from the blinds on.
#[derive(Clone, Debug)]
pub(crate) struct Betting {
    pub nodes: Vec<BettingNode>,
}

impl Betting {
    /// The betting of a spot for chips. Nodes have the indices that they have in the tree.
    pub(crate) fn of_tree(tree: &Tree) -> Betting {
        let node = |id| {
            let node = tree.node(id);
            let end = tree.terminal(id);
            let pays =
                |player| end.map_or(Pays::default(), |end| Pays::new(end.win(player), end.lose(player)));
            BettingNode {
                kind: node.kind(),
                first_child: node.children().next().map_or(0, NodeId::index),
                num_children: node.num_children(),
                pays: PerPlayer::from_fn(pays),
            }
        };
        Betting { nodes: tree.node_ids().map(node).collect() }
    }

    /// The betting of a whole hand, of at most `limit` nodes.
    pub(crate) fn of_game(game: &WholeGame, limit: usize) -> Result<Betting, BucketedError> {
        let WholeGame { hand: config, betting: abstraction } = game;
        game.check()?;
        let is_short = |(&stack, &ante): (&Chips, &Chips)| {
            u64::from(stack.count()) <= u64::from(ante.count()) + u64::from(config.big_blind.count())
        };
        if config.stacks.iter().zip(config.antes.iter()).any(is_short) {
            return Err(BucketedError::ShortStack);
        }
        let mut hands = vec![HandState::new(config).map_err(BettingAbstractionError::from)?];
        let mut nodes = Vec::new();
        while let Some(&hand) = hands.get(nodes.len()) {
            let first_child = hands.len();
            match hand.kind() {
                NodeKind::Decision(_) => {
                    let children = abstraction.actions(&hand);
                    let can_raise = hand.legal_actions().is_some_and(|legal| legal.totals().is_some());
                    if can_raise && !children.iter().any(|action| matches!(action, Action::AllIn(_))) {
                        return Err(BucketedError::NoAllIn { street: hand.street() });
                    }
                    let act = |action| hand.act(action).expect("an abstraction offers legal actions");
                    hands.extend(children.into_iter().map(act));
                }
                NodeKind::Chance => hands.push(hand.deal().expect("a card comes")),
                _ => {}
            }
            if hands.len() > limit {
                return Err(BettingAbstractionError::TooManyNodes { limit: limit as u64 }.into());
            }
            let pays = PerPlayer::from_fn(|player| {
                let won = |winner| hand.winnings(Winner::Player(winner))[player] as f64;
                Pays::new(won(player), won(player.opponent()))
            });
            nodes.push(BettingNode {
                kind: hand.kind(),
                first_child,
                num_children: hands.len() - first_child,
                pays,
            });
        }
        Ok(Betting { nodes })
    }

    /// Who acts at a node, if anybody does.
    pub(crate) fn player(&self, node: usize) -> Option<Player> {
        match self.nodes[node].kind {
            NodeKind::Decision(player) => Some(player),
            _ => None,
        }
    }

    /// By node: the street of a whole hand that it is on.
    pub(crate) fn streets(&self) -> Vec<Street> {
        let mut streets = vec![Street::Preflop; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let street = streets[at];
            let next = match node.kind {
                NodeKind::Chance => Street::ALL[street as usize + 1],
                _ => street,
            };
            streets[node.first_child..node.first_child + node.num_children].fill(next);
        }
        streets
    }
}

/// What happens at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StepKind {
    Decision(Player),
    /// This player has folded.
    Fold(Player),
    Showdown,
    /// Both are all-in before the flop, where hand classes against each other are a table.
    ClassAllIn,
    /// Cards come.
    Chance,
}

/// A step of a street's betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub kind: StepKind,
    /// Which of the decisions, of the ends or of the chance steps of the shape this is.
    pub number: usize,
    /// The first of its children, which are consecutive.
    pub first_child: usize,
    pub num_children: usize,
    /// Whether cards come somewhere below.
    pub leads_on: bool,
}

/// The betting of one street from its first node on, without chips: lines with equal shapes are computed together.
/// Parents come before children.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub steps: Vec<Step>,
    pub num_decisions: usize,
    pub num_ends: usize,
    pub num_chances: usize,
}

/// A betting line at the beginning of a street: the node of each step of its shape.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub nodes: Vec<usize>,
}

impl Shape {
    /// The steps of a street from its first node on. A runout of an earlier street goes on as a line without decisions.
    pub(crate) fn of_line(betting: &Betting, first: usize, street: Street) -> (Shape, Line) {
        let mut nodes = vec![first];
        let mut shape = Shape { steps: Vec::new(), num_decisions: 0, num_ends: 0, num_chances: 0 };
        while let Some(&at) = nodes.get(shape.steps.len()) {
            let node = &betting.nodes[at];
            let first_child = nodes.len();
            let kind = match node.kind {
                NodeKind::Decision(player) => {
                    nodes.extend(node.first_child..node.first_child + node.num_children);
                    StepKind::Decision(player)
                }
                NodeKind::Fold(player) => StepKind::Fold(player),
                NodeKind::Runout if street == Street::Preflop => StepKind::ClassAllIn,
                NodeKind::Chance | NodeKind::Runout if street != Street::River => StepKind::Chance,
                _ => StepKind::Showdown,
            };
            let counter = match kind {
                StepKind::Decision(_) => &mut shape.num_decisions,
                StepKind::Chance => &mut shape.num_chances,
                _ => &mut shape.num_ends,
            };
            let number = *counter;
            *counter += 1;
            let num_children = nodes.len() - first_child;
            let leads_on = kind == StepKind::Chance;
            shape.steps.push(Step { kind, number, first_child, num_children, leads_on });
        }
        for at in (0..shape.steps.len()).rev() {
            let Step { first_child, num_children, .. } = shape.steps[at];
            let children = &shape.steps[first_child..first_child + num_children];
            let leads_on = children.iter().any(|child| child.leads_on);
            shape.steps[at].leads_on |= leads_on;
        }
        (shape, Line { nodes })
    }

    /// The player and the number of actions of each decision.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (Player, usize)> {
        self.steps.iter().filter_map(|step| match step.kind {
            StepKind::Decision(player) => Some((player, step.num_children)),
            _ => None,
        })
    }
}

/// Where a line begins on the next street after a chance step: with the child of a chance node, or with the same runout.
pub(crate) fn next_first(betting: &Betting, node: usize) -> usize {
    match betting.nodes[node].kind {
        NodeKind::Chance => betting.nodes[node].first_child,
        _ => node,
    }
}
