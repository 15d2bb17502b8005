//! `equipoise pot-odds`.

use clap::Args;
use equipoise::documents::command::{DecisionDocument, PotOddsDocument};
use equipoise::equity::{Equity, Mode};
use equipoise::{PotOdds, PotOddsError};

use super::equity::{method_line, players_table};
use super::equity_query::{EquityQuery, EquityQueryArgs, check_interrupted};
use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::table::percent;

/// Compute the equity that a call needs, and whether players given have it
///
/// The pot is what lies in the middle before the call, the opponent's bet included: call 50 into a pot of 150, in which
/// the last 50 are the bet, and 50 of the final 200 chips are yours, so the call needs 50 / 200 = 25 % equity.
///
/// With players given, the first of them is you. The EV is the expected gain in chips over folding if no more chips go
/// in after the call: equity × (pot + call) − call.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PotOddsArgs {
    /// Chips in the middle before the call, the bet to be called included
    #[arg(long, value_name = "CHIPS", allow_negative_numbers = true)]
    pot: f64,

    /// Chips that the call costs
    #[arg(long, value_name = "CHIPS", allow_negative_numbers = true)]
    call: f64,

    /// Cards or range of you and of each opponent, as in `equipoise equity`
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,

    #[command(flatten)]
    query: EquityQueryArgs,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise pot-odds --pot 150 --call 50
  equipoise pot-odds --pot 150 --call 50 AhKh 'QQ+,AK' --board QsJh2h
  equipoise pot-odds --pot 150 --call 50 AhKh random --json

JSON: `required_equity`, and with players `decision` (call, fold or either), `ev` and `ev_std_error` in
chips, your `equity`, and the fields of `equipoise equity --json`.";

/// What a call is worth to the first player.
struct Decision {
    equity: f64,
    ev: f64,
    ev_std_error: f64,
}

impl PotOddsArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let odds = PotOdds::new(self.pot, self.call).map_err(|error| bad_amount(&error))?;
        if self.players.is_empty() {
            return self.print(printer, &odds, None);
        }
        let query = self.query.resolve(&self.players, false)?;
        let result = query.equity()?;
        self.print(printer, &odds, Some((&query, &result)))?;
        check_interrupted(&result)
    }

    fn print(
        &self,
        printer: &Printer,
        odds: &PotOdds,
        query: Option<(&EquityQuery, &Equity)>,
    ) -> Result<(), Failure> {
        if self.json.json {
            printer.json(&PotOddsDocument {
                schema_version: SCHEMA_VERSION,
                pot: odds.pot(),
                call: odds.call(),
                required_equity: odds.required_equity(),
                decision: query.map(|(query, result)| decision(odds, query, result)),
            })
        } else {
            printer.text(&report(odds, query, printer))
        }
    }
}

fn bad_amount(error: &PotOddsError) -> BadInput {
    let input = BadInput::new(error);
    match error {
        PotOddsError::Pot { .. } => {
            input.help("--pot is all that lies in the middle, the bet to be called included")
        }
        PotOddsError::Call { .. } => input.help("--call is what you would have to invest"),
        _ => input,
    }
}

impl Decision {
    fn new(odds: &PotOdds, result: &Equity) -> Decision {
        let hero = &result.players[0];
        let ev_std_error = hero.std_error * odds.final_pot();
        Decision { equity: hero.equity, ev: odds.ev(hero.equity), ev_std_error }
    }

    fn name(&self) -> &'static str {
        if self.ev > 0.0 {
            "call"
        } else if self.ev < 0.0 {
            "fold"
        } else {
            "either"
        }
    }

    /// Whether sampling could have come out on the other side.
    fn is_close(&self) -> bool {
        self.ev.abs() < 2.0 * self.ev_std_error
    }
}

fn decision<'a>(odds: &PotOdds, query: &'a EquityQuery, result: &Equity) -> DecisionDocument<'a> {
    let decision = Decision::new(odds, result);
    DecisionDocument {
        decision: decision.name(),
        ev: decision.ev,
        ev_std_error: decision.ev_std_error,
        equity: decision.equity,
        result: query.document(result, None),
    }
}

fn report(odds: &PotOdds, query: Option<(&EquityQuery, &Equity)>, printer: &Printer) -> String {
    let (pot, call, needed) = (odds.pot(), odds.call(), percent(odds.required_equity()));
    let mut text =
        format!("  calling {call} into {pot} needs {needed} equity: {call} of {} chips\n", odds.final_pot());
    if let Some((query, result)) = query {
        let decision = Decision::new(odds, result);
        text.push_str(&format!("\n{}\n", players_table(query, result, printer)));
        text.push_str(&decision_line(&decision, result));
        text.push_str(&method_line(result));
    }
    text
}

fn decision_line(decision: &Decision, result: &Equity) -> String {
    let (equity, ev) = (percent(decision.equity), decision.ev);
    let error = match result.mode {
        Mode::Exact => String::new(),
        _ => format!(" ± {:.3}", decision.ev_std_error),
    };
    let advice = match decision.name() {
        _ if decision.is_close() => "too close to tell at this standard error",
        "either" => "calling and folding are worth the same",
        name => name,
    };
    format!("  {advice}: with {equity} equity the call is worth {ev:+.3}{error} chips\n")
}
