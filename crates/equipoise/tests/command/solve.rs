//! `equipoise solve` on spots that take milliseconds.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{binary, json, run, text};

/// A river spot of half a dozen decisions.
pub(crate) const RIVER: &str = r#"
[ranges]
oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs"
ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+"

[cards]
flop = "Td9d6h"
turn = "Qc"
river = "2h"

[tree]
starting_pot = 200
effective_stack = 900

[bet_sizes.river]
oop_bet = "60%, e, a"
oop_raise = "2.5x"
ip_bet = "60%, e, a"
ip_raise = "2.5x"

[solver]
target_exploitability_pct = 0.1
"#;

/// A file of its own for each test, since tests run side by side.
pub(crate) fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("solve");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_document_has_what_it_promises() {
    let path = file("document.toml", RIVER);
    let document = json(&["solve", &path]);
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    let mut expected = [
        "schema_version",
        "storage",
        "stop_reason",
        "converged",
        "exploitability",
        "iterations",
        "elapsed_s",
        "memory_bytes",
        "algorithm",
        "asymmetry",
        "players",
        "root",
        "from",
        "saved",
        "not_saved",
        "unit",
    ];
    expected.sort_unstable();
    let mut keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, expected);

    assert_eq!(document["converged"], true);
    assert_eq!(document["algorithm"], "dcfr(1.35,0.25,4)");
    let exploitability = &document["exploitability"];
    assert!(number(&exploitability["pct_pot"]) <= 0.1);
    assert!((number(&exploitability["chips"]) - number(&exploitability["pct_pot"]) * 2.0).abs() < 1e-9);
    let players = &document["players"];
    let sum = |key: &str| number(&players["oop"][key]) + number(&players["ip"][key]);
    assert!((sum("ev") - 200.0).abs() < 1e-2 && (sum("equity") - 1.0).abs() < 1e-9);
    for who in ["oop", "ip"] {
        let player = &players[who];
        let eqr = number(&player["ev"]) / (number(&player["equity"]) * 200.0);
        assert!((number(&player["eqr"]) - eqr).abs() < 1e-9);
        assert_eq!(number(&player["combos"]), number(&player["weighted_combos"]));
    }
    let root = &document["root"];
    assert_eq!(root["player"], "oop");
    let actions = root["actions"].as_array().unwrap();
    let shown: Vec<(&str, &str, u64)> = actions
        .iter()
        .map(|a| (a["name"].as_str().unwrap(), a["kind"].as_str().unwrap(), a["chips"].as_u64().unwrap()))
        .collect();
    assert_eq!(shown, [("check", "check", 0), ("bet:120", "bet", 120), ("allin", "allin", 900)]);
    assert!((actions.iter().map(|a| number(&a["frequency"])).sum::<f64>() - 1.0).abs() < 1e-6);
}

#[test]
fn without_a_file_the_shipped_spot_is_solved() {
    let document = json(&["solve", "--target", "1"]);
    assert_eq!(document["players"]["oop"]["combos"], 167);
    assert_eq!(document["players"]["ip"]["combos"], 250);
    assert!((number(&document["players"]["oop"]["equity"]) - 0.530_603).abs() < 1e-5);
}

#[test]
fn people_read_units() {
    let path = file("report.toml", RIVER);
    let plain = text(&["solve", &path]);
    for word in [
        "Td9d6hQc2h (river): pot 200 chips",
        "OOP opens with",
        "action",
        "EQR",
        "chips",
        "% of pot",
        "the target of 0.1 % was reached",
        "iterations of dcfr(1.35,0.25,4) in",
        "of memory",
        "below a class",
    ] {
        assert!(plain.contains(word), "'{word}' in {plain}");
    }
    assert_eq!(
        plain.lines().filter(|line| line.contains("·") && line.starts_with("  ")).count(),
        13,
        "{plain}"
    );
    assert!(!plain.contains('\x1b'));
    let coloured = text(&["solve", &path, "--color", "always"]);
    assert!(coloured.contains("\x1b[") && coloured.contains("shared out among the actions"));
}

#[test]
fn a_missed_target_is_no_failure() {
    let path = file("missed.toml", RIVER);
    let document = json(&["solve", &path, "--target", "0", "--max-iterations", "7"]);
    assert_eq!((&document["converged"], &document["iterations"]), (&Value::from(false), &Value::from(7)));
    assert!(text(&["solve", &path, "--target", "0", "--max-iterations", "7"]).contains("was not reached"));
}

#[test]
fn the_command_line_stands_over_the_file() {
    let path = file("over.toml", &RIVER.replace("[solver]", "[solver]\nalgorithm = \"dcfr\"\nalpha = 1.5"));
    assert_eq!(json(&["solve", &path])["algorithm"], "dcfr(1.5,0.25,4)");
    assert_eq!(json(&["solve", &path, "--algorithm", "CFR_plus"])["algorithm"], "cfr+(gamma=1)");
    let one = json(&["solve", &path, "--threads", "1", "--memory-limit", "1G"]);
    let two = json(&["solve", &path, "--threads", "2"]);
    assert_eq!(one["players"], two["players"]);
}

#[test]
fn a_dry_run_says_how_large_it_is() {
    let path = file("dry.toml", RIVER);
    let document = json(&["solve", &path, "--dry-run"]);
    assert_eq!(document["streets"][0]["decisions"]["oop"], 5);
    let modes: Vec<&str> =
        document["memory"].as_array().unwrap().iter().map(|m| m["quantization"].as_str().unwrap()).collect();
    assert!(modes.starts_with(&["32bit", "16bit"]), "{modes:?}");
    assert!(!document["notes"].as_array().unwrap().is_empty());
    let plain = text(&["solve", &path, "--dry-run"]);
    for word in ["OOP decides", "32bit", "16bit", "chosen", "note: river oop_bet: 'a' is never an action"] {
        assert!(plain.contains(word), "'{word}' in {plain}");
    }
    assert!(text(&["solve", &path, "--dry-run", "--memory-limit", "1K"]).contains("does not fit"));
}

/// In four bits exploitability goes up and down; the answer is then the best row of the metrics, not the last one.
#[test]
fn the_best_check_can_be_kept() {
    let toml =
        RIVER.replace("[solver]", "[solver]\nquantization = \"4bit\"\nkeep_best = true").replace("0.1", "0");
    let (path, csv) = (file("best.toml", &toml), file("best.csv", ""));
    let document = json(&["solve", &path, "--max-iterations", "300", "--metrics", &csv]);
    let rows = fs::read_to_string(&csv).unwrap();
    let found: Vec<f64> =
        rows.lines().skip(1).map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect();
    let best = found.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((number(&document["exploitability"]["pct_pot"]) / best - 1.0).abs() < 1e-12);
    assert!(best < found[found.len() - 1]);
}

#[test]
fn metrics_have_a_row_for_each_check() {
    let path = file("metrics.toml", RIVER);
    let csv = file("metrics.csv", "");
    let document = json(&["solve", &path, "--metrics", &csv]);
    let text = fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    let header = "iteration,exploitability_chips,exploitability_pct_pot,elapsed_s,\
                  alpha_mean,alpha_min,alpha_max,total_instant_norm,total_regret_norm";
    assert_eq!(lines.next(), Some(header));
    let row = |line: &str| line.trim_end_matches(',').split(',').map(|n| n.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = lines.map(row).collect();
    assert!(rows.iter().all(|row| row.len() == 4), "{text}");
    assert!(
        rows.len() > 1 && rows.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][3] <= pair[1][3])
    );
    let last = rows.last().unwrap();
    assert_eq!(last[0], number(&document["iterations"]));
    assert!((last[2] - number(&document["exploitability"]["pct_pot"])).abs() < 1e-9);
    let bad = run(&["solve", &path, "--metrics", &format!("{path}/no/such.csv")]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(1), ""), "{}", bad.stderr);
}

#[test]
fn a_spot_can_come_from_standard_input() {
    for (spot, code, words) in
        [(RIVER.to_owned(), 0, ""), (RIVER.replace("turn", "tern"), 2, "standard input, line 8")]
    {
        let mut child = binary()
            .args(["solve", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(spot.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(code) && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn the_asymmetry_is_shown_where_there_is_one() {
    let path = file("asymmetry.toml", RIVER);
    let csv = file("asymmetry.csv", "");
    let document = json(&["solve", &path, "--algorithm", "apcfr+", "--metrics", &csv]);
    let shown = ["mean", "min", "max", "total_instant_norm", "total_regret_norm"]
        .map(|key| number(&document["asymmetry"][key]));
    let [mean, min, max, instant, regret] = shown;
    assert!(0.0 <= min && min <= mean && mean <= max && max <= 5.0 && instant > 0.0 && regret > 0.0);
    let text = fs::read_to_string(&csv).unwrap();
    let last: Vec<f64> = text.lines().last().unwrap().split(',').map(|n| n.parse().unwrap()).collect();
    assert_eq!(last[4..], shown);

    let fixed = json(&["solve", &path, "--algorithm", "sapcfr+"]);
    assert_eq!(number(&fixed["asymmetry"]["mean"]), 2.0);
    assert!(fixed["asymmetry"]["total_instant_norm"].is_null());
    assert!(json(&["solve", &path])["asymmetry"].is_null());
    assert!(text_of(&path, "apcfr+").contains("asymmetry α ") && !text_of(&path, "dcfr").contains('α'));
}

fn text_of(path: &str, algorithm: &str) -> String {
    text(&["solve", path, "--algorithm", algorithm])
}

#[test]
fn locks_hold() {
    let lock = r#"
[[locks]]
line = ""
strategy = { check = 0.25, "bet:120" = 0.75 }

[[locks]]
line = "check"
hands = { AQs = { check = 1.0 }, AhQh = { allin = 1.0 }, QQ = { "bet:120" = 1 } }
"#;
    let path = file("locks.toml", &format!("{RIVER}{lock}"));
    let document = json(&["solve", &path]);
    let shares: Vec<f64> =
        document["root"]["actions"].as_array().unwrap().iter().map(|a| number(&a["frequency"])).collect();
    for (share, locked) in shares.iter().zip([0.25, 0.75, 0.0]) {
        assert!((share - locked).abs() < 1e-6, "{shares:?}");
    }
    assert_eq!(document["converged"], true);
}

#[test]
fn what_is_odd_but_right() {
    // Both are all-in: equity decides.
    let all_in = RIVER.replace("effective_stack = 900", "effective_stack = 0");
    let run = run(&["solve", &file("allin.toml", &all_in), "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("all-in"), "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let player = &document["players"]["oop"];
    assert!((number(&player["ev"]) - 200.0 * number(&player["equity"])).abs() < 1e-3, "{document}");
    assert_eq!(document["root"]["actions"], Value::Array(vec![]));

    // No sizes: both can only check, and that is said.
    let bets = RIVER.find("[bet_sizes.river]").unwrap();
    let checks = format!("{}[solver]\n", &RIVER[..bets]);
    let run = crate::common::run(&["solve", &file("checks.toml", &checks), "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("can only check"), "{}", run.stderr);

    // Sizes that come to the same are said; that all-in is one of them is no news.
    let alike = RIVER.replace("60%, e, a", "60%, 61%, e, a");
    let run = crate::common::run(&["solve", &file("alike.toml", &alike), "--max-iterations", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("note: river oop_bet: '60%' is never an action"), "{}", run.stderr);
    assert!(!run.stderr.contains("'a'"), "{}", run.stderr);
    assert!(run.stdout.contains(" 1 iteration of dcfr"), "{}", run.stdout);

    // A thousand million chips.
    let rich = RIVER.replace("= 200", "= 1000000000").replace("= 900", "= 1000000000");
    let document = json(&["solve", &file("rich.toml", &rich)]);
    assert_eq!(document["converged"], true);

    // A preset instead of sizes, with weights, rake and lines.
    let preset = checks.replace(
        "effective_stack = 900",
        "effective_stack = 900\npreset = \"standard\"\nrake_rate = 0.05\nrake_cap = 10\nremove_lines = [\"check allin\"]",
    );
    let preset = preset.replace("66+,", "66+:0.5,").replace("[solver]", "[solver]\nquantization = \"16bit\"");
    let document = json(&["solve", &file("preset.toml", &preset), "--target", "0.3"]);
    assert_eq!(document["converged"], true);
    let evs = number(&document["players"]["oop"]["ev"]) + number(&document["players"]["ip"]["ev"]);
    assert!(evs > 190.0 - 0.1 && evs < 200.0, "{evs}");
    assert!(
        number(&document["players"]["oop"]["weighted_combos"])
            < number(&document["players"]["oop"]["combos"])
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_there_is() {
    use std::process::{Command, Stdio};
    let mut command = binary();
    let metrics = file("interrupted.csv", "old,table\n1,2\n");
    command.args([
        "solve",
        "--target",
        "0",
        "--max-iterations",
        "100000000",
        "--json",
        "--metrics",
        &metrics,
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["converged"], false);
    assert!(number(&document["exploitability"]["pct_pot"]) > 0.0);
    // The check that the answer shows is one of the rows.
    let rows = std::fs::read_to_string(&metrics).unwrap();
    let last: Vec<&str> = rows.lines().last().unwrap().split(',').collect();
    assert_eq!(last[0], document["iterations"].to_string());
    let (row, shown) = (last[2].parse::<f64>().unwrap(), number(&document["exploitability"]["pct_pot"]));
    assert!((row - shown).abs() < 1e-9, "{row} {shown}");
    assert_eq!(last.len(), rows.lines().next().unwrap().split(',').count());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("\"code\":\"interrupted\""), "{stderr}");
}
