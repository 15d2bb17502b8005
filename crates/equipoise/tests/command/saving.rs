//! `equipoise solve -o` and `equipoise resume`: files that are there whole, whatever happens.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use equipoise::postflop::{Contents, NodePath, Options, Reader, SaveOptions, Solver, ViewDetail};
use equipoise::spot_file::Problem;
use serde_json::Value;

use crate::common::{binary, json, run, run_command};
use crate::solve::{RIVER, file};

/// A turn spot that takes some hundred milliseconds to 0.01 % of pot.
pub(crate) const TURN: &str = r#"
[ranges]
oop = "66+,A8s+,AJo+,K9s+,KQo"
ip = "QQ-22,AQs-A2s,ATo+,K5s+"
[cards]
flop = "Td9d6h"
turn = "Qc"
[tree]
starting_pot = 200
effective_stack = 900
[bet_sizes.turn]
oop_bet = "60%"
ip_bet = "60%"
[bet_sizes.river]
oop_bet = "60%"
ip_bet = "60%"
"#;

/// What the solve of the golden file has printed.
const GOLDEN_PCT: f64 = 0.10372820597228838;
const GOLDEN_HASH: u64 = 7_887_149_460_508_597_188;
const GOLDEN_ROOT: [f64; 3] = [0.0, 0.168266, 0.831713];
const GOLDEN_EVS: [f64; 2] = [98.34472, 1.65528];

fn folder(name: &str) -> PathBuf {
    crate::common::empty_folder(&format!("saving/{name}"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The answer without what differs from run to run.
fn answer(mut document: Value) -> Value {
    for key in ["elapsed_s", "saved", "memory_bytes"] {
        document[key].take();
    }
    document
}

#[test]
fn a_saved_solution_is_the_one_that_was_printed() {
    let path = folder("printed").join("river.eqp");
    let document = json(&["solve", &file("saved.toml", RIVER), "-o", text(&path)]);
    let saved = &document["saved"];
    assert_eq!(saved["path"], text(&path));
    assert_eq!(saved["contents"], "full");
    assert_eq!(saved["bytes"], fs::metadata(&path).unwrap().len());
    let (reader, header) = Reader::open(&path).unwrap();
    assert_eq!(header.contents, Contents::Full);
    assert_eq!(header.note, RIVER);
    assert_eq!(header.iterations, document["iterations"].as_u64().unwrap() as u32);
    assert_eq!(header.exploitability_pct, document["exploitability"]["pct_pot"].as_f64().unwrap());
    reader.verify().unwrap();
    let view = reader.view(&NodePath::root(), ViewDetail::Equities, &mut ()).unwrap();
    for (action, frequency) in document["root"]["actions"].as_array().unwrap().iter().zip(view.frequencies())
    {
        assert!((action["frequency"].as_f64().unwrap() - frequency).abs() < 1e-4);
    }
    for (player, name) in view.players.iter().zip(["oop", "ip"]) {
        let expected = &document["players"][name];
        assert!((player.ev().unwrap() - expected["ev"].as_f64().unwrap()).abs() < 0.02);
        assert!((player.equity().unwrap() - expected["equity"].as_f64().unwrap()).abs() < 1e-5);
    }
}

#[test]
fn going_on_gives_the_answer_of_a_solve_that_never_stopped() {
    let folder = folder("resume");
    let spot = file("resume.toml", TURN);
    let (whole, part) = (folder.join("whole.eqp"), folder.join("part.eqp"));
    let straight = json(&["solve", &spot, "--target", "0.05", "-o", text(&whole), "--save", "resumable"]);
    json(&["solve", &spot, "--target", "0.5", "-o", text(&part), "--save", "resumable"]);
    let resumed = json(&["resume", text(&part), "--target", "0.05", "--threads", "1"]);
    assert!(resumed["iterations"].as_u64() >= straight["iterations"].as_u64());
    assert!(resumed["converged"].as_bool().unwrap());
    // To the same iteration, the same answer.
    let last = straight["iterations"].to_string();
    let second = folder.join("second.eqp");
    json(&[
        "solve",
        &spot,
        "--target",
        "0",
        "--max-iterations",
        "20",
        "-o",
        text(&second),
        "--save",
        "resumable",
    ]);
    let second = json(&["resume", text(&second), "--target", "0", "--max-iterations", &last]);
    for key in ["exploitability", "players", "root", "iterations"] {
        assert_eq!(answer(straight.clone())[key], answer(second.clone())[key], "{key}");
    }
    // A finished solve takes no time.
    let again = json(&["resume", text(&part), "--target", "1"]);
    assert_eq!(again["iterations"], resumed["iterations"]);
    assert_eq!(again["exploitability"], resumed["exploitability"]);
}

#[test]
fn what_cannot_be_gone_on_with_is_refused() {
    let folder = folder("refused");
    let path = folder.join("full.eqp");
    json(&["solve", &file("refused.toml", RIVER), "-o", text(&path)]);
    let refused = |args: &[&str], words: &str| {
        let run = run(args);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    };
    refused(&["resume", text(&path)], "--save resumable");
    refused(&["resume", text(&folder.join("nothing.eqp"))], "No such file");
    refused(&["resume", &file("text.eqp", "not a solution")], "too short");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    refused(&["resume", text(&path)], "cut short");
    let mut newer = bytes.clone();
    newer[8] = 3;
    fs::write(&path, &newer).unwrap();
    refused(&["resume", text(&path)], "version 3 of the format");
    refused(&["solve", "--save", "no-river"], "--output");
    let run = run(&["solve", &file("nowhere.toml", RIVER), "-o", text(&folder.join("no").join("x.eqp"))]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("cannot write to"), "{}", run.stderr);
}

/// A solve that would take for ever, once it has begun.
fn endless(spot: &str, output: &Path) -> std::process::Child {
    let mut command = binary();
    command.args(["solve", spot, "--target", "0", "--max-iterations", "100000000", "--threads", "1"]);
    command.args(["-o", text(output), "--checkpoint", "0.002", "--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &std::process::Child, name: &str) {
    assert_eq!(run_command(Command::new("kill").args([name, &child.id().to_string()])).code, Some(0));
}

#[test]
fn an_interrupted_solve_is_saved() {
    let spot = file("interrupted.toml", TURN);
    for name in ["-INT", "-TERM"] {
        let path = folder("interrupted").join("x.eqp");
        let child = endless(&spot, &path);
        while !path.exists() {
            sleep(Duration::from_millis(20));
        }
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("`equipoise resume"), "{stderr}");
        let (_, header) = Reader::open(&path).unwrap();
        assert_eq!(header.contents, Contents::Resumable);
        let last = (header.iterations + 5).to_string();
        assert_eq!(
            json(&["resume", text(&path), "--max-iterations", &last])["iterations"],
            header.iterations + 5
        );
    }
}

/// Whenever it is killed: what was saved last is there, whole. `make soak` kills a thousand times.
#[test]
fn kill_loses_no_finished_result() {
    let folder = folder("killed");
    let spot = file("killed.toml", TURN);
    let path = folder.join("x.eqp");
    json(&[
        "solve",
        &spot,
        "--max-iterations",
        "3",
        "--target",
        "0",
        "-o",
        text(&path),
        "--save",
        "resumable",
    ]);
    let mut most = 3;
    let kills = std::env::var("EQUIPOISE_KILLS").map_or(10, |number| number.parse().unwrap());
    for round in 0..kills {
        let child = endless(&spot, &path);
        let begun = Instant::now();
        // Ten moments in a row, and then ten others.
        let wait = Duration::from_millis(120 + 37 * (round % 10)) + Duration::from_micros(311 * (round / 10));
        while begun.elapsed() < wait {
            sleep(Duration::from_millis(5));
        }
        signal(&child, "-KILL");
        child.wait_with_output().unwrap();
        let (reader, header) = Reader::open(&path).unwrap();
        reader.verify().unwrap();
        most = most.max(header.iterations);
    }
    assert!(most > 3, "no checkpoint was ever written");
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// A file of format 2.0, to be read for ever. The figures are those that its solve printed.
#[test]
fn the_golden_file_is_read() {
    let golden = golden("turn-2.0.eqp");
    let (reader, header) = Reader::open(&golden).unwrap();
    reader.verify().unwrap();
    assert_eq!((header.format, header.iterations, header.contents), ([2, 0], 70, Contents::Resumable));
    assert_eq!(header.exploitability_pct, GOLDEN_PCT);
    assert_eq!(header.spot_hash, GOLDEN_HASH);
    assert_eq!(reader.spot().content_hash(), GOLDEN_HASH);
    assert_eq!(reader.spot().board().to_string(), "Qd9d6h3c");
    // The note is the spot file of the same problem.
    assert_eq!(header.note.parse::<Problem>().unwrap().spot.to_bytes(), reader.spot().to_bytes());
    let root = reader.view(&NodePath::root(), ViewDetail::Equities, &mut ()).unwrap();
    for (found, expected) in root.frequencies().iter().zip(GOLDEN_ROOT) {
        assert!((found - expected).abs() < 5e-5, "{found} {expected}");
    }
    for (player, expected) in root.players.iter().zip(GOLDEN_EVS) {
        assert!((player.ev().unwrap() - expected).abs() < 1e-3, "{:?} {expected}", player.ev());
    }
    let river = reader.view(&"check check | Ah |".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
    assert_eq!(river.board.to_string(), "Qd9d6h3cAh");
    let copy = folder("golden").join("copy.eqp");
    fs::copy(&golden, &copy).unwrap();
    assert_eq!(json(&["resume", text(&copy), "--max-iterations", "80", "--target", "0"])["iterations"], 80);
}

/// Files of format 1 are refused with what to do about it.
#[test]
fn files_of_an_older_format_are_refused() {
    let old = golden("turn-1.0.eqp");
    for command in ["show", "resume", "tree"] {
        let run = run(&[command, text(&old)]);
        assert_eq!(run.code, Some(2), "{command}: {}", run.stderr);
        assert!(run.stderr.contains("version 1 of the format"), "{command}: {}", run.stderr);
        assert!(run.stderr.contains("solve the spot again"), "{command}: {}", run.stderr);
    }
}

/// A file that a program has saved without the text of a spot file is one like any other.
#[test]
fn a_file_without_a_spot_file_stands_alone() {
    let folder = folder("alone");
    let path = folder.join("alone.eqp");
    let problem: Problem =
        TURN.replace("starting_pot = 200", "starting_pot = 200\nrake_rate = 0.05").parse().unwrap();
    let options = Options { target_pct: 1.0, storage: "16-bit".parse().unwrap(), ..Options::default() };
    let mut solver = Solver::new(problem.spot.clone(), &options).unwrap();
    solver.run(&mut ());
    let save = SaveOptions { contents: Contents::Resumable, target_pct: 1.0, ..SaveOptions::default() };
    solver.into_solution().save(&path, &save).unwrap();

    let shown = json(&["show", text(&path)]);
    assert_eq!(shown["solution"]["board"], "Td9d6hQc");
    assert_eq!(run(&["tree", text(&path)]).code, Some(0));
    assert_eq!(run(&["runouts", text(&path), "--node", "check check"]).code, Some(0));
    let parquet = folder.join("alone.parquet");
    assert_eq!(run(&["export", text(&path), "--until", "turn", "-o", text(&parquet)]).code, Some(0));
    let warm =
        json(&["solve", "--from", text(&path), "--target", "0.5", "-o", text(&folder.join("warm.eqp"))]);
    assert!(warm["from"]["warm_start"]["known"].as_u64().unwrap() > 0, "{warm}");
    // What was solved from it has a text, and that text makes the same problem.
    let (warm, header) = Reader::open(&folder.join("warm.eqp")).unwrap();
    assert_eq!(warm.spot().to_bytes(), problem.spot.to_bytes());
    assert_eq!(header.note.parse::<Problem>().unwrap().spot.to_bytes(), problem.spot.to_bytes());
    let resumed = json(&["resume", text(&path), "--target", "0.2"]);
    assert_eq!(resumed["converged"], true);
    let (_, header) = Reader::open(&path).unwrap();
    assert_eq!((header.storage.as_str(), header.spot_hash), ("16-bit", problem.spot.content_hash()));
}

/// A spot with more bets begins with the regrets of one with fewer, if they were kept.
#[test]
fn a_solve_begins_with_an_old_solution() {
    let folder = folder("warm");
    let (spot, old) = (file("warm.toml", TURN), folder.join("old.eqp"));
    json(&["solve", &spot, "-o", text(&old), "--save", "resumable"]);
    let more = TURN.replace("oop_bet = \"60%\"", "oop_bet = \"33%, 60%\"");
    assert_ne!(more, TURN);
    let more = file("warm-more.toml", &more);
    let warm = json(&["solve", &more, "--from", text(&old)]);
    let start = &warm["from"]["warm_start"];
    assert!(start["known"].as_u64().unwrap() > 0 && start["known"].as_u64() <= start["decisions"].as_u64());
    assert_eq!(warm["converged"], true);
    let report = run(&["solve", &more, "--from", text(&old)]);
    assert!(report.stdout.contains("begun with its regrets at"), "{}", report.stdout);

    json(&["solve", &spot, "-o", text(&old)]);
    let anew = run(&["solve", &more, "--from", text(&old), "--json"]);
    assert!(anew.stderr.contains("has no regrets to start from"), "{}", anew.stderr);
    assert!(anew.stdout.contains("\"warm_start\": null"), "{}", anew.stdout);
    let elsewhere = file("warm-elsewhere.toml", &TURN.replace("Qc", "Qs"));
    let refused = run(&["solve", &elsewhere, "--from", text(&old)]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("only one of the same board helps"), "{}", refused.stderr);
}

/// A player who checks and folds gives the pot away, and the other side takes it.
#[test]
fn locks_say_what_the_other_side_gains() {
    let folder = folder("locks");
    let (spot, old, new) = (file("locks.toml", TURN), folder.join("old.eqp"), folder.join("new.eqp"));
    let before = json(&["solve", &spot, "--target", "0.1", "-o", text(&old), "--save", "resumable"]);
    let (checks, folds) = ("=> all = check @ 1", "check bet:120 => all = fold @ 1");
    let from = ["solve", "--from", text(&old), "--target", "0.1", "-o", text(&new)];
    let after = json(&[&from[..], &["--lock", checks, "--lock", folds]].concat());
    let number = |value: &Value| value.as_f64().unwrap();
    for player in ["oop", "ip"] {
        let from = &after["from"][player];
        assert!((number(&from["ev"]) - number(&before["players"][player]["ev"])).abs() < 1e-9);
        let gain = number(&after["players"][player]["ev"]) - number(&from["ev"]);
        assert!((number(&from["gain"]) - gain).abs() < 1e-9);
    }
    assert!((number(&after["players"]["ip"]["ev"]) - 200.0).abs() < 0.5, "{}", after["from"]);
    assert!(number(&after["from"]["ip"]["gain"]) > 100.0, "{}", after["from"]);
    let (reader, _) = Reader::open(&new).unwrap();
    assert_eq!(reader.spot().locks().len(), 2);
    let view = reader.view(&"check bet:120".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
    assert!(view.actor().combos.iter().all(|combo| combo.frequencies[0] == 1.0));
    let refused = run(&["solve", &spot, "--lock", "check => all = bet:7 @ 1"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("not possible"), "{}", refused.stderr);
    assert_eq!(run(&["solve", &spot, "--lock", "nonsense"]).code, Some(2));
}
