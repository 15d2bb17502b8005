//! The betting before the flop by hand class, given what flops are worth.

use equipoise_cards::{HandClass, Street};
use equipoise_game::Player;

use crate::bucketed::all_in::ClassAllIns;
use crate::bucketed::betting::{Line, Shape, StepKind};
use crate::whole::strategies::Strategies;

const N: usize = HandClass::COUNT;

/// A number for each hand class.
pub(super) type ByClass = [f64; N];

/// What each line that reaches the flop is worth to a player, by hand class, given the opponent's strategy.
pub(super) type Entries = Vec<ByClass>;

/// How a player decides before the flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    /// As the blueprint does.
    Blueprint,
    /// Each hand class takes the action of the largest value.
    Best,
}

/// The betting before the flop.
pub(super) struct Preflop<'a> {
    strategies: &'a dyn Strategies,
    shape: Shape,
    line: Line,
    all_ins: ClassAllIns<f64>,
}

impl<'a> Preflop<'a> {
    pub(super) fn new(strategies: &'a dyn Strategies) -> Preflop<'a> {
        let (shape, line) = Shape::of_line(strategies.betting(), 0, Street::Preflop);
        Preflop { strategies, shape, line, all_ins: ClassAllIns::new() }
    }

    /// How many lines reach the flop.
    pub(super) fn num_entries(&self) -> usize {
        self.shape.num_chances
    }

    /// The opponent's combos that each class can meet, each as often as it gets there.
    pub(super) fn matchups(&self, reach: &ByClass) -> ByClass {
        self.all_ins.of_fold(reach, 1.0)
    }

    /// The values of all classes after a step, summed over the opponent's combos that get there.
    pub(super) fn values(
        &self,
        own: Player,
        play: Play,
        entries: &[ByClass],
        step: usize,
        reach: &ByClass,
    ) -> ByClass {
        self.visit(own, play, [entries; 2], step, reach)[1]
    }

    /// What the hand is worth to a player, in chips, whose opponent plays the blueprint. Where it plays best, actions are
    /// chosen by the values of `choose`, and valued by those of `value`.
    pub(super) fn value(&self, own: Player, play: Play, choose: &[ByClass], value: &[ByClass]) -> f64 {
        let [_, values] = self.visit(own, play, [choose, value], 0, &[1.0; N]);
        let total = |class: HandClass| values[class.index()] * class.num_combos() as f64;
        HandClass::all().map(total).sum::<f64>() / (1326.0 * 1225.0)
    }

    fn visit(
        &self,
        own: Player,
        play: Play,
        entries: [&[ByClass]; 2],
        step: usize,
        reach: &ByClass,
    ) -> [ByClass; 2] {
        let at = self.shape.steps[step];
        let node = self.line.nodes[step];
        let frequency = |action: usize, class: usize| self.strategies.frequency(node, action, class);
        match at.kind {
            StepKind::Decision(player) if player == own => {
                let children: Vec<[ByClass; 2]> = (0..at.num_children)
                    .map(|action| self.visit(own, play, entries, at.first_child + action, reach))
                    .collect();
                let mut values = [[0.0; N]; 2];
                for class in 0..N {
                    let best = (0..children.len())
                        .max_by(|&a, &b| children[a][0][class].total_cmp(&children[b][0][class]));
                    for (action, child) in children.iter().enumerate() {
                        let share = match play {
                            Play::Blueprint => frequency(action, class),
                            Play::Best => f64::from(u8::from(best == Some(action))),
                        };
                        for (value, child) in values.iter_mut().zip(child) {
                            value[class] += share * child[class];
                        }
                    }
                }
                values
            }
            StepKind::Decision(_) => {
                let mut values = [[0.0; N]; 2];
                for action in 0..at.num_children {
                    let after = std::array::from_fn(|class| reach[class] * frequency(action, class));
                    let child = self.visit(own, play, entries, at.first_child + action, &after);
                    for (value, child) in values.iter_mut().zip(&child) {
                        value.iter_mut().zip(child).for_each(|(value, child)| *value += child);
                    }
                }
                values
            }
            StepKind::Chance => entries.map(|entries| entries[at.number]),
            StepKind::Fold(folded) => {
                let pays = self.strategies.betting().nodes[node].pays[own];
                let pays = if folded == own { pays.lose } else { pays.win() };
                [self.all_ins.of_fold(reach, pays); 2]
            }
            StepKind::ClassAllIn | StepKind::Showdown => {
                let pays = self.strategies.betting().nodes[node].pays[own];
                [self.all_ins.of_classes(reach, pays.half, pays.lose); 2]
            }
        }
    }
}
