//! `equipoise abstraction`.

use std::fs;

use std::path::Path;

use equipoise::abstraction::{AbstractionConfig, CardAbstraction, Method, StreetBuckets, StreetConfig};
use equipoise::cards::Street;
use serde_json::json;

use crate::common::{json, run, said, text};
use crate::solve::{RIVER, file};

#[test]
fn json_has_what_scripts_rely_on() {
    let document = json(&["abstraction", "features", "3h4cJh", "AdQc"]);
    assert_eq!(
        document["cells"],
        json!([[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]])
    );
    for (key, known) in [("hs", 0.585106), ("ppot", 0.208324), ("npot", 0.273693), ("equity", 0.511399)] {
        assert!((document[key].as_f64().unwrap() - known).abs() < 1e-6, "{key}");
    }
    assert_eq!((&document["street"], &document["combo"]), (&json!("flop"), &json!("AdQc")));
    let bins = document["histogram"].as_array().unwrap();
    assert_eq!((bins.len(), bins.iter().map(|bin| bin.as_u64().unwrap()).sum::<u64>()), (50, 1081));
    assert_eq!(document["runouts"], 1081);
    assert_eq!(document["ochs"].as_array().unwrap().len(), 8);
    assert_eq!(document["clusters"][7], "88+");
    // The same hand in other suits is the same document but for the cards.
    let other = json(&["abstraction", "features", "4h3sJs", "AdQh"]);
    for key in ["equity", "equity_sq", "cells", "histogram", "ochs", "canonical_index"] {
        assert_eq!(document[key], other[key], "{key}");
    }
}

#[test]
fn before_the_flop_there_is_no_hand_to_compare() {
    let document = json(&["abstraction", "features", "", "AhAd"]);
    assert!((document["equity"].as_f64().unwrap() - 0.852037).abs() < 1e-6);
    assert!((document["equity_sq"].as_f64().unwrap() - 0.737211).abs() < 1e-6);
    for key in ["hs", "ppot", "npot", "cells"] {
        assert!(document[key].is_null(), "{key}");
    }
}

#[test]
fn people_read_a_table() {
    insta::assert_snapshot!(text(&["abstraction", "features", "Td9d6h Qc", "AhKh"]));
}

#[test]
fn bad_input() {
    for (args, words) in [
        (["Td9d", "AhKh"], ["board: Td9d", "0, 3, 4 or 5"]),
        (["Td9d6x", "AhKh"], ["board: Td9d6x", "'x'"]),
        (["Td9d6h", "Ah"], ["combo: Ah", "AhKh"]),
        (["Td9d6h", "AhKhQh"], ["combo: AhKhQh", "AhKh"]),
        (["Td9d6h", "6hAh"], ["combo: 6hAh", "6h"]),
    ] {
        let run = run(&["abstraction", "features", args[0], args[1], "--json"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{args:?} should say '{word}': {}", run.stderr);
        }
    }
}

#[test]
fn a_build_says_first_what_it_takes() {
    let config = file("buckets.toml", "preset = \"seed\"\n[turn]\nmethod = \"nested\"\nbuckets = 900\n");
    let folder = format!("{}/no-buckets", env!("CARGO_TARGET_TMPDIR"));
    let plan = text(&["abstraction", "build", &config, "-o", &folder, "--dry-run", "--threads", "2"]);
    for word in ["time", "memory", "disk", "percentile", "nested", "20,000", "900", "123,156,254"] {
        assert!(plan.contains(word), "'{word}' in {plan}");
    }
    assert!(!fs::exists(&folder).unwrap(), "a dry run makes nothing");
}

#[test]
fn configurations_that_make_no_sense() {
    for (toml, words) in [
        ("[flop]\nmethod = \"emb\"", ["[flop]", "'emb' is no method"]),
        ("[river]\nmethod = \"emd\"", ["river", "use ochs"]),
        ("[river]\nmethod = \"potential\"", ["river", "no street follows"]),
        ("[preflop]\nmethod = \"potential\"", ["[preflop]", "169 classes"]),
        ("[river]\nbuckets = 0", ["river", "at least one"]),
        ("[river]\nbuckets = 70000", ["line 2", "70000"]),
        ("bucket = 5", ["line 1", "bucket"]),
        ("preset = \"best\"", ["'best'", "seed"]),
        ("schema_version = 2", ["schema_version 2", "= 1"]),
        ("samples_per_street = 0", ["samples", "at least one"]),
    ] {
        let config = file("bad-buckets.toml", toml);
        let run = run(&["abstraction", "build", &config, "-o", "x", "--dry-run"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{toml}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{toml} should say '{word}': {}", run.stderr);
        }
    }
}

#[test]
fn folders_without_buckets_are_bad_input() {
    let foreign = format!("{}/foreign-buckets", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&foreign).unwrap();
    fs::write(format!("{foreign}/flop.buckets"), "not buckets ".repeat(100)).unwrap();
    for (folder, word) in [("no/such/folder", "cannot read"), (foreign.as_str(), "another kind of file")] {
        for args in [
            vec!["bucket", folder, "Td9d6h", "AhKh"],
            vec!["inspect", folder, "--json"],
            vec!["inspect", folder, "--street", "river", "--bucket", "17"],
            vec!["compare", folder, folder, "--json"],
        ] {
            let run = run(&[&["abstraction"], &args[..]].concat());
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
            assert!(
                said(&run.stderr).contains(word) && said(&run.stderr).contains("flop.buckets"),
                "{}",
                run.stderr
            );
        }
    }
    for args in [
        vec!["inspect", "x", "--bucket", "17"],
        vec!["inspect", "x", "--street", "preflop"],
        vec!["compare", "x"],
    ] {
        let run = run(&[&["abstraction"], &args[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
    }
    let built = run(&["abstraction", "build", "-o", &foreign]);
    assert_eq!(built.code, Some(2), "a foreign file is not written over: {}", built.stderr);
}

#[test]
fn a_hand_is_drawn_with_labels_and_its_mean() {
    let svg = file("hand.svg", "<svg>old</svg>");
    let args = ["abstraction", "features", "Td9d6h", "AhKh"];
    assert_eq!(text(&args), text(&[&args[..], &["--plot", &svg]].concat()));
    let picture = fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    for word in
        ["AhKh on Td9d6h (flop)", "1,081 runouts", "mean = equity 50.911 %", "part of the runouts", "100 %"]
    {
        assert!(picture.contains(word), "'{word}' in {picture}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    let unwritable = run(&[&args[..], &["--plot", "no/such/folder/x.svg"]].concat());
    assert_eq!((unwritable.code, unwritable.stdout.as_str()), (Some(1), ""), "{}", unwritable.stderr);
}

/// A folder with buckets of the river alone, which is enough for a river spot.
#[test]
fn what_buckets_lose_is_measured() {
    let folder = format!("{}/river-buckets", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).unwrap();
    let config = AbstractionConfig {
        river: StreetConfig { method: Method::Percentile, buckets: 40 },
        samples_per_street: Some(3_000),
        ..AbstractionConfig::default()
    };
    let buckets = StreetBuckets::build(Street::River, &config, &mut ()).unwrap();
    buckets.save(&CardAbstraction::file(Path::new(&folder), Street::River)).unwrap();

    let river = file("evaluate.toml", RIVER);
    let args = ["abstraction", "evaluate", &folder, "--spot", &river, "--iterations", "60"];
    let document = json(&args);
    let number = |pointer: &str| document.pointer(pointer).unwrap().as_f64().unwrap();
    let (chips, pct) = (number("/exploitability/chips"), number("/exploitability/pct_pot"));
    assert!((chips / 2.0 - pct).abs() < 1e-9 && pct > 0.3, "{pct}");
    assert!(number("/exact/exploitability/pct_pot") < pct / 2.0);
    let gains = (number("/players/oop/gain") + number("/players/ip/gain")) / 2.0;
    assert!((gains - chips).abs() < 1e-9);
    assert!((number("/players/oop/ev") + number("/players/ip/ev") - 200.0).abs() < 1e-9);
    assert_eq!((&document["iterations"], &document["stop_reason"]), (&json!(60), &json!("max_iterations")));
    assert_eq!(document["checks"].as_array().unwrap().last().unwrap()["iteration"], 60);
    let street = &document["streets"][0];
    assert_eq!((&street["street"], &street["method"]), (&json!("river"), &json!("percentile")));
    assert!(street["met_by_oop"].as_u64().unwrap() < 40);
    let stopped = json(&[&args[..], &["--target", "50"]].concat());
    assert_eq!((&stopped["iterations"], &stopped["stop_reason"]), (&json!(10), &json!("converged")));
    let shown = text(&args);
    for word in ["Td9d6hQc2h (river)", "chips = ", "% of pot", "percentile", "best response"] {
        assert!(shown.contains(word), "'{word}' in {shown}");
    }
    spots_without_an_answer(&folder);
}

fn spots_without_an_answer(folder: &str) {
    let cut = |name: &str, lines: &[&str]| {
        let kept = RIVER.lines().filter(|line| !lines.iter().any(|cut| line.starts_with(cut)));
        file(name, &kept.collect::<Vec<&str>>().join("\n"))
    };
    let lock = "\n[[locks]]\nstrategy = { check = 1.0 }\n";
    for (spot, words) in [
        (cut("evaluate-turn.toml", &["river ="]), ["turn.buckets", "equipoise abstraction build"]),
        (cut("evaluate-flop.toml", &["turn =", "river ="]), ["flop.buckets", "equipoise abstraction build"]),
        (file("evaluate-lock.toml", &format!("{RIVER}{lock}")), ["locked decisions", "take the locks out"]),
        (file("evaluate-bad.toml", "[ranges]\noop = \"AA\"\n"), ["[cards]", "`flop`"]),
    ] {
        let run = run(&["abstraction", "evaluate", folder, "--spot", &spot, "--json"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{spot}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{spot} should say '{word}': {}", run.stderr);
        }
    }
    for args in [vec![], vec![folder, "--target", "-1"], vec![folder, "--iterations", "0"]] {
        let run = run(&[&["abstraction", "evaluate"], &args[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
    }
}
