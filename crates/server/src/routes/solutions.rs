//! `/solutions…`: the library.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, BodyDataStream};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use equipoise_documents::api::{LibraryDocument, SolutionDetail, SolutionRow};
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;

use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id};
use crate::work::Cancel;

/// The timeout of an upload without progress.
const SLOWEST: Duration = Duration::from_secs(30);

/// How long a body that is too large is drained.
const PATIENCE: Duration = Duration::from_secs(2);

static UPLOADS: AtomicU64 = AtomicU64::new(0);

pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<LibraryDocument>, ApiError> {
    let library = Arc::clone(&app.library);
    let list = move |cancel: Cancel| {
        library
            .list(&cancel)
            .map_err(|error| ApiError::internal(format!("the library cannot be read: {error}")))
    };
    app.work.run(list).await.map(Json)
}

pub(crate) async fn get(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<SolutionDetail>, ApiError> {
    let library = Arc::clone(&app.library);
    app.work.run(move |cancel| library.detail(&id, &cancel)).await.map(Json)
}

pub(crate) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, ApiError> {
    app.library.delete(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn file(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    // Opened, so that what is no solution is not handed out.
    app.solution(id.clone()).await?;
    let file = File::open(app.library.path(&id)?).await;
    let file = file.map_err(|error| ApiError::internal(format!("the file cannot be read: {error}")))?;
    let len = file.metadata().await.map(|found| found.len());
    let body = Body::from_stream(ReaderStream::with_capacity(file, 1 << 18));
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, "application/octet-stream".parse().expect("a header"));
    if let Ok(len) = len {
        headers.insert(header::CONTENT_LENGTH, len.into());
    }
    if let Ok(disposition) = format!("attachment; filename=\"{id}\"").parse() {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok((headers, body).into_response())
}

#[derive(Deserialize)]
pub(crate) struct UploadQuery {
    #[serde(default)]
    name: String,
}

/// A file that is on its way; nothing is left of it if it does not arrive.
pub(super) struct Upload {
    pub(super) path: PathBuf,
}

impl Drop for Upload {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A body as a file, which is gone with what is answered.
pub(super) async fn received(app: &App, headers: &HeaderMap, body: Body) -> Result<Upload, ApiError> {
    let most = app.config.limits.upload;
    let len = headers.get(header::CONTENT_LENGTH).and_then(|len| len.to_str().ok()?.parse::<u64>().ok());
    let mut body = body.into_data_stream();
    if len.is_some_and(|len| len > most) {
        drain(&mut body).await;
        return Err(too_large(most));
    }
    let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
    let name = format!(".upload-{}-{number}", std::process::id());
    let upload = Upload { path: app.library.folder().join(name) };
    receive(&upload, &mut body, most).await?;
    Ok(upload)
}

pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    Asked(query): Asked<UploadQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<SolutionRow>), ApiError> {
    let upload = received(&app, &headers, body).await?;
    let library = Arc::clone(&app.library);
    let row = app.work.run(move |cancel| library.admit(&upload.path, &query.name, &cancel)).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

async fn receive(upload: &Upload, body: &mut BodyDataStream, most: u64) -> Result<(), ApiError> {
    let failed = |error: std::io::Error| ApiError::internal(format!("the file cannot be kept: {error}"));
    let mut file = File::create(&upload.path).await.map_err(failed)?;
    let mut len = 0;
    loop {
        let next = tokio::time::timeout(SLOWEST, body.next()).await;
        let next = next.map_err(|_| ApiError::bad_input("the file did not arrive in time"))?;
        let Some(part) = next else { break };
        let part = part.map_err(|_| ApiError::bad_input("the file did not arrive whole"))?;
        len += part.len() as u64;
        if len > most {
            drain(body).await;
            return Err(too_large(most));
        }
        file.write_all(&part).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    file.sync_all().await.map_err(failed)
}

/// Reads on for a while: who is still sending would otherwise find the connection reset, and no answer.
async fn drain(body: &mut BodyDataStream) {
    let _ = tokio::time::timeout(PATIENCE, async { while let Some(Ok(_)) = body.next().await {} }).await;
}

fn too_large(most: u64) -> ApiError {
    let most = equipoise_run::memory::MemorySize(most);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a file may have {most} at most"))
}
