//! Batches in the server's queue.
//!
//! What a batch has found is in its folder, and so is whether the server is to work on it: `queue.json` is there as long as
//! the batch is queued, runs or is paused. A server that starts resumes what it finds there.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use equipoise_batch::{Folder, JobId};
use equipoise_documents::SCHEMA_VERSION;
use equipoise_documents::api::{BatchRow, BatchState, FlopProgress, PendingRequest};
use equipoise_files::AtomicFile;
use serde::{Deserialize, Serialize};

use crate::library::locked;

/// A batch in the queue, on the disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BatchRecord {
    schema_version: u32,
    state: BatchState,
    /// The place in the queue: lower comes first.
    turn: u64,
}

fn record_path(folder: &Folder) -> PathBuf {
    folder.path().join("queue.json")
}

/// A batch that the server works on, or has worked on since it was started.
#[derive(Debug)]
pub(crate) struct QueuedBatch {
    pub(crate) id: String,
    pub(crate) folder: Folder,
    live: Mutex<LiveBatch>,
}

/// What changes of a batch.
#[derive(Debug, Default)]
pub(crate) struct LiveBatch {
    pub(crate) state: BatchState,
    turn: u64,
    pub(crate) request: Option<PendingRequest>,
    /// By the place in the list of what is left to do.
    pub(crate) under_way: BTreeMap<usize, FlopProgress>,
    /// Those that failed since it was resumed: they are not tried again before somebody resumes it.
    pub(crate) failed: HashSet<JobId>,
    /// Since when it runs.
    since: Option<Instant>,
    /// How long it ran before.
    worked: Duration,
    /// Flops that were solved in that time.
    pub(crate) solved: usize,
    /// Flops that are left.
    pub(crate) left: usize,
    /// Seconds that were estimated for all of it, before a flop was solved.
    pub(crate) estimate: Option<f64>,
    pub(crate) memory_bytes: u64,
    pub(crate) disk_bytes: u64,
    pub(crate) warning: Option<String>,
}

impl LiveBatch {
    fn elapsed(&self) -> Duration {
        self.worked + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    pub(crate) fn elapsed_s(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Seconds to the end, about.
    fn eta_s(&self) -> Option<f64> {
        let elapsed = self.elapsed().as_secs_f64();
        match self.state {
            BatchState::Running if self.solved > 0 => Some(elapsed / self.solved as f64 * self.left as f64),
            BatchState::Running => self.estimate.map(|all| (all - elapsed).max(0.0)),
            _ => None,
        }
    }
}

impl QueuedBatch {
    /// A batch that is not in the queue yet.
    pub(crate) fn new(id: String, folder: Folder) -> QueuedBatch {
        QueuedBatch { id, folder, live: Mutex::default() }
    }

    /// The batch of a folder that a server was working on, if it was.
    fn of_record(id: String, folder: Folder) -> Option<QueuedBatch> {
        let bytes = fs::read(record_path(&folder)).ok()?;
        let record: BatchRecord = serde_json::from_slice(&bytes).ok()?;
        let state = match record.state {
            BatchState::Running => BatchState::Queued,
            state => state,
        };
        let batch = QueuedBatch::new(id, folder);
        *batch.live() = LiveBatch { state, turn: record.turn, ..LiveBatch::default() };
        Some(batch)
    }

    pub(crate) fn live(&self) -> MutexGuard<'_, LiveBatch> {
        locked(&self.live)
    }

    pub(crate) fn state(&self) -> BatchState {
        self.live().state
    }

    pub(crate) fn turn(&self) -> u64 {
        self.live().turn
    }

    /// Memory that is free again when it steps aside.
    pub(crate) fn held_bytes(&self) -> u64 {
        let live = self.live();
        if live.state == BatchState::Running { live.memory_bytes } else { 0 }
    }

    /// Puts it at this place of the queue.
    pub(crate) fn enqueue(&self, turn: u64) -> io::Result<()> {
        let mut live = self.live();
        live.failed.clear();
        (live.turn, live.request, live.warning) = (turn, None, None);
        self.change(&mut live, BatchState::Queued)
    }

    /// Its turn has come.
    pub(crate) fn start(&self) {
        let mut live = self.live();
        live.state = BatchState::Running;
        live.since = Some(Instant::now());
    }

    /// Changes its state, on the disk too.
    pub(crate) fn change(&self, live: &mut LiveBatch, state: BatchState) -> io::Result<()> {
        live.worked = live.elapsed();
        live.since = None;
        live.under_way.clear();
        live.state = state;
        let path = record_path(&self.folder);
        if state == BatchState::Idle {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let record = BatchRecord { schema_version: SCHEMA_VERSION, state, turn: live.turn };
        let mut file = AtomicFile::create(&path)?;
        serde_json::to_writer_pretty(&mut file, &record)?;
        file.write_all(b"\n")?;
        file.finish()
    }

    /// Adds what the queue knows to what the folder says.
    pub(crate) fn describe(&self, row: BatchRow) -> BatchRow {
        let live = self.live();
        BatchRow {
            state: live.state,
            request: live.request,
            under_way: live.under_way.values().cloned().collect(),
            elapsed_s: live.elapsed().as_secs_f64(),
            eta_s: live.eta_s(),
            memory_bytes: live.memory_bytes,
            disk_bytes: live.disk_bytes,
            warning: live.warning.clone(),
            ..row
        }
    }
}

/// The batches of a library that a server was working on.
pub(crate) fn queued(library: &Path) -> io::Result<Vec<QueuedBatch>> {
    let own = super::own_folders(library)?;
    Ok(own.into_iter().filter_map(|(id, folder)| QueuedBatch::of_record(id, folder)).collect())
}
