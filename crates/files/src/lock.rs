//! Locks that end with their process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A file that one holder at a time has locked. The system gives the lock back when the holder's process ends, however it
/// ends.
///
/// ```
/// use equipoise_files::Lock;
/// let path = std::env::temp_dir().join(format!("equipoise-lock-{}", std::process::id()));
/// let lock = Lock::take(&path)?.expect("nobody else knows the name");
/// assert!(Lock::take(&path)?.is_none());
/// lock.remove();
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Held as long as it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock; `None` if another holder has it. The file is created if need be.
    ///
    /// # Errors
    /// If the file cannot be made or the system knows no locks.
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { path: path.to_owned(), _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
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
        assert!(!Lock::is_taken(&path));
        let first = Lock::take(&path).unwrap().unwrap();
        assert!(Lock::is_taken(&path) && Lock::take(&path).unwrap().is_none());
        drop(first);
        assert!(!Lock::is_taken(&path) && path.exists());
        Lock::take(&path).unwrap().unwrap().remove();
        assert!(!path.exists());
        assert!(Lock::take(&path.join("nowhere")).is_err());
    }
}
