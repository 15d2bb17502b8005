//! What a command reads and what it writes, checked before it writes: no output is an input, no two outputs are one file,
//! and a file of another kind is not replaced unasked.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What is in a file, by its first bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FileKind {
    /// With its article, such as `a solution`.
    pub name: &'static str,
    is_of: fn(&[u8]) -> bool,
}

/// As much of a file as a kind is told by. Spot files are shorter.
const MOST_BYTES: u64 = 1 << 20;

impl FileKind {
    /// A table as text: lines of as many cells as the first, which has names of columns as our tables have them: words of
    /// small letters. Lists of hands begin with capitals or digits.
    pub const CSV: FileKind = FileKind::new("a CSV table", is_csv);
    /// Lines of JSON documents, of which the first says its version.
    pub const JSON_LINES: FileKind =
        FileKind::new("a file of JSON lines", |bytes| bytes.starts_with(b"{\"schema_version\":"));
    /// A Parquet file.
    pub const PARQUET: FileKind = FileKind::new("a Parquet file", |bytes| bytes.starts_with(b"PAR1"));
    /// A picture.
    pub const SVG: FileKind = FileKind::new("an SVG picture", |bytes| bytes.starts_with(b"<svg"));

    /// A kind that is told by the first mebibyte of a file.
    #[must_use]
    pub const fn new(name: &'static str, is_of: fn(&[u8]) -> bool) -> FileKind {
        FileKind { name, is_of }
    }

    /// Whether a file may be replaced by one of this kind: it is of this kind, or empty. What cannot be read is not.
    fn may_replace(self, path: &Path) -> bool {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        read.is_ok() && (bytes.is_empty() || (self.is_of)(&bytes))
    }
}

fn is_csv(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    // What stands in quotation marks is one cell, whatever is in it.
    let cells = |line: &[u8]| {
        let outside = line.split(|&byte| byte == b'"').step_by(2);
        1 + outside.flatten().filter(|&&byte| byte == b',').count()
    };
    let is_name = |cell: &[u8]| {
        let is_part =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_:.-".contains(byte);
        cell.first().is_some_and(u8::is_ascii_lowercase) && cell.iter().all(is_part)
    };
    let header = lines.next().unwrap_or_default();
    let is_header = cells(header) > 1 && header.split(|&byte| byte == b',').all(is_name);
    // Of a long file the last line may be cut.
    is_header && lines.next().is_none_or(|row| row.is_empty() || cells(row) == cells(header))
}

/// A file with what the command line calls it.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    path: PathBuf,
}

/// The files of one command.
///
/// ```
/// use equipoise_files::{FileKind, Outputs};
/// let folder = std::env::temp_dir().join(format!("equipoise-outputs-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (spot, other) = (folder.join("spot.toml"), folder.join("other.csv"));
/// std::fs::write(&spot, "[tree]\n")?;
/// let files = Outputs::new().read("the spot file", &spot);
/// assert!(files.clone().write("--csv", &other, FileKind::CSV).check().is_ok());
/// let spelled = folder.join(".").join("spot.toml");
/// assert!(files.write("--csv", &spelled, FileKind::CSV).check().is_err());
/// // Of another kind: not unasked.
/// let files = Outputs::new().write("--csv", &spot, FileKind::CSV);
/// assert!(files.check().is_err() && files.force(true).check().is_ok());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is checked before `check`"]
pub struct Outputs {
    inputs: Vec<Named>,
    outputs: Vec<Output>,
    force: bool,
}

#[derive(Clone, Debug)]
struct Output {
    file: Named,
    kind: FileKind,
    /// Whether it is there to be read and replaced by what is made of it.
    is_update: bool,
}

/// Why a command must not write what it was asked to; what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputError {
    /// What is wrong, with the names of the files.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
    /// Whether it would be written if it were forced.
    pub can_be_forced: bool,
}

impl std::fmt::Display for OutputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.message, self.help)
    }
}

impl std::error::Error for OutputError {}

impl Outputs {
    /// No files yet.
    pub fn new() -> Outputs {
        Outputs::default()
    }

    /// Adds a file that is read; `-` is standard input, which may be a file too.
    pub fn read(mut self, name: &str, path: &Path) -> Outputs {
        let path = if is_standard(path) { Path::new(STANDARD_INPUT) } else { path };
        self.inputs.push(Named { name: name.to_owned(), path: path.to_owned() });
        self
    }

    /// Adds a file that is read if there is one.
    pub fn read_if(self, name: &str, path: Option<&Path>) -> Outputs {
        match path {
            Some(path) => self.read(name, path),
            None => self,
        }
    }

    /// Adds all files of a folder, but not of folders in it.
    pub fn read_all(mut self, name: &str, folder: &Path) -> Outputs {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        self.inputs.extend(entries.map(|entry| Named { name: name.to_owned(), path: entry.path() }));
        self
    }

    /// Adds a file that is written; `-` is standard output, which replaces nothing.
    pub fn write(mut self, name: &str, path: &Path, kind: FileKind) -> Outputs {
        self.add(name, path, kind, false);
        self
    }

    /// Adds a file that may be an input, because replacing it is what the command is for.
    pub fn update(mut self, name: &str, path: &Path, kind: FileKind) -> Outputs {
        self.add(name, path, kind, true);
        self
    }

    /// Adds a file that may be an input if there is one.
    pub fn update_if(self, name: &str, path: Option<&Path>, kind: FileKind) -> Outputs {
        match path {
            Some(path) => self.update(name, path, kind),
            None => self,
        }
    }

    fn add(&mut self, name: &str, path: &Path, kind: FileKind, is_update: bool) {
        if !is_standard(path) {
            let file = Named { name: name.to_owned(), path: path.to_owned() };
            self.outputs.push(Output { file, kind, is_update });
        }
    }

    /// Adds a file that is written if there is one.
    pub fn write_if(self, name: &str, path: Option<&Path>, kind: FileKind) -> Outputs {
        match path {
            Some(path) => self.write(name, path, kind),
            None => self,
        }
    }

    /// Whether files of other kinds are replaced. An input never is.
    pub fn force(mut self, force: bool) -> Outputs {
        self.force = force;
        self
    }

    /// Whether everything may be written. Links and other spellings of a path are seen through; devices and pipes hold
    /// nothing that could be lost.
    ///
    /// # Errors
    /// [`OutputError`] if an output is an input or another output, or a file of another kind and that is not forced.
    pub fn check(&self) -> Result<(), OutputError> {
        for (at, Output { file, kind, is_update }) in self.outputs.iter().enumerate() {
            let found = fs::metadata(&file.path).ok();
            // A folder is refused by whoever creates the file.
            if found.as_ref().is_some_and(|found| !found.is_file()) {
                continue;
            }
            let input = self.inputs.iter().find(|input| is_same(&input.path, &file.path));
            if let Some(input) = input.filter(|_| !is_update) {
                return Err(OutputError {
                    message: is_input(file, input),
                    help: "give another name: the output would replace what is read",
                    can_be_forced: false,
                });
            }
            let mut others = self.outputs[..at].iter();
            if let Some(other) = others.find(|other| is_same(&other.file.path, &file.path)) {
                let (first, path) = (&other.file.name, file.path.display());
                return Err(OutputError {
                    message: format!("{first} and {} name the same file, {path}", file.name),
                    help: "give each its own",
                    can_be_forced: false,
                });
            }
            if found.is_some() && !self.force && !kind.may_replace(&file.path) {
                let (path, kind) = (file.path.display(), kind.name);
                return Err(OutputError {
                    message: format!("{} names {path}, which is there and is not {kind}", file.name),
                    help: "give another name, or --force to replace it",
                    can_be_forced: true,
                });
            }
        }
        Ok(())
    }
}

/// That an output is an input, in words.
fn is_input(output: &Named, input: &Named) -> String {
    let (name, to) = (&output.name, output.path.display());
    if output.path == input.path {
        format!("{name} names {to}, which is {}", input.name)
    } else if input.path == Path::new(STANDARD_INPUT) {
        format!("{name} names {to}, which standard input reads as {}", input.name)
    } else {
        format!("{name} names {to}, which is the same file as {}, {}", input.path.display(), input.name)
    }
}

/// Leads to the file that standard input was redirected from.
const STANDARD_INPUT: &str = "/dev/stdin";

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether two paths lead to the same file, which need not be there.
fn is_same(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(of_a), Ok(of_b)) => is_same_file(a, &of_a, b, &of_b),
        (Err(_), Err(_)) => resolved(a).is_some_and(|a| resolved(b) == Some(a)),
        _ => false,
    }
}

#[cfg(unix)]
fn is_same_file(_: &Path, of_a: &Metadata, _: &Path, of_b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (of_a.dev(), of_a.ino()) == (of_b.dev(), of_b.ino())
}

#[cfg(not(unix))]
fn is_same_file(a: &Path, _: &Metadata, b: &Path, _: &Metadata) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// The path without links and detours, of a file that is not there.
fn resolved(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_told_from_other_text() {
        for text in [
            "combo,class,bet:120_frequency,all-in:900_ev_loss\nAhKh,AKs,0.5,1\n",
            "iteration,pct\n",
            "a,b",
            "a,b\r\n1,2\r\n",
            "algorithm,iteration\n\"dcfr(1.5,0,2)\",1\n",
        ] {
            assert!(is_csv(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "\n",
            "a\n1\n",
            "AA,KK,AKs",
            "77,88\n",
            "a,b\n1\n",
            "[ranges]\noop = \"AA,KK\"\n",
            "# a, b\n",
            "EQPSOLUT,\n",
            "dear reader, this is text\n",
            "name,\n",
        ] {
            assert!(!is_csv(text.as_bytes()), "{text}");
        }
    }

    /// Links, spellings, files that are not there yet, and devices.
    #[cfg(unix)]
    #[test]
    fn an_output_is_no_input_however_it_is_spelled() {
        let folder = std::env::temp_dir().join(format!("equipoise-spelled-{}", std::process::id()));
        fs::create_dir_all(folder.join("below")).unwrap();
        let path = folder.join("x");
        fs::write(&path, "a,b\n").unwrap();
        let (hard, soft) = (folder.join("hard"), folder.join("soft"));
        fs::hard_link(&path, &hard).unwrap();
        std::os::unix::fs::symlink(&path, &soft).unwrap();
        let spelled = folder.join("below").join("..").join("x");
        let csv = |path: &Path| {
            Outputs::new().read("the input", &folder.join("x")).write("--csv", path, FileKind::CSV)
        };
        for output in [&path, &hard, &soft, &spelled] {
            let error = csv(output).force(true).check().unwrap_err();
            assert!(error.message.contains("--csv names") && error.message.ends_with("the input"), "{error}");
        }
        assert_eq!(csv(&folder.join("new")).check(), Ok(()));
        assert_eq!(csv(Path::new("/dev/null")).check(), Ok(()));
        assert_eq!(csv(Path::new("-")).check(), Ok(()));
        let two = |a: &Path, b: &Path| {
            Outputs::new().write("--csv", a, FileKind::CSV).write("--plot", b, FileKind::CSV).check()
        };
        assert!(two(&folder.join("new"), &folder.join("below").join("..").join("new")).is_err());
        assert!(two(&path, &hard).is_err());
        assert_eq!(two(&folder.join("new"), &folder.join("below").join("new")), Ok(()));
        assert_eq!(two(Path::new("/dev/null"), Path::new("/dev/null")), Ok(()));
        let update = Outputs::new().read("the input", &path).update("-o", &soft, FileKind::CSV);
        assert_eq!(update.check(), Ok(()));
        fs::remove_dir_all(&folder).unwrap();
    }
}
