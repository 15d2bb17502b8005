use super::Registered;
use crate::coefficients::{Coefficients, average_factor};
use crate::parameter::Parameter;
use crate::scheme::{Asymmetry, Requirements, Scheme};

/// APDCFR+: asymmetric predictive discounted CFR+ (Meng and others 2025).
///
/// R ← \[R + w_t·r\]⁺ with w_t = λ·t^b/(κ + t^b), λ = 20, κ = 500, b = 1.5; γ = 2.5;
/// next σ = RM(w_{t+1}·R + r/(1 + a)). The asymmetry a is measured per information set, see
/// [`AsymmetrySums`](crate::AsymmetrySums), and is at most 9. That is the paper's appendix taken literally:
/// R + w·r/(1 + a) would be consistent in its units and is usually worse.
///
/// Departures:
/// 1. Where R has never moved and r has, a is the cap; where neither has, 0. The paper leaves it open.
/// 2. a can be fixed instead; at 2 this is [`SapdcfrPlus`](super::SapdcfrPlus).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApdcfrPlus {
    /// Measured or fixed.
    pub asymmetry: Asymmetry,
    /// The limit of w_t.
    pub lambda: f64,
    /// How late w_t grows.
    pub kappa: f64,
    /// The exponent b of w_t.
    pub dcfr_beta: f64,
    /// Exponent of the average's weights.
    pub gamma: f64,
}

impl ApdcfrPlus {
    /// The default cap of a measured asymmetry.
    pub const ALPHA_MAX: f64 = 9.0;

    /// w_t, the weight of iteration t's instant regret.
    #[must_use]
    pub fn weight(&self, t: u32) -> f64 {
        self.lambda / (1.0 + self.kappa * f64::from(t).powf(-self.dcfr_beta))
    }
}

impl Default for ApdcfrPlus {
    fn default() -> ApdcfrPlus {
        let asymmetry = Asymmetry::Auto { max: ApdcfrPlus::ALPHA_MAX };
        ApdcfrPlus { asymmetry, lambda: 20.0, kappa: 500.0, dcfr_beta: 1.5, gamma: 2.5 }
    }
}

impl Registered for ApdcfrPlus {
    const NAME: &'static str = "apdcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::asymmetry(&mut self.asymmetry, ApdcfrPlus::ALPHA_MAX),
            Parameter::lambda(&mut self.lambda),
            Parameter::kappa(&mut self.kappa),
            Parameter::dcfr_beta(&mut self.dcfr_beta),
            Parameter::gamma(&mut self.gamma),
        ]
    }
}

impl Scheme for ApdcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        let weight = self.weight(t);
        Coefficients {
            instant: weight,
            clamp: true,
            prediction: self.asymmetry.prediction(weight),
            average: average_factor(t, self.gamma),
            ..Coefficients::PLAIN
        }
    }

    fn requirements(&self) -> Requirements {
        Requirements::asymmetric(self.asymmetry)
    }
}
