//! What is read of a solution, against the solver itself.

use equipoise_game::Player;
use equipoise_postflop::{NodePath, NodeView, Reader, ViewDetail, solve};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;
use serde_json::{Value, json};

use crate::common::{Fixture, quoted};

fn close(found: &Value, want: f64, tolerance: f64, what: &str) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{what} is {found}"));
    assert!((found - want).abs() <= tolerance, "{what}: {found}, not {want}");
}

fn compare(found: &Value, view: &NodeView) {
    let node = &found["node"];
    assert_eq!(node["player"], view.player.to_string());
    for (at, (frequency, ev)) in view.frequencies().into_iter().zip(view.action_evs()).enumerate() {
        close(&node["actions"][at]["frequency"], frequency, 1e-4, "frequency");
        if let Some(ev) = ev.filter(|_| frequency > 1e-3) {
            close(&node["actions"][at]["ev"], ev, 0.05, "EV of an action");
        }
    }
    for player in Player::ALL {
        let (seen, name) = (&view.players[player], player.to_string());
        close(&node["players"][&name]["equity"], seen.equity().unwrap(), 1e-5, "equity");
        close(&node["players"][&name]["ev"], seen.ev().unwrap(), 0.01, "EV");
        let rows = found["combos"][&name].as_array().unwrap();
        let held: Vec<_> = seen.combos.iter().filter(|combo| combo.share() > 1e-6).collect();
        for combo in held {
            let row = rows.iter().find(|row| row["combo"] == combo.combo.to_string()).expect("the combo");
            close(&row["weight"], combo.weight, 1e-4, "weight");
            for (at, &frequency) in combo.frequencies.iter().enumerate() {
                close(&row["frequencies"][at], frequency, 1e-4, "frequency of a combo");
            }
        }
    }
}

#[test]
fn decisions_are_those_of_the_solver() {
    let fixture = Fixture::new();
    let id = fixture.river();
    let problem: Problem = ShippedText::RIVER.toml.parse().unwrap();
    let reader = Reader::of(&mut solve(problem.spot, &problem.options).unwrap());
    for path in ["", "check", "bet:120", "check bet:120", "bet:120 raise:300"] {
        let found = fixture.get(&format!("/solutions/{id}/node?path={}", quoted(path))).expect(200).json();
        let view = reader.view(&path.parse::<NodePath>().unwrap(), ViewDetail::Equities, &mut ()).unwrap();
        compare(&found, &view);
        assert_eq!(found["node"]["path"], path);
        let steps = found["breadcrumb"][0]["steps"].as_array().unwrap();
        let actions: Vec<&str> = steps.iter().map(|step| step["action"].as_str().unwrap()).collect();
        assert_eq!(actions.join(" "), path);
        for step in steps {
            let names = step["alternatives"].as_array().unwrap().iter().map(|other| &other["name"]);
            assert!(names.into_iter().any(|name| *name == step["action"]), "{step}");
        }
    }
    let error = fixture.get(&format!("/solutions/{id}/node?path=check%20bet:121")).expect(400).error();
    assert_eq!(error["place"], json!({ "key": "path", "column": 7 }));
}

#[test]
fn cards_are_offered_where_they_come() {
    let fixture = Fixture::new();
    // Three suits of the board are used, so that two are alike but for the ranges, which are symmetric.
    let toml = ShippedText::TURN.toml.replace("\"Td9d6h\"", "\"Td9d6d\"").replace("\"Qc\"", "\"Qd\"");
    let job = fixture.job(&json!({ "toml": toml }));
    let job = fixture.wait(&job, |job| job["state"] == "done");
    let id = job["solution"].as_str().unwrap();
    let found =
        fixture.get(&format!("/solutions/{id}/node?path={}", quoted("check check"))).expect(200).json();
    assert_eq!((&found["next"], &found["node"]), (&json!("card"), &Value::Null));
    let cards = found["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 48);
    // Of each rank clubs, hearts and spades are the same, so one card of three stands for itself.
    let own = cards.iter().filter(|card| card["stands_for"].is_null()).count();
    assert_eq!(own, 9 + 13);
    let runouts =
        fixture.get(&format!("/solutions/{id}/runouts?path={}", quoted("check check"))).expect(200).json();
    let runouts = runouts["runouts"].as_array().unwrap();
    assert_eq!(runouts.len(), 48);
    for card in cards.iter().filter(|card| !card["stands_for"].is_null()).step_by(5) {
        let of = |name: &Value| runouts.iter().find(|runout| runout["card"] == *name).expect("the card");
        let (own, other) = (of(&card["card"]), of(&card["stands_for"]));
        close(&own["ev_pct_pot"]["oop"], other["ev_pct_pot"]["oop"].as_f64().unwrap(), 1e-3, "EV");
    }
    // Two cards on, the way has two streets.
    let path = quoted("check check | 2c | check");
    let found = fixture.get(&format!("/solutions/{id}/node?path={path}")).expect(200).json();
    let boards: Vec<&Value> =
        found["breadcrumb"].as_array().unwrap().iter().map(|crumb| &crumb["board"]).collect();
    assert_eq!(boards, [&json!("Td9d6dQd"), &json!("Td9d6dQd2c")]);
    let evs = ["oop", "ip"].map(|player| found["node"]["players"][player]["ev"].as_f64().unwrap());
    assert!((evs[0] + evs[1] - 200.0).abs() < 0.1, "{evs:?}");
}

#[test]
fn questions_come_up_as_often_as_their_decisions() {
    let fixture = Fixture::new();
    let id = fixture.river();
    let ask = |seed: u32| fixture.get(&format!("/solutions/{id}/train?seed={seed}")).expect(200).json();
    assert_eq!(ask(5), ask(5));
    let root = fixture.get(&format!("/solutions/{id}/node")).expect(200).json();
    let checks = root["node"]["actions"][0]["frequency"].as_f64().unwrap();
    let (mut num_first, mut num_oop, mut after_check, mut after) = (0, 0, 0, 0);
    for seed in 0..400 {
        let question = ask(seed);
        let path = question["path"].as_str().unwrap();
        num_first += u32::from(path.is_empty());
        num_oop += u32::from(question["player"] == "oop");
        if !path.is_empty() {
            after += 1;
            after_check += u32::from(path.starts_with("check"));
        }
        let sum: f64 =
            question["answer"]["frequencies"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{question}");
        let losses = question["answer"]["ev_losses"].as_array().unwrap();
        assert!(losses.iter().filter_map(Value::as_f64).any(|loss| loss == 0.0), "{question}");
    }
    // Every hand begins with the first decision and has at most a few, so that it is asked often but not always.
    assert!((100..=250).contains(&num_first) && num_oop >= num_first, "{num_first} {num_oop}");
    // Wherever the hand goes, it went there by check as often as the strategy checks; five sigma of 0.5/√n.
    let found = f64::from(after_check) / f64::from(after);
    assert!((found - checks).abs() < 2.5 / f64::from(after).sqrt(), "{found} {checks}");
}
