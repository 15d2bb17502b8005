//! `equipoise abstraction inspect`.

use std::path::PathBuf;

use clap::Args;
use equipoise::abstraction::{CardAbstraction, OpponentClusters, StreetBuckets};
use equipoise::cards::Street;
use equipoise::report::{BucketSizes, bucket_sizes};
use serde::Serialize;

use super::{STREETS, of_library};
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, grouped, percent};
use crate::cli::whole_file::WholeFile;

/// Show what buckets a folder holds, and check its files
///
/// Reads every bucket, compares the files with their checksums, and counts how many deals each bucket has. Also shows
/// the clusters of opponents that ochs uses.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct InspectArgs {
    /// The folder that `build` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Only this street: flop, turn or river
    #[arg(long, value_name = "STREET", value_parser = street)]
    street: Option<Street>,

    /// Draw how large the buckets of each street are into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction inspect buckets
  equipoise abstraction inspect buckets --street river --json
  equipoise abstraction inspect buckets --plot sizes.svg

JSON: `clusters`, and in `streets` for each
  street, method
  asked, buckets           how many buckets were asked for, and how many there are
  sizes                    the part of all deals in each bucket, the weakest bucket first";

pub(super) fn street(text: &str) -> Result<Street, &'static str> {
    STREETS.into_iter().find(|street| street.to_string() == text).ok_or("flop, turn or river")
}

#[derive(Serialize)]
struct InspectDocument {
    schema_version: u32,
    clusters: [String; OpponentClusters::COUNT],
    streets: Vec<StreetDocument>,
}

#[derive(Serialize)]
struct StreetDocument {
    street: String,
    method: &'static str,
    asked: u16,
    buckets: u16,
    sizes: Vec<f64>,
}

impl StreetDocument {
    fn new(buckets: &StreetBuckets) -> Result<StreetDocument, Failure> {
        buckets.verify().map_err(|error| of_library(&error))?;
        let sizes = buckets.sizes().map_err(|error| of_library(&error))?;
        let all = sizes.iter().sum::<u64>() as f64;
        Ok(StreetDocument {
            street: buckets.street().to_string(),
            method: buckets.config().method.key(),
            asked: buckets.config().buckets,
            buckets: buckets.num_buckets(),
            sizes: sizes.into_iter().map(|size| size as f64 / all).collect(),
        })
    }

    /// Part of the deals in the smallest, middle and largest bucket.
    fn spread(&self) -> [f64; 3] {
        let mut sorted = self.sizes.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
        [at(0), at(sorted.len() / 2), at(sorted.len().saturating_sub(1))]
    }
}

impl InspectArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let plot = self.plot.as_deref().map(WholeFile::create).transpose()?;
        let abstraction = CardAbstraction::load(&self.folder).map_err(|error| of_library(&error))?;
        let wanted = STREETS.into_iter().filter(|&street| self.street.is_none_or(|only| only == street));
        let buckets = wanted.filter_map(|street| abstraction.street(street));
        let streets: Vec<StreetDocument> = buckets.map(StreetDocument::new).collect::<Result<_, _>>()?;
        if let Some(mut file) = plot {
            file.write(&sizes_picture(&streets))?;
            file.finish()?;
        }
        let clusters = OpponentClusters::standard().ranges().map(|range| range.to_string());
        if self.json.json {
            return printer.json(&InspectDocument { schema_version: SCHEMA_VERSION, clusters, streets });
        }
        let columns = ["street", "method", "asked", "buckets", "smallest", "median", "largest"];
        let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
        for street in &streets {
            let counts = [street.asked, street.buckets].map(|count| grouped(count.into()));
            let cells = [street.street.clone(), street.method.to_owned()].into_iter().chain(counts);
            table.row(cells.chain(street.spread().map(percent)));
        }
        let mut text = table.render();
        text.push_str("\n  sizes are parts of all deals of the street; the files are what was written\n");
        text.push_str("\n  clusters of opponents for ochs, the weakest first\n");
        clusters.iter().for_each(|range| text.push_str(&format!("  {range}\n")));
        printer.text(&text)
    }
}

fn sizes_picture(streets: &[StreetDocument]) -> String {
    let sizes = streets.iter().filter_map(|street| {
        let of = STREETS.into_iter().find(|of| of.to_string() == street.street)?;
        Some(BucketSizes { street: of, method: street.method, sizes: &street.sizes })
    });
    bucket_sizes(&sizes.collect::<Vec<_>>())
}
