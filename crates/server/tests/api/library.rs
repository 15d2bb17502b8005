//! The folder of solutions: what comes in, and what never gets out.

use std::fs;

use equipoise_postflop::Contents;
use serde_json::{Value, json};

use crate::common::Fixture;

fn ids(fixture: &Fixture) -> Vec<String> {
    let list = fixture.get("/solutions").expect(200).json();
    let mut ids: Vec<String> = list["solutions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

/// Everything in the folder but the jobs.
fn names(fixture: &Fixture) -> Vec<String> {
    let entries = fs::read_dir(&fixture.folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".jobs");
    names.sort();
    names
}

#[test]
fn names_never_leave_the_folder() {
    let fixture = Fixture::new();
    let solution = fixture.river();
    let secret = fixture.folder.with_extension("secret.eqp");
    fs::copy(fixture.folder.join(&solution), &secret).unwrap();
    let name = secret.file_name().unwrap().to_str().unwrap().to_owned();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, fixture.folder.join("link.eqp")).unwrap();
    for id in [
        format!("..%2f{name}"),
        format!("%2e%2e%2f{name}"),
        format!("..%5c{name}"),
        format!("%2e%2e/{name}"),
        format!("../{name}"),
        format!("..%252f{name}"),
        secret.display().to_string().replace('/', "%2f"),
        "link.eqp".to_owned(),
        ".jobs".to_owned(),
        ".jobs%2f1.json".to_owned(),
        format!("{solution}%00"),
        format!("{solution}%2f"),
        "%ff.eqp".to_owned(),
    ] {
        for end in ["", "/file", "/node", "/train", "/runouts?path=check"] {
            let answer = fixture.get(&format!("/solutions/{id}{end}"));
            assert_eq!(answer.status, 404, "{id}{end}");
        }
        assert_eq!(fixture.delete(&format!("/solutions/{id}")).status, 404, "{id}");
    }
    assert!(secret.exists() && fixture.folder.join(&solution).exists());
    let bytes = fs::read(&secret).unwrap();
    for (name, id) in [
        ("..%2f..%2fescaped.eqp", "escaped.eqp"),
        ("%2fetc%2fpasswd", "etc-passwd.eqp"),
        ("river.eqp", "river-2.eqp"),
        ("", "Td9d6hQc2h.eqp"),
        (".jobs", "jobs.eqp"),
        ("%e2%99%a5", "solution.eqp"),
    ] {
        assert_eq!(fixture.upload(name, &bytes).expect(201).json()["id"], id, "{name}");
    }
    assert_eq!(
        ids(&fixture),
        [
            "Td9d6hQc2h.eqp",
            "escaped.eqp",
            "etc-passwd.eqp",
            "jobs.eqp",
            "river-2.eqp",
            "river.eqp",
            "solution.eqp"
        ]
    );
    fs::remove_file(secret).unwrap();
}

#[test]
fn damaged_files_do_not_come_in() {
    let fixture = Fixture::with(|config| config.limits.upload = 1 << 20);
    let solution = fixture.river();
    let good = fixture.get(&format!("/solutions/{solution}/file")).expect(200).body;
    assert_eq!(good, fs::read(fixture.folder.join(&solution)).unwrap());
    let mut damaged: Vec<(String, Vec<u8>)> = vec![
        ("nothing".to_owned(), Vec::new()),
        ("text".to_owned(), b"hello".to_vec()),
        ("half".to_owned(), good[..good.len() / 2].to_vec()),
        ("longer".to_owned(), [good.as_slice(), b"x"].concat()),
    ];
    for part in 0..40 {
        let mut bytes = good.clone();
        let at = part * (bytes.len() - 1) / 39;
        bytes[at] ^= 1 << (part % 8);
        damaged.push((format!("byte {at}"), bytes));
    }
    for (what, bytes) in damaged {
        let answer = fixture.upload("x.eqp", &bytes);
        assert_eq!(answer.status, 400, "{what}: {}", String::from_utf8_lossy(&answer.body));
        let error = answer.error();
        let folder = fixture.folder.display().to_string();
        assert!(!error["message"].as_str().unwrap().contains(&folder), "{error}");
    }
    let large = vec![0; (1 << 20) + 1];
    assert_eq!(fixture.upload("x.eqp", &large).status, 413);
    assert_eq!(names(&fixture), [solution.as_str()]);
    // What lies there damaged all the same is named, and hurts nobody.
    fs::write(fixture.folder.join("bad.eqp"), &good[..100]).unwrap();
    let list = fixture.get("/solutions").expect(200).json();
    assert_eq!(
        (list["solutions"].as_array().unwrap().len(), &list["damaged"][0]["id"]),
        (1, &Value::from("bad.eqp"))
    );
    assert_eq!(fixture.get("/solutions/bad.eqp/node").status, 400);
}

#[test]
fn a_solution_can_be_replaced_while_it_is_open() {
    let fixture = Fixture::new();
    let solution = fixture.river();
    let node = format!("/solutions/{solution}/node");
    let before = fixture.get(&node).expect(200).json();
    let path = fixture.folder.join(&solution);
    let (reader, header) = equipoise_postflop::Reader::open(&path).unwrap();
    let problem = equipoise_spots::spot_file::Problem::of_solution(reader.spot(), &header);
    assert_eq!(header.contents, Contents::Resumable);
    let options = equipoise_postflop::Options { max_iterations: 3, ..problem.options.clone() };
    let mut other = equipoise_postflop::solve(problem.spot.clone(), &options).unwrap();
    let save = equipoise_postflop::SaveOptions { note: problem.text, ..Default::default() };
    other.save(&path, &save).unwrap();
    let after = fixture.get(&node).expect(200).json();
    assert_eq!(after["solution"]["iterations"], 3);
    assert_ne!(after["node"]["actions"], before["node"]["actions"]);
    fixture.delete(&format!("/solutions/{solution}")).expect(204);
    fixture.get(&node).expect(404);
}

#[test]
fn solutions_have_titles_tags_and_notes() {
    let fixture = Fixture::new();
    let solution = fixture.river();
    let path = format!("/solutions/{solution}/labels");
    let put = |path: &str, body: Value| fixture.put(path, &body);
    let row = fixture.get("/solutions").expect(200).json()["solutions"][0].clone();
    assert_eq!((&row["title"], &row["tags"]), (&Value::from(""), &json!([])));
    let labels =
        json!({"title": " BTN v BB SRP · Q72r", "tags": ["srp", "srp", ""], "notes": "c-bets small"});
    let kept = json!({"title": "BTN v BB SRP · Q72r", "tags": ["srp"], "notes": "c-bets small"});
    assert_eq!(put(&path, labels).expect(200).json(), kept);
    let list = fixture.get("/solutions").expect(200).json();
    let detail = fixture.get(&format!("/solutions/{solution}")).expect(200).json();
    for row in [&list["solutions"][0], &detail] {
        for key in ["title", "tags", "notes"] {
            assert_eq!(row[key], kept[key]);
        }
    }
    // Ids never leave the folder here either, and what is too long or unknown is refused.
    for id in ["..%2fx.eqp", "nowhere.eqp", ".labels"] {
        assert_eq!(put(&format!("/solutions/{id}/labels"), json!({})).status, 404, "{id}");
    }
    assert_eq!(put(&path, json!({"title": "x".repeat(121)})).status, 400);
    assert_eq!(put(&path, json!({"colour": "red"})).status, 400);
    // A name that no file can have becomes the title.
    let toml = fixture.get(&format!("/solutions/{solution}")).expect(200).json()["toml"].clone();
    let job = fixture.job(&json!({"name": "BTN v BB · 962r", "toml": toml}));
    let done = fixture.wait(&job, |job| job["state"] == "done");
    let id = done["solution"].as_str().unwrap().to_owned();
    assert_eq!(id, "BTN-v-BB-962r.eqp");
    assert_eq!(fixture.get(&format!("/solutions/{id}")).expect(200).json()["title"], "BTN v BB · 962r");
    fixture.delete(&format!("/solutions/{solution}")).expect(204);
    assert!(!fixture.folder.join(".labels").join(format!("{solution}.json")).exists());
}
