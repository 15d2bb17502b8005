//! Charts of hands and buckets.

use equipoise_abstraction::Features;
use equipoise_cards::{Board, Combo, Street};

use crate::svg::{self, Axis, Bar, Chart, grouped};

/// How the strength of a hand on the river is distributed over the runouts, with its mean, as an SVG picture.
///
/// ```
/// use equipoise_abstraction::Features;
/// use equipoise_export::equity_distribution;
/// let (combo, board) = ("AhKh".parse()?, "QsJh2h".parse()?);
/// let svg = equity_distribution(combo, &board, &Features::of(combo, &board)?);
/// assert!(svg.contains("AhKh on QsJh2h") && svg.contains("76.261 %"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn equity_distribution(combo: Combo, board: &Board, features: &Features) -> String {
    let num_runouts = features.num_runouts() as f64;
    let width = 100.0 / Features::NUM_BINS as f64;
    let bar = |(i, &count): (usize, &u32)| {
        let (from, to) = (i as f64 * width, (i + 1) as f64 * width);
        let height = 100.0 * f64::from(count) / num_runouts;
        let note = format!(
            "HS {from:.0} to {to:.0} %: {height:.2} % of the runouts ({})",
            grouped(&count.to_string())
        );
        Bar { from, to, height, pale: None, note }
    };
    let bars: Vec<Bar> = features.histogram().iter().enumerate().map(bar).collect();
    let most = bars.iter().map(|bar| bar.height).fold(0.0, f64::max);
    let title = match board.street() {
        Street::Preflop => format!("{combo} before the flop ({})", combo.class()),
        street => format!("{combo} on {board} ({street})"),
    };
    let runouts = match features.num_runouts() {
        1 => "the river is dealt".to_owned(),
        number => format!("{} runouts", grouped(&number.to_string())),
    };
    let mean = 100.0 * features.equity();
    let x = Axis::linear("HS on the river: opponents beaten, ties counted half", 0.0, 100.0, "%");
    let y = Axis::linear("part of the runouts", 0.0, most, "%").up_to_a_tick();
    let chart = Chart::new(title, x, y)
        .subtitle(format!("{runouts}, {} bins of {width} %", Features::NUM_BINS))
        .bars(bars)
        .upright(mean, format!("mean = equity {mean:.3} %"));
    svg::page(&[chart])
}

/// The bucket sizes of a street, to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct BucketSizes<'a> {
    /// The street.
    pub street: Street,
    /// How the buckets were made.
    pub method: &'a str,
    /// The part of all deals in each bucket, the weakest bucket first.
    pub sizes: &'a [f64],
}

/// Bars that a chart has at most; with more buckets than that a bar stands for several.
const MAX_BARS: usize = 880;

/// How large the buckets of each street are, the weakest first, as an SVG picture.
///
/// ```
/// use equipoise_cards::Street;
/// use equipoise_export::{BucketSizes, bucket_sizes};
/// let sizes = [0.2, 0.5, 0.3];
/// let svg = bucket_sizes(&[BucketSizes { street: Street::Flop, method: "emd", sizes: &sizes }]);
/// assert!(svg.contains("3 buckets") && svg.contains("bucket 1: 50.000 %"));
/// ```
#[must_use]
pub fn bucket_sizes(streets: &[BucketSizes<'_>]) -> String {
    svg::page(&streets.iter().map(street_chart).collect::<Vec<Chart>>())
}

fn street_chart(street: &BucketSizes<'_>) -> Chart {
    let num_buckets = street.sizes.len();
    let per_bar = num_buckets.div_ceil(MAX_BARS).max(1);
    let bars: Vec<Bar> =
        street.sizes.chunks(per_bar).enumerate().map(|(i, chunk)| bar(i * per_bar, chunk)).collect();
    let most = street.sizes.iter().copied().fold(0.0, f64::max);
    let mean = 100.0 / num_buckets.max(1) as f64;
    let count = grouped(&num_buckets.to_string());
    let title = format!("Bucket sizes on the {}: {count} buckets by {}", street.street, street.method);
    let x = Axis::linear("bucket, the weakest first", 0.0, num_buckets as f64, "");
    let y = Axis::linear("part of all deals", 0.0, 100.0 * most, "%").up_to_a_tick();
    let chart = Chart::new(title, x, y).height(220.0).bars(bars).level(mean, format!("mean {mean:.3} %"));
    if per_bar == 1 {
        return chart;
    }
    chart.subtitle(format!("a bar: the mean of {per_bar} buckets; pale: up to the largest"))
}

/// A bar for some buckets that follow one another.
fn bar(first: usize, sizes: &[f64]) -> Bar {
    let percents = || sizes.iter().map(|size| 100.0 * size);
    let mean = percents().sum::<f64>() / sizes.len() as f64;
    let most = percents().fold(0.0, f64::max);
    let (from, to) = (first as f64, (first + sizes.len()) as f64);
    match sizes {
        [_] => Bar { from, to, height: mean, pale: None, note: format!("bucket {first}: {mean:.3} %") },
        _ => {
            let last = first + sizes.len() - 1;
            let note = format!("buckets {first} to {last}: mean {mean:.3} %, largest {most:.3} %");
            Bar { from, to, height: mean, pale: Some(most), note }
        }
    }
}
