//! Where a decision is: the actions and the cards that lead there.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::Card;
use equipoise_game::{Line, ParseLineError};
use thiserror::Error;

/// A way through a spot: actions, the card that comes, actions, and so on. The empty path is the root.
///
/// ```
/// use equipoise_postflop::NodePath;
/// let path: NodePath = "check bet:120 call | 7s | check".parse()?;
/// assert_eq!(path.line.to_string(), "check bet:120 call | check");
/// assert_eq!(path.runout, ["7s".parse()?]);
/// assert_eq!(path.to_string(), "check bet:120 call | 7s | check");
/// assert_eq!("check | 7x | bet".parse::<NodePath>().unwrap_err().at(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Actions and cards are all there is.
pub struct NodePath {
    /// The actions.
    pub line: Line,
    /// The cards, one between two streets.
    pub runout: Vec<Card>,
}

/// Why a text is no path; `at` is the byte where the trouble begins.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParsePathError {
    /// Something that is no action.
    #[error(transparent)]
    Line(#[from] ParseLineError),
    /// Something else where a card comes.
    #[error(
        "at byte {at}: '{text}' is no card: between two streets stands the card, as in 'check check | 7s | bet:50'"
    )]
    Card {
        /// Where it stands.
        at: usize,
        /// What stands there.
        text: String,
    },
}

impl ParsePathError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            ParsePathError::Line(error) => error.at(),
            ParsePathError::Card { at, .. } => *at,
        }
    }
}

impl NodePath {
    /// The root.
    #[must_use]
    pub fn root() -> NodePath {
        NodePath { line: Line::root(), runout: Vec::new() }
    }
}

impl FromStr for NodePath {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<NodePath, ParsePathError> {
        // What is left of the text without its cards is a line, and every byte of it keeps its place.
        let mut line = String::new();
        let mut runout = Vec::new();
        let mut at = 0;
        for (number, part) in text.split('|').enumerate() {
            if number % 2 == 0 {
                line.push_str(part);
            } else {
                let begin = at + part.len() - part.trim_start().len();
                let written = part.trim();
                let wrong = || ParsePathError::Card { at: begin, text: written.to_owned() };
                runout.push(written.parse().map_err(|_| wrong())?);
                line.push_str(&" ".repeat(part.len()));
            }
            at += part.len() + 1;
            if at <= text.len() {
                line.push(if number % 2 == 0 { '|' } else { ' ' });
            }
        }
        Ok(NodePath { line: line.parse()?, runout })
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.to_string();
        let mut cards = self.runout.iter();
        for (number, street) in line.split('|').enumerate() {
            if number > 0 {
                match cards.next() {
                    Some(card) => write!(f, " | {card} |")?,
                    None => write!(f, " |")?,
                }
            }
            let street = street.trim();
            if !street.is_empty() {
                write!(f, "{}{street}", if number > 0 { " " } else { "" })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in
            ["", "check", "check check | 7s | bet:50", "check check | 7s | check check | 2c |", " | 7s |"]
        {
            let path: NodePath = text.parse().unwrap();
            assert_eq!(path.to_string(), text, "{path:?}");
            assert_eq!(path.to_string().parse::<NodePath>().unwrap(), path);
        }
        // The last stroke may be left out.
        assert_eq!("check check | 7s".parse::<NodePath>(), "check check|7s|".parse());
    }

    #[test]
    fn errors_say_where() {
        for (text, at) in
            [("check chek", 6), ("check | 7 | bet:1", 8), ("check || bet:1", 7), ("a | 7s | b", 0)]
        {
            assert_eq!(text.parse::<NodePath>().unwrap_err().at(), at, "{text}");
        }
        assert_eq!("check check | 7s | bett:5".parse::<NodePath>().unwrap_err().at(), 19);
    }
}
