//! The players of a match, as they are written.

use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use equipoise::blueprint::whole::{Blueprint, BlueprintBuckets};
use equipoise::game::{Chips, HandConfig, Player};
use equipoise::play::{
    AcpcAgent, Agent, AgentError, BlueprintAgent, SearchAgent, SearchStats, Seat, Simple, SimpleAgent,
};

use super::search::SearchText;
use crate::cli::blueprint::{buckets, open};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::note;
use crate::cli::table::{fixed, grouped};
use crate::cli::watch::{catch_interrupts, is_interrupted};

/// A player as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlayerText {
    Simple(Simple),
    Blueprint(PathBuf, Option<SearchText>),
    /// A program that connects to this address.
    Acpc(String),
}

impl FromStr for PlayerText {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerText, String> {
        let all = [Simple::CALL, Simple::FOLD, Simple::RANDOM];
        if let Some(simple) = all.into_iter().find(|simple| simple.name == text) {
            return Ok(PlayerText::Simple(simple));
        }
        if let Some(address) = text.strip_prefix("acpc:") {
            return match address.rsplit_once(':') {
                Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                    Ok(PlayerText::Acpc(address.to_owned()))
                }
                _ => Err(format!("'{address}' is no address: write acpc:HOST:PORT")),
            };
        }
        // Commas belong to a path if such a file is there.
        if Path::new(text).exists() {
            return Ok(PlayerText::Blueprint(text.into(), None));
        }
        let (path, options) = text.split_once(',').unwrap_or((text, ""));
        if path.is_empty() {
            return Err("a player is a blueprint file, call, fold, random or acpc:HOST:PORT".to_owned());
        }
        Ok(PlayerText::Blueprint(path.into(), SearchText::read(options)?))
    }
}

/// A player with what it needs.
pub(super) enum LoadedPlayer {
    Simple(Simple),
    Blueprint {
        path: PathBuf,
        blueprint: Box<Blueprint>,
        buckets: Box<BlueprintBuckets>,
        search: Option<SearchText>,
    },
    Acpc(AcpcAgent),
}

impl PlayerText {
    pub(super) fn load(&self, folder: Option<&Path>, limit: Duration) -> Result<LoadedPlayer, Failure> {
        Ok(match self {
            PlayerText::Simple(simple) => LoadedPlayer::Simple(*simple),
            PlayerText::Acpc(address) => LoadedPlayer::Acpc(wait_for_program(address, limit)?),
            PlayerText::Blueprint(path, search) => {
                let blueprint = open(path)?;
                let buckets = buckets::of(&blueprint, folder)?;
                LoadedPlayer::Blueprint {
                    path: path.clone(),
                    blueprint: Box::new(blueprint),
                    buckets: Box::new(buckets),
                    search: *search,
                }
            }
        })
    }
}

impl LoadedPlayer {
    pub(super) fn blueprint(&self) -> Option<(&Blueprint, &BlueprintBuckets)> {
        match self {
            LoadedPlayer::Blueprint { blueprint, buckets, .. } => Some((&**blueprint, &**buckets)),
            LoadedPlayer::Simple(_) | LoadedPlayer::Acpc(_) => None,
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            LoadedPlayer::Simple(simple) => simple.name.to_owned(),
            LoadedPlayer::Blueprint { path, search: None, .. } => path.display().to_string(),
            LoadedPlayer::Blueprint { path, search: Some(search), .. } => {
                format!("{},{search}", path.display())
            }
            LoadedPlayer::Acpc(agent) => agent.name(),
        }
    }

    /// Whether its hands are played one after another.
    pub(super) fn is_sequential(&self) -> bool {
        matches!(self, LoadedPlayer::Acpc(_))
    }

    /// The player at a table; `place` tells both of a match apart. `at_once` is how many hands are played at the same time, among
    /// which threads and memory are divided.
    pub(super) fn agent(&self, seed: u64, place: u64, at_once: usize) -> PlayerAgent<'_> {
        let seed = seed.wrapping_mul(2).wrapping_add(place);
        match self {
            LoadedPlayer::Simple(simple) => PlayerAgent::Other(Box::new(SimpleAgent { kind: *simple, seed })),
            LoadedPlayer::Acpc(agent) => PlayerAgent::Other(Box::new(agent)),
            LoadedPlayer::Blueprint { blueprint, buckets, search, .. } => {
                let base = BlueprintAgent { name: self.name(), blueprint, buckets, seed };
                match search {
                    None => PlayerAgent::Other(Box::new(base)),
                    Some(search) => {
                        PlayerAgent::Search(Box::new(SearchAgent::new(base, search.resolved(at_once))))
                    }
                }
            }
        }
    }
}

/// A player at a table.
pub(super) enum PlayerAgent<'a> {
    Other(Box<dyn Agent + 'a>),
    Search(Box<SearchAgent<'a>>),
}

impl<'a> PlayerAgent<'a> {
    fn get(&self) -> &(dyn Agent + 'a) {
        match self {
            PlayerAgent::Other(agent) => &**agent,
            PlayerAgent::Search(agent) => &**agent,
        }
    }

    /// Says on standard error what searching took, if anything was searched.
    pub(super) fn note_search(&self) {
        let PlayerAgent::Search(agent) = self else { return };
        let stats: SearchStats = agent.stats();
        if stats.decisions == 0 {
            return;
        }
        let mut text = format!(
            "{}: {} decisions with {} re-solves, {} ms a decision, {} ms at most",
            agent.name(),
            grouped(stats.decisions.into()),
            grouped(stats.resolves.into()),
            fixed(stats.mean_ms(), 1),
            fixed(1000.0 * stats.longest.as_secs_f64(), 0),
        );
        if stats.by_blueprint > 0 {
            let count = grouped(stats.by_blueprint.into());
            text.push_str(&format!(
                "; time or memory did not suffice for {count}, which the blueprint played"
            ));
        }
        note(text);
    }
}

impl Agent for PlayerAgent<'_> {
    fn name(&self) -> String {
        self.get().name()
    }

    fn sit(&self, number: u64, seat: Player) -> Result<Box<dyn Seat + '_>, AgentError> {
        self.get().sit(number, seat)
    }

    fn is_sequential(&self) -> bool {
        self.get().is_sequential()
    }
}

/// How long a program has to connect.
const CONNECTS_WITHIN: Duration = Duration::from_secs(60);

/// Listens at an address until a program connects and greets.
fn wait_for_program(address: &str, limit: Duration) -> Result<AcpcAgent, Failure> {
    let cannot = |error: io::Error| {
        Failure::from(BadInput::new(format!("cannot listen at {address}: {error}")).help(
            "acpc:HOST:PORT is an address of this machine, to which a program connects as to any ACPC dealer",
        ))
    };
    let listener = TcpListener::bind(address).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    catch_interrupts()?;
    note(format!("waiting for a program at {bound}"));
    let begun = Instant::now();
    let stream: TcpStream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(cannot(error)),
        }
        if is_interrupted() {
            return Err(Failure::Interrupted("no program had connected".to_owned()));
        }
        if begun.elapsed() > CONNECTS_WITHIN {
            let seconds = CONNECTS_WITHIN.as_secs();
            return Err(Failure::Runtime(anyhow::anyhow!(
                "no program connected to {bound} within {seconds} s"
            )));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    stream.set_nonblocking(false).map_err(cannot)?;
    AcpcAgent::greet(stream, format!("acpc:{bound}"), limit).map_err(|error| Failure::Runtime(error.into()))
}

/// Stack of a hand, in big blinds.
pub(super) fn stack_bb(config: &HandConfig) -> f64 {
    let stack = config.stacks[Player::Oop].min(config.stacks[Player::Ip]);
    stack.as_f64() / config.big_blind.as_f64()
}

/// Blinds and stacks that players meet at, and the stacks of blueprints that were trained for others.
pub(super) fn table(
    players: &[&LoadedPlayer],
    stack: Option<f64>,
    is_other_allowed: bool,
) -> Result<(HandConfig, Vec<f64>), Failure> {
    let trained: Vec<&HandConfig> = players
        .iter()
        .filter_map(|player| player.blueprint())
        .map(|(blueprint, _)| &blueprint.header().game.hand)
        .collect();
    let config = match (trained.first(), stack) {
        (Some(config), None) => **config,
        (first, stack) => {
            let (small, big) =
                first.map_or((50, 100), |config| (config.small_blind.count(), config.big_blind.count()));
            let chips = (stack.unwrap_or(200.0) * f64::from(big)).round() as u32;
            HandConfig::new(Chips::new(small), Chips::new(big), Chips::new(chips))
        }
    };
    config.check().map_err(BadInput::new)?;
    let wanted = stack_bb(&config);
    let others: Vec<f64> =
        trained.iter().map(|config| stack_bb(config)).filter(|stack| (stack - wanted).abs() > 1e-9).collect();
    match others.first() {
        Some(other) if !is_other_allowed => {
            Err(BadInput::new(format!("a blueprint of {other} bb does not know how to play {wanted} bb"))
                .help("--other-stack plays it all the same, and says so")
                .into())
        }
        _ => Ok((config, others)),
    }
}

/// What is said of blueprints that play another stack than their own.
pub(super) fn other_stacks(others: &[f64], wanted: f64) -> String {
    others
        .iter()
        .map(|other| {
            format!(
                "  note: a blueprint of {other} bb plays {wanted} bb here, which it was not trained for\n"
            )
        })
        .collect()
}
