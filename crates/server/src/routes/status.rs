//! `/status` and `/openapi.json`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use equipoise_documents::api::{LimitsDocument, MemoryDocument, StatusDocument};
use equipoise_run::memory;

use crate::error::ApiError;
use crate::{App, page};

const OPENAPI: &str = include_str!("../../openapi.json");

pub(crate) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

pub(crate) async fn status(State(app): State<Arc<App>>) -> Result<Json<StatusDocument>, ApiError> {
    let limits = app.config.limits;
    Ok(Json(StatusDocument {
        version: env!("CARGO_PKG_VERSION"),
        threads: app.threads(),
        memory: MemoryDocument { total_bytes: memory::total(), available_bytes: app.jobs.memory_limit() },
        limits: LimitsDocument {
            body_bytes: limits.body,
            upload_bytes: limits.upload,
            request_s: limits.request.as_secs_f64(),
        },
        library: app.library.folder().display().to_string(),
        solutions: app.library.len(),
        jobs: app.jobs.num_live(),
        page: page::is_there(),
    }))
}
