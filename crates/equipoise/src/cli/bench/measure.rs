//! Timing iterations and whole solves.

use std::time::{Duration, Instant};

use equipoise::postflop::{SolveError, Solver, StopReason};
use equipoise::spot_file::Problem;

use crate::cli::failure::Failure;
use crate::cli::watch::{UntilInterrupted, is_interrupted};
use equipoise::documents::command::BenchTarget;

/// How thoroughly to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Iterations are timed in chunks of about this length, since waking threads takes time too.
    chunk: Duration,
    num_chunks: usize,
    /// How long the iterations of a spot are timed at least: neighbours come and go within seconds.
    pub(super) at_least: Duration,
    /// How often a solve is repeated, unless it is long.
    num_solves: usize,
    /// Bytes that each thread adds up.
    pub(super) buffer_bytes: usize,
    pub(super) num_reads: usize,
}

/// A solve that takes longer is not repeated.
const LONG: Duration = Duration::from_secs(3);
/// Iterations before the clock starts: the first ones find empty tables and memory that is not mapped yet.
const WARM_UP: u32 = 10;

impl Effort {
    pub(super) const FULL: Effort = Effort {
        chunk: Duration::from_millis(20),
        num_chunks: 51,
        at_least: Duration::from_secs(10),
        num_solves: 5,
        buffer_bytes: 512 << 20,
        num_reads: 15,
    };
    pub(super) const QUICK: Effort = Effort {
        chunk: Duration::from_millis(10),
        num_chunks: 5,
        at_least: Duration::ZERO,
        num_solves: 1,
        buffer_bytes: 128 << 20,
        num_reads: 3,
    };
}

/// The middle one.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// An interruption ends the measurement under way.
pub(super) fn check_interrupted() -> Result<(), Failure> {
    if is_interrupted() {
        return Err(Failure::Interrupted("the tables have what was measured until then".to_owned()));
    }
    Ok(())
}

/// A solver before its first iteration, and the seconds that it took to make.
pub(super) fn set_up(problem: impl FnOnce() -> Result<Problem, Failure>) -> Result<(Solver, f64), Failure> {
    let start = Instant::now();
    let Problem { spot, options, .. } = problem()?;
    let solver = Solver::new(spot, &options).map_err(|error: SolveError| Failure::Runtime(error.into()))?;
    Ok((solver, start.elapsed().as_secs_f64()))
}

/// Seconds of an iteration without checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationTime {
    pub(super) median: f64,
    /// Of the best chunk: what comes nearest to a machine that has nothing else to do.
    pub(super) least: f64,
}

/// Times iterations, chunk by chunk, for at least this long.
pub(super) fn seconds_per_iteration(
    solver: &mut Solver,
    effort: &Effort,
    at_least: Duration,
) -> Result<IterationTime, Failure> {
    let mut time = |count: u32| {
        let start = Instant::now();
        solver.iterate(count);
        start.elapsed()
    };
    time(WARM_UP);
    let mut count = 1;
    while time(count) < effort.chunk / 2 {
        check_interrupted()?;
        count *= 2;
    }
    let mut seconds = Vec::new();
    let start = Instant::now();
    while seconds.len() < effort.num_chunks || start.elapsed() < at_least {
        check_interrupted()?;
        seconds.push(time(count).as_secs_f64() / f64::from(count));
    }
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(IterationTime { median: median(seconds), least })
}

/// Solves to the problem's target, some times over; the time is the median, the iterations are always the same.
pub(super) fn solve(
    problem: &Problem,
    effort: &Effort,
    set_ups: &mut Vec<f64>,
) -> Result<BenchTarget, Failure> {
    let options = &problem.options;
    let mut seconds = Vec::new();
    loop {
        let again = || Ok(problem.clone());
        let (mut solver, set_up) = set_up(again)?;
        set_ups.push(set_up);
        let reason = solver.run(&mut UntilInterrupted);
        check_interrupted()?;
        let solution = solver.solution();
        seconds.push(solution.elapsed().as_secs_f64());
        if solution.elapsed() > LONG || seconds.len() >= effort.num_solves {
            return Ok(BenchTarget {
                target_pct: options.target_pct,
                converged: reason == StopReason::Converged,
                iterations: solution.iterations(),
                elapsed_s: median(seconds),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_mind_an_outlier() {
        assert_eq!(median(vec![3.0, 1.0, 1000.0]), 3.0);
        assert_eq!(median(vec![2.0]), 2.0);
    }
}
