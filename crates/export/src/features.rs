//! The features of every hand of a street as a Parquet file.

use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;
use std::str::FromStr;

use equipoise_abstraction::{BoardFeatures, Features, OpponentClusters, Parts, Standing, preflop_features};
use equipoise_cards::{Board, HandClass, Street};
use equipoise_progress::Observer;
use thiserror::Error;

use crate::columns::{Column, Field, Kind, Written};
use crate::error::ExportError;
use crate::hands::{self, Hand, HandTable, Hands};

/// A feature that a file of them can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FeatureColumn {
    /// [`Features::hs`], null before the flop.
    Hs,
    /// [`Features::equity`].
    Equity,
    /// [`Features::equity_sq`].
    EquitySq,
    /// [`Features::ppot`], null before the flop.
    Ppot,
    /// [`Features::npot`], null before the flop.
    Npot,
    /// [`Features::ochs`], a list of eight.
    Ochs,
    /// [`Features::histogram`], a list of fifty counts.
    Histogram,
}

impl FeatureColumn {
    /// All of them, in the order that they have in a file.
    pub const ALL: [FeatureColumn; 7] = [
        FeatureColumn::Hs,
        FeatureColumn::Equity,
        FeatureColumn::EquitySq,
        FeatureColumn::Ppot,
        FeatureColumn::Npot,
        FeatureColumn::Ochs,
        FeatureColumn::Histogram,
    ];

    /// The name of the column, which is also that of JSON documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FeatureColumn::Hs => "hs",
            FeatureColumn::Equity => "equity",
            FeatureColumn::EquitySq => "equity_sq",
            FeatureColumn::Ppot => "ppot",
            FeatureColumn::Npot => "npot",
            FeatureColumn::Ochs => "ochs",
            FeatureColumn::Histogram => "histogram",
        }
    }

    fn field(self) -> Field {
        match self {
            FeatureColumn::Hs | FeatureColumn::Ppot | FeatureColumn::Npot => {
                Field::new(self.name(), Kind::NullableDouble)
            }
            FeatureColumn::Equity | FeatureColumn::EquitySq => Field::new(self.name(), Kind::Double),
            FeatureColumn::Ochs => Field::list(self.name(), Kind::Double, OpponentClusters::COUNT),
            FeatureColumn::Histogram => Field::list(self.name(), Kind::UInt32, Features::NUM_BINS),
        }
    }
}

impl fmt::Display for FeatureColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no feature has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{name}' is no feature: there are hs, equity, equity_sq, ppot, npot, ochs and histogram")]
pub struct ParseFeatureError {
    name: String,
}

impl FromStr for FeatureColumn {
    type Err = ParseFeatureError;

    fn from_str(name: &str) -> Result<FeatureColumn, ParseFeatureError> {
        let found = FeatureColumn::ALL.into_iter().find(|column| column.name() == name.trim());
        found.ok_or_else(|| ParseFeatureError { name: name.to_owned() })
    }
}

/// A file with the exact features of every hand of a street: a row for each canonical hand, by board and then by combo.
///
/// The columns are `canonical_index`, `board`, `combo` (the canonical representative), `weight` (how many hands the row
/// stands for), and the features that are asked for.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_export::{FeatureColumn, FeatureExport, Hands};
/// let hands = Hands::of(Street::River).with_boards(20.try_into()?);
/// let export = FeatureExport::new(hands, &[FeatureColumn::Equity]);
/// let (bytes, written) = export.write(Vec::new(), &mut ())?;
/// assert_eq!(written.num_bytes, bytes.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeatureExport {
    hands: Hands,
    columns: Vec<FeatureColumn>,
    threads: Option<NonZeroUsize>,
}

impl FeatureExport {
    /// These features of these hands; a feature that is named twice is there once.
    #[must_use]
    pub fn new(hands: Hands, columns: &[FeatureColumn]) -> FeatureExport {
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        columns.dedup();
        FeatureExport { hands, columns, threads: None }
    }

    /// With this number of threads, not those of the pool that it is called in.
    #[must_use]
    pub fn with_threads(mut self, threads: Option<NonZeroUsize>) -> FeatureExport {
        self.threads = threads;
        self
    }

    /// Which hands are written.
    #[must_use]
    pub const fn hands(&self) -> Hands {
        self.hands
    }

    /// Which features are written, in the order that they have in the file.
    #[must_use]
    pub fn columns(&self) -> &[FeatureColumn] {
        &self.columns
    }

    /// The names of all columns of the file.
    #[must_use]
    pub fn column_names(&self) -> Vec<String> {
        hands::column_names(self)
    }

    /// Writes the file, in memory that does not grow with it, and gives back where it was written to.
    ///
    /// # Errors
    /// [`ExportError`] if the sink takes no more or the observer stops the work. What was written then is no file.
    pub fn write<W: Write + Send>(
        &self,
        sink: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Written), ExportError> {
        if self.hands.street() == Street::Preflop {
            // Counted once per process; here, so that the observer sees it.
            preflop_features(observer)?;
        }
        let street = self.hands.street().to_string();
        let ranges = OpponentClusters::standard().ranges().map(|range| range.to_string());
        let clusters = ranges.join(" | ");
        let notes = [
            ("equipoise.schema_version", "1"),
            ("equipoise.content", "features"),
            ("equipoise.street", &street),
            ("equipoise.ochs_clusters", &clusters),
        ];
        hands::write(self, self.hands, self.threads, sink, &notes, observer)
    }

    fn parts(&self) -> Parts {
        let has = |column| self.columns.contains(&column);
        Parts {
            cells: [FeatureColumn::Hs, FeatureColumn::Ppot, FeatureColumn::Npot].into_iter().any(has),
            histogram: has(FeatureColumn::Histogram),
            ochs: has(FeatureColumn::Ochs),
        }
    }
}

impl HandTable for FeatureExport {
    type Scratch = BoardFeatures;

    fn fields(&self) -> Vec<Field> {
        self.columns.iter().map(|column| column.field()).collect()
    }

    fn scratch(&self) -> BoardFeatures {
        BoardFeatures::new(self.parts())
    }

    fn fill(
        &self,
        features: &mut BoardFeatures,
        board: &Board,
        hands: &[Hand],
    ) -> Result<Vec<Column>, ExportError> {
        if board.street() == Street::Preflop {
            let all = preflop_features(&mut ())?;
            return Ok(self.columns.iter().map(|&column| before_the_flop(column, all, hands)).collect());
        }
        features.fill(board)?;
        // The canonical combos stand among all live ones in the same order.
        let mut wanted = hands.iter().map(|hand| hand.combo).peekable();
        let is_wanted: Vec<bool> =
            features.combos().map(|combo| wanted.next_if_eq(&combo).is_some()).collect();
        let standings = if self.parts().cells { standings(features, hands) } else { Vec::new() };
        Ok(self
            .columns
            .iter()
            .map(|&column| on_board(column, features, hands, &is_wanted, &standings))
            .collect())
    }
}

fn standings(features: &BoardFeatures, hands: &[Hand]) -> Vec<Standing> {
    let standing = |hand: &Hand| features.cells(hand.combo).map(|cells| Standing::of(&cells));
    hands.iter().filter_map(standing).collect()
}

fn on_board(
    column: FeatureColumn,
    features: &BoardFeatures,
    hands: &[Hand],
    is_wanted: &[bool],
    standings: &[Standing],
) -> Column {
    let of_standing = |number: fn(&Standing) -> f64| {
        Column::NullableDouble(standings.iter().map(|standing| Some(number(standing))).collect())
    };
    match column {
        FeatureColumn::Hs => of_standing(|standing| standing.hs),
        FeatureColumn::Ppot => of_standing(|standing| standing.ppot),
        FeatureColumn::Npot => of_standing(|standing| standing.npot),
        FeatureColumn::Equity => Column::Double(kept(features.equities(), is_wanted).collect()),
        FeatureColumn::EquitySq => Column::Double(kept(features.equity_squares(), is_wanted).collect()),
        FeatureColumn::Ochs => Column::Double(kept(features.ochs(), is_wanted).flatten().collect()),
        FeatureColumn::Histogram => {
            let bins = hands.iter().filter_map(|hand| features.histogram(hand.combo));
            Column::UInt32(bins.flatten().collect())
        }
    }
}

/// The values at the places that are wanted.
fn kept<T>(values: impl Iterator<Item = T>, is_wanted: &[bool]) -> impl Iterator<Item = T> {
    values.zip(is_wanted).filter_map(|(value, &is_wanted)| is_wanted.then_some(value))
}

fn before_the_flop(column: FeatureColumn, all: &[Features; HandClass::COUNT], hands: &[Hand]) -> Column {
    let each = || hands.iter().map(|hand| &all[hand.combo.class().index()]);
    match column {
        FeatureColumn::Hs => Column::NullableDouble(each().map(Features::hs).collect()),
        FeatureColumn::Ppot => Column::NullableDouble(each().map(Features::ppot).collect()),
        FeatureColumn::Npot => Column::NullableDouble(each().map(Features::npot).collect()),
        FeatureColumn::Equity => Column::Double(each().map(Features::equity).collect()),
        FeatureColumn::EquitySq => Column::Double(each().map(Features::equity_sq).collect()),
        FeatureColumn::Ochs => Column::Double(each().flat_map(Features::ochs).collect()),
        FeatureColumn::Histogram => {
            Column::UInt32(each().flat_map(|features| *features.histogram()).collect())
        }
    }
}
