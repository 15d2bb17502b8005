//! Parquet files, read by the parquet crate and by polars, against what other commands say: those of `equipoise abstraction
//! export` here, those of `equipoise export` in a module of their own.

#[path = "../common/mod.rs"]
mod common;
mod solution;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{binary, json, run, run_command, text};
use equipoise::abstraction::{AbstractionConfig, CardAbstraction, Method, StreetBuckets, StreetConfig};
use equipoise::cards::Street;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value, json};

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// The rows of a file as JSON objects.
fn rows(file: &str) -> Vec<Value> {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| object(row.unwrap())).collect()
}

fn object(row: Row) -> Value {
    let columns = row.into_columns().into_iter().map(|(name, field)| (name, value(&field)));
    // Through text, as the document that it is compared with: reading JSON may change the last bit of a fraction.
    serde_json::from_str(&Value::Object(columns.collect::<Map<_, _>>()).to_string()).unwrap()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::UByte(number) => json!(number),
        Field::UShort(number) => json!(number),
        Field::UInt(number) => json!(number),
        Field::Float(number) => json!(number),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("no column has {other:?}"),
    }
}

/// Places all over a table, the first and the last among them.
fn places(num_rows: usize) -> Vec<usize> {
    (0..num_rows).step_by(num_rows / 12 + 1).chain([num_rows - 1]).collect()
}

/// Compares rows with what `features` says of their hands, to the last bit.
fn check_features<'a>(rows: impl Iterator<Item = &'a Value>) {
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap();
        let known = json(&["abstraction", "features", text("board"), text("combo")]);
        for (key, value) in row.as_object().unwrap() {
            if key != "weight" {
                assert_eq!(*value, known[key], "{key} of {row}");
            }
        }
    }
}

fn export_features(street: &str, boards: &str, file: &str) -> Value {
    let columns = "histogram,hs,equity,equity_sq,ppot,npot,ochs,hs";
    let what = ["abstraction", "export", "features", "--street", street, "--columns", columns];
    json(&[&what[..], &["--boards", boards, "-o", file]].concat())
}

const FEATURE_COLUMNS: [&str; 11] = [
    "canonical_index",
    "board",
    "combo",
    "weight",
    "hs",
    "equity",
    "equity_sq",
    "ppot",
    "npot",
    "ochs",
    "histogram",
];

#[test]
fn features_are_those_of_the_hands() {
    for (street, boards, deals_per_board) in
        [("flop", "4", 1176), ("turn", "20", 1128), ("river", "60", 1081)]
    {
        let file = path(&format!("{street}-features.parquet"));
        let document = export_features(street, boards, &file);
        let rows = rows(&file);
        assert_eq!(document["rows"], rows.len(), "{street}");
        assert_eq!(document["bytes"], fs::metadata(&file).unwrap().len());
        assert_eq!(document["columns"], json!(FEATURE_COLUMNS));
        check_features(places(rows.len()).into_iter().map(|place| &rows[place]));
        // The hands of a board have as many deals as its class has boards, times the combos that are left.
        let weights: u64 = rows.iter().map(|row| row["weight"].as_u64().unwrap()).sum();
        assert_eq!(weights % deals_per_board, 0, "{street}");
        assert!(weights / deals_per_board >= boards.parse().unwrap(), "{street}");
    }
}

#[test]
fn all_classes_before_the_flop() {
    let file = path("preflop.parquet");
    export_features("preflop", "1", &file);
    let rows = rows(&file);
    assert_eq!(rows.len(), 169);
    assert_eq!(rows.iter().map(|row| row["weight"].as_u64().unwrap()).sum::<u64>(), 1326);
    assert!(rows.iter().all(|row| row["hs"].is_null() && row["board"] == ""));
    check_features([&rows[0], &rows[100]].into_iter());
}

#[test]
fn threads_do_not_change_the_bytes() {
    let write = |threads: &str| {
        let file = path(&format!("threads-{threads}.parquet"));
        let what = ["abstraction", "export", "features", "--street", "river", "--boards", "300"];
        json(&[&what[..], &["--threads", threads, "-o", &file]].concat());
        fs::read(file).unwrap()
    };
    assert!(write("1") == write("3"));
}

/// A folder with buckets of the river.
fn river_buckets(name: &str) -> PathBuf {
    let river = StreetConfig { method: Method::Percentile, buckets: 50 };
    let config = AbstractionConfig { river, samples_per_street: Some(5_000), ..AbstractionConfig::default() };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let built = StreetBuckets::build(Street::River, &config, &mut ()).unwrap();
    built.save(&CardAbstraction::file(&folder, Street::River)).unwrap();
    folder
}

fn check_buckets<'a>(folder: &Path, rows: impl Iterator<Item = &'a Value>) {
    let known = StreetBuckets::load(&CardAbstraction::file(folder, Street::River)).unwrap();
    for row in rows {
        let [board, combo] = ["board", "combo"].map(|key| row[key].as_str().unwrap());
        let bucket = known.bucket(combo.parse().unwrap(), &board.parse().unwrap()).unwrap();
        assert_eq!(row["bucket"], bucket.get(), "{row}");
    }
}

#[test]
fn buckets_are_those_of_the_folder() {
    let folder = river_buckets("river-buckets");
    let (dir, file) = (folder.to_str().unwrap(), path("buckets.parquet"));
    let what = ["abstraction", "export", "buckets", dir, "--street", "river", "--boards", "80", "-o"];
    let plain = text(&[&what[..], &[&file]].concat());
    assert!(plain.contains("buckets on the river") && plain.contains("on 80 boards, about"), "{plain}");
    let rows = rows(&file);
    assert!(plain.contains("buckets.parquet: 7"), "{plain}");
    assert_eq!(rows[0].as_object().unwrap().len(), 5);
    check_buckets(&folder, rows.iter());
    // The buckets themselves are not written over, and other streets are not there.
    let itself = CardAbstraction::file(&folder, Street::River);
    for (street, file, word) in
        [("river", itself.to_str().unwrap(), "which is a file of buckets"), ("turn", &file, "cannot read")]
    {
        let run = run(&["abstraction", "export", "buckets", dir, "--street", street, "-o", file]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains(word), "{}", run.stderr);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_dry_run_says_what_a_file_takes_and_makes_none() {
    let file = path("no.parquet");
    let what = ["abstraction", "export", "features", "--street", "river", "-o", &file, "--dry-run"];
    let plan = text(&what);
    assert!(plan.contains("123,156,254 hands on 134,459 boards, about 2.0 GiB"), "{plan}");
    let document = json(&what);
    assert_eq!((&document["rows"], &document["boards"]), (&json!(123_156_254), &json!(134_459)));
    assert!(document["estimated_s"].as_f64().unwrap() > 0.0 && document["bytes"].is_null());
    assert!(!fs::exists(&file).unwrap());
}

#[test]
fn bad_input() {
    let export = ["abstraction", "export"];
    for (args, code, word) in [
        (vec!["features", "--street", "flop"], 2, "--output"),
        (vec!["features", "-o", "x"], 2, "--street"),
        (vec!["features", "--street", "floop", "-o", "x"], 2, "preflop, flop, turn or river"),
        (vec!["features", "--street", "flop", "--columns", "ev", "-o", "x"], 2, "'ev' is no feature"),
        (vec!["features", "--street", "flop", "--boards", "0", "-o", "x"], 2, "--boards"),
        (vec!["buckets", "no/such", "--street", "flop", "-o", "x"], 2, "cannot read"),
        (vec!["buckets", "no/such", "--street", "preflop", "-o", "x"], 2, "flop, turn or river"),
        (vec!["features", "--street", "flop", "-o", "no/such/x"], 1, "cannot write to no/such/x"),
        (vec!["features", "--street", "flop", "-o", "/"], 1, "cannot write to /"),
    ] {
        let run = run(&[&export[..], &args].concat());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{args:?}: {}", run.stderr);
    }
}

/// A full disk is a failure, and nothing is left of the file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let what = ["abstraction", "export", "features", "--street", "river", "--boards", "5", "-o", "/dev/full"];
    let run = run(&what);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write to /dev/full"), "{}", run.stderr);
}

/// Ctrl-C leaves the old file as it was, and nothing beside it.
#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_nothing() {
    let folder = path("interrupted");
    fs::create_dir_all(&folder).unwrap();
    let file = format!("{folder}/flop.parquet");
    fs::write(&file, "PAR1 old").unwrap();
    let mut command = binary();
    let command = command.args(["abstraction", "export", "features", "--street", "flop", "-o", &file]);
    let child =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The handler is there when the temporary file is: it is made just before.
    while fs::read_dir(&folder).unwrap().count() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted:") && stderr.contains("is as it was before"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "PAR1 old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

/// What polars reads: its schema, number of rows, sum of weights, and some rows.
fn polars(file: &str, places: &[usize]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../target/python/bin/python");
    assert!(python.exists(), "polars is not there: `make polars` installs it and runs this test");
    let mut command = Command::new(python);
    command.arg(root.join("tests/python/rows.py")).arg(file).args(places.iter().map(usize::to_string));
    let run = run_command(&mut command);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
#[ignore = "needs polars: make polars"]
fn polars_opens_features() {
    let file = path("polars-features.parquet");
    let document = export_features("turn", "30", &file);
    let num_rows = document["rows"].as_u64().unwrap() as usize;
    let read = polars(&file, &places(num_rows));
    assert_eq!(read["height"], num_rows);
    let schema = &read["schema"];
    for (name, kind) in FEATURE_COLUMNS.into_iter().zip([
        "UInt32",
        "String",
        "String",
        "UInt8",
        "Float64",
        "Float64",
        "Float64",
        "Float64",
        "Float64",
        "List(Float64)",
        "List(UInt32)",
    ]) {
        assert_eq!(schema[name], kind, "{name}");
    }
    check_features(read["rows"].as_array().unwrap().iter());
}

#[test]
#[ignore = "needs polars: make polars"]
fn polars_opens_buckets() {
    let folder = river_buckets("polars-buckets");
    let file = path("polars-buckets.parquet");
    let what = ["abstraction", "export", "buckets", folder.to_str().unwrap(), "--street", "river"];
    let document = json(&[&what[..], &["--boards", "50", "-o", &file]].concat());
    let num_rows = document["rows"].as_u64().unwrap() as usize;
    let read = polars(&file, &places(num_rows));
    assert_eq!((&read["height"], &read["schema"]["bucket"]), (&json!(num_rows), &json!("UInt16")));
    check_buckets(&folder, read["rows"].as_array().unwrap().iter());
    fs::remove_dir_all(&folder).unwrap();
}

const PLAN: &str = r#"
flops = ["As7d2c", "Td9d6h", "KhKd4s"]
save = "summary"
[[spots]]
name = "small"
ranges = { oop = "AA,QQ", ip = "KK,JTs" }
tree = { starting_pot = 100, effective_stack = 100 }
bet_sizes = { flop = { oop_bet = "100%" } }
[[spots]]
name = "large"
ranges = { oop = "AA,QQ", ip = "KK,JTs" }
tree = { starting_pot = 100, effective_stack = 300 }
bet_sizes = { flop = { oop_bet = "50%" } }
"#;

/// Solves two spots on three flops and writes their report; the document, and the file.
fn batch_report(name: &str) -> (Value, String) {
    let folder = path(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (plan, out, file) =
        (format!("{folder}/plan.toml"), format!("{folder}/out"), format!("{folder}/x.parquet"));
    fs::write(&plan, PLAN).unwrap();
    assert_eq!(run(&["batch", "run", &plan, "-o", &out]).code, Some(0));
    (json(&["batch", "report", &out, "--by", "flop", "--parquet", &file]), file)
}

/// Rows of a report against the document.
fn check_batch(rows: &[Value], report: &Value) {
    assert_eq!(rows.len(), 6);
    let flops = report["spots"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|spot| spot["flops"].as_array().unwrap().iter().map(move |flop| (spot, flop)));
    for (row, (spot, flop)) in rows.iter().zip(flops) {
        assert_eq!((&row["spot"], &row["group"], &row["id"]), (&spot["spot"], &flop["board"], &flop["id"]));
        assert_eq!((&row["by"], &row["suits"]), (&json!("flop"), &flop["suits"]));
        for (name, value) in [
            ("weight", &flop["weight"]),
            ("deals", &flop["deals"]),
            ("oop_equity", &flop["players"]["oop"]["equity"]),
            ("ip_ev", &flop["players"]["ip"]["ev"]),
            ("check_frequency", &flop["frequencies"][0]),
        ] {
            let [a, b] = [&row[name], value].map(|number| number.as_f64().unwrap());
            assert!((a - b).abs() < 1e-9, "{name} {row} {flop}");
        }
        // What a spot does not have is empty, not 0.
        let other = if row["spot"] == "small" { "bet:50_frequency" } else { "allin_frequency" };
        assert!(row[other].is_null(), "{row}");
    }
}

#[test]
fn reports_of_batches_are_tables() {
    let (report, file) = batch_report("batch");
    check_batch(&rows(&file), &report);
}

#[test]
#[ignore = "needs polars: make polars"]
fn polars_opens_reports_of_batches() {
    let (report, file) = batch_report("polars-batch");
    let read = polars(&file, &[0, 1, 2, 3, 4, 5]);
    assert_eq!((&read["schema"]["oop_ev"], &read["schema"]["spot"]), (&json!("Float64"), &json!("String")));
    check_batch(read["rows"].as_array().unwrap(), &report);
}
