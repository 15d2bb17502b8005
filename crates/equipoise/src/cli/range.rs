//! `equipoise range`.

use clap::Args;
use equipoise::cards::{ParseRangeError, Range};
use equipoise::documents::command::ExpandedRangeDocument;

use super::failure::{BadInput, Failure};
use super::grid::grid;
use super::print::{JsonArg, Printer};
use super::range_list;

/// Show a range as a 13×13 grid
///
/// Suited classes stand above the diagonal of pairs, offsuit ones below.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{GRAMMAR}"))]
pub(crate) struct RangeArgs {
    /// The range, such as TT+,AKs:0.5 or @btn-open
    #[arg(required_unless_present = "list")]
    range: Option<String>,

    /// List the ranges that have names
    #[arg(long, conflicts_with_all = ["range", "weights"])]
    list: bool,

    /// Print 1,326 weights in the order of other programs (2d2c, 2h2c, 2h2d, 2s2c … AsAh), and nothing else
    #[arg(long)]
    weights: bool,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise range 'TT+,AKs:0.5'
  equipoise range 15%
  equipoise range @btn-open
  equipoise range '@bb-call-v-btn:0.5,AA'
  equipoise range --list
  equipoise range '22+,A2s+,KTs+,ATo+' --json
  equipoise range 'TT+,AKs:0.5' --weights > weights.txt
  equipoise range 'random,[50]22-66[/50],72o:0' --color always | less -R

JSON:
  text                   the range in short
  combos                 how many have a weight above 0
  weighted_combos        the sum of the weights
  percent                that sum in percent of all 1,326 combos
  weights                combo to weight, without zeros
  listed_weights         with --weights: all 1,326 in the order of other programs
With --list `ranges`: `name`, `title`, `text`, `percent` of all combos, `is_shipped`";

/// The range grammar, for every command that reads ranges.
pub(crate) const GRAMMAR: &str = "\
Ranges: groups separated by commas or blanks; a later group overwrites an earlier one
  AKs  AKo  AK  88         a class; without suffix suited and offsuit
  88+                      88, 99 … AA
  ATo+  T8s+               the kicker rises: ATo … AKo; T8s, T9s
  T9s+                     ranks one apart climb the ladder: T9s, JTs … AKs
  A5s-A2s  88-55           from one end to the other
  KQo-JTo                  along the diagonal: KQo, QJo, JTo
  AhKd                     two exact cards
  random  *                every combo
  15%                      the best 15 % by equity against a random combo
  @btn-open  @btn-open:0.5
                           a range with a name, as `equipoise range --list` has them
  AKs:0.5                  a weight between 0 and 1; 0 removes
  AKs@50  [50]AKs,QQ[/50]  weights in percent
or 1,326 weights and nothing else, in the order 2d2c, 2h2c, 2h2d, 2s2c … AsAh";

impl RangeArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let Some(text) = self.range.as_deref().filter(|_| !self.list) else {
            return range_list::list(self.json.json, printer);
        };
        let range: Range = text.parse().map_err(|error: ParseRangeError| {
            let at = Some(error.at());
            BadInput::new(error).in_text("range", text, at)
        })?;
        if self.json.json {
            printer.json(&ExpandedRangeDocument::new(text, &range, self.weights))
        } else if self.weights {
            printer.text(&listed(&range))
        } else {
            printer.text(&report(&range, printer.colour()))
        }
    }
}

/// All weights on one line, in the order of other programs.
pub(crate) fn listed(range: &Range) -> String {
    let weights: Vec<String> = range.listed_weights().map(|weight| weight.to_string()).collect();
    weights.join(" ") + "\n"
}

fn report(range: &Range, colour: bool) -> String {
    let mut combos = format!("{} combos", range.num_combos());
    let weight = range.total_weight();
    if weight != range.num_combos() as f64 {
        combos.push_str(&format!(", {weight:.2} by weight"));
    }
    let text = if range.is_empty() { "(nothing)".to_owned() } else { range.to_string() };
    format!("{}\n  {combos}, {:.2} % of all\n  {text}\n", grid(range, colour), range.percent())
}
