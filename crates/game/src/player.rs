//! The two players of a postflop spot.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Who acts: out of position (first on every street) or in position.
///
/// ```
/// use equipoise_game::Player;
/// assert_eq!("IP".parse(), Ok(Player::Ip));
/// assert_eq!(Player::Ip.opponent(), Player::Oop);
/// assert_eq!(Player::ALL.map(|player| player.to_string()), ["oop", "ip"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // Two players: code everywhere relies on it.
pub enum Player {
    /// Out of position: acts first.
    Oop,
    /// In position: acts last.
    Ip,
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no player: write oop or ip")]
#[non_exhaustive]
pub struct ParsePlayerError {
    /// The text.
    pub text: String,
}

impl Player {
    /// Both, in the order they act.
    pub const ALL: [Player; 2] = [Player::Oop, Player::Ip];

    /// The other one.
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::Oop => Player::Ip,
            Player::Ip => Player::Oop,
        }
    }

    /// 0 for OOP, 1 for IP: where arrays of both keep this player.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["oop", "ip"][self.index()])
    }
}

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        Player::ALL
            .into_iter()
            .find(|player| text.eq_ignore_ascii_case(&player.to_string()))
            .ok_or_else(|| ParsePlayerError { text: text.to_owned() })
    }
}
