use super::Registered;
use crate::coefficients::Coefficients;
use crate::scheme::Scheme;

/// CFR: counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione 2007).
///
/// R ← R + r; next σ = RM(R); every iteration counts the same in the average (γ = 0).
///
/// Departures:
/// 1. Players update in turn, the second against the first one's new strategy; the paper updates both at
///    once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cfr;

impl Registered for Cfr {
    const NAME: &'static str = "cfr";
}

impl Scheme for Cfr {
    fn coefficients(&self, _t: u32) -> Coefficients {
        Coefficients::PLAIN
    }
}
