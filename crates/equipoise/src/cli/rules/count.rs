//! `equipoise rules count`.

use clap::Args;
use equipoise::cards::Street;
use equipoise::documents::command::{CountDocument, SequencesDocument};
use equipoise::game::{GameCount, GameCountError};

use super::super::failure::{BadInput, Failure};
use super::super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::super::table::{Align, Table};
use super::{Blinds, StakesArgs, bad_stakes};

/// Count every betting sequence, game state and information set of heads-up no-limit hold'em
///
/// A sequence is counted on the street on which a player acts after it. Every whole number of chips is a bet of its own, and the
/// bounds are those of the rules that hands are replayed by.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CountArgs {
    /// Small and big blind, in chips
    #[arg(long, value_name = "SMALL,BIG", value_parser = str::parse::<Blinds>)]
    blinds: Blinds,

    #[command(flatten)]
    stakes: StakesArgs,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise rules count --blinds 1,2 --stack 400
  equipoise rules count --blinds 1,2 --stack 20 --json

JSON, numbers as strings since they are large:
  sequences                by street (preflop, flop, turn, river)
  states                   sequences with all deals of both hands and the board
  infosets                 sequences with all deals of one hand and the board";

impl CountArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let config = self.stakes.config(self.blinds);
        let count = GameCount::of(&config).map_err(|error| match &error {
            GameCountError::Config(error) => bad_stakes(error),
            _ => BadInput::new(&error).into(),
        })?;
        let [preflop, flop, turn, river] = count.sequences().each_ref().map(ToString::to_string);
        if self.json.json {
            return printer.json(&CountDocument {
                schema_version: SCHEMA_VERSION,
                blinds: self.blinds.0.map(equipoise::game::Chips::count),
                ante: self.stakes.ante.count(),
                stack: self.stakes.stack.count(),
                sequences: SequencesDocument { preflop, flop, turn, river },
                states: count.states().to_string(),
                infosets: count.infosets().to_string(),
            });
        }
        let mut table = Table::new(&[("", Align::Left), ("count", Align::Right)]);
        for (street, count) in Street::ALL.into_iter().zip([preflop, flop, turn, river]) {
            table.row([format!("betting sequences, {street}"), count]);
        }
        table.row(["game states".to_owned(), count.states().to_string()]);
        table.row(["information sets".to_owned(), count.infosets().to_string()]);
        printer.text(&table.render())
    }
}
