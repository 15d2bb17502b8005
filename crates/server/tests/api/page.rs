//! The page, or what stands in for it.

use crate::common::Fixture;

#[test]
fn the_root_is_a_page_either_way() {
    let fixture = Fixture::new();
    let ask = |method: &str, path: &str, encoding: &str| {
        let headers = [("accept-encoding", encoding)];
        fixture.client().request(method, path, &headers, b"").expect("an answer")
    };
    let page = ask("GET", "/", "identity").expect(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let text = String::from_utf8(page.body).unwrap();
    if equipoise_server::Server::has_page() {
        assert_eq!(page.headers.iter().find(|(name, _)| name == "content-encoding"), None);
        let packed = ask("GET", "/", "br, gzip;q=0.8").expect(200);
        assert_eq!((packed.header("content-encoding"), &packed.body[..2]), (Some("gzip"), &[0x1f, 0x8b][..]));
    } else {
        assert!(text.contains("make web"), "{text}");
    }
    assert!(ask("HEAD", "/", "").expect(200).body.is_empty());
    ask("GET", "/nothing.js", "").expect(404);
    ask("GET", "/..%2f..%2fCargo.toml", "").expect(404);
    ask("POST", "/", "").expect(405);
}
