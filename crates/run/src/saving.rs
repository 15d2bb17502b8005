//! Solution files where the disk may be full: their sizes before the work, checkpoints whose failure ends no solve, and
//! final saves that say what would fit.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use equipoise_files::room_for;
use equipoise_postflop::{Contents, FileError, Options, SaveOptions, Solution, Spot};
use thiserror::Error;

use crate::memory::MemorySize;

/// What files may keep, the largest first.
const LEVELS: [Contents; 4] = [Contents::Resumable, Contents::Full, Contents::NoRiver, Contents::NoTurn];

/// How large a solution's file may become, and the room that there is for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileSizes {
    /// For each of what a file may keep the bytes that it takes at most, the largest first.
    pub most: [(Contents, u64); 4],
    /// Bytes that the file may take; `None` if the system does not say.
    pub room: Option<u64>,
}

impl FileSizes {
    /// The sizes of a spot's file at a path.
    #[must_use]
    pub fn new(spot: &Spot, options: &Options, path: &Path) -> FileSizes {
        let most = LEVELS.map(|contents| (contents, contents.most_bytes(spot, options)));
        FileSizes { most, room: room_for(path) }
    }

    /// The bytes that a file takes at most.
    #[must_use]
    pub fn of(&self, contents: Contents) -> u64 {
        self.most.iter().find(|level| level.0 == contents).map_or(0, |level| level.1)
    }

    /// Whether a file of this size fits for certain, or nobody knows.
    #[must_use]
    pub fn fits(&self, bytes: u64) -> bool {
        self.room.is_none_or(|room| bytes <= room)
    }
}

/// A solution that the disk has not taken, with what would fit.
#[derive(Debug, Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct SaveError {
    /// Why not.
    #[source]
    pub error: FileError,
    /// What was to be kept.
    pub contents: Contents,
    /// Bytes that this takes.
    pub bytes: u64,
    /// Bytes that there is room for; `None` if the system does not say.
    pub room: Option<u64>,
    /// What keeps less, with its bytes, the largest first. Where the spot begins so late that nothing else could be left
    /// out, these are no smaller.
    pub less: Vec<(Contents, u64)>,
}

impl SaveError {
    /// What keeps less, is smaller and has room.
    pub fn fitting(&self) -> impl Iterator<Item = (Contents, u64)> + '_ {
        let fits =
            |&(_, bytes): &(Contents, u64)| bytes < self.bytes && self.room.is_none_or(|room| bytes <= room);
        self.less.iter().copied().filter(fits)
    }

    /// What it takes and what would fit, in words; `name` is what the user writes to keep less.
    #[must_use]
    pub fn advice(&self, name: impl Fn(Contents) -> String) -> String {
        let room = self
            .room
            .map_or_else(String::new, |room| format!(", and there is room for {}", MemorySize(room)));
        let mut words = vec![format!("it takes {}{room}", MemorySize(self.bytes))];
        for &(contents, bytes) in &self.less {
            let fits = match self.room {
                _ if bytes >= self.bytes => "here no less",
                Some(room) if bytes <= room => "which fits",
                Some(_) => "which does not fit either",
                None => "which is less",
            };
            words.push(format!("{} takes {}, {fits}", name(contents), MemorySize(bytes)));
        }
        words.join("; ")
    }
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub contents: Contents,
    /// Its size.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// What solution files say of the problem beside the solution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileText {
    /// The text of the spot file.
    pub(crate) note: String,
    /// The target of the solve, in percent of the starting pot.
    pub(crate) target_pct: f64,
}

impl FileText {
    fn options(&self, contents: Contents) -> SaveOptions {
        SaveOptions { contents, note: self.note.clone(), target_pct: self.target_pct }
    }

    pub(crate) fn write(
        &self,
        solution: &mut Solution,
        path: &Path,
        contents: Contents,
    ) -> Result<Saved, FileError> {
        let begun = Instant::now();
        let bytes = solution.save(path, &self.options(contents))?;
        Ok(Saved { path: path.to_owned(), contents, bytes, elapsed: begun.elapsed() })
    }

    /// Saves a solution.
    ///
    /// # Errors
    /// [`SaveError`] says what would fit. It takes some time to find out.
    pub(crate) fn save(
        &self,
        solution: &mut Solution,
        path: &Path,
        contents: Contents,
    ) -> Result<Saved, SaveError> {
        self.write(solution, path, contents).map_err(|error| {
            let mut bytes = |contents| solution.saved_bytes(&self.options(contents));
            let less = LEVELS.iter().skip_while(|&&level| level != contents).skip(1);
            let less = less.map(|&level| (level, bytes(level))).collect();
            SaveError { error, contents, bytes: bytes(contents), room: room_for(path), less }
        })
    }
}

/// Checkpoints take at most one part in this many of the time.
const SHARE: u32 = 20;

/// The checkpoints of one solve. One that fails is tried again when the next is due.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints {
    path: PathBuf,
    interval: Option<Duration>,
    /// How long the last one took.
    last: Duration,
    /// Why the last one failed.
    failure: Option<String>,
}

/// A checkpoint that the disk has not taken.
#[derive(Debug, Error)]
#[error("a checkpoint could not be saved: {error}{}", room.map_or_else(String::new, |room| format!(
    ", where there is room for {}", MemorySize(room)
)))]
#[non_exhaustive]
pub struct CheckpointError {
    /// Why not.
    #[source]
    pub error: FileError,
    /// Bytes that there is room for; `None` if the system does not say.
    pub room: Option<u64>,
    /// Whether the one before failed for the same reason, so that nobody need be told again.
    pub is_repeated: bool,
}

impl Checkpoints {
    /// Checkpoints at a path, at most every `interval`; without one only when they are asked for.
    pub(crate) fn new(path: PathBuf, interval: Option<Duration>) -> Checkpoints {
        Checkpoints { path, interval, last: Duration::ZERO, failure: None }
    }

    /// When the next one is due: after the interval, and so that they take at most a twentieth of the time.
    pub(crate) fn due(&self) -> Option<Instant> {
        Some(Instant::now() + self.interval?.max(SHARE * self.last))
    }

    /// Saves what resuming needs; how many bytes that is. The last checkpoint stays until the new one is complete.
    ///
    /// # Errors
    /// [`CheckpointError`]; the solve can continue.
    pub(crate) fn save(&mut self, solution: &mut Solution, file: &FileText) -> Result<u64, CheckpointError> {
        let begun = Instant::now();
        let saved = file.write(solution, &self.path, Contents::Resumable);
        self.last = begun.elapsed();
        let failure = saved.as_ref().err().map(ToString::to_string);
        let is_repeated = failure.is_some() && failure == self.failure;
        self.failure = failure;
        let failed = |error| CheckpointError { error, room: room_for(&self.path), is_repeated };
        saved.map(|saved| saved.bytes).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_postflop::Solver;
    use equipoise_spots::shipped::ShippedText;
    use equipoise_spots::spot_file::Problem;

    fn solver() -> (Problem, FileText, Solver) {
        let problem: Problem = ShippedText::RIVER.toml.parse().unwrap();
        let options = Options { max_iterations: 3, ..problem.options.clone() };
        let mut solver = Solver::new(problem.spot.clone(), &options).unwrap();
        solver.run(&mut ());
        let file = FileText { note: problem.text.clone(), target_pct: 0.5 };
        (problem, file, solver)
    }

    /// A device that takes nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn failures_say_what_would_fit_and_are_told_once() {
        let (_, file, mut solver) = solver();
        let full = Path::new("/dev/full");
        let error = file.save(solver.solution_mut(), full, Contents::Resumable).unwrap_err();
        assert_eq!(error.less.iter().map(|level| level.0).collect::<Vec<_>>(), LEVELS[1..]);
        assert!(error.less[0].1 < error.bytes, "{error:?}");
        let advice = error.advice(|contents| contents.name().to_owned());
        assert!(advice.contains("no-river takes") && advice.contains("no-turn takes"), "{advice}");

        let mut checkpoints = Checkpoints::new(full.to_owned(), Some(Duration::from_secs(60)));
        let mut failed = || checkpoints.save(solver.solution_mut(), &file).unwrap_err().is_repeated;
        assert_eq!([failed(), failed()], [false, true]);
        assert!(checkpoints.due().is_some());
    }

    #[test]
    fn what_is_counted_is_what_is_written() {
        let (problem, file, mut solver) = solver();
        let path = std::env::temp_dir().join(format!("equipoise-counted-{}.eqp", std::process::id()));
        let sizes = FileSizes::new(&problem.spot, &problem.options, &path);
        for contents in LEVELS {
            let counted = solver.solution_mut().saved_bytes(&file.options(contents));
            assert_eq!(counted, file.save(solver.solution_mut(), &path, contents).unwrap().bytes);
            assert_eq!(counted, std::fs::metadata(&path).unwrap().len());
            assert!(counted <= sizes.of(contents), "{contents:?}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
