//! What beginning with an old solution saves.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use equipoise::postflop::{Contents, SaveOptions, Solver, StopReason};
use equipoise::spot_file::{LockText, Problem};

use super::Machine;
use super::document::{ChangeDocument, WarmStartDocument};
use super::measure::{check_interrupted, median, set_up};
use super::spots::TARGETS;
use super::stage::Stage;
use crate::cli::failure::Failure;
use crate::cli::shipped::ShippedSpot;
use crate::cli::spot;
use crate::cli::watch::UntilInterrupted;

/// How far the old solution was solved, in percent of the pot.
pub(super) const OLD_TARGET: f64 = 0.5;

/// A change of the turn spot: what it is called, texts of the spot file to replace, a lock.
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

/// A file that is gone when the measurement is over.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Solves each change of the turn spot from nothing and from a solution of the spot as it is.
pub(super) fn measure(
    machine: &Machine,
    stage: &Stage,
    tables: &mut Vec<WarmStartDocument>,
) -> Result<(), Failure> {
    let old = problem(machine, &CHANGES[0], OLD_TARGET)?;
    let name = format!("equipoise-bench-{}.eqp", std::process::id());
    let file = Temporary(std::env::temp_dir().join(name));
    stage.name("the solution to begin with");
    let (mut solver, _) = set_up(|| Ok(old.clone()))?;
    run(&mut solver)?;
    let options = SaveOptions { contents: Contents::Resumable, ..SaveOptions::default() };
    solver.solution_mut().save(&file.0, &options).map_err(anyhow::Error::from)?;
    for target_pct in TARGETS {
        tables.push(WarmStartDocument { target_pct, changes: Vec::new() });
        for change in &CHANGES {
            stage.name(&format!("{} to {target_pct} %", change.0));
            let new = problem(machine, change, target_pct)?;
            let measured = compare(&old, &file, &new, change.0)?;
            if let Some(table) = tables.last_mut() {
                table.changes.push(measured);
            }
        }
    }
    Ok(())
}

fn problem(machine: &Machine, change: &Change, target_pct: f64) -> Result<Problem, Failure> {
    let (name, edits, lock) = *change;
    let mut text = ShippedSpot::TurnStd.text().into_owned();
    for (from, to) in edits {
        text = text.replace(from, to);
    }
    let mut problem = spot::parse(name, &text)?;
    if let Some(lock) = lock {
        let lock: LockText = lock.parse().map_err(anyhow::Error::from)?;
        problem = problem.with_locks(&[lock]).map_err(anyhow::Error::from)?;
    }
    problem.options.threads = Some(machine.num_threads);
    problem.options.target_pct = target_pct;
    Ok(problem)
}

fn compare(old: &Problem, file: &Temporary, new: &Problem, change: &str) -> Result<ChangeDocument, Failure> {
    /// The times are medians of so many.
    const TIMES: usize = 3;
    let (mut cold_s, mut warm_s) = (Vec::new(), Vec::new());
    let (mut iterations, mut known) = ([0; 2], None);
    for _ in 0..TIMES {
        let start = Instant::now();
        let (mut solver, _) = set_up(|| Ok(new.clone()))?;
        iterations[0] = run(&mut solver)?;
        cold_s.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let (mut solver, _) = set_up(|| Ok(new.clone()))?;
        let warm = solver.start_from(&file.0, &old.spot, &old.options).map_err(anyhow::Error::from)?;
        iterations[1] = run(&mut solver)?;
        warm_s.push(start.elapsed().as_secs_f64());
        known = Some(warm);
    }
    let known = known.map_or((0, 0), |start| (start.decisions, start.known));
    Ok(ChangeDocument {
        change: change.to_owned(),
        decisions: known.0,
        known: known.1,
        cold_iterations: iterations[0],
        warm_iterations: iterations[1],
        cold_elapsed_s: median(cold_s),
        warm_elapsed_s: median(warm_s),
    })
}

/// Iterations to the target.
fn run(solver: &mut Solver) -> Result<u32, Failure> {
    let reason = solver.run(&mut UntilInterrupted);
    check_interrupted()?;
    if reason != StopReason::Converged {
        return Err(Failure::Runtime(anyhow::anyhow!("a solve did not come to its target: {reason:?}")));
    }
    Ok(solver.solution().iterations())
}
