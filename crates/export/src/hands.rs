//! A row for every canonical hand of a street: one of each class under suit isomorphism.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};

use equipoise_cards::{Board, CanonicalDeal, Card, Combo, Indexer, Street, canonical_boards};
use equipoise_progress::{Observer, Progress};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::columns::{Column, Field, Kind, ParquetWriter, Written};
use crate::error::ExportError;

/// Places for combos in a group of rows; isomorphic ones make one row.
const PLACES_PER_GROUP: usize = 1 << 18;

/// Which hands of a street are written: those on all canonical boards, or on some of them.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_export::Hands;
/// let all = Hands::of(Street::Flop);
/// assert_eq!((all.num_boards(), all.num_rows()), (1755, 1_286_792));
/// let some = all.with_boards(10.try_into()?);
/// assert_eq!(some.boards().count(), 10);
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hands {
    street: Street,
    num_boards: usize,
}

impl Hands {
    /// All hands of a street.
    #[must_use]
    pub fn of(street: Street) -> Hands {
        Hands { street, num_boards: canonical_boards(street).len() }
    }

    /// Only the hands on at most `num_boards` boards, evenly spaced over all.
    #[must_use]
    pub fn with_boards(self, num_boards: NonZeroUsize) -> Hands {
        Hands { num_boards: self.num_boards.min(num_boards.get()), ..self }
    }

    /// The street.
    #[must_use]
    pub const fn street(&self) -> Street {
        self.street
    }

    /// How many boards there are.
    #[must_use]
    pub const fn num_boards(&self) -> usize {
        self.num_boards
    }

    /// How many rows there are: exact for all boards, an estimate for some.
    #[must_use]
    pub fn num_rows(&self) -> u64 {
        let all = canonical_boards(self.street).len() as u128;
        let rows = u128::from(Indexer::of_combo(self.street).count()) * self.num_boards as u128;
        rows.div_ceil(all) as u64
    }

    /// The boards in their order.
    pub fn boards(&self) -> impl Iterator<Item = Board> + use<> {
        let (all, wanted) = (canonical_boards(self.street).len(), self.num_boards);
        let mut next = 0;
        let boards = canonical_boards(self.street).enumerate();
        boards.filter_map(move |(i, (board, _))| {
            let is_wanted = i == next * all / wanted;
            next += usize::from(is_wanted);
            is_wanted.then_some(board)
        })
    }

    /// Boards in a group of rows.
    fn boards_per_group(&self) -> usize {
        let left = Card::COUNT - self.street.num_board_cards();
        PLACES_PER_GROUP / (left * (left - 1) / 2)
    }
}

/// A canonical combo on a canonical board.
pub(crate) struct Hand {
    pub(crate) combo: Combo,
    index: u32,
    weight: u8,
}

/// The canonical combos of a canonical board.
fn hands_on(board: &Board) -> Vec<Hand> {
    let indexer = Indexer::of_combo(board.street());
    let hand = |combo: Combo| {
        let deal = CanonicalDeal::new(combo, board).ok().filter(|deal| deal.combo() == combo)?;
        let index = indexer.index_deal(combo, board).ok()?;
        Some(Hand { combo, index: u32::try_from(index).ok()?, weight: u8::try_from(deal.class_size()).ok()? })
    };
    Combo::all().filter(|combo| !combo.cards().intersects(board.set())).filter_map(hand).collect()
}

/// The columns that say which hand a row is.
fn hand_fields() -> Vec<Field> {
    vec![
        Field::new("canonical_index", Kind::UInt32).distinct(),
        Field::new("board", Kind::Text),
        Field::new("combo", Kind::Text),
        Field::new("weight", Kind::UInt8),
    ]
}

/// The part of a table of hands that depends on what it shows.
pub(crate) trait HandTable: Sync {
    /// The scratch memory of a thread.
    type Scratch;

    /// The columns after those of the hand.
    fn fields(&self) -> Vec<Field>;

    fn scratch(&self) -> Self::Scratch;

    /// The columns of the hands of one board.
    fn fill(
        &self,
        scratch: &mut Self::Scratch,
        board: &Board,
        hands: &[Hand],
    ) -> Result<Vec<Column>, ExportError>;
}

/// All columns of a table.
fn fields_of(table: &impl HandTable) -> Vec<Field> {
    hand_fields().into_iter().chain(table.fields()).collect()
}

/// The names of all columns of a table.
pub(crate) fn column_names(table: &impl HandTable) -> Vec<String> {
    fields_of(table).iter().map(|field| field.name().to_owned()).collect()
}

/// Writes a table of hands. The bytes do not depend on the number of threads.
pub(crate) fn write<T: HandTable, W: Write + Send>(
    table: &T,
    hands: Hands,
    threads: Option<NonZeroUsize>,
    sink: W,
    notes: &[(&str, &str)],
    observer: &mut dyn Observer,
) -> Result<(W, Written), ExportError> {
    on_threads(threads, || write_groups(table, hands, sink, notes, observer))
}

/// Runs on a pool of `threads` threads, or on the current pool.
///
/// # Errors
/// Those of the work, and [`ExportError::Threads`] if the threads cannot be started.
pub fn on_threads<T: Send>(
    threads: Option<NonZeroUsize>,
    run: impl FnOnce() -> Result<T, ExportError> + Send,
) -> Result<T, ExportError> {
    let Some(threads) = threads else { return run() };
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
    pool.map_err(|error| ExportError::Threads { reason: error.to_string() })?.install(run)
}

fn write_groups<T: HandTable, W: Write + Send>(
    table: &T,
    hands: Hands,
    sink: W,
    notes: &[(&str, &str)],
    observer: &mut dyn Observer,
) -> Result<(W, Written), ExportError> {
    let mut writer = ParquetWriter::new(sink, &fields_of(table), notes)?;
    let progress = Progress::new(observer, hands.num_boards() as u64);
    let mut boards = hands.boards();
    loop {
        let group: Vec<Board> = boards.by_ref().take(hands.boards_per_group()).collect();
        if group.is_empty() {
            return writer.finish();
        }
        let rows = group.par_iter().map_init(
            || table.scratch(),
            |scratch, board| {
                let hands = hands_on(board);
                let columns = table.fill(scratch, board, &hands)?;
                progress.advance(1)?;
                Ok::<_, ExportError>((hands, columns))
            },
        );
        let rows: Vec<(Vec<Hand>, Vec<Column>)> = rows.collect::<Result<_, _>>()?;
        writer.write(&joined(&group, rows))?;
    }
}

/// The columns of the boards of a group as one.
fn joined(boards: &[Board], rows: Vec<(Vec<Hand>, Vec<Column>)>) -> Vec<Column> {
    static COMBOS: LazyLock<Arc<[String]>> = LazyLock::new(|| Combo::all().map(|c| c.to_string()).collect());
    let (mut indices, mut on, mut combos, mut weights) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut values: Vec<Column> = Vec::new();
    for (place, (hands, columns)) in rows.into_iter().enumerate() {
        indices.extend(hands.iter().map(|hand| hand.index));
        on.extend(hands.iter().map(|_| place as u32));
        combos.extend(hands.iter().map(|hand| hand.combo.index() as u32));
        weights.extend(hands.iter().map(|hand| hand.weight));
        if values.is_empty() {
            values = columns;
            continue;
        }
        for (value, more) in values.iter_mut().zip(columns) {
            value.append(more);
        }
    }
    let words = boards.iter().map(Board::to_string).collect();
    let hand_columns = [
        Column::UInt32(indices),
        Column::Text { words, places: on },
        Column::Text { words: COMBOS.clone(), places: combos },
        Column::UInt8(weights),
    ];
    hand_columns.into_iter().chain(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_canonical_flop_hand_is_there_once_and_all_deals_are_counted() {
        let hands = Hands::of(Street::Flop);
        let mut is_there = vec![false; hands.num_rows() as usize];
        let mut num_deals = 0;
        for hand in hands.boards().flat_map(|board| hands_on(&board)) {
            assert!(!std::mem::replace(&mut is_there[hand.index as usize], true), "{}", hand.index);
            num_deals += u64::from(hand.weight);
        }
        assert!(is_there.into_iter().all(|is_there| is_there));
        assert_eq!(num_deals, 22_100 * 1176);
    }

    #[test]
    fn rows_are_as_many_as_known() {
        for (street, num_boards, num_rows) in [
            (Street::Preflop, 1, 169),
            (Street::Flop, 1755, 1_286_792),
            (Street::Turn, 16_432, 13_960_050),
            (Street::River, 134_459, 123_156_254),
        ] {
            let hands = Hands::of(street);
            assert_eq!((hands.num_boards(), hands.num_rows()), (num_boards, num_rows));
        }
        let preflop: Vec<Hand> = Hands::of(Street::Preflop).boards().flat_map(|b| hands_on(&b)).collect();
        assert_eq!(preflop.len(), 169);
        for wanted in [1, 2, 7, 1754, 1755, 9999] {
            let hands = Hands::of(Street::Flop).with_boards(NonZeroUsize::new(wanted).unwrap());
            assert_eq!(hands.boards().count(), wanted.min(1755));
        }
    }
}
