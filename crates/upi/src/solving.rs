//! A solve in the background.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use equipoise_postflop::{Reader, Solution, StopReason};
use equipoise_progress::Observer;
use equipoise_run::{Request, RunEvent, RunObserver, StartedRun};

use crate::error::UpiError;
use crate::output::Output;

/// A run at work, on a thread of its own.
pub(crate) struct Running {
    thread: JoinHandle<Box<StartedRun>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    requests: Mutex<Requests>,
    changed: Condvar,
}

#[derive(Default)]
struct Requests {
    stop: bool,
    view: bool,
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
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes those who wait when the solve has ended, also if it failed.
struct OnEnd(Arc<Shared>);

impl Drop for OnEnd {
    fn drop(&mut self) {
        self.0.requests().is_done = true;
        self.0.changed.notify_all();
    }
}

impl Running {
    /// Lets a solve run; it says on the output how it goes.
    pub(crate) fn start(
        run: Box<StartedRun>,
        limits: Limits,
        output: &Arc<Output>,
    ) -> Result<Running, UpiError> {
        let shared = Arc::new(Shared::default());
        let (on_end, output) = (OnEnd(Arc::clone(&shared)), Arc::clone(output));
        let work = move || {
            let (run, reason) = work(*run, limits, &on_end.0, &output);
            // A client that has read the line finds no solver running; an earlier command waits for the thread.
            drop(on_end);
            output.line(&format!("SOLVER: stopped ({reason})"));
            run
        };
        let thread = thread::Builder::new().name("solver".to_owned()).spawn(work);
        let thread = thread.map_err(|error| UpiError::new(format!("no thread could be started: {error}")))?;
        Ok(Running { thread, shared })
    }

    pub(crate) fn is_done(&self) -> bool {
        self.shared.requests().is_done
    }

    /// What has been found so far; `None` if the solve ended in the meantime.
    pub(crate) fn view(&self) -> Option<Arc<Reader>> {
        let mut requests = self.shared.requests();
        (requests.view, requests.reader) = (true, None);
        while requests.reader.is_none() && !requests.is_done {
            requests = self.shared.changed.wait(requests).unwrap_or_else(PoisonError::into_inner);
        }
        requests.reader.take()
    }

    pub(crate) fn stop(&self) {
        self.shared.requests().stop = true;
    }

    /// Waits for the end.
    pub(crate) fn join(self) -> Result<Box<StartedRun>, UpiError> {
        self.thread.join().map_err(|_| UpiError::new("the solver failed: build the tree again"))
    }
}

/// Observes a solve: its limits, its messages, and what the session asks.
struct Watch<'a> {
    shared: &'a Shared,
    output: &'a Output,
    deadline: Option<Instant>,
    interval: Duration,
    next_message: Instant,
}

impl Watch<'_> {
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Observer<RunEvent> for Watch<'_> {}

impl RunObserver for Watch<'_> {
    fn request(&mut self) -> Option<Request> {
        let requests = self.shared.requests();
        // A view that is asked for comes before the end.
        if requests.view {
            return Some(Request::Inspect);
        }
        if requests.stop || self.is_late() {
            return Some(Request::Pause);
        }
        (Instant::now() >= self.next_message).then_some(Request::Inspect)
    }

    fn inspect(&mut self, solution: &mut Solution) {
        if self.shared.requests().view {
            let reader = Arc::new(Reader::of(solution));
            let mut requests = self.shared.requests();
            (requests.view, requests.reader) = (false, Some(reader));
            self.shared.changed.notify_all();
        }
        if Instant::now() >= self.next_message {
            self.output.answer(&format!("SOLVER:\n{}", results(solution)));
            self.next_message = Instant::now() + self.interval;
        }
    }
}

/// Solves until a limit or a request; the run, and why it ended, in the protocol's words.
fn work(
    run: StartedRun,
    limits: Limits,
    shared: &Shared,
    output: &Output,
) -> (Box<StartedRun>, &'static str) {
    let deadline = limits.seconds.and_then(|seconds| {
        Instant::now().checked_add(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    });
    let interval = limits.interval;
    let mut watch = Watch { shared, output, deadline, interval, next_message: Instant::now() + interval };
    let outcome = run.solve(&mut watch);
    let reason = match outcome.reason() {
        StopReason::Converged => "required accuracy reached",
        StopReason::MaxIterations if limits.has_steps => "required number of steps reached",
        StopReason::MaxIterations => "no more steps possible",
        StopReason::Stalled => "no further progress",
        _ if shared.requests().stop => "requested",
        _ => "required time reached",
    };
    (Box::new(outcome.into_run()), reason)
}

/// What both players get, what each would get by answering best, and how far that is from equilibrium; in chips.
pub(crate) fn results(solution: &mut Solution) -> String {
    let time = solution.elapsed().as_secs_f64();
    let [oop, ip] = solution.evs().map(|ev| ev.mean).into_array();
    let [best_oop, best_ip] = solution.best_responses().into_array();
    let exploitable = (best_oop + best_ip - oop - ip) / 2.0;
    format!(
        "running time: {time:.3}\nEV OOP: {oop:.3}\nEV IP: {ip:.3}\nOOP's MES: {best_oop:.3}\nIP's MES: {best_ip:.3}\n\
         Exploitable for: {exploitable:.3}"
    )
}
