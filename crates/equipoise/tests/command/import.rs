//! `equipoise import`.

use std::fs;
use std::path::Path;

use crate::common::{binary, json, run, text};

/// The files that the library's tests read.
fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spots/src/import/examples");
    folder.join(name).to_str().unwrap().to_owned()
}

const EXAMPLES: [(&str, &str); 3] = [
    ("texassolver.txt", "texassolver"),
    ("wasm-postflop.json", "wasm-postflop"),
    ("piosolver.txt", "piosolver"),
];

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

#[test]
fn what_is_imported_can_be_solved() {
    for (name, format) in EXAMPLES {
        let spot = path(&format!("imported-{format}.toml"));
        let document = json(&["import", &example(name), "-o", &spot]);
        assert_eq!(document["format"], format);
        assert_eq!(document["spot"], fs::read_to_string(&spot).unwrap());
        let plan = json(&["solve", &spot, "--dry-run"]);
        assert!(plan["tree"]["nodes"].as_u64().or(plan["nodes"].as_u64()) != Some(0), "{plan}");
        // To standard output, and with the format named.
        let printed = run(&["import", &example(name), "--format", format]);
        assert_eq!((printed.code, printed.stdout.as_str()), (Some(0), document["spot"].as_str().unwrap()));
        for note in document["not_carried_over"].as_array().unwrap() {
            let line = format!("line {}: {}", note["line"], note["text"].as_str().unwrap());
            assert!(printed.stderr.contains(&line), "{line}\n{}", printed.stderr);
        }
    }
}

#[test]
fn people_are_told_what_was_not_carried_over() {
    let printed = run(&["import", &example("texassolver.txt"), "-o", &path("told.toml")]);
    assert_eq!(printed.code, Some(0));
    let hidden = |text: &str| text.replace(env!("CARGO_TARGET_TMPDIR"), "FOLDER").replace(&example(""), "");
    insta::assert_snapshot!("import", format!("{}{}", hidden(&printed.stdout), hidden(&printed.stderr)));
}

#[test]
fn standard_input_is_read() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut command = binary();
    let command = command.args(["import", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(fs::read(example("piosolver.txt")).unwrap().as_slice()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"piosolver\""));
}

#[test]
fn bad_files_are_named_with_their_place() {
    let script = fs::read_to_string(example("texassolver.txt")).unwrap();
    for (text, words) in [
        (script.replace("Qs,Jh", "Qs,Jx"), ["line 3, column 15", "the board"]),
        (script.replace("set_pot 50", "set_pot -1"), ["line 1, column 9", "is no pot"]),
        (script.replace("set_board", "# set_board"), ["the file has no board", "help: add a flop"]),
        ("hello".to_owned(), ["no file of TexasSolver", "--format"]),
        (script.replace("AA,KK,QQ,99", "AA,KX,QQ,99"), ["line 4, column 18", "the range of ip"]),
        (
            script
                .replace("Qs,Jh,2h", "As,Ah,Ad")
                .replace("set_range_ip AA,KK,QQ,99:0.75,AK,AQs,AQo:0.75,KQs,T9s:0.5", "set_range_ip AA:0"),
            ["line 4", "is empty"],
        ),
    ] {
        let file = path("bad-import.txt");
        fs::write(&file, text).unwrap();
        let run = run(&["import", &file]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(words.iter().all(|word| run.stderr.contains(word)), "{words:?}: {}", run.stderr);
    }
    let file = path("binary-import.txt");
    fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    for args in [vec!["import", &file], vec!["import", "no/such"], vec!["import", &file, "--format", "x"]] {
        assert_eq!(run(&args).code, Some(2), "{args:?}");
    }
}

#[test]
fn a_list_of_weights_is_a_range_wherever_ranges_are_read() {
    let listed = text(&["range", "TT+,AKs:0.5", "--weights"]);
    assert_eq!(listed.split_whitespace().count(), 1326);
    let document = json(&["range", listed.trim(), "--weights"]);
    assert_eq!(document["text"], "TT+,AKs:0.5");
    assert_eq!(document["listed_weights"][1325], 1.0);
    let file = path("listed.toml");
    let spot = format!(
        "[ranges]\noop = \"{}\"\nip = \"QQ\"\n[cards]\nflop = \"Td9d6h\"\n[tree]\nstarting_pot = 100\neffective_stack = 100\n",
        listed.trim()
    );
    fs::write(&file, spot).unwrap();
    json(&["solve", &file, "--dry-run"]);
    let short = run(&["range", "0 1 0.5"]);
    assert_eq!(short.code, Some(2));
    assert!(short.stderr.contains("3 numbers and not 1,326"), "{}", short.stderr);
}
