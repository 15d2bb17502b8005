//! Long work: on a thread of its own, watched by the one that called.
//!
//! The caller waits without the interpreter's lock and wakes every [`TICK`]: it runs the signal handlers and tells the
//! progress to the callback, so that Ctrl-C and exceptions of callbacks end the call at once, however long the next step
//! of the work takes. Work that is left behind sees the flag at its next step and ends; what it holds is dropped then, or
//! kept behind a lock by whoever shares it.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use equipoise_progress::Observer;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Error, stopped, wrong};

/// The interval at which the caller checks signals.
const TICK: Duration = Duration::from_millis(20);

/// What a callback can be told.
pub(crate) trait Told: Send + 'static {
    /// The value that the callback gets.
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

impl Told for f64 {
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(PyFloat::new(py, self).into_any())
    }
}

/// What the working thread and the caller share.
struct Shared<P, T> {
    is_cancelled: AtomicBool,
    state: Mutex<State<P, T>>,
    is_news: Condvar,
}

struct State<P, T> {
    progress: Option<P>,
    done: Option<Result<T, Box<dyn Any + Send>>>,
}

impl<P, T> Shared<P, T> {
    fn lock(&self) -> MutexGuard<'_, State<P, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the progress of the work; what is told last counts.
pub(crate) struct Reporter<P> {
    tell: Box<dyn Fn(P) + Send + Sync>,
    is_cancelled: Box<dyn Fn() -> bool + Send + Sync>,
}

impl<P> Reporter<P> {
    /// Whether the caller has left.
    pub(crate) fn is_cancelled(&self) -> bool {
        (self.is_cancelled)()
    }

    /// Tells the caller; `Break` if nobody waits any more.
    pub(crate) fn tell(&self, progress: P) -> ControlFlow<()> {
        (self.tell)(progress);
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Reporter<f64> {
    fn progress(&mut self, done: &f64) -> ControlFlow<()> {
        self.tell(*done)
    }

    fn is_cancelled(&self) -> bool {
        Reporter::is_cancelled(self)
    }
}

/// Does the work on a thread of its own and tells `callback` how far it is.
///
/// # Errors
/// `Interrupted` after Ctrl-C, the exception of a signal handler or of the callback, or `InternalError` if the work panics.
pub(crate) fn watch<P, T>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Reporter<P>) -> T + Send + 'static,
) -> PyResult<T>
where
    P: Told,
    T: Send + 'static,
{
    watch_in(py, pool(threads)?, callback, work)
}

/// The same in threads of its own, for long work of which several may be under way at once: in the pools that calls share,
/// one would wait for the other.
pub(crate) fn watch_apart<P, T>(
    py: Python<'_>,
    threads: usize,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Reporter<P>) -> T + Send + 'static,
) -> PyResult<T>
where
    P: Told,
    T: Send + 'static,
{
    watch_in(py, make_pool(checked(threads)?)?, callback, work)
}

fn watch_in<P, T>(
    py: Python<'_>,
    pool: Arc<ThreadPool>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Reporter<P>) -> T + Send + 'static,
) -> PyResult<T>
where
    P: Told,
    T: Send + 'static,
{
    let shared = Arc::new(Shared {
        is_cancelled: AtomicBool::new(false),
        state: Mutex::new(State { progress: None, done: None }),
        is_news: Condvar::new(),
    });
    let working = Arc::clone(&shared);
    let body = move || {
        let (telling, asking) = (Arc::clone(&working), Arc::clone(&working));
        let mut reporter = Reporter {
            tell: Box::new(move |progress| telling.lock().progress = Some(progress)),
            is_cancelled: Box::new(move || asking.is_cancelled.load(Ordering::Relaxed)),
        };
        let done = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&mut reporter))));
        working.lock().done = Some(done);
        working.is_news.notify_all();
    };
    std::thread::Builder::new()
        .name("equipoise".to_owned())
        .spawn(body)
        .map_err(|error| wrong(format!("cannot start a thread: {error}")))?;
    let left = |error: PyErr| {
        shared.is_cancelled.store(true, Ordering::Relaxed);
        stopped(py, error)
    };
    loop {
        let (progress, done) = py.detach(|| {
            let state = shared.lock();
            let (mut state, _) = shared
                .is_news
                .wait_timeout_while(state, TICK, |state| state.done.is_none())
                .unwrap_or_else(PoisonError::into_inner);
            (state.progress.take(), state.done.take())
        });
        if let (Some(callback), Some(progress)) = (callback, progress) {
            progress.to_python(py).and_then(|progress| callback.call1((progress,))).map_err(left)?;
        }
        match done {
            Some(Ok(done)) => return Ok(done),
            Some(Err(panic)) => return Err(internal(&*panic)),
            None => py.check_signals().map_err(left)?,
        }
    }
}

/// The same for work that tells a fraction.
pub(crate) fn watch_fraction<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Reporter<f64>) -> T + Send + 'static,
) -> PyResult<T> {
    watch(py, threads, callback, work)
}

/// The same as [`watch`] for work that saves what it has when it is stopped: the process waits for that before it ends
/// ([`finish_saving`]), and so does the next such call.
pub(crate) fn watch_saving<P, T>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Reporter<P>) -> T + Send + 'static,
) -> PyResult<T>
where
    P: Told,
    T: Send + 'static,
{
    finish_saving(py)?;
    let saving = Saving::new();
    watch(py, threads, callback, move |reporter| {
        let done = work(reporter);
        drop(saving);
        done
    })
}

/// Work that saves, for as long as it is there.
struct Saving(u32);

/// How much of it there is in a process.
static SAVING: Mutex<(u32, usize)> = Mutex::new((0, 0));

impl Saving {
    fn new() -> Saving {
        let process = std::process::id();
        let mut count = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
        *count = if count.0 == process { (process, count.1 + 1) } else { (process, 1) };
        Saving(process)
    }

    fn count() -> usize {
        let count = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
        // A child that was forked has none of its parent's threads.
        if count.0 == std::process::id() { count.1 } else { 0 }
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        let mut count = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
        if count.0 == self.0 {
            count.1 = count.1.saturating_sub(1);
        }
    }
}

/// Waits until work that was stopped has saved what it had.
#[pyfunction]
pub(crate) fn finish_saving(py: Python<'_>) -> PyResult<()> {
    while Saving::count() > 0 {
        py.detach(|| std::thread::sleep(TICK));
        py.check_signals()?;
    }
    Ok(())
}

/// A panic as an exception: a mistake of ours that must not end the interpreter.
fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "unknown".to_owned());
    Error::new("InternalError", format!("a mistake of the engine: {message}")).into()
}

/// The most threads that may be asked for.
const MAX_THREADS: usize = 1024;

/// The thread pool of a size: all processors without one.
///
/// Pools are kept for the next call, and made again in a process that was forked, since threads do not survive that. The lock
/// is taken only with the interpreter's, as forking is done, so that no child finds it taken.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });
    let size = match threads {
        Some(threads) => checked(threads)?,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.process != std::process::id() {
        // The threads are the parent's; nobody is there to be told.
        std::mem::forget(std::mem::take(&mut pools.pools));
        pools.process = std::process::id();
    }
    if let Some((_, pool)) = pools.pools.iter().find(|(of, _)| *of == size) {
        return Ok(Arc::clone(pool));
    }
    let pool = make_pool(size)?;
    pools.pools.push((size, Arc::clone(&pool)));
    Ok(pool)
}

fn checked(threads: usize) -> PyResult<usize> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(threads);
    }
    Err(wrong(format!("threads must be 1 to {MAX_THREADS}, or None for all processors")))
}

fn make_pool(size: usize) -> PyResult<Arc<ThreadPool>> {
    let made = ThreadPoolBuilder::new().num_threads(size).thread_name(|_| "equipoise".to_owned()).build();
    Ok(Arc::new(made.map_err(|error| wrong(format!("cannot start the worker threads: {error}")))?))
}

/// Thread pools by their size, of one process.
struct Pools {
    process: u32,
    pools: Vec<(usize, Arc<ThreadPool>)>,
}
