//! `equipoise abstraction bucket`.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use equipoise::abstraction::{CardAbstraction, StreetBuckets};
use equipoise::cards::{HandClass, Indexer};
use equipoise::documents::command::BucketDocument;

use super::{HandArgs, of_library};
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::grouped;

/// Show the bucket of a hand
///
/// Buckets are numbered from 0, the weakest first; before the flop the 169 classes in the order of the grid are the
/// buckets.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BucketArgs {
    /// The folder that `build` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    hand: HandArgs,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction bucket buckets Td9d6h AhKh
  equipoise abstraction bucket buckets 'Td9d6h Qc 2h' AhKh --json

JSON: `street`, `bucket`, `buckets` (how many there are on the street), and `canonical_index`, the number
of the hand among those of its street that differ in more than suits.";

impl BucketArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let (combo, board) = self.hand.read()?;
        let abstraction = CardAbstraction::load(&self.folder).map_err(|error| of_library(&error))?;
        let bucket = abstraction.bucket(combo, &board).map_err(|error| of_library(&error))?.get();
        let street = board.street();
        let num_buckets =
            abstraction.street(street).map_or(HandClass::COUNT as u16, StreetBuckets::num_buckets);
        let index = Indexer::of_combo(street).index_deal(combo, &board);
        let canonical_index = index.map_err(|error| Failure::Runtime(anyhow!(error)))?;
        if self.json.json {
            let (schema_version, street) = (SCHEMA_VERSION, street.to_string());
            return printer.json(&BucketDocument {
                schema_version,
                street,
                bucket,
                buckets: num_buckets,
                canonical_index,
            });
        }
        printer.text(&format!(
            "  bucket {bucket} of {} on the {street}, 0 the weakest; canonical index {}\n",
            grouped(num_buckets.into()),
            grouped(canonical_index.into())
        ))
    }
}
