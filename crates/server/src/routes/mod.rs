//! What the API answers; `openapi.json` describes it.

mod batches;
mod equity;
mod jobs;
mod labels;
mod node;
mod play;
mod ranges;
mod runouts;
mod solutions;
mod spots;
mod status;
mod train;
mod whole_hand;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use serde::Serialize;

use crate::error::ApiError;
use crate::{App, guard, page};

/// Everything that is answered.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let api = Router::new()
        .route("/openapi.json", get(status::openapi))
        .route("/status", get(status::status))
        .route("/cards", get(ranges::cards))
        .route("/ranges/presets", get(ranges::presets))
        .route("/ranges/parse", post(ranges::parse))
        .route("/ranges/format", post(ranges::format))
        .route("/spots/examples", get(spots::examples))
        .route("/spots/formations", get(spots::formations))
        .route("/spots/begin", post(spots::begin))
        .route("/spots/check", post(spots::check))
        .route("/jobs", get(jobs::list).post(jobs::add))
        .route("/jobs/{id}", get(jobs::get).delete(jobs::delete))
        .route("/jobs/{id}/pause", post(jobs::pause))
        .route("/jobs/{id}/resume", post(jobs::resume))
        .route("/jobs/{id}/stop", post(jobs::stop))
        .route("/jobs/{id}/events", get(jobs::events))
        .route("/jobs/{id}/node", get(node::of_job))
        .route("/jobs/{id}/runouts", get(runouts::of_job))
        .route("/jobs/{id}/train", get(train::of_job))
        .route("/solutions/{id}", get(solutions::get).delete(solutions::delete))
        .route("/solutions/{id}/file", get(solutions::file))
        .route("/solutions/{id}/labels", put(labels::put))
        .route("/solutions/{id}/node", get(node::of_solution))
        .route("/solutions/{id}/runouts", get(runouts::of_solution))
        .route("/solutions/{id}/train", get(train::of_solution))
        .route("/flops", get(batches::flops))
        .route("/batches", get(batches::list).post(batches::add))
        .route("/batches/{id}", get(batches::get).delete(batches::delete))
        .route("/batches/{id}/status", get(batches::status))
        .route("/batches/{id}/pause", post(batches::pause))
        .route("/batches/{id}/resume", post(batches::resume))
        .route("/batches/{id}/stop", post(batches::stop))
        .route("/batches/{id}/jobs/{job}", get(batches::job))
        .route("/batches/{id}/jobs/{job}/node", get(node::of_flop))
        .route("/batches/{id}/jobs/{job}/runouts", get(runouts::of_flop))
        .route("/batches/{id}/jobs/{job}/train", get(train::of_flop))
        .route("/equity", post(equity::equity))
        .route("/blueprints", get(play::blueprints))
        .route("/blueprints/{id}/chart", get(play::chart))
        .route("/play", post(play::add))
        .route("/play/{id}", get(play::get).put(play::put).delete(play::delete))
        .route("/play/{id}/deal", post(play::deal))
        .route("/play/{id}/act", post(play::act))
        .route("/play/{id}/bot", post(play::bot))
        .route("/play/{id}/review", post(play::review))
        .route("/play/{id}/report", get(play::report))
        .route("/play/{id}/hands", get(play::hands))
        .route("/play/{id}/study", get(play::study))
        .route("/pushfold", post(whole_hand::pushfold))
        .route("/icm", post(whole_hand::icm))
        .layer(DefaultBodyLimit::max(app.config.limits.body))
        // Uploads have a limit of their own.
        .route("/solutions", get(solutions::list).post(solutions::upload))
        .route("/charts", post(whole_hand::chart))
        .fallback(async || {
            ApiError::not_found("the API has no such address").help("GET /api/v1/openapi.json")
        })
        .method_not_allowed_fallback(not_allowed);
    Router::new()
        .nest("/api/v1", api)
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard::guard))
        .with_state(Arc::clone(app))
}

async fn not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "not with this method")
}

/// A document as bytes.
fn bytes_of(document: &impl Serialize) -> Result<Bytes, ApiError> {
    serde_json::to_vec(document).map(Bytes::from).map_err(|error| ApiError::internal(error.to_string()))
}

/// Bytes of a document as an answer.
fn json(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}
