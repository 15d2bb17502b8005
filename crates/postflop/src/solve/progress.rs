//! What an observer of a solve is told, and why runs end.

use std::time::Duration;

use crate::read::solution::Exploitability;

/// The state of a solve after iterations and the check after the last of them, if there was one. An observer is told
/// after every iteration, or many times a second where they are shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolveProgress {
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

impl SolveProgress {
    /// The fraction done, 0 to 1: of the time, if the rest can be extrapolated, or else of the iterations.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let elapsed = self.elapsed.as_secs_f64();
        match self.eta {
            Some(eta) => elapsed / (elapsed + eta.as_secs_f64()),
            None => f64::from(self.iteration) / f64::from(self.max_iterations),
        }
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
    /// The observer ended it.
    Stopped,
    /// The exploitability has not become noticeably smaller for two thirds of the iterations: the tables are too coarse
    /// for the target.
    Stalled,
}

impl StopReason {
    /// The word for documents: `converged`, `max_iterations`, `stopped` or `stalled`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            StopReason::Converged => "converged",
            StopReason::MaxIterations => "max_iterations",
            StopReason::Stopped => "stopped",
            StopReason::Stalled => "stalled",
        }
    }
}
