//! What is known of a job that is done.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use equipoise_documents::{Both, SCHEMA_VERSION};
use equipoise_files::AtomicFile;
use equipoise_game::Action;
use equipoise_postflop::Solution;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::job::{Job, JobId};

/// An action of the first decision and how often the range takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ActionShare {
    /// As paths name it, such as `bet:120`.
    pub name: String,
    /// A fraction of 1.
    pub frequency: f64,
}

/// What a range gets at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Worth {
    /// Win plus tie share.
    pub equity: f64,
    /// Chips received less chips put in.
    pub ev: f64,
}

/// What is known of a job that is done; the file `jobs/ID.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// Of this document.
    pub schema_version: u32,
    /// The job.
    pub id: JobId,
    /// The cards where it begins.
    pub board: String,
    /// In chips.
    pub starting_pot: f64,
    /// The weight of all pairs of combos that can meet.
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

impl Summary {
    /// The summary of a finished solve whose file has so many bytes.
    pub(crate) fn of(job: &Job, solution: &mut Solution, file_bytes: u64) -> Summary {
        let exploitability = solution.exploitability().unwrap_or_else(|| solution.measure());
        let evs = solution.evs().map(|ev| Worth { equity: ev.equity, ev: ev.mean });
        let spot = solution.spot();
        let shares = solution.root_frequencies().into_iter();
        let share = |(action, frequency): (Action, f64)| ActionShare { name: action.to_string(), frequency };
        Summary {
            schema_version: SCHEMA_VERSION,
            id: job.id,
            board: job.board.to_string(),
            starting_pot: spot.pot(),
            deals: solution.num_deals(),
            player: spot.tree().node(spot.tree().root()).player().map(|player| player.to_string()),
            actions: shares.map(share).collect(),
            players: evs.into(),
            exploitability_pct: exploitability.pct_pot,
            converged: solution.converged(),
            iterations: solution.iterations(),
            elapsed_s: solution.elapsed().as_secs_f64(),
            memory_bytes: solution.memory_bytes() as u64,
            file_bytes,
        }
    }
}

/// Writes a document, whole or not at all.
pub(crate) fn write_json(path: &Path, document: &impl Serialize) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    serde_json::to_writer_pretty(&mut file, document)?;
    file.write_all(b"\n")?;
    file.finish()
}

/// Reads a document; what it is not is damaged.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}
