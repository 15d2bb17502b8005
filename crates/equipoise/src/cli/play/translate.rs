//! `equipoise translate`.

use clap::Args;
use equipoise::documents::command::TranslateDocument;
use equipoise::play::lower_probability;

use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::fixed;

/// Translate a bet between two bet sizes to one of them, with its probability
///
/// A bet that a blueprint does not have is taken for one of its neighbours: pseudo-harmonic translation.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TranslateArgs {
    /// The neighbours in pots, the smaller first; 0 is a check or a call
    #[arg(long, value_name = "LOWER,UPPER", value_parser = sizes)]
    sizes: [f64; 2],

    /// The bet, in pots
    #[arg(long, value_name = "POTS", value_parser = pots)]
    bet: f64,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise translate --sizes 0.5,1 --bet 0.75
  equipoise translate --sizes 0,0.5 --bet 0.25 --json

JSON: sizes, bet, lower (how likely the bet is taken for the smaller size), even (the bet that is taken for either
half of the time).";

fn pots(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err(format!("'{text}' is no size in pots, such as 0.75")),
    }
}

fn sizes(text: &str) -> Result<[f64; 2], String> {
    let Some((lower, upper)) = text.split_once(',') else {
        return Err(format!("'{text}' is not two sizes: write 0.5,1"));
    };
    let (lower, upper) = (pots(lower)?, pots(upper)?);
    if lower < upper { Ok([lower, upper]) } else { Err("the first size must be the smaller one".to_owned()) }
}

impl TranslateArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let [lower, upper] = self.sizes;
        if self.bet < lower || self.bet > upper {
            return Err(BadInput::new(format!(
                "the bet of {} pots is not between {lower} and {upper}",
                self.bet
            ))
            .help("--sizes are the neighbours of the bet")
            .into());
        }
        let document = TranslateDocument {
            schema_version: SCHEMA_VERSION,
            sizes: self.sizes,
            bet: self.bet,
            lower: lower_probability(lower, upper, self.bet),
            even: (lower + upper + 2.0 * lower * upper) / (lower + upper + 2.0),
        };
        if self.json.json {
            return printer.json(&document);
        }
        printer.text(&format!(
            "  a bet of {} of the pot is taken for {} of the pot {} of the time, otherwise for {}\n  either is as likely at {}\n",
            percent(self.bet),
            percent(lower),
            percent(document.lower),
            percent(upper),
            percent(document.even)
        ))
    }
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 2))
}
