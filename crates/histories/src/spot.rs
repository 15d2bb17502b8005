//! The moment a street begins with two players left.

use equipoise_cards::{Board, Street};
use equipoise_game::{PerPlayer, Player};
use thiserror::Error;

use crate::error::Problem;
use crate::history::History;

/// What a postflop spot needs of a hand.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreetSpot {
    /// The public cards.
    pub board: Board,
    /// The pot when the street begins, in chips.
    pub pot: u64,
    /// What the shorter of the two stacks has behind then.
    pub effective_stack: u64,
    /// The seats of the two players.
    pub players: PerPlayer<usize>,
    /// The part of the pot that the house took, if the history says so.
    pub rake_rate: Option<f64>,
}

/// Why a hand has no spot.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpotError {
    /// No street with two players left begins.
    #[error("no street after the flop begins with two players left")]
    NoStreet,
    /// Not the street that was asked for.
    #[error("the {street} does not begin with two players left")]
    NotThisStreet {
        /// The street.
        street: Street,
    },
    /// The public cards are unknown.
    #[error("the public cards are unknown")]
    UnknownBoard,
    /// The hand is not legal.
    #[error(transparent)]
    Illegal(#[from] Problem),
}

impl History {
    /// The spot of a street, or of the first street that begins with two players left.
    ///
    /// # Errors
    /// If there is none.
    pub fn spot(&self, street: Option<Street>) -> Result<StreetSpot, SpotError> {
        let replay = self.replay().map_err(|(_, problem)| problem)?;
        let begins = |play: &&crate::StreetPlay| {
            play.street != Street::Preflop
                && play.live.len() == 2
                && street.is_none_or(|street| play.street == street)
        };
        let found = replay.streets.iter().find(begins);
        let play = found.ok_or(match street {
            Some(street) => SpotError::NotThisStreet { street },
            None => SpotError::NoStreet,
        })?;
        let cards: Vec<_> = replay
            .streets
            .iter()
            .filter(|other| other.street <= play.street)
            .flat_map(|other| other.cards.clone())
            .collect();
        let board = Board::new(&cards).ok().filter(|board| board.street() == play.street);
        let players = PerPlayer::new(play.live[0], play.live[1]);
        let pot: u64 = replay.called().iter().sum();
        Ok(StreetSpot {
            board: board.ok_or(SpotError::UnknownBoard)?,
            pot: play.pot,
            effective_stack: play.behind[players[Player::Oop]].min(play.behind[players[Player::Ip]]),
            players,
            rake_rate: self.rake.filter(|&rake| rake > 0 && pot > 0).map(|rake| rake as f64 / pot as f64),
        })
    }
}
