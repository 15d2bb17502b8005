//! Trees from lines.

use crate::talk::Talk;

const BASE: [&str; 5] = [
    "set_range OOP AA,QQ,JTs",
    "set_range IP KK,AJs",
    "set_board QdThJc",
    "set_pot 0 0 550",
    "set_eff_stack 9750",
];

/// Lines of a flop tree with one size, as they go around for the original.
const LINES: [&str; 24] = [
    "0 0 0 0 0 0",
    "0 0 0 0 0 412",
    "0 0 0 0 412",
    "0 0 0 412 412 412",
    "0 0 0 412 412 1442",
    "0 0 0 412 1442",
    "0 0 412 412 412",
    "0 0 412 412 1442",
    "0 0 412 1442",
    "0 412 412 412 412 412",
    "0 412 412 412 412 1442",
    "0 412 412 412 1442",
    "0 412 412 1442 1442 1442",
    "0 412 412 1442 1442 4018",
    "0 412 412 1442 4018",
    "0 412 1442 1442 1442",
    "0 412 1442 1442 4018",
    "0 412 1442 4018",
    "412 412 412 412 412",
    "412 412 412 412 1442",
    "412 412 412 1442 1442 1442",
    "412 412 1442 1442 4018",
    "412 1442 1442 4018",
    "412 1442 4018",
];

fn lines(talk: &mut Talk) -> Vec<String> {
    talk.ask("show_all_lines").lines().map(str::to_owned).collect()
}

#[test]
fn a_flop_tree_is_what_its_lines_say() {
    let mut talk = Talk::after(&BASE);
    LINES.iter().for_each(|line| talk.ok(&format!("add_line {line}")));
    talk.ok("build_tree");
    let all = lines(&mut talk);
    assert_eq!(all[..4], ["r", "r:0", "r:0:c", "r:0:c:c"]);
    // Every prefix of a written line is there, its calls and folds too; and no bet that nobody wrote.
    for line in [
        "r:0:c:b412:b1442:b4018:f",
        "r:0:c:b412:b1442:b4018:c",
        "r:0:b412:c:c:b1442:c:c",
        "r:0:c:c:c:b412:c:b1442",
    ] {
        assert!(all.contains(&line.to_owned()), "{line}");
    }
    assert!(!all.contains(&"r:0:b412:b4018".to_owned()) && !all.contains(&"r:0:b412:c:b412".to_owned()));
    assert_eq!(all.len(), all.iter().collect::<std::collections::HashSet<_>>().len());
    let node = talk.node("r:0:c:b412:c:8h:c:b1442");
    assert_eq!(
        node[..5],
        ["r:0:c:b412:c:8h:c:b1442", "OOP_DEC", "Qd Th Jc 8h", "412 1442 550", "2 children"]
    );
    assert_eq!(talk.node("r:0:c:c:8h:c:c")[1..5], ["SPLIT_NODE", "Qd Th Jc 8h", "0 0 550", "48 children"]);
    assert_eq!(talk.children("r:0:c:c").len(), 49);
    assert_eq!(talk.children("r:0:c:b412"), ["r:0:c:b412:b1442", "r:0:c:b412:c", "r:0:c:b412:f"]);
    assert!(talk.children("r:0:c:b412:f").is_empty());
    assert_eq!(talk.node("r:0:c:b412:f")[1..5], ["END_NODE", "Qd Th Jc", "0 412 550", "0 children"]);
}

#[test]
fn lines_are_taken_away_with_what_follows_them() {
    let mut talk = Talk::after(&BASE);
    ["0 412 1442 4018", "0 412", "412 1442", "0 600"]
        .iter()
        .for_each(|line| talk.ok(&format!("add_line {line}")));
    talk.ok("remove_line 0 412 1442");
    talk.ok("remove_line 0 600");
    talk.ok("build_tree");
    let all = lines(&mut talk);
    assert!(all.contains(&"r:0:c:b412:c".to_owned()) && all.contains(&"r:0:b412:b1442:f".to_owned()));
    assert!(!all.iter().any(|line| line.starts_with("r:0:c:b412:b") || line.contains("b600")));
    // A check can go too, if something else is left; adding a line through it brings it back.
    talk.ok("remove_line 0");
    talk.ok("build_tree");
    assert_eq!(talk.children("r:0"), ["r:0:b412"]);
    talk.ok("add_line 0 0");
    talk.ok("build_tree");
    assert_eq!(talk.children("r:0"), ["r:0:b412", "r:0:c"]);
    assert!(talk.refused("remove_line 0 999").contains("no line that was added"));
    talk.ok("clear_lines");
    talk.ok("build_tree");
    assert_eq!(talk.children("r:0"), ["r:0:c"]);
    talk.ok("remove_line 0");
    assert!(talk.refused("build_tree").contains("remove_line 0: "), "the only action stays");
}

#[test]
fn amounts_are_since_the_root_on_every_street() {
    let mut talk = Talk::after(&BASE);
    talk.ok("add_line 412 412 1442 1442 9750");
    talk.ok("build_tree");
    assert_eq!(talk.node("r:0:b412:c:2c:b1442:c:3c:b9750")[3], "9750 1442 550");
    assert_eq!(talk.node("r:0:b412:c:2c:b1442:c:3c:b9750:c")[1], "END_NODE");
    assert_eq!(talk.ask("show_effective_stack"), "9750\n");
    talk.ok("clear_lines");
    talk.ok("add_line 9750 9750");
    talk.ok("build_tree");
    // All-in before the river: the rest of the board is dealt, and the hand is over.
    assert_eq!(talk.node("r:0:b9750:c")[1..5], ["END_NODE", "Qd Th Jc", "9750 9750 550", "0 children"]);
}

#[test]
fn lines_that_do_not_fit_are_named() {
    let mut talk = Talk::after(&BASE);
    for (line, words) in [
        ("0 412 500", "add_line 0 412 500: amounts of a street: the line 'check bet:412 raise:500'"),
        ("0 9751", "more than the stack"),
        ("9750 9750 9750", "all-in before"),
        ("0 0 0 0 0 0 0", "goes on after the hand is over"),
    ] {
        talk.ok("clear_lines");
        talk.ok(&format!("add_line {line}"));
        let error = talk.refused("build_tree");
        assert!(error.contains(words), "{line}: {error}");
    }
    for (line, words) in
        [("add_line 5 3", "less than 5"), ("add_line", "a line needs totals"), ("add_line 0 x", "number 2")]
    {
        assert!(talk.refused(line).contains(words), "{line}");
    }
}
