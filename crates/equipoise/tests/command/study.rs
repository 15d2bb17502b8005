//! What somebody who studies meets first: paths as one types them, what a file holds, ranges with names, and mistakes.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use equipoise::cards::{NamedRange, Range};
use equipoise::postflop::Contents;
use serde_json::Value;

use crate::common::{binary, json, run, run_command, said, save, text};

const SPOT: &str = r#"
[ranges]
oop = "AA,QQ,KQs,JTs,87s"
ip = "KK,AQs,T9s,66,76s:0.5"

[cards]
flop = "Qd9d6h"
turn = "3c"

[tree]
starting_pot = 100
effective_stack = 200
rake_rate = 0.05
rake_cap = 3

[bet_sizes.turn]
oop_bet = "60%"
ip_bet = "60%"

[bet_sizes.river]
oop_bet = "75%"
ip_bet = "75%"
oop_donk = "33%"

[[locks]]
line = "check"
strategy = { check = 0.7, "bet:60" = 0.3 }

[[locks]]
line = "bet:60"
hands = { KK = { call = 1.0 } }
"#;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("study");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn solution() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        // Tests run in processes of their own.
        let name = format!("study-{}.eqp", std::process::id());
        save(&folder().join(name), SPOT, 100, Contents::Full)
    })
}

#[test]
fn paths_are_read_as_people_type_them() {
    for (typed, path) in [
        ("check check 7s", "check check | 7s |"),
        ("x x 7s x", "check check | 7s | check"),
        ("x b60 c 7s", "check bet:60 call | 7s |"),
        ("bet:60% c 2d", "bet:60 call | 2d |"),
        ("ch b", "check bet:60"),
    ] {
        assert_eq!(json(&["show", solution(), "--node", typed])["node"]["path"], path, "{typed}");
    }
    let refused = run(&["show", solution(), "--node", "x x x"]);
    assert!(refused.stderr.contains("write the card that comes"), "{}", refused.stderr);
}

#[test]
fn a_file_says_what_was_solved() {
    let document = json(&["info", solution()]);
    assert_eq!(document["rake"], serde_json::json!({"rate": 0.05, "cap": 3.0}));
    let range = document["ranges"]["ip"]["text"].as_str().unwrap();
    assert_eq!(range.parse::<Range>(), "KK,AQs,T9s,66,76s:0.5".parse());
    assert_eq!(document["ranges"]["oop"]["combos"], 6 + 3 + 3 + 4 + 4);
    assert_eq!(document["bet_sizes"]["river"]["oop"]["donk"], "33%");
    assert_eq!(document["file"]["contents"], "full");
    let locks = document["locks"].as_array().unwrap();
    assert_eq!((locks.len(), &locks[0]["line"], &locks[0]["combos"]), (2, &"check".into(), &Value::Null));
    assert_eq!(locks[0]["strategy"][1], serde_json::json!({"action": "bet:60", "frequency": 0.3}));
    assert_eq!(locks[1]["combos"].as_array().unwrap().len(), 6);

    let shown = text(&["info", solution()]);
    for words in [
        "OOP has 20 combos",
        "rake: 5.00 % of the pot, at most 3 chips",
        "river, OOP: bets 75%; donk bets 33%",
        "locked after 'check': IP plays check 70.0 %, bet:60 30.0 %",
        "locked after 'bet:60': IP plays with 6 combos call 100.0 %",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let spot = text(&["info", solution(), "--toml"]);
    assert_eq!(spot.trim(), SPOT.trim());
}

#[test]
fn what_is_locked_is_marked() {
    let locked = |path: &str| json(&["show", solution(), "--node", path])["node"]["locked"].clone();
    assert_eq!([locked(""), locked("check"), locked("bet:60")], [Value::Null, "all".into(), "some".into()]);
    let some = json(&["show", solution(), "--node", "bet:60"]);
    assert_eq!(some["locked_combos"].as_array().unwrap().len(), 6);
    assert!(text(&["show", solution(), "--node", "check"]).contains("locked: what IP does here is given"));
    let tree = text(&["tree", solution()]);
    let line = |begins: &str| tree.lines().find(|line| line.trim().starts_with(begins)).unwrap().to_owned();
    // How often play gets there may be said after it.
    assert!(line("IP Bet 60 %").contains("  locked") && !line("IP Bet 60 %").contains("in part"), "{tree}");
    assert!(line("IP Fold").contains("  locked in part"), "{tree}");
    assert!(!line("OOP Check").contains("locked"), "{tree}");
    let rows = json(&["tree", solution()]);
    let row = rows["actions"].as_array().unwrap().iter().find(|row| row["path"] == "check bet:60").unwrap();
    assert_eq!(row["locked"], "all");
    let compared = json(&["compare", solution(), solution(), "--node", "check"]);
    assert_eq!(compared["b"]["node"]["locked"], "all");
    assert_eq!(text(&["compare", solution(), solution(), "--node", "check"]).matches("locked: ").count(), 2);
}

#[test]
fn what_rounds_to_zero_has_no_sign() {
    for args in [
        &["tree", solution()][..],
        &["compare", solution(), solution()],
        &["runouts", solution(), "--node", "x x"],
    ] {
        let shown = text(args);
        assert!(!["-0.000 ", "-0.00 ", "-0.0 "].iter().any(|zero| shown.contains(zero)), "{shown}");
    }
}

#[test]
fn a_solution_is_no_spot_file_and_a_table_no_spreadsheet() {
    let refused = run(&["solve", solution()]);
    assert_eq!(refused.code, Some(2));
    for words in ["is a solution, not a spot file", "equipoise show", "equipoise resume", "--from"] {
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let output = folder().join("x.xlsx");
    let _ = fs::remove_file(&output);
    let export = ["export", solution(), "--until", "turn", "-o", output.to_str().unwrap()];
    let refused = run(&export);
    assert_eq!(refused.code, Some(2));
    for words in ["no format is called 'xlsx'", ".parquet", "--format"] {
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    assert!(!output.exists());
    let named = run(&[&export[..], &["--format", "csv"]].concat());
    assert_eq!(named.code, Some(0), "{}", named.stderr);
}

/// On one line, the last of standard error; nothing on standard output.
#[test]
fn mistakes_are_json_for_programs() {
    for (args, words) in [
        (&["show", "nowhere.eqp"][..], "cannot read the solution"),
        (&["equity", "AhA"], "ends too early"),
        (&["show"], "required"),
        (&["range", "@btn-opens"], "did you mean @btn-open?"),
    ] {
        let run = run(&[args, &["--json"]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        let error: Value = serde_json::from_str(run.stderr.lines().last().unwrap()).unwrap();
        assert_eq!(error["error"]["code"], "bad_input", "{args:?}");
        assert!(said(&run.stderr).contains(words), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn ranges_have_names() {
    let listed = json(&["range", "--list"]);
    let listed = listed["ranges"].as_array().unwrap().iter();
    let names: Vec<&str> = listed.map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"@btn-open") && names.contains(&"@bb-call-v-btn"), "{names:?}");
    assert!(text(&["range", "--list"]).contains("approximation, not solved"));
    let opens = NamedRange::shipped().iter().find(|range| range.name == "btn-open").unwrap();
    let shown = json(&["range", "@btn-open"])["text"].as_str().unwrap().parse::<Range>();
    assert_eq!(shown, opens.text.parse());
    // Also where spots and players are read.
    let spot = SPOT.split("[[locks]]").next().unwrap().replace("AA,QQ,KQs,JTs,87s", "@bb-3bet-v-btn");
    let path = folder().join("named.toml");
    fs::write(&path, spot.replace("KK,AQs,T9s,66,76s:0.5", "@btn-call-3bet-v-bb:0.5")).unwrap();
    let solved = run(&["solve", path.to_str().unwrap(), "--max-iterations", "1", "--json"]);
    let solved: Value = serde_json::from_str(&solved.stdout).unwrap();
    assert!(solved["players"]["ip"]["weighted_combos"].as_f64().unwrap() > 40.0, "{solved}");
    let equity = json(&["equity", "@pairs", "AsKs", "--board", "Td9d6h"]);
    assert!((60..78).contains(&equity["players"][0]["combos"].as_u64().unwrap()), "{equity}");
}

#[test]
fn a_user_has_ranges_of_ones_own() {
    let ranges = folder().join("ranges");
    fs::create_dir_all(&ranges).unwrap();
    fs::write(ranges.join("mine.txt"), "# My own\nQQ+,\n@suited-connectors:0.5\n").unwrap();
    fs::write(ranges.join("btn-open.txt"), "AA").unwrap();
    fs::write(ranges.join("circle.txt"), "@circle").unwrap();
    fs::write(ranges.join("Not A Name.txt"), "AA").unwrap();
    let with = |args: &[&str]| run_command(binary().env("EQUIPOISE_RANGES", &ranges).args(args));
    let text = |args: &[&str]| serde_json::from_str::<Value>(&with(args).stdout).unwrap()["text"].clone();
    let own = text(&["range", "@mine", "--json"]).as_str().unwrap().parse::<Range>().unwrap();
    assert_eq!(own, "QQ+,54s:0.5,65s:0.5,76s:0.5,87s:0.5,98s:0.5,T9s:0.5,JTs:0.5".parse().unwrap());
    assert_eq!(text(&["range", "@btn-open", "--json"]), "AA");
    let list = with(&["range", "--list"]).stdout;
    assert!(list.contains("My own") && list.contains("your own") && !list.contains("Not A Name"), "{list}");
    let circle = with(&["range", "@circle"]);
    assert_eq!(circle.code, Some(2));
    assert!(circle.stderr.contains("in a circle"), "{}", circle.stderr);
}

#[test]
fn a_spot_to_begin_with() {
    let path = folder().join("new.toml");
    let _ = fs::remove_file(&path);
    let output = path.to_str().unwrap();
    let said =
        text(&["new", "srp-btn-bb", "--depth", "40", "--rake", "nl50", "--board", "Td9d6hQc", "-o", output]);
    assert!(said.contains("BTN opens 2.5, BB calls") && said.contains("equipoise solve"), "{said}");
    let spot = fs::read_to_string(&path).unwrap();
    for words in [
        "oop = \"@bb-call-v-btn\"",
        "starting_pot = \"5.5bb\"",
        "effective_stack = \"37.5bb\"",
        "rake_cap = \"4bb\"",
    ] {
        assert!(spot.contains(words), "{words}: {spot}");
    }
    assert!(run(&["solve", output, "--dry-run"]).code == Some(0));
    assert!(text(&["new", "3bet-co-btn"]).contains("@btn-3bet-v-co"));
    // Without a terminal nothing is asked.
    assert!(text(&["new"]).contains("srp-btn-bb"));
    assert_eq!(json(&["new"])["formations"].as_array().unwrap().len(), 9);
    for args in [
        &["new", "srp-btn-co"][..],
        &["new", "srp-btn-bb", "--depth", "2"],
        &["new", "srp-btn-bb", "--rake", "much"],
        &["new", "srp-btn-bb", "--board", ""],
        &["new", "srp-btn-bb", "--board", "Td9d"],
    ] {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}

/// OOP has nothing to bet with, so that the first decision with a choice is IP's; amounts are in big blinds.
fn in_big_blinds() -> String {
    let spot = SPOT
        .replace("[bet_sizes.turn]\noop_bet = \"60%\"", "[bet_sizes.turn]")
        .replace("[tree]", "[tree]\nbig_blind = 20")
        .split("[[locks]]")
        .next()
        .unwrap()
        .to_owned();
    save(&folder().join(format!("bb-{}.eqp", std::process::id())), &spot, 100, Contents::Full)
}

#[test]
fn the_first_decision_with_a_choice_is_opened() {
    let file = in_big_blinds();
    let shown = text(&["show", &file]);
    assert!(shown.contains("after 'check'") && shown.contains("IP acts"), "{shown}");
    assert!(shown.contains("--node '' opens the root"), "{shown}");
    let root = text(&["show", &file, "--node", ""]);
    assert!(root.contains("at the beginning") && !root.contains("opens the root"), "{root}");
    // Programs get the root, as ever.
    let document = json(&["show", &file]);
    assert_eq!((&document["node"]["path"], &document["player"]), (&"".into(), &"oop".into()));
    assert_eq!(json(&["show", &file, "--node", ""]), document);
    let csv = text(&["show", &file, "--csv", "-"]);
    assert!(csv.starts_with("combo,") && csv.contains("check_frequency") && !csv.contains("bet:60"), "{csv}");
    let range = text(&["show", &file, "--range"]);
    assert_eq!(range, text(&["show", &file, "--node", "", "--range"]));
    // A root with a choice is opened as it is.
    assert!(text(&["show", solution()]).contains("at the beginning"));
}

#[test]
fn amounts_are_in_the_unit_that_is_asked_for() {
    let file = in_big_blinds();
    let shown = text(&["show", &file]);
    for words in ["pot 5 bb, stacks of 10 bb", "Bet 60 % (3 bb)", "bet:60", " bb\n", "in bb, from here on"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let chips = text(&["show", &file, "--unit", "chips"]);
    assert!(chips.contains("Bet 60 % (60 chips)") && !chips.contains(" bb"), "{chips}");
    let pot = text(&["show", &file, "--unit", "pot"]);
    assert!(pot.contains("Bet 60 % (60 % of pot)") && !pot.contains("chips"), "{pot}");
    for args in [
        &["tree", &file][..],
        &["runouts", &file, "--node", "check check"],
        &["compare", &file, &file, "--node", "check"],
    ] {
        let told = text(args);
        assert!(told.contains(" bb") && !told.contains(" chips") && !told.contains("-0.0"), "{told}");
        let asked = text(&[args, &["--unit", "chips"]].concat());
        assert!(asked.contains(" chips") && !asked.contains(" bb"), "{asked}");
        assert_eq!(json(args), json(&[args, &["--unit", "chips"]].concat()));
    }
    let refused = run(&["show", solution(), "--unit", "bb"]);
    assert_eq!(refused.code, Some(2));
    let why = said(&refused.stderr);
    assert!(
        why.contains("does not say how many chips a big blind has") && why.contains("big_blind = 100"),
        "{why}"
    );
    // One solution knows big blinds and the other does not: chips, which both have.
    assert!(text(&["compare", &file, solution()]).contains(" chips"));
    assert_eq!(run(&["compare", &file, solution(), "--unit", "bb"]).code, Some(2));
}

/// The numbers of a class are those of its combos.
#[test]
fn hand_classes_are_means_of_their_combos() {
    let all = json(&["show", solution(), "--all"]);
    let classes = json(&["show", solution(), "--by-class"]);
    assert!(classes.get("combos").is_none() && all.get("classes").is_none());
    let classes = classes["classes"].as_array().unwrap();
    let names: Vec<&str> = classes.iter().map(|row| row["class"].as_str().unwrap()).collect();
    for class in ["AA", "QQ", "KQs", "JTs", "87s"] {
        assert!(names.contains(&class), "{names:?}");
    }
    for row in classes {
        let of = |combo: &&Value| combo["class"] == row["class"];
        let combos: Vec<&Value> = all["combos"].as_array().unwrap().iter().filter(of).collect();
        let sum = |key: &str| combos.iter().map(|combo| combo[key].as_f64().unwrap()).sum::<f64>();
        let mean = |of: &dyn Fn(&Value) -> f64| {
            combos.iter().map(|combo| combo["share"].as_f64().unwrap() * of(combo)).sum::<f64>()
                / sum("share")
        };
        let near = |key: &str, want: f64| {
            let found = row[key].as_f64().unwrap();
            assert!((found - want).abs() < 1e-9 * want.abs().max(1.0), "{key} {found} {want}");
        };
        assert_eq!(row["combos"], combos.len());
        near("weighted_combos", sum("weight"));
        near("share", sum("share"));
        near("ev", mean(&|combo| combo["ev"].as_f64().unwrap()));
        let bets = row["actions"][1]["frequency"].as_f64().unwrap();
        let want = mean(&|combo| combo["actions"][1]["frequency"].as_f64().unwrap());
        assert!((bets - want).abs() < 1e-9, "{bets} {want}");
    }
    let csv = text(&["show", solution(), "--by-class", "--csv", "-"]);
    assert!(
        csv.starts_with("class,combos,weighted_combos,share,equity,ev,eqr,check_frequency,check_ev,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), classes.len() + 1);
    let shown = text(&["show", solution(), "--by-class"]);
    assert!(shown.contains("class  combos") && shown.contains("Bet 60 %"), "{shown}");
}

#[test]
fn rows_are_sorted_as_asked() {
    let keys = |sort: &str, table: &str, key: &dyn Fn(&Value) -> f64| -> Vec<f64> {
        let by = if table == "combos" { "--all" } else { "--by-class" };
        let document = json(&["show", solution(), by, "--sort", sort]);
        document[table].as_array().unwrap().iter().map(key).collect()
    };
    let bets = |row: &Value| row["actions"][1]["frequency"].as_f64().unwrap();
    for table in ["combos", "classes"] {
        let weight = if table == "combos" { "weight" } else { "weighted_combos" };
        for (sort, numbers) in [
            ("weight", keys("weight", table, &|row| row[weight].as_f64().unwrap())),
            ("b60", keys("b60", table, &bets)),
            ("bet:60", keys("bet:60", table, &bets)),
        ] {
            assert!(
                numbers.len() > 3 && numbers.windows(2).all(|two| two[0] >= two[1]),
                "{sort} {numbers:?}"
            );
        }
    }
    let evs = keys("ev", "classes", &|row| row["ev"].as_f64().unwrap());
    assert!(evs.windows(2).all(|two| two[0] >= two[1]), "{evs:?}");
    let named = json(&["show", solution(), "--by-class", "--sort", "name"]);
    let names: Vec<&str> =
        named["classes"].as_array().unwrap().iter().map(|row| row["class"].as_str().unwrap()).collect();
    assert_eq!(names, ["AA", "KQs", "QQ", "JTs", "87s"]);
    for (args, words) in [
        (&["--sort", "zzz"][..], "'zzz' is not possible here"),
        (&["--sort", "check", "--player", "ip"], "OOP acts here"),
    ] {
        let refused = run(&[&["show", solution()], args].concat());
        assert_eq!(refused.code, Some(2));
        assert!(said(&refused.stderr).contains(words), "{}", said(&refused.stderr));
    }
}

#[test]
fn decisions_are_drawn() {
    let [strategy, equity] =
        ["strategy.svg", "equity.svg"].map(|name| folder().join(format!("{}-{name}", std::process::id())));
    let [plot, plot_equity] = [&strategy, &equity].map(|path| path.to_str().unwrap());
    let args = ["show", solution(), "--plot", plot, "--plot-equity", plot_equity];
    assert_eq!(json(&args)["node"]["path"], "");
    let svg = fs::read_to_string(&strategy).unwrap();
    let document = json(&["show", solution(), "--by-class"]);
    for row in document["classes"].as_array().unwrap() {
        let part = |at: usize| 100.0 * row["actions"][at]["frequency"].as_f64().unwrap();
        let title = format!(
            "<title>{}: Check {:.1} %, Bet 60 % (60 chips) {:.1} %</title>",
            row["class"].as_str().unwrap(),
            part(0),
            part(1)
        );
        assert!(svg.contains(&title), "{title} in {svg}");
    }
    assert_eq!(svg.matches("<title>").count(), document["classes"].as_array().unwrap().len());
    let svg = fs::read_to_string(&equity).unwrap();
    for player in ["oop", "ip"] {
        let mean = 100.0 * document["node"]["players"][player]["equity"].as_f64().unwrap();
        let line = format!("{}, mean {mean:.1} %", player.to_uppercase());
        assert!(svg.contains(&line), "{line} in {svg}");
    }
    for (args, words) in
        [(&["--plot", "x.png"][..], ".svg"), (&["--plot", plot, "--player", "ip"], "OOP acts here")]
    {
        let refused = run(&[&["show", solution()], args].concat());
        assert_eq!(refused.code, Some(2), "{args:?}");
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}

/// A number of seconds for this machine, as text and JSON; more iterations take longer.
#[test]
fn a_dry_run_estimates_the_time() {
    let path = folder().join(format!("{}-estimate.toml", std::process::id()));
    fs::write(&path, SPOT).unwrap();
    let file = path.to_str().unwrap();
    let told = text(&["solve", file, "--dry-run"]);
    assert!(told.contains("an estimate from a short run on this machine"), "{told}");
    let estimate = |target: &str| json(&["solve", file, "--dry-run", "--target", target])["estimate"].clone();
    let [coarse, fine] = ["0.5", "0.1"].map(estimate);
    assert_eq!((coarse["iterations"].as_u64(), fine["iterations"].as_u64()), (Some(91), Some(218)));
    let number = |key: &str| coarse[key].as_f64().unwrap();
    let product = number("seconds_per_iteration") * 91.0;
    assert!(number("seconds") > 0.0 && (number("seconds") - product).abs() < 1e-9 * product);
}

/// The page copies commands with the names of its library.
#[test]
fn solutions_of_the_library_are_found_by_name() {
    let data = folder().join(format!("data-{}", std::process::id()));
    fs::create_dir_all(data.join("equipoise")).unwrap();
    fs::copy(solution(), data.join("equipoise/of-the-library.eqp")).unwrap();
    let with =
        |args: &[&str]| run_command(binary().env("XDG_DATA_HOME", &data).current_dir(&data).args(args));
    let shown = with(&["show", "of-the-library.eqp", "--node", "check", "--json"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let [shown, same]: [Value; 2] =
        [&shown.stdout, &run(&["show", solution(), "--node", "check", "--json"]).stdout]
            .map(|text| serde_json::from_str(text).unwrap());
    assert_eq!([&shown["node"], &shown["combos"]], [&same["node"], &same["combos"]]);
    // A folder that is named is that folder.
    let refused = with(&["show", "./of-the-library.eqp"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(with(&["show", "not-of-the-library.eqp"]).code, Some(2));
    // A file that is here goes before one of the library.
    fs::write(data.join("of-the-library.eqp"), "something else").unwrap();
    assert_eq!(with(&["show", "of-the-library.eqp"]).code, Some(2));
    fs::remove_dir_all(&data).unwrap();
}
