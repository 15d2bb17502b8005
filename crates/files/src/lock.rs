//! Locks that end with their process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A file that one holder at a time has locked. The system gives the lock back when the holder's process ends, however it
/// ends.
///
/// Some file systems do not support locks (Lustre without `-o flock`, some mounts of FUSE and NFS). There every process gets
/// the lock, and [`FileLock::is_exclusive`] is false: where files are atomic, two that do the same work waste
/// time and break nothing.
///
/// ```
/// use equipoise_files::FileLock;
/// let path = std::env::temp_dir().join(format!("equipoise-lock-{}", std::process::id()));
/// let lock = FileLock::take(&path)?.expect("nobody else knows the name");
/// assert!(FileLock::take(&path)?.is_none());
/// lock.remove();
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    is_exclusive: bool,
    /// Held as long as it is open.
    _file: File,
}

/// Whether the error says that the file system does not support locks.
fn is_unknown(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_unknown_number = {
        use nix::errno::Errno;
        let unknown = [Errno::ENOLCK, Errno::ENOSYS, Errno::EOPNOTSUPP, Errno::ENOTSUP];
        error.raw_os_error().is_some_and(|number| unknown.contains(&Errno::from_raw(number)))
    };
    #[cfg(not(unix))]
    let is_unknown_number = false;
    is_unknown_number || error.kind() == io::ErrorKind::Unsupported
}

impl FileLock {
    /// Takes the lock; `None` if another holder has it. The file is created if need be.
    ///
    /// # Errors
    /// If the file cannot be made or locked.
    pub fn take(path: &Path) -> io::Result<Option<FileLock>> {
        FileLock::take_by(path, File::try_lock)
    }

    fn take_by(
        path: &Path,
        lock: impl FnOnce(&File) -> Result<(), TryLockError>,
    ) -> io::Result<Option<FileLock>> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let taken =
            |is_exclusive, file| Ok(Some(FileLock { path: path.to_owned(), is_exclusive, _file: file }));
        match lock(&file) {
            Ok(()) => taken(true, file),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if is_unknown(&error) => taken(false, file),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether no other process can hold the lock: false where the file system does not support locks.
    #[must_use]
    pub const fn is_exclusive(&self) -> bool {
        self.is_exclusive
    }

    /// Whether the lock is held.
    #[must_use]
    pub fn is_taken(path: &Path) -> bool {
        File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the file away and gives the lock back. Whoever comes next makes another file and may hold that one while
    /// somebody who was waiting holds this one: remove it only when nothing is left to be done under it.
    pub fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let path = std::env::temp_dir().join(format!("equipoise-one-holder-{}", std::process::id()));
        assert!(!FileLock::is_taken(&path));
        let first = FileLock::take(&path).unwrap().unwrap();
        assert!(FileLock::is_taken(&path) && FileLock::take(&path).unwrap().is_none());
        drop(first);
        assert!(!FileLock::is_taken(&path) && path.exists());
        FileLock::take(&path).unwrap().unwrap().remove();
        assert!(!path.exists());
        assert!(FileLock::take(&path.join("nowhere")).is_err());
    }

    /// Where locks are not supported every process gets one; other errors are errors.
    #[cfg(unix)]
    #[test]
    fn without_locks_nobody_is_kept_away() {
        use nix::errno::Errno;
        let path = std::env::temp_dir().join(format!("equipoise-no-locks-{}", std::process::id()));
        let fails = |number: Errno| {
            move |_: &File| Err(TryLockError::Error(io::Error::from_raw_os_error(number as i32)))
        };
        for unknown in [Errno::ENOLCK, Errno::ENOSYS, Errno::EOPNOTSUPP] {
            let [first, second] = [(); 2]
                .map(|()| FileLock::take_by(&path, fails(unknown)).unwrap().expect("everybody gets one"));
            assert!(!first.is_exclusive() && !second.is_exclusive());
            first.remove();
            second.remove();
        }
        assert!(FileLock::take_by(&path, fails(Errno::EIO)).is_err());
        assert!(FileLock::take(&path).unwrap().unwrap().is_exclusive());
        std::fs::remove_file(&path).unwrap();
    }
}
