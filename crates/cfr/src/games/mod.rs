//! Small games with known answers.

mod kuhn;
mod leduc;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use kuhn::{Kuhn, KuhnState};
pub use leduc::{Leduc, LeducState};

use crate::tree::Tree;

/// The games that ship with the library, by name.
///
/// ```
/// use equipoise_cfr::ToyGame;
/// let game: ToyGame = "Leduc".parse()?;
/// assert_eq!(game.tree().infosets().len(), 936);
/// # Ok::<(), equipoise_cfr::UnknownGameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToyGame {
    /// Three cards, one bet.
    Kuhn,
    /// Six cards, two rounds.
    Leduc,
}

/// A text that names none of the games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game '{name}'; known: kuhn, leduc")]
pub struct UnknownGameError {
    name: String,
}

impl ToyGame {
    /// All of them, smallest first.
    pub const ALL: [ToyGame; 2] = [ToyGame::Kuhn, ToyGame::Leduc];

    /// The whole game.
    #[must_use]
    pub fn tree(self) -> Tree {
        let tree = match self {
            ToyGame::Kuhn => Tree::compile(&Kuhn),
            ToyGame::Leduc => Tree::compile(&Leduc),
        };
        tree.expect("the games of the library are valid")
    }

    /// What the first player wins on average in equilibrium.
    #[must_use]
    pub const fn equilibrium_ev(self) -> f64 {
        match self {
            ToyGame::Kuhn => -1.0 / 18.0,
            ToyGame::Leduc => -0.085_606_424_078,
        }
    }
}

impl fmt::Display for ToyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ToyGame::Kuhn => "kuhn",
            ToyGame::Leduc => "leduc",
        })
    }
}

impl FromStr for ToyGame {
    type Err = UnknownGameError;

    fn from_str(text: &str) -> Result<ToyGame, UnknownGameError> {
        let name = text.trim().to_lowercase();
        let found = ToyGame::ALL.into_iter().find(|game| game.to_string() == name);
        found.ok_or_else(|| UnknownGameError { name: text.to_owned() })
    }
}
