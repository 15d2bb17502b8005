//! `equipoise batch submit`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use equipoise::documents::batch::SubmitDocument;
use equipoise_batch::{Folder, Job, JobId, Jobs, Needs, TaskArray, read_tasks, task_arrays, write_tasks};

use super::{bad_folder, files, load, note_locks, warn};
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{Printer, SCHEMA_VERSION};
use crate::cli::slurm::{Lists, Queued, SlurmArgs, absolute, array_words};
use crate::cli::table::grouped;

/// Leave the jobs of a plan to a cluster with a folder that all nodes share
///
/// Jobs become tasks of arrays, by the memory that they take; a task is `equipoise batch job`. The same call again sends what is
/// neither done nor queued: after a change, a failure or a limit of time. The folder is the only state, so that `batch status` and
/// `batch report` work meanwhile. docs/distributed.md has more, and recipes for other schedulers.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SubmitArgs {
    /// The plan, at a place that all nodes see
    #[arg(value_name = "PLAN.TOML")]
    plan: PathBuf,

    /// The folder of the batch, which all nodes see; made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    slurm: SlurmArgs,

    #[command(flatten)]
    force: ForceArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 12h
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 2d -- --partition=long --account=x
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 12h --print
  equipoise batch submit plan.toml -o /shared/folder --on slurm --cancel
  equipoise batch status /shared/folder

JSON: `jobs` of the plan, those that are `done` and those that were `queued`; `arrays` that were sent, each with its `name`,
the scheduler's `job` (null with --print), the number of `jobs` and `tasks`, `memory_bytes` of the largest and the `script`;
`cancelled`.
Exit code 75 if another `submit` is at work in the folder.";

impl SubmitArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let folder = Folder::new(&self.output);
        self.force.check(files(&self.plan, &folder))?;
        if self.slurm.cancel {
            folder.listing().map_err(bad_folder)?;
            return self.slurm.cancel(&lists_of(&folder), document(&folder), printer);
        }
        let (plan, jobs) = load(&self.plan)?;
        warn(&jobs);
        folder.prepare(&plan, &jobs).map_err(bad_folder)?;
        note_locks(&folder);
        let _lock = lists_of(&folder).lock()?;
        self.submit(&folder, &jobs, printer)
    }

    /// Sends what is neither done nor queued; the folder is locked.
    fn submit(&self, folder: &Folder, jobs: &Jobs, printer: &Printer) -> Result<(), Failure> {
        let lists = lists_of(folder);
        // First the queue: what ends in between is found done.
        let queued = queued_jobs(&lists, &self.slurm.queue()?);
        let left: Vec<&Job> = jobs.jobs.iter().filter(|job| folder.verified(job).is_none()).collect();
        let todo: Vec<Job> =
            left.iter().filter(|job| !queued.contains(&job.id)).map(|&job| job.clone()).collect();
        let needs: Vec<Needs> = Jobs::needs(&todo, self.slurm.threads());
        let (plan, path) = (absolute(&self.plan)?, absolute(folder.path())?);
        let tasks = todo.iter().zip(needs).collect();
        let arrays = task_arrays(Path::new(&path), tasks, self.slurm.max_array_size());
        let mut document = SubmitDocument {
            jobs: jobs.jobs.len(),
            done: jobs.jobs.len() - left.len(),
            queued: left.len() - todo.len(),
            ..document(folder)
        };
        let needs: Vec<_> = arrays.iter().map(TaskArray::needs).collect();
        self.slurm.overview(
            &overview(&document, todo.len(), &array_words(&needs, self.slurm.threads())),
            printer,
        )?;
        let words = ["batch", "job", &plan, "--output", &path];
        for array in &arrays {
            let write = |list: &Path| write_tasks(list, &array.tasks);
            let sent = self.slurm.send(&lists, &words, true, array.needs(), array.tasks.len(), &write)?;
            document.arrays.push(sent);
        }
        let status = format!("`equipoise batch status {}` shows how far it is", document.folder);
        self.slurm.report(&document, &status, printer)
    }
}

fn document(folder: &Folder) -> SubmitDocument {
    SubmitDocument {
        schema_version: SCHEMA_VERSION,
        folder: folder.path().display().to_string(),
        ..SubmitDocument::default()
    }
}

fn overview(document: &SubmitDocument, todo: usize, arrays: &str) -> String {
    let count = |count: usize| grouped(count as u128);
    let SubmitDocument { jobs, done, queued, .. } = document;
    format!(
        "  {} jobs, {} done, {} queued, {} to do{arrays}\n",
        count(*jobs),
        count(*done),
        count(*queued),
        count(todo)
    )
}

fn lists_of(folder: &Folder) -> Lists {
    Lists::new(folder.path())
}

/// The jobs of this folder that the queue has. Arrays whose lists are damaged are left out: their jobs are sent again, and the
/// lock of a job keeps two from solving it.
fn queued_jobs(lists: &Lists, queue: &[Queued]) -> BTreeSet<JobId> {
    lists.queued(queue, &|list| read_tasks(list).unwrap_or_default())
}
