//! `equipoise lbr`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use equipoise::cards::Street;
use equipoise::documents::command::{LbrDocument, MeanDocument};
use equipoise::play::{LbrError, LbrMenu, LbrOptions, Opponent, local_best_response};

use super::matches::StackArgs;
use super::players::{LoadedPlayer, PlayerText, other_stacks, stack_bb, table};
use crate::cli::blueprint::{ThreadsArg, game_error};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{grouped, signed};
use crate::cli::watch::Watch;

/// Bound a strategy's exploitability from below by local best response
///
/// Local best response keeps track of every hand that the player may have, and takes the action that is worth most if both
/// check and call from then on. A best response wins at least as much; a small number says nothing good.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct LbrArgs {
    /// Its opponent: a blueprint file, call, fold or random
    #[arg(value_name = "PLAYER")]
    player: PlayerText,

    /// Its actions
    #[arg(long, value_enum, default_value = "fcpa")]
    menu: MenuArg,

    /// Its first and last street, 1 being before the flop; on others it checks and calls
    #[arg(long, value_name = "FIRST-LAST", default_value = "1-4")]
    streets: Streets,

    /// Number of hands, half of them in each seat
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000_000))]
    hands: u64,

    /// Seed of cards and choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    stack: StackArgs,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise lbr x.eqb --streets 3-4
  equipoise lbr call --menu fcpa --streets 1-4 --hands 10000 --json

Menus: fc is fold and call, fcpa also a bet of the pot and all-in.

JSON: player, menu, streets, hands, seed, stack_bb, mbb_per_hand (mean, ci95) of the responder in thousandths of a big
blind, interrupted. Ctrl-C reports what was played.";

#[derive(Clone, Copy, ValueEnum)]
enum MenuArg {
    /// Fold and call
    Fc,
    /// Fold, call, a bet of the pot, and all-in
    Fcpa,
}

#[derive(Clone, Copy, Debug)]
struct Streets(u8, u8);

impl FromStr for Streets {
    type Err = String;

    fn from_str(text: &str) -> Result<Streets, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u8>().ok().filter(|number| (1..=4).contains(number));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Streets(first, last)),
            _ => Err(format!("'{text}' are no streets: 1-4 are all, 3-4 turn and river, 4 the river")),
        }
    }
}

impl LbrArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        if matches!(self.player, PlayerText::Acpc(_)) {
            return Err(BadInput::new("local best response needs to know the strategy of the player")
                .help("it plays blueprints, call, fold and random")
                .into());
        }
        if matches!(self.player, PlayerText::Blueprint(_, Some(_))) {
            return Err(BadInput::new("local best response plays blueprints by their own strategy")
                .help("leave search= out")
                .into());
        }
        let player = self.player.load(self.buckets.as_deref(), Duration::from_secs(1))?;
        let (config, others) = table(&[&player], self.stack.stack, self.stack.other_stack)?;
        let opponent = match &player {
            LoadedPlayer::Simple(simple) => Opponent::Simple(*simple),
            LoadedPlayer::Blueprint { blueprint, buckets, .. } => Opponent::Blueprint(blueprint, buckets),
            LoadedPlayer::Acpc(_) => unreachable!("it was refused"),
        };
        let street = |number: u8| Street::ALL[usize::from(number) - 1];
        let stack_bb = stack_bb(&config);
        let options = LbrOptions {
            config,
            menu: match self.menu {
                MenuArg::Fc => LbrMenu::Fc,
                MenuArg::Fcpa => LbrMenu::Fcpa,
            },
            streets: (street(self.streets.0), street(self.streets.1)),
            hands: self.hands,
            seed: self.seed,
            threads: self.threads.get(),
        };
        let mut watch = Watch::start()?;
        let outcome = local_best_response(opponent, &options, &mut watch);
        watch.finish();
        let outcome = outcome.map_err(|error| match error {
            LbrError::Buckets(error) => game_error(error),
            error => Failure::Runtime(error.into()),
        })?;
        if outcome.interrupted && outcome.won.count < 2 {
            return Err(Failure::Interrupted("too few hands were played".to_owned()));
        }
        if outcome.won.count < 2 {
            return Err(BadInput::new("fewer than four hands have no interval")
                .help("play more of them")
                .into());
        }
        let document = LbrDocument {
            schema_version: SCHEMA_VERSION,
            player: player.name(),
            menu: match self.menu {
                MenuArg::Fc => "fc",
                MenuArg::Fcpa => "fcpa",
            },
            streets: [self.streets.0, self.streets.1],
            hands: outcome.hands,
            seed: self.seed,
            stack_bb,
            mbb_per_hand: MeanDocument::of_estimate(&outcome.won),
            interrupted: outcome.interrupted,
        };
        if self.json.json {
            return printer.json(&document);
        }
        let [low, high] = document.mbb_per_hand.ci95;
        printer.text(&format!(
            "  {} wins {} mbb/hand (95 % interval {} to {}) from {}, {} bb, {} hands, seed {}\n  a lower bound: a best response wins at least as much\n{}{}",
            document.menu,
            signed(document.mbb_per_hand.mean, 1),
            signed(low, 1),
            signed(high, 1),
            document.player,
            document.stack_bb,
            grouped(document.hands.into()),
            document.seed,
            other_stacks(&others, document.stack_bb),
            if document.interrupted { "  interrupted: this is what was played until then\n" } else { "" }
        ))
    }
}
