//! A server in a folder of its own.

use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use equipoise_batch::{Folder, Jobs, Plan, Schedule, Settings, run};
use equipoise_server::{Config, Server};
use equipoise_spots::shipped::ShippedText;
use serde_json::{Value, json};

use crate::client::{Answer, Client};

/// A server that is gone, with its folder, at the end of the test.
#[derive(Debug)]
pub(crate) struct Fixture {
    pub(crate) folder: PathBuf,
    server: Option<Server>,
    config: Config,
}

static FOLDERS: AtomicU64 = AtomicU64::new(0);

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Fixture {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("equipoise-api-{}-{number}", std::process::id()));
        // Tests run beside each other: threads that wait for their turn would only keep the others from theirs.
        let threads = NonZeroUsize::new(1);
        let mut config = Config { port: 0, threads, ..Config::new(folder.clone()) };
        change(&mut config);
        let server = Some(Server::start(config.clone()).expect("a server"));
        Fixture { folder, server, config }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.as_ref().expect("a server").address()
    }

    pub(crate) fn url(&self) -> String {
        self.server.as_ref().expect("a server").url()
    }

    /// Ends the server and starts another one in the same folder.
    pub(crate) fn restart(&mut self) {
        self.server.take().expect("a server").stop();
        self.server = Some(Server::start(self.config.clone()).expect("a server"));
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.address())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.client().request("GET", &format!("/api/v1{path}"), &[], b"").expect("an answer")
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.client().request("DELETE", &format!("/api/v1{path}"), &[], b"").expect("an answer")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json")];
        let body = body.to_string();
        self.client()
            .request(method, &format!("/api/v1{path}"), &headers, body.as_bytes())
            .expect("an answer")
    }

    pub(crate) fn upload(&self, name: &str, bytes: &[u8]) -> Answer {
        let headers = [("content-type", "application/octet-stream")];
        let path = format!("/api/v1/solutions?name={name}");
        self.client().request("POST", &path, &headers, bytes).expect("an answer")
    }

    /// Queues a solve.
    pub(crate) fn job(&self, body: &Value) -> String {
        let job = self.post("/jobs", body).expect(201).json();
        job["id"].as_str().expect("an id").to_owned()
    }

    /// Waits until a job is as it should be.
    pub(crate) fn wait(&self, id: &str, what: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let job = self.get(&format!("/jobs/{id}")).expect(200).json();
            if what(&job) {
                return job;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{job}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Wishes something of a job, and waits until it is so.
    pub(crate) fn wish(&self, id: &str, wish: &str, state: &str) -> Value {
        let wished = self.post(&format!("/jobs/{id}/{wish}"), &json!({})).expect(200).json();
        assert!(wished["state"] == state || wished["wish"] == wish, "{wished}");
        self.wait(id, |job| job["state"] == state)
    }

    /// A solved river in the library.
    pub(crate) fn river(&self) -> String {
        let id = self.job(&json!({ "toml": ShippedText::RIVER.toml, "name": "river" }));
        let job = self.wait(&id, |job| job["state"] == "done");
        job["solution"].as_str().expect("a solution").to_owned()
    }
}

/// A spot over two flops.
const PLAN: &str = r#"
flops = ["As7d2c", "Td9d6h"]
[[spots]]
ranges = { oop = "AA,QQ", ip = "KK,JTs" }
tree = { starting_pot = 100, effective_stack = 100 }
bet_sizes = { flop = { oop_bet = "100%", ip_bet = "100%" } }
"#;

impl Fixture {
    /// A batch in the library that is done.
    pub(crate) fn batch(&self) -> String {
        let plan = Plan::parse(PLAN, "plan.toml".as_ref()).expect("a plan");
        let jobs = Jobs::of(&plan);
        let folder = Folder::new(self.folder.join("batch"));
        folder.prepare(&plan, &jobs).expect("a folder");
        let threads = NonZeroUsize::MIN;
        let settings = Settings { threads, memory: None, at_once: None };
        let schedule = Schedule::new(&Jobs::needs(&jobs.jobs, threads), &settings);
        run(&folder, &jobs.jobs, &schedule, None, &mut ());
        "batch".to_owned()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A turn that is solved until somebody stops it or this many iterations are done.
pub(crate) fn long_turn(max_iterations: u32) -> String {
    let text = ShippedText::TURN.toml;
    let changed = text
        .lines()
        .map(|line| match line.split(' ').next() {
            Some("max_iterations") => format!("max_iterations = {max_iterations}\n"),
            Some("target_exploitability_pct") => "target_exploitability_pct = 0.0\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect::<String>();
    assert!(changed.contains("pct = 0.0"));
    changed
}

/// A path as a query has it.
pub(crate) fn quoted(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02x}"),
        })
        .collect()
}
