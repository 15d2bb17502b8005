//! The page: what `make web` has built, if it was there when the server was compiled.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A file of the page.
struct Asset {
    path: &'static str,
    bytes: &'static [u8],
    /// The same, compressed, where that is shorter.
    gzip: Option<&'static [u8]>,
}

// `ASSETS`, from `page/dist`.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Whether the page is in this binary.
pub(crate) fn is_there() -> bool {
    find("index.html").is_some()
}

fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

/// Anything that is not the API.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api") {
        return ApiError::not_found("the API is at /api/v1").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let mut response = StatusCode::METHOD_NOT_ALLOWED.into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let path = uri.path().trim_start_matches('/');
    match find(if path.is_empty() { "index.html" } else { path }) {
        Some(asset) => answer(asset, &headers),
        None if path.is_empty() && !is_there() => missing(),
        None => (StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}

fn answer(asset: &Asset, headers: &HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let gzip = asset.gzip.filter(|_| accepts.split(',').any(is_gzip));
    let mut response = Response::new(Body::from(Bytes::from_static(gzip.unwrap_or(asset.bytes))));
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(mime(asset.path)));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if gzip.is_some() {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    // Names of files in this folder have a hash of what is in them.
    let cache =
        if asset.path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}

fn is_gzip(coding: &str) -> bool {
    let mut parts = coding.split(';');
    let name = parts.next().unwrap_or("").trim();
    name == "gzip" && !parts.any(|part| matches!(part.trim(), "q=0" | "q=0.0"))
}

fn mime(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// What to do where the page is not in the binary.
fn missing() -> Response {
    const TEXT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Equipoise</title>\
        <h1>Equipoise is running</h1>\
        <p>This binary was built without its page. In the source folder, <code>make serve</code> builds the page \
        (which needs Node.js) and starts again with it; <code>make web</code> only builds it, and the next \
        <code>cargo build</code> takes it in.</p>\
        <p>The API is there: <a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>.</p></html>";
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], TEXT).into_response()
}
