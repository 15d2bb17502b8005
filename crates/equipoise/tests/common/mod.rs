//! Runs the real binary.

use std::process::{Command, Stdio};

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
