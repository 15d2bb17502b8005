//! `/batches…`: averages over flops.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use equipoise_batch::{Aggregate, AggregateError, FolderError};
use equipoise_documents::api::BatchesDocument;
use equipoise_postflop::NodePath;
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::batches;
use crate::error::ApiError;
use crate::extract::{Asked, Id};

pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<BatchesDocument>, ApiError> {
    let (library, named) = (app.library.folder().to_owned(), app.config.batches.clone());
    let list = move |_| {
        batches::list(&library, &named)
            .map_err(|error| ApiError::internal(format!("the library cannot be read: {error}")))
    };
    app.work.run(list).await.map(Json)
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
    let path: NodePath = query.path.parse().map_err(|error: equipoise_postflop::ParsePathError| {
        let at = error.at();
        ApiError::from(error).at_byte(&query.path, at)
    })?;
    let (library, named) = (app.library.folder().to_owned(), app.config.batches.clone());
    let find = app.work.run(move |cancel| {
        let folder = batches::find(&library, &named, &id)?;
        let found = Aggregate::of(&folder, &path, None, &mut cancel.clone()).map_err(failed)?;
        bytes_of(&found.document())
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
        AggregateError::Cancelled { .. } => ApiError::busy(error),
        AggregateError::Nothing => ApiError::not_found(error),
        _ => ApiError::bad_input(error),
    }
}
