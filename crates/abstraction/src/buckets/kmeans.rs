//! k-means for points of any metric space of fixed dimension.
//!
//! # Seeding
//! k-means++ (Arthur and Vassilvitskii 2007): the first centre is a point drawn at random, each further one a point
//! drawn with probability proportional to its squared distance from the nearest centre so far.
//!
//! # Pruning
//! If x lies at distance d from centre a, and b is the nearest centre found so far, at distance e, then by the triangle
//! inequality a centre c can only be nearer if dist(a, c) < d + e. Each centre has a list of the others by distance, so
//! that the walk from a ends at the first one that is too far. The answer is that of trying all centres, whatever a one
//! starts from: a margin covers the rounding of distances, and of equally near centres the first wins.

use std::marker::PhantomData;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use equipoise_cards::IsaKernel;
use equipoise_progress::Progress;

use crate::error::AbstractionError;
use crate::kernel;

/// A distance that obeys the triangle inequality.
pub(crate) trait Metric: Sync + Send + Copy + 'static {
    fn distance<const D: usize>(a: &[f32; D], b: &[f32; D]) -> f32;
}

/// The sum of absolute differences. Between distribution functions, the earth mover's distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manhattan;

/// The root of the sum of squared differences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Euclid;

/// Adds up a function of each pair of coordinates in eight lanes, so that the order is the same on every processor.
#[inline(always)]
fn lane_sum<const D: usize>(a: &[f32; D], b: &[f32; D], of: impl Fn(f32, f32) -> f32) -> f32 {
    const { assert!(D.is_multiple_of(8)) };
    let mut lanes = [0.0_f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for (lane, (&a, &b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += of(a, b);
        }
    }
    let half: [f32; 4] = std::array::from_fn(|i| lanes[i] + lanes[i + 4]);
    (half[0] + half[2]) + (half[1] + half[3])
}

impl Metric for Manhattan {
    #[inline(always)]
    fn distance<const D: usize>(a: &[f32; D], b: &[f32; D]) -> f32 {
        lane_sum(a, b, |a, b| (a - b).abs())
    }
}

impl Metric for Euclid {
    #[inline(always)]
    fn distance<const D: usize>(a: &[f32; D], b: &[f32; D]) -> f32 {
        lane_sum(a, b, |a, b| (a - b) * (a - b)).sqrt()
    }
}

/// More than rounding can move a distance between points whose coordinates lie in 0..=1.
const MARGIN: f32 = 1e-4;
/// A run ends when no more than this part of the points changes its centre …
const STILL: f64 = 1e-3;
/// … or after this many rounds.
const MAX_ROUNDS: usize = 40;
/// Points that are worth waking a thread for.
const CHUNK: usize = 1024;

/// Centres, ready to find the nearest one.
#[derive(Clone, Debug)]
pub(crate) struct Centres<M, const D: usize> {
    centres: Vec<[f32; D]>,
    /// For each centre, the distances to the others and their numbers, the nearest first.
    neighbours: Vec<Vec<(f32, u16)>>,
    metric: PhantomData<M>,
}

impl<M: Metric, const D: usize> Centres<M, D> {
    pub(crate) fn new(_metric: M, centres: Vec<[f32; D]>) -> Centres<M, D> {
        let neighbours = (0..centres.len())
            .into_par_iter()
            .map(|own| {
                let others = centres.iter().enumerate().filter(|&(other, _)| other != own);
                let mut list: Vec<(f32, u16)> = others
                    .map(|(other, centre)| (M::distance(&centres[own], centre), other as u16))
                    .collect();
                list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                list
            })
            .collect();
        Centres { centres, neighbours, metric: PhantomData }
    }

    pub(crate) fn centres(&self) -> &[[f32; D]] {
        &self.centres
    }

    /// The nearest centre of a point, found from any other; and how far it is.
    #[inline(always)]
    pub(crate) fn nearest(&self, point: &[f32; D], from: u16) -> (u16, f32) {
        let start = M::distance(point, &self.centres[usize::from(from)]);
        let mut best = (start, from);
        for &(between, other) in &self.neighbours[usize::from(from)] {
            if between > start + best.0 + MARGIN {
                break;
            }
            let distance = M::distance(point, &self.centres[usize::from(other)]);
            if distance < best.0 || (distance == best.0 && other < best.1) {
                best = (distance, other);
            }
        }
        (best.1, best.0)
    }
}

/// Finds the nearest centre of each point, from the one that `nearest` names.
struct Assign<'a, M, const D: usize> {
    centres: &'a Centres<M, D>,
    points: &'a [[f32; D]],
    nearest: &'a mut [u16],
}

impl<M: Metric, const D: usize> IsaKernel for Assign<'_, M, D> {
    /// How many have changed.
    type Output = usize;

    #[inline(always)]
    fn portable(self) -> usize {
        let mut num_changed = 0;
        for (point, nearest) in self.points.iter().zip(self.nearest) {
            let (found, _) = self.centres.nearest(point, *nearest);
            num_changed += usize::from(found != *nearest);
            *nearest = found;
        }
        num_changed
    }
}

/// What centres are found of: points, and what each of them weighs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points<const D: usize> {
    pub(crate) points: Vec<[f32; D]>,
    pub(crate) weights: Vec<f32>,
}

impl<const D: usize> Points<D> {
    pub(crate) fn push(&mut self, point: [f32; D], weight: f32) {
        self.points.push(point);
        self.weights.push(weight);
    }
}

/// At most `k` centres of the points; fewer if there are fewer different points.
pub(crate) fn cluster<M: Metric, const D: usize>(
    metric: M,
    all: &Points<D>,
    k: usize,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Centres<M, D>, AbstractionError> {
    let points = &all.points[..];
    let (first, mut nearest) = spread_out(metric, all, k, seed, progress)?;
    let mut centres = Centres::new(metric, first);
    for _ in 0..MAX_ROUNDS {
        progress.advance(0)?;
        let parts = points.par_chunks(CHUNK).zip(nearest.par_chunks_mut(CHUNK));
        let num_changed: usize =
            parts.map(|(points, nearest)| kernel::run(Assign { centres: &centres, points, nearest })).sum();
        centres = Centres::new(metric, means(all, &nearest, centres.centres()));
        if num_changed as f64 <= STILL * points.len() as f64 {
            break;
        }
    }
    Ok(centres)
}

/// Brings the points' distances up to date with a new centre.
struct Approach<'a, M, const D: usize> {
    metric: M,
    points: &'a [[f32; D]],
    weights: &'a [f32],
    nearest: &'a mut [u16],
    distances: &'a mut [f32],
    centre: &'a [f32; D],
    number: u16,
}

impl<M: Metric, const D: usize> IsaKernel for Approach<'_, M, D> {
    /// The weighted sum of the squared distances.
    type Output = f64;

    #[inline(always)]
    fn portable(self) -> f64 {
        let _ = self.metric;
        let mut sum = 0.0;
        let points = self.points.iter().zip(self.weights);
        for (((point, &weight), nearest), distance) in points.zip(self.nearest).zip(self.distances) {
            let new = M::distance(point, self.centre);
            if new < *distance {
                (*distance, *nearest) = (new, self.number);
            }
            sum += weighted_square(*distance, weight);
        }
        sum
    }
}

#[inline(always)]
fn weighted_square(distance: f32, weight: f32) -> f64 {
    f64::from(distance) * f64::from(distance) * f64::from(weight)
}

/// The first centres by k-means++, and the nearest of them of each point.
fn spread_out<M: Metric, const D: usize>(
    metric: M,
    Points { points, weights }: &Points<D>,
    k: usize,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<(Vec<[f32; D]>, Vec<u16>), AbstractionError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut nearest = vec![0; points.len()];
    let mut distances = vec![f32::INFINITY; points.len()];
    let mut centres: Vec<[f32; D]> = Vec::new();
    let sums: Vec<f64> =
        weights.chunks(CHUNK).map(|chunk| chunk.iter().copied().map(f64::from).sum()).collect();
    let mut next = draw(&mut rng, points.len(), &sums, |point| f64::from(weights[point]));
    while let Some(point) = next.filter(|_| centres.len() < k) {
        let (centre, number) = (points[point], centres.len() as u16);
        centres.push(centre);
        // The sums are added in the order of the chunks, so that threads change nothing.
        let sums: Vec<f64> = points
            .par_chunks(CHUNK)
            .zip(weights.par_chunks(CHUNK))
            .zip(nearest.par_chunks_mut(CHUNK).zip(distances.par_chunks_mut(CHUNK)))
            .map(|((points, weights), (nearest, distances))| {
                kernel::run(Approach { metric, points, weights, nearest, distances, centre: &centre, number })
            })
            .collect();
        progress.advance(0)?;
        next = draw(&mut rng, points.len(), &sums, |point| weighted_square(distances[point], weights[point]));
    }
    Ok((centres, nearest))
}

/// A number below `n`, all about equally likely.
pub(crate) fn below(rng: &mut Xoshiro256PlusPlus, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

/// A point drawn by what `of` says of it, whose sums over chunks are known; `None` if that is 0 for all.
fn draw(
    rng: &mut Xoshiro256PlusPlus,
    num_points: usize,
    sums: &[f64],
    of: impl Fn(usize) -> f64,
) -> Option<usize> {
    let total: f64 = sums.iter().sum();
    let mut left = total * (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut last = None;
    for (chunk, &sum) in sums.iter().enumerate() {
        if sum > 0.0 {
            last = Some(chunk);
        }
        if left < sum {
            break;
        }
        left -= sum;
    }
    let mut drawn = None;
    // The last chunk may be a short one, and rounding may lead past the end.
    for point in (last? * CHUNK..).take(CHUNK).take_while(|&point| point < num_points) {
        if of(point) > 0.0 {
            drawn = Some(point);
            left -= of(point);
            if left < 0.0 {
                break;
            }
        }
    }
    drawn
}

/// The means of the points of each centre; a centre whose points weigh nothing stays where it is.
fn means<const D: usize>(all: &Points<D>, nearest: &[u16], old: &[[f32; D]]) -> Vec<[f32; D]> {
    let mut sums = vec![([0.0_f64; D], 0.0_f64); old.len()];
    for ((point, &weight), &centre) in all.points.iter().zip(&all.weights).zip(nearest) {
        let (sum, total) = &mut sums[usize::from(centre)];
        let weight = f64::from(weight);
        sum.iter_mut().zip(point).for_each(|(sum, &x)| *sum += weight * f64::from(x));
        *total += weight;
    }
    let mean = |((sum, total), old): (([f64; D], f64), &[f32; D])| {
        if total > 0.0 { sum.map(|sum| (sum / total) as f32) } else { *old }
    };
    sums.into_iter().zip(old).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(points: &[[f32; 8]]) -> Points<8> {
        Points { points: points.to_vec(), weights: vec![1.0; points.len()] }
    }

    fn random_points(num_points: usize) -> Vec<[f32; 8]> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut number = || (rng.next_u64() >> 40) as f32 / (1 << 24) as f32;
        (0..num_points).map(|_| std::array::from_fn(|_| number())).collect()
    }

    #[test]
    fn pruning_changes_nothing() {
        let points = random_points(3000);
        fn check<M: Metric>(metric: M, points: &[[f32; 8]]) {
            let centres = cluster(metric, &even(points), 40, 1, &Progress::new(&mut (), 1)).unwrap();
            for (i, point) in points.iter().enumerate() {
                let mut best = (f32::INFINITY, 0);
                for (number, centre) in centres.centres().iter().enumerate() {
                    let distance = M::distance(point, centre);
                    if distance < best.0 {
                        best = (distance, number as u16);
                    }
                }
                assert_eq!(centres.nearest(point, (i % 40) as u16), (best.1, best.0));
            }
        }
        check(Manhattan, &points);
        check(Euclid, &points);
    }

    #[test]
    fn clear_clusters_are_found_at_any_number_of_threads() {
        // Around each of ten corners.
        let points: Vec<[f32; 8]> = random_points(4000)
            .into_iter()
            .enumerate()
            .map(|(i, point)| {
                std::array::from_fn(|d| point[d] * 0.05 + if d == i % 10 / 2 { (i % 2) as f32 } else { 0.5 })
            })
            .collect();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| cluster(Euclid, &even(&points), 10, 3, &Progress::new(&mut (), 1)).unwrap())
        };
        let (one, three) = (run(1), run(3));
        assert_eq!(one.centres(), three.centres());
        let mut of_corner = [None; 10];
        for (i, point) in points.iter().enumerate() {
            let (centre, distance) = one.nearest(point, 0);
            assert!(distance < 0.2);
            assert_eq!(*of_corner[i % 10].get_or_insert(centre), centre);
        }
    }

    #[test]
    fn there_are_no_more_centres_than_points() {
        let points = [random_points(5), random_points(5)].concat();
        assert_eq!(
            cluster(Manhattan, &even(&points), 100, 1, &Progress::new(&mut (), 1)).unwrap().centres().len(),
            5
        );
    }

    #[test]
    fn a_weight_of_two_is_two_points_and_a_weight_of_nothing_none() {
        let points = random_points(600);
        let mut weighted = Points::default();
        let mut repeated = Points::default();
        for (i, &point) in points.iter().enumerate() {
            weighted.push(point, (i % 3) as f32);
            (0..i % 3).for_each(|_| repeated.push(point, 1.0));
        }
        // Of one centre, the mean; and no centre is a point without weight.
        let one = |points: &Points<8>| {
            cluster(Euclid, points, 1, 1, &Progress::new(&mut (), 1)).unwrap().centres()[0]
        };
        let (a, b) = (one(&weighted), one(&repeated));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} {b:?}");
        let all = cluster(Euclid, &weighted, 1000, 1, &Progress::new(&mut (), 1)).unwrap();
        assert_eq!(all.centres().len(), 400);
    }
}
