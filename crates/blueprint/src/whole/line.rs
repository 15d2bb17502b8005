//! Lines of a whole hand as text: `r2.5 c | Td9d6h | x b75`.

use equipoise_cards::{Board, Street};
use equipoise_game::NodeKind;
use thiserror::Error;

use crate::whole::blueprint::Blueprint;
use crate::whole::game::Position;

/// Why a text is no line of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// An action that the game does not have there.
    #[error("'{text}' is no action here ({street}): there are {}", labels.join(", "))]
    Action {
        /// What was written.
        text: String,
        /// The street.
        street: Street,
        /// What could be.
        labels: Vec<String>,
    },
    /// An action where nobody acts.
    #[error("'{text}': nobody acts here; {reason}")]
    NobodyActs {
        /// What was written.
        text: String,
        /// What comes instead.
        reason: &'static str,
    },
    /// Cards that cannot come.
    #[error("'{text}' are no cards that can come here: {reason}")]
    Cards {
        /// What was written.
        text: String,
        /// Why.
        reason: String,
    },
}

/// A position of a blueprint's game, with the cards on the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Line<'a> {
    /// The position.
    pub position: Position<'a>,
    /// The cards.
    pub board: Board,
}

impl<'a> Line<'a> {
    /// Walks a line. Actions are `f` fold, `x` check, `c` call, `a` all-in, `r2.5` a raise to 2.5 big blinds on the street, `b75`
    /// a bet of 75 % of the pot; streets are separated by `|`, and cards stand alone: `r2.5 c | Td9d6h | x b75`. Bars
    /// may be left out.
    ///
    /// # Errors
    /// [`LineError`] names what does not fit and what would.
    pub fn walk(blueprint: &'a Blueprint, text: &str) -> Result<Line<'a>, LineError> {
        let mut line = Line { position: blueprint.root(), board: Board::EMPTY };
        for word in text.split(|letter: char| letter == '|' || letter == ',' || letter.is_whitespace()) {
            if !word.is_empty() {
                line = line.step(blueprint, word)?;
            }
        }
        Ok(line)
    }

    fn step(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        match self.position.hand().kind() {
            NodeKind::Chance => self.deal(blueprint, word),
            NodeKind::Decision(_) => self.act(blueprint, word),
            NodeKind::Runout => Err(nobody(word, "both are all-in")),
            _ => Err(nobody(word, "the hand is over")),
        }
    }

    fn act(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        let labels = self.position.labels();
        let lower = word.to_ascii_lowercase();
        let meant = match lower.trim_end_matches('%') {
            "jam" | "allin" | "all-in" => "a",
            "k" | "check" => "x",
            "call" | "limp" => "c",
            "fold" => "f",
            other => other,
        };
        let found = labels.iter().position(|label| label == meant);
        let position = found.and_then(|action| blueprint.act(&self.position, action));
        let street = self.position.hand().street();
        let position = position.ok_or_else(|| LineError::Action { text: word.to_owned(), street, labels })?;
        Ok(Line { position, board: self.board })
    }

    fn deal(&self, blueprint: &'a Blueprint, word: &str) -> Result<Line<'a>, LineError> {
        let refused = |reason: String| LineError::Cards { text: word.to_owned(), reason };
        let board: Board =
            format!("{}{word}", self.board).parse().map_err(|error| refused(format!("{error}")))?;
        let next = Street::ALL[self.position.hand().street() as usize + 1];
        if board.street() != next {
            let count = next.num_board_cards() - self.board.cards().len();
            let one = if count == 1 { "card comes" } else { "cards come" };
            return Err(refused(format!("{count} {one} on the {next}")));
        }
        let position = blueprint.deal(&self.position).ok_or_else(|| refused("none come".to_owned()))?;
        Ok(Line { position, board })
    }
}

fn nobody(word: &str, reason: &'static str) -> LineError {
    LineError::NobodyActs { text: word.to_owned(), reason }
}
