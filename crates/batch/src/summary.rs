//! The summary of a finished job.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use equipoise_documents::SCHEMA_VERSION;
use equipoise_documents::batch::{ActionShare, Summary, Worth};
use equipoise_files::AtomicFile;
use equipoise_game::{Action, NodeId, Tree};
use equipoise_postflop::Solution;
use equipoise_spots::spot_file::big_blind;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::engine;
use crate::job::Job;

impl Job {
    /// The summary of a finished solve, with the size of its file.
    pub(crate) fn summary(&self, solution: &mut Solution, file_bytes: u64) -> Summary {
        let exploitability = solution.exploitability().unwrap_or_else(|| solution.measure());
        let evs = solution.evs().map(|ev| Worth { equity: ev.equity, ev: ev.mean });
        let spot = solution.spot();
        let (tree, root) = (spot.tree(), spot.tree().root());
        let shares = solution.root_frequencies().into_iter();
        let share = |(action, frequency): (Action, f64)| ActionShare {
            name: action.to_string(),
            frequency,
            pct_pot: pct_pot(tree, root, action),
        };
        Summary {
            schema_version: SCHEMA_VERSION,
            id: self.id,
            engine: Some(engine()),
            board: self.board.to_string(),
            starting_pot: spot.pot(),
            unit: tree.unit().into(),
            big_blind: big_blind(&self.text, tree.config()),
            deals: solution.num_deals(),
            player: tree.node(root).player().map(|player| player.to_string()),
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

/// Of a bet or raise, its share of the pot, in percent.
pub(crate) fn pct_pot(tree: &Tree, node: NodeId, action: Action) -> Option<f64> {
    action.total().map(|_| 100.0 * tree.share_of_pot(node, action))
}

/// Writes a document as an atomic file.
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
