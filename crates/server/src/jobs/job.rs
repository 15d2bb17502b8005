//! One job: its state, and requests to it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use equipoise_documents::api::CheckDocument;
use equipoise_files::AtomicFile;
use equipoise_postflop::SolveProgress;
use tokio::sync::{oneshot, watch};

use super::document::JobRecord;
pub(crate) use super::document::{JobDocument, JobState, PendingRequest};
use crate::error::ApiError;
use crate::library::locked;
use crate::source::Source;

/// A view of a running job is as good as new for so long, and until the next check.
const FRESH: Duration = Duration::from_secs(1);

/// A view of a running job.
#[derive(Clone, Debug)]
struct Snapshot {
    source: Source,
    taken: Instant,
    /// How many checks there had been.
    checks: usize,
}

/// A job.
#[derive(Debug)]
pub(crate) struct QueuedSolve {
    pub(crate) id: String,
    folder: PathBuf,
    live: Mutex<Live>,
    /// Counts changes.
    changed: watch::Sender<u64>,
}

/// What changes of a job.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) record: JobRecord,
    pub(crate) request: Option<PendingRequest>,
    snapshot: Option<Snapshot>,
    /// Who waits for a view.
    waiting: Vec<oneshot::Sender<Source>>,
    pub(crate) is_deleted: bool,
    /// What the last view took that there was no memory for.
    pub(crate) view_bytes: u64,
}

impl Live {
    /// The current job.
    pub(crate) fn document(&self) -> JobDocument {
        JobDocument { request: self.request, ..self.record.job.clone() }
    }
}

impl QueuedSolve {
    pub(crate) fn new(folder: &Path, record: JobRecord) -> QueuedSolve {
        let live = Live {
            record,
            request: None,
            snapshot: None,
            waiting: Vec::new(),
            is_deleted: false,
            view_bytes: 0,
        };
        QueuedSolve {
            id: live.record.job.id.clone(),
            folder: folder.to_owned(),
            live: Mutex::new(live),
            changed: watch::Sender::new(0),
        }
    }

    pub(crate) fn live(&self) -> MutexGuard<'_, Live> {
        locked(&self.live)
    }

    pub(crate) fn document(&self) -> JobDocument {
        self.live().document()
    }

    pub(crate) fn state(&self) -> JobState {
        self.live().record.job.state
    }

    /// Where its tables are while it is not running.
    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.folder.join(format!("{}.eqp", self.id))
    }

    fn record_path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.id))
    }

    /// Is told of every change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Changes the state and saves it.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Live)) -> io::Result<()> {
        let done = {
            let mut live = self.live();
            change(&mut live);
            if live.is_deleted { Ok(()) } else { self.write(&live.record) }
        };
        self.tell();
        done
    }

    fn write(&self, record: &JobRecord) -> io::Result<()> {
        let mut file = AtomicFile::create(&self.record_path())?;
        serde_json::to_writer_pretty(&mut file, record)?;
        file.write_all(b"\n")?;
        file.finish()
    }

    /// Leaves nothing of it on the disk.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(self.record_path());
        let _ = fs::remove_file(self.checkpoint());
    }

    /// Notes how far a solve is.
    pub(crate) fn note(&self, progress: &SolveProgress) {
        let mut live = self.live();
        let job = &mut live.record.job;
        job.setting_up = None;
        job.iteration = progress.iteration;
        job.elapsed_s = progress.elapsed.as_secs_f64();
        job.eta_s = progress.eta.map(|eta| eta.as_secs_f64());
        job.memory_bytes = job.memory_bytes.max(progress.memory_bytes as u64);
        if let Some(found) = progress.exploitability {
            job.exploitability = Some(found.into());
            let seconds = job.elapsed_s;
            job.checks.push(CheckDocument { iteration: progress.iteration, seconds, pct_pot: found.pct_pot });
        }
        drop(live);
        self.tell();
    }

    /// Notes how much of its tables is there.
    pub(crate) fn note_set_up(&self, done: f64) {
        self.live().record.job.setting_up = Some(done);
        self.tell();
    }

    /// Whether somebody waits for a view.
    pub(crate) fn is_view_wanted(&self) -> bool {
        !self.live().waiting.is_empty()
    }

    /// Hands a view to everybody who waits for one.
    pub(crate) fn publish(&self, source: Source) {
        let mut live = self.live();
        let checks = live.record.job.checks.len();
        for waiting in live.waiting.drain(..) {
            // Who has gone does not mind.
            let _ = waiting.send(source.clone());
        }
        live.snapshot = Some(Snapshot { source, taken: Instant::now(), checks });
    }

    /// What a job that is over has found and could not save.
    pub(crate) fn kept(&self) -> Option<Source> {
        self.live().snapshot.as_ref().map(|snapshot| snapshot.source.clone())
    }

    /// Sends everybody away who waits for a view.
    pub(crate) fn dismiss(&self, keep_snapshot: bool) {
        let mut live = self.live();
        live.waiting.clear();
        if !keep_snapshot {
            live.snapshot = None;
        }
    }

    /// The last view of a running job if it is as good as new, or a promise of one.
    pub(crate) fn view(&self) -> Result<Source, oneshot::Receiver<Source>> {
        let mut live = self.live();
        let checks = live.record.job.checks.len();
        match &live.snapshot {
            Some(snapshot) if snapshot.checks == checks || snapshot.taken.elapsed() < FRESH => {
                Ok(snapshot.source.clone())
            }
            _ => {
                let (sender, receiver) = oneshot::channel();
                live.waiting.push(sender);
                Err(receiver)
            }
        }
    }

    /// Waits until the job is in another state, but not for ever.
    pub(crate) async fn left(self: &Arc<QueuedSolve>, state: JobState, patience: Duration) {
        let mut changes = self.changes();
        let wait = async { while self.state() == state && changes.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(patience, wait).await;
    }
}

/// What to say of a job that nobody knows.
pub(crate) fn no_job(id: &str) -> ApiError {
    let shown: String = id.chars().take(80).collect();
    ApiError::not_found(format!("there is no job '{shown}'")).help("GET /api/v1/jobs lists them")
}
