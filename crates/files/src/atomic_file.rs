//! Atomic files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A file that is written under a temporary name in its folder and gets its own name when it is finished.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// Absent where the path is a device or pipe, which is written to directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

/// A younger file may be about to be locked.
const FRESH: Duration = Duration::from_secs(10);

/// Two files of one process may have the same name.
static COUNT: AtomicU64 = AtomicU64::new(0);

impl AtomicFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    ///
    /// # Errors
    /// If the folder cannot be written to, or the path is a folder.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let is_device = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if is_device {
            let writer = BufWriter::new(File::create(path)?);
            return Ok(AtomicFile { path: path.to_owned(), temporary: None, writer });
        }
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()));
        let file = File::create(&temporary)?;
        // Held as long as this process lives; where there are no locks, nothing is ever swept.
        let _ = file.try_lock();
        sweep(&temporary, &format!(".{name}."));
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(AtomicFile { path: path.to_owned(), temporary: Some(temporary), writer })
    }

    /// The name that the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until what has been written so far is on the disk, so that there is less to wait for at the end.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn settle(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        if self.temporary.is_some() { self.writer.get_ref().sync_data() } else { Ok(()) }
    }

    /// Waits until everything is on the disk and gives the file its name.
    ///
    /// # Errors
    /// If the disk does not take it; nothing is left of it then, and an earlier file of that name stays.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        self.writer.get_ref().sync_all()?;
        fs::rename(temporary, &self.path)?;
        self.temporary = None;
        // The name is on the disk when its folder is. Some systems cannot wait for that.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Removes the temporary files of this name that killed processes have left.
fn sweep(own: &Path, prefix: &str) {
    let folder = own.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(".tmp"));
        if is_temporary && Some(&*name) != own.file_name() && is_left(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process holds the lock of a temporary file. A new one may not be locked yet.
fn is_left(entry: &fs::DirEntry) -> bool {
    let age = entry.metadata().and_then(|found| found.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > FRESH) && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

impl Drop for AtomicFile {
    /// Leaves nothing behind of a file that was not finished.
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let folder = std::env::temp_dir().join(format!("equipoise-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("solution");
        let mut first = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        first.finish().unwrap();
        let mut second = AtomicFile::create(&path).unwrap();
        second.write_all(b"sec").unwrap();
        drop(second);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(AtomicFile::create(&folder).is_err());
        assert!(AtomicFile::create(&folder.join("nowhere").join("x")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_the_dead_left_is_swept_and_what_the_living_write_is_not() {
        let folder = std::env::temp_dir().join(format!("equipoise-sweep-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        let left = |name: &str| {
            let path = folder.join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(hour_ago).unwrap();
            (path, file)
        };
        let (dead, _) = left(".solution.1.0.tmp");
        let (other, _) = left(".another.1.0.tmp");
        let (alive, held) = left(".solution.2.0.tmp");
        held.try_lock().unwrap();
        let (fresh, file) = left(".solution.3.0.tmp");
        file.set_modified(std::time::SystemTime::now()).unwrap();
        drop(AtomicFile::create(&folder.join("solution")).unwrap());
        assert_eq!([dead, other, alive, fresh].map(|path| path.exists()), [false, true, true, true]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
