//! Commands that read saved solutions: `show`, `tree`, `runouts`, `compare` and `export`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use equipoise::cards::{HandKinds, KindFilter, Range, Street};
use equipoise::game::Player;
use equipoise::postflop::{Contents, NodePath, NodeView, Reader, ViewDetail};
use serde_json::Value;

use crate::common::{self, binary, json, run, said, text};

/// A river on which everything is locked, so that every number is known.
const LOCKED: &str = r#"
[ranges]
oop = "AA,QJs"
ip = "KK,98s:0.5"

[cards]
flop = "As7d2c"
turn = "Kd"
river = "3h"

[tree]
starting_pot = 100
effective_stack = 1000

[bet_sizes.river]
oop_bet = "50%"
ip_bet = "50%"

[[locks]]
line = ""
hands = { AA = { "bet:50" = 1.0 }, QJs = { check = 0.75, "bet:50" = 0.25 } }

[[locks]]
line = "check"
hands = { KK = { "bet:50" = 1.0 }, 98s = { check = 1.0 } }

[[locks]]
line = "bet:50"
hands = { KK = { call = 1.0 }, 98s = { fold = 1.0 } }

[[locks]]
line = "check bet:50"
strategy = { fold = 1.0 }
"#;

/// A turn of a few combos, with suits that can be exchanged.
const TURN: &str = r#"
[ranges]
oop = "AA,QQ,KQs,JTs,87s"
ip = "KK,AQs,T9s,66,76s:0.5"

[cards]
flop = "Qd9d6h"
turn = "3c"

[tree]
starting_pot = 100
effective_stack = 200

[bet_sizes.turn]
oop_bet = "60%"
ip_bet = "60%"
ip_raise = "a"

[bet_sizes.river]
oop_bet = "75%"
ip_bet = "75%, a"
"#;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn save(name: &str, spot: &str, contents: Contents) -> String {
    common::save(&folder().join(name), spot, 200, contents)
}

fn locked() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| save("locked.eqp", LOCKED, Contents::Full))
}

fn turn() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| save("turn.eqp", TURN, Contents::Full))
}

fn reader(file: &str) -> Reader {
    Reader::open(Path::new(file)).unwrap().0
}

fn view(file: &str, path: &str) -> NodeView {
    reader(file).view(&path.parse::<NodePath>().unwrap(), ViewDetail::Equities, &mut ()).unwrap()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// The same but for the last bit, which reading a document may change.
#[track_caller]
fn same(found: &Value, want: Option<f64>) {
    match (number(found), want) {
        (Some(found), Some(want)) => assert!((found - want).abs() <= 1e-12 * want.abs(), "{found} {want}"),
        (found, want) => assert_eq!(found, want),
    }
}

/// What a line on the terminal says, without the folder that differs from machine to machine.
fn plain(args: &[&str]) -> String {
    text(args).replace(folder().to_str().unwrap(), "FOLDER")
}

#[test]
fn people_read_a_decision() {
    insta::assert_snapshot!("show", plain(&["show", locked()]));
    insta::assert_snapshot!("show-ip", plain(&["show", locked(), "--node", "bet:50", "--player", "oop"]));
    insta::assert_snapshot!("show-combo", plain(&["show", locked(), "--combo", "QsJs"]));
    insta::assert_snapshot!("show-kinds", plain(&["show", locked(), "--node", "check", "--by-kind"]));
    insta::assert_snapshot!("tree", plain(&["tree", locked()]));
    let coloured = text(&["show", locked(), "--color", "always"]);
    assert!(coloured.contains("\x1b[") && coloured.contains("shared out among the actions"));
}

/// Locked numbers can be checked by hand: kings call the bet and lose, 98s fold.
#[test]
fn the_numbers_are_those_of_the_game() {
    let document = json(&["show", locked()]);
    let actions = document["node"]["actions"].as_array().unwrap();
    // Three aces and four QJs; each meets three kings and two by weight of four 98s.
    let bets = (3.0 + 4.0 * 0.25) / 7.0;
    assert!((number(&actions[1]["frequency"]).unwrap() - bets).abs() < 1e-4, "{actions:?}");
    let queens = &json(&["show", locked(), "--combo", "QsJs"])["combos"][0];
    // A bet: 3 of 5 call and win it, 2 of 5 fold. A check: kings bet and it folds; 98s check, and it wins.
    let bet = (3.0 * -50.0 + 2.0 * 100.0) / 5.0;
    let check = 2.0 * 100.0 / 5.0;
    assert!((number(&queens["actions"][1]["ev"]).unwrap() - bet).abs() < 1e-3, "{queens}");
    assert!((number(&queens["actions"][0]["ev"]).unwrap() - check).abs() < 1e-3, "{queens}");
    assert!((number(&queens["actions"][1]["ev_loss"]).unwrap() - (check - bet)).abs() < 1e-3, "{queens}");
    assert!((number(&queens["equity"]).unwrap() - 0.4).abs() < 1e-9, "{queens}");
    assert_eq!(queens["made"], "nothing");
    // Aces always bet, so they are not there after a check.
    let after = json(&["show", locked(), "--node", "check", "--player", "oop"]);
    assert_eq!(after["combos"].as_array().unwrap().len(), 4, "{after}");
    let range = text(&["show", locked(), "--node", "check", "--player", "oop", "--range"]);
    assert_eq!(range.trim_end().parse::<Range>().unwrap().num_combos(), 4);
    assert!((number(&after["node"]["probability"]).unwrap() - (1.0 - bets)).abs() < 1e-4);
}

#[test]
fn documents_have_the_readers_numbers() {
    let file = turn();
    for path in ["", "check", "check bet:60", "check check | 7s |", "bet:60 call | 2d | check"] {
        let seen = view(file, path);
        for player in Player::ALL {
            let document = json(&["show", file, "--node", path, "--player", &player.to_string()]);
            let node = &document["node"];
            assert_eq!(node["path"], path.parse::<NodePath>().unwrap().to_string());
            same(&node["probability"], Some(seen.probability));
            for (action, (frequency, ev)) in seen.frequencies().iter().zip(seen.action_evs()).enumerate() {
                let shown = &node["actions"][action];
                same(&shown["frequency"], Some(*frequency));
                same(&shown["ev"], ev);
            }
            let numbers = &seen.players[player];
            let of = &node["players"][player.to_string()];
            same(&of["ev"], numbers.ev());
            same(&of["equity"], numbers.equity());
            let range = text(&["show", file, "--node", path, "--player", &player.to_string(), "--range"]);
            assert_eq!(range.trim_end().parse::<Range>().unwrap(), numbers.range(), "{path}");
            let combos = document["combos"].as_array().unwrap();
            let held: Vec<_> = numbers.combos.iter().filter(|combo| combo.share() > 0.0).collect();
            assert_eq!(combos.len(), held.len());
            for combo in held {
                let shown = combos.iter().find(|shown| shown["combo"] == combo.combo.to_string()).unwrap();
                same(&shown["weight"], Some(combo.weight));
                same(&shown["equity"], combo.equity);
                same(&shown["ev"], combo.ev);
                same(&shown["eqr"], seen.eqr(combo.ev, combo.equity));
                for action in 0..combo.frequencies.len() {
                    let shown = &shown["actions"][action];
                    same(&shown["frequency"], Some(combo.frequencies[action]));
                    same(&shown["ev"], combo.action_evs[action]);
                    same(&shown["ev_loss"], combo.ev_loss(action));
                }
            }
        }
    }
}

#[test]
fn kinds_are_chosen_and_counted() {
    let file = turn();
    let seen = view(file, "");
    let kinds = HandKinds::new(&seen.board).unwrap();
    let filter: KindFilter = "set, flush draw".parse().unwrap();
    let want = seen.players[Player::Oop]
        .combos
        .iter()
        .filter(|c| filter.matches(kinds.get(c.combo).unwrap()))
        .count();
    let found = json(&["show", file, "--kind", "sets, flush draw"]);
    assert_eq!(found["combos"].as_array().unwrap().len(), want);
    assert!(want > 3);
    let table = json(&["show", file, "--by-kind"]);
    let rows = table["kinds"].as_array().unwrap();
    let share = |kind: &str| {
        rows.iter().find(|row| row["kind"] == kind).map_or(0.0, |row| number(&row["share"]).unwrap())
    };
    let all = ["no_pair", "top_pair", "overpair", "set"].map(share).iter().sum::<f64>();
    assert!((all - 1.0).abs() < 1e-9, "{table}");
    let csv = text(&["show", file, "--by-kind", "--csv", "-"]);
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(text(&["show", file, "--kind", "quads"]).contains("OOP has nothing here with quads"));
}

#[test]
fn csv_has_a_row_for_each_combo() {
    let path = folder().join("combos.csv");
    let path = path.to_str().unwrap();
    let document = json(&["show", turn(), "--csv", path]);
    let csv = fs::read_to_string(path).unwrap();
    assert_eq!(csv, text(&["show", turn(), "--csv", "-"]));
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..5], ["combo", "class", "made", "draws", "weight"]);
    assert!(header.contains(&"check_frequency") && header.contains(&"bet:60_ev_loss"));
    for (line, combo) in lines.zip(document["combos"].as_array().unwrap()) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), header.len());
        assert_eq!(cells[0], combo["combo"].as_str().unwrap());
        same(&combo["ev"], cells[7].parse::<f64>().ok());
    }
}

#[test]
fn suits_are_those_that_were_typed() {
    // On this board clubs and spades mean something else, but hearts and spades of the river do not.
    for card in ["8s", "8c", "8h"] {
        let document = json(&["show", turn(), "--node", &format!("check check | {card} |")]);
        assert_eq!(document["node"]["board"], format!("Qd9d6h3c{card}"));
        assert!(
            document["combos"]
                .as_array()
                .unwrap()
                .iter()
                .all(|combo| { !combo["combo"].as_str().unwrap().contains(card) })
        );
    }
}

#[test]
fn a_tree_has_every_action_of_its_street() {
    let file = turn();
    let document = json(&["tree", file]);
    let rows = document["actions"].as_array().unwrap();
    let top: f64 =
        rows.iter().filter(|row| row["depth"] == 1).map(|row| number(&row["frequency"]).unwrap()).sum();
    assert!((top - 1.0).abs() < 1e-6);
    for row in rows.iter().filter(|row| row["then"] == "oop" || row["then"] == "ip") {
        let seen = view(file, row["path"].as_str().unwrap());
        assert!((seen.probability - number(&row["reached"]).unwrap()).abs() < 1e-9, "{row}");
    }
    let ends: f64 = rows
        .iter()
        .filter(|row| row["then"] != "oop" && row["then"] != "ip")
        .map(|row| number(&row["reached"]).unwrap())
        .sum();
    assert!((ends - 1.0).abs() < 1e-6, "{ends}");
    let shallow = json(&["tree", file, "--depth", "1"]);
    assert_eq!(shallow["actions"].as_array().unwrap().len(), view(file, "").actions.len());
    let river = text(&["tree", file, "--node", "check check | 2c |"]);
    assert!(river.contains("showdown") && !river.contains("a card comes"), "{river}");
    assert!(text(&["tree", file]).contains("to continue behind a card: --node 'check check | 2c |'"));
}

#[test]
fn runouts_list_every_card() {
    let file = turn();
    let document = json(&["runouts", file, "--node", "check check"]);
    let rows = document["runouts"].as_array().unwrap();
    assert_eq!(rows.len(), 48);
    let read = reader(file).runouts(&"check check".parse().unwrap(), &mut ()).unwrap();
    for (card, seen) in &read {
        let row = rows.iter().find(|row| row["card"] == card.to_string()).unwrap();
        let [oop, ip] = seen.players.as_ref().into_array();
        same(&row["node"]["players"]["oop"]["ev"], oop.ev());
        same(&row["node"]["players"]["ip"]["equity"], ip.equity());
        same(&row["ev_pct_pot"]["ip"], ip.ev().map(|ev| ev / seen.pot.as_f64() * 100.0));
        same(&row["node"]["actions"][0]["frequency"], Some(seen.frequencies()[0]));
    }
    let csv = text(&["runouts", file, "--node", "check check", "--csv", "-"]);
    assert_eq!(csv.lines().count(), 49);
    assert!(csv.starts_with("card,oop_equity,ip_equity,oop_ev,ip_ev,"));
    let plain = text(&["runouts", file, "--node", "check check"]);
    for word in ["OOP equity", "of pot", "chips", "exploitability", "\n  As  "] {
        assert!(plain.contains(word), "'{word}' in {plain}");
    }
}

#[test]
fn two_solutions_side_by_side() {
    let other = save("other.eqp", &TURN.replace("oop_bet = \"60%\"", "oop_bet = \"60%, a\""), Contents::Full);
    let document = json(&["compare", turn(), &other]);
    let actions = document["actions"].as_array().unwrap();
    let all_in = actions.iter().find(|action| action["name"] == "allin").unwrap();
    assert!(all_in["a"].is_null() && all_in["b"].is_number() && all_in["difference"].is_null());
    let [a, b] = [view(turn(), ""), view(&other, "")];
    let ev = number(&document["players"]["oop"]["ev"]).unwrap();
    assert!(
        (ev - (b.players[Player::Oop].ev().unwrap() - a.players[Player::Oop].ev().unwrap())).abs() < 1e-12
    );
    let combos = document["combos"].as_array().unwrap();
    assert_eq!(combos.len(), a.players[Player::Oop].combos.len());
    assert!(combos.windows(2).all(|pair| number(&pair[0]["moved"]) >= number(&pair[1]["moved"])));
    assert!(text(&["compare", turn(), &other]).contains("only in B"));

    // Nothing differs from itself.
    let twice = json(&["compare", turn(), turn(), "--node", "check"]);
    same(&twice["players"]["ip"]["ev"], Some(0.0));
    assert!(twice["classes"].as_array().unwrap().iter().all(|class| number(&class["moved"]) == Some(0.0)));
    assert!(text(&["compare", turn(), turn()]).contains("all combos that both hold play the same"));
    refuses(&["compare", turn(), locked()], &["the boards differ", "Qd9d6h3c", "As7d2cKd3h"]);
    refuses(&["compare", turn(), &other, "--node", "allin"], &["'allin' is not possible", "path: allin"]);
}

#[test]
fn exports_have_every_decision_once() {
    let file = turn();
    let whole = text(&["export", file, "--node", "check check | 2c |"]);
    let lines: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["schema_version"], 1);
    for line in &lines[1..] {
        let path = line["path"].as_str().unwrap();
        let seen = view(file, path);
        let actor = &seen.players[seen.player];
        let list = &line["ranges"][seen.player.to_string()];
        let combos = list["combos"].as_array().unwrap();
        let held: Vec<_> = actor.combos.iter().rev().filter(|combo| combo.share() > 0.0).collect();
        assert_eq!(combos.len(), held.len(), "{path}");
        for (at, combo) in held.iter().enumerate() {
            assert_eq!(combos[at], combo.combo.to_string());
            same(&list["weights"][at], Some(combo.weight));
            same(&line["strategy"]["frequencies"][0][at], Some(combo.frequencies[0]));
            same(&line["strategy"]["evs"][0][at], combo.action_evs[0]);
        }
    }
    // Everything: each card of a class counts, and with every card there are as many runouts.
    let count = |args: &[&str]| {
        let export = text(&[&["export", file][..], args].concat());
        let decisions: Vec<Value> =
            export.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        let runouts: u64 = decisions.iter().map(|line| line["num_runouts"].as_u64().unwrap()).sum();
        (decisions.len() as u64, runouts)
    };
    let (decisions, runouts) = count(&[]);
    let (all, every) = count(&["--all-cards"]);
    assert_eq!((runouts, all), (every, every));
    assert!(decisions <= all);
    let read = reader(file);
    let nodes = read.spot().tree().nodes().iter();
    let on_turn =
        nodes.filter(|node| node.player().is_some() && node.street() == Street::Turn).count() as u64;
    assert_eq!(count(&["--until", "turn"]), (on_turn, on_turn));

    let path = folder().join("rows.csv");
    let told = json(&["export", file, "--until", "turn", "--format", "csv", "-o", path.to_str().unwrap()]);
    let csv = fs::read_to_string(path).unwrap();
    assert_eq!(told["bytes"].as_u64(), Some(csv.len() as u64));
    assert_eq!(told["decisions"], on_turn);
    assert!(
        csv.starts_with("node,board,num_runouts,") && csv.lines().all(|row| row.split(',').count() == 14)
    );
}

#[test]
fn nobody_need_read_to_the_end() {
    for args in
        [&["export", turn()][..], &["show", turn(), "--json"], &["runouts", turn(), "--node", "check check"]]
    {
        let mut child = binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{args:?}");
    }
}

#[test]
fn what_the_file_leaves_out_is_labelled() {
    let short = save("short.eqp", TURN, Contents::NoRiver);
    let shown = text(&["show", &short, "--node", "check check | 7s |"]);
    assert!(shown.contains("re-solved: the file leaves the river out"), "{shown}");
    let document = json(&["show", &short, "--node", "check check | 7s |"]);
    assert!(document["node"]["solved_again"]["iterations"].as_u64().unwrap() > 0);
    assert!(json(&["show", &short])["node"]["solved_again"].is_null());
    assert!(!text(&["show", &short]).contains("re-solved"));
}

#[test]
fn rare_decisions_are_marked() {
    let shown = text(&["show", locked(), "--node", "check bet:50"]);
    assert!(!shown.contains("unreliable"), "{shown}");
    // Nobody with anything but kings bets, and no queen is left to answer the other way round.
    let never = LOCKED.replace("check = 0.75, \"bet:50\" = 0.25", "\"bet:50\" = 1.0");
    let never = save("never.eqp", &never, Contents::Full);
    let shown = text(&["show", &never, "--node", "check"]);
    assert!(shown.contains("unreached: play never gets here"), "{shown}");
    let document = json(&["show", &never, "--node", "check"]);
    assert_eq!([&document["node"]["unreached"], &document["node"]["unreliable"]], [true, true]);
    // What the other player would do is there all the same, and no value is.
    let combos = document["combos"].as_array().unwrap();
    assert!(!combos.is_empty(), "{document}");
    for combo in combos {
        assert!(
            combo["weight"].as_f64().unwrap() > 0.0 && combo["ev"].is_null() && combo["equity"].is_null()
        );
        let actions = combo["actions"].as_array().unwrap();
        let sum: f64 = actions.iter().map(|action| action["frequency"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6 && actions.iter().all(|action| action["ev"].is_null()), "{combo}");
    }
    let frequencies: f64 = document["node"]["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["frequency"].as_f64().unwrap())
        .sum();
    assert!((frequencies - 1.0).abs() < 1e-6, "{document}");
    // The same in exports, where a probability of 0 is the mark.
    let rows = text(&["export", &never, "--node", "check", "--format", "csv"]);
    assert!(rows.lines().filter(|row| row.starts_with("check,")).count() >= combos.len(), "{rows}");
    let tree = text(&["tree", &never]);
    assert!(tree.contains("unreached: play never gets to the decision"), "{tree}");
    assert!(text(&["show", &never, "--node", "check", "--player", "oop", "--range"]).contains("(nothing)"));
}

#[test]
fn a_hand_without_decisions() {
    let all_in = LOCKED.split("[bet_sizes").next().unwrap().replace("stack = 1000", "stack = 0");
    let all_in = save("all-in.eqp", &all_in, Contents::Full);
    refuses(&["show", &all_in], &["both players are all-in from the beginning"]);
    refuses(&["tree", &all_in], &["both players are all-in from the beginning"]);
    refuses(&["export", &all_in, "-o", "nowhere.jsonl"], &["the hand is over"]);
}

/// Exit code 2, nothing on standard output and these words on standard error, with and without `--json`.
fn refuses(args: &[&str], words: &[&str]) {
    for more in [&[][..], &["--json"]] {
        let run = run(&[args, more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{args:?} should say '{word}': {}", run.stderr);
        }
        assert!(!run.stderr.contains("panicked"), "{args:?}: {}", run.stderr);
    }
}

/// The part of the path from the mark on.
fn marked(args: &[&str]) -> String {
    let stderr = run(args).stderr;
    let lines: Vec<&str> = stderr.lines().collect();
    let at = lines.iter().position(|line| line.trim() == "^").unwrap_or_else(|| panic!("a mark: {stderr}"));
    lines[at - 1].get(lines[at].find('^').unwrap()..).unwrap_or_default().to_owned()
}

#[test]
fn paths_that_lead_nowhere() {
    let file = turn();
    for (path, from_mark, word) in [
        ("chekc", "chekc", "not possible here; possible: check, bet:60"),
        ("check fold", "fold", "possible: check, bet:60"),
        ("check bet:61 call", "bet:61 call", "possible: check, bet:60"),
        ("check bett", "bett", "not possible here; possible: check, bet:60"),
        ("check 7s", "7s", "before the street is over"),
        ("check check check", "check", "the street is over"),
        ("check | 7s | check", "7s | check", "possible there: check, bet:60"),
        ("check check | 7x |", "7x |", "no card"),
        ("check check | Qd | check", "Qd | check", "has been dealt"),
        ("check check", "", "a card comes: add it"),
        ("bet:60 fold", "fold", "the hand is over"),
    ] {
        for command in ["show", "tree"] {
            refuses(&[command, file, "--node", path], &[word, "path: "]);
        }
        assert_eq!(marked(&["show", file, "--node", path]), from_mark, "{path}");
    }
    refuses(&["runouts", file, "--node", "check"], &["no card comes", "path: check"]);
    refuses(&["export", file, "--node", "bet:60 fold", "-o", "nowhere"], &["the hand is over"]);
}

#[test]
fn combos_kinds_and_players_that_are_not_there() {
    let file = turn();
    refuses(&["show", file, "--combo", "AhXh"], &["'X'", "--combo: AhXh"]);
    refuses(&["show", file, "--combo", "5h4h"], &["OOP", "leaves them out", "--player ip"]);
    refuses(&["show", file, "--combo", "QdQs"], &["the board Qd9d6h3c has their cards"]);
    refuses(&["show", file, "--kind", "flsh draw"], &["did you mean 'flush draw'?", "--kind: flsh draw"]);
    refuses(&["show", file, "--kind", "zzz"], &["the kinds are"]);
    refuses(&["show", file, "--player", "bb"], &["oop or ip"]);
    refuses(&["show", file, "--by-kind", "--range"], &["cannot be used with"]);
    refuses(&["tree", file, "--depth", "0"], &["--depth"]);
    refuses(&["runouts", file], &["--node"]);
    let run = run(&["show", file, "--csv", &format!("{file}/no/such.csv")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
}

#[test]
fn files_that_are_no_solutions() {
    let bytes = fs::read(turn()).unwrap();
    let broken = |name: &str, bytes: &[u8]| {
        let path = folder().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut flipped = bytes.clone();
    flipped[60] ^= 1;
    for (file, word) in [
        (folder().join("missing.eqp").to_str().unwrap().to_owned(), "cannot read the solution"),
        (folder().to_str().unwrap().to_owned(), ""),
        (broken("foreign.eqp", TURN.as_bytes()), "it is no solution"),
        (broken("empty.eqp", b""), "too short"),
        (broken("cut.eqp", &bytes[..bytes.len() - 7]), "cut short"),
        (broken("flipped.eqp", &flipped), "damaged"),
    ] {
        for args in [
            &["show", &file][..],
            &["tree", &file],
            &["runouts", &file, "--node", "check check"],
            &["compare", &file, turn()],
            &["compare", turn(), &file],
            &["export", &file, "-o", "nowhere.jsonl"],
        ] {
            refuses(args, &[word]);
        }
    }
}

#[test]
fn paths_are_completed() {
    let file = turn();
    for (beginning, want) in [
        ("", &["check", "bet:60"][..]),
        ("b", &["bet:60", "bet:60 fold", "bet:60 call", "bet:60 allin"]),
        ("check ", &["check check", "check bet:60"]),
        ("check check", &["check check", "check check |"]),
        ("check check ", &["check check |", "check check | As", "check check | Ah"]),
        (
            "check check | 7",
            &["check check | 7s", "check check | 7h", "check check | 7d", "check check | 7c"],
        ),
        ("check check | 7s", &["check check | 7s", "check check | 7s |"]),
        ("check check | 7s | b", &["check check | 7s | bet:75"]),
        ("check check | Qd", &[]),
        ("nonsense ", &[]),
        ("bet:60 fold ", &[]),
    ] {
        let found = text(&["completions", "--paths", file, beginning]);
        let found: Vec<&str> = found.lines().take(want.len().max(1)).collect();
        assert_eq!(found, want, "'{beginning}'");
    }
    refuses_completion(&["completions", "--paths", "missing.eqp", ""], "cannot read the solution");
    refuses_completion(&["completions"], "<SHELL>");
}

fn refuses_completion(args: &[&str], word: &str) {
    let run = run(args);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    assert!(said(&run.stderr).contains(word), "{}", run.stderr);
}

/// The real shell, with the words that it would have.
#[cfg(unix)]
#[test]
fn bash_completes_paths() {
    use std::process::Command;
    let script = folder().join("completions.bash");
    fs::write(&script, text(&["completions", "bash"])).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_equipoise"));
    let commands = format!(
        "PATH={}:$PATH; source {}; COMP_WORDS=(equipoise show {} --node \"'check b\"); COMP_CWORD=4; \
         _equipoise_nodes equipoise 'check b' --node 2>/dev/null; printf '%s\\n' \"${{COMPREPLY[@]}}\"; \
         COMP_WORDS=(equipoise sh); COMP_CWORD=1; _equipoise_nodes equipoise sh equipoise; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        binary.parent().unwrap().display(),
        script.display(),
        turn(),
    );
    let Ok(output) = Command::new("bash").args(["--norc", "-c", &commands]).output() else { return };
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.starts_with("check bet:60\n") && found.ends_with("show\n"), "{found}");
}

/// Other programs have no `+` that we share, and no groups that overwrite others; and no weight is too small to be shown.
#[test]
fn ranges_are_shown_as_other_programs_read_them() {
    let spot = LOCKED.replace("QJs\"", "QJs:0.0000005\"");
    let file = save("small-weights.eqp", &spot, Contents::Full);
    let range = text(&["show", &file, "--range"]);
    assert_eq!(range, "QJs:0.0000005,AhAd,AhAc,AdAc\n");
    let listed = text(&["show", &file, "--weights"]);
    assert_eq!(listed.parse::<Range>().unwrap(), range.trim_end().parse::<Range>().unwrap());
    let document = json(&["show", &file, "--range"]);
    assert_eq!(document["range"], range.trim_end());
}
