//! `equipoise rules tree`.

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::Street;
use equipoise::documents::command::{BettingStreetDocument, BettingTreeDocument};
use equipoise::game::{AbstractionCount, BettingAbstraction, BettingAbstractionError, BettingPreset};
use equipoise_files::read_text;
use equipoise_spots::betting_file;

use super::super::failure::{BadInput, Failure};
use super::super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::super::table::{Align, Table, grouped};
use super::{Blinds, StakesArgs, bad_stakes};

/// Count the decisions of a whole heads-up hand with given bet sizes
///
/// The sizes are one of the presets A, B, C and D, or those of a TOML file (docs/whole-hand.md).
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TreeArgs {
    /// The file of bet sizes
    #[arg(value_name = "BETTING.TOML", required_unless_present = "preset")]
    file: Option<PathBuf>,

    /// The bet sizes by name: A, B, C or D
    #[arg(long, value_name = "NAME", value_parser = str::parse::<BettingPreset>, conflicts_with = "file")]
    preset: Option<BettingPreset>,

    /// Small and big blind, in chips
    #[arg(long, value_name = "SMALL,BIG", value_parser = str::parse::<Blinds>, default_value = "50,100")]
    blinds: Blinds,

    #[command(flatten)]
    stakes: StakesArgs,

    /// Give up beyond this many decisions
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    limit: u64,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise rules tree --preset A --stack 2000
  equipoise rules tree sizes.toml --blinds 1,2 --stack 400 --json

JSON: `betting` (the sizes as TOML), `num_lines` to the end of the hand, and for each street in
`streets`
  street, decisions        the decisions of both players
  actions                  the actions of these decisions
  beginnings               betting lines with which the street begins";

impl TreeArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let betting = self.betting()?;
        let config = self.stakes.config(self.blinds);
        let count = AbstractionCount::of(&betting, &config, self.limit).map_err(|error| match &error {
            BettingAbstractionError::Config(error) => bad_stakes(error),
            _ => Failure::from(BadInput::new(&error)),
        })?;
        if self.json.json {
            let street = |street: Street| BettingStreetDocument {
                street: street.to_string(),
                beginnings: count.num_beginnings()[street as usize],
                decisions: count.num_decisions()[street as usize],
                actions: count.num_actions()[street as usize],
            };
            return printer.json(&BettingTreeDocument {
                schema_version: SCHEMA_VERSION,
                betting: betting_file::to_toml(&betting),
                blinds: self.blinds.0.map(equipoise::game::Chips::count),
                ante: self.stakes.ante.count(),
                stack: self.stakes.stack.count(),
                streets: Street::ALL.map(street).into(),
                num_lines: count.num_ends(),
            });
        }
        let columns = [
            ("street", Align::Left),
            ("beginnings", Align::Right),
            ("decisions", Align::Right),
            ("actions", Align::Right),
        ];
        let mut table = Table::new(&columns);
        for street in Street::ALL {
            let counts = [count.num_beginnings(), count.num_decisions(), count.num_actions()];
            let [beginnings, decisions, actions] =
                counts.map(|counts| grouped(counts[street as usize].into()));
            table.row([street.to_string(), beginnings, decisions, actions]);
        }
        let lines = grouped(count.num_ends().into());
        printer.text(&format!("{}\n  {lines} betting lines to the end of the hand\n", table.render()))
    }

    fn betting(&self) -> Result<BettingAbstraction, Failure> {
        let Some(path) = &self.file else {
            return Ok(self.preset.unwrap_or(BettingPreset::A).abstraction());
        };
        let name = path.display();
        let text = read_text(path).map_err(|error| BadInput::new(format!("cannot read {name}: {error}")))?;
        betting_file::parse(&text).map_err(|error| BadInput::new(format!("{name}: {error}")).into())
    }
}
