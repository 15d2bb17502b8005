//! `equipoise match`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equipoise::documents::command::{MatchDocument, MatchMeans, MeanDocument};
use equipoise::play::{MatchOptions, MatchOutcome, ValueModel, play_match};

use super::log::MatchLog;
use super::players::{PlayerAgent, PlayerText, other_stacks, stack_bb, table};
use crate::cli::blueprint::ThreadsArg;
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{grouped, signed};
use crate::cli::watch::Watch;

/// Play two players against each other, hand by hand, with duplicate deals
///
/// Every deal is played twice with the seats swapped. What the first player wins is given as it was played, and with the luck
/// of the cards and of known choices taken out (AIVAT), which has the same mean and a smaller interval.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    /// The first player: a blueprint file, call, fold, random, or acpc:HOST:PORT for a program that connects there
    #[arg(value_name = "A")]
    first: PlayerText,

    /// The second player
    #[arg(value_name = "B")]
    second: PlayerText,

    /// Number of hands, both of each pair counted; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    hands: u64,

    /// Seed of cards and choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    stack: StackArgs,

    /// Time limit of a connected program for a decision, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,

    /// Write every hand to a file as a line of an ACPC log
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Replace the log if it exists
    #[arg(long, requires = "log")]
    force: bool,

    /// The folder of the buckets [default: a cache]
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    json: JsonArg,
}

#[derive(Args)]
pub(super) struct StackArgs {
    /// Stacks in big blinds [default: those of the blueprint, otherwise 200]
    #[arg(long, value_name = "BB", value_parser = big_blinds, allow_negative_numbers = true)]
    pub(super) stack: Option<f64>,

    /// Let a blueprint play stacks that it was not trained for
    #[arg(long)]
    pub(super) other_stack: bool,
}

pub(super) fn big_blinds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (1.0..=100_000.0).contains(&number) => Ok(number),
        _ => Err(format!("'{text}' is no stack in big blinds, from 1 to 100000")),
    }
}

const EXAMPLES: &str = "\
Examples:
  equipoise match x.eqb call --hands 10000 --seed 1
  equipoise match x.eqb y.eqb --hands 100000 --log match.log --json
  equipoise match call random --stack 50
  equipoise match x.eqb,search=turn x.eqb --hands 2000
  equipoise match x.eqb acpc:127.0.0.1:16000 --hands 3000 --log match.log

A blueprint plays by its own strategy; bets that it does not have are taken for their neighbours (`equipoise
translate`). With search=river, turn or flop it re-solves every decision from that street on, bets that were made put
into the tree: x.eqb,search=turn,iterations=200 (the default; the same on every machine), x.eqb,search=turn,seconds=1
(for at most that time), and mode=estimate, resolve, maxmargin or unsafe (`equipoise resolve`). Call checks and calls; fold folds to any bet; random folds, calls and raises equally often, to any legal
total. With acpc:HOST:PORT the command is a dealer that listens there: any program that speaks the ACPC protocol 2.0.0
connects and plays. If it leaves, sends nonsense or takes too long, the match ends, exit code 1, and what was played is
reported. Without a blueprint there are 200 big blinds, blinds 50/100.

AIVAT corrects for the cards and for the choices of players whose chances are known. Its value function is the first
blueprint's play against itself for the rest of a street and showdowns from then on; without a blueprint, showdowns.

JSON: players, hands, seed, big_blind, stack_bb, mbb_per_hand: raw and aivat (mean, ci95) of the first player in
thousandths of a big blind; other_stack_bb, interrupted, failed. A pair of hands is one observation. Ctrl-C reports
what was played.";

impl MatchArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let folder = self.buckets.as_deref();
        let limit = Duration::from_secs(self.limit);
        let players = [self.first.load(folder, limit)?, self.second.load(folder, limit)?];
        let [first, second] = &players;
        let (config, others) = table(&[first, second], self.stack.stack, self.stack.other_stack)?;
        let names = [first.name(), second.name()];
        let is_sequential = first.is_sequential() || second.is_sequential();
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let at_once = match is_sequential {
            true => 1,
            false => self.threads.get().map_or(processors, NonZeroUsize::get),
        };
        let agents = [first.agent(self.seed, 0, at_once), second.agent(self.seed, 1, at_once)];
        let stack_bb = stack_bb(&config);
        let big_blind = config.big_blind.count();
        let options = MatchOptions {
            config,
            pairs: self.hands.div_ceil(2),
            seed: self.seed,
            threads: self.threads.get(),
            model: ValueModel { blueprint: first.blueprint().or(second.blueprint()) },
        };
        let mut log =
            self.log.as_deref().map(|path| MatchLog::begin(path, names.clone(), self.force)).transpose()?;
        let mut watch = Watch::start()?;
        let outcome =
            play_match([&agents[0], &agents[1]], &options, &mut watch, &mut |hand, seat| match &mut log {
                Some(log) => log.hand(hand, seat),
                None => Ok(()),
            });
        watch.finish();
        agents.iter().for_each(PlayerAgent::note_search);
        let outcome = outcome?;
        log.map_or(Ok(()), MatchLog::end)?;
        let MatchOutcome { hands, raw, aivat, failed, interrupted, .. } = outcome;
        let document = MatchDocument {
            schema_version: SCHEMA_VERSION,
            players: names,
            hands,
            seed: self.seed,
            big_blind,
            stack_bb,
            mbb_per_hand: MatchMeans {
                raw: MeanDocument::of_estimate(&raw),
                aivat: MeanDocument::of_estimate(&aivat),
            },
            other_stack_bb: others,
            interrupted,
            failed: failed.as_ref().map(ToString::to_string),
        };
        if self.json.json {
            printer.json(&document)?;
        } else {
            printer.text(&report(&document))?;
        }
        match failed {
            Some(error) => Err(Failure::Runtime(
                anyhow::Error::new(error).context(format!("the match ended after {hands} hands")),
            )),
            None => Ok(()),
        }
    }
}

/// A line of a report.
pub(super) fn mean_line(what: &str, mean: &MeanDocument) -> String {
    format!(
        "  {what:<10} {:>10} mbb/hand (95 % interval {} to {})\n",
        signed(mean.mean, 1),
        signed(mean.ci95[0], 1),
        signed(mean.ci95[1], 1)
    )
}

fn report(document: &MatchDocument) -> String {
    let [first, second] = &document.players;
    format!(
        "  {first} against {second}: {} hands, {} bb, seed {}; what the first wins\n{}{}{}{}",
        grouped(document.hands.into()),
        document.stack_bb,
        document.seed,
        mean_line("as played", &document.mbb_per_hand.raw),
        mean_line("AIVAT", &document.mbb_per_hand.aivat),
        other_stacks(&document.other_stack_bb, document.stack_bb),
        if document.interrupted { "  interrupted: this is what was played until then\n" } else { "" }
    )
}
