//! `equipoise batch report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use equipoise::documents::UnitDocument;
use equipoise::documents::batch::{EngineCount, Mean, SpotAggregate};
use equipoise::export::columns::{Column, Field, Kind, ParquetWriter};
use equipoise::postflop::{ParsePathError, ReadError, Reader};
use equipoise_batch::{Aggregate, AggregateError, BatchPath, By, Cell, Folder, Table};
use equipoise_files::FileKind;

use super::{bad_folder, inputs};
use crate::cli::amounts::{Amounts, UnitArg};
use crate::cli::atomic_file::{self, AtomicFile};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, note};
use crate::cli::saved::{PATHS, bad_file, eqr_or_dash, ev_or_dash, percent_or_dash};
use crate::cli::table::{Align, Table as TextTable, grouped, percent};
use crate::cli::typed_path;
use crate::cli::watch::Watch;

/// Average a batch over its flops: frequencies, EV and equity
///
/// By flop or by texture, at the first decision or any other. Every flop counts by how many flops it stands for, times how
/// often play gets to the decision there; the last line counts each also by how many pairs of combos it leaves possible,
/// which gives the EV of both ranges before the flop. docs/batch.md has the formulas and what the textures mean.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{PATHS}"))]
pub(crate) struct ReportArgs {
    /// The folder of the batch
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// What makes a row [default: texture, or card where the path has a *]
    #[arg(long, value_name = "WHAT")]
    by: Option<Rows>,

    /// The decision, such as 'check bet:120', or 'x b33 c *' for all turn cards [default: the first]
    #[arg(long, value_name = "PATH", default_value = "")]
    node: String,

    /// Only this spot of the plan
    #[arg(long, value_name = "NAME")]
    spot: Option<String>,

    /// Sort rows by this column: group, weight, oop_ev, ip_equity, bet:120_frequency, ...
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,

    /// Lowest first; words from Z to A
    #[arg(long, requires = "sort")]
    ascending: bool,

    /// Write the rows to this CSV file; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the rows to this Parquet file
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rows {
    /// Each flop
    Flop,
    /// All of the following
    Texture,
    /// Rainbow, two-tone, monotone
    Suits,
    /// Unpaired, paired, trips
    Pairing,
    /// The highest card
    HighCard,
    /// Whether a straight is possible, four cards of one, or neither
    Connectedness,
    /// What the last * changes: all of the following
    Card,
    /// A flush card, the second of its suit, a new suit
    CardSuit,
    /// Whether it pairs the board
    CardPairing,
    /// Whether it makes straights possible
    CardStraights,
    /// Overcard, middle card, undercard
    CardHeight,
    /// Its rank
    CardRank,
}

impl Rows {
    fn by(self) -> Vec<By> {
        match self {
            Rows::Flop => vec![By::Flop],
            Rows::Texture => By::TEXTURES.to_vec(),
            Rows::Suits => vec![By::Suits],
            Rows::Pairing => vec![By::Pairing],
            Rows::HighCard => vec![By::HighCard],
            Rows::Connectedness => vec![By::Connectedness],
            Rows::Card => By::CARDS.to_vec(),
            Rows::CardSuit => vec![By::CardSuit],
            Rows::CardPairing => vec![By::CardPairing],
            Rows::CardStraights => vec![By::CardStraights],
            Rows::CardHeight => vec![By::CardHeight],
            Rows::CardRank => vec![By::CardRank],
        }
    }

    /// Whether rows of several kinds stand below each other.
    const fn is_several(self) -> bool {
        matches!(self, Rows::Texture | Rows::Card)
    }
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch report folder
  equipoise batch report folder --by flop --sort oop_ev
  equipoise batch report folder --by suits --node 'x b33'
  equipoise batch report folder --node 'x b33 c *'              every turn card, by what it changes
  equipoise batch report folder --node 'x x * x x *' --by card-rank
  equipoise batch report folder --by flop --csv flops.csv --parquet flops.parquet

After a * the report is over every card that can come: a row has the mean over its runouts, and `--by card` groups
them by what the last * changes. That street has to be kept: save = \"no-river\" keeps turns, \"full\" rivers too.

JSON: `path`; in `spots` of each spot the `street`, the acting `player`, `pot`, `big_blind`, `actions` and their
`pct_pot`, `planned` flops, those done in `flops` with `weight`, `boards`, `deals`, `probability`, texture,
`frequencies` and of both `players` `equity`, `ev`, `eqr`; `total` and `total_by_deals`; in `groups`, by kind of
texture, the same averages, and in `cards` those by what the last * changes; `engines` that solved the jobs, and how
many each: more than one is also a note.";

impl ReportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = inputs(&Folder::new(&self.folder)).write_if("--csv", self.csv.as_deref(), FileKind::CSV);
        self.force.check(files.write_if("--parquet", self.parquet.as_deref(), FileKind::PARQUET))?;
        let path = self.path()?;
        let by = self.by.unwrap_or(if path.has_open_card() { Rows::Card } else { Rows::Texture });
        if by.by().iter().all(|by| By::CARDS.contains(by)) && !path.has_open_card() {
            return Err(BadInput::new(
                "no card of the path is open, so that there is nothing to group by cards",
            )
            .help("write * where a card comes, as in --node 'x x *'")
            .into());
        }
        let aggregate = self.aggregate(&path)?;
        for spot in aggregate.spots.iter().filter(|spot| spot.flops.len() < spot.planned) {
            note(format!("{} of {} flops of '{}' are done", spot.flops.len(), spot.planned, spot.spot));
        }
        if aggregate.engines.len() > 1 {
            note(format!("different engines solved these jobs: {}", engines(&aggregate.engines)));
        }
        let mut table = Table::of(&aggregate, &by.by());
        if let Some(name) = &self.sort {
            let column = table.column(name).ok_or_else(|| {
                BadInput::new(format!("there is no column '{name}'"))
                    .help(format!("there are {}", table.names.join(", ")))
            })?;
            table.sort(column, self.ascending);
        }
        if let Some(path) = &self.parquet {
            self.write_parquet(&table, path)?;
        }
        if let Some(path) = &self.csv
            && atomic_file::write_to(path, &table.csv(), printer)?
        {
            return Ok(());
        }
        if self.json.json {
            return printer.json(&aggregate.document());
        }
        printer.text(&self.report(&aggregate, &table, by)?)
    }

    /// The path, read along the tree of a solution; without one only the first decision is known.
    fn path(&self) -> Result<BatchPath, Failure> {
        if self.node.trim().is_empty() {
            return Ok(BatchPath::root());
        }
        let folder = Folder::new(&self.folder);
        let jobs = folder.listing().map_err(bad_folder)?.jobs.into_iter();
        let mut jobs = jobs.filter(|job| self.spot.as_ref().is_none_or(|name| job.spot == *name));
        let kept = jobs.find(|job| folder.summary(job.id).is_some_and(|found| found.file_bytes > 0));
        let wrong = |message: String, at: usize| -> Failure {
            BadInput::new(message).in_text("path", &self.node, Some(at)).help("--help explains paths").into()
        };
        let Some(job) = kept else {
            return self.node.parse().map_err(|error: ParsePathError| wrong(error.to_string(), error.at()));
        };
        let file = folder.solution_path(job.id);
        let (reader, _) = Reader::open(&file).map_err(|error| bad_file(&file, error))?;
        typed_path::read_open(reader.spot().tree(), &self.node)
            .map_err(|error| wrong(error.message, error.at))
    }

    fn aggregate(&self, path: &BatchPath) -> Result<Aggregate, Failure> {
        let mut watch = Watch::start()?;
        let found = Aggregate::of(&Folder::new(&self.folder), path, self.spot.as_deref(), &mut watch);
        watch.finish();
        found.map_err(|error| match error {
            AggregateError::Folder(error) => bad_folder(error),
            AggregateError::Cancelled { .. } => Failure::Interrupted(error.to_string()),
            AggregateError::Read { ref source, .. } if is_wrong_path(source) => {
                let help = match **source {
                    ReadError::Chance { .. } => {
                        "a card comes there: write it, or * for every card, as in 'x x *'"
                    }
                    _ => "--help explains paths",
                };
                BadInput::new(source).in_text("path", &self.node, None).help(help).into()
            }
            AggregateError::Read { .. } => Failure::Runtime(error.into()),
            _ => BadInput::new(error).into(),
        })
    }

    fn write_parquet(&self, table: &Table, path: &std::path::Path) -> Result<(), Failure> {
        let is_word = |at: usize| table.rows.first().is_some_and(|row| matches!(row[at], Cell::Text(_)));
        let field = |(at, name): (usize, &String)| {
            Field::new(name, if is_word(at) { Kind::Text } else { Kind::NullableDouble })
        };
        let column = |at: usize| {
            if is_word(at) {
                return Column::of_words(table.rows.iter().map(|row| word(row, at)));
            }
            Column::NullableDouble(table.rows.iter().map(|row| number(row, at)).collect())
        };
        let fields: Vec<Field> = table.names.iter().enumerate().map(field).collect();
        let columns: Vec<Column> = (0..fields.len()).map(column).collect();
        let mut file = AtomicFile::create(path)?;
        let write = |sink| {
            let mut writer = ParquetWriter::new(sink, &fields, &[("node", &self.node)])?;
            writer.write(&columns)?;
            writer.finish()
        };
        write(file.sink()).map_err(anyhow::Error::from)?;
        file.finish()
    }

    fn report(&self, aggregate: &Aggregate, table: &Table, by: Rows) -> Result<String, BadInput> {
        let mut text = String::new();
        for spot in &aggregate.spots {
            let after = if aggregate.path.is_empty() {
                "at the beginning".to_owned()
            } else {
                format!("after '{}'", aggregate.path)
            };
            let acts = spot
                .player
                .as_ref()
                .map_or_else(String::new, |player| format!("; {} acts", player.to_uppercase()));
            let worst = spot.worst_exploitability_pct();
            let amounts =
                self.unit.of(spot.starting_pot, spot.big_blind, spot.starting_pot * worst / 100.0)?;
            let boards: usize = spot.flops.iter().map(|row| row.boards).sum();
            let boards = if spot.cards.is_some() {
                format!("; {} runouts that differ in more than suits", grouped(boards as u128))
            } else {
                String::new()
            };
            text.push_str(&format!(
                "  {} {after}: pot {}{acts}{boards}; {} at most {worst:.3} % of {}\n\n",
                spot.spot,
                amounts.exact(spot.pot),
                if spot.unit == UnitDocument::Prizes { "ε" } else { "exploitability" },
                if spot.unit == UnitDocument::Prizes { "what the pot is worth" } else { "the starting pot" },
            ));
            text.push_str(&spot_table(spot, table, &amounts, by.is_several()));
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }
}

/// Who solved how many jobs.
fn engines(counts: &[EngineCount]) -> String {
    let words = |count: &EngineCount| match &count.engine {
        Some(engine) => format!("{} {} ({})", count.jobs, engine.short(), engine.kernel),
        None => format!("{} an engine that is not named", count.jobs),
    };
    counts.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn is_wrong_path(error: &equipoise::postflop::ReadError) -> bool {
    use equipoise::postflop::ReadError as E;
    matches!(
        error,
        E::Line(_)
            | E::NumCards { .. }
            | E::Card { .. }
            | E::Chance { .. }
            | E::HandOver { .. }
            | E::NoChance { .. }
    )
}

/// The word in a cell; empty where a number stands.
fn word(row: &[Cell], at: usize) -> &str {
    match &row[at] {
        Cell::Text(word) => word,
        _ => "",
    }
}

/// The number in a cell, if there is one.
fn number(row: &[Cell], at: usize) -> Option<f64> {
    match row[at] {
        Cell::Number(number) => number,
        _ => None,
    }
}

/// The rows of a spot, and below them its averages over all flops.
fn spot_table(spot: &SpotAggregate, table: &Table, amounts: &Amounts, names_kind: bool) -> String {
    let actions: Vec<String> = (0..spot.actions.len()).map(|at| action_name(spot, at, amounts)).collect();
    let mut columns = vec![
        ("", Align::Left),
        ("flops", Align::Right),
        ("weight", Align::Right),
        ("OOP equity", Align::Right),
        ("OOP EV", Align::Right),
        ("OOP EQR", Align::Right),
        ("IP EV", Align::Right),
    ];
    let is_reached_always = spot.flops.iter().all(|row| row.probability == 1.0);
    if !is_reached_always {
        columns.push(("reached", Align::Right));
    }
    columns.extend(actions.iter().map(|action| (action.as_str(), Align::Right)));
    let mut text = TextTable::new(&columns);
    let own = table.rows.iter().filter(|row| row[0] == Cell::Text(spot.spot.clone()));
    let number = |row: &[Cell], name: &str| table.column(name).and_then(|at| number(row, at));
    let ev = |ev: Option<f64>| match spot.unit {
        UnitDocument::Prizes => ev_or_dash(ev, spot.unit),
        UnitDocument::Chips => amounts.ev_or_dash(ev),
    };
    let mut kind = None;
    for row in own {
        let by = word(row, 1);
        if names_kind && kind.is_some_and(|kind| kind != by) {
            text.row([String::new()]);
        }
        kind = Some(by);
        let mut group = word(row, 2).to_owned();
        if by == By::HighCard.name() {
            group.push_str(" high");
        }
        let mut cells = vec![
            group,
            format!("{:.0}", number(row, "flops").unwrap_or(0.0)),
            format!("{:.2}", number(row, "weight").unwrap_or(0.0)),
            percent_or_dash(number(row, "oop_equity")),
            ev(number(row, "oop_ev")),
            eqr_or_dash(number(row, "oop_eqr")),
            ev(number(row, "ip_ev")),
        ];
        if !is_reached_always {
            cells.push(percent_or_dash(number(row, "probability")));
        }
        let frequency = |action: &String| percent_or_dash(number(row, &format!("{action}_frequency")));
        cells.extend(spot.actions.iter().map(frequency));
        text.row(cells);
    }
    text.row([String::new()]);
    for (name, mean) in [("all, by class size", &spot.total), ("all, by deals", &spot.total_by_deals)] {
        text.row(total(name, mean, &ev, is_reached_always));
    }
    text.render()
}

/// An action in few words with its size: `Bet 33 % (1.8 bb)`.
fn action_name(spot: &SpotAggregate, at: usize, amounts: &Amounts) -> String {
    let name = &spot.actions[at];
    let (Some((kind, chips)), Some(Some(pct))) = (name.split_once(':'), spot.pct_pot.get(at)) else {
        return match name.as_str() {
            "allin" => "All-in".to_owned(),
            word => word[..1].to_uppercase() + &word[1..],
        };
    };
    let kind = kind[..1].to_uppercase() + &kind[1..];
    let size = chips.parse().map_or_else(|_| chips.to_owned(), |chips: f64| amounts.exact(chips));
    format!("{kind} {pct:.0} % ({size})")
}

fn total(
    name: &str,
    mean: &Mean,
    ev: &dyn Fn(Option<f64>) -> String,
    is_reached_always: bool,
) -> Vec<String> {
    let (oop, ip) = (&mean.players.oop, &mean.players.ip);
    let mut cells = vec![
        name.to_owned(),
        mean.flops.to_string(),
        format!("{:.2}", mean.weight),
        percent_or_dash(oop.equity),
        ev(oop.ev),
        eqr_or_dash(oop.eqr),
        ev(ip.ev),
    ];
    if !is_reached_always {
        cells.push(percent(mean.probability));
    }
    cells.extend(mean.frequencies.iter().map(|&frequency| percent(frequency)));
    cells
}
