//! The decisions of a pass: the opponent's in the down pass, the own ones in the up pass.

use std::ops::Range;

use equipoise_cfr::AsymmetrySums;
use equipoise_game::{NodeId, Player};

use crate::compile::program::{DownStep, UpStep};
use crate::kernel::{
    Averaging, Down, DownStrategy, LookAhead, Prediction, Row, Up, UpBest, UpStrategy, Update,
};
use crate::solve::locked;
use crate::solve::pass::{OpponentRule, OwnRule};
use crate::solve::state::{Entries, State, Table};
use crate::solve::store::Store;
use crate::solve::traverse::Traversal;
use crate::solve::workspace::Work;

/// The prediction with the asymmetry that was measured at a decision.
fn with_asymmetry(
    prediction: Prediction,
    max_asymmetry: Option<f64>,
    sums: Option<&AsymmetrySums>,
) -> Prediction {
    match (max_asymmetry, sums) {
        (Some(max), Some(sums)) => {
            Prediction { instant: prediction.instant / (1.0 + sums.asymmetry(max) as f32), ..prediction }
        }
        _ => prediction,
    }
}

impl Traversal<'_> {
    /// A decision of the opponent: its reach for each action.
    pub(super) fn down<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        step: &DownStep,
        reach: &mut [Row],
        work: &mut Work,
    ) {
        let isa = self.isa;
        let player = self.opponent();
        let rows = state.layout.rows[player];
        let entries = self.entries(step.node, step.actions, player);
        let table_rows = state.rows_of(&entries);
        let seed = self.seed(state.seed, &table_rows);
        let (before, behind) = reach.split_at_mut(step.to * rows);
        let reach = &before[step.reach * rows..][..rows];
        let to = &mut behind[..step.actions * rows];
        let OpponentRule::Current { prediction, factors, own_reach, max_asymmetry } = self.pass.opponent
        else {
            let strategy = self.strategy(state, &entries, Some(reach), work);
            isa.run(DownStrategy { strategy, rows, reach, to });
            return;
        };
        let lock = state.locks.iter().find(|lock| lock.node == step.node);
        let orbits = &state.orbits[player];
        let Table { regret, last, average, sums } = &mut state.tables[player];
        let [unpacked_regret, unpacked_last, unpacked_average] = &mut work.unpacked;
        let prediction = with_asymmetry(prediction, max_asymmetry, sums.get(self.decision(step.node)));
        let regret = regret.view(isa, table_rows.clone(), orbits, unpacked_regret);
        let last_rows = if last.is_empty() { 0..0 } else { table_rows.clone() };
        let last = last.view(isa, last_rows, orbits, unpacked_last);
        let averaging = Averaging { factors, own_reach, seed };
        {
            let average = average.edit(isa, table_rows.clone(), orbits, unpacked_average);
            if let Some(lock) = lock {
                locked::down(lock, rows, prediction, averaging, (regret, last, average), reach, to);
            } else {
                let prefetch = work.prefetcher.stream(rows);
                isa.run(Down { regret, last, average, prediction, averaging, rows, reach, to, prefetch });
            }
        }
        average.commit(isa, table_rows, orbits, unpacked_average, seed);
    }

    /// An own decision: its value.
    pub(super) fn up<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        step: &UpStep,
        values: &mut [Row],
        work: &mut Work,
    ) {
        let isa = self.isa;
        let rows = state.layout.rows[self.own()];
        let (before, behind) = values.split_at_mut(step.children * rows);
        let to = &mut before[step.dest * rows..][..rows];
        let children = &behind[..step.actions * rows];
        let accumulate = step.accumulate;
        match self.pass.own {
            OwnRule::Update { prediction, update, max_asymmetry } => {
                let prediction = (prediction, max_asymmetry);
                self.update(state, step, prediction, update, (children, to), work);
            }
            OwnRule::Average => {
                // Combos without reach too have a value: that of the strategy that is shown there.
                let entries = self.entries(step.node, step.actions, self.own());
                let strategy = self.strategy(state, &entries, None, work);
                isa.run(UpStrategy { strategy, rows, children, to, accumulate });
            }
            OwnRule::Best => match state.lock(step.node) {
                None => isa.run(UpBest { rows, children, to, accumulate }),
                Some(lock) => locked::up_best(lock, rows, children, to, accumulate),
            },
        }
    }

    /// An own decision in training: its value under the current strategy, and the update of its regrets.
    fn update<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        step: &UpStep,
        (prediction, max_asymmetry): (Prediction, Option<f64>),
        update: Update,
        (children, to): (&[Row], &mut [Row]),
        work: &mut Work,
    ) {
        let isa = self.isa;
        let rows = state.layout.rows[self.own()];
        let table_rows = state.rows_of(&self.entries(step.node, step.actions, self.own()));
        let seed = self.seed(state.seed, &table_rows);
        let accumulate = step.accumulate;
        let lock = state.locks.iter().find(|lock| lock.node == step.node);
        let orbits = &state.orbits[self.own()];
        let Table { regret, last, sums, .. } = &mut state.tables[self.own()];
        let [unpacked_regret, unpacked_last, _] = &mut work.unpacked;
        let decision = self.decision(step.node);
        let prediction = with_asymmetry(prediction, max_asymmetry, sums.get(decision));
        let look_ahead = update.look_ahead.map(|ahead| LookAhead {
            prediction: with_asymmetry(ahead.prediction, max_asymmetry, sums.get(decision)),
            ..ahead
        });
        let update = Update { seed, look_ahead, ..update };
        let last_rows = if last.is_empty() { 0..0 } else { table_rows.clone() };
        {
            let regret = regret.edit(isa, table_rows.clone(), orbits, unpacked_regret);
            let last = last.edit(isa, last_rows.clone(), orbits, unpacked_last);
            if let Some(lock) = lock {
                locked::up(lock, rows, (prediction, update), (regret, last), children, to, accumulate);
            } else {
                let prefetch = work.prefetcher.stream(rows);
                let change = isa.run(Up {
                    regret,
                    last,
                    prediction,
                    update,
                    rows,
                    children,
                    to,
                    accumulate,
                    prefetch,
                });
                if let Some(sums) = sums.get_mut(decision) {
                    sums.instant += f64::from(change.instant);
                    sums.regret += f64::from(change.regret);
                }
            }
        }
        regret.commit(isa, table_rows, orbits, unpacked_regret, seed);
        last.commit(isa, last_rows, orbits, unpacked_last, seed ^ 0x55aa_55aa);
    }

    /// The strategies of a decision, in parts: see [`State::read_strategy`].
    fn strategy<'w, R: Store, S: Store>(
        &self,
        state: &State<R, S>,
        entries: &Entries,
        reach: Option<&[Row]>,
        work: &'w mut Work,
    ) -> &'w [Row] {
        let len = entries.num_actions * state.layout.rows[entries.player];
        let [unpacked, _, strategy] = &mut work.unpacked;
        strategy.resize(strategy.len().max(len), Row::ZERO);
        state.read_strategy(self.isa, entries, reach, unpacked, &mut strategy[..len]);
        &strategy[..len]
    }

    fn entries(&self, node: NodeId, num_actions: usize, player: Player) -> Entries {
        Entries { node, player, first_action: self.tree.first_action(node), num_actions }
    }

    /// The number of a decision among those of its player on its street.
    fn decision(&self, node: NodeId) -> usize {
        self.tree.places[node.index()].decision as usize
    }

    /// The seed of stochastic rounding of a decision on a board.
    fn seed(&self, board: u32, table_rows: &Range<usize>) -> u32 {
        let mixed = board ^ self.pass.seed.wrapping_mul(0x9e37_79b1);
        mixed.wrapping_add((table_rows.start as u32).wrapping_mul(0x85eb_ca77))
    }
}
