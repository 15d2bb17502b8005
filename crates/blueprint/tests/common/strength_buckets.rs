//! Few buckets for whole hands.

use equipoise_blueprint::bucketed::{BucketedError, Buckets, Lossless};
use equipoise_cards::{Board, Combo, Street, Strength};

/// What the hand is, and how high.
pub(crate) struct Crude;

impl Buckets for Crude {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Lossless.of_board(board);
        }
        let bucket = |combo: Combo| match Strength::of(combo.cards() | board.set()) {
            Some(strength) => strength.category() as u32 * 4 + combo.high().rank().index() as u32 / 4,
            None => 0,
        };
        Ok(Combo::all().map(bucket).collect())
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        if street == Street::Preflop { Lossless.num_buckets(street) } else { Some(40) }
    }
}
