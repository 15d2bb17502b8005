//! Re-solving of subgames.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::algorithms::Algorithm;
use crate::game::Player;
use crate::strategy::{Reach, Strategy};
use crate::subgame::gadget::{CHOICE, Gadget, Rule, follow_name};
use crate::subgame::walk::{Play, Subgame, Subgames, names, subgames};
use crate::trainer::Trainer;
use crate::tree::{NodeKind, Tree};

/// What the opponent may do at the root of a subgame: see the [module](crate::subgame).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formulation {
    /// It enters with its reach in the old strategy.
    Unsafe,
    /// Each hand follows or terminates for its best-response value against the old strategy.
    Resolve,
    /// Each hand follows or terminates for its value in self-play.
    Estimate,
    /// It chooses the hand with the least margin below the best-response value.
    MaxMargin,
}

impl Formulation {
    /// All of them.
    pub const ALL: [Formulation; 4] =
        [Formulation::Unsafe, Formulation::Resolve, Formulation::Estimate, Formulation::MaxMargin];

    /// The opponent's strategy that gives the alternative values; `None` without alternatives.
    #[must_use]
    pub const fn play(self) -> Option<Play> {
        match self {
            Formulation::Unsafe => None,
            Formulation::Estimate => Some(Play::Own),
            Formulation::Resolve | Formulation::MaxMargin => Some(Play::Best),
        }
    }
}

/// Whether alternatives are raised by gifts: what a hand has lost by its own actions before the subgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // With or without gifts.
pub enum Gifts {
    /// No.
    #[default]
    Without,
    /// *Reach* re-solving: the gift of an action is how much less it was worth than the best one. It is divided over the
    /// subgames below by their probability, so that all of them together return no more than the gift.
    Reach,
}

/// Options of re-solving.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Resolving {
    /// What the opponent may do.
    pub formulation: Formulation,
    /// Gifts that raise its alternatives.
    pub gifts: Gifts,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Iterations for each subgame.
    pub iterations: u32,
}

impl Resolving {
    /// A thousand iterations of the default algorithm, without gifts.
    #[must_use]
    pub fn new(formulation: Formulation) -> Resolving {
        Resolving { formulation, gifts: Gifts::Without, algorithm: Algorithm::default(), iterations: 1000 }
    }

    /// Re-solves a subgame for a hero, given the counterfactual alternatives of the opponent's hands, which
    /// [`Formulation::Unsafe`] ignores; `None` if the hero's reach is 0 everywhere.
    ///
    /// # Panics
    /// If there are fewer alternatives than hands.
    pub fn solve<G: Subgames<State: Clone>>(
        &self,
        subgame: &Subgame<'_, G>,
        hero: Player,
        alternatives: &[f64],
    ) -> Option<Resolved> {
        let opponent = Player::ALL[1 - hero.index()];
        let rule = match self.formulation {
            Formulation::Unsafe => Rule::Range,
            Formulation::Resolve | Formulation::Estimate => Rule::Follow(alternatives.to_vec()),
            Formulation::MaxMargin => Rule::Choose(alternatives.to_vec()),
        };
        let gadget = Gadget::new(subgame, opponent, rule)?;
        let tree = Tree::compile(&gadget).expect("a part of a game is one");
        let mut trainer = Trainer::new(&tree, self.algorithm);
        trainer.run(self.iterations, |_| ControlFlow::Continue(()));
        let average = trainer.average_strategy();
        let known = names(&tree);
        let hands = subgame.hands(opponent);
        let follow = match self.formulation {
            Formulation::MaxMargin => {
                let mut chosen = vec![0.0; hands.len()];
                let chances = average.at(known[CHOICE]);
                gadget.choices().iter().zip(chances).for_each(|(&hand, &chance)| chosen[hand] = chance);
                chosen
            }
            _ => {
                let of_hand = |(hand, name): (usize, &String)| match known.get(&*follow_name(name)) {
                    Some(_) if alternatives[hand] == f64::INFINITY => 0.0,
                    Some(infoset) => average.at(infoset)[0],
                    None => 1.0,
                };
                hands.iter().enumerate().map(of_hand).collect()
            }
        };
        let of_hero = tree.infosets().iter().filter(|infoset| infoset.player() == hero);
        let strategy =
            of_hero.map(|infoset| (infoset.name().to_owned(), average.at(infoset).to_vec())).collect();
        Some(Resolved { strategy, follow, exploitability: tree.exploitability(&average) })
    }
}

/// A subgame re-solved for a hero.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resolved {
    /// The hero's strategy by the names of information sets.
    pub strategy: HashMap<String, Vec<f64>>,
    /// By hand of the opponent: how often it follows; where it chooses its hand, how often it chooses this one.
    pub follow: Vec<f64>,
    /// The exploitability of the gadget game.
    pub exploitability: f64,
}

/// The strategy with every subgame re-solved, for each player as the hero against the old strategy of the other.
///
/// # Panics
/// If the strategy is another tree's and does not fit.
#[must_use]
pub fn resolve_all<G: Subgames<State: Clone>>(
    game: &G,
    tree: &Tree,
    strategy: &Strategy,
    resolving: &Resolving,
) -> Strategy {
    let known = names(tree);
    let mut probabilities = strategy.probabilities().to_vec();
    let gaps = Player::ALL.map(|opponent| Gaps::new(tree, strategy, opponent, resolving.formulation));
    for subgame in subgames(game, tree, strategy) {
        for hero in Player::ALL {
            let opponent = Player::ALL[1 - hero.index()];
            let mut alternatives = match resolving.formulation.play() {
                None => Vec::new(),
                Some(play) => subgame.values(tree, strategy, opponent, play),
            };
            if resolving.gifts == Gifts::Reach && !alternatives.is_empty() {
                let gifts = gaps[opponent.index()].gifts(&subgame, opponent);
                alternatives.iter_mut().zip(gifts).for_each(|(alternative, gift)| *alternative += gift);
            }
            let Some(resolved) = resolving.solve(&subgame, hero, &alternatives) else { continue };
            for (name, frequencies) in resolved.strategy {
                probabilities[known[&*name].entries()].copy_from_slice(&frequencies);
            }
        }
    }
    Strategy::normalised(tree, probabilities)
}

/// How much less each action of a player is worth than the best one of its information set.
struct Gaps {
    /// By action.
    gaps: Vec<f64>,
    /// By information set: chance times the other player's reach.
    masses: Vec<f64>,
}

impl Gaps {
    fn new(tree: &Tree, strategy: &Strategy, player: Player, formulation: Formulation) -> Gaps {
        let mut reaches = vec![Reach::default(); tree.num_nodes()];
        tree.fill_reaches(player, strategy.probabilities(), &mut reaches);
        let played = match formulation.play() {
            Some(Play::Best) => tree.best_response(player, strategy),
            _ => strategy.clone(),
        };
        let mut evs = vec![0.0; tree.num_nodes()];
        let mut gaps = tree.action_cfvs(player, played.probabilities(), &reaches, &mut evs);
        let mut masses = vec![0.0; tree.infosets().len()];
        let firsts: HashMap<usize, usize> =
            tree.infosets().iter().enumerate().map(|(id, infoset)| (infoset.entries().start, id)).collect();
        for (node, reach) in tree.nodes.iter().zip(&reaches) {
            if let NodeKind::Decision { player: actor, first_entry } = node.kind
                && actor == player
            {
                masses[firsts[&first_entry]] += reach.cf;
            }
        }
        for (_, infoset) in tree.infosets_of(player) {
            let cfvs = &mut gaps[infoset.entries()];
            let best = cfvs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            cfvs.iter_mut().for_each(|cfv| *cfv = best - *cfv);
        }
        Gaps { gaps, masses }
    }

    /// The gifts of each hand of the player, multiplied by the subgame's share in them.
    fn gifts<G: Subgames>(&self, subgame: &Subgame<'_, G>, player: Player) -> Vec<f64> {
        let masses = subgame.masses(player);
        let gift = |(path, mass): (&Vec<(usize, usize)>, f64)| {
            let of_choice = |&(infoset, entry): &(usize, usize)| {
                let whole = self.masses[infoset];
                if whole > 0.0 { self.gaps[entry] * mass / whole } else { 0.0 }
            };
            path.iter().map(of_choice).sum()
        };
        subgame.paths[player.index()].iter().zip(masses).map(gift).collect()
    }
}
