//! `equipoise icm`.

use clap::Args;
use equipoise::documents::{IcmDocument, pressures};
use equipoise::game::{IcmError, Payouts, Pressure};

use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer};
use super::table::{Align, Table, percent};

/// Compute the prize equities of tournament stacks
///
/// By the independent chip model of Malmuth and Harville, exactly: a player comes first with a probability that is the
/// share of all chips, and the places after it go in the same way among the others.
///
/// The bubble factor of a player against another is what an all-in for the shorter stack loses over what it gains, in
/// prizes; the risk premium is the equity that it needs over one half.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct IcmArgs {
    /// The chips of each player, 2 to 20 players
    #[arg(value_name = "STACK", required = true, value_delimiter = ',', allow_negative_numbers = true)]
    stacks: Vec<f64>,

    /// Prizes from the first place on, in any unit
    #[arg(
        long,
        value_name = "PRIZE,…",
        required = true,
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    payouts: Vec<f64>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise icm 5000 3000 2000 --payouts 50,30,20
  equipoise icm 5000 3000 1500 500 --payouts 500,300,200 --json

JSON:
  equities                 the expected prize of each player, in the order given
  bubble_factors           for each player a list, against each player; null against oneself, against
                           a player without chips, and where winning gains nothing
  risk_premiums            the same, as fractions of 1";

/// The pressure of each player against each other.
type Pressures = Vec<Vec<Option<Pressure>>>;

impl IcmArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let payouts = Payouts::new(self.payouts.clone()).map_err(|error| bad_input(&error))?;
        if self.json.json {
            let document = IcmDocument::new(&self.stacks, &payouts).map_err(|error| bad_input(&error))?;
            return printer.json(&document);
        }
        let found = payouts
            .equities(&self.stacks)
            .and_then(|equities| Ok((equities, pressures(&payouts, &self.stacks)?)));
        let (equities, pressures) = found.map_err(|error| bad_input(&error))?;
        printer.text(&report(&self.stacks, &equities, &pressures))
    }
}

fn bad_input(error: &IcmError) -> BadInput {
    let input = BadInput::new(error);
    match error {
        IcmError::NoPrizes | IcmError::Prize { .. } | IcmError::Order { .. } => {
            input.help("--payouts lists the prizes from the first place on, as in 50,30,20")
        }
        IcmError::TooLarge { .. } => input,
        _ => input.help("write the chips of each player, as in 5000 3000 2000"),
    }
}

fn report(stacks: &[f64], equities: &[f64], pressures: &Pressures) -> String {
    let (chips, prizes): (f64, f64) = (stacks.iter().sum(), equities.iter().sum());
    let columns = [
        ("player", Align::Right),
        ("stack", Align::Right),
        ("chips", Align::Right),
        ("equity", Align::Right),
        ("prizes", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for (id, (stack, equity)) in stacks.iter().zip(equities).enumerate() {
        let share = if prizes > 0.0 { percent(equity / prizes) } else { "–".to_owned() };
        table.row([
            (id + 1).to_string(),
            stack.to_string(),
            percent(stack / chips),
            format!("{equity:.6}"),
            share,
        ]);
    }
    let headings: Vec<String> = (1..=stacks.len()).map(|id| format!("vs {id}")).collect();
    let mut columns = vec![("player", Align::Right)];
    columns.extend(headings.iter().map(|heading| (heading.as_str(), Align::Right)));
    let mut factors = Table::new(&columns);
    for (id, row) in pressures.iter().enumerate() {
        let cells = row.iter().map(|pressure| match pressure {
            None => "–".to_owned(),
            Some(pressure) => {
                format!("{:.3} ({:+.1} %)", pressure.bubble_factor, 100.0 * pressure.risk_premium)
            }
        });
        factors.row(std::iter::once((id + 1).to_string()).chain(cells));
    }
    format!(
        "{}\n  bubble factor (risk premium) of each player against each other\n{}",
        table.render(),
        factors.render()
    )
}
