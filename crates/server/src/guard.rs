//! Who is answered: browsers that a foreign page sends, and clients without the token, are not.
//!
//! A page on the internet may point a name of its own at 127.0.0.1 and have a browser ask us in its name (DNS
//! rebinding). Such a request carries that name as its host, so only hosts that nobody else can own are answered:
//! `localhost` and addresses. A request that a foreign page sends to our own address carries its origin.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::error::ApiError;

/// The cookie that has the token.
const COOKIE: &str = "equipoise_token";

/// Whom this server answers.
#[derive(Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    /// Whether a request is admitted.
    fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), ApiError> {
        let forbidden = |message: &str| Err(ApiError::new(StatusCode::FORBIDDEN, message));
        let Some(host) = self.host(headers, uri) else {
            return forbidden("this server answers to its own address only, not to this host");
        };
        match headers.get(header::ORIGIN) {
            Some(origin) if !is_origin(origin, &host) => {
                return forbidden("this server does not answer pages of other origins");
            }
            _ => {}
        }
        let is_foreign = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        if is_foreign && uri.path().starts_with("/api") {
            return forbidden("this server does not answer pages of other sites");
        }
        if self.is_known(headers) {
            return Ok(());
        }
        Err(ApiError::new(StatusCode::UNAUTHORIZED, "this server needs its token")
            .help("open the address with ?token=… that it printed, or send Authorization: Bearer …"))
    }

    /// The host as it was written, if it is ours.
    fn host(&self, headers: &HeaderMap, uri: &Uri) -> Option<String> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let written = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().ok()?.to_ascii_lowercase(),
            _ => return None,
        };
        // A request may name the host a second time; the two have to agree.
        if uri.authority().is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(&written)) {
            return None;
        }
        let (name, port) = split_port(&written)?;
        (port == self.address.port() && self.is_ours(name)).then_some(written)
    }

    fn is_ours(&self, name: &str) -> bool {
        if name == "localhost" {
            return true;
        }
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let Ok(ip) = name.parse::<IpAddr>() else { return false };
        ip.is_loopback() || ip == self.address.ip() || self.address.ip().is_unspecified()
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        bearer.is_some_and(|given| is_same(given, token))
            || cookie(headers).any(|given| is_same(given, token))
    }

    /// The token in an address that a person opened.
    fn given(&self, uri: &Uri) -> Option<bool> {
        let token = self.token.as_ref()?;
        let given = uri.query()?.split('&').find_map(|part| part.strip_prefix("token="))?;
        (uri.path() == "/").then(|| is_same(given, token))
    }
}

fn split_port(host: &str) -> Option<(&str, u16)> {
    let end = host.rfind(']').map_or(0, |end| end + 1);
    match host[end..].rfind(':') {
        Some(colon) => {
            let (name, port) = host.split_at(end + colon);
            Some((name, port[1..].parse().ok()?))
        }
        None => Some((host, 80)),
    }
}

fn is_origin(origin: &HeaderValue, host: &str) -> bool {
    let origin = origin.to_str().unwrap_or("");
    origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
}

fn cookie(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|text| text.split(';')).filter_map(|part| {
        let (name, value) = part.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    })
}

/// Compares in constant time.
fn is_same(given: &str, token: &str) -> bool {
    let differs = given.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == token.len() && differs == 0
}

/// Checks every request, and adds to every answer what keeps a browser from doing more than it should.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (headers, uri) = (request.headers(), request.uri());
    let mut response = match (app.guard.check(headers, uri), app.guard.given(uri)) {
        (Err(error), Some(true)) if app.guard.host(headers, uri).is_some() && error.is_no_token() => {
            welcome(&app.guard)
        }
        (Err(error), _) => error.into_response(),
        (Ok(()), Some(true)) => welcome(&app.guard),
        (Ok(()), _) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Keeps the token in a cookie and leads to the page without it in the address.
fn welcome(guard: &Guard) -> Response {
    let token = guard.token.as_deref().unwrap_or("");
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(bound: &str, token: Option<&str>, headers: &[(&str, &str)]) -> Option<u16> {
        let guard = Guard::new(bound.parse().unwrap(), token.map(str::to_owned));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: header::HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        guard.check(&map, &Uri::from_static("/api/v1/status")).err().map(|error| error.status().as_u16())
    }

    #[test]
    fn hosts_are_addresses_that_nobody_else_can_own() {
        for (bound, host, want) in [
            ("127.0.0.1:7878", "127.0.0.1:7878", None),
            ("127.0.0.1:7878", "localhost:7878", None),
            ("127.0.0.1:7878", "LocalHost:7878", None),
            ("127.0.0.1:7878", "[::1]:7878", None),
            ("127.0.0.1:80", "localhost", None),
            ("127.0.0.1:7878", "localhost", Some(403)),
            ("127.0.0.1:7878", "localhost:7879", Some(403)),
            ("127.0.0.1:7878", "evil.example:7878", Some(403)),
            ("127.0.0.1:7878", "127.0.0.1.evil.example:7878", Some(403)),
            ("127.0.0.1:7878", "192.168.0.7:7878", Some(403)),
            ("192.168.0.7:7878", "192.168.0.7:7878", None),
            ("192.168.0.7:7878", "192.168.0.8:7878", Some(403)),
            ("0.0.0.0:7878", "192.168.0.7:7878", None),
            ("0.0.0.0:7878", "evil.example:7878", Some(403)),
            ("127.0.0.1:7878", "", Some(403)),
            ("127.0.0.1:7878", "localhost:7878:7878", Some(403)),
            ("127.0.0.1:7878", "[::1:7878", Some(403)),
        ] {
            assert_eq!(status(bound, None, &[("host", host)]), want, "{bound} {host}");
        }
        assert_eq!(status("127.0.0.1:7878", None, &[]), Some(403));
        let twice = [("host", "localhost:7878"), ("host", "localhost:7878")];
        assert_eq!(status("127.0.0.1:7878", None, &twice), Some(403));
    }

    #[test]
    fn origins_are_the_host_itself() {
        for (origin, want) in [
            ("http://localhost:7878", None),
            ("http://127.0.0.1:7878", Some(403)),
            ("https://localhost:7878", Some(403)),
            ("http://localhost:7879", Some(403)),
            ("http://evil.example", Some(403)),
            ("null", Some(403)),
            ("", Some(403)),
        ] {
            let headers = [("host", "localhost:7878"), ("origin", origin)];
            assert_eq!(status("127.0.0.1:7878", None, &headers), want, "{origin}");
        }
        let cross = [("host", "localhost:7878"), ("sec-fetch-site", "cross-site")];
        assert_eq!(status("127.0.0.1:7878", None, &cross), Some(403));
    }

    #[test]
    fn the_token_comes_as_bearer_or_cookie() {
        for (name, value, want) in [
            ("authorization", "Bearer sesame", None),
            ("authorization", "Bearer Sesame", Some(401)),
            ("authorization", "Bearer sesame2", Some(401)),
            ("authorization", "sesame", Some(401)),
            ("cookie", "a=b; equipoise_token=sesame", None),
            ("cookie", "equipoise_token=", Some(401)),
            ("cookie", "xequipoise_token=sesame", Some(401)),
            ("accept", "*/*", Some(401)),
        ] {
            let headers = [("host", "0.0.0.0:7878"), (name, value)];
            assert_eq!(status("0.0.0.0:7878", Some("sesame"), &headers), want, "{name}: {value}");
        }
    }
}
