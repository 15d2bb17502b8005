//! `equipoise runouts`.

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::Card;
use equipoise::documents::command::RunoutsDocument;
use equipoise::documents::{NodeDocument, RunoutDocument, pct_pot};
use equipoise::game::{Action, Player};
use equipoise::postflop::NodeView;
use equipoise_files::{FileKind, Outputs};

use super::amounts::{UnitArg, short_action};
use super::atomic_file;
use super::failure::Failure;
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::saved::{PATHS, Resolving, Saved, cell, name};
use super::table::{Align, Table, fixed};

/// Compare every next card at the end of a street: equity, EV and strategy
///
/// The decision after the card is the first of the next street. A street that the file leaves out is re-solved, once for
/// each card.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct RunoutsArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// The actions until the card, such as 'check check'
    #[arg(long, value_name = "PATH")]
    node: String,

    /// Write the table to this CSV file; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise runouts x.eqp --node 'check check'
  equipoise runouts x.eqp --node 'check check | 7s | check bet:120 call' --csv rivers.csv

JSON: `solution` and in `runouts` for each card `card`, and in `node` what `equipoise show` has there,
the EV of both also as `ev_pct_pot`, in percent of the pot.";

impl RunoutsArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = Outputs::new().read("the solution", &self.solution);
        self.force.check(files.write_if("--csv", self.csv.as_deref(), FileKind::CSV))?;
        let saved = Saved::open_in(&self.solution, self.unit)?;
        let path = saved.path(&self.node)?;
        let mut resolving = Resolving::default();
        let found = saved.reader.runouts(&path, &mut resolving);
        resolving.finish();
        let mut runouts = found.map_err(|error| saved.bad_path(&self.node, error))?;
        runouts.reverse(); // Aces first, as everywhere.
        if let Some(file) = &self.csv
            && atomic_file::write_to(file, &csv(&runouts), printer)?
        {
            return Ok(());
        }
        if self.json.json {
            let document = |(card, view): &(Card, NodeView)| {
                RunoutDocument::new(*card, view, NodeDocument::new(&saved.reader, view))
            };
            return printer.json(&RunoutsDocument {
                schema_version: SCHEMA_VERSION,
                solution: saved.document(),
                path: path.to_string(),
                runouts: runouts.iter().map(document).collect(),
            });
        }
        printer.text(&report(&saved, &path.to_string(), &runouts, printer))
    }
}

/// The actions after the card: they are the same for every card.
fn actions(runouts: &[(Card, NodeView)]) -> &[Action] {
    runouts.first().map_or(&[], |(_, view)| &view.actions)
}

fn csv(runouts: &[(Card, NodeView)]) -> String {
    let mut text =
        "card,oop_equity,ip_equity,oop_ev,ip_ev,oop_ev_pct_pot,ip_ev_pct_pot,probability".to_owned();
    actions(runouts).iter().for_each(|action| text.push_str(&format!(",{action}_frequency")));
    text.push('\n');
    for (card, view) in runouts {
        let [oop, ip] = view.players.as_ref().into_array();
        text.push_str(&format!(
            "{card},{},{},{},{},{},{},{}",
            cell(oop.equity()),
            cell(ip.equity()),
            cell(oop.ev()),
            cell(ip.ev()),
            cell(pct_pot(view, Player::Oop)),
            cell(pct_pot(view, Player::Ip)),
            view.probability,
        ));
        view.frequencies().iter().for_each(|frequency| text.push_str(&format!(",{frequency}")));
        text.push('\n');
    }
    text
}

fn report(saved: &Saved, path: &str, runouts: &[(Card, NodeView)], printer: &Printer) -> String {
    let mut text = saved.heading(printer);
    if let Some((_, view)) = runouts.first() {
        text.push_str(&format!(
            "\n  after '{path}' a card comes, pot {}; then {} acts\n\n",
            saved.amounts.exact(view.pot.as_f64()),
            name(view.player)
        ));
    }
    let tree = saved.spot().tree();
    let actions: Vec<String> = match runouts.first() {
        Some((_, view)) => view.actions.iter().map(|&action| short_action(tree, view.node, action)).collect(),
        None => Vec::new(),
    };
    let mut columns = vec![
        ("card", Align::Left),
        ("OOP equity", Align::Right),
        ("OOP EV", Align::Right),
        ("of pot", Align::Right),
        ("IP equity", Align::Right),
        ("IP EV", Align::Right),
        ("of pot", Align::Right),
    ];
    columns.extend(actions.iter().map(|action| (action.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let short = |fraction: Option<f64>| {
        fraction.map_or_else(|| "-".to_owned(), |fraction| format!("{} %", fixed(100.0 * fraction, 1)))
    };
    for (card, view) in runouts {
        let mut row = vec![printer.cards([*card])];
        for player in Player::ALL {
            let seen = &view.players[player];
            row.push(short(seen.equity()));
            row.push(saved.amounts.ev_or_dash(seen.ev()));
            row.push(short(pct_pot(view, player).map(|pct| pct / 100.0)));
        }
        row.extend(view.frequencies().into_iter().map(|frequency| short(Some(frequency))));
        table.row(row);
    }
    text.push_str(&table.render());
    text.push_str(&notes(runouts));
    text
}

fn notes(runouts: &[(Card, NodeView)]) -> String {
    let mut text = String::new();
    let again = runouts.iter().filter(|(_, view)| view.subgame.is_some()).count();
    if again > 0 {
        text.push_str(&format!("\n  re-solved, since the file leaves the street out: {again} cards\n"));
    }
    let rare = runouts.iter().filter(|(_, view)| view.is_unreliable()).count();
    if rare > 0 {
        text.push_str(&format!(
            "\n  unreliable: on {rare} cards play gets here less than once in a thousand times\n"
        ));
    }
    text
}
