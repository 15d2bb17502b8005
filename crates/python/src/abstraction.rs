//! Features and buckets of hands.

use std::path::Path;
use std::sync::Arc;

use equipoise_abstraction::{
    AbstractionConfig, AbstractionError, CardAbstraction, Features, OpponentClusters, StreetBuckets,
    preflop_features,
};
use equipoise_cards::{Board, Combo, Street};
use equipoise_export::{BucketSizes, bucket_sizes, equity_distribution};
use equipoise_progress::{Part, Progress};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::arrays::{array_error, board, check_room, checked_rows, combo, rows, street};
use crate::errors::{Error, wrong};
use crate::work::{Reporter, watch_fraction};

fn abstraction_error(error: &AbstractionError) -> PyErr {
    match error {
        AbstractionError::LoadError { .. }
        | AbstractionError::SaveError { .. }
        | AbstractionError::InvalidBoundaries { .. } => Error::new("FileError", error).into(),
        error => wrong(error),
    }
}

/// The hands of two arrays: combos, and boards of the same number of cards.
fn hands(
    py: Python<'_>,
    combos: &PyReadonlyArray2<'_, u8>,
    boards: &PyReadonlyArray2<'_, u8>,
) -> PyResult<Vec<(Combo, Board)>> {
    let ((cards, _), (board_cards, width)) = (rows(combos)?, rows(boards)?);
    let hand = |row: usize| {
        let combo = combo(row, &cards[2 * row..2 * row + 2])?;
        let board = board(row, &board_cards[width * row..width * (row + 1)])?;
        match combo.cards().first_shared(board.set()) {
            Some(card) => Err(array_error(format!("row {row}: the card {card} is there twice"))),
            None => Ok((combo, board)),
        }
    };
    checked_rows(py, combos.shape()[0], hand)
}

/// The features of every hand, in their order.
fn features_of(
    hands: &[(Combo, Board)],
    reporter: &mut Reporter<f64>,
) -> Result<Vec<Features>, AbstractionError> {
    let is_preflop = |board: &Board| board.street() == Street::Preflop;
    let has_preflop = hands.iter().any(|(_, board)| is_preflop(board));
    let classes: &[Features] =
        if has_preflop { preflop_features(&mut Part::new(reporter, 0.0, 0.9))? } else { &[] };
    let from = if has_preflop { 0.9 } else { 0.0 };
    let mut rest = Part::new(reporter, from, 1.0);
    let progress = Progress::new(&mut rest, hands.len() as u64);
    let of = |(combo, board): &(Combo, Board)| {
        let found = match is_preflop(board) {
            true => classes[combo.class().index()].clone(),
            false => Features::of(*combo, board)?,
        };
        progress.advance(1)?;
        Ok(found)
    };
    hands.par_iter().with_max_len(1).map(of).collect()
}

/// How many numbers a feature has, and where they are.
type Numbers = (usize, fn(&Features) -> Vec<f64>);

fn numbers(name: &str) -> PyResult<Numbers> {
    Ok(match name {
        "hs" => (1, |features| vec![features.hs().unwrap_or(f64::NAN)]),
        "equity" => (1, |features| vec![features.equity()]),
        "ehs2" => (1, |features| vec![features.equity_sq()]),
        "ppot" => (1, |features| vec![features.ppot().unwrap_or(f64::NAN)]),
        "npot" => (1, |features| vec![features.npot().unwrap_or(f64::NAN)]),
        "histogram" => (Features::NUM_BINS, |features| {
            let runouts = features.num_runouts().max(1) as f64;
            features.histogram().iter().map(|&count| f64::from(count) / runouts).collect()
        }),
        "ochs" => (OpponentClusters::COUNT, |features| features.ochs().to_vec()),
        _ => {
            return Err(wrong(format!(
                "'{name}' is no feature: there are hs, equity, ehs2, ppot, npot, histogram and ochs"
            )));
        }
    })
}

/// Features of hands, side by side: a row for each hand.
#[pyfunction]
#[pyo3(signature = (combos, boards, names, threads, progress))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    combos: PyReadonlyArray2<'py, u8>,
    boards: PyReadonlyArray2<'py, u8>,
    names: Vec<String>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let wanted = names.iter().map(|name| numbers(name)).collect::<PyResult<Vec<_>>>()?;
    let width: usize = wanted.iter().map(|feature| feature.0).sum();
    let hands = hands(py, &combos, &boards)?;
    let num_rows = hands.len();
    // Features are there all at once, with everything that can be asked for.
    check_room(num_rows, size_of::<Features>() + 8 * width)?;
    let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
        features_of(&hands, reporter).map(|all| {
            all.iter()
                .flat_map(|features| wanted.iter().flat_map(|feature| feature.1(features)))
                .collect::<Vec<f64>>()
        })
    })?;
    found.map_err(|error| abstraction_error(&error))?.into_pyarray(py).reshape([num_rows, width])
}

/// How the strength of a hand on the river is distributed, as a picture.
#[pyfunction]
pub(crate) fn distribution_svg(
    py: Python<'_>,
    combos: PyReadonlyArray2<'_, u8>,
    boards: PyReadonlyArray2<'_, u8>,
) -> PyResult<String> {
    let hands = hands(py, &combos, &boards)?;
    let [(combo, board)] = hands[..] else { return Err(array_error("a picture is of one hand")) };
    let found = watch_fraction(py, None, None, move |reporter| features_of(&[(combo, board)], reporter))?;
    let found = found.map_err(|error| abstraction_error(&error))?;
    Ok(equity_distribution(combo, &board, &found[0]))
}

/// The buckets of every hand on every street.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Abstraction {
    inner: Arc<CardAbstraction>,
}

#[pymethods]
impl Abstraction {
    /// Opens a folder.
    #[staticmethod]
    fn load(folder: &str) -> PyResult<Abstraction> {
        let inner = CardAbstraction::load(Path::new(folder)).map_err(|error| abstraction_error(&error))?;
        Ok(Abstraction { inner: Arc::new(inner) })
    }

    /// Learns buckets: for flop, turn and river the method and the number of buckets.
    #[staticmethod]
    #[pyo3(signature = (streets, samples, seed, threads, progress))]
    fn build(
        py: Python<'_>,
        streets: [(String, u16); 3],
        samples: Option<u32>,
        seed: u64,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Abstraction> {
        let mut config = AbstractionConfig {
            samples_per_street: samples,
            random_seed: seed,
            ..AbstractionConfig::default()
        };
        let of = [&mut config.flop, &mut config.turn, &mut config.river];
        for (street, (method, buckets)) in of.into_iter().zip(&streets) {
            street.method = method.parse().map_err(wrong)?;
            street.buckets = *buckets;
        }
        config.check().map_err(|error| abstraction_error(&error))?;
        let built = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            CardAbstraction::build(&config, reporter)
        })?;
        Ok(Abstraction { inner: Arc::new(built.map_err(|error| abstraction_error(&error))?) })
    }

    /// Writes a file for each street.
    fn save(&self, py: Python<'_>, folder: String) -> PyResult<()> {
        let inner = Arc::clone(&self.inner);
        let saved = watch_fraction(py, None, None, move |_| inner.save(Path::new(&folder)))?;
        saved.map_err(|error| abstraction_error(&error))
    }

    /// The buckets of hands.
    fn buckets<'py>(
        &self,
        py: Python<'py>,
        combos: PyReadonlyArray2<'py, u8>,
        boards: PyReadonlyArray2<'py, u8>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let hands = hands(py, &combos, &boards)?;
        let inner = Arc::clone(&self.inner);
        let found = watch_fraction(py, threads, None, move |reporter| {
            let progress = Progress::new(reporter, hands.len() as u64);
            let of = |(combo, board): &(Combo, Board)| {
                progress.advance(1)?;
                inner.bucket(*combo, board).map(equipoise_abstraction::BucketId::get)
            };
            hands.par_iter().map(of).collect::<Result<Vec<u16>, AbstractionError>>()
        })?;
        Ok(found.map_err(|error| abstraction_error(&error))?.into_pyarray(py))
    }

    /// What a street's buckets are.
    fn street<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let answer = PyDict::new(py);
        let Some(buckets) = self.inner.street(street(name)?) else {
            answer.set_item("num_buckets", 169)?;
            answer.set_item("method", "classes")?;
            return Ok(answer);
        };
        answer.set_item("num_buckets", buckets.num_buckets())?;
        answer.set_item("method", buckets.config().method.to_string())?;
        answer.set_item("samples", buckets.samples())?;
        answer.set_item("seed", buckets.random_seed())?;
        Ok(answer)
    }

    /// How many deals are in each bucket of a street.
    fn sizes<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (inner, street) = (Arc::clone(&self.inner), street(name)?);
        let found = watch_fraction(py, None, None, move |_| inner.street(street).map(StreetBuckets::sizes))?;
        let found = found.ok_or_else(|| wrong("before the flop buckets are the 169 classes"))?;
        Ok(found.map_err(|error| abstraction_error(&error))?.into_pyarray(py))
    }

    /// The sizes of a street's buckets as a picture.
    fn plot_sizes(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let (inner, street) = (Arc::clone(&self.inner), street(name)?);
        let found = watch_fraction(py, None, None, move |_| {
            inner.street(street).map(|buckets| {
                buckets.sizes().map(|sizes| {
                    let total = sizes.iter().sum::<u64>().max(1) as f64;
                    let sizes: Vec<f64> = sizes.iter().map(|&size| size as f64 / total).collect();
                    let method = buckets.config().method.to_string();
                    bucket_sizes(&[BucketSizes { street, method: &method, sizes: &sizes }])
                })
            })
        })?;
        let found = found.ok_or_else(|| wrong("before the flop buckets are the 169 classes"))?;
        found.map_err(|error| abstraction_error(&error))
    }
}
