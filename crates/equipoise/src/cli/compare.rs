//! `equipoise compare`.

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::{Combo, HandClass};
use equipoise::game::{Action, Player};
use equipoise::postflop::{ComboView, NodeView};
use serde::Serialize;

use super::failure::{BadInput, Failure};
use super::group::Group;
use super::print::{JsonArg, Printer, SCHEMA_VERSION};
use super::saved::{
    Both, NodeDocument, PATHS, Saved, SolutionDocument, cautions, chips_or_dash, combo_name, name,
    percent_or_dash,
};
use super::table::{Align, Table};

/// Show two saved solutions side by side: locked and not, or two trees
///
/// The same decision of both: what the players get, how often each action is taken, and the classes and combos that
/// play most differently. Actions that only one tree has are shown as such.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct CompareArgs {
    /// The first solution
    #[arg(value_name = "A.EQP")]
    first: PathBuf,

    /// The second solution
    #[arg(value_name = "B.EQP")]
    second: PathBuf,

    /// Where to look, such as 'check bet:120' [default: the first decision]
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    node: String,

    /// Every class and combo that differs, not only the first 10
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise compare free.eqp locked.eqp
  equipoise compare small.eqp large.eqp --node 'check bet:120' --json

JSON: `a` and `b`, each with `solution` and `node` as of `equipoise show`, and
  players                  `oop` and `ip`: `ev` and `equity`, the second less the first
  actions                  of both trees: `name`, `a` and `b` (frequencies, null in the tree that does
                           not have it), `difference`
  classes, combos          of the player who acts, those that differ most first: `share` (how often
                           it is held, the mean of both), `moved` (the part of its play that the
                           second puts elsewhere, 0 to 1), `ev` of both and `difference`, and the
                           frequencies of both in the order of `actions`";

/// Rows of a table, unless all are asked for.
const FIRST: usize = 10;
/// What moves less than this has not moved.
const SMALL: f64 = 1e-9;

/// Both solutions at the same decision.
struct Pair<'a> {
    saved: [&'a Saved; 2],
    views: [NodeView; 2],
    player: Player,
    /// In the order of the game.
    actions: Vec<Listed>,
}

/// An action, and which number it has in each tree that has it.
struct Listed {
    action: Action,
    numbers: [Option<usize>; 2],
}

/// A combo or class in both.
struct Difference<T> {
    what: T,
    share: f64,
    moved: f64,
    ev: [Option<f64>; 2],
    frequencies: [Vec<Option<f64>>; 2],
}

impl CompareArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let [a, b] = [Saved::open(&self.first)?, Saved::open(&self.second)?];
        let pair = self.pair([&a, &b])?;
        if self.json.json {
            printer.json(&document(&pair))
        } else {
            printer.text(&report(&pair, self.all, printer))
        }
    }

    fn pair<'a>(&self, saved: [&'a Saved; 2]) -> Result<Pair<'a>, Failure> {
        let boards = saved.map(|saved| *saved.spot().board());
        if boards[0].set() != boards[1].set() {
            let message = format!("the boards differ: {} and {}", boards[0], boards[1]);
            return Err(BadInput::new(message).help("compare solutions of the same board").into());
        }
        let view = |saved: &Saved| {
            let path = saved.path(&self.node)?;
            saved.view(&path, &self.node)
        };
        let views = [view(saved[0])?, view(saved[1])?];
        if views[0].player != views[1].player {
            return Err(BadInput::new("another player acts there in the second solution").into());
        }
        let mut all: Vec<Action> = views.iter().flat_map(|view| view.actions.clone()).collect();
        all.sort_unstable();
        all.dedup();
        let listed = |action: Action| {
            let number = |view: &NodeView| view.actions.iter().position(|&other| other == action);
            Listed { action, numbers: views.each_ref().map(number) }
        };
        let actions = all.into_iter().map(listed).collect();
        Ok(Pair { saved, player: views[0].player, actions, views })
    }
}

impl Pair<'_> {
    /// The frequencies of one solution in the order of all actions.
    fn spread(&self, side: usize, frequencies: &[f64]) -> Vec<Option<f64>> {
        let of = |listed: &Listed| {
            listed.numbers[side].map(|number| frequencies.get(number).copied().unwrap_or(0.0))
        };
        self.actions.iter().map(of).collect()
    }

    fn difference<T>(&self, what: T, groups: &[Group; 2]) -> Option<Difference<T>> {
        let held = |side: usize| {
            let all: f64 = self.views[side].actor().combos.iter().map(ComboView::share).sum();
            if all > 0.0 { groups[side].held / all } else { 0.0 }
        };
        let shares = [held(0), held(1)];
        if shares[0] + shares[1] <= 0.0 {
            return None;
        }
        let frequencies = [0, 1].map(|side| self.spread(side, &groups[side].frequencies));
        let both = shares[0] > 0.0 && shares[1] > 0.0;
        let apart = |(a, b): (&Option<f64>, &Option<f64>)| (a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs();
        let moved = if both {
            frequencies[0].iter().zip(&frequencies[1]).map(apart).sum::<f64>() / 2.0
        } else {
            // Held in one of them only: there is nothing to compare.
            0.0
        };
        let ev = groups.each_ref().map(|group| group.ev);
        Some(Difference { what, share: (shares[0] + shares[1]) / 2.0, moved, ev, frequencies })
    }

    fn groups(&self, is_in: impl Fn(&ComboView) -> bool) -> [Group; 2] {
        self.views.each_ref().map(|view| {
            let members = view.actor().combos.iter().filter(|combo| is_in(combo));
            Group::of(members, view.actions.len())
        })
    }

    /// The classes, those that move most of the range first.
    fn classes(&self) -> Vec<Difference<HandClass>> {
        let of =
            |class: HandClass| self.difference(class, &self.groups(|combo| combo.combo.class() == class));
        sorted(HandClass::all().filter_map(of).collect(), |row| row.share * row.moved)
    }

    /// The combos, those that move most of their own play first.
    fn combos(&self) -> Vec<Difference<Combo>> {
        let mut by_combo = vec![[None, None]; Combo::COUNT];
        for (side, view) in self.views.iter().enumerate() {
            for combo in &view.actor().combos {
                by_combo[combo.combo.index()][side] = Some(combo);
            }
        }
        let of = |(combo, found): (Combo, &[Option<&ComboView>; 2])| {
            let group = |side: usize| Group::of(found[side], self.views[side].actions.len());
            found.iter().any(Option::is_some).then(|| self.difference(combo, &[group(0), group(1)]))?
        };
        sorted(Combo::all().zip(&by_combo).filter_map(of).collect(), |row| row.moved)
    }
}

fn sorted<T>(mut rows: Vec<Difference<T>>, by: impl Fn(&Difference<T>) -> f64) -> Vec<Difference<T>> {
    rows.sort_by(|a, b| by(b).total_cmp(&by(a)));
    rows
}

fn minus(second: Option<f64>, first: Option<f64>) -> Option<f64> {
    Some(second? - first?)
}

#[derive(Serialize)]
struct CompareDocument<'a> {
    schema_version: u32,
    a: SideDocument<'a>,
    b: SideDocument<'a>,
    players: Both<PlayerDifference>,
    actions: Vec<ActionDifference>,
    classes: Vec<RowDocument>,
    combos: Vec<RowDocument>,
}

#[derive(Serialize)]
struct SideDocument<'a> {
    solution: SolutionDocument<'a>,
    node: NodeDocument,
}

#[derive(Serialize)]
struct PlayerDifference {
    ev: Option<f64>,
    equity: Option<f64>,
}

#[derive(Serialize)]
struct ActionDifference {
    name: String,
    a: Option<f64>,
    b: Option<f64>,
    difference: Option<f64>,
}

#[derive(Serialize)]
struct RowDocument {
    name: String,
    share: f64,
    moved: f64,
    ev: Sides<Option<f64>>,
    difference: Option<f64>,
    frequencies: Sides<Vec<Option<f64>>>,
}

/// The first and the second solution.
#[derive(Serialize)]
struct Sides<T> {
    a: T,
    b: T,
}

fn document<'a>(pair: &Pair<'a>) -> CompareDocument<'a> {
    let side = |side: usize| SideDocument {
        solution: pair.saved[side].document(),
        node: NodeDocument::new(pair.saved[side], &pair.views[side]),
    };
    CompareDocument {
        schema_version: SCHEMA_VERSION,
        a: side(0),
        b: side(1),
        players: Player::ALL
            .map(|player| {
                let [a, b] = pair.views.each_ref().map(|view| &view.players[player.index()]);
                PlayerDifference { ev: minus(b.ev(), a.ev()), equity: minus(b.equity(), a.equity()) }
            })
            .into(),
        actions: overall(pair),
        classes: pair.classes().into_iter().map(row_document).collect(),
        combos: pair.combos().into_iter().map(row_document).collect(),
    }
}

fn overall(pair: &Pair<'_>) -> Vec<ActionDifference> {
    let [a, b] = [0, 1].map(|side| pair.spread(side, &pair.views[side].frequencies()));
    let of = |(at, listed): (usize, &Listed)| ActionDifference {
        name: listed.action.to_string(),
        a: a[at],
        b: b[at],
        difference: minus(b[at], a[at]),
    };
    pair.actions.iter().enumerate().map(of).collect()
}

fn row_document<T: ToString>(row: Difference<T>) -> RowDocument {
    let ([a, b], [of_a, of_b]) = (row.ev, row.frequencies);
    RowDocument {
        name: row.what.to_string(),
        share: row.share,
        moved: row.moved,
        ev: Sides { a, b },
        difference: minus(b, a),
        frequencies: Sides { a: of_a, b: of_b },
    }
}

fn report(pair: &Pair<'_>, all: bool, printer: &Printer) -> String {
    let mut text = String::new();
    for (letter, (saved, view)) in ["A", "B"].iter().zip(pair.saved.iter().zip(&pair.views)) {
        text.push_str(&format!("  {letter} = {}\n{}{}", saved.name, saved.heading(printer), cautions(view)));
    }
    let path = pair.saved[0].reader.path_to(pair.views[0].node, &pair.views[0].runout).to_string();
    let after = if path.is_empty() { "at the beginning".to_owned() } else { format!("after '{path}'") };
    text.push_str(&format!("\n  {after}: {} acts\n\n", name(pair.player)));
    text.push_str(&players_table(pair));
    text.push('\n');
    text.push_str(&actions_table(pair));
    text.push_str(&differences(pair, "class", pair.classes(), all, ToString::to_string));
    text.push_str(&differences(pair, "combo", pair.combos(), all, |&combo| combo_name(combo, printer)));
    text
}

fn players_table(pair: &Pair<'_>) -> String {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("equity A", Align::Right),
        ("equity B", Align::Right),
        ("B - A", Align::Right),
        ("EV A", Align::Right),
        ("EV B", Align::Right),
        ("B - A", Align::Right),
    ]);
    for player in Player::ALL {
        let [a, b] = pair.views.each_ref().map(|view| &view.players[player.index()]);
        let (equities, evs) = ([a.equity(), b.equity()], [a.ev(), b.ev()]);
        table.row([
            name(player),
            percent_or_dash(equities[0]),
            percent_or_dash(equities[1]),
            points(minus(equities[1], equities[0])),
            chips_or_dash(evs[0]),
            chips_or_dash(evs[1]),
            signed_chips(minus(evs[1], evs[0])),
        ]);
    }
    table.render()
}

fn points(difference: Option<f64>) -> String {
    difference.map_or_else(|| "-".to_owned(), |fraction| format!("{:+.3} points", 100.0 * fraction))
}

fn signed_chips(difference: Option<f64>) -> String {
    difference.map_or_else(|| "-".to_owned(), |chips| format!("{chips:+.3} chips"))
}

fn actions_table(pair: &Pair<'_>) -> String {
    let mut table = Table::new(&[
        ("action", Align::Left),
        ("A", Align::Right),
        ("B", Align::Right),
        ("B - A", Align::Right),
    ]);
    for action in overall(pair) {
        let difference = match (action.a, action.b) {
            (Some(_), None) => "only in A".to_owned(),
            (None, Some(_)) => "only in B".to_owned(),
            _ => points(action.difference),
        };
        table.row([action.name, percent_or_dash(action.a), percent_or_dash(action.b), difference]);
    }
    table.render()
}

/// The rows that differ, with what each plays in both.
fn differences<T>(
    pair: &Pair<'_>,
    what: &str,
    rows: Vec<Difference<T>>,
    all: bool,
    name: impl Fn(&T) -> String,
) -> String {
    let rows: Vec<Difference<T>> = rows.into_iter().filter(|row| row.moved > SMALL).collect();
    let plural = if what == "class" { "classes" } else { "combos" };
    if rows.is_empty() {
        return format!("\n  all {plural} that both hold play the same\n");
    }
    let actions: Vec<[String; 2]> = pair
        .actions
        .iter()
        .map(|listed| ["A", "B"].map(|side| format!("{} {side}", listed.action)))
        .collect();
    let mut columns = vec![
        (what, Align::Left),
        ("held", Align::Right),
        ("moved", Align::Right),
        ("EV A", Align::Right),
        ("EV B", Align::Right),
    ];
    columns.extend(actions.iter().flatten().map(|action| (action.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let short = |fraction: f64| format!("{:.1} %", 100.0 * fraction);
    let num_rows = if all { rows.len() } else { rows.len().min(FIRST) };
    for row in &rows[..num_rows] {
        let chips = |ev: Option<f64>| ev.map_or_else(|| "-".to_owned(), |ev| format!("{ev:.2} chips"));
        let mut cells =
            vec![name(&row.what), short(row.share), short(row.moved), chips(row.ev[0]), chips(row.ev[1])];
        for (a, b) in row.frequencies[0].iter().zip(&row.frequencies[1]) {
            cells.extend([a, b].map(|frequency| frequency.map_or_else(|| "-".to_owned(), short)));
        }
        table.row(cells);
    }
    let order = if what == "class" { "the most of the range moved first" } else { "the most moved first" };
    let mut text =
        format!("\n{}\n  {} of {} {plural} that differ, {order}", table.render(), num_rows, rows.len());
    text.push_str(if num_rows < rows.len() { "; --all shows every one\n" } else { "\n" });
    text
}
