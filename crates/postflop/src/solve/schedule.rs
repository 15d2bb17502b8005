//! The course of a solve: how many iterations until the next check, what is told, when to stop.
//!
//! A course is a list of passes that grows as it is run. The engine asks for the next pass and hands back what the last
//! one found, so that its threads stay awake from the first iteration to the last.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use equipoise_cfr::{Asymmetry, AsymmetrySums, Scheme};
use equipoise_game::Player;
use equipoise_progress::Observer;

use crate::problem::options::Options;
use crate::read::solution::{Exploitability, Record};
use crate::solve::engine::Values;
use crate::solve::progress::{SolveProgress, StopReason};
use crate::solve::traverse::Pass;

/// A solve stalls if its exploitability is still more than this part of what it was at a third of the iterations, and not
/// before so many iterations.
const STALLED: f64 = 0.95;
const FEWEST_TO_STALL: u32 = 200;

/// Nothing that is added to an average strategy grows by more than this before it is normalised: 16-bit floats end at
/// 65,504.
const MOST_GROWN: f64 = 64.0;

/// About how long short iterations go on before the observer is asked again.
const STRETCH: Duration = Duration::from_millis(20);

/// No check is further away than this many times the iterations done: where the target is predicted to be near, and
/// where it is predicted to be at least [`FAR`] times as far.
const NEAR_STEP: f64 = 1.25;
const FAR_STEP: f64 = 1.6;
const FAR: f64 = 2.5;

/// How asymmetric the updates are: mean, least and greatest over all decisions, and the norms behind them if they were
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

/// What is run next and what has been found.
pub(crate) struct Course<'a> {
    options: &'a Options,
    record: &'a mut Record,
    memory_bytes: usize,
    next_check: u32,
    /// The stretch under way: iterations, whether a check follows, the passes to come, whose value is being found,
    /// the mean values found, since when.
    count: u32,
    is_check: bool,
    passes: std::vec::IntoIter<Pass>,
    read: Option<Player>,
    means: Vec<f64>,
    since: Instant,
}

impl<'a> Course<'a> {
    pub(crate) fn new(options: &'a Options, record: &'a mut Record, memory_bytes: usize) -> Course<'a> {
        let mut course = Course {
            options,
            record,
            memory_bytes,
            next_check: 0,
            count: 0,
            is_check: false,
            passes: Vec::new().into_iter(),
            read: None,
            means: Vec::new(),
            since: Instant::now(),
        };
        course.next_check = course.next_check();
        course
    }

    /// Begins a stretch of so many iterations, with or without a check after them.
    pub(crate) fn open(&mut self, count: u32, is_check: bool) {
        let algorithm = self.options.algorithm;
        let needs = algorithm.requirements();
        let mut passes = Vec::with_capacity(2 * count as usize + 4);
        for t in self.record.iterations + 1..=self.record.iterations + count {
            let age = t + self.record.head_start;
            let now = algorithm.coefficients(age);
            let next = algorithm.coefficients(age + 1);
            let factors = self.average_factors(t);
            // The opponent of the second player has finished this iteration and opens the next.
            passes.push(Pass::train(Player::Oop, t, [&now, &now], factors, needs));
            passes.push(Pass::train(Player::Ip, t, [&now, &next], factors, needs));
        }
        if is_check {
            passes.extend(self.record.check_passes());
        }
        (self.count, self.is_check, self.passes) = (count, is_check, passes.into_iter());
        self.means.clear();
        self.since = Instant::now();
    }

    /// Begins the next stretch of a run; false if all iterations are done.
    pub(crate) fn open_next(&mut self) -> bool {
        let (done, last) = (self.record.iterations, self.options.max_iterations);
        if done >= last {
            return false;
        }
        let next_check = self.next_check.min(last);
        let count = (next_check - done).min(self.in_a_stretch());
        self.open(count, done + count == next_check);
        true
    }

    /// The next pass of the stretch; takes what the last one found.
    pub(crate) fn next(&mut self, values: Option<Values<'_>>) -> Option<Pass> {
        if let (Some(values), Some(player)) = (values, self.read.take()) {
            self.means.push(self.record.mean(player, &values.in_chips()));
        }
        let pass = self.passes.next()?;
        self.read = (!pass.is_training()).then_some(pass.player);
        Some(pass)
    }

    /// Ends the stretch; the exploitability, if it ended with a check.
    pub(crate) fn close(&mut self) -> Option<Exploitability> {
        let record = &mut *self.record;
        record.iterations += self.count;
        record.elapsed += self.since.elapsed();
        record.exploitability = None;
        if self.count > 0 {
            record.evs = None;
        }
        if !self.is_check {
            return None;
        }
        let measured = record.exploitability_of(&self.means);
        record.exploitability = Some(measured);
        record.converged = measured.pct_pot <= self.options.target_pct;
        record.checks.push((record.iterations, measured.pct_pot));
        self.next_check = self.next_check();
        Some(measured)
    }

    /// Tells the observer; why the run ends, if it does.
    pub(crate) fn tell(
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
            _ if self.is_check && self.record.converged => Some(StopReason::Converged),
            ControlFlow::Break(()) => Some(StopReason::Stopped),
            ControlFlow::Continue(()) => (self.is_check && self.has_stalled()).then_some(StopReason::Stalled),
        }
    }

    /// Whether there is nothing left to do.
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

    /// What the average strategies and what iteration `t` adds to them are multiplied by.
    ///
    /// An algorithm makes the past smaller by a factor in each iteration. What counts is the proportion, so one may as
    /// well make everything that is added from then on larger, and put both right from time to time.
    fn average_factors(&mut self, t: u32) -> [f64; 2] {
        let factor = self.options.algorithm.coefficients(t + self.record.head_start).average;
        let Some(every) = self.options.storage.lazy_normalization else { return [factor, 1.0] };
        let next = self.record.grown / factor;
        let is_due = t.is_multiple_of(every.get()) || next.is_nan() || next > MOST_GROWN;
        let factors = if is_due { [factor / self.record.grown, 1.0] } else { [1.0, next] };
        self.record.grown = factors[1];
        factors
    }

    /// Iterations between two words to the observer.
    fn in_a_stretch(&self) -> u32 {
        let done = self.record.iterations;
        if done == 0 {
            return 1;
        }
        let each = self.record.elapsed.as_secs_f64() / f64::from(done);
        (STRETCH.as_secs_f64() / each).clamp(1.0, 1000.0) as u32
    }

    /// At which iteration the target should be reached, on a line through the last checks in log-log scale.
    fn predicted(&self) -> Option<f64> {
        let [.., (t0, e0), (t1, e1)] = self.record.checks[..] else { return None };
        let slope = (e1 / e0).ln() / (f64::from(t1) / f64::from(t0)).ln();
        let target = self.options.target_pct;
        let sensible = slope.is_finite() && slope < -0.2 && target > 0.0 && e1 > target;
        sensible.then(|| f64::from(t1) * ((target / e1).ln() / slope).exp())
    }

    /// Whether the last two thirds of the iterations have brought nothing. Even the slowest algorithm, whose exploitability
    /// falls with the square root of the iterations, would have come down by 42 %; and there are checks enough in them that
    /// one or two that happen to be high do not count.
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

    /// A check costs about an iteration: go to where the target is predicted, but not too far, since predictions err.
    /// Counted from the last check, so that it does not matter whether a solve was stopped in between.
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
