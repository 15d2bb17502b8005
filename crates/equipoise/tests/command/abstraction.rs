//! `equipoise abstraction`.

use serde_json::json;

use crate::common::{json, run, text};

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
