//! The strengths of many hands that stand in one slice, row by row.

use thiserror::Error;

use super::{Strength, Tally};
use crate::card::Card;

/// Why rows of card numbers are no hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    /// A hand has five, six or seven cards.
    #[error("a hand has 5, 6 or 7 cards, not {found}")]
    Width {
        /// How many cards a row has.
        found: usize,
    },
    /// A number that is no card's.
    #[error("row {row}: {number} is no card: cards are 0 to 51, 4 times the rank plus the suit")]
    Card {
        /// The row, the first being 0.
        row: usize,
        /// The number.
        number: u8,
    },
    /// A card that stands in a row twice.
    #[error("row {row}: the card {card} is there twice")]
    Twice {
        /// The row, the first being 0.
        row: usize,
        /// The card.
        card: Card,
    },
}

impl Strength {
    /// Finds the numbers of the strengths of hands that stand row by row in a slice, `width` card numbers each.
    ///
    /// ```
    /// use equipoise_cards::{RowError, Strength};
    /// let mut strengths = [0; 2];
    /// Strength::of_rows(&[48, 44, 40, 36, 32, 0, 4, 0, 1, 2, 3, 48, 50, 51], 7, &mut strengths)?;
    /// assert_eq!(strengths[0], 7461);
    /// assert_eq!(Strength::of_rows(&[52; 7], 7, &mut [0]), Err(RowError::Card { row: 0, number: 52 }));
    /// # Ok::<(), RowError>(())
    /// ```
    ///
    /// # Errors
    /// [`RowError`] for the first row that is no hand; those before it are done.
    ///
    /// # Panics
    /// If there are not as many strengths as rows.
    pub fn of_rows(cards: &[u8], width: usize, strengths: &mut [u16]) -> Result<(), RowError> {
        assert_eq!(cards.len(), width * strengths.len(), "one strength for each row");
        match width {
            5 => rows::<5>(cards, strengths, Tally::strength5),
            6 => rows::<6>(cards, strengths, Tally::strength6),
            7 => rows::<7>(cards, strengths, Tally::strength7),
            _ => Err(RowError::Width { found: width }),
        }
    }
}

fn rows<const WIDTH: usize>(
    cards: &[u8],
    strengths: &mut [u16],
    of: impl Fn(Tally) -> Strength,
) -> Result<(), RowError> {
    let (rows, _) = cards.as_chunks::<WIDTH>();
    for (row, (numbers, strength)) in rows.iter().zip(strengths).enumerate() {
        let mut seen = 0_u64;
        let mut cards = [Card::ALL[0]; WIDTH];
        for (card, &number) in cards.iter_mut().zip(numbers) {
            *card = Card::try_new(number).ok_or(RowError::Card { row, number })?;
            seen |= 1 << card.id();
        }
        if seen.count_ones() as usize != WIDTH {
            return Err(RowError::Twice { row, card: twice(numbers) });
        }
        let tally: Tally = cards.into_iter().collect();
        *strength = of(tally).get();
    }
    Ok(())
}

/// The first card that stands among these again.
#[cold]
fn twice(numbers: &[u8]) -> Card {
    let again = (0..numbers.len()).find(|&at| numbers[..at].contains(&numbers[at]));
    again.and_then(|at| Card::try_new(numbers[at])).expect("cards, one of them twice")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card_set::CardSet;

    #[test]
    fn rows_are_the_hands_one_by_one() {
        for width in 5..=7 {
            let mut cards = Vec::new();
            let mut expected = Vec::new();
            for start in 0..52_u8 {
                let row: Vec<u8> = (0..width).map(|i| (start + i as u8 * 11) % 52).collect();
                let set: CardSet = row.iter().filter_map(|&number| Card::try_new(number)).collect();
                expected.push(Strength::of(set).unwrap().get());
                cards.extend(row);
            }
            let mut strengths = vec![0; 52];
            assert_eq!(Strength::of_rows(&cards, width, &mut strengths), Ok(()));
            assert_eq!(strengths, expected);
        }
    }

    #[test]
    fn the_first_row_that_is_no_hand_is_named() {
        let mut rows: Vec<u8> = (0..21).collect();
        rows[13] = 7;
        let card = Card::try_new(7).unwrap();
        assert_eq!(Strength::of_rows(&rows, 7, &mut [0; 3]), Err(RowError::Twice { row: 1, card }));
        rows[8] = 255;
        let wrong = RowError::Card { row: 1, number: 255 };
        assert_eq!(Strength::of_rows(&rows, 7, &mut [0; 3]), Err(wrong));
        assert_eq!(Strength::of_rows(&[], 4, &mut []), Err(RowError::Width { found: 4 }));
        assert_eq!(Strength::of_rows(&[], 7, &mut []), Ok(()));
    }
}
