//! A game walked once and laid out flat.

use std::collections::HashMap;
use std::ops::Range;

use thiserror::Error;

use crate::game::{Game, Player, Turn};

/// Every position and information set of a game.
///
/// Nodes lie in breadth-first order: parents before children, the children of a node side by side. A pass
/// down the game is a loop over the nodes, a pass up is the same loop backwards.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    infosets: Vec<Infoset>,
    num_entries: usize,
}

/// One position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    first_child: usize,
    num_children: usize,
    /// The probability of coming here if the parent is nature's; 1 otherwise.
    pub(crate) chance: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeKind {
    Chance,
    Decision { player: Player, first_entry: usize },
    Terminal([f64; 2]),
}

impl Node {
    pub(crate) fn children(&self) -> Range<usize> {
        self.first_child..self.first_child + self.num_children
    }
}

/// An information set of a [`Tree`].
#[derive(Clone, Debug, PartialEq)]
pub struct Infoset {
    name: String,
    player: Player,
    first_entry: usize,
    num_actions: usize,
    /// How often its player has acted before.
    pub(crate) own_depth: usize,
    /// Any of its nodes: with perfect recall they have the same own reach.
    pub(crate) node: usize,
    /// The player's last choice before it.
    last_choice: Option<Choice>,
}

/// An information set and the action taken there.
type Choice = (usize, usize);

/// Each player's last choice.
type Choices = [Option<Choice>; 2];

impl Infoset {
    /// The game's text for it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who acts.
    #[must_use]
    pub fn player(&self) -> Player {
        self.player
    }

    /// How many actions there are.
    #[must_use]
    pub fn num_actions(&self) -> usize {
        self.num_actions
    }

    /// Where its actions lie in tables over all actions of the tree, such as a
    /// [`Strategy`](crate::Strategy)'s.
    #[must_use]
    pub fn entries(&self) -> Range<usize> {
        self.first_entry..self.first_entry + self.num_actions
    }
}

/// A game that cannot be solved as it stands.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Probabilities that are negative, not numbers, or do not sum to 1.
    #[error("the probabilities of a chance node sum to {sum}, or one is no probability")]
    Chance {
        /// Their sum.
        sum: f64,
    },
    /// A payoff that is not finite.
    #[error("a payoff is not a finite number")]
    Payoff,
    /// A decision without actions.
    #[error("information set {infoset} has no actions")]
    NoActions {
        /// Its text.
        infoset: String,
    },
    /// One information set with two players or two numbers of actions.
    #[error("information set {infoset} differs between its nodes in its player or its number of actions")]
    Inconsistent {
        /// Its text.
        infoset: String,
    },
    /// Imperfect recall: two ways into one information set with different own choices.
    #[error("information set {infoset} forgets its player's own choices")]
    Recall {
        /// Its text.
        infoset: String,
    },
}

impl Tree {
    /// Walks a game and checks it.
    ///
    /// # Errors
    /// A game without a meaning: see [`TreeError`].
    pub fn compile<G: Game>(game: &G) -> Result<Tree, TreeError> {
        let mut compiler = Compiler::<G>::new(game.root());
        let mut node_id = 0;
        while node_id < compiler.open.len() {
            compiler.visit(game, node_id)?;
            node_id += 1;
        }
        Ok(Tree { nodes: compiler.nodes, infosets: compiler.infosets, num_entries: compiler.num_entries })
    }

    /// How many positions there are.
    #[must_use]
    pub fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The information sets of both players.
    #[must_use]
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// The number of actions over all information sets.
    #[must_use]
    pub fn num_entries(&self) -> usize {
        self.num_entries
    }

    /// The information sets of one player, with their ids.
    pub(crate) fn infosets_of(&self, player: Player) -> impl Iterator<Item = (usize, &Infoset)> {
        self.infosets.iter().enumerate().filter(move |(_, infoset)| infoset.player == player)
    }
}

/// The tree as far as it has been walked, and the positions still to visit.
struct Compiler<G: Game> {
    nodes: Vec<Node>,
    infosets: Vec<Infoset>,
    num_entries: usize,
    ids: HashMap<G::Infoset, usize>,
    /// The position of each node until it is visited, and what led to it.
    open: Vec<(Option<G::State>, Choices)>,
}

impl<G: Game> Compiler<G> {
    fn new(root: G::State) -> Compiler<G> {
        Compiler {
            nodes: vec![Compiler::<G>::placeholder(1.0)],
            infosets: Vec::new(),
            num_entries: 0,
            ids: HashMap::new(),
            open: vec![(Some(root), [None; 2])],
        }
    }

    fn placeholder(chance: f64) -> Node {
        Node { kind: NodeKind::Chance, first_child: 0, num_children: 0, chance }
    }

    fn visit(&mut self, game: &G, node_id: usize) -> Result<(), TreeError> {
        let (state, choices) = (self.open[node_id].0.take(), self.open[node_id].1);
        let Some(state) = state else { return Ok(()) };
        let first_child = self.nodes.len();
        let kind = match game.turn(&state) {
            Turn::Terminal(payoffs) if payoffs.iter().all(|payoff| payoff.is_finite()) => {
                NodeKind::Terminal(payoffs)
            }
            Turn::Terminal(_) => return Err(TreeError::Payoff),
            Turn::Chance(probabilities) => {
                check_probabilities(&probabilities)?;
                for (outcome, &chance) in probabilities.iter().enumerate() {
                    self.push(game.next(&state, outcome), chance, choices);
                }
                NodeKind::Chance
            }
            Turn::Decision { player, infoset, num_actions } => {
                let infoset_id =
                    self.infoset(&infoset, player, num_actions, node_id, choices[player.index()])?;
                for action in 0..num_actions {
                    let mut choices = choices;
                    choices[player.index()] = Some((infoset_id, action));
                    self.push(game.next(&state, action), 1.0, choices);
                }
                let first_entry = self.infosets[infoset_id].first_entry;
                NodeKind::Decision { player, first_entry }
            }
        };
        let num_children = self.nodes.len() - first_child;
        let chance = self.nodes[node_id].chance;
        self.nodes[node_id] = Node { kind, first_child, num_children, chance };
        Ok(())
    }

    fn push(&mut self, state: G::State, chance: f64, choices: Choices) {
        self.nodes.push(Compiler::<G>::placeholder(chance));
        self.open.push((Some(state), choices));
    }

    /// The id of an information set, new or known; a known one must have the same player, actions and last choice.
    fn infoset(
        &mut self,
        key: &G::Infoset,
        player: Player,
        num_actions: usize,
        node: usize,
        last_choice: Option<Choice>,
    ) -> Result<usize, TreeError> {
        if let Some(&id) = self.ids.get(key) {
            let known = &self.infosets[id];
            return if (known.player, known.num_actions) != (player, num_actions) {
                Err(TreeError::Inconsistent { infoset: key.to_string() })
            } else if known.last_choice != last_choice {
                Err(TreeError::Recall { infoset: key.to_string() })
            } else {
                Ok(id)
            };
        }
        if num_actions == 0 {
            return Err(TreeError::NoActions { infoset: key.to_string() });
        }
        let id = self.infosets.len();
        let own_depth = last_choice.map_or(0, |(earlier, _)| self.infosets[earlier].own_depth + 1);
        let (name, first_entry) = (key.to_string(), self.num_entries);
        self.infosets.push(Infoset { name, player, first_entry, num_actions, own_depth, node, last_choice });
        self.num_entries += num_actions;
        self.ids.insert(key.clone(), id);
        Ok(id)
    }
}

fn check_probabilities(probabilities: &[f64]) -> Result<(), TreeError> {
    let sum: f64 = probabilities.iter().sum();
    let valid = probabilities.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() < 1e-9;
    if valid { Ok(()) } else { Err(TreeError::Chance { sum }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nature tosses a coin, the first player acts, then acts again under the name that the test gives.
    struct Coin {
        probabilities: Vec<f64>,
        second_name: fn(usize, usize) -> String,
        num_actions: usize,
        payoff: f64,
    }

    const FAIR: fn() -> Coin = || Coin {
        probabilities: vec![0.5, 0.5],
        second_name: |coin, action| format!("second {coin} {action}"),
        num_actions: 2,
        payoff: 1.0,
    };

    impl Game for Coin {
        type State = Vec<usize>;
        type Infoset = String;

        fn root(&self) -> Vec<usize> {
            Vec::new()
        }

        fn turn(&self, state: &Vec<usize>) -> Turn<String> {
            let (player, num_actions) = (Player::First, self.num_actions);
            match state[..] {
                [] => Turn::Chance(self.probabilities.clone()),
                [_] => Turn::Decision { player, infoset: "first".into(), num_actions },
                [coin, action] => {
                    Turn::Decision { player, infoset: (self.second_name)(coin, action), num_actions: 2 }
                }
                _ => Turn::Terminal([self.payoff, 0.0]),
            }
        }

        fn next(&self, state: &Vec<usize>, action: usize) -> Vec<usize> {
            [&state[..], &[action]].concat()
        }
    }

    #[test]
    fn a_valid_game_is_laid_out_in_levels() {
        let tree = Tree::compile(&FAIR()).unwrap();
        assert_eq!((tree.num_nodes(), tree.infosets().len(), tree.num_entries()), (15, 5, 10));
        for (id, node) in tree.nodes.iter().enumerate() {
            assert!(node.children().all(|child| child > id));
        }
        assert_eq!(tree.infosets()[1].own_depth, 1);
        assert_eq!(tree.infosets()[1].entries(), 2..4);
    }

    #[test]
    fn games_without_a_meaning_are_refused() {
        let error = |game: Coin| Tree::compile(&game).unwrap_err();
        assert_eq!(error(Coin { probabilities: vec![0.5, 0.4], ..FAIR() }), TreeError::Chance { sum: 0.9 });
        assert_eq!(error(Coin { probabilities: vec![1.5, -0.5], ..FAIR() }), TreeError::Chance { sum: 1.0 });
        assert_eq!(error(Coin { payoff: f64::NAN, ..FAIR() }), TreeError::Payoff);
        let infoset = String::from("first");
        assert_eq!(error(Coin { num_actions: 0, ..FAIR() }), TreeError::NoActions { infoset });
        let infoset = String::from("first");
        let renamed = Coin { second_name: |_, _| "first".into(), ..FAIR() };
        assert_eq!(error(renamed), TreeError::Recall { infoset });
        let infoset = String::from("second");
        let forgetful = Coin { second_name: |_, _| "second".into(), ..FAIR() };
        assert_eq!(error(forgetful), TreeError::Recall { infoset });
        let infoset = String::from("first");
        let uneven = Coin { second_name: |_, _| "first".into(), num_actions: 3, ..FAIR() };
        assert_eq!(error(uneven), TreeError::Inconsistent { infoset });
    }
}
