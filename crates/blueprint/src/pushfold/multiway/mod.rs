//! Jam or fold at a table of two to nine players, with calls and overcalls.
//!
//! Each player folds or goes all-in, in turn. Games of two and three players are exact but for the sampled order of three hands;
//! what is approximated from four players on is said in [`evaluate`] and measured by [`MultiwaySolution::play`].
//!
//! Strategies are found by CFR+ on vectors of the 169 classes. With more than two players, or prizes, the game is not zero-sum:
//! each player's gain by the best response is reported (ε).

mod evaluate;
mod play;
mod solve;
mod table;

pub use play::{Played, PlayedSeat};
pub use solve::{MultiwayOptions, MultiwayProgress, MultiwaySolution, TableDecision};
pub use table::{TableError, TableStakes};

use equipoise_equity::ThreeWayJoint;
use equipoise_progress::Observer;

/// A game of jam or fold at a table, ready to be solved.
///
/// ```
/// use equipoise_blueprint::pushfold::{MultiwayOptions, MultiwayPushFold, TableStakes};
/// let stakes = TableStakes {
///     small_blind: 0.5,
///     big_blind: 1.0,
///     ante: 0.0,
///     stacks: vec![10.0; 2],
///     others: Vec::new(),
///     payouts: None,
/// };
/// // Two players need no equities of three.
/// let game = MultiwayPushFold::new(stakes, None)?;
/// let solution = game.solve(&MultiwayOptions::default(), &mut ());
/// assert!((solution.ev()[0] + 0.045371).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations)] // Tables.
pub struct MultiwayPushFold<'a> {
    stakes: TableStakes,
    joint: Option<&'a ThreeWayJoint>,
}

impl<'a> MultiwayPushFold<'a> {
    /// The game of these stakes, with the order of three hands all-in.
    ///
    /// # Errors
    /// What is wrong with the stakes.
    ///
    /// # Panics
    /// If there are three players or more and no equities of three.
    pub fn new(
        stakes: TableStakes,
        joint: Option<&'a ThreeWayJoint>,
    ) -> Result<MultiwayPushFold<'a>, TableError> {
        stakes.check()?;
        assert!(
            stakes.stacks.len() == 2 || joint.is_some(),
            "three players need the equities of three hands"
        );
        Ok(MultiwayPushFold { stakes, joint })
    }

    /// The stakes.
    #[must_use]
    pub const fn stakes(&self) -> &TableStakes {
        &self.stakes
    }

    /// An ε-equilibrium. If the observer ends it, what was found until then, with its ε.
    pub fn solve(
        &self,
        options: &MultiwayOptions,
        observer: &mut dyn Observer<MultiwayProgress>,
    ) -> MultiwaySolution {
        solve::solve(&evaluate::Game::new(&self.stakes, self.joint), options, observer)
    }
}

#[cfg(test)]
mod tests;
