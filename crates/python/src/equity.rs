//! Equities, of players and of many pairs at once.

use equipoise_cards::{Combo, Range};
use equipoise_equity::{EquityError, Matchup, Method, Mode, Options, Pair, Seat};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{array_error, board, card_set, checked_rows, combo, range, rows, slice};
use crate::errors::{Error, wrong};
use crate::work::{pool, watch_fraction};

/// Counts that take less than this need no thread of their own.
const SHORT_SECONDS: f64 = 5e-3;

/// A player's range: text, or weights of combos.
#[derive(FromPyObject)]
pub(crate) enum SeatArgument<'py> {
    Text(String),
    Weights(PyReadonlyArray1<'py, f32>),
}

impl SeatArgument<'_> {
    fn seat(&self) -> PyResult<Seat> {
        match self {
            SeatArgument::Text(text) => text.parse().map_err(|error| {
                let (message, at) = match &error {
                    equipoise_equity::ParseSeatError::Cards(error) => (error.to_string(), error.at()),
                    equipoise_equity::ParseSeatError::Range(error) => (error.to_string(), error.at()),
                    error => (error.to_string(), 0),
                };
                Error::new("RangeError", message).at(text, at).into()
            }),
            SeatArgument::Weights(weights) => Ok(Seat::from(range(slice(weights)?)?)),
        }
    }
}

/// An equity that was not computed.
fn failed(error: &EquityError) -> PyErr {
    wrong(error)
}

fn method(exact: bool, samples: Option<u64>, std_error: Option<f64>) -> PyResult<Method> {
    match (exact, samples, std_error) {
        (true, None, None) => Ok(Method::Exact),
        (false, Some(samples), None) => Ok(Method::Samples(samples)),
        (false, None, Some(std_error)) => Ok(Method::StdError(std_error)),
        (false, None, None) => Ok(Options::default().method),
        _ => Err(wrong("choose one of exact, samples and std_error")),
    }
}

/// The equities of players; a dictionary of arrays by player.
#[pyfunction]
#[pyo3(signature = (seats, cards, dead, exact, samples, std_error, seed, by_combo, threads, progress))]
#[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
pub(crate) fn equity<'py>(
    py: Python<'py>,
    seats: Vec<SeatArgument<'py>>,
    cards: PyReadonlyArray1<'py, u8>,
    dead: PyReadonlyArray1<'py, u8>,
    exact: bool,
    samples: Option<u64>,
    std_error: Option<f64>,
    seed: u64,
    by_combo: bool,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let seats = seats.iter().map(SeatArgument::seat).collect::<PyResult<Vec<_>>>()?;
    let matchup = Matchup::new(seats, board(0, slice(&cards)?)?, card_set(slice(&dead)?)?).map_err(wrong)?;
    let options = Options { method: method(exact, samples, std_error)?, seed, threads: None, by_combo };
    // To estimate takes as long as to count where all cards are known.
    let is_known = matchup.seats().iter().all(|seat| matches!(seat, Seat::Combo(_)));
    let is_short = matches!(options.method, Method::Exact | Method::Auto { .. })
        && (is_known || equipoise_equity::exact_seconds(&matchup) < SHORT_SECONDS);
    let found = if is_short {
        let pool = pool(threads)?;
        // A short count on this thread wakes nobody.
        py.detach(|| pool.install(|| equipoise_equity::equity(&matchup, &options, &mut ())))
    } else {
        watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            equipoise_equity::equity(&matchup, &options, reporter)
        })?
    };
    let found = found.map_err(|error| failed(&error))?;
    let answer = PyDict::new(py);
    let by_player = |of: &dyn Fn(&equipoise_equity::PlayerEquity) -> f64| {
        found.players.iter().map(of).collect::<Vec<f64>>().into_pyarray(py)
    };
    answer.set_item("equity", by_player(&|player| player.equity))?;
    answer.set_item("win", by_player(&|player| player.win))?;
    answer.set_item("tie", by_player(&|player| player.tie))?;
    answer.set_item("std_error", by_player(&|player| player.std_error))?;
    answer.set_item("combos", found.players.iter().map(|player| player.combos).collect::<Vec<usize>>())?;
    answer.set_item("is_exact", found.mode == Mode::Exact)?;
    answer.set_item("deals", found.deals)?;
    answer.set_item("seconds", found.elapsed.as_secs_f64())?;
    if by_combo {
        let tables = found.players.iter().map(|player| {
            let mut table = vec![f64::NAN; Combo::COUNT];
            player.by_combo.iter().for_each(|of| table[of.combo.index()] = of.equity);
            table.into_pyarray(py)
        });
        answer.set_item("by_combo", tables.collect::<Vec<_>>())?;
    }
    Ok(answer)
}

/// The exact equity of each hero against each villain, row by row.
#[pyfunction]
#[pyo3(signature = (heroes, villains, boards, threads, progress))]
pub(crate) fn equities<'py>(
    py: Python<'py>,
    heroes: PyReadonlyArray2<'py, u8>,
    villains: PyReadonlyArray2<'py, u8>,
    boards: PyReadonlyArray2<'py, u8>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let ((hero, _), (villain, _), (cards, width)) = (rows(&heroes)?, rows(&villains)?, rows(&boards)?);
    let num_rows = heroes.shape()[0];
    let pair = |row: usize| {
        let pair = Pair {
            hero: combo(row, &hero[2 * row..2 * row + 2])?,
            villain: combo(row, &villain[2 * row..2 * row + 2])?,
            board: board(row, &cards[width * row..width * (row + 1)])?,
        };
        match pair.card_twice() {
            Some(card) => Err(array_error(format!("row {row}: the card {card} is there twice"))),
            None => Ok(pair),
        }
    };
    let pairs = checked_rows(py, num_rows, pair)?;
    let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
        equipoise_equity::pair_equities(&pairs, reporter)
    })?;
    Ok(found.map_err(|error| failed(&error))?.into_pyarray(py))
}

/// The exact equity of each combo of a range against each of another.
#[pyfunction]
#[pyo3(signature = (heroes, villains, cards, threads, progress))]
pub(crate) fn equity_matrix<'py>(
    py: Python<'py>,
    heroes: PyReadonlyArray1<'py, f32>,
    villains: PyReadonlyArray1<'py, f32>,
    cards: PyReadonlyArray1<'py, u8>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let [heroes, villains]: [Range; 2] = [range(slice(&heroes)?)?, range(slice(&villains)?)?];
    let board = board(0, slice(&cards)?)?;
    let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
        equipoise_equity::equity_matrix(&heroes, &villains, &board, reporter)
    })?;
    found.map_err(|error| failed(&error))?.into_pyarray(py).reshape([Combo::COUNT, Combo::COUNT])
}
