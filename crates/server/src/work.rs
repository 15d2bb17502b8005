//! Computations of requests: a few at a time, cancelled when nobody waits for them any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use equipoise_progress::Observer;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;

/// The cancellation of a computation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whoever has gone would never hear of what is begun now.
    pub(crate) fn check(&self, what: &str) -> Result<(), ApiError> {
        if self.is_set() {
            Err(ApiError::busy(format!("nobody waits for the {what} any more")))
        } else {
            Ok(())
        }
    }
}

impl<P: ?Sized> Observer<P> for Cancel {
    fn is_cancelled(&self) -> bool {
        self.is_set()
    }
}

/// Cancels when the request is gone.
struct OnDrop(Cancel);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A limit on computations at a time.
#[derive(Debug)]
pub(crate) struct Work {
    room: Arc<Semaphore>,
    limit: Duration,
}

impl Work {
    pub(crate) fn new(at_a_time: usize, limit: Duration) -> Work {
        Work { room: Arc::new(Semaphore::new(at_a_time)), limit }
    }

    /// Computes on a thread of its own; cancelled at the timeout or when the caller is gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.within(async {
            let place = Arc::clone(&self.room).acquire_owned().await.map_err(|_| self.late())?;
            let cancel = Cancel::default();
            let guard = OnDrop(cancel.clone());
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                work(cancel)
            });
            let done = done.await;
            drop(guard);
            done.unwrap_or_else(|_| Err(ApiError::internal("this should not have happened: the work failed")))
        })
        .await
    }

    /// Waits for an answer until the timeout.
    pub(crate) async fn within<T>(
        &self,
        answer: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        timeout(self.limit, answer).await.unwrap_or_else(|_| Err(self.late()))
    }

    fn late(&self) -> ApiError {
        ApiError::busy(format!("no answer within {} s", self.limit.as_secs_f64()))
            .help("ask for less, or again when the machine has less to do")
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::sync::oneshot;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    /// Works until it should not, and says so.
    fn endless(said: oneshot::Sender<()>) -> impl FnOnce(Cancel) -> Result<(), ApiError> + Send + 'static {
        move |cancel| {
            while !cancel.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            let _ = said.send(());
            Ok(())
        }
    }

    #[test]
    fn work_ends_when_its_time_is_up() {
        runtime().block_on(async {
            let work = Work::new(1, Duration::from_millis(20));
            let (said, ended) = oneshot::channel();
            let error = work.run(endless(said)).await.unwrap_err();
            assert!(error.message().contains("no answer within 0.02 s"), "{}", error.message());
            ended.await.unwrap();
        });
    }

    #[test]
    fn work_ends_when_its_client_leaves_and_makes_room() {
        runtime().block_on(async {
            let work = Work::new(1, Duration::from_secs(3600));
            let (said, ended) = oneshot::channel();
            let left = timeout(Duration::from_millis(20), work.run(endless(said))).await;
            assert!(left.is_err());
            assert_eq!(work.run(|_| Ok(7)).await.unwrap(), 7);
            ended.await.unwrap();
        });
    }
}
