//! Scripts for Slurm: arrays of jobs that take about the same memory. Text only; nothing is called.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use twox_hash::XxHash3_64;

use crate::job::{Job, Needs};

/// A class of memory goes down to its largest job over this.
const CLASS_STEP: f64 = 1.25;
/// Slurm counts what the process maps too, so a task gets more than its job takes: this share and these bytes on top.
const MEMORY_SHARE: f64 = 1.1;
const MEMORY_EXTRA: u64 = 64 << 20;
/// A checkpoint is written by this many bytes a second, on slow disks that are shared.
const CHECKPOINT_SPEED: u64 = 50_000_000;
/// Before the end of the time that a task has, at least this long for its checkpoint.
const CHECKPOINT_SECONDS: u64 = 120;
/// Of a site that has not set `MaxArraySize`.
pub const MAX_ARRAY_SIZE: usize = 1001;

/// Jobs that are submitted together: the tasks of one array.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TaskArray<'a> {
    /// The name in the queue, which follows from the folder and the jobs. The folder has the list of that name.
    pub name: String,
    /// The largest first.
    pub tasks: Vec<(&'a Job, Needs)>,
}

impl TaskArray<'_> {
    /// Bytes of its largest job.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.tasks.iter().map(|(_, needs)| needs.memory).max().unwrap_or(0)
    }

    /// What Slurm is asked for.
    #[must_use]
    pub fn needs(&self) -> ArrayNeeds<'_> {
        ArrayNeeds { name: &self.name, tasks: self.tasks.len(), memory: self.memory() }
    }
}

/// What an array asks of Slurm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ArrayNeeds<'a> {
    /// Its name in the queue ([`array_name`]).
    pub name: &'a str,
    /// How many tasks it has, at least one.
    pub tasks: usize,
    /// Bytes that the largest of them takes.
    pub memory: u64,
}

impl ArrayNeeds<'_> {
    /// Seconds before the end of its time at which a task is told to save its work.
    #[must_use]
    pub fn checkpoint_seconds(&self) -> u64 {
        (self.memory / CHECKPOINT_SPEED + 60).clamp(CHECKPOINT_SECONDS, 65_535)
    }
}

/// The name of an array, which follows from its folder and from what its tasks are to do.
#[must_use]
pub fn array_name(folder: &Path, tasks: &[String]) -> String {
    let mut bytes = folder.as_os_str().as_encoded_bytes().to_vec();
    tasks.iter().for_each(|task| bytes.extend(task.as_bytes()));
    format!("equipoise-{:016x}", XxHash3_64::oneshot(&bytes))
}

/// Shares jobs out among arrays: by memory, in steps of a quarter, each with fewer tasks than the `MaxArraySize` of the site.
#[must_use]
pub fn task_arrays<'a>(
    folder: &Path,
    mut tasks: Vec<(&'a Job, Needs)>,
    max_array_size: usize,
) -> Vec<TaskArray<'a>> {
    // The order of the plan stays among equals.
    tasks.sort_by_key(|(_, needs)| std::cmp::Reverse(needs.memory));
    let most = max_array_size.saturating_sub(1).max(1);
    let mut arrays: Vec<Vec<(&Job, Needs)>> = Vec::new();
    for task in tasks {
        let fits = |array: &&mut Vec<(&Job, Needs)>| {
            array.len() < most && task.1.memory as f64 * CLASS_STEP >= array[0].1.memory as f64
        };
        match arrays.last_mut().filter(fits) {
            Some(array) => array.push(task),
            None => arrays.push(vec![task]),
        }
    }
    let name = |tasks: &[(&Job, Needs)]| {
        let ids: Vec<String> = tasks.iter().map(|(job, _)| job.id.to_string()).collect();
        array_name(folder, &ids)
    };
    arrays.into_iter().map(|tasks| TaskArray { name: name(&tasks), tasks }).collect()
}

/// What the scripts of a submission have in common. Paths are absolute.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SlurmScript<'a> {
    /// The program, where all nodes find it, and the words of its command before those that are the same for all.
    pub command: &'a [&'a str],
    /// Whether the command takes `--memory-limit`.
    pub limits_memory: bool,
    /// Where lists and logs are.
    pub lists: &'a str,
    /// Processors of a task.
    pub threads: usize,
    /// How long a task may take.
    pub time: Duration,
    /// Which engine it has to be.
    pub engine: &'a str,
    /// More options of `sbatch`.
    pub flags: &'a [String],
}

impl SlurmScript<'_> {
    /// The script of an array, for `sbatch`.
    #[must_use]
    pub fn text(&self, array: &ArrayNeeds<'_>) -> String {
        let ArrayNeeds { name, tasks, memory } = *array;
        let limit = (memory as f64 * MEMORY_SHARE) as u64;
        let mebibytes = (limit + MEMORY_EXTRA).div_ceil(1 << 20);
        let log = format!("{}/{name}", self.lists).replace('%', "%%");
        let options = [
            format!("--job-name={name}"),
            format!("--array=0-{}", tasks - 1),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.threads),
            format!("--mem={mebibytes}M"),
            format!("--time={}", slurm_time(self.time)),
            format!("--signal=B:TERM@{}", array.checkpoint_seconds()),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}", option_word(&format!("{log}-%a.log"))),
        ];
        let mut text = "#!/bin/sh\n".to_owned();
        options.iter().for_each(|option| {
            let _ = writeln!(text, "#SBATCH {option}");
        });
        if !self.flags.is_empty() {
            let flags: Vec<String> = self.flags.iter().map(|flag| option_word(flag)).collect();
            let _ = writeln!(text, "#SBATCH {}", flags.join(" "));
        }
        let command: Vec<String> = self.command.iter().map(|word| shell_word(word)).collect();
        let list = shell_word(&format!("{}/{name}.tsv", self.lists));
        let memory = if self.limits_memory { format!(" --memory-limit {limit}") } else { String::new() };
        let _ = write!(
            text,
            "\nexec {} \\\n  --list {list} --index \"$SLURM_ARRAY_TASK_ID\" \\\n  \
             --threads \"${{SLURM_CPUS_PER_TASK:-{}}}\"{memory} --engine {} --wait\n",
            command.join(" "),
            self.threads,
            shell_word(self.engine)
        );
        text
    }
}

/// Days, hours, minutes and seconds, as Slurm reads them.
fn slurm_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    if days > 0 { format!("{days}-{clock}") } else { clock }
}

/// A word of a shell's command.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A word of a line `#SBATCH`, which knows double quotes and backslashes, and ends at `#`.
fn option_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%[]*".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Jobs, Plan};

    fn jobs(count: usize) -> Jobs {
        let flops: Vec<String> = crate::named_flops("95")
            .unwrap()
            .iter()
            .take(count)
            .map(|flop| format!("'{}'", flop.board))
            .collect();
        let text = format!(
            "flops = [{}]\nsave = 'summary'\n[[spots]]\nranges = {{ oop = 'AA,QQ', ip = 'KK,JTs' }}\n\
             tree = {{ starting_pot = 100, effective_stack = 100 }}\nbet_sizes = {{ river = {{ oop_bet = '100%' }} }}\n",
            flops.join(", ")
        );
        Jobs::of(&Plan::parse(&text, Path::new("plan.toml")).unwrap())
    }

    fn arrays<'a>(jobs: &'a Jobs, memory: &[u64], most: usize) -> Vec<TaskArray<'a>> {
        let needs = memory.iter().map(|&memory| Needs { memory, disk: 1 });
        task_arrays(Path::new("/shared/x"), jobs.jobs.iter().zip(needs).collect(), most)
    }

    #[test]
    fn arrays_hold_jobs_of_about_the_same_memory() {
        let jobs = jobs(8);
        let found = arrays(&jobs, &[100, 81, 80, 79, 64, 300, 239, 240], 1001);
        let memory: Vec<Vec<u64>> =
            found.iter().map(|array| array.tasks.iter().map(|task| task.1.memory).collect()).collect();
        assert_eq!(memory, [vec![300, 240], vec![239], vec![100, 81, 80], vec![79, 64]]);
        // A site's MaxArraySize is one more than the highest number of a task may be.
        let found = arrays(&jobs, &[10; 8], 4);
        assert_eq!(found.iter().map(|array| array.tasks.len()).collect::<Vec<_>>(), [3, 3, 2]);
        let names: std::collections::BTreeSet<&str> = found.iter().map(|array| array.name.as_str()).collect();
        assert_eq!(names.len(), 3);
        assert_eq!(arrays(&jobs, &[10; 8], 4)[0].name, found[0].name, "names follow from what is in them");
        assert!(arrays(&jobs, &[], 4).is_empty());
    }

    #[test]
    fn a_checkpoint_has_time_to_be_written() {
        let jobs = jobs(1);
        let seconds = |memory| arrays(&jobs, &[memory], 2)[0].needs().checkpoint_seconds();
        assert_eq!((seconds(1 << 20), seconds(50_000_000_000), seconds(u64::MAX)), (120, 1060, 65_535));
    }

    #[test]
    fn times_are_those_of_slurm() {
        for (seconds, text) in [(60, "00:01:00"), (43_200, "12:00:00"), (86_400 * 2 + 61, "2-00:01:01")] {
            assert_eq!(slurm_time(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn words_are_quoted_where_they_must_be() {
        assert_eq!(shell_word("/a/b-c.toml"), "/a/b-c.toml");
        assert_eq!(shell_word("/a b/it's $HOME"), "'/a b/it'\\''s $HOME'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(option_word("--partition=long"), "--partition=long");
        assert_eq!(option_word("--comment=a \"b\" \\ #c"), "\"--comment=a \\\"b\\\" \\\\ #c\"");
    }

    /// The script as it is sent, with blanks and quotes in paths.
    #[test]
    fn the_script_is_this() {
        let jobs = jobs(2);
        let array = &arrays(&jobs, &[1_000_000_000, 900_000_000], 1001)[0];
        let script = SlurmScript {
            command: &[
                "/opt/equipoise",
                "batch",
                "job",
                "/home/me/my plans/it's.toml",
                "--output",
                "/shared/my 50% out",
            ],
            limits_memory: true,
            lists: "/shared/my 50% out/slurm",
            threads: 2,
            time: Duration::from_secs(43_200),
            engine: "0.1.0",
            flags: &["--partition=long".to_owned(), "--comment=two words".to_owned()],
        };
        let expected = format!(
            r#"#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=0-1
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=1114M
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/shared/my 50%% out/slurm/{name}-%a.log"
#SBATCH --partition=long "--comment=two words"

exec /opt/equipoise batch job '/home/me/my plans/it'\''s.toml' --output '/shared/my 50% out' \
  --list '/shared/my 50% out/slurm/{name}.tsv' --index "$SLURM_ARRAY_TASK_ID" \
  --threads "${{SLURM_CPUS_PER_TASK:-2}}" --memory-limit 1100000000 --engine 0.1.0 --wait
"#,
            name = array.name
        );
        assert_eq!(script.text(&array.needs()), expected);
        let other = SlurmScript { command: &["equipoise", "x"], limits_memory: false, ..script };
        let text = other.text(&ArrayNeeds { name: "one", tasks: 1, memory: 4 << 30 });
        assert!(text.contains("#SBATCH --array=0-0\n") && text.contains("--mem=4570M"), "{text}");
        assert!(text.contains("\nexec equipoise x \\\n") && !text.contains("--memory-limit"), "{text}");
    }
}
