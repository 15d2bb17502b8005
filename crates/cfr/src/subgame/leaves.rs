//! Depth-limited games with multi-valued leaves: they end at the roots of subgames.

use std::collections::HashMap;

use crate::game::{Game, Player, Turn};
use crate::strategy::Strategy;
use crate::subgame::walk::{Play, Subgames, names, subgames};
use crate::tree::{Infoset, Tree};

/// The trunk of a game, above its subgames. At the root of a subgame the hero's opponent chooses one of several continuation
/// strategies for each hand, without knowing the hero's hand; the hero continues with the first one.
///
/// With a single continuation a leaf has one value, and a trunk strategy that is good only against an opponent who does not
/// adapt is not punished. A continuation's gain over the first one against the hero's old strategy is subtracted, so
/// that the old strategy's weaknesses in the subgames do not count in the trunk.
#[derive(Debug)]
pub struct DepthLimited<'g, G: Game> {
    game: &'g G,
    opponent: Player,
    continuations: Vec<HashMap<String, Vec<f64>>>,
    /// By subgame and hand of the opponent: the gain of each continuation, which is subtracted.
    gains: HashMap<(String, String), Vec<f64>>,
}

/// A state of the trunk, or a leaf with the chosen continuation.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_enums)] // Trunk or leaf.
pub enum LimitedState<S> {
    /// In the trunk.
    Play(S),
    /// At the root of a subgame.
    Leaf(S, usize),
}

impl<'g, G: Subgames<State: Clone>> DepthLimited<'g, G> {
    /// The trunk of a game for a hero; the first continuation is the old strategy of both.
    ///
    /// # Panics
    /// If there is no continuation, or if one is another tree's and does not fit.
    #[must_use]
    pub fn new(game: &'g G, tree: &Tree, hero: Player, continuations: &[Strategy]) -> DepthLimited<'g, G> {
        let opponent = Player::ALL[1 - hero.index()];
        let blueprint = continuations.first().expect("there is a continuation");
        let mixed: Vec<Strategy> = continuations
            .iter()
            .map(|other| {
                let mut probabilities = blueprint.probabilities().to_vec();
                for (_, infoset) in tree.infosets_of(opponent) {
                    probabilities[infoset.entries()].copy_from_slice(other.at(infoset));
                }
                Strategy::normalised(tree, probabilities)
            })
            .collect();
        let mut gains = HashMap::new();
        for subgame in subgames(game, tree, blueprint) {
            let values: Vec<Vec<f64>> =
                mixed.iter().map(|mixed| subgame.values(tree, mixed, opponent, Play::Own)).collect();
            let masses = subgame.masses(opponent);
            for (at, hand) in subgame.hands(opponent).iter().enumerate() {
                let gain = |of_hands: &Vec<f64>| {
                    let gain = (of_hands[at] - values[0][at]).max(0.0);
                    if masses[at] > 0.0 { gain / masses[at] } else { 0.0 }
                };
                gains.insert((subgame.name().to_owned(), hand.clone()), values.iter().map(gain).collect());
            }
        }
        let names = names(tree);
        let by_name = |strategy: &Strategy| {
            names.iter().map(|(name, infoset)| ((*name).to_owned(), at(strategy, infoset))).collect()
        };
        DepthLimited { game, opponent, continuations: mixed.iter().map(by_name).collect(), gains }
    }

    /// The opponent's expected payoff from a state on.
    fn value(&self, state: &G::State, continuation: usize) -> f64 {
        let next = |action| self.value(&self.game.next(state, action), continuation);
        match self.game.turn(state) {
            Turn::Terminal(payoffs) => payoffs[self.opponent.index()],
            Turn::Chance(probabilities) => {
                probabilities.iter().enumerate().map(|(outcome, chance)| chance * next(outcome)).sum()
            }
            Turn::Decision { infoset, .. } => {
                let frequencies = &self.continuations[continuation][&infoset.to_string()];
                let played = frequencies.iter().enumerate().filter(|(_, frequency)| **frequency > 0.0);
                played.map(|(action, frequency)| frequency * next(action)).sum()
            }
        }
    }
}

fn at(strategy: &Strategy, infoset: &Infoset) -> Vec<f64> {
    strategy.at(infoset).to_vec()
}

impl<G: Subgames<State: Clone>> Game for DepthLimited<'_, G> {
    type State = LimitedState<G::State>;
    type Infoset = String;

    fn root(&self) -> Self::State {
        LimitedState::Play(self.game.root())
    }

    fn turn(&self, state: &Self::State) -> Turn<String> {
        match state {
            LimitedState::Play(state) => match (self.game.entrance(state), self.game.turn(state)) {
                (Some(entrance), _) => {
                    let hand = &entrance.hands[self.opponent.index()];
                    let infoset = format!("continuation with {hand} in {}?", entrance.subgame);
                    let num_actions = self.continuations.len();
                    Turn::Decision { player: self.opponent, infoset, num_actions }
                }
                (None, Turn::Terminal(payoffs)) => Turn::Terminal(payoffs),
                (None, Turn::Chance(probabilities)) => Turn::Chance(probabilities),
                (None, Turn::Decision { player, infoset, num_actions }) => {
                    Turn::Decision { player, infoset: infoset.to_string(), num_actions }
                }
            },
            LimitedState::Leaf(state, continuation) => {
                let entrance = self.game.entrance(state).expect("a leaf is where a subgame begins");
                let [first, second] = entrance.hands;
                let hand = if self.opponent == Player::First { first } else { second };
                let gain = self.gains[&(entrance.subgame, hand)][*continuation];
                let value = self.value(state, *continuation) - gain;
                let mut payoffs = [-value; 2];
                payoffs[self.opponent.index()] = value;
                Turn::Terminal(payoffs)
            }
        }
    }

    fn next(&self, state: &Self::State, action: usize) -> Self::State {
        match state {
            LimitedState::Play(state) if self.game.entrance(state).is_some() => {
                LimitedState::Leaf(state.clone(), action)
            }
            LimitedState::Play(state) | LimitedState::Leaf(state, _) => {
                LimitedState::Play(self.game.next(state, action))
            }
        }
    }
}
