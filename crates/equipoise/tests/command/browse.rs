//! `equipoise browse` in a terminal of 80 columns and 24 lines, as somebody meets it over ssh.

use std::fs;
use std::path::PathBuf;

use equipoise::postflop::Contents;

use crate::common::{json, run, save};
use crate::terminal::Terminal;

/// OOP has nothing to bet with on the turn.
const SPOT: &str = r#"
[ranges]
oop = "AA,QQ,KQs,JTs,87s"
ip = "KK,AQs,T9s,66,AKo"

[cards]
flop = "Qd9d6h"
turn = "3c"

[tree]
big_blind = 20
starting_pot = 100
effective_stack = 200

[bet_sizes.turn]
ip_bet = "60%"

[bet_sizes.river]
oop_bet = "75%"
ip_bet = "75%"
"#;

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const DOWN: &str = "\x1b[B";
const HOME: &str = "\x1b[H";

fn solution() -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browse");
    fs::create_dir_all(&folder).unwrap();
    save(&folder.join(format!("{}.eqp", std::process::id())), SPOT, 100, Contents::Full)
}

#[test]
fn arrows_walk_through_a_solution() {
    let file = solution();
    let mut terminal = Terminal::open(&["browse", &file], false);
    // The first decision with a choice, in big blinds; everything is on the screen.
    let first = terminal.shows(&["check", "pot 5 bb", "IP acts", "Bet 60 %", "q end"]);
    for class in ["AQs", "KK", "T9s", "66"] {
        assert!(first.contains(class), "{class} in\n{first}");
    }
    let frequency =
        json(&["show", &file, "--node", "check"])["node"]["actions"][1]["frequency"].as_f64().unwrap();
    assert!(first.contains(&format!("{:.1}", 100.0 * frequency)), "{frequency} in\n{first}");
    terminal.press(LEFT);
    terminal.shows(&["root", "OOP acts", "hands of OOP", "JTs"]);
    terminal.press(LEFT);
    terminal.shows(&["this is the root"]);
    terminal.press(RIGHT);
    terminal.shows(&["IP acts"]);
    // To the check, whichever was marked: the action is marked again on the way back.
    let marked = |screen: &str| screen.lines().find(|line| line.contains('▸')).unwrap().to_owned();
    while !marked(&terminal.contents()).contains("Check") {
        terminal.press(DOWN);
        terminal.shows(&["▸x"]);
    }
    terminal.press(RIGHT);
    terminal.shows(&["check check", "a card comes", "▸As"]);
    terminal.press(DOWN);
    terminal.shows(&["▸Ah"]);
    terminal.press(RIGHT);
    terminal.shows(&["check check | Ah |", "Qd9d6h3cAh", "OOP acts", "Bet 75 %"]);
    terminal.press(LEFT);
    terminal.shows(&["a card comes", "▸Ah"]);
    terminal.press(HOME);
    terminal.shows(&["root", "OOP acts"]);
    terminal.end("q");
}

#[test]
fn the_grid_chooses_a_hand_class() {
    let file = solution();
    let mut terminal = Terminal::open(&["browse", &file, "--node", "check", "--unit", "chips"], true);
    terminal.shows(&["pot 100 chips", "AQs", "AsQs"]);
    terminal.press("\t");
    terminal.shows(&["arrows choose a hand"]);
    // From AQs one down is KQs, which IP does not have; one to the left of that are the kings.
    terminal.press(DOWN);
    terminal.shows(&["KQs   weight", "never gets here"]);
    terminal.press(LEFT);
    terminal.shows(&["KK    weight", "KsKh", "KdKc"]);
    // Twelve combos do not fit; they have pages.
    terminal.press("\x1b[A");
    terminal.press(LEFT);
    terminal.shows(&["AA    weight"]);
    terminal.press(DOWN);
    terminal.shows(&["AKo   weight", "AsKh", "1 to 5 of 12"]);
    terminal.press("\x1b[6~");
    terminal.shows(&["6 to 10 of 12"]);
    terminal.press("\x1b[6~");
    terminal.shows(&["11 to 12 of 12"]);
    terminal.press("\x1b[5~");
    terminal.shows(&["6 to 10 of 12"]);
    terminal.press("p");
    terminal.shows(&["hands of OOP"]);
    terminal.press("p");
    terminal.shows(&["hands of IP"]);
    let screen = terminal.screen();
    let has_colour = (3..16).any(|row| {
        (0..52).any(|column| matches!(screen.cell(row, column).unwrap().bgcolor(), vt100::Color::Idx(_)))
    });
    assert!(has_colour, "{}", screen.contents());
    terminal.end("\x03");
}

#[test]
fn without_a_terminal_there_is_advice() {
    let refused = run(&["browse", &solution()]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("needs a terminal") && refused.stderr.contains("equipoise show"),
        "{}",
        refused.stderr
    );
}
