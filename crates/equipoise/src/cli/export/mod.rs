//! `equipoise export`.

mod parquet;

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use equipoise::cards::{Card, Street};
use equipoise::documents::NodeDocument;
use equipoise::documents::command::{DecisionLine, ExportDocument, FirstLine, RangeLists, StrategyLists};
use equipoise::export::{ExportScope, Visited};
use equipoise::game::{NodeId, Player};
use equipoise::postflop::{ComboView, NodeView, ReadError, ViewDetail};
use equipoise::progress::Observer as _;
use equipoise_files::{FileKind, Outputs};
use serde::Serialize;

use super::atomic_file::AtomicFile;
use super::failure::{BadInput, Failure};
use super::outputs::ForceArg;
use super::print::{Printer, SCHEMA_VERSION};
use super::saved::{PATHS, Saved, cell};
use super::table::{duration, grouped};
use super::watch::{UntilInterrupted, Watch};

/// Write every decision below a node of a saved solution, as Parquet, JSON lines or CSV
///
/// Each decision before those below it, in memory that does not grow. Suit-isomorphic cards are written once, with how
/// many they stand for. A whole flop is gigabytes as text: Parquet is small and fast, --until
/// stops after a street, and a path with cards picks a runout.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct ExportArgs {
    /// The solution
    #[arg(value_name = "SOLUTION.EQP")]
    solution: PathBuf,

    /// Where to begin, such as 'check check | 7s |' [default: the first decision]
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    node: String,

    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Format [default: from the file name's extension; jsonl without one]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// The last street to write: flop, turn or river
    #[arg(long, value_name = "STREET", default_value = "river", value_parser = street)]
    until: Street,

    /// Every card that can come, not one of each suit isomorphism class
    #[arg(long)]
    all_cards: bool,

    /// Equities too, which take most of the time before the river; Parquet always has them
    #[arg(long)]
    equity: bool,

    /// Ranges instead of strategies: for both players at each decision 1,326 weights, as Parquet
    #[arg(long, conflicts_with = "equity")]
    ranges: bool,

    /// Threads that write Parquet [default: all that the machine offers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    #[command(flatten)]
    force: ForceArg,

    /// Print one JSON document that says what was written
    #[arg(long, requires = "output", display_order = 100)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  equipoise export x.eqp -o x.parquet
  equipoise export x.eqp --ranges --until turn -o ranges.parquet
  equipoise export x.eqp --until flop -o flop.jsonl
  equipoise export x.eqp --node 'check check | 7s |' --until turn --format csv -o turn.csv
  equipoise export x.eqp --node 'check check | 7s | check check | 2c |' | jq .path

JSON lines: the first has `schema_version` and `solution`, each of the others a decision: what
`equipoise show` has in `node`, `num_runouts` (how many runouts it stands for), and in `ranges` for
`oop` and `ip` lists of `combos` with `weights` and `evs`, with --equity also `equities`; in `strategy`
lists `frequencies` and `evs` for each action, over the combos of the player who acts.
CSV: a row for each action of each combo of each decision; `equity` is empty without --equity.
Parquet: the same columns, board by board, on all threads; docs/exports.md describes them. In Python:
  polars.scan_parquet('x.parquet').filter(polars.col('board') == 'Td9d6h').collect()";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON lines: a document for each decision
    Jsonl,
    /// A row for each action of each combo
    Csv,
    /// The same in columns, compressed
    Parquet,
}

impl Format {
    /// What a file's name says.
    fn of_name(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Some(Format::Parquet),
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" | "json" => Some(Format::Jsonl),
            _ => None,
        }
    }

    fn kind(self) -> FileKind {
        match self {
            Format::Jsonl => FileKind::JSON_LINES,
            Format::Csv => FileKind::CSV,
            Format::Parquet => FileKind::PARQUET,
        }
    }
}

pub(super) fn street(text: &str) -> Result<Street, &'static str> {
    let streets = [Street::Flop, Street::Turn, Street::River];
    let found = streets.into_iter().find(|street| street.to_string().eq_ignore_ascii_case(text.trim()));
    found.ok_or("a street is flop, turn or river")
}

/// Where it is written.
enum Target {
    File(AtomicFile),
    Standard(BufWriter<Stdout>),
}

impl Target {
    fn new(path: Option<&Path>) -> Result<Target, Failure> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => Ok(Target::File(AtomicFile::create(path)?)),
            None => Ok(Target::Standard(BufWriter::new(io::stdout()))),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Target::File(file) => file.write(text),
            Target::Standard(out) => Ok(out.write_all(text.as_bytes())?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Target::File(file) => file.finish(),
            Target::Standard(mut out) => Ok(out.flush()?),
        }
    }
}

/// What was written.
struct Done {
    decisions: u64,
    /// Of a table.
    rows: Option<u64>,
    bytes: u64,
}

impl ExportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let format = self.format();
        let kind = format.as_ref().ok().copied().flatten().unwrap_or(Format::Jsonl).kind();
        let files = Outputs::new().read("the solution", &self.solution);
        self.force.check(files.write_if("-o", self.output.as_deref(), kind))?;
        let format = format?;
        let saved = Saved::open(&self.solution)?;
        let path = saved.path(&self.node)?;
        let start = saved.reader.find(&path).map_err(|error| saved.bad_path(&self.node, error))?;
        if saved.spot().tree().node(start).is_terminal() {
            let message = "the hand is over there: nothing comes below it";
            return Err(BadInput::new(message).in_text("path", &self.node, Some(0)).into());
        }
        let clock = Instant::now();
        if self.ranges && format != Some(Format::Parquet) {
            return Err(BadInput::new("--ranges writes Parquet only")
                .help("name the file so: -o ranges.parquet; `equipoise show --weights` prints one range")
                .into());
        }
        if format == Some(Format::Parquet) {
            let (file, done) = self.write_parquet(&saved, start, path.runout)?;
            return self.tell(file, &done, clock.elapsed(), printer);
        }
        let is_file = self.output.as_deref().is_some_and(|path| path != Path::new("-"));
        let mut walk = Walk {
            saved: &saved,
            args: self,
            format: format.unwrap_or(Format::Jsonl),
            target: Target::new(self.output.as_deref())?,
            watch: is_file.then(Watch::start).transpose()?,
            decisions: 0,
            bytes: 0,
        };
        walk.begin()?;
        self.scope(start, path.runout).visit(&saved.reader, &mut |at| walk.decision(at)).map_err(|stop| {
            match stop {
                Stop::Read(error) => saved.bad_path(&self.node, error),
                Stop::Failed(failure) => failure,
            }
        })?;
        let Walk { target, watch, decisions, bytes, .. } = walk;
        if let Some(watch) = &watch {
            watch.finish();
        }
        target.finish()?;
        match self.output.as_deref().filter(|_| is_file) {
            Some(file) => {
                let done = Done { decisions, rows: None, bytes };
                self.tell(file, &done, clock.elapsed(), printer)
            }
            None => Ok(()),
        }
    }

    /// What was asked for, or what the file's name says; nothing for a name without ending.
    fn format(&self) -> Result<Option<Format>, BadInput> {
        let named = self.format.or_else(|| Format::of_name(self.output.as_deref()?));
        let ending = self.output.as_deref().and_then(Path::extension);
        match ending.filter(|_| named.is_none()) {
            None => Ok(named),
            Some(ending) => {
                let message = format!("no format is called '{}'", ending.display());
                let help = "name the file .parquet, .csv or .jsonl, or say what to write with --format";
                Err(BadInput::new(message).help(help))
            }
        }
    }

    fn scope(&self, node: NodeId, runout: Vec<Card>) -> ExportScope {
        ExportScope { node, runout, until: self.until, all_cards: self.all_cards }
    }

    fn tell(&self, file: &Path, done: &Done, elapsed: Duration, printer: &Printer) -> Result<(), Failure> {
        let Done { decisions, rows, bytes } = *done;
        if self.json {
            return printer.json(&ExportDocument {
                schema_version: SCHEMA_VERSION,
                file: file.display().to_string(),
                decisions,
                rows,
                bytes,
                elapsed_s: elapsed.as_secs_f64(),
            });
        }
        let rows = rows.map_or_else(String::new, |rows| format!(", {} rows", grouped(rows.into())));
        printer.text(&format!(
            "  {} decisions{rows}, {} in {}, written to {}\n",
            grouped(decisions.into()),
            super::table::bytes(bytes),
            duration(elapsed),
            file.display()
        ))
    }
}

/// Why the walk ended early.
enum Stop {
    Read(ReadError),
    Failed(Failure),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Stop {
        Stop::Read(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}

/// Writes decisions one by one.
struct Walk<'a> {
    saved: &'a Saved,
    args: &'a ExportArgs,
    format: Format,
    target: Target,
    watch: Option<Watch>,
    decisions: u64,
    bytes: u64,
}

impl Walk<'_> {
    fn begin(&mut self) -> Result<(), Failure> {
        match self.format {
            Format::Jsonl => {
                let line = FirstLine { schema_version: SCHEMA_VERSION, solution: self.saved.document() };
                self.line(&line)
            }
            _ => self.put(
                "node,board,num_runouts,probability,player,pot,action,chips,combo,reach,equity,ev,frequency,action_ev\n",
            ),
        }
    }

    /// Moves the bar on and stops after Ctrl-C.
    fn report(&mut self, done: f64) -> Result<(), Failure> {
        let flow = match &mut self.watch {
            Some(watch) => watch.progress(&done),
            None => UntilInterrupted.progress(&done),
        };
        if flow.is_break() {
            let how_far = format!("{} decisions were written, and the file was not kept", self.decisions);
            return Err(Failure::Interrupted(how_far));
        }
        Ok(())
    }

    fn decision(&mut self, at: &Visited<'_>) -> Result<(), Stop> {
        self.report(at.done)?;
        let (reader, num_runouts) = (&self.saved.reader, at.num_runouts);
        let path = reader.path_to(at.node, at.runout);
        let view = if self.args.equity {
            reader.view(&path, ViewDetail::Equities, &mut UntilInterrupted)
        } else {
            reader.view(&path, ViewDetail::Strategies, &mut UntilInterrupted)
        };
        let view = view?;
        self.decisions += 1;
        match self.format {
            Format::Jsonl => self.line(&self.decision_line(&view, num_runouts))?,
            _ => self.put(&rows(self.saved, &path.to_string(), &view, num_runouts))?,
        }
        Ok(())
    }

    fn decision_line(&self, view: &NodeView, num_runouts: usize) -> DecisionLine {
        let lists = |player: Player| {
            let seen: Vec<&ComboView> = held(view, player).collect();
            RangeLists {
                combos: seen.iter().map(|combo| combo.combo.to_string()).collect(),
                weights: seen.iter().map(|combo| combo.weight).collect(),
                evs: seen.iter().map(|combo| combo.ev).collect(),
                equities: self.args.equity.then(|| seen.iter().map(|combo| combo.equity).collect()),
            }
        };
        let actions = 0..view.actions.len();
        let actor = || held(view, view.player);
        DecisionLine {
            node: NodeDocument::new(&self.saved.reader, view),
            num_runouts,
            ranges: Player::ALL.map(lists).into(),
            strategy: StrategyLists {
                frequencies: actions
                    .clone()
                    .map(|action| actor().map(|combo| combo.frequencies[action]).collect())
                    .collect(),
                evs: actions.map(|action| actor().map(|combo| combo.action_evs[action]).collect()).collect(),
            },
        }
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(line).map_err(io::Error::from)?;
        text.push('\n');
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes += text.len() as u64;
        self.target.write(text)
    }
}

/// The combos that get there, highest first.
fn held(view: &NodeView, player: Player) -> impl Iterator<Item = &ComboView> {
    view.players[player].combos.iter().rev().filter(|combo| combo.share() > 0.0)
}

/// The columns and rows of the table in Parquet, in its order.
fn rows(saved: &Saved, path: &str, view: &NodeView, num_runouts: usize) -> String {
    let node = saved.spot().tree().node(view.node);
    let mut text = String::new();
    for (at, &action) in view.actions.iter().enumerate() {
        let chips = node.street_total_after(action);
        let combos = &view.players[view.player].combos;
        for combo in combos.iter().filter(|combo| combo.share() > 0.0) {
            text.push_str(&format!(
                "{path},{},{num_runouts},{},{},{},{action},{chips},{},{},{},{},{},{}\n",
                view.board,
                view.probability,
                view.player,
                view.pot,
                combo.combo,
                combo.weight,
                cell(combo.equity),
                cell(combo.ev),
                combo.frequencies[at],
                cell(combo.action_evs[at]),
            ));
        }
    }
    text
}
