//! Strategies that are set and locked, trees that are saved and read, solves that are watched.

use std::time::{Duration, Instant};

use crate::talk::{POLAR, TURN, Talk, Temporary, at, mean};

fn ev(talk: &mut Talk, player: &str, node: &str) -> f64 {
    let rows = talk.rows(&format!("calc_ev {player} {node}"));
    mean(&rows[0], &rows[1])
}

/// A strategy of two children: the same for every hand.
fn flat(node: &str, first: f64) -> String {
    let row = |part: f64| vec![part.to_string(); 1326].join(" ");
    format!("set_strategy {node} {} {}", row(first), row(1.0 - first))
}

#[test]
fn what_is_set_shows_at_once_and_holds_until_the_next_solve() {
    let mut talk = Talk::solved(&POLAR);
    talk.ok(&flat("r:0:b100", 0.0));
    let rows = talk.rows("show_strategy r:0:b100");
    assert_eq!((rows[0][at("KcKd")], rows[1][at("KcKd")]), (0.0, 1.0));
    assert_eq!(rows[1][at("AcAd")], 0.0, "hands that are not held are 0");
    // Kings that always fold: every bet wins the pot, the aces' and half of the queens'.
    assert!((ev(&mut talk, "OOP", "r:0") - 75.0).abs() < 1.0);
    let aces = talk.rows("calc_ev OOP r:0")[0][at("AcAd")];
    assert!((aces - 100.0).abs() < 1.0, "{aces}");
    assert!(!talk.node("r:0:b100")[5].contains("LOCKED"));
    assert!(talk.refused("dump_tree /nowhere/x.eqp").contains("lock_node or go first"));
    talk.solve("go");
    assert!((talk.rows("show_strategy r:0:b100")[0][at("KcKd")] - 0.5).abs() < 0.05);
}

#[test]
fn a_locked_player_is_exploited_and_unlocking_brings_the_equilibrium_back() {
    let mut talk = Talk::solved(&POLAR);
    talk.ok(&flat("r:0:b100", 0.0));
    talk.ok("lock_node r:0:b100");
    assert_eq!(talk.node("r:0:b100")[5], "flags: PIO_ALG LOCKED");
    talk.solve("go");
    // Against kings that always fold, everything bets.
    assert!((ev(&mut talk, "OOP", "r:0") - 100.0).abs() < 0.1);
    assert!(talk.rows("show_strategy r:0")[0][at("QcQd")] > 0.99);
    assert_eq!(talk.rows("show_strategy r:0:b100")[1][at("KcKd")], 1.0);
    // A locked decision takes what is set as its lock.
    talk.ok(&flat("r:0:b100", 1.0));
    talk.solve("go");
    assert!(talk.rows("show_strategy r:0")[0][at("QcQd")] < 0.01);
    assert!((ev(&mut talk, "OOP", "r:0") - 100.0).abs() < 0.1, "aces win 200, queens 0");
    talk.ok("unlock_node r:0:b100");
    assert_eq!(talk.node("r:0:b100")[5], "flags: PIO_ALG");
    talk.solve("go");
    assert!((ev(&mut talk, "OOP", "r:0") - 75.0).abs() < 0.1);
    talk.ok("unlock_node r:0:b100");
}

#[test]
fn locking_what_was_found_changes_nothing() {
    let mut talk = Talk::solved(&TURN);
    let before = (talk.rows("show_strategy r:0:c"), ev(&mut talk, "IP", "r:0:c"));
    talk.ok("lock_node r:0:c");
    talk.ok("lock_node r:0:c:c:2h");
    talk.ok("lock_node r:0:c:c:2h:c");
    let locked = (talk.rows("show_strategy r:0:c"), ev(&mut talk, "IP", "r:0:c"));
    assert!((before.1 - locked.1).abs() < 1e-3, "{} and {}", before.1, locked.1);
    let difference = before.0.iter().flatten().zip(locked.0.iter().flatten()).map(|(a, b)| (a - b).abs());
    assert!(difference.fold(0.0, f64::max) < 1e-4);
    talk.solve("go");
    let solved = talk.rows("show_strategy r:0:c");
    let difference = before.0.iter().flatten().zip(solved.iter().flatten()).map(|(a, b)| (a - b).abs());
    assert!(difference.fold(0.0, f64::max) < 1e-4, "a locked decision is unchanged");
}

/// Every reply that a saved tree must give again.
const REPLIES: [&str; 14] = [
    "show_node r",
    "show_children r:0",
    "show_strategy r:0",
    "show_strategy r:0:c",
    "show_strategy r:0:b50:c:Ts:c",
    "show_range IP r:0:b50:c",
    "calc_ev OOP r:0",
    "calc_ev IP r:0:c:c:2h",
    "calc_ev IP r:0:c:c",
    "calc_eq_node IP r:0:b50",
    "show_all_lines",
    "show_tree_info",
    "show_effective_stack",
    "show_board",
];

#[test]
fn a_tree_that_was_saved_says_the_same_again_and_goes_on() {
    let file = Temporary::new("full.eqp");
    let mut talk = Talk::after(&TURN);
    talk.ok("add_info_line #Author#a \u{1}script, with # signs");
    talk.solve("go 40 steps");
    let said = REPLIES.map(|command| talk.ask(command));
    talk.ok(&format!("dump_tree {}", file.quoted()));
    let mut other = Talk::after(&[&format!("load_tree {} full", file.quoted())]);
    for (command, said) in REPLIES.iter().zip(&said) {
        assert_eq!(&other.ask(command), said, "{command}");
    }
    assert!(said[11].contains("#Author#a script, with # signs\n"));
    // Both continue alike.
    for talk in [&mut talk, &mut other] {
        talk.solve("go 20 steps");
    }
    assert_eq!(other.ask("show_strategy r:0"), talk.ask("show_strategy r:0"));
    assert!(other.ask("show_tree_info").contains("#Iterations#60\n"));
}

#[test]
fn locks_are_saved_and_can_be_taken_away_again() {
    let (file, again) = (Temporary::new("locks.eqp"), Temporary::new("again.eqp"));
    let mut talk = Talk::solved(&POLAR);
    talk.ok(&flat("r:0:b100", 0.25));
    talk.ok("lock_node r:0:b100");
    // Not solved since: what is saved is what is shown.
    talk.ok(&format!("dump_tree {}", file.quoted()));
    let mut other = Talk::after(&[&format!("load_tree {}", file.quoted()), "set_accuracy 0.05"]);
    assert!(other.node("r:0:b100")[5].contains("LOCKED"));
    assert!((other.rows("show_strategy r:0:b100")[0][at("KcKd")] - 0.25).abs() < 1e-4);
    let evs = (ev(&mut talk, "OOP", "r:0"), ev(&mut other, "OOP", "r:0"));
    assert!((evs.0 - evs.1).abs() < 1e-3, "{evs:?}");
    other.solve("go");
    let solved = ev(&mut other, "OOP", "r:0");
    assert!(
        (solved - (0.5 * (0.75 * 100.0 + 0.25 * 200.0) + 0.5 * (0.75 * 100.0 - 0.25 * 100.0))).abs() < 0.2,
        "{solved}"
    );
    other.ok(&format!("dump_tree {}", again.quoted()));
    let mut third =
        Talk::after(&[&format!("load_tree {}", again.quoted()), "set_accuracy 0.05", "unlock_node r:0:b100"]);
    third.solve("go");
    assert!((ev(&mut third, "OOP", "r:0") - 75.0).abs() < 0.2);
}

#[test]
fn saves_without_rivers_solve_them_again() {
    let file = Temporary::new("no rivers.eqp");
    let mut talk = Talk::solved(&TURN);
    let before = (ev(&mut talk, "OOP", "r:0:c:c:2h"), talk.ask("show_strategy r:0"));
    talk.ok(&format!("dump_tree {} no_rivers", file.quoted()));
    let mut other = Talk::after(&[&format!("load_tree {} fast", file.quoted())]);
    other.ok("load_all_nodes");
    assert_eq!(other.ask("show_strategy r:0"), before.1);
    let again = ev(&mut other, "OOP", "r:0:c:c:2h");
    assert!((again - before.0).abs() < 1.0, "{again} and {}", before.0);
    assert!(ev(&mut other, "OOP", "r:0:c:c:2h:c:c").is_finite());
    // Nothing to resume: a solve begins anew.
    other.ok("set_accuracy 0.5");
    other.solve("go");
    assert!(other.refused(&format!("dump_tree {} half", file.quoted())).contains("no_rivers"));
}

#[test]
fn a_running_solve_answers_and_stops() {
    let mut talk = Talk::after(&TURN[..TURN.len() - 1]);
    let text = talk.ask("set_info_freq 0.1");
    assert_eq!(text, "set_info_freq ok!\n");
    assert!(talk.ask("go").starts_with("go ok!\n"));
    let rows = talk.ask("show_strategy r:0");
    assert!(rows.lines().last().unwrap().split(' ').count() == 1326, "{rows}");
    for command in ["go", "build_tree", "lock_node r:0", "dump_tree x.eqp", "load_tree x.eqp", "calc_results"]
    {
        let answer = talk.ask(command);
        assert!(
            answer.contains(": the solver is running: stop or wait_for_solver comes first\n"),
            "{answer}"
        );
    }
    let since = Instant::now();
    let mut heard = String::new();
    while !heard.contains("Exploitable for: ") && since.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
        heard.push_str(&talk.ask("echo"));
    }
    assert!(heard.contains("SOLVER:\nrunning time: ") && heard.contains("EV OOP: "), "{heard}");
    let text = talk.ask("stop");
    assert!(text.ends_with("SOLVER: stopped (requested)\nstop ok!\n"), "{text}");
    talk.ok("stop");
    talk.ok("wait_for_solver");
    let text = talk.solve("go 0.2 seconds");
    assert!(text.contains("SOLVER: stopped (required time reached)\n"), "{text}");
    let text = talk.solve("go 5 steps");
    assert!(text.contains("SOLVER: stopped (required number of steps reached)\n"), "{text}");
    talk.ask("go");
    talk.ask("free_tree");
    assert!(talk.refused("stop").contains("there is no tree"));
}

#[test]
fn accuracy_is_in_chips_or_part_of_the_pot() {
    for accuracy in ["set_accuracy 2", "set_accuracy 2 chips", "set_accuracy 0.02 fraction"] {
        let mut talk = Talk::after(&TURN);
        talk.ok(accuracy);
        assert!(talk.solve("go").contains("SOLVER: stopped (required accuracy reached)\n"));
        let info = talk.ask("show_tree_info");
        let line = info.lines().find_map(|line| line.strip_prefix("#Exploitability#")).unwrap();
        let found: f64 = line.parse().unwrap();
        assert!((0.02..=2.0).contains(&found), "{found}");
    }
}

/// Clients take the line by which a solve ends as the sign that commands are possible again.
#[test]
fn whoever_hears_the_end_finds_no_solver_at_work() {
    let (sender, heard) = std::sync::mpsc::channel();
    let mut session = equipoise_upi::Session::new(move |text: &str| {
        sender.send(text.to_owned()).unwrap();
        Ok(())
    });
    POLAR.iter().for_each(|line| {
        session.command(line.as_bytes());
    });
    for _ in 0..50 {
        session.command(b"go 3 steps");
        while !heard.recv().unwrap().starts_with("SOLVER: stopped (") {}
        session.command(b"calc_results");
        let answer = heard.recv().unwrap();
        assert!(answer.starts_with("running time: "), "{answer}");
    }
}
