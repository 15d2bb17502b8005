//! `equipoise tree`.

use std::path::PathBuf;

use clap::Args;
use equipoise::documents::Locked;
use equipoise::documents::command::{SolvedTreeDocument, TreeRow};
use equipoise::game::{NodeId, NodeKind};
use equipoise::postflop::{NodePath, NodeView, ViewDetail};

use super::amounts::UnitArg;
use super::failure::Failure;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::saved::{PATHS, Resolving, Saved, cautions, described, name};
use super::table::{Align, Table, percent};

/// Show the betting of a street in a saved solution as a tree
///
/// For every action how often it is taken, how often play gets there, and what it is worth to those who take it. A
/// street ends where a card comes: to continue, name the card with --node.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct TreeArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Where the tree begins, such as 'check bet:120 call | 7s |' [default: the first decision]
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    node: String,

    /// At most N actions, one after the other [default: to the end of the street]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    depth: Option<u32>,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise tree x.eqp
  equipoise tree x.eqp --depth 2
  equipoise tree x.eqp --node 'check check | 7s |' --json

JSON: `solution` as of `equipoise show`, and in `actions`, each after the one it follows,
  path, depth              the path after the action, and how many actions it has below the start
  player, action           who does what
  frequency                how often it is taken there, a fraction of 1; 0 where the player has no hand
  reached                  how often play gets behind it when these cards come, a fraction of 1
  ev                       what it is worth to those who take it, in chips from the decision on
  pot                      the pot behind it, in chips
  then                     oop, ip (who acts next), card, showdown, runout or fold (how it ends)
  unreached                whether play never gets to the decision: the frequency is what would be done
  unreliable               whether play gets to the decision less than once in a thousand times
  locked                   `all` or `some` combos of the player there have a given strategy, or null";

impl TreeArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let saved = Saved::open_in(&self.solution, self.unit)?;
        let path = saved.path(&self.node)?;
        let (resolving, rows, labels) = (Resolving::default(), Vec::new(), Vec::new());
        let mut walk = Walk { saved: &saved, text: &self.node, resolving, rows, labels };
        let view = walk.view(&path)?;
        walk.below(&view, 1, self.depth.unwrap_or(u32::MAX))?;
        walk.resolving.finish();
        let Walk { rows, labels, .. } = walk;
        if self.json.json {
            return printer.json(&SolvedTreeDocument {
                schema_version: SCHEMA_VERSION,
                solution: saved.document(),
                node: saved.reader.path_to(view.node, &view.runout).to_string(),
                probability: view.probability,
                unreached: !view.is_reached(),
                unreliable: view.is_unreliable(),
                actions: rows,
            });
        }
        printer.text(&report(&saved, &view, &rows, &labels, printer))
    }
}

/// Walks through the decisions of a street.
struct Walk<'a> {
    saved: &'a Saved,
    text: &'a str,
    resolving: Resolving,
    rows: Vec<TreeRow>,
    /// The actions of the rows in words.
    labels: Vec<String>,
}

impl Walk<'_> {
    fn view(&mut self, path: &NodePath) -> Result<NodeView, Failure> {
        let seen = self.saved.reader.view(path, ViewDetail::Strategies, &mut self.resolving);
        seen.map_err(|error| self.saved.bad_path(self.text, error))
    }

    fn below(&mut self, view: &NodeView, depth: u32, most: u32) -> Result<(), Failure> {
        let tree = self.saved.spot().tree();
        let numbers: Vec<(f64, Option<f64>)> =
            view.frequencies().into_iter().zip(view.action_evs()).collect();
        for ((action, child), (frequency, ev)) in tree.actions(view.node).zip(numbers) {
            let path = self.saved.reader.path_to(child, &view.runout);
            self.labels.push(self.saved.amounts.action(tree, view.node, action));
            self.rows.push(TreeRow {
                path: path.to_string(),
                depth,
                player: view.player.to_string(),
                action: action.to_string(),
                frequency,
                reached: view.probability * frequency,
                ev,
                pot: tree.pot(child).count(),
                then: then(self.saved, child),
                unreached: !view.is_reached(),
                unreliable: view.is_unreliable(),
                locked: Locked::at(self.saved.spot(), view.node, &view.runout).map(|locked| locked.word()),
            });
            if depth < most && tree.node(child).player().is_some() {
                let next = self.view(&path)?;
                self.below(&next, depth + 1, most)?;
            }
        }
        Ok(())
    }
}

/// The node after an action.
fn then(saved: &Saved, node: NodeId) -> &'static str {
    match saved.spot().tree().node(node).kind() {
        NodeKind::Decision(equipoise::game::Player::Oop) => "oop",
        NodeKind::Decision(equipoise::game::Player::Ip) => "ip",
        NodeKind::Chance => "card",
        NodeKind::Fold(_) => "fold",
        NodeKind::Showdown => "showdown",
        NodeKind::Runout => "runout",
    }
}

/// What must be said beside an action.
fn marks(row: &TreeRow) -> String {
    let locked = row.locked.map(|what| if what == "all" { "locked" } else { "locked in part" });
    let rare = match (row.unreached, row.unreliable) {
        (true, _) => Some("unreached"),
        (_, true) => Some("unreliable"),
        _ => None,
    };
    let marks: Vec<&str> = [locked, rare].into_iter().flatten().collect();
    marks.join(", ")
}

fn report(saved: &Saved, view: &NodeView, rows: &[TreeRow], labels: &[String], printer: &Printer) -> String {
    let mut text = saved.heading(printer);
    text.push('\n');
    text.push_str(&described(saved, view, printer));
    text.push_str(&cautions(saved, view));
    text.push('\n');
    let mut table = Table::new(&[
        ("action", Align::Left),
        ("frequency", Align::Right),
        ("reached", Align::Right),
        ("EV", Align::Right),
        ("pot", Align::Right),
        ("then", Align::Left),
        ("", Align::Left),
    ]);
    for (row, label) in rows.iter().zip(labels) {
        let indent = "  ".repeat(row.depth as usize - 1);
        let then = match row.then {
            "oop" | "ip" => format!("{} acts", row.then.to_uppercase()),
            "card" => "a card comes".to_owned(),
            "runout" => "all-in, showdown".to_owned(),
            "fold" => "the hand is over".to_owned(),
            other => other.to_owned(),
        };
        table.row([
            format!("{indent}{} {label}", row.player.to_uppercase()),
            percent(row.frequency),
            percent(row.reached),
            saved.amounts.ev_or_dash(row.ev),
            saved.amounts.exact(row.pot.into()),
            then,
            marks(row),
        ]);
    }
    text.push_str(&table.render());
    text.push_str("\n  EV of those who take the action, from there on\n");
    if rows.iter().any(|row| row.locked.is_some()) {
        text.push_str("  locked: the strategy at the decision, or a part of it, is given, not solved\n");
    }
    if rows.iter().any(|row| row.unreached) {
        text.push_str("  unreached: play never gets to the decision; the frequencies are what the player would do there\n");
    }
    if rows.iter().any(|row| row.unreliable && !row.unreached) {
        text.push_str("  unreliable: play gets to the decision less than once in a thousand times, so it was hardly trained\n");
    }
    if let Some(card) = rows.iter().find(|row| row.then == "card") {
        text.push_str(&format!(
            "  to continue behind a card: --node '{} | {} |'\n",
            card.path,
            example(view)
        ));
    }
    let evs: Vec<String> = view
        .players
        .iter()
        .map(|player| format!("{} {}", name(player.player), saved.amounts.ev_or_dash(player.ev())))
        .collect();
    text.push_str(&format!("  EV of all hands at the beginning: {}\n", evs.join(", ")));
    text
}

/// A card that can come.
fn example(view: &NodeView) -> String {
    let mut cards = equipoise::cards::Card::ALL.into_iter();
    let card = cards.find(|&card| !view.board.set().contains(card)).expect("a board leaves cards");
    card.to_string()
}
