use super::Registered;
use crate::coefficients::{Coefficients, average_factor, discount};
use crate::parameter::Parameter;
use crate::scheme::Scheme;

/// HS-DCFR(G): DCFR with a schedule of its exponents (Zhang, McAleer and Sandholm 2024).
///
/// [`Dcfr`](super::Dcfr) whose exponents in iteration t of n are α = 1 + 3t/n, β = −1 − 2t/n, γ = G − 5t/n, G
/// 15 or 30. They are the exponents of that iteration's factors, so the average's weights are not exactly
/// powers of t.
///
/// Departures:
/// 1. Players update in turn.
/// 2. After n iterations the exponents stay at their last values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HsDcfr {
    /// G, from which the exponent of the average's weights falls by 5.
    pub gamma: f64,
    /// n, the number of iterations that the schedule is stretched over.
    pub horizon: u32,
}

/// By how much γ falls over the horizon.
pub(super) const GAMMA_FALL: f64 = 5.0;

/// The share of the schedule that has passed in iteration t, at most 1.
pub(super) fn progress(t: u32, horizon: u32) -> f64 {
    (f64::from(t) / f64::from(horizon)).min(1.0)
}

impl Default for HsDcfr {
    fn default() -> HsDcfr {
        HsDcfr { gamma: 30.0, horizon: 1000 }
    }
}

impl Registered for HsDcfr {
    const NAME: &'static str = "hs-dcfr";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::falling_gamma(&mut self.gamma, GAMMA_FALL).by_position(),
            Parameter::horizon(&mut self.horizon),
        ]
    }
}

impl Scheme for HsDcfr {
    fn coefficients(&self, t: u32) -> Coefficients {
        let progress = progress(t, self.horizon);
        Coefficients {
            positive: discount(t, 1.0 + 3.0 * progress, 1.0),
            negative: discount(t, -1.0 - 2.0 * progress, 1.0),
            average: average_factor(t, self.gamma - GAMMA_FALL * progress),
            ..Coefficients::PLAIN
        }
    }
}
