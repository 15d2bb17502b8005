//! `equipoise batch report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use equipoise::documents::UnitDocument;
use equipoise::documents::batch::{Mean, SpotAggregate};
use equipoise::export::columns::{Column, Field, Kind, ParquetWriter};
use equipoise::postflop::{NodePath, ParsePathError};
use equipoise_batch::{Aggregate, AggregateError, By, Cell, Folder, Table};
use equipoise_files::FileKind;

use super::{bad_folder, inputs};
use crate::cli::atomic_file::{self, AtomicFile};
use crate::cli::failure::{BadInput, Failure};
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, note};
use crate::cli::saved::{PATHS, eqr_or_dash, ev_or_dash, percent_or_dash};
use crate::cli::table::{Align, Table as TextTable, percent};
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

    /// What makes a row
    #[arg(long, value_name = "WHAT", default_value = "texture")]
    by: Rows,

    /// The decision, such as 'check bet:120' [default: the first]
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
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  equipoise batch report folder
  equipoise batch report folder --by flop --sort oop_ev
  equipoise batch report folder --by suits --node 'check bet:33'
  equipoise batch report folder --by flop --csv flops.csv --parquet flops.parquet

JSON: `path`; in `spots` of each spot the acting `player`, `pot`, `actions`, `planned` flops, those done in
`flops` with `weight`, `deals`, `probability`, texture, `frequencies` and of both `players` `equity`, `ev`,
`eqr`; `total` and `total_by_deals`; and in `groups`, by kind of texture, the same averages.";

impl ReportArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let files = inputs(&Folder::new(&self.folder)).write_if("--csv", self.csv.as_deref(), FileKind::CSV);
        self.force.check(files.write_if("--parquet", self.parquet.as_deref(), FileKind::PARQUET))?;
        let path: NodePath = self.node.parse().map_err(|error: ParsePathError| {
            let at = Some(error.at());
            BadInput::new(error).in_text("path", &self.node, at).help("--help explains paths")
        })?;
        let aggregate = self.aggregate(&path)?;
        for spot in aggregate.spots.iter().filter(|spot| spot.flops.len() < spot.planned) {
            note(format!("{} of {} flops of '{}' are done", spot.flops.len(), spot.planned, spot.spot));
        }
        let mut table = Table::of(&aggregate, &self.by.by());
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
        printer.text(&self.report(&aggregate, &table))
    }

    fn aggregate(&self, path: &NodePath) -> Result<Aggregate, Failure> {
        let mut watch = Watch::start()?;
        let found = Aggregate::of(&Folder::new(&self.folder), path, self.spot.as_deref(), &mut watch);
        watch.finish();
        found.map_err(|error| match error {
            AggregateError::Folder(error) => bad_folder(error),
            AggregateError::Cancelled { .. } => Failure::Interrupted(error.to_string()),
            AggregateError::Read { ref source, .. } if is_wrong_path(source) => {
                BadInput::new(source).in_text("path", &self.node, None).help("--help explains paths").into()
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

    fn report(&self, aggregate: &Aggregate, table: &Table) -> String {
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
            text.push_str(&format!(
                "  {} {after}: pot {} chips{acts}; {} at most {:.3} % of {}\n\n",
                spot.spot,
                spot.pot,
                if spot.unit == UnitDocument::Prizes { "ε" } else { "exploitability" },
                spot.worst_exploitability_pct(),
                if spot.unit == UnitDocument::Prizes { "what the pot is worth" } else { "the starting pot" },
            ));
            text.push_str(&spot_table(spot, table, matches!(self.by, Rows::Texture)));
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
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
fn spot_table(spot: &SpotAggregate, table: &Table, names_kind: bool) -> String {
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
    columns.extend(spot.actions.iter().map(|action| (action.as_str(), Align::Right)));
    let mut text = TextTable::new(&columns);
    let own = table.rows.iter().filter(|row| row[0] == Cell::Text(spot.spot.clone()));
    let number = |row: &[Cell], name: &str| table.column(name).and_then(|at| number(row, at));
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
            ev_or_dash(number(row, "oop_ev"), spot.unit),
            eqr_or_dash(number(row, "oop_eqr")),
            ev_or_dash(number(row, "ip_ev"), spot.unit),
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
        text.row(total(name, mean, spot.unit, is_reached_always));
    }
    text.render()
}

fn total(name: &str, mean: &Mean, unit: UnitDocument, is_reached_always: bool) -> Vec<String> {
    let (oop, ip) = (&mean.players.oop, &mean.players.ip);
    let mut cells = vec![
        name.to_owned(),
        mean.flops.to_string(),
        format!("{:.2}", mean.weight),
        percent_or_dash(oop.equity),
        ev_or_dash(oop.ev, unit),
        eqr_or_dash(oop.eqr),
        ev_or_dash(ip.ev, unit),
    ];
    if !is_reached_always {
        cells.push(percent(mean.probability));
    }
    cells.extend(mean.frequencies.iter().map(|&frequency| percent(frequency)));
    cells
}
