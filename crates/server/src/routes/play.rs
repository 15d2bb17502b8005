//! `/blueprints` and `/play…`: a table with a bot.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use equipoise_documents::api::{BlueprintsDocument, SittingDocument, SittingReportDocument, StudyDocument};
use equipoise_documents::command::PreflopDocument;
use equipoise_play::{AgentError, SittingError, TypedAction, TypedActionError};
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id, Input};
use crate::tables::{Table, TableChange, TableRequest};
use crate::work::Cancel;

pub(crate) async fn blueprints(State(app): State<Arc<App>>) -> Result<Json<BlueprintsDocument>, ApiError> {
    let tables = Arc::clone(&app.tables);
    app.work.run(move |cancel| tables.blueprints.list(&cancel)).await.map(Json)
}

/// The decisions before the flop of a blueprint, as a file of it would be answered.
pub(crate) async fn chart(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    let tables = Arc::clone(&app.tables);
    let chart = app.work.run(move |cancel| {
        cancel.check("chart")?;
        let blueprint = tables.blueprints.blueprint(&id)?;
        bytes_of(&PreflopDocument::of_blueprint(&blueprint, &blueprint.decisions(), 0))
    });
    chart.await.map(json)
}

pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Input(request): Input<TableRequest>,
) -> Result<(StatusCode, Json<SittingDocument>), ApiError> {
    let (tables, config, threads) = (Arc::clone(&app.tables), app.config.clone(), app.threads());
    let table = app.work.run(move |cancel| {
        cancel.check("table")?;
        tables.add(&request, &config, threads)
    });
    let table = table.await?;
    let document = table.document();
    app.tables.keep(table);
    Ok((StatusCode::CREATED, Json(document)))
}

/// Does something at a table that nobody else plays at meanwhile.
async fn at_table<T: Send + 'static>(
    app: &App,
    id: &str,
    work: impl FnOnce(&mut Table, &Cancel) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let table = app.tables.find(id)?;
    // Whoever waits for the table takes no place of those who compute.
    let mut table = app.work.within(async { Ok(table.lock_owned().await) }).await?;
    app.work.run(move |cancel| work(&mut table, &cancel)).await
}

pub(crate) async fn get(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<SittingDocument>, ApiError> {
    at_table(&app, &id, |table, _| Ok(table.document())).await.map(Json)
}

pub(crate) async fn put(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Input(change): Input<TableChange>,
) -> Result<Json<SittingDocument>, ApiError> {
    let limit = app.config.limits.request;
    let changed = at_table(&app, &id, move |table, _| {
        table.change(&change, limit)?;
        Ok(table.document())
    });
    changed.await.map(Json)
}

pub(crate) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, ApiError> {
    app.tables.remove(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn deal(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<SittingDocument>, ApiError> {
    let dealt = at_table(&app, &id, |table, _| {
        let (sitting, strategy) = table.play();
        sitting.deal(&strategy).map_err(failed)?;
        Ok(table.document())
    });
    dealt.await.map(Json)
}

/// An action of the person.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActionName {
    Fold,
    Check,
    Call,
    Bet,
    Raise,
    Allin,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActRequest {
    action: ActionName,
    to_bb: Option<f64>,
    /// How many actions the person has seen: a button that is pressed twice acts once.
    at: Option<usize>,
}

impl ActRequest {
    fn typed(&self) -> Result<TypedAction, ApiError> {
        let typed = match self.action {
            ActionName::Fold => TypedAction::Fold,
            ActionName::Check => TypedAction::Check,
            ActionName::Call => TypedAction::Call,
            ActionName::Allin => TypedAction::AllIn,
            ActionName::Bet | ActionName::Raise => {
                let help = "\"to_bb\" is the total of the street in big blinds, such as 2.5";
                let missing =
                    || ApiError::bad_input("a bet or raise needs a size").at_key("to_bb").help(help);
                return self.to_bb.map(TypedAction::To).ok_or_else(missing);
            }
        };
        match self.to_bb {
            None => Ok(typed),
            Some(_) => Err(ApiError::bad_input("only bets and raises have a size").at_key("to_bb")),
        }
    }
}

pub(crate) async fn act(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Input(request): Input<ActRequest>,
) -> Result<Json<SittingDocument>, ApiError> {
    let typed = request.typed()?;
    let acted = at_table(&app, &id, move |table, _| {
        let (sitting, strategy) = table.play();
        let live = sitting.live().ok_or_else(|| failed(SittingError::NoHand))?;
        if request.at.is_some_and(|at| at != live.taken().len()) {
            return Err(ApiError::conflict("the hand has gone on since")
                .at_key("at")
                .help("GET the table again"));
        }
        if !sitting.is_persons_turn() {
            return Err(failed(SittingError::NotPerson));
        }
        let action = typed.of(live.state(), sitting.big_blind()).map_err(|error| {
            let key = if matches!(error, TypedActionError::Size { .. }) { "to_bb" } else { "action" };
            ApiError::bad_input(error).at_key(key)
        })?;
        sitting.act(&strategy, action).map_err(failed)?;
        Ok(table.document())
    });
    acted.await.map(Json)
}

pub(crate) async fn bot(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<SittingDocument>, ApiError> {
    let acted = at_table(&app, &id, |table, cancel| {
        let (sitting, strategy) = table.play();
        sitting.bot_acts(&strategy, &|| cancel.is_set()).map_err(failed)?;
        Ok(table.document())
    });
    acted.await.map(Json)
}

/// Reviews the next decision that waits for it, if there is one.
pub(crate) async fn review(
    State(app): State<Arc<App>>,
    Id(id): Id,
) -> Result<Json<SittingDocument>, ApiError> {
    let reviewed = at_table(&app, &id, |table, cancel| {
        let coach = table.coach;
        let (sitting, strategy) = table.play();
        sitting.review_next(&strategy, coach, &|| cancel.is_set()).map_err(|error| failed(error.into()))?;
        Ok(table.document())
    });
    reviewed.await.map(Json)
}

pub(crate) async fn report(
    State(app): State<Arc<App>>,
    Id(id): Id,
) -> Result<Json<SittingReportDocument>, ApiError> {
    at_table(&app, &id, |table, _| Ok(table.report())).await.map(Json)
}

/// The hands that are over, as PHH.
pub(crate) async fn hands(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    let text = at_table(&app, &id, |table, _| Ok(table.sitting.phh())).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/toml"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"equipoise.phhs\""),
    ];
    Ok((headers, text).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyQuery {
    /// The number of the hand, from 1.
    hand: u64,
    /// How many actions came before the decision.
    at: usize,
}

pub(crate) async fn study(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<StudyQuery>,
) -> Result<Json<StudyDocument>, ApiError> {
    let found = at_table(&app, &id, move |table, _| {
        let opened = table.opened();
        let hand = query.hand.checked_sub(1);
        let study = hand.and_then(|hand| table.sitting.study(&opened.strategy(), hand, query.at));
        let none = || {
            let message =
                format!("the person decided nothing after {} actions of hand {}", query.at, query.hand);
            ApiError::not_found(message).help("decisions have \"hand\" and \"at\"")
        };
        let study = study.ok_or_else(none)?.map_err(|error| failed(error.into()))?;
        Ok(StudyDocument::new(&study, opened.blueprint.header().game.hand.big_blind.count()))
    });
    found.await.map(Json)
}

fn failed(error: SittingError) -> ApiError {
    match error {
        SittingError::Agent(AgentError::Cancelled) => ApiError::given_up(),
        SittingError::Agent(error @ AgentError::Illegal { .. }) => {
            ApiError::bad_input(error).at_key("action")
        }
        SittingError::Agent(error) => ApiError::internal(error),
        error => ApiError::conflict(error).help("GET the table: \"turn\" says who acts"),
    }
}
