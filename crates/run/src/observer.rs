//! What a run tells and what is asked of it.

use std::ops::ControlFlow;
use std::time::Duration;

use equipoise_postflop::{Exploitability, Solution, SolveProgress};
use equipoise_progress::Observer;

use crate::saving::CheckpointError;

/// What the observer of a run is told.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent {
    /// The tables are being set up, before the first iteration.
    SettingUp {
        /// The fraction that is there; 1 when the first iteration begins.
        done: f64,
    },
    /// Iterations are done.
    Progress(SolveProgress),
    /// The solve can be resumed from here.
    CheckpointSaved {
        /// Iterations that the checkpoint has.
        iterations: u32,
        /// Its size.
        bytes: u64,
    },
    /// A checkpoint failed. The solve continues, and tries again when the next one is due.
    CheckpointFailed(CheckpointError),
    /// The exploitability of a solve that ended between two checks.
    Measured {
        /// Iterations that are done.
        iterations: u32,
        /// What was measured.
        exploitability: Exploitability,
        /// Time spent so far.
        elapsed: Duration,
    },
}

/// What is asked of a running solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// [`RunObserver::inspect`] between two iterations.
    Inspect,
    /// Leave the solve to be resumed: after a checkpoint, if there are any. One that fails is told, and the solve goes
    /// on.
    Pause,
    /// End the solve; the answer is what was found.
    Stop,
}

/// The observer of a run, which may ask something of it. `()` and functions of the [`RunEvent`] ask nothing; `Break` is
/// [`Request::Stop`].
pub trait RunObserver: Observer<RunEvent> {
    /// What is asked of the solve now. Called after iterations, while it is set up (what is asked then ends it, since there
    /// is nothing to keep), and once more when a checkpoint for a pause is saved: what
    /// is asked by then counts.
    fn request(&mut self) -> Option<Request> {
        None
    }

    /// Called between two iterations after [`Request::Inspect`].
    fn inspect(&mut self, _solution: &mut Solution) {}
}

impl RunObserver for () {}

impl<F: FnMut(&RunEvent) -> ControlFlow<()> + Send> RunObserver for F {}
