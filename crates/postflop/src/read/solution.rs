//! What a solver has found, to be read.

use std::sync::Arc;
use std::time::Duration;

use equipoise_cards::{BlockerSums, Card, Combo, SuitPermutation};
use equipoise_cfr::Algorithm;
use equipoise_game::{Action, NodeId, PerPlayer, Player, ValueUnit};
use thiserror::Error;

use crate::compile::layout::Layout;
use crate::compile::layout::combo_at;
use crate::problem::spot::Spot;
use crate::read::equity;
use crate::solve::engine::Engine;
use crate::solve::pass::Pass;

/// How far sums over all combos, in 32 bits, may be off, as a part of the pot.
const ROUNDING: f64 = 1e-5;

/// How far two strategies are from equilibrium: the mean of what the two players could gain by answering the
/// other's strategy best. Locked decisions count as given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exploitability {
    /// In chips. Of a spot that is played for prizes, which is not zero-sum, the larger gain in prizes: ε of an
    /// ε-equilibrium.
    pub chips: f64,
    /// In percent of the starting pot; for prizes, of what the pot is worth on average to the two players.
    pub pct_pot: f64,
    /// What each player could gain, if the spot is played for prizes.
    pub gains: Option<PerPlayer<f64>>,
}

/// The expected value of one combo.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComboEv {
    /// The combo.
    pub combo: Combo,
    /// Its weight in the range.
    pub weight: f64,
    /// Matchups: the opponent's weight on combos that share no card with it; `ev` and `equity` are 0 where this is 0.
    pub matchups: f64,
    /// Chips received minus chips invested, from the root on; or [prizes](equipoise_game::Prizes).
    pub ev: f64,
    /// Win plus tie share without further betting.
    pub equity: f64,
}

/// The expected value of a player's range at the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayerEv {
    /// Whose.
    pub player: Player,
    /// Over the range.
    pub mean: f64,
    /// Equity of the range.
    pub equity: f64,
    /// Combo by combo, in the order of combo numbers (on a river root: of strength).
    pub combos: Vec<ComboEv>,
}

/// The average strategy of one combo at a decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComboStrategy {
    /// The combo.
    pub combo: Combo,
    /// How often each action is played, in the order of [`NodeStrategy::actions`].
    pub frequencies: Vec<f64>,
    /// The weight with which the combo gets here: range times own strategy on the way.
    pub reach: f64,
    /// The share of all hands that get here in which the player holds this combo.
    pub share: f64,
    /// False where the combo never got here while training, so that there is no average: the frequencies are then the
    /// current strategy's, which answers what the opponent does.
    pub is_reached: bool,
    /// Whether the frequencies are locked.
    pub is_locked: bool,
}

/// The average strategy at a decision on one board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeStrategy {
    /// Who acts.
    pub player: Player,
    /// What can be done.
    pub actions: Vec<Action>,
    /// Combo by combo; blocked ones are left out.
    pub combos: Vec<ComboStrategy>,
}

impl NodeStrategy {
    /// How often each action is played by the whole range.
    #[must_use]
    pub fn frequencies(&self) -> Vec<f64> {
        let of_action =
            |action: usize| self.combos.iter().map(|combo| combo.share * combo.frequencies[action]).sum();
        (0..self.actions.len()).map(of_action).collect()
    }
}

/// Why there is nothing to read at a place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunoutError {
    /// Nobody acts at the node.
    #[error("nobody acts there: ask for a decision")]
    NoDecision,
    /// Too few or too many cards, or cards that cannot come.
    #[error("the decision needs {expected} card(s) that can come after the board")]
    Cards {
        /// How many cards are dealt on the way.
        expected: usize,
    },
}

/// What has been found: the average strategy of both players, and what it is worth.
#[derive(Debug)]
pub struct Solution {
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) record: Record,
}

/// The record of a solve beside its tables.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) spot: Arc<Spot>,
    symmetries: Vec<SuitPermutation>,
    /// The root's combos with their weights, in the order in which passes return values.
    root: PerPlayer<Vec<(Combo, f64)>>,
    /// The weight of all pairs of combos that share no card.
    num_deals: f64,
    algorithm: Algorithm,
    pub(crate) iterations: u32,
    /// The iterations that an old solution stands for.
    pub(crate) head_start: u32,
    pub(crate) exploitability: Option<Exploitability>,
    pub(crate) converged: bool,
    pub(crate) elapsed: Duration,
    /// Iterations and exploitability, in percent of the pot, of all checks.
    pub(crate) checks: Vec<(u32, f64)>,
    /// What the last iteration added to the average strategies was multiplied by.
    pub(crate) grown: f64,
    /// The expected values at the root, once they were found; gone with the next iteration.
    pub(crate) evs: Option<PerPlayer<PlayerEv>>,
}

impl Record {
    fn new(spot: Arc<Spot>, symmetries: Vec<SuitPermutation>, algorithm: Algorithm) -> Record {
        let root = equity::root_lists(&spot);
        let mut sums = BlockerSums::default();
        root[Player::Ip].iter().for_each(|&(combo, weight)| sums.add(combo, weight));
        let theirs = &equity::range_weights(&spot)[Player::Ip];
        let matchups = |combo: Combo| sums.matchups(combo, theirs[combo.index()]);
        let num_deals = root[Player::Oop].iter().map(|&(combo, weight)| weight * matchups(combo)).sum();
        Record {
            spot,
            symmetries,
            root,
            num_deals,
            algorithm,
            iterations: 0,
            head_start: 0,
            exploitability: None,
            converged: false,
            elapsed: Duration::ZERO,
            checks: Vec::new(),
            grown: 1.0,
            evs: None,
        }
    }

    /// The suit isomorphisms under which boards are solved once.
    pub(crate) fn symmetries(&self) -> &[SuitPermutation] {
        &self.symmetries
    }

    pub(crate) fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// A player's combos at the root with their weights, in the order in which passes return values.
    pub(crate) fn root_list(&self, player: Player) -> &[(Combo, f64)] {
        &self.root[player]
    }

    /// The mean over hands of values that are sums over the opponent's weight.
    pub(crate) fn mean(&self, player: Player, values: &[f64]) -> f64 {
        let weighted = self.root[player].iter().zip(values).map(|((_, weight), value)| weight * value);
        weighted.sum::<f64>() / self.num_deals
    }

    /// The passes whose mean values tell the exploitability.
    pub(crate) fn check_passes(&self) -> Vec<Pass> {
        let mut passes = Vec::from(Player::ALL.map(Pass::best_response));
        // Without rake and prizes the two expected values sum to the pot.
        let config = self.spot.tree().config();
        if config.rake.of(config.starting_pot) != 0.0 || config.prizes.is_some() {
            passes.extend(Player::ALL.map(Pass::average));
        }
        passes
    }

    /// The exploitability, from the mean values of [`check_passes`](Self::check_passes).
    pub(crate) fn exploitability_of(&self, means: &[f64]) -> Exploitability {
        let (best, evs) = means.split_at(2);
        let worth = self.spot.pot_worth();
        // Nobody loses by a best response: a little below 0 is rounding. More would be a mistake, and is shown.
        let rounded = |gain: f64| if (-ROUNDING * worth..0.0).contains(&gain) { 0.0 } else { gain };
        let gains = match (self.spot.tree().unit(), evs) {
            (ValueUnit::Prizes, &[oop, ip]) => Some(PerPlayer::new(best[0] - oop, best[1] - ip).map(rounded)),
            _ => None,
        };
        let chips = match gains {
            Some(gains) => gains.into_array().into_iter().fold(f64::NEG_INFINITY, f64::max),
            None => {
                let shared = if evs.is_empty() { self.spot.pot() } else { evs.iter().sum() };
                rounded((best.iter().sum::<f64>() - shared) / 2.0)
            }
        };
        Exploitability { chips, pct_pot: 100.0 * chips / worth, gains }
    }
}

impl Solution {
    pub(crate) fn new(
        spot: Arc<Spot>,
        engine: Box<dyn Engine>,
        symmetries: Vec<SuitPermutation>,
        algorithm: Algorithm,
    ) -> Solution {
        Solution { engine, record: Record::new(spot, symmetries, algorithm) }
    }

    /// The problem.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        &self.record.spot
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &Algorithm {
        &self.record.algorithm
    }

    /// How many iterations were run.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.record.iterations
    }

    /// Time spent in iterations and checks.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.record.elapsed
    }

    /// Whether the target was reached.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.record.converged
    }

    /// The exploitability at the last check, if there was one.
    #[must_use]
    pub fn exploitability(&self) -> Option<Exploitability> {
        self.record.exploitability
    }

    /// The weight of all pairs of combos, one of each range, that share no card.
    #[must_use]
    pub fn num_deals(&self) -> f64 {
        self.record.num_deals
    }

    /// Bytes in use.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// The expected values of both ranges at the root, when both play their average strategies.
    pub fn evs(&mut self) -> PerPlayer<PlayerEv> {
        match &self.record.evs {
            Some(known) => known.clone(),
            None => self.find_evs(Pass::evs),
        }
    }

    /// Finds them by this pass, which may find more.
    pub(crate) fn find_evs(&mut self, pass: fn(Player) -> Pass) -> PerPlayer<PlayerEv> {
        let spot = &self.record.spot;
        let shares =
            equity::shares(&Layout::of_spot(spot), &equity::range_weights(spot), &self.record.symmetries);
        let min_matchups = spot.min_matchups();
        let values = self.engine.values(&Player::ALL.map(pass));
        let evs = PerPlayer::from_fn(|player| {
            let values = &values[player.index()].1;
            let mean = self.record.mean(player, values);
            let matchups = &shares[player];
            let won: Vec<f64> = matchups.iter().map(|&(_, won)| won).collect();
            let equity = self.record.mean(player, &won);
            let of_combo = |(at, &(combo, weight)): (usize, &(Combo, f64))| {
                let (matchups, won) = matchups[at];
                let per = |sum: f64| if matchups > min_matchups[player] { sum / matchups } else { 0.0 };
                ComboEv { combo, weight, matchups, ev: per(values[at]), equity: per(won) }
            };
            let combos = self.record.root[player].iter().enumerate().map(of_combo).collect();
            PlayerEv { player, mean, equity, combos }
        });
        self.record.evs = Some(evs.clone());
        evs
    }

    /// What each player would get on average by answering the other's average strategy best, in chips from the root on.
    pub fn best_responses(&mut self) -> PerPlayer<f64> {
        let values = self.engine.values(&Player::ALL.map(Pass::best_response));
        PerPlayer::from_fn(|player| self.record.mean(player, &values[player.index()].1))
    }

    /// Measures the exploitability of the average strategies.
    pub fn measure(&mut self) -> Exploitability {
        let values = self.engine.values(&self.record.check_passes());
        let means: Vec<f64> =
            values.iter().map(|(player, values)| self.record.mean(*player, values)).collect();
        let measured = self.record.exploitability_of(&means);
        self.record.exploitability = Some(measured);
        measured
    }

    /// How often the root's player takes each action; empty if nobody acts at the root.
    #[must_use]
    pub fn root_frequencies(&self) -> Vec<(Action, f64)> {
        let Ok(strategy) = self.strategy(NodeId::ROOT, &[]) else { return Vec::new() };
        strategy.actions.iter().copied().zip(strategy.frequencies()).collect()
    }

    /// The average strategy at a decision, after these cards.
    ///
    /// # Errors
    /// [`RunoutError`] if nobody acts there or the cards do not fit.
    pub fn strategy(&self, node: NodeId, runout: &[Card]) -> Result<NodeStrategy, RunoutError> {
        let tree = self.record.spot.tree();
        let player = tree.node(node).player().ok_or(RunoutError::NoDecision)?;
        let expected = self.record.spot.num_dealt(node);
        let wrong = RunoutError::Cards { expected };
        if runout.len() != expected {
            return Err(wrong);
        }
        let numbers = self.engine.numbers(node, runout).ok_or(wrong)?;
        let reaches = self.reaches(node, runout);
        let mut sums = BlockerSums::default();
        let theirs = &reaches[player.opponent()];
        for (combo, &reach) in theirs.iter().enumerate().filter(|(_, reach)| **reach > 0.0) {
            sums.add(combo_at(combo as u16), reach);
        }
        let mut combos: Vec<ComboStrategy> = numbers
            .into_iter()
            .map(|numbers| {
                let at = numbers.combo.index();
                let reach = reaches[player][at];
                let matchups = sums.matchups(numbers.combo, theirs[at]);
                ComboStrategy {
                    combo: numbers.combo,
                    is_reached: numbers.is_reached,
                    is_locked: numbers.is_locked,
                    frequencies: numbers.frequencies,
                    reach,
                    share: reach * matchups,
                }
            })
            .collect();
        let total: f64 = combos.iter().map(|combo| combo.share).sum();
        if total > 0.0 {
            combos.iter_mut().for_each(|combo| combo.share /= total);
        }
        combos.sort_by_key(|combo| combo.combo);
        let actions = tree.actions(node).map(|(action, _)| action).collect();
        Ok(NodeStrategy { player, actions, combos })
    }

    /// The weights with which both players' combos get to a node, by combo number.
    #[must_use]
    pub fn reaches(&self, node: NodeId, runout: &[Card]) -> PerPlayer<Vec<f64>> {
        let tree = self.record.spot.tree();
        let dealt = runout.iter().copied().collect::<equipoise_cards::CardSet>();
        let mut reaches = PerPlayer::from_fn(|player| {
            let range = self.record.spot.ranges()[player].without(dealt);
            range.weights().iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>()
        });
        let (mut child, mut parent) = (node, tree.node(node).parent());
        while let Some(at) = parent {
            let dealt = &runout[..self.record.spot.num_dealt(at).min(runout.len())];
            if let (Some(player), Some(numbers)) = (tree.node(at).player(), self.engine.numbers(at, dealt)) {
                let action = tree.node(at).children().position(|id| id == child).expect("a child");
                for numbers in numbers {
                    reaches[player][numbers.combo.index()] *= numbers.frequencies[action];
                }
            }
            (child, parent) = (at, tree.node(at).parent());
        }
        reaches
    }
}
