//! Text files that are there whole or not at all.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::failure::Failure;

/// A file that gets its name when it is finished; failures name it.
pub(crate) struct WholeFile(equipoise_files::WholeFile);

impl WholeFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    pub(crate) fn create(path: &Path) -> Result<WholeFile, Failure> {
        let created = equipoise_files::WholeFile::create(path);
        Ok(WholeFile(created.with_context(|| format!("cannot write to {}", path.display()))?))
    }

    /// Adds text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.0.write_all(text.as_bytes());
        Ok(written.with_context(|| format!("cannot write to {}", self.0.path().display()))?)
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.0.path().to_owned();
        Ok(self.0.finish().with_context(|| format!("cannot write to {}", path.display()))?)
    }
}
