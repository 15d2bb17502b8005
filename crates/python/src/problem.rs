//! Spots: the text of a spot file, checked.

use std::sync::Arc;

use equipoise_game::Player;
use equipoise_postflop::{Options, Precision, Solver, Storage};
use equipoise_run::memory::MemorySize;
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::{self, SpotFileError, precision_key};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Error, wrong};
use crate::work::watch_fraction;

/// What is wrong with the text of a spot file.
pub(crate) fn spot_error(text: &str, error: &SpotFileError) -> PyErr {
    let made = Error::new("SpotError", error.message()).help(error.suggestion().map(str::to_owned));
    match error.position() {
        Some(position) => made.at(text, position.offset).into(),
        None => made.into(),
    }
}

/// A storage by its name in spot files, `16bit`, or in words, `16-bit regrets, 8-bit strategy`.
pub(crate) fn storage(name: &str) -> PyResult<Storage> {
    let by_key = Precision::ALL.into_iter().find(|&precision| precision_key(precision) == name);
    if let Some(precision) = by_key {
        return Ok(Storage::of(precision));
    }
    name.parse().map_err(|_| {
        wrong(format!(
            "'{name}' is no storage: write 32bit, 16bit, 8bit, 4bit or '16-bit regrets, 8-bit strategy'"
        ))
    })
}

/// A spot and how to solve it.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Problem {
    pub(crate) inner: Arc<spot_file::Problem>,
}

/// What Python may set in place of what the text says.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    target: Option<f64>,
    iterations: Option<u32>,
    storage: Option<String>,
    algorithm: Option<String>,
    memory_limit: Option<String>,
    threads: Option<usize>,
}

impl Settings {
    /// The options of a problem with these settings.
    pub(crate) fn options(&self, of: &Options) -> PyResult<Options> {
        let mut options = of.clone();
        if let Some(target) = self.target {
            options.target_pct = target;
        }
        if let Some(iterations) = self.iterations {
            options.max_iterations = iterations;
        }
        if let Some(name) = &self.storage {
            options.storage = storage(name)?;
        }
        if let Some(name) = &self.algorithm {
            options.algorithm = name.parse().map_err(wrong)?;
        }
        if let Some(size) = &self.memory_limit {
            options.memory_limit = Some(size.parse::<MemorySize>().map_err(wrong)?.0);
        }
        options.threads = self.threads.and_then(std::num::NonZeroUsize::new);
        Ok(options)
    }
}

#[pymethods]
impl Problem {
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<Problem> {
        let read = text.clone();
        let found = watch_fraction(py, None, None, move |reporter| {
            spot_file::Problem::read_unless(&read, &|| reporter.is_cancelled())
        })?;
        Ok(Problem { inner: Arc::new(found.map_err(|error| spot_error(&text, &error))?) })
    }

    #[getter]
    fn text(&self) -> &str {
        &self.inner.text
    }

    /// What the spot is, as a dictionary.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (spot, options) = (&self.inner.spot, &self.inner.options);
        let config = spot.tree().config();
        let answer = PyDict::new(py);
        answer.set_item("board", spot.board().to_string())?;
        answer.set_item("street", spot.board().street().to_string())?;
        answer.set_item("pot", config.starting_pot.count())?;
        answer.set_item("stack", config.effective_stack.count())?;
        for player in Player::ALL {
            let weights = spot.ranges()[player].weights().to_vec();
            answer.set_item(player.to_string(), numpy::IntoPyArray::into_pyarray(weights, py))?;
        }
        answer.set_item("nodes", spot.tree().nodes().len())?;
        answer.set_item("locks", spot.locks().len())?;
        answer.set_item("target", options.target_pct)?;
        answer.set_item("iterations", options.max_iterations)?;
        answer.set_item("storage", options.storage.to_string())?;
        answer.set_item("algorithm", options.algorithm.to_string())?;
        answer.set_item("hash", spot.content_hash())?;
        Ok(answer)
    }

    /// Bytes that solving takes.
    fn memory(&self, py: Python<'_>, storage_name: Option<&str>) -> PyResult<u64> {
        let mut options = self.inner.options.clone();
        if let Some(name) = storage_name {
            options.storage = storage(name)?;
        }
        let problem = Arc::clone(&self.inner);
        watch_fraction(py, None, None, move |_| Solver::memory(&problem.spot, &options).total())
    }

    /// The actions at the decision that a line leads to.
    fn actions_at(&self, line: &str) -> PyResult<Vec<String>> {
        let tree = self.inner.spot.tree();
        let parsed: equipoise_game::Line =
            line.parse().map_err(|error: equipoise_game::ParseLineError| {
                PyErr::from(Error::new("SpotError", &error).at(line, error.at()))
            })?;
        let node = tree.find(&parsed).map_err(|error| PyErr::from(Error::new("SpotError", error)))?;
        Ok(tree.actions(node).map(|(action, _)| action.to_string()).collect())
    }
}

/// The spots that come with the engine: name, title and text.
#[pyfunction]
pub(crate) fn shipped_spots() -> Vec<(&'static str, &'static str, &'static str)> {
    ShippedText::ALL.iter().map(|shipped| (shipped.name, shipped.title, shipped.toml)).collect()
}

/// A spot file made of another program's text, and what could not be carried over: line, text and reason of each.
#[pyfunction]
#[allow(clippy::type_complexity)] // A tuple for Python.
pub(crate) fn import_spot(text: &str) -> PyResult<(String, Vec<(Option<usize>, String, String)>)> {
    let imported = equipoise_spots::import::import(text, None).map_err(|error| {
        let made = Error::new("SpotError", &error.message).help(error.help.clone());
        PyErr::from(match &error.position {
            Some(position) => made.at(text, position.offset),
            None => made,
        })
    })?;
    let notes = imported.notes.into_iter().map(|note| (note.line, note.text, note.reason)).collect();
    Ok((imported.toml, notes))
}

/// The text of a file.
#[pyfunction]
pub(crate) fn read_text(path: &str) -> PyResult<String> {
    equipoise_files::read_text(path.as_ref())
        .map_err(|error| Error::new("FileError", format!("cannot read {path}: {error}")).into())
}
