//! Sources of buckets.

use equipoise_abstraction::{AbstractionError, CardAbstraction, StreetBuckets};
use equipoise_cards::{Board, Card, Combo, HandClass, Street};

use crate::bucketed::error::BucketedError;

/// The bucket of each combo.
///
/// Bucket numbers are shared by all boards of a street: combos with the same number on different rivers are in the same
/// information set, and the player does not know which card fell. Buckets that are local to a board have numbers that no
/// other board has. A closure from combo and board to a number is a source:
///
/// ```
/// use equipoise_blueprint::bucketed::Buckets;
/// use equipoise_cards::{Board, Combo};
/// let pairs_or_not = |combo: Combo, _: &Board| u32::from(combo.low().rank() == combo.high().rank());
/// let board = "Td9d6hQc".parse()?;
/// assert_eq!(pairs_or_not.of_board(&board)?["AhAd".parse::<Combo>()?.index()], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Buckets: Sync {
    /// The bucket of each combo on a board, by combo number; any number for blocked combos.
    ///
    /// # Errors
    /// [`BucketedError`] if there are no buckets for the board's street, or they cannot be read.
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError>;

    /// How many buckets a street has on all boards together, if they are numbered from 0 on; `None` if that is not known.
    fn num_buckets(&self, _street: Street) -> Option<usize> {
        None
    }
}

impl<F: Fn(Combo, &Board) -> u32 + Sync> Buckets for F {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        Ok(Combo::all().map(|combo| self(combo, board)).collect())
    }
}

/// Hand classes before the flop.
impl Buckets for CardAbstraction {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        of_street(self.street(board.street()), board)
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        num_buckets(self.street(street), street)
    }
}

/// Some streets, for instance those of a spot: the first of the board's street is used. Hand classes before the flop.
impl Buckets for &[&StreetBuckets] {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        of_street(self.iter().find(|buckets| buckets.street() == board.street()).copied(), board)
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        num_buckets(self.iter().find(|buckets| buckets.street() == street).copied(), street)
    }
}

/// The hand class of each combo.
pub(crate) fn classes() -> Vec<u32> {
    Combo::all().map(|combo| combo.class().index() as u32).collect()
}

fn num_buckets(buckets: Option<&StreetBuckets>, street: Street) -> Option<usize> {
    if street == Street::Preflop {
        return Some(HandClass::COUNT);
    }
    buckets.map(|buckets| usize::from(buckets.num_buckets()))
}

fn of_street(buckets: Option<&StreetBuckets>, board: &Board) -> Result<Vec<u32>, BucketedError> {
    if board.street() == Street::Preflop {
        return Ok(classes());
    }
    let Some(buckets) = buckets else {
        return Err(BucketedError::NoBuckets { street: board.street() });
    };
    let of_board = buckets.board(board).map_err(|error: AbstractionError| Box::new(error))?;
    let number = |combo: Combo| of_board.get(combo).map_or(0, |bucket| u32::from(bucket.get()));
    Ok(Combo::all().map(number).collect())
}

/// A bucket for each combo on each board after a flop: a spot solved in these is solved exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // There is nothing to it.
pub struct Lossless;

impl Buckets for Lossless {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Ok(classes());
        }
        let cards = board.cards()[3..].iter().map(|card| card.index());
        let runout = cards.fold(0, |runout, card| runout * Card::COUNT + card);
        Ok(Combo::all().map(|combo| (runout * Combo::COUNT + combo.index()) as u32).collect())
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        (street == Street::Preflop).then_some(HandClass::COUNT)
    }
}
