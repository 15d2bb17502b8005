//! The strengths of all combos on one board at once.

use super::generate::ROW_LEN;
use super::{Strength, Tally};
use crate::board::Board;
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;
use crate::kernel::tables::{BOARD_ROWS, FLUSHES};
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
        self.board = tally.cards();
        spread_row(board_row(tally.board_ranks_id()), &mut self.strengths);
        if let Some(suit) = suit_of_three(self.board) {
            self.correct_flushes(suit);
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
    fn correct_flushes(&mut self, suit: Suit) {
        let on_board = self.board.ranks_of(suit);
        match on_board.count_ones() {
            3 => self.correct_suited(suit, on_board),
            4 => self.correct_single(suit, on_board),
            _ => self.correct_all(suit, on_board),
        }
    }

    /// Three cards of the suit on the board: both private cards must be of the suit.
    fn correct_suited(&mut self, suit: Suit, on_board: u16) {
        let ranks = !on_board & 0x1fff;
        for_each_bit(ranks, |high| {
            for_each_bit(ranks & ((1 << high) - 1), |low| {
                let index = index_of(4 * low + suit.index(), 4 * high + suit.index());
                self.strengths[index] = FLUSHES[usize::from(on_board | 1 << low | 1 << high)];
            });
        });
    }

    /// Four cards of the suit on the board: one private card is enough.
    fn correct_single(&mut self, suit: Suit, on_board: u16) {
        for_each_bit(!on_board & 0x1fff, |rank| {
            let strength = FLUSHES[usize::from(on_board | 1 << rank)];
            let card = 4 * rank + suit.index();
            for other in (0..card).filter(|other| other & 3 != suit.index()) {
                self.strengths[index_of(other, card)] = strength;
            }
            for other in (card + 1..52).filter(|other| other & 3 != suit.index()) {
                self.strengths[index_of(card, other)] = strength;
            }
        });
        self.correct_suited(suit, on_board);
    }

    /// The board itself is a flush.
    fn correct_all(&mut self, suit: Suit, on_board: u16) {
        self.strengths.fill(FLUSHES[usize::from(on_board)]);
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

/// The suit that at least three of the board's five cards share.
pub(super) fn suit_of_three(board: CardSet) -> Option<Suit> {
    Suit::ALL.into_iter().find(|&suit| board.ranks_of(suit).count_ones() >= 3)
}

/// The combo index of two card numbers, `low < high`.
pub(super) const fn index_of(low: usize, high: usize) -> usize {
    low * (101 - low) / 2 + high - 1
}

/// Calls `visit` with the position of each bit that is set.
fn for_each_bit(mut bits: u16, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
