//! Where a report is made: actions, and cards that are one or any.

use std::fmt;
use std::str::FromStr;

use equipoise_cards::Card;
use equipoise_game::Line;
use equipoise_postflop::{NodePath, ParsePathError};

/// A way through every spot of a batch: that of a [`NodePath`], where `*` stands for every card that can come.
///
/// ```
/// use equipoise_batch::BatchPath;
/// let path: BatchPath = "check check | * | bet:50".parse()?;
/// assert!(path.has_open_card() && !path.is_root());
/// assert_eq!(path.to_string(), "check check | * | bet:50");
/// assert!(!"check | 7s | check".parse::<BatchPath>()?.has_open_card());
/// # Ok::<(), equipoise_postflop::ParsePathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchPath {
    pub(super) line: Line,
    /// The cards between two streets; absent: any.
    pub(super) cards: Vec<Option<Card>>,
}

impl BatchPath {
    /// The first decision.
    #[must_use]
    pub fn root() -> BatchPath {
        BatchPath { line: Line::root(), cards: Vec::new() }
    }

    /// Whether it is the first decision.
    #[must_use]
    pub fn is_root(&self) -> bool {
        *self == BatchPath::root()
    }

    /// Whether some card of it is any card.
    #[must_use]
    pub fn has_open_card(&self) -> bool {
        self.cards.contains(&None)
    }

    /// The path when these cards come.
    pub(super) fn with(&self, runout: &[Card]) -> NodePath {
        NodePath { line: self.line.clone(), runout: runout.to_vec() }
    }
}

/// A card that stands for any until the rest of the path is read.
const ANY: &str = "2c";

impl FromStr for BatchPath {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<BatchPath, ParsePathError> {
        let parts: Vec<&str> = text.split('|').collect();
        let is_open = |number: usize| number % 2 == 1 && parts[number].trim() == "*";
        let filled = |number: usize| {
            let part = parts[number];
            // A blank beside it makes room, so that errors name the right byte.
            let wide = [" *", "* ", "*"].into_iter().find(|star| part.contains(star)).unwrap_or("*");
            if is_open(number) { part.replacen(wide, ANY, 1) } else { part.to_owned() }
        };
        let filled: Vec<String> = (0..parts.len()).map(filled).collect();
        let NodePath { line, runout } = filled.join("|").parse()?;
        let open = (0..parts.len()).filter(|number| number % 2 == 1).map(is_open);
        let cards = runout.into_iter().zip(open).map(|(card, is_open)| (!is_open).then_some(card)).collect();
        Ok(BatchPath { line, cards })
    }
}

impl fmt::Display for BatchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let any: Card = ANY.parse().expect("it is a card");
        let filled: Vec<Card> = self.cards.iter().map(|card| card.unwrap_or(any)).collect();
        let text = self.with(&filled).to_string();
        for (number, part) in text.split('|').enumerate() {
            let is_open = number % 2 == 1 && self.cards.get(number / 2) == Some(&None);
            let bar = if number > 0 { "|" } else { "" };
            write!(f, "{bar}{}", if is_open { " * " } else { part })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "",
            "check",
            "check check | * |",
            "check check | 7s | bet:50",
            "check check | * | check check | * | check",
        ] {
            let path: BatchPath = text.parse().unwrap();
            assert_eq!(path.to_string(), text);
            assert_eq!(path.to_string().parse(), Ok(path));
        }
        assert_eq!("check check|*|".parse::<BatchPath>(), "check check | * |".parse());
        let path: BatchPath = "check check | * | check check | 7s |".parse().unwrap();
        assert_eq!(path.cards, [None, Some("7s".parse().unwrap())]);
        assert_eq!(
            path.with(&["2d".parse().unwrap(), "7s".parse().unwrap()]).to_string(),
            "check check | 2d | check check | 7s |"
        );
    }

    #[test]
    fn what_is_no_path_is_said_at_its_place() {
        for (text, at) in
            [("check * | 7s |", 6), ("check | ** |", 8), ("check check | * | bex:5", 18), ("check | 7x |", 8)]
        {
            assert_eq!(text.parse::<BatchPath>().unwrap_err().at(), at, "{text}");
        }
    }
}
