//! Folders of batches: those in the library, which the server can run, and those that were named when it was started.

mod queue;
mod reports;
mod runner;

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equipoise_batch::{
    FlopChoice, Folder, Job, JobId, JobState, Jobs as BatchJobs, Listing, Plan, PlanError, Save,
};
use equipoise_documents::api::{
    BatchJobDocument, BatchRow, BatchState, BatchesDocument, FlopFailure, PendingRequest,
};
use equipoise_files::room_for;
use equipoise_postflop::SpotCount;
use equipoise_run::memory::MemorySize;
use equipoise_spots::spot_file::ProblemCount;
use serde::Deserialize;

use crate::config::Config;
use crate::error::ApiError;
use crate::jobs::{Jobs, checked_name};
use crate::library::{Library, is_word};
use crate::work::Cancel;
pub(crate) use queue::{QueuedBatch, queued};
use reports::Reports;
pub(crate) use runner::work;

/// Failures that are told of.
const MOST_FAILURES: usize = 5;

/// What is asked for with a new batch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchRequest {
    name: Option<String>,
    toml: String,
    /// The name of a subset, or
    subset: Option<String>,
    /// flops one by one.
    flops: Option<Vec<String>>,
    #[serde(default)]
    save: Save,
}

/// The folders of the library that may have a batch in them, with their names.
fn own_folders(library: &Path) -> io::Result<Vec<(String, Folder)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(library)?.flatten() {
        // A link could lead out of the library.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name().into_string().ok().filter(|name| is_word(name));
        if let (true, Some(name)) = (is_folder, name) {
            found.push((name, Folder::new(entry.path())));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// All folders that may have a batch in them, with their names.
fn folders(library: &Path, named: &[PathBuf]) -> io::Result<Vec<(String, Folder)>> {
    let mut found = own_folders(library)?;
    for path in named {
        let name =
            path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let name = word(&name.unwrap_or_default());
        let is_taken = |name: &String| found.iter().any(|(other, _)| other == name);
        let names = (1..).map(|number| if number == 1 { name.clone() } else { format!("{name}-{number}") });
        let name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
        found.push((name, Folder::new(path)));
    }
    Ok(found)
}

/// A name that can stand in an address.
fn word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let word: String = name.chars().map(plain).take(100).collect();
    if is_word(&word) { word } else { format!("batch{word}") }
}

/// The batches of a server.
#[derive(Clone, Debug)]
pub(crate) struct Batches {
    library: Arc<Library>,
    jobs: Arc<Jobs>,
    named: Vec<PathBuf>,
    /// Of decisions that were asked for.
    pub(crate) reports: Arc<Reports>,
}

fn no_batch() -> ApiError {
    ApiError::not_found("there is no batch of that name").help("GET /api/v1/batches lists them")
}

fn unreadable(error: impl std::fmt::Display) -> ApiError {
    ApiError::internal(format!("the library cannot be read: {error}"))
}

fn unwritten(error: impl std::fmt::Display) -> ApiError {
    ApiError::internal(format!("the batch cannot be written down: {error}"))
}

/// What is wrong with a plan that was made of a spot file.
fn bad_plan(error: PlanError) -> ApiError {
    match error {
        PlanError::File { error, .. } => ApiError::from(error),
        error => ApiError::bad_input(error),
    }
}

impl Batches {
    pub(crate) fn new(config: &Config, library: Arc<Library>, jobs: Arc<Jobs>) -> Batches {
        Batches { library, jobs, named: config.batches.clone(), reports: Arc::default() }
    }

    /// What there is of every batch.
    pub(crate) fn list(&self) -> Result<BatchesDocument, ApiError> {
        let folders = folders(self.library.folder(), &self.named).map_err(unreadable)?;
        let row = |(id, folder): (String, Folder)| Some(self.row(id, &folder, &folder.listing().ok()?));
        Ok(BatchesDocument { batches: folders.into_iter().filter_map(row).collect() })
    }

    /// What there is of one.
    pub(crate) fn status(&self, id: &str) -> Result<BatchRow, ApiError> {
        let folder = self.find(id)?;
        let listing = folder.listing().map_err(|_| no_batch())?;
        Ok(self.row(id.to_owned(), &folder, &listing))
    }

    fn row(&self, id: String, folder: &Folder, listing: &Listing) -> BatchRow {
        let states: Vec<JobState> = listing.jobs.iter().map(|job| folder.state(job.id)).collect();
        let count = |state: JobState| states.iter().filter(|&&found| found == state).count();
        let failed = listing.jobs.iter().zip(&states).filter(|(_, state)| **state == JobState::Failed);
        let failures = failed.take(MOST_FAILURES).map(|(job, _)| FlopFailure {
            board: job.board.clone(),
            reason: folder.failure(job.id).unwrap_or_else(|| "for a reason that is not known".to_owned()),
        });
        let row = BatchRow {
            spots: listing.spots().into_iter().map(str::to_owned).collect(),
            jobs: states.len(),
            done: count(JobState::Done),
            running: count(JobState::Running),
            failed: count(JobState::Failed),
            impossible: listing.impossible.len(),
            save: listing.save,
            can_run: self.is_own(folder),
            failures: failures.collect(),
            id,
            ..BatchRow::default()
        };
        let queued = self.jobs.shared().table().batches.get(&row.id).cloned();
        match queued.filter(|_| row.can_run) {
            Some(batch) => batch.describe(row),
            None => row,
        }
    }

    /// The folder of a batch.
    pub(crate) fn find(&self, id: &str) -> Result<Folder, ApiError> {
        let folders = folders(self.library.folder(), &self.named).map_err(unreadable)?;
        let found = folders.into_iter().find(|(name, _)| name == id);
        found.map(|(_, folder)| folder).ok_or_else(no_batch)
    }

    fn is_own(&self, folder: &Folder) -> bool {
        folder.path().parent() == Some(self.library.folder())
    }

    /// The solution of a flop, if it is kept.
    pub(crate) fn solution(&self, id: &str, job: JobId) -> Result<PathBuf, ApiError> {
        let folder = self.find(id)?;
        match folder.summary(job) {
            Some(summary) if summary.file_bytes > 0 => Ok(folder.solution_path(job)),
            Some(_) => Err(ApiError::conflict("only a summary of this flop is kept")
                .help("solve it alone, or run the batch with save = \"no-turn\" or more")),
            None => Err(ApiError::not_found("the batch has no solution of that flop yet")),
        }
    }

    /// What there is of a flop.
    pub(crate) fn job(&self, id: &str, job: JobId) -> Result<BatchJobDocument, ApiError> {
        let folder = self.find(id)?;
        let listing = folder.listing().map_err(|_| no_batch())?;
        let listed = listing.jobs.iter().find(|listed| listed.id == job);
        let listed = listed.ok_or_else(|| ApiError::not_found("the batch has no such flop"))?;
        let plan = Plan::parse(&listing.plan, &folder.path().join("plan.toml")).ok();
        let toml = plan.and_then(|plan| Job::listed(&plan, &listing, job)).map(|job| job.text);
        Ok(BatchJobDocument {
            id: job,
            spot: listed.spot.clone(),
            board: listed.board.clone(),
            state: folder.state(job).name(),
            save: listing.save,
            file_bytes: folder.summary(job).map_or(0, |summary| summary.file_bytes),
            toml,
        })
    }

    /// Checks what is asked for, makes a folder for it and puts it at the end of the queue.
    pub(crate) fn add(&self, request: BatchRequest, cancel: &Cancel) -> Result<BatchRow, ApiError> {
        let BatchRequest { name, toml, subset, flops, save } = request;
        let name = checked_name(name)?.unwrap_or_else(|| "batch".to_owned());
        let flops = match (subset, flops) {
            (Some(name), None) => FlopChoice::Named(name),
            (None, Some(flops)) => FlopChoice::Listed(flops),
            _ => {
                let message = "either a subset of flops or a list of them is needed";
                return Err(ApiError::bad_input(message).at_key("flops"));
            }
        };
        let threads = self.jobs.shared().num_threads();
        // Counted before anything is built: a tree may be larger than any memory.
        self.check_first(&toml, &flops, threads, cancel)?;
        let plan = Plan::of_spot(&name, &toml, &flops, save).map_err(bad_plan)?;
        cancel.check("batch")?;
        let jobs = BatchJobs::of(&plan);
        let needs = BatchJobs::needs(&jobs.jobs, threads);
        if let Some((job, _)) = jobs.jobs.iter().zip(&needs).max_by_key(|(_, needs)| needs.memory) {
            let mut problem = job.problem();
            problem.options.threads = Some(threads);
            let count = SpotCount::of(&problem.spot, &|| cancel.is_set()).map_err(ApiError::bad_input)?;
            self.jobs.check_room(&count, &problem.options, cancel)?;
        }
        cancel.check("batch")?;
        let (id, path) = self.library.new_folder(&name).map_err(unwritten)?;
        let folder = Folder::new(path);
        folder.prepare(&plan, &jobs).map_err(unwritten)?;
        let disk: u64 = needs.iter().map(|needs| needs.disk).sum();
        let room = room_for(&folder.listing_path());
        self.enqueue(&id, folder)?;
        let row = self.status(&id)?;
        let warning = room.filter(|&room| room < disk).map(|room| {
            let [disk, room] = [disk, room].map(MemorySize);
            format!("its solutions may take {disk}, where {room} are free: keep less")
        });
        Ok(BatchRow { warning, disk_bytes: disk, ..row })
    }

    /// Whether the spot can be solved on its first flop, or on any board where none is named.
    fn check_first(
        &self,
        toml: &str,
        flops: &FlopChoice,
        threads: NonZeroUsize,
        cancel: &Cancel,
    ) -> Result<(), ApiError> {
        let first = match flops {
            FlopChoice::Named(_) => None,
            FlopChoice::Listed(flops) => flops.first().and_then(|text| text.split(':').next()),
        };
        let text = equipoise_batch::on_flop(toml, first.unwrap_or("Ks8d3c")).map_err(bad_plan)?;
        let ProblemCount { spot, mut options, .. } = ProblemCount::read_unless(&text, &|| cancel.is_set())?;
        options.threads = Some(threads);
        self.jobs.check_room(&spot, &options, cancel)
    }

    fn enqueue(&self, id: &str, folder: Folder) -> Result<(), ApiError> {
        let shared = self.jobs.shared();
        let mut table = shared.table();
        let turn = table.take_turn();
        let batch = table.batches.entry(id.to_owned());
        let batch = Arc::clone(batch.or_insert_with(|| Arc::new(QueuedBatch::new(id.to_owned(), folder))));
        batch.enqueue(turn).map_err(unwritten)?;
        shared.wake();
        Ok(())
    }

    /// A batch that the server may run, if it is in its queue, and its folder.
    fn own(&self, id: &str) -> Result<(Folder, Option<Arc<QueuedBatch>>), ApiError> {
        let folder = self.find(id)?;
        folder.listing().map_err(|_| no_batch())?;
        if !self.is_own(&folder) {
            let message = "the batch is not in the library, so that the server only shows it";
            return Err(ApiError::conflict(message).help("run it with `equipoise batch run`"));
        }
        let queued = self.jobs.shared().table().batches.get(id).cloned();
        Ok((folder, queued))
    }

    /// Asks something of a batch that runs, or changes one that does not.
    fn request(
        &self,
        batch: &QueuedBatch,
        request: PendingRequest,
        idle: impl FnOnce(&QueuedBatch) -> io::Result<()>,
    ) -> Result<(), ApiError> {
        // The thread takes batches under this lock.
        let _table = self.jobs.shared().table();
        if batch.state() == BatchState::Running {
            batch.live().request = Some(request);
            return Ok(());
        }
        idle(batch).map_err(unwritten)
    }

    /// Pauses a batch that is queued or runs: flops under way are kept on the disk.
    pub(crate) fn pause(&self, id: &str) -> Result<BatchRow, ApiError> {
        let (_, queued) = self.own(id)?;
        let is_live = |batch: &Arc<QueuedBatch>| batch.state() != BatchState::Idle;
        let batch = queued.filter(is_live).ok_or_else(|| ApiError::conflict("the batch does not run"))?;
        self.request(&batch, PendingRequest::Pause, |batch| {
            batch.change(&mut batch.live(), BatchState::Paused)
        })?;
        self.status(id)
    }

    /// Puts a batch at the end of the queue; what is done is not solved again.
    pub(crate) fn resume(&self, id: &str) -> Result<BatchRow, ApiError> {
        let (folder, queued) = self.own(id)?;
        match queued.as_ref().map(|batch| batch.state()) {
            Some(BatchState::Running) => {
                if let Some(batch) = queued {
                    let mut live = batch.live();
                    live.request = live.request.filter(|&request| request != PendingRequest::Pause);
                }
            }
            Some(BatchState::Queued) => {}
            _ => {
                let listing = folder.listing().map_err(|_| no_batch())?;
                Plan::parse(&listing.plan, &folder.path().join("plan.toml")).map_err(|error| {
                    ApiError::conflict(format!("the plan cannot be read here: {error}"))
                        .help("run it with `equipoise batch run`")
                })?;
                self.enqueue(id, folder)?;
            }
        }
        self.status(id)
    }

    /// Takes a batch out of the queue. Flops that are done stay; those under way are given up.
    pub(crate) fn stop(&self, id: &str) -> Result<BatchRow, ApiError> {
        let (_, queued) = self.own(id)?;
        if let Some(batch) = queued {
            self.request(&batch, PendingRequest::Stop, |batch| {
                batch.folder.remove_checkpoints();
                batch.change(&mut batch.live(), BatchState::Idle)
            })?;
        }
        self.status(id)
    }

    /// Removes a batch with all of its solutions.
    pub(crate) fn delete(&self, id: &str) -> Result<(), ApiError> {
        let (folder, queued) = self.own(id)?;
        let Some(batch) = queued else { return folder.remove().map_err(unwritten) };
        self.request(&batch, PendingRequest::Delete, |batch| {
            batch.change(&mut batch.live(), BatchState::Idle)?;
            batch.folder.remove()
        })?;
        if batch.state() == BatchState::Idle {
            self.jobs.shared().table().batches.remove(id);
        }
        Ok(())
    }
}
