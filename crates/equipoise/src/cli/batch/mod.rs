//! `equipoise batch`.

mod export;
mod flops;
mod job;
mod jobs;
mod progress;
mod report;
mod run;
mod status;
mod submit;

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use clap::{Args, Subcommand};
use equipoise_batch::{Folder, FolderError, Impossible, Jobs, LISTING_KIND, Plan, PlanError};
use equipoise_files::Outputs;
use equipoise_run::memory::{self, MemorySize};

use super::failure::{BadInput, Failure};
use super::print::{Printer, note};
use super::spot::bad_spot;
use super::watch::Watch;

/// Solve one spot over many flops, and average what is found
///
/// A plan (TOML, docs/batch.md) says which spots on which flops: a list, a subset that stands for all flops, or all 1,755
/// that differ in more than suits. Each spot on each flop is a job, named after what is in it. Jobs that are done are
/// skipped; several processes may work in one folder, and any of them may be killed at any moment.
#[derive(Args)]
#[command(after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct BatchArgs {
    #[command(subcommand)]
    command: BatchCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch jobs plan.toml                  what there is to do, and what it takes
  equipoise batch run plan.toml -o folder         run it, or resume it
  equipoise batch submit plan.toml -o folder --on slurm --time 12h
                                                  leave it to a cluster (docs/distributed.md)
  equipoise batch status folder                   how far it is
  equipoise batch report folder --by flop         frequencies, EV and equity
  equipoise batch export folder -o x.parquet      every decision of every solution
  equipoise batch flops 49                        flops that stand for all";

#[derive(Subcommand)]
enum BatchCommand {
    Run(run::RunArgs),
    Jobs(jobs::JobsArgs),
    Job(job::JobArgs),
    Submit(submit::SubmitArgs),
    Status(status::StatusArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Flops(flops::FlopsArgs),
}

impl BatchArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            BatchCommand::Run(args) => args.run(printer),
            BatchCommand::Jobs(args) => args.run(printer),
            BatchCommand::Job(args) => args.run(printer),
            BatchCommand::Submit(args) => args.run(printer),
            BatchCommand::Status(args) => args.run(printer),
            BatchCommand::Report(args) => args.run(printer),
            BatchCommand::Export(args) => args.run(printer),
            BatchCommand::Flops(args) => args.run(printer),
        }
    }
}

/// What all jobs together may use.
#[derive(Args)]
struct ResourceArgs {
    /// Threads in all; no result depends on it [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Memory limit of all jobs together, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory_limit: Option<MemorySize>,
}

impl ResourceArgs {
    fn threads(&self) -> NonZeroUsize {
        let asked = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }

    fn memory(&self) -> Option<u64> {
        memory::limit(self.memory_limit)
    }
}

/// The files of a batch that are read.
fn inputs(folder: &Folder) -> Outputs {
    let name = "a file of the batch";
    Outputs::new().read(name, &folder.listing_path()).read_all(name, &folder.jobs_path())
}

/// What doing jobs of a plan reads and writes by names that somebody gave.
fn files(plan: &Path, folder: &Folder) -> Outputs {
    Outputs::new().read("the plan", plan).write("-o", &folder.listing_path(), LISTING_KIND)
}

/// Reads a plan and finds its jobs.
fn load(path: &Path) -> Result<(Plan, Jobs), Failure> {
    let plan = Plan::read(path).map_err(bad_plan)?;
    let mut watch = Watch::start()?;
    let jobs = Jobs::of_observed(&plan, &mut watch);
    watch.finish();
    let jobs = jobs.map_err(|_| Failure::Interrupted("nothing has begun yet".to_owned()))?;
    Ok((plan, jobs))
}

/// Notes that jobs are not locked, if the file system of a folder does not support locks.
fn note_locks(folder: &Folder) {
    if !folder.has_locks() {
        note(format!(
            "the file system of {} knows no locks: two processes may solve the same job, which takes time and breaks nothing",
            folder.path().display()
        ));
    }
}

/// Says what the author of a plan may not have meant.
fn warn(jobs: &Jobs) {
    jobs.notes.iter().for_each(note);
    for Impossible { spot, board, reason, .. } in &jobs.impossible {
        note(format!("{spot} on {board} is left out: {reason}"));
    }
}

fn bad_plan(error: PlanError) -> Failure {
    match error {
        PlanError::File { path, error } => bad_spot(&path.display().to_string(), &error).into(),
        PlanError::Read { ref source, .. }
            if !matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidData
            ) =>
        {
            Failure::Runtime(error.into())
        }
        _ => BadInput::new(error).help("give the name of a TOML file; docs/batch.md lists its keys").into(),
    }
}

/// A folder without a batch is bad input; what the system refuses is not.
pub(crate) fn bad_folder(error: FolderError) -> Failure {
    match error {
        FolderError::Io { .. } => Failure::Runtime(error.into()),
        _ => BadInput::new(error).help("`equipoise batch run plan.toml -o FOLDER` makes one").into(),
    }
}
