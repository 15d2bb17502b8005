use super::Registered;
use crate::coefficients::{Coefficients, average_factor, discount};
use crate::scheme::Scheme;

/// LCFR: linear CFR (Brown and Sandholm 2019).
///
/// R ← R + t·r; next σ = RM(R); γ = 1.
///
/// Departures:
/// 1. Players update in turn.
/// 2. R/t is stored instead of R, so R ← R·(t − 1)/t + r. Regret matching does not see the factor, and the
///    numbers stay small enough for 16-bit tables.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lcfr;

impl Registered for Lcfr {
    const NAME: &'static str = "lcfr";
}

impl Scheme for Lcfr {
    fn coefficients(&self, t: u32) -> Coefficients {
        let factor = discount(t, 1.0, 1.0);
        Coefficients {
            positive: factor,
            negative: factor,
            average: average_factor(t, 1.0),
            ..Coefficients::PLAIN
        }
    }
}
