//! What is answered where a command cannot be done.

use thiserror::Error;

/// Why a command was not done; the text after `ERROR: ` in the answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UpiError(String);

/// How much of a long word is repeated in an answer.
const SHOWN: usize = 60;

impl UpiError {
    pub(crate) fn new(message: impl ToString) -> UpiError {
        // An answer is one line, whatever a message has in it.
        UpiError(message.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The same error at a place.
    pub(crate) fn at(self, place: impl std::fmt::Display) -> UpiError {
        UpiError::new(format!("{place}: {}", self.0))
    }
}

/// A word of the input as an answer may repeat it: not too long, and nothing in it that would move a cursor.
pub(crate) fn shown(word: &str) -> String {
    let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut text: String = word.chars().take(SHOWN).map(clean).collect();
    if word.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}
