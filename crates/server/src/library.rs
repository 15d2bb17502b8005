//! The folder of solutions.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use equipoise_documents::SolutionDocument;
use equipoise_documents::api::{
    CheckDocument, DamagedDocument, LabelsDocument, LibraryDocument, SolutionDetail, SolutionRow,
};
use equipoise_postflop::{Header, Reader};
use equipoise_spots::spot_file::{Problem, big_blind};

use crate::error::ApiError;
use crate::labels;
use crate::source::Source;
use crate::time::rfc3339;
use crate::work::Cancel;

/// Solutions that stay open.
const MOST_OPEN: usize = 8;
/// The longest name of a file.
const LONGEST: usize = 128;
const ENDING: &str = ".eqp";

/// The folder, with cached facts of its files.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    /// What files say of themselves, by name.
    known: Mutex<HashMap<String, Known>>,
    /// The latest last.
    open: Mutex<Vec<Arc<Opened>>>,
    /// Names of files that are being written.
    reserved: Mutex<HashSet<String>>,
}

/// What a file said of itself when it was like this, or why it cannot be used.
type Known = (Stamp, Result<SolutionRow, String>);

/// Changes with the file: the key of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    modified: SystemTime,
    pub(crate) len: u64,
}

impl Stamp {
    pub(crate) fn of(path: &Path) -> io::Result<Stamp> {
        // A link could lead out of the folder.
        let found = fs::symlink_metadata(path)?;
        if !found.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(Stamp { modified: found.modified()?, len: found.len() })
    }
}

/// An open solution.
#[derive(Debug)]
pub(crate) struct Opened {
    path: PathBuf,
    stamp: Stamp,
    pub(crate) reader: Arc<Reader>,
    pub(crate) header: Header,
}

impl Opened {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The problem, with the text of its spot file.
    pub(crate) fn problem(&self, cancel: &Cancel) -> Problem {
        Problem::of_solution_unless(self.reader.spot(), &self.header, &|| cancel.is_set())
    }
}

/// A reserved name, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    library: Arc<Library>,
    pub(crate) id: String,
}

impl Reserved {
    pub(crate) fn path(&self) -> PathBuf {
        self.library.folder.join(&self.id)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        locked(&self.library.reserved).remove(&self.id);
    }
}

/// What is behind a lock; a panic elsewhere leaves it as it was.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Library {
    /// The folder; made if it is not there.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Library> {
        fs::create_dir_all(&folder)?;
        let folder = folder.canonicalize()?;
        // What an upload left that was cut off by the end of the program.
        for name in fs::read_dir(&folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
            if name.starts_with(".upload-") {
                let _ = fs::remove_file(folder.join(name));
            }
        }
        Ok(Library { folder, known: Mutex::default(), open: Mutex::default(), reserved: Mutex::default() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of an id; ids are names and lead nowhere else.
    pub(crate) fn path(&self, id: &str) -> Result<PathBuf, ApiError> {
        if !is_name(id) {
            return Err(no_solution(id));
        }
        Ok(self.folder.join(id))
    }

    /// What files say of themselves, newest first.
    pub(crate) fn list(&self, cancel: &Cancel) -> io::Result<LibraryDocument> {
        let mut found: Vec<(String, Stamp)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry.ok().and_then(|entry| entry.file_name().into_string().ok());
            let Some(name) = name.filter(|name| is_name(name)) else { continue };
            if let Ok(stamp) = Stamp::of(&self.folder.join(&name)) {
                found.push((name, stamp));
            }
        }
        found.sort_by(|a, b| b.1.modified.cmp(&a.1.modified).then_with(|| a.0.cmp(&b.0)));
        let mut list = LibraryDocument::default();
        let mut labels = labels::all(&self.folder);
        locked(&self.known).retain(|name, _| found.iter().any(|(found, _)| found == name));
        for (id, stamp) in found {
            // What has been read is known next time.
            if cancel.is_set() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match self.row(&id, stamp, cancel) {
                Ok(row) => {
                    let labels = labels.remove(&id).unwrap_or_default();
                    list.solutions.push(SolutionRow { labels, ..row });
                }
                Err(message) => list.damaged.push(DamagedDocument { id, message }),
            }
        }
        Ok(list)
    }

    /// How many files the list has.
    pub(crate) fn len(&self) -> usize {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries
            .filter(|entry| entry.as_ref().is_ok_and(|e| e.file_name().to_str().is_some_and(is_name)))
            .count()
    }

    fn row(&self, id: &str, stamp: Stamp, cancel: &Cancel) -> Result<SolutionRow, String> {
        if let Some((_, known)) = locked(&self.known).get(id).filter(|(known, _)| *known == stamp) {
            return known.clone();
        }
        let row = self
            .open_path(&self.folder.join(id), cancel)
            .map(|opened| opened.row(id))
            .map_err(|error| error.message().to_owned());
        // What was given up tells nothing of the file.
        if !cancel.is_set() {
            locked(&self.known).insert(id.to_owned(), (stamp, row.clone()));
        }
        row
    }

    /// Opens a solution, or takes the one that is open.
    pub(crate) fn open(&self, id: &str, cancel: &Cancel) -> Result<Arc<Opened>, ApiError> {
        self.open_file(&self.existing(id)?, cancel)
    }

    /// The file of a solution that is there.
    pub(crate) fn existing(&self, id: &str) -> Result<PathBuf, ApiError> {
        let path = self.path(id)?;
        if Stamp::of(&path).is_ok() { Ok(path) } else { Err(no_solution(id)) }
    }

    /// The file, if it is open and has not changed.
    pub(crate) fn if_open(&self, path: &Path) -> Option<Arc<Opened>> {
        let stamp = Stamp::of(path).ok()?;
        let mut open = locked(&self.open);
        let at = open.iter().position(|opened| opened.path == path)?;
        let opened = open.remove(at);
        if opened.stamp != stamp {
            return None;
        }
        open.push(Arc::clone(&opened));
        Some(opened)
    }

    /// The same for any file.
    pub(crate) fn open_file(&self, path: &Path, cancel: &Cancel) -> Result<Arc<Opened>, ApiError> {
        if let Some(opened) = self.if_open(path) {
            return Ok(opened);
        }
        let opened = Arc::new(self.open_path(path, cancel)?);
        let mut open = locked(&self.open);
        open.retain(|other| other.path != path);
        if open.len() >= MOST_OPEN {
            open.remove(0);
        }
        open.push(Arc::clone(&opened));
        Ok(opened)
    }

    fn open_path(&self, path: &Path, cancel: &Cancel) -> Result<Opened, ApiError> {
        let stamp = Stamp::of(path).map_err(|error| ApiError::internal(error.kind()))?;
        let (reader, header) = Reader::open_unless(path, &|| cancel.is_set())?;
        Ok(Opened { path: path.to_owned(), stamp, reader: Arc::new(reader), header })
    }

    pub(crate) fn detail(&self, id: &str, cancel: &Cancel) -> Result<SolutionDetail, ApiError> {
        let opened = self.open(id, cancel)?;
        // Files keep no times of checks: they are as far apart as their iterations.
        let each = opened.header.elapsed_s / f64::from(opened.header.iterations.max(1));
        let check = |&(iteration, pct_pot): &(u32, f64)| CheckDocument {
            iteration,
            seconds: f64::from(iteration) * each,
            pct_pot,
        };
        Ok(SolutionDetail {
            row: SolutionRow { labels: labels::of(&self.folder, id), ..opened.row(id) },
            toml: opened.problem(cancel).text,
            ranges: opened.reader.spot().ranges().as_ref().map(ToString::to_string).into(),
            checks: opened.header.checks.iter().map(check).collect(),
            elapsed_s: opened.header.elapsed_s,
            evs: opened.header.evs.into(),
        })
    }

    /// Deletes a solution.
    pub(crate) fn delete(&self, id: &str) -> Result<(), ApiError> {
        let path = self.path(id)?;
        Stamp::of(&path).map_err(|_| no_solution(id))?;
        fs::remove_file(&path).map_err(|error| ApiError::internal(format!("cannot delete it: {error}")))?;
        locked(&self.open).retain(|opened| opened.path != path);
        labels::remove(&self.folder, id);
        Ok(())
    }

    /// Keeps a name that no file can have as the title of a solution.
    pub(crate) fn entitle(&self, id: &str, name: &str) {
        if stem_of(name) != name.trim() {
            let title = LabelsDocument { title: name.to_owned(), ..LabelsDocument::default() };
            // Only a word about it is lost where this fails, and its file has nearly the same.
            let _ = labels::checked(&title).map(|title| labels::write(&self.folder, id, &title));
        }
    }

    /// Checks a file to the last byte and gives it a place in the library.
    pub(crate) fn admit(
        self: &Arc<Library>,
        file: &Path,
        name: &str,
        cancel: &Cancel,
    ) -> Result<SolutionRow, ApiError> {
        let opened = self.open_path(file, cancel)?;
        opened.reader.verify_unless(&|| cancel.is_set())?;
        let name =
            if name.trim().is_empty() { opened.reader.spot().board().to_string() } else { name.to_owned() };
        drop(opened);
        let reserved = self.reserve(&name);
        fs::rename(file, reserved.path())
            .map_err(|error| ApiError::internal(format!("cannot keep the file: {error}")))?;
        let opened = self.open_path(&reserved.path(), cancel)?;
        Ok(opened.row(&reserved.id))
    }

    /// Makes a folder with a free name like this one.
    pub(crate) fn new_folder(&self, name: &str) -> io::Result<(String, PathBuf)> {
        let stem = stem_of(name);
        let mut number = 1_u64;
        loop {
            let id = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            let path = self.folder.join(&id);
            match fs::create_dir(&path) {
                Ok(()) => return Ok((id, path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// A free name like this one.
    pub(crate) fn reserve(self: &Arc<Library>, name: &str) -> Reserved {
        let stem = stem_of(name);
        let mut reserved = locked(&self.reserved);
        let names = std::iter::once(format!("{stem}{ENDING}"))
            .chain((2..).map(|number: u64| format!("{stem}-{number}{ENDING}")));
        let is_free =
            |id: &String| !reserved.contains(id) && fs::symlink_metadata(self.folder.join(id)).is_err();
        let id = { names }.find(is_free).expect("numbers do not end");
        reserved.insert(id.clone());
        Reserved { library: Arc::clone(self), id }
    }
}

fn no_solution(id: &str) -> ApiError {
    let shown: String = id.chars().take(LONGEST).collect();
    ApiError::not_found(format!("there is no solution '{shown}' in the library"))
        .help("GET /api/v1/solutions lists them")
}

/// Whether a text is the name of a solution and nothing else.
fn is_name(text: &str) -> bool {
    text.len() > ENDING.len() && text.ends_with(ENDING) && is_word(text)
}

/// Whether a text is a name that leads nowhere else.
pub(crate) fn is_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.len() <= LONGEST
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(is_plain)
}

/// The characters of a requested name that a file name can have.
fn stem_of(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(ENDING).unwrap_or(name);
    let mut stem = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
        // Dots and dashes stand alone and not at the beginning.
        if c.is_ascii_alphanumeric() || stem.ends_with(|last: char| last.is_ascii_alphanumeric()) {
            stem.push(c);
        }
    }
    stem.truncate(LONGEST - 28);
    let stem = stem.trim_end_matches(['.', '-', '_']);
    if stem.is_empty() { "solution".to_owned() } else { stem.to_owned() }
}

impl Opened {
    /// What the list says of it.
    fn row(&self, id: &str) -> SolutionRow {
        let (spot, header) = (self.reader.spot(), &self.header);
        let config = spot.tree().config();
        SolutionRow {
            id: id.to_owned(),
            board: spot.board().to_string(),
            street: spot.board().street().to_string(),
            starting_pot: config.starting_pot.count(),
            effective_stack: config.effective_stack.count(),
            big_blind: big_blind(&header.note, config),
            exploitability: header.into(),
            iterations: header.iterations,
            algorithm: header.algorithm.clone(),
            storage: header.storage.clone(),
            target_pct: header.target_pct,
            converged: header.converged,
            contents: header.contents,
            bytes: self.stamp.len,
            modified: rfc3339(self.stamp.modified),
            locked: spot.locks().len(),
            labels: LabelsDocument::default(),
        }
    }

    /// What decisions are read from, under this name.
    pub(crate) fn source(&self, name: &str) -> Source {
        let Stamp { modified, len } = self.stamp;
        let modified = modified.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        Source {
            key: format!("{}:{modified}:{len}", self.path.display()),
            reader: Arc::clone(&self.reader),
            solution: SolutionDocument::of_file(name, self.reader.spot(), &self.header),
            contents: self.header.contents,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["a.eqp", "Td9d6h-2.eqp", "x_1.y.eqp"] {
            assert!(is_name(name), "{name}");
        }
        let long = format!("{}.eqp", "a".repeat(200));
        for name in [
            "",
            ".eqp",
            "..eqp",
            "../a.eqp",
            "a/b.eqp",
            "a\\b.eqp",
            "/etc/passwd",
            "a.eqp/..",
            ".jobs",
            "a.toml",
            "a.eqp\0",
            "é.eqp",
            "-a.eqp",
            "a b.eqp",
            "%2e%2e%2fa.eqp",
            &long,
        ] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn any_text_becomes_a_name() {
        for (text, stem) in [
            ("my spot", "my-spot"),
            ("../../etc/passwd", "etc-passwd"),
            ("a..b", "a.b"),
            ("x.eqp", "x"),
            ("  ", "solution"),
            ("…", "solution"),
            ("BTN vs BB, 3-bet pot.", "BTN-vs-BB-3-bet-pot"),
        ] {
            assert_eq!(stem_of(text), stem, "{text}");
            assert!(is_name(&format!("{stem}-18446744073709551615.eqp")));
        }
        assert!(is_name(&format!("{}-18446744073709551615.eqp", stem_of(&"a".repeat(500)))));
    }
}
