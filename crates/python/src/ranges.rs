//! Ranges as arrays of 1,326 weights, and their text.

use equipoise_cards::{HandClass, NamedRange, Range};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{array_error, card_set, range, rows, slice};
use crate::errors::{Error, wrong};

/// The weights of a range.
fn weights<'py>(py: Python<'py>, range: &Range) -> Bound<'py, PyArray1<f32>> {
    range.weights().to_vec().into_pyarray(py)
}

/// The weights that a text stands for.
#[pyfunction]
pub(crate) fn range_parse<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let range: Range = text.parse().map_err(|error: equipoise_cards::ParseRangeError| {
        PyErr::from(Error::new("RangeError", &error).at(text, error.at()))
    })?;
    Ok(weights(py, &range))
}

/// Checks weights.
#[pyfunction]
pub(crate) fn range_of_weights<'py>(
    py: Python<'py>,
    array: PyReadonlyArray1<'py, f32>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    Ok(weights(py, &range(slice(&array)?)?))
}

/// The weights of a grid of classes.
#[pyfunction]
pub(crate) fn range_of_grid<'py>(
    py: Python<'py>,
    grid: PyReadonlyArray2<'py, f32>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let (cells, _) = rows(&grid)?;
    if cells.len() != HandClass::COUNT {
        return Err(array_error(format!("a grid has 13 rows of 13, not {} numbers", cells.len())));
    }
    let mut range = Range::empty();
    for (class, &weight) in HandClass::all().zip(cells) {
        range.set_class(class, weight).map_err(|error| PyErr::from(Error::new("RangeError", error)))?;
    }
    Ok(weights(py, &range))
}

/// The mean weight of each class: 13 rows of 13.
#[pyfunction]
pub(crate) fn range_grid<'py>(
    py: Python<'py>,
    array: PyReadonlyArray1<'py, f32>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let range = range(slice(&array)?)?;
    let cells: Vec<f32> = HandClass::all().map(|class| range.class_weight(class)).collect();
    cells.into_pyarray(py).reshape([13, 13])
}

/// Short text that reads back as the same range.
#[pyfunction]
pub(crate) fn range_text(array: PyReadonlyArray1<'_, f32>) -> PyResult<String> {
    Ok(range(slice(&array)?)?.to_string())
}

/// A range made of one or two others: `union`, `intersection`, `difference`, `complement`, `scaled` or `without`.
#[pyfunction]
#[pyo3(signature = (how, array, other=None, factor=1.0, cards=None))]
pub(crate) fn range_combine<'py>(
    py: Python<'py>,
    how: &str,
    array: PyReadonlyArray1<'py, f32>,
    other: Option<PyReadonlyArray1<'py, f32>>,
    factor: f32,
    cards: Option<PyReadonlyArray1<'py, u8>>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let own = range(slice(&array)?)?;
    let other = other.map_or_else(|| Ok(Range::empty()), |other| range(slice(&other)?))?;
    let cards =
        cards.map_or_else(|| Ok(equipoise_cards::CardSet::EMPTY), |cards| card_set(slice(&cards)?))?;
    let made = match how {
        "union" => own.union(&other),
        "intersection" => own.intersection(&other),
        "difference" => own.difference(&other),
        "complement" => own.complement(),
        "scaled" => own.scaled(factor).map_err(|error| PyErr::from(Error::new("RangeError", error)))?,
        "without" => own.without(cards),
        _ => return Err(wrong(format!("'{how}' is no way to combine ranges"))),
    };
    Ok(weights(py, &made))
}

/// Ranges that have a name: name, title and text of each.
#[pyfunction]
pub(crate) fn named_ranges() -> Vec<(String, String, String)> {
    NamedRange::all().into_iter().map(|named| (named.name, named.title, named.text)).collect()
}
