//! What is asked and told where there is a terminal.

use std::fs;
use std::path::PathBuf;

use equipoise::spot_file::Problem;

use crate::common::run;
use crate::terminal::Terminal;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("at-a-terminal");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn new_asks_for_everything_until_it_makes_sense() {
    let path = folder().join(format!("{}-asked.toml", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut terminal = Terminal::open(&["new"], false);
    terminal.shows(&["1  srp-utg-bb", "9  3bet-btn-bb", "formation, by number or name: "]);
    terminal.press("0\r");
    terminal.shows(&["write a number from 1 to 9, or a name"]);
    terminal.press("9\r");
    terminal.shows(&["depth in big blinds [100]: "]);
    terminal.press("deep\r");
    terminal.shows(&["write a number, such as 100"]);
    terminal.press("11\r");
    terminal.shows(&["11 big blinds are not enough"]);
    terminal.press("60bb\r");
    terminal.shows(&["[none]: "]);
    terminal.press("a lot\r");
    terminal.shows(&["a rake is none, nl10"]);
    terminal.press("nl50\r");
    terminal.shows(&["board [Qs7h2c]: "]);
    terminal.press("Td9x\r");
    terminal.shows(&["unknown suit 'x'"]);
    terminal.press("Td9d6h\r");
    terminal.shows(&["file to write; - prints the spot [spot.toml]: "]);
    // Not a spot file: it is not replaced.
    let other = folder().join("other.eqp");
    fs::write(&other, "a solution").unwrap();
    terminal.press(&format!("{}\r", other.display()));
    terminal.shows(&["--force"]);
    terminal.press(&format!("{}\r", path.display()));
    terminal.shows(&["BB 3-bets to 11, BTN calls, written to", "equipoise solve"]);
    assert_eq!(terminal.ended(), Some(0));
    assert_eq!(fs::read_to_string(&other).unwrap(), "a solution");
    let asked = fs::read_to_string(&path).unwrap();
    let given = run(&["new", "3bet-btn-bb", "--depth", "60", "--rake", "nl50", "--board", "Td9d6h"]);
    assert_eq!(asked, given.stdout);
    let problem: Problem = asked.parse().unwrap();
    assert_eq!(problem.spot.pot(), 2250.0);
}

#[test]
fn enter_takes_what_is_usual_and_what_is_given_is_not_asked() {
    let mut terminal = Terminal::open(&["new", "--depth", "40", "--board", "As7d2c", "-o", "-"], false);
    terminal.shows(&["by number or name: "]);
    terminal.press("srp-co-bb\r");
    terminal.shows(&["[none]: "]);
    terminal.press("\r");
    assert_eq!(terminal.ended(), Some(0));
    let said = terminal.transcript();
    assert!(said.contains("effective_stack = \"37.5bb\"") && said.contains("flop = \"As7d2c\""), "{said}");
    assert!(!said.contains("depth in big blinds") && !said.contains("board ["), "{said}");
}

/// The line is never cut, has no gap before the first check, and its bar only fills.
#[test]
fn a_solve_tells_how_far_it_is() {
    let spot = folder().join(format!("{}-long.toml", std::process::id()));
    let text = run(&["new", "srp-btn-bb", "--board", "Td9d6hQc"]).stdout;
    fs::write(&spot, text.replace("target_exploitability_pct = 0.5", "target_exploitability_pct = 0.000001"))
        .unwrap();
    let mut terminal =
        Terminal::open(&["solve", spot.to_str().unwrap(), "--max-iterations", "1000000"], false);
    terminal.shows(&["iteration "]);
    let (mut filled, mut told, mut measured) = (0, 0, 0);
    while told < 20 {
        let screen = terminal.wait();
        let Some(line) = screen.lines().find(|line| line.contains("iteration ")) else { continue };
        let bar = line.chars().filter(|&part| part == '█').count();
        assert!(bar >= filled, "{bar} after {filled} in\n{screen}");
        let (_, words) = line.split_once("iteration ").unwrap();
        let parts: Vec<&str> = words.split(", ").collect();
        // Iteration, exploitability, elapsed, and what is left where that is known.
        assert!(parts[0].parse::<u32>().is_ok() && (3..=4).contains(&parts.len()), "{line}");
        assert!(parts[1] == "not measured yet" || parts[1].ends_with(" % of pot"), "{line}");
        assert!(parts.get(3).is_none_or(|left| left.trim_end().ends_with(" to go")), "{line}");
        measured += usize::from(parts[1] != "not measured yet");
        (filled, told) = (bar, told + 1);
    }
    assert!(measured > 0);
    terminal.interrupt();
    assert_eq!(terminal.ended(), Some(130));
}
