use super::{ApdcfrPlus, Registered};
use crate::coefficients::Coefficients;
use crate::parameter::Parameter;
use crate::scheme::{Asymmetry, Requirements, Scheme};

/// SAPDCFR+: simple asymmetric predictive discounted CFR+ (Meng and others 2025).
///
/// [`ApdcfrPlus`] with a = 2: R ← \[R + w_t·r\]⁺; next σ = RM(w_{t+1}·R + r/3); γ = 2.5.
///
/// Departures:
/// 1. a is a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SapdcfrPlus {
    /// The asymmetry.
    pub asymmetry: f64,
    /// The limit of w_t.
    pub lambda: f64,
    /// How late w_t grows.
    pub kappa: f64,
    /// The exponent b of w_t.
    pub dcfr_beta: f64,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl Default for SapdcfrPlus {
    fn default() -> SapdcfrPlus {
        let ApdcfrPlus { lambda, kappa, dcfr_beta, gamma, .. } = ApdcfrPlus::default();
        SapdcfrPlus { asymmetry: Asymmetry::SIMPLE, lambda, kappa, dcfr_beta, gamma }
    }
}

impl SapdcfrPlus {
    fn general(&self) -> ApdcfrPlus {
        let SapdcfrPlus { asymmetry, lambda, kappa, dcfr_beta, gamma } = *self;
        ApdcfrPlus { asymmetry: Asymmetry::Fixed(asymmetry), lambda, kappa, dcfr_beta, gamma }
    }
}

impl Registered for SapdcfrPlus {
    const NAME: &'static str = "sapdcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::fixed_asymmetry(&mut self.asymmetry),
            Parameter::lambda(&mut self.lambda),
            Parameter::kappa(&mut self.kappa),
            Parameter::dcfr_beta(&mut self.dcfr_beta),
            Parameter::gamma(&mut self.gamma),
        ]
    }
}

impl Scheme for SapdcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        self.general().coefficients(t)
    }

    fn requirements(&self) -> Requirements {
        self.general().requirements()
    }
}
