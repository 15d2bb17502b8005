//! What a solver has found, to be read.

use std::sync::Arc;
use std::time::Duration;

use equipoise_cards::{Card, Combo, SuitPermutation};
use equipoise_cfr::Algorithm;
use equipoise_game::{Action, NodeId, Player};
use thiserror::Error;

use crate::engine::{ComboNumbers, Engine};
use crate::equity::{self, CardSums};
use crate::spot::Spot;
use crate::traverse::Pass;

/// How far two strategies are from equilibrium: the mean of what the two players could gain by answering the
/// other's strategy best. Locked decisions count as given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exploitability {
    /// In chips.
    pub chips: f64,
    /// In percent of the starting pot.
    pub pct_pot: f64,
}

/// The expected value of one combo.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComboEv {
    /// The combo.
    pub combo: Combo,
    /// Its weight in the range.
    pub weight: f64,
    /// The opponent's weight that it can meet; `ev` and `equity` are 0 where this is 0.
    pub meets: f64,
    /// Chips received minus chips put in, from the root on.
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
    pub(crate) spot: Arc<Spot>,
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) symmetries: Vec<SuitPermutation>,
    /// The root's combos with their weights, in the order in which passes return values.
    root: [Vec<(Combo, f64)>; 2],
    /// The weight of all pairs of combos that can meet.
    num_deals: f64,
    pub(crate) algorithm: Algorithm,
    pub(crate) iterations: u32,
    pub(crate) exploitability: Option<Exploitability>,
    pub(crate) converged: bool,
    pub(crate) elapsed: Duration,
}

impl Solution {
    pub(crate) fn new(
        spot: Arc<Spot>,
        engine: Box<dyn Engine>,
        symmetries: Vec<SuitPermutation>,
        algorithm: Algorithm,
    ) -> Solution {
        let root = equity::root_lists(&spot);
        let mut sums = CardSums::default();
        root[1].iter().for_each(|(combo, weight)| sums.add(combo.index() as u16, *weight));
        let meets =
            |combo: Combo| sums.without(combo.index() as u16) + f64::from(spot.ranges()[1].get(combo));
        let num_deals = root[0].iter().map(|&(combo, weight)| weight * meets(combo)).sum();
        Solution {
            spot,
            engine,
            symmetries,
            root,
            num_deals,
            algorithm,
            iterations: 0,
            exploitability: None,
            converged: false,
            elapsed: Duration::ZERO,
        }
    }

    /// The problem.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// How many iterations were run.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Time spent in iterations and checks.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Whether the target was reached.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The exploitability at the last check, if there was one.
    #[must_use]
    pub fn exploitability(&self) -> Option<Exploitability> {
        self.exploitability
    }

    /// Bytes in use.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// The mean over hands of values that are sums over the opponent's weight.
    pub(crate) fn mean(&self, player: Player, values: &[f64]) -> f64 {
        let weighted =
            self.root[player.index()].iter().zip(values).map(|((_, weight), value)| weight * value);
        weighted.sum::<f64>() / self.num_deals
    }

    /// The mean value of each player's range in a pass.
    fn means(&mut self, pass: fn(Player) -> Pass) -> [f64; 2] {
        let values = self.engine.pass_of_each(pass);
        Player::ALL.map(|player| self.mean(player, &values[player.index()]))
    }

    /// The expected values of both ranges at the root, when both play their average strategies.
    pub fn evs(&mut self) -> [PlayerEv; 2] {
        let shares = equity::shares(&self.spot, &self.symmetries);
        let values = self.engine.pass_of_each(Pass::average);
        Player::ALL.map(|player| {
            let values = &values[player.index()];
            let mean = self.mean(player, values);
            let meets = &shares[player.index()];
            let won: Vec<f64> = meets.iter().map(|&(_, won)| won).collect();
            let equity = self.mean(player, &won);
            let of_combo = |(at, &(combo, weight)): (usize, &(Combo, f64))| {
                let (meets, won) = meets[at];
                let per = |sum: f64| if meets > 1e-9 { sum / meets } else { 0.0 };
                ComboEv { combo, weight, meets, ev: per(values[at]), equity: per(won) }
            };
            let combos = self.root[player.index()].iter().enumerate().map(of_combo).collect();
            PlayerEv { player, mean, equity, combos }
        })
    }

    /// Measures the exploitability of the average strategies.
    pub fn measure(&mut self) -> Exploitability {
        let best = self.means(Pass::best_response);
        // Without rake the two expected values sum to the pot.
        let evs = if self.spot.tree().config().rake.of(self.spot.tree().config().starting_pot) == 0.0 {
            self.spot.pot()
        } else {
            self.means(Pass::average).iter().sum()
        };
        let chips = (best[0] + best[1] - evs) / 2.0;
        let measured = Exploitability { chips, pct_pot: 100.0 * chips / self.spot.pot() };
        self.exploitability = Some(measured);
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
        let tree = self.spot.tree();
        let player = tree.node(node).player().ok_or(RunoutError::NoDecision)?;
        let expected = self.spot.num_dealt(node);
        let wrong = RunoutError::Cards { expected };
        if runout.len() != expected {
            return Err(wrong);
        }
        let numbers = self.engine.numbers(node, runout).ok_or(wrong)?;
        let reaches = self.reaches(node, runout);
        let mut sums = CardSums::default();
        let theirs = &reaches[player.opponent().index()];
        for (combo, &reach) in theirs.iter().enumerate().filter(|(_, reach)| **reach > 0.0) {
            sums.add(combo as u16, reach);
        }
        let mut combos: Vec<ComboStrategy> = numbers
            .into_iter()
            .map(|numbers| {
                let at = numbers.combo.index();
                let reach = reaches[player.index()][at];
                let meets = (sums.without(at as u16) + theirs[at]).max(0.0);
                let is_reached = numbers.average.iter().sum::<f32>() > 0.0;
                ComboStrategy {
                    combo: numbers.combo,
                    is_reached,
                    is_locked: numbers.lock.is_some(),
                    frequencies: frequencies(&numbers),
                    reach,
                    share: reach * meets,
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
    pub fn reaches(&self, node: NodeId, runout: &[Card]) -> [Vec<f64>; 2] {
        let tree = self.spot.tree();
        let dealt = runout.iter().copied().collect::<equipoise_cards::CardSet>();
        let mut reaches = [0, 1].map(|player: usize| {
            let range = self.spot.ranges()[player].without(dealt);
            range.weights().iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>()
        });
        let (mut child, mut parent) = (node, tree.node(node).parent());
        while let Some(at) = parent {
            let dealt = &runout[..self.spot.num_dealt(at).min(runout.len())];
            if let (Some(player), Some(numbers)) = (tree.node(at).player(), self.engine.numbers(at, dealt)) {
                let action = tree.node(at).children().position(|id| id == child).expect("a child");
                for numbers in numbers {
                    reaches[player.index()][numbers.combo.index()] *= frequencies(&numbers)[action];
                }
            }
            (child, parent) = (at, tree.node(at).parent());
        }
        reaches
    }
}

/// The average strategy of a combo; the current one where there is no average; the lock where there is one.
fn frequencies(numbers: &ComboNumbers) -> Vec<f64> {
    if let Some(lock) = &numbers.lock {
        return lock.iter().map(|&frequency| f64::from(frequency)).collect();
    }
    let shares = |parts: &[f32]| {
        let sum: f64 = parts.iter().map(|&part| f64::from(part.max(0.0))).sum();
        (sum > 0.0).then(|| parts.iter().map(|&part| f64::from(part.max(0.0)) / sum).collect())
    };
    shares(&numbers.average)
        .or_else(|| shares(&numbers.regret))
        .unwrap_or_else(|| vec![1.0 / numbers.average.len() as f64; numbers.average.len()])
}
