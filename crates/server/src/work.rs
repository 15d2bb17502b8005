//! Work that takes a processor: a few pieces at a time, given up when nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use equipoise_postflop::{Observer, Progress, Verdict};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;

/// Whether a piece of work should end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Watches what is solved again.
impl Observer for Cancel {
    fn progress(&mut self, _: &Progress) -> Verdict {
        if self.is_set() { Verdict::Stop } else { Verdict::Continue }
    }
}

/// Watches equities.
impl equipoise_equity::Observer for Cancel {
    fn is_cancelled(&self) -> bool {
        self.is_set()
    }
}

/// Sets it when the request that asked for the work is gone.
struct OnDrop(Cancel);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Room for so many pieces of work at a time.
#[derive(Debug)]
pub(crate) struct Work {
    room: Arc<Semaphore>,
    limit: Duration,
}

impl Work {
    pub(crate) fn new(at_a_time: usize, limit: Duration) -> Work {
        Work { room: Arc::new(Semaphore::new(at_a_time)), limit }
    }

    /// Does it on a thread of its own; gives up when the time is over or the caller is gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let late = || ApiError::busy(format!("no answer within {} s", self.limit.as_secs_f64()));
        let all = async {
            let place = Arc::clone(&self.room).acquire_owned().await.map_err(|_| late())?;
            let cancel = Cancel::default();
            let guard = OnDrop(cancel.clone());
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                work(cancel)
            });
            let done = done.await;
            drop(guard);
            done.unwrap_or_else(|_| Err(ApiError::internal("this should not have happened: the work failed")))
        };
        timeout(self.limit, all)
            .await
            .unwrap_or_else(|_| Err(late().help("ask for less, or again when the machine has less to do")))
    }
}
