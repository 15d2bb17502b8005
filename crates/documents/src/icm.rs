//! The document of `equipoise icm`.

use equipoise_game::{IcmError, Payouts, Pressure};
use serde::Serialize;

use crate::SCHEMA_VERSION;

/// Stacks as shares of the payouts.
#[derive(Clone, Debug, Serialize)]
pub struct IcmDocument {
    schema_version: u32,
    stacks: Vec<f64>,
    payouts: Vec<f64>,
    equities: Vec<f64>,
    bubble_factors: Vec<Vec<Option<f64>>>,
    risk_premiums: Vec<Vec<Option<f64>>>,
}

impl IcmDocument {
    /// The prize equities of the stacks, and the bubble factor of each player against each other one.
    ///
    /// # Errors
    /// If the stacks are no stacks, or too few or too many.
    pub fn new(stacks: &[f64], payouts: &Payouts) -> Result<IcmDocument, IcmError> {
        let equities = payouts.equities(stacks)?;
        let pressures = pressures(payouts, stacks)?;
        let numbers = |number: fn(&Pressure) -> f64| -> Vec<Vec<Option<f64>>> {
            let number =
                |pressure: &Option<Pressure>| pressure.as_ref().map(number).filter(|n| n.is_finite());
            pressures.iter().map(|row| row.iter().map(number).collect()).collect()
        };
        Ok(IcmDocument {
            schema_version: SCHEMA_VERSION,
            stacks: stacks.to_vec(),
            payouts: payouts.prizes().to_vec(),
            equities,
            bubble_factors: numbers(|pressure| pressure.bubble_factor),
            risk_premiums: numbers(|pressure| pressure.risk_premium),
        })
    }
}

/// The bubble factor of each player against each other; none against oneself and where somebody has no chips.
///
/// # Errors
/// As for [`Payouts::equities`].
pub fn pressures(payouts: &Payouts, stacks: &[f64]) -> Result<Vec<Vec<Option<Pressure>>>, IcmError> {
    let players = 0..stacks.len();
    let of = |player: usize, opponent: usize| match player == opponent
        || stacks[player].min(stacks[opponent]) == 0.0
    {
        true => Ok(None),
        false => payouts.pressure(stacks, player, opponent).map(Some),
    };
    players.clone().map(|player| players.clone().map(|opponent| of(player, opponent)).collect()).collect()
}
