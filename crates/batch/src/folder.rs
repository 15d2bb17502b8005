//! The folder of a batch: what is to be done, what is done, and what went wrong.
//!
//! ```text
//! batch.json            the plan and its jobs
//! jobs/ID.json          what is known of a job that is done; written last, so that it says that all is there
//! jobs/ID.eqp           its solution
//! jobs/ID.part.eqp      the checkpoint of a solve that was stopped
//! jobs/ID.failed.json   why a job failed when it was tried last
//! jobs/ID.lock          held by whoever works on the job
//! ```
//! Every file is atomic. Names follow from the problem, so that folders of several plans
//! never mistake one result for another's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use equipoise_documents::SCHEMA_VERSION;
use equipoise_documents::batch::{JobFailure, JobId, ListedJob, Listing, Summary};
use equipoise_files::{FileKind, FileLock};
use equipoise_postflop::Header;
use thiserror::Error;
use twox_hash::XxHash3_64;

use crate::job::{Job, Jobs};
use crate::plan::Plan;
use crate::summary::{read_json, write_json};

/// Lists of batches among other files.
pub const LISTING_KIND: FileKind =
    FileKind::new("the list of a batch", |bytes| bytes.starts_with(b"{\n  \"schema_version\":"));

/// Why a folder cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It is not there, or there is no batch in it.
    #[error("there is no batch in {}", folder.display())]
    NoBatch {
        /// The folder.
        folder: PathBuf,
    },
    /// The list of its jobs is damaged or of another version.
    #[error("{} cannot be used: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobState {
    /// Its result is there.
    Done,
    /// Somebody works on it now.
    Running,
    /// It was stopped, and resumes from its checkpoint.
    Begun,
    /// It failed when it was tried last.
    Failed,
    /// Nothing has happened yet.
    Waiting,
}

impl JobState {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            JobState::Done => "done",
            JobState::Running => "running",
            JobState::Begun => "begun",
            JobState::Failed => "failed",
            JobState::Waiting => "waiting",
        }
    }
}

fn listed(job: &Job) -> ListedJob {
    let board = job.board.to_string();
    ListedJob { id: job.id, spot: job.spot.clone(), board, weight: job.weight }
}

/// The folder of a batch.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    has_solutions: bool,
}

impl Folder {
    /// The folder of this path, there or not.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into(), has_solutions: true }
    }

    /// A copy of a folder's list and summaries, whose solutions are elsewhere: with its summary a job counts as done. Good
    /// for reports on the first decision; nothing is solved in it.
    #[must_use]
    pub fn of_summaries(path: impl Into<PathBuf>) -> Folder {
        Folder { path: path.into(), has_solutions: false }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The list of its jobs.
    #[must_use]
    pub fn listing_path(&self) -> PathBuf {
        self.path.join("batch.json")
    }

    /// Where the files of its jobs are.
    #[must_use]
    pub fn jobs_path(&self) -> PathBuf {
        self.path.join("jobs")
    }

    fn file(&self, id: JobId, ending: &str) -> PathBuf {
        self.jobs_path().join(format!("{id}.{ending}"))
    }

    /// The solution of a job.
    #[must_use]
    pub fn solution_path(&self, id: JobId) -> PathBuf {
        self.file(id, "eqp")
    }

    pub(crate) fn part_path(&self, id: JobId) -> PathBuf {
        self.file(id, "part.eqp")
    }

    fn summary_path(&self, id: JobId) -> PathBuf {
        self.file(id, "json")
    }

    fn failed_path(&self, id: JobId) -> PathBuf {
        self.file(id, "failed.json")
    }

    fn lock_path(&self, id: JobId) -> PathBuf {
        self.file(id, "lock")
    }

    /// Makes the folder and writes the list of jobs. An earlier list is replaced; results stay.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the disk does not take it.
    pub fn prepare(&self, plan: &Plan, jobs: &Jobs) -> Result<Listing, FolderError> {
        let listing = Listing {
            schema_version: SCHEMA_VERSION,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            plan: plan.text.clone(),
            save: plan.save,
            jobs: jobs.jobs.iter().map(listed).collect(),
            impossible: jobs.impossible.clone(),
        };
        let folder = self.jobs_path();
        fs::create_dir_all(&folder).map_err(|source| FolderError::Io { path: folder, source })?;
        let path = self.listing_path();
        // Thousands of single jobs need not write it thousands of times.
        if self.listing().is_ok_and(|there| there == listing) {
            return Ok(listing);
        }
        write_json(&path, &listing).map_err(|source| FolderError::Io { path, source })?;
        Ok(listing)
    }

    /// What is to be done here.
    ///
    /// # Errors
    /// [`FolderError`] if there is no batch or its list cannot be read.
    pub fn listing(&self) -> Result<Listing, FolderError> {
        let path = self.listing_path();
        let listing: Listing = read_json(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                FolderError::NoBatch { folder: self.path.clone() }
            }
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                FolderError::Damaged { path: path.clone(), reason: source.to_string() }
            }
            _ => FolderError::Io { path: path.clone(), source },
        })?;
        if listing.schema_version != SCHEMA_VERSION {
            let found = listing.schema_version;
            let reason = format!("it has version {found}, this program reads {SCHEMA_VERSION}");
            return Err(FolderError::Damaged { path, reason });
        }
        Ok(listing)
    }

    /// The summary of a job that is done: if the summary is there, is of this job, and has its file.
    #[must_use]
    pub fn summary(&self, id: JobId) -> Option<Summary> {
        let summary: Summary = read_json(&self.summary_path(id)).ok()?;
        let is_there = summary.file_bytes == 0
            || !self.has_solutions
            || fs::metadata(self.solution_path(id)).is_ok_and(|file| file.len() == summary.file_bytes);
        (summary.id == id && summary.schema_version == SCHEMA_VERSION && is_there).then_some(summary)
    }

    /// The same, and whether the file says that it is of this very problem.
    #[must_use]
    pub fn verified(&self, job: &Job) -> Option<Summary> {
        let summary = self.summary(job.id)?;
        let Some(contents) = job.save.contents() else { return Some(summary) };
        let header = Header::read(&self.solution_path(job.id)).ok()?;
        let is_of_job = header.spot_hash == job.spot_hash
            && header.algorithm == job.algorithm
            && header.target_pct == job.target_pct
            && header.contents == contents;
        is_of_job.then_some(summary)
    }

    /// A number that changes when the list, a summary or a solution does: of their names, lengths and times. What was made of
    /// the folder's results is good as long as it stays.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        let of = |path: &Path| -> Option<Vec<u8>> {
            let found = fs::metadata(path).ok()?;
            let time = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            let mut bytes = path.file_name()?.as_encoded_bytes().to_vec();
            bytes.extend(
                [0].into_iter().chain(found.len().to_le_bytes()).chain(time.as_nanos().to_le_bytes()),
            );
            Some(bytes)
        };
        let files = fs::read_dir(self.jobs_path()).into_iter().flatten().flatten().map(|file| file.path());
        let is_result = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "json" || ending == "eqp")
                && path.file_stem().is_some_and(|name| !name.as_encoded_bytes().contains(&b'.'))
        };
        let mut all: Vec<Vec<u8>> = files.filter(is_result).filter_map(|path| of(&path)).collect();
        all.extend(of(&self.listing_path()));
        // Systems list files in any order.
        all.sort_unstable();
        XxHash3_64::oneshot(&all.concat())
    }

    /// How far a job is.
    #[must_use]
    pub fn state(&self, id: JobId) -> JobState {
        if self.summary(id).is_some() {
            JobState::Done
        } else if FileLock::is_taken(&self.lock_path(id)) {
            JobState::Running
        } else if self.failed_path(id).exists() {
            JobState::Failed
        } else if self.part_path(id).exists() {
            JobState::Begun
        } else {
            JobState::Waiting
        }
    }

    /// Makes the folder of the jobs, without a list: for a worker that does single jobs.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the disk does not take it.
    pub fn make(&self) -> Result<(), FolderError> {
        let path = self.jobs_path();
        fs::create_dir_all(&path).map_err(|source| FolderError::Io { path, source })
    }

    /// Whether locks keep two processes from solving the same job: false where the file system does not support them. Two would
    /// waste time and break nothing, since files are atomic and their contents deterministic.
    #[must_use]
    pub fn has_locks(&self) -> bool {
        let path = self.jobs_path().join(format!(".locks-{}", std::process::id()));
        let Ok(Some(lock)) = FileLock::take(&path) else { return true };
        let is_exclusive = lock.is_exclusive();
        lock.remove();
        is_exclusive
    }

    /// Removes the checkpoints of solves that were stopped: they begin anew.
    pub fn remove_checkpoints(&self) {
        let Ok(listing) = self.listing() else { return };
        for job in listing.jobs {
            let _ = fs::remove_file(self.part_path(job.id));
        }
    }

    /// Removes the list, all jobs and their solutions; the folder itself if nothing else is in it.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self) -> io::Result<()> {
        // Without the list it is no batch any more, whatever is left.
        fs::remove_file(self.listing_path())?;
        match fs::remove_dir_all(self.jobs_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }

    /// Why a job failed when it was tried last.
    #[must_use]
    pub fn failure(&self, id: JobId) -> Option<String> {
        read_json::<JobFailure>(&self.failed_path(id)).ok().map(|failed| failed.reason)
    }

    pub(crate) fn lock(&self, id: JobId) -> io::Result<Option<FileLock>> {
        FileLock::take(&self.lock_path(id))
    }

    /// Writes the summary of a job and removes its checkpoint.
    pub(crate) fn finish(&self, summary: &Summary) -> io::Result<()> {
        write_json(&self.summary_path(summary.id), summary)?;
        for path in [self.part_path(summary.id), self.failed_path(summary.id)] {
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Writes why a job failed, if the disk takes it.
    pub(crate) fn fail(&self, id: JobId, reason: &str) {
        let failed = JobFailure { schema_version: SCHEMA_VERSION, id, reason: reason.to_owned() };
        let _ = write_json(&self.failed_path(id), &failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_summaries_needs_no_solutions() {
        let path = std::env::temp_dir().join(format!("equipoise-summaries-{}", std::process::id()));
        let [whole, copy] = [Folder::new(&path), Folder::of_summaries(&path)];
        whole.make().unwrap();
        let id = JobId::new(7);
        let worth = equipoise_documents::batch::Worth { equity: 0.5, ev: 5.0 };
        let summary = Summary {
            schema_version: SCHEMA_VERSION,
            id,
            engine: None,
            board: "As7d2c".into(),
            starting_pot: 10.0,
            unit: equipoise_documents::UnitDocument::default(),
            big_blind: None,
            deals: 1.0,
            player: None,
            actions: Vec::new(),
            players: [worth, worth].into(),
            exploitability_pct: 0.0,
            converged: true,
            iterations: 1,
            elapsed_s: 0.0,
            memory_bytes: 0,
            file_bytes: 100,
        };
        whole.finish(&summary).unwrap();
        assert_eq!((whole.state(id), whole.summary(id)), (JobState::Waiting, None));
        assert_eq!((copy.state(id), copy.summary(id)), (JobState::Done, Some(summary)));
        // Of another job it is none.
        fs::rename(whole.summary_path(id), whole.summary_path(JobId::new(8))).unwrap();
        assert_eq!(copy.state(JobId::new(8)), JobState::Waiting);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn the_stamp_follows_results_and_nothing_else() {
        let path = std::env::temp_dir().join(format!("equipoise-stamp-{}", std::process::id()));
        let folder = Folder::new(&path);
        folder.make().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.jobs_path().join(name), text).unwrap();
        let empty = folder.stamp();
        for name in ["00.lock", "00.failed.json", "00.part.eqp", ".00.json.5-ab.0.tmp"] {
            write(name, "x");
            assert_eq!(folder.stamp(), empty, "{name}");
        }
        let mut seen = vec![empty];
        for (name, text) in [("00.json", "x"), ("00.eqp", "x"), ("01.json", "x"), ("00.json", "xy")] {
            write(name, text);
            assert!(!seen.contains(&folder.stamp()), "{name}");
            assert_eq!(folder.stamp(), folder.stamp());
            seen.push(folder.stamp());
        }
        assert!(folder.has_locks());
        fs::remove_dir_all(&path).unwrap();
    }
}
