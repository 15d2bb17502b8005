//! Help, completions and man pages.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

const COMMANDS: [&str; 23] = [
    "new",
    "solve",
    "resume",
    "show",
    "browse",
    "info",
    "tree",
    "runouts",
    "compare",
    "export",
    "import",
    "batch",
    "serve",
    "upi",
    "equity",
    "eval",
    "range",
    "pot-odds",
    "abstraction",
    "cfr",
    "bench",
    "completions",
    "man",
];

/// Those of the whole hand.
const WHOLE_HAND: [&str; 13] = [
    "history",
    "pushfold",
    "icm",
    "rules",
    "preflop",
    "blueprint",
    "resolve",
    "match",
    "lbr",
    "bot",
    "play",
    "review",
    "translate",
];

fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter().chain(WHOLE_HAND)
}

#[test]
fn help_texts() {
    insta::assert_snapshot!("help", text(&["--help"]));
    for command in COMMANDS {
        insta::assert_snapshot!(format!("help-{command}"), text(&[command, "--help"]));
    }
    for command in [
        "features",
        "build",
        "bucket",
        "inspect",
        "compare",
        "evaluate",
        "export",
        "export features",
        "export buckets",
    ] {
        let words: Vec<&str> =
            ["abstraction"].into_iter().chain(command.split(' ')).chain(["--help"]).collect();
        let help = text(&words);
        assert!(help.contains("Examples:\n  equipoise abstraction "), "{command}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
        insta::assert_snapshot!(format!("help-abstraction-{}", command.replace(' ', "-")), help);
    }
    let of_rules = ["count", "tree"].map(|command| ("rules", command));
    let of_blueprint =
        ["train", "exploit", "submit", "chart", "show", "match"].map(|command| ("blueprint", command));
    for (group, command) in of_rules.into_iter().chain(of_blueprint) {
        let help = text(&[group, command, "--help"]);
        assert!(help.contains(&format!("Examples:\n  equipoise {group} ")), "{command}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
    }
    for command in ["run", "jobs", "job", "submit", "status", "report", "export", "flops"] {
        let help = text(&["batch", command, "--help"]);
        assert!(help.contains("Examples:\n  equipoise batch "), "{command}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
        insta::assert_snapshot!(format!("help-batch-{command}"), help);
    }
}

#[test]
fn no_line_of_help_is_too_wide_and_every_command_shows_examples() {
    for command in commands() {
        let help = text(&[command, "--help"]);
        assert!(help.contains("Examples:\n  equipoise "), "{command}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
        assert!(text(&[command, "-h"]).len() < help.len(), "{command}");
    }
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(text(&["help"]), text(&["--help"]));
    assert_eq!(text(&["help", "solve"]), text(&["solve", "--help"]));
}

#[test]
fn nothing_to_do_is_bad_input() {
    let run = run(&[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Usage:"));
}

#[test]
fn the_version_is_the_package_s() {
    assert_eq!(text(&["--version"]), format!("equipoise {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(command), "{shell} {command}");
        }
    }
}

#[test]
fn man_pages() {
    let page = text(&["man"]);
    assert!(page.contains(".TH equipoise 1"), "{page}");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man").join("man1");
    assert_eq!(text(&["man", "--output", directory.to_str().unwrap()]), "");
    for command in commands() {
        let page = fs::read_to_string(directory.join(format!("equipoise-{command}.1"))).unwrap();
        assert!(page.contains("Examples:"), "{command}");
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_a_failure_not_bad_input() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("file");
    fs::write(&file, "").unwrap();
    let run = run(&["man", "--output", file.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("cannot write man pages to"), "{}", run.stderr);
}
