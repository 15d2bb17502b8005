//! Every decision of a solution as Parquet: a row for each action of each combo that gets there.

mod rows;
mod walk;

use std::io::Write;

use equipoise_cards::{Card, Street};
use equipoise_game::NodeId;
use equipoise_postflop::{NodePath, ReadError, Reader};
use equipoise_progress::Observer;
use rayon::prelude::*;

use crate::columns::{ParquetWriter, RowsEncoder, Written};
use crate::error::ExportError;
use rows::{Content, Rows};

/// Rows of a group, at least: readers like hundreds of thousands. A board is never cut in two.
const ACTIONS_PER_GROUP: usize = 1 << 18;
/// The same where each row is a range.
const RANGES_PER_GROUP: usize = 1 << 11;

/// What of a solution is written: everything below a node until the end of a street.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ExportScope {
    /// Where it begins.
    pub node: NodeId,
    /// The cards that are dealt before that.
    pub runout: Vec<Card>,
    /// The last street.
    pub until: Street,
    /// Every card that can come, not one of those that differ only by names of suits.
    pub all_cards: bool,
}

impl ExportScope {
    /// Everything.
    #[must_use]
    pub fn whole(reader: &Reader) -> ExportScope {
        let node = reader.spot().tree().root();
        ExportScope { node, runout: Vec::new(), until: Street::River, all_cards: false }
    }

    /// Everything below a path.
    ///
    /// # Errors
    /// [`ReadError`] if the tree does not have it.
    pub fn below(reader: &Reader, path: &NodePath) -> Result<ExportScope, ReadError> {
        let node = reader.find(path)?;
        Ok(ExportScope { node, runout: path.runout.clone(), ..ExportScope::whole(reader) })
    }

    /// Visits every decision, each before those below it.
    ///
    /// # Errors
    /// [`ReadError`] if a card cannot come, and whatever the visitor returns.
    pub fn visit<E: From<ReadError>>(
        &self,
        reader: &Reader,
        visitor: &mut dyn FnMut(&Visited<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        walk::below(reader, self, self.node, &mut self.runout.clone(), 1, (0.0, 1.0), visitor)
    }

    /// The cards that come next, and how many each stands for.
    fn cards(&self, reader: &Reader, runout: &[Card]) -> Result<Vec<(Card, usize)>, ReadError> {
        if !self.all_cards {
            return reader.next_cards(runout);
        }
        let seen = |card: &Card| reader.spot().board().set().contains(*card) || runout.contains(card);
        Ok(Card::ALL.into_iter().filter(|card| !seen(card)).map(|card| (card, 1)).collect())
    }
}

/// A decision that [`ExportScope::visit`] comes to.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Visited<'a> {
    /// The decision.
    pub node: NodeId,
    /// The cards that are dealt before it, after the root's board.
    pub runout: &'a [Card],
    /// How many runouts these stand for.
    pub num_runouts: usize,
    /// How much of the work lies before it, 0 to 1.
    pub done: f64,
}

/// A Parquet file with the decisions of one solution, or of many one after the other.
///
/// Boards are worked on by the threads of the pool that it is called in, and written in their order: the bytes do not
/// depend on how many threads there are, and few boards are in memory at once. `docs/exports.md` describes the columns.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_game::{Chips, Preset, TreeConfig};
/// use equipoise_postflop::{Options, Reader, Spot, solve};
/// use equipoise_export::{ExportScope, SolutionTable};
///
/// let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(150));
/// Preset::Simple.apply(&mut config);
/// let spot = Spot::new(["AA,QQ,JTs".parse()?, "KK,AQs".parse()?], "Qd9d6h3c".parse()?, &config)?;
/// let reader = Reader::of(&mut solve(spot, &Options { max_iterations: 10, ..Options::default() })?);
/// let mut table = SolutionTable::new(Vec::new(), &["spot"], &[])?;
/// for name in ["one", "two"] {
///     table.add(&reader, &ExportScope::whole(&reader), &[name], &mut ())?;
/// }
/// let (bytes, written) = table.finish()?;
/// assert!(written.num_rows > 0 && bytes.ends_with(b"PAR1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations)] // The writer has none.
pub struct SolutionTable<W: Write + Send> {
    writer: ParquetWriter<W>,
    encoder: RowsEncoder,
    num_labels: usize,
    content: Content,
    /// Rows that wait for more to make a group.
    waiting: Rows,
    num_decisions: u64,
}

impl<W: Write + Send> SolutionTable<W> {
    /// Begins a file with a row for each action of each combo that gets to a decision. `labels` are the names of columns
    /// that say which solution a row is of; the notes are kept as metadata.
    ///
    /// # Errors
    /// [`ExportError::Parquet`] if the sink takes nothing or two columns have one name.
    pub fn new(sink: W, labels: &[&str], notes: &[(&str, &str)]) -> Result<SolutionTable<W>, ExportError> {
        SolutionTable::with_content(sink, Content::Actions, labels, notes)
    }

    /// Begins a file with a row for each player at each decision: the range with which the player gets there, as 1,326
    /// weights in the order of [`Combo::listed`](equipoise_cards::Combo::listed).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_ranges(
        sink: W,
        labels: &[&str],
        notes: &[(&str, &str)],
    ) -> Result<SolutionTable<W>, ExportError> {
        SolutionTable::with_content(sink, Content::Ranges, labels, notes)
    }

    fn with_content(
        sink: W,
        content: Content,
        labels: &[&str],
        notes: &[(&str, &str)],
    ) -> Result<SolutionTable<W>, ExportError> {
        let writer = ParquetWriter::new(sink, &rows::fields(content, labels), notes)?;
        let (encoder, num_labels) = (writer.encoder(), labels.len());
        let waiting = Rows::new(content, labels);
        Ok(SolutionTable { writer, encoder, num_labels, content, waiting, num_decisions: 0 })
    }

    /// How many decisions were added.
    #[must_use]
    pub fn num_decisions(&self) -> u64 {
        self.num_decisions
    }

    /// Adds what the scope says of a solution; a label for each column that [`new`](Self::new) named. Streets that a file
    /// leaves out are re-solved, which takes long.
    ///
    /// # Errors
    /// [`ExportError`] if the solution cannot be read, the sink takes no more or the observer wants no more; the file is
    /// of no use then.
    pub fn add(
        &mut self,
        reader: &Reader,
        scope: &ExportScope,
        labels: &[&str],
        observer: &mut dyn Observer,
    ) -> Result<(), ExportError> {
        if labels.len() != self.num_labels {
            let column = labels.get(self.num_labels).unwrap_or(&"label").to_string();
            return Err(ExportError::Column { column, reason: "is not one label for each column of them" });
        }
        self.flush()?;
        self.waiting = Rows::new(self.content, labels);
        let empty = self.waiting.clone();
        walk::all(reader, scope, &empty, observer, &mut |boards| self.put(boards))
    }

    /// Takes the rows of some boards, in their order.
    fn put(&mut self, boards: Vec<Rows>) -> Result<(), ExportError> {
        let enough = match self.content {
            Content::Actions => ACTIONS_PER_GROUP,
            Content::Ranges => RANGES_PER_GROUP,
        };
        let mut full = Vec::new();
        for rows in boards {
            self.num_decisions += rows.num_decisions();
            self.waiting.append(rows);
            if self.waiting.num_rows() >= enough {
                full.push(self.waiting.take());
            }
        }
        let encode = |rows: Rows| self.encoder.encode(&rows.into_columns());
        for group in full.into_par_iter().map(encode).collect::<Vec<_>>() {
            self.writer.append(group?)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ExportError> {
        if self.waiting.num_rows() > 0 {
            let rows = self.waiting.take();
            self.writer.write(&rows.into_columns())?;
        }
        Ok(())
    }

    /// Ends the file, and gives back the sink and what it has got.
    ///
    /// # Errors
    /// [`ExportError::Parquet`] if the sink takes no more.
    pub fn finish(mut self) -> Result<(W, Written), ExportError> {
        self.flush()?;
        self.writer.finish()
    }
}
