//! The betting of one street with its tables, and one pass over it for one player.

use equipoise_cfr::{Coefficients, Requirements};
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::betting::{Betting, Step, StepKind};
use crate::bucketed::deal::Deal;
use crate::bucketed::infosets::{Infosets, Played};
use crate::bucketed::sweep::{self, SweepScratch};

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Both play the current strategy; the traverser's regrets and the opponent's average are updated.
    Train,
    /// Both play the average strategy.
    Evaluate,
    /// The traverser plays the best response of each combo on each board, free of buckets, to the opponent's average
    /// strategy.
    BestResponse,
}

impl Purpose {
    fn played(self) -> Played {
        match self {
            Purpose::Train => Played::Current,
            Purpose::Evaluate | Purpose::BestResponse => Played::Average,
        }
    }
}

/// The coefficients of an iteration and of the next, and the requirements of the algorithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iteration {
    pub now: Coefficients,
    pub next: Coefficients,
    pub needs: Requirements,
}

/// A street's betting from one node on, its information sets, and scratch for a pass.
#[derive(Clone, Debug)]
pub(crate) struct StreetTables {
    pub betting: Betting,
    infosets: Vec<Infosets>,
    /// A slot for each reach, in it a number for each combo of the opponent.
    reaches: Vec<f64>,
    /// A slot for each step, in it a number for each own combo.
    values: Vec<f64>,
    scratch: SweepScratch,
}

impl StreetTables {
    pub(crate) fn new(betting: Betting, num_buckets: PerPlayer<usize>, needs: Requirements) -> StreetTables {
        let infosets =
            |(player, actions): (Player, usize)| Infosets::new(actions, num_buckets[player], needs);
        let infosets = betting.choices().map(infosets).collect();
        StreetTables {
            betting,
            infosets,
            reaches: Vec::new(),
            values: Vec::new(),
            scratch: SweepScratch::default(),
        }
    }

    pub(crate) fn infosets(&self, decision: usize) -> &Infosets {
        &self.infosets[decision]
    }

    /// The down pass: the opponent's reach at every step. `enter` fills the first slot.
    pub(crate) fn descend(
        &mut self,
        deal: &Deal,
        own: Player,
        purpose: Purpose,
        enter: impl FnOnce(&mut [f64]),
    ) {
        let theirs = deal.hands(own.opponent());
        let num_combos = theirs.len();
        let slots = &self.betting.reach_slots[own];
        self.reaches.resize(self.betting.num_reaches[own] * num_combos, 0.0);
        enter(&mut self.reaches[..num_combos]);
        for (at, step) in self.betting.steps.iter().enumerate() {
            let Some(decision) = decision_of(step, own.opponent()) else { continue };
            let (before, behind) = self.reaches.split_at_mut(slots[step.first_child] * num_combos);
            let reach = &before[slots[at] * num_combos..][..num_combos];
            let behind = &mut behind[..step.num_children * num_combos];
            let infosets = &mut self.infosets[decision];
            let strategy = match purpose {
                Purpose::Train => {
                    let (strategy, sums) = infosets.strategy_and_reach();
                    for (&bucket, reach) in theirs.buckets.iter().zip(reach) {
                        sums[bucket as usize] += reach;
                    }
                    strategy
                }
                _ => infosets.strategy(purpose.played()),
            };
            for (action, to) in behind.chunks_exact_mut(num_combos.max(1)).enumerate() {
                for ((to, reach), &bucket) in to.iter_mut().zip(reach).zip(&theirs.buckets) {
                    *to = reach * strategy[bucket as usize * step.num_children + action];
                }
            }
        }
    }

    /// The opponent's reach at a step, after the down pass.
    pub(crate) fn reach(&self, step: usize, own: Player, num_combos: usize) -> &[f64] {
        &self.reaches[self.betting.reach_slots[own][step] * num_combos..][..num_combos]
    }

    /// The up pass: the values of all own combos at the first step, given those of the betting lines after chance.
    pub(crate) fn ascend<'a>(
        &mut self,
        deal: &Deal,
        own: Player,
        purpose: Purpose,
        line: impl Fn(usize) -> &'a [f64],
    ) -> &[f64] {
        let ours = deal.hands(own);
        let num_combos = ours.len();
        self.values.resize(self.betting.steps.len() * num_combos, 0.0);
        for terminals in &self.betting.shows[own] {
            sweep::show(terminals, deal, own, &self.reaches, &mut self.values, &mut self.scratch);
        }
        for terminals in &self.betting.folds[own] {
            sweep::fold(terminals, deal, own, &self.reaches, &mut self.values, &mut self.scratch);
        }
        for (at, step) in self.betting.steps.iter().enumerate().rev() {
            let (before, behind) = self.values.split_at_mut((at + 1) * num_combos);
            let to = &mut before[at * num_combos..];
            let children =
                || &behind[(step.first_child - at - 1) * num_combos..][..step.num_children * num_combos];
            match (step.kind, decision_of(step, own)) {
                (StepKind::Terminal, _) => {}
                (StepKind::Chance { line: after }, _) => to.copy_from_slice(line(after)),
                (_, None) => sum(children(), to),
                (_, Some(_)) if purpose == Purpose::BestResponse => best(children(), to),
                (_, Some(decision)) => {
                    let infosets = &mut self.infosets[decision];
                    if purpose == Purpose::Train {
                        let (strategy, sums) = infosets.strategy_and_values();
                        accumulate_values(children(), &ours.buckets, &ours.weights, sums);
                        mix(children(), &ours.buckets, strategy, to);
                    } else {
                        mix(children(), &ours.buckets, infosets.strategy(purpose.played()), to);
                    }
                }
            }
        }
        &self.values[..num_combos]
    }

    /// Updates the tables after a player's training pass over all boards.
    pub(crate) fn update(&mut self, own: Player, iteration: &Iteration) {
        for (infosets, (player, _)) in self.infosets.iter_mut().zip(self.betting.choices()) {
            if player == own {
                infosets.update(&iteration.now, &iteration.next, iteration.needs);
            } else {
                infosets.accumulate(&iteration.now, iteration.needs);
            }
        }
    }

    /// Normalises the average strategies, to be played.
    pub(crate) fn normalise_averages(&mut self) {
        self.infosets.iter_mut().for_each(Infosets::normalise_average);
    }
}

/// The number of a step's decision if the player makes it.
fn decision_of(step: &Step, by: Player) -> Option<usize> {
    match step.kind {
        StepKind::Decision { player, decision } if player == by => Some(decision),
        _ => None,
    }
}

/// The value of an opponent's decision: reaches already contain its strategy.
fn sum(children: &[f64], to: &mut [f64]) {
    to.fill(0.0);
    for child in children.chunks_exact(to.len().max(1)) {
        to.iter_mut().zip(child).for_each(|(to, value)| *to += value);
    }
}

fn best(children: &[f64], to: &mut [f64]) {
    to.fill(f64::NEG_INFINITY);
    for child in children.chunks_exact(to.len().max(1)) {
        to.iter_mut().zip(child).for_each(|(to, value)| *to = to.max(*value));
    }
}

/// The values under a bucketed strategy.
fn mix(children: &[f64], buckets: &[u32], strategy: &[f64], to: &mut [f64]) {
    let num_combos = to.len().max(1);
    let actions = children.len() / num_combos;
    to.fill(0.0);
    for (action, child) in children.chunks_exact(num_combos).enumerate() {
        for ((to, value), &bucket) in to.iter_mut().zip(child).zip(buckets) {
            *to += value * strategy[bucket as usize * actions + action];
        }
    }
}

/// Adds the values of combos, weighted by the range, to those of their buckets.
fn accumulate_values(children: &[f64], buckets: &[u32], weights: &[f64], sums: &mut [f64]) {
    let num_combos = buckets.len().max(1);
    let actions = children.len() / num_combos;
    for (action, child) in children.chunks_exact(num_combos).enumerate() {
        for ((value, weight), &bucket) in child.iter().zip(weights).zip(buckets) {
            sums[bucket as usize * actions + action] += weight * value;
        }
    }
}
