//! How far work of many steps has come.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::options::Observer;

/// The observer wants no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // There is nothing more to say.
pub struct Cancelled;

/// Tells an [`Observer`] how far work that consists of so many equal steps has come, from any thread.
///
/// ```
/// use equipoise_equity::Progress;
/// let progress = Progress::new(&(), 10);
/// assert_eq!(progress.advance(3), Ok(()));
/// ```
#[allow(missing_debug_implementations)] // An observer has none.
pub struct Progress<'a> {
    observer: &'a dyn Observer,
    done: AtomicU64,
    total: u64,
}

impl<'a> Progress<'a> {
    /// Nothing done yet.
    #[must_use]
    pub fn new(observer: &'a dyn Observer, total: u64) -> Progress<'a> {
        Progress { observer, done: AtomicU64::new(0), total }
    }

    /// Reports steps done.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer wants no more.
    pub fn advance(&self, steps: u64) -> Result<(), Cancelled> {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        self.observer.progress(done as f64 / self.total.max(1) as f64);
        if self.observer.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
