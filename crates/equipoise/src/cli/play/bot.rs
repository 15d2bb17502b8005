//! `equipoise bot`.

use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equipoise::documents::command::BotDocument;
use equipoise::play::serve_acpc;

use super::matches::StackArgs;
use super::players::{PlayerText, other_stacks, stack_bb, table};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION, note};
use crate::cli::table::grouped;
use crate::cli::watch::{catch_interrupts, is_interrupted};

/// Play a blueprint for a dealer at another address
///
/// The bot connects to a dealer of the Annual Computer Poker Competition (protocol 2.0.0) and plays until that closes the
/// connection.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BotArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// The address of the dealer
    #[arg(long, value_name = "HOST:PORT")]
    acpc: String,

    /// Seed of its choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    stack: StackArgs,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise bot x.eqb --acpc 127.0.0.1:16000

The dealer must play the blinds and stacks of the blueprint, since states do not say them; --stack with --other-stack
plays others. `equipoise match` with acpc:HOST:PORT is such a dealer.

JSON: blueprint, hands, decisions, stack_bb, other_stack_bb, interrupted. Ctrl-C leaves the table.";

impl BotArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let player = PlayerText::Blueprint(self.blueprint.clone());
        let player = player.load(self.buckets.as_deref(), Duration::ZERO)?;
        let (config, others) = table(&[&player], self.stack.stack, self.stack.other_stack)?;
        catch_interrupts()?;
        let stream = TcpStream::connect(&self.acpc).map_err(|error| {
            BadInput::new(format!("cannot connect to {}: {error}", self.acpc))
                .help("--acpc is the HOST:PORT at which the dealer listens")
        })?;
        note(format!("playing for the dealer at {}", self.acpc));
        let agent = player.agent(self.seed, 0);
        let mut go_on = || if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let served = serve_acpc(stream, &*agent, &config, &mut go_on)
            .map_err(|error| Failure::Runtime(error.into()))?;
        let document = BotDocument {
            schema_version: SCHEMA_VERSION,
            blueprint: player.name(),
            hands: served.hands,
            decisions: served.decisions,
            stack_bb: stack_bb(&config),
            other_stack_bb: others,
            interrupted: is_interrupted(),
        };
        if self.json.json {
            return printer.json(&document);
        }
        printer.text(&format!(
            "  {} played {} hands, {} decisions\n{}",
            document.blueprint,
            grouped(document.hands.into()),
            grouped(document.decisions.into()),
            other_stacks(&document.other_stack_bb, document.stack_bb)
        ))
    }
}
