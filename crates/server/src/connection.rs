//! Accepts connections up to a limit, and closes those that are idle.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// The idle timeout of a connection.
const HEADERS: Duration = Duration::from_secs(30);
/// The pause after an error of accept: without file descriptors, trying again at once would keep a core busy.
const BREATH: Duration = Duration::from_millis(50);

/// Serves until `end` says so.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    connections: usize,
    mut end: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(connections));
    loop {
        let accepted = tokio::select! {
            _ = is_over(&mut end) => return,
            accepted = accept(&listener, &room) => accepted,
        };
        let Some((stream, place)) = accepted else { continue };
        let service = TowerToHyperService::new(router.clone());
        let mut end = end.clone();
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(64 << 10);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            // What a client breaks is its own loss.
            let _ = tokio::select! {
                done = connection.as_mut() => done,
                _ = is_over(&mut end) => {
                    connection.as_mut().graceful_shutdown();
                    tokio::time::timeout(Duration::from_secs(1), connection).await.unwrap_or(Ok(()))
                }
            };
            drop(place);
        });
    }
}

/// Waits for the end of the server.
pub(crate) async fn is_over(end: &mut watch::Receiver<bool>) {
    let _ = end.wait_for(|&over| over).await.is_err();
}

async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small and people wait for them.
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            tokio::time::sleep(BREATH).await;
            None
        }
    }
}
