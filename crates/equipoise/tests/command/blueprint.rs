//! `equipoise blueprint`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::cluster::FakeSlurm;
use crate::common::{Run, binary, run_command};

/// All-in or check after the flop, and few buckets: small enough for a test.
const GAME: &str = r#"
stack = 800
seed = 3
batch = 4
[betting]
preset = "A"
[betting.flop]
bet = "a"
[betting.turn]
bet = "a"
[betting.river]
bet = "a"
[buckets]
flop = { method = "percentile", buckets = 20 }
turn = { method = "percentile", buckets = 20 }
river = { method = "percentile", buckets = 20 }
samples_per_street = 1000
"#;

fn folder() -> PathBuf {
    let folder = crate::common::empty_folder("blueprint");
    fs::write(folder.join("game.toml"), GAME).unwrap();
    folder
}

fn blueprint(folder: &Path, args: &str) -> Command {
    let mut command = binary();
    command.current_dir(folder).env("EQUIPOISE_CACHE", folder.join("cache")).arg("blueprint");
    command.args(args.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    }));
    command
}

fn ran(folder: &Path, args: &str) -> Run {
    let run = run_command(&mut blueprint(folder, args));
    assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
    run
}

fn json(folder: &Path, args: &str) -> Value {
    serde_json::from_str(&ran(folder, &format!("{args} --json")).stdout).unwrap()
}

/// One test, since its buckets take seconds.
#[test]
fn train_measure_show_and_match() {
    let folder = folder();
    let built = ran(&folder, "train game.toml -o one.eqb --boards 40 --threads 1");
    assert!(built.stderr.contains("note: building buckets in"), "{}", built.stderr);
    assert!(built.stderr.contains("40 boards") && built.stderr.contains("of tables"), "{}", built.stderr);
    assert!(
        built.stdout.contains("saved to one.eqb") && built.stdout.contains("not measured"),
        "{}",
        built.stdout
    );
    // The same bytes with more threads and in two parts.
    let first = json(&folder, "train game.toml -o two.eqb --boards 12 --threads 2");
    assert_eq!((&first["boards"], first["checkpoints"].as_array().unwrap().len()), (&Value::from(12), 1));
    let second = json(&folder, "train game.toml -o two.eqb --boards 40 --resume");
    assert_eq!((&second["boards"], second["checkpoints"].as_array().unwrap().len()), (&Value::from(40), 2));
    assert!(second["boards_per_s"].as_f64().unwrap() > 0.0 && second["self_play_bb"].is_f64());
    assert!(fs::read(folder.join("one.eqb")).unwrap() == fs::read(folder.join("two.eqb")).unwrap());

    let measured = json(&folder, "exploit one.eqb --flops 2 --seed 1 --work flops");
    let found = &measured["exploitability_mbb"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!((&measured["flops"], &measured["is_exact"]), (&Value::from(2), &Value::from(false)));
    assert!(number(&found["lower"]) <= number(&found["upper"]) && number(&found["std_error"]) > 0.0);
    assert!(number(&measured["by_seat"]["sb"]) > 0.0 && number(&measured["by_seat"]["bb"]) > 0.0);
    assert_eq!(fs::read_dir(folder.join("flops")).unwrap().count(), 2);
    // What is there is not measured again, and says the same.
    let again = json(&folder, "exploit one.eqb --flops 2 --seed 1 --work flops --threads 1");
    assert_eq!(again["exploitability_mbb"], *found);
    by_tasks(&folder, found);
    by_slurm(&folder, found);
    let text = ran(&folder, "exploit one.eqb --flops 2 --seed 1 --work flops").stdout;
    assert!(text.contains("mbb/hand on 2 flops, between"), "{text}");

    let shown = json(&folder, "show one.eqb");
    assert_eq!(shown["actions"], serde_json::json!(["f", "c", "r2.5", "a"]));
    assert_eq!(
        (&shown["player"], &shown["classes"]["AKs"]["reach"]),
        (&Value::from("sb"), &Value::from(1.0))
    );
    let shown = json(&folder, "show one.eqb --line 'r2.5 c | Td9d6h | x'");
    assert_eq!((&shown["player"], &shown["pot_bb"]), (&Value::from("sb"), &Value::from(5.0)));
    assert_eq!(shown["combos"].as_array().unwrap().len(), 1176);
    for combo in shown["combos"].as_array().unwrap() {
        let sum: f64 = combo["frequencies"].as_array().unwrap().iter().map(number).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{combo}");
    }
    // Keys name rows both ways.
    let first = &shown["combos"][0];
    let key = first["key"].as_str().unwrap();
    assert!(key.starts_with("SB:") && key.ends_with(":Fr250c/x"), "{key}");
    let row = json(&folder, &format!("show one.eqb --key {key}"));
    assert_eq!((&row["frequencies"], &row["player"]), (&first["frequencies"], &Value::from("sb")));
    assert!(ran(&folder, &format!("show one.eqb --key {key}")).stdout.contains("flop, pot 5.00 bb"));
    let text = ran(&folder, "show one.eqb --line 'r2.5 c Td9d6h' --combos").stdout;
    assert!(text.contains("big blind to act") && text.contains("bucket"), "{text}");
    assert!(ran(&folder, "show one.eqb --line 'a f'").stdout.contains("nobody acts here"));

    let chart = json(&folder, "chart one.eqb --flops 2");
    let answer =
        chart["decisions"].as_array().unwrap().iter().find(|decision| decision["line"] == "r2.5").unwrap();
    assert_eq!((&answer["player"], &answer["actions"][0]), (&Value::from("bb"), &Value::from("f")));
    assert!((number(&answer["classes"]["72o"]["evs_bb"][0]) + 1.0).abs() < 1e-9, "{answer}");
    assert_eq!((number(&chart["stack_bb"]), &chart["entries"][0]["line"]), (8.0, &Value::from("c x")));
    let text = ran(&folder, "chart one.eqb --flops 2 --line r2.5").stdout;
    assert!(text.contains("means of 2 flop(s)") && text.contains("EV f") && text.contains('±'), "{text}");
    ran(&folder, "chart one.eqb --flops 1 --csv chart.csv");
    assert!(fs::read_to_string(folder.join("chart.csv")).unwrap().starts_with("line,player,class,reach,"));

    let none = json(&folder, "match one.eqb two.eqb --boards 32");
    assert!(number(&none["mbb_per_hand"]["mean"]).abs() < 0.1, "{none}");
    refused(&folder);
    decisions_are_solved_again(&folder);
}

fn resolve(folder: &Path, args: &[&str]) -> Run {
    let mut command = binary();
    command.current_dir(folder).env("EQUIPOISE_CACHE", folder.join("cache")).args(["resolve", "one.eqb"]);
    run_command(command.args(args))
}

fn decisions_are_solved_again(folder: &Path) {
    let river = "r2.5 c | Td9d6h | x x | 2c | x x | 3s";
    let number = |value: &Value| value.as_f64().unwrap();
    for mode in ["estimate", "resolve", "maxmargin", "unsafe"] {
        let args = ["--line", river, "--iterations", "60", "--mode", mode];
        let run = resolve(folder, &[&args[..], &["--json"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&found["mode"], &found["player"]), (&Value::from(mode), &Value::from("bb")));
        assert_eq!(
            (&found["iterations"], found["least_margin_chips"].is_null()),
            (&Value::from(60), mode == "unsafe")
        );
        assert!(number(&found["exploitability_pct"]) < 5.0, "{mode}");
        for combo in found["combos"].as_array().unwrap() {
            let sum: f64 = combo["frequencies"].as_array().unwrap().iter().map(number).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{combo}");
        }
        let text = resolve(folder, &args).stdout;
        assert!(
            text.contains(&format!("mode {mode}")) && text.contains("exploitability of the subgame"),
            "{text}"
        );
    }
    // A bet that the blueprint does not have, and a file with the line.
    fs::write(folder.join("line.txt"), format!("{river} | x b40\n")).unwrap();
    let run = resolve(folder, &["--history", "line.txt", "--seconds", "0.2", "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&found["player"], &found["actions"][0]), (&Value::from("bb"), &Value::from("fold")));
    let run = resolve(folder, &["--line", "r2.5"]);
    assert!(run.stdout.contains("mode blueprint"), "{}", run.stdout);
    for (args, expected) in [
        (&["--line", "r2.5 q"][..], "'q' is no action"),
        (&["--line", &format!("{river} | x b0.0001c")], "is no action here"),
        (&["--line", "a f"], "nobody acts there"),
        (&["--history", "none.txt"], "cannot read none.txt"),
        (&["--line", river, "--seconds", "-1"], "must be above 0"),
    ] {
        let run = resolve(folder, args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
}

/// A small game: five big blinds, one flop, few boards.
/// The flops as an array of Slurm's: sent once, each task does its own, and together they are the same answer.
fn by_slurm(folder: &Path, found: &Value) {
    let slurm = FakeSlurm::new(&crate::common::empty_folder("cluster/flops"), 1001);
    let args = "submit one.eqb --on slurm --time 1h --flops 2 --seed 1 --work array --memory 1G";
    let submit = |words: &str| {
        let run = run_command(slurm.before(&mut blueprint(folder, &format!("{args} {words}"))));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let printed = submit("--print");
    assert!(
        printed.contains("#SBATCH --array=0-1\n") && printed.contains("#SBATCH --mem=1191M\n"),
        "{printed}"
    );
    assert!(printed.contains("blueprint exploit") && printed.contains("/array \\\n  --list"), "{printed}");
    assert!(!printed.contains("--memory-limit") && printed.contains(" --wait\n"), "{printed}");
    assert!(!slurm.read("calls").contains("sbatch"));
    let first: Value = serde_json::from_str(&submit("--json")).unwrap();
    assert_eq!((&first["jobs"], &first["done"], &first["queued"]), (&2.into(), &0.into(), &0.into()));
    assert_eq!((&first["arrays"][0]["jobs"], &first["arrays"][0]["tasks"]), (&2.into(), &2.into()));
    assert!(submit("").contains("2 flops, 0 done, 2 queued, 0 to do in 0 tasks"));
    // The cache of buckets is that of the environment, as it is on a node.
    let task = |script: &str, index: &str| {
        let mut command = Command::new("sh");
        command.arg(slurm.folder.join(script)).env("EQUIPOISE_CACHE", folder.join("cache"));
        run_command(command.env("SLURM_ARRAY_TASK_ID", index).env("SLURM_CPUS_PER_TASK", "1"))
    };
    let done = task("script.101", "1");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.contains("1 flop(s) measured, 0 were there"), "{}", done.stdout);
    assert!(submit("").contains("2 flops, 1 done, 1 queued, 0 to do"), "{}", submit(""));
    let beyond = task("script.101", "2");
    assert_eq!(beyond.code, Some(2));
    assert!(beyond.stderr.contains("no task 2: there are 2, counted from 0"), "{}", beyond.stderr);
    assert!(submit("--cancel").contains("cancelled 101"));
    assert!(submit("").contains("2 flops, 1 done, 0 queued, 1 to do in 1 tasks: 1 array(s)"));
    let rest = task("script.102", "0");
    assert_eq!(rest.code, Some(0), "{}", rest.stderr);
    let together = json(folder, "exploit one.eqb --flops 2 --seed 1 --work array");
    assert_eq!(together["exploitability_mbb"], *found);
    let engines = together["engines"].as_array().unwrap();
    assert_eq!((engines.len(), &engines[0]["flops"]), (1, &2.into()));
    assert!(engines[0]["engine"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")), "{engines:?}");
    let skew = run_command(&mut blueprint(folder, "exploit one.eqb --flops 2 --engine 99.0.0"));
    assert_eq!(skew.code, Some(2));
    assert!(skew.stderr.contains("99.0.0 was asked for"), "{}", skew.stderr);
}

/// Flop by flop, as tasks of a scheduler, the answer is the same; who finds another process at a flop says so.
fn by_tasks(folder: &Path, found: &Value) {
    let task = |words: &str| format!("exploit one.eqb --flops 2 --seed 1 --work tasks {words}");
    let first = json(folder, &task("--index 1"));
    assert_eq!((&first["flops"], &first["kept"]), (&1.into(), &0.into()));
    let measured = |folder: &Path| -> Vec<PathBuf> {
        let files = fs::read_dir(folder.join("tasks")).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.')).collect()
    };
    let [one] = &measured(folder)[..] else { panic!("a task is a flop") };
    let name = one.file_name().unwrap().to_str().unwrap().to_owned();
    fs::remove_file(one).unwrap();
    let lock = fs::File::create(folder.join("tasks").join(format!(".{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let busy = run_command(&mut blueprint(folder, &task("--index 0 --of 1")));
    assert_eq!(busy.code, Some(75), "{}", busy.stderr);
    assert!(busy.stdout.contains("1 flop(s) measured"), "{}", busy.stdout);
    drop(lock);
    let both = json(folder, &task("--index 0 --of 1 --wait"));
    assert_eq!((&both["flops"], &both["kept"]), (&1.into(), &1.into()));
    assert_eq!(json(folder, &task(""))["exploitability_mbb"], *found);
}

#[test]
fn preflop_charts() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("preflop");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let preflop = |args: &str| {
        let mut command = binary();
        command.current_dir(&folder).arg("preflop").args(args.split_whitespace());
        run_command(&mut command)
    };
    let small = "--stack 5 --flops AsKsQs:3,7s7h7d --boards 32 --strengths 8";
    let run = preflop(&format!("{small} --json -o chart.json --ranges ranges.txt --plot chart.svg"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("2 flop(s)") && run.stderr.contains("of tables"), "{}", run.stderr);
    let chart: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&chart["boards"], &chart["flops"]), (&Value::from(32), &Value::from(2)));
    assert!(chart["exploitability_mbb"].as_f64().unwrap() > 0.0 && chart["by_seat"]["sb"].is_f64());
    let first = &chart["decisions"][0];
    assert_eq!((&first["line"], &first["player"]), (&Value::from(""), &Value::from("sb")));
    for decision in chart["decisions"].as_array().unwrap() {
        let num_actions = decision["actions"].as_array().unwrap().len();
        let classes = decision["classes"].as_object().unwrap();
        assert_eq!(classes.len(), 169);
        for class in classes.values() {
            let shares = class["frequencies"].as_array().unwrap();
            assert_eq!((shares.len(), class["evs_bb"].as_array().unwrap().len()), (num_actions, num_actions));
            let sum: f64 = shares.iter().map(|share| share.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{class}");
        }
    }
    let number = |value: &Value| value.as_f64().unwrap();
    let entries = chart["entries"].as_array().unwrap();
    let limped = entries.iter().find(|entry| entry["line"] == "c x").expect("a limped pot");
    assert_eq!((number(&limped["pot_bb"]), number(&limped["behind_bb"])), (2.0, 4.0));
    for (seat, line, action) in [("sb", "", 1), ("bb", "c", 0)] {
        let decision = chart["decisions"].as_array().unwrap().iter().find(|one| one["line"] == line).unwrap();
        let share = number(&decision["classes"]["T9s"]["frequencies"][action]);
        let range: equipoise::cards::Range = limped["ranges"][seat].as_str().unwrap().parse().unwrap();
        let combo: equipoise::cards::Combo = "Ts9s".parse().unwrap();
        assert!((f64::from(range.weights()[combo.index()]) - share).abs() < 1e-4, "{seat}: {share}");
    }
    // Folding loses the blind.
    assert_eq!(first["actions"][0], "f");
    assert!((first["classes"]["72o"]["evs_bb"][0].as_f64().unwrap() + 0.5).abs() < 1e-6);
    assert_eq!(
        serde_json::from_str::<Value>(&fs::read_to_string(folder.join("chart.json")).unwrap()).unwrap(),
        chart
    );
    assert!(fs::read_to_string(folder.join("chart.svg")).unwrap().contains(">AKs<"));
    let ranges = fs::read_to_string(folder.join("ranges.txt")).unwrap();
    assert!(ranges.lines().skip(1).all(|line| line.starts_with("hu5-") && line.matches(" | ").count() == 2));
    let run = preflop(&format!("{small} --line a --csv -"));
    assert!(run.stdout.starts_with("line,player,class,reach,action"), "{}", run.stdout);
    let text = preflop(&format!("{small} --line a")).stdout;
    assert!(
        text.contains("on the flops solved") && text.contains("a, big blind") && text.contains("EV c"),
        "{text}"
    );
    for (args, words) in [
        ("--flops xx", "xx"),
        ("--flops As7d2c3c", "a flop has 3 cards"),
        ("--flops all", "--blueprint"),
        ("--menu Z", "Z"),
        ("--stack 1", "2..=1000"),
        ("--flops As7d2c --memory-limit 1M", "are allowed"),
        ("--target -3", "0 or more"),
        ("--blueprint chart.json", "needs --flops all"),
        ("--flops all --blueprint chart.json", "chart.json"),
        // Before anything is solved.
        ("--stack 5 --flops AsKsQs --minutes 60 --strengths 8 --line x", "there are ''"),
    ] {
        let run = preflop(args);
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(words) && !run.stderr.contains("panicked"), "{args}: {}", run.stderr);
    }
}

fn refused(folder: &Path) {
    fs::write(folder.join("cut.eqb"), &fs::read(folder.join("one.eqb")).unwrap()[..1000]).unwrap();
    fs::write(folder.join("other.toml"), GAME.replace("stack = 800", "stack = 90")).unwrap();
    fs::write(folder.join("jam.toml"), GAME.replace("bet = \"a\"", "bet = \"50%\"\nraises = [\"3x\"]"))
        .unwrap();
    for (args, words) in [
        ("train E-20 -o x.eqb", "cannot read the game E-20"),
        ("train other.toml -o x.eqb --boards 4", "larger than big blind"),
        ("train jam.toml -o x.eqb --boards 4", "have no all-in"),
        ("train game.toml -o game.toml --boards 4", "game.toml"),
        ("train game.toml -o new.eqb --boards 4 --resume", "no new.eqb.training to resume"),
        ("train game.toml -o two.eqb --boards 44 --resume --seed 9", "its seed is another"),
        ("train game.toml -o x.eqb --boards 4 --buckets nowhere", "nowhere"),
        ("train game.toml -o x.eqb --minutes 0", "minutes above 0"),
        ("train game.toml -o x.eqb --boards 4 --memory-limit 1K", "use fewer buckets or fewer bet sizes"),
        ("exploit cut.eqb", "cut short"),
        ("exploit game.toml", "it is no blueprint"),
        ("exploit missing.eqb", "missing.eqb"),
        ("exploit one.eqb --flops 0", "from 1 to 22100"),
        ("exploit one.eqb --flops 2 --index 0", "there is no folder"),
        ("exploit one.eqb --flops 2 --index 2 --work flops", "no task 2: there are 2"),
        ("chart one.eqb --flops 1 --line 'r2.5 c'", "is no decision before the flop"),
        ("chart one.eqb --flops 1 --csv one.eqb", "one.eqb"),
        ("show one.eqb --line 'r3'", "there are f, c, r2.5, a"),
        ("show one.eqb --line 'r2.5 c TdTd6h'", "Td"),
        ("show one.eqb --key SB:AKs", "three parts"),
        ("show one.eqb --key BB:AKs:", "SB acts, not BB"),
        ("match one.eqb missing.eqb", "missing.eqb"),
    ] {
        let run = run_command(&mut blueprint(folder, args));
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(words) && !run.stderr.contains("panicked"), "{args}: {}", run.stderr);
    }
    assert!(!folder.join("x.eqb").exists());
    assert_eq!(fs::read_to_string(folder.join("game.toml")).unwrap(), GAME);
}
