//! Decisions with locked combos: plain code, one combo after another, since they are few.

use crate::kernel::{Cell, Row};
use crate::state::LockTable;
use crate::traverse::{OpponentRule, OwnRule};

/// The strategy of one combo from numbers that are shares or regrets.
fn match_parts(parts: &mut [f32]) {
    parts.iter_mut().for_each(|part| *part = part.max(1e-20));
    let sum: f32 = parts.iter().sum();
    parts.iter_mut().for_each(|part| *part /= sum);
}

/// Calls back with row, lane, the strategy and whether it is locked, for each combo of a decision.
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
            let locked = lock.frequencies.get(8 * row + lane).and_then(Option::as_ref);
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

/// The way down through a decision of the opponent.
pub(crate) fn down<R: Cell, S: Cell>(
    lock: &LockTable,
    rows: usize,
    rule: &OpponentRule,
    tables: (&[R], &[R], &mut [S]),
    reach: &[Row],
    to: &mut [Row],
) {
    let (regret, last, average) = tables;
    let actions = to.len() / rows.max(1);
    let before: Vec<[f32; 8]> = average.iter().map(Cell::numbers).collect();
    let mut after = before.clone();
    let number = |at: usize, lane: usize| match rule {
        OpponentRule::Average => before[at][lane],
        OpponentRule::Current { .. } if last.is_empty() => regret[at].numbers()[lane],
        OpponentRule::Current { opening, .. } => {
            opening.regret * regret[at].numbers()[lane] + opening.instant * last[at].numbers()[lane]
        }
    };
    for_each_combo(lock, rows, actions, number, |row, lane, strategy, _| {
        let reach = reach[row].0[lane];
        for (action, share) in strategy.iter().enumerate() {
            let at = action * rows + row;
            to[at].0[lane] = reach * share;
            if let OpponentRule::Current { average_factor, own_reach, .. } = rule {
                let weight = if *own_reach { reach } else { 1.0 };
                after[at][lane] = average_factor * before[at][lane] + weight * share;
            }
        }
    });
    if matches!(rule, OpponentRule::Current { .. }) {
        average.iter_mut().zip(after).for_each(|(cell, numbers)| cell.set_numbers(numbers));
    }
}

/// The way up through an own decision.
pub(crate) fn up<R: Cell, S: Cell>(
    lock: &LockTable,
    rows: usize,
    rule: &OwnRule,
    tables: (&mut [R], &mut [R], &[S]),
    children: &[Row],
    to: &mut [Row],
    keep: bool,
) {
    let (regret, last, average) = tables;
    let actions = children.len() / rows.max(1);
    let regrets: Vec<[f32; 8]> = regret.iter().map(Cell::numbers).collect();
    let lasts: Vec<[f32; 8]> = last.iter().map(Cell::numbers).collect();
    let (mut new_regrets, mut new_lasts) = (regrets.clone(), lasts.clone());
    let number = |at: usize, lane: usize| match rule {
        OwnRule::Update { .. } if lasts.is_empty() => regrets[at][lane],
        OwnRule::Update { opening, .. } => {
            opening.regret * regrets[at][lane] + opening.instant * lasts[at][lane]
        }
        OwnRule::Average | OwnRule::Best => average[at].numbers()[lane],
    };
    for_each_combo(lock, rows, actions, number, |row, lane, strategy, locked| {
        let child = |action: usize| children[action * rows + row].0[lane];
        let expected: f32 = strategy.iter().enumerate().map(|(action, share)| share * child(action)).sum();
        let value = match rule {
            OwnRule::Best if !locked => (0..actions).map(child).fold(f32::NEG_INFINITY, f32::max),
            _ => expected,
        };
        if let (OwnRule::Update { update, .. }, false) = (rule, locked) {
            for action in 0..actions {
                let at = action * rows + row;
                let instant = child(action) - value;
                let old = regrets[at][lane];
                let factor = if old > 0.0 { update.positive } else { update.negative };
                new_regrets[at][lane] = (factor * old + update.instant * instant).max(update.floor);
                if let Some(last) = new_lasts.get_mut(at) {
                    last[lane] = instant;
                }
            }
        }
        to[row].0[lane] = if keep { to[row].0[lane] + value } else { value };
    });
    if matches!(rule, OwnRule::Update { .. }) {
        regret.iter_mut().zip(new_regrets).for_each(|(cell, numbers)| cell.set_numbers(numbers));
        last.iter_mut().zip(new_lasts).for_each(|(cell, numbers)| cell.set_numbers(numbers));
    }
}
