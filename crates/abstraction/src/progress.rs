//! How far work has come.

use std::sync::atomic::{AtomicU64, Ordering};

use equipoise_equity::Observer;

use crate::error::AbstractionError;

/// Progress of work that consists of so many equal steps.
pub(crate) struct Progress<'a> {
    observer: &'a dyn Observer,
    done: AtomicU64,
    total: u64,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, total: u64) -> Progress<'a> {
        Progress { observer, done: AtomicU64::new(0), total }
    }

    /// Reports steps done; an error if the observer wants no more.
    pub(crate) fn advance(&self, steps: u64) -> Result<(), AbstractionError> {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        self.observer.progress(done as f64 / self.total.max(1) as f64);
        if self.observer.is_cancelled() { Err(AbstractionError::Cancelled) } else { Ok(()) }
    }
}

/// Shows an observer a part of the work as the stretch `from..to` of the whole.
pub(crate) struct Stretch<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Observer for Stretch<'_> {
    fn progress(&self, done: f64) {
        self.observer.progress(self.from + done * (self.to - self.from));
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
