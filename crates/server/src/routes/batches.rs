//! `/batches…` and `/flops`: one spot over many flops.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use equipoise_batch::{Aggregate, AggregateError, BatchPath, Flop, FolderError, NAMES, named_flops};
use equipoise_cards::FlopTexture;
use equipoise_documents::api::{BatchJobDocument, BatchRow, BatchesDocument, FlopListDocument, TexturedFlop};
use equipoise_documents::batch::FlopDocument;
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::batches::{BatchRequest, Batches};
use crate::error::ApiError;
use crate::extract::{Asked, Id, Id2, Input};

pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<BatchesDocument>, ApiError> {
    let batches = app.batches.clone();
    app.work.run(move |_| batches.list()).await.map(Json)
}

pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Input(request): Input<BatchRequest>,
) -> Result<(StatusCode, Json<BatchRow>), ApiError> {
    let batches = app.batches.clone();
    let row = app.work.run(move |cancel| batches.add(request, &cancel)).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

/// Asks something of a batch.
async fn ask(
    app: &App,
    id: String,
    what: impl FnOnce(&Batches, &str) -> Result<BatchRow, ApiError> + Send + 'static,
) -> Result<Json<BatchRow>, ApiError> {
    let batches = app.batches.clone();
    app.work.run(move |_| what(&batches, &id)).await.map(Json)
}

pub(crate) async fn status(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<BatchRow>, ApiError> {
    ask(&app, id, Batches::status).await
}

pub(crate) async fn pause(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<BatchRow>, ApiError> {
    ask(&app, id, Batches::pause).await
}

pub(crate) async fn resume(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<BatchRow>, ApiError> {
    ask(&app, id, Batches::resume).await
}

pub(crate) async fn stop(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<BatchRow>, ApiError> {
    ask(&app, id, Batches::stop).await
}

pub(crate) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, ApiError> {
    let batches = app.batches.clone();
    app.work.run(move |_| batches.delete(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn job(
    State(app): State<Arc<App>>,
    Id2(id, job): Id2,
) -> Result<Json<BatchJobDocument>, ApiError> {
    let batches = app.batches.clone();
    let job = job.parse().map_err(|error| ApiError::not_found(format!("{error}")))?;
    app.work.run(move |_| batches.job(&id, job)).await.map(Json)
}

#[derive(Deserialize)]
pub(crate) struct BatchQuery {
    #[serde(default)]
    path: String,
}

pub(crate) async fn get(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<BatchQuery>,
) -> Result<Response, ApiError> {
    let path: BatchPath = query.path.parse().map_err(|error: equipoise_postflop::ParsePathError| {
        let at = error.at();
        ApiError::from(error).at_byte(&query.path, at)
    })?;
    let batches = app.batches.clone();
    let find = app.work.run(move |cancel| {
        let folder = batches.find(&id)?;
        // The first decision is in the summaries, and quick.
        if path.is_root() {
            let found = Aggregate::of(&folder, &path, None, &mut cancel.clone()).map_err(failed)?;
            return bytes_of(&found.document());
        }
        let (stamp, name) = (folder.stamp(), path.to_string());
        if let Some(bytes) = batches.reports.get(folder.path(), &name, stamp) {
            return Ok(bytes);
        }
        let found = Aggregate::of(&folder, &path, None, &mut cancel.clone()).map_err(failed)?;
        let bytes = bytes_of(&found.document())?;
        batches.reports.keep(folder.path(), &name, stamp, &bytes);
        Ok(bytes)
    });
    find.await.map(json)
}

fn failed(error: AggregateError) -> ApiError {
    match error {
        AggregateError::Read { source, .. } => ApiError::from(*source),
        AggregateError::Folder(FolderError::NoBatch { .. }) => {
            ApiError::not_found("there is no batch of that name")
        }
        AggregateError::Folder(_) => ApiError::internal(error),
        AggregateError::Cancelled { .. } => ApiError::busy(error)
            .help("reports over all rivers take long: `equipoise batch report` has no time limit"),
        AggregateError::Nothing => ApiError::not_found(error),
        _ => ApiError::bad_input(error),
    }
}

#[derive(Deserialize)]
pub(crate) struct FlopsQuery {
    name: String,
}

pub(crate) async fn flops(Asked(query): Asked<FlopsQuery>) -> Result<Json<FlopListDocument>, ApiError> {
    let flops = named_flops(&query.name).ok_or_else(|| {
        ApiError::bad_input("there are no flops of that name")
            .at_key("name")
            .help(format!("write one of {}", NAMES.join(", ")))
    })?;
    Ok(Json(FlopListDocument { flops: flops.iter().filter_map(textured).collect() }))
}

fn textured(flop: &Flop) -> Option<TexturedFlop> {
    let texture = FlopTexture::of(&flop.board)?;
    Some(TexturedFlop {
        flop: FlopDocument {
            board: flop.board.to_string(),
            weight: flop.weight,
            texture: Some(texture.to_string()),
        },
        suits: texture.suits.to_string(),
        pairing: texture.pairing.to_string(),
        high: texture.high.to_string(),
        connectedness: texture.connectedness.to_string(),
    })
}
