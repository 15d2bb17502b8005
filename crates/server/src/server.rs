//! Starts and stops.

use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::answers::Answers;
use crate::batches::Batches;
use crate::config::Config;
use crate::error::ApiError;
use crate::guard::Guard;
use crate::jobs::{Found, Jobs};
use crate::library::Library;
use crate::source::Source;
use crate::tables::{Blueprints, Tables};
use crate::work::Work;
use crate::{connection, page, routes};

/// Why a server does not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Anybody in the network could use it.
    #[error("{host} can be reached from other machines, so a token is needed")]
    NoToken {
        /// The address.
        host: std::net::IpAddr,
    },
    /// A token that no address or header could carry.
    #[error("a token has at least 8 letters, digits, '-' or '_'")]
    BadToken,
    /// The address is taken or not ours.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The folder cannot be used.
    #[error("cannot use the library {}: {source}", folder.display())]
    Library {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No threads.
    #[error("no threads could be started: {0}")]
    Threads(io::Error),
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) guard: Guard,
    pub(crate) library: Arc<Library>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) batches: Batches,
    pub(crate) tables: Arc<Tables>,
    pub(crate) work: Work,
    pub(crate) answers: Answers,
    /// Becomes true when the server ends.
    pub(crate) end: watch::Sender<bool>,
}

impl App {
    /// Threads of a solve.
    pub(crate) fn threads(&self) -> usize {
        self.config.threads.map_or_else(num_cores, NonZero::get)
    }

    /// A solution of the library.
    pub(crate) async fn solution(&self, id: String) -> Result<Source, ApiError> {
        let path = self.library.existing(&id)?;
        self.open(path, id).await
    }

    /// What a job has found, whatever state it is in.
    pub(crate) async fn job(&self, id: &str) -> Result<Source, ApiError> {
        match self.jobs.found(id, self.config.limits.request).await? {
            Found::Source(source) => Ok(*source),
            Found::File(path, name) => self.open(path, name).await,
        }
    }

    /// The solution of a flop of a batch.
    pub(crate) async fn flop(&self, id: &str, job: &str) -> Result<Source, ApiError> {
        let parsed = job.parse().map_err(|error| ApiError::not_found(format!("{error}")))?;
        let path = self.batches.solution(id, parsed)?;
        self.open(path, format!("{id}/{job}")).await
    }

    /// A solution under this name. One that is open waits for nobody; to open one, its tree is built.
    async fn open(&self, path: PathBuf, name: String) -> Result<Source, ApiError> {
        if let Some(opened) = self.library.if_open(&path) {
            return Ok(opened.source(&name));
        }
        let library = Arc::clone(&self.library);
        self.work.run(move |cancel| Ok(library.open_file(&path, &cancel)?.source(&name))).await
    }
}

fn num_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    app: Arc<App>,
    runtime: Runtime,
}

impl Server {
    /// Begins to listen, and resumes the jobs of the library.
    ///
    /// # Errors
    /// [`ServeError`] if it is not safe or not possible.
    pub fn start(config: Config) -> Result<Server, ServeError> {
        check_token(&config)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(num_cores().clamp(2, 4))
            .thread_name("equipoise-http")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let address = SocketAddr::new(config.host, config.port);
        let of_address = |source| ServeError::Listen { address, source };
        let listener = runtime.block_on(TcpListener::bind(address)).map_err(of_address)?;
        let address = listener.local_addr().map_err(of_address)?;
        let folder = config.library.clone();
        let of_folder = |source| ServeError::Library { folder: folder.clone(), source };
        let library = Arc::new(Library::new(config.library.clone()).map_err(of_folder)?);
        let jobs = Arc::new(Jobs::new(&config, Arc::clone(&library)).map_err(of_folder)?);
        let app = Arc::new(App {
            guard: Guard::new(address, config.token.clone()),
            batches: Batches::new(&config, Arc::clone(&library), Arc::clone(&jobs)),
            tables: Arc::new(Tables::new(Blueprints::new(&config, library.folder()))),
            library,
            jobs,
            work: Work::new(num_cores().max(2), config.limits.request),
            answers: Answers::default(),
            end: watch::Sender::new(false),
            config,
        });
        let router = routes::router(&app);
        let (connections, end) = (app.config.limits.connections, app.end.subscribe());
        runtime.spawn(connection::serve(listener, router, connections, end));
        Ok(Server { address, app, runtime })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser, with the token if there is one.
    #[must_use]
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        match &self.app.config.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// The folder of solutions, as the system names it.
    #[must_use]
    pub fn library(&self) -> &std::path::Path {
        self.app.library.folder()
    }

    /// How many jobs are queued or running.
    #[must_use]
    pub fn num_jobs(&self) -> usize {
        self.app.jobs.num_live()
    }

    /// Whether the page is in this binary.
    #[must_use]
    pub fn has_page() -> bool {
        page::is_there()
    }

    /// Ends: connections are closed, and a running solve is checkpointed, to resume with the next server.
    pub fn stop(self) {
        self.app.end.send_replace(true);
        self.app.jobs.close();
        self.runtime.shutdown_timeout(Duration::from_secs(2));
    }
}

fn check_token(config: &Config) -> Result<(), ServeError> {
    match &config.token {
        None if !config.host.is_loopback() => Err(ServeError::NoToken { host: config.host }),
        Some(token) => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            if token.len() >= 8 && token.chars().all(is_plain) { Ok(()) } else { Err(ServeError::BadToken) }
        }
        None => Ok(()),
    }
}
