//! What a server is told when it starts.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Where the server listens, what it may use and whom it answers.
///
/// ```
/// use equipoise_server::Config;
/// let config = Config { port: 0, ..Config::new("library".into()) };
/// assert!(config.host.is_loopback() && config.token.is_none());
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Config {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder of solutions; made if it is not there.
    pub library: PathBuf,
    /// Folders of batches to show, beside those that are in the library.
    pub batches: Vec<PathBuf>,
    /// Blueprints to play against, beside those that are in the library.
    pub blueprints: Vec<PathBuf>,
    /// The folder of the blueprints' buckets; absent: the cache.
    pub buckets: Option<PathBuf>,
    /// Where the buckets of each blueprint have a folder of their own, named as
    /// [`AbstractionConfig::name`](equipoise_abstraction::AbstractionConfig::name) says.
    pub bucket_cache: Option<PathBuf>,
    /// What clients have to know; needed beyond loopback.
    pub token: Option<String>,
    /// Threads of a solve; absent: one per processor.
    pub threads: Option<NonZeroUsize>,
    /// The most bytes that a solve may take; absent: what the machine has left.
    pub memory_limit: Option<u64>,
    /// Limits of requests.
    pub limits: Limits,
    /// How often a solve is saved on the way, at most.
    pub checkpoint: Duration,
}

impl Config {
    /// On loopback, port 7878.
    #[must_use]
    pub fn new(library: PathBuf) -> Config {
        Config {
            host: Ipv4Addr::LOCALHOST.into(),
            port: Config::PORT,
            library,
            batches: Vec::new(),
            blueprints: Vec::new(),
            buckets: None,
            bucket_cache: None,
            token: None,
            threads: None,
            memory_limit: None,
            limits: Limits::default(),
            checkpoint: Duration::from_secs(180),
        }
    }

    /// The port unless another one is given.
    pub const PORT: u16 = 7878;
}

/// What a request may take.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct Limits {
    /// Bytes of a JSON body.
    pub body: usize,
    /// Bytes of an uploaded solution.
    pub upload: u64,
    /// How long an answer may take.
    pub request: Duration,
    /// Connections at a time; more wait.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { body: 1 << 20, upload: 4 << 30, request: Duration::from_secs(60), connections: 1024 }
    }
}
