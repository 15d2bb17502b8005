//! Solutions as Parquet, against what `equipoise show` says of the same decisions.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use equipoise::cards::Range;
use equipoise::postflop::Contents;
use serde_json::{Value, json};

use crate::common::{self, json, run, text};
use crate::{path, places, polars, rows};

/// A turn of a few combos, with rake, weights and suits that can be exchanged.
const SPOT: &str = r#"
[ranges]
oop = "AA,QQ,KQs,JTs,87s"
ip = "KK,AQs,T9s,66,76s:0.5"
[cards]
flop = "Qd9d6d"
turn = "3c"
[tree]
starting_pot = 100
effective_stack = 200
rake_rate = 0.05
rake_cap = 10
[bet_sizes.turn]
oop_bet = "60%"
ip_bet = "60%"
ip_raise = "a"
[bet_sizes.river]
oop_bet = "75%"
ip_bet = "75%, a"
"#;

fn save(name: &str, contents: Contents) -> String {
    common::save(path(name).as_ref(), SPOT, 100, contents)
}

fn full() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| save("parquet-full.eqp", Contents::Full))
}

fn export(file: &str, name: &str, more: &[&str]) -> (Value, String) {
    let target = path(name);
    (json(&[&["export", file, "-o", &target][..], more].concat()), target)
}

/// The rows of each decision.
fn decisions(rows: Vec<Value>) -> BTreeMap<String, Vec<Value>> {
    let mut decisions: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in rows {
        decisions.entry(row["node"].as_str().unwrap().to_owned()).or_default().push(row);
    }
    decisions
}

/// The same but for what 32 bits leave out.
#[track_caller]
fn close(found: &Value, want: &Value) {
    match (found.as_f64(), want.as_f64()) {
        (Some(found), Some(want)) => {
            assert!((found - want).abs() <= 1e-5 * (1.0 + want.abs()), "{found} {want}");
        }
        _ => assert_eq!(found, want),
    }
}

/// Compares the rows of a decision with what `show` says.
fn check(file: &str, node: &str, rows: &[Value]) {
    let shown = json(&["show", file, "--node", node]);
    let known = &shown["node"];
    let combos = shown["combos"].as_array().unwrap();
    let actions = known["actions"].as_array().unwrap();
    assert_eq!(rows.len(), combos.len() * actions.len(), "{node}");
    for row in rows {
        let combo = combos.iter().find(|combo| combo["combo"] == row["combo"]).unwrap();
        let place = actions.iter().position(|action| action["name"] == row["action"]).unwrap();
        for key in ["board", "player", "pot"] {
            assert_eq!(row[key], known[key], "{node}: {key}");
        }
        close(&row["probability"], &known["probability"]);
        assert_eq!(row["chips"], actions[place]["chips"], "{row}");
        close(&row["reach"], &combo["weight"]);
        close(&row["equity"], &combo["equity"]);
        close(&row["ev"], &combo["ev"]);
        close(&row["frequency"], &combo["actions"][place]["frequency"]);
        close(&row["action_ev"], &combo["actions"][place]["ev"]);
    }
}

/// The same table as CSV: the same columns, the same rows in the same order.
#[test]
fn csv_is_the_same_table() {
    let file = full();
    let (document, target) = export(file, "same.parquet", &[]);
    let csv = path("same.csv");
    let written = json(&["export", file, "--equity", "-o", &csv]);
    assert_eq!(written["decisions"], document["decisions"]);
    let csv = fs::read_to_string(csv).unwrap();
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut by_node: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in lines {
        let cells = columns.iter().zip(line.split(',')).map(|(&column, cell)| {
            let value = match column {
                "node" | "board" | "player" | "action" | "combo" => json!(cell),
                _ if cell.is_empty() => Value::Null,
                _ => serde_json::from_str(cell).unwrap(),
            };
            (column.to_owned(), value)
        });
        let row = Value::Object(cells.collect());
        by_node.entry(row["node"].as_str().unwrap().to_owned()).or_default().push(row);
    }
    let found = decisions(rows(&target));
    assert_eq!(found.keys().collect::<Vec<_>>(), by_node.keys().collect::<Vec<_>>());
    for (node, rows) in found {
        assert_eq!(rows.len(), by_node[&node].len(), "{node}");
        for (parquet, csv) in rows.iter().zip(&by_node[&node]) {
            let names = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            let (mut of_parquet, mut of_csv) = (names(parquet), names(csv));
            of_parquet.sort();
            of_csv.sort();
            assert_eq!(of_parquet, of_csv);
            of_csv.iter().for_each(|column| close(&parquet[column], &csv[column]));
        }
    }
}

#[test]
fn rows_are_what_show_says_of_their_decisions() {
    let file = full();
    let (document, target) = export(file, "solution.parquet", &[]);
    let rows = rows(&target);
    assert_eq!(document["rows"], rows.len());
    assert_eq!(document["bytes"], fs::metadata(&target).unwrap().len());
    let found = decisions(rows);
    // Every decision that the lines of JSON have is there, unless nobody gets there.
    let lines = text(&["export", file]);
    let lines: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(document["decisions"], lines.len());
    for line in &lines {
        let (path, acts) = (line["path"].as_str().unwrap(), line["player"].as_str().unwrap());
        let gets_there = !line["ranges"][acts]["combos"].as_array().unwrap().is_empty();
        assert_eq!(found.contains_key(path), gets_there, "{path}");
        if let Some(rows) = found.get(path) {
            assert_eq!(rows[0]["num_runouts"], line["num_runouts"], "{path}");
        }
    }
    let nodes: Vec<&String> = found.keys().collect();
    for place in places(nodes.len()) {
        check(file, nodes[place], &found[nodes[place]]);
    }
    check(file, "", &found[""]);
}

#[test]
fn a_part_is_a_part() {
    let file = full();
    let (_, target) = export(file, "part.parquet", &["--node", "check check | 2s |", "--all-cards"]);
    let found = decisions(rows(&target));
    assert!(found.keys().all(|node| node.starts_with("check check | 2s |")), "{:?}", found.keys());
    check(file, "check check | 2s | check", &found["check check | 2s | check"]);
    let (_, target) = export(file, "turn.parquet", &["--until", "turn"]);
    assert!(decisions(rows(&target)).keys().all(|node| !node.contains('|')));
    let (all, _) = export(file, "all.parquet", &["--all-cards"]);
    let (some, _) = export(file, "some.parquet", &[]);
    assert!(all["decisions"].as_u64() > some["decisions"].as_u64());
}

#[test]
fn streets_that_a_file_leaves_out_are_solved_again() {
    let file = save("parquet-no-river.eqp", Contents::NoRiver);
    let (_, target) = export(&file, "again.parquet", &["--node", "bet:60 call | 2c |"]);
    let found = decisions(rows(&target));
    check(&file, "bet:60 call | 2c | check", &found["bet:60 call | 2c | check"]);
}

#[test]
fn threads_do_not_change_the_bytes() {
    let bytes = |threads: &str| {
        let (_, file) = export(full(), &format!("solution-{threads}.parquet"), &["--threads", threads]);
        fs::read(file).unwrap()
    };
    assert!(bytes("1") == bytes("3"));
}

#[test]
fn ranges_are_1326_weights_that_read_back() {
    let file = full();
    let (document, target) = export(file, "ranges.parquet", &["--ranges"]);
    let rows = rows(&target);
    assert_eq!(document["rows"].as_u64(), document["decisions"].as_u64().map(|count| 2 * count));
    for place in places(rows.len()) {
        let row = &rows[place];
        let [node, player] = ["node", "player"].map(|key| row[key].as_str().unwrap());
        let what = ["show", file, "--node", node, "--player", player];
        let shown = json(&[&what[..], &["--weights"]].concat());
        let weights = shown["listed_weights"].as_array().unwrap();
        let found = row["reach"].as_array().unwrap();
        assert_eq!((weights.len(), found.len()), (1326, 1326));
        found.iter().zip(weights).for_each(|(found, weight)| close(found, weight));
        // The same as text, which is a range again.
        let listed = text(&[&what[..], &["--weights"]].concat());
        let range = text(&[&what[..], &["--range"]].concat());
        assert_eq!(
            listed.parse::<Range>().ok(),
            range.parse::<Range>().ok().or(Some(Range::empty())),
            "{node}"
        );
    }
}

#[test]
fn bad_input() {
    for (args, word) in [
        (vec!["--format", "parquet"], "not to standard output"),
        (vec!["--format", "parquet", "-o", "-"], "not to standard output"),
        (vec!["--ranges", "-o", "x.csv"], "Parquet only"),
        (vec!["--threads", "0", "-o", "x.parquet"], "--threads"),
        (vec!["--node", "check bet:1", "-o", "x.parquet"], "bet:1"),
    ] {
        let run = run(&[&["export", full()][..], &args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{args:?}: {}", run.stderr);
    }
}

#[test]
#[ignore = "needs polars: make polars"]
fn polars_opens_solutions() {
    let (document, target) = export(full(), "polars-solution.parquet", &[]);
    let num_rows = document["rows"].as_u64().unwrap() as usize;
    let read = polars(&target, &places(num_rows));
    assert_eq!(read["height"], num_rows);
    for (name, kind) in [
        ("node", "String"),
        ("board", "String"),
        ("num_runouts", "UInt32"),
        ("probability", "Float64"),
        ("player", "String"),
        ("pot", "UInt32"),
        ("action", "String"),
        ("chips", "UInt32"),
        ("combo", "String"),
        ("reach", "Float32"),
        ("equity", "Float32"),
        ("ev", "Float32"),
        ("frequency", "Float32"),
        ("action_ev", "Float32"),
    ] {
        assert_eq!(read["schema"][name], kind, "{name}");
    }
    // What polars reads of every row is what the other reader does.
    let all = rows(&target);
    for (place, row) in places(num_rows).iter().zip(read["rows"].as_array().unwrap()) {
        for (key, value) in row.as_object().unwrap() {
            close(value, &all[*place][key]);
        }
        let node = row["node"].as_str().unwrap();
        let of_node: Vec<Value> = all.iter().filter(|row| row["node"] == node).cloned().collect();
        check(full(), node, &of_node);
    }
    for key in ["pot", "chips", "num_runouts"] {
        let sum: u64 = all.iter().map(|row| row[key].as_u64().unwrap()).sum();
        assert_eq!(read["sums"][key], json!(sum), "{key}");
    }
    let (_, target) = export(full(), "polars-ranges.parquet", &["--ranges"]);
    let read = polars(&target, &[0]);
    assert_eq!(read["schema"]["reach"], "List(Float32)");
    assert_eq!(read["rows"][0]["reach"].as_array().unwrap().len(), 1326);
}
