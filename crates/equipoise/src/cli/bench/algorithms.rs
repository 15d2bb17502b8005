//! Every algorithm against `dcfr`.

use std::time::Duration;

use equipoise::cfr::Algorithm;

use super::Machine;
use super::document::{AlgorithmsDocument, RunDocument, TargetDocument, VersusDocument};
use super::measure::{seconds_per_iteration, set_up, solve};
use super::spots::TARGETS;
use super::stage::Stage;
use crate::cli::failure::Failure;
use crate::cli::shipped::ShippedSpot;

/// Who has not arrived by then is said to have missed the target.
pub(super) const MAX_ITERATIONS: u32 = 10_000;

/// Runs each algorithm, with `dcfr`, the measure of all others, first.
pub(super) fn measure(
    spot: ShippedSpot,
    machine: &Machine,
    stage: &Stage,
    tables: &mut Vec<AlgorithmsDocument>,
) -> Result<(), Failure> {
    tables.push(AlgorithmsDocument { spot: spot.to_string(), runs: Vec::new() });
    let others = Algorithm::all().into_iter().filter(|&algorithm| algorithm != Algorithm::default());
    for algorithm in std::iter::once(Algorithm::default()).chain(others) {
        let mut run = run(spot, algorithm, machine, stage)?;
        let Some(AlgorithmsDocument { runs, .. }) = tables.last_mut() else { break };
        let base = runs.first().map_or(&run, |first| first).targets.clone();
        for (target, base) in run.targets.iter_mut().zip(&base) {
            target.versus = Some(versus(target, base));
        }
        runs.push(run);
    }
    Ok(())
}

fn versus(target: &TargetDocument, base: &TargetDocument) -> VersusDocument {
    let both = target.converged && base.converged;
    let ratio = |own: f64, base: f64| both.then_some(own / base);
    VersusDocument {
        iterations_vs_dcfr: ratio(target.iterations.into(), base.iterations.into()),
        elapsed_vs_dcfr: ratio(target.elapsed_s, base.elapsed_s),
    }
}

fn run(
    spot: ShippedSpot,
    algorithm: Algorithm,
    machine: &Machine,
    stage: &Stage,
) -> Result<RunDocument, Failure> {
    stage.name(&format!("{spot} by {algorithm}"));
    let problem = |target_pct| {
        let mut problem = machine.problem(spot)?;
        problem.options.algorithm = algorithm;
        problem.options.target_pct = target_pct;
        problem.options.max_iterations = MAX_ITERATIONS;
        Ok::<_, Failure>(problem)
    };
    let targets = TARGETS.map(|target| solve(&problem(target)?, &machine.effort, &mut Vec::new()));
    let targets = targets.into_iter().collect::<Result<_, Failure>>()?;
    let (mut solver, _) = set_up(|| problem(0.0))?;
    let iteration_s = seconds_per_iteration(&mut solver, &machine.effort, Duration::ZERO)?.median;
    Ok(RunDocument { algorithm: algorithm.to_string(), iteration_s, targets })
}
