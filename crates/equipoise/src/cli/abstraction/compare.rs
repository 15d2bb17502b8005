//! `equipoise abstraction compare`.

use std::path::PathBuf;

use clap::Args;
use equipoise::abstraction::{BucketId, CardAbstraction, JoinedHands, StreetBuckets, StreetComparison};
use equipoise::documents::command::{BucketComparison, BucketSide, ComparisonDocument, JoinedHandsDocument};
use equipoise::progress::Part;

use super::{STREETS, hand_document, of_library};
use crate::cli::failure::Failure;
use crate::cli::print::{JsonArg, Printer, SCHEMA_VERSION};
use crate::cli::table::{Align, Table, grouped, percent};
use crate::cli::watch::Watch;

/// Show where the buckets of two folders differ
///
/// Compares the two partitions of each street, every deal counting once, and shows hands that one of them puts together
/// and the other keeps apart.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CompareArgs {
    /// A folder that `build` made
    #[arg(value_name = "DIR1")]
    first: PathBuf,

    /// Another one
    #[arg(value_name = "DIR2")]
    second: PathBuf,

    #[command(flatten)]
    json: JsonArg,
}

const EXAMPLES: &str = "\
Examples:
  equipoise abstraction compare percentiles buckets
  equipoise abstraction compare percentiles buckets --json

Agreement is the adjusted Rand index: 1 if both put the same hands together, 0 if they agree no more than
by chance. Variation is the variation of information: the bits that a bucket of one leaves unknown of the
bucket of the other, both ways. Spread is that of equity inside buckets, the root of the mean square.

JSON: in `streets` for each
  street, agreement, variation
  first, second            `method`, `buckets` and `spread`
  joined_by_first          hands in one bucket of the first folder and two of the second: `bucket`, and of
                           both hands `others` (buckets of the second), `deals` and `hands`
  joined_by_second         likewise";

/// Hands that share a bucket of one way only.
fn joined_document(joined: &JoinedHands) -> JoinedHandsDocument {
    JoinedHandsDocument {
        bucket: joined.bucket.get(),
        others: joined.others.map(BucketId::get),
        deals: joined.deals,
        hands: joined.hands.each_ref().map(hand_document),
    }
}

/// What two ways to make the buckets of a street have in common.
fn comparison(both: [&StreetBuckets; 2], found: &StreetComparison) -> BucketComparison {
    let side = |side: usize| BucketSide {
        method: both[side].config().method.key(),
        buckets: both[side].num_buckets(),
        spread: found.spreads[side],
    };
    let joined = |side: usize| found.joined[side].iter().map(joined_document).collect();
    BucketComparison {
        street: found.street.to_string(),
        agreement: found.agreement,
        variation: found.variation,
        first: side(0),
        second: side(1),
        joined_by_first: joined(0),
        joined_by_second: joined(1),
    }
}

fn cells(street: &BucketComparison) -> Vec<String> {
    let side = |side: &BucketSide| [side.method.to_owned(), grouped(side.buckets.into())];
    let agreement = [format!("{:.4}", street.agreement), format!("{:.3} bits", street.variation)];
    let spreads = [percent(street.first.spread), percent(street.second.spread)];
    let sides = side(&street.first).into_iter().chain(side(&street.second));
    [street.street.clone()].into_iter().chain(sides).chain(agreement).chain(spreads).collect()
}

impl CompareArgs {
    pub(crate) fn run(&self, printer: &Printer) -> Result<(), Failure> {
        let load = |folder: &PathBuf| CardAbstraction::load(folder).map_err(|error| of_library(&error));
        let (first, second) = (load(&self.first)?, load(&self.second)?);
        let mut watch = Watch::start()?;
        let mut streets = Vec::new();
        for (done, street) in STREETS.into_iter().enumerate() {
            let both = [&first, &second].map(|folder| folder.street(street));
            let [Some(first), Some(second)] = both else { continue };
            let mut part = Part::of(&mut watch, done, STREETS.len());
            let mut compare = || {
                first.verify()?;
                second.verify()?;
                StreetComparison::new([first, second], &mut part)
            };
            let found = compare().map_err(|error| of_library(&error)).inspect_err(|_| watch.finish())?;
            streets.push(comparison([first, second], &found));
        }
        watch.finish();
        if self.json.json {
            return printer.json(&ComparisonDocument { schema_version: SCHEMA_VERSION, streets });
        }
        printer.text(&self.text(&streets))
    }

    fn text(&self, streets: &[BucketComparison]) -> String {
        let columns = [
            "street",
            "first",
            "buckets",
            "second",
            "buckets",
            "agreement",
            "variation",
            "spread of first",
            "of second",
        ];
        let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
        streets.iter().for_each(|street| table.row(cells(street)));
        let mut text = format!(
            "  first: {}, second: {}\n\n{}",
            self.first.display(),
            self.second.display(),
            table.render()
        );
        text.push_str("\n  agreement 1: the same hands together, 0: no more than by chance;\n");
        text.push_str("  spread of equity inside buckets, the root of the mean square\n");
        for street in streets {
            for (joined, name, other) in
                [(&street.joined_by_first, "first", "second"), (&street.joined_by_second, "second", "first")]
            {
                if joined.is_empty() {
                    continue;
                }
                text.push_str(&format!(
                    "\n  {}: together in the {name}, apart in the {other}\n\n{}",
                    street.street,
                    pairs(joined, name, other)
                ));
            }
        }
        text
    }
}

/// Two lines for each pair of hands.
fn pairs(joined: &[JoinedHandsDocument], name: &str, other: &str) -> String {
    let (own, apart) = (format!("bucket of {name}"), format!("of {other}"));
    let columns = [
        (own.as_str(), Align::Right),
        (apart.as_str(), Align::Right),
        ("deals", Align::Right),
        ("such as", Align::Left),
        ("on", Align::Left),
        ("equity", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for pair in joined {
        for (i, hand) in pair.hands.iter().enumerate() {
            let own = if i == 0 { pair.bucket.to_string() } else { String::new() };
            let counts = [pair.others[i].to_string(), grouped(pair.deals[i].into())];
            let cells = [hand.combo.clone(), hand.board.clone(), percent(hand.equity)];
            table.row([own].into_iter().chain(counts).chain(cells));
        }
    }
    table.render()
}
