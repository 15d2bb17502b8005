use super::Registered;
use crate::coefficients::{Coefficients, Prediction, average_factor};
use crate::parameter::Parameter;
use crate::scheme::{Requirements, Scheme};

/// PCFR+: predictive CFR+ (Farina, Kroer and Sandholm 2021).
///
/// R ← \[R + r\]⁺; next σ = RM(R + r), the last instant regret standing for the next; γ = 2.
///
/// Departures: none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcfrPlus {
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for PcfrPlus {
    fn default() -> PcfrPlus {
        PcfrPlus { gamma: 2.0 }
    }
}

impl Registered for PcfrPlus {
    const NAME: &'static str = "pcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::gamma(&mut self.gamma)]
    }
}

impl Scheme for PcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        Coefficients {
            clamp: true,
            prediction: Prediction { regret: 1.0, instant: 1.0 },
            average: average_factor(t, self.gamma),
            ..Coefficients::PLAIN
        }
    }

    fn requirements(&self) -> Requirements {
        Requirements::PREDICTIVE
    }
}
