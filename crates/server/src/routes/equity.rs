//! `/equity`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use equipoise_cards::{Board, BoardError, CardSet, ParseCardsError};
use equipoise_documents::{EquitiesBy, EquityDocument};
use equipoise_equity::{
    Equity, EquityError, Matchup, MatchupError, Method, Options, ParseSeatError, Place, Seat, equity as find,
    exact_seconds,
};
use equipoise_progress::Observer;
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::Input;
use crate::work::Cancel;

/// How long an answer may take unless the request says otherwise.
const SECONDS: f64 = 10.0;

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
    seconds: Option<f64>,
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
    let budget = request.budget(app.config.limits.request)?;
    // From now on: who waits does not care whether it is counted or waited for room.
    let start = Instant::now();
    let found = app.work.run(move |cancel| {
        let found = budget.equity(start, &matchup, options, &cancel)?;
        bytes_of(&EquityDocument::new(&request.players, &matchup, options.seed, &found, request.by.into()))
    });
    found.await.map(json)
}

/// How long an answer may take.
#[derive(Clone, Copy)]
struct Budget(Duration);

/// Watches a count or sampling until it is wanted no more, or its time is over.
struct Until<'a> {
    cancel: &'a Cancel,
    end: Instant,
    /// A first block of deals is sampled however late it is: who waits gets an answer.
    has_begun: AtomicBool,
}

impl Observer for Until<'_> {
    fn is_cancelled(&self) -> bool {
        let has_begun = self.has_begun.swap(true, Ordering::Relaxed);
        self.cancel.is_set() || (has_begun && Instant::now() >= self.end)
    }
}

impl Budget {
    /// The equity by the time that the budget is over. A count that [`Method::Auto`] has begun may take half of it; the
    /// rest is for sampling, which answers with what it has.
    fn equity(
        self,
        start: Instant,
        matchup: &Matchup,
        options: Options,
        cancel: &Cancel,
    ) -> Result<Equity, ApiError> {
        let until = |part: f64| Until {
            cancel,
            end: start + self.0.mul_f64(part),
            has_begun: AtomicBool::new(false),
        };
        let seconds = exact_seconds(matchup);
        // Not begun where there is no hope.
        if options.method == Method::Exact && seconds > self.0.as_secs_f64() {
            return Err(self.not_counted(&format!("counting every deal takes one core about {seconds:.0} s")));
        }
        let found = match options.method {
            Method::Auto { std_error } if seconds <= Method::AUTO_SECONDS => {
                match find(matchup, &Options { method: Method::Exact, ..options }, &mut until(0.5)) {
                    Err(EquityError::Cancelled) => {
                        let sampled = Options { method: Method::StdError(std_error), ..options };
                        find(matchup, &sampled, &mut until(1.0))
                    }
                    found => found,
                }
            }
            _ => find(matchup, &options, &mut until(1.0)),
        };
        found.map_err(|error| match error {
            EquityError::Cancelled if cancel.is_set() => ApiError::given_up(),
            EquityError::Cancelled => self.not_counted("not every deal was counted in time"),
            _ => ApiError::bad_input(error),
        })
    }

    /// Bad input, since the request says how long it may take: the same request finds the server in order.
    fn not_counted(self, reason: &str) -> ApiError {
        let seconds = self.0.as_secs_f64();
        ApiError::bad_input(format!("{reason}, and the answer may take {seconds} s"))
            .at_key("mode")
            .help("ask for auto or monte-carlo, or give more seconds")
    }
}

impl EquityRequest {
    /// How long the answer may take; a little less than any answer may, so that there is one.
    fn budget(&self, limit: Duration) -> Result<Budget, ApiError> {
        let seconds = self.seconds.unwrap_or(SECONDS.min(limit.as_secs_f64()));
        if !(seconds > 0.0 && seconds <= limit.as_secs_f64()) {
            let limit = limit.as_secs_f64();
            let message = format!("{seconds} seconds: an answer takes more than 0 and at most {limit}");
            return Err(ApiError::bad_input(message).at_key("seconds"));
        }
        Ok(Budget(Duration::from_secs_f64(seconds.min(0.9 * limit.as_secs_f64()))))
    }

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
