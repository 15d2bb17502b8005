//! Every command once, as a script would use it.

use std::collections::BTreeSet;
use std::fs;

use equipoise_upi::{Next, commands};

use crate::talk::{POLAR, Talk, Temporary};

#[test]
fn every_command_answers() {
    let (file, script) = (Temporary::new("every.eqp"), Temporary::new("script.txt"));
    fs::write(&script.0, "# a comment\n\necho from a script\r\nis_ready\nnonsense\n").unwrap();
    let (file, script) = (file.quoted(), script.quoted());
    let mut talk = Talk::new();
    let mut used = BTreeSet::new();
    let mut say = |command: &str, want: &str| {
        used.insert(command.split(' ').next().unwrap().to_owned());
        let answer = talk.ask(command);
        assert!(answer.contains(want), "{command}: {answer}");
        assert!(answer.starts_with("ERROR") == want.starts_with("ERROR"), "{command}: {answer}");
    };
    say("set_end_string END", "set_end_string ok!\nEND\n");
    say("is_ready", "is_ready ok!\nEND\n");
    say("reset_end_string", "reset_end_string ok!\n");
    say("show_version", "0.1.0\n");
    say("show_build_version", ".");
    say("show_memory", "Total Physical Memory: ");
    say("echo a  \"b c\" d", "a b c d\n");
    say(&format!("load_script {script}"), "from a script\nis_ready ok!\nERROR: nonsense");
    // What goes wrong is said all the same.
    say(&format!("load_script_silent {script}"), "ERROR: nonsense");
    say("show_hand_order", "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c");
    say("is_tree_present", "false\n");
    say("show_node r:0", "ERROR: show_node: there is no tree: build_tree or load_tree comes first\n");
    for command in POLAR {
        say(command, " ok!\n");
    }
    say("is_tree_present", "true\n");
    say("calc_eq IP", "0.5 ");
    say("clear_lines", "clear_lines ok!\n");
    say("add_line 0 100", "add_line ok!\n");
    say("add_line 100", "add_line ok!\n");
    say("remove_line 0 100", "remove_line ok!\n");
    say("set_rake 0.05 3", "set_rake ok!\n");
    say("set_rake 0 0 0 0", "set_rake ok!\n");
    say("set_isomorphism 1 0", "set_isomorphism ok!\n");
    say("set_threads 2", "set_threads ok!\n");
    say("set_recalc_accuracy 0.0025 0.001 0.005", "set_recalc_accuracy ok!\n");
    say("set_always_recalc 0 60000", "set_always_recalc ok!\n");
    say("set_info_freq 2", "set_info_freq ok!\n");
    say("show_settings", "accuracy: 0.0002\naccuracy_mode: fraction\nthread_no: 2\n");
    say("add_info_line #Note#hello", "add_info_line ok!\n");
    say("build_tree", "build_tree ok!\n");
    say("show_tree_info", "#Note#hello\n");
    say(
        "show_tree_info",
        "#Range0#AA,QQ\n#Range1#KK\n#Board#2s 2h 2d 3c 3d\n#Pot#100\n#EffectiveStacks#100\n",
    );
    say("reset_tree_info", "reset_tree_info ok!\n");
    say("show_effective_stack", "100\n");
    say("show_board", "2s 2h 2d 3c 3d\n");
    say("show_board_no_iso", "2s 2h 2d 3c 3d\n");
    say("go 30 steps", "go ok!\n");
    say("wait_for_solver", "wait_for_solver ok!\n");
    say("stop", "stop ok!\n");
    say("calc_results", "Exploitable for: ");
    say("show_node r:0", "r:0\nOOP_DEC\n2s 2h 2d 3c 3d\n0 0 100\n2 children\nflags: PIO_ALG\n\n");
    say("show_node r", "r\nROOT\n2s 2h 2d 3c 3d\n0 0 100\n1 children\nflags: PIO_ALG\n\n");
    say("show_children r", "child 0:\nr:0\nOOP_DEC\n");
    say("show_children r:0", "child 1:\nr:0:c\nIP_DEC\n");
    say("show_strategy r:0", " ");
    say("show_range OOP", "1 ");
    say("show_range 1 r:0", "1 ");
    say("calc_ev OOP r:0", "nan ");
    say("calc_ev_pp OOP r:0:c:c", "AdAc: 100\n");
    say("calc_eq_node IP r:0", "\n0.5\n");
    say("calc_eq_pp IP r:0", "KdKc: 0.5\n");
    say("calc_matchups_line r:0", "72\n");
    say("calc_global_freq r:0", "1\n");
    say("show_all_lines", "r\nr:0\nr:0:c\nr:0:c:c\nr:0:b100\nr:0:b100:f\nr:0:b100:c\n");
    say("lock_node r:0", "lock_node ok!\n");
    say("unlock_node r:0", "unlock_node ok!\n");
    let row = vec!["0.5"; 1326].join(" ");
    say(&format!("set_strategy r:0 {row} {row}"), "set_strategy ok!\n");
    say("go 1 steps", "go ok!\n");
    say("wait_for_solver", "wait_for_solver ok!\n");
    say(&format!("dump_tree {file}"), "dump_tree ok!\n");
    say(&format!("load_tree {file} auto"), "load_tree ok!\n");
    say("load_all_nodes", "load_all_nodes ok!\n");
    say("rebuild_forgotten_streets", "rebuild_forgotten_streets ok!\n");
    say("estimate_rebuild_forgotten_streets", "nothing to rebuild");
    say("free_tree", "free_tree ok!\n");
    say("is_tree_present", "false\n");
    used.insert("exit".to_owned());
    assert_eq!(talk.hear(b"exit"), (Next::Exit, String::new()));
    let known: BTreeSet<String> = commands().iter().map(|command| command.name.to_owned()).collect();
    assert_eq!(known, used, "each command is tried here");
}

#[test]
fn the_end_string_follows_answers_and_not_lines_of_the_solver() {
    let mut talk = Talk::after(&POLAR);
    assert_eq!(talk.ask("set_end_string <done>"), "set_end_string ok!\n<done>\n");
    let mut text = talk.ask("go");
    text.push_str(&talk.ask("wait_for_solver"));
    assert_eq!(
        text,
        "go ok!\nSOLVER: started\n<done>\nSOLVER: stopped (required accuracy reached)\nwait_for_solver ok!\n<done>\n"
    );
    assert!(talk.ask("show_children r:0:c:c") == "<done>\n", "no children");
    assert!(talk.ask("x").ends_with("\n<done>\n"));
    assert_eq!(talk.ask(""), "");
    assert_eq!(talk.ask("# a comment"), "");
}

#[test]
fn weights_read_back() {
    let mut talk = Talk::new();
    let weights: Vec<String> = (0..1326).map(|at| (f64::from(at % 5) / 4.0).to_string()).collect();
    talk.ok(&format!("set_range IP {}", weights.join(" ")));
    let shown: Vec<f64> = talk.rows("show_range IP").remove(0);
    assert!(shown.iter().zip(&weights).all(|(shown, weight)| *shown == weight.parse::<f64>().unwrap()));
    talk.ok("set_range OOP AKs:0.5, QQ+");
    assert_eq!(talk.rows("show_range OOP")[0].iter().sum::<f64>(), 20.0);
}

#[test]
fn the_documentation_lists_every_command() {
    let text = include_str!("../../../../docs/upi.md");
    for command in commands() {
        let is_listed =
            text.contains(&format!("| `{}", command.name)) || text.contains(&format!(", `{}", command.name));
        assert!(is_listed, "{}", command.name);
        let options =
            command.usage.split(['[', ']', '|', ' ']).filter(|word| word.chars().all(char::is_lowercase));
        for option in options.filter(|option| !option.is_empty()) {
            assert!(text.contains(option), "{}: {option}", command.name);
        }
        assert!(!command.about.is_empty());
    }
}
