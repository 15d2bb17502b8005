//! The files of a batch's folder, beside summaries and solutions.

use equipoise_postflop::Contents;
use serde::{Deserialize, Serialize};

use super::{Impossible, JobId};

/// What is kept of every job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Save {
    /// A file with every strategy.
    Full,
    /// A file without the strategies of rivers.
    NoRiver,
    /// A file with the strategies of the first street, or of the flop.
    #[default]
    NoTurn,
    /// A file from which a solve can resume.
    Resumable,
    /// No file: EV, equity and the frequencies of the first decision alone.
    Summary,
}

impl Save {
    /// Every way.
    pub const ALL: [Save; 5] = [Save::Full, Save::NoRiver, Save::NoTurn, Save::Resumable, Save::Summary];

    /// The word for it in plans.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Save::Full => "full",
            Save::NoRiver => "no-river",
            Save::NoTurn => "no-turn",
            Save::Resumable => "resumable",
            Save::Summary => "summary",
        }
    }

    /// What a file keeps, if there is one.
    #[must_use]
    pub const fn contents(self) -> Option<Contents> {
        match self {
            Save::Full => Some(Contents::Full),
            Save::NoRiver => Some(Contents::NoRiver),
            Save::NoTurn => Some(Contents::NoTurn),
            Save::Resumable => Some(Contents::Resumable),
            Save::Summary => None,
        }
    }
}

/// A job as the list of a folder has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedJob {
    /// Its name.
    pub id: JobId,
    /// What the plan calls the spot.
    pub spot: String,
    /// The cards where it begins.
    pub board: String,
    /// How much it counts in averages.
    pub weight: f64,
}

/// What a folder's batch consists of; the file `batch.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// Of this document.
    pub schema_version: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The text of the plan.
    pub plan: String,
    /// What is kept of every job.
    pub save: Save,
    /// In the order of the plan.
    pub jobs: Vec<ListedJob>,
    /// Flops on which a spot cannot be played.
    pub impossible: Vec<Impossible>,
}

impl Listing {
    /// The spots of the plan, each once.
    #[must_use]
    pub fn spots(&self) -> Vec<&str> {
        let mut spots: Vec<&str> = Vec::new();
        for job in &self.jobs {
            if !spots.contains(&job.spot.as_str()) {
                spots.push(&job.spot);
            }
        }
        spots
    }
}

/// Why a job failed; its file `.failed.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobFailure {
    /// Of this document.
    pub schema_version: u32,
    /// Of the job.
    pub id: JobId,
    /// For people.
    pub reason: String,
}
