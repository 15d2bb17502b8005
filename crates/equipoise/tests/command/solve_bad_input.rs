//! Spots that cannot be: exit code 2, the place and what to do, never a panic.

use crate::common::{run, said};
use crate::solve::{RIVER, file};

/// Solves the river spot after a change and expects these words on standard error.
fn refuses(name: &str, from: &str, to: &str, words: &[&str]) {
    assert!(RIVER.contains(from), "{from}");
    let path = file(&format!("bad-{name}.toml"), &RIVER.replacen(from, to, 1));
    for more in [&[][..], &["--json"], &["--dry-run"]] {
        let run = run(&[&["solve", &path], more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{name} {more:?}: {}", run.stderr);
        for word in words {
            assert!(said(&run.stderr).contains(word), "{name} should say '{word}': {}", run.stderr);
        }
        assert!(!run.stderr.contains("panicked"), "{name}: {}", run.stderr);
    }
}

#[test]
fn keys_that_are_unknown_or_not_supported() {
    refuses(
        "key",
        "starting_pot",
        "startingpot",
        &["[tree] ", "unknown key", "line 12", "did you mean `starting_pot`?"],
    );
    refuses("section", "[cards]", "[card]", &["did you mean `cards`?", "line 6"]);
    refuses("moved", "starting_pot", "quantization = \"16bit\"\nstarting_pot", &["belongs in [solver]"]);
    refuses("nonsense", "starting_pot", "zzz = 1\nstarting_pot", &["known here: big_blind, starting_pot"]);
    refuses("menu", "ip_raise", "ip_donk", &["[bet_sizes.river]", "ip_donk"]);
    for key in ["regret_bits", "strategy_bits"] {
        refuses(
            key,
            "[solver]",
            &format!(
                "[solver]
{key} = 12"
            ),
            &[key, "12 bits", "32, 16, 8 or 4"],
        );
    }
    refuses(
        "log",
        "[solver]",
        "[solver]
log_encoding = true",
        &["log_encoding", "8 and 4 bits", "8bit"],
    );
    let with = |key: &str| {
        format!(
            "[solver]
lazy_normalization = {key}"
        )
    };
    refuses("lazy", "[solver]", &with("10"), &["lazy_normalization"]);
    refuses(
        "never",
        "[solver]",
        &with(
            "true
lazy_normalization_freq = 0",
        ),
        &["1 or more"],
    );
    refuses(
        "freq",
        "[solver]",
        "[solver]
lazy_normalization_freq = 5",
        &["means nothing", "lazy_normalization = true"],
    );
    refuses(
        "5bit",
        "[solver]",
        "[solver]
quantization = \"none\"",
        &["'none'", "32bit, 16bit, 8bit, 4bit"],
    );
    refuses("bits", "[solver]", "[solver]\nquantization = \"16bits\"", &["did you mean '16bit'?"]);
    refuses("no-bit", "[solver]", "[solver]\nquantization = \"16\"", &["did you mean '16bit'?"]);
    refuses(
        "2bit",
        "[solver]",
        "[solver]\nquantization = \"2bit\"",
        &["write one of 32bit, 16bit, 8bit, 4bit"],
    );
}

#[test]
fn values_of_the_wrong_kind() {
    refuses("syntax", "starting_pot = 200", "starting_pot = = 200", &["line 12"]);
    refuses("type", "= 200", "= \"much\"", &["[tree] starting_pot: ", "expected a number", "line 12"]);
    refuses(
        "list",
        "[bet_sizes.river]",
        "[bet_sizes]\nturn = [\"60%\"]\n[bet_sizes.river]",
        &["must be a table"],
    );
    refuses("date", "= 200", "= 1979-05-27", &["[tree] starting_pot", "table or date", "line 12"]);
    refuses("no-locks", "[ranges]", "locks = 3\n[ranges]", &["expected a list"]);
    refuses("bool", "[solver]", "[solver]\nisomorphism = 1", &["expected true or false"]);
    refuses("version", "[ranges]", "schema_version = 2\n[ranges]", &["schema_version: 2", "reads 1"]);
    refuses("count", "[solver]", "[solver]\nmax_iterations = -5", &["a whole number from 1 to 4294967295"]);
    refuses("bits-of", "[solver]", "[solver]\nregret_bits = -4", &["expected 32, 16, 8 or 4"]);
    refuses("hands", "[solver]", "[[locks]]\nstrategy = 3\n[solver]", &["expected a table"]);
    refuses("none", "[solver]", "[solver]\nmax_iterations = 0", &["max_iterations", "1 or more"]);
    refuses("target", "= 0.1", "= -1", &["target_exploitability_pct", "0 or more"]);
    refuses("nan-target", "= 0.1", "= nan", &["target_exploitability_pct"]);
}

#[test]
fn ranges_and_cards() {
    refuses("range", "66+,A8s+", "66+,AXs", &["[ranges] oop", "'X'", "line 3"]);
    refuses(
        "no-range",
        "ip = ",
        "# ip = ",
        &["[ranges] has no `ip`", "line 2: [ranges]", "add under [ranges]: ip ="],
    );
    refuses(
        "blocked",
        "\"QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+\"",
        "\"TdTh,9d9s\"",
        &["[ranges] ip", "no combo", "help"],
    );
    refuses("empty", "\"QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+\"", "\"\"", &["[ranges] ip"]);
    refuses("twice", "river = \"2h\"", "river = \"Td\"", &["[cards] river", "Td", "twice", "line 9"]);
    refuses("twice-flop", "Td9d6h", "TdTd6h", &["[cards] flop", "Td"]);
    refuses("no-turn", "turn = ", "# turn = ", &["river but no turn", "line 9", "turn = \"Qc\""]);
    // The turn that is suggested is a card that is not there yet.
    refuses(
        "no-turn-qc",
        "turn = \"Qc\"\nriver = \"2h\"",
        "river = \"Qc\"",
        &["river but no turn", "turn = \"7s\""],
    );
    refuses("no-flop", "flop = ", "# flop = ", &["[cards] has no `flop`"]);
    refuses("short-flop", "Td9d6h", "Td9d", &["the flop is 3 cards, not 2"]);
    refuses("long-turn", "\"Qc\"", "\"QcQd\"", &["the turn is 1 card, not 2"]);
    refuses("no-card", "\"Qc\"", "\"Qx\"", &["[cards] turn", "'x'"]);
}

#[test]
fn numbers() {
    refuses("zero-pot", "= 200", "= 0", &["[tree] starting_pot", "pot is 0"]);
    refuses("negative-pot", "= 200", "= -200", &["[tree] starting_pot", "less than none"]);
    refuses("nan-pot", "= 200", "= nan", &["[tree] starting_pot"]);
    refuses("inf-stack", "= 900", "= inf", &["[tree] effective_stack"]);
    refuses("half-chip", "= 900", "= 0.5", &["[tree] effective_stack", "not whole"]);
    refuses("rich", "= 200", "= 1000000001", &["[tree] starting_pot", "too many"]);
    let most = "chips are too many: the most is 1000000000";
    refuses(
        "richer",
        "= 200",
        "= 9999999999999999999999",
        &["[tree] starting_pot: 9999999999999999999999 ", most],
    );
    let line = "add_lines = [\"bet:99999999999999999999\"]\nstarting_pot";
    refuses("rich-line", "starting_pot", line, &["add_lines", "100000000000000000000 ", most]);
    refuses("no-pot", "starting_pot", "# starting_pot", &["[tree] has no `starting_pot`"]);
    for (name, key, value) in [
        ("rake", "rake_rate", "1.5"),
        ("nan-rake", "rake_rate", "nan"),
        ("cap", "rake_cap", "-1"),
        ("add", "add_allin_threshold", "-1"),
        ("force", "force_allin_threshold", "nan"),
        ("merge", "merging_threshold", "inf"),
    ] {
        refuses(
            name,
            "starting_pot",
            &format!("{key} = {value}\nstarting_pot"),
            &[&format!("[tree] {key}"), "line 12"],
        );
    }
    // The place is said once.
    let merging = "merging_threshold = -1\nstarting_pot";
    refuses("merging", "starting_pot", merging, &["[tree] merging_threshold: -1 must be 0 or more"]);
}

#[test]
fn sizes_and_lines() {
    refuses("size", "60%, e, a", "60%, e, z", &["[bet_sizes.river] oop_bet", "'z'"]);
    refuses("unit", "2.5x", "2.5y", &["[bet_sizes.river] oop_raise", "'2.5y'"]);
    refuses("raise", "60%, e, a", "2.5x", &["[bet_sizes.river] oop_bet: '2.5x' is for raises only"]);
    refuses(
        "preset",
        "starting_pot",
        "preset = \"large\"\nstarting_pot",
        &["[tree] preset", "simple, standard or wide"],
    );
    refuses(
        "line",
        "starting_pot",
        "remove_lines = [\"check\", \"chek\"]\nstarting_pot",
        &["remove_lines", "chek"],
    );
    refuses(
        "unfit",
        "starting_pot",
        "remove_lines = [\"check fold\"]\nstarting_pot",
        &["remove_lines", "not possible"],
    );
    let lines: Vec<String> = (100..170).map(|chips| format!("\"bet:{chips}\"")).collect();
    refuses(
        "actions",
        "starting_pot",
        &format!("add_lines = [{}]\nstarting_pot", lines.join(", ")),
        &["[tree] add_lines", "decision after '' on the river has 7", "the most is 64", "line 12"],
    );
    let many: Vec<String> = (1..=40).map(|i| format!("{}%", i * 40)).collect();
    refuses(
        "many",
        "oop_bet = \"60%, e, a\"",
        &format!("oop_bet = \"{}\"", many.join(",")),
        &["[bet_sizes.river] oop_bet: has 40 sizes"],
    );
}

#[test]
fn algorithms() {
    refuses(
        "name",
        "[solver]",
        "[solver]\nalgorithm = \"dcrf\"",
        &["[solver] algorithm", "did you mean 'dcfr'?"],
    );
    refuses(
        "foreign",
        "[solver]",
        "[solver]\nalgorithm = \"cfr\"\nalpha = 1",
        &["[solver] alpha", "no parameter"],
    );
    refuses("range-of", "[solver]", "[solver]\ngamma = nan", &["[solver] gamma"]);
    refuses(
        "mode",
        "[solver]",
        "[solver]\nalgorithm=\"apcfr+\"\nasymmetry_mode = \"maybe\"",
        &[
            "asymmetry_mode",
            "'maybe' is no asymmetry mode: write auto or fixed",
            "`asymmetry_alpha` with fixed",
        ],
    );
    for (name, mode, words) in [
        ("mode-5", "auto 5", "asymmetry_mode = \"auto\", alpha_max = 5"),
        ("mode-2", "fixed 2", "asymmetry_mode = \"fixed\", asymmetry_alpha = 2"),
        ("mode-near", "fixd", "did you mean 'fixed'?"),
    ] {
        let text = format!("[solver]\nalgorithm=\"apcfr+\"\nasymmetry_mode = \"{mode}\"");
        refuses(name, "[solver]", &text, &["write auto or fixed", words]);
    }
    refuses(
        "cap",
        "[solver]",
        "[solver]\nalgorithm=\"apcfr+\"\nasymmetry_mode=\"fixed\"\nalpha_max=3",
        &["alpha_max"],
    );
}

#[test]
fn locks() {
    let lock = |body: &str| format!("[[locks]]\n{body}\n[solver]");
    for (name, body, words) in [
        ("lock-line", "line = \"jump\"", vec!["[locks.0] line", "jump"]),
        ("lock-path", "line = \"fold\"\nstrategy = { check = 1 }", vec!["[locks.0] line", "not possible"]),
        ("lock-end", "line = \"check check\"\nstrategy = { check = 1 }", vec!["nobody acts"]),
        ("lock-empty", "line = \"\"", vec!["says nothing"]),
        (
            "lock-not-held",
            "hands = { 72o = { check = 1 } }",
            vec!["[locks.0.hands] 72o: none of its combos is in the range of oop on the board Td9d6hQc2h"],
        ),
        (
            "lock-blocked",
            "hands = { TdTh = { check = 1 } }",
            vec!["[locks.0.hands] TdTh: none of its combos"],
        ),
        (
            "lock-three-rivals",
            "hands = { \"AKs,JJ\" = { check = 1 }, \"AKs,KK\" = { \"bet:120\" = 1 }, \"AKs,QQ\" = { \"bet:120\" = 1 } }",
            vec!["'AKs,JJ' and 'AKs,QQ' are equally wide and give", "AcKc"],
        ),
        (
            "lock-rivals",
            "hands = { \"AKs,QQ\" = { check = 1 }, \"AKs,JJ\" = { \"bet:120\" = 1 } }",
            vec!["'AKs,JJ' and 'AKs,QQ' are equally wide and give", "AcKc", "a key of their own"],
        ),
        (
            "lock-action",
            "strategy = { \"bet:7\" = 1 }",
            vec!["'bet:7' is not possible", "check, bet:120, allin"],
        ),
        ("lock-sum", "strategy = { check = 0.5 }", vec!["sum to 0.5"]),
        ("lock-sum-of", "strategy = { check = 0.3, allin = 0.6 }", vec!["sum to 0.9: "]),
        ("lock-negative", "strategy = { check = -1, allin = 2 }", vec!["not within 0 to 1"]),
        ("lock-hand", "hands = { AXs = { check = 1 } }", vec!["'X'"]),
        ("lock-dot", "hands = { \"AKs:0.x\" = { check = 1 } }", vec!["[locks.0.hands] \"AKs:0.x\": "]),
        ("lock-weight", "hands = { \"AKs:0.5\" = { check = 1 } }", vec!["has a weight"]),
        (
            "lock-card",
            "runout = \"2c\"\nstrategy = { check = 1 }",
            vec![
                "[locks.0] runout: the beginning needs no card: it comes before any is dealt",
                "remove `runout`",
            ],
        ),
        ("lock-key", "lines = \"\"", vec!["did you mean `line`?"]),
        ("lock-twice", "strategy = { check = 1 }\n[[locks]]\nstrategy = { allin = 1 }", vec!["locked twice"]),
    ] {
        refuses(name, "[solver]", &lock(body), &words);
    }
    refuses(
        "lock-header",
        "[solver]",
        "[locks]\nline = \"\"\nstrategy = { check = 1 }\n[solver]",
        &["[locks] must be a list of tables", "write [[locks]] in place of [locks]"],
    );
}

/// A lock holds if some of its hands are there, and hands that two keys have may have a key of their own.
#[test]
fn locks_that_hold() {
    for (name, hands) in [
        ("some", "TT = { check = 1 }"),
        ("alike", "\"AKs,QQ\" = { check = 1 }, \"AKs,JJ\" = { check = 1 }"),
        ("own", "\"AKs,QQ\" = { check = 1 }, \"AKs,JJ\" = { \"bet:120\" = 1 }, AKs = { allin = 1 }"),
    ] {
        let text = RIVER.replace("[solver]", &format!("[[locks]]\nhands = {{ {hands} }}\n[solver]"));
        let run = run(&["solve", &file(&format!("lock-{name}.toml"), &text), "--dry-run"]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    }
}

#[test]
fn runouts_of_locks() {
    let turn = RIVER.replace("river = \"2h\"\n", "").replace("[bet_sizes.river]", "[bet_sizes.turn]");
    for (runout, words) in [
        ("2h3h", "runout: 'check check |' needs 1 card, not 2"),
        ("Td", "runout: Td is on the board already"),
    ] {
        let lock =
            format!("[[locks]]\nline = \"check check |\"\nrunout = \"{runout}\"\nstrategy = {{ check = 1 }}");
        let path =
            file(&format!("runout-{runout}.toml"), &turn.replace("[solver]", &format!("{lock}\n[solver]")));
        let run = run(&["solve", &path, "--dry-run"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
}

#[test]
fn files_and_options() {
    for (args, word) in [
        (vec!["no-such.toml"], "no-such.toml"),
        (vec!["."], "cannot read"),
        (vec!["--target", "-1"], "0 or more"),
        (vec!["--target", "nan"], "0 or more"),
        (vec!["--max-iterations", "0"], "--max-iterations"),
        (vec!["--max-iterations", "-3"], "-3 is not in 1.."),
        (vec!["--threads", "0"], "--threads"),
        (vec!["--threads", "-1"], "-1 is not in 1..=1024"),
        (vec!["--memory-limit", "much"], "such as 8G"),
        (vec!["--memory-limit", "-1G"], "such as 8G"),
        (vec!["--lock", "=> 72o = check @ 1"], "none of its combos is in the range of oop"),
        #[cfg(unix)]
        (vec!["/dev/zero"], "more than 16 MiB"),
        (vec!["--algorithm", "dcrf"], "did you mean 'dcfr'?"),
        (vec!["--dry-run", "--metrics", "x.csv"], "cannot be used with"),
    ] {
        let run = run(&[&["solve"], &args[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert!(said(&run.stderr).contains(word), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn files_that_are_no_text() {
    let path = file("latin1.toml", "");
    std::fs::write(&path, b"[ranges]\n# caf\xe9\n").unwrap();
    let run = run(&["solve", &path]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    assert!(run.stderr.contains("line 2 is not UTF-8 text"), "{}", run.stderr);
}

#[test]
fn a_tree_that_does_not_fit() {
    let run = run(&["solve", "--memory-limit", "8M"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    for word in ["more than the 8.0 MiB", "quantization = \"16bit\" takes", "without '", "on the "] {
        assert!(said(&run.stderr).contains(word), "{word}: {}", run.stderr);
    }
    // What would not fit either is not advised; where one size is not enough, several are named.
    let run = crate::common::run(&["solve", "--memory-limit", "3M"]);
    assert!(run.stderr.contains("without 'e' on the turn, '60%' on the turn takes"), "{}", run.stderr);
    assert!(!run.stderr.contains("16bit"), "{}", run.stderr);
    // Sizes of one chip make more nodes than any machine holds.
    let menus = "oop_bet = \"1c\"\noop_raise = \"1c\"\nip_bet = \"1c\"\nip_raise = \"1c\"\n";
    let spot = format!(
        "[ranges]\noop = \"random\"\nip = \"random\"\n[cards]\nflop = \"Td9d6h\"\n[tree]\nstarting_pot = 1\n\
         effective_stack = 1000000000\nforce_allin_threshold = 0\n[bet_sizes.flop]\n{menus}[bet_sizes.turn]\n{menus}\
         [bet_sizes.river]\n{menus}"
    );
    let run = crate::common::run(&["solve", &file("endless.toml", &spot)]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    assert!(run.stderr.contains("nodes"), "{}", run.stderr);
}
