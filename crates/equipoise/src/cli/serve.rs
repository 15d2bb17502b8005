//! `equipoise serve`.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use clap::Args;
use equipoise::documents::command::ReadyDocument;
use equipoise_run::memory::MemorySize;
use equipoise_server::{Config, Limits, ServeError, Server};

use super::batch::bad_folder;
use super::blueprint;
use super::cache::cache_folder;
use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use super::saved;
use super::watch::{catch_interrupts, is_interrupted};

/// Set up, solve and browse spots in a browser
///
/// Starts a local server with the page inside the program. Solves wait in a queue, and what has been found is kept when
/// the server ends: queued and running solves resume when it is restarted. Ctrl-C ends it. After a crash a solve
/// resumes from its last checkpoint, which it writes every three minutes.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The address to listen on; beyond loopback a token is needed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = Config::PORT)]
    port: u16,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The folder of solutions [default: equipoise in $XDG_DATA_HOME, or in ~/.local/share]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// A folder that `equipoise batch run` has made, to be shown too; may be given several times
    #[arg(long, value_name = "DIR")]
    batch: Vec<PathBuf>,

    /// A blueprint to play against, beside those in the library; may be given several times
    #[arg(long, value_name = "X.EQB")]
    blueprint: Vec<PathBuf>,

    /// The folder of the blueprints' buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    /// Access token, 8 or more letters or digits [default: none, and none is needed on loopback]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// Threads of a solve [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Memory limit of a solve, such as 8G [default: the available memory]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<MemorySize>, allow_hyphen_values = true)]
    memory_limit: Option<MemorySize>,

    /// Time limit of an answer in seconds, 1 to 3600
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..=3600), allow_negative_numbers = true)]
    request_limit: u16,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise serve --open
  equipoise serve --port 8080 --library ~/spots
  equipoise serve --batch folder --open
  equipoise serve --blueprint x.eqb --open
  equipoise serve --host 0.0.0.0 --token correct-horse-battery

JSON: one line when it is ready: `url`, `address`, `library`, `page` (whether it is in the program),
`jobs` (that resume). docs/server.md explains the API; GET /api/v1/openapi.json describes it.";

impl ServeArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let config = self.config()?;
        self.prepare_blueprints()?;
        catch_interrupts()?;
        let server = Server::start(config).map_err(not_started)?;
        self.say_ready(&server, printer)?;
        if self.open {
            open_browser(&server.url());
        }
        while !is_interrupted() {
            thread::sleep(Duration::from_millis(50));
        }
        if server.num_jobs() > 0 {
            note("keeping what has been solved; Ctrl-C again ends at once and loses it");
        }
        server.stop();
        Ok(())
    }

    fn config(&self) -> Result<Config, Failure> {
        let library = self.library.clone().or_else(saved::library).ok_or_else(|| {
            BadInput::new("there is no home folder for the library").help("name a folder with --library DIR")
        })?;
        Ok(Config {
            host: self.host,
            port: self.port,
            batches: self.batches()?,
            blueprints: self.blueprint.clone(),
            buckets: self.buckets.clone(),
            bucket_cache: cache_folder().map(|folder| folder.join("buckets")),
            token: self.token.clone(),
            threads: self.threads.and_then(|threads| NonZeroUsize::new(threads.into())),
            memory_limit: self.memory_limit.map(|size| size.0),
            limits: Limits { request: Duration::from_secs(self.request_limit.into()), ..Limits::default() },
            ..Config::new(library)
        })
    }

    /// Blueprints that are named can be played at once: their buckets are built if they are missing.
    fn prepare_blueprints(&self) -> Result<(), Failure> {
        for path in &self.blueprint {
            let blueprint = blueprint::open(path)?;
            blueprint::buckets::of(&blueprint, self.buckets.as_deref())?;
        }
        Ok(())
    }

    /// The folders of batches, if there is one in each.
    fn batches(&self) -> Result<Vec<PathBuf>, Failure> {
        for folder in &self.batch {
            equipoise_batch::Folder::new(folder).listing().map_err(bad_folder)?;
        }
        Ok(self.batch.clone())
    }

    fn say_ready(&self, server: &Server, printer: &Printer) -> Result<(), Failure> {
        let ready = ReadyDocument {
            schema_version: SCHEMA_VERSION,
            url: server.url(),
            address: server.address().to_string(),
            library: server.library().display().to_string(),
            page: Server::has_page(),
            jobs: server.num_jobs(),
        };
        if self.json.json {
            let mut line = serde_json::to_string(&ready).map_err(std::io::Error::from)?;
            line.push('\n');
            return printer.raw(line.as_bytes());
        }
        let mut text = format!("  {}\n  library: {}\n", ready.url, ready.library);
        if ready.jobs > 0 {
            text.push_str(&format!("  solves that resume: {}\n", ready.jobs));
        }
        text.push_str("  Ctrl-C ends it; what is being solved is kept\n");
        printer.text(&text)?;
        if !ready.page {
            note("this program was built without the page: `make serve` in the source folder builds both");
        }
        Ok(())
    }
}

fn not_started(error: ServeError) -> Failure {
    match &error {
        ServeError::NoToken { .. } => {
            BadInput::new(&error).help("add --token with a secret of your own, or leave out --host").into()
        }
        ServeError::BadToken => BadInput::new(&error).help("such as --token correct-horse-battery").into(),
        ServeError::Listen { source, .. } if source.kind() == std::io::ErrorKind::AddrInUse => {
            BadInput::new(&error)
                .help("another server may be running; --port 0 takes any port that is free")
                .into()
        }
        ServeError::Listen { .. } | ServeError::Library { .. } => BadInput::new(&error).into(),
        _ => Failure::Runtime(error.into()),
    }
}

/// Asks the system for a browser; without one, the address on the terminal has to do.
fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // Waited for, so that it does not stay behind as a zombie.
        Ok(mut child) => drop(thread::spawn(move || child.wait())),
        Err(error) => note(format_args!("cannot open a browser ({program}: {error}): open {url}")),
    }
}
