//! `equipoise batch submit`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use equipoise::documents::batch::{SubmitDocument, SubmittedArray};
use equipoise_batch::{
    Folder, Job, JobId, Jobs, MAX_ARRAY_SIZE, Needs, SlurmScript, TaskArray, engine, read_tasks, task_arrays,
    write_tasks,
};
use equipoise_files::FileLock;

use super::{bad_folder, files, load, note_locks, warn};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::table::{bytes, grouped};

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

    /// The scheduler
    #[arg(long, value_name = "SYSTEM")]
    on: Scheduler,

    /// Time limit of a task, such as 90m, 12h or 1d12h; before its end it saves what it has
    #[arg(long, value_name = "TIME", value_parser = time, required_unless_present = "cancel")]
    time: Option<Duration>,

    /// Processors of a task
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: u16,

    /// The program on the nodes [default: this one, at the same place]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Print the scripts and send nothing; their lists of tasks are written
    #[arg(long, conflicts_with = "cancel")]
    print: bool,

    /// Cancel queued tasks, and tell running ones to save their work and end
    #[arg(long)]
    cancel: bool,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,

    /// Options of `sbatch`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 12h
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 2d -- --partition=long --account=x
  equipoise batch submit plan.toml -o /shared/folder --on slurm --time 12h --print
  equipoise batch submit plan.toml -o /shared/folder --on slurm --cancel
  equipoise batch status /shared/folder

JSON: `jobs` of the plan, those that are `done` and those that were `queued`; `arrays` that were sent, each with its `name`,
the scheduler's `job` (null with --print), the number of `jobs`, `memory_bytes` of the largest and the `script`; `cancelled`.
Exit code 75 if another `submit` is at work in the folder.";

#[derive(Clone, Copy, ValueEnum)]
enum Scheduler {
    /// Slurm, by `sbatch`, `squeue`, `scontrol` and `scancel`
    Slurm,
}

/// Days, hours and minutes, each with its letter.
fn time(text: &str) -> Result<Duration, &'static str> {
    const WRONG: &str = "a time has days, hours and minutes, such as 1d12h, 12h or 90m";
    let (mut seconds, mut number) = (0_u64, String::new());
    for c in text.chars() {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        let unit = match c {
            'd' => 86_400,
            'h' => 3_600,
            'm' => 60,
            _ => return Err(WRONG),
        };
        let count: u64 = number.parse().map_err(|_| WRONG)?;
        seconds = count.checked_mul(unit).and_then(|more| seconds.checked_add(more)).ok_or(WRONG)?;
        number.clear();
    }
    // A year is more than any site gives.
    if number.is_empty() && (60..=366 * 86_400).contains(&seconds) {
        Ok(Duration::from_secs(seconds))
    } else {
        Err(WRONG)
    }
}

/// A task that the queue has.
struct Queued {
    /// The name of its array.
    name: String,
    /// Its number there.
    index: usize,
    /// The number of the array.
    array: String,
}

/// Calls a program of the scheduler; what it printed.
fn call(program: &str, args: &[&str], input: Option<&str>) -> Result<String, anyhow::Error> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // Who does not read it says why not.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().with_context(|| format!("cannot run {program}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(anyhow!("{program} failed ({}): {said}", output.status))
}

/// Whether the program is not there at all.
fn is_absent(error: &anyhow::Error) -> bool {
    error
        .root_cause()
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// What the user has in the queue, of all folders.
fn queue() -> Result<Vec<Queued>, anyhow::Error> {
    let listed = call("squeue", &["--noheader", "--me", "--array", "--format=%j %K %F"], None)?;
    let task = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, index, array) = (words.next()?, words.next()?, words.next()?);
        Some(Queued { name: name.to_owned(), index: index.parse().ok()?, array: array.to_owned() })
    };
    Ok(listed.lines().filter_map(task).collect())
}

/// Calls `scancel`. An array of which nothing is left is what was wanted, though Slurm calls it an error.
fn end(how: &[&str], arrays: &[&str]) -> Result<(), anyhow::Error> {
    match call("scancel", &[how, arrays].concat(), None) {
        Err(error) if !error.to_string().contains("Invalid job id") => Err(error),
        _ => Ok(()),
    }
}

/// The largest array that the site takes.
fn max_array_size() -> usize {
    let config = call("scontrol", &["show", "config"], None).unwrap_or_default();
    let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"));
    line.and_then(|line| line.trim().trim_start_matches('=').trim().parse().ok()).unwrap_or(MAX_ARRAY_SIZE)
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let path = path.canonicalize().with_context(|| format!("cannot find {}", path.display()))?;
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control));
    let wrong = || BadInput::new(format!("a script cannot name {}", path.display()));
    Ok(text.ok_or_else(|| wrong().help("give it a name in UTF-8 without control characters"))?.to_owned())
}

impl SubmitArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let Scheduler::Slurm = self.on;
        let folder = Folder::new(&self.output);
        self.force.check(files(&self.plan, &folder))?;
        if self.cancel {
            return self.cancel(&folder, printer);
        }
        let (plan, jobs) = load(&self.plan)?;
        warn(&jobs);
        folder.prepare(&plan, &jobs).map_err(bad_folder)?;
        note_locks(&folder);
        let lists = lists_of(&folder);
        std::fs::create_dir_all(&lists).with_context(|| format!("cannot make {}", lists.display()))?;
        let locked = FileLock::take(&lists.join("submit.lock")).context("cannot lock the folder")?;
        let Some(_lock) = locked else {
            return Err(Failure::Busy(format!("another `submit` is at work in {}", folder.path().display())));
        };
        self.submit(&folder, &jobs, printer)
    }

    /// Sends what is neither done nor queued; the folder is locked.
    fn submit(&self, folder: &Folder, jobs: &Jobs, printer: &Printer) -> Result<(), Failure> {
        let lists = absolute(&lists_of(folder))?;
        let threads = usize::from(self.threads).try_into().unwrap_or(std::num::NonZeroUsize::MIN);
        // First the queue: what ends in between is found done.
        let queued = match queue() {
            Ok(queue) => queued_jobs(Path::new(&lists), &queue),
            Err(error) if self.print && is_absent(&error) => {
                note("there is no squeue here: what is queued is not known");
                BTreeSet::new()
            }
            Err(error) => return Err(error.into()),
        };
        let left: Vec<&Job> = jobs.jobs.iter().filter(|job| folder.verified(job).is_none()).collect();
        let todo: Vec<Job> =
            left.iter().filter(|job| !queued.contains(&job.id)).map(|&job| job.clone()).collect();
        let needs: Vec<Needs> = Jobs::needs(&todo, threads);
        let path = absolute(folder.path())?;
        let tasks = todo.iter().zip(needs).collect();
        let arrays = task_arrays(Path::new(&path), tasks, max_array_size());
        let mut document = SubmitDocument {
            schema_version: SCHEMA_VERSION,
            folder: folder.path().display().to_string(),
            jobs: jobs.jobs.len(),
            done: jobs.jobs.len() - left.len(),
            queued: left.len() - todo.len(),
            ..SubmitDocument::default()
        };
        let program = match &self.program {
            Some(program) => program.display().to_string(),
            None => absolute(&std::env::current_exe().context("cannot find this program")?)?,
        };
        let script = SlurmScript {
            program: &program,
            plan: &absolute(&self.plan)?,
            folder: &path,
            lists: &lists,
            threads: threads.get(),
            time: self.time.unwrap_or_default(),
            engine: &engine().short(),
            flags: &self.flags,
        };
        if !self.json.json && !self.print {
            printer.text(&overview(&document, &arrays, threads.get()))?;
        }
        for array in &arrays {
            document.arrays.push(self.send(&script, array)?);
        }
        self.report(&document, printer)
    }

    /// Writes the list of an array and sends its script.
    fn send(&self, script: &SlurmScript<'_>, array: &TaskArray<'_>) -> Result<SubmittedArray, Failure> {
        if script.time.as_secs() <= array.checkpoint_seconds() {
            let message =
                format!("a task needs {} s before its end to save its work", array.checkpoint_seconds());
            return Err(BadInput::new(message).help("give it more --time").into());
        }
        let list = Path::new(script.lists).join(format!("{}.tsv", array.name));
        write_tasks(&list, &array.tasks).with_context(|| format!("cannot write {}", list.display()))?;
        let text = script.text(array);
        let job = if self.print {
            None
        } else {
            let said = call("sbatch", &["--parsable"], Some(&text))?;
            // With several clusters the name of one follows.
            Some(said.trim().split(';').next().unwrap_or_default().to_owned())
        };
        Ok(SubmittedArray {
            name: array.name.clone(),
            job,
            jobs: array.tasks.len(),
            memory_bytes: array.memory(),
            script: text,
        })
    }

    fn cancel(&self, folder: &Folder, printer: &Printer) -> Result<(), Failure> {
        folder.listing().map_err(bad_folder)?;
        let lists = lists_of(folder);
        let is_here = |task: &Queued| is_list(&lists, &task.name);
        let found: BTreeSet<String> = queue()?.into_iter().filter(is_here).map(|task| task.array).collect();
        let arrays: Vec<&str> = found.iter().map(String::as_str).collect();
        if !arrays.is_empty() {
            // What waits first, or it would begin where something ends.
            end(&["--state=PENDING"], &arrays)?;
            end(&["--state=RUNNING", "--signal=TERM", "--batch"], &arrays)?;
        }
        let document = SubmitDocument {
            schema_version: SCHEMA_VERSION,
            folder: folder.path().display().to_string(),
            cancelled: found.into_iter().collect(),
            ..SubmitDocument::default()
        };
        self.report(&document, printer)
    }

    fn report(&self, document: &SubmitDocument, printer: &Printer) -> Result<(), Failure> {
        if self.json.json {
            return printer.json(document);
        }
        if self.print {
            let scripts: Vec<&str> = document.arrays.iter().map(|array| array.script.as_str()).collect();
            return printer.text(&scripts.join("\n"));
        }
        printer.text(&if self.cancel {
            match document.cancelled.as_slice() {
                [] => "  nothing of it is queued\n".to_owned(),
                arrays => format!("  cancelled {}; what ran saves its work\n", arrays.join(", ")),
            }
        } else if document.arrays.is_empty() {
            "  there is nothing to send\n".to_owned()
        } else {
            let numbers: Vec<&str> =
                document.arrays.iter().filter_map(|array| array.job.as_deref()).collect();
            format!(
                "  submitted {}; `equipoise batch status {}` shows how far it is\n",
                numbers.join(", "),
                document.folder
            )
        })
    }
}

fn overview(document: &SubmitDocument, arrays: &[TaskArray<'_>], threads: usize) -> String {
    let todo: usize = arrays.iter().map(|array| array.tasks.len()).sum();
    let memory = arrays.iter().map(TaskArray::memory);
    let classes = match (memory.clone().min(), memory.max()) {
        (Some(least), Some(most)) => {
            format!(
                ": {} array(s) ({} to {}), {threads} thread(s) each",
                arrays.len(),
                bytes(least),
                bytes(most)
            )
        }
        _ => String::new(),
    };
    let count = |count: usize| grouped(count as u128);
    let SubmitDocument { jobs, done, queued, .. } = document;
    format!(
        "  {} jobs, {} done, {} queued, {} to do{classes}\n",
        count(*jobs),
        count(*done),
        count(*queued),
        count(todo)
    )
}

fn lists_of(folder: &Folder) -> PathBuf {
    folder.path().join("slurm")
}

/// Whether an array of the queue is of this folder.
fn is_list(lists: &Path, name: &str) -> bool {
    name.starts_with("equipoise-") && !name.contains('/') && lists.join(format!("{name}.tsv")).is_file()
}

/// The jobs of this folder that the queue has. Arrays whose lists are damaged are left out: their jobs are sent again, and the
/// lock of a job keeps two from solving it.
fn queued_jobs(lists: &Path, queue: &[Queued]) -> BTreeSet<JobId> {
    let mut known: BTreeMap<&str, Vec<JobId>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for task in queue.iter().filter(|task| is_list(lists, &task.name)) {
        let jobs = known
            .entry(&task.name)
            .or_insert_with(|| read_tasks(&lists.join(format!("{}.tsv", task.name))).unwrap_or_default());
        found.extend(jobs.get(task.index));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_written() {
        for (text, seconds) in [("12h", 43_200), ("90m", 5_400), ("1d12h", 129_600), ("2d0h5m", 173_100)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "12", "h", "12h5", "0m", "-1h", "1w", "1.5h", "99999d", "99999999999999999999d"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
