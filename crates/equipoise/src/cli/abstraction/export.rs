//! `equipoise abstraction export`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use equipoise::abstraction::{CardAbstraction, StreetBuckets};
use equipoise::cards::Street;
use equipoise::documents::command::HandExport;
use equipoise::export::columns::Written;
use equipoise::export::{BucketExport, ExportError, FeatureColumn, FeatureExport, Hands};

use super::{inputs, inspect, of_library};
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{bytes, duration, grouped};
use crate::cli::watch::Watch;
use equipoise_files::{AtomicFile as Sink, FileKind, Outputs};

/// Write features or buckets of all hands of a street to a Parquet file
///
/// For polars, duckdb, pandas and whatever else opens Parquet. There is a row for each hand that differs from the others
/// in more than suits, by board and then by combo:
///
/// canonical_index is the number that `features` and `bucket` show, board and combo are the hand in canonical suits, and
/// weight is how many hands the row stands for. The file is written in constant memory and is there whole or not at
/// all; the bytes are the same at any number of threads.
#[derive(Args)]
#[command(after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    command: ExportCommand,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction export features --street flop -o features.parquet
  equipoise abstraction export buckets buckets --street river -o buckets.parquet

Then, in Python:
  import polars as pl
  features = pl.scan_parquet('features.parquet')
  features.filter(pl.col('hs') < 0.3).sort('equity', descending=True).head(20).collect()";

#[derive(Subcommand)]
enum ExportCommand {
    Features(FeaturesArgs),
    Buckets(BucketsArgs),
}

impl ExportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        match &self.command {
            ExportCommand::Features(args) => args.run(printer),
            ExportCommand::Buckets(args) => args.run(printer),
        }
    }
}

/// Write what every hand of a street is worth
///
/// The numbers are those of `equipoise abstraction features`, to the last bit.
#[derive(Args)]
#[command(after_long_help = FEATURES_EXAMPLES)]
struct FeaturesArgs {
    /// The street: preflop, flop, turn or river
    #[arg(long, value_name = "STREET", value_parser = any_street)]
    street: Street,

    /// Features to write, with commas between them: hs, equity, equity_sq, ppot, npot, ochs, histogram
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = str::parse::<FeatureColumn>)]
    #[arg(default_value = "hs,equity,equity_sq,ppot,npot,ochs")]
    columns: Vec<FeatureColumn>,

    #[command(flatten)]
    file: FileArgs,
}

const FEATURES_EXAMPLES: &str = "\
Examples:
  equipoise abstraction export features --street flop -o flop.parquet
  equipoise abstraction export features --street turn --columns equity,histogram -o turn.parquet
  equipoise abstraction export features --street river --boards 1000 -o some.parquet
  equipoise abstraction export features --street river -o river.parquet --dry-run

Columns:
  canonical_index          the number of the hand among those of its street, as `features` shows it
  board, combo             the hand in canonical suits; the board is empty before the flop
  weight                   how many hands differ from this one in suits only, itself included
  hs, ppot, npot           fractions of 1; null before the flop
  equity, equity_sq        fractions of 1
  ochs                     a list: equity against each cluster of opponents, the weakest first
  histogram                a list: runouts with a river HS in each of 50 bins; only if it is asked for

JSON: `content`, `street`, `file`, `columns`, `boards`, `rows`, `estimated_bytes`, `estimated_s`, and
unless it is a dry run `row_groups`, `bytes`, `elapsed_s`.";

/// Write the bucket of every hand of a street
///
/// The buckets are checked against their checksum first.
#[derive(Args)]
#[command(after_long_help = BUCKETS_EXAMPLES)]
struct BucketsArgs {
    /// The folder that `build` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The street: flop, turn or river
    #[arg(long, value_name = "STREET", value_parser = inspect::street)]
    street: Street,

    #[command(flatten)]
    file: FileArgs,
}

const BUCKETS_EXAMPLES: &str = "\
Examples:
  equipoise abstraction export buckets buckets --street flop -o buckets.parquet
  equipoise abstraction export buckets buckets --street river --boards 1000 -o some.parquet --json

Columns:
  canonical_index          the number of the hand among those of its street, as `bucket` shows it
  board, combo             the hand in canonical suits
  weight                   how many hands differ from this one in suits only, itself included
  bucket                   from 0, the weakest

JSON: `content`, `street`, `file`, `columns`, `boards`, `rows`, `estimated_bytes`, `estimated_s`, and
unless it is a dry run `row_groups`, `bytes`, `elapsed_s`.";

/// What both exports take.
#[derive(Args)]
struct FileArgs {
    /// The file to write; one that is there is replaced when the new one is finished
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Only the hands on N boards, evenly spaced over all
    #[arg(long, value_name = "N")]
    boards: Option<NonZeroUsize>,

    /// Threads to use [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Say what would be written, how large it is and how long it takes, and do nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

fn any_street(text: &str) -> Result<Street, &'static str> {
    let found = Street::ALL.into_iter().find(|street| street.to_string() == text);
    found.ok_or("preflop, flop, turn or river")
}

impl FeaturesArgs {
    fn run(&self, printer: &Printer) -> Result<(), Failure> {
        self.file.check(Outputs::new())?;
        let all = Hands::of(self.street);
        let hands = self.file.boards.map_or(all, |num_boards| all.with_boards(num_boards));
        let threads = self.file.num_threads();
        let export = FeatureExport::new(hands, &self.columns).with_threads(threads);
        let of_columns = |cost: fn(Street, FeatureColumn) -> f64| {
            export.columns().iter().map(|&column| cost(self.street, column)).sum::<f64>()
        };
        let size = ExportSize {
            content: "features",
            hands,
            columns: export.column_names(),
            bytes_per_row: HAND_BYTES[self.street as usize] + of_columns(column_bytes),
            seconds_per_board: HAND_SECONDS + board_seconds(self.street, export.columns()),
            threads,
        };
        self.file.write(printer, &size, |sink, watch| Ok(export.write(sink, watch)?.1))
    }
}

impl BucketsArgs {
    fn run(&self, printer: &Printer) -> Result<(), Failure> {
        self.file.check(inputs(&self.folder))?;
        let path = CardAbstraction::file(&self.folder, self.street);
        let buckets = StreetBuckets::load(&path).map_err(|error| of_library(&error))?;
        if buckets.street() != self.street {
            return Err(BadInput::new(format!("{} is of the {}", path.display(), buckets.street()))
                .help("equipoise abstraction build makes a folder with a file for each street")
                .into());
        }
        let threads = self.file.num_threads();
        let mut export = BucketExport::new(&buckets).with_threads(threads);
        if let Some(num_boards) = self.file.boards {
            export = export.with_boards(num_boards);
        }
        let size = ExportSize {
            content: "buckets",
            hands: export.hands(),
            columns: export.column_names(),
            bytes_per_row: HAND_BYTES[self.street as usize] + bucket_bytes(buckets.num_buckets()),
            seconds_per_board: HAND_SECONDS,
            threads,
        };
        if !self.file.dry_run {
            buckets.verify().map_err(|error| of_library(&error))?;
        }
        self.file.write(printer, &size, |sink, watch| Ok(export.write(sink, watch)?.1))
    }
}

/// What is about to be written.
struct ExportSize {
    content: &'static str,
    hands: Hands,
    columns: Vec<String>,
    bytes_per_row: f64,
    seconds_per_board: f64,
    threads: Option<NonZeroUsize>,
}

impl ExportSize {
    fn estimated_bytes(&self) -> u64 {
        (self.bytes_per_row * self.hands.num_rows() as f64) as u64
    }

    fn estimated_time(&self) -> Duration {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(all).get() as f64;
        Duration::from_secs_f64(self.seconds_per_board * self.hands.num_boards() as f64 / threads)
    }

    fn text(&self) -> String {
        let ExportSize { content, hands, .. } = self;
        format!(
            "  {content} on the {}: {} hands on {} boards, about {} in {:.0} s\n  {}\n",
            hands.street(),
            grouped(hands.num_rows().into()),
            grouped(hands.num_boards() as u128),
            bytes(self.estimated_bytes()),
            self.estimated_time().as_secs_f64().max(1.0),
            self.columns.join(", ")
        )
    }
}

impl FileArgs {
    fn num_threads(&self) -> Option<NonZeroUsize> {
        self.threads.and_then(|threads| NonZeroUsize::new(threads.into()))
    }

    /// Refuses to replace what is not to be replaced.
    fn check(&self, inputs: Outputs) -> Result<(), Failure> {
        self.force.check(inputs.write("-o", &self.output, FileKind::PARQUET))
    }

    /// Says what will be written, writes it, and says what was.
    fn write(
        &self,
        printer: &Printer,
        size: &ExportSize,
        write: impl FnOnce(&mut Sink, &mut Watch) -> Result<Written, ExportError>,
    ) -> Result<(), Failure> {
        let is_json = self.json.json;
        if !is_json {
            printer.text(&size.text())?;
        }
        if self.dry_run {
            return if is_json { printer.json(&self.document(size, None)) } else { Ok(()) };
        }
        let mut file = AtomicFile::create(&self.output)?;
        let mut watch = Watch::start()?;
        let written = write(file.sink(), &mut watch);
        watch.finish();
        let written = written.map_err(|error| self.stopped(error, &watch))?;
        file.finish()?;
        let elapsed = watch.elapsed();
        if is_json {
            return printer.json(&self.document(size, Some((written, elapsed))));
        }
        printer.text(&format!(
            "\n  {}: {} rows, {}, in {}\n",
            self.output.display(),
            grouped(written.num_rows.into()),
            bytes(written.num_bytes),
            duration(elapsed)
        ))
    }

    fn document<'a>(&self, size: &'a ExportSize, done: Option<(Written, Duration)>) -> HandExport<'a> {
        HandExport {
            schema_version: SCHEMA_VERSION,
            content: size.content,
            street: size.hands.street().to_string(),
            file: self.output.display().to_string(),
            columns: &size.columns,
            boards: size.hands.num_boards(),
            rows: done.map_or(size.hands.num_rows(), |(written, _)| written.num_rows),
            estimated_bytes: size.estimated_bytes(),
            estimated_s: size.estimated_time().as_secs_f64(),
            row_groups: done.map(|(written, _)| written.num_groups),
            bytes: done.map(|(written, _)| written.num_bytes),
            elapsed_s: done.map(|(_, elapsed)| elapsed.as_secs_f64()),
        }
    }

    fn stopped(&self, error: ExportError, watch: &Watch) -> Failure {
        match error {
            ExportError::Cancelled => Failure::Interrupted(format!(
                "after {:.1} % of the boards; {} is as it was before",
                100.0 * watch.done(),
                self.output.display()
            )),
            ExportError::Abstraction(error) => of_library(&error),
            other => {
                Failure::Runtime(anyhow!(other).context(format!("cannot write to {}", self.output.display())))
            }
        }
    }
}

// What rows and boards take was measured on 100 to 600 boards a street, on one core of a cloud server.

/// Bytes in the file that say which hand a row is, by street.
const HAND_BYTES: [f64; 4] = [24.0, 3.2, 3.6, 4.3];

/// Seconds of one core for the hands of a board and their columns.
const HAND_SECONDS: f64 = 0.9e-3;

/// Bytes of a bucket in the file: about the bits of its number.
fn bucket_bytes(num_buckets: u16) -> f64 {
    f64::from(num_buckets).log2() / 8.0
}

/// Bytes of a feature in the file.
fn column_bytes(street: Street, column: FeatureColumn) -> f64 {
    let by_street = match column {
        FeatureColumn::Hs => [1.0, 0.75, 0.82, 0.93],
        FeatureColumn::Equity => [8.0, 7.1, 3.6, 0.93],
        FeatureColumn::EquitySq => [8.0, 7.2, 4.0, 0.94],
        FeatureColumn::Ppot | FeatureColumn::Npot => [1.0, 7.0, 3.5, 0.0],
        FeatureColumn::Ochs => [64.0, 48.2, 25.4, 10.6],
        FeatureColumn::Histogram => [180.0, 26.8, 3.5, 0.4],
        _ => [8.0; 4],
    };
    by_street[street as usize]
}

/// Seconds of one core for the features of a board; before the flop there is one board, which stands for all.
fn board_seconds(street: Street, columns: &[FeatureColumn]) -> f64 {
    let has = |column: FeatureColumn| columns.contains(&column);
    let has_cells = has(FeatureColumn::Hs) || has(FeatureColumn::Ppot) || has(FeatureColumn::Npot);
    let parts = [
        (true, [2.0, 17e-3, 0.8e-3, 0.1e-3]),
        (has_cells, [0.0, 62e-3, 3.1e-3, 0.3e-3]),
        (has(FeatureColumn::Ochs), [1.0, 8e-3, 1.1e-3, 0.5e-3]),
        (has(FeatureColumn::Histogram), [0.0, 12e-3, 3.4e-3, 2.3e-3]),
    ];
    parts.into_iter().filter(|&(is_asked, _)| is_asked).map(|(_, seconds)| seconds[street as usize]).sum()
}
