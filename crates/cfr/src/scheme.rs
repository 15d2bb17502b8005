//! The interface between solvers and algorithms.

use std::fmt;

use crate::coefficients::{Coefficients, Prediction};

/// An algorithm as a solver uses it: coefficients for each iteration, and the tables that it requires.
///
/// Implemented by each type of [`algorithms`](crate::algorithms) and by [`Algorithm`](crate::Algorithm),
/// which can be any of them. A research variant of your own needs only these two functions to run in
/// [`Trainer`](crate::Trainer):
///
/// ```
/// use equipoise_cfr::{Coefficients, Scheme, ToyGame, Trainer};
///
/// /// Regrets decay by a constant factor.
/// struct Forgetful(f64);
///
/// impl Scheme for Forgetful {
///     fn coefficients(&self, _t: u32) -> Coefficients {
///         Coefficients { positive: self.0, negative: self.0, ..Coefficients::PLAIN }
///     }
/// }
///
/// let tree = ToyGame::Kuhn.tree();
/// let mut trainer = Trainer::new(&tree, Forgetful(0.99));
/// trainer.run(100, |_| std::ops::ControlFlow::Continue(()));
/// assert!(tree.exploitability(&trainer.average_strategy()) < 0.05);
/// ```
pub trait Scheme {
    /// The numbers of iteration `t` = 1, 2, …; all finite.
    fn coefficients(&self, t: u32) -> Coefficients;

    /// The tables that the algorithm requires; the same in every iteration, so they can be sized before the first.
    fn requirements(&self) -> Requirements {
        Requirements::REGRETS_ONLY
    }
}

/// What an algorithm requires of a solver beside regrets and the average strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirements {
    /// The last instant regret of every action is needed: [`Prediction::instant`] is not 0.
    pub last_instant: bool,
    /// The asymmetry of an asymmetric algorithm. [`Asymmetry::Auto`] requires two running sums per
    /// information set; [`Asymmetry::Fixed`] is part of the coefficients, requires nothing, and is here for
    /// reports.
    pub asymmetry: Option<Asymmetry>,
    /// The average strategy is weighted by the player's own reach.
    pub own_reach: bool,
}

impl Requirements {
    /// Nothing beside the two tables that every algorithm has.
    pub const REGRETS_ONLY: Requirements =
        Requirements { last_instant: false, asymmetry: None, own_reach: true };

    /// The last instant regrets too.
    pub const PREDICTIVE: Requirements =
        Requirements { last_instant: true, asymmetry: None, own_reach: true };

    pub(crate) fn asymmetric(asymmetry: Asymmetry) -> Requirements {
        Requirements { asymmetry: Some(asymmetry), ..Requirements::PREDICTIVE }
    }
}

/// How much less the prediction counts than the regrets that it is added to: it is divided by
/// 1 + a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asymmetry {
    /// a is measured per information set, see [`AsymmetrySums`], and is at most `max`.
    Auto {
        /// The cap.
        max: f64,
    },
    /// a is this number everywhere.
    Fixed(f64),
}

impl Asymmetry {
    /// The a of the SAP algorithms, and of `fixed` without a number.
    pub const SIMPLE: f64 = 2.0;

    /// The prediction's weights before any measured asymmetry.
    pub(crate) fn prediction(self, regret: f64) -> Prediction {
        let instant = match self {
            Asymmetry::Auto { .. } => 1.0,
            Asymmetry::Fixed(a) => 1.0 / (1.0 + a),
        };
        Prediction { regret, instant }
    }
}

/// `auto 5` or `fixed 2`.
impl fmt::Display for Asymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asymmetry::Auto { max } => write!(f, "auto {max}"),
            Asymmetry::Fixed(a) => write!(f, "fixed {a}"),
        }
    }
}

/// The two running sums behind the automatic asymmetry of one information set (or of one node: in practice as
/// good).
///
/// a = min(√(Σ‖r_τ − r_{τ−1}‖² / Σ‖R_τ − R_{τ−1}‖²), max), sums through the last finished iteration, r the
/// raw instant regret with r₀ = 0, R as stored. Where R has never moved, a is `max` if r has moved and 0 if
/// it has not.
///
/// ```
/// use equipoise_cfr::AsymmetrySums;
/// let sums = AsymmetrySums { instant: 10.0, regret: 2.5 };
/// assert_eq!((sums.asymmetry(5.0), sums.asymmetry(1.0)), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AsymmetrySums {
    /// Σ‖r_τ − r_{τ−1}‖².
    pub instant: f64,
    /// Σ‖R_τ − R_{τ−1}‖².
    pub regret: f64,
}

impl AsymmetrySums {
    /// The asymmetry, capped at `max`.
    #[inline]
    #[must_use]
    pub fn asymmetry(&self, max: f64) -> f64 {
        if self.regret > 0.0 {
            (self.instant / self.regret).sqrt().min(max)
        } else if self.instant > 0.0 {
            max
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asymmetry_where_nothing_moves() {
        assert_eq!(AsymmetrySums::default().asymmetry(5.0), 0.0);
        assert_eq!(AsymmetrySums { instant: 1.0, regret: 0.0 }.asymmetry(5.0), 5.0);
        assert_eq!(AsymmetrySums { instant: 0.0, regret: 1.0 }.asymmetry(5.0), 0.0);
    }
}
