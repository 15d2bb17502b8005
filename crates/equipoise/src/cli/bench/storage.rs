//! What each storage mode takes, and what it reaches.

use std::num::NonZeroU32;
use std::time::Duration;

use equipoise::postflop::{Precision, SolveProgress, Solver, StopReason, Storage};
use equipoise::progress::Observer as _;
use equipoise::spot_file::Problem;

use super::document::{ModeDocument, StorageDocument};
use super::measure::{check_interrupted, seconds_per_iteration, set_up};
use super::stage::Stage;
use super::{Machine, scaling};
use crate::cli::failure::Failure;
use crate::cli::shipped::ShippedSpot;
use crate::cli::watch::UntilInterrupted;

/// In percent of the pot: whatever comes so far has not been kept from it by its storage.
pub(super) const TARGET: f64 = 0.005;
/// Who has neither arrived nor stalled by then is shown as it is.
pub(super) const MAX_ITERATIONS: u32 = 3000;

fn modes() -> Vec<Storage> {
    let [bits32, bits16, bits8, bits4] = Precision::ALL.map(Storage::of);
    let log = |storage: Storage| Storage { log_encoding: true, ..storage };
    let lazy = |storage: Storage| Storage { lazy_normalization: NonZeroU32::new(10), ..storage };
    let mixed = |strategy: Precision| Storage { strategy, ..bits16 };
    vec![
        bits32,
        bits16,
        mixed(Precision::Bits8),
        bits8,
        mixed(Precision::Bits4),
        bits4,
        log(bits8),
        log(bits4),
        lazy(bits16),
        lazy(bits8),
        lazy(bits4),
    ]
}

/// A name and how to get the problem of it.
type Source<'a> = (String, Box<dyn Fn() -> Result<Problem, Failure> + 'a>);

/// Runs every mode on three spots.
pub(super) fn measure(
    machine: &Machine,
    stage: &Stage,
    tables: &mut Vec<StorageDocument>,
) -> Result<(), Failure> {
    let small = scaling::BET_SIZES[0];
    let sources: [Source<'_>; 3] = [
        (ShippedSpot::RiverStd.to_string(), Box::new(|| Ok(machine.problem(ShippedSpot::RiverStd)?))),
        (ShippedSpot::TurnStd.to_string(), Box::new(|| Ok(machine.problem(ShippedSpot::TurnStd)?))),
        (
            format!("{} with bets of {small}", ShippedSpot::TurnStd),
            Box::new(|| scaling::problem(machine, small)),
        ),
    ];
    for (spot, source) in sources {
        tables.push(StorageDocument { spot: spot.clone(), modes: Vec::new() });
        for storage in modes() {
            stage.name(&format!("{spot} in {storage}"));
            let mode = run(&source, storage, machine)?;
            if let Some(StorageDocument { modes, .. }) = tables.last_mut() {
                modes.push(mode);
            }
        }
    }
    Ok(())
}

fn run(
    source: &dyn Fn() -> Result<Problem, Failure>,
    storage: Storage,
    machine: &Machine,
) -> Result<ModeDocument, Failure> {
    let problem = || {
        let mut problem = source()?;
        problem.options.storage = storage;
        problem.options.target_pct = TARGET;
        problem.options.max_iterations = MAX_ITERATIONS;
        Ok::<_, Failure>(problem)
    };
    let Problem { spot, options, .. } = problem()?;
    let tables_bytes = Solver::memory(&spot, &options).tables;
    let (mut solver, _) = set_up(problem)?;
    let iteration_s = seconds_per_iteration(&mut solver, &machine.effort, Duration::ZERO)?.median;
    let (mut solver, _) = set_up(problem)?;
    let mut least = (f64::INFINITY, 0);
    let reason = solver.run(&mut |progress: &SolveProgress| {
        if let Some(found) = progress.exploitability.filter(|found| found.pct_pot < least.0) {
            least = (found.pct_pot, progress.iteration);
        }
        UntilInterrupted.progress(progress)
    });
    check_interrupted()?;
    Ok(ModeDocument {
        storage: storage.to_string(),
        tables_bytes,
        iteration_s,
        least_pct_pot: least.0,
        at_iteration: least.1,
        stalled: reason == StopReason::Stalled,
    })
}
