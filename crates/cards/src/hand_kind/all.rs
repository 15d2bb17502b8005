//! The kinds of all combos on one board.

use super::judge::Judge;
use super::{HandKind, KindFilter};
use crate::board::Board;
use crate::combo::Combo;

/// What each of the 1,326 combos is on a board.
///
/// ```
/// use equipoise_cards::{Board, HandKinds, MadeHand};
/// let flop: Board = "Kh9h4c".parse()?;
/// let kinds = HandKinds::new(&flop).unwrap();
/// assert_eq!(kinds.get("9c9d".parse()?).unwrap().made, MadeHand::Set);
/// assert_eq!(kinds.iter().count(), 49 * 48 / 2);
/// // Two of the eleven hearts that are left.
/// assert_eq!(kinds.matching(&"flush draw".parse()?).count(), 11 * 10 / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandKinds {
    /// By combo index.
    kinds: Vec<Option<HandKind>>,
}

impl HandKinds {
    /// The kinds on a flop, turn or river; `None` before the flop.
    #[must_use]
    pub fn new(board: &Board) -> Option<HandKinds> {
        let judge = Judge::new(board)?;
        Some(HandKinds { kinds: Combo::all().map(|combo| judge.kind(combo)).collect() })
    }

    /// What a combo is; `None` if it holds a card of the board.
    #[must_use]
    pub fn get(&self, combo: Combo) -> Option<HandKind> {
        self.kinds[combo.index()]
    }

    /// Every combo that holds no card of the board, with what it is.
    pub fn iter(&self) -> impl Iterator<Item = (Combo, HandKind)> {
        Combo::all().zip(&self.kinds).filter_map(|(combo, kind)| kind.map(|kind| (combo, kind)))
    }

    /// The combos of the kinds that a filter names.
    pub fn matching(&self, filter: &KindFilter) -> impl Iterator<Item = Combo> {
        self.iter().filter(|(_, kind)| filter.matches(*kind)).map(|(combo, _)| combo)
    }
}
