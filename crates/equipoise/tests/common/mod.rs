//! Runs the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use equipoise::postflop::{Contents, SaveOptions, Solver};
use equipoise::spot_file::Problem;
use serde_json::Value;

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary in an environment that does not depend on who runs the tests.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equipoise"));
    command.stdin(Stdio::null()).env("COLUMNS", "100");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run_command(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn run(args: &[&str]) -> Run {
    run_command(binary().args(args))
}

/// A folder of this name for the files of a test, without those of an earlier run.
#[allow(dead_code)] // Not every test program writes files.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The output of a run that is interrupted after half a second.
#[allow(dead_code)] // Not every test program interrupts.
pub(crate) fn interrupted(args: &[&str]) -> Output {
    let child = binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let mut kill = Command::new("kill");
    assert_eq!(run_command(kill.args(["-INT", &child.id().to_string()])).code, Some(0));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    output
}

/// What standard error says, whether it is text or ends in the JSON document of `--json`.
#[allow(dead_code)] // Not every test program makes mistakes.
pub(crate) fn said(stderr: &str) -> String {
    let last = stderr.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(error) = last.map(|document| document["error"].clone()) else { return stderr.to_owned() };
    let part = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    format!("{}\n{}: {}\nhelp: {}\n", part("message"), part("place"), part("text"), part("help"))
}

/// The text that a run prints when all goes well.
#[allow(dead_code)] // Not every test program prints text.
pub(crate) fn text(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    run.stdout
}

/// The JSON document that a run prints when all goes well.
pub(crate) fn json(args: &[&str]) -> Value {
    let run = run(&[args, &["--json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["schema_version"], 1, "{args:?}");
    document
}

/// Solves a spot to 0.3 % of the pot, or for this many iterations, and saves it through the library.
#[allow(dead_code)] // Not every test program needs a solution.
pub(crate) fn save(path: &Path, spot: &str, max_iterations: u32, contents: Contents) -> String {
    let problem: Problem = spot.parse().unwrap();
    let mut options = problem.options.clone();
    (options.target_pct, options.max_iterations) = (0.3, max_iterations);
    let mut solver = Solver::new(problem.spot, &options).unwrap();
    solver.run(&mut ());
    let options = SaveOptions { contents, note: spot.to_owned(), target_pct: 0.3 };
    solver.into_solution().save(path, &options).unwrap();
    path.to_str().unwrap().to_owned()
}
