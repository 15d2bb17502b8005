//! What is told while a solve runs, and to whom.

use std::time::Duration;

use crate::read::solution::Exploitability;

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

    /// Asked now and then where nothing is solved: whether what is read is not wanted any more.
    fn is_cancelled(&self) -> bool {
        false
    }
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
