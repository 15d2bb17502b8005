//! Files that are there whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use super::failure::{BadInput, Failure};
use super::print::Printer;

/// An [`equipoise_files::AtomicFile`] whose failures name it.
pub(crate) struct AtomicFile(equipoise_files::AtomicFile);

impl AtomicFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    pub(crate) fn create(path: &Path) -> Result<AtomicFile, Failure> {
        named(path, equipoise_files::AtomicFile::create(path)).map(AtomicFile)
    }

    /// Begins a picture. Other endings are refused: they promise what is not in the file.
    pub(crate) fn create_svg(path: &Path) -> Result<AtomicFile, Failure> {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
            let message = format!("pictures are written as SVG, which {} does not say", path.display());
            return Err(BadInput::new(message).help("give a name that ends in .svg").into());
        }
        AtomicFile::create(path)
    }

    /// Adds text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.0.write_all(text.as_bytes());
        named(self.0.path(), written)
    }

    /// The file, for what writes by itself.
    pub(crate) const fn sink(&mut self) -> &mut equipoise_files::AtomicFile {
        &mut self.0
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.0.path().to_owned();
        named(&path, self.0.finish())
    }
}

fn named<T>(path: &Path, done: io::Result<T>) -> Result<T, Failure> {
    Ok(done.with_context(|| format!("cannot write to {}", path.display()))?)
}

/// Writes a text to a file, or to standard output if it is called `-`; whether it was that.
pub(crate) fn write_to(path: &Path, text: &str, printer: &Printer) -> Result<bool, Failure> {
    if path == Path::new("-") {
        printer.raw(text.as_bytes())?;
        return Ok(true);
    }
    let mut file = AtomicFile::create(path)?;
    file.write(text)?;
    file.finish()?;
    Ok(false)
}

/// Writes a picture.
pub(crate) fn write_svg(path: &Path, svg: &str) -> Result<(), Failure> {
    let mut file = AtomicFile::create_svg(path)?;
    file.write(svg)?;
    file.finish()
}
