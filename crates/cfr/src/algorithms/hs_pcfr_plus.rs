use super::hs_dcfr::{GAMMA_FALL, progress};
use super::{PcfrPlus, Registered};
use crate::coefficients::Coefficients;
use crate::parameter::Parameter;
use crate::scheme::{Requirements, Scheme};

/// HS-PCFR+(G): PCFR+ with a schedule of its averaging (Zhang, McAleer and Sandholm 2024).
///
/// [`PcfrPlus`] whose γ in iteration t of n is G − 5t/n, G 15 or 30, as the exponent of that iteration's
/// factor.
///
/// Departures:
/// 1. After n iterations γ stays at its last value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HsPcfrPlus {
    /// G, from which the exponent of the average's weights falls by 5.
    pub gamma: f64,
    /// n, the number of iterations that the schedule is stretched over.
    pub horizon: u32,
}

impl Default for HsPcfrPlus {
    fn default() -> HsPcfrPlus {
        HsPcfrPlus { gamma: 30.0, horizon: 1000 }
    }
}

impl Registered for HsPcfrPlus {
    const NAME: &'static str = "hs-pcfr+";

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::falling_gamma(&mut self.gamma, GAMMA_FALL).by_position(),
            Parameter::horizon(&mut self.horizon),
        ]
    }
}

impl Scheme for HsPcfrPlus {
    fn coefficients(&self, t: u32) -> Coefficients {
        PcfrPlus { gamma: self.gamma - GAMMA_FALL * progress(t, self.horizon) }.coefficients(t)
    }

    fn requirements(&self) -> Requirements {
        Requirements::PREDICTIVE
    }
}
