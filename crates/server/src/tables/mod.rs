//! Tables where a person plays against a blueprint. They are kept in memory, each under an id that nobody can guess.

mod blueprints;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use equipoise_cards::Street;
use equipoise_documents::api::{SittingDocument, SittingReportDocument, TableFacts};
use equipoise_game::{Chips, HandConfig, PerPlayer};
use equipoise_play::{ReviewOptions, Search, Sitting, SittingOptions, Strategy};
use equipoise_run::memory::{self, MemorySize};
use serde::Deserialize;

use crate::config::Config;
use crate::error::ApiError;
use crate::library::locked;
pub(crate) use blueprints::Blueprints;
use blueprints::Opened;

/// Tables at a time; one that nobody has used longest makes room.
const MOST: usize = 64;
/// A table that nobody has used for so long is cleared.
const IDLE: Duration = Duration::from_secs(24 * 3600);
/// Seconds for a decision if nothing else is said.
const SECONDS: f64 = 3.0;
/// Whoever asks for a decision waits for its answer, and an answer has a time limit.
const MOST_SECONDS: f64 = 30.0;
const LEAST_SECONDS: f64 = 0.05;

/// What is asked for with a new table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableRequest {
    pub(crate) blueprint: String,
    #[serde(default = "first_seconds")]
    seconds: f64,
    /// Iterations of a re-solve instead of seconds.
    iterations: Option<u32>,
    #[serde(default)]
    search: SearchFrom,
    #[serde(default)]
    coach: bool,
    stack_bb: Option<f64>,
    #[serde(default)]
    other_stack: bool,
    seed: Option<u64>,
}

const fn first_seconds() -> f64 {
    SECONDS
}

/// What may change at a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableChange {
    seconds: Option<f64>,
    coach: Option<bool>,
}

/// The first street that the bot re-solves.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchFrom {
    None,
    River,
    #[default]
    Turn,
    Flop,
}

impl SearchFrom {
    const fn street(self) -> Option<Street> {
        match self {
            SearchFrom::None => None,
            SearchFrom::River => Some(Street::River),
            SearchFrom::Turn => Some(Street::Turn),
            SearchFrom::Flop => Some(Street::Flop),
        }
    }
}

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    id: String,
    opened: Arc<Opened>,
    seconds: f64,
    pub(crate) coach: bool,
    pub(crate) sitting: Sitting,
    /// The most bytes that anything may take here.
    allowed: Option<u64>,
}

/// What a re-solve may take: half of what is left now, since solves of the queue take memory too.
fn memory_limit(allowed: Option<u64>) -> Option<u64> {
    memory::limit(allowed.map(MemorySize)).map(|limit| limit / 2)
}

impl Table {
    pub(crate) fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened)
    }

    /// The sitting with what the bot plays by.
    pub(crate) fn play(&mut self) -> (&mut Sitting, Strategy<'_>) {
        self.sitting.set_memory_limit(memory_limit(self.allowed));
        (&mut self.sitting, self.opened.strategy())
    }

    pub(crate) fn document(&self) -> SittingDocument {
        let facts = TableFacts {
            id: &self.id,
            blueprint: &self.opened.id,
            trained_bb: self.opened.stack_bb(),
            seconds: self.seconds,
            coach: self.coach,
        };
        SittingDocument::new(&facts, &self.sitting)
    }

    pub(crate) fn report(&self) -> SittingReportDocument {
        SittingReportDocument::new(&self.sitting, self.opened.id.clone(), self.opened.stack_bb())
    }

    /// Takes what may change.
    pub(crate) fn change(&mut self, change: &TableChange, limit: Duration) -> Result<(), ApiError> {
        if let Some(seconds) = change.seconds {
            self.sitting.set_time(checked_seconds(seconds, limit)?);
            self.seconds = seconds;
        }
        self.coach = change.coach.unwrap_or(self.coach);
        Ok(())
    }
}

/// One at a time plays at a table; the others wait.
pub(crate) type Shared = Arc<tokio::sync::Mutex<Table>>;

#[derive(Debug)]
struct Seat {
    table: Shared,
    used: Instant,
}

/// All tables.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) blueprints: Blueprints,
    seats: Mutex<HashMap<String, Seat>>,
}

impl Tables {
    pub(crate) fn new(blueprints: Blueprints) -> Tables {
        Tables { blueprints, seats: Mutex::default() }
    }

    /// Sits down at a new table, where the first hand is dealt.
    pub(crate) fn add(
        &self,
        request: &TableRequest,
        config: &Config,
        threads: usize,
    ) -> Result<Table, ApiError> {
        let opened = self.blueprints.open(&request.blueprint)?;
        let options = request.options(&opened, config, threads)?;
        let sitting = Sitting::new(options).map_err(|error| ApiError::bad_input(error).at_key("stack_bb"))?;
        let id = random_id()?;
        let (seconds, coach, allowed) = (request.seconds, request.coach, config.memory_limit);
        let mut table = Table { id, opened, seconds, coach, sitting, allowed };
        let (sitting, strategy) = (&mut table.sitting, table.opened.strategy());
        sitting.deal(&strategy).map_err(ApiError::internal)?;
        Ok(table)
    }

    /// Keeps a table; those that nobody used for long make room.
    pub(crate) fn keep(&self, table: Table) -> Shared {
        let mut seats = locked(&self.seats);
        seats.retain(|_, seat| seat.used.elapsed() < IDLE);
        while seats.len() >= MOST {
            let oldest = seats.iter().min_by_key(|(_, seat)| seat.used).map(|(id, _)| id.clone());
            let Some(oldest) = oldest else { break };
            seats.remove(&oldest);
        }
        let id = table.id.clone();
        let table = Arc::new(tokio::sync::Mutex::new(table));
        seats.insert(id, Seat { table: Arc::clone(&table), used: Instant::now() });
        table
    }

    pub(crate) fn find(&self, id: &str) -> Result<Shared, ApiError> {
        let mut seats = locked(&self.seats);
        let seat = seats.get_mut(id).filter(|seat| seat.used.elapsed() < IDLE).ok_or_else(no_table)?;
        seat.used = Instant::now();
        Ok(Arc::clone(&seat.table))
    }

    pub(crate) fn remove(&self, id: &str) -> Result<(), ApiError> {
        locked(&self.seats).remove(id).map(drop).ok_or_else(no_table)
    }
}

fn no_table() -> ApiError {
    ApiError::not_found(
        "there is no such table: it was left, nobody used it for a day, or the server was restarted",
    )
    .help("POST /api/v1/play sits down at a new one")
}

impl TableRequest {
    fn options(&self, opened: &Opened, config: &Config, threads: usize) -> Result<SittingOptions, ApiError> {
        let time = checked_seconds(self.seconds, config.limits.request)?;
        if self.iterations == Some(0) {
            return Err(ApiError::bad_input("a re-solve has at least one iteration").at_key("iterations"));
        }
        let time = self.iterations.is_none().then_some(time);
        let max_iterations = self.iterations.unwrap_or(u32::MAX);
        let threads = std::num::NonZeroUsize::new(threads);
        let memory_limit = memory_limit(config.memory_limit);
        let from = self.search.street();
        let mode = equipoise_blueprint::resolve::Mode::default();
        Ok(SittingOptions {
            config: self.stakes(opened)?,
            seed: self.seed.map_or_else(random_seed, Ok)?,
            search: from.map(|from| Search { from, mode, time, max_iterations, threads, memory_limit }),
            review: ReviewOptions {
                from,
                max_iterations,
                time,
                threads,
                memory_limit,
                ..ReviewOptions::default()
            },
        })
    }

    /// Blinds and stacks: those of the blueprint, unless others are asked for and allowed.
    fn stakes(&self, opened: &Opened) -> Result<HandConfig, ApiError> {
        let trained = opened.blueprint.header().game.hand;
        let (wanted, own) = (self.stack_bb, opened.stack_bb());
        let Some(wanted) = wanted.filter(|wanted| (wanted - own).abs() > 1e-9) else { return Ok(trained) };
        if !(1.0..=100_000.0).contains(&wanted) {
            let message = format!("a stack of {wanted} bb: there are stacks from 1 to 100000 big blinds");
            return Err(ApiError::bad_input(message).at_key("stack_bb"));
        }
        if !self.other_stack {
            let message = format!("a blueprint of {own} bb does not know how to play {wanted} bb");
            let help = "with \"other_stack\": true it plays them all the same, and says so";
            return Err(ApiError::bad_input(message).at_key("stack_bb").help(help));
        }
        let chips = (wanted * trained.big_blind.as_f64()).round();
        Ok(HandConfig { stacks: PerPlayer::from_fn(|_| Chips::new(chips as u32)), ..trained })
    }
}

/// A time for decisions within the limit of an answer.
fn checked_seconds(seconds: f64, limit: Duration) -> Result<Duration, ApiError> {
    let most = MOST_SECONDS.min(limit.as_secs_f64() / 2.0);
    if (LEAST_SECONDS..=most).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    let message = format!("a decision takes from {LEAST_SECONDS} to {most} seconds here, not {seconds}");
    let help = "half of the time limit of an answer at most, which `equipoise serve --request-limit` sets";
    Err(ApiError::bad_input(message).at_key("seconds").help(help))
}

fn random_bytes<const LEN: usize>() -> Result<[u8; LEN], ApiError> {
    let mut bytes = [0; LEN];
    getrandom::fill(&mut bytes)
        .map_err(|error| ApiError::internal(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// Whoever knew it would know the bot's cards.
fn random_seed() -> Result<u64, ApiError> {
    random_bytes().map(u64::from_le_bytes)
}

fn random_id() -> Result<String, ApiError> {
    let bytes: [u8; 16] = random_bytes()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
