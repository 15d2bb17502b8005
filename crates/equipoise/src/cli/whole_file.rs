//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::failure::Failure;
use super::print::Printer;

/// A file that is written under a temporary name in its folder and gets its own name when it is finished.
pub(crate) struct WholeFile {
    path: PathBuf,
    /// Absent where the path is a device or pipe, which is written to directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl WholeFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    pub(crate) fn create(path: &Path) -> Result<WholeFile, Failure> {
        let begin = || -> io::Result<WholeFile> {
            let is_device = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
            if is_device {
                let writer = BufWriter::new(File::create(path)?);
                return Ok(WholeFile { path: path.to_owned(), temporary: None, writer });
            }
            if path.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            let temporary =
                path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
            let writer = BufWriter::new(File::create(&temporary)?);
            Ok(WholeFile { path: path.to_owned(), temporary: Some(temporary), writer })
        };
        Ok(begin().with_context(|| format!("cannot write to {}", path.display()))?)
    }

    /// Adds text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.writer.write_all(text.as_bytes());
        Ok(written.with_context(|| format!("cannot write to {}", self.path.display()))?)
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let finished = self.writer.flush().and_then(|()| match self.temporary.as_ref() {
            Some(temporary) => fs::rename(temporary, &self.path),
            None => Ok(()),
        });
        finished.with_context(|| format!("cannot write to {}", self.path.display()))?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for WholeFile {
    /// Leaves nothing behind of a file that was not finished.
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a text to a file, or to standard output if it is called `-`; whether it was that.
pub(crate) fn write_to(path: &Path, text: &str, printer: &Printer) -> Result<bool, Failure> {
    if path == Path::new("-") {
        printer.raw(text.as_bytes())?;
        return Ok(true);
    }
    let mut file = WholeFile::create(path)?;
    file.write(text)?;
    file.finish()?;
    Ok(false)
}
