//! Disks that are full: no solve ends for it, and no answer is lost.
//!
//! A symbolic link to `/dev/full` is a disk that takes nothing; `ulimit -f` is one that takes no file above a size.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use equipoise::postflop::{Contents, Reader, SaveOptions, Solver};
use equipoise::spot_file::Problem;
use serde_json::{Value, json};

use crate::common::{Run, binary, run_command, text as printed};
use crate::saving::TURN;

fn folder(name: &str) -> PathBuf {
    let folder = crate::common::empty_folder(&format!("disk/{name}"));
    fs::write(folder.join("turn.toml"), TURN).unwrap();
    folder
}

/// Bytes of a file with these contents after some iterations.
fn size_after(max_iterations: u32, contents: Contents) -> u64 {
    let problem: Problem = TURN.parse().unwrap();
    let options = equipoise::postflop::Options { max_iterations, target_pct: 0.0, ..problem.options };
    let mut solver = Solver::new(problem.spot, &options).unwrap();
    solver.run(&mut ());
    let options = SaveOptions { contents, note: TURN.to_owned(), target_pct: 0.0 };
    solver.solution_mut().saved_bytes(&options)
}

fn size(contents: Contents) -> u64 {
    size_after(40, contents)
}

/// The binary in a folder where files are limited to this many bytes.
fn limited(folder: &Path, most: u64, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {} && exec \"$0\" \"$@\"", most / 512);
    command.args(["-c", &script, env!("CARGO_BIN_EXE_equipoise")]).args(args);
    command.current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100").env_remove("RUST_BACKTRACE");
    command
}

const SOLVE: [&str; 7] = ["solve", "turn.toml", "--target", "0", "--max-iterations", "40", "-o"];

/// More than one checkpoint before the end.
const OFTEN: [&str; 2] = ["--checkpoint", "0.0001"];

fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"))
}

#[test]
fn a_full_disk_loses_no_answer() {
    let folder = folder("answer");
    std::os::unix::fs::symlink("/dev/full", folder.join("x.eqp")).unwrap();
    let solve =
        |args: &[&str]| run_command(binary().current_dir(&folder).args(SOLVE).arg("x.eqp").args(args));
    let there = run_command(binary().current_dir(&folder).args(SOLVE).args(["y.eqp", "--json"]));
    let full = solve(&["--json"]);
    assert_eq!(full.code, Some(1), "{}", full.stderr);
    for words in
        ["the solution is not saved: x.eqp: No space left", "--save no-river takes", "--save no-turn takes"]
    {
        assert!(full.stderr.contains(words), "{words}: {}", full.stderr);
    }
    let (full, there) = (document(&full), document(&there));
    for key in ["exploitability", "players", "root", "iterations", "stop_reason"] {
        assert_eq!(full[key], there[key], "{key}");
    }
    assert_eq!((&full["saved"], &there["not_saved"]), (&Value::Null, &Value::Null));
    let not_saved = &full["not_saved"];
    assert_eq!((&not_saved["path"], &not_saved["contents"]), (&json!("x.eqp"), &json!("full")));
    // The length of the elapsed time in the header may differ.
    let differs = not_saved["bytes"].as_i64().unwrap() - there["saved"]["bytes"].as_i64().unwrap();
    assert!(differs.abs() < 64, "{differs}");
    let less = not_saved["less"].as_array().unwrap();
    assert_eq!(less.iter().map(|level| &level["contents"]).collect::<Vec<_>>(), ["no-river", "no-turn"]);
    // People see the answer too.
    let report = solve(&[]);
    assert_eq!(report.code, Some(1));
    assert!(
        report.stdout.contains("exploitability") && !report.stdout.contains("saved to"),
        "{}",
        report.stdout
    );
}

#[test]
fn a_checkpoint_that_fails_ends_no_solve() {
    let folder = folder("checkpoint");
    // A checkpoint after one iteration is small enough; there is time for later ones.
    let (resumable, full) = (size_after(2000, Contents::Resumable), size_after(2000, Contents::Full));
    assert!(resumable > full + 8192, "{resumable} {full}");
    let solve = ["solve", "turn.toml", "--target", "0", "--max-iterations", "2000", "-o", "x.eqp", "--json"];
    let args = [&solve[..], &OFTEN].concat();
    let run = run_command(&mut limited(&folder, full + 4096, &args));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(
        run.stderr.matches("a checkpoint could not be saved: x.eqp: File too large").count(),
        1,
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("the solve continues") && run.stderr.contains("may not be enough"),
        "{}",
        run.stderr
    );
    assert_eq!(document(&run)["iterations"], 2000);
    let (reader, header) = Reader::open(&folder.join("x.eqp")).unwrap();
    reader.verify().unwrap();
    assert_eq!((header.iterations, header.contents), (2000, Contents::Full));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn what_would_fit_is_said_and_fits() {
    let folder = folder("fits");
    let (full, no_river) = (size(Contents::Full), size(Contents::NoRiver));
    let most = (full + no_river) / 2;
    assert!(no_river + 1024 < most);
    let run = run_command(&mut limited(&folder, most, &[&SOLVE[..], &["x.eqp", "--json"]].concat()));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let not_saved = document(&run)["not_saved"].clone();
    assert_eq!(not_saved["room_bytes"], most / 512 * 512);
    assert_eq!(
        (&not_saved["less"][0]["contents"], &not_saved["less"][0]["fits"]),
        (&json!("no-river"), &json!(true))
    );
    assert!(run.stderr.contains("which fits") && run.stderr.contains("there is room for"), "{}", run.stderr);
    assert!(!folder.join("x.eqp").exists());
    let taken = [&SOLVE[..], &["x.eqp", "--save", "no-river", "--checkpoint", "0"]].concat();
    let run = run_command(&mut limited(&folder, most, &taken));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (found, said) =
        (fs::metadata(folder.join("x.eqp")).unwrap().len(), not_saved["less"][0]["bytes"].as_u64().unwrap());
    // The length of the elapsed time in the header may differ.
    assert!(found.abs_diff(said) < 64, "{found} {said}");
}

/// Somebody at a terminal is asked what to save instead, until something is saved.
#[test]
fn people_are_offered_a_smaller_save() {
    let folder = folder("offered");
    let most = (size(Contents::Full) + size(Contents::NoRiver)) / 2;
    let terminal = nix::pty::openpty(None, None).unwrap();
    let mut command = limited(&folder, most, &[&SOLVE[..], &["x.eqp"]].concat());
    command.stdin(terminal.slave.try_clone().unwrap()).stderr(terminal.slave).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    drop(command);
    let mut master = fs::File::from(terminal.master);
    master.write_all(b"turn.toml\nfull\nno-river\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let mut heard = String::new();
    // The end of a terminal whose other side has gone is an error.
    let _ = master.read_to_string(&mut heard);
    assert_eq!(output.status.code(), Some(0), "{heard}");
    assert_eq!(heard.matches("an empty line gives up").count(), 3, "{heard}");
    assert!(heard.contains("turn.toml is there already"), "{heard}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("saved to x.eqp"), "{stdout}");
    let (_, header) = Reader::open(&folder.join("x.eqp")).unwrap();
    assert_eq!((header.iterations, header.contents), (40, Contents::NoRiver));
    assert_eq!(fs::read_to_string(folder.join("turn.toml")).unwrap(), TURN);
}

/// The file that was gone on with is there as it was, and the answer is printed.
#[test]
fn resume_keeps_its_file_when_the_disk_is_full() {
    let folder = folder("resume");
    let made = [&SOLVE[..], &["x.eqp", "--save", "resumable"]].concat();
    assert_eq!(run_command(binary().current_dir(&folder).args(&made)).code, Some(0));
    let before = fs::read(folder.join("x.eqp")).unwrap();
    let args =
        [&["resume", "x.eqp", "--max-iterations", "60", "--target", "0", "--json"], &OFTEN[..]].concat();
    let run = run_command(&mut limited(&folder, size(Contents::Full), &args));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(document(&run)["iterations"], 60);
    assert_eq!(document(&run)["not_saved"]["held_iterations"], 40);
    assert!(
        run.stderr.contains("x.eqp still holds 40 iterations: `equipoise resume x.eqp`"),
        "{}",
        run.stderr
    );
    assert!(fs::read(folder.join("x.eqp")).unwrap() == before);
}

#[test]
fn rows_that_cannot_be_written_lose_no_answer() {
    let folder = folder("metrics");
    let args = ["solve", "turn.toml", "--max-iterations", "40", "--metrics", "/dev/full", "--json"];
    let run = run_command(binary().current_dir(&folder).args(args));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("cannot write to /dev/full"), "{}", run.stderr);
    assert!(document(&run)["iterations"].as_u64() > Some(0));
}

#[test]
fn sizes_are_shown_against_the_room() {
    let folder = folder("sizes");
    let spot = folder.join("turn.toml");
    let spot = spot.to_str().unwrap();
    let dry = crate::common::json(&["solve", spot, "--dry-run"]);
    let files = dry["files"].as_array().unwrap();
    assert_eq!(
        files.iter().map(|file| file["save"].as_str().unwrap()).collect::<Vec<_>>(),
        ["resumable", "full", "no-river", "no-turn"]
    );
    assert!(dry["disk_room_bytes"].as_u64().unwrap() > 0);
    for (file, contents) in files.iter().zip([Contents::Resumable, Contents::Full, Contents::NoRiver]) {
        assert!(file["most_bytes"].as_u64().unwrap() >= size(contents), "{file}");
    }
    let plain = printed(&["solve", spot, "--dry-run"]);
    assert!(plain.contains("no-river") && plain.contains("the disk has room for"), "{plain}");
    let dry = limited(&folder, 4096, &["solve", "turn.toml", "--dry-run", "-o", "x.eqp"]).output().unwrap();
    assert_eq!(dry.status.code(), Some(0));
    let dry = String::from_utf8(dry.stdout).unwrap();
    assert!(dry.contains("may not fit") && dry.contains("room for 4.0 KiB"), "{dry}");
    assert!(!folder.join("x.eqp").exists());
    let solved = run_command(binary().current_dir(&folder).args(SOLVE).arg("x.eqp"));
    assert_eq!(solved.code, Some(0));
    assert!(
        solved.stderr.contains("x.eqp takes at most") && solved.stderr.contains("there is room for"),
        "{solved:?}"
    );
}

#[test]
fn a_job_of_a_batch_that_is_not_saved_says_what_it_found() {
    let folder = folder("batch");
    let spot = TURN.lines().filter(|line| !line.is_empty()).map(|line| match line.strip_prefix('[') {
        Some(table) => format!("[spots.{table}\n"),
        None => format!("{line}\n"),
    });
    // Enough iterations for a checkpoint.
    let plan = format!(
        "save = \"full\"\n[[spots]]\nname = \"turn\"\n{}[spots.solver]\ntarget_exploitability_pct = 0\nmax_iterations = 400\n",
        spot.collect::<String>()
    );
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let most = (size(Contents::Full) + size(Contents::NoRiver)) / 2;
    let args = [&["batch", "run", "plan.toml", "-o", "out", "--json"], &OFTEN[..]].concat();
    let failed = run_command(&mut limited(&folder, most, &args));
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("which may not be enough"), "{}", failed.stderr);
    assert!(failed.stderr.contains("a checkpoint could not be saved"), "{}", failed.stderr);
    let document = document(&failed);
    let job = &document["failed"][0];
    let reason = job["reason"].as_str().unwrap();
    assert!(
        reason.contains("it was solved, and not saved") && reason.contains("save = \"no-river\" takes"),
        "{reason}"
    );
    assert!(job["summary"]["players"]["oop"]["ev"].as_f64().unwrap() > 0.0, "{job}");
    let id = job["id"].as_str().unwrap();
    let one =
        run_command(&mut limited(&folder, most, &["batch", "job", "plan.toml", id, "-o", "out", "--json"]));
    assert_eq!(one.code, Some(1), "{}", one.stderr);
    let one = self::document(&one);
    assert_eq!((&one["outcome"], &one["summary"]["board"]), (&json!("not_saved"), &json!("Td9d6hQc")));
    // With room it is done.
    let done = run_command(binary().current_dir(&folder).args(["batch", "run", "plan.toml", "-o", "out"]));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
}

/// A server, as long as this is there.
struct Server {
    child: std::process::Child,
    address: String,
}

impl Server {
    fn start(folder: &Path, most: u64) -> Server {
        let args = ["serve", "--port", "0", "--json", "--library", "library"];
        let mut child = limited(folder, most, &args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        Server { child, address: ready["address"].as_str().unwrap().to_owned() }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (String, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, len) = (&self.address, body.len());
        write!(
            stream,
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {len}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Solves and waits for the end.
    fn solve(&self, toml: &str) -> Value {
        let (status, job) = self.ask("POST", "jobs", &json!({ "name": "full", "toml": toml }).to_string());
        assert!(status.contains("20"), "{status} {job}");
        loop {
            let (_, job) = self.ask("GET", &format!("jobs/{}", job["id"].as_str().unwrap()), "");
            if !["queued", "running"].contains(&job["state"].as_str().unwrap()) {
                return job;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_keeps_what_fits_and_shows_what_does_not() {
    let folder = folder("serve");
    // Without rivers it fits: the job says what it left out.
    let server = Server::start(&folder, (size(Contents::Full) + size(Contents::NoRiver)) / 2);
    let job = server.solve(TURN);
    assert_eq!(job["state"], "done", "{job}");
    let warning = job["warning"].as_str().unwrap();
    assert!(warning.contains("saved as no-river, for want of room for resumable"), "{warning}");
    let (_, header) = Reader::open(&folder.join("library").join(job["solution"].as_str().unwrap())).unwrap();
    assert_eq!(header.contents, Contents::NoRiver);
    drop(server);
    // Nothing fits: the job fails, names the save, and its answer can be viewed.
    let server = Server::start(&folder, size(Contents::NoTurn) * 3 / 4);
    let job = server.solve(TURN);
    assert_eq!(job["state"], "failed", "{job}");
    let error = job["error"].as_str().unwrap();
    assert!(error.contains("the solution is not saved") && error.contains("no-turn takes"), "{error}");
    assert!(job["exploitability"]["pct_pot"].as_f64().unwrap() > 0.0, "{job}");
    let (status, node) = server.ask("GET", &format!("jobs/{}/node", job["id"].as_str().unwrap()), "");
    assert!(status.contains("200"), "{status} {node}");
    let actions = node["node"]["actions"].as_array().unwrap();
    let sum: f64 = actions.iter().map(|action| action["frequency"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{node}");
}

/// The dump fails, the tree is still there, and something smaller or another place can be tried.
#[test]
fn a_dump_that_fails_leaves_the_tree() {
    let folder = folder("upi");
    let script = "set_range OOP AA,QQ,JTs\nset_range IP KK,AJs\nset_board Qd9d6h3c2h\nset_pot 0 0 100\n\
                  set_eff_stack 300\nadd_line 0 0\nadd_line 60 300\nadd_line 0 60 300\nbuild_tree\ngo 20 steps\n\
                  wait_for_solver\ndump_tree /dev/full\ndump_tree x.eqp\n";
    fs::write(folder.join("script"), script).unwrap();
    let mut command = binary();
    command.arg("upi").current_dir(&folder).stdin(fs::File::open(folder.join("script")).unwrap());
    let heard = run_command(&mut command);
    let words = "ERROR: dump_tree: nothing is dumped: /dev/full: No space left";
    assert!(heard.stdout.contains(words) || heard.stdout.contains(&words[7..]), "{}", heard.stdout);
    assert!(
        heard.stdout.contains("no_rivers takes") && heard.stdout.contains("dump_tree ok!"),
        "{}",
        heard.stdout
    );
    Reader::open(&folder.join("x.eqp")).unwrap();
}
