//! Jam or fold for prizes instead of chips.

use equipoise_game::{IcmError, Payouts};
use thiserror::Error;

use super::{PushFold, PushFoldError, PushFoldPayoffs, PushFoldStakes};

/// Why stakes and prizes make no game.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PrizesError {
    /// The stakes make none.
    #[error(transparent)]
    Stakes(#[from] PushFoldError),
    /// Stacks and prizes have no value.
    #[error(transparent)]
    Icm(#[from] IcmError),
}

impl PushFold {
    /// The game for prizes: each end of the hand pays what the stacks after it are worth. `others` are the stacks of players
    /// who are not in the hand.
    ///
    /// ```
    /// use equipoise_blueprint::pushfold::{PushFold, PushFoldStakes};
    /// use equipoise_game::Payouts;
    /// let stakes = PushFoldStakes { small_blind: 50.0, big_blind: 100.0, ante: 0.0, stacks: [1000.0, 1000.0] };
    /// let prizes = PushFold::for_prizes(&stakes, &[1000.0], &Payouts::new(vec![50.0, 50.0])?)?;
    /// // Two of three get the same: calling risks more than it gains.
    /// assert!(prizes.solve().call_share() < PushFold::new(&stakes)?.solve().call_share());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the stakes, or with stacks and prizes.
    pub fn for_prizes(
        stakes: &PushFoldStakes,
        others: &[f64],
        payouts: &Payouts,
    ) -> Result<PushFold, PrizesError> {
        let value = |[small, big]: [f64; 2]| -> Result<[f64; 2], IcmError> {
            let players = [stakes.stacks[0] + small, stakes.stacks[1] + big];
            let stacks: Vec<f64> = players.into_iter().chain(others.iter().copied()).collect();
            let equities = payouts.equities(&stacks)?;
            Ok([equities[0], equities[1]])
        };
        let chips = PushFold::new(stakes)?;
        let ends = chips.payoffs();
        Ok(PushFold::with_payoffs(PushFoldPayoffs {
            fold: value(ends.fold)?,
            jam_fold: value(ends.jam_fold)?,
            small_wins: value(ends.small_wins)?,
            big_wins: value(ends.big_wins)?,
            split: value(ends.split)?,
        }))
    }
}
