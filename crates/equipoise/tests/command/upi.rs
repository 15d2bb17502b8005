//! `equipoise upi`: the real binary, by way of its standard input and output.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use crate::common::{binary, json, run};

/// A river of a few hands, solved and saved.
const SCRIPT: &str = "\
set_end_string END
set_range OOP AA,QQ,JTs
set_range IP KK,AJs
set_board Qd9d6h3c2h
set_pot 0 0 100
set_eff_stack 300
add_line 0 0
add_line 60 180 300
add_line 0 60 300
build_tree
set_accuracy 0.1 chips
go
wait_for_solver
";

/// What is heard when these bytes are said, and how it ended.
pub(crate) fn hear(input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = binary();
    command.arg("upi").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut upi = command.spawn().unwrap();
    let mut stdin = upi.stdin.take().unwrap();
    let input = input.to_vec();
    // On a thread of its own, so that neither side waits for the other with its pipe full.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = upi.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn answers(script: &str) -> Vec<String> {
    let (code, stdout, stderr) = hear(script.as_bytes());
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    stdout.split("END\n").map(str::to_owned).collect()
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("equipoise-upi-command-{}-{name}.eqp", std::process::id()))
}

#[test]
fn a_script_is_answered_and_what_it_saves_is_a_solution() {
    let path = file("river");
    let name = path.display();
    let heard = answers(&format!(
        "{SCRIPT}calc_ev OOP r:0\nshow_strategy r:0:b60\ndump_tree {name}\nexit\nis_ready\n"
    ));
    assert!(heard[0].starts_with("Equipoise 0.1.0"), "{}", heard[0]);
    assert!(heard.contains(&"build_tree ok!\n".to_owned()));
    assert_eq!(heard.last().unwrap(), "", "nothing is answered after exit");
    let document = json(&["show", &path.display().to_string(), "--all"]);
    assert_eq!(document["solution"]["starting_pot"], 100);
    let evs: Vec<f64> =
        heard[heard.len() - 4].lines().next().unwrap().split(' ').map(|ev| ev.parse().unwrap()).collect();
    let order: Vec<String> = equipoise::cards::Combo::listed().map(|combo| combo.to_string()).collect();
    let combos = document["combos"].as_array().unwrap();
    assert_eq!(combos.len(), 13);
    for combo in combos {
        let at = order.iter().position(|hand| combo["combo"] == hand.as_str()).unwrap();
        assert!((evs[at] - combo["ev"].as_f64().unwrap()).abs() < 1e-3, "{combo}");
    }
    assert_eq!(evs.iter().filter(|ev| !ev.is_nan()).count(), 13);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_end_of_the_input_ends_it_even_while_it_solves() {
    let script = SCRIPT.replace("set_accuracy 0.1 chips\n", "").replace("wait_for_solver\n", "");
    let heard = answers(&script);
    assert!(heard.iter().any(|answer| answer == "go ok!\nSOLVER: started\n"), "{heard:?}");
    let (code, stdout, _) = hear(b"");
    assert_eq!((code, stdout.lines().count()), (Some(0), 1));
}

#[test]
fn nonsense_is_answered_line_by_line() {
    let mut input = b"set_end_string END\nfrobnicate\n\xff\xfe\nshow_node r:0\nset_pot 0 0 1e30\nload_tree /nowhere.eqp\n".to_vec();
    input.extend(vec![b'x'; (16 << 20) + 1]);
    input.extend(b"\nset_accuracy nan\ngo\nis_ready\n");
    let (code, stdout, stderr) = hear(&input);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let answers: Vec<&str> = stdout.split("END\n").skip(1).collect();
    assert!(
        answers[..8].iter().all(|answer| answer.starts_with("ERROR: ") && answer.lines().count() == 1),
        "{stdout}"
    );
    assert_eq!(answers[8..], ["is_ready ok!\n", ""]);
}

#[test]
fn arguments_that_make_no_sense() {
    for args in [&["upi", "--json"][..], &["upi", "--memory-limit", "much"], &["upi", "script.txt"]] {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}
