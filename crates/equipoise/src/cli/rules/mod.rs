//! `equipoise rules`.

mod count;
mod tree;

use clap::{Args, Subcommand};
use equipoise::game::{Chips, ChipsError, HandConfig, HandConfigError, PerPlayer};

use super::failure::{BadInput, Failure};
use super::print::Printer;

/// Count the betting of a whole heads-up hand
#[derive(Args)]
#[command(after_long_help = EXAMPLES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise rules count --blinds 1,2 --stack 400
  equipoise rules tree --preset B --stack 10000";

#[derive(Subcommand)]
enum RulesCommand {
    Count(count::CountArgs),
    Tree(tree::TreeArgs),
}

impl RulesArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            RulesCommand::Count(args) => args.run(printer),
            RulesCommand::Tree(args) => args.run(printer),
        }
    }
}

/// The small and the big blind, as in `50,100`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blinds(pub(crate) [Chips; 2]);

impl std::str::FromStr for Blinds {
    type Err = String;

    fn from_str(text: &str) -> Result<Blinds, String> {
        let chips = |text: &str| text.trim().parse::<Chips>().map_err(|error: ChipsError| error.to_string());
        match text.split_once(',') {
            Some((small, big)) if !big.contains(',') => Ok(Blinds([chips(small)?, chips(big)?])),
            _ => Err("write the small and the big blind in chips, as in 50,100".to_owned()),
        }
    }
}

/// Blinds, antes and stacks in chips.
#[derive(Args)]
struct StakesArgs {
    /// Stack of both players before posting, in chips
    #[arg(long, value_name = "CHIPS", value_parser = str::parse::<Chips>, allow_negative_numbers = true)]
    stack: Chips,

    /// Ante of each player, in chips
    #[arg(long, value_name = "CHIPS", value_parser = str::parse::<Chips>, default_value = "0", allow_negative_numbers = true)]
    ante: Chips,
}

impl StakesArgs {
    fn config(&self, Blinds([small, big]): Blinds) -> HandConfig {
        let antes = PerPlayer::new(self.ante, self.ante);
        HandConfig { antes, ..HandConfig::new(small, big, self.stack) }
    }
}

fn bad_stakes(error: &HandConfigError) -> Failure {
    BadInput::new(error).into()
}
