//! `equipoise abstraction features`.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use equipoise::abstraction::{AbstractionError, Cells, Features, OpponentClusters, preflop_features};
use equipoise::cards::{Board, Combo, Indexer, Street};
use equipoise::documents::command::FeaturesDocument;
use equipoise::export::equity_distribution;
use equipoise_files::{FileKind, Outputs};

use super::HandArgs;
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, clipped, grouped, percent};
use crate::cli::watch::Watch;

/// Show strength, potential and distribution of a hand, exactly
///
/// Against a random hand; every combo of the opponent and every runout is counted:
///
/// HS is the share of opponents that the combo beats now, ties counted half; equity is its mean on the river, E[HS²]
/// the mean of its square there. PPot is how often what is behind now gets ahead, NPot the reverse; HS(1-NPot) +
/// (1-HS)PPot is the equity. OCHS is the equity against eight clusters of opponents. Before the flop nobody has a hand
/// to compare, so that there is no HS and no potential, and the count takes a second or so.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    hand: HandArgs,

    /// Draw how the river HS is distributed into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction features Td9d6h AhKh
  equipoise abstraction features '3h 4c Jh' AdQc --json
  equipoise abstraction features '' AhAd
  equipoise abstraction features Td9d6h AhKh --plot hand.svg

JSON:
  street, board, combo
  hs, ppot, npot           fractions of 1; null before the flop
  equity, equity_sq        fractions of 1
  cells                    opponents and runouts: three rows (ahead, tied, behind now) of three (ahead,
                           tied, behind on the river); null before the flop
  runouts, histogram       how many runouts there are, and how many have a river HS in each of 50 bins
  ochs                     equity against each cluster of opponents, the weakest first
  clusters                 the clusters as ranges
  canonical_index          the number of the hand among those of its street that differ in more than suits";

impl FeaturesArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let (combo, board) = self.hand.read()?;
        self.force.check(Outputs::new().write_if("--plot", self.plot.as_deref(), FileKind::SVG))?;
        let plot = self.plot.as_deref().map(AtomicFile::create_svg).transpose()?;
        let features = count(combo, &board)?;
        if let Some(mut file) = plot {
            file.write(&equity_distribution(combo, &board, &features))?;
            file.finish()?;
        }
        if self.json.json {
            printer.json(&document(combo, &board, &features)?)
        } else {
            printer.text(&report(combo, &board, &features, printer))
        }
    }
}

/// Counts, with a progress bar if it takes long; Ctrl-C ends it.
fn count(combo: Combo, board: &Board) -> Result<Features, Failure> {
    if board.street() != Street::Preflop {
        return Features::of(combo, board).map_err(|error| Failure::Runtime(anyhow!(error)));
    }
    let mut watch = Watch::start()?;
    let all = preflop_features(&mut watch);
    watch.finish();
    match all {
        Ok(all) => Ok(all[combo.class().index()].clone()),
        Err(AbstractionError::Cancelled) => {
            Err(Failure::Interrupted(format!("{:.1} % of the boards were counted", 100.0 * watch.done())))
        }
        Err(error) => Err(Failure::Runtime(anyhow!(error))),
    }
}

fn document(combo: Combo, board: &Board, features: &Features) -> Result<FeaturesDocument, Failure> {
    let index = Indexer::of_combo(board.street()).index_deal(combo, board);
    Ok(FeaturesDocument {
        schema_version: SCHEMA_VERSION,
        street: board.street().to_string(),
        board: board.to_string(),
        combo: combo.to_string(),
        hs: features.hs(),
        equity: features.equity(),
        equity_sq: features.equity_sq(),
        ppot: features.ppot(),
        npot: features.npot(),
        cells: features.cells(),
        runouts: features.num_runouts(),
        histogram: features.histogram().to_vec(),
        ochs: features.ochs().to_vec(),
        clusters: OpponentClusters::standard().ranges().map(|range| range.to_string()).to_vec(),
        canonical_index: index.map_err(|error| Failure::Runtime(anyhow!(error)))?,
    })
}

fn report(combo: Combo, board: &Board, features: &Features, printer: &Printer) -> String {
    let private = printer.cards([combo.high(), combo.low()]);
    let mut text = match board.street() {
        Street::Preflop => format!("  {private} before the flop, a combo of {}\n\n", combo.class()),
        street => format!("  {private} on {} ({street})\n\n", printer.cards(board.cards().iter().copied())),
    };
    text.push_str(&numbers(features));
    if let Some(cells) = features.cells() {
        text.push_str(&cell_table(&cells));
    }
    text.push_str(&format!(
        "\n  river HS over {} runouts, from 0 to 1 in 50 bins\n  {}\n",
        grouped(features.num_runouts().into()),
        bars(features.histogram())
    ));
    text.push('\n');
    let mut table = Table::new(&[("OCHS: equity against", Align::Left), ("", Align::Right)]);
    for (range, equity) in OpponentClusters::standard().ranges().iter().zip(features.ochs()) {
        table.row([clipped(&range.to_string(), 60), percent(equity)]);
    }
    text.push_str(&table.render());
    text
}

fn numbers(features: &Features) -> String {
    let rows = [
        ("HS", features.hs(), "opponents beaten now, ties counted half"),
        ("equity", Some(features.equity()), "the mean HS on the river"),
        ("E[HS²]", Some(features.equity_sq()), "the mean of its square"),
        ("PPot", features.ppot(), "of what is behind now, ahead on the river"),
        ("NPot", features.npot(), "of what is ahead now, behind on the river"),
    ];
    let mut table = Table::new(&[("", Align::Left), ("", Align::Right), ("", Align::Left)]);
    for (name, value, meaning) in rows {
        if let Some(value) = value {
            table.row([name.to_owned(), percent(value), meaning.to_owned()]);
        }
    }
    // The columns have no names.
    table.render().trim_start_matches('\n').to_owned()
}

fn cell_table(cells: &Cells) -> String {
    let columns = [
        ("now", Align::Left),
        ("ahead", Align::Right),
        ("tied", Align::Right),
        ("behind on the river", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for (name, row) in ["ahead", "tied", "behind"].into_iter().zip(cells) {
        let counts = row.iter().map(|&count| grouped(count.into()));
        table.row([name.to_owned()].into_iter().chain(counts));
    }
    format!("\n{}", table.render())
}

/// A bar for each bin, the highest for the fullest; a dot where there is nothing.
fn bars(histogram: &[u32]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = u64::from(histogram.iter().copied().max().unwrap_or(0).max(1));
    let bar = |&count: &u32| match u64::from(count) {
        0 => '·',
        count => BARS[((8 * count).div_ceil(most) - 1) as usize],
    };
    histogram.iter().map(bar).collect()
}
