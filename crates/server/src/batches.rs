//! Folders of batches: those in the library, and those that were named when the server was started.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use equipoise_batch::{Folder, JobState};
use equipoise_documents::api::{BatchRow, BatchesDocument};

use crate::error::ApiError;
use crate::library::is_word;

/// All folders that have a batch in them, with their names.
fn folders(library: &Path, named: &[PathBuf]) -> io::Result<Vec<(String, Folder)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(library)?.flatten() {
        // A link could lead out of the library.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name().into_string().ok().filter(|name| is_word(name));
        if let (true, Some(name)) = (is_folder, name) {
            found.push((name, Folder::new(entry.path())));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    for path in named {
        let name =
            path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let name = word(&name.unwrap_or_default());
        let is_taken = |name: &String| found.iter().any(|(other, _)| other == name);
        let names = (1..).map(|number| if number == 1 { name.clone() } else { format!("{name}-{number}") });
        let name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
        found.push((name, Folder::new(path)));
    }
    Ok(found)
}

/// A name that can stand in an address.
fn word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let word: String = name.chars().map(plain).take(100).collect();
    if is_word(&word) { word } else { format!("batch{word}") }
}

/// What there is of every batch.
pub(crate) fn list(library: &Path, named: &[PathBuf]) -> io::Result<BatchesDocument> {
    let mut batches = Vec::new();
    for (id, folder) in folders(library, named)? {
        let Ok(listing) = folder.listing() else { continue };
        let states: Vec<JobState> = listing.jobs.iter().map(|job| folder.state(job.id)).collect();
        let count = |state: JobState| states.iter().filter(|&&found| found == state).count();
        let spots = listing.spots().into_iter().map(str::to_owned).collect();
        let (done, running, failed) =
            (count(JobState::Done), count(JobState::Running), count(JobState::Failed));
        batches.push(BatchRow { id, spots, jobs: states.len(), done, running, failed });
    }
    Ok(BatchesDocument { batches })
}

/// The folder of a batch.
pub(crate) fn find(library: &Path, named: &[PathBuf], id: &str) -> Result<Folder, ApiError> {
    let folders = folders(library, named)
        .map_err(|error| ApiError::internal(format!("the library cannot be read: {error}")))?;
    let found = folders.into_iter().find(|(name, _)| name == id);
    found.map(|(_, folder)| folder).ok_or_else(|| ApiError::not_found("there is no batch of that name"))
}
