//! Spots that ship with the program.

use std::borrow::Cow;
use std::fmt;

use clap::ValueEnum;
use equipoise::spot_file::Problem;
use equipoise_spots::shipped::ShippedText;

use super::failure::BadInput;
use super::spot;

/// A spot that ships with the program: one pot and pair of ranges, joined on the river, the turn or the flop. In order
/// of the memory that they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum ShippedSpot {
    /// The river, 5,369 actions of combos
    RiverStd,
    /// The turn, 1.3 million; `equipoise solve` without a file solves this one
    TurnStd,
    /// The flop, 76 million, in 16-bit storage
    #[value(name = "flop-std-16bit")]
    FlopStd16Bit,
    /// The same flop in 32-bit storage
    FlopStd,
}

impl ShippedSpot {
    /// Smallest first.
    pub(crate) const ALL: [ShippedSpot; 4] =
        [ShippedSpot::RiverStd, ShippedSpot::TurnStd, ShippedSpot::FlopStd16Bit, ShippedSpot::FlopStd];

    /// Whether it takes seconds and hundreds of megabytes.
    pub(crate) const fn is_flop(self) -> bool {
        matches!(self, ShippedSpot::FlopStd | ShippedSpot::FlopStd16Bit)
    }

    /// The spot and how to solve it.
    pub(crate) fn problem(self) -> Result<Problem, BadInput> {
        spot::parse(&format!("the shipped {self}"), &self.text())
    }

    /// The spot file.
    fn text(self) -> Cow<'static, str> {
        const FLOP: &str = ShippedText::FLOP.toml;
        match self {
            ShippedSpot::RiverStd => ShippedText::RIVER.toml.into(),
            ShippedSpot::TurnStd => ShippedText::TURN.toml.into(),
            ShippedSpot::FlopStd => FLOP.into(),
            // Its last table is [solver].
            ShippedSpot::FlopStd16Bit => format!("{FLOP}quantization = \"16bit\"\n").into(),
        }
    }
}

impl fmt::Display for ShippedSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ShippedSpot::RiverStd => "river-std",
            ShippedSpot::TurnStd => "turn-std",
            ShippedSpot::FlopStd => "flop-std",
            ShippedSpot::FlopStd16Bit => "flop-std-16bit",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_spot_can_be_solved_and_has_its_name() {
        assert_eq!(ShippedSpot::ALL, ShippedSpot::value_variants());
        for shipped in ShippedSpot::ALL {
            let value = shipped.to_possible_value().unwrap();
            assert_eq!(value.get_name(), shipped.to_string());
            let problem = shipped.problem().unwrap();
            assert_eq!(problem.options.target_pct, 0.1, "{shipped}");
        }
        let bytes = |shipped: ShippedSpot| {
            let problem = shipped.problem().unwrap();
            equipoise::postflop::Solver::memory(&problem.spot, &problem.options).tables
        };
        assert_eq!(bytes(ShippedSpot::FlopStd), 2 * bytes(ShippedSpot::FlopStd16Bit));
    }
}
