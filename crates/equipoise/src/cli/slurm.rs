//! Submitting to Slurm: arrays of tasks, whose lists, logs and lock are in a folder that all nodes share.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use equipoise::documents::batch::{SubmitDocument, SubmittedArray};
use equipoise_batch::{ArrayNeeds, MAX_ARRAY_SIZE, SlurmScript, engine};
use equipoise_files::FileLock;

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, note};
use super::table::bytes;

/// What every `submit` takes.
#[derive(Args)]
pub(super) struct SlurmArgs {
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
    pub(super) cancel: bool,

    #[command(flatten)]
    json: JsonArg,

    /// Options of `sbatch`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

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
pub(super) struct Queued {
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

/// A path as a script names it.
pub(super) fn absolute(path: &Path) -> Result<String, Failure> {
    let path = path.canonicalize().with_context(|| format!("cannot find {}", path.display()))?;
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control));
    let wrong = || BadInput::new(format!("a script cannot name {}", path.display()));
    Ok(text.ok_or_else(|| wrong().help("give it a name in UTF-8 without control characters"))?.to_owned())
}

/// Where the lists of arrays, their logs and the lock of `submit` are.
pub(super) struct Lists(PathBuf);

impl Lists {
    /// Those of a folder of results.
    pub(super) fn new(folder: &Path) -> Lists {
        Lists(folder.join("slurm"))
    }

    /// Keeps another `submit` away; makes the folder.
    pub(super) fn lock(&self) -> Result<FileLock, Failure> {
        std::fs::create_dir_all(&self.0).with_context(|| format!("cannot make {}", self.0.display()))?;
        let locked = FileLock::take(&self.0.join("submit.lock")).context("cannot lock the folder")?;
        locked.ok_or_else(|| Failure::Busy(format!("another `submit` is at work in {}", self.0.display())))
    }

    fn list(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.tsv"))
    }

    /// Whether an array of the queue has its list here.
    fn has(&self, name: &str) -> bool {
        name.starts_with("equipoise-") && !name.contains('/') && self.list(name).is_file()
    }

    /// What the tasks of the queue are to do; `read` gives that of each task of a list.
    pub(super) fn queued<T: Ord + Clone>(
        &self,
        queue: &[Queued],
        read: &dyn Fn(&Path) -> Vec<T>,
    ) -> BTreeSet<T> {
        let mut known: BTreeMap<&str, Vec<T>> = BTreeMap::new();
        let mut found = BTreeSet::new();
        for task in queue.iter().filter(|task| self.has(&task.name)) {
            let tasks = known.entry(&task.name).or_insert_with(|| read(&self.list(&task.name)));
            found.extend(tasks.get(task.index).cloned());
        }
        found
    }
}

/// Arrays in words: how many, what they take.
pub(super) fn array_words(arrays: &[ArrayNeeds<'_>], threads: NonZeroUsize) -> String {
    let memory = arrays.iter().map(|array| array.memory);
    match (memory.clone().min(), memory.max()) {
        (Some(least), Some(most)) => {
            let (count, least, most) = (arrays.len(), bytes(least), bytes(most));
            format!(": {count} array(s) ({least} to {most}), {threads} thread(s) each")
        }
        _ => String::new(),
    }
}

impl SlurmArgs {
    /// Processors of a task.
    pub(super) fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.threads.into()).unwrap_or(NonZeroUsize::MIN)
    }

    /// What the user has in the queue, of all folders. Scripts are printed without a queue, too.
    pub(super) fn queue(&self) -> Result<Vec<Queued>, Failure> {
        match queue() {
            Err(error) if self.print && is_absent(&error) => {
                note("there is no squeue here: what is queued is not known");
                Ok(Vec::new())
            }
            found => Ok(found?),
        }
    }

    /// The largest array that the site takes.
    #[allow(clippy::unused_self)] // Another scheduler would be asked otherwise.
    pub(super) fn max_array_size(&self) -> usize {
        let config = call("scontrol", &["show", "config"], None).unwrap_or_default();
        let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"));
        line.and_then(|line| line.trim().trim_start_matches('=').trim().parse().ok())
            .unwrap_or(MAX_ARRAY_SIZE)
    }

    /// Says what there is to do, to people.
    pub(super) fn overview(&self, text: &str, printer: &Printer) -> Result<(), Failure> {
        if self.json.json || self.print { Ok(()) } else { printer.text(text) }
    }

    /// Writes the list of an array and sends its script; the command is this program with these words.
    pub(super) fn send(
        &self,
        lists: &Lists,
        words: &[&str],
        limits_memory: bool,
        array: ArrayNeeds<'_>,
        jobs: usize,
        write: &dyn Fn(&Path) -> io::Result<()>,
    ) -> Result<SubmittedArray, Failure> {
        let time = self.time.unwrap_or_default();
        if time.as_secs() <= array.checkpoint_seconds() {
            let message =
                format!("a task needs {} s before its end to save its work", array.checkpoint_seconds());
            return Err(BadInput::new(message).help("give it more --time").into());
        }
        let program = match &self.program {
            Some(program) => program.display().to_string(),
            None => absolute(&std::env::current_exe().context("cannot find this program")?)?,
        };
        let list = lists.list(array.name);
        write(&list).with_context(|| format!("cannot write {}", list.display()))?;
        let command: Vec<&str> = [program.as_str()].into_iter().chain(words.iter().copied()).collect();
        let script = SlurmScript {
            command: &command,
            limits_memory,
            lists: &absolute(&lists.0)?,
            threads: self.threads.into(),
            time,
            engine: &engine().short(),
            flags: &self.flags,
        };
        let text = script.text(&array);
        let job = if self.print {
            None
        } else {
            let said = call("sbatch", &["--parsable"], Some(&text))?;
            // With several clusters the name of one follows.
            Some(said.trim().split(';').next().unwrap_or_default().to_owned())
        };
        Ok(SubmittedArray {
            name: array.name.to_owned(),
            job,
            jobs,
            tasks: array.tasks,
            memory_bytes: array.memory,
            script: text,
        })
    }

    /// Takes what waits out of the queue, and has what runs saved.
    pub(super) fn cancel(
        &self,
        lists: &Lists,
        document: SubmitDocument,
        printer: &Printer,
    ) -> Result<(), Failure> {
        let is_here = |task: &Queued| lists.has(&task.name);
        let found: BTreeSet<String> = queue()?.into_iter().filter(is_here).map(|task| task.array).collect();
        let arrays: Vec<&str> = found.iter().map(String::as_str).collect();
        if !arrays.is_empty() {
            // What waits first, or it would begin where something ends.
            end(&["--state=PENDING"], &arrays)?;
            end(&["--state=RUNNING", "--signal=TERM", "--batch"], &arrays)?;
        }
        self.report(&SubmitDocument { cancelled: found.into_iter().collect(), ..document }, "", printer)
    }

    /// Says what was sent or cancelled; `status` is how one sees how far it is.
    pub(super) fn report(
        &self,
        document: &SubmitDocument,
        status: &str,
        printer: &Printer,
    ) -> Result<(), Failure> {
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
            format!("  submitted {}; {status}\n", numbers.join(", "))
        })
    }
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
