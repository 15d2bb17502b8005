//! `equipoise blueprint chart`.

use std::path::PathBuf;

use clap::Args;
use equipoise::blueprint::whole::Flops;
use equipoise::documents::command::{
    ChartDecisionDocument, ChartDocument, FlopEntryDocument, stack_and_sizes,
};
use equipoise_files::{FileKind, Outputs};

use super::{BucketsArg, ThreadsArg, charts, open};
use crate::cli::atomic_file;
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::grouped;

/// Chart every decision before the flop: frequencies and EV of each hand class
///
/// EVs are those of self-play, in big blinds from the start of the hand, blinds included: means over flops that are drawn,
/// every turn and river of each, with their standard error over flops.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ChartArgs {
    /// The blueprint
    #[arg(value_name = "X.EQB")]
    blueprint: PathBuf,

    /// Show the hand classes of this decision, such as 'r2.5' [default: a summary of every decision]
    #[arg(long, value_name = "LINE")]
    line: Option<String>,

    /// How many flops to draw
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=22_100))]
    flops: u16,

    /// What determines which flops
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write every decision and hand class as CSV; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    buckets: BucketsArg,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise blueprint chart x.eqb
  equipoise blueprint chart x.eqb --line r2.5 --flops 64
  equipoise blueprint chart x.eqb --csv chart.csv

JSON: decisions: a list of line, player (sb or bb), actions, frequencies and classes: by hand class reach,
frequencies, evs_bb, std_errors_bb in the order of actions; flops; exploitability_mbb of the blueprint.
entries: the lines that reach the flop, with line, pot_bb, behind_bb and the ranges of sb and bb.
Ctrl-C charts the flops that are done.";

impl ChartArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let mut files = Outputs::new().read("the blueprint", &self.blueprint);
        if let Some(csv) = &self.csv {
            files = files.write("--csv", csv, FileKind::CSV);
        }
        self.force.check(files)?;
        let blueprint = open(&self.blueprint)?;
        let flops = Flops::Sampled { count: self.flops.into(), seed: self.seed };
        let folder = self.buckets.buckets.as_deref();
        let (decisions, flops) = charts::decisions(&blueprint, folder, &flops, &self.threads)?;
        let decisions: Vec<_> = decisions.iter().map(ChartDecisionDocument::new).collect();
        if let Some(csv) = &self.csv
            && atomic_file::write_to(csv, &charts::csv(&decisions), printer)?
        {
            return Ok(());
        }
        let (stack_bb, menu) = stack_and_sizes(blueprint.header());
        let document = ChartDocument {
            schema_version: SCHEMA_VERSION,
            path: self.blueprint.display().to_string(),
            stack_bb,
            menu,
            boards: blueprint.header().boards,
            flops,
            exploitability_mbb: blueprint.header().exploitability.map(|found| found.mbb),
            decisions,
            entries: blueprint.flop_entries().iter().map(FlopEntryDocument::new).collect(),
        };
        if self.json.json { printer.json(&document) } else { printer.text(&self.report(&document)?) }
    }

    fn report(&self, document: &ChartDocument) -> Result<String, Failure> {
        let found = document.exploitability_mbb.map_or_else(
            || "exploitability not measured".to_owned(),
            |mbb| format!("exploitability {mbb:.0} mbb/hand"),
        );
        let mut text = format!(
            "  {} boards, {found}; EVs in bb, means of {} flop(s)\n\n",
            grouped(document.boards.into()),
            document.flops
        );
        match &self.line {
            None => text.push_str(&charts::summary(&document.decisions)),
            Some(line) => text.push_str(&charts::of_decision(charts::find(&document.decisions, line)?)),
        }
        Ok(text)
    }
}
