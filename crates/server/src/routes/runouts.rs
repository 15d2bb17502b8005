//! `…/runouts`: every card that can come where a street ends.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use equipoise_documents::RunoutDocument;
use equipoise_documents::api::{LinkedNode, RunoutsAnswer};
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id, Id2};
use crate::source::Source;

#[derive(Deserialize)]
pub(crate) struct RunoutsQuery {
    #[serde(default)]
    path: String,
}

pub(crate) async fn of_solution(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<RunoutsQuery>,
) -> Result<Response, ApiError> {
    let source = app.solution(id).await?;
    answer(&app, source, &query.path).await
}

pub(crate) async fn of_job(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<RunoutsQuery>,
) -> Result<Response, ApiError> {
    let source = app.job(&id).await?;
    answer(&app, source, &query.path).await
}

pub(crate) async fn of_flop(
    State(app): State<Arc<App>>,
    Id2(id, job): Id2,
    Asked(query): Asked<RunoutsQuery>,
) -> Result<Response, ApiError> {
    let source = app.flop(&id, &job).await?;
    answer(&app, source, &query.path).await
}

async fn answer(app: &App, source: Source, text: &str) -> Result<Response, ApiError> {
    let path = source.path(text)?;
    let key = format!("{} runouts {path}", source.key);
    let find = app.work.run(move |mut cancel| {
        let reader = &source.reader;
        let found = reader.runouts(&path, &mut cancel)?;
        let runouts = found
            .iter()
            .rev()
            .map(|(card, view)| RunoutDocument::new(*card, view, LinkedNode::linked(reader, view)));
        bytes_of(&RunoutsAnswer {
            solution: &source.solution,
            path: path.to_string(),
            runouts: runouts.collect(),
        })
    });
    // Others may have asked for it before, and gone.
    app.work.within(app.answers.get(key, find)).await.map(json)
}
