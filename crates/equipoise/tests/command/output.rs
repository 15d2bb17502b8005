//! Standard output that nobody reads, or that cannot be written.

use std::process::Stdio;

use crate::common::binary;

#[test]
fn a_closed_pipe_is_no_failure() {
    for args in [&["range", "random", "--json"][..], &["range", "random"], &["man"], &["completions", "bash"]]
    {
        let mut child = binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Closed before the program has written anything, or at the latest while it writes.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = binary().args(["range", "random"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: cannot write to standard output"), "{stderr}");
}
