//! `equipoise blueprint match`.

use std::path::PathBuf;

use clap::Args;
use equipoise::blueprint::whole::{Contestant, head_to_head};
use equipoise::documents::command::{HeadToHeadDocument, MeanDocument, SeatsDocument};
use equipoise::game::Player;

use super::{ThreadsArg, buckets, game_error, open};
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{grouped, signed};
use crate::cli::watch::Watch;

/// Play two blueprints of one game against each other
///
/// On every board that is drawn all hands of both players and all betting lines are counted at once, and seats are swapped: ten
/// thousand boards say as much as many millions of played hands.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    /// The first blueprint
    #[arg(value_name = "A.EQB")]
    first: PathBuf,

    /// The second blueprint
    #[arg(value_name = "B.EQB")]
    second: PathBuf,

    /// How many boards to draw, at least 32
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(32..))]
    boards: u64,

    /// What determines which boards
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint match a.eqb b.eqb
  equipoise blueprint match a.eqb b.eqb --boards 2000 --seed 7 --json

JSON: boards, seed, mbb_per_hand (mean, ci95) of the first in thousandths of a big blind, by_seat (sb, bb).
Ctrl-C prints what the boards until then say.";

impl MatchArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let [first, second] = [open(&self.first)?, open(&self.second)?];
        let abstractions = buckets::of_both([&first, &second])?;
        let contestants = [
            Contestant { blueprint: &first, buckets: &abstractions.0 },
            Contestant { blueprint: &second, buckets: abstractions.1.as_ref().unwrap_or(&abstractions.0) },
        ];
        let mut watch = Watch::start()?;
        let won = head_to_head(contestants, self.boards, self.seed, self.threads.get(), &mut watch);
        watch.finish();
        let won = won.map_err(game_error)?;
        let document = HeadToHeadDocument {
            schema_version: SCHEMA_VERSION,
            boards: won.boards,
            seed: self.seed,
            mbb_per_hand: MeanDocument { mean: won.mean, ci95: won.interval() },
            by_seat: SeatsDocument { sb: won.by_seat[Player::Ip], bb: won.by_seat[Player::Oop] },
        };
        if self.json.json {
            return printer.json(&document);
        }
        let [low, high] = document.mbb_per_hand.ci95;
        printer.text(&format!(
            "  {} wins {} mbb/hand (95 % interval {} to {}) over {} boards, both seats\n  as small blind {}, as big blind {} mbb/hand\n",
            self.first.display(),
            signed(won.mean, 1),
            signed(low, 1),
            signed(high, 1),
            grouped(won.boards.into()),
            signed(document.by_seat.sb, 1),
            signed(document.by_seat.bb, 1)
        ))
    }
}
