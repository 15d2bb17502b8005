//! Bad input gives exit code 2 and a message on standard error that names the place.

use crate::common::{binary, run, run_command, said};

/// Runs with and without `--json`: both times nothing on standard output and these words on standard error.
fn refuses(args: &[&str], words: &[&str]) {
    for args in [args.to_vec(), [args, &["--json"]].concat()] {
        let run = run(&args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{args:?} should say '{word}': {}", run.stderr);
        }
        assert!(!run.stderr.contains("panicked"), "{args:?}: {}", run.stderr);
    }
}

/// The line with the mark is the last one; this is the text from the mark on.
fn marked<'a>(stderr: &'a str, place: &str) -> &'a str {
    let lines: Vec<&str> = stderr.lines().collect();
    let at = lines.iter().position(|line| line.trim() == "^").expect("a mark");
    assert!(lines[at - 1].trim_start().starts_with(place), "{stderr}");
    let column = lines[at].find('^').unwrap();
    &lines[at - 1][column..]
}

#[test]
fn cards_and_ranges_that_cannot_be_read() {
    for (text, from_mark, word) in [
        ("AhXd", "Xd", "'X'"),
        ("AhKx", "x", "'x'"),
        ("AXs", "Xs", "'X'"),
        ("AhAh", "Ah", "twice"),
        ("QQ+,AKx", "x", "'x'"),
        ("AKs:1.5", "1.5", "between 0 and 1"),
        ("AKs:-0.5", "-0.5", "-0.5"),
        ("AKs:half", "half", "no number"),
        ("AKs@101", "101", "between 0 and 100"),
        ("A5s-K2s", "A5s-K2s", "A5s-K2s"),
        ("QQ,,AK", ",AK", "','"),
        ("[50]AKs", "[50]AKs", "closed"),
    ] {
        refuses(&["equity", text, "random"], &[word, "player 1: "]);
        refuses(&["equity", "random", text], &[word, "player 2: "]);
        refuses(&["pot-odds", "--pot", "3", "--call", "1", text, "random"], &[word, "player 1: "]);
        assert_eq!(marked(&run(&["equity", text, "random"]).stderr, "player 1: "), from_mark);
    }
    refuses(&["range", "QQ+,AKx"], &["'x'", "range: QQ+,AKx"]);
    refuses(&["range", ""], &["empty"]);
}

#[test]
fn boards_and_dead_cards() {
    for (board, word) in [
        ("2c", "not 1"),
        ("2c2d", "not 2"),
        ("2c2d2h3c3d3h", "not 6"),
        ("2c2d2c", "twice"),
        ("2c2dXx", "unknown rank 'X'"),
        ("2c2d2x", "unknown suit 'x'"),
        ("2c2d2", "no suit"),
    ] {
        refuses(&["equity", "AA", "KK", "--board", board], &[word, &format!("--board: {board}")]);
    }
    refuses(&["equity", "AA", "KK", "--dead", "2cX"], &["unknown rank 'X'", "--dead: 2cX"]);
}

#[test]
fn a_card_in_two_places() {
    let flop = "Td9d6h";
    for (args, words) in [
        (vec!["AhAd", "AhKc"], ["Ah", "with player 1", "with player 2"]),
        (vec!["KK", "Ah", "AhKc"], ["Ah", "with player 2", "with player 3"]),
        (vec!["TdTc", "KK", "--board", flop], ["Td", "with player 1", "on the board"]),
        (vec!["KK", "Jc", "--dead", "Jc"], ["Jc", "with player 2", "among the dead cards"]),
        (vec!["KK", "AA", "--board", flop, "--dead", "6h"], ["6h", "on the board", "among the dead cards"]),
    ] {
        refuses(&[&["equity"], &args[..]].concat(), &words);
    }
}

#[test]
fn players_that_cannot_be_dealt() {
    refuses(&["equity"], &["<PLAYER>"]);
    refuses(&["equity", "AhAd"], &["1 player", "random"]);
    refuses(&[&["equity"], &["random"; 24][..]].concat(), &["24 player"]);
    // 23 players, the board and two dead cards are 53 cards.
    refuses(&[&["equity"], &["random"; 23][..], &["--dead", "2c2d"]].concat(), &["53 cards"]);
    refuses(&["equity", "KK", "AA", "--dead", "AcAdAh"], &["player 2", "no combo left"]);
    refuses(&["equity", "KK", "AsKs,AsQs", "--board", "As9d6h"], &["player 2: AsKs,AsQs"]);
    refuses(&["equity", "AA:0", "KK"], &["player 1", "no combo left"]);
    refuses(&["equity", "AA", "AA", "AA"], &["shares a card"]);
}

#[test]
fn options_that_make_no_sense() {
    let players = ["equity", "AA", "KK"];
    for (options, word) in [
        (vec!["--samples", "0"], "--samples"),
        (vec!["--samples", "-5"], "-5"),
        (vec!["--samples", "many"], "many"),
        (vec!["--exact", "--samples", "5"], "cannot be used with"),
        (vec!["--exact", "--std-error", "0.1"], "cannot be used with"),
        (vec!["--exact", "--monte-carlo"], "cannot be used with"),
        (vec!["--samples", "5", "--std-error", "0.1"], "cannot be used with"),
        (vec!["--std-error", "0"], "above 0 and below 1"),
        (vec!["--std-error", "-0.1"], "above 0 and below 1"),
        (vec!["--std-error", "1"], "above 0 and below 1"),
        (vec!["--std-error", "nan"], "above 0 and below 1"),
        (vec!["--std-error", "small"], "above 0 and below 1"),
        (vec!["--threads", "0"], "--threads"),
        (vec!["--threads", "1025"], "--threads"),
        (vec!["--seed", "x"], "--seed"),
        (vec!["--by", "suit"], "--by"),
        (vec!["--color", "pink"], "--color"),
        (vec!["--odds"], "--odds"),
    ] {
        refuses(&[&players[..], &options[..]].concat(), &[word]);
    }
}

#[test]
fn hands_of_the_wrong_size() {
    refuses(&["eval"], &["<HAND>"]);
    refuses(&["eval", "AsKsQsJs"], &["4 card(s)", "hand 1: AsKsQsJs"]);
    refuses(&["eval", "AsKsQsJsTs", "2c3c4c5c6c7c8c9c"], &["8 card(s)", "hand 2"]);
    refuses(&["eval", "As", "Ks", "Qs", "Js", "Ts"], &["1 card(s)", "one argument"]);
    refuses(&["eval", "As Ks Qs Js Ts As"], &["As", "twice", "hand 1"]);
    refuses(&["eval", "As Ks Qs Js Tx"], &["unknown suit 'x'", "hand 1"]);
}

#[test]
fn amounts_that_make_no_sense() {
    let odds = |pot, call| vec!["pot-odds", "--pot", pot, "--call", call];
    for (pot, call, word) in [
        ("-1", "50", "pot of -1"),
        ("inf", "50", "pot of inf"),
        ("150", "0", "call of 0"),
        ("150", "-50", "call of -50"),
        ("150", "nan", "call of NaN"),
        ("much", "50", "much"),
        ("1e308", "1e308", "too many to count"),
    ] {
        refuses(&odds(pot, call), &[word]);
    }
    refuses(&["pot-odds", "--pot", "150"], &["--call"]);
    refuses(&[&odds("150", "50")[..], &["AhAd"]].concat(), &["1 player"]);
    refuses(&[&odds("150", "50")[..], &["--board", "Td9d6h"]].concat(), &["<PLAYER>"]);
}

#[cfg(unix)]
#[test]
fn text_that_is_no_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let run = run_command(binary().arg("range").arg(OsStr::from_bytes(b"AA\xff")));
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("UTF-8"), "{}", run.stderr);
}

#[test]
fn a_kernel_that_is_not_there() {
    for name in ["sse2", "Portable"] {
        let run = run_command(binary().args(["eval", "AhAdTd9d6h"]).env("EQUIPOISE_KERNEL", name));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        for word in [name, "EQUIPOISE_KERNEL", "auto, portable, avx2, avx512"] {
            assert!(said(&run.stderr).contains(word), "'{word}': {}", run.stderr);
        }
    }
    for name in ["", "auto", "portable", "avx2", "avx512"] {
        let run = run_command(binary().args(["eval", "AhAdTd9d6h"]).env("EQUIPOISE_KERNEL", name));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "'{name}'");
    }
}
