//! Iterations until a target, an end or a wish to stop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use equipoise_cards::SuitPermutation;
use equipoise_cfr::{Asymmetry, Scheme};
use equipoise_game::Player;
use thiserror::Error;

use crate::engine;
use crate::kernel::Isa;
use crate::options::{Memory, Options};
use crate::solution::{Exploitability, Solution};
use crate::spot::Spot;
use crate::traverse::Pass;

/// Why a spot cannot be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The tables would not fit.
    #[error(
        "solving takes about {} MiB, {} MiB more than allowed: use fewer bet sizes or 16-bit storage",
        needed >> 20,
        (needed - limit) >> 20
    )]
    Memory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The encoding is for numbers of 8 and 4 bits, and there are none.
    #[error(
        "logarithmic encoding needs regrets or a strategy in 8 or 4 bits; wider numbers are floating-point already"
    )]
    LogEncoding,
    /// The target is negative or no number.
    #[error("the target of {value} % of the pot must be 0 or more")]
    Target {
        /// The target.
        value: f64,
    },
    /// No threads.
    #[error("no threads could be started: {reason}")]
    Threads {
        /// What the system says.
        reason: String,
    },
}

/// Where a solve stands, after an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Iterations that are done.
    pub iteration: u32,
    /// The most that will be done.
    pub max_iterations: u32,
    /// The exploitability, if it was measured after this iteration.
    pub exploitability: Option<Exploitability>,
    /// Time spent so far.
    pub elapsed: Duration,
    /// How long it may still take, extrapolated from the last two checks.
    pub eta: Option<Duration>,
    /// Bytes in use.
    pub memory_bytes: usize,
    /// Mean, least and greatest asymmetry: of the algorithms that measure it at checks, of the others always.
    pub asymmetry: Option<[f64; 3]>,
    /// Where the asymmetry is measured, at checks: √Σ‖r_τ − r_{τ−1}‖² and √Σ‖R_τ − R_{τ−1}‖² over all iterations and
    /// decisions, r being instant regrets and R regrets.
    pub asymmetry_norms: Option<[f64; 2]>,
}

/// A solve stalls if its exploitability is still more than this part of what it was at half the iterations, and not
/// before so many iterations.
const STALLED: f64 = 0.95;
const FEWEST_TO_STALL: u32 = 200;

/// Nothing that is added to an average strategy grows by more than this before it is normalised: 16-bit floats end at
/// 65,504.
const MOST_GROWN: f64 = 64.0;

/// About how long short iterations go on before the observer is asked again.
const STRETCH: Duration = Duration::from_millis(20);

/// What an observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // Go on or not.
pub enum Verdict {
    /// Go on.
    Continue,
    /// Stop; what has been found stays.
    Stop,
}

/// Is told how a solve goes: after every iteration, or many times a second if they are shorter. To pause it, return
/// later.
pub trait Observer {
    /// Called after iterations and the check of the last of them, if there was one.
    fn progress(&mut self, progress: &Progress) -> Verdict;
}

/// Nobody watches.
impl Observer for () {
    fn progress(&mut self, _: &Progress) -> Verdict {
        Verdict::Continue
    }
}

impl<F: FnMut(&Progress) -> Verdict> Observer for F {
    fn progress(&mut self, progress: &Progress) -> Verdict {
        self(progress)
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The exploitability is at or below the target.
    Converged,
    /// All iterations are done.
    MaxIterations,
    /// The observer said so.
    Stopped,
    /// The exploitability has not become noticeably smaller for as many iterations as it took to get there: the tables
    /// are too coarse for the target.
    Stalled,
}

/// Works on a spot, iteration by iteration.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::{Options, Progress, Solver, Spot, StopReason, Verdict};
///
/// let mut config = TreeConfig::new(Street::River, Chips::new(100), Chips::new(200));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ".parse()?, "KK".parse()?], "Qd9d6h3c2h".parse()?, &config)?;
/// let mut solver = Solver::new(spot, &Options { target_pct: 0.1, ..Options::default() })?;
/// let mut checks = 0;
/// let reason = solver.run(&mut |progress: &Progress| {
///     checks += u32::from(progress.exploitability.is_some());
///     Verdict::Continue
/// });
/// assert_eq!(reason, StopReason::Converged);
/// assert!(checks > 0 && solver.solution().iterations() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    options: Options,
    solution: Solution,
    /// Iterations and exploitability of the last checks.
    checks: Vec<(u32, f64)>,
    memory_bytes: usize,
    /// What the last iteration added to the average strategies was multiplied by.
    grown: f64,
}

impl Solver {
    /// What solving would take, before anything is allocated.
    #[must_use]
    pub fn memory(spot: &Spot, options: &Options) -> Memory {
        let symmetries = symmetries(spot, options);
        let needs = options.algorithm.requirements();
        let threads = num_threads(options);
        engine::memory(spot, &symmetries, options.storage, needs, options.keep_best, threads)
    }

    /// A solver before its first iteration.
    ///
    /// # Errors
    /// [`SolveError`] if it would take more memory than allowed or an option makes no sense.
    pub fn new(spot: Spot, options: &Options) -> Result<Solver, SolveError> {
        Solver::with_isa(spot, options, Isa::detect())
    }

    pub(crate) fn with_isa(spot: Spot, options: &Options, isa: Isa) -> Result<Solver, SolveError> {
        if options.target_pct.is_nan() || options.target_pct < 0.0 {
            return Err(SolveError::Target { value: options.target_pct });
        }
        if options.storage.has_idle_encoding() {
            return Err(SolveError::LogEncoding);
        }
        if let Some(limit) = options.memory_limit {
            let needed = Solver::memory(&spot, options).total();
            if needed > limit {
                return Err(SolveError::Memory { needed, limit });
            }
        }
        let spot = Arc::new(spot);
        let symmetries = symmetries(&spot, options);
        let needs = options.algorithm.requirements();
        let engine = engine::new(&spot, &symmetries, options.storage, needs, num_threads(options), isa)
            .map_err(|error| SolveError::Threads { reason: error.to_string() })?;
        let solution = Solution::new(spot, engine, symmetries, options.algorithm);
        let memory_bytes = solution.memory_bytes();
        Ok(Solver { options: options.clone(), solution, checks: Vec::new(), memory_bytes, grown: 1.0 })
    }

    /// So many iterations without a check: in each, both players update once.
    pub fn iterate(&mut self, count: u32) {
        let start = Instant::now();
        let algorithm = self.options.algorithm;
        let needs = algorithm.requirements();
        let mut passes = Vec::with_capacity(2 * count as usize);
        for t in self.solution.iterations + 1..=self.solution.iterations + count {
            let now = algorithm.coefficients(t);
            let next = algorithm.coefficients(t + 1);
            let factors = self.average_factors(t);
            // The opponent of the second player has finished this iteration and opens the next.
            passes.push(Pass::train(Player::Oop, t, [&now, &now], factors, needs));
            passes.push(Pass::train(Player::Ip, t, [&now, &next], factors, needs));
        }
        self.solution.engine.train(&passes);
        self.solution.iterations += count;
        self.solution.elapsed += start.elapsed();
        self.solution.exploitability = None;
    }

    /// What the average strategies and what iteration `t` adds to them are multiplied by.
    ///
    /// An algorithm makes the past smaller by a factor in each iteration. What counts is the proportion, so one may as
    /// well make everything that is added from then on larger, and put both right from time to time.
    fn average_factors(&mut self, t: u32) -> [f64; 2] {
        let factor = self.options.algorithm.coefficients(t).average;
        let Some(every) = self.options.storage.lazy_normalization else { return [factor, 1.0] };
        let next = self.grown / factor;
        let is_due = t.is_multiple_of(every.get()) || next.is_nan() || next > MOST_GROWN;
        let factors = if is_due { [factor / self.grown, 1.0] } else { [1.0, next] };
        self.grown = factors[1];
        factors
    }

    /// Measures the exploitability of the average strategies now.
    pub fn check(&mut self) -> Exploitability {
        let start = Instant::now();
        let measured = self.solution.measure();
        self.solution.elapsed += start.elapsed();
        self.solution.converged = measured.pct_pot <= self.options.target_pct;
        self.checks.push((self.solution.iterations, measured.pct_pot));
        measured
    }

    /// Iterates until the target, the last iteration or the observer's wish.
    ///
    /// With [`Options::keep_best`], a run that does not reach the target ends with the average strategies of its best
    /// check; iterating on from there weights the past as if they were the latest.
    pub fn run(&mut self, observer: &mut dyn Observer) -> StopReason {
        let mut best = None;
        let reason = self.run_on(observer, &mut best);
        if let (Some(best), false) = (best, reason == StopReason::Converged) {
            self.solution.engine.restore_averages();
            self.solution.exploitability = Some(best);
        }
        reason
    }

    fn run_on(&mut self, observer: &mut dyn Observer, best: &mut Option<Exploitability>) -> StopReason {
        let mut next_check = self.next_check();
        while self.solution.iterations < self.options.max_iterations {
            let wanted = next_check.min(self.options.max_iterations) - self.solution.iterations;
            self.iterate(wanted.min(self.in_a_stretch()));
            let done = self.solution.iterations;
            let is_check = done >= next_check || done == self.options.max_iterations;
            let exploitability = is_check.then(|| self.check());
            if let Some(measured) = exploitability {
                next_check = self.next_check();
                let is_best = best.is_none_or(|best| measured.chips < best.chips);
                if self.options.keep_best && is_best && !self.solution.converged {
                    *best = Some(measured);
                    self.solution.engine.save_averages();
                }
            }
            let progress = self.progress(exploitability);
            let verdict = observer.progress(&progress);
            match verdict {
                _ if is_check && self.solution.converged => return StopReason::Converged,
                Verdict::Stop => return StopReason::Stopped,
                Verdict::Continue if is_check && self.has_stalled() => return StopReason::Stalled,
                Verdict::Continue => {}
            }
        }
        StopReason::MaxIterations
    }

    /// Iterations between two words to the observer: waking the threads for each of many short ones would take longer
    /// than they do.
    fn in_a_stretch(&self) -> u32 {
        let done = self.solution.iterations;
        if done == 0 {
            return 1;
        }
        let each = self.solution.elapsed.as_secs_f64() / f64::from(done);
        (STRETCH.as_secs_f64() / each).clamp(1.0, 1000.0) as u32
    }

    fn progress(&self, exploitability: Option<Exploitability>) -> Progress {
        let (asymmetry, sums) = match self.options.algorithm.requirements().asymmetry {
            Some(Asymmetry::Auto { max }) if exploitability.is_some() => {
                self.solution.engine.asymmetry(max).unzip()
            }
            Some(Asymmetry::Fixed(a)) => (Some([a; 3]), None),
            _ => (None, None),
        };
        Progress {
            iteration: self.solution.iterations,
            max_iterations: self.options.max_iterations,
            exploitability,
            elapsed: self.solution.elapsed,
            eta: self.eta(),
            memory_bytes: self.memory_bytes,
            asymmetry,
            asymmetry_norms: sums.map(|sums| [sums.instant.sqrt(), sums.regret.sqrt()]),
        }
    }

    /// At which iteration the target should be reached, on a line through the last checks in log-log scale.
    fn predicted(&self) -> Option<f64> {
        let [.., (t0, e0), (t1, e1)] = self.checks[..] else { return None };
        let slope = (e1 / e0).ln() / (f64::from(t1) / f64::from(t0)).ln();
        let target = self.options.target_pct;
        let sensible = slope.is_finite() && slope < -0.2 && target > 0.0 && e1 > target;
        sensible.then(|| f64::from(t1) * ((target / e1).ln() / slope).exp())
    }

    /// Whether the second half of the iterations has brought nothing. Even the slowest algorithm, whose exploitability
    /// falls with the square root of the iterations, would have come down by 29 %.
    fn has_stalled(&self) -> bool {
        let now = self.solution.iterations;
        let best = |checks: &mut dyn Iterator<Item = &(u32, f64)>| {
            checks.map(|check| check.1).fold(f64::INFINITY, f64::min)
        };
        let half = now / 2;
        let before = best(&mut self.checks.iter().filter(|check| check.0 <= half));
        let after = best(&mut self.checks.iter().filter(|check| check.0 > half));
        now >= FEWEST_TO_STALL && after > STALLED * before
    }

    /// A check costs about an iteration: go to where the target is predicted, but by a quarter at most.
    fn next_check(&self) -> u32 {
        let now = f64::from(self.solution.iterations);
        let furthest = (now * 1.25).max(10.0);
        let predicted = self.predicted().unwrap_or(furthest);
        predicted.clamp((now * 1.03).min(furthest), furthest).ceil().max(now + 1.0) as u32
    }

    fn eta(&self) -> Option<Duration> {
        let done = f64::from(self.solution.iterations);
        let end = self.predicted()?.clamp(done, f64::from(self.options.max_iterations));
        Some(self.solution.elapsed.mul_f64((end - done) / done))
    }

    /// What has been found so far.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// What has been found so far, for readings that work in the solver's own space.
    pub fn solution_mut(&mut self) -> &mut Solution {
        &mut self.solution
    }

    /// What has been found, for good.
    #[must_use]
    pub fn into_solution(self) -> Solution {
        self.solution
    }
}

fn symmetries(spot: &Spot, options: &Options) -> Vec<SuitPermutation> {
    if options.isomorphism { spot.symmetries() } else { vec![SuitPermutation::IDENTITY] }
}

fn num_threads(options: &Options) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.threads.map_or_else(available, std::num::NonZero::get)
}

/// Solves a spot in one call.
///
/// # Errors
/// [`SolveError`] if it would take more memory than allowed or an option makes no sense.
pub fn solve(spot: Spot, options: &Options) -> Result<Solution, SolveError> {
    let mut solver = Solver::new(spot, options)?;
    solver.run(&mut ());
    Ok(solver.into_solution())
}
