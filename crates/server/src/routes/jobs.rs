//! `/jobs…`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use equipoise_documents::api::{JobDocument, JobState, JobsDocument, ProgressDocument};
use futures_util::Stream;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::watch;

use crate::App;
use crate::connection::is_over;
use crate::error::ApiError;
use crate::extract::{Id, Input};
use crate::jobs::{JobRequest, QueuedSolve};

/// Nobody sees more changes than that.
const PACE: Duration = Duration::from_millis(100);

pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<JobsDocument> {
    Json(JobsDocument { jobs: app.jobs.list() })
}

pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Input(request): Input<JobRequest>,
) -> Result<(StatusCode, Json<JobDocument>), ApiError> {
    let jobs = Arc::clone(&app.jobs);
    let job = app.work.run(move |cancel| jobs.add(request, &cancel)).await?;
    Ok((StatusCode::CREATED, Json(job)))
}

pub(crate) async fn get(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<JobDocument>, ApiError> {
    Ok(Json(app.jobs.find(&id)?.document()))
}

pub(crate) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, ApiError> {
    app.jobs.delete(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn pause(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<JobDocument>, ApiError> {
    app.jobs.pause(&id).await.map(Json)
}

pub(crate) async fn resume(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<JobDocument>, ApiError> {
    app.jobs.resume(&id).map(Json)
}

pub(crate) async fn stop(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<JobDocument>, ApiError> {
    app.jobs.stop(&id).await.map(Json)
}

/// What one listener has been told.
struct Listener {
    job: Arc<QueuedSolve>,
    changes: watch::Receiver<u64>,
    end: watch::Receiver<bool>,
    state: Option<JobState>,
    num_checks: usize,
    /// What is to be said next, in order.
    events: std::vec::IntoIter<Event>,
    is_over: bool,
}

pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Id(id): Id,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let job = app.jobs.find(&id)?;
    let listener = Listener {
        changes: job.changes(),
        job,
        end: app.end.subscribe(),
        state: None,
        num_checks: 0,
        events: Vec::new().into_iter(),
        is_over: false,
    };
    let stream = stream::unfold(listener, async |mut listener| {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.events.next() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            if self.state.is_some() {
                tokio::select! {
                    changed = self.changes.changed() => changed.ok()?,
                    _ = is_over(&mut self.end) => return None,
                }
                tokio::time::sleep(PACE).await;
                self.changes.mark_unchanged();
            }
            self.events = self.news().into_iter();
        }
    }

    /// What has happened since this listener was told last.
    fn news(&mut self) -> Vec<Event> {
        let (job, is_deleted) = {
            let live = self.job.live();
            (live.document(), live.is_deleted)
        };
        if is_deleted {
            self.is_over = true;
            return vec![event("deleted", &job)];
        }
        let new = job.checks.get(self.num_checks..).unwrap_or(&[]);
        let mut events: Vec<Event> =
            new.iter().map(|&check| event("progress", &ProgressDocument::new(&job, Some(check)))).collect();
        self.num_checks = job.checks.len();
        match self.state.replace(job.state) {
            None => events = vec![event("job", &job)],
            Some(before) if before != job.state => events.push(event("state", &job)),
            Some(_) if events.is_empty() => {
                events.push(event("progress", &ProgressDocument::new(&job, None)));
            }
            Some(_) => {}
        }
        events
    }
}

fn event(name: &str, document: &impl Serialize) -> Event {
    let data = serde_json::to_string(document).unwrap_or_default();
    Event::default().event(name).data(data)
}
