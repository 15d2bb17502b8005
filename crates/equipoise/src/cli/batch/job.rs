//! `equipoise batch job`.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use equipoise::documents::batch::JobOutcome;
use equipoise::progress::Observer;
use equipoise_batch::{
    Folder, Job, JobEnd, JobError, JobId, Jobs, Plan, Resources, Summary, TasksError, check_engine, task,
};
use equipoise_run::{RunEvent, RunObserver};

use super::{ResourceArgs, bad_folder, bad_plan, files, note_locks};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::saved::{Resolving, ev_or_dash};
use crate::cli::solve::{CheckpointArg, goes_on};
use crate::cli::table::{bytes, counted};
use crate::cli::watch::{UntilInterrupted, catch_interrupts, is_interrupted};

/// The polling interval of `--wait`.
const WAITING: Duration = Duration::from_secs(1);

/// Do one job of a plan, unless it is done
///
/// One independent call for one job, so that any scheduler can share a batch out: jobs of the same folder may be done at
/// the same time by any number of processes. It does what `equipoise batch run` does for each of its jobs.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct JobArgs {
    /// The plan
    #[arg(value_name = "PLAN.TOML")]
    plan: PathBuf,

    /// The job, as `equipoise batch jobs` lists it
    #[arg(value_name = "ID", value_parser = str::parse::<JobId>, required_unless_present = "list", conflicts_with = "list")]
    id: Option<JobId>,

    /// Instead of ID: the list of tasks that `batch jobs --list` or `batch submit` has written
    #[arg(long, value_name = "FILE", requires = "index")]
    list: Option<PathBuf>,

    /// Which task of the list, counted from 0
    #[arg(long, value_name = "N", requires = "list")]
    index: Option<usize>,

    /// The folder of the batch; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    checkpoint: CheckpointArg,

    /// If another process does the job, wait until it has done it, or do it if that one dies
    #[arg(long)]
    wait: bool,

    /// Refuse (exit code 2) unless this is the engine: a version, and after a + the start of a commit if wanted
    #[arg(long, value_name = "VERSION[+COMMIT]")]
    engine: Option<String>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch job plan.toml 5f2a0c77e3b1d904 -o folder
  equipoise batch jobs plan.toml --json | jq -r '.jobs[].id' |
    xargs -P 4 -I ID equipoise batch job plan.toml ID -o folder --threads 1
  equipoise batch jobs plan.toml -o folder --list tasks.tsv
  equipoise batch job plan.toml -o folder --list tasks.tsv --index 0 --wait

Exit codes: 0 it is done, 1 it failed, 2 bad input or another engine, 75 another process does it (EX_TEMPFAIL: a
scheduler tries again), 130 stopped; then what was found is kept, and the same command resumes.
JSON: `outcome` (`solved`; `kept` if it was done already; `busy` if another process does it, with exit code 75;
`not_saved` if it could not be saved, with exit code 1) and the `summary`, null if it is busy.";

impl JobArgs {
    /// The name of the job, as given or by its place in a list.
    fn id(&self) -> Result<JobId, Failure> {
        match (self.id, &self.list, self.index) {
            (Some(id), ..) => Ok(id),
            (None, Some(list), Some(index)) => task(list, index).map_err(|error| match error {
                TasksError::Read { ref source, .. } if source.kind() != io::ErrorKind::NotFound => {
                    Failure::Runtime(error.into())
                }
                _ => BadInput::new(error).help("`equipoise batch jobs --list` writes a list of tasks").into(),
            }),
            _ => Err(BadInput::new("which job?").help("give its ID, or --list and --index").into()),
        }
    }

    /// Does the job; with `--wait` once no other process does.
    fn solve(
        &self,
        folder: &Folder,
        job: &Job,
        resources: &Resources,
        watch: &mut Watch,
    ) -> Result<JobEnd, JobError> {
        loop {
            let ended = folder.solve(job, resources, watch);
            if !(self.wait && matches!(ended, Ok(JobEnd::Busy))) || is_interrupted() {
                return ended;
            }
            let begun = Instant::now();
            while begun.elapsed() < WAITING && !is_interrupted() {
                thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// The job. If the folder lists the jobs of this plan already, the others are not read.
    fn job(&self, folder: &Folder) -> Result<Job, Failure> {
        let id = self.id()?;
        let plan = Plan::read(&self.plan).map_err(bad_plan)?;
        let listing = folder.listing().ok().filter(|listing| listing.plan == plan.text);
        if let Some(job) = listing.and_then(|listing| Job::listed(&plan, &listing, id)) {
            return Ok(job);
        }
        let jobs = Jobs::of(&plan);
        let job = jobs.get(id).ok_or_else(|| {
            BadInput::new(format!("the plan has no job {id}"))
                .help(format!("`equipoise batch jobs {}` lists them", self.plan.display()))
        })?;
        folder.prepare(&plan, &jobs).map_err(bad_folder)?;
        Ok(job.clone())
    }

    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if let Some(wanted) = &self.engine {
            check_engine(wanted).map_err(|skew| {
                BadInput::new(skew)
                    .help("results of different engines may differ: use one for all jobs of a batch")
            })?;
        }
        let threads = self.resources.threads();
        let folder = Folder::new(&self.output);
        self.force.check(files(&self.plan, &folder))?;
        let job = &self.job(&folder)?;
        folder.make().map_err(bad_folder)?;
        note_locks(&folder);
        let resources =
            Resources { threads, memory: self.resources.memory(), checkpoint: self.checkpoint.interval() };
        catch_interrupts()?;
        let mut watch = Watch(Resolving::default());
        let ended = self.solve(&folder, job, &resources, &mut watch);
        watch.0.finish();
        match ended {
            Ok(JobEnd::Solved(summary)) => self.print("solved", Some(&summary), job, printer),
            Ok(JobEnd::Kept(summary)) => self.print("kept", Some(&summary), job, printer),
            Ok(JobEnd::Stopped { iterations }) => Err(Failure::Interrupted(format!(
                "what {} found is kept; the same command resumes",
                counted(iterations, "iteration")
            ))),
            Ok(_) if self.wait => Err(Failure::Interrupted("another process is still at it".to_owned())),
            Ok(_) => {
                if self.json.json {
                    self.print("busy", None, job, printer)?;
                }
                Err(Failure::Busy(format!(
                    "another process solves {} on {}; --wait waits for it",
                    job.spot, job.board
                )))
            }
            Err(error) => {
                let failure = Failure::Runtime(anyhow::anyhow!("{error}"));
                if let Some(summary) = error.into_summary() {
                    self.print("not_saved", Some(&summary), job, printer)?;
                }
                Err(failure)
            }
        }
    }

    fn print(
        &self,
        word: &str,
        summary: Option<&Summary>,
        job: &Job,
        printer: &Printer,
    ) -> Result<(), Failure> {
        if self.json.json {
            let (schema_version, id) = (SCHEMA_VERSION, job.id);
            return printer.json(&JobOutcome { schema_version, id, outcome: word, summary });
        }
        let board = printer.cards(job.board.cards().to_vec());
        printer.text(&match summary {
            None => format!("  {} on {board}: {word}\n", job.spot),
            Some(summary) => format!(
                "  {} on {board}: {}; {}; {} in {}\n",
                job.spot,
                word.replace('_', " "),
                found(summary),
                bytes(summary.file_bytes),
                self.output.display(),
            ),
        })
    }
}

/// What a job has found, in words.
pub(super) fn found(summary: &Summary) -> String {
    format!(
        "{} to {:.4} % of pot, EV {} and {}",
        counted(summary.iterations, "iteration"),
        summary.exploitability_pct,
        ev_or_dash(Some(summary.players.oop.ev), summary.unit),
        ev_or_dash(Some(summary.players.ip.ev), summary.unit),
    )
}

/// Shows how the job goes.
struct Watch(Resolving);

impl Observer<RunEvent> for Watch {
    fn progress(&mut self, event: &RunEvent) -> ControlFlow<()> {
        match event {
            RunEvent::Progress(progress) => return self.0.progress(progress),
            RunEvent::CheckpointFailed(error) if !error.is_repeated => self.0.above(|| note(goes_on(error))),
            _ => {}
        }
        UntilInterrupted.progress(event)
    }
}

impl RunObserver for Watch {}
