//! How long a solve may take, from a short run on this machine.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use equipoise_postflop::{Options, SolveError, Solver, Spot};
use equipoise_spots::spot_file::{Problem, SHIPPED};

/// How long the machine is measured.
const MEASURED: Duration = Duration::from_millis(250);
/// Iterations that warm caches and threads up.
const WARM_UP: u32 = 3;

/// Iterations that dcfr takes to a target in percent of the pot, geometric means over turn spots; between and beyond them a
/// straight line in logarithms.
const ITERATIONS: [(f64, f64); 3] = [(0.5, 91.0), (0.3, 118.0), (0.1, 218.0)];

/// How fast this machine iterates.
///
/// ```
/// use equipoise_run::estimate::Calibration;
/// use equipoise_spots::spot_file::{Problem, SHIPPED};
/// let problem: Problem = SHIPPED.parse()?;
/// let calibration = Calibration::measure(None)?;
/// let estimate = calibration.estimate(&problem.spot, &problem.options);
/// assert_eq!(estimate.iterations, 218);
/// assert!(estimate.seconds > 0.0 && estimate.seconds.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// Of an action of a combo in one iteration.
    seconds_per_entry: f64,
}

/// How long a solve may take. Spots differ: half or twice as long is no surprise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TimeEstimate {
    /// Iterations to the target, or all that are allowed.
    pub iterations: u32,
    /// Of one iteration.
    pub seconds_per_iteration: f64,
    /// Of all, without set-up and saving.
    pub seconds: f64,
}

impl Calibration {
    /// Iterates on the turn spot that ships for a quarter of a second, with this many threads.
    ///
    /// # Errors
    /// [`SolveError`] if the spot does not fit into memory.
    ///
    /// # Panics
    /// Never: the spot that ships is one.
    pub fn measure(threads: Option<NonZeroUsize>) -> Result<Calibration, SolveError> {
        let problem: Problem = SHIPPED.parse().expect("the shipped spot is one");
        let options = Options { threads, ..problem.options };
        let entries = entries(&problem.spot, &options);
        let mut solver = Solver::new(problem.spot, &options)?;
        solver.iterate(WARM_UP);
        let start = Instant::now();
        let mut iterations = 0;
        while start.elapsed() < MEASURED {
            solver.iterate(10);
            iterations += 10;
        }
        let each = start.elapsed().as_secs_f64() / f64::from(iterations);
        Ok(Calibration { seconds_per_entry: each / entries })
    }

    /// How long a solve of this spot may take.
    #[must_use]
    pub fn estimate(&self, spot: &Spot, options: &Options) -> TimeEstimate {
        let iterations = iterations_to(options.target_pct).min(f64::from(options.max_iterations)) as u32;
        let seconds_per_iteration = self.seconds_per_entry * entries(spot, options);
        let seconds = seconds_per_iteration * f64::from(iterations);
        TimeEstimate { iterations, seconds_per_iteration, seconds }
    }
}

/// The actions of combos over all boards that differ: what an iteration goes through.
fn entries(spot: &Spot, options: &Options) -> f64 {
    Solver::memory(spot, options).real_entries as f64
}

/// Iterations to a target; more than anybody allows for a target of 0.
fn iterations_to(target_pct: f64) -> f64 {
    if target_pct <= 0.0 {
        return f64::from(u32::MAX);
    }
    let [first, middle, last] = ITERATIONS;
    let [a, b] = if target_pct >= middle.0 { [first, middle] } else { [middle, last] };
    let slope = (b.1 / a.1).ln() / (b.0 / a.0).ln();
    (a.1 * ((target_pct / a.0).ln() * slope).exp()).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_those_that_were_measured() {
        for (target, iterations) in ITERATIONS {
            assert_eq!(iterations_to(target), iterations);
        }
        let targets = [5.0, 0.5, 0.4, 0.3, 0.2, 0.1, 0.01];
        assert!(targets.windows(2).all(|two| iterations_to(two[0]) < iterations_to(two[1])));
        assert!(iterations_to(0.0) > 1e9 && iterations_to(1e9) >= 1.0);
    }

    /// A spot with more to go through takes longer in proportion, and the iterations that are allowed bound it.
    #[test]
    fn larger_spots_take_longer() {
        let calibration = Calibration { seconds_per_entry: 1e-9 };
        let problem: Problem = SHIPPED.parse().unwrap();
        let small = calibration.estimate(&problem.spot, &problem.options);
        let options = Options { max_iterations: 10, ..problem.options.clone() };
        let short = calibration.estimate(&problem.spot, &options);
        assert_eq!(short.iterations, 10);
        assert!((short.seconds_per_iteration - small.seconds_per_iteration).abs() < 1e-12);
        let wide = SHIPPED.replace("ip = \"", "ip = \"22+,A2s+,");
        let wide: Problem = wide.parse().unwrap();
        let large = calibration.estimate(&wide.spot, &wide.options);
        assert!(large.seconds > small.seconds, "{large:?} {small:?}");
    }
}
