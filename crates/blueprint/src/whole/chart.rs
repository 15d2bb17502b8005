//! The decisions before the flop, with what each action is worth to each hand class.

use equipoise_cards::{Board, CanonicalBoard, HandClass};
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::BucketedError;
use crate::bucketed::betting::StepKind;
use crate::bucketed::pack::Purpose;
use crate::whole::exploit::Exploiter;
use crate::whole::game::Position;
use crate::whole::preflop::{ByClass, Entries, Play};

/// What the lines that reach a flop are worth to both players there in self-play, by hand class.
#[derive(Clone, Debug, PartialEq)]
pub struct FlopEvs {
    entries: PerPlayer<Entries>,
}

/// A decision before the flop.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChartDecision {
    /// The actions that lead there, as [`Line`](super::Line) has them.
    pub line: String,
    /// Who acts.
    pub player: Player,
    /// Short names of the actions.
    pub actions: Vec<String>,
    /// By hand class: how often the player's own actions lead there.
    pub reach: Vec<f64>,
    /// By hand class: how often each action is taken.
    pub frequencies: Vec<Vec<f64>>,
    /// By hand class: what each action is worth in big blinds from the start of the hand, blinds included.
    pub evs_bb: Vec<Vec<f64>>,
    /// By hand class: the standard error of each EV over flops; infinite from one flop alone.
    pub std_errors_bb: Vec<Vec<f64>>,
}

/// A decision on the way: where, and how often both players' actions lead there.
struct Visited<'a> {
    step: usize,
    position: Position<'a>,
    line: Vec<String>,
    reach: PerPlayer<ByClass>,
}

const N: usize = HandClass::COUNT;

impl Exploiter<'_> {
    /// What a flop is worth to both players in self-play.
    ///
    /// # Errors
    /// [`BucketedError`] if the buckets of a board cannot be read.
    pub fn flop_evs(&mut self, flop: Board) -> Result<FlopEvs, BucketedError> {
        let flop = CanonicalBoard::new(&flop).board();
        let values = self.entries(flop, Purpose::Evaluate)?;
        Ok(FlopEvs { entries: values.map(|values| self.mean(std::iter::once((&values[..], 1)))) })
    }

    /// Every decision before the flop in the order of the betting, valued on flops that were drawn.
    ///
    /// # Panics
    /// If there is no flop.
    #[must_use]
    pub fn chart(&self, flops: &[FlopEvs]) -> Vec<ChartDecision> {
        self.chart_of(&flops.iter().map(|flop| (flop.clone(), 1.0)).collect::<Vec<_>>())
    }

    /// [`chart`](Exploiter::chart) of flops with weights.
    pub(super) fn chart_of(&self, flops: &[(FlopEvs, f64)]) -> Vec<ChartDecision> {
        assert!(!flops.is_empty(), "there is at least one flop");
        let strategies = self.strategies();
        let ones = [1.0; N];
        let root = Visited {
            step: 0,
            position: strategies.root(),
            line: Vec::new(),
            reach: PerPlayer::new(ones, ones),
        };
        let mut waiting = vec![root];
        let mut decisions = Vec::new();
        while let Some(at) = waiting.pop() {
            let step = self.preflop().step(at.step);
            let StepKind::Decision(player) = step.kind else { continue };
            decisions.push(self.decision(player, &at, flops));
            let labels = at.position.labels();
            for action in (0..step.num_children).rev() {
                let Some(position) = strategies.act(&at.position, action) else { continue };
                let mut reach = at.reach;
                for class in 0..N {
                    reach[player][class] *= strategies.strategy(&at.position, class)[action];
                }
                let line = at.line.iter().chain([&labels[action]]).cloned().collect();
                waiting.push(Visited { step: step.first_child + action, position, line, reach });
            }
        }
        decisions
    }

    fn decision(&self, player: Player, at: &Visited<'_>, flops: &[(FlopEvs, f64)]) -> ChartDecision {
        let step = self.preflop().step(at.step);
        let theirs = &at.reach[player.opponent()];
        let matchups = self.preflop().matchups(theirs);
        let big_blinds = |chips: f64| self.strategies().game().big_blinds(chips);
        let num_actions = step.num_children;
        let mut sums = vec![vec![[0.0; 2]; num_actions]; N];
        let total: f64 = flops.iter().map(|(_, weight)| weight).sum();
        for (entries, weight) in flops.iter().map(|(flop, weight)| (&flop.entries[player], weight)) {
            let weight = weight * flops.len() as f64 / total;
            let values: Vec<ByClass> = (step.first_child..step.first_child + num_actions)
                .map(|child| self.preflop().values(player, Play::Blueprint, entries, child, theirs))
                .collect();
            for (class, (sums, matchups)) in sums.iter_mut().zip(matchups).enumerate() {
                for (sum, values) in sums.iter_mut().zip(&values) {
                    let ev = big_blinds(values[class] / matchups.max(f64::MIN_POSITIVE));
                    sum[0] += weight * ev;
                    sum[1] += weight * ev * ev;
                }
            }
        }
        let count = flops.len() as f64;
        let mean = |[sum, _]: [f64; 2]| sum / count;
        let std_error = |[sum, squares]: [f64; 2]| {
            let variance = (squares - sum * sum / count).max(0.0) / (count - 1.0);
            if flops.len() < 2 { f64::INFINITY } else { (variance / count).sqrt() }
        };
        let each = |number: &dyn Fn([f64; 2]) -> f64| {
            sums.iter().map(|row| row.iter().map(|&sum| number(sum)).collect()).collect()
        };
        ChartDecision {
            line: at.line.join(" "),
            player,
            actions: at.position.labels(),
            reach: at.reach[player].to_vec(),
            frequencies: (0..N).map(|class| self.strategies().strategy(&at.position, class)).collect(),
            evs_bb: each(&mean),
            std_errors_bb: each(&std_error),
        }
    }
}
