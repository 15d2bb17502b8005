//! Averages that were asked for before: those of a deep decision read thousands of files.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

/// Bytes that are kept in all; the report of a decision over 1,755 flops takes about one million.
const MOST_BYTES: usize = 32 << 20;

/// Reports of batches, those that were asked for last. One is good as long as the files of its folder are those that it was
/// made of.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    kept: Mutex<VecDeque<Report>>,
}

#[derive(Debug)]
struct Report {
    folder: PathBuf,
    path: String,
    /// [`Folder::stamp`](equipoise_batch::Folder::stamp) before it was made.
    stamp: u64,
    bytes: Bytes,
}

impl Reports {
    /// The report of a decision, if nothing has changed since it was made.
    pub(crate) fn get(&self, folder: &Path, path: &str, stamp: u64) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|report| report.folder == folder && report.path == path)?;
        let report = kept.remove(at).filter(|report| report.stamp == stamp)?;
        let bytes = report.bytes.clone();
        kept.push_back(report);
        Some(bytes)
    }

    /// Keeps a report that was made when the folder had this stamp.
    pub(crate) fn keep(&self, folder: &Path, path: &str, stamp: u64, bytes: &Bytes) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|report| report.folder != folder || report.path != path);
        kept.push_back(Report {
            folder: folder.to_owned(),
            path: path.to_owned(),
            stamp,
            bytes: bytes.clone(),
        });
        while kept.iter().map(|report| report.bytes.len()).sum::<usize>() > MOST_BYTES {
            kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_kept_until_something_changes() {
        let reports = Reports::default();
        let (folder, other) = (Path::new("a"), Path::new("b"));
        let bytes = Bytes::from_static(b"{}");
        reports.keep(folder, "x", 1, &bytes);
        assert_eq!(reports.get(folder, "x", 1), Some(bytes.clone()));
        assert_eq!((reports.get(other, "x", 1), reports.get(folder, "", 1)), (None, None));
        // Another stamp: it is gone.
        assert_eq!(reports.get(folder, "x", 2), None);
        assert_eq!(reports.get(folder, "x", 1), None);
        // What was asked for last stays.
        let large = Bytes::from(vec![0; MOST_BYTES / 2 - 10]);
        for path in ["a", "b"] {
            reports.keep(folder, path, 1, &large);
        }
        assert!(reports.get(folder, "a", 1).is_some());
        reports.keep(folder, "c", 1, &large);
        assert!(reports.get(folder, "a", 1).is_some() && reports.get(folder, "b", 1).is_none());
        reports.keep(folder, "huge", 1, &Bytes::from(vec![0; MOST_BYTES + 1]));
        assert_eq!(reports.get(folder, "huge", 1), None);
    }
}
