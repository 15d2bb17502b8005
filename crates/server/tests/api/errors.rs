//! What is said of bad requests.

use std::time::{Duration, Instant};

use equipoise_spots::shipped::ShippedText;
use serde_json::{Value, json};

use crate::common::Fixture;

#[test]
fn bad_requests_are_told_what_is_wrong() {
    let fixture = Fixture::new();
    for (path, body, words) in [
        ("/ranges/parse", json!({ "txt": "AA" }), "unknown field `txt`"),
        ("/ranges/parse", json!({}), "missing field `text`"),
        ("/ranges/parse", json!([1]), "invalid"),
        ("/ranges/format", json!({ "weights": ["a"] }), "expected f32"),
        ("/ranges/format", json!({ "weights": vec![2.0; 1326] }), "2"),
        ("/jobs", json!({}), "no spot"),
        ("/jobs", json!({ "toml": ShippedText::RIVER.toml, "name": "x".repeat(81) }), "80 characters"),
        ("/equity", json!({ "players": ["AhAd"] }), "1 player"),
        ("/equity", json!({ "players": ["AhAd", "Kx"] }), "unexpected 'x'"),
        ("/equity", json!({ "players": ["AhAd", "KK"], "board": "2c" }), "board"),
        ("/equity", json!({ "players": ["AhAd", "KK"], "samples": 0 }), "0 samples"),
        ("/equity", json!({ "players": ["AhAd", "KK"], "samples": 10_000_001 }), "more than"),
        ("/equity", json!({ "players": ["AhAd", "KK"], "mode": "quick" }), "unknown variant"),
        ("/equity", json!({ "players": vec!["random"; 24] }), "24 player"),
    ] {
        let error = fixture.post(path, &body).expect(400).error();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(words), "{path} {body}: {message}");
    }
    let spot = json!({ "toml": "[cards]\nflop = \"Td9d6h\"\ntern = \"Qc\"\n" });
    let error = fixture.post("/spots/check", &spot).expect(400).error();
    assert_eq!(error["place"], json!({ "key": "cards.tern", "line": 3, "column": 1 }));
    assert_eq!(error["help"], "did you mean `turn`?");
}

#[test]
fn what_is_no_request_of_ours_is_refused() {
    let fixture = Fixture::with(|config| config.limits.body = 1 << 16);
    let ask = |method: &str, path: &str, kind: &str, body: &[u8]| {
        fixture.client().request(method, path, &[("content-type", kind)], body).expect("an answer")
    };
    let large = format!("{{\"text\": \"{}\"}}", "AA,".repeat(40_000));
    for (method, path, kind, body, status) in [
        ("POST", "/api/v1/ranges/parse", "application/json", "{", 400),
        ("POST", "/api/v1/ranges/parse", "application/json", "\u{0}", 400),
        ("POST", "/api/v1/ranges/parse", "application/json; charset=utf-8", "{\"text\": \"AA\"}", 200),
        ("POST", "/api/v1/ranges/parse", "text/plain", "{\"text\": \"AA\"}", 415),
        ("POST", "/api/v1/ranges/parse", "application/json", &large, 413),
        ("PUT", "/api/v1/ranges/parse", "application/json", "{}", 405),
        ("GET", "/api/v1/ranges/parse", "application/json", "", 405),
        ("GET", "/api/v1/nothing", "", "", 404),
        ("GET", "/api/v2/status", "", "", 404),
        ("GET", "/api/v1/jobs/nobody", "", "", 404),
        ("GET", "/api/v1/jobs/%ff", "", "", 404),
        ("POST", "/api/v1/jobs/nobody/pause", "", "", 404),
        ("DELETE", "/api/v1/jobs/nobody", "", "", 404),
        ("GET", "/api/v1/jobs/nobody/events", "", "", 404),
        ("GET", "/api/v1/solutions/none.eqp/node", "", "", 404),
    ] {
        let answer = ask(method, path, kind, body.as_bytes());
        assert_eq!(answer.status, status, "{method} {path} {}", String::from_utf8_lossy(&answer.body));
        if status != 200 {
            answer.error();
        }
    }
    assert_eq!(ask("POST", "/api/v1/status", "", b"").header("allow"), Some("GET,HEAD"));
}

/// More deals than anybody waits for.
fn endless() -> Value {
    json!({ "players": ["random", "random", "random", "random"], "samples": 10_000_000 })
}

#[test]
fn what_takes_too_long_is_given_up() {
    let fixture = Fixture::new();
    // Sampling answers with what it has, and says so.
    let mut body = endless();
    body["seconds"] = json!(0.05);
    let answer = fixture.post("/equity", &body).expect(200).json();
    assert_eq!((&answer["mode"], &answer["interrupted"]), (&json!("monte-carlo"), &json!(true)));
    assert!(answer["deals"].as_u64().unwrap() < 10_000_000 && answer["std_error"].as_f64().unwrap() > 0.0);
    // What would be counted is sampled if counting takes longer than there is time for.
    let wide = json!({ "players": ["random", "random"], "seconds": 1e-3, "by": "none" });
    let answer = fixture.post("/equity", &wide).expect(200).json();
    assert_eq!((&answer["mode"], &answer["interrupted"]), (&json!("monte-carlo"), &json!(true)));
    let mut exact = wide;
    exact["mode"] = json!("exact");
    let error = fixture.post("/equity", &exact).expect(400).error();
    assert_eq!((&error["code"], &error["place"]["key"]), (&json!("bad_input"), &json!("mode")));
    assert!(error["help"].as_str().unwrap().contains("more seconds"), "{error}");
    // What there is no hope for is not even begun.
    let exact = json!({ "players": ["random", "random", "random"], "mode": "exact" });
    let error = fixture.post("/equity", &exact).expect(400).error();
    assert!(error["message"].as_str().unwrap().contains("one core"), "{error}");
    for seconds in [0.0, -1.0, 61.0] {
        let body = json!({ "players": ["AhAd", "KK"], "seconds": seconds });
        assert_eq!(fixture.post("/equity", &body).expect(400).error()["place"]["key"], "seconds");
    }
}

/// A flop with ten sizes in all twelve fields.
fn ten_sizes(pot: u32, stack: u32) -> Value {
    let sizes = "10%, 20%, 33%, 50%, 66%, 75%, 100%, 125%, 150%, 200%";
    let mut toml = format!(
        "[ranges]\noop = \"random\"\nip = \"random\"\n[cards]\nflop = \"Td9d6h\"\n\
         [tree]\nstarting_pot = {pot}\neffective_stack = {stack}\nmerging_threshold = 0\n"
    );
    for street in ["flop", "turn", "river"] {
        toml += &format!("[bet_sizes.{street}]\n");
        for key in ["oop_bet", "oop_raise", "ip_bet", "ip_raise"] {
            toml += &format!("{key} = \"{sizes}\"\n");
        }
    }
    json!({ "toml": toml })
}

#[test]
fn large_trees_are_counted_and_the_sizes_to_drop_are_named() {
    let fixture = Fixture::with(|config| config.memory_limit = Some(1 << 30));
    // A million nodes, which one could build, and far more memory than there is.
    let check = fixture.post("/spots/check", &ten_sizes(200, 900)).expect(200).json();
    assert!(check["tree"]["nodes"].as_u64().unwrap() > 1_000_000, "{}", check["tree"]);
    assert_eq!(check["fits"], false);
    let advice = check["advice"].as_str().unwrap();
    assert!(advice.contains("more than the 1.0 GiB") && advice.contains("without '"), "{advice}");
    fixture.post("/jobs", &ten_sizes(200, 900)).expect(507);
    // More nodes than a tree may have.
    for path in ["/spots/check", "/jobs"] {
        let error = fixture.post(path, &ten_sizes(55, 975)).expect(400).error();
        let (message, help) = (error["message"].as_str().unwrap(), error["help"].as_str().unwrap());
        assert!(message.contains("the limit is 4194304"), "{message}");
        assert!(help.starts_with("without '") && help.contains("on the flop, turn and river"), "{help}");
        assert_eq!(error["place"]["key"], "bet_sizes.river");
    }
}

#[test]
fn checks_that_nobody_waits_for_make_room() {
    let fixture = Fixture::new();
    leave(&fixture, "/api/v1/spots/check", &ten_sizes(5_500, 97_500));
    fixture.post("/spots/check", &json!({ "toml": ShippedText::RIVER.toml })).expect(200);
    fixture.post("/equity", &json!({ "players": ["AhAd", "KcKs"] })).expect(200);
}

#[test]
fn work_ends_when_the_client_leaves() {
    let fixture = Fixture::new();
    let mut body = endless();
    body["seconds"] = json!(60);
    leave(&fixture, "/api/v1/equity", &body);
    let start = Instant::now();
    fixture.post("/equity", &json!({ "players": ["AhAd", "KcKs"] })).expect(200);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// Asks for more than the server does at a time, and leaves.
fn leave(fixture: &Fixture, path: &str, body: &Value) {
    let body = body.to_string();
    let mut clients: Vec<_> = (0..24).map(|_| fixture.client()).collect();
    for client in &mut clients {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            fixture.address(),
            body.len()
        );
        client.send(request.as_bytes()).unwrap();
    }
    std::thread::sleep(Duration::from_millis(200));
}
