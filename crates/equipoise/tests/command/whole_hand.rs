//! `equipoise rules`, `icm`, `pushfold` and `history`.

use std::fs;
use std::io::{Read as _, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{Run, binary, json, run, text};

/// A run that reads a text from standard input.
fn fed(args: &[&str], input: &[u8]) -> Run {
    let mut command = binary();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn converted(args: &[&str], input: &str) -> String {
    let run = fed(args, input.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    run.stdout
}

fn near(value: &Value, want: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - want).abs() <= tolerance, "{value} {want}");
}

#[test]
fn rules_are_counted_to_the_last_digit() {
    let document = json(&["rules", "count", "--blinds", "1,2", "--stack", "400"]);
    assert_eq!(document["sequences"]["preflop"], "22356932810381617952");
    assert_eq!(document["sequences"]["river"], "24721582900925290560417101717755997728");
    assert_eq!(document["states"], "1375203442350500983963565602824903351778252845259200");
    assert_eq!(document["infosets"], "1389094358906842392181537788403345780331801813952");
    let run = run(&["rules", "count", "--blinds", "2,1", "--stack", "400"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the small blind of 2 is larger than the big blind of 1"), "{}", run.stderr);
}

#[test]
fn bet_sizes_of_a_whole_hand() {
    let document = json(&["rules", "tree", "--preset", "a", "--stack", "2000"]);
    let decisions: Vec<&Value> =
        document["streets"].as_array().unwrap().iter().map(|street| &street["decisions"]).collect();
    assert_eq!(decisions, [12, 40, 104, 216]);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/betting/a.toml");
    let of_file = json(&["rules", "tree", example.to_str().unwrap(), "--stack", "2000"]);
    assert_eq!(of_file, document);
    let wrong = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong-betting.toml");
    fs::write(&wrong, "preset = 'A'\n[flop]\nbets = '50%'\n").unwrap();
    let run = run(&["rules", "tree", wrong.to_str().unwrap(), "--stack", "2000"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("wrong-betting.toml: line 3: unknown field `bets`"), "{}", run.stderr);
}

#[test]
fn icm_of_known_stacks() {
    let document = json(&["icm", "5000", "3000", "2000", "--payouts", "50,30,20"]);
    for (found, want) in
        document["equities"].as_array().unwrap().iter().zip([1075.0 / 28.0, 131.0 / 4.0, 202.0 / 7.0])
    {
        near(found, want, 1e-9);
    }
    assert_eq!(document["bubble_factors"][0][0], Value::Null);
    assert_eq!(json(&["icm", "5000,3000,2000", "--payouts", "50,30,20"]), document);
    for args in [["icm", "1e308", "1e308", "--payouts", "50"], ["icm", "5", "3", "--payouts", "1e300"]] {
        let run = run(&args);
        assert!(run.code == Some(2) && run.stderr.contains("is too much"), "{}", run.stderr);
    }
    for (args, words) in [
        (vec!["icm", "5000", "--payouts", "50"], "1 players"),
        (vec!["icm", "5000", "1", "--payouts", "20,50"], "larger than the one before it"),
        (vec!["icm", "5000", "-1", "--payouts", "50"], "the stack -1"),
        (vec!["icm", "5", "3", "--payouts", "0,0"], "name at least one above 0"),
    ] {
        let run = run(&args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(words) && run.stderr.contains("help:"), "{}", run.stderr);
    }
}

#[test]
fn jam_or_fold_has_what_scripts_rely_on() {
    let document = json(&["pushfold", "--stack", "10"]);
    near(&document["stack_bb"], 10.0, 0.0);
    near(&document["sb"]["jam"], 0.58293, 3e-3);
    near(&document["bb"]["call"], 0.37375, 3e-3);
    near(&document["sb"]["ev_bb"], -0.045371, 2e-6);
    near(&document["bb"]["ev_bb"], 0.045371, 2e-6);
    near(&document["sb"]["ev_fold_bb"], -0.5, 0.0);
    near(&document["bb"]["ev_fold_bb"], -1.0, 0.0);
    assert!(document["exploitability_bb"].as_f64().unwrap() < 1e-6);
    assert_eq!(document["classes"].as_object().unwrap().len(), 169);
    near(&document["classes"]["AA"]["jam"], 1.0, 1e-3);
    assert!(document["classes"]["AKs"]["ev_call_bb"].as_f64().unwrap() > 2.0);
    let ante = json(&["pushfold", "--stack", "10,12", "--ante", "0.1"]);
    near(&ante["stack_bb"], 10.0, 0.0);
    assert!(ante["sb"]["jam"].as_f64() > document["sb"]["jam"].as_f64());
}

#[test]
fn jam_or_fold_for_prizes() {
    let seats = ["pushfold", "--seats", "3000,3000", "--blinds", "50,100"];
    let chips = json(&seats);
    // Heads-up prizes are linear in chips: the same game.
    let heads_up = json(&[&seats[..], &["--payouts", "60,40"]].concat());
    near(&heads_up["sb"]["jam"], chips["sb"]["jam"].as_f64().unwrap(), 3e-3);
    let bubble = json(&[&seats[..], &["--payouts", "50,50", "--others", "500"]].concat());
    assert!(bubble["epsilon"].as_f64().unwrap() < 1e-5);
    assert!(bubble["bb"]["call"].as_f64().unwrap() < 0.5 * chips["bb"]["call"].as_f64().unwrap(), "{bubble}");
    for (args, words) in [
        (
            vec!["pushfold", "--seats", "9,9,9,9,9,9,9,9,9,9", "--blinds", "1,2"],
            "10 players: jam or fold takes 2 to 9",
        ),
        (vec!["pushfold", "--seats", "9,1,9", "--blinds", "1,2"], "the SB's stack of 1"),
        (vec!["pushfold", "--seats", "9,9,9", "--blinds", "1,2", "--table", "no-such-file"], "--make-table"),
        (vec!["pushfold", "--stack", "9,9,9", "--players", "4"], "--players repeats one stack"),
        (vec!["pushfold", "--seats", "9", "--blinds", "1,2"], "1 players"),
        (vec!["pushfold", "--stack", "0.3"], "nothing to decide"),
        (vec!["pushfold", "--depths", "9-3"], "make no chart"),
        (vec!["pushfold", "--depths", "1-9", "--players", "3"], "cannot be used with"),
        (vec!["pushfold", "--stack", "9", "--blinds", "0,0"], "the big blind of 0 must be above 0"),
        (vec!["pushfold", "--stack", "9", "--json", "--csv", "-"], "both write to standard output"),
        (vec!["pushfold"], "--stack"),
    ] {
        let run = run(&args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn jam_or_fold_at_a_table() {
    let args = [
        "pushfold",
        "--seats",
        "3000,2500,1800",
        "--blinds",
        "50,100",
        "--ante",
        "10",
        "--payouts",
        "50,30,20",
    ];
    let quick = ["--boards", "300", "--iterations", "100", "--deals", "50000"];
    let document = json(&[&args[..], &quick].concat());
    let names: Vec<&Value> = document["seats"].as_array().unwrap().iter().map(|seat| &seat["name"]).collect();
    assert_eq!(names, ["BTN", "SB", "BB"]);
    // All prizes are paid, but for the few boards: who folds sees two others rank by sampled orders, they by exact ones.
    let sum: f64 =
        document["seats"].as_array().unwrap().iter().map(|seat| seat["ev"].as_f64().unwrap()).sum();
    assert!((sum - 100.0).abs() < 2e-2, "{sum}");
    assert!(document["epsilon"].as_f64().unwrap() < 1e-2, "{}", document["epsilon"]);
    for seat in document["seats"].as_array().unwrap() {
        let [ev, played, error] =
            ["ev", "played_ev", "played_std_error"].map(|key| seat[key].as_f64().unwrap());
        assert!((ev - played).abs() < 4.5 * error + 0.02, "{seat}");
        assert!(seat["gain"].as_f64().unwrap() >= 0.0);
    }
    let decisions = document["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 6);
    assert_eq!(decisions[5]["after"], json!(["BTN", "SB"]));
    assert_eq!(decisions[0]["classes"]["AA"]["play"], 1.0);
    assert!(document["three_way"]["std_error"].as_f64().unwrap() > 1e-3);
    // The same at any number of threads.
    let mut alone = binary();
    alone.args(args).args(quick).arg("--json").env("RAYON_NUM_THREADS", "1");
    let alone: Value = serde_json::from_slice(&alone.output().unwrap().stdout).unwrap();
    assert_eq!(alone, document);
    // Big blinds, as text and CSV.
    let chips = ["pushfold", "--stack", "10", "--players", "3"];
    assert!(text(&[&chips[..], &quick].concat()).contains("BB overcalls BTN and SB"));
    let csv = text(&[&chips[..], &quick, &["--csv", "-"]].concat());
    assert_eq!(csv.lines().count(), 1 + 6 * 169);
    assert!(csv.starts_with("player,after,class,combos,play,ev_play_bb,ev_fold_bb"));
}

#[test]
fn charts_of_stacks() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pushfold");
    fs::create_dir_all(&folder).unwrap();
    let (svg, csv) = (folder.join("chart.svg"), folder.join("chart.csv"));
    let args = ["pushfold", "--depths", "1-12", "--plot", svg.to_str().unwrap()];
    let document = json(&[&args[..], &["--csv", csv.to_str().unwrap()]].concat());
    assert_eq!(document["depths"].as_array().unwrap().len(), 12);
    assert_eq!(document["classes"]["AA"]["jam"], json!({ "deepest_bb": 12.0, "monotone": true }));
    assert_eq!(document["classes"]["63s"]["jam"], json!({ "deepest_bb": 7.0, "monotone": false }));
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains(">7*<") && drawn.contains("<title>63s: 7*</title>"));
    assert!(fs::read_to_string(&csv).unwrap().lines().any(|line| line == "63s,7,false,3,true"));
    let to_standard = text(&["pushfold", "--stack", "10", "--csv", "-"]);
    assert_eq!(to_standard.lines().count(), 170);
    assert!(
        to_standard.starts_with("class,combos,jam,call,ev_jam_bb,ev_call_bb\nAA,6,1,"),
        "{}",
        &to_standard[..99]
    );
}

const STATE: &str = "STATE:1662:r250c/cr583c/cc/r1500f:6d5h|AhQc/Kc4s3h/Ks/Th:583|-583:bot|me\n";

#[test]
fn a_hand_in_every_format() {
    assert_eq!(converted(&["history", "-", "--to", "slumbot"], STATE), "b250c/kb333c/kk/b917f\n");
    assert_eq!(converted(&["history", "-", "--to", "acpc"], STATE), STATE);
    let phh = converted(&["history", "-", "--to", "phh"], STATE);
    let actions = "\"p2 cbr 250\", \"p1 cc\", \"d db Kc4s3h\", \"p1 cc\", \"p2 cbr 333\", \"p1 cc\", \"d db Ks\", \"p1 cc\", \"p2 cc\", \"d db Th\", \"p1 cbr 917\", \"p2 f\"";
    assert!(phh.contains(actions), "{phh}");
    assert_eq!(converted(&["history", "-", "--to", "acpc"], &phh), STATE);
    let two = converted(&["history", "-", "--to", "phh"], &STATE.repeat(2));
    assert!(two.starts_with("[1]\nvariant") && two.contains("\n[2]\n"), "{two}");
    assert_eq!(converted(&["history", "-", "--to", "acpc"], &two), STATE.repeat(2));
}

#[test]
fn hands_as_json() {
    let document: Value =
        serde_json::from_str(&converted(&["history", "-", "--json"], &STATE.repeat(2))).unwrap();
    assert_eq!(document["schema_version"], 1);
    let hands = document["hands"].as_array().unwrap();
    assert_eq!(hands.len(), 2);
    let hand = &hands[0];
    assert_eq!(hand["players"], json!(["bot", "me"]));
    assert_eq!((&hand["blinds"], &hand["stacks"]), (&json!([50, 100]), &json!([20_000, 20_000])));
    assert_eq!(hand["winnings"], json!([583, -583]));
    assert_eq!(hand["streets"][1]["board"], "Kc4s3h");
    assert_eq!(
        hand["streets"][1]["actions"][1],
        json!({ "player": 1, "action": "bet", "to": 333, "all_in": false })
    );
}

#[test]
fn a_spot_of_a_hand_is_solved() {
    let spot = converted(
        &["history", "-", "--spot", "--street", "river", "--oop", "65s,AA", "--ip", "AQo,88"],
        STATE,
    );
    assert!(spot.contains("starting_pot = 1166") && spot.contains("effective_stack = 19417"), "{spot}");
    assert!(spot.contains("big_blind = 100"), "{spot}");
    let solved = fed(&["solve", "-", "--json"], spot.as_bytes());
    assert_eq!(solved.code, Some(0), "{}", solved.stderr);
    let document: Value = serde_json::from_str(&solved.stdout).unwrap();
    assert_eq!(document["converged"], true);
    let none = fed(&["history", "-", "--spot"], b"STATE:15:f:3c4c|Th7s:50|-50:Bob|Alice\n");
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("no street after the flop begins with two players left"), "{}", none.stderr);
}

#[test]
fn bad_hands_say_where() {
    let text = format!("{STATE}STATE:2:r120f:3c4c|Th7s:50|-50:A|B\n{STATE}");
    let bad = fed(&["history", "-", "--json"], text.as_bytes());
    assert_eq!(bad.code, Some(2));
    assert!(
        bad.stderr.contains(
            "hand 2, line 2: p2 bets or raises to 120; legal: fold, call 50, raise to 200 up to 20000"
        ),
        "{}",
        bad.stderr
    );
    let document: Value = serde_json::from_str(&bad.stdout).unwrap();
    assert_eq!(document["hands"].as_array().unwrap().len(), 1, "what was read before is one document");
    let rest = fed(&["history", "-", "--json", "--keep-going"], text.as_bytes());
    assert_eq!(rest.code, Some(0), "{}", rest.stderr);
    let document: Value = serde_json::from_str(&rest.stdout).unwrap();
    assert_eq!(document["hands"].as_array().unwrap().len(), 2);
    let missing = run(&["history", "no such file"]);
    assert_eq!(missing.code, Some(2));
    assert_eq!(fed(&["history", "-"], b"").code, Some(2));
    let none = fed(&["history", "-", "--hand", "3"], STATE.as_bytes());
    assert!(none.stderr.contains("standard input has no hand 3"), "{}", none.stderr);
}

/// A run of many hands whose output nobody takes for longer than a bar waits; then `interrupt`, or not. Its code, the
/// document, and what the terminal saw on standard error.
#[cfg(unix)]
fn watched(interrupt: bool) -> (Option<i32>, Value, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("many-{interrupt}.log"));
    fs::write(&path, STATE.repeat(20_000)).unwrap();
    let size = nix::pty::Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = nix::pty::openpty(Some(&size), None).unwrap();
    let mut command = binary();
    command.args(["history", path.to_str().unwrap(), "--json"]).env("TERM", "xterm-256color");
    let mut child = command.stdout(Stdio::piped()).stderr(terminal.slave).spawn().unwrap();
    drop(command);
    let mut seen = fs::File::from(terminal.master);
    let screen = std::thread::spawn(move || {
        let (mut all, mut some) = (Vec::new(), [0; 4096]);
        // The end of a terminal whose other side has gone is an error.
        while let Ok(count @ 1..) = seen.read(&mut some) {
            all.extend_from_slice(&some[..count]);
        }
        String::from_utf8_lossy(&all).into_owned()
    });
    std::thread::sleep(std::time::Duration::from_millis(2500));
    if interrupt {
        let id = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    }
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let code = child.wait().unwrap().code();
    (code, serde_json::from_str(&text).unwrap(), screen.join().unwrap())
}

#[cfg(unix)]
#[test]
fn a_bar_shows_how_much_of_a_long_history_is_read() {
    let (code, document, screen) = watched(false);
    assert_eq!((code, document["hands"].as_array().unwrap().len()), (Some(0), 20_000));
    assert!(screen.contains('%') && screen.contains("elapsed"), "{screen:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_history_ends_with_a_whole_hand() {
    let (code, document, screen) = watched(true);
    let hands = document["hands"].as_array().unwrap().len();
    assert!(code == Some(130) && hands > 0 && hands < 20_000, "{code:?} {hands}");
    assert!(screen.contains(&format!("after {hands} hands")), "{screen:?}");
}
