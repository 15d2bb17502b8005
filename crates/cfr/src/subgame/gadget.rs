//! The gadget game of a subgame: chance, then the opponent's gadget decision, then the subgame.

use crate::game::{Game, Player, Turn};
use crate::subgame::walk::Subgame;

/// The opponent's gadget decision.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// None: it enters with its reach.
    Range,
    /// Each hand follows or terminates, which pays its alternative. At −∞ it must follow, at +∞ it must terminate.
    Follow(Vec<f64>),
    /// It chooses a hand and pays its alternative.
    Choose(Vec<f64>),
}

/// The gadget game of a subgame.
pub(crate) struct Gadget<'a, 'g, G: Game> {
    subgame: &'a Subgame<'g, G>,
    opponent: Player,
    rule: Rule,
    /// The states that are dealt, with their mass.
    dealt: Vec<(usize, f64)>,
    total: f64,
    /// By hand of the opponent.
    masses: Vec<f64>,
    /// The hands that the opponent can choose from.
    choices: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Place<S> {
    Root,
    /// The gadget decision of the hand at one of the states that are dealt.
    Follow(usize),
    Terminated(usize),
    /// After the choice of a hand.
    Hand(usize),
    /// The subgame; the opponent's payoffs are multiplied by the first number, then the second is subtracted.
    Inside(S, f64, f64),
}

impl<'a, 'g, G: Game> Gadget<'a, 'g, G> {
    /// `None` if the hero's reach is 0 everywhere.
    pub(crate) fn new(
        subgame: &'a Subgame<'g, G>,
        opponent: Player,
        rule: Rule,
    ) -> Option<Gadget<'a, 'g, G>> {
        let (own, hero) = (opponent.index(), 1 - opponent.index());
        let mass = |entry: &crate::subgame::walk::Entry<G::State>| {
            let own = if matches!(rule, Rule::Range) { entry.reach[own] } else { 1.0 };
            entry.chance * entry.reach[hero] * own
        };
        let dealt: Vec<(usize, f64)> =
            subgame.entries.iter().map(mass).enumerate().filter(|(_, mass)| *mass > 0.0).collect();
        let total: f64 = dealt.iter().map(|(_, mass)| mass).sum();
        let masses = subgame.masses(opponent);
        let choices = (0..masses.len()).filter(|&hand| masses[hand] > 0.0).collect();
        (total > 0.0).then_some(Gadget { subgame, opponent, rule, dealt, total, masses, choices })
    }

    /// The states that are dealt, in order: the opponent's hand and the mass.
    pub(crate) fn dealt(&self) -> impl Iterator<Item = (usize, f64)> {
        self.dealt.iter().map(|&(entry, mass)| (self.hand_of(entry), mass))
    }

    /// The hands that the opponent can choose from in [`Rule::Choose`].
    pub(crate) fn choices(&self) -> &[usize] {
        &self.choices
    }

    fn hand_of(&self, entry: usize) -> usize {
        self.subgame.entries[entry].hands[self.opponent.index()]
    }

    fn payoffs(&self, opponent: f64) -> [f64; 2] {
        let mut payoffs = [-opponent; 2];
        payoffs[self.opponent.index()] = opponent;
        payoffs
    }

    /// The states of a hand with their mass.
    fn states_of(&self, hand: usize) -> impl Iterator<Item = (usize, f64)> {
        self.dealt.iter().copied().filter(move |&(entry, _)| self.hand_of(entry) == hand)
    }
}

/// The name of a hand's decision whether to follow.
pub(crate) fn follow_name(hand: &str) -> String {
    format!("follow with {hand}?")
}

/// The name of the decision between hands.
pub(crate) const CHOICE: &str = "which hand?";

impl<G: Game<State: Clone>> Game for Gadget<'_, '_, G> {
    type State = Place<G::State>;
    type Infoset = String;

    fn root(&self) -> Place<G::State> {
        Place::Root
    }

    fn turn(&self, place: &Place<G::State>) -> Turn<String> {
        let player = self.opponent;
        match (place, &self.rule) {
            (Place::Root, Rule::Choose(_)) => {
                Turn::Decision { player, infoset: CHOICE.to_owned(), num_actions: self.choices.len() }
            }
            (Place::Root, _) => Turn::Chance(self.dealt.iter().map(|(_, mass)| mass / self.total).collect()),
            (&Place::Follow(at), Rule::Follow(alternatives)) => {
                let hand = self.hand_of(self.dealt[at].0);
                let infoset = follow_name(&self.subgame.hands(player)[hand]);
                let num_actions = if alternatives[hand].is_infinite() { 1 } else { 2 };
                Turn::Decision { player, infoset, num_actions }
            }
            (&Place::Terminated(at), Rule::Follow(alternatives)) => {
                let hand = self.hand_of(self.dealt[at].0);
                let alternative = alternatives[hand] / self.masses[hand];
                Turn::Terminal(self.payoffs(if alternative.is_finite() { alternative } else { 0.0 }))
            }
            (&Place::Hand(hand), _) => {
                Turn::Chance(self.states_of(hand).map(|(_, mass)| mass / self.masses[hand]).collect())
            }
            (Place::Inside(state, scale, shift), _) => match self.subgame.game.turn(state) {
                Turn::Chance(probabilities) => Turn::Chance(probabilities),
                Turn::Decision { player, infoset, num_actions } => {
                    Turn::Decision { player, infoset: infoset.to_string(), num_actions }
                }
                Turn::Terminal(payoffs) => {
                    Turn::Terminal(self.payoffs(scale * payoffs[player.index()] - shift))
                }
            },
            _ => unreachable!("the place is one of the rule"),
        }
    }

    fn next(&self, place: &Place<G::State>, action: usize) -> Place<G::State> {
        let inside = |entry: usize, scale, shift| {
            Place::Inside(self.subgame.entries[entry].state.clone(), scale, shift)
        };
        match (place, &self.rule) {
            (Place::Root, Rule::Range) => inside(self.dealt[action].0, 1.0, 0.0),
            (Place::Root, Rule::Follow(_)) => Place::Follow(action),
            (Place::Root, Rule::Choose(_)) => Place::Hand(self.choices[action]),
            (&Place::Follow(at), Rule::Follow(alternatives)) => {
                let (entry, _) = self.dealt[at];
                let must_terminate = alternatives[self.hand_of(entry)] == f64::INFINITY;
                if must_terminate || action == 1 { Place::Terminated(at) } else { inside(entry, 1.0, 0.0) }
            }
            (&Place::Hand(hand), Rule::Choose(alternatives)) => {
                let (entry, _) = self.states_of(hand).nth(action).expect("nature has no other outcome");
                inside(entry, self.masses[hand], alternatives[hand])
            }
            (Place::Inside(state, scale, shift), _) => {
                Place::Inside(self.subgame.game.next(state, action), *scale, *shift)
            }
            _ => unreachable!("nothing follows there"),
        }
    }
}
