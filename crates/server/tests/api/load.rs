//! Many clients, and clients that send rubbish.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use equipoise_server::Config;

use crate::client::Client;
use crate::common::{Fixture, quoted};

/// Ways through the river, as somebody who browses takes them.
const PATHS: [&str; 6] = ["", "check", "bet:120", "check bet:120", "bet:120 raise:300", "check allin"];

/// How many answers came and the longest time that one took.
struct Load {
    answers: u64,
    slowest: Duration,
}

/// Clients that browse one solution, each `requests` times; with a pace, that often a second in all.
fn browse(address: SocketAddr, id: &str, clients: u32, requests: u32, pace: Option<f64>) -> Load {
    let (answers, slowest) = (AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for number in 0..clients {
            let (answers, slowest) = (&answers, &slowest);
            scope.spawn(move || {
                let mut client = Client::connect(address);
                for request in 0..requests {
                    if let Some(pace) = pace {
                        let due = f64::from(request * clients + number) / pace;
                        thread::sleep(Duration::from_secs_f64(due).saturating_sub(start.elapsed()));
                    }
                    let path = PATHS[(number + request) as usize % PATHS.len()];
                    let path = format!("/api/v1/solutions/{id}/node?path={}", quoted(path));
                    let asked = Instant::now();
                    let answer = client.request("GET", &path, &[], b"").expect("an answer");
                    assert_eq!(answer.status, 200);
                    answers.fetch_add(1, Ordering::Relaxed);
                    slowest.fetch_max(asked.elapsed().as_micros() as u64, Ordering::Relaxed);
                }
            });
        }
    });
    let slowest = Duration::from_micros(slowest.load(Ordering::Relaxed));
    Load { answers: answers.load(Ordering::Relaxed), slowest }
}

#[test]
fn two_hundred_clients_lose_nothing() {
    let fixture = Fixture::new();
    let id = fixture.river();
    let load = browse(fixture.address(), &id, 200, 15, None);
    assert_eq!(load.answers, 3000);
}

/// `make soak-server`.
#[test]
#[ignore = "takes a minute"]
fn two_hundred_clients_at_a_thousand_requests_a_second() {
    const PACE: f64 = 1000.0;
    let fixture = Fixture::new();
    let id = fixture.river();
    let start = Instant::now();
    let load = browse(fixture.address(), &id, 200, 300, Some(PACE));
    let rate = load.answers as f64 / start.elapsed().as_secs_f64();
    eprintln!("{} answers, {rate:.0} a second, the slowest after {:?}", load.answers, load.slowest);
    assert_eq!(load.answers, 60_000);
    assert!(rate > 0.98 * PACE, "{rate}");
}

/// Bytes that are no request, or not a whole one.
fn rubbish(number: usize, host: SocketAddr) -> Vec<u8> {
    let head =
        format!("POST /api/v1/ranges/parse HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n");
    match number % 12 {
        0 => (0..997_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect(),
        1 => b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        2 => vec![b'A'; 200_000],
        3 => format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(20_000)).into_bytes(),
        4 => format!("{head}content-length: 99999999999999999999\r\n\r\n").into_bytes(),
        5 => format!("{head}content-length: 5\r\ncontent-length: 7\r\n\r\n{{}}").into_bytes(),
        6 => format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n").into_bytes(),
        7 => format!("{head}content-length: 1000\r\n\r\n{{\"text\"").into_bytes(),
        8 => format!("GET /{} HTTP/1.1\r\nhost: {host}\r\n\r\n", "%".repeat(60_000)).into_bytes(),
        9 => format!("{head}content-length: 100000\r\n\r\n{}", "[".repeat(100_000)).into_bytes(),
        10 => format!(
            "GET /api/v1/solutions/%00%ff/node?path=%ff&path=x&equities HTTP/1.1\r\nhost: {host}\r\n\r\n"
        )
        .into_bytes(),
        _ => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
    }
}

#[test]
fn rubbish_leaves_the_server_answering() {
    let fixture = Fixture::with(|config: &mut Config| config.limits.connections = 64);
    let address = fixture.address();
    let mut open = Vec::new();
    for number in 0..600 {
        let mut client = Client::connect(address);
        // The server may hang up in the middle.
        let _: io::Result<()> = client.send(&rubbish(number, address));
        // Some go at once, some stay for a while without a word.
        if number % 20 == 0 {
            open.push(client);
        }
    }
    fixture.get("/status").expect(200);
    let id = fixture.river();
    drop(open);
    assert_eq!(browse(address, &id, 20, 20, None).answers, 400);
}
