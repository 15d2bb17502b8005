//! `equipoise equity`.

mod report;

use clap::{Args, ValueEnum};
use equipoise::documents::{EquitiesBy, EquityDocument};

use super::equity_query::{EquityQuery, EquityQueryArgs, check_interrupted};
use super::failure::Failure;
use super::print::{JsonArg, Printer};
use super::range::GRAMMAR;

pub(crate) use report::{method_line, players_table};

/// Compute every player's equity: the share of the pot, win plus tie share
///
/// A player is two known cards (AhAd), one known card (Ah), a range (QQ+,AKs:0.5), or nothing known (random, or an
/// empty argument). Text is read as cards if it can be, otherwise as a range.
///
/// Every deal is counted if that is quick; otherwise deals are sampled until the standard error is small enough. A
/// deal weighs as much as the product of its combos' weights, deals in which two players hold the same card do not
/// exist, and a tie of k players pays 1/k to each.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{GRAMMAR}"))]
pub(crate) struct EquityArgs {
    /// Cards or range of each player, 2 to 23 players
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,

    #[command(flatten)]
    query: EquityQueryArgs,

    /// Also list each player's equity by class (AKs) or by combo (AhKh)
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise equity AhAd KcKs
  equipoise equity AhKh random --board QsJh2h
  equipoise equity 'QQ+,AK' 'JJ,TT,AQs' '98s,87s' --exact
  equipoise equity AsKs QQ --dead AcAd --json
  equipoise equity random random random --std-error 0.0001 --seed 7
  equipoise equity 'TT+,AQs+' '22+:0.5' --by class

JSON: `mode` (exact or monte-carlo), `deals`, `std_error` (the largest of the players'), `elapsed_s`,
`interrupted`, `board`, `dead`, `seed`, and in `players` for each one
  input, expansion         what was written and what it stands for
  combos                   how many the player may hold once known cards are removed
  equity, win, tie         fractions of 1; tie is the probability of sharing, not the share
  std_error                of the equity; 0 if exact
  by_class, by_combo       with --by: how often each is held, and its numbers";

/// What equities are listed by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The 169 classes such as AKs
    Class,
    /// The 1,326 combos such as AhKh
    Combo,
}

impl From<By> for EquitiesBy {
    fn from(by: By) -> EquitiesBy {
        match by {
            By::Class => EquitiesBy::Class,
            By::Combo => EquitiesBy::Combo,
        }
    }
}

impl EquityArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let query = self.query.resolve(&self.players, self.by.is_some())?;
        let result = query.equity()?;
        if self.json.json {
            let EquityQuery { inputs, matchup, options } = &query;
            let by = self.by.map(EquitiesBy::from);
            printer.json(&EquityDocument::new(inputs, matchup, options.seed, &result, by))?;
        } else {
            printer.text(&report::report(&query, &result, self.by, printer))?;
        }
        check_interrupted(&result)
    }
}
