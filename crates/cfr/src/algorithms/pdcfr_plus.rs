use super::Registered;
use crate::coefficients::{Coefficients, Prediction, average_factor, discount};
use crate::parameter::Parameter;
use crate::scheme::{Requirements, Scheme};

/// PDCFR+: predictive discounted CFR+ (Xu and others 2024).
///
/// R ← \[R·D(t − 1, α) + r\]⁺ with α = 2.3; next σ = RM(R·D(t, α) + r); γ = 5.
///
/// Departures: none. The discount under the prediction is the one that the coming iteration applies, so the
/// strategy of iteration t is RM(R·D(t − 1, α) + r₋).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PdcfrPlus {
    /// Exponent of the regrets' factor.
    pub alpha: f64,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for PdcfrPlus {
    fn default() -> PdcfrPlus {
        PdcfrPlus { alpha: 2.3, gamma: 5.0 }
    }
}

impl Registered for PdcfrPlus {
    const NAME: &'static str = "pdcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::alpha(&mut self.alpha), Parameter::gamma(&mut self.gamma)]
    }
}

impl Scheme for PdcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        let factor = discount(t, self.alpha, 1.0);
        Coefficients {
            positive: factor,
            negative: factor,
            clamp: true,
            prediction: Prediction { regret: factor, instant: 1.0 },
            average: average_factor(t, self.gamma),
            ..Coefficients::PLAIN
        }
    }

    fn requirements(&self) -> Requirements {
        Requirements::PREDICTIVE
    }
}
