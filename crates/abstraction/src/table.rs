//! The features of every hand of a street.

use equipoise_cards::{Board, Combo, Street};
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;

use crate::board_features::{BoardFeatures, Parts};
use crate::error::AbstractionError;
use crate::rows::Rows;

/// A value for every combo on every canonical board of a street after the flop: a row for each board, in it a place for
/// each combo.
///
/// ```
/// use equipoise_abstraction::{Features, Table};
/// use equipoise_cards::Street;
/// # if cfg!(debug_assertions) { return Ok(()); } // Takes seconds.
/// let table = Table::equity_halves(Street::River, &mut ())?;
/// let (combo, board) = ("AhKh".parse()?, "Qs Jh 2h 3c Td".parse()?);
/// let equity = f64::from(*table.get(combo, &board)?) / 1980.0;
/// assert_eq!(equity, Features::of(combo, &board)?.equity());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table<T> {
    pub(crate) rows: Rows,
    pub(crate) values: Vec<T>,
}

impl Table<u32> {
    /// The exact equities of every hand of a street, as `2 · wins + ties` over opponents and runouts: divide by
    /// 1,980 and by the number of runouts (1,081 on the flop, 46 on the turn, 1 on the river).
    ///
    /// # Errors
    /// As [`Table::build`].
    pub fn equity_halves(
        street: Street,
        observer: &mut dyn Observer,
    ) -> Result<Table<u32>, AbstractionError> {
        Table::build(street, Parts::default(), observer, |features, row| {
            row.iter_mut().zip(features.equity_halves()).for_each(|(value, halves)| *value = halves);
        })
    }
}

impl<T: Clone + Default + Send> Table<T> {
    /// Counts the features of every board of a street, on all threads of the pool it is called in, and lets `fill`
    /// make a row of them. The rows do not depend on the number of threads.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoardSize`] before the flop, [`AbstractionError::Cancelled`] if the observer
    /// stops it.
    pub fn build(
        street: Street,
        parts: Parts,
        observer: &mut dyn Observer,
        fill: impl Fn(&BoardFeatures, &mut [T]) + Sync,
    ) -> Result<Table<T>, AbstractionError> {
        let rows =
            Rows::of(street).ok_or(AbstractionError::InvalidBoardSize { expected: "3, 4 or 5", got: 0 })?;
        let progress = Progress::new(observer, rows.count() as u64);
        let mut values = vec![T::default(); rows.count() * rows.len()];
        values.par_chunks_mut(rows.len()).enumerate().with_max_len(stride(street)).try_for_each_init(
            || BoardFeatures::new(parts),
            |features, (row, values)| {
                let (board, _) = rows.board(row).expect("the row exists");
                features.fill(&board)?;
                fill(features, values);
                progress.advance(1).map_err(AbstractionError::from)
            },
        )?;
        Ok(Table { rows, values })
    }
}

/// Boards that are worth waking a thread for.
pub(crate) const fn stride(street: Street) -> usize {
    match street {
        Street::Preflop | Street::Flop => 1,
        Street::Turn => 16,
        Street::River => 256,
    }
}

impl<T> Table<T> {
    /// The street of the boards.
    #[must_use]
    pub fn street(&self) -> Street {
        self.rows.street()
    }

    /// The value of a combo on a board.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoardSize`] if the board is of another street,
    /// [`AbstractionError::DuplicateCard`] if it shares a card with the combo.
    pub fn get(&self, combo: Combo, board: &Board) -> Result<&T, AbstractionError> {
        let (row, place) = self.rows.locate(combo, board)?;
        Ok(&self.values[row * self.rows.len() + place])
    }

    /// The rows in order: the canonical board, how many boards it stands for, and a value for each combo that shares no
    /// card with it, in the order of their index.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (Board, u32, &[T])> {
        self.values.chunks(self.rows.len()).enumerate().map(|(row, values)| {
            let (board, class_size) = self.rows.board(row).expect("the row exists");
            (board, class_size, values)
        })
    }
}
