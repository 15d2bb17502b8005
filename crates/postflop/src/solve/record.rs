//! Recording what decisions before the river are worth.

use std::ops::Range;

use equipoise_cards::{BlockerSums, Combo};
use equipoise_game::Player;

use crate::compile::layout::{Layout, combo_at};
use crate::compile::program::{Program, UpStep};
use crate::kernel::flatten;
use crate::solve::state::{Recorded, State};
use crate::solve::traverse::Traversal;
use crate::solve::workspace::Level;

impl Traversal<'_> {
    /// Records the values of a decision's actions.
    pub(super) fn record_actions<R, S>(&self, state: &mut State<R, S>, step: &UpStep, level: &Level) {
        let slots = step.children..step.children + step.actions;
        let Recorded { actions, .. } = &mut state.recorded[self.own()];
        let first = self.tree.first_action(step.node);
        record(&state.layout, self.own(), level, step.reach, slots, first, actions);
    }

    /// Records the values of a program's betting lines where the street begins.
    pub(super) fn record_lines<R, S>(&self, state: &mut State<R, S>, program: &Program, level: &Level) {
        let Recorded { lines, .. } = &mut state.recorded[self.own()];
        for line in 0..program.num_lines {
            let at = program.first_line + line;
            record(&state.layout, self.own(), level, line, line..line + 1, at, lines);
        }
    }
}

/// Records the values of slots per matchup: what each own combo gets, divided by its matchup count; not a number where that
/// is 0. `reach` is the slot of the opponent's reaches. `to` has a list of combos for each recorded
/// slot, the first of these at `first`.
fn record(
    layout: &Layout,
    player: Player,
    level: &Level,
    reach: usize,
    slots: Range<usize>,
    first: usize,
    to: &mut Vec<f32>,
) {
    let opponent = player.opponent();
    let rows = layout.rows[opponent];
    let mut sums = BlockerSums::default();
    let mut weights = [0.0; Combo::COUNT];
    for (&combo, weight) in layout.combos[opponent].iter().zip(flatten(&level.reach[reach * rows..][..rows]))
    {
        sums.add(combo_at(combo), f64::from(weight));
        weights[usize::from(combo)] = f64::from(weight);
    }
    let own_combos = &layout.combos[player];
    let matchups: Vec<f64> =
        own_combos.iter().map(|&combo| sums.matchups(combo_at(combo), weights[usize::from(combo)])).collect();
    let least = 1e-7 * sums.total();
    let rows = layout.rows[player];
    to.resize(to.len().max((first + slots.len()) * own_combos.len()), f32::NAN);
    for (slot, to) in slots.zip(to[first * own_combos.len()..].chunks_exact_mut(own_combos.len().max(1))) {
        let values = flatten(&level.values[slot * rows..][..rows]);
        for ((to, value), &matchups) in to.iter_mut().zip(values).zip(&matchups) {
            *to = if matchups > least { (f64::from(value) / matchups) as f32 } else { f32::NAN };
        }
    }
}
