//! A plain HTTP client: what goes over the socket is what the tests say.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error} in {} {}", self.status, String::from_utf8_lossy(&self.body))
        })
    }

    /// The error that it is.
    pub(crate) fn error(&self) -> Value {
        let error = self.json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
        error
    }

    /// The answer, if it has this status.
    pub(crate) fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }
}

/// A connection that stays open.
#[derive(Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { address, stream: BufReader::new(stream) }
    }

    /// Sends raw bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    pub(crate) fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Answer> {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            text.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        self.send(&[text.as_bytes(), body].concat())?;
        self.answer(method == "HEAD")
    }

    /// Reads the next answer.
    pub(crate) fn answer(&mut self, is_head: bool) -> io::Result<Answer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {first:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut answer = Answer { status, headers, body: Vec::new() };
        if let Some(len) = answer.header("content-length").filter(|_| !is_head) {
            answer.body = vec![0; len.parse().unwrap()];
            self.stream.read_exact(&mut answer.body)?;
        } else if answer.header("transfer-encoding") == Some("chunked") && !is_head {
            while let Some(part) = self.chunk()? {
                answer.body.extend(part);
            }
        }
        Ok(answer)
    }

    /// The next part of an answer that comes in parts.
    pub(crate) fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let len = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
        let mut part = vec![0; len + 2];
        self.stream.read_exact(&mut part)?;
        part.truncate(len);
        Ok((len > 0).then_some(part))
    }

    /// The next line without its end.
    pub(crate) fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}
