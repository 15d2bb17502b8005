//! `equipoise batch`: plans, jobs that survive anything, and averages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use equipoise::postflop::{Reader, ViewDetail};
use serde_json::Value;

use crate::common::{Run, binary, json, run, run_command, text as printed};

/// Flops with few combos and one bet, which take some hundredths of a second each.
const SPOT: &str = r#"
[spots.ranges]
oop = "AA,QQ,JTs"
ip = "KK,AQs,T9s"
[spots.tree]
starting_pot = 100
effective_stack = 100
[spots.bet_sizes.flop]
oop_bet = "50%"
[spots.bet_sizes.river]
oop_bet = "100%"
ip_bet = "100%"
[spots.solver]
target_exploitability_pct = 1
"#;

fn folder(name: &str) -> PathBuf {
    crate::common::empty_folder(&format!("batch/{name}"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A plan with one spot.
fn plan(folder: &Path, head: &str) -> PathBuf {
    let path = folder.join("plan.toml");
    fs::write(&path, format!("{head}\n[[spots]]\n{SPOT}")).unwrap();
    path
}

/// Runs a plan and reads what it says.
fn batch(args: &[&str]) -> (Option<i32>, Value) {
    let Run { code, stdout, stderr } = run(&[&["batch", "run"], args, &["--json"]].concat());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}")))
}

fn ids(plan: &Path) -> Vec<String> {
    let jobs = json(&["batch", "jobs", text(plan)]);
    let id = |job: &Value| job["id"].as_str().unwrap().to_owned();
    jobs["jobs"].as_array().unwrap().iter().map(id).collect()
}

/// The bytes of every summary but for what differs from run to run.
fn summaries(folder: &Path) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for entry in fs::read_dir(folder.join("jobs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".json") && !name.contains("failed") {
            let mut summary: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            assert_eq!(summary["engine"]["version"], env!("CARGO_PKG_VERSION"));
            for key in ["elapsed_s", "memory_bytes", "file_bytes"] {
                summary[key].take();
            }
            found.push(summary);
        }
    }
    found.sort_by_key(|summary| summary["id"].as_str().unwrap().to_owned());
    found
}

#[test]
fn a_plan_is_run_once_and_then_kept() {
    let folder = folder("kept");
    let plan = plan(&folder, "flops = ['As7d2c', 'Td9d6h', 'KhKd4s']\nsave = 'no-river'");
    let out = folder.join("out");
    let (code, first) = batch(&[text(&plan), "-o", text(&out)]);
    assert_eq!((code, &first["solved"], &first["kept"]), (Some(0), &3.into(), &0.into()), "{first}");
    let (code, second) = batch(&[text(&plan), "-o", text(&out)]);
    assert_eq!((code, &second["solved"], &second["kept"]), (Some(0), &0.into(), &3.into()), "{second}");

    let status = json(&["batch", "status", text(&out)]);
    assert_eq!((&status["done"], &status["waiting"]), (&3.into(), &0.into()));
    for (job, id) in status["jobs"].as_array().unwrap().iter().zip(ids(&plan)) {
        assert_eq!((job["id"].as_str(), job["state"].as_str()), (Some(id.as_str()), Some("done")));
        let path = out.join("jobs").join(format!("{id}.eqp"));
        let (reader, header) = Reader::open(&path).unwrap();
        reader.verify().unwrap();
        assert!(header.converged && header.exploitability_pct <= 1.0);
        assert_eq!(reader.spot().board().to_string(), job["board"].as_str().unwrap());
        // The summary says what `show` says.
        let summary: Value = serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let shown = json(&["show", text(&path)]);
        for player in ["oop", "ip"] {
            for key in ["ev", "equity"] {
                let (a, b) = (&summary["players"][player][key], &shown["node"]["players"][player][key]);
                assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-3, "{a} {b}");
            }
        }
        for (action, shown) in
            summary["actions"].as_array().unwrap().iter().zip(shown["node"]["actions"].as_array().unwrap())
        {
            assert_eq!(action["name"], shown["name"]);
            let [a, b] = [action, shown].map(|action| action["frequency"].as_f64().unwrap());
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
    // Nothing is left lying about.
    let files = fs::read_dir(out.join("jobs")).unwrap().count();
    assert_eq!(files, 6);
    assert!(printed(&["batch", "status", text(&out), "--jobs"]).contains("KhKd4s"));
}

/// The names of jobs are part of the format: schedulers and folders keep them.
#[test]
fn names_follow_from_the_problem_alone() {
    let folder = folder("names");
    let first = ids(&plan(&folder, "flops = ['As7d2c']"));
    assert_eq!(first, ["d1da6c52db09fc74"]);
    // The order of cards, another text of the same range and the place in the plan make no difference.
    let same = folder.join("same.toml");
    let spot = SPOT.replace("AA,QQ,JTs", "JTs,QQ,AA").replace("= 100\neff", "= 100.0\neff");
    fs::write(&same, format!("flops = ['Td9d6h', '2c7dAs']\n[[spots]]\nname = 'other'\n{spot}")).unwrap();
    assert_eq!(ids(&same)[1], first[0]);
    // Everything else does.
    let mut seen = BTreeSet::from([first[0].clone()]);
    for (from, to) in [
        ("AA,QQ", "AA,QQ:0.5"),
        ("starting_pot = 100", "starting_pot = 101"),
        ("effective_stack = 100", "effective_stack = 99"),
        ("_pct = 1", "_pct = 0.9"),
        ("_pct = 1", "_pct = 1\nmax_iterations = 999"),
        ("_pct = 1", "_pct = 1\nalgorithm = 'cfr+'"),
        ("_pct = 1", "_pct = 1\nquantization = '16bit'"),
        ("_pct = 1", "_pct = 1\nisomorphism = false"),
        ("_pct = 1", "_pct = 1\nkeep_best = true"),
        ("[spots.tree]", "[spots.tree]\nrake_rate = 0.05"),
        ("50%", "40%"),
    ] {
        let other = folder.join("other.toml");
        let changed = SPOT.replacen(from, to, 1);
        assert_ne!(changed, SPOT);
        fs::write(&other, format!("flops = ['As7d2c']\n[[spots]]\n{changed}")).unwrap();
        assert!(seen.insert(ids(&other)[0].clone()), "{to}");
    }
    assert!(seen.insert(ids(&plan(&folder, "flops = ['As7d2c']\nsave = 'full'"))[0].clone()));
}

/// One job is one call; all of them together are what `run` makes, whatever the number of threads.
#[test]
fn single_jobs_make_what_a_run_makes() {
    let folder = folder("single");
    let plan = plan(&folder, "flops = ['As7d2c', 'Td9d6h']");
    let (one, all) = (folder.join("one"), folder.join("all"));
    let ids = ids(&plan);
    for id in &ids {
        let job = ["batch", "job", text(&plan), id, "-o", text(&one), "--threads", "2"];
        let done = json(&job);
        assert_eq!((done["outcome"].as_str(), done["id"].as_str()), (Some("solved"), Some(id.as_str())));
        assert_eq!(json(&job)["outcome"], "kept");
    }
    assert_eq!(batch(&[text(&plan), "-o", text(&all), "--threads", "1"]).0, Some(0));
    assert_eq!(summaries(&one), summaries(&all));
    for id in &ids {
        let [a, b] = [&one, &all].map(|out| out.join("jobs").join(format!("{id}.eqp")));
        let [a, b] = [a, b].map(|path| Reader::open(&path).unwrap().0);
        assert_eq!(
            a.view(&"".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap(),
            b.view(&"".parse().unwrap(), ViewDetail::Equities, &mut ()).unwrap()
        );
    }
    let unknown = run(&["batch", "job", text(&plan), "0000000000000000", "-o", text(&one)]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("batch jobs"), "{}", unknown.stderr);
    assert_eq!(run(&["batch", "job", text(&plan), "xyz", "-o", text(&one)]).code, Some(2));
}

/// A file of another job, or one that was cut short, is no result.
#[test]
fn results_of_other_jobs_are_not_taken() {
    let folder = folder("foreign");
    let plan = plan(&folder, "flops = ['As7d2c', 'Td9d6h']");
    let out = folder.join("out");
    assert_eq!(batch(&[text(&plan), "-o", text(&out)]).0, Some(0));
    let before = summaries(&out);
    let ids = ids(&plan);
    let file = |id: &str, ending: &str| out.join("jobs").join(format!("{id}.{ending}"));
    let tampering: [&dyn Fn(); 4] = [
        &|| {
            // An undamaged file of the same length may still be another job's.
            let mut summary: Value =
                serde_json::from_slice(&fs::read(file(&ids[0], "json")).unwrap()).unwrap();
            fs::copy(file(&ids[1], "eqp"), file(&ids[0], "eqp")).unwrap();
            summary["file_bytes"] = fs::metadata(file(&ids[0], "eqp")).unwrap().len().into();
            fs::write(file(&ids[0], "json"), summary.to_string()).unwrap();
        },
        &|| {
            let bytes = fs::read(file(&ids[0], "eqp")).unwrap();
            fs::write(file(&ids[0], "eqp"), &bytes[..bytes.len() - 1]).unwrap();
        },
        &|| fs::write(file(&ids[0], "json"), "{").unwrap(),
        &|| fs::copy(file(&ids[1], "json"), file(&ids[0], "json")).map(drop).unwrap(),
    ];
    for tamper in tampering {
        tamper();
        let (code, again) = batch(&[text(&plan), "-o", text(&out)]);
        assert_eq!((code, &again["solved"], &again["kept"]), (Some(0), &1.into(), &1.into()), "{again}");
        assert_eq!(summaries(&out), before);
    }
}

/// A flop that leaves a player nothing is said and left out; a job that does not fit is listed, and the others are done.
#[test]
fn what_cannot_be_solved_holds_up_nothing() {
    let folder = folder("failing");
    let plan = folder.join("plan.toml");
    let narrow = SPOT.replace("AA,QQ,JTs", "AsAh");
    let wide = SPOT.replace("AA,QQ,JTs", "22+,A2+,K2s+").replace("KK,AQs,T9s", "22+,A2+,K2s+");
    fs::write(
        &plan,
        format!(
            "flops = ['As7d2c', 'Td9d6h']\nsave = 'summary'\n[[spots]]\nname = 'narrow'\n{narrow}\n\
             [[spots]]\nname = 'wide'\nflops = ['Td9d6h']\n{wide}"
        ),
    )
    .unwrap();
    let out = folder.join("out");
    let args = ["batch", "run", text(&plan), "-o", text(&out), "--memory-limit", "16M", "--json"];
    let ran = run(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for words in
        ["narrow on As7d2c is left out", "no combo", "treats suits differently", "1 of 2 job(s) failed"]
    {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&document["solved"], &document["impossible"][0]["board"]), (&1.into(), &"As7d2c".into()));
    let reason = document["failed"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("more than the") && reason.contains("quantization"), "{reason}");
    let status = json(&["batch", "status", text(&out)]);
    assert_eq!((&status["done"], &status["failed"]), (&1.into(), &1.into()));
    let shown = printed(&["batch", "status", text(&out)]);
    assert!(shown.contains("wide on Td9d6h") && shown.contains("failed: solving takes about"), "{shown}");
    // With room for it, it is done; what went wrong before is forgotten.
    let (code, again) = batch(&[text(&plan), "-o", text(&out)]);
    assert_eq!((code, &again["solved"], &again["kept"]), (Some(0), &1.into(), &1.into()));
    assert_eq!(json(&["batch", "status", text(&out)])["failed"], 0);
}

/// Spots in files of their own, a spot with a board of its own, and several spots over the same flops.
#[test]
fn several_spots_share_a_plan() {
    let folder = folder("several");
    let inline =
        SPOT.replace("spots.", "").replace("[solver]", "[cards]\nflop = 'Qd9d6h'\nturn = '3c'\n[solver]");
    fs::write(folder.join("turn.toml"), &inline).unwrap();
    let plan = folder.join("plan.toml");
    fs::write(
        &plan,
        format!(
            "schema_version = 1\nflops = ['As7d2c', 'Td9d6h:3.5']\n[[spots]]\nname = 'a'\n{SPOT}\n[[spots]]\nfile = \
             'turn.toml'\nflops = 'own'\n[[spots]]\nname = 'b'\n{}",
            SPOT.replace("50%", "75%")
        ),
    )
    .unwrap();
    let jobs = json(&["batch", "jobs", text(&plan)]);
    let rows: Vec<(&str, &str, f64)> = jobs["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| {
            (job["spot"].as_str().unwrap(), job["board"].as_str().unwrap(), job["weight"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("a", "As7d2c", 24.0),
            ("a", "Td9d6h", 3.5),
            ("turn", "Qd9d6h3c", 1.0),
            ("b", "As7d2c", 24.0),
            ("b", "Td9d6h", 3.5)
        ]
    );
    assert_eq!(jobs["jobs"][1]["texture"], "two-tone, unpaired, ten-high, connected");
    let out = folder.join("out");
    assert_eq!(batch(&[text(&plan), "-o", text(&out)]).1["solved"], 5);
    // Without `own`, flops would replace the turn.
    fs::write(&plan, "flops = '25'\n[[spots]]\nfile = 'turn.toml'").unwrap();
    let refused = run(&["batch", "jobs", text(&plan)]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("turn.toml, line") && refused.stderr.contains("own"),
        "{}",
        refused.stderr
    );
}

#[test]
fn mistakes_in_plans_are_answered_with_their_place() {
    let folder = folder("mistakes");
    let path = folder.join("plan.toml");
    let flops = "flops = ['As7d2c']";
    for (plan, words) in [
        ("", &["there is no spot to solve", "[[spots]]"][..]),
        ("flop = 3\n", &["unknown section or key `flop`", "did you mean `flops`?", "line 1"]),
        ("flops = '50'\n[[spots]]\n", &["no flops called '50'", "\"49\"", "line 1"]),
        ("flops = 'As7d2c'\n[[spots]]\n", &["write a list: [\"As7d2c\"]"]),
        ("flops = []\n[[spots]]\n", &["the list of flops is empty"]),
        ("flops = true\n[[spots]]\n", &["a name or a list"]),
        ("flops = ['As7d2']\n[[spots]]\n", &["line 1", "plan.toml"]),
        ("flops = ['As7d2c9h']\n[[spots]]\n", &["a flop has 3 cards, not 4"]),
        ("flops = ['As7d2c:-1']\n[[spots]]\n", &["is no weight"]),
        ("flops = ['As7d2c', 'Ah7d2c']\n[[spots]]\n", &["in suits only", "give both a weight"]),
        ("flops = ['As7d2c', '2c7dAs']\n[[spots]]\n", &["in the list twice"]),
        ("save = 'no-rivers'\n[[spots]]\n", &["is no way to save", "did you mean \"no-river\"?"]),
        ("schema_version = 2\n[[spots]]\n", &["it reads 1"]),
        ("spots = 3\n", &["expected a list"]),
        ("[[spots]]\nfile = 'nowhere.toml'\n", &["nowhere.toml", "line 2", "plan's folder"]),
        ("[[spots]]\nfile = 'x.toml'\ntree = {}\n", &["has `tree` here too"]),
        ("[[spots]]\n[spots.rangs]\n", &["unknown key `rangs`", "did you mean `ranges`?"]),
        (
            "[[spots]]\n[spots.tree]\nstartingpot = 3\n",
            &["unknown key `startingpot`", "line 3", "starting_pot"],
        ),
    ] {
        fs::write(&path, plan).unwrap();
        let refused = run(&["batch", "jobs", text(&path)]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{plan}");
        for word in words {
            assert!(refused.stderr.contains(word), "{plan}: {}", refused.stderr);
        }
    }
    // Errors inside a spot stand where the user wrote them.
    for (from, to, words) in [
        ("\"AA,QQ,JTs\"", "\"AAx\"", &["line 4", "[ranges]"][..]),
        ("starting_pot = 100", "starting_pot = -1", &["line 7", "starting_pot"]),
        ("oop_bet = \"50%\"", "oop_bet = \"50%%\"", &["line 10"]),
        ("starting_pot = 100\n", "", &["has no `starting_pot`"]),
    ] {
        fs::write(&path, format!("{flops}\n[[spots]]{}", SPOT.replacen(from, to, 1))).unwrap();
        let refused = run(&["batch", "run", text(&path), "-o", text(&folder.join("out"))]);
        assert_eq!(refused.code, Some(2), "{to}");
        for word in words {
            assert!(refused.stderr.contains(word), "{to}: {}", refused.stderr);
        }
        assert!(!folder.join("out").exists());
    }
    fs::write(&path, format!("[[spots]]{SPOT}")).unwrap();
    let refused = run(&["batch", "jobs", text(&path)]);
    assert!(refused.stderr.contains("flops = \"49\""), "{}", refused.stderr);
    for args in [&["status"][..], &["report"]] {
        let refused = run(&[&["batch"], args, &[text(&folder)]].concat());
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains("there is no batch in"), "{}", refused.stderr);
    }
    assert_eq!(run(&["batch", "jobs", text(&folder.join("nothing.toml"))]).code, Some(2));
}

/// A run over all flops, which takes long.
fn long_run(plan: &Path, out: &Path) -> Child {
    let mut command = binary();
    command.args(["batch", "run", text(plan), "-o", text(out), "--threads", "2", "--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert_eq!(run_command(Command::new("kill").args([name, &child.id().to_string()])).code, Some(0));
}

fn num_summaries(out: &Path) -> usize {
    let Ok(files) = fs::read_dir(out.join("jobs")) else { return 0 };
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json") && !name.starts_with('.') && !name.contains("failed")).count()
}

#[test]
fn an_interrupted_run_keeps_what_is_done() {
    let folder = folder("interrupted");
    let plan = plan(&folder, "flops = '95'");
    let out = folder.join("out");
    let child = long_run(&plan, &out);
    while num_summaries(&out) < 3 {
        sleep(Duration::from_millis(10));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("resumes where this one stopped"), "{stderr}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let solved = document["solved"].as_u64().unwrap() as usize;
    assert!((3..95).contains(&solved), "{solved}");
    let status = json(&["batch", "status", text(&out)]);
    assert_eq!((status["done"].as_u64(), &status["running"]), (Some(solved as u64), &0.into()));
}

/// An endless job is kept on the way when it is stopped, and resumes from there.
#[test]
fn a_job_that_was_stopped_goes_on() {
    let folder = folder("stopped");
    let plan = folder.join("plan.toml");
    let endless = SPOT.replace("_pct = 1", "_pct = 0\nmax_iterations = 4000000");
    fs::write(&plan, format!("flops = ['As7d2c']\n[[spots]]\n{endless}")).unwrap();
    let out = folder.join("out");
    let id = &ids(&plan)[0];
    let part = out.join("jobs").join(format!("{id}.part.eqp"));
    let mut before = 0;
    for name in ["-INT", "-TERM"] {
        let mut command = binary();
        command.args(["batch", "job", text(&plan), id, "-o", text(&out)]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !run(&["batch", "status", text(&out), "--json"]).stdout.contains("\"running\": 1") {
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(100));
        // Another process leaves it alone.
        let busy = run(&["batch", "job", text(&plan), id, "-o", text(&out), "--json"]);
        assert_eq!(busy.code, Some(75), "a scheduler takes 0 for done");
        assert_eq!(serde_json::from_str::<Value>(&busy.stdout).unwrap()["outcome"], "busy");
        assert!(busy.stderr.contains("\"code\":\"busy\""), "{}", busy.stderr);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(json(&["batch", "status", text(&out)])["begun"], 1);
        let (_, header) = Reader::open(&part).unwrap();
        assert!(header.iterations > before, "{} {before}", header.iterations);
        before = header.iterations;
    }
}

/// When the summary of a job was written.
fn written_at(out: &Path, id: &str) -> SystemTime {
    fs::metadata(out.join("jobs").join(format!("{id}.json"))).unwrap().modified().unwrap()
}

/// Killed at any moment, a run loses no finished job: files are complete, none is done again, and another run resumes.
/// `make soak` kills some hundred times.
#[test]
fn kill_loses_no_finished_job() {
    let folder = folder("killed");
    let kills: u64 = std::env::var("EQUIPOISE_BATCH_KILLS").map_or(4, |number| number.parse().unwrap());
    // A few rounds do not need all flops, of which each run makes a list.
    let plan = plan(&folder, if kills < 20 { "flops = '95'" } else { "flops = 'all'" });
    let out = folder.join("out");
    let (mut done, mut times) = (BTreeSet::new(), BTreeMap::<String, SystemTime>::new());
    for round in 0..kills {
        let before = num_summaries(&out);
        // Two at a time work in the folder.
        let children = [long_run(&plan, &out), long_run(&plan, &out)];
        let begun = Instant::now();
        while num_summaries(&out) < before + 2 && begun.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(2));
        }
        sleep(Duration::from_micros(7_919 * (round % 10) + 131 * (round / 10)));
        for mut child in children {
            signal(&child, "-KILL");
            child.wait().unwrap();
        }
        let status = json(&["batch", "status", text(&out)]);
        assert_eq!(status["running"], 0);
        let now: BTreeSet<String> = status["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|job| job["state"] == "done")
            .map(|job| job["id"].as_str().unwrap().to_owned())
            .collect();
        assert!(now.is_superset(&done), "a finished job was lost");
        for (id, written) in &times {
            assert_eq!(*written, written_at(&out, id), "a finished job was done again");
        }
        times.extend(now.difference(&done).map(|id| (id.clone(), written_at(&out, id))));
        for id in now.difference(&done) {
            let (reader, header) = Reader::open(&out.join("jobs").join(format!("{id}.eqp"))).unwrap();
            reader.verify().unwrap();
            assert!(header.converged);
        }
        done = now;
    }
    assert!(done.len() >= 2 * kills as usize, "{} jobs in {kills} rounds", done.len());
}

/// The plan in `examples/`, as it stands; then its report in every form.
#[test]
fn the_example_runs_and_is_averaged() {
    let folder = folder("example");
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/batch/plan.toml");
    let out = folder.join("out");
    let (code, ran) = batch(&[text(&plan), "-o", text(&out)]);
    assert_eq!((code, &ran["solved"], &ran["jobs"]), (Some(0), &50.into(), &50.into()), "{ran}");
    let (csv, parquet) = (folder.join("flops.csv"), folder.join("flops.parquet"));
    let report = json(&[
        "batch",
        "report",
        text(&out),
        "--by",
        "flop",
        "--sort",
        "oop_ev",
        "--csv",
        text(&csv),
        "--parquet",
        text(&parquet),
    ]);
    assert_eq!((report["path"].as_str(), report["spots"].as_array().unwrap().len()), (Some(""), 2));
    let spot = &report["spots"][0];
    assert_eq!((spot["spot"].as_str(), spot["player"].as_str()), (Some("four-bet"), Some("oop")));
    check_means(spot);
    check_csv(&fs::read_to_string(&csv).unwrap(), &report);
    assert!(fs::read(&parquet).unwrap().starts_with(b"PAR1"));

    // Every decision of every solution in one table.
    let (all, one) = (folder.join("all.parquet"), folder.join("one.parquet"));
    let exported = json(&["batch", "export", text(&out), "-o", text(&all), "--threads", "1"]);
    assert_eq!((&exported["solutions"], exported["rows"].as_u64() > Some(0)), (&50.into(), true));
    let parts = ["four-bet", "four-bet-small"].map(|spot| {
        let part = json(&["batch", "export", text(&out), "-o", text(&one), "--spot", spot]);
        part["rows"].as_u64().unwrap()
    });
    assert_eq!(Some(parts.iter().sum()), exported["rows"].as_u64());
    json(&["batch", "export", text(&out), "-o", text(&one), "--threads", "2"]);
    assert_eq!(fs::read(&all).unwrap(), fs::read(&one).unwrap());
    let refused = run(&["batch", "export", text(&out), "-o", text(&one), "--spot", "none"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("there are four-bet, four-bet-small"), "{}", refused.stderr);

    // Deeper in the tree what `show` says of each flop is averaged.
    let deeper = json(&["batch", "report", text(&out), "--node", "check bet:220", "--spot", "four-bet"]);
    let spot = &deeper["spots"][0];
    check_means(spot);
    let row = &spot["flops"][7];
    let path = out.join("jobs").join(format!("{}.eqp", row["id"].as_str().unwrap()));
    let shown = json(&["show", text(&path), "--node", "check bet:220"]);
    assert_eq!(row["probability"], shown["node"]["probability"]);
    assert_eq!(row["players"]["oop"]["ev"], shown["node"]["players"]["oop"]["ev"]);
    assert_eq!(spot["actions"][0], "fold");
    let table = printed(&[
        "batch",
        "report",
        text(&out),
        "--by",
        "suits",
        "--node",
        "check bet:220",
        "--spot",
        "four-bet",
    ]);
    for words in ["rainbow", "monotone", "all, by class size", "all, by deals", "reached", "Fold", "22100.00"]
    {
        assert!(table.contains(words), "{words}: {table}");
    }
    for (args, words) in [
        (&["--sort", "nonsense"][..], "oop_ev"),
        (&["--spot", "nonsense"], "four-bet-small"),
        (&["--node", "check bet:7"], "bet:7"),
        (&["--node", "nonsense"], "path"),
        (&["--by", "nonsense"], "texture"),
    ] {
        let refused = run(&[&["batch", "report", text(&out)], args].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(refused.stderr.contains(words), "{args:?}: {}", refused.stderr);
    }
}

/// A report over all turn cards has the means of what `runouts` says of every flop, and its groups share the cards out.
#[test]
fn turns_are_averaged_over_their_cards() {
    let folder = folder("turns");
    let file = folder.join("plan.toml");
    let spot = "big_blind = 10\nstarting_pot = 100\neffective_stack = 100";
    let spot = SPOT.replace("starting_pot = 100\neffective_stack = 100", spot);
    let spot = spot.replace(
        "[spots.bet_sizes.river]",
        "ip_bet = \"50%\"\n[spots.bet_sizes.turn]\noop_bet = \"50%\"\n[spots.bet_sizes.river]",
    );
    fs::write(&file, format!("flops = [\"As7d2c\", \"Td9d6h\"]\nsave = \"no-river\"\n[[spots]]\n{spot}"))
        .unwrap();
    let out = folder.join("out");
    assert_eq!(batch(&[text(&file), "-o", text(&out)]).0, Some(0));
    let report = json(&["batch", "report", text(&out), "--node", "x x *"]);
    let spot = &report["spots"][0];
    assert_eq!((report["path"].as_str(), spot["street"].as_str()), (Some("check check | * |"), Some("turn")));
    for row in spot["flops"].as_array().unwrap() {
        let path = out.join("jobs").join(format!("{}.eqp", row["id"].as_str().unwrap()));
        let shown = json(&["runouts", text(&path), "--node", "x x"]);
        let cards: Vec<&Value> =
            shown["runouts"].as_array().unwrap().iter().map(|card| &card["node"]).collect();
        assert_eq!(cards.len(), 49);
        let mean = |of: &dyn Fn(&Value) -> &Value, by_reach: bool| {
            let weight = |card: &Value| if by_reach { number(&card["probability"]) } else { 1.0 };
            let total: f64 = cards.iter().map(|card| weight(card)).sum();
            cards.iter().map(|card| weight(card) * number(of(card))).sum::<f64>() / total
        };
        let near = |found: &Value, expected: f64| {
            assert!((number(found) - expected).abs() < 1e-9, "{found} {expected}");
        };
        near(&row["probability"], mean(&|card| &card["probability"], false));
        near(&row["frequencies"][1], mean(&|card| &card["actions"][1]["frequency"], true));
        for player in ["oop", "ip"] {
            near(&row["players"][player]["ev"], mean(&|card| &card["players"][player]["ev"], true));
            near(&row["players"][player]["equity"], mean(&|card| &card["players"][player]["equity"], true));
        }
    }
    let total = number(&spot["total"]["weight"]);
    for kind in ["suit", "pairing", "straights", "height", "rank"] {
        let groups = spot["cards"][kind].as_array().unwrap();
        let weights: f64 = groups.iter().map(|group| number(&group["weight"])).sum();
        assert!((weights - total).abs() < 1e-9, "{kind}: {weights} {total}");
    }
    // Td9d6h stands for 12 flops, As7d2c for 24: 11 of 49 cards are the third of a suit on the first, none on the second.
    let flush =
        spot["cards"]["suit"].as_array().unwrap().iter().find(|group| group["name"] == "flush card").unwrap();
    assert!((number(&flush["weight"]) - 12.0 * 11.0 / 49.0).abs() < 1e-9, "{flush}");

    let table = printed(&["batch", "report", text(&out), "--node", "x x *"]);
    for words in ["pot 10 bb", "flush card", "pairs the board", "overcard", "Bet 50 % (5 bb)", " bb "] {
        assert!(table.contains(words), "{words}: {table}");
    }
    assert!(printed(&["batch", "report", text(&out), "--unit", "chips"]).contains("pot 100 chips"));
    for (args, words) in [
        (&["--node", "x x * x x *"][..], "save = \"full\""),
        (&["--node", "x x"], "a card comes there"),
        (&["--by", "card"], "no card of the path is open"),
    ] {
        let refused = run(&[&["batch", "report", text(&out)], args].concat());
        assert_eq!(refused.code, Some(2), "{args:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(words), "{args:?}: {}", refused.stderr);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The averages of a report, found again from its flops.
fn check_means(spot: &Value) {
    let flops = spot["flops"].as_array().unwrap();
    let mean = |of: &dyn Fn(&Value) -> f64, rows: &[&Value], deals: bool, reach: bool| {
        let weight = |row: &Value| {
            number(&row["weight"])
                * if deals { number(&row["deals"]) } else { 1.0 }
                * if reach { number(&row["probability"]) } else { 1.0 }
        };
        let total: f64 = rows.iter().map(|row| weight(row)).sum();
        rows.iter().map(|row| weight(row) * of(row)).sum::<f64>() / total
    };
    let check = |found: &Value, rows: &[&Value], deals: bool| {
        let near = |value: &Value, expected: f64| {
            assert!((number(value) - expected).abs() < 1e-9, "{value} {expected}");
        };
        assert_eq!(found["flops"], rows.len());
        near(&found["probability"], mean(&|row| number(&row["probability"]), rows, deals, false));
        for player in ["oop", "ip"] {
            for key in ["ev", "equity"] {
                near(
                    &found["players"][player][key],
                    mean(&|row| number(&row["players"][player][key]), rows, deals, true),
                );
            }
        }
        for action in 0..spot["actions"].as_array().unwrap().len() {
            near(
                &found["frequencies"][action],
                mean(&|row| number(&row["frequencies"][action]), rows, deals, true),
            );
        }
    };
    let all: Vec<&Value> = flops.iter().collect();
    check(&spot["total"], &all, false);
    check(&spot["total_by_deals"], &all, true);
    assert!((number(&spot["total"]["weight"]) - 22_100.0).abs() < 1e-6);
    for (kind, key) in [
        ("suits", "suits"),
        ("pairing", "pairing"),
        ("high_card", "high"),
        ("connectedness", "connectedness"),
    ] {
        let mut count = 0;
        for group in spot["groups"][kind].as_array().unwrap() {
            let rows: Vec<&Value> = flops.iter().filter(|row| row[key] == group["name"]).collect();
            count += rows.len();
            check(group, &rows, false);
        }
        assert_eq!(count, flops.len());
    }
}

/// The same numbers as the document has, sorted as was asked.
fn check_csv(csv: &str, report: &Value) {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 50);
    for spot in report["spots"].as_array().unwrap() {
        let own: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == spot["spot"]).collect();
        assert!(
            own.is_sorted_by(
                |a, b| a[at("oop_ev")].parse::<f64>().unwrap() >= b[at("oop_ev")].parse().unwrap()
            )
        );
        for flop in spot["flops"].as_array().unwrap() {
            let row = own.iter().find(|row| row[at("group")] == flop["board"]).unwrap();
            assert_eq!(row[at("id")], flop["id"]);
            for (name, value) in [
                ("weight", &flop["weight"]),
                ("deals", &flop["deals"]),
                ("oop_ev", &flop["players"]["oop"]["ev"]),
                ("ip_equity", &flop["players"]["ip"]["equity"]),
                ("check_frequency", &flop["frequencies"][0]),
            ] {
                assert!((row[at(name)].parse::<f64>().unwrap() - number(value)).abs() < 1e-9, "{name}");
            }
        }
    }
}

#[test]
fn flops_that_stand_for_all_are_shown() {
    for (name, count) in [("25", 25), ("49", 49), ("95", 95), ("all", 1_755)] {
        let document = json(&["batch", "flops", name]);
        let flops = document["flops"].as_array().unwrap();
        assert_eq!(flops.len(), count);
        let total: f64 = flops.iter().map(|flop| number(&flop["weight"])).sum();
        assert!((total - 22_100.0).abs() < 1e-6);
    }
    assert!(printed(&["batch", "flops", "25"]).contains("25 flops; their weights sum to 22,100"));
    let refused = run(&["batch", "flops", "50"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("25, 49, 95, all"), "{}", refused.stderr);
    assert_eq!(run(&["batch", "flops", "--derive", "0"]).code, Some(2));
}
