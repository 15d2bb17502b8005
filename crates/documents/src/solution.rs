//! What is said of a whole solution.

use equipoise_postflop::{Exploitability, Header, Spot};
use serde::{Deserialize, Serialize};

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
            exploitability: Some(header.into()),
            iterations: header.iterations,
            algorithm: header.algorithm.clone(),
            storage: header.storage.clone(),
            target_pct: header.target_pct,
            converged: header.converged,
        }
    }
}

/// How far from equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs)] // Two units of one number.
pub struct ExploitabilityDocument {
    /// In chips.
    pub chips: f64,
    /// In percent of the starting pot.
    pub pct_pot: f64,
}

impl From<&Header> for ExploitabilityDocument {
    fn from(header: &Header) -> ExploitabilityDocument {
        ExploitabilityDocument { chips: header.exploitability_chips, pct_pot: header.exploitability_pct }
    }
}

impl From<Exploitability> for ExploitabilityDocument {
    fn from(found: Exploitability) -> ExploitabilityDocument {
        ExploitabilityDocument { chips: found.chips, pct_pot: found.pct_pot }
    }
}
