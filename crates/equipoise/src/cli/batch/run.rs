//! `equipoise batch run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use equipoise::documents::batch::{FailedJob, RunDocument};
use equipoise_batch::{Folder, Job, JobEnd, JobError, Jobs, Schedule, Settings, run};
use equipoise_files::room_for;

use super::job::found;
use super::jobs::totals;
use super::progress::RunWatch;
use super::{ResourceArgs, bad_folder, files, load, note_locks, warn};
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::solve::CheckpointArg;
use crate::cli::table::{bytes, duration, estimated};
use crate::cli::watch::{catch_interrupts, is_interrupted};

/// Run the jobs of a plan, or resume them
///
/// Jobs that are done are skipped; as many run at once as memory and threads allow. A job that fails holds up no
/// other and is listed at the end. Ctrl-C stops all, keeping finished jobs and what the others have found.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// The plan; docs/batch.md lists its keys
    #[arg(value_name = "PLAN.TOML")]
    plan: PathBuf,

    /// The folder of the batch; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    resources: ResourceArgs,

    /// The most jobs at a time [default: as many as there are threads, if memory lasts]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    at_once: Option<u16>,

    #[command(flatten)]
    checkpoint: CheckpointArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch run plan.toml -o folder
  equipoise batch run plan.toml -o folder --memory-limit 8G --threads 4
  equipoise batch run plan.toml -o folder --at-once 1

JSON: how many jobs were `solved`, `kept` because they were done, `busy` in another process or `stopped`;
`failed`: the `id`, `spot`, `board`, `reason` of each, `summary` if only saving failed; `impossible`: flops on which a spot cannot be
played; `at_once`, `threads` of each job, `elapsed_s` and `file_bytes` of all solutions.
Exit codes: 1 if a job failed, 130 if it was interrupted.";

impl RunArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let threads = self.resources.threads();
        let folder = Folder::new(&self.output);
        self.force.check(files(&self.plan, &folder))?;
        let (plan, jobs) = load(&self.plan)?;
        warn(&jobs);
        folder.prepare(&plan, &jobs).map_err(bad_folder)?;
        note_locks(&folder);
        let settings = Settings {
            threads,
            memory: self.resources.memory(),
            at_once: self.at_once.and_then(|jobs| NonZeroUsize::new(jobs.into())),
        };
        // Only what is left to do says how much memory and disk it takes.
        let left = jobs.jobs.iter().filter(|job| folder.verified(job).is_none());
        let todo: Vec<Job> = left.cloned().collect();
        let needs = Jobs::needs(&todo, threads);
        let schedule = Schedule::new(&needs, &settings);
        let disk = needs.iter().map(|needs| needs.disk).sum();
        note(totals(todo.len(), &schedule, disk, room_for(&folder.jobs_path().join("x"))).trim());
        if let Some(seconds) = schedule.estimate(&todo) {
            note(format!(
                "about {} of iterations in all, set-up and saving apart (an estimate from a short run on this machine)",
                estimated(seconds)
            ));
        }
        catch_interrupts()?;
        let started = Instant::now();
        let mut watch = RunWatch::start(&todo)?;
        let ended = run(&folder, &todo, &schedule, self.checkpoint.interval(), &mut watch);
        watch.finish();
        let mut document = RunDocument {
            schema_version: SCHEMA_VERSION,
            folder: folder.path().display().to_string(),
            jobs: jobs.jobs.len(),
            kept: jobs.jobs.len() - todo.len(),
            impossible: jobs.impossible.clone(),
            at_once: schedule.at_once,
            threads: schedule.threads.get(),
            elapsed_s: started.elapsed().as_secs_f64(),
            ..RunDocument::default()
        };
        todo.iter().zip(ended).for_each(|(job, ended)| count(&mut document, job, ended));
        let sizes = jobs.jobs.iter().filter_map(|job| folder.summary(job.id));
        document.file_bytes = sizes.map(|summary| summary.file_bytes).sum();
        self.print(&document, printer)
    }

    fn print(&self, document: &RunDocument, printer: &Printer) -> Result<(), Failure> {
        if self.json.json {
            printer.json(document)?;
        } else {
            printer.text(&report(document))?;
        }
        if is_interrupted() {
            let left = document.jobs - document.kept - document.solved;
            return Err(Failure::Interrupted(format!(
                "{left} of {} job(s) are left; the same command resumes where this one stopped",
                document.jobs
            )));
        }
        match document.failed.len() {
            0 => Ok(()),
            failed => Err(anyhow!("{failed} of {} job(s) failed", document.jobs).into()),
        }
    }
}

/// Counts how a job ended.
fn count(document: &mut RunDocument, job: &Job, ended: Option<Result<JobEnd, JobError>>) {
    match ended {
        Some(Ok(JobEnd::Solved(_))) => document.solved += 1,
        Some(Ok(JobEnd::Kept(_))) => document.kept += 1,
        Some(Ok(JobEnd::Busy)) => document.busy += 1,
        Some(Err(error)) => document.failed.push(FailedJob {
            id: job.id,
            spot: job.spot.clone(),
            board: job.board.to_string(),
            reason: error.to_string(),
            summary: error.into_summary(),
        }),
        _ => document.stopped += 1,
    }
}

fn report(document: &RunDocument) -> String {
    let mut text = format!(
        "  {} of {} job(s) solved in {}, {} were done already",
        document.solved,
        document.jobs,
        duration(Duration::from_secs_f64(document.elapsed_s)),
        document.kept
    );
    for (count, words) in
        [(document.busy, "are in another process's hands"), (document.stopped, "were stopped")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {words}"));
        }
    }
    text.push_str(&format!("\n  {} of solutions in {}\n", bytes(document.file_bytes), document.folder));
    for FailedJob { id, spot, board, reason, summary } in &document.failed {
        text.push_str(&format!("\n  {spot} on {board} ({id}) failed: {reason}"));
        if let Some(summary) = summary {
            text.push_str(&format!("\n    what was found: {}", found(summary)));
        }
    }
    if !document.failed.is_empty() {
        text.push('\n');
    }
    text
}
