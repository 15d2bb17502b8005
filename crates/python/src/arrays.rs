//! Numbers of arrays as checked types.

use equipoise_cards::{Board, Card, CardSet, Combo, Range};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::{Error, stopped, wrong};

/// An error about an array.
pub(crate) fn array_error(message: impl std::fmt::Display) -> PyErr {
    Error::new("ArrayError", message).into()
}

/// The numbers of an array without holes; the Python side makes it so.
pub(crate) fn slice<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| array_error("the array must be contiguous"))
}

/// The rows of an array without holes, and how wide they are.
pub(crate) fn rows<'a, T: numpy::Element>(array: &'a PyReadonlyArray2<'_, T>) -> PyResult<(&'a [T], usize)> {
    let width = array.shape()[1];
    Ok((array.as_slice().map_err(|_| array_error("the array must be contiguous"))?, width))
}

/// Rows are checked so many at a time; then Ctrl-C is looked for.
const ROWS_AT_ONCE: usize = 1 << 14;

/// What `check` makes of each of so many rows; Ctrl-C ends it, however many there are.
pub(crate) fn checked_rows<T>(
    py: Python<'_>,
    count: usize,
    mut check: impl FnMut(usize) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let mut found = Vec::with_capacity(count);
    for row in 0..count {
        if row.is_multiple_of(ROWS_AT_ONCE) {
            py.check_signals().map_err(|error| stopped(py, error))?;
        }
        found.push(check(row)?);
    }
    Ok(found)
}

/// A card of a row.
pub(crate) fn card(row: usize, number: u8) -> PyResult<Card> {
    Card::try_new(number).ok_or_else(|| {
        array_error(format!(
            "row {row}: {number} is no card: cards are 0 to 51, 4 times the rank plus the suit"
        ))
    })
}

/// The combo of a row of two cards.
pub(crate) fn combo(row: usize, numbers: &[u8]) -> PyResult<Combo> {
    let cards = [card(row, numbers[0])?, card(row, numbers[1])?];
    Combo::new(cards[0], cards[1])
        .ok_or_else(|| array_error(format!("row {row}: the card {} is there twice", cards[0])))
}

/// The board of a row of 0, 3, 4 or 5 cards.
pub(crate) fn board(row: usize, numbers: &[u8]) -> PyResult<Board> {
    let cards = numbers.iter().map(|&number| card(row, number)).collect::<PyResult<Vec<_>>>()?;
    Board::new(&cards).map_err(|error| array_error(format!("row {row}: {error}")))
}

/// Different cards in any order.
pub(crate) fn card_set(numbers: &[u8]) -> PyResult<CardSet> {
    let mut set = CardSet::EMPTY;
    for &number in numbers {
        let card = card(0, number)?;
        if !set.insert(card) {
            return Err(array_error(format!("the card {card} is there twice")));
        }
    }
    Ok(set)
}

/// A range of 1,326 weights.
pub(crate) fn range(weights: &[f32]) -> PyResult<Range> {
    let weights = weights
        .try_into()
        .map_err(|_| array_error(format!("a range has 1326 weights, not {}", weights.len())))?;
    Range::from_weights(weights).map_err(|error| Error::new("RangeError", error).into())
}

/// A street by its name.
pub(crate) fn street(name: &str) -> PyResult<equipoise_cards::Street> {
    equipoise_cards::Street::ALL
        .into_iter()
        .find(|street| street.to_string() == name)
        .ok_or_else(|| wrong(format!("'{name}' is no street: write preflop, flop, turn or river")))
}

/// Refuses an array that there is no room for: to allocate it would end the interpreter.
pub(crate) fn check_room(numbers: usize, bytes_each: usize) -> PyResult<()> {
    let needed = (numbers as u64).saturating_mul(bytes_each as u64);
    match equipoise_run::memory::available() {
        Some(limit) if needed > limit => {
            let [asked, left] = [needed, limit].map(equipoise_run::memory::MemorySize);
            let message = format!("the array takes {asked}, and there are {left}: take it in parts");
            Err(Error::new("TooLarge", message).number("needed", needed).number("limit", limit).into())
        }
        _ => Ok(()),
    }
}
