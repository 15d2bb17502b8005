//! A solve in the background.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use equipoise_postflop::{Reader, Solution, SolveProgress, Solver, StopReason};
use equipoise_progress::Observer;

use crate::error::UpiError;
use crate::output::Output;

/// A solver at work, on a thread of its own.
pub(crate) struct Running {
    thread: JoinHandle<Box<Solver>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    wishes: Mutex<Wishes>,
    changed: Condvar,
}

#[derive(Default)]
struct Wishes {
    stop: bool,
    look: bool,
    reader: Option<Arc<Reader>>,
    is_done: bool,
}

/// When a solve ends on its own, beside its target.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) seconds: Option<f64>,
    /// Whether the number of iterations was asked for.
    pub(crate) has_steps: bool,
    /// Between two messages.
    pub(crate) interval: Duration,
}

impl Shared {
    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells whoever waits that the solve has ended, however it did.
struct Farewell(Arc<Shared>);

impl Drop for Farewell {
    fn drop(&mut self) {
        self.0.wishes().is_done = true;
        self.0.changed.notify_all();
    }
}

impl Running {
    /// Lets a solver work; it says on the output how it goes.
    pub(crate) fn start(
        mut solver: Box<Solver>,
        limits: Limits,
        output: &Arc<Output>,
    ) -> Result<Running, UpiError> {
        let shared = Arc::new(Shared::default());
        let (farewell, output) = (Farewell(Arc::clone(&shared)), Arc::clone(output));
        let work = move || {
            let reason = work(&mut solver, limits, &farewell.0, &output);
            // Whoever hears the line may take it at its word: the next command finds no solver at work. Whoever comes
            // before it waits for the thread.
            drop(farewell);
            output.line(&format!("SOLVER: stopped ({reason})"));
            solver
        };
        let thread = thread::Builder::new().name("solver".to_owned()).spawn(work);
        let thread = thread.map_err(|error| UpiError::new(format!("no thread could be started: {error}")))?;
        Ok(Running { thread, shared })
    }

    pub(crate) fn is_done(&self) -> bool {
        self.shared.wishes().is_done
    }

    /// What has been found so far; `None` if the solve ended in the meantime.
    pub(crate) fn look(&self) -> Option<Arc<Reader>> {
        let mut wishes = self.shared.wishes();
        (wishes.look, wishes.reader) = (true, None);
        while wishes.reader.is_none() && !wishes.is_done {
            wishes = self.shared.changed.wait(wishes).unwrap_or_else(PoisonError::into_inner);
        }
        wishes.reader.take()
    }

    pub(crate) fn stop(&self) {
        self.shared.wishes().stop = true;
    }

    /// Waits for the end.
    pub(crate) fn join(self) -> Result<Box<Solver>, UpiError> {
        self.thread.join().map_err(|_| UpiError::new("the solver failed: build the tree again"))
    }
}

/// Ends a run when something else is to be done.
struct Watch<'a> {
    shared: &'a Shared,
    until: Instant,
}

impl Observer<SolveProgress> for Watch<'_> {
    fn progress(&mut self, _: &SolveProgress) -> ControlFlow<()> {
        let wishes = self.shared.wishes();
        let is_due = wishes.stop || wishes.look || Instant::now() >= self.until;
        if is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Solves until a limit or a wish; why it ended, in the protocol's words.
fn work(solver: &mut Solver, limits: Limits, shared: &Shared, output: &Output) -> &'static str {
    let deadline = limits.seconds.and_then(|seconds| {
        Instant::now().checked_add(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    });
    let mut message = Instant::now() + limits.interval;
    loop {
        let until = deadline.map_or(message, |deadline| deadline.min(message));
        match solver.run(&mut Watch { shared, until }) {
            StopReason::Converged => return "required accuracy reached",
            StopReason::MaxIterations if limits.has_steps => return "required number of steps reached",
            StopReason::MaxIterations => return "no more steps possible",
            StopReason::Stalled => return "no further progress",
            _ => {}
        }
        if shared.wishes().look {
            let reader = Arc::new(Reader::of(solver.solution_mut()));
            let mut wishes = shared.wishes();
            (wishes.look, wishes.reader) = (false, Some(reader));
            shared.changed.notify_all();
        }
        if shared.wishes().stop {
            return "requested";
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return "required time reached";
        }
        if Instant::now() >= message {
            output.answer(&format!("SOLVER:\n{}", results(solver.solution_mut())));
            message = Instant::now() + limits.interval;
        }
    }
}

/// What both players get, what each would get by answering best, and how far that is from equilibrium; in chips.
pub(crate) fn results(solution: &mut Solution) -> String {
    let time = solution.elapsed().as_secs_f64();
    let [oop, ip] = solution.evs().map(|ev| ev.mean);
    let [best_oop, best_ip] = solution.best_responses();
    let exploitable = (best_oop + best_ip - oop - ip) / 2.0;
    format!(
        "running time: {time:.3}\nEV OOP: {oop:.3}\nEV IP: {ip:.3}\nOOP's MES: {best_oop:.3}\nIP's MES: {best_ip:.3}\n\
         Exploitable for: {exploitable:.3}"
    )
}
