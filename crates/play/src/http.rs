//! JSON documents posted over HTTP, as far as the client of an API needs it.
//!
//! `http` is spoken here; `https` is left to the program `curl`, so that nothing of this workspace has to know ciphers. What
//! is secret reaches it by standard input, not by its arguments.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The longest answer that is taken.
const MAX_ANSWER: usize = 1 << 20;

/// The address of an API: `https://host:port/path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiAddress {
    is_secure: bool,
    host: String,
    port: Option<u16>,
    /// Without a slash at the end.
    path: String,
}

/// A text is no address of an API.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is no address: write http://HOST:PORT or https://HOST/PATH")]
#[non_exhaustive]
pub struct ParseAddressError {
    /// The text.
    pub text: String,
}

impl FromStr for ApiAddress {
    type Err = ParseAddressError;

    fn from_str(text: &str) -> Result<ApiAddress, ParseAddressError> {
        let wrong = || ParseAddressError { text: text.to_owned() };
        let (is_secure, rest) = match (text.strip_prefix("http://"), text.strip_prefix("https://")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err(wrong()),
        };
        let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        let (host, port) = match host.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse::<u16>().map_err(|_| wrong())?)),
            None => (host, None),
        };
        let is_plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\@?#".contains(&byte));
        if host.is_empty() || !is_plain(host) || !is_plain(path) {
            return Err(wrong());
        }
        let path = path.trim_end_matches('/').to_owned();
        Ok(ApiAddress { is_secure, host: host.to_owned(), port, path })
    }
}

impl fmt::Display for ApiAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority())?;
        f.write_str(&self.path)
    }
}

impl ApiAddress {
    fn authority(&self) -> String {
        self.port.map_or_else(|| self.host.clone(), |port| format!("{}:{port}", self.host))
    }
}

/// What an API answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// Posts a document to a path of an API.
pub(crate) fn post(
    address: &ApiAddress,
    path: &str,
    headers: &[(&str, String)],
    body: &str,
    limit: Duration,
) -> io::Result<Answer> {
    if address.is_secure {
        return by_curl(address, path, headers, body, limit);
    }
    let deadline = Instant::now() + limit;
    let target = (address.host.as_str(), address.port.unwrap_or(80));
    let socket = target.to_socket_addrs()?.next().ok_or_else(|| wrong("the host has no address"))?;
    let mut stream = TcpStream::connect_timeout(&socket, limit)?;
    let mut request = format!(
        "POST {}{path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: {}\r\nconnection: close\r\n",
        address.path,
        address.authority(),
        body.len()
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request.push_str(body);
    stream.set_write_timeout(Some(limit))?;
    stream.write_all(request.as_bytes())?;
    let mut read = Vec::new();
    let mut bytes = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "no answer in time"));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => read.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "no answer in time"));
            }
            Err(error) => return Err(error),
        }
        if read.len() > MAX_ANSWER {
            return Err(wrong("the answer is longer than a mebibyte"));
        }
        // Servers that keep the connection open say how long the answer is.
        if let Ok(answer) = parse(&read, false) {
            return Ok(answer);
        }
    }
    parse(&read, true).map_err(|reason| wrong(&reason))
}

fn wrong(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.to_owned())
}

/// An answer; `is_all` says that no more bytes will come.
fn parse(bytes: &[u8], is_all: bool) -> Result<Answer, String> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").ok_or("the answer is no HTTP")?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| "the head of the answer is no text")?;
    let rest = &bytes[end + 4..];
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| {
        let (version, rest) = line.split_once(' ')?;
        version.starts_with("HTTP/1.").then(|| rest.get(..3)?.parse().ok())?
    });
    let status: u16 = status.ok_or("the answer is no HTTP")?;
    let (mut length, mut is_chunked) = (None, false);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                length = Some(value.trim().parse::<usize>().map_err(|_| "its length is no number")?);
            }
            "transfer-encoding" => is_chunked = value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    let body = match (is_chunked, length) {
        (true, _) => chunked(rest)?,
        (_, Some(length)) => rest.get(..length).ok_or("the answer is shorter than it says")?.to_vec(),
        (_, None) if is_all => rest.to_vec(),
        _ => return Err("more may come".to_owned()),
    };
    let body = String::from_utf8(body).map_err(|_| "the answer is no text")?;
    Ok(Answer { status, body })
}

/// The bytes of chunks up to the last, which is empty.
fn chunked(mut rest: &[u8]) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|part| part == b"\r\n").ok_or("a chunk has no length")?;
        let text = std::str::from_utf8(&rest[..end]).map_err(|_| "a chunk has no length")?;
        let digits = text.split(';').next().unwrap_or_default().trim();
        let length = usize::from_str_radix(digits, 16).map_err(|_| "the length of a chunk is no number")?;
        rest = &rest[end + 2..];
        if length == 0 {
            return Ok(body);
        }
        if length > MAX_ANSWER {
            return Err("a chunk is longer than a mebibyte".to_owned());
        }
        body.extend_from_slice(rest.get(..length).ok_or("a chunk is shorter than it says")?);
        rest = rest.get(length + 2..).ok_or("a chunk is shorter than it says")?;
    }
}

/// A text between quotes in a file of curl's options.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " "))
}

fn by_curl(
    address: &ApiAddress,
    path: &str,
    headers: &[(&str, String)],
    body: &str,
    limit: Duration,
) -> io::Result<Answer> {
    let mut options = format!(
        "url = {}\nrequest = \"POST\"\nheader = \"content-type: application/json\"\ndata-binary = {}\nmax-time = {}\nwrite-out = \"\\n%{{http_code}}\"\nsilent\nshow-error\nproto = \"=https\"\n",
        quoted(&format!("{address}{path}")),
        quoted(body),
        limit.as_secs().max(1)
    );
    for (name, value) in headers {
        options.push_str(&format!("header = {}\n", quoted(&format!("{name}: {value}"))));
    }
    let mut child = Command::new("curl")
        .args(["--config", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("https needs the program curl: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(options.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(said.trim().to_owned()));
    }
    let text = String::from_utf8(output.stdout).map_err(|_| wrong("the answer is no text"))?;
    let (body, status) = text.rsplit_once('\n').ok_or_else(|| wrong("curl said no status"))?;
    let status = status.trim().parse().map_err(|_| wrong("curl said no status"))?;
    Ok(Answer { status, body: body.to_owned() })
}

/// What must hold of any bytes that a server may answer: they are understood, or refused with a reason.
pub(crate) fn check_bytes(bytes: &[u8]) {
    if let Ok(answer) = parse(bytes, false) {
        assert_eq!(parse(bytes, true), Ok(answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for text in ["http://127.0.0.1:80", "https://slumbot.com", "http://host/a/b"] {
            assert_eq!(text.parse::<ApiAddress>().unwrap().to_string(), text);
        }
        assert_eq!("http://h/".parse::<ApiAddress>().unwrap().to_string(), "http://h");
        for text in
            ["", "host", "ftp://host", "http://", "http://a b", "http://h:x", "http://u@h", "https://h/\"x"]
        {
            let error = text.parse::<ApiAddress>().unwrap_err();
            assert!(error.to_string().contains("is no address"), "{error}");
        }
    }

    #[test]
    fn answers_are_read_in_every_way_that_they_are_sent() {
        let wanted = Ok(Answer { status: 200, body: "{\"a\":1}".to_owned() });
        for text in [
            "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{\"a\":1}",
            "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}more",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\n\r\n",
        ] {
            assert_eq!(parse(text.as_bytes(), false), wanted, "{text}");
        }
        let open = "HTTP/1.1 200 OK\r\n\r\n{\"a\":1}";
        assert_eq!(parse(open.as_bytes(), true), wanted);
        assert!(parse(open.as_bytes(), false).is_err());
        for (text, words) in [
            ("", "no HTTP"),
            ("SSH-2.0\r\n\r\n", "no HTTP"),
            ("HTTP/1.1 2\r\n\r\n", "no HTTP"),
            ("HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n", "no number"),
            ("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}", "shorter"),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "no number"),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab", "shorter"),
        ] {
            let error = parse(text.as_bytes(), true).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn options_of_curl_keep_quotes() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c d\"");
    }
}
