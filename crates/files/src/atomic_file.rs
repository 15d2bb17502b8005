//! Atomic files.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A file that is written under a temporary name in its folder and gets its own name when it is finished.
///
/// A link stays a link: the file that it leads to is replaced. Devices, pipes and open descriptors such as `/dev/stdout`
/// are written to directly.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// What the path leads to.
    target: PathBuf,
    /// Absent where the target is written to directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

/// A younger file may be about to be locked.
const FRESH: Duration = Duration::from_secs(10);

/// Processes on machines that share a folder may have the same number; in containers it is often 1.
static SALT: LazyLock<u32> = LazyLock::new(|| RandomState::new().build_hasher().finish() as u32);

/// Two files of one process may have the same name.
static COUNT: AtomicU64 = AtomicU64::new(0);

impl AtomicFile {
    /// Begins a file, so that a folder that cannot be written to shows before the work.
    ///
    /// # Errors
    /// If the folder cannot be written to, or the path is a folder.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let (path, target) = (path.to_owned(), follow_links(path)?);
        if let Some(file) = open_directly(&target)? {
            return Ok(AtomicFile { path, target, temporary: None, writer: BufWriter::new(file) });
        }
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let process = format!("{}-{:08x}", std::process::id(), *SALT);
        let temporary = target.with_file_name(format!(".{name}.{process}.{number}.tmp"));
        let file = File::create(&temporary)?;
        // Held as long as this process lives; where there are no locks, nothing is ever swept.
        let _ = file.try_lock();
        sweep(&temporary, &format!(".{name}."));
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(AtomicFile { path, target, temporary: Some(temporary), writer })
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
        fs::rename(temporary, &self.target)?;
        self.temporary = None;
        // The name is on the disk when its folder is. Some systems cannot wait for that.
        if let Ok(folder) = File::open(folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Links that lead to each other are given up after as many steps as the system takes.
const MOST_LINKS: usize = 40;

/// Where a path leads, which need not be there. Ends at an open descriptor: the file behind it is not found by a name.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) if !is_descriptor(&path) => path = folder_of(&path).join(to),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path is one of the process's open files, such as `/proc/self/fd/1` and `/dev/fd/1`.
fn is_descriptor(path: &Path) -> bool {
    fs::canonicalize(folder_of(path)).is_ok_and(|folder| {
        folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
    })
}

/// A device, a pipe or an open descriptor; nothing if the path is a file's or a folder's.
fn open_directly(path: &Path) -> io::Result<Option<File>> {
    if is_descriptor(path) {
        return open_descriptor(path).map(Some);
    }
    let is_device = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_device { File::create(path).map(Some) } else { Ok(None) }
}

/// Shares the place in the file where standard output and standard error are; goes to the end of others.
fn open_descriptor(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        let shared = match path.file_name().and_then(|name| name.to_str()) {
            Some("1") => Some(io::stdout().as_fd().try_clone_to_owned()?),
            Some("2") => Some(io::stderr().as_fd().try_clone_to_owned()?),
            _ => None,
        };
        if let Some(shared) = shared {
            return Ok(shared.into());
        }
    }
    File::options().append(true).open(path)
}

/// Removes the temporary files of this name that killed processes have left.
fn sweep(own: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder_of(own)) else { return };
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

    /// Also one that leads to a file that is not there yet, and by way of another.
    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("equipoise-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("below")).unwrap();
        let (target, first, second) = (folder.join("below/x"), folder.join("first"), folder.join("second"));
        symlink("below/x", &first).unwrap();
        symlink(&first, &second).unwrap();
        for (link, text) in [(&first, "one"), (&second, "two")] {
            let mut file = AtomicFile::create(link).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
        assert!(first.is_symlink() && second.is_symlink() && !target.is_symlink());
        assert_eq!(fs::read_dir(folder.join("below")).unwrap().count(), 1);
        symlink(folder.join("b"), folder.join("a")).unwrap();
        symlink(folder.join("a"), folder.join("b")).unwrap();
        assert!(AtomicFile::create(&folder.join("a")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_descriptor_is_written_to_and_not_replaced() {
        use std::os::fd::AsRawFd as _;
        let folder = std::env::temp_dir().join(format!("equipoise-descriptor-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x");
        let mut open = File::create(&path).unwrap();
        open.write_all(b"before ").unwrap();
        let link = folder.join("stdout");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{}", open.as_raw_fd()), &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"after").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"before after");
        assert!(link.is_symlink());
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
