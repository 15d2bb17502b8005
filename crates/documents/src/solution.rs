//! What is said of a whole solution.

use equipoise_game::ValueUnit;
use equipoise_postflop::{Exploitability, Header, Spot};
use equipoise_spots::spot_file::big_blind;
use serde::{Deserialize, Serialize};

use crate::Both;

/// What a file says about the whole solution.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Filled in by whoever has a solution.
pub struct SolutionDocument {
    /// The file, or another name of what was read.
    pub file: String,
    /// The cards at the root.
    pub board: String,
    /// In chips.
    pub starting_pot: u32,
    /// In chips.
    pub effective_stack: u32,
    /// In chips, if the spot says what a big blind is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub big_blind: Option<f64>,
    /// What EVs are counted in.
    pub unit: UnitDocument,
    /// How far from equilibrium; nothing before the first check of a solve that runs.
    pub exploitability: Option<ExploitabilityDocument>,
    /// Both players updated once.
    pub iterations: u32,
    /// The name with all parameters.
    pub algorithm: String,
    /// What the tables were kept in.
    pub storage: String,
    /// In percent of the starting pot.
    pub target_pct: f64,
    /// Whether the target was reached.
    pub converged: bool,
}

impl SolutionDocument {
    /// What the header of a file says.
    #[must_use]
    pub fn of_file(file: &str, spot: &Spot, header: &Header) -> SolutionDocument {
        let config = spot.tree().config();
        SolutionDocument {
            file: file.to_owned(),
            board: spot.board().to_string(),
            starting_pot: config.starting_pot.count(),
            effective_stack: config.effective_stack.count(),
            big_blind: big_blind(&header.note, config),
            unit: spot.tree().unit().into(),
            exploitability: Some(header.into()),
            iterations: header.iterations,
            algorithm: header.algorithm.clone(),
            storage: header.storage.clone(),
            target_pct: header.target_pct,
            converged: header.converged,
        }
    }
}

/// What EVs are counted in: `chips`, or `prizes` in a spot that is played for those.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // A spot is for chips or for prizes.
pub enum UnitDocument {
    /// Chips.
    #[default]
    Chips,
    /// The unit of the prizes.
    Prizes,
}

impl UnitDocument {
    /// What stands after a number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            UnitDocument::Chips => "chips",
            UnitDocument::Prizes => "prizes",
        }
    }
}

impl From<ValueUnit> for UnitDocument {
    fn from(unit: ValueUnit) -> UnitDocument {
        match unit {
            ValueUnit::Chips => UnitDocument::Chips,
            ValueUnit::Prizes => UnitDocument::Prizes,
        }
    }
}

/// How far from equilibrium. Of a spot that is played for prizes, which is not zero-sum, it is ε: the larger of what the two
/// players could gain by the best response.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // Two units of one number.
pub struct ExploitabilityDocument {
    /// In chips; absent for prizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<f64>,
    /// ε in prizes; absent for chips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<f64>,
    /// In percent of the starting pot; for prizes, of what the pot is worth on average to the two players.
    pub pct_pot: f64,
    /// What each player could gain, in prizes; absent for chips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gains: Option<Both<f64>>,
}

impl ExploitabilityDocument {
    /// In chips.
    #[must_use]
    pub const fn of_chips(chips: f64, pct_pot: f64) -> ExploitabilityDocument {
        ExploitabilityDocument { chips: Some(chips), prizes: None, pct_pot, gains: None }
    }
}

impl From<&Header> for ExploitabilityDocument {
    fn from(header: &Header) -> ExploitabilityDocument {
        header.exploitability().into()
    }
}

impl From<Exploitability> for ExploitabilityDocument {
    fn from(found: Exploitability) -> ExploitabilityDocument {
        let Exploitability { chips, pct_pot, gains, .. } = found;
        match gains {
            Some(gains) => ExploitabilityDocument {
                chips: None,
                prizes: Some(chips),
                pct_pot,
                gains: Some(gains.into()),
            },
            None => ExploitabilityDocument::of_chips(chips, pct_pot),
        }
    }
}
