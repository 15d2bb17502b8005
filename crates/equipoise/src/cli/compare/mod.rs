//! `equipoise compare`.

mod document;
mod report;

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::{Combo, HandClass};
use equipoise::documents::ComboGroup;
use equipoise::game::{Action, Player};
use equipoise::postflop::{ComboView, NodeView};

use super::amounts::{Amounts, UnitArg};
use super::failure::{BadInput, Failure};
use super::print::{JsonArg, Printer};
use super::saved::{PATHS, Saved};

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
    unit: UnitArg,

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

/// Both solutions at the same decision.
struct Pair<'a> {
    saved: [&'a Saved; 2],
    views: [NodeView; 2],
    player: Player,
    /// In the order of the game.
    actions: Vec<Listed>,
    /// How EVs of both are written.
    amounts: Amounts,
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
        let [a, b] = [Saved::open_in(&self.first, self.unit)?, Saved::open_in(&self.second, self.unit)?];
        let pair = self.pair([&a, &b])?;
        if self.json.json {
            printer.json(&document::document(&pair))
        } else {
            printer.text(&report::report(&pair, self.all, printer))
        }
    }

    /// One unit for both.
    fn amounts(&self, [a, b]: [&Saved; 2]) -> Result<Amounts, Failure> {
        if let Some(amounts) = a.amounts.common(b.amounts) {
            return Ok(amounts);
        }
        if a.amounts.are_prizes() != b.amounts.are_prizes() {
            let message =
                "one of the solutions is for prizes and the other for chips: their EVs have no common unit";
            return Err(BadInput::new(message).help("`equipoise show` shows each of them").into());
        }
        if self.unit.is_given() {
            return Err(BadInput::new("a big blind or a pot of the first solution is not one of the second")
                .help("--unit chips compares them in chips")
                .into());
        }
        let chips = [a, b]
            .map(|saved| UnitArg::CHIPS.amounts(saved.spot().tree(), "", saved.header.exploitability_chips));
        let [a, b] = chips;
        Ok(a?.common(b?).expect("a chip is a chip"))
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
        Ok(Pair { saved, player: views[0].player, actions, views, amounts: self.amounts(saved)? })
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

    fn difference<T>(&self, what: T, groups: &[ComboGroup; 2]) -> Option<Difference<T>> {
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

    fn groups(&self, is_in: impl Fn(&ComboView) -> bool) -> [ComboGroup; 2] {
        self.views.each_ref().map(|view| {
            let members = view.actor().combos.iter().filter(|combo| is_in(combo));
            ComboGroup::of(members, view.actions.len())
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
            let group = |side: usize| ComboGroup::of(found[side], self.views[side].actions.len());
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
