//! One iteration of any algorithm as a handful of numbers.

/// What an algorithm does in one iteration, as plain numbers.
///
/// Every algorithm of this crate is the same update with other coefficients, so a solver implements the
/// update once (in `f64` here, in vector kernels over packed tables elsewhere) and asks the algorithm only
/// for these numbers. With R the stored regret, r₋ the instant regret of the previous iteration and S the
/// average strategy's sums, all zero at the start, iteration t does for each player in turn:
///
/// ```text
/// σ = RM(prediction.regret · R + prediction.instant · r₋ / (1 + a))     per information set
/// r = v(action) − Σ σ·v                                                 v weighted by cf reach
/// S = average · S + own reach · σ                                       own reach: see Requirements
/// R = (positive if R > 0, else negative) · R + instant · r              then max(R, 0) if `clamp`
/// r₋ = r                                                                only if it is required
/// ```
///
/// where RM(x) is \[x\]⁺ divided by its sum, or uniform if the sum is 0, and a is the information set's
/// asymmetry: 0 unless [`Requirements::asymmetry`](crate::Requirements::asymmetry) says that it is measured.
///
/// With look-ahead w, v(action) is not the value of the action under σ alone: an own decision whose
/// actions are worth v passes up
///
/// ```text
/// (1 − w) · Σ σ·v + w · Σ σ′·v          σ′ the strategy of t + 1, from the R and r of this iteration
/// ```
///
/// so that information sets are updated from the last decisions to the first.
///
/// The first line is evaluated at the end of the iteration before: once a player has finished iteration t, the
/// other player is updated against its strategy of t + 1, which is made with the coefficients of t + 1.
///
/// ```
/// use equipoise_cfr::{Algorithm, Scheme};
/// let dcfr: Algorithm = "dcfr(1.5,0,2)".parse()?;
/// let c = dcfr.coefficients(2);
/// assert_eq!((c.positive, c.negative, c.instant, c.clamp, c.average), (0.5, 0.5, 1.0, false, 0.25));
/// # Ok::<(), equipoise_cfr::AlgorithmError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Factor of a regret above 0, applied before the instant regret is added.
    pub positive: f64,
    /// Factor of a regret at or below 0.
    pub negative: f64,
    /// Weight of the instant regret.
    pub instant: f64,
    /// Whether the new regret is raised to 0 where it would be negative.
    pub clamp: bool,
    /// The prediction in the strategy of this iteration.
    pub prediction: Prediction,
    /// Factor of the average strategy's sums before this iteration's strategy is added.
    pub average: f64,
    /// The weight of the next strategy in the values that decisions pass up; 0: none.
    pub look_ahead: f64,
}

/// The two weights under regret matching: of the regret, and of the instant regret expected to come next.
///
/// Regret matching does not see a common factor, so a kernel may divide both by `regret` where that is not 0;
/// where it is 0 (first iteration) so are all the tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Weight of the stored regret.
    pub regret: f64,
    /// Weight of the last instant regret, before division by 1 + a. A fixed asymmetry is already in it.
    pub instant: f64,
}

impl Prediction {
    /// No prediction: the strategy follows the regrets alone.
    pub const NONE: Prediction = Prediction { regret: 1.0, instant: 0.0 };

    /// The number that regret matching sees for one action.
    #[inline]
    #[must_use]
    pub fn apply(&self, regret: f64, last_instant: f64, asymmetry: f64) -> f64 {
        self.regret * regret + self.instant / (1.0 + asymmetry) * last_instant
    }
}

impl Coefficients {
    /// Sums without weights: what the other algorithms depart from.
    pub const PLAIN: Coefficients = Coefficients {
        positive: 1.0,
        negative: 1.0,
        instant: 1.0,
        clamp: false,
        prediction: Prediction::NONE,
        average: 1.0,
        look_ahead: 0.0,
    };

    /// The new regret of one action.
    #[inline]
    #[must_use]
    pub fn next_regret(&self, regret: f64, instant: f64) -> f64 {
        let factor = if regret > 0.0 { self.positive } else { self.negative };
        let next = factor * regret + self.instant * instant;
        if self.clamp { next.max(0.0) } else { next }
    }
}

/// D(t − 1, exponent) = x^e / (x^e + offset) with x = t − 1: how much of the past survives into iteration t.
///
/// Zero in the first iteration, whatever the exponent.
pub(crate) fn discount(t: u32, exponent: f64, offset: f64) -> f64 {
    match t {
        0 | 1 => 0.0,
        _ => 1.0 / (1.0 + offset * f64::from(t - 1).powf(-exponent)),
    }
}

/// ((t − 1)/t)^γ, which leaves iteration t with a weight proportional to t^γ.
pub(crate) fn average_factor(t: u32, gamma: f64) -> f64 {
    match t {
        0 | 1 => 0.0,
        _ => (f64::from(t - 1) / f64::from(t)).powf(gamma),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_iteration_forgets_everything() {
        for exponent in [-3.0, 0.0, 2.0] {
            assert_eq!(discount(1, exponent, 1.0), 0.0);
            assert_eq!(average_factor(1, exponent), 0.0);
        }
    }

    #[test]
    fn discounts_are_the_papers() {
        for (t, exponent, offset) in [(2, 1.5, 1.0), (5, 1.5, 1.5), (100, -2.0, 1.0), (7, 0.0, 1.0)] {
            let power = (f64::from(t) - 1.0).powf(exponent);
            let expected = power / (power + offset);
            assert!((discount(t, exponent, offset) - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn average_factors_telescope_to_powers_of_t() {
        let product: f64 = (4..=9).map(|t| average_factor(t, 2.0)).product();
        assert!((product - (3.0f64 / 9.0).powi(2)).abs() < 1e-15);
    }

    #[test]
    fn regrets_keep_their_sign_rule() {
        let c = Coefficients { positive: 0.5, negative: 0.25, ..Coefficients::PLAIN };
        assert_eq!(c.next_regret(2.0, 1.0), 2.0);
        assert_eq!(c.next_regret(-4.0, -1.0), -2.0);
        assert_eq!(Coefficients { clamp: true, ..c }.next_regret(-4.0, -1.0), 0.0);
    }
}
