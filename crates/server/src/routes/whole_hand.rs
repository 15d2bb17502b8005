//! `/pushfold`, `/icm` and `/charts`.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use equipoise_blueprint::pushfold::{PrizesError, PushFold, PushFoldError, PushFoldStakes};
use equipoise_blueprint::whole::{Blueprint, BlueprintFileError};
use equipoise_documents::command::PreflopDocument;
use equipoise_documents::{IcmDocument, PushFoldDocument};
use equipoise_game::{IcmError, Payouts};
use serde::Deserialize;

use super::{bytes_of, json, solutions};
use crate::App;
use crate::error::ApiError;
use crate::extract::Input;

/// Bubble factors of more players would take seconds, and nobody could end them.
const MOST_PLAYERS: usize = 12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushFoldRequest {
    stacks: [f64; 2],
    #[serde(default = "half_and_one")]
    blinds: [f64; 2],
    #[serde(default)]
    ante: f64,
    #[serde(default)]
    payouts: Vec<f64>,
    #[serde(default)]
    others: Vec<f64>,
}

const fn half_and_one() -> [f64; 2] {
    [0.5, 1.0]
}

pub(crate) async fn pushfold(
    State(app): State<Arc<App>>,
    Input(request): Input<PushFoldRequest>,
) -> Result<Response, ApiError> {
    let (stakes, payouts) = (request.stakes(), request.payouts()?);
    let game = match &payouts {
        None => PushFold::new(&stakes).map_err(|error| bad_stakes(&error))?,
        Some(payouts) => {
            PushFold::for_prizes(&stakes, &request.others, payouts).map_err(|error| match error {
                PrizesError::Stakes(error) => bad_stakes(&error),
                PrizesError::Icm(error) => bad_prizes(&error, "others"),
                _ => ApiError::bad_input(error),
            })?
        }
    };
    let solved = app.work.run(move |cancel| {
        let mut ended = |_: &u32| match cancel.is_set() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let solution = game.solve_observed(&mut ended).map_err(|_| ApiError::given_up())?;
        bytes_of(&PushFoldDocument::new(&stakes, payouts.as_ref(), &solution))
    });
    solved.await.map(json)
}

impl PushFoldRequest {
    const fn stakes(&self) -> PushFoldStakes {
        let [small_blind, big_blind] = self.blinds;
        PushFoldStakes { small_blind, big_blind, ante: self.ante, stacks: self.stacks }
    }

    /// The prizes that are played for, if any.
    fn payouts(&self) -> Result<Option<Payouts>, ApiError> {
        if !self.others.is_empty() && self.payouts.is_empty() {
            let message = "chips of others matter only where prizes are played for";
            return Err(ApiError::bad_input(message).at_key("others").help("give payouts too"));
        }
        at_most(2 + self.others.len(), "others")?;
        if self.payouts.is_empty() { Ok(None) } else { prizes(&self.payouts).map(Some) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IcmRequest {
    stacks: Vec<f64>,
    payouts: Vec<f64>,
}

pub(crate) async fn icm(
    State(app): State<Arc<App>>,
    Input(request): Input<IcmRequest>,
) -> Result<Response, ApiError> {
    at_most(request.stacks.len(), "stacks")?;
    let payouts = prizes(&request.payouts)?;
    let found = app.work.run(move |cancel| {
        cancel.check("equities")?;
        let document =
            IcmDocument::new(&request.stacks, &payouts).map_err(|error| bad_prizes(&error, "stacks"))?;
        bytes_of(&document)
    });
    found.await.map(json)
}

/// The decisions before the flop of a blueprint, and what reaches the flop. The file is not kept.
pub(crate) async fn chart(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let upload = solutions::received(&app, &headers, body).await?;
    let chart = app.work.run(move |cancel| {
        cancel.check("chart")?;
        let blueprint = Blueprint::open(&upload.path).map_err(|error| match error {
            BlueprintFileError::Io { source, .. } => ApiError::internal(source),
            // Without the name of the file, which is ours.
            BlueprintFileError::Invalid { reason, .. } => {
                let help = "blueprints are made by `equipoise blueprint train`";
                ApiError::bad_input(format!("the file cannot be used: {reason}")).help(help)
            }
            error => ApiError::bad_input(error),
        })?;
        bytes_of(&PreflopDocument::of_blueprint(&blueprint, &blueprint.decisions(), 0))
    });
    chart.await.map(json)
}

fn at_most(players: usize, key: &str) -> Result<(), ApiError> {
    if players <= MOST_PLAYERS {
        return Ok(());
    }
    let message = format!("{players} players: the server takes at most {MOST_PLAYERS}");
    Err(ApiError::bad_input(message).at_key(key).help("`equipoise icm` and `equipoise pushfold` take more"))
}

fn prizes(prizes: &[f64]) -> Result<Payouts, ApiError> {
    Payouts::new(prizes.to_vec()).map_err(|error| bad_prizes(&error, "payouts"))
}

fn bad_prizes(error: &IcmError, key: &str) -> ApiError {
    ApiError::bad_input(error).at_key(key)
}

/// Says which field it is.
fn bad_stakes(error: &PushFoldError) -> ApiError {
    let key = match error {
        PushFoldError::Amount { what, .. } | PushFoldError::TooLarge { what, .. } => match *what {
            "ante" => "ante",
            "stack" => "stacks",
            _ => "blinds",
        },
        PushFoldError::SmallBlind { .. } => "blinds",
        _ => "stacks",
    };
    ApiError::bad_input(error).at_key(key)
}
