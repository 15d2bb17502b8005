//! Solves, one after the other, that survive a restart; batches run while no solve waits.
//!
//! A job has a record in the folder `.jobs` of the library, and once it has run for a while or been paused its tables
//! beside it. The server resumes every record when it starts: what was queued or running continues.
//! A paused job holds no memory. One that is done or stopped is a solution of the library.

mod document;
mod job;
mod runner;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use equipoise_documents::api::{BatchState, JobDocument, JobState, PendingRequest};
use equipoise_postflop::{Options, Solver, SpotCount};
use equipoise_run::memory::{self, MemorySize, TooLarge};
use equipoise_spots::spot_file::{LockText, Problem, ProblemCount};
use serde::Deserialize;

use crate::batches::{self, QueuedBatch};
use crate::config::Config;
use crate::error::ApiError;
use crate::library::{Library, locked};
use crate::source::Source;
use crate::time::{now_ms, rfc3339};
use crate::work::Cancel;
use document::JobRecord;
pub(crate) use job::QueuedSolve;
use job::no_job;

/// How long a request waits for what it asked; the job tells what is still asked of it then.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long one waits for a view of a running job.
const VIEW_PATIENCE: Duration = Duration::from_secs(30);
/// The longest name of a job.
const LONGEST_NAME: usize = 80;

/// What is asked for with a new job.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobRequest {
    name: Option<String>,
    toml: Option<String>,
    #[serde(default)]
    locks: Vec<String>,
    from: Option<String>,
}

/// All jobs, and the thread that works on them.
#[derive(Debug)]
pub(crate) struct Jobs {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

/// What the thread sees.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) library: Arc<Library>,
    folder: PathBuf,
    threads: Option<NonZeroUsize>,
    allowed: Option<u64>,
    checkpoint: Duration,
    table: Mutex<Table>,
    wake: Condvar,
    closing: AtomicBool,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    jobs: HashMap<String, Arc<QueuedSolve>>,
    pub(crate) batches: HashMap<String, Arc<QueuedBatch>>,
    /// The next place in the queue.
    turn: u64,
}

impl Table {
    /// The next place in the queue.
    pub(crate) fn take_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn - 1
    }
}

/// What the thread works on next.
enum Turn {
    Solve(Arc<QueuedSolve>),
    Batch(Arc<QueuedBatch>),
}

impl Shared {
    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// What a solve that begins now may take.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        memory::limit(self.allowed.map(MemorySize))
    }

    /// Whose turn it is; waits for one. A solve that somebody waits for comes before any batch, which takes hours: those run
    /// while no solve is queued. Nothing when the server ends.
    fn next(&self) -> Option<Turn> {
        let mut table = locked(&self.table);
        loop {
            if self.is_closing() {
                return None;
            }
            let queued = table.jobs.values().filter(|job| job.state() == JobState::Queued);
            if let Some(job) = queued.min_by_key(|job| job.live().record.turn) {
                job.live().record.job.state = JobState::Running;
                job.tell();
                return Some(Turn::Solve(Arc::clone(job)));
            }
            let queued = table.batches.values().filter(|batch| batch.state() == BatchState::Queued);
            if let Some(batch) = queued.min_by_key(|batch| batch.turn()) {
                batch.start();
                return Some(Turn::Batch(Arc::clone(batch)));
            }
            table = self.wake.wait(table).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Whether a solve waits for its turn.
    fn has_queued_solve(&self) -> bool {
        locked(&self.table).jobs.values().any(|job| job.state() == JobState::Queued)
    }

    /// Whether a batch has to step aside: for a solve, or because the server ends.
    pub(crate) fn wants_the_thread(&self) -> bool {
        self.is_closing() || self.has_queued_solve()
    }

    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        locked(&self.table)
    }

    pub(crate) fn wake(&self) {
        self.wake.notify_all();
    }

    pub(crate) fn num_threads(&self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }

    pub(crate) fn checkpoint(&self) -> Duration {
        self.checkpoint
    }
}

impl Jobs {
    /// Reads the jobs of the folder, and begins to work.
    pub(crate) fn new(config: &Config, library: Arc<Library>) -> io::Result<Jobs> {
        let folder = library.folder().join(".jobs");
        fs::create_dir_all(&folder)?;
        let mut table = Table::default();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            // What cannot be read is left where it is, and is no job.
            let record = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let Some(mut record): Option<JobRecord> = record else { continue };
            if path.file_stem().is_none_or(|stem| *stem != *record.job.id) {
                continue;
            }
            if record.job.state == JobState::Running {
                record.job.state = JobState::Queued;
            }
            record.job.setting_up = None;
            table.turn = table.turn.max(record.turn + 1);
            table.jobs.insert(record.job.id.clone(), Arc::new(QueuedSolve::new(&folder, record)));
        }
        for batch in batches::queued(library.folder())? {
            table.turn = table.turn.max(batch.turn() + 1);
            table.batches.insert(batch.id.clone(), Arc::new(batch));
        }
        let shared = Arc::new(Shared {
            library,
            folder,
            threads: config.threads,
            allowed: config.memory_limit,
            checkpoint: config.checkpoint,
            table: Mutex::new(table),
            wake: Condvar::new(),
            closing: AtomicBool::new(false),
        });
        let worker = {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("equipoise-jobs".to_owned()).spawn(move || {
                while let Some(turn) = shared.next() {
                    match turn {
                        Turn::Solve(job) => runner::work(&shared, &job),
                        Turn::Batch(batch) => batches::work(&shared, &batch),
                    }
                }
            })?
        };
        Ok(Jobs { shared, worker: Mutex::new(Some(worker)) })
    }

    /// Ends the work; what runs is kept on the disk.
    pub(crate) fn close(&self) {
        {
            let _table = locked(&self.shared.table);
            self.shared.closing.store(true, Ordering::Relaxed);
            self.shared.wake.notify_all();
        }
        let worker = locked(&self.worker).take();
        if let Some(worker) = worker {
            let _ = worker.join();
        }
    }

    /// Newest first.
    pub(crate) fn list(&self) -> Vec<JobDocument> {
        let mut found: Vec<(u64, JobDocument)> = locked(&self.shared.table)
            .jobs
            .values()
            .map(|job| {
                let live = job.live();
                (live.record.created_ms, live.document())
            })
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.id.cmp(&a.1.id)));
        found.into_iter().map(|(_, job)| job).collect()
    }

    /// How many are queued or running.
    pub(crate) fn num_live(&self) -> usize {
        let table = locked(&self.shared.table);
        let is_live =
            |batch: &&Arc<QueuedBatch>| matches!(batch.state(), BatchState::Queued | BatchState::Running);
        table.jobs.values().filter(|job| job.state().is_live()).count()
            + table.batches.values().filter(is_live).count()
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn find(&self, id: &str) -> Result<Arc<QueuedSolve>, ApiError> {
        locked(&self.shared.table).jobs.get(id).cloned().ok_or_else(|| no_job(id))
    }

    /// What the next solve may take: what is left, and what the running one will give back.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        let table = locked(&self.shared.table);
        let running = table.jobs.values().map(|job| job.live().record.job.clone());
        let held: u64 =
            running.filter(|job| job.state == JobState::Running).map(|job| job.memory_bytes).sum();
        let held = held + table.batches.values().map(|batch| batch.held_bytes()).sum::<u64>();
        [self.shared.allowed, memory::available().map(|left| left + held)].into_iter().flatten().min()
    }

    /// Checks what is asked for and puts it at the end of the queue.
    pub(crate) fn add(&self, request: JobRequest, cancel: &Cancel) -> Result<JobDocument, ApiError> {
        let from = request.from.as_deref().map(|id| self.shared.library.open(id, cancel)).transpose()?;
        let toml = match (&request.toml, &from) {
            (Some(toml), _) => toml.clone(),
            (None, Some(from)) => from.problem(cancel).text,
            (None, None) => {
                return Err(ApiError::bad_input("there is no spot").at_key("toml").help("give toml or from"));
            }
        };
        let ProblemCount { spot, mut options, .. } = ProblemCount::read_unless(&toml, &|| cancel.is_set())?;
        options.threads = self.shared.threads;
        self.check_room(&spot, &options, cancel)?;
        let mut problem = resolve(&toml, &request.locks, cancel)?;
        if let Some(old) = from.filter(|old| !problem.spot.has_board_of(old.reader.spot())) {
            let (from, to) = (old.reader.spot().board(), problem.spot.board());
            let message = format!("the solution is of {from}, the spot of {to}");
            return Err(ApiError::bad_input(message).at_key("from").help("give one of the same board"));
        }
        problem.options.threads = self.shared.threads;
        // Locks may leave fewer symmetries of suits than were counted on.
        if !problem.spot.locks().is_empty() {
            let spot = SpotCount::of(&problem.spot, &|| cancel.is_set()).map_err(ApiError::bad_input)?;
            self.check_room(&spot, &problem.options, cancel)?;
        }
        cancel.check("job")?;
        let job = self.enqueue(&problem, toml, request)?;
        Ok(job.document())
    }

    /// Whether a spot that is not built yet can be solved in the memory that there is.
    pub(crate) fn check_room(
        &self,
        spot: &SpotCount,
        options: &Options,
        cancel: &Cancel,
    ) -> Result<(), ApiError> {
        let is_cancelled = || cancel.is_set();
        let limit = self.memory_limit();
        let too_large = limit.and_then(|limit| TooLarge::check_count(spot, options, limit, &is_cancelled));
        too_large.map_or(Ok(()), |too_large| Err(too_large.into()))
    }

    fn enqueue(
        &self,
        problem: &Problem,
        toml: String,
        request: JobRequest,
    ) -> Result<Arc<QueuedSolve>, ApiError> {
        let name = checked_name(request.name)?;
        let (spot, options) = (&problem.spot, &problem.options);
        let created_ms = now_ms();
        let mut table = locked(&self.shared.table);
        let turn = table.take_turn();
        let id = format!("{created_ms:x}-{turn:x}");
        let job = JobDocument {
            id: id.clone(),
            name: name.unwrap_or_else(|| spot.board().to_string()),
            state: JobState::Queued,
            request: None,
            setting_up: None,
            iteration: 0,
            saved_iteration: None,
            max_iterations: options.max_iterations,
            exploitability: None,
            checks: Vec::new(),
            elapsed_s: 0.0,
            eta_s: None,
            memory_bytes: Solver::memory(spot, options).total(),
            algorithm: options.algorithm.to_string(),
            storage: options.storage.to_string(),
            target_pct: options.target_pct,
            board: spot.board().to_string(),
            street: spot.board().street().to_string(),
            created: rfc3339(SystemTime::now()),
            stop_reason: None,
            solution: None,
            error: None,
            warning: None,
            toml,
            locks: request.locks,
            from: request.from,
            gains: None,
        };
        let record = JobRecord { job, text: problem.text.clone(), turn, created_ms };
        let job = Arc::new(QueuedSolve::new(&self.shared.folder, record));
        job.change(|_| {})
            .map_err(|error| ApiError::internal(format!("the job cannot be written down: {error}")))?;
        table.jobs.insert(id, Arc::clone(&job));
        self.shared.wake.notify_all();
        Ok(job)
    }

    /// Pauses a job that is queued or running.
    pub(crate) async fn pause(&self, id: &str) -> Result<JobDocument, ApiError> {
        let job = self.find(id)?;
        {
            // The thread takes jobs under this lock.
            let _table = locked(&self.shared.table);
            let state = job.state();
            match state {
                JobState::Queued => written(job.change(|live| live.record.job.state = JobState::Paused))?,
                JobState::Running => job.live().request = Some(PendingRequest::Pause),
                JobState::Paused => {}
                _ => return Err(over(state, "paused")),
            }
        }
        job.left(JobState::Running, PATIENCE).await;
        Ok(job.document())
    }

    /// Puts a paused job at the end of the queue.
    pub(crate) fn resume(&self, id: &str) -> Result<JobDocument, ApiError> {
        let job = self.find(id)?;
        let mut table = locked(&self.shared.table);
        let state = job.state();
        match state {
            JobState::Paused => {
                let turn = table.take_turn();
                written(job.change(|live| {
                    live.record.job.state = JobState::Queued;
                    live.record.turn = turn;
                }))?;
                self.shared.wake.notify_all();
            }
            // A pause that was asked and is not there yet is withdrawn.
            JobState::Running | JobState::Queued => {
                let mut live = job.live();
                live.request = live.request.filter(|&request| request != PendingRequest::Pause);
            }
            _ => return Err(over(state, "resumed")),
        }
        Ok(job.document())
    }

    /// Ends a job; what it has found becomes a solution.
    pub(crate) async fn stop(&self, id: &str) -> Result<JobDocument, ApiError> {
        let job = self.find(id)?;
        self.request_stop(&job)?;
        job.left(JobState::Running, PATIENCE).await;
        // It may have been about to pause.
        if job.state() == JobState::Paused {
            self.request_stop(&job)?;
        }
        Ok(job.document())
    }

    fn request_stop(&self, job: &Arc<QueuedSolve>) -> Result<(), ApiError> {
        let _table = locked(&self.shared.table);
        let state = job.state();
        match state {
            JobState::Running => job.live().request = Some(PendingRequest::Stop),
            JobState::Queued | JobState::Paused => self.stop_idle(job)?,
            JobState::Stopped => {}
            _ => return Err(over(state, "stopped")),
        }
        Ok(())
    }

    /// Stops a job that is not running: its tables, if there are any, are the solution.
    fn stop_idle(&self, job: &Arc<QueuedSolve>) -> Result<(), ApiError> {
        let checkpoint = job.checkpoint();
        let reserved = checkpoint.is_file().then(|| self.shared.library.reserve(&job.document().name));
        if let Some(reserved) = &reserved {
            written(fs::rename(&checkpoint, reserved.path()))?;
        }
        let done = job.change(|live| {
            live.record.job.state = JobState::Stopped;
            live.record.job.solution = reserved.as_ref().map(|reserved| reserved.id.clone());
        });
        written(done)
    }

    /// Forgets a job.
    pub(crate) fn delete(&self, id: &str) -> Result<(), ApiError> {
        let job = locked(&self.shared.table).jobs.remove(id).ok_or_else(|| no_job(id))?;
        {
            let mut live = job.live();
            live.request = Some(PendingRequest::Delete);
            live.is_deleted = true;
            // The thread may have taken it already, and removes what it writes.
            if live.record.job.state != JobState::Running {
                live.record.job.state = JobState::Stopped;
            }
        }
        job.remove();
        job.tell();
        Ok(())
    }

    /// What can be viewed of a job, in any state.
    pub(crate) async fn found(&self, id: &str, limit: Duration) -> Result<Found, ApiError> {
        let job = self.find(id)?;
        if job.state() == JobState::Running {
            match job.view() {
                Ok(source) => return Ok(Found::Source(Box::new(source))),
                Err(promise) => match tokio::time::timeout(VIEW_PATIENCE.min(limit), promise).await {
                    Ok(Ok(source)) => return Ok(Found::Source(Box::new(source))),
                    // It has ended in the meantime, or there is no memory.
                    Ok(Err(_)) if job.state() == JobState::Running => return Err(no_view(&job)),
                    Ok(Err(_)) => {}
                    Err(_) => {
                        return Err(ApiError::busy(
                            "the solve has not come to a point where it can be viewed",
                        ));
                    }
                },
            }
        }
        let document = job.document();
        if let Some(solution) = document.solution {
            return Ok(Found::File(self.shared.library.existing(&solution)?, solution));
        }
        // What could not be saved is there as long as the server is.
        if let Some(source) = job.kept() {
            return Ok(Found::Source(Box::new(source)));
        }
        let checkpoint = job.checkpoint();
        if checkpoint.is_file() {
            return Ok(Found::File(checkpoint, job.id.clone()));
        }
        Err(ApiError::conflict("the job has found nothing yet").help("wait until it runs"))
    }
}

/// A name that was given, without blanks around it; nothing if nothing is left.
pub(crate) fn checked_name(name: Option<String>) -> Result<Option<String>, ApiError> {
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME) {
        let message = format!("the name has more than {LONGEST_NAME} characters");
        return Err(ApiError::bad_input(message).at_key("name"));
    }
    Ok(name)
}

/// What can be viewed of a job.
pub(crate) enum Found {
    Source(Box<Source>),
    /// A file, and the name that it is shown under.
    File(PathBuf, String),
}

fn no_view(job: &QueuedSolve) -> ApiError {
    let bytes = MemorySize(job.live().view_bytes);
    ApiError::busy(format!("a view of a running solve takes {bytes}, which there is not"))
        .help("pause it to view it")
}

/// The problem of a spot file with locks added to it.
pub(crate) fn resolve(toml: &str, locks: &[String], cancel: &Cancel) -> Result<Problem, ApiError> {
    let is_cancelled = || cancel.is_set();
    let problem = Problem::read_unless(toml, &is_cancelled)?;
    if locks.is_empty() {
        return Ok(problem);
    }
    let locks: Vec<LockText> = locks.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    Ok(problem.with_locks_unless(&locks, &is_cancelled)?)
}

fn over(state: JobState, what: &str) -> ApiError {
    let state = match state {
        JobState::Done => "done",
        JobState::Failed => "over: it failed",
        _ => "stopped",
    };
    ApiError::conflict(format!("the job is {state}, and cannot be {what}"))
}

fn written(done: io::Result<()>) -> Result<(), ApiError> {
    done.map_err(|error| ApiError::internal(format!("the job cannot be written down: {error}")))
}
