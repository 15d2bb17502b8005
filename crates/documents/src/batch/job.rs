//! Summaries of jobs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Both, UnitDocument};

/// The name of a job: sixteen hexadecimal digits that follow from the problem, how it is solved and what is kept. The same
/// problem has the same name on every machine, however it was written down.
///
/// ```
/// use equipoise_documents::batch::JobId;
/// assert_eq!(JobId::new(0xabc).to_string(), "0000000000000abc");
/// assert_eq!("0000000000000abc".parse(), Ok(JobId::new(0xabc)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobId(u64);

/// A text is no name of a job.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no job: a job's name is 16 hexadecimal digits, as `equipoise batch jobs` lists them")]
pub struct ParseJobIdError {
    text: String,
}

impl JobId {
    /// The name of these digits.
    #[must_use]
    pub const fn new(digits: u64) -> JobId {
        JobId(digits)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for JobId {
    type Err = ParseJobIdError;

    fn from_str(text: &str) -> Result<JobId, ParseJobIdError> {
        let is_name = text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let digits = is_name.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        digits.map(JobId).ok_or_else(|| ParseJobIdError { text: text.to_owned() })
    }
}

impl TryFrom<String> for JobId {
    type Error = ParseJobIdError;

    fn try_from(text: String) -> Result<JobId, ParseJobIdError> {
        text.parse()
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> String {
        id.to_string()
    }
}

/// An action of the first decision and how often the range takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionShare {
    /// As paths name it, such as `bet:120`.
    pub name: String,
    /// A fraction of 1.
    pub frequency: f64,
    /// Of a bet or raise: its share of the pot, in percent.
    #[serde(default)]
    pub pct_pot: Option<f64>,
}

/// What a range gets at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// Win plus tie share.
    pub equity: f64,
    /// Chips received less chips invested, or prizes.
    pub ev: f64,
}

/// The engine that solved a job.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EngineDocument {
    /// Such as `0.1.0`.
    pub version: String,
    /// The commit that was compiled, if that is known.
    #[serde(default)]
    pub commit: Option<String>,
    /// The instructions that it computed with, such as `avx2` or `portable`.
    pub kernel: String,
}

impl EngineDocument {
    /// The version, and after a `+` twelve digits of the commit if it is known.
    #[must_use]
    pub fn short(&self) -> String {
        let commit = self.commit.as_ref().and_then(|commit| commit.get(..12).or(Some(commit.as_str())));
        commit.map_or_else(|| self.version.clone(), |commit| format!("{}+{commit}", self.version))
    }
}

/// The summary of a finished job; the file `jobs/ID.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Of this document.
    pub schema_version: u32,
    /// The job.
    pub id: JobId,
    /// Who solved it; absent in summaries of earlier programs.
    #[serde(default)]
    pub engine: Option<EngineDocument>,
    /// The cards where it begins.
    pub board: String,
    /// In chips.
    pub starting_pot: f64,
    /// What EVs are counted in.
    #[serde(default)]
    pub unit: UnitDocument,
    /// In chips, if the spot file says what a big blind is.
    #[serde(default)]
    pub big_blind: Option<f64>,
    /// The weight of all pairs of combos that share no card.
    pub deals: f64,
    /// Who acts first; absent if nobody does.
    pub player: Option<String>,
    /// What the first decision's range does; empty if nobody acts.
    pub actions: Vec<ActionShare>,
    /// OOP and IP.
    pub players: Both<Worth>,
    /// In percent of the starting pot.
    pub exploitability_pct: f64,
    /// Whether the target was reached.
    pub converged: bool,
    /// How many iterations were run.
    pub iterations: u32,
    /// Seconds of iterations and checks.
    pub elapsed_s: f64,
    /// Bytes that the solver took.
    pub memory_bytes: u64,
    /// Bytes of the file `jobs/ID.eqp`; 0 if none is kept.
    pub file_bytes: u64,
}

/// A flop on which a spot cannot be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impossible {
    /// What the plan calls the spot.
    pub spot: String,
    /// The flop.
    pub board: String,
    /// How much it would have counted.
    pub weight: f64,
    /// Why not, such as a range of which the flop leaves nothing.
    pub reason: String,
}
