//! `equipoise batch flops`.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use clap::Args;
use equipoise::documents::batch::{FlopDocument, FlopsDocument, SubsetQuality};
use equipoise::progress::Cancelled;
use equipoise_batch::{Flop, NAMES, derive_subset, measure_subsets, named_flops};

use crate::cli::failure::{BadInput, Failure};
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, grouped, percent};
use crate::cli::watch::Watch;

/// Show flops that stand for all, measure how well they do, and choose others
///
/// Averages over a subset, weighted, come near those over all 1,755 flops at a fraction of the price. --check says how
/// near, by ranges that subsets are not chosen by; docs/batch.md says how they are chosen.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct FlopsArgs {
    /// Which: 25, 49, 95 or all
    #[arg(value_name = "NAME", default_value = "49", conflicts_with = "derive")]
    name: String,

    /// Choose a subset of N flops; takes a minute of one core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1755), allow_negative_numbers = true)]
    derive: Option<u16>,

    /// Measure the error of weighted averages against all flops; takes a minute of one core
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch flops 25
  equipoise batch flops 49 --check
  equipoise batch flops --derive 120 --check
  equipoise batch flops all --json

JSON: in `flops` the `board`, `weight` and `texture` of each; with --check `quality`: `mean_error` and
`max_error` over `quantities`, each with its `name`, its average over `all` flops and over the `subset`,
and the standard `deviation` of single flops; all fractions of 1.";

impl FlopsArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut watch = Watch::start()?;
        let flops = match self.derive.and_then(|size| NonZeroUsize::new(size.into())) {
            Some(size) => found(derive_subset(&[size.get()], &mut watch))?.remove(0),
            None => named_flops(&self.name).ok_or_else(|| {
                BadInput::new(format!("there are no flops called '{}'", self.name))
                    .help(format!("write one of {}, or choose with --derive N", NAMES.join(", ")))
            })?,
        };
        let subsets = [flops];
        let quality = if self.check { found(measure_subsets(&subsets, &mut watch))?.pop() } else { None };
        watch.finish();
        let [flops] = subsets;
        if self.json.json {
            let (schema_version, quality) = (SCHEMA_VERSION, quality.as_ref());
            return printer.json(&FlopsDocument {
                schema_version,
                flops: flops.iter().map(document).collect(),
                quality,
            });
        }
        printer.text(&report(&flops, quality.as_ref(), printer))
    }
}

fn texture(flop: &Flop) -> Option<String> {
    equipoise::cards::FlopTexture::of(&flop.board).map(|texture| texture.to_string())
}

fn document(flop: &Flop) -> FlopDocument {
    FlopDocument { board: flop.board.to_string(), weight: flop.weight, texture: texture(flop) }
}

/// What was found, unless Ctrl-C came before.
fn found<T>(done: Result<T, Cancelled>) -> Result<T, Failure> {
    done.map_err(|_| Failure::Interrupted("nothing was found yet".to_owned()))
}

fn report(flops: &[Flop], quality: Option<&SubsetQuality>, printer: &Printer) -> String {
    let mut table = Table::new(&[("flop", Align::Left), ("weight", Align::Right), ("texture", Align::Left)]);
    for flop in flops {
        table.row([
            printer.cards(flop.board.cards().to_vec()),
            format!("{:.2}", flop.weight),
            texture(flop).unwrap_or_default(),
        ]);
    }
    let total: f64 = flops.iter().map(|flop| flop.weight).sum();
    let mut text = table.render();
    let _ =
        write!(text, "\n  {} flops; their weights sum to {}\n", flops.len(), grouped(total.round() as u128));
    let Some(quality) = quality else { return text };
    let mut table = Table::new(&[
        ("quantity", Align::Left),
        ("all flops", Align::Right),
        ("subset", Align::Right),
        ("error", Align::Right),
        ("flops differ by", Align::Right),
    ]);
    for quantity in &quality.quantities {
        table.row([
            quantity.name.clone(),
            percent(quantity.all),
            percent(quantity.subset),
            format!("{:+.3} %", 100.0 * quantity.error()),
            percent(quantity.deviation),
        ]);
    }
    let _ = write!(
        text,
        "\n{}\n  the error is {} on average and {} at most\n",
        table.render(),
        percent(quality.mean_error),
        percent(quality.max_error)
    );
    text
}
