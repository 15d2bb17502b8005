//! An observer of long work: it is told how far the work is, and may end it.
//!
//! Every crate whose work takes long takes an [`Observer`]; none of them prints. What is told depends on the work: a
//! fraction from 0 to 1 where nothing else is said, or a type of its own, such as the iterations of a solve. `()` observes
//! nothing, and a function of the progress is an observer.
//!
//! ```
//! use std::ops::ControlFlow;
//! use equipoise_progress::{Cancelled, Observer, Progress};
//!
//! fn count(observer: &mut dyn Observer) -> Result<u64, Cancelled> {
//!     let progress = Progress::new(observer, 100);
//!     (0..100).map(|step| progress.advance(1).map(|()| step)).sum()
//! }
//! assert_eq!(count(&mut ()), Ok(4950));
//!
//! let mut seen = 0.0;
//! let ended = count(&mut |done: &f64| {
//!     seen = *done;
//!     if seen < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! });
//! assert_eq!((ended, seen), (Err(Cancelled), 0.5));
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use thiserror::Error;

/// Observes work and may end it. `P` is what it is told: by default the fraction done, 0 to 1.
pub trait Observer<P: ?Sized = f64>: Send {
    /// Called now and then with the progress; `Break` ends the work. To pause it, return later.
    fn progress(&mut self, _progress: &P) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Asked now and then where there is no progress to tell; `true` ends the work too.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl<P: ?Sized> Observer<P> for () {}

impl<P: ?Sized, F: FnMut(&P) -> ControlFlow<()> + Send> Observer<P> for F {
    fn progress(&mut self, progress: &P) -> ControlFlow<()> {
        self(progress)
    }
}

/// The observer ended the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cancelled")]
#[allow(clippy::exhaustive_structs)] // There is nothing more to say.
pub struct Cancelled;

/// Work of many equal steps on any number of threads, and its observer.
///
/// The observer is called by one thread at a time, with fractions that never fall; a thread that finds it occupied goes on
/// with its work.
#[allow(missing_debug_implementations)] // An observer has none.
pub struct Progress<'a> {
    observer: Mutex<&'a mut dyn Observer>,
    done: AtomicU64,
    total: u64,
    is_cancelled: AtomicBool,
}

impl<'a> Progress<'a> {
    /// Nothing done yet.
    pub fn new(observer: &'a mut dyn Observer, total: u64) -> Progress<'a> {
        Progress {
            observer: Mutex::new(observer),
            done: AtomicU64::new(0),
            total,
            is_cancelled: AtomicBool::new(false),
        }
    }

    /// Reports steps done; with 0 it only asks whether to continue.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer has ended the work.
    pub fn advance(&self, steps: u64) -> Result<(), Cancelled> {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        // Nothing comes after the last step that could tell of it.
        let observer = if done >= self.total { Some(self.lock()) } else { self.try_lock() };
        if let Some(mut observer) = observer {
            let done = self.done.load(Ordering::Relaxed) as f64 / self.total.max(1) as f64;
            if observer.progress(&done.min(1.0)).is_break() || observer.is_cancelled() {
                self.is_cancelled.store(true, Ordering::Relaxed);
            }
        }
        if self.is_cancelled.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }

    /// Whether the observer has ended the work, asked without telling it anything.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        if self.try_lock().is_some_and(|observer| observer.is_cancelled()) {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, &'a mut dyn Observer> {
        self.observer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, &'a mut dyn Observer>> {
        match self.observer.try_lock() {
            Ok(observer) => Some(observer),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Shows an observer one part of the work as the part `from..to` of all of it.
///
/// ```
/// use std::ops::ControlFlow;
/// use equipoise_progress::{Observer, Part};
/// let mut seen = Vec::new();
/// let mut all = |done: &f64| {
///     seen.push(*done);
///     ControlFlow::Continue(())
/// };
/// let _ = Part::new(&mut all, 0.0, 0.5).progress(&1.0);
/// let _ = Part::of(&mut all, 1, 2).progress(&0.5);
/// assert_eq!(seen, [0.5, 0.75]);
/// ```
#[allow(missing_debug_implementations)] // An observer has none.
pub struct Part<'a> {
    observer: &'a mut dyn Observer,
    from: f64,
    to: f64,
}

impl<'a> Part<'a> {
    /// The part between two fractions.
    pub fn new(observer: &'a mut dyn Observer, from: f64, to: f64) -> Part<'a> {
        Part { observer, from, to }
    }

    /// One of `count` equal parts, counted from 0.
    pub fn of(observer: &'a mut dyn Observer, number: usize, count: usize) -> Part<'a> {
        let place = |number: usize| number as f64 / count as f64;
        Part { observer, from: place(number), to: place(number + 1) }
    }
}

impl Observer for Part<'_> {
    fn progress(&mut self, done: &f64) -> ControlFlow<()> {
        self.observer.progress(&(self.from + done * (self.to - self.from)))
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn threads_tell_fractions_in_order_and_the_last_one_always() {
        let mut seen = Vec::new();
        let mut observer = |done: &f64| {
            seen.push(*done);
            ControlFlow::Continue(())
        };
        let progress = Progress::new(&mut observer, 4000);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| progress.advance(1).unwrap()));
            }
        });
        assert!(seen.is_sorted(), "{seen:?}");
        assert_eq!(seen.last(), Some(&1.0));
    }

    #[test]
    fn either_answer_ends_the_work() {
        struct Stop;
        impl Observer for Stop {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        assert!(Progress::new(&mut Stop, 2).is_cancelled());
        assert_eq!(Progress::new(&mut Stop, 2).advance(1), Err(Cancelled));
        let mut stop = |_: &f64| ControlFlow::Break(());
        let progress = Progress::new(&mut stop, 2);
        assert_eq!(progress.advance(0), Err(Cancelled));
        assert!(progress.is_cancelled());
        assert_eq!(Progress::new(&mut (), 0).advance(0), Ok(()));
    }
}
