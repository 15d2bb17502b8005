//! Every operation of `openapi.json`, against the implementation: what it answers has the documented fields, all of them
//! and no other.

use std::collections::BTreeSet;

use equipoise_blueprint::bucketed::{BucketedError, Buckets};
use equipoise_blueprint::whole::{Trainer, TrainerOptions, WholeGame};
use equipoise_cards::{Board, Combo, HandClass, Range, Street, Strength};
use equipoise_game::{BettingPreset, Chips, HandConfig};
use serde_json::{Value, json};

use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::keys_at;

use crate::client::Answer;
use crate::common::{Fixture, long_turn, quoted};
use crate::play;

fn api() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).expect("JSON")
}

/// Jam or fold for chips and prizes, and what stacks are worth; bad input names its field.
fn whole_hand(tour: &mut Tour<'_>) {
    let chips = tour.post("/pushfold", "", &json!({ "stacks": [10, 10] }));
    // A known equilibrium.
    assert!((chips["sb"]["ev_bb"].as_f64().unwrap() + 0.045_371).abs() < 2e-6, "{}", chips["sb"]);
    assert!(chips["exploitability_bb"].as_f64().unwrap() < 1e-6, "{chips}");
    assert_eq!(chips["classes"].as_object().map(serde_json::Map::len), Some(169));
    let doubled = tour.post("/pushfold", "", &json!({ "stacks": [20, 20], "blinds": [1, 2] }));
    assert_eq!((&doubled["sb"]["ev_bb"], &doubled["stack_bb"]), (&chips["sb"]["ev_bb"], &json!(10.0)));
    let prizes =
        json!({ "stacks": [3000, 1800], "blinds": [50, 100], "payouts": [50, 30, 20], "others": [2500] });
    let prizes = tour.post("/pushfold", "", &prizes);
    assert!(prizes["epsilon"].as_f64().unwrap() < 1e-4, "{}", prizes["epsilon"]);
    let icm = tour.post("/icm", "", &json!({ "stacks": [5000, 3000, 2000], "payouts": [50, 30, 20] }));
    assert!((icm["equities"][0].as_f64().unwrap() - 1075.0 / 28.0).abs() < 1e-9, "{icm}");
    for (path, body, key) in [
        ("/pushfold", json!({ "stacks": [0.4, 10] }), "stacks"),
        ("/pushfold", json!({ "stacks": [10, -1] }), "stacks"),
        ("/pushfold", json!({ "stacks": [10, 10], "blinds": [2, 1] }), "blinds"),
        ("/pushfold", json!({ "stacks": [10, 10], "ante": -1 }), "ante"),
        ("/pushfold", json!({ "stacks": [10, 10], "payouts": [1, 2] }), "payouts"),
        ("/pushfold", json!({ "stacks": [10, 10], "others": [1] }), "others"),
        ("/icm", json!({ "stacks": vec![1; 13], "payouts": [1] }), "stacks"),
        ("/icm", json!({ "stacks": [1, 2], "payouts": [] }), "payouts"),
    ] {
        assert_eq!(tour.post(path, "", &body)["error"]["place"]["key"], key, "{path} {body}");
    }
}

/// A table from the first hand to the review, and what it refuses.
fn table(tour: &mut Tour<'_>) {
    play::write_blueprint(&tour.fixture.folder, "x.eqb");
    assert_eq!(tour.get("/blueprints", "", "")["blueprints"][0]["stack_bb"], 8.0);
    tour.get("/blueprints/{id}/chart", "x.eqb", "");
    assert_eq!(tour.get("/blueprints/{id}/chart", "y.eqb", "")["error"]["code"], "not_found");
    let wrong = json!({ "blueprint": "x.eqb", "stack_bb": 20 });
    assert_eq!(tour.post("/play", "", &wrong)["error"]["place"]["key"], "stack_bb");
    let request = json!({ "blueprint": "x.eqb", "iterations": 20, "seed": 6, "coach": true });
    let mut table = tour.post("/play", "", &request);
    let id = table["id"].as_str().expect("an id").to_owned();
    tour.put("/play/{id}", &id, &json!({ "seconds": 1 }));
    assert_eq!(tour.put("/play/{id}", &id, &json!({ "seconds": 1000 }))["error"]["place"]["key"], "seconds");
    assert_eq!(tour.post("/play/{id}/act", &id, &json!({ "action": "check" }))["error"]["code"], "bad_input");
    for _ in 0..60 {
        let hand = &table["hand"];
        let action = if hand["legal"]["call_bb"].is_null() { "check" } else { "call" };
        table = match hand["turn"].as_str() {
            Some("you") => tour.post("/play/{id}/act", &id, &json!({ "action": action })),
            Some(_) => tour.post("/play/{id}/bot", &id, &json!({})),
            None => tour.post("/play/{id}/deal", &id, &json!({})),
        };
        table = match table["score"]["waiting"].as_u64() {
            Some(0) => table,
            _ => tour.post("/play/{id}/review", &id, &json!({})),
        };
        assert_eq!(tour.get("/play/{id}", &id, ""), table);
    }
    assert!(table["score"]["hands"].as_u64().unwrap() > 2, "{table}");
    assert_eq!(tour.get("/play/{id}/report", &id, "")["search"], "turn");
    let hands = tour.fixture.get(&format!("/play/{id}/hands"));
    assert!(hands.body.starts_with(b"[1]\nvariant = \"NT\""));
    tour.check("get", "/play/{id}/hands", hands);
    let at = usize::from(table["worst"][0]["at"].as_u64().expect("something was lost") as u16);
    let query = format!("?hand={}&at={at}", table["worst"][0]["hand"]);
    assert_eq!(tour.get("/play/{id}/study", &id, &query)["street"], table["worst"][0]["street"]);
    assert_eq!(tour.get("/play/{id}/study", &id, "?hand=1")["error"]["code"], "bad_input");
    tour.delete("/play/{id}", &id);
    assert_eq!(tour.get("/play/{id}", &id, "")["error"]["code"], "not_found");
}

/// Buckets by rank and category, to have a game with flops at once.
struct Categories;

impl Buckets for Categories {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        let bucket = |combo: Combo| match Strength::of(combo.cards() | board.set()) {
            Some(strength) => strength.category() as u32,
            None => combo.class().index() as u32,
        };
        Ok(Combo::all().map(bucket).collect())
    }

    fn num_buckets(&self, _: Street) -> Option<usize> {
        Some(HandClass::COUNT)
    }
}

/// A blueprint with limps and raises, as a file.
fn blueprint() -> Vec<u8> {
    let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(1_000));
    let game = WholeGame { hand, betting: BettingPreset::A.abstraction() };
    let mut trainer = Trainer::new(&game, &Categories, &TrainerOptions::default()).expect("a game");
    trainer.train(2).expect("boards");
    let path = std::env::temp_dir().join(format!("equipoise-chart-{}.eqb", std::process::id()));
    trainer.blueprint(None).expect("a blueprint").save(&path).expect("a file");
    let bytes = std::fs::read(&path).expect("a file");
    std::fs::remove_file(path).expect("it is there");
    bytes
}

/// The chart of a blueprint, and ranges of the lines that reach the flop; what is no blueprint is refused.
fn charts(tour: &mut Tour<'_>) {
    let bytes = blueprint();
    let chart = tour.send("/charts", &bytes);
    let decisions = chart["decisions"].as_array().expect("a list");
    let first = &decisions[0];
    assert_eq!((&first["line"], &first["player"]), (&json!(""), &json!("sb")), "{first}");
    assert_eq!(first["actions"], json!(["f", "c", "r2.5", "a"]));
    assert_eq!(first["classes"].as_object().map(serde_json::Map::len), Some(169));
    let entries = chart["entries"].as_array().expect("a list");
    let raised = entries.iter().find(|entry| entry["line"] == "r2.5 c").expect("a raise and a call");
    assert_eq!((&raised["pot_bb"], &raised["behind_bb"]), (&json!(5.0), &json!(7.5)));
    for (seat, line, action) in [("sb", "", 2), ("bb", "r2.5", 1)] {
        let decision = decisions.iter().find(|one| one["line"] == line).expect("a decision");
        let share = decision["classes"]["AKs"]["frequencies"][action].as_f64().expect("a number");
        let range: Range = raised["ranges"][seat].as_str().expect("text").parse().expect("a range");
        let weight = f64::from(range.weights()["AsKs".parse::<Combo>().expect("a combo").index()]);
        assert!((weight - share).abs() < 1e-4, "{seat}: {weight} {share}");
    }
    let mut damaged = bytes.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    for body in [&b"no blueprint"[..], &damaged, &bytes[..100], &[]] {
        let message = tour.send("/charts", body)["error"]["message"].to_string();
        assert!(message.contains("cannot be used") && !message.contains(".upload"), "{message}");
    }
}

/// Checks values against schemas of the document.
struct Checker<'a> {
    api: &'a Value,
}

impl Checker<'_> {
    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(name) => self.resolve(self.api.pointer(&name[1..]).unwrap_or_else(|| panic!("no {name}"))),
            None => schema,
        }
    }

    /// What is wrong with a value; `place` says where it is.
    fn wrong(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        let schema = self.resolve(schema);
        if let Some(parts) = schema["allOf"].as_array() {
            let merged = self.merged(parts);
            return self.wrong(&merged, value, place);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let failures: Vec<String> =
                choices.iter().filter_map(|choice| self.wrong(choice, value, place)).collect();
            return (failures.len() + 1 != choices.len()).then(|| failures.join(" and "));
        }
        if let Some(allowed) = schema["enum"].as_array() {
            return (!allowed.contains(value)).then(|| format!("{place}: {value} is not in {allowed:?}"));
        }
        if !schema["type"].is_null() && !self.has_type(&schema["type"], value) {
            return Some(format!("{place}: {value} is no {}", schema["type"]));
        }
        self.out_of_bounds(schema, value, place)
            .or_else(|| self.wrong_items(schema, value, place))
            .or_else(|| self.wrong_fields(schema, value, place))
    }

    fn merged(&self, parts: &[Value]) -> Value {
        let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
        for part in parts {
            let part = self.resolve(part);
            let part = part["allOf"].as_array().map_or_else(|| part.clone(), |parts| self.merged(parts));
            properties.extend(part["properties"].as_object().expect("an object").clone());
            required.extend(part["required"].as_array().expect("a list").clone());
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    fn has_type(&self, wanted: &Value, value: &Value) -> bool {
        if let Some(choices) = wanted.as_array() {
            return choices.iter().any(|choice| self.has_type(choice, value));
        }
        match wanted.as_str().expect("a type") {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("the type {other} is not known here"),
        }
    }

    fn out_of_bounds(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        let is_below =
            schema["minimum"].as_f64().zip(value.as_f64()).is_some_and(|(least, value)| value < least);
        let is_above =
            schema["maximum"].as_f64().zip(value.as_f64()).is_some_and(|(most, value)| value > most);
        (is_below || is_above).then(|| format!("{place}: {value} is out of bounds"))
    }

    fn wrong_items(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        let values = value.as_array()?;
        let len = values.len() as u64;
        if schema["minItems"].as_u64().is_some_and(|least| len < least)
            || schema["maxItems"].as_u64().is_some_and(|most| len > most)
        {
            return Some(format!("{place}: {len} items"));
        }
        let items = &schema["items"];
        values.iter().enumerate().find_map(|(at, value)| self.wrong(items, value, &format!("{place}.{at}")))
    }

    fn wrong_fields(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        let fields = value.as_object()?;
        let others = &schema["additionalProperties"];
        if others.is_object() {
            let wrong =
                |(name, value): (&String, &Value)| self.wrong(others, value, &format!("{place}.{name}"));
            return fields.iter().find_map(wrong);
        }
        let properties = schema["properties"].as_object()?;
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().expect("a name")) {
                return Some(format!("{place} has no {name}"));
            }
        }
        fields.iter().find_map(|(name, value)| match properties.get(name) {
            Some(schema) => self.wrong(schema, value, &format!("{place}.{name}")),
            None => Some(format!("{place}.{name} is not documented")),
        })
    }
}

/// Asks, and checks the answers.
struct Tour<'a> {
    fixture: &'a Fixture,
    checker: Checker<'a>,
    seen: BTreeSet<String>,
}

impl Tour<'_> {
    /// The answer to an operation, if it is as documented.
    fn check(&mut self, method: &str, template: &str, answer: Answer) -> Value {
        self.seen.insert(format!("{method} {template}"));
        let operation = &self.checker.api["paths"][template][method];
        assert!(!operation.is_null(), "{method} {template} is not documented");
        let status = answer.status.to_string();
        let response = &operation["responses"][&status];
        assert!(!response.is_null(), "{method} {template}: {status} is not documented");
        let content = response["content"].as_object();
        let Some((kind, media)) = content.and_then(|content| content.iter().next()) else {
            assert!(answer.body.is_empty(), "{method} {template}");
            return Value::Null;
        };
        assert_eq!(answer.header("content-type"), Some(kind.as_str()), "{method} {template}");
        if kind != "application/json" {
            return Value::Null;
        }
        let value = answer.json();
        let wrong = self.checker.wrong(&media["schema"], &value, "answer");
        assert_eq!(wrong, None, "{method} {template}");
        value
    }

    fn get(&mut self, template: &str, id: &str, query: &str) -> Value {
        let path = template.replace("{id}", id) + query;
        let answer = self.fixture.get(&path);
        self.check("get", template, answer)
    }

    fn post(&mut self, template: &str, id: &str, body: &Value) -> Value {
        let answer = self.fixture.post(&template.replace("{id}", id), body);
        self.check("post", template, answer)
    }

    fn send(&mut self, template: &str, bytes: &[u8]) -> Value {
        let headers = [("content-type", "application/octet-stream")];
        let path = format!("/api/v1{template}");
        let answer = self.fixture.client().request("POST", &path, &headers, bytes).expect("an answer");
        self.check("post", template, answer)
    }

    fn put(&mut self, template: &str, id: &str, body: &Value) -> Value {
        let answer = self.fixture.put(&template.replace("{id}", id), body);
        self.check("put", template, answer)
    }

    fn delete(&mut self, template: &str, id: &str) {
        let answer = self.fixture.delete(&template.replace("{id}", id));
        self.check("delete", template, answer);
    }
}

#[test]
fn every_operation_answers_as_it_is_documented() {
    let (fixture, api) = (Fixture::with(play::cache), api());
    let mut tour = Tour { fixture: &fixture, checker: Checker { api: &api }, seen: BTreeSet::new() };
    assert_eq!(tour.get("/openapi.json", "", ""), api);
    for path in [
        "/status",
        "/cards",
        "/ranges/presets",
        "/spots/examples",
        "/spots/formations",
        "/jobs",
        "/solutions",
    ] {
        tour.get(path, "", "");
    }
    let begin = json!({ "formation": "3bet-btn-bb", "depth_bb": 60, "rake": "nl50", "board": "Td9d6h" });
    let begun = tour.post("/spots/begin", "", &begin);
    let check = tour.post("/spots/check", "", &json!({ "toml": begun["toml"] }));
    assert_eq!(check["document"]["tree"]["starting_pot"], 2250, "{check}");
    for (key, value) in
        [("formation", json!("srp")), ("depth_bb", json!(5)), ("rake", json!("x")), ("board", json!(""))]
    {
        let mut wrong = begin.clone();
        wrong[key] = value;
        assert_eq!(tour.post("/spots/begin", "", &wrong)["error"]["place"]["key"], key);
    }
    ranges(&mut tour);
    let check = tour.post("/spots/check", "", &json!({ "toml": ShippedText::FLOP.toml }));
    assert_eq!((&check["board"], &check["fits"]), (&json!("Td9d6h"), &json!(true)));
    let locks = ["check => 99 = check @ 1", "bet:120 => all = fold @ 0.5, call @ 0.5"];
    let check = tour.post("/spots/check", "", &json!({ "toml": ShippedText::RIVER.toml, "locks": locks }));
    assert_eq!(check["document"]["locks"].as_array().map(Vec::len), Some(2), "{check}");
    // Amounts are in chips there, however they are written.
    let toml = ShippedText::RIVER.toml.replace("starting_pot = 200", "starting_pot = \"2bb\"");
    let check = tour.post("/spots/check", "", &json!({ "toml": toml }));
    assert_eq!(check["document"]["tree"]["starting_pot"], 200, "{check}");
    tour.post("/spots/check", "", &json!({ "toml": "[tree]\nstarting_pot = -1" }));
    let solution = fixture.river();
    let job = jobs(&mut tour, &solution);
    for (base, id) in [("/solutions/{id}", solution.as_str()), ("/jobs/{id}", job.as_str())] {
        looks(&mut tour, base, id);
    }
    library(&mut tour, &solution);
    tour.delete("/jobs/{id}", &job);
    for by in ["class", "combo", "none"] {
        let body =
            json!({ "players": ["AhAd", "QQ+,AKs", "random"], "board": "2c3c4d", "mode": "auto", "by": by });
        tour.post("/equity", "", &body);
    }
    tour.post("/equity", "", &json!({ "players": ["AhAd", "AhAc"] }));
    whole_hand(&mut tour);
    charts(&mut tour);
    table(&mut tour);
    let id = fixture.batch();
    let batches = tour.get("/batches", "", "");
    assert_eq!((&batches["batches"][0]["id"], &batches["batches"][0]["done"]), (&json!(id), &json!(2)));
    let root = tour.get("/batches/{id}", &id, "");
    assert_eq!(
        (&root["spots"][0]["flops"][0]["board"], &root["spots"][0]["player"]),
        (&json!("As7d2c"), &json!("oop"))
    );
    // The second answer is the first one, as it was kept.
    let [first, second] = [(); 2].map(|()| tour.get("/batches/{id}", &id, "?path=check"));
    assert_eq!((&first["spots"][0]["player"], &first["engines"][0]["jobs"]), (&json!("ip"), &json!(2)));
    assert_eq!(first, second);
    for query in ["?path=nonsense", "?path=raise%3A7"] {
        assert_eq!(tour.get("/batches/{id}", &id, query)["error"]["code"], "bad_input");
    }
    assert_eq!(tour.get("/batches/{id}", "nothing", "")["error"]["code"], "not_found");
    batch_states(&mut tour, &id, &root);
    let documented: BTreeSet<String> = api["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
            methods.map(|method| format!("{method} {path}")).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(tour.seen, documented);
}

/// Flops of a batch, and a batch through all of its states.
fn batch_states(tour: &mut Tour<'_>, id: &str, root: &Value) {
    let job = root["spots"][0]["flops"][0]["id"].as_str().unwrap().to_owned();
    let of_flop = |tour: &mut Tour<'_>, template: &str, query: &str| {
        let path = template.replace("{id}", id).replace("{job}", &job) + query;
        let answer = tour.fixture.get(&path);
        tour.check("get", template, answer)
    };
    let flop = of_flop(tour, "/batches/{id}/jobs/{job}", "");
    assert_eq!(
        (&flop["board"], &flop["state"], &flop["save"]),
        (&json!("As7d2c"), &json!("done"), &json!("no-turn"))
    );
    assert!(flop["toml"].as_str().unwrap().contains("As7d2c"));
    assert_eq!(of_flop(tour, "/batches/{id}/jobs/{job}/node", "?path=check")["node"]["player"], "ip");
    of_flop(tour, "/batches/{id}/jobs/{job}/runouts", &format!("?path={}", quoted("check check")));
    of_flop(tour, "/batches/{id}/jobs/{job}/train", "?seed=3");
    assert_eq!(tour.get("/flops", "", "?name=25")["flops"].as_array().map(Vec::len), Some(25));
    assert_eq!(tour.get("/flops", "", "?name=26")["error"]["place"]["key"], "name");
    // Only flops are kept there.
    let turn = tour.get("/batches/{id}", id, &format!("?path={}", quoted("check check | * |")));
    assert!(turn["error"]["message"].as_str().unwrap().contains("no-river"), "{turn}");

    let toml = "ranges = { oop = \"TT+,AJs+,KQs,AQo+\", ip = \"QQ-77,AQs-A9s,KJs+,AJo+\" }\n\
                tree = { starting_pot = 200, effective_stack = 900, preset = \"simple\" }\n\
                solver = { target_exploitability_pct = 0.0, max_iterations = 1000000 }";
    let body =
        json!({ "name": "two flops", "toml": toml, "flops": ["As7d2c", "Td9d6h:3"], "save": "summary" });
    let new = tour.post("/batches", "", &body);
    assert_eq!((&new["id"], &new["jobs"]), (&json!("two-flops"), &json!(2)));
    // Nothing is ahead of it, so it may have begun.
    assert!(new["state"] == "queued" || new["state"] == "running", "{new}");
    let wait = |tour: &mut Tour<'_>, state: &str| loop {
        let batch = tour.get("/batches/{id}/status", "two-flops", "");
        if batch["state"] == state && batch["wish"].is_null() {
            break batch;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    wait(tour, "running");
    tour.post("/batches/{id}/pause", "two-flops", &json!({}));
    wait(tour, "paused");
    tour.post("/batches/{id}/resume", "two-flops", &json!({}));
    wait(tour, "running");
    tour.post("/batches/{id}/stop", "two-flops", &json!({}));
    assert_eq!(wait(tour, "idle")["done"], 0);
    assert_eq!(tour.post("/batches/{id}/pause", "two-flops", &json!({}))["error"]["code"], "conflict");
    tour.delete("/batches/{id}", "two-flops");
    assert_eq!(tour.get("/batches/{id}/status", "two-flops", "")["error"]["code"], "not_found");
    for (wrong, key) in [
        (json!({ "toml": toml }), "flops"),
        (json!({ "toml": toml, "subset": "50" }), "flops"),
        (json!({ "toml": "[tree]\nstarting_pot = -1", "subset": "25" }), "tree.starting_pot"),
    ] {
        assert_eq!(tour.post("/batches", "", &wrong)["error"]["place"]["key"], key, "{wrong}");
    }
}

/// Whatever a spot file may have is documented.
#[test]
fn all_keys_of_a_spot_file_are_documented() {
    let api = api();
    let checker = Checker { api: &api };
    let root = json!({ "$ref": "#/components/schemas/SpotFile" });
    let places: [&[&str]; 8] = [
        &[],
        &["ranges"],
        &["cards"],
        &["tree"],
        &["bet_sizes"],
        &["bet_sizes", "turn"],
        &["solver"],
        &["locks", "0"],
    ];
    for place in places {
        let table = place.iter().fold(&root, |schema, &name| {
            let schema = checker.resolve(schema);
            if name == "0" { &schema["items"] } else { &schema["properties"][name] }
        });
        let documented = checker.resolve(table)["properties"].as_object().unwrap();
        let documented: BTreeSet<&str> = documented.keys().map(String::as_str).collect();
        assert_eq!(documented, keys_at(place).unwrap().iter().copied().collect(), "{place:?}");
    }
}

fn ranges(tour: &mut Tour<'_>) {
    let range = tour.post("/ranges/parse", "", &json!({ "text": "AKs:0.5, QQ+" }));
    assert_eq!((&range["combos"], &range["weight"]), (&json!(22), &json!(20.0)));
    let back = tour.post("/ranges/format", "", &json!({ "weights": range["weights"] }));
    assert_eq!(back, range);
    let top = tour.post("/ranges/parse", "", &json!({ "text": "15%" }));
    let range: equipoise_cards::Range = "15%".parse().unwrap();
    assert_eq!(top["weight"].as_f64(), Some(range.total_weight()));
    let nothing = tour.post("/ranges/parse", "", &json!({ "text": " " }));
    assert_eq!((&nothing["text"], &nothing["combos"]), (&json!(""), &json!(0)));
    let error = tour.post("/ranges/parse", "", &json!({ "text": "AKs, AKx" }));
    assert_eq!(error["error"]["place"], json!({ "key": "text", "column": 8 }));
    tour.post("/ranges/format", "", &json!({ "weights": [1, 2, 3] }));
}

/// Walks a job through its states and leaves one that is done.
fn jobs(tour: &mut Tour<'_>, solution: &str) -> String {
    let long = tour.post("/jobs", "", &json!({ "toml": long_turn(1_000_000) }));
    let id = long["id"].as_str().unwrap().to_owned();
    tour.fixture.wait(&id, |job| job["iteration"].as_u64() > Some(5));
    tour.get("/jobs/{id}", &id, "");
    event(tour, &id, "progress", "Progress");
    tour.post("/jobs/{id}/pause", &id, &json!({}));
    tour.fixture.wait(&id, |job| job["state"] == "paused");
    tour.post("/jobs/{id}/resume", &id, &json!({}));
    tour.fixture.wait(&id, |job| job["state"] == "running");
    tour.post("/jobs/{id}/stop", &id, &json!({}));
    tour.fixture.wait(&id, |job| job["state"] == "stopped");
    tour.post("/jobs/{id}/resume", &id, &json!({}));
    event(tour, &id, "job", "Job");
    tour.seen.insert("get /jobs/{id}/events".to_owned());
    let again = json!({ "from": solution, "locks": ["check => all = check @ 1"], "name": "never bets" });
    let again = tour.post("/jobs", "", &again)["id"].as_str().unwrap().to_owned();
    tour.fixture.wait(&again, |job| job["state"] == "done");
    let done = tour.get("/jobs/{id}", &again, "");
    assert_eq!(done["solution"], "never-bets.eqp");
    // IP, who may no longer bet after a check, gains nothing by it but for what both are away from equilibrium.
    assert!(done["gains"]["ip"].as_f64().unwrap() < 0.5, "{}", done["gains"]);
    again
}

/// Waits for an event of a job, and checks its data.
fn event(tour: &Tour<'_>, id: &str, name: &str, schema: &str) {
    let mut client = tour.fixture.client();
    let path = format!("/api/v1/jobs/{id}/events");
    let host = tour.fixture.address();
    client.send(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes()).unwrap();
    let mut kind = String::new();
    loop {
        let line = client.line().unwrap();
        if let Some(found) = line.strip_prefix("content-type: ") {
            kind = found.to_owned();
        }
        if line.strip_prefix("event: ") == Some(name) {
            break;
        }
    }
    assert_eq!(kind, "text/event-stream");
    let data = client.line().unwrap();
    let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
    let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
    assert_eq!(tour.checker.wrong(&schema, &data, name), None);
}

fn looks(tour: &mut Tour<'_>, base: &str, id: &str) {
    let node = format!("{base}/node");
    for (path, next) in
        [("", "decision"), ("check", "decision"), ("check check", "end"), ("check allin fold", "end")]
    {
        let found = tour.get(&node, id, &format!("?path={}", quoted(path)));
        assert_eq!(found["next"], next, "{path}");
    }
    tour.get(&node, id, "?equities=false");
    tour.get(&node, id, "?path=nonsense");
    tour.get(&node, id, "?equities=perhaps");
    // No card comes on the river.
    tour.get(&format!("{base}/runouts"), id, "?path=check");
    tour.get(&format!("{base}/train"), id, "?seed=7");
    tour.get(&format!("{base}/train"), id, "?seed=-7");
}

fn library(tour: &mut Tour<'_>, solution: &str) {
    tour.get("/solutions/{id}", solution, "");
    let file = tour.fixture.get(&format!("/solutions/{solution}/file"));
    let bytes = file.body.clone();
    tour.check("get", "/solutions/{id}/file", file);
    let answer = tour.fixture.upload("copy.eqp", &bytes);
    let copy = tour.check("post", "/solutions", answer);
    assert_eq!(copy["id"], "copy.eqp");
    let answer = tour.fixture.upload("copy.eqp", &bytes[..100]);
    tour.check("post", "/solutions", answer);
    let labels = json!({ "title": "BTN v BB", "tags": ["srp"], "notes": "c-bets small" });
    tour.put("/solutions/{id}/labels", "copy.eqp", &labels);
    tour.get("/solutions", "", "");
    tour.delete("/solutions/{id}", "copy.eqp");
    tour.put("/solutions/{id}/labels", "copy.eqp", &labels);
    tour.delete("/solutions/{id}", "copy.eqp");
}
