//! `equipoise abstraction`.

use serde::Serialize;

use crate::{Both, ExploitabilityDocument};

/// `equipoise abstraction features`.
#[derive(Clone, Debug, Serialize)]
pub struct FeaturesDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Of the board.
    pub street: String,
    /// The public cards.
    pub board: String,
    /// The private cards.
    pub combo: String,
    /// The share of opponents that it beats now; null before the flop.
    pub hs: Option<f64>,
    /// Its mean on the river.
    pub equity: f64,
    /// The mean of its square on the river.
    pub equity_sq: f64,
    /// How often what is behind gets ahead; null before the flop.
    pub ppot: Option<f64>,
    /// How often what is ahead falls behind; null before the flop.
    pub npot: Option<f64>,
    /// Opponents and runouts: ahead, tied and behind now, by the same on the river.
    pub cells: Option<[[u32; 3]; 3]>,
    /// How many there are.
    pub runouts: u64,
    /// Runouts by their HS on the river.
    pub histogram: Vec<u32>,
    /// Equity against each cluster of opponents.
    pub ochs: Vec<f64>,
    /// The clusters as ranges.
    pub clusters: Vec<String>,
    /// Among all hands of the street that differ in more than suits.
    pub canonical_index: u64,
}

/// `equipoise abstraction bucket`.
#[derive(Clone, Debug, Serialize)]
pub struct BucketDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Of the board.
    pub street: String,
    /// Of the hand.
    pub bucket: u16,
    /// How many there are.
    pub buckets: u16,
    /// Among all hands of the street that differ in more than suits.
    pub canonical_index: u64,
}

/// `equipoise abstraction inspect`.
#[derive(Clone, Debug, Serialize)]
pub struct InspectDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The opponent clusters as ranges.
    pub clusters: Vec<String>,
    /// Street by street.
    pub streets: Vec<StreetReportDocument>,
    /// With `--bucket`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket: Option<BucketReportDocument>,
}

/// The buckets of a street, the weakest first.
#[derive(Clone, Debug, Serialize)]
pub struct StreetReportDocument {
    /// Which.
    pub street: String,
    /// How they were made.
    pub method: &'static str,
    /// How many were asked for.
    pub asked: u16,
    /// How many there are.
    pub buckets: u16,
    /// The part of all deals in each.
    pub sizes: Vec<f64>,
    /// The mean equity of each.
    pub equities: Vec<f64>,
    /// The spread of equity in each.
    pub spreads: Vec<f64>,
    /// The bucket nearest to each; null where there is no other.
    pub nearest: Vec<Option<NearDocument>>,
    /// The root of the mean square over all deals.
    pub spread: f64,
}

/// A bucket near another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NearDocument {
    /// Which.
    pub bucket: u16,
    /// By the metric of the method.
    pub distance: f64,
    /// Its mean.
    pub equity: f64,
}

/// One bucket.
#[derive(Clone, Debug, Serialize)]
pub struct BucketReportDocument {
    /// Which.
    pub bucket: u16,
    /// How many are in it.
    pub deals: u64,
    /// The part of all deals.
    pub size: f64,
    /// The mean.
    pub equity: f64,
    /// The standard deviation of equity.
    pub spread: f64,
    /// The least equity.
    pub lowest: f64,
    /// The greatest equity.
    pub highest: f64,
    /// Nearest first.
    pub nearest: Vec<NearDocument>,
    /// Hands of it.
    pub examples: BucketExamplesDocument,
}

/// Hands of a bucket.
#[derive(Clone, Debug, Serialize)]
pub struct BucketExamplesDocument {
    /// Nearest to the centre.
    pub typical: Vec<BucketExampleDocument>,
    /// Farthest from the centre.
    pub farthest: Option<BucketExampleDocument>,
    /// Of the least equity.
    pub weakest: Option<BucketExampleDocument>,
    /// Of the greatest equity.
    pub strongest: Option<BucketExampleDocument>,
}

/// A hand of a bucket.
#[derive(Clone, Debug, Serialize)]
pub struct BucketExampleDocument {
    /// The hand.
    #[serde(flatten)]
    pub hand: ExampleHandDocument,
    /// From the centre.
    pub distance: f64,
}

/// A combo on a board.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleHandDocument {
    /// The private cards.
    pub combo: String,
    /// The public cards.
    pub board: String,
    /// Against a random hand.
    pub equity: f64,
}

/// `equipoise abstraction compare`.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonDocument {
    /// Of this document.
    pub schema_version: u32,
    /// Street by street.
    pub streets: Vec<BucketComparison>,
}

/// Two ways to make the buckets of a street.
#[derive(Clone, Debug, Serialize)]
pub struct BucketComparison {
    /// Which.
    pub street: String,
    /// The adjusted Rand index.
    pub agreement: f64,
    /// The variation of information, in bits.
    pub variation: f64,
    /// The first way.
    pub first: BucketSide,
    /// The second way.
    pub second: BucketSide,
    /// Together in the first, apart in the second.
    pub joined_by_first: Vec<JoinedHandsDocument>,
    /// Together in the second, apart in the first.
    pub joined_by_second: Vec<JoinedHandsDocument>,
}

/// One way to make buckets.
#[derive(Clone, Debug, Serialize)]
pub struct BucketSide {
    /// How they are made.
    pub method: &'static str,
    /// How many there are.
    pub buckets: u16,
    /// The root of the mean square of equity inside buckets.
    pub spread: f64,
}

/// Hands that share a bucket of one way and not of the other.
#[derive(Clone, Debug, Serialize)]
pub struct JoinedHandsDocument {
    /// That they share.
    pub bucket: u16,
    /// Of the other way.
    pub others: [u16; 2],
    /// In both.
    pub deals: [u64; 2],
    /// One of each.
    pub hands: [ExampleHandDocument; 2],
}

/// `equipoise abstraction export`.
#[derive(Clone, Debug, Serialize)]
pub struct HandExport<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// `features` or `buckets`.
    pub content: &'static str,
    /// Of the hands.
    pub street: String,
    /// Where.
    pub file: String,
    /// Their names.
    pub columns: &'a [String],
    /// How many.
    pub boards: usize,
    /// How many, about.
    pub rows: u64,
    /// Of the file.
    pub estimated_bytes: u64,
    /// On one core.
    pub estimated_s: f64,
    /// Of the file, once it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_groups: Option<u64>,
    /// Of the file, once it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Once it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_s: Option<f64>,
}

/// `equipoise abstraction evaluate`.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluateDocument {
    /// Of this document.
    pub schema_version: u32,
    /// The cards at the root.
    pub board: String,
    /// Of the abstract strategy in the real game.
    pub exploitability: ExploitabilityDocument,
    /// At the root.
    pub players: Both<EvaluatedPlayer>,
    /// Street by street.
    pub streets: Vec<EvaluatedStreet>,
    /// The exact solution.
    pub exact: ExactDocument,
    /// Inside the abstraction.
    pub iterations: u32,
    /// Of solving and measuring.
    pub elapsed_s: f64,
    /// The name with all parameters.
    pub algorithm: String,
    /// `converged`, `max_iterations` or `interrupted`.
    pub stop_reason: &'static str,
    /// In their order.
    pub checks: Vec<EvaluateCheck>,
}

/// A player of an abstract strategy.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EvaluatedPlayer {
    /// In chips.
    pub ev: f64,
    /// Of the best response to the other, in chips.
    pub best_response: f64,
    /// The best response less the EV.
    pub gain: f64,
}

/// The buckets of a street.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedStreet {
    /// Which.
    pub street: String,
    /// How they were made.
    pub method: &'static str,
    /// How many there are.
    pub buckets: u16,
    /// How many OOP can be in.
    pub met_by_oop: usize,
    /// How many IP can be in.
    pub met_by_ip: usize,
}

/// The exact solution of the same spot.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ExactDocument {
    /// How many it took.
    pub iterations: u32,
    /// How far from equilibrium.
    pub exploitability: ExploitabilityDocument,
}

/// A measurement in the real game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EvaluateCheck {
    /// After how many iterations.
    pub iteration: u32,
    /// In percent of the starting pot.
    pub pct_pot: f64,
}
