//! Cards, combos and the strengths of hands.

use equipoise_cards::{BoardStrengths, Card, Category, Combo, HandClass, RowError, Strength};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{array_error, board, check_room, checked_rows, rows, slice};
use crate::errors::Error;
use crate::work::{pool, watch_fraction};

/// Hands between two checks of signals: some milliseconds.
const CHUNK: usize = 1 << 20;
/// Hands that a thread takes at once.
const PART: usize = 1 << 14;

/// Deals hands of `width` cards each.
#[pyfunction]
pub(crate) fn deal<'py>(
    py: Python<'py>,
    num_hands: usize,
    width: usize,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    check_room(num_hands.saturating_mul(width), 1)?;
    let hands = watch_fraction(py, threads, None, move |_| equipoise_equity::deal(num_hands, width, seed))?;
    hands.into_pyarray(py).reshape([num_hands, width])
}

/// The strengths of rows of five to seven cards.
#[pyfunction]
pub(crate) fn strengths<'py>(
    py: Python<'py>,
    hands: PyReadonlyArray2<'py, u8>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let (cards, width) = rows(&hands)?;
    let num_hands = cards.len().checked_div(width).unwrap_or(0);
    let pool = pool(threads)?;
    let mut found = vec![0_u16; num_hands];
    let check = |width: usize| Strength::of_rows(&[], width, &mut []).map_err(array_error);
    check(width)?;
    for (chunk, (cards, found)) in cards.chunks(CHUNK * width).zip(found.chunks_mut(CHUNK)).enumerate() {
        let part = |(part, (cards, found)): (usize, (&[u8], &mut [u16]))| {
            Strength::of_rows(cards, width, found).map_err(|error| moved(error, chunk * CHUNK + part * PART))
        };
        let of_chunk = || {
            let parts = cards.par_chunks(PART * width).zip(found.par_chunks_mut(PART)).enumerate();
            parts.map(part).find_first(Result::is_err)
        };
        let few = found_len(cards, width) <= PART;
        let error = py.detach(|| if few { None } else { pool.install(of_chunk) });
        let error = if few { Some(part((0, (cards, found)))) } else { error };
        if let Some(Err(error)) = error {
            return Err(array_error(error));
        }
        py.check_signals()?;
    }
    Ok(found.into_pyarray(py))
}

fn found_len(cards: &[u8], width: usize) -> usize {
    cards.len() / width
}

/// The error with the row counted from the beginning of the array.
fn moved(error: RowError, by: usize) -> RowError {
    match error {
        RowError::Card { row, number } => RowError::Card { row: row + by, number },
        RowError::Twice { row, card } => RowError::Twice { row: row + by, card },
        error => error,
    }
}

/// The strengths of all combos on each board; 65535 where the board has a card of the combo.
#[pyfunction]
pub(crate) fn board_strengths<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u8>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let (cards, width) = rows(&boards)?;
    if width != 5 {
        return Err(array_error(format!("strengths are those of boards of 5 cards, not {width}")));
    }
    let boards = checked_rows(py, cards.len() / 5, |row| board(row, &cards[5 * row..5 * row + 5]))?;
    let pool = pool(threads)?;
    check_room(boards.len(), 2 * Combo::COUNT)?;
    let mut found = vec![0_u16; boards.len() * Combo::COUNT];
    for (boards, found) in boards.chunks(CHUNK / 64).zip(found.chunks_mut(CHUNK / 64 * Combo::COUNT)) {
        py.detach(|| {
            pool.install(|| {
                boards.par_iter().zip(found.par_chunks_mut(Combo::COUNT)).for_each_init(
                    BoardStrengths::default,
                    |all, (board, found)| {
                        all.fill(board.cards().try_into().expect("five cards"));
                        found.copy_from_slice(all.numbers());
                        let blocked = Combo::all()
                            .zip(found)
                            .filter(|(combo, _)| combo.cards().intersects(board.set()));
                        blocked.for_each(|(_, strength)| *strength = u16::MAX);
                    },
                );
            });
        });
        py.check_signals()?;
    }
    found.into_pyarray(py).reshape([boards.len(), Combo::COUNT])
}

/// The strength of a number.
fn strength(number: u16) -> PyResult<Strength> {
    Strength::try_new(number)
        .ok_or_else(|| array_error(format!("{number} is no strength: strengths are 0 to 7461")))
}

/// A strength in words.
#[pyfunction]
pub(crate) fn describe(number: u16) -> PyResult<String> {
    Ok(strength(number)?.to_string())
}

/// The category of each strength, 0 to 8.
#[pyfunction]
pub(crate) fn categories<'py>(
    py: Python<'py>,
    strengths: PyReadonlyArray1<'py, u16>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let of = |&number: &u16| Ok(strength(number)?.category() as u8);
    let found = slice(&strengths)?.iter().map(of).collect::<PyResult<Vec<u8>>>()?;
    Ok(found.into_pyarray(py))
}

/// The names of the nine categories, weakest first.
#[pyfunction]
pub(crate) fn category_names() -> Vec<String> {
    Category::ALL.iter().map(ToString::to_string).collect()
}

/// The cards of a text.
#[pyfunction]
pub(crate) fn parse_cards<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let cards = equipoise_cards::parse_cards(text)
        .map_err(|error| PyErr::from(Error::new("CardError", &error).at(text, error.at())))?;
    Ok(cards.into_iter().map(Card::id).collect::<Vec<u8>>().into_pyarray(py))
}

/// The names of the 52 cards.
#[pyfunction]
pub(crate) fn card_names() -> Vec<String> {
    Card::ALL.iter().map(ToString::to_string).collect()
}

/// The names of the 1,326 combos.
#[pyfunction]
pub(crate) fn combo_names() -> Vec<String> {
    Combo::all().map(|combo| combo.to_string()).collect()
}

/// The two cards of each combo.
#[pyfunction]
pub(crate) fn combo_cards<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let cards: Vec<u8> = Combo::all().flat_map(|combo| [combo.low().id(), combo.high().id()]).collect();
    cards.into_pyarray(py).reshape([Combo::COUNT, 2])
}

/// The names of the 169 classes, row by row of the grid.
#[pyfunction]
pub(crate) fn class_names() -> Vec<String> {
    HandClass::all().map(|class| class.to_string()).collect()
}

/// The combos in the order in which other programs list them.
#[pyfunction]
pub(crate) fn listed_order<'py>(py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
    Combo::listed().map(|combo| combo.index() as u16).collect::<Vec<u16>>().into_pyarray(py)
}
