//! `equipoise blueprint submit`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use equipoise::blueprint::whole::{FlopValues, num_boards};
use equipoise::cards::{Board, CanonicalBoard};
use equipoise::documents::batch::SubmitDocument;
use equipoise_batch::{ArrayNeeds, array_name};
use equipoise_files::{AtomicFile, read_text};
use equipoise_run::memory::MemorySize;

use super::exploit::{NumFlops, work_of};
use super::open;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{Printer, SCHEMA_VERSION};
use crate::cli::slurm::{Lists, SlurmArgs, absolute, array_words};
use crate::cli::table::grouped;

/// The first line of a list of tasks; a task is a line of flops with blanks between them.
const HEAD: &str = "#flops\n";

/// Leave the exploitability of a blueprint to a cluster with a folder that all nodes share
///
/// Flops are shared out among the tasks of an array; a task is `equipoise blueprint exploit --list`. The same call again
/// sends what is neither done nor queued. When all flops are there, `equipoise blueprint exploit` puts them together.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SubmitArgs {
    /// The blueprint, at a place that all nodes see
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// How many flops to draw, or `all`
    #[arg(long, value_name = "N", default_value = "all", value_parser = str::parse::<NumFlops>)]
    flops: NumFlops,

    /// What determines which flops
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The folder of the results, which all nodes see; made if it is not there [default: X.EQB.flops]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,

    /// The folder of the buckets, which all nodes see [default: a cache of each node, where they are built if they are not
    /// there]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    /// The most tasks, each with its share of the flops
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    tasks: u16,

    /// Memory of a task
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory: MemorySize,

    #[command(flatten)]
    slurm: SlurmArgs,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint submit /shared/x.eqb --on slurm --time 2h
  equipoise blueprint submit /shared/x.eqb --on slurm --time 2h --tasks 50 -- --partition=long --account=x
  equipoise blueprint submit /shared/x.eqb --on slurm --time 2h --print
  equipoise blueprint submit /shared/x.eqb --on slurm --cancel
  equipoise blueprint exploit /shared/x.eqb --flops all       put together what is there, and measure the rest here

JSON: `jobs` (flops), those that are `done` and those that were `queued`; `arrays` that were sent, each with its `name`, the
scheduler's `job` (null with --print), the number of `jobs` (flops) and `tasks`, `memory_bytes` and the `script`; `cancelled`.
Exit code 75 if another `submit` is at work in the folder.";

impl SubmitArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let blueprint = open(&self.blueprint)?;
        let hash = blueprint.content_hash();
        let work = work_of(&self.blueprint, self.work.as_deref(), NumFlops::All).unwrap_or_default();
        let lists = Lists::new(&work);
        let document = SubmitDocument {
            schema_version: SCHEMA_VERSION,
            folder: work.display().to_string(),
            ..SubmitDocument::default()
        };
        if self.slurm.cancel {
            return self.slurm.cancel(&lists, document, printer);
        }
        let _lock = lists.lock()?;
        // First the queue: what ends in between is found done.
        let queue = self.slurm.queue()?;
        let queued: BTreeSet<String> = lists
            .queued(&queue, &|list| lines(list).unwrap_or_default())
            .iter()
            .flat_map(|task| words(task))
            .collect();
        let mut all: Vec<Board> =
            self.flops.of_seed(self.seed).list().into_iter().map(|(flop, _)| flop).collect();
        all.sort_unstable_by_key(ToString::to_string);
        all.dedup();
        let left: Vec<Board> =
            all.iter().copied().filter(|&flop| !FlopValues::is_kept(&work, flop, hash)).collect();
        let todo: Vec<Board> =
            left.iter().copied().filter(|flop| !queued.contains(&flop.to_string())).collect();
        let document = SubmitDocument {
            jobs: all.len(),
            done: all.len() - left.len(),
            queued: left.len() - todo.len(),
            ..document
        };
        self.send(&work, &lists, &todo, document, printer)
    }

    /// Sends flops, shared out among tasks.
    fn send(
        &self,
        work: &Path,
        lists: &Lists,
        todo: &[Board],
        mut document: SubmitDocument,
        printer: &Printer,
    ) -> Result<(), Failure> {
        let most = self.slurm.max_array_size().saturating_sub(1).clamp(1, self.tasks.into());
        let tasks = shared_out(todo, most);
        let folder = absolute(work)?;
        let name = array_name(Path::new(&folder), &tasks);
        let needs = ArrayNeeds { name: &name, tasks: tasks.len(), memory: self.memory.0 };
        let arrays = if tasks.is_empty() { Vec::new() } else { vec![needs] };
        let count = |count: usize| grouped(count as u128);
        let overview = format!(
            "  {} flops, {} done, {} queued, {} to do in {} tasks{}\n",
            count(document.jobs),
            count(document.done),
            count(document.queued),
            count(todo.len()),
            count(tasks.len()),
            array_words(&arrays, self.slurm.threads())
        );
        self.slurm.overview(&overview, printer)?;
        let blueprint = absolute(&self.blueprint)?;
        let buckets = self.buckets.as_deref().map(absolute).transpose()?;
        let mut words = vec!["blueprint", "exploit", &blueprint, "--work", &folder];
        words.extend(buckets.iter().flat_map(|buckets| ["--buckets", buckets]));
        for array in arrays {
            let write = |list: &Path| write_tasks(list, &tasks);
            document.arrays.push(self.slurm.send(lists, &words, false, array, todo.len(), &write)?);
        }
        let status = "the same call says how far it is, `equipoise blueprint exploit` puts it together";
        self.slurm.report(&document, status, printer)
    }
}

/// Shares flops out among at most so many tasks, so that they take about the same time: those with most boards first, one
/// after another to each task.
fn shared_out(flops: &[Board], most: usize) -> Vec<String> {
    let mut flops = flops.to_vec();
    // The order of names stays among equals.
    flops.sort_by_key(|flop| Reverse(num_boards(flop)));
    let count = most.min(flops.len());
    let task = |task: usize| {
        flops.iter().skip(task).step_by(count).map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    (0..count).map(task).collect()
}

fn write_tasks(path: &Path, tasks: &[String]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(format!("{HEAD}{}\n", tasks.join("\n")).as_bytes())?;
    file.finish()
}

/// The lines of a list, if it is one.
fn lines(path: &Path) -> Option<Vec<String>> {
    let text = read_text(path).ok()?;
    Some(text.strip_prefix(HEAD)?.lines().map(str::to_owned).collect())
}

fn words(task: &str) -> Vec<String> {
    task.split_whitespace().map(str::to_owned).collect()
}

/// The flops of each task of a list.
pub(super) fn read_tasks(path: &Path) -> Result<Vec<Vec<Board>>, Failure> {
    let help = "`equipoise blueprint submit` writes a list of tasks";
    let text = match read_text(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            return Err(BadInput::new(format!("cannot read {}: {error}", path.display())).help(help).into());
        }
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let wrong = |line: usize, reason: String| {
        BadInput::new(format!("{}, line {line}: {reason}", path.display())).help(help)
    };
    let lines = text.strip_prefix(HEAD).ok_or_else(|| wrong(1, "this is no list of flops".to_owned()))?;
    let flop = |at: usize, word: &str| {
        let board = word.parse::<Board>().map_err(|error| wrong(at, format!("'{word}': {error}")))?;
        let is_flop = board.cards().len() == 3;
        if is_flop {
            Ok(CanonicalBoard::new(&board).board())
        } else {
            Err(wrong(at, format!("'{word}' is no flop")))
        }
    };
    let task = |(at, line): (usize, &str)| line.split_whitespace().map(|word| flop(at + 2, word)).collect();
    Ok(lines.lines().enumerate().map(task).collect::<Result<_, BadInput>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise::blueprint::whole::Flops;

    #[test]
    fn tasks_take_about_the_same_time() {
        let all: Vec<Board> = Flops::All.list().into_iter().map(|(flop, _)| flop).collect();
        let tasks = shared_out(&all, 200);
        let boards =
            |task: &String| -> usize { task.split(' ').map(|flop| num_boards(&flop.parse().unwrap())).sum() };
        let each: Vec<usize> = tasks.iter().map(boards).collect();
        assert_eq!((tasks.len(), each.iter().sum::<usize>()), (200, 2_554_656));
        let (least, most) = (each.iter().min().unwrap(), each.iter().max().unwrap());
        assert!(*most < *least * 4 / 3, "{least} to {most} boards");
        assert_eq!(shared_out(&all[..3], 200).len(), 3);
        assert!(shared_out(&[], 200).is_empty());
    }

    #[test]
    fn lists_are_read_as_written() {
        let path = std::env::temp_dir().join(format!("equipoise-flops-{}", std::process::id()));
        write_tasks(&path, &["As7d2c Td9d6h".to_owned(), "KhKd4s".to_owned()]).unwrap();
        let tasks = read_tasks(&path).unwrap();
        assert_eq!(tasks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        for (text, said) in [
            ("", "line 1: this is no list"),
            ("#flops\nAs7d2c\nAs7d\n", "line 3"),
            ("#flops\nAs7d2cKh\n", "line 2: 'As7d2cKh' is no flop"),
        ] {
            std::fs::write(&path, text).unwrap();
            let Err(Failure::Input(error)) = read_tasks(&path) else { panic!("{text}") };
            assert!(format!("{error:?}").contains(said), "{error:?}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
