//! What can be wrong with a spot file, and where.

use std::fmt;

use thiserror::Error;

use crate::cards::{BoardError, ParseCardsError, ParseRangeError, Street};
use crate::cfr::{AlgorithmError, ParameterError};
use crate::game::{
    ChipsError, ConfigError, LineError, ParseActionError, ParseLineError, ParseMenuError, ParsePresetError,
    TreeError,
};
use crate::postflop::SpotError;

/// Why a spot file is no problem that can be solved: what, at which key, where in the text, and what to do.
///
/// It displays as one line of all that but the suggestion.
#[derive(Clone, Debug, PartialEq)]
pub struct SpotFileError {
    /// Behind a pointer, so that results stay small.
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    cause: Cause,
    key: Option<String>,
    position: Option<Position>,
    suggestion: Option<String>,
}

/// A place in the text of a spot file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line, the first being 1.
    pub line: usize,
    /// The character of that line, the first being 1; one more than the line has at its end.
    pub column: usize,
    /// How many bytes of the file come before it.
    pub offset: usize,
    /// The line, without its end.
    pub text: String,
}

impl Position {
    /// The place of a byte; of the end if there are fewer.
    pub(crate) fn new(text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let (before, after) = text.split_at(offset);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let end = after.find('\n').map_or(text.len(), |newline| offset + newline);
        let text = text[start..end].trim_end_matches('\r').to_owned();
        let column = before[start..].chars().count().min(text.chars().count()) + 1;
        Position { line, column, offset, text }
    }
}

/// What is wrong, without its place.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Cause {
    /// The text is no TOML, or a value is of another type than its key asks for.
    #[error("{0}")]
    Toml(String),
    /// A key that the format does not have.
    #[error("unknown {} `{key}`", if *.is_top { "section or key" } else { "key" })]
    UnknownKey {
        /// The key.
        key: String,
        /// Whether it stands at the top of the file, where a section could.
        is_top: bool,
    },
    /// A section that is written as another kind of value.
    #[error("must be a table of keys")]
    NotATable,
    /// A list of tables that is written as one table.
    #[error("must be a list of tables")]
    NotAList,
    /// A key that must be there is not.
    #[error("has no `{key}`")]
    Missing {
        /// The key.
        key: String,
    },
    /// A version of the format that is not known.
    #[error("{found} is not a version that this program reads: it reads {}", super::SCHEMA_VERSION)]
    Version {
        /// The version of the file.
        found: i64,
    },
    /// A river without a turn.
    #[error("there is a river but no turn")]
    RiverWithoutTurn,
    /// Too many or too few cards for a street.
    #[error("the {street} is {}, not {found}", cards_in_words(*.expected))]
    NumCards {
        /// The street.
        street: Street,
        /// How many it deals.
        expected: usize,
        /// How many are written.
        found: usize,
    },
    /// A value that makes no sense, in words.
    #[error("{0}")]
    Value(String),
    /// Text that is no cards.
    #[error(transparent)]
    Cards(#[from] ParseCardsError),
    /// Text that is no range.
    #[error(transparent)]
    Range(#[from] ParseRangeError),
    /// Cards that are no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A number that is no chips.
    #[error(transparent)]
    Chips(#[from] ChipsError),
    /// Text that is no list of bet sizes.
    #[error(transparent)]
    Menu(#[from] ParseMenuError),
    /// A preset that does not exist.
    #[error(transparent)]
    Preset(#[from] ParsePresetError),
    /// Text that is no line.
    #[error(transparent)]
    LineText(#[from] ParseLineError),
    /// A line that leaves the tree.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Text that is no action.
    #[error(transparent)]
    Action(#[from] ParseActionError),
    /// Betting that makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An algorithm that does not exist.
    #[error(transparent)]
    Algorithm(#[from] AlgorithmError),
    /// A parameter that does not fit the algorithm.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Ranges, board, betting and locks that do not fit together.
    #[error(transparent)]
    Spot(#[from] SpotError),
}

impl From<String> for Cause {
    fn from(words: String) -> Cause {
        Cause::Value(words)
    }
}

impl From<&str> for Cause {
    fn from(words: &str) -> Cause {
        Cause::Value(words.to_owned())
    }
}

impl SpotFileError {
    pub(super) fn new(
        cause: impl Into<Cause>,
        key: Option<String>,
        position: Option<Position>,
    ) -> SpotFileError {
        SpotFileError { inner: Box::new(Inner { cause: cause.into(), key, position, suggestion: None }) }
    }

    /// The same at another place.
    pub(super) fn moved_to(&self, position: Option<Position>) -> SpotFileError {
        SpotFileError { inner: Box::new(Inner { position, ..(*self.inner).clone() }) }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> SpotFileError {
        self.inner.suggestion = Some(help.into());
        self
    }

    /// What is wrong.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.inner.cause
    }

    /// Whether nothing is wrong, and the reader did not want it any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self.inner.cause, Cause::Spot(SpotError::Tree(TreeError::Cancelled)))
    }

    /// The key with its sections, such as `tree.starting_pot`, `tree.add_lines.0` or `locks.0.line`; absent where the
    /// text is no TOML.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.inner.key.as_deref()
    }

    /// Where it stands; absent if neither the key nor its section is in the file.
    #[must_use]
    pub fn position(&self) -> Option<&Position> {
        self.inner.position.as_ref()
    }

    /// What to do about it, such as "did you mean `turn`?".
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.inner.suggestion.as_deref()
    }

    /// Section, key and cause in one line, for programs that show the position in their own way.
    #[must_use]
    pub fn message(&self) -> String {
        let cause = self.cause();
        let Some(place) = self.key() else { return cause.to_string() };
        let (section, key) = split_key(place);
        let section = if section.is_empty() { String::new() } else { format!("[{section}] ") };
        match cause {
            Cause::UnknownKey { .. } | Cause::Missing { .. } => {
                format!("{section}{cause}")
            }
            Cause::NotATable | Cause::NotAList => format!("[{place}] {cause}"),
            // These name their key for those who see them alone.
            Cause::Config(_) | Cause::Parameter(_) => {
                format!("{section}{key}: {}", without_key(place, &cause.to_string()))
            }
            // A number stands for the place in a list, which the position shows better.
            _ if key.parse::<usize>().is_ok() => format!("{section}{cause}"),
            _ => format!("{section}{key}: {cause}"),
        }
    }
}

impl fmt::Display for SpotFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column, .. }) = self.position() {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message())
    }
}

/// Without a source: the cause is part of the text already.
impl std::error::Error for SpotFileError {}

/// What a cause says without the key that it begins with: `flop oop_bet` of a menu, `gamma` of a number.
fn without_key<'a>(place: &str, cause: &'a str) -> &'a str {
    let (section, key) = split_key(place);
    let menu = section.strip_prefix("bet_sizes.").map(|street| format!("{street} {key}"));
    let rest = cause.strip_prefix(menu.as_deref().unwrap_or(key));
    let rest = rest.and_then(|rest| [": ", " = ", " "].into_iter().find_map(|end| rest.strip_prefix(end)));
    rest.unwrap_or(cause)
}

/// "1 card" or "3 cards".
pub(super) fn cards_in_words(count: usize) -> String {
    format!("{count} card{}", if count == 1 { "" } else { "s" })
}

/// Keys with their dots between them; those that have a dot themselves stand in quotes, as in TOML.
pub(super) fn join_keys(keys: &[&str]) -> String {
    let quoted = |key: &&str| if key.contains('.') { format!("\"{key}\"") } else { (*key).to_owned() };
    keys.iter().map(quoted).collect::<Vec<String>>().join(".")
}

/// The section and the last key of a place.
pub(super) fn split_key(place: &str) -> (&str, &str) {
    let last = match place.strip_suffix('"') {
        Some(rest) => rest.rfind(".\""),
        None => place.rfind('.'),
    };
    last.map_or(("", place), |dot| (&place[..dot], &place[dot + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "a = 1\r\nsuit = \"♥x\"\n";
        let place = |offset| {
            let Position { line, column, text, .. } = Position::new(text, offset);
            (line, column, text)
        };
        assert_eq!(place(0), (1, 1, "a = 1".to_owned()));
        let x = text.find('x').unwrap();
        assert_eq!(place(x), (2, 10, "suit = \"♥x\"".to_owned()));
        // Inside a character is at it, beyond the end is at the end.
        assert_eq!(place(x - 1), (2, 9, "suit = \"♥x\"".to_owned()));
        assert_eq!(place(99), (3, 1, String::new()));
        assert_eq!(Position::new("", 5).line, 1);
    }

    #[test]
    fn keys_with_dots_stay_whole() {
        let place = join_keys(&["locks", "0", "hands", "AKs:0.5"]);
        assert_eq!(place, "locks.0.hands.\"AKs:0.5\"");
        assert_eq!(split_key(&place), ("locks.0.hands", "\"AKs:0.5\""));
        assert_eq!(split_key("tree.preset"), ("tree", "preset"));
        assert_eq!(split_key("tree"), ("", "tree"));
    }
}
