//! Bet sizes as other programs write them.

use std::fmt;

use super::ImportError;
use super::draft::{Draft, shifted, shortened};
use crate::game::BetSize;

/// A size, with chips as written there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Size {
    kind: Kind,
    /// Where it stands.
    pub(super) offset: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// As written here.
    Own(BetSize),
    /// Chips that may have to be multiplied, and the most raises.
    Chips(f64, String),
}

impl Size {
    pub(super) fn all_in(offset: usize) -> Size {
        Size { kind: Kind::Own(BetSize::AllIn), offset }
    }

    pub(super) fn is_multiple(&self) -> bool {
        matches!(self.kind, Kind::Own(BetSize::Multiple(_)))
    }

    /// The text of a spot file where the decimal point of chips moves this many places.
    pub(super) fn text(&self, places: i32) -> String {
        match &self.kind {
            Kind::Own(size) => size.to_string(),
            Kind::Chips(chips, rest) => format!("{}c{rest}", shifted(*chips, places).round()),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(0))
    }
}

/// Reads sizes that stand from a byte on, separated by commas or blanks: `50` or `50%` of the pot, `2.5x`, `100c`, `e`, `2e`,
/// `2e200`, and `a`, `ai` or `allin`.
pub(super) fn sizes(draft: &Draft<'_>, offset: usize, text: &str) -> Result<Vec<Size>, ImportError> {
    let place = |word: &str| offset + (word.as_ptr() as usize - text.as_ptr() as usize);
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let read = |word: &str| {
        let wrong = || draft.wrong(place(word), format!("'{}' is no bet size", shortened(word)));
        let help = "sizes are 50 (percent of the pot), 2.5x, 100c (chips), e, 2e (geometric) and a (all-in)";
        size(place(word), word).ok_or_else(|| wrong().help(help))
    };
    words.map(read).collect()
}

fn size(offset: usize, word: &str) -> Option<Size> {
    let word = word.to_ascii_lowercase();
    let own = |text: &str| text.parse::<BetSize>().ok().map(|size| Size { kind: Kind::Own(size), offset });
    if matches!(word.as_str(), "a" | "ai" | "allin" | "all-in") {
        return Some(Size::all_in(offset));
    }
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.') && !text.is_empty();
    if is_number(&word) {
        return own(&format!("{word}%"));
    }
    if let Some((chips, rest)) = word.split_once('c').filter(|(chips, _)| is_number(chips)) {
        // Whether the rest is right is known there.
        own(&format!("1c{rest}"))?;
        return Some(Size { kind: Kind::Chips(chips.parse().ok()?, rest.to_owned()), offset });
    }
    if let Some((_, most)) = word.split_once('e').filter(|(_, most)| is_number(most)) {
        return own(&format!("{}e{most}%", word.split_once('e')?.0));
    }
    own(&word)
}
