//! Bets that an abstraction does not have, taken for bets that it has.

/// How likely a bet is taken for the smaller of its two neighbours: pseudo-harmonic translation.
///
/// All three are shares of the pot; `lower` may be 0, a check or a call. The bet that is taken for either half of the time
/// is `(A + B + 2 A B) / (A + B + 2)`.
///
/// ```
/// use equipoise_play::lower_probability;
/// assert!((lower_probability(0.5, 1.0, 0.75) - 3.0 / 7.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn lower_probability(lower: f64, upper: f64, bet: f64) -> f64 {
    if bet <= lower {
        return 1.0;
    }
    if bet >= upper {
        return 0.0;
    }
    (upper - bet) * (1.0 + lower) / ((upper - lower) * (1.0 + bet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        for (lower, upper, bet, wanted) in
            [(0.5, 1.0, 0.75, 3.0 / 7.0), (0.5, 1.0, 0.73, 0.468_208), (0.0, 0.5, 0.25, 0.4)]
        {
            let found = lower_probability(lower, upper, bet);
            assert!((found - wanted).abs() < 5e-7, "{lower} {upper} {bet}: {found}");
        }
        for (lower, upper) in [(0.5_f64, 1.0_f64), (0.0, 0.5), (0.33, 12.0)] {
            let half = (lower + upper + 2.0 * lower * upper) / (lower + upper + 2.0);
            assert!((lower_probability(lower, upper, half) - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn neighbours_are_taken_for_themselves() {
        assert_eq!(lower_probability(0.5, 1.0, 0.5), 1.0);
        assert_eq!(lower_probability(0.5, 1.0, 1.0), 0.0);
        assert_eq!(lower_probability(0.5, 1.0, 3.0), 0.0);
    }
}
