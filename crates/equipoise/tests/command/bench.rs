//! `equipoise bench`, on the spot that takes milliseconds.

use serde_json::Value;

use crate::common::{interrupted, json, run, text};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_document_has_what_it_promises() {
    let document = json(&["bench", "--quick", "--spot", "river-std", "--threads", "2"]);
    assert_eq!((&document["threads"], &document["quick"]), (&2.into(), &true.into()));
    assert_eq!(
        (&document["interrupted"], &document["algorithm"]),
        (&false.into(), &"dcfr(1.35,0.25,4)".into())
    );
    assert!(number(&document["read_bandwidth_gb_s"]) > 0.1);
    // The turn spot was not asked for.
    assert_eq!(document["scaling"], Value::Array(vec![]));
    let [spot] = &document["spots"].as_array().unwrap()[..] else { panic!("one spot: {document}") };
    assert_eq!((&spot["spot"], &spot["entries"]), (&"river-std".into(), &5369.into()));
    // Two tables of 5,408 numbers of four bytes, padding included: 5/2 of that.
    assert_eq!(spot["bytes_per_iteration"], 5408 * 4 * 5);
    let bandwidth = number(&spot["bytes_per_iteration"]) / number(&spot["iteration_s"]) / 1e9;
    assert!((number(&spot["bandwidth_gb_s"]) / bandwidth - 1.0).abs() < 1e-9);
    assert!(number(&spot["least_iteration_s"]) > 0.0);
    assert!(number(&spot["least_iteration_s"]) <= number(&spot["iteration_s"]));
    assert!(number(&spot["set_up_s"]) > 0.0 && number(&spot["memory_bytes"]) > 5408.0 * 8.0);
    if cfg!(target_os = "linux") {
        assert!(number(&spot["peak_bytes"]) > number(&spot["memory_bytes"]));
    }
    let targets = spot["targets"].as_array().unwrap();
    assert_eq!(targets.iter().map(|target| number(&target["target_pct"])).collect::<Vec<_>>(), [0.5, 0.1]);
    assert!(targets.iter().all(|target| target["converged"] == true && number(&target["elapsed_s"]) > 0.0));
    assert!(number(&targets[0]["iterations"]) < number(&targets[1]["iterations"]));
}

#[test]
fn the_tree_grows_and_people_read_tables() {
    let plain = text(&["bench", "--quick", "--spot", "turn-std"]);
    for word in
        ["per iteration", "to 0.5 %", "to 0.1 %", "set-up", "peak", "turn-std", "GB/s (", "25%, 50%, 100%"]
    {
        assert!(plain.contains(word), "'{word}' in {plain}");
    }
    assert!(plain.lines().all(|line| line.chars().count() <= 120), "{plain}");
    let entries: Vec<u64> = plain
        .lines()
        .filter(|line| line.contains("% ") && line.contains(" ns"))
        .map(|line| {
            let count = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).nth(1).unwrap();
            count.replace(',', "").parse().unwrap()
        })
        .collect();
    assert!(matches!(entries[..], [a, b, c] if a < b && b < c), "{plain}");
}

#[test]
fn bad_input() {
    for (args, word) in [
        (vec!["bench", "--spot", "turn-sdt"], "turn-std"),
        (vec!["bench", "--threads", "0"], "--threads"),
        (vec!["bench", "spot.toml"], "unexpected argument"),
    ] {
        let run = run(&args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{args:?}: {}", run.stderr);
    }
}

/// What was measured before the interruption is printed.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_was_measured() {
    let output = interrupted(&["bench", "--spot", "river-std", "--json"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("\"code\":\"interrupted\""));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["interrupted"], true);
}
