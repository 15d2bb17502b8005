//! `equipoise show`.

mod csv;
mod document;
mod order;
mod plot;
mod report;

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::{HandClass, KindFilter, KindName, ParseKindError, ParseRangeError, Range};
use equipoise::documents::{ComboGroup, Held};
use equipoise::game::Player;
use equipoise::postflop::{ComboView, NodeView};
use equipoise_files::{FileKind, Outputs};

use order::Order;

use super::amounts::UnitArg;
use super::atomic_file;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer};
use super::range::listed;
use super::saved::{PATHS, Saved, name};

/// Show any decision of a saved solution: strategies, EVs and equities
///
/// What both players hold there and what it is worth, how often the range and every combo takes each action, and what
/// that gives away. Combos that never get there are hidden. A street that the file leaves out is re-solved.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct ShowArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Where to look, such as 'check bet:120 call | 7s | check'; '' is the root [default: the first decision with a choice]
    ///
    /// Without it people see the first decision at which a player does not do the same with all hands. What other programs
    /// read (--json, --csv, --range, --weights) is of the root.
    #[arg(long, value_name = "PATH")]
    node: Option<String>,

    /// Whose combos [default: the one who acts]
    #[arg(long, value_name = "PLAYER", value_parser = str::parse::<Player>)]
    player: Option<Player>,

    /// Only these combos, such as AhKh, AKs or 'TT+,AQs'
    #[arg(long, value_name = "COMBOS")]
    combo: Option<String>,

    /// Only combos of these kinds, such as 'flush draw' or 'set, top pair + gutshot'
    #[arg(long, value_name = "KINDS")]
    kind: Option<String>,

    /// A table by hand category instead of one by combo
    #[arg(long, conflicts_with = "range")]
    by_kind: bool,

    /// A table by hand class, such as AKs, instead of one by combo
    #[arg(long, conflicts_with_all = ["range", "by_kind"])]
    by_class: bool,

    /// Sort rows by weight, ev, name, or how often an action is taken, such as check or b60 [default: ev; categories as they stand]
    #[arg(long, value_name = "WHAT")]
    sort: Option<String>,

    /// Print the player's range there as text, and nothing else
    #[arg(long)]
    range: bool,

    /// Print it as 1,326 weights in the order of other programs (2d2c, 2h2c, 2h2d, 2s2c … AsAh)
    #[arg(long, conflicts_with_all = ["by_kind", "by_class", "csv"])]
    weights: bool,

    /// Every combo or class, not only the first 20
    #[arg(long)]
    all: bool,

    /// Write the table to this CSV file, all of it; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "range")]
    csv: Option<PathBuf>,

    /// Draw the strategy as a grid of hand classes to this SVG file
    #[arg(long, value_name = "FILE.SVG")]
    plot: Option<PathBuf>,

    /// Draw how equity is distributed over both ranges to this SVG file
    #[arg(long, value_name = "FILE.SVG")]
    plot_equity: Option<PathBuf>,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise show x.eqp
  equipoise show x.eqp --node 'check bet:120'
  equipoise show x.eqp --node 'check check | 7s |' --player ip --kind 'flush draw'
  equipoise show x.eqp --combo AhKh
  equipoise show x.eqp --node '' --by-kind
  equipoise show x.eqp --by-class --sort b60 --all
  equipoise show x.eqp --sort weight --unit pot
  equipoise show x.eqp --node check --range
  equipoise show x.eqp --node check --player oop --weights > oop.txt
  equipoise show x.eqp --csv combos.csv --json
  equipoise show x.eqp --node check --plot strategy.svg --plot-equity equity.svg

JSON:
  solution                 file, board, chips, `unit` of EVs, exploitability, iterations, algorithm, storage, target
  node                     path, board, player who acts, pot and stacks in chips, `probability` that
                           play gets there when these cards come, `unreached` if that is 0,
                           `unreliable` if it is below 0.001, `locked` (`all` or `some` combos of
                           the player who acts have a given strategy, or null), `solved_again`; `actions` with `frequency` and `ev` (of those who
                           take it), `players` with `combos`, `weighted_combos`, `equity`, `ev`, `eqr`
  player, combos           whose; for each `combo`, `class`, `made`, `draws`, `weight` (range times own
                           strategy), `share` of the range, `equity`, `ev`, `eqr`, and in `actions`
                           `frequency`, `ev` and `ev_loss` against the best action
  kinds                    with --by-kind, in place of combos
  classes                  with --by-class, in place of combos: for each hand class that is held `class`,
                           `combos`, `weighted_combos`, `share`, `equity`, `ev`, `eqr`, and in
                           `actions` `frequency` and `ev` of those who take it
  locked_combos            where some are locked
  range                    with --range, in place of combos
  listed_weights           with --weights, in place of combos
Frequencies, equities and shares are fractions of 1. EVs are chips received less chips invested from
there on; null where no opposing combo is possible.";

/// What is shown.
struct Shown<'a> {
    saved: &'a Saved,
    view: &'a NodeView,
    player: Player,
    held: Held<'a>,
    /// Best first.
    combos: Vec<&'a ComboView>,
    /// Combos that never get there.
    num_hidden: usize,
    /// What the combos were chosen by, in words.
    chosen: Option<String>,
    /// If one is asked for.
    order: Option<Order>,
    /// Whether the decision is shown because nothing is decided before it.
    is_opened: bool,
}

impl ShowArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let only = self.combo.as_deref().map(combos).transpose()?;
        let filter = self.kind.as_deref().map(kinds).transpose()?;
        let files = Outputs::new().read("the solution", &self.solution);
        let files = files.write_if("--csv", self.csv.as_deref(), FileKind::CSV);
        let files = files.write_if("--plot", self.plot.as_deref(), FileKind::SVG);
        self.force.check(files.write_if("--plot-equity", self.plot_equity.as_deref(), FileKind::SVG))?;
        let saved = Saved::open_in(&self.solution, self.unit)?;
        let path = match &self.node {
            Some(node) => saved.path(node)?,
            None if self.is_for_programs() => saved.path("")?,
            None => saved.first_choice()?,
        };
        let view = saved.view(&path, self.node.as_deref().unwrap_or(""))?;
        let shown = self.choose(&saved, &view, only.as_ref(), filter.as_ref())?;
        if let Some(file) = &self.plot {
            atomic_file::write_svg(file, &plot::strategy(&shown)?)?;
        }
        if let Some(file) = &self.plot_equity {
            atomic_file::write_svg(file, &plot::equities(&shown))?;
        }
        if let Some(file) = &self.csv {
            let text = if self.by_kind {
                csv::kinds(&shown)
            } else if self.by_class {
                csv::classes(&shown)
            } else {
                csv::combos(&shown)
            };
            if atomic_file::write_to(file, &text, printer)? {
                return Ok(());
            }
        }
        if self.json.json {
            printer.json(&document::document(&shown, self))
        } else if self.weights {
            printer.text(&listed(&shown.range()))
        } else if self.range {
            printer.text(&format!("{}\n", report::range_text(&shown.range())))
        } else {
            printer.text(&report::report(&shown, self, printer))
        }
    }

    /// Whether a program reads the answer: without a path that is the root.
    fn is_for_programs(&self) -> bool {
        self.json.json || self.csv.is_some() || self.range || self.weights
    }

    fn choose<'a>(
        &self,
        saved: &'a Saved,
        view: &'a NodeView,
        only: Option<&Range>,
        filter: Option<&KindFilter>,
    ) -> Result<Shown<'a>, Failure> {
        let player = self.player.unwrap_or(view.player);
        let held = Held::new(view, player);
        let (kinds, all) = (held.kinds(), &held.seen().combos);
        let is_chosen = |combo: &&ComboView| {
            only.is_none_or(|range| range.get(combo.combo) > 0.0)
                && filter.is_none_or(|filter| kinds.get(combo.combo).is_some_and(|kind| filter.matches(kind)))
        };
        let chosen: Vec<&ComboView> = all.iter().filter(is_chosen).collect();
        let mut combos: Vec<&ComboView> =
            chosen.iter().copied().filter(|combo| combo.share() > 0.0).collect();
        if let Some(text) = self.combo.as_deref().filter(|_| combos.is_empty()) {
            // Whoever asks for a combo that never gets there is answered, if the range has it.
            combos.clone_from(&chosen);
            if combos.is_empty() && filter.is_none() {
                return Err(missing(text, view, player).into());
            }
        }
        combos
            .sort_by_key(|combo| std::cmp::Reverse((rounded(combo.ev), rounded(combo.equity), combo.combo)));
        let order = self.sort.as_deref().map(|text| Order::read(text, saved, view, player == view.player));
        let order = order.transpose()?;
        order.unwrap_or(Order::Ev).sort_combos(&mut combos);
        let words = [self.combo.clone(), filter.map(ToString::to_string)];
        let words: Vec<String> = words.into_iter().flatten().collect();
        Ok(Shown {
            saved,
            view,
            player,
            num_hidden: chosen.len() - combos.len(),
            held,
            combos,
            chosen: (!words.is_empty()).then(|| words.join(", ")),
            order,
            is_opened: self.node.is_none() && view.node != saved.spot().tree().root(),
        })
    }
}

impl Shown<'_> {
    /// The hand classes in their order.
    fn classes(&self) -> Vec<(HandClass, ComboGroup)> {
        let mut classes = self.held.by_class(&self.combos);
        self.order.unwrap_or(Order::Ev).sort_classes(&mut classes);
        classes
    }

    /// The hand categories in their order.
    fn kinds(&self) -> Vec<(KindName, ComboGroup)> {
        let mut kinds = self.held.by_kind(&self.combos);
        if let Some(order) = self.order {
            order.sort_kinds(&mut kinds);
        }
        kinds
    }

    /// The chosen combos as a range.
    fn range(&self) -> Range {
        let mut range = self.held.seen().range();
        for combo in &self.held.seen().combos {
            if !self.combos.iter().any(|chosen| chosen.combo == combo.combo) {
                range.set(combo.combo, 0.0).expect("0 is a weight");
            }
        }
        range
    }
}

/// Combos that are the same but for suits get values that differ in the last bits: they stay together.
fn rounded(value: Option<f64>) -> Option<i64> {
    value.map(|value| (value * 1e4).round() as i64)
}

fn combos(text: &str) -> Result<Range, BadInput> {
    text.parse().map_err(|error: ParseRangeError| {
        let at = Some(error.at());
        BadInput::new(error).in_text("--combo", text, at)
    })
}

fn kinds(text: &str) -> Result<KindFilter, BadInput> {
    text.parse().map_err(|error: ParseKindError| {
        let at = Some(error.at());
        BadInput::new(error).in_text("--kind", text, at)
    })
}

/// Why none of the combos is there.
fn missing(text: &str, view: &NodeView, player: Player) -> BadInput {
    let blocked = text
        .parse::<Range>()
        .is_ok_and(|range| range.iter().all(|(combo, _)| combo.cards().intersects(view.board.set())));
    let why = if blocked {
        format!("the board {} has their cards", view.board)
    } else {
        format!("the range that {} was solved with leaves them out", name(player))
    };
    let other = name(player.opponent());
    BadInput::new(format!("no such combo of {} is there: {why}", name(player)))
        .in_text("--combo", text, None)
        .help(format!(
            "`--range` prints what {} has; --player {} shows {other}",
            name(player),
            player.opponent()
        ))
}
