use super::{ApcfrPlus, Registered};
use crate::coefficients::Coefficients;
use crate::parameter::Parameter;
use crate::scheme::{Asymmetry, Requirements, Scheme};

/// SAPCFR+: simple asymmetric predictive CFR+ (Meng and others 2025).
///
/// R ← \[R + r\]⁺; next σ = RM(R + r/3); γ = 2. That is [`ApcfrPlus`] with a = 2.
///
/// Departures:
/// 1. a is a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SapcfrPlus {
    /// The asymmetry.
    pub asymmetry: f64,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for SapcfrPlus {
    fn default() -> SapcfrPlus {
        SapcfrPlus { asymmetry: Asymmetry::SIMPLE, gamma: ApcfrPlus::default().gamma }
    }
}

impl SapcfrPlus {
    fn general(&self) -> ApcfrPlus {
        ApcfrPlus { asymmetry: Asymmetry::Fixed(self.asymmetry), gamma: self.gamma }
    }
}

impl Registered for SapcfrPlus {
    const NAME: &'static str = "sapcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::fixed_asymmetry(&mut self.asymmetry), Parameter::gamma(&mut self.gamma)]
    }
}

impl Scheme for SapcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        self.general().coefficients(t)
    }

    fn requirements(&self) -> Requirements {
        self.general().requirements()
    }
}
