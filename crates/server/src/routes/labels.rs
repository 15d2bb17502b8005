//! `/solutions/{id}/labels`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use equipoise_documents::api::LabelsDocument;

use crate::App;
use crate::error::ApiError;
use crate::extract::{Id, Input};
use crate::labels;

pub(crate) async fn put(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Input(asked): Input<LabelsDocument>,
) -> Result<Json<LabelsDocument>, ApiError> {
    app.library.existing(&id)?;
    let labels = labels::checked(&asked)?;
    labels::write(app.library.folder(), &id, &labels)
        .map_err(|error| ApiError::internal(format!("the labels cannot be kept: {error}")))?;
    Ok(Json(labels))
}
