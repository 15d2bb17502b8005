//! `equipoise show`.

mod csv;
mod document;
mod report;

use std::path::PathBuf;

use clap::Args;
use equipoise::cards::{KindFilter, ParseKindError, ParseRangeError, Range};
use equipoise::documents::Held;
use equipoise::game::Player;
use equipoise::postflop::{ComboView, NodeView};
use equipoise_files::{FileKind, Outputs};

use super::atomic_file;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{JsonArg, Printer};
use super::range::listed;
use super::saved::{PATHS, Saved, name};

/// Show any decision of a saved solution: who plays what, and what it is worth
///
/// What both players hold there and what it is worth, how often the range and every combo takes each action, and what
/// that gives away. Combos that never get there are hidden. A street that the file leaves out is re-solved.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct ShowArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Where to look, such as 'check bet:120 call | 7s | check' [default: the first decision]
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    node: String,

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

    /// Print the player's range there as text, and nothing else
    #[arg(long)]
    range: bool,

    /// Print it as 1,326 weights in the order of other programs (2d2c, 2h2c, 2h2d, 2s2c … AsAh)
    #[arg(long, conflicts_with_all = ["by_kind", "csv"])]
    weights: bool,

    /// Every combo, not only the first 20
    #[arg(long)]
    all: bool,

    /// Write the table to this CSV file, all of it; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "range")]
    csv: Option<PathBuf>,

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
  equipoise show x.eqp --by-kind
  equipoise show x.eqp --node check --range
  equipoise show x.eqp --node check --player oop --weights > oop.txt
  equipoise show x.eqp --csv combos.csv --json

JSON:
  solution                 file, board, chips, exploitability, iterations, algorithm, storage, target
  node                     path, board, player who acts, pot and stacks in chips, `probability` that
                           play gets there when these cards come, `unreached` if that is 0,
                           `unreliable` if it is below 0.001, `locked` (`all` or `some` combos of
                           the player who acts have a given strategy, or null), `solved_again`; `actions` with `frequency` and `ev` (of those who
                           take it), `players` with `combos`, `weighted_combos`, `equity`, `ev`, `eqr`
  player, combos           whose; for each `combo`, `class`, `made`, `draws`, `weight` (range times own
                           strategy), `share` of the range, `equity`, `ev`, `eqr`, and in `actions`
                           `frequency`, `ev` and `ev_loss` against the best action
  kinds                    with --by-kind, in place of combos
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
}

impl ShowArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let only = self.combo.as_deref().map(combos).transpose()?;
        let filter = self.kind.as_deref().map(kinds).transpose()?;
        let files = Outputs::new().read("the solution", &self.solution);
        self.force.check(files.write_if("--csv", self.csv.as_deref(), FileKind::CSV))?;
        let saved = Saved::open(&self.solution)?;
        let path = saved.path(&self.node)?;
        let view = saved.view(&path, &self.node)?;
        let shown = self.choose(&saved, &view, only.as_ref(), filter.as_ref())?;
        if let Some(file) = &self.csv {
            let text = if self.by_kind { csv::kinds(&shown) } else { csv::combos(&shown) };
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
        })
    }
}

impl Shown<'_> {
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
