//! Players, cards and method: what `equity` and `pot-odds` both take.

use std::num::NonZeroUsize;

use anyhow::anyhow;
use clap::Args;
use equipoise::cards::{Board, BoardError, CardSet};
use equipoise::documents::{EquitiesBy, ResultDocument};
use equipoise::equity::{
    Equity, EquityError, Matchup, MatchupError, Method, Options, ParseSeatError, Seat, equity, exact_seconds,
};

use super::failure::{BadInput, Failure};
use super::print::note;
use super::table::{duration, grouped};
use super::watch::Watch;

#[derive(Args)]
pub(crate) struct EquityQueryArgs {
    /// Public cards: none, 3, 4 or 5, such as Td9d6h
    #[arg(long, value_name = "CARDS", requires = "players")]
    board: Option<String>,

    /// Cards that nobody can get, such as folded ones that were seen
    #[arg(long, value_name = "CARDS", requires = "players")]
    dead: Option<String>,

    /// Count every deal, however long it takes
    #[arg(long, requires = "players", conflicts_with_all = ["samples", "std_error", "monte_carlo"])]
    exact: bool,

    /// Sample exactly N deals
    #[arg(long, value_name = "N", requires = "players", conflicts_with = "std_error")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,

    /// When sampling, continue until no player's standard error is above X, a fraction of 1 [default: 0.0005]
    #[arg(long, value_name = "X", requires = "players", value_parser = std_error, allow_negative_numbers = true)]
    std_error: Option<f64>,

    /// Sample even where counting every deal would be quick
    #[arg(long, requires = "players")]
    monte_carlo: bool,

    /// Seed of the sampling: the same seed gives the same answer at any number of threads
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Threads to use [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,
}

fn std_error(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("a standard error is a number above 0 and below 1, such as 0.0005"),
    }
}

/// What the arguments mean, checked.
pub(crate) struct EquityQuery {
    /// What was written for each player.
    pub(crate) inputs: Vec<String>,
    pub(crate) matchup: Matchup,
    pub(crate) options: Options,
}

impl EquityQueryArgs {
    /// Reads players, board and dead cards and checks that they fit together.
    pub(crate) fn resolve(&self, players: &[String], by_combo: bool) -> Result<EquityQuery, Failure> {
        let seats =
            players.iter().enumerate().map(|(i, text)| read_seat(i, text)).collect::<Result<_, _>>()?;
        let board = self.board.as_deref().map_or(Ok(Board::EMPTY), read_board)?;
        let dead = self.dead.as_deref().map_or(Ok(CardSet::EMPTY), read_dead)?;
        let matchup = Matchup::new(seats, board, dead).map_err(|error| misfit(&error, players))?;
        let threads = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let options = Options { method: self.method(), seed: self.seed, threads, by_combo };
        Ok(EquityQuery { inputs: players.to_vec(), matchup, options })
    }

    fn method(&self) -> Method {
        let std_error = self.std_error.unwrap_or(Method::DEFAULT_STD_ERROR);
        match self.samples {
            _ if self.exact => Method::Exact,
            Some(samples) => Method::Samples(samples),
            None if self.monte_carlo => Method::StdError(std_error),
            None => Method::Auto { std_error },
        }
    }
}

fn read_seat(player: usize, text: &str) -> Result<Seat, BadInput> {
    text.parse().map_err(|error: ParseSeatError| {
        let at = match &error {
            ParseSeatError::Cards(error) => Some(error.at()),
            ParseSeatError::Range(error) => Some(error.at()),
            _ => None,
        };
        BadInput::new(error).in_text(format!("player {}", player + 1), text, at)
    })
}

fn read_board(text: &str) -> Result<Board, BadInput> {
    text.parse().map_err(|error: BoardError| {
        let at = if let BoardError::Text(error) = &error { Some(error.at()) } else { None };
        let input = BadInput::new(&error).in_text("--board", text, at);
        match error {
            BoardError::WrongSize { found: 0..=3 } => {
                input.help("give the whole flop, such as --board Td9d6h, or no board")
            }
            BoardError::WrongSize { .. } => {
                input.help("give at most flop, turn and river, such as --board Td9d6hQc2h")
            }
            _ => input,
        }
    })
}

fn read_dead(text: &str) -> Result<CardSet, BadInput> {
    text.parse().map_err(|error: equipoise::cards::ParseCardsError| {
        let at = Some(error.at());
        BadInput::new(error).in_text("--dead", text, at)
    })
}

/// Says which of players, board and dead cards do not fit together, and what to do.
fn misfit(error: &MatchupError, players: &[String]) -> BadInput {
    let input = BadInput::new(error);
    match error {
        MatchupError::NumPlayers { found: 0 | 1 } => input.help("add a player; `random` is any two cards"),
        MatchupError::NumPlayers { .. } | MatchupError::TooManyCards { .. } => {
            input.help("leave out players or dead cards")
        }
        MatchupError::CardTwice { card, .. } => {
            input.help(format!("a deck has one {card}: take it out of one of the two places"))
        }
        &MatchupError::EmptyRange { player } => {
            let text = players.get(player).map_or("", String::as_str);
            let input = input.in_text(format!("player {}", player + 1), text, None);
            input.help("add combos that use none of those cards, or take a card away there")
        }
        MatchupError::NoDeal => input.help("widen one of the ranges, or leave out a player"),
        _ => input,
    }
}

impl EquityQuery {
    /// Computes the equity, with a progress bar if it takes long; Ctrl-C ends it early.
    pub(crate) fn equity(&self) -> Result<Equity, Failure> {
        let mut watch = Watch::start()?;
        self.warn_of_long_count();
        let result = equity(&self.matchup, &self.options, &mut watch);
        watch.finish();
        result.map_err(|error| match error {
            EquityError::Cancelled => Failure::Interrupted(format!(
                "{:.1} % of the count was done after {}; --samples or --std-error give an estimate sooner",
                100.0 * watch.done(),
                duration(watch.elapsed()),
            )),
            EquityError::NoSamples | EquityError::StdError { .. } => BadInput::new(error).into(),
            _ => Failure::Runtime(anyhow!(error)),
        })
    }
}

impl EquityQuery {
    /// Says so when an exact count was asked for that takes minutes or more.
    fn warn_of_long_count(&self) {
        let seconds = exact_seconds(&self.matchup);
        if self.options.method == Method::Exact && seconds > LONG_COUNT {
            let time = match seconds / 3600.0 {
                hours if hours < 1.0 => format!("{:.0} minutes", seconds / 60.0),
                hours if hours < 48.0 => format!("{hours:.0} hours"),
                hours if hours < 24.0 * 700.0 => format!("{:.0} days", hours / 24.0),
                hours if hours < 1e8 => format!("{:.0} years", hours / 24.0 / 365.25),
                _ => "ten thousand years or more".to_owned(),
            };
            note(format_args!(
                "counting every deal takes one core about {time}; without --exact deals are sampled"
            ));
        }
    }
}

impl EquityQuery {
    /// The numbers of a result as a document.
    pub(crate) fn document(&self, result: &Equity, by: Option<EquitiesBy>) -> ResultDocument<'_> {
        ResultDocument::new(&self.inputs, &self.matchup, self.options.seed, result, by)
    }
}

/// Seconds of one core from which an exact count is called long.
const LONG_COUNT: f64 = 60.0;

/// An error if the user stopped the sampling: what it had is printed by then.
pub(crate) fn check_interrupted(result: &Equity) -> Result<(), Failure> {
    if result.interrupted {
        let deals = grouped(result.deals);
        return Err(Failure::Interrupted(format!("the answer is from the {deals} deals sampled so far")));
    }
    Ok(())
}
