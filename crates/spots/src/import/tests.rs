use proptest::prelude::*;

use super::*;
use crate::shipped::ShippedText;

const TEXAS: &str = include_str!("examples/texassolver.txt");
const WASM: &str = include_str!("examples/wasm-postflop.json");
const KEYS: &str = include_str!("examples/piosolver.txt");

fn problem(toml: &str) -> Problem {
    toml.parse().unwrap_or_else(|error| panic!("{error}\n{toml}"))
}

/// Both stand for the same problem.
fn assert_same(one: &Problem, other: &Problem) {
    assert_eq!(one.spot.tree().config(), other.spot.tree().config());
    assert_eq!(one.spot.ranges(), other.spot.ranges());
    assert_eq!(one.spot.board(), other.spot.board());
    assert_eq!(one.options.target_pct, other.options.target_pct);
    assert_eq!(one.options.max_iterations, other.options.max_iterations);
    assert_eq!(one.options.isomorphism, other.options.isomorphism);
}

fn lines_of(imported: &Imported) -> Vec<Option<usize>> {
    imported.notes.iter().map(|note| note.line).collect()
}

#[test]
fn commands_become_a_spot() {
    let imported = import(TEXAS, None).unwrap();
    assert_eq!(imported.format, ImportFormat::TexasSolver);
    // Threshold, threads, interval, rounds and result.
    assert_eq!(lines_of(&imported), [20, 22, 25, 28, 29].map(Some));
    let expected = problem(
        r#"
        [ranges]
        oop = "QQ:0.5,JJ:0.75,TT,99,88,AQs,AJs,KQ,KJs,JTs"
        ip = "AA,KK,QQ,99:0.75,AK,AQs,AQo:0.75,KQs,T9s:0.5"
        [cards]
        flop = "QsJh2h"
        [tree]
        starting_pot = 50
        effective_stack = 200
        add_allin_threshold = 0
        merging_threshold = 0
        [bet_sizes.flop]
        oop_bet = "50%, a"
        oop_raise = "60%, a"
        ip_bet = "33%, 75%"
        ip_raise = "60%"
        [bet_sizes.turn]
        oop_bet = "50%"
        oop_raise = "60%"
        oop_donk = ""
        ip_bet = "50%"
        [bet_sizes.river]
        oop_bet = "50%, a"
        oop_raise = "60%, 100%, a"
        oop_donk = "40%, a"
        ip_bet = "50%, a"
        ip_raise = "a"
        [solver]
        isomorphism = true
        max_iterations = 200
        target_exploitability_pct = 0.5
        "#,
    );
    assert_same(&imported.problem, &expected);
}

#[test]
fn fractions_of_chips_are_multiplied() {
    let script = TEXAS.replace("set_pot 50", "set_pot 5.5").replace("stack 200", "stack 97.25");
    let imported = import(&script, None).unwrap();
    let config = imported.problem.spot.tree().config();
    assert_eq!((config.starting_pot.count(), config.effective_stack.count()), (550, 9725));
    assert_eq!(imported.notes[0].line, Some(1));
}

#[test]
fn the_standard_spot_comes_back_from_the_other_solvers_configuration() {
    let imported = import(WASM, None).unwrap();
    assert_eq!(imported.format, ImportFormat::WasmPostflop);
    assert_eq!(imported.notes, []);
    let mut expected = problem(ShippedText::FLOP.toml);
    // The page keeps no targets, and a donk menu is absent for both streets or for none.
    (expected.options.target_pct, expected.options.max_iterations) = (0.5, 1000);
    let mut config = expected.spot.tree().config().clone();
    config.turn.donk = Some(config.turn.oop.bet.clone());
    config.thresholds.add_allin_without_sizes = true;
    assert_eq!(*imported.problem.spot.tree().config(), config);
    // The number of nodes that the other solver reports.
    let stats = |problem: &Problem| problem.spot.tree().nodes().len();
    assert_eq!(stats(&imported.problem), stats(&expected));
    // Cards as numbers, donk bets switched off, a flat object.
    let numbers = WASM.replace(r#"["Td", "9d", "6h"]"#, "[33, 29, 18]").replace("true", "0");
    let flat = numbers.replace("\"config\": {", "").replace("  }\n}", "}");
    for text in [numbers, flat] {
        let imported = import(&text, None).unwrap();
        assert_eq!(imported.problem.spot.board().to_string(), "Td9d6h");
        assert_eq!(imported.problem.spot.tree().config().river.donk, None);
    }
}

/// A river with bets of half the pot and no sizes of raises.
const WITHOUT_RAISES: &str = r#"{"oopRange": "AA,KK", "ipRange": "QQ,JJ", "config": {
    "board": ["Td", "9d", "6h", "Qc", "2h"], "startingPot": 100, "effectiveStack": 120, "rakePercent": 0, "rakeCap": 0,
    "donkOption": false, "oopRiverBet": "50", "oopRiverRaise": "", "ipRiverBet": "50", "ipRiverRaise": "",
    "addAllInThreshold": 150, "forceAllInThreshold": 20, "mergingThreshold": 10}}"#;

fn num_decisions(problem: &Problem) -> usize {
    problem.spot.tree().nodes().iter().filter(|node| node.player().is_some()).count()
}

#[test]
fn all_in_is_added_without_sizes_as_the_other_solver_does() {
    let imported = import(WITHOUT_RAISES, None).unwrap();
    assert_eq!(imported.notes, []);
    // Bets of 50 and 120 by either, and all-in over 50 by either. As many as the other solver has.
    assert_eq!(num_decisions(&imported.problem), 8);
    assert_eq!(num_decisions(&problem(&imported.toml)), 8);
    // Without the key it is a tree of our own: no raises without sizes.
    let own = imported.toml.replace("add_allin_without_sizes = true\n", "");
    assert_eq!(num_decisions(&problem(&own)), 6);
    // No bets either: the threshold alone gives them.
    let checks = import(&WITHOUT_RAISES.replace("\"50\"", "\"\""), None).unwrap();
    assert_eq!(num_decisions(&checks.problem), 4);
    let deep = import(&WITHOUT_RAISES.replace("\"50\"", "\"\"").replace("120", "151"), None).unwrap();
    assert_eq!(num_decisions(&deep.problem), 2);
}

#[test]
fn percents_become_the_shares_that_were_typed() {
    let text = WITHOUT_RAISES.replace(": 20,", ": 33.3,").replace(": 10}", ": 0.7}").replace("150", "115.1");
    let thresholds = import(&text, None).unwrap().problem.spot.tree().config().thresholds;
    assert_eq!((thresholds.add_allin, thresholds.force_allin, thresholds.merging), (1.151, 0.333, 0.007));
    // 2.675 chips, in thousandths: not 2674.
    let script =
        TEXAS.replace("set_pot 50", "set_pot 5.001").replace("oop,flop,bet,50", "oop,flop,bet,2.6755c");
    let imported = import(&script, None).unwrap();
    assert!(imported.toml.contains("oop_bet = \"2676c"), "{}", imported.toml);
}

#[test]
fn lines_and_rake_are_carried_over() {
    let text = WASM
        .replace(r#""addedLines": """#, r#""addedLines": "B70>R300,X>B120>C|B500""#)
        .replace(r#""removedLines": """#, r#""removedLines": "A900""#)
        .replace(r#""rakePercent": 0"#, r#""rakePercent": 5"#)
        .replace(r#""rakeCap": 0"#, r#""rakeCap": 30, "expectedBoardLength": 3"#);
    let imported = import(&text, None).unwrap();
    let config = imported.problem.spot.tree().config();
    let texts = |lines: &[crate::game::Line]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&config.add_lines), ["bet:70 raise:300", "check bet:120 call | bet:500"]);
    assert_eq!(texts(&config.remove_lines), ["allin"]);
    assert_eq!((config.rake.rate, config.rake.cap), (0.05, Some(30.0)));
    // Lines of another street are not those of this one.
    let other = text.replace("\"expectedBoardLength\": 3", "\"expectedBoardLength\": 4");
    let imported = import(&other, None).unwrap();
    assert_eq!(imported.notes.len(), 3);
    assert!(imported.problem.spot.tree().config().add_lines.is_empty());
}

#[test]
fn keys_become_a_spot() {
    let imported = import(KEYS, None).unwrap();
    assert_eq!(imported.format, ImportFormat::KeyText);
    // The all-in threshold and the cap; there are no prizes, so nothing of them is lost.
    assert_eq!(lines_of(&imported), [9, 14, 15].map(Some));
    let expected = problem(
        r#"
        [ranges]
        oop = "22,33:0.169,AA:0.5,AKs,KQo,T9s,AhQh:0.25"
        ip = "33:0.169,KK,QQ,AJs,KJ,98s"
        [cards]
        flop = "AhKd9c"
        [tree]
        starting_pot = 550
        effective_stack = 2100
        rake_rate = 0.05
        rake_cap = 30
        add_allin_threshold = 2.5
        merging_threshold = 0.12
        [bet_sizes.flop]
        oop_bet = "25%"
        oop_raise = "33%"
        ip_bet = "25%, 2e"
        ip_raise = "33%"
        [bet_sizes.turn]
        oop_bet = "50%"
        oop_raise = "a"
        oop_donk = ""
        ip_bet = "50%"
        ip_raise = "a"
        [bet_sizes.river]
        oop_bet = "30%, 66%"
        oop_raise = "2.5x"
        oop_donk = "30%"
        ip_bet = "30%, 66%"
        ip_raise = "a"
        "#,
    );
    assert_same(&imported.problem, &expected);
    // All-in for some menus only.
    let some = KEYS.replace("#FlopConfigIP.AddAllin#True", "#FlopConfigIP.AddAllin#False");
    let imported = import(&some, None).unwrap();
    let config = imported.problem.spot.tree().config();
    assert_eq!((config.thresholds.add_allin, config.flop.oop.bet.to_string()), (0.0, "25%, a".to_owned()));
    assert_eq!(config.flop.ip.bet.to_string(), "25%, 2e");
    assert_eq!(config.river.donk.as_ref().map(ToString::to_string).as_deref(), Some("30%, a"));
    // Where there are no sizes, none is added.
    assert_eq!(config.turn.donk.as_ref().map(ToString::to_string).as_deref(), Some(""));
    let none = import(&some.replace("#TurnConfig.RaiseSize#a\n", ""), None).unwrap();
    assert!(none.problem.spot.tree().config().turn.oop.raise.is_empty());
    assert!(lines_of(&imported).contains(&Some(10)));
}

#[test]
fn what_is_written_reads_back_as_the_same_spot() {
    for text in [TEXAS, WASM, KEYS] {
        let imported = import(text, None).unwrap();
        assert_same(&problem(&imported.toml), &imported.problem);
        for note in &imported.notes {
            assert!(imported.toml.contains(&note.reason), "{note:?}");
        }
    }
}

#[test]
fn mistakes_are_answered_with_their_place() {
    let position = |text: &str| {
        let error = import(text, None).unwrap_err();
        error.position.map(|at| (at.line, at.column))
    };
    assert_eq!(position(&TEXAS.replace("set_pot 50", "set_pot much")), Some((1, 9)));
    assert_eq!(position(&TEXAS.replace("Qs,Jh,2h", "Qs,Jx,2h")), Some((3, 15)));
    assert_eq!(position(&TEXAS.replace("JJ:0.75", "JJ:7.5")), Some((5, 25)));
    assert_eq!(position(&TEXAS.replace("oop,flop,bet,50", "oop,flop,bet,50,lots")), Some((6, 31)));
    assert_eq!(position(&TEXAS.replace("ip,turn,bet", "ip,tern,bet")), Some((13, 18)));
    assert_eq!(position(&WASM.replace("\"startingPot\": 200", "\"startingPot\": -1")), Some((6, 5)));
    assert_eq!(
        position(
            &WASM
                .replace("FlopBet\": \"60, e, a", "FlopBet\": \"60; e")
                .replace("ipFlopBet\": \"60; e", "ipFlopBet\": \"60")
        ),
        Some((11, 5))
    );
    assert_eq!(position("{\n  \"board\": [\n"), Some((3, 1)));
    assert_eq!(position(&KEYS.replace("#Pot#550", "#Pot#")), Some((7, 1)));
    assert_eq!(position(&KEYS.replace("#Pot#550", "Pot 550")), Some((7, 1)));
    assert_eq!(position(&KEYS.replace("Ah Kd 9c", "Ah Kd Kd")), Some((6, 14)));
    for nothing in ["", "\n", "hello", "[ranges]\noop = \"AA\"", "# a comment"] {
        assert!(import(nothing, None).is_err(), "{nothing}");
    }
    for missing in ["set_pot", "set_board", "set_range_ip", "set_effective_stack"] {
        let lines: Vec<&str> = TEXAS.lines().filter(|line| !line.starts_with(missing)).collect();
        assert!(import(&lines.join("\n"), None).is_err(), "{missing}");
    }
    assert!(import(TEXAS, Some(ImportFormat::KeyText)).is_err());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}", format in 0..3usize) {
        let _ = import(&text, None);
        let _ = import(&text, Some(ImportFormat::ALL[format]));
    }

    #[test]
    fn no_change_of_a_file_makes_it_panic(
        which in 0..3usize,
        at in 0..1000usize,
        len in 0..20usize,
        with in "[a-z0-9#,>|{}\"\\\\. %:\n\u{e9}-]{0,8}",
    ) {
        let text = [TEXAS, WASM, KEYS][which];
        let start = text.floor_char_boundary(at.min(text.len()));
        let end = text.floor_char_boundary((start + len).min(text.len()));
        let changed = format!("{}{with}{}", &text[..start], &text[end..]);
        if let Ok(imported) = import(&changed, None) {
            prop_assert!(imported.toml.parse::<Problem>().is_ok());
        }
    }
}
