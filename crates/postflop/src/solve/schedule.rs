//! The schedule of a solve: how many iterations until the next check, what is reported, when to stop.
//!
//! A run is a list of chunks: some iterations, perhaps a check of the exploitability, a report to the observer.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise_cfr::{Asymmetry, AsymmetrySums, Scheme};
use equipoise_game::Player;
use equipoise_progress::Observer;

use crate::problem::options::Options;
use crate::read::solution::{Exploitability, Record};
use crate::solve::engine::Values;
use crate::solve::pass::Pass;
use crate::solve::progress::{SolveProgress, StopReason};

/// A solve stalls if its exploitability is still more than this part of what it was at a third of the iterations, of which
/// there are at least this many.
const STALLED: f64 = 0.95;
const FEWEST_TO_STALL: u32 = 200;

/// The factor of what is added to an average strategy grows to at most this before averages are normalised: 16-bit floats
/// end at 65,504.
const MOST_GROWN: f64 = 64.0;

/// About how long chunks of short iterations take.
const REPORT_INTERVAL: Duration = Duration::from_millis(20);

/// If the first check has not come by then, the exploitability is measured once for people who wait. That depends on the
/// clock, so it decides nothing: neither when to stop nor when to check.
pub(crate) const EARLY: Duration = Duration::from_secs(2);

/// The iterations of the next check are at most this many times those of the last: where the target is predicted to be
/// near, and where it is predicted to be at least [`FAR`] times as far.
const NEAR_STEP: f64 = 1.25;
const FAR_STEP: f64 = 1.6;
const FAR: f64 = 2.5;

/// The asymmetry of the updates: mean, least and greatest over all decisions, and the norms behind them if they were
/// measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MeasuredAsymmetry {
    spread: Option<[f64; 3]>,
    norms: Option<[f64; 2]>,
}

impl MeasuredAsymmetry {
    pub(crate) fn of(measured: Option<([f64; 3], AsymmetrySums)>) -> MeasuredAsymmetry {
        let (spread, sums) = measured.unzip();
        MeasuredAsymmetry { spread, norms: sums.map(|sums| [sums.instant.sqrt(), sums.regret.sqrt()]) }
    }
}

/// The passes of a solve, chunk by chunk, and what they have found.
pub(crate) struct Schedule<'a> {
    options: &'a Options,
    record: &'a mut Record,
    memory_bytes: usize,
    next_check: u32,
    chunk: Chunk,
    /// When to measure early.
    early: Duration,
    /// Whether an early measurement is due.
    is_early: bool,
}

/// The iterations between two reports, perhaps with a check after them.
struct Chunk {
    num_iterations: u32,
    is_check: bool,
    /// Whether the check is for those who wait only.
    is_early: bool,
    passes: std::vec::IntoIter<Pass>,
    /// The mean values of the passes of the check.
    means: Vec<f64>,
    start: Instant,
}

impl<'a> Schedule<'a> {
    pub(crate) fn new(options: &'a Options, record: &'a mut Record, memory_bytes: usize) -> Schedule<'a> {
        let chunk = Chunk {
            num_iterations: 0,
            is_check: false,
            is_early: false,
            passes: Vec::new().into_iter(),
            means: Vec::new(),
            start: Instant::now(),
        };
        let mut schedule =
            Schedule { options, record, memory_bytes, next_check: 0, chunk, early: EARLY, is_early: false };
        schedule.next_check = schedule.next_check();
        schedule
    }

    /// Starts a chunk.
    pub(crate) fn start_chunk(&mut self, num_iterations: u32, is_check: bool) {
        let algorithm = self.options.algorithm;
        let needs = algorithm.requirements();
        let mut passes = Vec::with_capacity(2 * num_iterations as usize + 4);
        for t in self.record.iterations + 1..=self.record.iterations + num_iterations {
            let age = t + self.record.head_start;
            let now = algorithm.coefficients(age);
            let next = algorithm.coefficients(age + 1);
            let factors = self.average_factors(t);
            passes.extend(Player::ALL.map(|player| Pass::train(player, t, [&now, &next], factors, needs)));
        }
        if is_check {
            passes.extend(self.record.check_passes());
        }
        let (passes, means, start) = (passes.into_iter(), Vec::new(), Instant::now());
        self.chunk = Chunk { num_iterations, is_check, is_early: false, passes, means, start };
    }

    /// Starts the next chunk of a run; false if all iterations are done.
    pub(crate) fn start_next_chunk(&mut self) -> bool {
        let (done, last) = (self.record.iterations, self.options.max_iterations);
        if done >= last {
            return false;
        }
        if std::mem::take(&mut self.is_early) {
            self.start_chunk(0, true);
            self.chunk.is_early = true;
            return true;
        }
        let next_check = self.next_check.min(last);
        let num_iterations = (next_check - done).min(self.iterations_per_report());
        self.start_chunk(num_iterations, done + num_iterations == next_check);
        true
    }

    /// Measures early after another time.
    pub(crate) fn set_early(&mut self, early: Duration) {
        self.early = early;
    }

    /// Whether the chunk is an early measurement.
    pub(crate) fn is_early_chunk(&self) -> bool {
        self.chunk.is_early
    }

    /// The next pass of the chunk.
    pub(crate) fn next_pass(&mut self) -> Option<Pass> {
        self.chunk.passes.next()
    }

    /// Takes the values of a pass of the chunk.
    pub(crate) fn take_values(&mut self, pass: &Pass, values: &Values<'_>) {
        if !pass.is_training() {
            self.chunk.means.push(self.record.mean(pass.player, &values.in_chips()));
        }
    }

    /// Ends the chunk; the exploitability, if it was checked.
    pub(crate) fn end_chunk(&mut self) -> Option<Exploitability> {
        let record = &mut *self.record;
        let before = record.elapsed;
        record.iterations += self.chunk.num_iterations;
        record.elapsed += self.chunk.start.elapsed();
        if self.chunk.is_early {
            return Some(record.exploitability_of(&self.chunk.means));
        }
        record.exploitability = None;
        if self.chunk.num_iterations > 0 {
            record.evs = None;
        }
        if !self.chunk.is_check {
            let is_first = record.checks.is_empty() && record.iterations < self.next_check;
            self.is_early = is_first && before < self.early && record.elapsed >= self.early;
            return None;
        }
        let measured = record.exploitability_of(&self.chunk.means);
        record.exploitability = Some(measured);
        record.converged = measured.pct_pot <= self.options.target_pct;
        record.checks.push((record.iterations, measured.pct_pot));
        self.next_check = self.next_check();
        Some(measured)
    }

    /// Reports the chunk to the observer; why the run ends, if it does.
    pub(crate) fn report(
        &self,
        observer: &mut dyn Observer<SolveProgress>,
        exploitability: Option<Exploitability>,
        asymmetry: MeasuredAsymmetry,
    ) -> Option<StopReason> {
        let flow = observer.progress(&SolveProgress {
            iteration: self.record.iterations,
            max_iterations: self.options.max_iterations,
            exploitability,
            elapsed: self.record.elapsed,
            eta: self.eta(),
            memory_bytes: self.memory_bytes,
            asymmetry: asymmetry.spread,
            asymmetry_norms: asymmetry.norms,
        });
        match flow {
            _ if self.chunk.is_check && self.record.converged => Some(StopReason::Converged),
            ControlFlow::Break(()) => Some(StopReason::Stopped),
            ControlFlow::Continue(()) => {
                (self.chunk.is_check && self.has_stalled()).then_some(StopReason::Stalled)
            }
        }
    }

    /// Whether the last check has reached the target.
    pub(crate) fn is_at_target(&self) -> bool {
        self.record.exploitability.is_some_and(|found| found.pct_pot <= self.options.target_pct)
    }

    pub(crate) fn has_converged(&self) -> bool {
        self.record.converged
    }

    /// The asymmetry of an algorithm that does not measure it.
    pub(crate) fn fixed_asymmetry(&self) -> MeasuredAsymmetry {
        match self.options.algorithm.requirements().asymmetry {
            Some(Asymmetry::Fixed(a)) => MeasuredAsymmetry { spread: Some([a; 3]), norms: None },
            _ => MeasuredAsymmetry::default(),
        }
    }

    /// The factors of the average strategies so far and of what iteration `t` adds to them.
    ///
    /// An algorithm decays the average by a factor in each iteration. Only proportions count, so with lazy normalisation
    /// everything that is added from then on grows instead, and both are normalised from time to time.
    fn average_factors(&mut self, t: u32) -> [f64; 2] {
        let factor = self.options.algorithm.coefficients(t + self.record.head_start).average;
        let Some(every) = self.options.storage.lazy_normalization else { return [factor, 1.0] };
        let next = self.record.grown / factor;
        let is_due = t.is_multiple_of(every.get()) || next.is_nan() || next > MOST_GROWN;
        let factors = if is_due { [factor / self.record.grown, 1.0] } else { [1.0, next] };
        self.record.grown = factors[1];
        factors
    }

    /// Iterations between two reports to the observer.
    fn iterations_per_report(&self) -> u32 {
        let done = self.record.iterations;
        if done == 0 {
            return 1;
        }
        let each = self.record.elapsed.as_secs_f64() / f64::from(done);
        (REPORT_INTERVAL.as_secs_f64() / each).clamp(1.0, 1000.0) as u32
    }

    /// The iteration at which the target is predicted to be reached, extrapolated from the last two checks in log-log scale.
    fn predicted(&self) -> Option<f64> {
        let [.., (t0, e0), (t1, e1)] = self.record.checks[..] else { return None };
        let slope = (e1 / e0).ln() / (f64::from(t1) / f64::from(t0)).ln();
        let target = self.options.target_pct;
        let sensible = slope.is_finite() && slope < -0.2 && target > 0.0 && e1 > target;
        sensible.then(|| f64::from(t1) * ((target / e1).ln() / slope).exp())
    }

    /// Whether the last two thirds of the iterations have gained nothing. Even the slowest algorithm, whose exploitability
    /// falls with the square root of the iterations, would have gained 42 %; and there are enough checks in them that one
    /// or two high ones do not matter.
    fn has_stalled(&self) -> bool {
        let now = self.record.iterations;
        let best = |checks: &mut dyn Iterator<Item = &(u32, f64)>| {
            checks.map(|check| check.1).fold(f64::INFINITY, f64::min)
        };
        let third = now / 3;
        let before = best(&mut self.record.checks.iter().filter(|check| check.0 <= third));
        let after = best(&mut self.record.checks.iter().filter(|check| check.0 > third));
        now >= FEWEST_TO_STALL && after > STALLED * before
    }

    /// The iteration of the next check. A check costs about an iteration: it comes where the target is predicted, but not too
    /// far away, since predictions err. Counted from the last check, so that stopping in between changes nothing.
    fn next_check(&self) -> u32 {
        let now = f64::from(self.record.checks.last().map_or(0, |check| check.0));
        let predicted = self.predicted();
        let step = if predicted.is_some_and(|end| end > FAR * now) { FAR_STEP } else { NEAR_STEP };
        let furthest = (now * step).max(10.0);
        let end = predicted.unwrap_or(furthest);
        let next = end.clamp((now * 1.03).min(furthest), furthest).ceil() as u32;
        next.max(self.record.iterations + 1)
    }

    fn eta(&self) -> Option<Duration> {
        let done = f64::from(self.record.iterations);
        let end = self.predicted()?.clamp(done, f64::from(self.options.max_iterations));
        Some(self.record.elapsed.mul_f64((end - done) / done))
    }
}
