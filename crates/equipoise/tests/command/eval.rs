//! `equipoise eval`.

use crate::common::{json, text};
use serde_json::{Value, json};

#[test]
fn json_has_what_scripts_rely_on() {
    let document = json(&["eval", "As Ks Qs Js Ts 2c 3d"]);
    let want = json!({
        "schema_version": 1,
        "hands": [{
            "cards": "AsKsQsJsTs2c3d",
            "category": "straight_flush",
            "strength": 7461,
            "dense7": 4823,
            "value": 536_875_008,
            "best_five": "AsKsQsJsTs",
            "description": "royal flush",
        }],
        "winners": [0],
    });
    assert_eq!(document, want);
}

#[test]
fn every_category_has_its_name() {
    let hands = [
        ("2c3d5h7s8c", "high_card"),
        ("2c2d5h7s8c", "pair"),
        ("2c2d5h5s8c", "two_pair"),
        ("2c2d2h7s8c", "trips"),
        ("Ac2d3h4s5c", "straight"),
        ("2c3c5c7c8c", "flush"),
        ("2c2d2h8s8c", "full_house"),
        ("2c2d2h2s8c", "quads"),
        ("Ac2c3c4c5c", "straight_flush"),
    ];
    let args: Vec<&str> = ["eval"].into_iter().chain(hands.map(|(hand, _)| hand)).collect();
    let document = json(&args);
    for (hand, (_, category)) in document["hands"].as_array().unwrap().iter().zip(hands) {
        assert_eq!(hand["category"], category);
    }
    assert_eq!(document["winners"], json!([8]));
}

#[test]
fn hands_of_different_sizes_compare_and_split() {
    // Seven cards can always do better than 7-5-4-3-2.
    let document = json(&["eval", "7c5d4h3s2c", "AhKdQc9s8d7h3c", "AhKdQc9s8d"]);
    assert_eq!(document["winners"], json!([1, 2]));
    assert_eq!(document["hands"][0]["dense7"], Value::Null);
    assert_eq!(document["hands"][0]["strength"], 0);
}

#[test]
fn people_read_a_table() {
    let one = text(&["eval", "As Ks Qs Js Ts 2c 3d"]);
    let two = text(&["eval", "AhAdTd9d6h2c2s", "KcKsTd9d6h2c2s"]);
    let split = text(&["eval", "2c2d Td9d6hKcAs", "2h2s Td9d6hKcAs"]);
    insta::assert_snapshot!([one, two, split].join("\n---\n\n"));
}
