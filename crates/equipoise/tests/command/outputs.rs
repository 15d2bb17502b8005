//! Outputs that would destroy something: what is read, another output, or a file of another kind.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use equipoise::postflop::Contents;

use crate::common::{Run, binary, run, run_command, said, save};
use crate::solve::RIVER;

fn folder(name: &str) -> PathBuf {
    let folder = crate::common::empty_folder(&format!("outputs/{name}"));
    fs::create_dir(folder.join("below")).unwrap();
    folder
}

/// Runs in a folder.
fn run_in(folder: &Path, args: &[&str]) -> Run {
    run_command(binary().args(args).current_dir(folder))
}

/// Refuses with these words, and leaves every file as it was.
fn refuses(folder: &Path, args: &[&str], words: &[&str]) {
    let files = |folder: &Path| -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .filter(|path| path.is_file())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = files(folder);
    let Run { code, stdout, stderr } = run_in(folder, args);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    for word in words {
        assert!(said(&stderr).contains(word), "{args:?}: {word}: {stderr}");
    }
    assert!(said(&stderr).contains("help: give"), "{args:?}: {stderr}");
    assert_eq!(before, files(folder), "{args:?}");
}

const SCRIPT: &str = "set_pot 100\nset_effective_stack 300\nset_board Qd,9d,6h,3c,2h\nset_range_oop AA,QQ\nset_range_ip KK,AJs\nset_bet_sizes oop,river,bet,50\nset_bet_sizes ip,river,bet,50\nset_allin_threshold 0.67\nbuild_tree\n";

/// A folder with a spot, a solution that can be gone on with, and a script of another program.
fn filled(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("a.toml"), RIVER).unwrap();
    fs::write(folder.join("t.txt"), SCRIPT).unwrap();
    save(&folder.join("a.eqp"), RIVER, 20, Contents::Resumable);
    folder
}

#[test]
fn an_output_never_replaces_an_input() {
    let folder = filled("inputs");
    let (spot, solution) = ("the spot file", "the solution");
    let absolute = folder.join("a.eqp").display().to_string();
    for (args, input) in [
        (vec!["solve", "a.toml", "-o", "a.toml"], spot),
        (vec!["solve", "a.toml", "-o", "./a.toml", "--force"], spot),
        (vec!["solve", "a.toml", "-o", "below/../a.toml"], spot),
        (vec!["solve", "a.toml", "--metrics", "a.toml"], spot),
        (vec!["solve", "a.toml", "--dry-run", "-o", "a.toml"], spot),
        (vec!["solve", "--from", "a.eqp", "-o", "a.eqp"], "the solution of --from"),
        (vec!["solve", "a.toml", "--from", "a.eqp", "-o", &absolute], "the solution of --from"),
        (vec!["solve", "--from", "a.eqp", "--metrics", "a.eqp", "--force"], "the solution of --from"),
        (vec!["resume", "a.eqp", "--metrics", "a.eqp"], solution),
        (vec!["export", "a.eqp", "-o", "a.eqp"], solution),
        (vec!["export", "a.eqp", "-o", "./a.eqp", "--format", "parquet", "--force"], solution),
        (vec!["show", "a.eqp", "--csv", "a.eqp"], solution),
        (vec!["show", "a.eqp", "--csv", "below/../a.eqp", "--force", "--json"], solution),
        (vec!["runouts", "a.eqp", "--node", "check", "--csv", "a.eqp"], solution),
        (vec!["import", "t.txt", "-o", "t.txt"], "the file to import"),
        (vec!["import", "t.txt", "-o", "./t.txt", "--force"], "the file to import"),
    ] {
        refuses(&folder, &args, &[input, "give another name"]);
    }
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_inputs() {
    let folder = filled("links");
    for name in ["a.toml", "a.eqp", "t.txt"] {
        fs::hard_link(folder.join(name), folder.join(format!("hard-{name}"))).unwrap();
        std::os::unix::fs::symlink(name, folder.join(format!("soft-{name}"))).unwrap();
    }
    for link in ["hard", "soft"] {
        let [toml, eqp, txt] = ["a.toml", "a.eqp", "t.txt"].map(|name| format!("{link}-{name}"));
        let same = "which is the same file as";
        refuses(&folder, &["solve", "a.toml", "-o", &toml, "--force"], &["-o names", same, "a.toml"]);
        refuses(&folder, &["solve", &toml, "-o", "a.toml"], &["-o names a.toml", same, &toml]);
        refuses(&folder, &["export", "a.eqp", "-o", &eqp], &[&eqp, same]);
        refuses(&folder, &["show", "a.eqp", "--csv", &eqp, "--force"], &["--csv names", same]);
        refuses(&folder, &["import", "t.txt", "-o", &txt], &[&txt, same]);
    }
    // Standard input may be the file.
    let mut command = binary();
    command.args(["solve", "-", "-o", "a.toml", "--force"]).current_dir(&folder);
    command.stdin(fs::File::open(folder.join("a.toml")).unwrap());
    let refused = run_command(&mut command);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("standard input"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(folder.join("a.toml")).unwrap(), RIVER);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = filled("two");
    let same = "name the same file";
    refuses(
        &folder,
        &["solve", "a.toml", "-o", "x.eqp", "--metrics", "below/../x.eqp"],
        &["-o and --metrics", same],
    );
    refuses(&folder, &["resume", "a.eqp", "-o", "x", "--metrics", "./x"], &["-o and --metrics", same]);
    refuses(&folder, &["cfr", "kuhn", "--csv", "x.svg", "--plot", "./x.svg"], &["--csv and --plot", same]);
}

/// An existing file stays, unless it is of the kind that is written, empty, or the user insists.
#[test]
fn a_file_of_another_kind_is_not_replaced_unasked() {
    let folder = filled("kinds");
    let notes = "Notes, by me:\nnever lose this\n";
    fs::write(folder.join("notes"), notes).unwrap();
    fs::write(folder.join("range.txt"), "AA,KK,AKs").unwrap();
    let quick = ["solve", "a.toml", "--max-iterations", "5"];
    let with =
        |more: &[&str]| [&quick[..], more].concat().iter().map(ToString::to_string).collect::<Vec<_>>();
    for (args, words) in [
        (with(&["-o", "notes"]), ["notes, which is there and is not a solution", "--force"]),
        (with(&["-o", "t.txt"]), ["t.txt", "is not a solution"]),
        (with(&["--metrics", "a.eqp"]), ["--metrics names a.eqp", "is not a CSV table"]),
        (with(&["--metrics", "range.txt"]), ["range.txt", "is not a CSV table"]),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        refuses(&folder, &args, &words);
    }
    for (args, words) in [
        (vec!["show", "a.eqp", "--csv", "a.toml"], "is not a CSV table"),
        (vec!["export", "a.eqp", "-o", "notes"], "is not a file of JSON lines"),
        (vec!["export", "a.eqp", "-o", "a.toml", "--format", "parquet"], "is not a Parquet file"),
        (vec!["import", "t.txt", "-o", "notes"], "is not a spot file"),
        (vec!["import", "t.txt", "-o", "a.eqp"], "is not a spot file"),
        (vec!["cfr", "kuhn", "--csv", "notes"], "is not a CSV table"),
        (
            vec!["abstraction", "export", "features", "--street", "river", "--boards", "2", "-o", "notes"],
            "Parquet",
        ),
        (vec!["abstraction", "features", "Td9d6h", "AhKh", "--plot", "notes"], "is not an SVG picture"),
    ] {
        refuses(&folder, &args, &[words]);
    }
    // Of the same kind, empty, or forced: replaced.
    fs::write(folder.join("empty"), "").unwrap();
    let done = |args: &[&str]| {
        let run = run_in(&folder, args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    };
    for file in ["x.eqp", "x.eqp", "empty"] {
        done(&[&quick[..], &["-o", file, "--metrics", "m.csv"]].concat());
    }
    done(&["show", "a.eqp", "--csv", "m.csv"]);
    for _ in 0..2 {
        done(&["export", "a.eqp", "-o", "x.jsonl"]);
        done(&["export", "a.eqp", "-o", "x.csv"]);
        done(&["export", "a.eqp", "-o", "x.parquet"]);
        done(&["import", "t.txt", "-o", "spot.toml"]);
        done(&["cfr", "kuhn", "--iterations", "5", "--csv", "c.csv", "--plot", "c.svg"]);
    }
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), notes);
    done(&[&quick[..], &["-o", "notes", "--force"]].concat());
    assert!(fs::read(folder.join("notes")).unwrap().starts_with(b"EQPSOLUT"));
    // Its purpose is to rewrite its file, however it is spelled.
    done(&["resume", "a.eqp", "-o", "./a.eqp", "--max-iterations", "25", "--target", "0"]);
}

#[test]
fn files_of_a_batch_are_inputs() {
    let folder = folder("batch");
    let plan = "flops = [\"As7d2c\"]\nsave = \"full\"\n[[spots]]\nranges = { oop = \"AA,QQ\", ip = \"KK,JTs\" }\n\
                tree = { starting_pot = 100, effective_stack = 100 }\nbet_sizes = { river = { oop_bet = \"100%\" } }\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    fs::create_dir(folder.join("foreign")).unwrap();
    fs::write(folder.join("foreign").join("batch.json"), "[1]").unwrap();
    refuses(&folder, &["batch", "run", "plan.toml", "-o", "foreign"], &["is not the list of a batch"]);
    fs::rename(folder.join("plan.toml"), folder.join("batch.json")).unwrap();
    refuses(&folder, &["batch", "run", "batch.json", "-o", ".", "--force"], &["the plan"]);
    fs::rename(folder.join("batch.json"), folder.join("plan.toml")).unwrap();
    for _ in 0..2 {
        let done = run_in(&folder, &["batch", "run", "plan.toml", "-o", "out"]);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
    let jobs = folder.join("out").join("jobs");
    let solution = fs::read_dir(&jobs).unwrap().map(|entry| entry.unwrap().path());
    let solution =
        solution.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "eqp")).unwrap();
    let solution = solution.to_str().unwrap();
    for args in [
        &["batch", "export", "out", "-o", solution, "--force"][..],
        &["batch", "report", "out", "--csv", solution, "--force"],
        &["batch", "report", "out", "--parquet", "out/batch.json", "--force"],
    ] {
        refuses(&folder, args, &["a file of the batch"]);
    }
    refuses(&folder, &["batch", "report", "out", "--csv", "x", "--parquet", "x"], &["same file"]);
    // A new file in the folder is no file of the batch, also when it is written again.
    for _ in 0..2 {
        assert_eq!(run_in(&folder, &["batch", "report", "out", "--csv", "out/report.csv"]).code, Some(0));
    }
}

/// Of a tree that was loaded, `dump_tree` replaces the file only by the resumed solve.
#[test]
fn dumps_do_not_replace_what_was_loaded() {
    let folder = filled("upi");
    fs::write(folder.join("notes"), "notes").unwrap();
    save(&folder.join("full.eqp"), RIVER, 20, Contents::Full);
    let before = fs::read(folder.join("full.eqp")).unwrap();
    let say = |script: &str| {
        let mut command = binary();
        command.arg("upi").current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut upi = command.spawn().unwrap();
        upi.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        String::from_utf8(upi.wait_with_output().unwrap().stdout).unwrap()
    };
    let heard = say(
        "load_tree full.eqp\ndump_tree ./full.eqp\ndump_tree full.eqp no_rivers force\ndump_tree notes\n",
    );
    assert_eq!(heard.matches("which is the file that load_tree has read").count(), 1, "{heard}");
    assert_eq!(heard.matches("the file that load_tree has read: give another name").count(), 2, "{heard}");
    assert!(
        heard.contains("notes, which is there and is not a solution: give another name, or the word force")
    );
    assert_eq!(fs::read(folder.join("full.eqp")).unwrap(), before);
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "notes");
    let heard =
        say("load_tree a.eqp\ngo 5 steps\nwait_for_solver\ndump_tree a.eqp\ndump_tree notes full force\n");
    assert!(!heard.contains("ERROR"), "{heard}");
    assert!(fs::read(folder.join("notes")).unwrap().starts_with(b"EQPSOLUT"));
}

/// Every command that names an output has the flag, and says what it does.
#[test]
fn force_is_documented_wherever_an_output_is_named() {
    for command in [
        "solve",
        "resume",
        "show",
        "runouts",
        "export",
        "import",
        "cfr",
        "batch run",
        "batch job",
        "batch report",
        "batch export",
        "abstraction features",
        "abstraction inspect",
        "abstraction export features",
        "abstraction export buckets",
    ] {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = run(&args).stdout;
        assert!(help.contains("--force") && help.contains("of another kind"), "{command}: {help}");
    }
}

/// A link stays a link, and what stands behind an open descriptor is written to, not replaced.
#[cfg(target_os = "linux")]
#[test]
fn links_and_descriptors_are_written_through() {
    let folder = filled("through");
    std::os::unix::fs::symlink("below/x.csv", folder.join("x.csv")).unwrap();
    let run = run_in(&folder, &["show", "a.eqp", "--csv", "x.csv"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(folder.join("x.csv").is_symlink());
    let table = fs::read_to_string(folder.join("below/x.csv")).unwrap();
    assert!(table.starts_with("combo,"), "{table}");

    std::os::unix::fs::symlink("/proc/self/fd/1", folder.join("stdout")).unwrap();
    let mut command = binary();
    command.args(["show", "a.eqp", "--csv", "stdout", "--json"]).current_dir(&folder);
    let code = command.stdout(fs::File::create(folder.join("both")).unwrap()).status().unwrap().code();
    assert_eq!(code, Some(0));
    assert!(folder.join("stdout").is_symlink());
    let both = fs::read_to_string(folder.join("both")).unwrap();
    assert!(both.contains(&table) && both.contains("\"schema_version\""), "{both}");
}
