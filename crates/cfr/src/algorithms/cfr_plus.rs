use super::Registered;
use crate::coefficients::{Coefficients, average_factor};
use crate::parameter::Parameter;
use crate::scheme::Scheme;

/// CFR+ (Tammelin 2014).
///
/// R ← \[R + r\]⁺; next σ = RM(R); γ = 1, players in turn.
///
/// Departures:
/// 1. The paper can ignore the first d iterations in the average (weight max(t − d, 0)); here d = 0.
/// 2. γ is a parameter: 2 is common and often better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CfrPlus {
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for CfrPlus {
    fn default() -> CfrPlus {
        CfrPlus { gamma: 1.0 }
    }
}

impl Registered for CfrPlus {
    const NAME: &'static str = "cfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::gamma(&mut self.gamma)]
    }
}

impl Scheme for CfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        Coefficients { clamp: true, average: average_factor(t, self.gamma), ..Coefficients::PLAIN }
    }
}
