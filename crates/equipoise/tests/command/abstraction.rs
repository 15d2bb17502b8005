//! `equipoise abstraction`.

use std::fs;

use serde_json::json;

use crate::common::{json, run, text};
use crate::solve::file;

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
            assert!(run.stderr.contains(word), "{args:?} should say '{word}': {}", run.stderr);
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
            assert!(run.stderr.contains(word), "{toml} should say '{word}': {}", run.stderr);
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
            assert!(run.stderr.contains(word) && run.stderr.contains("flop.buckets"), "{}", run.stderr);
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
