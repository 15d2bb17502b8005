//! What hands are compared by: a vector for each hand, and a distance.

use std::sync::LazyLock;

use equipoise_cards::{Board, Card, Combo, HandClass, Street};
use equipoise_progress::Observer;

use super::kmeans::{Euclid, Manhattan, Metric};
use super::learn::live;
use super::{MAX_LEN, StreetBuckets};
use crate::board_features::{BoardFeatures, CDF_LEN, Parts};
use crate::clusters::OpponentClusters;
use crate::error::AbstractionError;
use crate::features::{Features, MAX_HALVES, num_runouts};
use crate::statistics::Statistics;

/// A vector for each hand of a street. All coordinates lie in 0..=1.
pub(crate) trait Space<const D: usize>: Sync {
    type Metric: Metric;
    /// What one worker needs for a board.
    type Scratch: Send;

    fn metric(&self) -> Self::Metric;

    fn scratch(&self) -> Self::Scratch;

    /// The vectors of all combos that share no card with the board, in the order of their index.
    fn vectors(&self, board: &Board, scratch: &mut Self::Scratch) -> Result<Vec<[f32; D]>, AbstractionError>;

    /// Something that grows with the strength of a hand, 0 to 1.
    fn strength(&self, vector: &[f32; D]) -> f32;

    /// What a hand weighs when centres are found.
    fn weight(&self, _combo: Combo) -> f32 {
        1.0
    }

    /// What to multiply a distance with to get one of equities.
    fn scale(&self) -> f64;

    /// The features of the board whose vectors were made last, if they were needed.
    fn features<'a>(&self, scratch: &'a Self::Scratch) -> Option<&'a BoardFeatures>;
}

/// The distributions of river HS by the earth mover's distance.
pub(crate) struct Distributions;

impl Space<CDF_LEN> for Distributions {
    type Metric = Manhattan;
    type Scratch = BoardFeatures;

    fn metric(&self) -> Manhattan {
        Manhattan
    }

    fn scratch(&self) -> BoardFeatures {
        BoardFeatures::new(Parts { histogram: true, ..Parts::default() })
    }

    fn vectors(
        &self,
        board: &Board,
        features: &mut BoardFeatures,
    ) -> Result<Vec<[f32; CDF_LEN]>, AbstractionError> {
        features.fill(board)?;
        Ok(features.cdfs())
    }

    #[inline(always)]
    fn strength(&self, cdf: &[f32; CDF_LEN]) -> f32 {
        1.0 - Manhattan::distance(cdf, &[0.0; CDF_LEN]) / (Features::NUM_BINS - 1) as f32
    }

    fn scale(&self) -> f64 {
        1.0 / Features::NUM_BINS as f64
    }

    fn features<'a>(&self, scratch: &'a BoardFeatures) -> Option<&'a BoardFeatures> {
        Some(scratch)
    }
}

/// Equities against the clusters of opponents, each together with the stronger clusters, and weighted.
///
/// A cluster is taken together with those above it: from all hands over the better half to the best few, which is how
/// ranges narrow. The first of these numbers is plain equity. It weighs most, because the others depend so much on what
/// the board is like that centres would be spent on telling boards apart; and it is stretched towards the strong hands,
/// which play for more. Centres are also found where hands are that get to be played: a hand weighs the square of the
/// part of all hands that are weaker before the flop. All of this was chosen among many ways by measuring;
/// docs/abstraction.md says on what, and what it is worth elsewhere.
pub(crate) struct Ochs {
    /// What equity against the better half (the clusters from 4 up) and against the best sixth (from 6 up) weighs.
    narrow: f32,
}

impl Ochs {
    /// For buckets of all boards.
    pub(crate) const ALL_BOARDS: Ochs = Ochs { narrow: 1.0 / 64.0 };
    /// For buckets that a few boards have to themselves: these are alike, and so there is room for more than strength.
    pub(crate) const FEW_BOARDS: Ochs = Ochs { narrow: 1.0 / 4.0 };
    /// What the others weigh beside them: enough to tell apart what these leave alike.
    const REST: f32 = 1.0 / 10.0;

    /// By cluster that is the weakest of those taken together.
    fn weights(&self) -> [f32; OpponentClusters::COUNT] {
        let rest = self.narrow * Ochs::REST;
        [1.0, rest, rest, rest, self.narrow, rest, self.narrow, rest]
    }

    /// From 0 to 1 five times as steep at the end as at the beginning.
    fn stretched(equity: f32) -> f32 {
        equity * (1.0 + 2.0 * equity) / 3.0
    }

    /// By class: the square of the part of all combos that are in weaker classes, its own counting half.
    fn class_weights() -> &'static [f32; HandClass::COUNT] {
        static WEIGHTS: LazyLock<[f32; HandClass::COUNT]> = LazyLock::new(|| {
            let mut weights = [0.0; HandClass::COUNT];
            let mut num_weaker = 0.0;
            for class in HandClass::by_equity().rev() {
                let num_combos = class.num_combos() as f32;
                weights[class.index()] = ((num_weaker + num_combos / 2.0) / Combo::COUNT as f32).powi(2);
                num_weaker += num_combos;
            }
            weights
        });
        &WEIGHTS
    }
}

impl Space<{ OpponentClusters::COUNT }> for Ochs {
    type Metric = Euclid;
    type Scratch = BoardFeatures;

    fn metric(&self) -> Euclid {
        Euclid
    }

    fn scratch(&self) -> BoardFeatures {
        BoardFeatures::new(Parts { ochs: true, ..Parts::default() })
    }

    fn vectors(
        &self,
        board: &Board,
        features: &mut BoardFeatures,
    ) -> Result<Vec<[f32; OpponentClusters::COUNT]>, AbstractionError> {
        features.fill(board)?;
        let weights = self.weights();
        let mut vectors = features.nested_equities();
        for vector in &mut vectors {
            vector[0] = Ochs::stretched(vector[0]);
            vector.iter_mut().zip(weights).for_each(|(value, weight)| *value *= weight);
        }
        Ok(vectors)
    }

    fn weight(&self, combo: Combo) -> f32 {
        Ochs::class_weights()[combo.class().index()]
    }

    /// Plain equity, stretched.
    #[inline(always)]
    fn strength(&self, vector: &[f32; OpponentClusters::COUNT]) -> f32 {
        vector[0]
    }

    /// The root of the weighted mean square, in place of the sum.
    fn scale(&self) -> f64 {
        self.weights().iter().map(|&weight| f64::from(weight).powi(2)).sum::<f64>().sqrt().recip()
    }

    fn features<'a>(&self, scratch: &'a BoardFeatures) -> Option<&'a BoardFeatures> {
        Some(scratch)
    }
}

/// Equity, and if `with_square` the mean of the square of river HS: what percentiles cut.
pub(crate) struct Numbers {
    pub(crate) street: Street,
    pub(crate) with_square: bool,
}

impl Space<8> for Numbers {
    type Metric = Euclid;
    type Scratch = BoardFeatures;

    fn metric(&self) -> Euclid {
        Euclid
    }

    fn scratch(&self) -> BoardFeatures {
        BoardFeatures::new(Parts::default())
    }

    fn vectors(
        &self,
        board: &Board,
        features: &mut BoardFeatures,
    ) -> Result<Vec<[f32; 8]>, AbstractionError> {
        features.fill(board)?;
        let whole = num_runouts(self.street) as f64 * f64::from(MAX_HALVES);
        let vector = |[halves, squares]: [u32; 2]| {
            let square = f64::from(squares) / whole / f64::from(MAX_HALVES);
            let mut vector = [0.0; 8];
            vector[0] = (f64::from(halves) / whole) as f32;
            vector[1] = if self.with_square { square as f32 } else { 0.0 };
            vector
        };
        Ok(features.equity_and_square().map(vector).collect())
    }

    fn strength(&self, vector: &[f32; 8]) -> f32 {
        vector[0]
    }

    fn scale(&self) -> f64 {
        if self.with_square { 0.5_f64.sqrt() } else { 1.0 }
    }

    fn features<'a>(&self, scratch: &'a BoardFeatures) -> Option<&'a BoardFeatures> {
        Some(scratch)
    }
}

/// Distributions over the buckets of the next street, by the earth mover's distance.
///
/// To move a part of a distribution from one bucket to another costs as much as their mean equities differ. On a line
/// the distance of two distributions of n equally likely values is the mean difference of the sorted values, so a
/// hand's vector is the mean equities of the buckets that its next cards lead to, in ascending order: 47 on the flop and
/// 46 on the turn, exactly and without bins. That is a metric, which pruning needs, and the same machinery serves.
///
/// What it does not see is that two buckets of equal mean equity may differ otherwise. Ganzfried and Sandholm
/// (Potential-aware imperfect-recall abstraction, 2014) take the distances of the next street's centres instead, for
/// which the distance of distributions has to be approximated.
pub(crate) struct Potential<'a> {
    next: &'a StreetBuckets,
    /// By bucket of the next street: its number in the order of mean equity.
    ranks: Vec<u16>,
    /// The mean equities in ascending order.
    equities: Vec<f32>,
}

/// The most next cards, filled up to whole vectors.
pub(crate) const NEXT_LEN: usize = 48;

/// How many next cards a combo sees on a flop or a turn.
fn num_next(next: Street) -> usize {
    Card::COUNT - 2 - (next.num_board_cards() - 1)
}

impl<'a> Potential<'a> {
    pub(crate) fn new(
        next: &'a StreetBuckets,
        observer: &mut dyn Observer,
    ) -> Result<Potential<'a>, AbstractionError> {
        let means = Statistics::of(next, observer)?.means();
        let mut order: Vec<u16> = (0..means.len() as u16).collect();
        order.sort_by(|&a, &b| means[usize::from(a)].total_cmp(&means[usize::from(b)]));
        let mut ranks = vec![0; means.len()];
        order.iter().zip(0..).for_each(|(&bucket, rank)| ranks[usize::from(bucket)] = rank);
        let equities = order.iter().map(|&bucket| means[usize::from(bucket)] as f32).collect();
        Ok(Potential { next, ranks, equities })
    }
}

impl Space<NEXT_LEN> for Potential<'_> {
    type Metric = Manhattan;
    /// The ranks of the buckets that each combo of a board comes to.
    type Scratch = Vec<[u16; NEXT_LEN]>;

    fn metric(&self) -> Manhattan {
        Manhattan
    }

    fn scratch(&self) -> Vec<[u16; NEXT_LEN]> {
        Vec::with_capacity(MAX_LEN)
    }

    fn vectors(
        &self,
        board: &Board,
        ranks: &mut Vec<[u16; NEXT_LEN]>,
    ) -> Result<Vec<[f32; NEXT_LEN]>, AbstractionError> {
        let live: Vec<usize> = live(board).map(Combo::index).collect();
        ranks.clear();
        ranks.resize(live.len(), [0; NEXT_LEN]);
        let mut seen = vec![0_u8; live.len()];
        for card in (!board.set()).iter() {
            let next = board.deal(card).expect("a card of the rest of the deck comes to a flop or turn");
            let buckets = self.next.board(&next)?;
            for ((&index, ranks), seen) in live.iter().zip(&mut *ranks).zip(&mut seen) {
                if let Some(bucket) = buckets.at(index) {
                    ranks[usize::from(*seen)] = self.ranks[usize::from(bucket.get())];
                    *seen += 1;
                }
            }
        }
        let num_next = num_next(self.next.street());
        let vector = |ranks: &mut [u16; NEXT_LEN]| {
            ranks[..num_next].sort_unstable();
            let mut vector = [0.0; NEXT_LEN];
            for (value, &rank) in vector.iter_mut().zip(&ranks[..num_next]) {
                *value = self.equities[usize::from(rank)];
            }
            vector
        };
        Ok(ranks.iter_mut().map(vector).collect())
    }

    #[inline(always)]
    fn strength(&self, vector: &[f32; NEXT_LEN]) -> f32 {
        vector.iter().sum::<f32>() / num_next(self.next.street()) as f32
    }

    fn scale(&self) -> f64 {
        1.0 / num_next(self.next.street()) as f64
    }

    fn features<'a>(&self, _: &'a Vec<[u16; NEXT_LEN]>) -> Option<&'a BoardFeatures> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ochs_begins_with_equity_and_ends_with_the_strongest_cluster() {
        for (text, space) in
            [("Td9d6h", Ochs::ALL_BOARDS), ("7s7h2s2h", Ochs::FEW_BOARDS), ("Td9d6hQc2h", Ochs::ALL_BOARDS)]
        {
            let board: Board = text.parse().unwrap();
            let mut scratch = space.scratch();
            let vectors = space.vectors(&board, &mut scratch).unwrap();
            let weights = space.weights();
            let near = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-6;
            for ((vector, equity), ochs) in vectors.iter().zip(scratch.equities()).zip(scratch.ochs()) {
                assert!(near(space.strength(vector), (equity + 2.0 * equity * equity) / 3.0));
                assert!(near(vector[7] / weights[7], ochs[7]));
                assert!(vector.iter().zip(weights).all(|(value, weight)| (0.0..=weight).contains(value)));
            }
            // One unit of distance is one of equity where all equities differ alike.
            let apart = Euclid::distance(&weights, &[0.0; 8]);
            assert!((f64::from(apart) * space.scale() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn hands_that_are_played_weigh_more() {
        let weight = |text: &str| Ochs::ALL_BOARDS.weight(text.parse().unwrap());
        assert!(weight("AhAs") > 0.99 && weight("2c3d") < 1e-4);
        assert!(weight("AhKh") > weight("Th9h") && weight("Th9h") > weight("7h2c"));
        // The mean of the square of a number that is spread evenly over 0..1.
        let mean = Combo::all().map(|combo| Ochs::ALL_BOARDS.weight(combo)).sum::<f32>() / 1326.0;
        assert!((mean - 1.0 / 3.0).abs() < 1e-3, "{mean}");
    }
}
