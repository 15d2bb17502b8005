//! Spots of other programs, as spot files of this one.
//!
//! | format | what it is |
//! | --- | --- |
//! | [`ImportFormat::TexasSolver`] | the commands that TexasSolver's console reads: `set_pot 50` |
//! | [`ImportFormat::WasmPostflop`] | the configuration of WASM Postflop and Desktop Postflop as JSON |
//! | [`ImportFormat::KeyText`] | lines of `#Key#value`, as PioSOLVER's tree builder copies and pastes them |
//!
//! What means the same there and here is carried over; everything else is listed in [`Imported::notes`], with its line.
//! `docs/import.md` says what becomes of each command and key.
//!
//! ```
//! use equipoise_spots::import::{ImportFormat, import};
//! let script = "set_pot 50\nset_effective_stack 200\nset_board Qs,Jh,2h\n\
//!     set_range_oop QQ:0.5,JJ\nset_range_ip AA,KK\nset_bet_sizes oop,flop,bet,50\nset_thread_num 8\n";
//! let imported = import(script, None)?;
//! assert_eq!(imported.format, ImportFormat::TexasSolver);
//! assert_eq!(imported.problem.spot.board().to_string(), "Qs Jh 2h".replace(' ', ""));
//! assert_eq!(imported.notes[0].line, Some(7));
//! # Ok::<(), equipoise_spots::import::ImportError>(())
//! ```

mod draft;
mod key_text;
mod sizes;
mod texas_solver;
mod wasm_postflop;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::spot_file::{Position, Problem};

/// Whose format a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportFormat {
    /// Commands of TexasSolver's console.
    TexasSolver,
    /// The JSON configuration of WASM Postflop and Desktop Postflop.
    WasmPostflop,
    /// Lines of `#Key#value`.
    KeyText,
}

impl ImportFormat {
    /// All of them.
    pub const ALL: [ImportFormat; 3] =
        [ImportFormat::TexasSolver, ImportFormat::WasmPostflop, ImportFormat::KeyText];

    /// The name by which it is chosen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ImportFormat::TexasSolver => "texassolver",
            ImportFormat::WasmPostflop => "wasm-postflop",
            ImportFormat::KeyText => "piosolver",
        }
    }

    /// The format of a text, by the first thing that is written in it.
    #[must_use]
    pub fn of_text(text: &str) -> Option<ImportFormat> {
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty())?;
        if first.starts_with('{') {
            return Some(ImportFormat::WasmPostflop);
        }
        let mut all = text.lines().map(str::trim);
        if first.starts_with('#') && all.any(|line| key_text::split(line).is_some()) {
            return Some(ImportFormat::KeyText);
        }
        let mut all = text.lines().map(str::trim);
        all.any(texas_solver::is_command).then_some(ImportFormat::TexasSolver)
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ImportFormat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ImportFormat, &'static str> {
        let found = ImportFormat::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        found.ok_or("a format is texassolver, wasm-postflop or piosolver")
    }
}

/// Something that was not carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportNote {
    /// The line where it stands, the first being 1; nothing if it is about something that is not written.
    pub line: Option<usize>,
    /// What stands there, shortened.
    pub text: String,
    /// Why it was not carried over, and what holds instead.
    pub reason: String,
}

/// A spot of another program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Imported {
    /// The format that it was in.
    pub format: ImportFormat,
    /// The spot file.
    pub toml: String,
    /// What the spot file says.
    pub problem: Problem,
    /// What was not carried over, in the order of the lines.
    pub notes: Vec<ImportNote>,
}

/// Why a file is no spot of another program.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{message}", place(self.position.as_ref()))]
#[non_exhaustive]
pub struct ImportError {
    /// What is wrong.
    pub message: String,
    /// Where it stands in the file.
    pub position: Option<Position>,
    /// What to do about it.
    pub help: Option<String>,
}

fn place(position: Option<&Position>) -> String {
    position.map_or_else(String::new, |at| format!("line {}, column {}: ", at.line, at.column))
}

impl ImportError {
    fn new(message: impl fmt::Display) -> ImportError {
        ImportError { message: message.to_string(), position: None, help: None }
    }

    fn at(text: &str, offset: usize, message: impl fmt::Display) -> ImportError {
        ImportError { position: Some(Position::new(text, offset)), ..ImportError::new(message) }
    }

    fn help(mut self, help: impl Into<String>) -> ImportError {
        self.help = Some(help.into());
        self
    }
}

/// Reads a file of another program; without a format it is detected from the text.
///
/// # Errors
/// [`ImportError`] if it is in none of the formats, something in it cannot be read, or it is no spot that can be solved.
pub fn import(text: &str, format: Option<ImportFormat>) -> Result<Imported, ImportError> {
    let Some(format) = format.or_else(|| ImportFormat::of_text(text)) else {
        return Err(ImportError::new("this is no file of TexasSolver, WASM Postflop or PioSOLVER")
            .help("--format says which it is; docs/import.md describes all three"));
    };
    let draft = match format {
        ImportFormat::TexasSolver => texas_solver::read(text)?,
        ImportFormat::WasmPostflop => wasm_postflop::read(text)?,
        ImportFormat::KeyText => key_text::read(text)?,
    };
    draft.finish(format)
}

#[cfg(test)]
mod tests;
