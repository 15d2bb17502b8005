//! Spot files: what the user wrote, resolved once into a problem that can be solved.

mod document;
mod file;
mod keys;
mod locks;
mod resolve;
mod shipped;

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use equipoise::cfr::Algorithm;
use equipoise::postflop::{Options, Spot, Storage};

use super::failure::{BadInput, Failure};
use document::Document;
pub(crate) use shipped::ShippedSpot;

/// A spot and how to solve it, checked.
pub(crate) struct Problem {
    pub(crate) spot: Spot,
    pub(crate) options: Options,
}

/// What the command line says instead of the file.
#[derive(Default)]
pub(crate) struct Overrides {
    pub(crate) algorithm: Option<Algorithm>,
    pub(crate) target_pct: Option<f64>,
    pub(crate) max_iterations: Option<u32>,
}

impl Problem {
    /// Reads a spot file, or takes the shipped turn spot.
    pub(crate) fn load(path: Option<&Path>, overrides: &Overrides) -> Result<Problem, Failure> {
        let Some(path) = path else { return Ok(Problem::shipped(ShippedSpot::TurnStd, overrides)?) };
        Ok(Problem::parse(&path.display().to_string(), &read(path)?, overrides)?)
    }

    /// A spot that ships with the program.
    pub(crate) fn shipped(spot: ShippedSpot, overrides: &Overrides) -> Result<Problem, BadInput> {
        Problem::parse(&format!("the shipped {spot}"), &spot.text(), overrides)
    }

    fn parse(name: &str, text: &str, overrides: &Overrides) -> Result<Problem, BadInput> {
        let (document, file) = Document::parse(name, text)?;
        resolve::resolve(&document, &file, overrides)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidData => {
            BadInput::new(format!("cannot read the spot file {}: {error}", path.display()))
                .help("give the name of a TOML file, or none to solve the shipped turn spot")
                .into()
        }
        _ => Err::<(), _>(error).context(format!("cannot read {}", path.display())).unwrap_err().into(),
    })
}

/// The name of a storage in spot files.
pub(crate) fn storage_key(storage: Storage) -> String {
    match storage {
        Storage::Bits32 => "32bit".to_owned(),
        Storage::Bits16 => "16bit".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}
