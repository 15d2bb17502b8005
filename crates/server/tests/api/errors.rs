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
    let fixture = Fixture::with(|config| config.limits.request = Duration::from_millis(300));
    let start = Instant::now();
    let error = fixture.post("/equity", &endless()).expect(503).error();
    assert_eq!(error["code"], "busy");
    assert!(start.elapsed() < Duration::from_secs(20));
    // What would take too long is not even begun.
    let exact = json!({ "players": ["random", "random", "random"], "mode": "exact" });
    let error = fixture.post("/equity", &exact).expect(503).error();
    assert!(error["message"].as_str().unwrap().contains("one core"), "{error}");
}

#[test]
fn work_ends_when_the_client_leaves() {
    let fixture = Fixture::new();
    // More of it than the server does at a time.
    let body = endless().to_string();
    let mut clients: Vec<_> = (0..24).map(|_| fixture.client()).collect();
    for client in &mut clients {
        let request = format!(
            "POST /api/v1/equity HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            fixture.address(),
            body.len()
        );
        client.send(request.as_bytes()).unwrap();
    }
    std::thread::sleep(Duration::from_millis(200));
    drop(clients);
    let start = Instant::now();
    fixture.post("/equity", &json!({ "players": ["AhAd", "KcKs"] })).expect(200);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
