//! Free space for a file.

use std::path::Path;

/// Bytes that a new file at a path may take: what its file system has left for us, and no more than this process may write
/// to one file. `None` if the system does not say, and of devices and pipes. Quotas are not seen.
#[cfg(unix)]
#[must_use]
pub fn room_for(path: &Path) -> Option<u64> {
    use nix::sys::resource::{Resource, getrlimit};
    use nix::sys::statvfs::statvfs;

    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return None;
    }
    // The nearest folder that is there: deeper ones would be made in it.
    let mut folders = path
        .ancestors()
        .skip(1)
        .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let found = folders.find_map(|folder| statvfs(folder).ok())?;
    // The numbers' types differ from system to system.
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
    let free = (found.blocks_available() as u64).saturating_mul(found.fragment_size() as u64);
    let limit = getrlimit(Resource::RLIMIT_FSIZE).map_or(u64::MAX, |(soft, _)| soft);
    Some(free.min(limit))
}

/// Bytes that a new file at a path may take: not known on this system.
#[cfg(not(unix))]
#[must_use]
pub fn room_for(_: &Path) -> Option<u64> {
    None
}

/// Lets a file that outgrows what a process may write to one (`ulimit -f`) fail to be written, as on a full disk. Without
/// it the system ends the process. To be called before other threads begin.
#[cfg(unix)]
pub fn report_size_limits() {
    use nix::sys::signal::{SigSet, Signal};

    let signals: SigSet = [Signal::SIGXFSZ].into_iter().collect();
    // Where that is not possible all is as it was.
    let _ = signals.thread_block();
}

/// Nothing to do: this system has no such limit.
#[cfg(not(unix))]
pub fn report_size_limits() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn there_is_room_in_a_folder_and_in_one_that_is_not_there() {
        let folder = std::env::temp_dir();
        assert!(room_for(&folder.join("x")).is_some());
        assert!(room_for(&folder.join("no").join("such").join("x")).is_some());
        assert!(room_for(Path::new("x")).is_some());
        assert!(room_for(Path::new("/dev/null")).is_none());
    }
}
