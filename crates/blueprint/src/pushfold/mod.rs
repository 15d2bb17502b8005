//! Jam or fold: an exact equilibrium over the 169 hand classes, heads-up, and ε-equilibria at larger tables.
//!
//! The small blind jams or folds, the big blind calls or folds. Hands are dealt with card removal and all-in equities are
//! exact ([`ClassTable`](equipoise_equity::ClassTable)), so that the classes lose nothing: combos of a class differ only in
//! suits, and no board is out. Amounts are `f64` in any unit; a big blind of 1 is usual.
//!
//! ```
//! use equipoise_blueprint::pushfold::{PushFold, PushFoldStakes};
//! let game = PushFold::new(&PushFoldStakes::of_stack(10.0))?;
//! let solution = game.solve();
//! assert!((solution.ev()[0] + 0.045371).abs() < 1e-6);
//! assert!(solution.exploitability() < 1e-6);
//! assert!(solution.jam("AA".parse()?) > 0.999);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`MultiwayPushFold`] is the same at a table of up to nine players, for chips or prizes.

mod chart;
mod multiway;
mod prizes;
mod solve;

pub use chart::{Chart, ChartEntry};
pub use multiway::{
    MultiwayOptions, MultiwayProgress, MultiwayPushFold, MultiwaySolution, Played, PlayedSeat, TableDecision,
    TableError, TableStakes,
};
pub use prizes::PrizesError;
pub use solve::PushFoldSolution;

use chart::MAX_DEPTHS;
use equipoise_progress::{Cancelled, Observer};
use thiserror::Error;

/// Blinds, ante and stacks of a heads-up hand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PushFoldStakes {
    /// What the small blind posts.
    pub small_blind: f64,
    /// What the big blind posts.
    pub big_blind: f64,
    /// What each player posts before the blinds.
    pub ante: f64,
    /// What the small and the big blind have before posting. The shorter stack plays.
    pub stacks: [f64; 2],
}

/// Why stakes make no game.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PushFoldError {
    /// An amount that is negative or no number.
    #[error("the {what} of {value} must be {} and finite", if *.may_be_zero { "0 or more" } else { "above 0" })]
    Amount {
        /// Which one.
        what: &'static str,
        /// What it is.
        value: f64,
        /// Whether 0 is allowed.
        may_be_zero: bool,
    },
    /// An amount beyond what sums of chips are exact for.
    #[error("the {what} of {value:e} is larger than {:e}: choose a larger unit", PushFoldError::MOST)]
    TooLarge {
        /// Which one.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// A small blind above the big blind.
    #[error("the small blind of {small} is larger than the big blind of {big}")]
    SmallBlind {
        /// The small blind.
        small: f64,
        /// The big blind.
        big: f64,
    },
    /// A stack that does not reach beyond the small blind: there is nothing to decide.
    #[error(
        "a stack of {stack} does not reach beyond the small blind and the ante, so there is nothing to decide"
    )]
    NoDecision {
        /// The shorter stack.
        stack: f64,
    },
    /// Depths that make no chart.
    #[error(
        "depths from {from} to {to} by {step} make no chart: write at most {MAX_DEPTHS} stacks, the shortest first"
    )]
    Depths {
        /// The shortest stack.
        from: f64,
        /// The deepest stack.
        to: f64,
        /// What lies between two of them.
        step: f64,
    },
}

impl PushFoldStakes {
    /// Blinds of ½ and 1, no ante, and this stack for both.
    #[must_use]
    pub const fn of_stack(stack: f64) -> PushFoldStakes {
        PushFoldStakes { small_blind: 0.5, big_blind: 1.0, ante: 0.0, stacks: [stack; 2] }
    }

    fn check(&self) -> Result<(), PushFoldError> {
        let stacks = self.stacks.map(|stack| ("stack", stack, false));
        PushFoldError::check([self.small_blind, self.big_blind], self.ante, stacks)?;
        let stack = self.effective_stack();
        if stack <= self.small_blind + self.ante {
            return Err(PushFoldError::NoDecision { stack });
        }
        Ok(())
    }

    /// The shorter stack.
    #[must_use]
    pub fn effective_stack(&self) -> f64 {
        self.stacks[0].min(self.stacks[1])
    }
}

impl PushFoldError {
    /// The largest amount.
    const MOST: f64 = 1e9;

    /// Whether blinds, antes and stacks are amounts; each stack with its name, and whether it may be 0.
    fn check(
        [small, big]: [f64; 2],
        ante: f64,
        stacks: impl IntoIterator<Item = (&'static str, f64, bool)>,
    ) -> Result<(), PushFoldError> {
        let posted = [("small blind", small, true), ("big blind", big, false), ("ante", ante, true)];
        for (what, value, may_be_zero) in posted.into_iter().chain(stacks) {
            if !(value.is_finite() && (value > 0.0 || may_be_zero && value == 0.0)) {
                return Err(PushFoldError::Amount { what, value, may_be_zero });
            }
            if value > PushFoldError::MOST {
                return Err(PushFoldError::TooLarge { what, value });
            }
        }
        if small > big {
            return Err(PushFoldError::SmallBlind { small, big });
        }
        Ok(())
    }
}

/// What each end of the hand pays to the small and to the big blind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PushFoldPayoffs {
    /// The small blind folds.
    pub fold: [f64; 2],
    /// The small blind jams and the big blind folds.
    pub jam_fold: [f64; 2],
    /// All-in, and the small blind wins.
    pub small_wins: [f64; 2],
    /// All-in, and the big blind wins.
    pub big_wins: [f64; 2],
    /// All-in, and the pot is split.
    pub split: [f64; 2],
}

/// A game of jam or fold, ready to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushFold {
    payoffs: PushFoldPayoffs,
}

impl PushFold {
    /// The game of these stakes for chips.
    ///
    /// # Errors
    /// What is wrong with the stakes.
    pub fn new(stakes: &PushFoldStakes) -> Result<PushFold, PushFoldError> {
        stakes.check()?;
        let stack = stakes.effective_stack();
        let folded = stakes.ante + stakes.small_blind;
        // A big blind that is not covered is returned in part.
        let stolen = (stakes.ante + stakes.big_blind).min(stack);
        Ok(PushFold::with_payoffs(PushFoldPayoffs {
            fold: [-folded, folded],
            jam_fold: [stolen, -stolen],
            small_wins: [stack, -stack],
            big_wins: [-stack, stack],
            split: [0.0, 0.0],
        }))
    }

    /// The game with any payoffs, such as prizes.
    #[must_use]
    pub const fn with_payoffs(payoffs: PushFoldPayoffs) -> PushFold {
        PushFold { payoffs }
    }

    /// What each end of the hand pays.
    #[must_use]
    pub const fn payoffs(&self) -> &PushFoldPayoffs {
        &self.payoffs
    }

    /// An equilibrium, to an ε of at most 1e-7 of what is at stake or as near as 100,000 iterations come.
    #[must_use]
    pub fn solve(&self) -> PushFoldSolution {
        self.solve_observed(&mut ()).unwrap_or_else(|Cancelled| unreachable!("nobody cancels it"))
    }

    /// The same for an observer, who hears of the iterations now and then and may end it.
    ///
    /// # Errors
    /// If the observer has ended it.
    pub fn solve_observed(&self, observer: &mut dyn Observer<u32>) -> Result<PushFoldSolution, Cancelled> {
        solve::solve(&self.payoffs, observer)
    }
}
