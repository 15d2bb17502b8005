//! Timing the postflop solver in this process.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use equipoise_postflop::{Solver, StopReason};
use equipoise_spots::spot_file::Problem;

/// Iterations are timed in chunks of about this length, since waking threads takes time too.
const CHUNK: Duration = Duration::from_millis(20);
const NUM_CHUNKS: usize = 51;
/// Iterations before the clock starts: the first ones find empty tables and memory that is not mapped yet.
const WARM_UP: u32 = 10;
/// A solve is repeated this many times, unless it is long.
const NUM_SOLVES: usize = 5;
/// A solve that takes longer is not repeated.
const LONG: Duration = Duration::from_secs(3);

/// How a solve to a target went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) converged: bool,
    pub(crate) iterations: u32,
    pub(crate) elapsed_s: f64,
}

/// Threads that the machine offers.
pub(crate) fn num_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Reads a spot file, to be solved on all threads.
pub(crate) fn problem(toml: &str) -> anyhow::Result<Problem> {
    let mut problem: Problem = toml.parse()?;
    problem.options.threads = Some(num_threads());
    Ok(problem)
}

/// A solver before its first iteration.
pub(crate) fn solver(problem: &Problem) -> anyhow::Result<Solver> {
    Ok(Solver::new(problem.spot.clone(), &problem.options)?)
}

/// Solves to the problem's target, several times over: the median time; the iterations are always the same.
pub(crate) fn solve(problem: &Problem) -> anyhow::Result<Reached> {
    let mut seconds = Vec::new();
    loop {
        let mut solver = solver(problem)?;
        let reason = solver.run(&mut ());
        let solution = solver.solution();
        seconds.push(solution.elapsed().as_secs_f64());
        if solution.elapsed() > LONG || seconds.len() >= NUM_SOLVES {
            let converged = reason == StopReason::Converged;
            return Ok(Reached { converged, iterations: solution.iterations(), elapsed_s: median(seconds) });
        }
    }
}

/// The median time of an iteration without checks, in seconds.
pub(crate) fn seconds_per_iteration(problem: &Problem) -> anyhow::Result<f64> {
    let mut solver = solver(problem)?;
    let mut time = |count: u32| {
        let start = Instant::now();
        solver.iterate(count);
        start.elapsed()
    };
    time(WARM_UP);
    let mut count = 1;
    while time(count) < CHUNK / 2 {
        count *= 2;
    }
    Ok(median((0..NUM_CHUNKS).map(|_| time(count).as_secs_f64() / f64::from(count)).collect()))
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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
