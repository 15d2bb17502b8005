//! The queue of solves.

use std::time::Duration;

use equipoise_postflop::solve;
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;
use serde_json::{Value, json};

use crate::common::{Fixture, long_turn};

fn has_begun(job: &Value) -> bool {
    job["iteration"].as_u64() > Some(3)
}

#[test]
fn jobs_run_one_after_the_other() {
    let fixture = Fixture::new();
    let first = fixture.job(&json!({ "toml": long_turn(1_000_000), "name": "first" }));
    let second = fixture.job(&json!({ "toml": ShippedText::RIVER.toml, "name": "second" }));
    let third = fixture.job(&json!({ "toml": ShippedText::RIVER.toml, "name": "second" }));
    fixture.wait(&first, has_begun);
    let list = fixture.get("/jobs").expect(200).json();
    let states: Vec<&Value> = list["jobs"].as_array().unwrap().iter().map(|job| &job["state"]).collect();
    assert_eq!(states, ["queued", "queued", "running"]);
    assert_eq!(fixture.get("/status").json()["jobs"], 3);
    // A queued job cannot be viewed; a running one can.
    fixture.get(&format!("/jobs/{second}/node")).expect(409);
    let look = fixture.get(&format!("/jobs/{first}/node")).expect(200).json();
    assert!(look["solution"]["iterations"].as_u64() > Some(0) && look["node"]["path"] == "");
    // One that waits can be paused, and lets the others pass.
    assert_eq!(
        fixture.post(&format!("/jobs/{second}/pause"), &json!({})).expect(200).json()["state"],
        "paused"
    );
    let paused = fixture.wish(&first, "pause", "paused");
    assert_eq!((&paused["state"], &paused["wish"]), (&json!("paused"), &Value::Null));
    let third = fixture.wait(&third, |job| job["state"] == "done");
    assert_eq!(third["solution"], "second.eqp");
    fixture.post(&format!("/jobs/{second}/resume"), &json!({})).expect(200);
    let second = fixture.wait(&second, |job| job["state"] == "done");
    assert_eq!((&second["solution"], &second["stop_reason"]), (&json!("second-2.eqp"), &json!("converged")));
    // A paused one can be viewed, and stopped with what it has.
    let look = fixture.get(&format!("/jobs/{first}/node?path=check")).expect(200).json();
    assert_eq!(look["solution"]["iterations"], paused["iteration"]);
    let stopped = fixture.wish(&first, "stop", "stopped");
    assert_eq!((&stopped["state"], &stopped["solution"]), (&json!("stopped"), &json!("first.eqp")));
    fixture.get("/solutions/first.eqp/node?path=check").expect(200);
    for wish in ["pause", "resume"] {
        fixture.post(&format!("/jobs/{first}/{wish}"), &json!({})).expect(409);
    }
    fixture.delete(&format!("/jobs/{first}")).expect(204);
    fixture.get(&format!("/jobs/{first}")).expect(404);
    fixture.get("/solutions/first.eqp").expect(200);
}

#[test]
fn a_running_job_can_be_stopped_and_deleted() {
    let fixture = Fixture::new();
    let id = fixture.job(&json!({ "toml": long_turn(1_000_000), "name": "a/b" }));
    fixture.wait(&id, has_begun);
    let stopped = fixture.wish(&id, "stop", "stopped");
    assert_eq!((&stopped["state"], &stopped["solution"]), (&json!("stopped"), &json!("a-b.eqp")));
    let id = fixture.job(&json!({ "toml": long_turn(1_000_000) }));
    fixture.wait(&id, has_begun);
    fixture.delete(&format!("/jobs/{id}")).expect(204);
    // The next one gets its turn, and nothing is left of the deleted one.
    fixture.river();
    let left = std::fs::read_dir(fixture.folder.join(".jobs")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.starts_with(&id)), "{left:?}");
}

#[test]
fn a_change_begins_where_the_old_solution_ended() {
    let fixture = Fixture::new();
    let old = fixture.job(&json!({ "toml": ShippedText::TURN.toml, "name": "old" }));
    let old = fixture.wait(&old, |job| job["state"] == "done");
    assert_eq!(fixture.get("/solutions/old.eqp").expect(200).json()["contents"], "resumable");
    let again = fixture.job(&json!({ "from": "old.eqp", "name": "again" }));
    let again = fixture.wait(&again, |job| job["state"] == "done");
    assert_eq!(again["stop_reason"], "converged");
    let [cold, warm] = [&old, &again].map(|job| job["iteration"].as_u64().unwrap());
    assert!(2 * warm < cold, "{warm} of {cold} iterations");
    // One of another board is no help, and nothing to be held against.
    let river = json!({ "from": "old.eqp", "toml": ShippedText::RIVER.toml });
    assert_eq!(fixture.post("/jobs", &river).expect(400).error()["place"]["key"], "from");
}

#[test]
fn a_restart_loses_nothing() {
    // Enough iterations that the restart comes in the middle.
    const ITERATIONS: u32 = 60;
    let text = long_turn(ITERATIONS);
    let mut fixture = Fixture::new();
    let running = fixture.job(&json!({ "toml": text, "name": "running" }));
    let queued = fixture.job(&json!({ "toml": ShippedText::RIVER.toml, "name": "queued" }));
    let paused = fixture.job(&json!({ "toml": ShippedText::RIVER.toml, "name": "paused" }));
    fixture.post(&format!("/jobs/{paused}/pause"), &json!({})).expect(200);
    let before = fixture.wait(&running, |job| !job["checks"].as_array().unwrap().is_empty());
    fixture.restart();
    let after = fixture.get(&format!("/jobs/{running}")).expect(200).json();
    assert!(after["iteration"].as_u64() >= before["iteration"].as_u64(), "{after}");
    assert_eq!(after["checks"][0], before["checks"][0]);
    let done = fixture.wait(&running, |job| job["state"] == "done");
    assert_eq!((&done["iteration"], &done["stop_reason"]), (&json!(ITERATIONS), &json!("max_iterations")));
    // The same as without a restart, to the last bit.
    let problem: Problem = text.parse().unwrap();
    let whole = solve(problem.spot, &problem.options).unwrap();
    assert_eq!(done["exploitability"]["chips"].as_f64(), whole.exploitability().map(|found| found.chips));
    fixture.wait(&queued, |job| job["state"] == "done");
    assert_eq!(fixture.get(&format!("/jobs/{paused}")).json()["state"], "paused");
    fixture.post(&format!("/jobs/{paused}/resume"), &json!({})).expect(200);
    fixture.wait(&paused, |job| job["state"] == "done");
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    let fixture = Fixture::with(|config| config.memory_limit = Some(100 << 20));
    let error = fixture.post("/jobs", &json!({ "toml": ShippedText::FLOP.toml })).expect(507).error();
    assert_eq!(error["code"], "no_memory");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("more than the 100.0 MiB that it may take"), "{message}");
    let help = error["help"].as_str().unwrap();
    assert!(help.contains("without '") && help.contains("' on the turn") && !help.contains("bit"), "{help}");
    let check = fixture.post("/spots/check", &json!({ "toml": ShippedText::FLOP.toml })).expect(200).json();
    assert_eq!((&check["fits"], &check["available_bytes"]), (&json!(false), &json!(100 << 20)));
    assert!(check["advice"].as_str().unwrap().contains("without '"), "{}", check["advice"]);
    fixture.river();
}

#[test]
fn listeners_hear_everything_in_order() {
    let fixture = Fixture::new();
    let id = fixture.job(&json!({ "toml": long_turn(120) }));
    let mut client = fixture.client();
    let request = format!("GET /api/v1/jobs/{id}/events HTTP/1.1\r\nhost: {}\r\n\r\n", fixture.address());
    client.send(request.as_bytes()).unwrap();
    let (mut names, mut iterations, mut checks) = (Vec::new(), Vec::new(), Vec::new());
    let last = loop {
        let line = client.line().unwrap();
        let Some(name) = line.strip_prefix("event: ") else { continue };
        let data = client.line().unwrap();
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        names.push(name.to_owned());
        iterations.push(data["iteration"].as_u64().unwrap());
        if name == "progress" {
            assert!(data["checks"].is_null());
            checks.extend(data["check"]["iteration"].as_u64());
        } else {
            // The first event has those of before.
            checks.extend(
                data["checks"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|_| name == "job")
                    .map(|check| check["iteration"].as_u64().unwrap()),
            );
        }
        if data["state"] == "done" && name != "progress" {
            break data;
        }
    };
    assert_eq!((names[0].as_str(), names[names.len() - 1].as_str()), ("job", "state"));
    assert!(iterations.is_sorted(), "{iterations:?}");
    let all: Vec<u64> =
        last["checks"].as_array().unwrap().iter().map(|c| c["iteration"].as_u64().unwrap()).collect();
    assert_eq!(checks, all);
    assert!(all.is_sorted() && all.len() > 3);
    // Who listens to a job that is deleted hears of that, and the stream ends.
    fixture.delete(&format!("/jobs/{id}")).expect(204);
    while client.line().unwrap() != "event: deleted" {}
    std::thread::sleep(Duration::from_millis(10));
    let rest = std::iter::from_fn(|| client.line().ok()).find(|line| line == "0");
    assert!(rest.is_some());
}
