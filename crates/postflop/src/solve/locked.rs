//! Decisions with locked combos: scalar code, since they are few.

use crate::kernel::{Averaging, Cell, ListIndex, Prediction, Row, Update};
use crate::solve::state::LockTable;

/// The least part of an action, as in vectors.
const TINY: f32 = 1e-20;

/// Regret matching for one combo.
fn match_parts(parts: &mut [f32]) {
    parts.iter_mut().for_each(|part| *part = part.max(TINY));
    let sum: f32 = parts.iter().sum();
    parts.iter_mut().for_each(|part| *part /= sum);
}

/// Calls `visit` with row, lane, the strategy and whether it is locked, for each combo of a decision.
fn for_each_combo(
    lock: &LockTable,
    rows: usize,
    actions: usize,
    number: impl Fn(usize, usize) -> f32,
    mut visit: impl FnMut(usize, usize, &[f32], bool),
) {
    let mut strategy = vec![0.0; actions];
    for row in 0..rows {
        for lane in 0..8 {
            let locked = lock.at(ListIndex::new(8 * row + lane));
            match locked {
                Some(frequencies) => strategy.copy_from_slice(frequencies),
                None => {
                    strategy
                        .iter_mut()
                        .enumerate()
                        .for_each(|(action, part)| *part = number(action * rows + row, lane));
                    match_parts(&mut strategy);
                }
            }
            visit(row, lane, &strategy, locked.is_some());
        }
    }
}

/// The number that regret matching is applied to.
fn predicted<R: Cell>(regret: &[R], last: &[R], prediction: Prediction, at: usize, lane: usize) -> f32 {
    let regret = regret[at].numbers()[lane];
    match last.get(at) {
        None => regret,
        Some(last) => prediction.regret * regret + prediction.instant * last.numbers()[lane],
    }
}

/// A decision of the opponent, who plays the current strategy.
pub(crate) fn down<R: Cell, S: Cell>(
    lock: &LockTable,
    rows: usize,
    prediction: Prediction,
    averaging: Averaging,
    (regret, last, average): (&[R], &[R], &mut [S]),
    reach: &[Row],
    to: &mut [Row],
) {
    let actions = to.len() / rows.max(1);
    let mut averages: Vec<[f32; 8]> = average.iter().map(Cell::numbers).collect();
    let number = |at: usize, lane: usize| predicted(regret, last, prediction, at, lane);
    for_each_combo(lock, rows, actions, number, |row, lane, strategy, _| {
        let reach = reach[row].0[lane];
        let weight = if averaging.own_reach { reach } else { 1.0 };
        for (action, share) in strategy.iter().enumerate() {
            let at = action * rows + row;
            to[at].0[lane] = reach * share;
            let [past, present] = averaging.factors;
            averages[at][lane] = past * averages[at][lane] + present * weight * share;
        }
    });
    average.iter_mut().zip(averages).for_each(|(cell, numbers)| cell.set_numbers(numbers));
}

/// Writes a value, or accumulates it.
fn write(value: f32, to: &mut f32, accumulate: bool) {
    *to = if accumulate { *to + value } else { value };
}

/// An own decision, whose regrets are updated.
pub(crate) fn up<R: Cell>(
    lock: &LockTable,
    rows: usize,
    (prediction, update): (Prediction, Update),
    (regret, last): (&mut [R], &mut [R]),
    children: &[Row],
    to: &mut [Row],
    accumulate: bool,
) {
    let actions = children.len() / rows.max(1);
    let mut regrets: Vec<[f32; 8]> = regret.iter().map(Cell::numbers).collect();
    let mut lasts: Vec<[f32; 8]> = last.iter().map(Cell::numbers).collect();
    let number = |at: usize, lane: usize| predicted(regret, last, prediction, at, lane);
    for_each_combo(lock, rows, actions, number, |row, lane, strategy, locked| {
        let child = |action: usize| children[action * rows + row].0[lane];
        let mut value: f32 = strategy.iter().enumerate().map(|(action, share)| share * child(action)).sum();
        let (mut gain, mut sum) = (0.0, 0.0);
        for action in 0..if locked { 0 } else { actions } {
            let at = action * rows + row;
            let instant = child(action) - value;
            let old = regrets[at][lane];
            let factor = if old > 0.0 { update.positive } else { update.negative };
            let new = (factor * old + update.instant * instant).max(update.floor);
            regrets[at][lane] = new;
            if let Some(ahead) = update.look_ahead {
                let part = match lasts.is_empty() {
                    true => new,
                    false => ahead.prediction.regret * new + ahead.prediction.instant * instant,
                };
                let part = part.max(TINY);
                (gain, sum) = (gain + part * instant, sum + part);
            }
            if let Some(last) = lasts.get_mut(at) {
                last[lane] = instant;
            }
        }
        if let Some(ahead) = update.look_ahead.filter(|_| !locked) {
            value += ahead.weight * gain / sum;
        }
        write(value, &mut to[row].0[lane], accumulate);
    });
    regret.iter_mut().zip(regrets).for_each(|(cell, numbers)| cell.set_numbers(numbers));
    last.iter_mut().zip(lasts).for_each(|(cell, numbers)| cell.set_numbers(numbers));
}

/// An own decision with the best action, or the lock where there is one.
pub(crate) fn up_best(lock: &LockTable, rows: usize, children: &[Row], to: &mut [Row], accumulate: bool) {
    let actions = children.len() / rows.max(1);
    for_each_combo(
        lock,
        rows,
        actions,
        |_, _| 0.0,
        |row, lane, strategy, locked| {
            let child = |action: usize| children[action * rows + row].0[lane];
            let value = if locked {
                strategy.iter().enumerate().map(|(action, share)| share * child(action)).sum()
            } else {
                (0..actions).map(child).fold(f32::NEG_INFINITY, f32::max)
            };
            write(value, &mut to[row].0[lane], accumulate);
        },
    );
}
