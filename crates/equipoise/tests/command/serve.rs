//! `equipoise serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{binary, run};

#[test]
fn it_says_where_it_is_and_ends_when_it_is_told() {
    let folder = std::env::temp_dir().join(format!("equipoise-serve-{}", std::process::id()));
    let mut command = binary();
    command.args(["serve", "--port", "0", "--json", "--library"]).arg(&folder);
    let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&ready["schema_version"], &ready["jobs"]), (&Value::from(1), &Value::from(0)));
    let address = ready["address"].as_str().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /api/v1/status HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\"version\""), "{answer}");
    // The signal by which systems end programs; the end is a tidy one.
    let killed = std::process::Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_not_safe_or_not_possible_is_bad_input() {
    let file = std::env::temp_dir().join(format!("equipoise-serve-file-{}", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let file_name = file.display().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (args, words) in [
        (vec!["--host", "0.0.0.0"], "a token is needed"),
        (vec!["--token", "short"], "at least 8"),
        (vec!["--host", "nowhere"], "--host"),
        (vec!["--port", "99999"], "--port"),
        (vec!["--memory-limit", "much"], "--memory-limit"),
        (vec!["--port", "0", "--library", &file_name], "cannot use the library"),
        (vec!["--port", &port], "--port 0 takes any port"),
    ] {
        let run = run(&[&["serve"], args.as_slice()].concat());
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
    }
    std::fs::remove_file(file).unwrap();
}
