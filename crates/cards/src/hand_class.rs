//! The 169 classes of private cards that differ only in suits.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::card::{Card, Rank, Suit};
use crate::combo::Combo;

/// One of the 169 classes such as `AKs`, `T9o` or `55`.
///
/// The index runs through the usual 13×13 grid: row and column count down from the ace, suited classes lie above
/// the diagonal of pairs and offsuit ones below.
///
/// ```
/// use equipoise_cards::HandClass;
/// let class: HandClass = "AKs".parse()?;
/// assert_eq!((class.index(), class.combos().count()), (1, 4));
/// # Ok::<(), equipoise_cards::ParseHandClassError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandClass(u8);

/// A text that names none of the 169 classes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no hand class: write a pair as 88, other classes as AKs or AKo")]
pub struct ParseHandClassError {
    text: String,
}

impl HandClass {
    /// How many classes there are.
    pub const COUNT: usize = 169;

    /// The class of two different ranks, suited or not.
    ///
    /// Two equal ranks give the pair whatever `suited` says.
    #[must_use]
    pub const fn new(a: Rank, b: Rank, suited: bool) -> HandClass {
        let (high, low) = if a.id() > b.id() { (a.id(), b.id()) } else { (b.id(), a.id()) };
        let (row, column) = if suited { (12 - high, 12 - low) } else { (12 - low, 12 - high) };
        HandClass(row * 13 + column)
    }

    /// The class with this index, 0..169.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<HandClass> {
        if index < HandClass::COUNT { Some(HandClass(index as u8)) } else { None }
    }

    /// Row × 13 + column in the grid.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every class in the order of the grid, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = HandClass> + ExactSizeIterator {
        (0..169u8).map(HandClass)
    }

    const fn row_and_column_ranks(self) -> (Rank, Rank) {
        (Rank::ALL[12 - (self.0 / 13) as usize], Rank::ALL[12 - (self.0 % 13) as usize])
    }

    /// The higher rank.
    #[must_use]
    pub const fn high(self) -> Rank {
        let (row, column) = self.row_and_column_ranks();
        if row.id() > column.id() { row } else { column }
    }

    /// The lower rank; equal to the higher one for a pair.
    #[must_use]
    pub const fn low(self) -> Rank {
        let (row, column) = self.row_and_column_ranks();
        if row.id() > column.id() { column } else { row }
    }

    /// Whether this is a pair.
    #[must_use]
    pub const fn is_pair(self) -> bool {
        self.0 / 13 == self.0 % 13
    }

    /// Whether both cards share a suit.
    #[must_use]
    pub const fn is_suited(self) -> bool {
        self.0 / 13 < self.0 % 13
    }

    /// How many combos the class has: 6, 4 or 12.
    #[must_use]
    pub const fn num_combos(self) -> usize {
        if self.is_pair() {
            6
        } else if self.is_suited() {
            4
        } else {
            12
        }
    }

    /// The combos of the class.
    pub fn combos(self) -> impl Iterator<Item = Combo> {
        let (high, low) = (self.high(), self.low());
        Suit::ALL
            .into_iter()
            .flat_map(move |a| Suit::ALL.into_iter().map(move |b| (a, b)))
            .filter(move |(a, b)| if self.is_pair() { a > b } else { (a == b) == self.is_suited() })
            .filter_map(move |(a, b)| Combo::new(Card::new(high, a), Card::new(low, b)))
    }
}

impl Combo {
    /// The class of this combo.
    #[must_use]
    pub const fn class(self) -> HandClass {
        let suited = self.low().suit().id() == self.high().suit().id();
        HandClass::new(self.high().rank(), self.low().rank(), suited)
    }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match (self.is_pair(), self.is_suited()) {
            (true, _) => "",
            (_, true) => "s",
            _ => "o",
        };
        write!(f, "{}{}{suffix}", self.high(), self.low())
    }
}

impl fmt::Debug for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for HandClass {
    type Err = ParseHandClassError;

    fn from_str(text: &str) -> Result<HandClass, ParseHandClassError> {
        let wrong = || ParseHandClassError { text: text.to_owned() };
        let mut chars = text.chars();
        let mut rank = || chars.next().and_then(Rank::from_char).ok_or_else(wrong);
        let (a, b) = (rank()?, rank()?);
        match (chars.as_str(), a == b) {
            ("", true) => Ok(HandClass::new(a, b, false)),
            ("s", false) => Ok(HandClass::new(a, b, true)),
            ("o", false) => Ok(HandClass::new(a, b, false)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_partition_the_combos() {
        let mut count = [0; HandClass::COUNT];
        for combo in Combo::all() {
            count[combo.class().index()] += 1;
        }
        for class in HandClass::all() {
            assert_eq!(class.num_combos(), count[class.index()]);
            assert_eq!(class.combos().count(), count[class.index()]);
            assert!(class.combos().all(|combo| combo.class() == class));
            assert_eq!(class.to_string().parse(), Ok(class));
            assert_eq!(HandClass::from_index(class.index()), Some(class));
        }
        assert_eq!(HandClass::from_index(169), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "A", "AK", "AAs", "AKx", "AKso", "♥♥"] {
            assert!(text.parse::<HandClass>().is_err(), "{text}");
        }
    }
}
