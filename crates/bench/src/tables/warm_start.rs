//! What a warm start saves.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use anyhow::ensure;
use equipoise_postflop::{Contents, SaveOptions, Solver, StopReason};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::{LockText, Problem};

use crate::markdown::{Table, grouped};
use crate::timing;

/// In percent of the pot.
const TARGETS: [f64; 2] = [0.5, 0.1];
/// The target of the old solution, in percent of the pot.
const OLD_TARGET: f64 = 0.5;

/// A change of the turn spot: its name, texts of the spot file to replace, a lock.
type Change = (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);

const CHANGES: [Change; 7] = [
    ("nothing", &[], None),
    ("bets of 33 % added", &[("_bet = \"60%, e, a\"", "_bet = \"33%, 60%, e, a\"")], None),
    ("geometric bets removed", &[("\"60%, e, a\"", "\"60%, a\"")], None),
    ("bets of 75 % instead of 60 %", &[("\"60%, e, a\"", "\"75%, e, a\"")], None),
    ("both ranges a little different", &[("66+,A8s+", "55+,A7s+"), ("53s+", "54s")], None),
    ("stacks of 700 instead of 900 chips", &[("effective_stack = 900", "effective_stack = 700")], None),
    ("IP locked to check behind", &[], Some("check => all = check @ 1")),
];

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Iterations of each change of the turn spot, cold and warm, to each target.
pub(super) fn table() -> anyhow::Result<String> {
    let old = problem(&CHANGES[0], OLD_TARGET)?;
    let file = Temporary(env::temp_dir().join(format!("equipoise-bench-{}.eqp", process::id())));
    let mut solver = timing::solver(&old)?;
    iterations(&mut solver)?;
    let options = SaveOptions { contents: Contents::Resumable, ..SaveOptions::default() };
    solver.solution_mut().save(&file.0, &options)?;
    let mut columns = vec!["change".to_owned()];
    for target in TARGETS {
        columns.extend([format!("to {target} %: cold"), "warm".to_owned(), "ratio".to_owned()]);
    }
    let mut table = Table::new(&columns);
    let mut sums = [[0; 2]; TARGETS.len()];
    for change in &CHANGES {
        let mut row = vec![change.0.to_owned()];
        for (target, sums) in TARGETS.into_iter().zip(&mut sums) {
            let counts = cold_and_warm(&file.0, &problem(change, target)?)?;
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            row.extend(cells(counts));
        }
        table.row(row);
    }
    table.row(["all of them".to_owned()].into_iter().chain(sums.into_iter().flat_map(cells)));
    Ok(table.finish())
}

fn cells([cold, warm]: [u32; 2]) -> [String; 3] {
    let ratio = f64::from(warm) / f64::from(cold);
    [grouped(cold.into()), grouped(warm.into()), format!("{ratio:.2}")]
}

fn problem(change: &Change, target_pct: f64) -> anyhow::Result<Problem> {
    let (_, edits, lock) = *change;
    let mut text = ShippedText::TURN.toml.to_owned();
    for (from, to) in edits {
        ensure!(text.contains(from), "the turn spot has no {from:?}");
        text = text.replace(from, to);
    }
    let mut problem = timing::problem(&text)?;
    if let Some(lock) = lock {
        problem = problem.with_locks(&[lock.parse::<LockText>()?])?;
    }
    problem.options.threads = Some(timing::num_threads());
    problem.options.target_pct = target_pct;
    Ok(problem)
}

fn cold_and_warm(file: &Path, new: &Problem) -> anyhow::Result<[u32; 2]> {
    let cold = iterations(&mut timing::solver(new)?)?;
    let mut solver = timing::solver(new)?;
    solver.start_from(file)?;
    Ok([cold, iterations(&mut solver)?])
}

/// Iterations to the target.
fn iterations(solver: &mut Solver) -> anyhow::Result<u32> {
    let reason = solver.run(&mut ());
    ensure!(reason == StopReason::Converged, "a solve missed its target: {reason:?}");
    Ok(solver.solution().iterations())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_a_problem() {
        for change in &CHANGES {
            problem(change, OLD_TARGET).unwrap();
        }
    }
}
