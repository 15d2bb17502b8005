//! `equipoise equity`, and `equipoise pot-odds` with players.

mod common;

use common::{binary, json, run, run_command, text};
use serde_json::Value;

fn players(document: &Value) -> &Vec<Value> {
    document["players"].as_array().unwrap()
}

fn numbers(document: &Value, key: &str) -> Vec<f64> {
    players(document).iter().map(|player| player[key].as_f64().unwrap()).collect()
}

/// The answer without the time that it took.
fn timeless(args: &[&str]) -> Value {
    let mut document = json(args);
    document.as_object_mut().unwrap().remove("elapsed_s").unwrap();
    document
}

/// Known answers: arguments, the first players' equities, the number of deals.
const KNOWN: [(&[&str], &[f64], u64); 11] = [
    (&["AhAd", "KcKs"], &[0.812_554_897, 0.187_445_103], 1_712_304),
    (&["AsKs", "22"], &[0.498_933_163], 10_273_824),
    (&["AA", "KK"], &[0.819_460_505], 61_642_944),
    (&["QQ+,AKs,AKo", "TT+,AQs+,AQo+"], &[0.596_587_358], 2_660_920_416),
    (&["AhAd", "KcKs", "QhQd"], &[0.665_054_415, 0.188_754_510, 0.146_191_074], 1_370_754),
    (&["AhKh", "random", "--board", "QsJh2h"], &[0.762_611_779], 1_070_190),
    (&["AhKh", "", "--board", "QsJh2h"], &[0.762_611_779], 1_070_190),
    (
        &["random", "AA", "33", "--board", "2c3c8h", "--dead", "6h"],
        &[0.055_823_407, 0.115_350_286, 0.828_826_307],
        14_661_108,
    ),
    (
        &["AsKs", "88,77,22,T9", "JJ+", "--board", "8s7s2d3c", "--dead", "KhKd"],
        &[0.2384, 0.3762, 0.3854],
        15_000,
    ),
    (
        &["3d7d", "2h9h", "2c9c", "--board", "5d5h5c", "--dead", "3s3c"],
        &[0.304_878_049, 0.347_560_976, 0.347_560_976],
        820,
    ),
    (&["AsKs", "QQ", "--dead", "AcAd"], &[0.371_246_956], 8_224_524),
];

#[test]
fn known_equities() {
    for (args, equities, deals) in KNOWN {
        let document = json(&[&["equity"], args, &["--exact"]].concat());
        assert_eq!((&document["mode"], &document["std_error"]), (&"exact".into(), &0.0.into()), "{args:?}");
        assert_eq!(document["deals"], deals, "{args:?}");
        let found = numbers(&document, "equity");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{args:?}");
        for (found, want) in found.iter().zip(equities) {
            assert!((found - want).abs() < 1e-9, "{args:?}: {found} instead of {want}");
        }
    }
}

#[test]
fn json_has_what_scripts_rely_on() {
    let args = ["equity", "AhAd", "QQ+,AKs:0.5", "--board", "Td9d6h", "--dead", "Jc", "--exact"];
    let document = json(&args);
    assert_eq!((&document["board"], &document["dead"]), (&"Td9d6h".into(), &"Jc".into()));
    assert_eq!((&document["seed"], &document["interrupted"]), (&0.into(), &false.into()));
    assert!(document["elapsed_s"].as_f64().unwrap() > 0.0);
    let range = &players(&document)[1];
    assert_eq!((&range["input"], &range["expansion"]), (&"QQ+,AKs:0.5".into(), &"AA-QQ, AKs:0.5".into()));
    // Two aces are with player 1: one pair of aces and two suited AK are left, and all kings and queens.
    assert_eq!(range["combos"], 1 + 6 + 6 + 2);
    for ((equity, win), tie) in
        numbers(&document, "equity").iter().zip(numbers(&document, "win")).zip(numbers(&document, "tie"))
    {
        // Heads-up a tie pays half.
        assert!((win + tie / 2.0 - equity).abs() < 1e-12);
    }
}

#[test]
fn random_against_random_is_even() {
    let document = json(&["equity", "random", "random", "--exact"]);
    assert_eq!(document["deals"], 1_326_u64 * 1_225 * 1_712_304);
    for equity in numbers(&document, "equity") {
        assert!((equity - 0.5).abs() < 1e-12);
    }
}

#[test]
fn weights_count() {
    let equity = numbers(&json(&["equity", "AA", "QQ:0.5,22", "--exact"]), "equity")[0];
    assert!((equity - 0.819_935_109).abs() < 1e-6, "{equity}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for args in [
        &["equity", "QQ+,AK", "JJ,TT,AQs", "98s,87s", "--exact", "--by", "combo"][..],
        &["equity", "TT+", "random", "--samples", "50000", "--seed", "7"],
        &["equity", "random", "random", "random", "--monte-carlo", "--std-error", "0.002", "--by", "class"],
        &["pot-odds", "--pot", "3", "--call", "1", "random", "random", "random", "--samples", "20000"],
    ] {
        let one = timeless(&[args, &["--threads", "1"]].concat());
        for threads in ["2", "3", "8"] {
            assert_eq!(
                timeless(&[args, &["--threads", threads]].concat()),
                one,
                "{args:?} on {threads} threads"
            );
        }
        assert_eq!(timeless(args), one, "{args:?} on all threads");
    }
}

#[test]
fn the_seed_changes_the_samples() {
    let with = |seed| timeless(&["equity", "TT+", "random", "--samples", "20000", "--seed", seed]);
    assert_eq!(with("1"), with("1"));
    assert_ne!(numbers(&with("1"), "equity"), numbers(&with("2"), "equity"));
    assert_eq!(with("18446744073709551615")["seed"], "18446744073709551615");
}

#[test]
fn samples_are_as_many_as_asked_for_and_near_the_truth() {
    let document = json(&["equity", "AhAd", "KcKs", "--samples", "100000", "--seed", "3"]);
    assert_eq!((&document["mode"], &document["deals"]), (&"monte-carlo".into(), &100_000.into()));
    let std_error = document["std_error"].as_f64().unwrap();
    assert!(std_error > 0.0005 && std_error < 0.002, "{std_error}");
    let off = numbers(&document, "equity")[0] - 0.812_554_897;
    assert!(off.abs() < 4.0 * std_error, "off by {off}, standard error {std_error}");
}

#[test]
fn sampling_reaches_its_standard_error() {
    let document = json(&["equity", "random", "random", "--monte-carlo", "--std-error", "0.002"]);
    assert_eq!(document["mode"], "monte-carlo");
    assert!(document["std_error"].as_f64().unwrap() <= 0.002);
    assert!(document["deals"].as_u64().unwrap() >= 10_000);
}

#[test]
fn what_is_quick_is_exact_and_what_is_not_is_sampled() {
    assert_eq!(json(&["equity", "AhAd", "KcKs"])["mode"], "exact");
    let many = json(&["equity", "random", "random", "random", "random", "--std-error", "0.005"]);
    assert_eq!(many["mode"], "monte-carlo");
}

#[test]
fn classes_and_combos_add_up() {
    for (by, list, name) in [("class", "by_class", "AKs"), ("combo", "by_combo", "AsKs")] {
        let document = json(&["equity", "QQ+,AKs", "TT+", "--exact", "--by", by]);
        for player in players(&document) {
            let entries = player[list].as_array().unwrap();
            let number = |entry: &Value, key: &str| entry[key].as_f64().unwrap();
            let held: f64 = entries.iter().map(|entry| number(entry, "probability")).sum();
            let equity: f64 =
                entries.iter().map(|entry| number(entry, "probability") * number(entry, "equity")).sum();
            assert!((held - 1.0).abs() < 1e-9 && (equity - number(player, "equity")).abs() < 1e-9);
        }
        let first = players(&document)[0][list].as_array().unwrap();
        assert!(first.iter().any(|entry| entry[by] == name), "{by}");
        assert!(players(&document)[1].get(list).is_some());
    }
    assert!(players(&json(&["equity", "AA", "KK"]))[0].get("by_class").is_none());
}

#[test]
fn one_known_card_stands_for_all_combos_with_it() {
    let document = json(&["equity", "Ah", "KK", "--board", "Td9d6h", "--exact"]);
    assert_eq!(players(&document)[0]["combos"], 48);
}

/// The text without the time, which is never the same.
fn timeless_text(args: &[&str]) -> String {
    let lines = text(args);
    let timeless = lines.lines().map(|line| line.split_once(" deals in ").map_or(line, |(start, _)| start));
    timeless.collect::<Vec<_>>().join("\n")
}

#[test]
fn people_read_tables() {
    insta::assert_snapshot!("hands", timeless_text(&["equity", "AhAd", "KcKs"]));
    insta::assert_snapshot!(
        "ranges",
        timeless_text(&["equity", "QQ+,AK", "", "Ah", "--board", "Td9d6hQc2h", "--dead", "Jc", "--exact"])
    );
    insta::assert_snapshot!(
        "by-class",
        timeless_text(&["equity", "QQ+,AKs", "TT+", "--board", "Td9d6h", "--by", "class", "--exact"])
    );
}

#[test]
fn pot_odds_of_a_good_and_a_bad_call() {
    let odds = ["pot-odds", "--pot", "150", "--call", "50"];
    let good = json(&[&odds[..], &["KcKs", "AhAd", "--board", "Td9d6h"]].concat());
    assert_eq!(good["required_equity"], 0.25);
    let (equity, ev) = (good["equity"].as_f64().unwrap(), good["ev"].as_f64().unwrap());
    assert!((ev - (equity * 200.0 - 50.0)).abs() < 1e-9);
    assert_eq!(numbers(&good, "equity")[0], equity);
    assert_eq!(good["decision"], if ev > 0.0 { "call" } else { "fold" });
    assert_eq!(json(&[&odds[..], &["AhAd", "KcKs"]].concat())["decision"], "call");
    assert_eq!(json(&[&odds[..], &["KcKs", "AhAd"]].concat())["decision"], "fold");
    insta::assert_snapshot!("pot-odds", timeless_text(&[&odds[..], &["AhAd", "KcKs"]].concat()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_sampling_with_what_it_has_and_counting_with_how_far_it_got() {
    for (args, has_answer) in [
        (&["equity", "random", "random", "random", "--samples", "1000000000000", "--json"][..], true),
        (&["equity", "random", "random", "random", "random", "--exact", "--json"], false),
    ] {
        let child = binary()
            .args(args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // Long enough for the handler to be in place.
        std::thread::sleep(std::time::Duration::from_millis(1_000));
        let mut kill = std::process::Command::new("kill");
        assert!(run_command(kill.args(["-INT", &child.id().to_string()])).code == Some(0));
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{args:?}: {stderr}");
        assert!(stderr.lines().any(|line| line.contains("\"code\":\"interrupted\"")), "{stderr}");
        assert_eq!(stderr.starts_with("note: counting every deal takes"), !has_answer, "{stderr}");
        if has_answer {
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(document["interrupted"], true);
            assert!(document["deals"].as_u64().unwrap() > 0);
        } else {
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn quiet_when_all_is_well() {
    let run = run(&["equity", "AhAd", "KcKs", "--exact"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}
