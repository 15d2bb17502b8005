//! Where the hands of a street stand in a table.
//!
//! A table has a row for each canonical board, in the order of [`Grouping::of_board`]'s index, and a row has a place for
//! each combo that shares no card with the board, in the order of its index. Where a board has symmetries of its own,
//! isomorphic combos have several places (145 million on the river instead of the 123 million of
//! [`Grouping::of_combo`]). In return a row is made and read in one go, and a place is found with a few sums.

use equipoise_cards::{Board, Card, CardSet, Combo, Grouping, Indexer, Street, SuitPermutation};

use crate::error::AbstractionError;

/// The rows of a street after the flop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    street: Street,
    indexer: &'static Indexer,
}

impl Rows {
    /// The rows of a street; `None` before the flop.
    pub(crate) fn of(street: Street) -> Option<Rows> {
        Some(Rows { street, indexer: Indexer::of(Grouping::of_board(street)?) })
    }

    pub(crate) fn street(self) -> Street {
        self.street
    }

    /// How many rows there are.
    pub(crate) fn count(self) -> usize {
        self.indexer.count() as usize
    }

    /// How many places each row has.
    pub(crate) fn len(self) -> usize {
        let left = Card::COUNT - self.street.num_board_cards();
        left * (left - 1) / 2
    }

    /// The board of a row and how many boards it stands for.
    pub(crate) fn board(self, row: usize) -> Option<(Board, u32)> {
        let index = row as u64;
        Some((self.indexer.unindex_board(index)?, self.indexer.class_size(index)?))
    }

    /// The row of a board and what its suits become on the row's board.
    #[inline]
    pub(crate) fn row(self, board: &Board) -> Result<(usize, SuitPermutation), AbstractionError> {
        let wrong = |_| AbstractionError::InvalidBoardSize {
            expected: ["0", "3", "4", "5"][self.street as usize],
            got: board.cards().len(),
        };
        let (row, suits) = self.indexer.index_board_and_suits(board).map_err(wrong)?;
        Ok((row as usize, suits))
    }

    /// The row of a combo on a board, and its place there.
    #[inline]
    pub(crate) fn locate(self, combo: Combo, board: &Board) -> Result<(usize, usize), AbstractionError> {
        let set = board.set();
        if let Some(card) = set.first_shared(combo.cards()) {
            return Err(AbstractionError::DuplicateCard { card });
        }
        let (row, suits) = self.row(board)?;
        Ok((row, place(suits.map_combo(combo), suits.map_set(set))))
    }
}

/// The number of a card in a deck without the board.
#[inline]
pub(crate) fn number(card: Card, board: CardSet) -> usize {
    let before = board.bits() & ((1 << card.id()) - 1);
    card.index() - before.count_ones() as usize
}

/// The place of a combo among those that share no card with the board, by index: that of a deck without the board.
#[inline]
pub(crate) fn place(combo: Combo, board: CardSet) -> usize {
    let (low, high) = (number(combo.low(), board), number(combo.high(), board));
    first_place(low, Card::COUNT - board.len()).wrapping_add(high)
}

/// What to add to the number of a higher card to get the place of its combo with a lower one, in a deck of this many cards;
/// wraps around for the lowest.
#[inline]
pub(crate) fn first_place(low: usize, num_cards: usize) -> usize {
    (low * (2 * num_cards - 1 - low) / 2).wrapping_sub(low + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_live_combos() {
        for text in ["", "2c7dAs", "Td9d6hQc", "AsKsQsJsTs", "2c2d2h2s3c"] {
            let board: Board = text.parse().unwrap();
            let live = Combo::all().filter(|combo| !combo.cards().intersects(board.set()));
            for (i, combo) in live.enumerate() {
                assert_eq!(place(combo, board.set()), i, "{combo} on {board}");
            }
        }
    }

    #[test]
    fn rows_are_as_many_and_as_long_as_known() {
        for (street, count, len) in
            [(Street::Flop, 1755, 1176), (Street::Turn, 16_432, 1128), (Street::River, 134_459, 1081)]
        {
            let rows = Rows::of(street).unwrap();
            assert_eq!((rows.street(), rows.count(), rows.len()), (street, count, len));
            let (board, _) = rows.board(17).unwrap();
            assert_eq!(rows.row(&board).unwrap().0, 17);
        }
        assert!(Rows::of(Street::Preflop).is_none());
    }
}
