//! Errors of the crates as exceptions of `equipoise.errors`.

use std::fmt::Display;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// An error before it is an exception: which class of `equipoise.errors`, what it says and what it points at.
#[derive(Debug)]
pub(crate) struct Error {
    class: &'static str,
    message: String,
    text: Option<String>,
    at: Option<usize>,
    help: Option<String>,
    more: Vec<(&'static str, u64)>,
    advice: Option<Vec<String>>,
}

impl Error {
    /// An error of a class without a place.
    pub(crate) fn new(class: &'static str, message: impl Display) -> Error {
        let message = message.to_string();
        Error { class, message, text: None, at: None, help: None, more: Vec::new(), advice: None }
    }

    /// The same at a byte of a text.
    pub(crate) fn at(mut self, text: &str, at: usize) -> Error {
        // Python counts characters.
        let at = text[..text.floor_char_boundary(at)].chars().count();
        (self.text, self.at) = (Some(text.to_owned()), Some(at));
        self
    }

    /// The same with what to do.
    pub(crate) fn help(mut self, help: Option<String>) -> Error {
        self.help = help;
        self
    }

    /// The same with a number.
    pub(crate) fn number(mut self, name: &'static str, number: u64) -> Error {
        self.more.push((name, number));
        self
    }

    /// The same with a list of what would do.
    pub(crate) fn advice(mut self, advice: &[String]) -> Error {
        self.advice = Some(advice.to_vec());
        self
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        Python::attach(|py| {
            let made = || {
                let class = py.import("equipoise.errors")?.getattr(error.class)?;
                let value = class.call1((error.message,))?;
                value.setattr("text", error.text)?;
                value.setattr("at", error.at)?;
                value.setattr("help", error.help)?;
                for (name, number) in error.more {
                    value.setattr(name, number)?;
                }
                if let Some(advice) = error.advice {
                    value.setattr("advice", advice)?;
                }
                Ok(PyErr::from_value(value))
            };
            made().unwrap_or_else(|error| error)
        })
    }
}

/// An argument that makes no sense.
pub(crate) fn wrong(message: impl Display) -> PyErr {
    Error::new("EquipoiseError", message).into()
}

/// The exception for work that was interrupted, with what is kept of it.
pub(crate) fn interrupted(py: Python<'_>, cause: PyErr) -> PyErr {
    let made = || {
        let value = py.import("equipoise.errors")?.getattr("Interrupted")?.call0()?;
        Ok(PyErr::from_value(value))
    };
    let error = made().unwrap_or_else(|error: PyErr| error);
    error.set_cause(py, Some(cause));
    error
}

/// What a signal handler has raised: `Interrupted` after Ctrl-C, or its own exception.
pub(crate) fn stopped(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) { interrupted(py, error) } else { error }
}
