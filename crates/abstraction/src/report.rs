//! What the buckets of a street are like.

use equipoise_cards::{Board, Combo, Street};
use equipoise_progress::{Observer, Part, Progress};
use rayon::prelude::*;

use crate::board_features::{BoardFeatures, Parts};
use crate::buckets::kmeans::Metric;
use crate::buckets::space::{Distributions, Numbers, Ochs, Potential, Space};
use crate::buckets::{BucketId, MAX_LEN, StreetBuckets};
use crate::config::Method;
use crate::error::AbstractionError;
use crate::rows::Rows;
use crate::statistics::{MOST_PARTS, Statistics, whole};

/// How alike the hands of each bucket of a street are, and how different the buckets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreetReport {
    /// The street.
    pub street: Street,
    /// Each bucket, the weakest first.
    pub buckets: Vec<BucketReport>,
    /// The root of the mean square of how far a hand's equity is from the mean of its bucket, over all deals.
    pub spread: f64,
    /// Hands of the bucket that was asked for.
    pub examples: Option<BucketExamples>,
}

/// The hands of a bucket.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BucketReport {
    /// How many deals it holds, isomorphic ones counted apart.
    pub deals: u64,
    /// Their mean equity.
    pub equity: f64,
    /// The standard deviation of their equity.
    pub spread: f64,
    /// The lowest and the highest equity.
    pub range: [f64; 2],
    /// The buckets with the nearest centres and how far these are, the nearest first; see [`StreetBuckets::report`].
    pub nearest: Vec<(BucketId, f64)>,
}

/// A hand that stands for others.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExampleHand {
    /// The private cards.
    pub combo: Combo,
    /// The board.
    pub board: Board,
    /// The all-in equity.
    pub equity: f64,
}

/// Hands of a bucket, each with its distance from the centre, and no two on the same board but for the last three.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BucketExamples {
    /// Those nearest to the centre, the nearest first.
    pub typical: Vec<(ExampleHand, f64)>,
    /// The one farthest from the centre.
    pub farthest: Option<(ExampleHand, f64)>,
    /// The one of the lowest equity.
    pub weakest: Option<(ExampleHand, f64)>,
    /// The one of the highest equity.
    pub strongest: Option<(ExampleHand, f64)>,
}

/// How many neighbours of a bucket, and typical hands of it, are found.
const NUM_SHOWN: usize = 5;

impl StreetBuckets {
    /// Counts the hands of each bucket anew and says what they are like; of one bucket it finds example hands.
    ///
    /// The centre of a bucket is the mean of its hands in what its method compares, and distances are made comparable with
    /// equities, 0 to 1: `percentile` the difference of equities; `nested` the root of the mean square difference of equity
    /// and its square; `emd` the earth mover's distance of the distributions of river HS; `ochs` the root of the weighted
    /// mean square difference of the equities against clusters, each with the stronger ones; `potential` the earth mover's distance of the distributions over
    /// the next street's buckets, for which it needs these.
    ///
    /// # Errors
    /// [`AbstractionError::InvalidBoundaries`] if the file is damaged, [`AbstractionError::NoNextStreet`] and
    /// [`AbstractionError::OtherNextStreet`] if it takes the buckets of the next street and `next` are not those,
    /// [`AbstractionError::NoSuchBucket`] and [`AbstractionError::Cancelled`].
    pub fn report(
        &self,
        next: Option<&StreetBuckets>,
        bucket: Option<BucketId>,
        observer: &mut dyn Observer,
    ) -> Result<StreetReport, AbstractionError> {
        let street = self.street();
        if let Some(bucket) = bucket.filter(|bucket| bucket.get() >= self.num_buckets()) {
            return Err(AbstractionError::NoSuchBucket { bucket, street, buckets: self.num_buckets() });
        }
        let numbers = |with_square| Numbers { street, with_square };
        match self.config().method {
            Method::Percentile => Reporter { of: self, space: &numbers(false) }.report(bucket, observer),
            Method::Nested => Reporter { of: self, space: &numbers(true) }.report(bucket, observer),
            Method::Emd => Reporter { of: self, space: &Distributions }.report(bucket, observer),
            Method::Ochs => Reporter { of: self, space: &Ochs::ALL_BOARDS }.report(bucket, observer),
            Method::Potential => {
                let next = next.ok_or(AbstractionError::NoNextStreet { street })?;
                if !self.fits(next) {
                    return Err(AbstractionError::OtherNextStreet { street, found: next.street() });
                }
                let space = Potential::new(next, &mut Part::new(observer, 0.0, 0.2))?;
                let mut rest = Part::new(observer, 0.2, 1.0);
                Reporter { of: self, space: &space }.report(bucket, &mut rest)
            }
        }
    }
}

struct Reporter<'a, S> {
    of: &'a StreetBuckets,
    space: &'a S,
}

/// What one worker needs for a board.
struct Scratch<T> {
    of_space: T,
    features: BoardFeatures,
}

/// Coordinates are added as whole numbers, so that threads change nothing.
const UNIT: f32 = (1 << 24) as f32;

/// Sums over the hands of each bucket.
struct Sums<const D: usize> {
    statistics: Statistics,
    vectors: Vec<[u64; D]>,
}

impl<const D: usize> Sums<D> {
    fn new(buckets: &StreetBuckets) -> Sums<D> {
        Sums {
            statistics: Statistics::new(buckets.street(), buckets.num_buckets()),
            vectors: vec![[0; D]; usize::from(buckets.num_buckets())],
        }
    }

    fn add(&mut self, class_size: u32, features: &BoardFeatures, vectors: &[[f32; D]], buckets: &[u16]) {
        self.statistics.add_row(class_size, features, buckets);
        for (vector, &bucket) in vectors.iter().zip(buckets) {
            let sums = &mut self.vectors[usize::from(bucket)];
            for (sum, x) in sums.iter_mut().zip(vector) {
                *sum += u64::from(class_size) * (x * UNIT) as u64;
            }
        }
    }

    fn merged(mut self, other: &Sums<D>) -> Sums<D> {
        self.statistics = self.statistics.merged(&other.statistics);
        for (sums, other) in self.vectors.iter_mut().zip(&other.vectors) {
            sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
        }
        self
    }

    /// The centre of each bucket that has hands.
    fn centres(&self) -> Vec<Option<[f32; D]>> {
        let centre = |(sums, of): (&[u64; D], &crate::statistics::EquitySums)| {
            let all = of.deals as f64 * f64::from(UNIT);
            (of.deals > 0).then(|| sums.map(|sum| (sum as f64 / all) as f32))
        };
        self.vectors.iter().zip(&self.statistics.buckets).map(centre).collect()
    }
}

/// A hand of the bucket that was asked for.
#[derive(Clone, Copy)]
struct Found {
    row: usize,
    place: usize,
    distance: f32,
    halves: u32,
}

impl<S> Reporter<'_, S> {
    fn report<const D: usize>(
        &self,
        bucket: Option<BucketId>,
        observer: &mut dyn Observer,
    ) -> Result<StreetReport, AbstractionError>
    where
        S: Space<D>,
    {
        let mut first = Part::new(observer, 0.0, if bucket.is_some() { 0.6 } else { 1.0 });
        let sums = self.sums(&mut first)?;
        let centres = sums.centres();
        let street = self.of.street();
        let report = |(number, sums): (usize, &crate::statistics::EquitySums)| BucketReport {
            deals: sums.deals,
            equity: sums.mean(street),
            spread: sums.spread(street),
            range: sums.extremes(street),
            nearest: self.nearest(&centres, number),
        };
        let buckets = sums.statistics.buckets.par_iter().enumerate().map(report).collect();
        let examples = match bucket.map(|bucket| (bucket, centres[usize::from(bucket.get())])) {
            Some((bucket, Some(centre))) => {
                Some(self.examples(bucket, &centre, &mut Part::new(observer, 0.6, 1.0))?)
            }
            // A bucket without hands has no examples.
            Some((_, None)) => Some(BucketExamples::default()),
            None => None,
        };
        Ok(StreetReport { street, buckets, spread: sums.statistics.spread(), examples })
    }

    fn scratch<const D: usize>(&self) -> Scratch<S::Scratch>
    where
        S: Space<D>,
    {
        Scratch { of_space: self.space.scratch(), features: BoardFeatures::new(Parts::default()) }
    }

    /// The vectors of a board, and its features.
    fn board<'a, const D: usize>(
        &self,
        board: &Board,
        scratch: &'a mut Scratch<S::Scratch>,
    ) -> Result<(Vec<[f32; D]>, &'a BoardFeatures), AbstractionError>
    where
        S: Space<D>,
    {
        let vectors = self.space.vectors(board, &mut scratch.of_space)?;
        if let Some(features) = self.space.features(&scratch.of_space) {
            return Ok((vectors, features));
        }
        scratch.features.fill(board)?;
        Ok((vectors, &scratch.features))
    }

    fn sums<const D: usize>(&self, observer: &mut dyn Observer) -> Result<Sums<D>, AbstractionError>
    where
        S: Space<D>,
    {
        let rows = self.of.rows();
        let progress = Progress::new(observer, rows.count() as u64);
        let start = || (Sums::new(self.of), self.scratch());
        (0..rows.count())
            .into_par_iter()
            .with_min_len(rows.count().div_ceil(MOST_PARTS))
            .try_fold(start, |(mut sums, mut scratch), row| {
                let (board, class_size) = rows.board(row).expect("the row exists");
                let mut room = [0; MAX_LEN];
                let buckets = &mut room[..rows.len()];
                self.of.copy_row(row, buckets)?;
                let (vectors, features) = self.board(&board, &mut scratch)?;
                sums.add(class_size, features, &vectors, buckets);
                progress.advance(1)?;
                Ok::<_, AbstractionError>((sums, scratch))
            })
            .map(|part| Ok(part?.0))
            .try_reduce(|| Sums::new(self.of), |sums, other| Ok(sums.merged(&other)))
    }

    /// The nearest centres of a bucket.
    fn nearest<const D: usize>(&self, centres: &[Option<[f32; D]>], number: usize) -> Vec<(BucketId, f64)>
    where
        S: Space<D>,
    {
        let Some(own) = &centres[number] else { return Vec::new() };
        let mut nearest: Vec<(f32, u16)> = Vec::with_capacity(NUM_SHOWN + 1);
        for (other, centre) in centres.iter().enumerate().filter(|&(other, _)| other != number) {
            let Some(centre) = centre else { continue };
            let distance = S::Metric::distance(own, centre);
            if nearest.len() < NUM_SHOWN || distance < nearest[NUM_SHOWN - 1].0 {
                let place = nearest.partition_point(|&(found, _)| found <= distance);
                nearest.insert(place, (distance, other as u16));
                nearest.truncate(NUM_SHOWN);
            }
        }
        let scaled = |(distance, other)| (BucketId::new(other), f64::from(distance) * self.space.scale());
        nearest.into_iter().map(scaled).collect()
    }

    fn examples<const D: usize>(
        &self,
        bucket: BucketId,
        centre: &[f32; D],
        observer: &mut dyn Observer,
    ) -> Result<BucketExamples, AbstractionError>
    where
        S: Space<D>,
    {
        let rows = self.of.rows();
        let progress = Progress::new(observer, rows.count() as u64);
        let of_row = |scratch: &mut Scratch<S::Scratch>, row: usize| {
            progress.advance(1)?;
            let mut room = [0; MAX_LEN];
            let buckets = &mut room[..rows.len()];
            self.of.copy_row(row, buckets)?;
            if !buckets.contains(&bucket.get()) {
                return Ok(Vec::new());
            }
            let (board, _) = rows.board(row).expect("the row exists");
            let (vectors, features) = self.board(&board, scratch)?;
            let hands = vectors.iter().zip(features.equity_halves()).zip(&*buckets).enumerate();
            let found = hands.filter(|(_, (_, other))| **other == bucket.get()).map(
                |(place, ((vector, halves), _))| {
                    let distance = S::Metric::distance(vector, centre);
                    Found { row, place, distance, halves }
                },
            );
            Ok::<_, AbstractionError>(extremes(found.collect()).to_vec())
        };
        let found: Vec<Vec<Found>> = (0..rows.count())
            .into_par_iter()
            .map_init(|| self.scratch(), of_row)
            .collect::<Result<_, _>>()?;
        Ok(self.shown(&found))
    }

    /// The examples among the extremes of each board.
    fn shown<const D: usize>(&self, found: &[Vec<Found>]) -> BucketExamples
    where
        S: Space<D>,
    {
        let shown = |hand: &Found| {
            let hand_of = example(self.of.rows(), hand.row, hand.place, hand.halves);
            (hand_of, f64::from(hand.distance) * self.space.scale())
        };
        let mut nearest: Vec<Found> = found.iter().filter_map(|of_row| of_row.first()).copied().collect();
        // Of equally near ones not the first, which are all on low boards, but some from everywhere.
        let scattered = |hand: &Found| (hand.row as u32).wrapping_mul(0x9e37_79b1);
        nearest.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(scattered(a).cmp(&scattered(b))));
        let all: Vec<Found> = found.concat();
        let [_, farthest, weakest, strongest] = match all.is_empty() {
            true => [None; 4],
            false => extremes(all).map(Some),
        };
        BucketExamples {
            typical: nearest.iter().take(NUM_SHOWN).map(shown).collect(),
            farthest: farthest.as_ref().map(shown),
            weakest: weakest.as_ref().map(shown),
            strongest: strongest.as_ref().map(shown),
        }
    }
}

/// The nearest, farthest, weakest and strongest hand, of equal ones the first.
fn extremes(found: Vec<Found>) -> [Found; 4] {
    let mut best = [found[0]; 4];
    for hand in found {
        let [nearest, farthest, weakest, strongest] = &mut best;
        if hand.distance < nearest.distance {
            *nearest = hand;
        }
        if hand.distance > farthest.distance {
            *farthest = hand;
        }
        if hand.halves < weakest.halves {
            *weakest = hand;
        }
        if hand.halves > strongest.halves {
            *strongest = hand;
        }
    }
    best
}

/// The hand at a place of a row, and its equity in halves.
pub(crate) fn example(rows: Rows, row: usize, place: usize, halves: u32) -> ExampleHand {
    let (board, _) = rows.board(row).expect("the row exists");
    let mut live = Combo::all().filter(|combo| !combo.cards().intersects(board.set()));
    let combo = live.nth(place).expect("a row has a place for each live combo");
    ExampleHand { combo, board, equity: f64::from(halves) / whole(rows.street()) }
}
