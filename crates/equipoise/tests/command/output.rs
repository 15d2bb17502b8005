//! Standard output that nobody reads, or that cannot be written.

use std::process::Stdio;

use crate::common::binary;

#[test]
fn a_closed_pipe_is_no_failure() {
    for args in [
        &["range", "random", "--json"][..],
        &["range", "random"],
        &["man"],
        &["completions", "bash"],
        &["solve", "--max-iterations", "1"],
        &["solve", "--help"],
    ] {
        let mut child = binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Closed before the program has written anything, or at the latest while it writes.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{args:?}");
    }
}

/// A device that takes nothing.
#[cfg(target_os = "linux")]
fn full() -> std::fs::File {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    for args in [&["range", "random"][..], &["--help"], &["solve", "--help"], &["--version"]] {
        let output = binary().args(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("error: cannot write to standard output"), "{args:?}: {stderr}");
    }
}

/// Notes and errors that nobody can read change neither the answer nor the exit code.
#[cfg(target_os = "linux")]
#[test]
fn standard_error_may_be_full() {
    let spot = crate::solve::RIVER.replace("effective_stack = 900", "effective_stack = 0");
    let path = crate::solve::file("all-in.toml", &spot);
    for (args, code) in [(&["solve", &path][..], 0), (&["solve", "no-such.toml"], 2), (&["--nonsense"], 2)] {
        let output = binary().args(args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert_eq!(output.stdout.is_empty(), code != 0, "{args:?}");
    }
}
