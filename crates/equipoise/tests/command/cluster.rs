//! Jobs of a batch as schedulers call them, and `equipoise batch submit` before programs that stand for Slurm's.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::common::{Run, binary, json, run, run_command};

const SPOT: &str = r#"
[[spots]]
[spots.ranges]
oop = "AA,QQ,JTs"
ip = "KK,AQs,T9s"
[spots.tree]
starting_pot = 100
effective_stack = 100
[spots.bet_sizes.river]
oop_bet = "100%"
[spots.solver]
"#;

fn folder(name: &str) -> PathBuf {
    crate::common::empty_folder(&format!("cluster/{name}"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A plan of small jobs, or of one that never ends.
fn plan(folder: &Path, flops: &str, solver: &str) -> PathBuf {
    let path = folder.join("plan.toml");
    fs::write(&path, format!("flops = {flops}\nsave = 'no-turn'\n{SPOT}{solver}\n")).unwrap();
    path
}

const QUICK: &str = "target_exploitability_pct = 1";
const ENDLESS: &str = "target_exploitability_pct = 0\nmax_iterations = 4000000";
const FLOPS: &str = "['As7d2c', 'Td9d6h', 'KhKd4s', '8c5c3c', 'QsJd4h']";

fn spawn(args: &[&str]) -> Child {
    binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert_eq!(run_command(Command::new("kill").args([name, &child.id().to_string()])).code, Some(0));
}

fn until_running(out: &Path) {
    while !run(&["batch", "status", text(out), "--json"]).stdout.contains("\"running\": 1") {
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_task_is_a_line_of_a_list() {
    let folder = folder("list");
    let (plan, out, list) = (plan(&folder, FLOPS, QUICK), folder.join("out"), folder.join("tasks.tsv"));
    let written = run(&["batch", "jobs", text(&plan), "-o", text(&out), "--list", text(&list), "--json"]);
    assert!(written.stderr.contains("5 task(s)"), "{}", written.stderr);
    let lines: Vec<String> = fs::read_to_string(&list).unwrap().lines().skip(1).map(str::to_owned).collect();
    assert_eq!(lines.len(), 5);
    let memory: Vec<u64> =
        lines.iter().map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect();
    assert!(memory.is_sorted_by(|a, b| a >= b), "the largest first: {memory:?}");
    let job = |index: &str| {
        run(&[
            "batch",
            "job",
            text(&plan),
            "-o",
            text(&out),
            "--list",
            text(&list),
            "--index",
            index,
            "--json",
        ])
    };
    for (index, line) in lines.iter().enumerate() {
        let done = job(&index.to_string());
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let document: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(
            (document["id"].as_str(), document["outcome"].as_str()),
            (line.split('\t').next(), Some("solved"))
        );
    }
    assert_eq!(json(&["batch", "status", text(&out)])["done"], 5);
    let beyond = job("5");
    assert_eq!(beyond.code, Some(2));
    assert!(beyond.stderr.contains("no task 5: there are 5, counted from 0"), "{}", beyond.stderr);
    // A list of what is left is empty; one that is damaged says where.
    let left = run(&["batch", "jobs", text(&plan), "-o", text(&out), "--list", text(&list), "--json"]);
    assert!(left.stderr.contains("0 task(s)"), "{}", left.stderr);
    let wrong = fs::read_to_string(&list).unwrap() + "nonsense\n";
    fs::write(&list, wrong).unwrap();
    let refused = job("0");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("line 2: 'nonsense' is no job"), "{}", refused.stderr);
    // No list takes the place of another file.
    assert_eq!(run(&["batch", "jobs", text(&plan), "--list", text(&plan)]).code, Some(2));
}

#[test]
fn another_engine_is_refused_and_reported() {
    let folder = folder("engine");
    let (plan, out) = (plan(&folder, "['As7d2c', 'Td9d6h']", QUICK), folder.join("out"));
    let jobs = json(&["batch", "jobs", text(&plan)]);
    let ids: Vec<&str> =
        jobs["jobs"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap()).collect();
    let job = |id: &str, engine: &str| {
        run(&["batch", "job", text(&plan), id, "-o", text(&out), "--engine", engine])
    };
    let refused = job(ids[0], "99.0.0");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("99.0.0 was asked for"), "{}", refused.stderr);
    assert!(!out.exists(), "refused before anything is written");
    for id in &ids {
        assert_eq!(job(id, env!("CARGO_PKG_VERSION")).code, Some(0));
    }
    let same = json(&["batch", "report", text(&out)]);
    assert_eq!((&same["engines"][0]["jobs"], same["engines"].as_array().unwrap().len()), (&2.into(), 1));
    // A result of yesterday's engine, and one of a program that did not name itself.
    let path = out.join("jobs").join(format!("{}.json", ids[0]));
    let mut summary: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    summary["engine"]["version"] = "0.0.9".into();
    fs::write(&path, serde_json::to_vec(&summary).unwrap()).unwrap();
    let differs = run(&["batch", "report", text(&out)]);
    assert!(differs.stderr.contains("different engines solved these jobs: 1 0.0.9 ("), "{}", differs.stderr);
    summary.as_object_mut().unwrap().remove("engine");
    fs::write(&path, serde_json::to_vec(&summary).unwrap()).unwrap();
    let differs = run(&["batch", "report", text(&out)]);
    assert!(differs.stderr.contains("an engine that is not named"), "{}", differs.stderr);
}

/// Who waits does the job when the other one dies, and ends when it is told to.
#[test]
fn a_job_that_waits_takes_over_from_the_dead() {
    let folder = folder("wait");
    let (plan, out) = (plan(&folder, "['As7d2c']", ENDLESS), folder.join("out"));
    let jobs = json(&["batch", "jobs", text(&plan)]);
    let id = jobs["jobs"][0]["id"].as_str().unwrap();
    let args = ["batch", "job", text(&plan), id, "-o", text(&out), "--wait"];
    let mut first = spawn(&args);
    until_running(&out);
    let (second, third) = (spawn(&args), spawn(&args));
    sleep(Duration::from_millis(1500));
    signal(&third, "-TERM");
    let third = third.wait_with_output().unwrap();
    assert_eq!(third.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&third.stderr).contains("still at it"));
    signal(&first, "-KILL");
    first.wait().unwrap();
    // The second one looks every second.
    sleep(Duration::from_millis(1500));
    until_running(&out);
    signal(&second, "-TERM");
    let second = second.wait_with_output().unwrap();
    assert_eq!(second.status.code(), Some(130), "{}", String::from_utf8_lossy(&second.stderr));
    assert_eq!(json(&["batch", "status", text(&out)])["begun"], 1);
}

/// A library before the system's, whose `flock` is that of a file system without locks.
#[test]
fn file_systems_without_locks_work_with_a_note() {
    let folder = folder("locks");
    let (source, library) = (folder.join("flock.c"), folder.join("flock.so"));
    fs::write(&source, "#include <errno.h>\nint flock(int f, int o) { errno = ENOTSUP; return -1; }\n")
        .unwrap();
    let compiled =
        run_command(Command::new("cc").args(["-shared", "-fPIC", "-o", text(&library), text(&source)]));
    assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
    let (plan, out) = (plan(&folder, FLOPS, QUICK), folder.join("out"));
    let args = ["batch", "run", text(&plan), "-o", text(&out), "--json"];
    let run = run_command(binary().args(args).env("LD_PRELOAD", &library));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("knows no locks"), "{}", run.stderr);
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap()["solved"], 5);
    assert_eq!(fs::read_dir(out.join("jobs")).unwrap().count(), 10, "two files a job and nothing else");
}

/// Programs that stand for those of Slurm: a queue in a folder, of which nothing is ever run.
pub(crate) struct FakeSlurm {
    pub(crate) folder: PathBuf,
}

impl FakeSlurm {
    pub(crate) fn new(folder: &Path, max_array_size: usize) -> FakeSlurm {
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).unwrap();
        let queue = text(folder);
        let program = |name: &str, body: &str| {
            let path = bin.join(name);
            fs::write(&path, format!("#!/bin/sh\ncd '{queue}'\necho \"{name} $*\" >> calls\n{body}\n"))
                .unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        program(
            "sbatch",
            "n=$(($(cat number 2>/dev/null || echo 100) + 1)); echo $n > number; cat > script.$n\n\
             test -e refuse && { echo 'sbatch: error: Invalid account' >&2; exit 1; }\n\
             name=$(sed -n 's/^#SBATCH --job-name=//p' script.$n); last=$(sed -n 's/^#SBATCH --array=0-//p' script.$n)\n\
             for i in $(seq 0 $last); do echo \"$name $i $n\"; done >> queue; echo $n",
        );
        program("squeue", "test -e queue && cat queue; true");
        program("scontrol", &format!("echo 'MaxArraySize            = {max_array_size}'"));
        // Of an array that has gone it says what Slurm says.
        program(
            "scancel",
            "test -e queue && { rm queue; exit 0; }\n\
             echo 'scancel: error: Kill job error on job id 3: Invalid job id specified' >&2; exit 1",
        );
        FakeSlurm { folder: folder.to_owned() }
    }

    fn submit(&self, args: &[&str]) -> Run {
        run_command(self.before(binary().args(["batch", "submit"]).args(args)))
    }

    /// A command that finds these programs first.
    pub(crate) fn before<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("PATH", format!("{}:{}", text(&self.folder.join("bin")), std::env::var("PATH").unwrap()))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

#[test]
fn submitting_again_sends_only_what_is_neither_done_nor_queued() {
    let folder = folder("submit it's");
    let slurm = FakeSlurm::new(&self::folder("queue"), 4);
    let (plan, out) = (plan(&folder, FLOPS, QUICK), folder.join("out"));
    let args = [text(&plan), "-o", text(&out), "--on", "slurm", "--time", "12h", "--threads", "1"];
    let first = slurm.submit(&[&args[..], &["--", "--partition=long"]].concat());
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stdout.contains("5 jobs, 0 done, 0 queued, 5 to do"), "{}", first.stdout);
    let queue = slurm.read("queue");
    assert_eq!(queue.lines().count(), 5);
    let script = slurm.read("script.101");
    assert!(
        script.contains("\n#SBATCH --partition=long\n") && script.contains("--time=12:00:00"),
        "{script}"
    );
    // At most three tasks, since the site's arrays end before 4.
    assert!(
        queue.lines().all(|line| line.split(' ').nth(1).unwrap().parse::<usize>().unwrap() < 3),
        "{queue}"
    );
    // Nothing is sent twice.
    let again = slurm.submit(&args);
    assert!(again.stdout.contains("5 queued, 0 to do"), "{}", again.stdout);
    assert!(again.stdout.contains("nothing to send"), "{}", again.stdout);
    assert_eq!(slurm.read("queue"), queue);

    // The scripts do what they say, in a folder with a blank and a quote.
    let tasks: Vec<(String, String)> = queue
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .map(|words| (format!("script.{}", words[2]), words[1].to_owned()))
        .collect();
    for (script, index) in &tasks[..2] {
        let mut command = Command::new("sh");
        command
            .arg(slurm.folder.join(script))
            .env("SLURM_ARRAY_TASK_ID", index)
            .env("SLURM_CPUS_PER_TASK", "1");
        let done = run_command(&mut command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
    // Two are done; of the others one has gone from the queue, as if its node had failed.
    let rest: Vec<&str> = queue.lines().skip(3).collect();
    fs::write(slurm.folder.join("queue"), rest.join("\n") + "\n").unwrap();
    let third = slurm.submit(&[&args[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&third.stdout).unwrap();
    assert_eq!((&document["done"], &document["queued"]), (&2.into(), &2.into()), "{document}");
    assert_eq!(document["arrays"].as_array().unwrap().len(), 1);
    assert_eq!(document["arrays"][0]["jobs"], 1);

    // Cancelled, nothing is queued: what is left is sent again.
    let cancelled = slurm.submit(&[text(&plan), "-o", text(&out), "--on", "slurm", "--cancel"]);
    assert!(cancelled.stdout.contains("what ran saves its work"), "{}{}", cancelled.stdout, cancelled.stderr);
    let calls = slurm.read("calls");
    assert!(calls.contains("scancel --state=PENDING 1"), "{calls}");
    assert!(calls.contains("scancel --state=RUNNING --signal=TERM --batch 1"), "{calls}");
    let last = slurm.submit(&args);
    assert!(last.stdout.contains("2 done, 0 queued, 3 to do"), "{}", last.stdout);
}

#[test]
fn printing_sends_nothing_and_mistakes_are_told() {
    let folder = folder("print");
    let slurm = FakeSlurm::new(&folder, 1001);
    let (plan, out) = (plan(&folder, FLOPS, QUICK), folder.join("out"));
    let args = [text(&plan), "-o", text(&out), "--on", "slurm", "--time", "12h"];
    let printed = slurm.submit(&[&args[..], &["--print"]].concat());
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(printed.stdout.starts_with("#!/bin/sh\n#SBATCH --job-name=equipoise-"), "{}", printed.stdout);
    assert!(!slurm.read("calls").contains("sbatch"));
    // The lists of the scripts are there.
    let lists = fs::read_dir(out.join("slurm")).unwrap();
    assert!(lists.filter(|file| text(&file.as_ref().unwrap().path()).ends_with(".tsv")).count() > 0);
    // What Slurm refuses is told in its words.
    fs::write(slurm.folder.join("refuse"), "").unwrap();
    let refused = slurm.submit(&args);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("Invalid account"), "{}", refused.stderr);
    // A task needs time to save its work, and somewhere there has to be a Slurm.
    let short = slurm.submit(&[&args[..6], &["2m"]].concat());
    assert_eq!(short.code, Some(2), "{}", short.stderr);
    assert_eq!(slurm.submit(&args[..5]).code, Some(2));
    let nowhere = run_command(binary().args(["batch", "submit"]).args(args).env("PATH", "/nowhere"));
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.stderr.contains("cannot run squeue"), "{}", nowhere.stderr);
}
