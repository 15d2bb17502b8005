//! The bucket of every hand of a street as a Parquet file.

use std::io::Write;
use std::num::NonZeroUsize;

use equipoise_abstraction::{BucketId, StreetBuckets};
use equipoise_cards::Board;
use equipoise_progress::Observer;

use crate::columns::{Column, Field, Kind, Written};
use crate::error::ExportError;
use crate::hands::{self, Hand, HandTable, Hands};

/// A file with the bucket of every hand of a street: a row for each canonical hand, by board and then by combo.
///
/// The columns are `canonical_index`, `board`, `combo` (the canonical representative), `weight` (how many hands the row
/// stands for) and `bucket`.
#[derive(Clone, Copy, Debug)]
pub struct BucketExport<'a> {
    buckets: &'a StreetBuckets,
    hands: Hands,
    threads: Option<NonZeroUsize>,
}

impl<'a> BucketExport<'a> {
    /// All hands of the street.
    #[must_use]
    pub fn new(buckets: &'a StreetBuckets) -> BucketExport<'a> {
        BucketExport { buckets, hands: Hands::of(buckets.street()), threads: None }
    }

    /// Only the hands on `num_boards` boards, evenly spaced over all.
    #[must_use]
    pub fn with_boards(mut self, num_boards: NonZeroUsize) -> BucketExport<'a> {
        self.hands = self.hands.with_boards(num_boards);
        self
    }

    /// With this number of threads, not those of the pool that it is called in.
    #[must_use]
    pub fn with_threads(mut self, threads: Option<NonZeroUsize>) -> BucketExport<'a> {
        self.threads = threads;
        self
    }

    /// Which hands are written.
    #[must_use]
    pub const fn hands(&self) -> Hands {
        self.hands
    }

    /// The names of all columns of the file.
    #[must_use]
    pub fn column_names(&self) -> Vec<String> {
        hands::column_names(self)
    }

    /// Writes the file, in memory that does not grow with it, and gives back where it was written to.
    ///
    /// # Errors
    /// [`ExportError`] if the buckets are damaged, the sink takes no more or the observer stops the work. What is written
    /// then is no file.
    pub fn write<W: Write + Send>(
        &self,
        sink: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Written), ExportError> {
        let config = self.buckets.config();
        let street = self.buckets.street().to_string();
        let num_buckets = self.buckets.num_buckets().to_string();
        let notes = [
            ("equipoise.schema_version", "1"),
            ("equipoise.content", "buckets"),
            ("equipoise.street", street.as_str()),
            ("equipoise.method", config.method.key()),
            ("equipoise.buckets", num_buckets.as_str()),
        ];
        hands::write(self, self.hands, self.threads, sink, &notes, observer)
    }
}

impl HandTable for BucketExport<'_> {
    type Scratch = ();

    fn fields(&self) -> Vec<Field> {
        vec![Field::new("bucket", Kind::UInt16)]
    }

    fn scratch(&self) {}

    fn fill(&self, (): &mut (), board: &Board, hands: &[Hand]) -> Result<Vec<Column>, ExportError> {
        let buckets = self.buckets.board(board)?;
        let bucket = |hand: &Hand| buckets.get(hand.combo).map(BucketId::get);
        Ok(vec![Column::UInt16(hands.iter().filter_map(bucket).collect())])
    }
}
