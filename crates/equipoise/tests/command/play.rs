//! `equipoise match`, `lbr`, `bot` and `translate`.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bot_apis::plays_through_apis;
use crate::common::{Run, binary, json, run, run_command};

/// All-in or check after the flop, few buckets, 8 big blinds: small enough for a test.
const GAME: &str = r#"
stack = 800
seed = 3
batch = 4
[betting]
preset = "A"
[betting.flop]
bet = "75%, a"
[betting.turn]
bet = "a"
[betting.river]
bet = "a"
[buckets]
flop = { method = "percentile", buckets = 10 }
turn = { method = "percentile", buckets = 10 }
river = { method = "percentile", buckets = 10 }
samples_per_street = 500
"#;

fn folder(name: &str) -> PathBuf {
    crate::common::empty_folder(name)
}

pub(crate) fn command(folder: &Path, args: &str) -> Command {
    let mut command = binary();
    command.current_dir(folder).env("EQUIPOISE_CACHE", folder.join("cache")).args(args.split_whitespace());
    command
}

pub(crate) fn ran(folder: &Path, args: &str) -> Value {
    let run = run_command(command(folder, args).arg("--json"));
    assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn refused(args: &[&str], words: &str) {
    let run = run(args);
    assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
    assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
}

#[test]
fn bets_are_translated() {
    for (sizes, bet, lower) in
        [("0.5,1", "0.75", 3.0 / 7.0), ("0.5,1", "0.73", 0.468_208), ("0,0.5", "0.25", 0.4)]
    {
        let document = json(&["translate", "--sizes", sizes, "--bet", bet]);
        assert!((document["lower"].as_f64().unwrap() - lower).abs() < 5e-7, "{document}");
    }
    refused(&["translate", "--sizes", "1,0.5", "--bet", "0.75"], "the first size must be the smaller one");
    refused(&["translate", "--sizes", "0.5,1", "--bet", "2"], "not between 0.5 and 1");
    refused(&["translate", "--sizes", "0.5", "--bet", "x"], "is not two sizes");
}

#[test]
fn local_best_response_of_chumps() {
    let document = json(&["lbr", "fold", "--hands", "64"]);
    assert_eq!(document["mbb_per_hand"]["mean"], 750.0);
    assert_eq!(document["mbb_per_hand"]["ci95"], serde_json::json!([750.0, 750.0]));
    let document = json(&["lbr", "call", "--streets", "4", "--hands", "200", "--seed", "2"]);
    let won = document["mbb_per_hand"]["mean"].as_f64().unwrap();
    assert!((30_000.0..70_000.0).contains(&won), "{document}");
    refused(&["lbr", "call", "--streets", "3-5"], "are no streets");
    refused(&["lbr", "acpc:127.0.0.1:0"], "needs to know the strategy");
    refused(&["lbr", "nothing.eqb"], "nothing.eqb");
}

#[test]
fn matches_are_the_same_at_any_number_of_threads_and_logged() {
    let folder = folder("match");
    let first = ran(&folder, "match random call --hands 300 --seed 5 --threads 1 --log a.log");
    let second = ran(&folder, "match random call --hands 300 --seed 5 --threads 3 --log b.log");
    assert_eq!(first, second);
    assert_eq!((&first["hands"], &first["stack_bb"]), (&Value::from(300), &Value::from(200.0)));
    let log = fs::read_to_string(folder.join("a.log")).unwrap();
    assert_eq!(log, fs::read_to_string(folder.join("b.log")).unwrap());
    // Every hand is legal, and what it says was won is what its cards give.
    let hands = ran(&folder, "history a.log");
    assert_eq!(hands["hands"].as_array().unwrap().len(), 300);
    let score: f64 =
        log.lines().last().unwrap().trim_start_matches("SCORE:").split('|').next().unwrap().parse().unwrap();
    let mean = first["mbb_per_hand"]["raw"]["mean"].as_f64().unwrap();
    assert!((mean - score / 100.0 / 300.0 * 1_000.0).abs() < 1e-6, "{mean} {score}");
    let again = run_command(&mut command(&folder, "match random call --log a.log"));
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("a.log exists") && again.stderr.contains("--force"), "{}", again.stderr);
    refused(&["match", "call", "x.eqb,speed=3"], "'speed=3' is no option");
    refused(&["match", "call", "acpc:nowhere"], "write acpc:HOST:PORT");
    refused(&["match", "call", "fold", "--stack", "0"], "is no stack");
}

/// A command that waits for a program, and the address at which it does.
fn dealer(folder: &Path, args: &str) -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut child = command(folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    let address = loop {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the dealer ended");
        if let Some((_, address)) = line.trim().split_once("waiting for a program at ") {
            break address.to_owned();
        }
    };
    (child, stderr, address)
}

fn ended(child: Child, mut stderr: BufReader<std::process::ChildStderr>) -> Run {
    let output = child.wait_with_output().unwrap();
    let mut text = String::new();
    stderr.read_to_string(&mut text).unwrap();
    Run { code: output.status.code(), stdout: String::from_utf8(output.stdout).unwrap(), stderr: text }
}

/// Answers every state that asks for an action with what `answer` says; `None` hangs up.
fn client(address: &str, answer: &mut dyn FnMut(&str) -> Option<String>) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(b"VERSION:2.0.0\r\n").unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|count| count > 0) {
        assert!(line.ends_with("\r\n") && line.starts_with("MATCHSTATE:"), "{line}");
        let state = line.trim_end().to_owned();
        line.clear();
        match answer(&state) {
            Some(text) if text.is_empty() => {}
            Some(text) => {
                if stream.write_all(text.as_bytes()).is_err() {
                    return;
                }
            }
            None => return,
        }
    }
}

/// Whether the player whose state this is acts: the button first before the flop, the big blind first on later streets.
fn acts(state: &str) -> bool {
    let fields: Vec<&str> = state.split(':').collect();
    let position: usize = fields[1].parse().unwrap();
    let round = fields[3].rsplit('/').next().unwrap();
    let rounds = fields[3].split('/').count();
    let actions = round.chars().filter(char::is_ascii_alphabetic).count();
    let is_closed = actions > 1 && round.ends_with('c') || round.ends_with('f');
    let next = if rounds == 1 { 1 - actions % 2 } else { actions % 2 };
    !is_closed && next == position
}

#[test]
fn any_program_can_play_and_is_told_what_it_does_wrong() {
    let folder = folder("acpc");
    // A caller behind the protocol is a caller: check-down against a caller.
    let (child, stderr, address) = dealer(&folder, "match call acpc:127.0.0.1:0 --hands 20 --seed 4 --json");
    let mut finals = 0;
    client(&address, &mut |state| {
        finals +=
            usize::from(state.split(':').nth(3).unwrap().ends_with("cc") && state.matches('/').count() == 6);
        Some(if acts(state) { format!("{state}:c\r\n") } else { String::new() })
    });
    let played = ended(child, stderr);
    assert_eq!(played.code, Some(0), "{}", played.stderr);
    let document: Value = serde_json::from_str(&played.stdout).unwrap();
    assert_eq!((&document["hands"], finals), (&Value::from(20), 20));
    let local = ran(&folder, "match call call --hands 20 --seed 4");
    assert_eq!(document["mbb_per_hand"]["raw"], local["mbb_per_hand"]["raw"]);

    for (number, (answer, words)) in [
        (Some("hello\r\n"), "sent 'hello'"),
        (Some("STATE:r150\r\n"), "an answer is MATCHSTATE:"),
        (None, "closed the connection"),
        (Some(""), "did not answer within 1 s"),
    ]
    .into_iter()
    .enumerate()
    {
        let args = format!("match call acpc:127.0.0.1:0 --hands 20 --limit 1 --log {number}.log --json");
        let (child, stderr, address) = dealer(&folder, &args);
        let mut count = 0;
        client(&address, &mut |state| {
            if !acts(state) {
                return Some(String::new());
            }
            count += 1;
            if count > 12 { answer.map(str::to_owned) } else { Some(format!("{state}:c\r\n")) }
        });
        let played = ended(child, stderr);
        assert_eq!(played.code, Some(1), "{words}: {}", played.stderr);
        assert!(played.stderr.contains(words), "{words}: {}", played.stderr);
        let document: Value = serde_json::from_str(&played.stdout).unwrap();
        assert!(document["failed"].as_str().unwrap().contains(words), "{document}");
        // Three hands of four decisions each were played; two of them are a pair.
        assert_eq!(document["hands"], 2, "{document}");
        let log = fs::read_to_string(folder.join(format!("{number}.log"))).unwrap();
        assert_eq!(log.lines().filter(|line| line.starts_with("STATE:")).count(), 3, "{log}");
        assert!(log.ends_with('\n') && log.contains("\nSCORE:"), "{log}");
    }
}

/// A hand of 50 big blinds.
const DEEP: &str = r#"
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [5000, 5000]
players = ["you", "other"]
actions = ["d dh p1 AhKd", "d dh p2 ????", "p2 cc", "p1 cbr 300", "p2 f"]
"#;

/// The saved hands are reviewed as they were while they were played.
fn reviews(folder: &Path, shown: &str) {
    let document = ran(folder, "review own.phhs x.eqb --iterations 60 --threads 1");
    assert_eq!(document, ran(folder, "review own.phhs x.eqb --iterations 60 --threads 2"));
    assert_eq!((&document["hands"], &document["skipped"]), (&Value::from(3), &serde_json::json!([])));
    let decisions = document["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), shown.matches("coach (").count(), "{document}");
    let sum = |rows: &Value, key: &str| -> f64 {
        rows.as_array().unwrap().iter().map(|row| row[key].as_f64().unwrap()).sum()
    };
    let total = document["ev_loss_bb"].as_f64().unwrap();
    for rows in ["decisions", "by_street", "by_situation"] {
        assert!((sum(&document[rows], "ev_loss_bb") - total).abs() < 1e-9, "{rows}: {document}");
    }
    for decision in decisions {
        let frequencies = sum(&decision["actions"], "frequency");
        assert!((frequencies - 1.0).abs() < 1e-4, "{decision}");
        assert!(decision["ev_loss_bb"].as_f64().unwrap() >= 0.0, "{decision}");
        let is_late = matches!(decision["street"].as_str().unwrap(), "turn" | "river");
        assert_eq!(decision["source"] == "resolved", is_late, "{decision}");
    }
    let text = run_command(&mut command(folder, "review own.phhs x.eqb --search none"));
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(text.stdout.contains("bb/100") && text.stdout.contains("preflop"), "{}", text.stdout);
    fs::write(folder.join("deep.phh"), DEEP).unwrap();
    for (args, words) in [
        ("review nothing.phhs x.eqb", "cannot read nothing.phhs"),
        ("review x.eqb x.eqb", "x.eqb"),
        ("review own.phhs own.phhs", "own.phhs"),
        ("review own.phhs x.eqb --hero Bob", "nobody is called 'Bob'"),
        ("review deep.phh x.eqb", "does not know how to play 50 bb"),
        ("review r.log x.eqb", "whose decisions"),
    ] {
        let run = run_command(&mut command(folder, args));
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{args}: {}", run.stderr);
    }
    let other = ran(folder, "review deep.phh x.eqb --other-stack --boards 4");
    assert_eq!(other["decisions"][0]["situation"], "preflop, after a limp", "{other}");
    assert_eq!(other["other_stack_bb"], serde_json::json!([50.0]), "{other}");
}

/// Turns and rivers are re-solved: the same at any number of threads, and within the time.
fn searches(folder: &Path) {
    let args = "match x.eqb,search=turn,iterations=40 x.eqb --hands 60 --seed 3";
    let first = ran(folder, &format!("{args} --threads 1 --log s1.log"));
    assert_eq!(first, ran(folder, &format!("{args} --threads 2 --log s2.log")));
    assert_eq!(first["players"][0], "x.eqb,search=turn,iterations=40");
    let logs = ["s1.log", "s2.log"].map(|log| fs::read_to_string(folder.join(log)).unwrap());
    assert_eq!(logs[0], logs[1]);
    assert_eq!(ran(folder, "history s1.log --stack 800")["hands"].as_array().unwrap().len(), 60);
    // Bets that the blueprint lacks are put into the tree; without time the blueprint plays.
    let lacked = "which the blueprint played";
    for (search, hands, words) in [
        ("search=river,iterations=20,mode=maxmargin", 40, "ms a decision"),
        ("search=turn,seconds=0.2", 12, "ms a decision"),
        ("search=turn,seconds=0.0001", 40, lacked),
    ] {
        let args = format!("match x.eqb,{search} random --hands {hands} --seed 3");
        let run = run_command(&mut command(folder, &args));
        assert_eq!(run.code, Some(0), "{search}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{search}: {}", run.stderr);
        assert!(!search.contains("iterations") || !run.stderr.contains(lacked), "{search}: {}", run.stderr);
    }
    refused(&["match", "call", "x.eqb,search=preflop"], "there are none, river, turn and flop");
    refused(&["lbr", "x.eqb,search=turn"], "by their own strategy");
}

/// A person plays three hands: mistakes are answered, the rest is checked and called; then the hands are read back.
fn sits_down(folder: &Path) {
    let mut child = command(folder, "play x.eqb --coach --seed 6 --hands 3 --iterations 60 -o own.phhs");
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let typed = format!("nonsense\n999\n{}", "c\n".repeat(40));
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (shown, said) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "hand 1: you are on the button",
        "hand 2: you are in the big blind",
        "type f, c, a, q",
        "big blinds are legal here",
        "coach (preflop): ",
        "gave away",
        "the decisions that cost most",
        "3 hands: you win ",
        "bb/100",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(said.contains("saved to own.phhs"), "{said}");
    let hands = ran(folder, "history own.phhs");
    assert_eq!(hands["hands"].as_array().unwrap().len(), 3);
    reviews(folder, &shown);
    // Who leaves in the middle of a hand keeps the others.
    let mut child = command(folder, "play x.eqb --seed 6 --iterations 60");
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"q\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("0 hands: you win"));
    #[cfg(unix)]
    is_interrupted_at_the_table(folder);
    // With --json the table goes to standard error, and the document has what the page would show.
    let mut child = command(folder, "play x.eqb --seed 6 --hands 3 --iterations 60 --json");
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    child.stdin.take().unwrap().write_all("c\n".repeat(40).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reviewed = ran(folder, "review own.phhs x.eqb --iterations 60 --threads 1");
    assert_eq!(document["decisions"], reviewed["decisions"], "played, and read back from the file");
    assert_eq!(
        (&document["score"]["hands"], document["hands"].as_array().map(Vec::len)),
        (&Value::from(3), Some(3))
    );
    assert!(String::from_utf8(output.stderr).unwrap().contains("hand 1: you are on the button"));
    let deep = run_command(&mut command(folder, "play x.eqb --stack 50"));
    assert_eq!(deep.code, Some(2), "{}", deep.stderr);
    assert!(deep.stderr.contains("a blueprint of 8 bb does not know how to play 50 bb"), "{}", deep.stderr);
}

/// Ctrl-C at a prompt leaves the table: the hands before are saved and counted.
#[cfg(unix)]
fn is_interrupted_at_the_table(folder: &Path) {
    let mut child = command(folder, "play x.eqb --seed 6 --iterations 60 -o stopped.phhs");
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap());
    // A fold on the button ends the first hand.
    typed.write_all(b"f\n").unwrap();
    let mut line = String::new();
    while !line.contains("hand 2:") {
        line.clear();
        assert!(shown.read_line(&mut line).unwrap() > 0, "the table is there");
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGINT)
        .unwrap();
    let mut rest = String::new();
    shown.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("1 hand: you win"), "{rest}");
    assert_eq!(ran(folder, "history stopped.phhs")["hands"].as_array().map(Vec::len), Some(1));
    drop(typed);
}

/// One test, since its buckets take seconds.
#[test]
fn a_blueprint_plays() {
    let folder = folder("play");
    fs::write(folder.join("game.toml"), GAME).unwrap();
    ran(&folder, "blueprint train game.toml -o x.eqb --boards 400");
    let first = ran(&folder, "match x.eqb call --hands 400 --seed 1 --threads 1");
    assert_eq!(first, ran(&folder, "match x.eqb,search=none call --hands 400 --seed 1 --threads 2"));
    assert_eq!(first["stack_bb"], 8.0);
    let width = |document: &Value, kind: &str| {
        let ends = &document["mbb_per_hand"][kind]["ci95"];
        ends[1].as_f64().unwrap() - ends[0].as_f64().unwrap()
    };
    let own = ran(&folder, "match x.eqb x.eqb --hands 600 --seed 2");
    assert!(width(&own, "aivat") < width(&own, "raw") / 2.0, "{own}");
    let ends = &own["mbb_per_hand"]["aivat"]["ci95"];
    assert!(ends[0].as_f64().unwrap() < 60.0 && ends[1].as_f64().unwrap() > -60.0, "{own}");
    // A player with sizes that the blueprint does not have.
    ran(&folder, "match x.eqb random --hands 200 --seed 3 --log r.log");
    assert_eq!(ran(&folder, "history r.log --stack 800")["hands"].as_array().unwrap().len(), 200);
    let bound = ran(&folder, "lbr x.eqb --hands 64 --seed 1 --threads 1");
    assert_eq!(bound, ran(&folder, "lbr x.eqb --hands 64 --seed 1 --threads 2"));

    sits_down(&folder);
    searches(&folder);
    plays_through_apis(&folder);

    let other = run_command(&mut command(&folder, "match x.eqb call --stack 50"));
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("a blueprint of 8 bb does not know how to play 50 bb"), "{}", other.stderr);
    let allowed = ran(&folder, "match x.eqb call --stack 50 --other-stack --hands 20");
    assert_eq!(allowed["other_stack_bb"], serde_json::json!([8.0]));

    // Two processes and the protocol between them.
    let (child, stderr, address) =
        dealer(&folder, "match call acpc:127.0.0.1:0 --stack 8 --hands 100 --seed 9 --json");
    let bot = ran(&folder, &format!("bot x.eqb --iterations 20 --acpc {address}"));
    let played = ended(child, stderr);
    assert_eq!(played.code, Some(0), "{}", played.stderr);
    assert_eq!(bot["hands"], 100, "{bot}");
    assert!(bot["decisions"].as_u64().unwrap() >= 100);
    let nobody = run_command(&mut command(&folder, &format!("bot x.eqb --acpc {address}")));
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.stderr.contains("cannot connect to"), "{}", nobody.stderr);
}
