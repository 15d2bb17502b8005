//! The strengths of all combos on one board at once.

use super::generate::ROW_LEN;
use super::tally::flush_number;
use super::{Strength, Tally};
use crate::board::Board;
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::kernel::tables::BOARD_ROWS;
use crate::kernel::{BoardRow, PADDED_COMBOS, spread_row};

/// The strength of each of the 1,326 combos on a board of five cards.
///
/// Without a flush, a strength depends on the ranks only: the board's row of 13 × 13 strengths is spread over the
/// combos. Combos that make a flush are then corrected one by one. Reuse one value for many boards.
///
/// ```
/// use equipoise_cards::{Board, BoardStrengths, Strength};
/// let board: Board = "Td9d6hQc2h".parse()?;
/// let strengths = BoardStrengths::new(&board).unwrap();
/// let kings: Strength = strengths.get("KhKc".parse()?).unwrap();
/// assert_eq!(kings.to_string(), "pair of kings, queen, ten and nine kickers");
/// assert_eq!(strengths.get("TdTc".parse()?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[repr(align(64))]
pub struct BoardStrengths {
    strengths: [u16; PADDED_COMBOS],
    board: CardSet,
}

impl BoardStrengths {
    /// The strengths on a river board; `None` for an earlier street.
    #[must_use]
    pub fn new(board: &Board) -> Option<BoardStrengths> {
        let cards = board.cards().try_into().ok()?;
        let mut strengths = BoardStrengths::default();
        strengths.fill(cards);
        Some(strengths)
    }

    /// Replaces the strengths by those on another board of five different cards.
    pub fn fill(&mut self, board: [Card; 5]) {
        let tally: Tally = board.into_iter().collect();
        self.board = board.into_iter().collect();
        spread_row(board_row(tally.board_ranks_id()), &mut self.strengths);
        if let Some(suit) = tally.suit_of_three() {
            self.correct_flushes(suit, tally.ranks_of(suit));
        }
    }

    /// The cards of the board; empty before the first `fill`.
    #[must_use]
    pub const fn board(&self) -> CardSet {
        self.board
    }

    /// The strength of a combo; `None` if it holds a card of the board.
    #[must_use]
    pub fn get(&self, combo: Combo) -> Option<Strength> {
        let live = !combo.cards().intersects(self.board);
        live.then(|| Strength::from_table(self.strengths[combo.index()]))
    }

    /// The numbers of the strengths by combo index, for hot loops.
    ///
    /// Combos that hold a card of the board have a meaningless number: leave them out.
    #[must_use]
    pub fn numbers(&self) -> &[u16; Combo::COUNT] {
        self.strengths.first_chunk().expect("the padding comes behind the combos")
    }

    /// Gives every combo that makes a flush with the board its strength.
    fn correct_flushes(&mut self, suit: Suit, on_board: u16) {
        match on_board.count_ones() {
            3 => self.correct_suited(suit, on_board),
            4 => self.correct_single(suit, on_board),
            _ => self.correct_all(suit, on_board),
        }
    }

    /// Three cards of the suit on the board: both private cards must be of the suit.
    fn correct_suited(&mut self, suit: Suit, on_board: u16) {
        let mut lows = !on_board & 0x1fff;
        while lows != 0 {
            let low = lows.trailing_zeros() as usize;
            lows &= lows - 1;
            // Indices of combos with the same low card differ as the high cards do.
            let start = index_of(4 * low + suit.index(), suit.index());
            let mut highs = lows;
            while highs != 0 {
                let high = highs.trailing_zeros() as usize;
                highs &= highs - 1;
                let strength = flush_number(usize::from(on_board | 1 << low | 1 << high));
                self.strengths[start.wrapping_add(4 * high)] = strength;
            }
        }
    }

    /// Four cards of the suit on the board: one private card is enough.
    fn correct_single(&mut self, suit: Suit, on_board: u16) {
        for rank in (0..13).filter(|rank| on_board >> rank & 1 == 0) {
            let strength = flush_number(usize::from(on_board | 1 << rank));
            let card = 4 * rank + suit.index();
            // Combos with two cards of the suit are overwritten below.
            for other in 0..card {
                self.strengths[index_of(other, card)] = strength;
            }
            if card < 51 {
                self.strengths[index_of(card, card + 1)..=index_of(card, 51)].fill(strength);
            }
        }
        self.correct_suited(suit, on_board);
    }

    /// The board itself is a flush.
    fn correct_all(&mut self, suit: Suit, on_board: u16) {
        self.strengths.fill(flush_number(usize::from(on_board)));
        self.correct_single(suit, on_board);
    }
}

impl Default for BoardStrengths {
    /// Room for strengths, with no board in it yet.
    fn default() -> BoardStrengths {
        BoardStrengths { strengths: [0; PADDED_COMBOS], board: CardSet::EMPTY }
    }
}

impl std::fmt::Debug for BoardStrengths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardStrengths").field("board", &self.board).finish_non_exhaustive()
    }
}

/// The row of strengths by private ranks, and a few numbers behind it.
pub(super) fn board_row(board_ranks_id: usize) -> &'static BoardRow {
    BOARD_ROWS[board_ranks_id * ROW_LEN..].first_chunk().expect("the table is padded")
}

/// The combo index of two card numbers, `low < high`. A smaller `high` gives an index from which those of higher cards
/// can be counted, but for the lowest card.
pub(super) const fn index_of(low: usize, high: usize) -> usize {
    (low * (101 - low) / 2 + high).wrapping_sub(1)
}
