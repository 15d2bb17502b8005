//! Lines of play through the betting tree.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::action::{Action, ParseActionError, WrittenAction};
use crate::chips::Chips;

/// A line of play from the root of a betting tree: actions separated by blanks, streets by `|`.
///
/// `check bet:120 call | check` is: OOP checks, IP bets 120, OOP calls, a card comes, OOP checks. Which card
/// comes is not written, since the betting tree is the same for all of them. The empty line is the root, and
/// a `|` at the end stands for the card: `check check |` is the first decision of the next street.
///
/// ```
/// use equipoise_game::Line;
/// let line: Line = "check  bet:120 call|check".parse()?;
/// assert_eq!(line.to_string(), "check bet:120 call | check");
/// assert_eq!(line.streets().len(), 2);
/// assert_eq!("check bett:5".parse::<Line>().unwrap_err().at(), 6);
/// # Ok::<(), equipoise_game::ParseLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// At least one street; only a line's own construction changes it.
    streets: Vec<Vec<WrittenAction>>,
}

/// Why a text is no line; `at` is the byte where the trouble begins.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseLineError {
    /// Something that is no action.
    #[error("at byte {at}: {source}")]
    Action {
        /// Where it stands.
        at: usize,
        /// What is wrong with it.
        source: ParseActionError,
    },
    /// A card, which lines of a tree do not have.
    #[error(
        "the card {text} at byte {at}: a line of the tree holds for every card, so write only '|' between streets"
    )]
    Card {
        /// Where it stands.
        at: usize,
        /// The card.
        text: String,
    },
}

impl ParseLineError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match *self {
            ParseLineError::Action { at, .. } | ParseLineError::Card { at, .. } => at,
        }
    }
}

/// Why a line does not fit a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// An action that is not there.
    #[error("the line '{line}': '{action}' is not possible there; possible: {}", list(possible))]
    NotPossible {
        /// The line.
        line: Line,
        /// The action.
        action: WrittenAction,
        /// What is possible.
        possible: Vec<Action>,
    },
    /// An amount that the rules do not allow.
    #[error("the line '{line}': '{action}' is no legal amount there; bets and raises go from {min} to {max}")]
    IllegalAmount {
        /// The line.
        line: Line,
        /// The action.
        action: WrittenAction,
        /// The least total.
        min: Chips,
        /// The all-in total.
        max: Chips,
    },
    /// An action where a card comes.
    #[error("the line '{line}': the street is over before '{action}'; write '|' there")]
    StreetOver {
        /// The line.
        line: Line,
        /// The action.
        action: WrittenAction,
    },
    /// A `|` where the street is not over.
    #[error("the line '{line}': a '|' comes before the street is over; possible there: {}", list(possible))]
    StreetGoesOn {
        /// The line.
        line: Line,
        /// What is possible.
        possible: Vec<Action>,
    },
    /// Something after the end of the hand.
    #[error("the line '{line}' goes on after the hand is over")]
    HandOver {
        /// The line.
        line: Line,
    },
    /// A line to be added or removed that ends in no action.
    #[error("the line '{line}' does not end with an action, so there is nothing to add or remove")]
    NoAction {
        /// The line.
        line: Line,
    },
    /// A line to be added that goes through an action which another line removes.
    #[error("the line '{line}' cannot be added: another line removes '{action}' from it")]
    Removed {
        /// The line.
        line: Line,
        /// The action.
        action: WrittenAction,
    },
    /// A removal that would leave a decision without actions.
    #[error("the line '{line}' cannot be removed: '{action}' is the only action there")]
    OnlyAction {
        /// The line.
        line: Line,
        /// The action.
        action: Action,
    },
}

fn list(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Line {
    /// The root.
    #[must_use]
    pub fn root() -> Line {
        Line { streets: vec![Vec::new()] }
    }

    /// The actions of each street, at least one street.
    #[must_use]
    pub fn streets(&self) -> &[Vec<WrittenAction>] {
        &self.streets
    }

    /// Appends an action to the current street.
    pub fn act(&mut self, action: WrittenAction) {
        if let Some(street) = self.streets.last_mut() {
            street.push(action);
        }
    }

    /// Appends a card: the next street begins.
    pub fn deal(&mut self) {
        self.streets.push(Vec::new());
    }

    /// Whether the line ends with an action (and not at the root or with a card).
    pub(crate) fn ends_with_action(&self) -> bool {
        self.streets.last().is_some_and(|street| !street.is_empty())
    }
}

/// What a line says next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Act(WrittenAction),
    Deal,
    End,
}

/// How far a line has been followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) line: &'a Line,
    street: usize,
    action: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(line: &'a Line) -> Cursor<'a> {
        Cursor { line, street: 0, action: 0 }
    }

    pub(crate) fn step(&self) -> Step {
        match self.line.streets[self.street].get(self.action) {
            Some(&action) => Step::Act(action),
            None if self.street + 1 < self.line.streets.len() => Step::Deal,
            None => Step::End,
        }
    }

    pub(crate) fn advanced(mut self) -> Cursor<'a> {
        match self.step() {
            Step::Act(_) => self.action += 1,
            Step::Deal => (self.street, self.action) = (self.street + 1, 0),
            Step::End => {}
        }
        self
    }

    /// The line after an action of the tree; `None` if it takes another one or ends with this one.
    pub(crate) fn through(&self, action: Action) -> Option<Cursor<'a>> {
        match self.step() {
            Step::Act(written) if written.matches(action) && !self.is_last_action() => Some(self.advanced()),
            _ => None,
        }
    }

    /// Whether the next action is the line's last.
    pub(crate) fn is_last_action(&self) -> bool {
        matches!(self.step(), Step::Act(_)) && self.advanced().step() == Step::End
    }

    /// The action that the line has at a decision; `None` at its end.
    pub(crate) fn action_at_decision(&self, possible: &[Action]) -> Result<Option<WrittenAction>, LineError> {
        match self.step() {
            Step::Act(action) => Ok(Some(action)),
            Step::End => Ok(None),
            Step::Deal => {
                Err(LineError::StreetGoesOn { line: self.line.clone(), possible: possible.to_vec() })
            }
        }
    }

    /// Checks that the line has a card here or ends here; `true` if it has a card.
    pub(crate) fn deals_at_chance(&self) -> Result<bool, LineError> {
        match self.step() {
            Step::Deal => Ok(true),
            Step::End => Ok(false),
            Step::Act(action) => Err(LineError::StreetOver { line: self.line.clone(), action }),
        }
    }

    /// Checks that the line ends where the hand does.
    pub(crate) fn ends_at_terminal(&self) -> Result<(), LineError> {
        match self.step() {
            Step::End => Ok(()),
            _ => Err(LineError::HandOver { line: self.line.clone() }),
        }
    }
}

impl FromStr for Line {
    type Err = ParseLineError;

    fn from_str(text: &str) -> Result<Line, ParseLineError> {
        let mut line = Line::root();
        let mut start = 0;
        for (id, street) in text.split('|').enumerate() {
            if id > 0 {
                line.deal();
                start += 1;
            }
            let mut at = start;
            for piece in street.split_inclusive(char::is_whitespace) {
                let word = piece.trim_end();
                if !word.is_empty() {
                    line.act(parse_word(word, at)?);
                }
                at += piece.len();
            }
            start += street.len();
        }
        Ok(line)
    }
}

fn parse_word(word: &str, at: usize) -> Result<WrittenAction, ParseLineError> {
    word.parse().map_err(|source| match word.parse::<equipoise_cards::Card>() {
        Ok(_) => ParseLineError::Card { at, text: word.to_owned() },
        Err(_) => ParseLineError::Action { at, source },
    })
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, street) in self.streets.iter().enumerate() {
            if id > 0 {
                f.write_str(if id == 1 && self.streets[0].is_empty() { "|" } else { " |" })?;
            }
            for (position, action) in street.iter().enumerate() {
                f.write_str(if id == 0 && position == 0 { "" } else { " " })?;
                write!(f, "{action}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings() {
        for (text, want) in [
            ("", ""),
            ("  check ", "check"),
            ("check check|", "check check |"),
            ("bet:5 call | check check | allin", "bet:5 call | check check | allin"),
            ("||", "| |"),
        ] {
            assert_eq!(text.parse::<Line>().unwrap().to_string(), want);
        }
    }

    #[test]
    fn errors_point_at_the_byte() {
        for (text, at, part) in [
            ("chek", 0, "is no action"),
            ("check bet", 6, "bet:120"),
            ("check check | 7s | check", 14, "every card"),
            ("a|é", 0, "is no action"),
            ("check|\u{2003}é", 9, "is no action"),
        ] {
            let error = text.parse::<Line>().unwrap_err();
            assert_eq!(error.at(), at, "{text}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_lines_read_back(
            text in "\\PC{0,24}|((check|call|fold|allin|bet:[0-9]{1,3}|raise:7|[|]) {0,2}){0,8}",
        ) {
            match text.parse::<Line>() {
                Ok(line) => prop_assert_eq!(line.to_string().parse::<Line>(), Ok(line)),
                Err(error) => prop_assert!(text.is_char_boundary(error.at())),
            }
        }
    }
}
