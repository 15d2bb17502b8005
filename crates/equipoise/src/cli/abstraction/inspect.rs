//! `equipoise abstraction inspect`.

use std::path::PathBuf;

use clap::Args;
use equipoise::abstraction::{
    BucketExamples, BucketId, CardAbstraction, ExampleHand, OpponentClusters, StreetBuckets, StreetReport,
};
use equipoise::cards::Street;
use equipoise::documents::command::{
    BucketExampleDocument, BucketExamplesDocument, BucketReportDocument, InspectDocument, NearDocument,
    StreetReportDocument,
};
use equipoise::export::{BucketSizes, bucket_sizes};
use equipoise::progress::Part;
use equipoise_files::FileKind;

use super::{STREETS, hand_document, inputs, of_library};
use crate::cli::atomic_file::AtomicFile;
use crate::cli::failure::Failure;
use crate::cli::outputs::ForceArg;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, grouped, percent};
use crate::cli::watch::Watch;

/// Show what buckets a folder holds, and check its files
///
/// Reads every bucket, compares the files with their checksums, counts the deals and equities of each bucket, and measures
/// how far the centres of buckets are from each other. Also shows the clusters of opponents that ochs uses.
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

    /// One bucket of the street, 0 the weakest: what it holds, its neighbours and example hands
    #[arg(long, value_name = "N", requires = "street")]
    bucket: Option<u16>,

    #[command(flatten)]
    force: ForceArg,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction inspect buckets
  equipoise abstraction inspect buckets --street river --json
  equipoise abstraction inspect buckets --plot sizes.svg
  equipoise abstraction inspect buckets --street river --bucket 17

Spread is the standard deviation of equity in a bucket, over all buckets the root of its mean square.
Distances are those of the method, in equity: percentile, of equities; nested, of equity and its square;
emd, earth mover's between distributions of river HS; ochs, root of the mean square over the clusters;
potential, earth mover's between distributions over the next street's buckets.

JSON: `clusters`, and in `streets` for each
  street, method
  asked, buckets           how many buckets were asked for, and how many there are
  sizes                    the part of all deals in each bucket, the weakest bucket first
  equities, spreads        mean and standard deviation of equity in each bucket
  nearest                  for each bucket `bucket` and `distance` of the nearest centre
  spread                   over all buckets
With --bucket also `bucket`: `bucket`, `deals`, `size`, `equity`, `spread`, `lowest`, `highest`, `nearest`,
and `examples` with `typical`, `farthest`, `weakest` and `strongest`, each `combo`, `board`, `equity` and
`distance` from the centre.";

pub(super) fn street(text: &str) -> Result<Street, &'static str> {
    STREETS.into_iter().find(|street| street.to_string() == text).ok_or("flop, turn or river")
}

/// A hand of a bucket.
fn example((hand, distance): &(ExampleHand, f64)) -> BucketExampleDocument {
    BucketExampleDocument { hand: hand_document(hand), distance: *distance }
}

/// Hands of a bucket.
fn examples_of(examples: &BucketExamples) -> BucketExamplesDocument {
    let one = |hand: &Option<(ExampleHand, f64)>| hand.as_ref().map(example);
    BucketExamplesDocument {
        typical: examples.typical.iter().map(example).collect(),
        farthest: one(&examples.farthest),
        weakest: one(&examples.weakest),
        strongest: one(&examples.strongest),
    }
}

/// Each with what it is an example of.
fn named(examples: &BucketExamplesDocument) -> impl Iterator<Item = (&'static str, &BucketExampleDocument)> {
    let extremes = [
        ("farthest", &examples.farthest),
        ("weakest", &examples.weakest),
        ("strongest", &examples.strongest),
    ];
    let extremes = extremes.into_iter().filter_map(|(name, hand)| Some((name, hand.as_ref()?)));
    examples.typical.iter().map(|hand| ("typical", hand)).chain(extremes)
}

fn near(report: &StreetReport, of: usize) -> impl Iterator<Item = NearDocument> + '_ {
    report.buckets[of].nearest.iter().map(|&(bucket, distance)| NearDocument {
        bucket: bucket.get(),
        distance,
        equity: report.buckets[usize::from(bucket.get())].equity,
    })
}

fn num_deals(report: &StreetReport) -> f64 {
    report.buckets.iter().map(|bucket| bucket.deals).sum::<u64>() as f64
}

/// A bucket of a street, if it has it.
fn bucket_report(report: &StreetReport, number: u16) -> Option<BucketReportDocument> {
    let bucket = report.buckets.get(usize::from(number))?;
    Some(BucketReportDocument {
        bucket: number,
        deals: bucket.deals,
        size: bucket.deals as f64 / num_deals(report),
        equity: bucket.equity,
        spread: bucket.spread,
        lowest: bucket.range[0],
        highest: bucket.range[1],
        nearest: near(report, number.into()).collect(),
        examples: examples_of(report.examples.as_ref()?),
    })
}

fn bucket_text(bucket: &BucketReportDocument, street: &StreetReportDocument) -> String {
    let mut text = format!(
        "  bucket {} of {} on the {} ({}), 0 the weakest\n\n",
        bucket.bucket,
        grouped(street.buckets.into()),
        street.street,
        street.method
    );
    text.push_str(&format!(
        "  deals   {}, {} of all\n  equity  {} in the mean, spread {}, from {} to {}\n\n",
        grouped(bucket.deals.into()),
        percent(bucket.size),
        percent(bucket.equity),
        percent(bucket.spread),
        percent(bucket.lowest),
        percent(bucket.highest)
    ));
    let columns = ["nearest bucket", "distance of centres", "equity"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    for near in &bucket.nearest {
        table.row([grouped(near.bucket.into()), percent(near.distance), percent(near.equity)]);
    }
    text.push_str(&table.render());
    let columns = [
        ("example", Align::Left),
        ("combo", Align::Left),
        ("board", Align::Left),
        ("equity", Align::Right),
        ("from the centre", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for (name, BucketExampleDocument { hand, distance }) in named(&bucket.examples) {
        let cells = [name.to_owned(), hand.combo.clone(), hand.board.clone()];
        table.row(cells.into_iter().chain([percent(hand.equity), percent(*distance)]));
    }
    format!("{text}\n{}", table.render())
}

/// The buckets of a street.
fn street_report(buckets: &StreetBuckets, report: &StreetReport) -> StreetReportDocument {
    let all = num_deals(report);
    let of = &report.buckets;
    StreetReportDocument {
        street: buckets.street().to_string(),
        method: buckets.config().method.key(),
        asked: buckets.config().buckets,
        buckets: buckets.num_buckets(),
        sizes: of.iter().map(|bucket| bucket.deals as f64 / all).collect(),
        equities: of.iter().map(|bucket| bucket.equity).collect(),
        spreads: of.iter().map(|bucket| bucket.spread).collect(),
        nearest: (0..of.len()).map(|number| near(report, number).next()).collect(),
        spread: report.spread,
    }
}

fn cells(street: &StreetReportDocument) -> Vec<String> {
    let counts = [street.asked, street.buckets].map(|count| grouped(count.into()));
    let [smallest, median, largest] = spread(street.sizes.clone());
    let distances = street.nearest.iter().flatten().map(|near| near.distance).collect();
    let [closest, usual, _] = spread(distances);
    let numbers = [smallest, median, largest, street.spread, closest, usual].map(percent);
    [street.street.clone(), street.method.to_owned()].into_iter().chain(counts).chain(numbers).collect()
}

/// The smallest, middle and largest number.
fn spread(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    let at = |place: usize| numbers.get(place).copied().unwrap_or(0.0);
    [at(0), at(numbers.len() / 2), at(numbers.len().saturating_sub(1))]
}

impl InspectArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        self.force.check(inputs(&self.folder).write_if("--plot", self.plot.as_deref(), FileKind::SVG))?;
        let plot = self.plot.as_deref().map(AtomicFile::create_svg).transpose()?;
        let abstraction = CardAbstraction::load(&self.folder).map_err(|error| of_library(&error))?;
        let wanted: Vec<Street> =
            STREETS.into_iter().filter(|&street| self.street.is_none_or(|only| only == street)).collect();
        let mut watch = Watch::start()?;
        let (mut streets, mut bucket) = (Vec::new(), None);
        for (done, &street) in wanted.iter().enumerate() {
            let Some(buckets) = abstraction.street(street) else { continue };
            let report = self.report(&abstraction, buckets, &mut Part::of(&mut watch, done, wanted.len()));
            let report = report.inspect_err(|_| watch.finish())?;
            streets.push(street_report(buckets, &report));
            bucket = self.bucket.and_then(|number| bucket_report(&report, number));
        }
        watch.finish();
        if let Some(mut file) = plot {
            file.write(&sizes_picture(&streets))?;
            file.finish()?;
        }
        let clusters = OpponentClusters::standard().ranges().map(|range| range.to_string()).to_vec();
        if self.json.json {
            let schema_version = SCHEMA_VERSION;
            return printer.json(&InspectDocument { schema_version, clusters, streets, bucket });
        }
        if let Some(bucket) = bucket {
            return printer.text(&bucket_text(&bucket, &streets[0]));
        }
        printer.text(&overview(&streets, &clusters))
    }

    fn report(
        &self,
        abstraction: &CardAbstraction,
        buckets: &StreetBuckets,
        part: &mut Part<'_>,
    ) -> Result<StreetReport, Failure> {
        let mut report = || {
            buckets.verify()?;
            let next = STREETS.into_iter().find(|&next| next > buckets.street());
            let next = next.and_then(|next| abstraction.street(next));
            buckets.report(next, self.bucket.map(BucketId::new), part)
        };
        report().map_err(|error| of_library(&error))
    }
}

fn sizes_picture(streets: &[StreetReportDocument]) -> String {
    let sizes = streets.iter().filter_map(|street| {
        let of = STREETS.into_iter().find(|of| of.to_string() == street.street)?;
        Some(BucketSizes { street: of, method: street.method, sizes: &street.sizes })
    });
    bucket_sizes(&sizes.collect::<Vec<_>>())
}

fn overview(streets: &[StreetReportDocument], clusters: &[String]) -> String {
    let columns = [
        "street", "method", "asked", "buckets", "smallest", "median", "largest", "spread", "closest", "usual",
    ];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    streets.iter().for_each(|street| table.row(cells(street)));
    let mut text = table.render();
    text.push_str("\n  smallest, median and largest bucket as parts of all deals of the street;\n");
    text.push_str("  spread: of equity inside buckets, the root of the mean square;\n");
    text.push_str(
        "  closest and usual: distance of a centre from the nearest other, the least and the median;\n",
    );
    text.push_str("  the files are what was written\n");
    text.push_str("\n  clusters of opponents for ochs, the weakest first\n");
    clusters.iter().for_each(|range| text.push_str(&format!("  {range}\n")));
    text
}
