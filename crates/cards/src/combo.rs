//! Two private cards.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::text::{ParseCardsError, parse_cards};

/// Two specific private cards, numbered 0..1326.
///
/// With `low < high` the two card numbers, the index is `low·(101 − low)/2 + high − 1`: 2d2c is 0, AsAh is 1325.
///
/// ```
/// use equipoise_cards::Combo;
/// let combo: Combo = "AhKd".parse()?;
/// assert_eq!(Combo::from_index(combo.index()), Some(combo));
/// assert_eq!(combo.class().to_string(), "AKo");
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combo {
    low: Card,
    high: Card,
}

/// Every combo at its index.
static COMBOS: [Combo; Combo::COUNT] = {
    let mut all = [Combo { low: Card::from_id(0), high: Card::from_id(1) }; Combo::COUNT];
    let (mut index, mut low) = (0, 0);
    while low < 51 {
        let mut high = low + 1;
        while high < 52 {
            all[index] = Combo { low: Card::from_id(low), high: Card::from_id(high) };
            index += 1;
            high += 1;
        }
        low += 1;
    }
    all
};

impl Combo {
    /// How many combos there are.
    pub const COUNT: usize = 1326;

    /// The combo of two cards in either order; `None` if they are the same card.
    #[must_use]
    pub const fn new(a: Card, b: Card) -> Option<Combo> {
        if a.id() < b.id() {
            Some(Combo { low: a, high: b })
        } else if a.id() > b.id() {
            Some(Combo { low: b, high: a })
        } else {
            None
        }
    }

    /// The combo with this index, 0..1326.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Combo> {
        COMBOS.get(index).copied()
    }

    /// The index of this combo, 0..1326.
    #[must_use]
    pub const fn index(self) -> usize {
        let (low, high) = (self.low.index(), self.high.index());
        low * (101 - low) / 2 + high - 1
    }

    /// The place of this combo in the order in which other programs list 1,326 weights: by the higher card, then by the
    /// lower one, so 2d2c, 2h2c, 2h2d, 2s2c, 2s2d, 2s2h, 3c2c … AsAh.
    ///
    /// ```
    /// use equipoise_cards::Combo;
    /// assert_eq!("2h2d".parse::<Combo>()?.listed_index(), 2);
    /// # Ok::<(), equipoise_cards::ParseCardsError>(())
    /// ```
    #[must_use]
    pub const fn listed_index(self) -> usize {
        let (low, high) = (self.low.index(), self.high.index());
        high * (high - 1) / 2 + low
    }

    /// Every combo in the order of [`listed_index`](Self::listed_index).
    pub fn listed() -> impl Iterator<Item = Combo> {
        let below = |high: &Card| Card::ALL.into_iter().take(high.index());
        Card::ALL.into_iter().flat_map(move |high| below(&high).map(move |low| Combo { low, high }))
    }

    /// The card with the lower number.
    #[must_use]
    pub const fn low(self) -> Card {
        self.low
    }

    /// The card with the higher number.
    #[must_use]
    pub const fn high(self) -> Card {
        self.high
    }

    /// Both cards as a set.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        CardSet::EMPTY.with(self.low).with(self.high)
    }

    /// Every combo in the order of the index.
    pub fn all() -> impl DoubleEndedIterator<Item = Combo> + ExactSizeIterator {
        COMBOS.iter().copied()
    }
}

impl fmt::Display for Combo {
    /// The higher card first: `AhKd`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl fmt::Debug for Combo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Combo {
    type Err = ParseCardsError;

    fn from_str(text: &str) -> Result<Combo, ParseCardsError> {
        let cards = parse_cards(text)?;
        let wrong = ParseCardsError::WrongCount { expected: 2, found: cards.len(), at: text.len() };
        match cards[..] {
            [a, b] => Combo::new(a, b).ok_or(wrong),
            _ => Err(wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_a_bijection() {
        let mut next = 0;
        for low in 0..52u8 {
            for high in low + 1..52 {
                let (a, b) = (Card::try_new(low).unwrap(), Card::try_new(high).unwrap());
                let combo = Combo::new(b, a).unwrap();
                assert_eq!(combo.index(), next);
                assert_eq!(Combo::from_index(next), Some(combo));
                assert_eq!(combo.to_string().parse::<Combo>(), Ok(combo));
                next += 1;
            }
        }
        assert_eq!(next, Combo::COUNT);
        assert_eq!(Combo::from_index(next), None);
        assert_eq!(Combo::new(Card::ALL[7], Card::ALL[7]), None);
    }

    #[test]
    fn the_listed_order_goes_by_the_higher_card() {
        let all: Vec<Combo> = Combo::listed().collect();
        assert_eq!(all.len(), Combo::COUNT);
        assert!(all.iter().enumerate().all(|(place, combo)| combo.listed_index() == place));
        // As another program's client lists them.
        let first = "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d 3c2h 3c2s 3d2c 3d2d 3d2h 3d2s 3d3c 3h2c";
        let last = "AsKc AsKd AsKh AsKs AsAc AsAd AsAh";
        let text = |combos: &[Combo]| combos.iter().map(Combo::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(text(&all[..16]), first);
        assert_eq!(text(&all[1319..]), last);
    }

    /// Rows of `| Ah | 50 | | AhKd | 45, 50 | 1309 |`.
    #[test]
    fn the_documentation_of_formats_gives_these_numbers() {
        let text = include_str!("../../../docs/formats.md");
        assert!(text.contains("`low·(101 − low)/2 + high − 1`"));
        let mut num_rows = 0;
        for line in text.lines() {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [card, id, "", combo, cards, index] = cells[..] else { continue };
            let Ok(card) = card.parse::<Card>() else { continue };
            num_rows += 1;
            assert_eq!(card.id().to_string(), id, "{line}");
            let combo: Combo = combo.parse().unwrap();
            let (low, high) = (combo.low().index(), combo.high().index());
            assert_eq!(format!("{low}, {high}"), cards, "{line}");
            assert_eq!((low * (101 - low) / 2 + high - 1).to_string(), index, "{line}");
            assert_eq!(combo.index().to_string(), index, "{line}");
        }
        assert_eq!(num_rows, 9);
    }

    #[test]
    fn indices_of_the_seed() {
        for (text, index) in [("2d2c", 0), ("2h2c", 1), ("AsAh", 1325)] {
            assert_eq!(text.parse::<Combo>().unwrap().index(), index);
        }
    }
}
