use super::Registered;
use crate::coefficients::{Coefficients, average_factor, discount};
use crate::parameter::Parameter;
use crate::scheme::Scheme;

/// DCFR+ (Xu and others 2022, 2024).
///
/// R ← \[R·D(t − 1, α) + r\]⁺ with α = 1.5; next σ = RM(R); γ = 4.
///
/// Departures:
/// 1. `offset` is the number added in the denominator of D: 1 as in the formula, or 1.5 as in the authors'
///    program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DcfrPlus {
    /// What the denominator of D adds to xᵅ.
    pub offset: f64,
    /// Exponent of the regrets' factor.
    pub alpha: f64,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for DcfrPlus {
    fn default() -> DcfrPlus {
        DcfrPlus { offset: 1.0, alpha: 1.5, gamma: 4.0 }
    }
}

impl Registered for DcfrPlus {
    const NAME: &'static str = "dcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::offset(&mut self.offset),
            Parameter::alpha(&mut self.alpha),
            Parameter::gamma(&mut self.gamma),
        ]
    }
}

impl Scheme for DcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        let factor = discount(t, self.alpha, self.offset);
        Coefficients {
            positive: factor,
            negative: factor,
            clamp: true,
            average: average_factor(t, self.gamma),
            ..Coefficients::PLAIN
        }
    }
}
