//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name in its folder and gets its own name when it is finished; dropped before
/// that, it leaves nothing behind, and a file that had the name stays as it was.
///
/// ```
/// use std::io::Write;
/// use equipoise_report::WholeFile;
/// let path = std::env::temp_dir().join(format!("whole-{}.txt", std::process::id()));
/// let mut file = WholeFile::create(&path)?;
/// file.write_all(b"all of it")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    /// Absent where the path is a device or pipe, which is written to directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl WholeFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
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
    }

    /// The name that the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until the file is on the disk, and gives it its name.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some(temporary) = &self.temporary {
            self.writer.get_ref().sync_all()?;
            fs::rename(temporary, &self.path)?;
        }
        self.temporary = None;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
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
