//! `equipoise bot`.

use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equipoise::documents::command::{BotDocument, MatchMeans, MeanDocument};
use equipoise::game::HandConfig;
use equipoise::play::{AgentError, Api, ApiAddress, ApiOptions, ApiOutcome, play_api, serve_acpc};

use super::log::LineLog;
use super::matches::{StackArgs, mean_line};
use super::players::{LoadedPlayer, PlayerAgent, PlayerText, other_stacks, stack_bb, table};
use super::search::SearchArgs;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::table::grouped;
use crate::cli::watch::{catch_interrupts, is_interrupted};

/// Play a blueprint for a dealer at another address
///
/// The bot connects to a dealer of the Annual Computer Poker Competition (protocol 2.0.0) and plays until that closes the
/// connection, or it plays hands through the API of another bot. Turns and rivers are re-solved, and the best found within
/// --seconds is played.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BotArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    #[command(flatten)]
    place: PlaceArgs,

    /// How many hands are played through an API
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    hands: u64,

    /// Write every answer of an API that ends a hand to a file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "acpc")]
    log: Option<PathBuf>,

    /// Replace the log if it exists
    #[arg(long, requires = "log")]
    force: bool,

    /// How many seconds an answer of an API may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,

    /// Seed of its choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    stack: StackArgs,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct PlaceArgs {
    /// The address of a dealer
    #[arg(long, value_name = "HOST:PORT")]
    acpc: Option<String>,

    /// The address of Slumbot's API, such as https://slumbot.com
    #[arg(long, value_name = "URL", value_parser = str::parse::<ApiAddress>)]
    slumbot: Option<ApiAddress>,

    /// The address of GTO Wizard's API for researchers; the key is read from the environment variable GTOWIZARD_API_KEY
    #[arg(long, value_name = "URL", value_parser = str::parse::<ApiAddress>)]
    gto_wizard: Option<ApiAddress>,
}

const EXAMPLES: &str = "\
Examples:
  equipoise bot x.eqb --acpc 127.0.0.1:16000
  equipoise bot x.eqb --acpc 127.0.0.1:16000 --search river --seconds 0.5
  equipoise bot x200.eqb --slumbot https://slumbot.com --hands 1000 --log slumbot.log

The dealer must play the blinds and stacks of the blueprint, since states do not say them; --stack with --other-stack
plays others. `equipoise match` with acpc:HOST:PORT is such a dealer. Both APIs play 200 big blinds, blinds 50/100, and
begin every hand with whole stacks. Addresses with https need the program curl. `equipoise history` reads a log of
Slumbot's.

JSON: blueprint, hands, decisions, stack_bb, other_stack_bb, mbb_per_hand (through an API: raw, and aivat if the API says it),
interrupted, failed. Ctrl-C leaves the table. If an API does not answer or sends nonsense, what was played is reported,
exit code 1.";

impl BotArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let player = PlayerText::Blueprint(self.blueprint.clone(), self.search.text());
        let player = player.load(self.buckets.as_deref(), Duration::ZERO)?;
        let (config, others) = table(&[&player], self.stack.stack, self.stack.other_stack)?;
        catch_interrupts()?;
        let agent = player.agent(self.seed, 0, 1);
        let played = match (&self.place.acpc, &self.place.slumbot, &self.place.gto_wizard) {
            (_, Some(address), _) => self.through(Api::Slumbot, address, &agent, config),
            (_, _, Some(address)) => self.through(Api::GtoWizard, address, &agent, config),
            (acpc, ..) => serve(acpc.as_deref().unwrap_or_default(), &agent, &config),
        };
        agent.note_search();
        self.report(printer, &player, played?, &config, others)
    }

    fn through(
        &self,
        api: Api,
        address: &ApiAddress,
        agent: &PlayerAgent<'_>,
        config: HandConfig,
    ) -> Result<Played, Failure> {
        if stack_bb(&config) != 200.0 {
            return Err(BadInput::new("the API plays 200 big blinds")
                .help("a blueprint of another stack plays them with --stack 200 --other-stack, and says so")
                .into());
        }
        let mut log = self.log.as_deref().map(|path| LineLog::begin(path, self.force)).transpose()?;
        let key = std::env::var("GTOWIZARD_API_KEY").ok().filter(|_| api == Api::GtoWizard);
        let limit = Duration::from_secs(self.limit);
        let options = ApiOptions { address: address.clone(), key, hands: self.hands, limit, config };
        note(format!("playing {} hands at {address}", grouped(self.hands.into())));
        let outcome = play_api(api, agent, &options, &mut go_on, &mut |line| match &mut log {
            Some(log) => log.line(line).map_err(|error| AgentError::Connection {
                name: "the log".to_owned(),
                reason: format!("{error:?}"),
            }),
            None => Ok(()),
        });
        let ApiOutcome { hands, decisions, won, corrected, failed, .. } = outcome;
        let raw = MeanDocument::of_estimate(&won);
        let means = (hands > 0).then(|| MatchMeans {
            aivat: corrected.as_ref().map_or(raw.clone(), MeanDocument::of_estimate),
            raw,
        });
        Ok(Played { hands, decisions, means, has_aivat: corrected.is_some(), failed })
    }

    fn report(
        &self,
        printer: &Printer,
        player: &LoadedPlayer,
        played: Played,
        config: &HandConfig,
        others: Vec<f64>,
    ) -> Result<(), Failure> {
        let Played { hands, decisions, means, has_aivat, failed } = played;
        let document = BotDocument {
            schema_version: SCHEMA_VERSION,
            blueprint: player.name(),
            hands,
            decisions,
            stack_bb: stack_bb(config),
            other_stack_bb: others,
            mbb_per_hand: means,
            interrupted: is_interrupted(),
            failed: failed.as_ref().map(ToString::to_string),
        };
        if self.json.json {
            printer.json(&document)?;
        } else {
            let won = document.mbb_per_hand.as_ref().map_or_else(String::new, |means| {
                let aivat = if has_aivat { mean_line("AIVAT", &means.aivat) } else { String::new() };
                format!("{}{aivat}", mean_line("won", &means.raw))
            });
            printer.text(&format!(
                "  {} played {} hands, {} decisions\n{won}{}",
                document.blueprint,
                grouped(document.hands.into()),
                grouped(document.decisions.into()),
                other_stacks(&document.other_stack_bb, document.stack_bb)
            ))?;
        }
        match failed {
            Some(error) => {
                let error = anyhow::Error::new(error).context(format!("play ended after {hands} hands"));
                Err(Failure::Runtime(error))
            }
            None => Ok(()),
        }
    }
}

/// What came of it, wherever it was played.
struct Played {
    hands: u64,
    decisions: u64,
    means: Option<MatchMeans>,
    has_aivat: bool,
    failed: Option<AgentError>,
}

fn go_on() -> ControlFlow<()> {
    if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Plays for a dealer.
fn serve(address: &str, agent: &PlayerAgent<'_>, config: &HandConfig) -> Result<Played, Failure> {
    let stream = TcpStream::connect(address).map_err(|error| {
        BadInput::new(format!("cannot connect to {address}: {error}"))
            .help("--acpc is the HOST:PORT at which the dealer listens")
    })?;
    note(format!("playing for the dealer at {address}"));
    let served = serve_acpc(stream, agent, config, &mut go_on);
    let served = served.map_err(|error| Failure::Runtime(error.into()))?;
    let (hands, decisions) = (served.hands, served.decisions);
    Ok(Played { hands, decisions, means: None, has_aivat: false, failed: None })
}
