//! `equipoise pot-odds` without players; with players it is tested with the equities.

use crate::common::{json, text};
use serde_json::json;

#[test]
fn json_has_what_scripts_rely_on() {
    let document = json(&["pot-odds", "--pot", "150", "--call", "50"]);
    assert_eq!(document, json!({"schema_version": 1, "pot": 150.0, "call": 50.0, "required_equity": 0.25}));
}

#[test]
fn people_read_a_sentence() {
    insta::assert_snapshot!(text(&["pot-odds", "--pot", "150", "--call", "50"]));
    insta::assert_snapshot!(text(&["pot-odds", "--pot", "2.5", "--call", "0.5"]));
}
