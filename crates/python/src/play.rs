//! Playing against blueprints.

use std::num::NonZeroUsize;
use std::sync::Arc;

use equipoise_cards::Street;
use equipoise_play::{LbrError, LbrMenu, LbrOptions, Opponent, local_best_response};
use pyo3::prelude::*;

use crate::blueprint::{Blueprint, Trouble, buckets_of};
use crate::errors::wrong;
use crate::work::watch_fraction;

/// What a local best response wins from a blueprint: hands, and thousandths of a big blind as mean and standard error.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
pub(crate) fn lbr(
    py: Python<'_>,
    blueprint: &Blueprint,
    folder: String,
    menu: &str,
    streets: (usize, usize),
    hands: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(u64, f64, f64)> {
    let menu = match menu {
        "fc" => LbrMenu::Fc,
        "fcpa" => LbrMenu::Fcpa,
        _ => return Err(wrong(format!("'{menu}' is no menu: write fc or fcpa"))),
    };
    let street = |number: usize| {
        let known = number.checked_sub(1).and_then(|at| Street::ALL.get(at));
        known
            .copied()
            .ok_or_else(|| wrong("streets are two numbers from 1 (before the flop) to 4 (the river)"))
    };
    let streets = (street(streets.0)?, street(streets.1)?);
    if streets.0 > streets.1 {
        return Err(wrong("the first street comes before the last"));
    }
    let blueprint = Arc::clone(&blueprint.blueprint);
    let found = watch_fraction(py, None, progress.as_ref(), move |reporter| {
        let buckets = buckets_of(&blueprint, &folder)?;
        let config = blueprint.header().game.hand;
        let options =
            LbrOptions { config, menu, streets, hands, seed, threads: threads.and_then(NonZeroUsize::new) };
        let outcome = local_best_response(Opponent::Blueprint(&blueprint, &buckets), &options, reporter);
        outcome.map_err(|error| match error {
            LbrError::Buckets(error) => Trouble::Game(error),
            error => Trouble::Other(error.to_string()),
        })
    })?;
    let outcome = found?;
    Ok((outcome.hands, outcome.won.mean, outcome.won.std_error()))
}
