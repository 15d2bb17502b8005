//! Where the buckets of combos come from.

use equipoise_abstraction::{AbstractionError, CardAbstraction, StreetBuckets};
use equipoise_cards::{Board, Card, Combo, Street};

use crate::error::AbstractSpotError;

/// Says which combos an abstract player cannot tell apart.
///
/// The number of a bucket holds for all boards of a street: two combos with the same number on different rivers are one
/// to the player, who then does not know which card fell. A closure from combo and board to a number is one:
///
/// ```
/// use equipoise_blueprint::Buckets;
/// use equipoise_cards::{Board, Combo};
/// let pairs_or_not = |combo: Combo, _: &Board| u32::from(combo.low().rank() == combo.high().rank());
/// let board = "Td9d6hQc".parse()?;
/// assert_eq!(pairs_or_not.of_board(&board)?["AhAd".parse::<Combo>()?.index()], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Buckets {
    /// The bucket of each combo on a turn or river board, by combo number; whatever stands for combos that the board
    /// blocks.
    ///
    /// # Errors
    /// [`AbstractSpotError`] if there are no buckets for the board's street, or they cannot be read.
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, AbstractSpotError>;
}

impl<F: Fn(Combo, &Board) -> u32> Buckets for F {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, AbstractSpotError> {
        Ok(Combo::all().map(|combo| self(combo, board)).collect())
    }
}

impl Buckets for CardAbstraction {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, AbstractSpotError> {
        of_street(self.street(board.street()), board)
    }
}

/// Streets apart, for instance those that a spot needs: the first of the board's street is asked.
impl Buckets for &[&StreetBuckets] {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, AbstractSpotError> {
        of_street(self.iter().find(|buckets| buckets.street() == board.street()).copied(), board)
    }
}

fn of_street(buckets: Option<&StreetBuckets>, board: &Board) -> Result<Vec<u32>, AbstractSpotError> {
    let Some(buckets) = buckets else {
        return Err(AbstractSpotError::NoBuckets { street: board.street() });
    };
    let of_board = buckets.board(board).map_err(|error: AbstractionError| Box::new(error))?;
    let number = |combo: Combo| of_board.get(combo).map_or(0, |bucket| u32::from(bucket.get()));
    Ok(Combo::all().map(number).collect())
}

/// Buckets that lose nothing: every combo is alone in its own, on each river apart. A spot solved in these is solved
/// exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // There is nothing to it.
pub struct Lossless;

impl Buckets for Lossless {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, AbstractSpotError> {
        let river = match board.street() {
            Street::River => board.cards().last().map_or(0, |card: &Card| card.index()),
            _ => 0,
        };
        Ok(Combo::all().map(|combo| (river * Combo::COUNT + combo.index()) as u32).collect())
    }
}
