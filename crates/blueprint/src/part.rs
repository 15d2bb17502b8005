//! The betting of one street with what has been learned there, and one pass over it for one player.

use equipoise_cfr::{Coefficients, Requirements};
use equipoise_game::Player;

use crate::betting::{Betting, Step, StepKind};
use crate::deal::Deal;
use crate::infosets::{Infosets, Played};
use crate::sweep::{self, SweepScratch};

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Both play the current strategy; the traverser's regrets and the opponent's average move.
    Train,
    /// Both play the average strategy.
    Evaluate,
    /// The traverser answers the opponent's average strategy with the best action of each combo on each board, as a
    /// player does who is bound by no bucket.
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

/// The numbers of a training pass: the iteration's, those of the next, and what the algorithm keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson {
    pub now: Coefficients,
    pub next: Coefficients,
    pub needs: Requirements,
}

/// A street's betting from one place on, its information sets, and room for a pass.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub betting: Betting,
    infosets: Vec<Infosets>,
    /// A slot for each reach, in it a number for each combo of the opponent.
    reaches: Vec<f64>,
    /// A slot for each step, in it a number for each own combo.
    values: Vec<f64>,
    scratch: SweepScratch,
}

impl Part {
    pub(crate) fn new(betting: Betting, num_buckets: [usize; 2], needs: Requirements) -> Part {
        let infosets =
            |(player, actions): (Player, usize)| Infosets::new(actions, num_buckets[player.index()], needs);
        let infosets = betting.choices().map(infosets).collect();
        Part { betting, infosets, reaches: Vec::new(), values: Vec::new(), scratch: SweepScratch::default() }
    }

    pub(crate) fn infosets(&self, decision: usize) -> &Infosets {
        &self.infosets[decision]
    }

    /// The way down: the opponent's reach at every step. `enter` fills the first slot.
    pub(crate) fn descend(
        &mut self,
        deal: &Deal,
        own: Player,
        purpose: Purpose,
        enter: impl FnOnce(&mut [f64]),
    ) {
        let theirs = deal.hands(own.opponent());
        let num_combos = theirs.len();
        let slots = &self.betting.reach_slots[own.index()];
        self.reaches.resize(self.betting.num_reaches[own.index()] * num_combos, 0.0);
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

    /// The opponent's reach at a step, after the way down.
    pub(crate) fn reach(&self, step: usize, own: Player, num_combos: usize) -> &[f64] {
        &self.reaches[self.betting.reach_slots[own.index()][step] * num_combos..][..num_combos]
    }

    /// The way up: the values of all own combos at the first step. `line` has what lies behind an exit.
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
        for ends in &self.betting.shows[own.index()] {
            sweep::show(ends, deal, own, &self.reaches, &mut self.values, &mut self.scratch);
        }
        for ends in &self.betting.folds[own.index()] {
            sweep::fold(ends, deal, own, &self.reaches, &mut self.values, &mut self.scratch);
        }
        for (at, step) in self.betting.steps.iter().enumerate().rev() {
            let (before, behind) = self.values.split_at_mut((at + 1) * num_combos);
            let to = &mut before[at * num_combos..];
            let children =
                || &behind[(step.first_child - at - 1) * num_combos..][..step.num_children * num_combos];
            match (step.kind, decision_of(step, own)) {
                (StepKind::End, _) => {}
                (StepKind::Exit { line: exit }, _) => to.copy_from_slice(line(exit)),
                (_, None) => add_up(children(), to),
                (_, Some(_)) if purpose == Purpose::BestResponse => best(children(), to),
                (_, Some(decision)) => {
                    let infosets = &mut self.infosets[decision];
                    if purpose == Purpose::Train {
                        let (strategy, sums) = infosets.strategy_and_values();
                        learn(children(), &ours.buckets, &ours.weights, sums);
                        mix(children(), &ours.buckets, strategy, to);
                    } else {
                        mix(children(), &ours.buckets, infosets.strategy(purpose.played()), to);
                    }
                }
            }
        }
        &self.values[..num_combos]
    }

    /// The training pass of a player is over on all boards.
    pub(crate) fn close(&mut self, own: Player, lesson: &Lesson) {
        for (infosets, (player, _)) in self.infosets.iter_mut().zip(self.betting.choices()) {
            if player == own {
                infosets.update(&lesson.now, &lesson.next, lesson.needs);
            } else {
                infosets.absorb(&lesson.now, lesson.needs);
            }
        }
    }

    /// Makes the average strategies of now what is played where averages are.
    pub(crate) fn settle(&mut self) {
        self.infosets.iter_mut().for_each(Infosets::settle);
    }
}

/// The number of a step's decision if the player makes it.
fn decision_of(step: &Step, by: Player) -> Option<usize> {
    match step.kind {
        StepKind::Decision { player, decision } if player == by => Some(decision),
        _ => None,
    }
}

/// The opponent's actions are in the reaches, so their values add up.
fn add_up(children: &[f64], to: &mut [f64]) {
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

/// The values under a strategy of buckets.
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

/// A bucket's value of an action is that of its combos, each as often as the range has it.
fn learn(children: &[f64], buckets: &[u32], weights: &[f64], sums: &mut [f64]) {
    let num_combos = buckets.len().max(1);
    let actions = children.len() / num_combos;
    for (action, child) in children.chunks_exact(num_combos).enumerate() {
        for ((value, weight), &bucket) in child.iter().zip(weights).zip(buckets) {
            sums[bucket as usize * actions + action] += weight * value;
        }
    }
}
