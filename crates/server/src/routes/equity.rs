//! `/equity`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use equipoise_cards::{Board, BoardError, CardSet, ParseCardsError};
use equipoise_equity::{
    EquityError, Matchup, MatchupError, Method, Options, ParseSeatError, Place, Seat, equity as find,
    exact_seconds,
};
use equipoise_report::documents::{EquitiesBy, EquityDocument};
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::Input;

/// A standard error below 0.0002, in a few seconds.
const MOST_SAMPLES: u64 = 10_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EquityRequest {
    players: Vec<String>,
    #[serde(default)]
    board: String,
    #[serde(default)]
    dead: String,
    #[serde(default)]
    mode: Mode,
    samples: Option<u64>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    by: By,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    #[default]
    Auto,
    Exact,
    MonteCarlo,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    #[default]
    Class,
    Combo,
    None,
}

impl From<By> for Option<EquitiesBy> {
    fn from(by: By) -> Option<EquitiesBy> {
        match by {
            By::Class => Some(EquitiesBy::Class),
            By::Combo => Some(EquitiesBy::Combo),
            By::None => None,
        }
    }
}

pub(crate) async fn equity(
    State(app): State<Arc<App>>,
    Input(request): Input<EquityRequest>,
) -> Result<Response, ApiError> {
    let (matchup, options) = request.resolve()?;
    // Not begun at all, because a long count is slow to notice that it should end.
    let (seconds, limit) = (exact_seconds(&matchup), app.config.limits.request.as_secs_f64());
    if options.method == Method::Exact && seconds > limit {
        let message = format!(
            "counting every deal takes one core about {seconds:.0} s, and an answer may take {limit:.0} s"
        );
        return Err(ApiError::busy(message).at_key("mode").help("ask for auto or monte-carlo"));
    }
    let found = app.work.run(move |cancel| {
        let found = find(&matchup, &options, &cancel).map_err(|error| match error {
            EquityError::Cancelled => ApiError::given_up(),
            _ => ApiError::bad_input(error),
        })?;
        bytes_of(&EquityDocument::new(&request.players, &matchup, options.seed, &found, request.by.into()))
    });
    found.await.map(json)
}

impl EquityRequest {
    fn resolve(&self) -> Result<(Matchup, Options), ApiError> {
        let seats =
            self.players.iter().enumerate().map(|(at, text)| seat(at, text)).collect::<Result<_, _>>()?;
        let board = if self.board.trim().is_empty() {
            Board::EMPTY
        } else {
            self.board.parse().map_err(|error: BoardError| self.bad_board(error))?
        };
        let dead: CardSet = self.dead.parse().map_err(|error: ParseCardsError| {
            let at = error.at();
            ApiError::bad_input(error).at_key("dead").at_byte(&self.dead, at)
        })?;
        let matchup = Matchup::new(seats, board, dead).map_err(misfit)?;
        let std_error = Method::DEFAULT_STD_ERROR;
        let method = match (self.mode, self.samples) {
            (_, Some(0)) => return Err(ApiError::bad_input("0 samples tell nothing").at_key("samples")),
            (_, Some(samples)) if samples > MOST_SAMPLES => {
                let message = format!("{samples} samples are more than the {MOST_SAMPLES} that are taken");
                return Err(ApiError::bad_input(message).at_key("samples"));
            }
            (Mode::Exact, _) => Method::Exact,
            (_, Some(samples)) => Method::Samples(samples),
            (Mode::MonteCarlo, None) => Method::StdError(std_error),
            (Mode::Auto, None) => Method::Auto { std_error },
        };
        let by_combo = !matches!(self.by, By::None);
        Ok((matchup, Options { method, seed: self.seed, threads: None, by_combo }))
    }

    fn bad_board(&self, error: BoardError) -> ApiError {
        let at = if let BoardError::Text(error) = &error { Some(error.at()) } else { None };
        let answer = ApiError::bad_input(&error).at_key("board");
        at.map_or(answer.clone(), |at| answer.at_byte(&self.board, at))
    }
}

fn seat(at: usize, text: &str) -> Result<Seat, ApiError> {
    text.parse().map_err(|error: ParseSeatError| {
        let byte = match &error {
            ParseSeatError::Cards(error) => error.at(),
            ParseSeatError::Range(error) => error.at(),
            _ => 0,
        };
        ApiError::bad_input(error).at_key(format!("players.{at}")).at_byte(text, byte)
    })
}

/// Says which of players, board and dead cards do not fit together.
fn misfit(error: MatchupError) -> ApiError {
    let key = match &error {
        MatchupError::EmptyRange { player } => format!("players.{player}"),
        MatchupError::CardTwice { second, .. } => match second {
            Place::Board => "board".to_owned(),
            Place::Dead => "dead".to_owned(),
            _ => "players".to_owned(),
        },
        _ => "players".to_owned(),
    };
    ApiError::bad_input(error).at_key(key)
}
