//! The decisions before the flop, with what each action is worth to each hand class.

use equipoise_cards::{Board, CanonicalBoard, HandClass, Street};
use equipoise_game::{PerPlayer, Player};

use crate::bucketed::BucketedError;
use crate::bucketed::betting::{Shape, Step, StepKind};
use crate::bucketed::pack::Purpose;
use crate::whole::blueprint::Blueprint;
use crate::whole::exploit::Exploiter;
use crate::whole::game::Position;
use crate::whole::preflop::{ByClass, Entries, Play};
use crate::whole::strategies::Strategies;

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
    /// By hand class: what each action is worth in big blinds from the start of the hand, blinds included; empty if no flop
    /// was played.
    pub evs_bb: Vec<Vec<f64>>,
    /// By hand class: the standard error of each EV over flops; infinite from one flop alone.
    pub std_errors_bb: Vec<Vec<f64>>,
}

/// A line that reaches the flop with betting to come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FlopEntry {
    /// The actions that lead there, as [`Line`](super::Line) has them.
    pub line: String,
    /// The pot on the flop, in big blinds.
    pub pot_bb: f64,
    /// What each player has behind, in big blinds.
    pub behind_bb: f64,
    /// By hand class: how often each player's own actions lead there.
    pub reach: PerPlayer<Vec<f64>>,
}

/// A step of the betting before the flop: where, and how often both players' actions lead there.
struct Visited<'a> {
    step: Step,
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
        let visits = visits(self.strategies());
        let decisions = visits.iter().filter_map(|at| Some((player_of(at)?, at)));
        decisions.map(|(player, at)| self.decision(player, at, flops)).collect()
    }

    fn decision(&self, player: Player, at: &Visited<'_>, flops: &[(FlopEvs, f64)]) -> ChartDecision {
        let step = at.step;
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
            evs_bb: each(&mean),
            std_errors_bb: each(&std_error),
            ..without_evs(self.strategies(), player, at)
        }
    }
}

impl Blueprint {
    /// Every decision before the flop in the order of the betting, without EVs: no bucket is needed for these.
    #[must_use]
    pub fn decisions(&self) -> Vec<ChartDecision> {
        let visits = visits(self);
        let decisions = visits.iter().filter_map(|at| Some((player_of(at)?, at)));
        decisions.map(|(player, at)| without_evs(self, player, at)).collect()
    }

    /// Every line that reaches the flop with betting to come, in the order of the betting.
    #[must_use]
    pub fn flop_entries(&self) -> Vec<FlopEntry> {
        flop_entries(self)
    }
}

/// Every line that reaches the flop with betting to come, in the order of the betting.
pub(super) fn flop_entries(strategies: &dyn Strategies) -> Vec<FlopEntry> {
    let entry = |at: &Visited<'_>| {
        let big_blinds =
            |chips: equipoise_game::Chips| strategies.game().big_blinds(f64::from(chips.count()));
        FlopEntry {
            line: at.line.join(" "),
            pot_bb: big_blinds(at.position.hand().pot()),
            behind_bb: big_blinds(at.position.hand().behind()),
            reach: at.reach.map(|reach| reach.to_vec()),
        }
    };
    visits(strategies).iter().filter(|at| at.step.kind == StepKind::Chance).map(entry).collect()
}

/// The line of every decision before the flop.
pub(super) fn decision_lines(strategies: &dyn Strategies) -> Vec<String> {
    let visits = visits(strategies);
    visits.iter().filter(|at| player_of(at).is_some()).map(|at| at.line.join(" ")).collect()
}

const fn player_of(at: &Visited<'_>) -> Option<Player> {
    match at.step.kind {
        StepKind::Decision(player) => Some(player),
        _ => None,
    }
}

fn without_evs(strategies: &dyn Strategies, player: Player, at: &Visited<'_>) -> ChartDecision {
    ChartDecision {
        line: at.line.join(" "),
        player,
        actions: at.position.labels(),
        reach: at.reach[player].to_vec(),
        frequencies: (0..N).map(|class| strategies.strategy(&at.position, class)).collect(),
        evs_bb: Vec::new(),
        std_errors_bb: Vec::new(),
    }
}

/// The decisions before the flop and the lines that reach it, in the order of the betting.
fn visits(strategies: &dyn Strategies) -> Vec<Visited<'_>> {
    let (shape, _) = Shape::of_line(strategies.betting(), 0, Street::Preflop);
    let ones = [1.0; N];
    let root = Visited {
        step: shape.steps[0],
        position: strategies.root(),
        line: Vec::new(),
        reach: PerPlayer::new(ones, ones),
    };
    let mut waiting = vec![root];
    let mut visits = Vec::new();
    while let Some(at) = waiting.pop() {
        if let Some(player) = player_of(&at) {
            let labels = at.position.labels();
            for action in (0..at.step.num_children).rev() {
                let Some(position) = strategies.act(&at.position, action) else { continue };
                let mut reach = at.reach;
                for class in 0..N {
                    reach[player][class] *= strategies.strategy(&at.position, class)[action];
                }
                let line = at.line.iter().chain([&labels[action]]).cloned().collect();
                let step = shape.steps[at.step.first_child + action];
                waiting.push(Visited { step, position, line, reach });
            }
        }
        if matches!(at.step.kind, StepKind::Decision(_) | StepKind::Chance) {
            visits.push(at);
        }
    }
    visits
}
