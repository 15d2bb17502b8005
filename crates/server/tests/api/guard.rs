//! Who is answered.

use equipoise_server::{Config, ServeError, Server};

use crate::common::Fixture;

const HARDENING: [(&str, &str); 3] =
    [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("x-frame-options", "DENY")];

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let fixture = Fixture::new();
    let port = fixture.address().port();
    let ask = |path: &str, headers: &[(&str, &str)]| {
        fixture.client().request("GET", path, headers, b"").expect("an answer")
    };
    let local = format!("localhost:{port}");
    for path in ["/api/v1/status", "/"] {
        assert_eq!(ask(path, &[]).status, 200);
        assert_eq!(ask(path, &[("host", &local)]).status, 200);
        assert_eq!(ask(path, &[("host", &format!("evil.example:{port}"))]).status, 403);
        assert_eq!(ask(path, &[("host", "localhost")]).status, 403);
        assert_eq!(ask(path, &[("host", &local), ("origin", "http://evil.example")]).status, 403);
        assert_eq!(ask(path, &[("host", &local), ("origin", &format!("http://{local}"))]).status, 200);
    }
    let answer = ask("/", &[]);
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
    for (name, value) in HARDENING {
        assert_eq!(answer.header(name), Some(value));
        assert_eq!(ask("/api/v1/nothing", &[]).header(name), Some(value));
    }
    // No other origin may read anything.
    assert_eq!(answer.header("access-control-allow-origin"), None);
    // The request itself may name the host too.
    assert_eq!(ask(&format!("http://evil.example:{port}/api/v1/status"), &[]).status, 403);
}

#[test]
fn beyond_loopback_a_token_is_needed() {
    let folder = std::env::temp_dir().join(format!("equipoise-api-token-{}", std::process::id()));
    let open = Config { host: [0, 0, 0, 0].into(), port: 0, ..Config::new(folder.clone()) };
    assert!(matches!(Server::start(open.clone()), Err(ServeError::NoToken { .. })));
    for token in ["", "short", "with blank in it", "quote\"quote"] {
        let config = Config { token: Some(token.to_owned()), ..open.clone() };
        assert!(matches!(Server::start(config), Err(ServeError::BadToken)), "{token}");
    }
    assert!(!folder.exists());
}

#[test]
fn the_token_opens_the_door() {
    let fixture = Fixture::with(|config| {
        config.host = [0, 0, 0, 0].into();
        config.token = Some("open-sesame".to_owned());
    });
    let host = format!("127.0.0.1:{}", fixture.address().port());
    assert_eq!(fixture.url(), format!("http://{host}/?token=open-sesame"));
    let ask = |path: &str, header: (&str, &str)| {
        fixture.client().request("GET", path, &[("host", &host), header], b"").expect("an answer")
    };
    for path in ["/", "/api/v1/status", "/?token=wrong-sesame", "/api/v1/status?token=open-sesame"] {
        let answer = ask(path, ("accept", "*/*")).expect(401);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        answer.error();
    }
    assert_eq!(ask("/api/v1/status", ("authorization", "Bearer open-sesame")).status, 200);
    let welcome = ask("/?token=open-sesame", ("accept", "*/*")).expect(303);
    assert_eq!(welcome.header("location"), Some("/"));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(ask("/api/v1/status", ("cookie", cookie)).status, 200);
    // A right token does not make a foreign host ours.
    let foreign = [("host", "evil.example"), ("authorization", "Bearer open-sesame")];
    assert_eq!(fixture.client().request("GET", "/?token=open-sesame", &foreign, b"").unwrap().status, 403);
}
