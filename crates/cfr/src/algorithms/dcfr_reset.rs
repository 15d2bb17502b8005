use super::Registered;
use crate::coefficients::{Coefficients, discount};
use crate::scheme::{Requirements, Scheme};

/// DCFR as the best known open postflop solver schedules it, for comparison.
///
/// R ← R·D(max(t − 2, 0), 1.5) + r where R > 0, R/2 + r elsewhere; next σ = RM(R). The average forgets
/// everything at powers of 4: its factor is (k/(k + 1))³ with k = t − 1 minus the largest power of 4 not
/// above t − 1. It is not weighted by own reach.
///
/// Departures:
/// 1. An iteration updates both players, in turn; there is no paper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DcfrReset;

/// The largest power of 4 that is at most `number`; 0 for 0.
fn power_of_4_below(number: u32) -> u32 {
    number.checked_ilog2().map_or(0, |log| 1 << (log & !1))
}

impl Registered for DcfrReset {
    const NAME: &'static str = "dcfr-reset";
}

impl Scheme for DcfrReset {
    fn coefficients(&self, t: u32) -> Coefficients {
        let past = t.saturating_sub(1);
        let since_reset = f64::from(past - power_of_4_below(past));
        Coefficients {
            positive: discount(past, 1.5, 1.0),
            negative: if past == 0 { 0.0 } else { 0.5 },
            average: (since_reset / (since_reset + 1.0)).powi(3),
            ..Coefficients::PLAIN
        }
    }

    fn requirements(&self) -> Requirements {
        Requirements { own_reach: false, ..Requirements::REGRETS_ONLY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_4() {
        let powers = [0, 1, 3, 4, 15, 16, 63, 64, u32::MAX].map(power_of_4_below);
        assert_eq!(powers, [0, 1, 1, 4, 4, 16, 16, 64, 1 << 30]);
    }

    #[test]
    fn the_average_restarts_after_a_power_of_4() {
        let forgets: Vec<u32> = (1..100).filter(|&t| DcfrReset.coefficients(t).average == 0.0).collect();
        assert_eq!(forgets, [1, 2, 5, 17, 65]);
    }
}
