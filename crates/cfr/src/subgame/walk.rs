//! The roots of subgames, and the values of hands there.

use std::collections::{BTreeMap, HashMap};

use crate::game::{Game, Player, Turn};
use crate::strategy::Strategy;
use crate::subgame::gadget::{Gadget, Rule};
use crate::tree::{Infoset, Tree};

/// The root of a subgame, at one of its states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that games fill in.
pub struct Entrance {
    /// What both players know: states with the same text are roots of the same subgame.
    pub subgame: String,
    /// What each player knows beside it.
    pub hands: [String; 2],
}

/// A game with subgames.
pub trait Subgames: Game {
    /// The subgame whose root holds this state, if any. No subgame has another inside.
    fn entrance(&self, state: &Self::State) -> Option<Entrance>;
}

/// The opponent's strategy in values of a subgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Its own strategy or the best one.
pub enum Play {
    /// Its part of the strategy.
    Own,
    /// The best response to the hero's part.
    Best,
}

/// A state at the root of a subgame.
#[derive(Clone, Debug)]
pub(crate) struct Entry<S> {
    pub state: S,
    pub chance: f64,
    pub reach: [f64; 2],
    /// The places of both hands in [`Subgame::hands`].
    pub hands: [usize; 2],
}

/// An information set, and the entry of the action taken there in tables over all actions.
pub(crate) type Taken = (usize, usize);

/// A subgame, with the reaches that a strategy gives its states.
#[derive(Clone, Debug)]
pub struct Subgame<'g, G: Game> {
    pub(crate) game: &'g G,
    name: String,
    hands: [Vec<String>; 2],
    pub(crate) entries: Vec<Entry<G::State>>,
    /// By player and hand: its own actions before the subgame.
    pub(crate) paths: [Vec<Vec<Taken>>; 2],
}

impl<G: Game> Subgame<'_, G> {
    /// What both players know at its root.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hands of a player, in the order of values and alternatives.
    #[must_use]
    pub fn hands(&self, player: Player) -> &[String] {
        &self.hands[player.index()]
    }

    /// By hand of the player: chance times the other player's reach.
    #[must_use]
    pub fn masses(&self, player: Player) -> Vec<f64> {
        let other = 1 - player.index();
        let mut masses = vec![0.0; self.hands(player).len()];
        for entry in &self.entries {
            masses[entry.hands[player.index()]] += entry.chance * entry.reach[other];
        }
        masses
    }
}

impl<G: Game<State: Clone>> Subgame<'_, G> {
    /// The counterfactual value of each hand of `opponent` when the hero plays its part of the strategy.
    ///
    /// # Panics
    /// If the game below is not valid, which the tree has checked.
    #[must_use]
    pub fn values(&self, tree: &Tree, strategy: &Strategy, opponent: Player, play: Play) -> Vec<f64> {
        let alternatives = vec![f64::NEG_INFINITY; self.hands(opponent).len()];
        let gadget = Gadget::new(self, opponent, Rule::Follow(alternatives));
        let mut values = vec![0.0; self.hands(opponent).len()];
        let Some(gadget) = gadget else { return values };
        let inner = Tree::compile(&gadget).expect("a part of a game is one");
        let names = names(tree);
        let mut probabilities = vec![1.0; inner.num_entries()];
        for infoset in inner.infosets() {
            if let Some(known) = names.get(infoset.name()) {
                probabilities[infoset.entries()].copy_from_slice(strategy.at(known));
            }
        }
        let mut played = Strategy::normalised(&inner, probabilities);
        if play == Play::Best {
            played = inner.best_response(opponent, &played);
        }
        let mut evs = vec![0.0; inner.num_nodes()];
        inner.fill_evs(opponent, played.probabilities(), &mut evs, |_, _| {});
        // Breadth first: the root's states follow the chance node.
        for (at, (hand, mass)) in gadget.dealt().enumerate() {
            values[hand] += mass * evs[1 + at];
        }
        values
    }
}

/// The information sets of a tree by name.
pub(crate) fn names(tree: &Tree) -> HashMap<&str, &Infoset> {
    tree.infosets().iter().map(|infoset| (infoset.name(), infoset)).collect()
}

/// All subgames of a game, with the reaches of a strategy.
pub fn subgames<'g, G: Subgames>(game: &'g G, tree: &Tree, strategy: &Strategy) -> Vec<Subgame<'g, G>> {
    let ids = tree.infosets().iter().enumerate().map(|(id, infoset)| (infoset.name(), id)).collect();
    let mut walk = Walk { game, tree, strategy, ids, found: BTreeMap::new() };
    walk.visit(game.root(), &Way { chance: 1.0, reach: [1.0; 2], paths: [Vec::new(), Vec::new()] });
    walk.found.into_values().collect()
}

struct Walk<'a, 'g, G: Game> {
    game: &'g G,
    tree: &'a Tree,
    strategy: &'a Strategy,
    ids: HashMap<&'a str, usize>,
    found: BTreeMap<String, Subgame<'g, G>>,
}

#[derive(Clone)]
struct Way {
    chance: f64,
    reach: [f64; 2],
    paths: [Vec<Taken>; 2],
}

impl<G: Subgames> Walk<'_, '_, G> {
    fn visit(&mut self, state: G::State, way: &Way) {
        if let Some(entrance) = self.game.entrance(&state) {
            self.enter(state, entrance, way);
            return;
        }
        match self.game.turn(&state) {
            Turn::Terminal(_) => {}
            Turn::Chance(probabilities) => {
                for (outcome, probability) in probabilities.into_iter().enumerate() {
                    let way = Way { chance: way.chance * probability, ..way.clone() };
                    self.visit(self.game.next(&state, outcome), &way);
                }
            }
            Turn::Decision { player, infoset, num_actions } => {
                let id = self.ids[&*infoset.to_string()];
                let first = self.tree.infosets()[id].entries().start;
                let frequencies = self.strategy.at(&self.tree.infosets()[id]).to_vec();
                for (action, frequency) in frequencies.into_iter().enumerate().take(num_actions) {
                    let mut way = way.clone();
                    way.reach[player.index()] *= frequency;
                    way.paths[player.index()].push((id, first + action));
                    self.visit(self.game.next(&state, action), &way);
                }
            }
        }
    }

    fn enter(&mut self, state: G::State, entrance: Entrance, way: &Way) {
        let Entrance { subgame: name, hands } = entrance;
        let new = || Subgame {
            game: self.game,
            name: name.clone(),
            hands: [Vec::new(), Vec::new()],
            entries: Vec::new(),
            paths: [Vec::new(), Vec::new()],
        };
        let subgame = self.found.entry(name.clone()).or_insert_with(new);
        let mut places = [0; 2];
        for (player, hand) in hands.into_iter().enumerate() {
            let known = subgame.hands[player].iter().position(|other| *other == hand);
            places[player] = known.unwrap_or_else(|| {
                subgame.hands[player].push(hand);
                subgame.paths[player].push(way.paths[player].clone());
                subgame.hands[player].len() - 1
            });
        }
        subgame.entries.push(Entry { state, chance: way.chance, reach: way.reach, hands: places });
    }
}
