//! What a call costs and what it has to win.

use thiserror::Error;

/// The price of a call after which no more chips go in.
///
/// The pot is what lies in the middle before the call, the bet to be called included: if the pot was 100 and the
/// opponent bet 50, it is 150.
///
/// ```
/// use equipoise::PotOdds;
/// let odds = PotOdds::new(150.0, 50.0)?;
/// assert_eq!(odds.required_equity(), 0.25);
/// assert_eq!(odds.ev(0.25), 0.0);
/// assert_eq!(odds.ev(0.5), 50.0);
/// # Ok::<(), equipoise::PotOddsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PotOdds {
    pot: f64,
    call: f64,
}

/// Amounts that are no pot and no call.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PotOddsError {
    /// A pot that is negative or no number.
    #[error("a pot of {found} chips: it has to be a number of at least 0")]
    Pot {
        /// What was given.
        found: f64,
    },
    /// A call that is zero, negative or no number.
    #[error("a call of {found} chips: it has to be a number above 0")]
    Call {
        /// What was given.
        found: f64,
    },
    /// Pot and call are numbers, but their sum is none.
    #[error("a pot of {pot:e} and a call of {call:e} chips are together too many to count")]
    TooLarge {
        /// The pot.
        pot: f64,
        /// The call.
        call: f64,
    },
}

impl PotOdds {
    /// The price of calling `call` chips for a pot of `pot` chips, which includes the bet to be called.
    ///
    /// # Errors
    /// [`PotOddsError`] unless the pot is at least 0, the call above 0, and their sum finite.
    pub fn new(pot: f64, call: f64) -> Result<PotOdds, PotOddsError> {
        if !(pot.is_finite() && pot >= 0.0) {
            return Err(PotOddsError::Pot { found: pot });
        }
        if !(call.is_finite() && call > 0.0) {
            return Err(PotOddsError::Call { found: call });
        }
        if !(pot + call).is_finite() {
            return Err(PotOddsError::TooLarge { pot, call });
        }
        Ok(PotOdds { pot, call })
    }

    /// The chips in the middle before the call.
    #[must_use]
    pub const fn pot(&self) -> f64 {
        self.pot
    }

    /// The chips that the call costs.
    #[must_use]
    pub const fn call(&self) -> f64 {
        self.call
    }

    /// The chips in the middle after the call.
    #[must_use]
    pub fn final_pot(&self) -> f64 {
        self.pot + self.call
    }

    /// The equity at which calling and folding are worth the same: call / (pot + call).
    #[must_use]
    pub fn required_equity(&self) -> f64 {
        self.call / self.final_pot()
    }

    /// The expected gain in chips of calling with this equity, where folding gains 0: equity · (pot + call) − call.
    #[must_use]
    pub fn ev(&self, equity: f64) -> f64 {
        equity * self.final_pot() - self.call
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calling_at_the_required_equity_gains_nothing() {
        for (pot, call, required) in
            [(150.0, 50.0, 0.25), (100.0, 100.0, 0.5), (0.0, 3.0, 1.0), (2.5, 0.5, 1.0 / 6.0)]
        {
            let odds = PotOdds::new(pot, call).unwrap();
            assert!((odds.required_equity() - required).abs() < 1e-15);
            assert!(odds.ev(odds.required_equity()).abs() < 1e-12);
            assert_eq!((odds.ev(0.0), odds.ev(1.0)), (-call, pot));
        }
    }

    #[test]
    fn senseless_amounts_are_refused() {
        for pot in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(PotOdds::new(pot, 1.0), Err(PotOddsError::Pot { .. })), "{pot}");
        }
        for call in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(PotOdds::new(1.0, call), Err(PotOddsError::Call { .. })), "{call}");
        }
        assert!(matches!(PotOdds::new(1e308, 1e308), Err(PotOddsError::TooLarge { .. })));
    }
}
