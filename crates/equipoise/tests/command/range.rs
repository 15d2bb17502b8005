//! `equipoise range`.

use crate::common::{binary, json, run_command, text};

#[test]
fn json_has_what_scripts_rely_on() {
    let document = json(&["range", "TT+,AKs:0.5"]);
    assert_eq!(document["input"], "TT+,AKs:0.5");
    assert_eq!(document["text"], "TT+,AKs:0.5");
    assert_eq!(document["combos"], 34);
    assert_eq!(document["weighted_combos"], 32.0);
    assert!((document["percent"].as_f64().unwrap() - 3200.0 / 1326.0).abs() < 1e-12);
    let weights = document["weights"].as_object().unwrap();
    assert_eq!(weights.len(), 34);
    assert_eq!((&weights["AsKs"], &weights["AsAh"]), (&0.5.into(), &1.0.into()));
    assert!(!weights.contains_key("AsKh"));
}

#[test]
fn the_text_reads_back_as_the_same_range() {
    for range in ["random", "15%", "22+,A2s+,KTs+,98s:0.3,ATo+:0.5,AhKd:0.1", "[25]87s,QQ-TT[/25],QcQd"] {
        let document = json(&["range", range]);
        let again = json(&["range", document["text"].as_str().unwrap()]);
        assert_eq!(again["weights"], document["weights"], "{range}");
    }
}

#[test]
fn removing_everything_leaves_nothing() {
    let document = json(&["range", "AA:0"]);
    assert_eq!((&document["combos"], &document["percent"]), (&0.into(), &0.0.into()));
    assert!(text(&["range", "AA:0"]).contains("0 combos"));
}

#[test]
fn people_read_a_grid() {
    insta::assert_snapshot!(text(&["range", "TT+,99-22:0.25,A2s+,KTs+,T9s+,ATo+,AKo:0.5,AhKd:0.9"]));
}

#[test]
fn colour_can_be_asked_for_and_refused() {
    let coloured = |args: &[&str], env: &[(&str, &str)]| {
        let run = run_command(binary().args(["range", "QQ+"]).args(args).envs(env.iter().copied()));
        assert_eq!(run.code, Some(0));
        run.stdout.contains('\x1b')
    };
    assert!(!coloured(&[], &[]), "a pipe is no terminal");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(
        coloured(&["--color", "always"], &[("NO_COLOR", "1")]),
        "an option is stronger than the environment"
    );
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--json"], &[("CLICOLOR_FORCE", "1")]), "machines read no colour");
}

#[test]
fn the_coloured_grid_names_every_class() {
    let grid = text(&["range", "QQ+,AKs:0.5", "--color", "always"]);
    insta::assert_snapshot!(grid.replace('\x1b', "␛").lines().take(2).collect::<Vec<_>>().join("\n"));
}
