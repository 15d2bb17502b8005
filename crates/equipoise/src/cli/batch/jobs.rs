//! `equipoise batch jobs`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use equipoise::documents::batch::{BatchJobsDocument, JobRow};
use equipoise_batch::{Folder, Job, Jobs, Needs, Plan, Schedule, Settings, TASKS_KIND, write_tasks};
use equipoise_files::Outputs;

use super::{ResourceArgs, bad_folder, files, load, warn};
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::table::{Align, Table, bytes, grouped};

/// List the jobs of a plan and what they take, and solve nothing
///
/// The names of jobs follow from what is in them, so that they are the same on every machine. Each can be done by a call
/// of its own: `equipoise batch job`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct JobsArgs {
    /// The plan; docs/batch.md lists its keys
    #[arg(value_name = "PLAN.TOML")]
    plan: PathBuf,

    /// Write a list of tasks for schedulers, the largest jobs first: `batch job --list FILE --index N` does line N
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// With --list: prepare the folder of the batch, so that tasks begin at once, and list only what is not done there
    #[arg(short, long, value_name = "DIR", requires = "list")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch jobs plan.toml
  equipoise batch jobs plan.toml --json | jq -r '.jobs[].id'
  equipoise batch jobs plan.toml -o folder --list tasks.tsv

JSON: in `jobs` the `id`, `spot`, `board`, `texture`, `weight`, `memory_bytes` and `disk_bytes` (at most) of
each; `impossible`: flops on which a spot cannot be played, and why; `at_once` and `threads` of each.";

fn row_of((job, needs): (&Job, &Needs)) -> JobRow {
    JobRow {
        id: job.id,
        spot: job.spot.clone(),
        board: job.board.to_string(),
        texture: job.texture().map(|texture| texture.to_string()),
        weight: job.weight,
        memory_bytes: needs.memory,
        disk_bytes: needs.disk,
    }
}

impl JobsArgs {
    /// Refuses to replace what is no list, before any work.
    fn check(&self) -> Result<(), Failure> {
        let Some(list) = &self.list else { return Ok(()) };
        let outputs = match &self.output {
            Some(output) => files(&self.plan, &Folder::new(output)),
            None => Outputs::new().read("the plan", &self.plan),
        };
        self.force.check(outputs.write("--list", list, TASKS_KIND))
    }

    /// Writes the list of tasks, if it is wanted.
    fn write_list(&self, plan: &Plan, jobs: &Jobs, needs: &[Needs]) -> Result<(), Failure> {
        let Some(list) = &self.list else { return Ok(()) };
        let folder = self.output.as_ref().map(Folder::new);
        if let Some(folder) = &folder {
            folder.prepare(plan, jobs).map_err(bad_folder)?;
        }
        let is_left =
            |(job, _): &(&Job, Needs)| folder.as_ref().is_none_or(|folder| folder.verified(job).is_none());
        let mut tasks: Vec<(&Job, Needs)> =
            jobs.jobs.iter().zip(needs.iter().copied()).filter(is_left).collect();
        tasks.sort_by_key(|(_, needs)| std::cmp::Reverse(needs.memory));
        write_tasks(list, &tasks).with_context(|| format!("cannot write {}", list.display()))?;
        note(format!("{} task(s) in {}, counted from 0", tasks.len(), list.display()));
        Ok(())
    }

    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let threads = self.resources.threads();
        self.check()?;
        let (plan, jobs) = load(&self.plan)?;
        warn(&jobs);
        let settings = Settings { threads, memory: self.resources.memory(), at_once: None };
        let needs = Jobs::needs(&jobs.jobs, threads);
        let schedule = Schedule::new(&needs, &settings);
        let disk = needs.iter().map(|needs| needs.disk).sum();
        self.write_list(&plan, &jobs, &needs)?;
        let rows = || jobs.jobs.iter().zip(&needs);
        if self.json.json {
            return printer.json(&BatchJobsDocument {
                schema_version: SCHEMA_VERSION,
                at_once: schedule.at_once,
                threads: schedule.threads.get(),
                memory_bytes: schedule.largest * schedule.at_once as u64,
                disk_bytes: disk,
                jobs: rows().map(row_of).collect(),
                impossible: &jobs.impossible,
            });
        }
        let mut table = Table::new(&[
            ("job", Align::Left),
            ("spot", Align::Left),
            ("board", Align::Left),
            ("weight", Align::Right),
            ("memory", Align::Right),
            ("texture", Align::Left),
        ]);
        for (job, needs) in rows() {
            table.row([
                job.id.to_string(),
                job.spot.clone(),
                printer.cards(job.board.cards().to_vec()),
                format!("{:.2}", job.weight),
                bytes(needs.memory),
                job.texture().map_or_else(String::new, |texture| texture.to_string()),
            ]);
        }
        let text = format!("{}\n{}", table.render(), totals(jobs.jobs.len(), &schedule, disk, None));
        printer.text(&text)
    }
}

/// What jobs take together, in a sentence; with the room on the disk, if that is known.
pub(super) fn totals(num_jobs: usize, schedule: &Schedule, disk: u64, room: Option<u64>) -> String {
    let room = room.map_or_else(String::new, |room| {
        let fits = if disk > room { ", which may not be enough" } else { "" };
        format!(", where {} are free{fits}", bytes(room))
    });
    format!(
        "  {} job(s), {} at once with {} thread(s) each: at most {} of memory and {} of disk{room}\n",
        grouped(num_jobs as u128),
        schedule.at_once,
        schedule.threads,
        bytes(schedule.largest * schedule.at_once as u64),
        bytes(disk),
    )
}
