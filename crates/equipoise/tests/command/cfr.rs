//! `equipoise cfr`.

use std::fs;

use crate::common::{interrupted, json, run, text};
use crate::solve::file;

#[test]
fn known_numbers() {
    let document = json(&[
        "cfr",
        "leduc",
        "--algorithm",
        "CFR",
        "--algorithm",
        "dcfr(1.5,0,2)",
        "--algorithm",
        "apcfr+",
        "--iterations",
        "50",
    ]);
    let runs = document["runs"].as_array().unwrap();
    // REFERENCE numbers on which two independent programs agree, at 10, 20 and 50 iterations.
    let known = [
        [8.885_789_8e-1, 4.531_456_5e-1, 1.890_834_7e-1],
        [7.788_020_5e-1, 1.667_968_2e-1, 2.292_183_2e-2],
        [5.477_205_6e-1, 1.379_963_7e-1, 3.286_386_9e-2],
    ];
    for (run, known) in runs.iter().zip(known) {
        let points = run["points"].as_array().unwrap();
        let iterations: Vec<u64> = points.iter().map(|point| point["iteration"].as_u64().unwrap()).collect();
        assert_eq!(iterations, [1, 2, 5, 10, 20, 50]);
        for (point, known) in points[3..].iter().zip(known) {
            let found = point["exploitability"].as_f64().unwrap();
            assert!((found / known - 1.0).abs() < 1e-5, "{}: {found} {known}", run["algorithm"]);
        }
    }
    assert_eq!(runs[1]["algorithm"], "dcfr(1.5,0,2)");
    assert!(runs[0]["points"][0]["asymmetry"].is_null());
    let asymmetry = &runs[2]["points"][5]["asymmetry"];
    let number = |key: &str| asymmetry[key].as_f64().unwrap();
    assert!(number("min") <= number("mean") && number("mean") <= number("max") && number("max") <= 5.0);
    assert!(number("instant_norm") > 0.0 && number("regret_norm") > 0.0);
}

#[test]
fn people_read_a_table_and_files_are_whole() {
    let (csv, svg) = (file("cfr.csv", "old,table\n"), file("cfr.svg", "<svg>old</svg>"));
    let args = [
        "cfr",
        "kuhn",
        "--algorithm",
        "apdcfr+",
        "--algorithm",
        "cfr+",
        "--iterations",
        "100",
        "--csv",
        &csv,
        "--plot",
        &svg,
    ];
    let plain = text(&args);
    for word in [
        "exploitability on kuhn, in antes",
        "asymmetry of apdcfr+",
        "α mean",
        "‖Δr‖",
        "-0.055556 in equilibrium",
    ] {
        assert!(plain.contains(word), "'{word}' in {plain}");
    }
    let rows = fs::read_to_string(&csv).unwrap();
    assert!(rows.starts_with("algorithm,iteration,exploitability,"));
    assert_eq!(rows.lines().count(), 1 + 2 * 7);
    let picture = fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("<polyline ").count(), 2);
    for word in ["iterations", "exploitability (antes)", "apdcfr+", "cfr+"] {
        assert!(picture.contains(word), "'{word}' in {picture}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
}

#[test]
fn bad_input() {
    for (args, word) in [
        (vec!["cfr"], "<GAME>"),
        (vec!["cfr", "chess"], "kuhn, leduc"),
        (vec!["cfr", "kuhn", "--algorithm", "dcrf"], "did you mean 'dcfr'?"),
        (vec!["cfr", "kuhn", "--iterations", "0"], "--iterations"),
        (vec!["cfr", "kuhn", "--iterations", "-1"], "-1 is not in 1.."),
        (vec!["cfr", "kuhn", "--plot", "x.png"], "ends in .svg"),
        (vec!["abstraction", "features", "Td9d6h", "AhKh", "--plot", "x.png"], "ends in .svg"),
        (vec!["cfr", "kuhn", "--csv", "runs", "--plot", "runs"], "the same file"),
    ] {
        let run = run(&args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{args:?}: {}", run.stderr);
    }
    let unwritable = run(&["cfr", "kuhn", "--csv", "no/such/folder/x.csv"]);
    assert_eq!((unwritable.code, unwritable.stdout.as_str()), (Some(1), ""), "{}", unwritable.stderr);
}

/// The algorithms whose turn did not come are named.
#[cfg(unix)]
#[test]
fn ctrl_c_says_what_was_not_run() {
    let algorithms = ["--algorithm", "dcfr", "--algorithm", "cfr+", "--algorithm", "lcfr"];
    let output = interrupted(&[&["cfr", "leduc", "--iterations", "10000000"], &algorithms[..]].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("not run: cfr+(gamma=1), lcfr"), "{stderr}");
}
