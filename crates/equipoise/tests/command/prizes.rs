//! Spots that are played for prizes, through every command that shows numbers.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::common::{json, run, text};

const SPOT: &str = "[ranges]\noop = \"66+,A8s+,KQs\"\nip = \"QQ-22,AQs-A2s,KJs\"\n[cards]\nflop = \"Td9d6h\"\nturn = \"Qc\"\nriver = \"2h\"\n\
[tree]\nbig_blind = 100\nstarting_pot = 600\neffective_stack = 1800\noop_stack = 2600\npayouts = [50, 30, 20]\n\
other_stacks = [1500, \"20bb\"]\npreset = \"simple\"\n[solver]\ntarget_exploitability_pct = 0.05\n";

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("prizes");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn written(name: &str, spot: &str) -> String {
    let path = folder().join(name);
    fs::write(&path, spot).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The solution of the spot.
fn solution() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        let spot = written("spot.toml", SPOT);
        let file = folder().join("x.eqp").to_str().unwrap().to_owned();
        let document = json(&["solve", &spot, "-o", &file, "--force"]);
        assert_eq!(
            (document["unit"].as_str(), document["converged"].as_bool()),
            (Some("prizes"), Some(true))
        );
        let found = &document["exploitability"];
        assert!(found["chips"].is_null() && found["pct_pot"].as_f64().unwrap() <= 0.05, "{found}");
        let [oop, ip, most] = [&found["gains"]["oop"], &found["gains"]["ip"], &found["prizes"]]
            .map(|number| number.as_f64().unwrap());
        assert_eq!(oop.max(ip), most);
        // EVs are prizes: the pot of 600 chips is worth three or four of a hundred.
        let evs = ["oop", "ip"].map(|player| document["players"][player]["ev"].as_f64().unwrap());
        assert!(evs.iter().all(|&ev| ev > 0.1 && ev < 4.5), "{evs:?}");
        assert!(document["players"]["oop"]["eqr"].is_null());
        file
    })
}

#[test]
fn text_says_prizes_and_epsilon() {
    let file = solution();
    for args in [vec!["show", file], vec!["tree", file], vec!["info", file], vec!["show", file, "--by-class"]]
    {
        let found = text(&args);
        assert!(found.contains("ε ") && !found.contains("exploitability"), "{args:?}: {found}");
        assert!(found.contains("for prizes 50, 30, 20 by ICM, with 15 bb, 20 bb beside"), "{found}");
        assert!(found.contains("OOP has 26 bb behind, IP 18 bb"), "{found}");
    }
    let found = text(&["show", file, "--all"]);
    assert!(
        found.contains(" prizes") && found.contains("pot 6 bb") && found.contains("in prizes"),
        "{found}"
    );
    let solved = text(&["solve", &written("again.toml", SPOT)]);
    assert!(solved.contains("ε ") && solved.contains("% of what the pot is worth"), "{solved}");
}

#[test]
fn documents_have_the_unit() {
    let file = solution();
    let shown = json(&["show", file]);
    assert_eq!(shown["solution"]["unit"], "prizes");
    assert!(shown["node"]["players"]["ip"]["eqr"].is_null());
    // A fold is worth nothing from where it is made.
    let answer = json(&["show", file, "--node", "bet:360"]);
    let fold = &answer["node"]["actions"][0];
    assert_eq!(
        (fold["name"].as_str(), fold["ev"].as_f64().map(|ev| ev.abs() < 1e-9)),
        (Some("fold"), Some(true))
    );
    let info = json(&["info", file]);
    let prizes = &info["prizes"];
    assert_eq!(
        (prizes["stacks"]["oop"].as_u64(), prizes["other_stacks"][1].as_u64()),
        (Some(2600), Some(2000))
    );
    // What both have if IP takes the pot: the known model of six thousand and more chips.
    let equities = json(&["icm", "2600", "2400", "1500", "2000", "--payouts", "50,30,20"]);
    let base = prizes["base"]["oop"].as_f64().unwrap();
    assert!((base - equities["equities"][0].as_f64().unwrap()).abs() < 1e-9, "{base}");
    assert!(info["rake"].is_null());
    let chips = folder().join("chips.eqp").to_str().unwrap().to_owned();
    let plain =
        SPOT.replace("oop_stack = 2600\npayouts = [50, 30, 20]\nother_stacks = [1500, \"20bb\"]\n", "");
    json(&["solve", &written("chips.toml", &plain), "-o", &chips, "--force"]);
    let apart = run(&["compare", file, &chips]);
    assert_eq!(apart.code, Some(2), "{}", apart.stdout);
    assert!(apart.stderr.contains("one of the solutions is for prizes"), "{}", apart.stderr);
    assert_eq!(run(&["compare", file, file]).code, Some(0));
}

#[test]
fn what_cannot_be_played_for_is_said() {
    for (from, to, words) in [
        ("payouts = [50, 30, 20]", "payouts = [20, 30]", "larger than the one before it"),
        ("payouts = [50, 30, 20]", "payouts = []", "no prizes"),
        ("oop_stack = 2600", "oop_stack = 1700", "must be the effective stack of 1800"),
        ("oop_stack = 2600", "oop_stack = 2600\nrake_rate = 0.05", "are not raked"),
        ("payouts = [50, 30, 20]", "prize_table = [[0, 1], [9000, 3]]", "means nothing beside `prize_table`"),
        ("payouts = [50, 30, 20]", "", "means nothing where chips are played for"),
        ("other_stacks = [1500, \"20bb\"]", "other_stacks = [0]", "out of the tournament"),
    ] {
        let spot = written("wrong.toml", &SPOT.replace(from, to));
        let found = run(&["solve", &spot]);
        assert_eq!(found.code, Some(2), "{to}: {}", found.stdout);
        assert!(
            found.stderr.contains(words) && found.stderr.contains("wrong.toml"),
            "{to}: {}",
            found.stderr
        );
    }
    let table = SPOT.replace(
        "payouts = [50, 30, 20]\nother_stacks = [1500, \"20bb\"]\n",
        "prize_table = [[0, 20], [4000, 45]]\n",
    );
    let found = run(&["solve", &written("short.toml", &table)]);
    assert!(found.stderr.contains("must reach from 0 to 5000 chips"), "{}", found.stderr);
}

/// The protocol has no words for prizes.
#[test]
fn upi_refuses() {
    let script = format!("load_tree {}\nexit\n", solution());
    let (_, found, _) = crate::upi::hear(script.as_bytes());
    assert!(found.contains("this protocol speaks of chips"), "{found}");
}
