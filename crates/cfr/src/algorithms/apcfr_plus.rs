use super::Registered;
use crate::coefficients::{Coefficients, average_factor};
use crate::parameter::Parameter;
use crate::scheme::{Asymmetry, Requirements, Scheme};

/// APCFR+: asymmetric predictive CFR+ (Meng and others 2025).
///
/// R ← \[R + r\]⁺; next σ = RM(R + r/(1 + a)); γ = 2. The asymmetry a is measured per information set, see
/// [`AsymmetrySums`](crate::AsymmetrySums), and is at most 5.
///
/// Departures:
/// 1. Where R has never moved and r has, a is the cap; where neither has, 0. The paper leaves it open.
/// 2. a can be fixed instead; at 2 this is [`SapcfrPlus`](super::SapcfrPlus).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApcfrPlus {
    /// Measured or fixed.
    pub asymmetry: Asymmetry,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl ApcfrPlus {
    /// The default cap of a measured asymmetry.
    pub const ALPHA_MAX: f64 = 5.0;
}

impl Default for ApcfrPlus {
    fn default() -> ApcfrPlus {
        ApcfrPlus { asymmetry: Asymmetry::Auto { max: ApcfrPlus::ALPHA_MAX }, gamma: 2.0 }
    }
}

impl Registered for ApcfrPlus {
    const NAME: &'static str = "apcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::asymmetry(&mut self.asymmetry, ApcfrPlus::ALPHA_MAX),
            Parameter::gamma(&mut self.gamma),
        ]
    }
}

impl Scheme for ApcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        Coefficients {
            clamp: true,
            prediction: self.asymmetry.prediction(1.0),
            average: average_factor(t, self.gamma),
            ..Coefficients::PLAIN
        }
    }

    fn requirements(&self) -> Requirements {
        Requirements::asymmetric(self.asymmetry)
    }
}
