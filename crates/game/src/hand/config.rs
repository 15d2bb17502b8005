//! What a heads-up hand begins with.

use thiserror::Error;

use crate::chips::Chips;
use crate::per_player::PerPlayer;

/// Blinds, antes and stacks of a heads-up hand. The big blind is out of position from the flop on ([`Player::Oop`]); the
/// button posts the small blind and is in position ([`Player::Ip`]).
///
/// Antes are dead money: they are no part of a bet. A player who cannot pay in full posts all that is left, the ante first.
///
/// ```
/// use equipoise_game::{Chips, HandConfig, PerPlayer};
/// let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000));
/// assert_eq!(config.stacks, PerPlayer::new(Chips::new(20_000), Chips::new(20_000)));
/// assert!(config.check().is_ok());
/// ```
///
/// [`Player::Oop`]: crate::Player::Oop
/// [`Player::Ip`]: crate::Player::Ip
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct HandConfig {
    /// What the button posts; at most the big blind.
    pub small_blind: Chips,
    /// What the other player posts, and the least bet; at least one chip.
    pub big_blind: Chips,
    /// What each player posts before the blinds.
    pub antes: PerPlayer<Chips>,
    /// What each player has before posting; at least one chip.
    pub stacks: PerPlayer<Chips>,
}

/// Why no hand can begin so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HandConfigError {
    /// A big blind of 0.
    #[error("the big blind is 0: it must be at least one chip")]
    NoBigBlind,
    /// A small blind above the big blind.
    #[error("the small blind of {small} is larger than the big blind of {big}")]
    SmallBlind {
        /// The small blind.
        small: Chips,
        /// The big blind.
        big: Chips,
    },
    /// A player without chips.
    #[error("the {seat} has no chips: a stack must be at least one chip")]
    NoStack {
        /// "big blind" or "button".
        seat: &'static str,
    },
    /// More chips than [`Chips::MAX`].
    #[error("{chips} chips are too many: the most is {}, so choose a larger unit", Chips::MAX)]
    TooManyChips {
        /// How many.
        chips: Chips,
    },
}

impl HandConfig {
    /// These blinds, no antes, and the same stack for both.
    #[must_use]
    pub const fn new(small_blind: Chips, big_blind: Chips, stack: Chips) -> HandConfig {
        HandConfig {
            small_blind,
            big_blind,
            antes: PerPlayer::new(Chips::ZERO, Chips::ZERO),
            stacks: PerPlayer::new(stack, stack),
        }
    }

    /// Whether a hand can begin so.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), HandConfigError> {
        let amounts = self.antes.iter().chain(self.stacks.iter()).chain([&self.small_blind, &self.big_blind]);
        if let Some(&chips) = amounts.into_iter().find(|&&chips| chips > Chips::MAX) {
            return Err(HandConfigError::TooManyChips { chips });
        }
        if self.big_blind == Chips::ZERO {
            return Err(HandConfigError::NoBigBlind);
        }
        if self.small_blind > self.big_blind {
            return Err(HandConfigError::SmallBlind { small: self.small_blind, big: self.big_blind });
        }
        let mut seats = self.stacks.iter().zip(["big blind", "button"]);
        match seats.find(|&(&stack, _)| stack == Chips::ZERO) {
            Some((_, seat)) => Err(HandConfigError::NoStack { seat }),
            None => Ok(()),
        }
    }
}
