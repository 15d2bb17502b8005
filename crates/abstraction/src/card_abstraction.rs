//! The buckets of all streets together.

use std::fs;
use std::path::{Path, PathBuf};

use equipoise_cards::{Board, BoardError, Card, Combo, Street};
use equipoise_progress::{Observer, Part};

use crate::buckets::{BucketId, StreetBuckets};
use crate::config::AbstractionConfig;
use crate::error::AbstractionError;

/// The bucket of every hand on every street: the 169 classes before the flop, and [`StreetBuckets`] after it.
///
/// It is kept in a folder, with a file for each street.
#[derive(Debug)]
pub struct CardAbstraction {
    streets: [StreetBuckets; 3],
}

/// The streets that have files.
const STREETS: [Street; 3] = [Street::Flop, Street::Turn, Street::River];

impl CardAbstraction {
    /// Learns the buckets of all streets. See [`StreetBuckets::build`] to make and keep one street at a time.
    ///
    /// # Errors
    /// As [`StreetBuckets::build`].
    pub fn build(
        config: &AbstractionConfig,
        observer: &mut dyn Observer,
    ) -> Result<CardAbstraction, AbstractionError> {
        // From the last street back: each may be made from the next.
        let river = StreetBuckets::build_on(Street::River, config, None, &mut Part::of(observer, 0, 3))?;
        let turn =
            StreetBuckets::build_on(Street::Turn, config, Some(&river), &mut Part::of(observer, 1, 3))?;
        let flop = StreetBuckets::build_on(Street::Flop, config, Some(&turn), &mut Part::of(observer, 2, 3))?;
        Ok(CardAbstraction { streets: [flop, turn, river] })
    }

    /// Opens the files of a folder, which are mapped into memory.
    ///
    /// # Errors
    /// As [`StreetBuckets::load`]; also if a file is of another street than its name says.
    pub fn load(folder: &Path) -> Result<CardAbstraction, AbstractionError> {
        let load = |street| {
            let path = CardAbstraction::file(folder, street);
            let buckets = StreetBuckets::load(&path)?;
            if buckets.street() == street {
                return Ok(buckets);
            }
            let reason = format!("it is of the {}", buckets.street());
            Err(AbstractionError::InvalidBoundaries { path, reason })
        };
        let [flop, turn, river] = STREETS.map(load);
        Ok(CardAbstraction { streets: [flop?, turn?, river?] })
    }

    /// Writes a file for each street to a folder, which is made if need be.
    ///
    /// # Errors
    /// [`AbstractionError::SaveError`] if that fails.
    pub fn save(&self, folder: &Path) -> Result<(), AbstractionError> {
        fs::create_dir_all(folder)
            .map_err(|source| AbstractionError::SaveError { path: folder.to_owned(), source })?;
        self.streets
            .iter()
            .try_for_each(|buckets| buckets.save(&CardAbstraction::file(folder, buckets.street())))
    }

    /// The file of a street in a folder.
    #[must_use]
    pub fn file(folder: &Path, street: Street) -> PathBuf {
        folder.join(format!("{street}.buckets"))
    }

    /// The buckets of a street; `None` before the flop.
    #[must_use]
    pub fn street(&self, street: Street) -> Option<&StreetBuckets> {
        self.streets.get((street as usize).wrapping_sub(1))
    }

    /// The bucket of two private cards on a board of 0, 3, 4 or 5 cards: before the flop the
    /// [`index`](equipoise_cards::HandClass::index) of their class.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoardSize`] and [`AbstractionError::DuplicateCard`] if these are no cards of a deal,
    /// [`AbstractionError::InvalidBoundaries`] if a file is damaged. There is no default bucket.
    pub fn get_bucket(&self, board: &[Card], holding: (Card, Card)) -> Result<BucketId, AbstractionError> {
        let board = Board::new(board).map_err(|error| match error {
            BoardError::Duplicate { card } => AbstractionError::DuplicateCard { card },
            _ => AbstractionError::InvalidBoardSize { expected: "0, 3, 4 or 5", got: board.len() },
        })?;
        let combo =
            Combo::new(holding.0, holding.1).ok_or(AbstractionError::DuplicateCard { card: holding.0 })?;
        self.bucket(combo, &board)
    }

    /// The bucket of a combo on a board, as [`get_bucket`](CardAbstraction::get_bucket).
    ///
    /// # Errors
    /// As [`get_bucket`](CardAbstraction::get_bucket).
    pub fn bucket(&self, combo: Combo, board: &Board) -> Result<BucketId, AbstractionError> {
        match self.street(board.street()) {
            Some(buckets) => buckets.bucket(combo, board),
            None => Ok(BucketId::new(combo.class().index() as u16)),
        }
    }
}
