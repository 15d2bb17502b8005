//! What solving a spot costs.

use equipoise::postflop::Solver;

use super::measure::{check_interrupted, median, seconds_per_iteration, set_up, solve};
use super::stage::Stage;
use super::{Machine, peak};
use crate::cli::failure::Failure;
use crate::cli::shipped::ShippedSpot;
use equipoise::documents::command::BenchSpot;

/// In percent of the pot.
pub(super) const TARGETS: [f64; 2] = [0.5, 0.1];

/// Each iteration reads every regret twice and writes it once, and reads and writes every sum of an average strategy;
/// the two tables are as large as each other.
fn bytes_per_iteration(tables: u64) -> u64 {
    tables / 2 * 5
}

pub(super) fn measure(spot: ShippedSpot, machine: &Machine, stage: &Stage) -> Result<BenchSpot, Failure> {
    stage.name(&format!("{spot}: memory"));
    let peak_bytes = peak::of_spot(spot, machine);
    check_interrupted()?;
    stage.name(&format!("{spot}: iterations"));
    let problem = machine.problem(spot)?;
    let size = Solver::memory(&problem.spot, &problem.options);
    let (mut solver, seconds) = set_up(|| Ok(machine.problem(spot)?))?;
    let mut set_ups = vec![seconds];
    let iteration = seconds_per_iteration(&mut solver, &machine.effort, machine.effort.at_least)?;
    let memory_bytes = solver.solution().memory_bytes();
    drop(solver);
    let mut targets = Vec::new();
    for target in TARGETS {
        stage.name(&format!("{spot}: to {target} % of pot"));
        let mut problem = machine.problem(spot)?;
        problem.options.target_pct = target;
        targets.push(solve(&problem, &machine.effort, &mut set_ups)?);
    }
    let bytes_per_iteration = bytes_per_iteration(size.tables);
    Ok(BenchSpot {
        spot: spot.to_string(),
        algorithm: problem.options.algorithm.to_string(),
        entries: size.real_entries,
        set_up_s: median(set_ups),
        iteration_s: iteration.median,
        least_iteration_s: iteration.least,
        targets,
        memory_bytes,
        peak_bytes,
        bytes_per_iteration,
        bandwidth_gb_s: bytes_per_iteration as f64 / iteration.median / 1e9,
    })
}
