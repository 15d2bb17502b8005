//! From features to the bucket of every hand of a street.

use equipoise_cards::{Board, Combo, IsaKernel};
use equipoise_progress::{Observer, Part, Progress};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::StreetBuckets;
use super::kmeans::{Centres, Points, below, cluster};
use super::percentile::Percentiles;
use super::space::{Distributions, Ochs, Potential, Space};
use crate::board_features::Parts;
use crate::config::{AbstractionConfig, Method, StreetConfig};
use crate::error::AbstractionError;
use crate::kernel;
use crate::rows::Rows;
use crate::table::{Table, stride};

/// The buckets of all hands of a street, in the order of [`Rows`], and how many buckets there are.
pub(super) struct Learned {
    pub(super) buckets: Vec<u16>,
    pub(super) num_buckets: u16,
}

/// How much of the time finding the equities of the next street's buckets takes.
const NEXT_STEP: f64 = 0.1;

/// `next` are the buckets of the next street; only `potential` needs them.
pub(super) fn learn(
    rows: Rows,
    street: StreetConfig,
    config: &AbstractionConfig,
    next: Option<&StreetBuckets>,
    observer: &mut dyn Observer,
) -> Result<Learned, AbstractionError> {
    let num_buckets = usize::from(street.buckets);
    match street.method {
        Method::Percentile => percentile(rows, num_buckets, config, observer),
        Method::Nested => nested(rows, num_buckets, config, observer),
        Method::Emd => clustered(&Distributions, rows, num_buckets, config, observer),
        Method::Ochs => clustered(&Ochs::ALL_BOARDS, rows, num_buckets, config, observer),
        Method::Potential => {
            let next = next.ok_or(AbstractionError::NoNextStreet { street: rows.street() })?;
            let space = Potential::new(next, &mut Part::new(observer, 0.0, NEXT_STEP))?;
            let mut rest = Part::new(observer, NEXT_STEP, 1.0);
            clustered(&space, rows, num_buckets, config, &mut rest)
        }
    }
}

fn percentile(
    rows: Rows,
    num_buckets: usize,
    config: &AbstractionConfig,
    observer: &mut dyn Observer,
) -> Result<Learned, AbstractionError> {
    let table = Table::equity_halves(rows.street(), observer)?;
    let percentiles = Percentiles::of(&counted(weighted(&table, config)), num_buckets);
    let buckets = table.values.par_iter().map(|&halves| percentiles.bucket(halves) as u16).collect();
    Ok(Learned { buckets, num_buckets: percentiles.num_buckets() as u16 })
}

/// The two numbers share the buckets: as many parts by the first as the square root, and the rest within each part.
fn nested(
    rows: Rows,
    num_buckets: usize,
    config: &AbstractionConfig,
    observer: &mut dyn Observer,
) -> Result<Learned, AbstractionError> {
    let table = Table::build(rows.street(), Parts::default(), observer, |features, row: &mut [[u32; 2]]| {
        row.iter_mut().zip(features.equity_and_square()).for_each(|(value, found)| *value = found);
    })?;
    let sample: Vec<([u32; 2], u64)> = weighted(&table, config).collect();
    let num_parts = num_buckets.isqrt();
    let outer = Percentiles::of(&counted(sample.iter().map(|&([equity, _], w)| (equity, w))), num_parts);
    let mut within = vec![Vec::new(); outer.num_buckets()];
    sample.iter().for_each(|&([equity, square], w)| within[outer.bucket(equity)].push((square, w)));
    let mut inner: Vec<(usize, Percentiles)> = Vec::new();
    let mut start = 0;
    for (part, numbers) in within.into_iter().enumerate() {
        // The buckets that do not come out even go to the first parts.
        let num_parts = outer.num_buckets();
        let share = num_buckets / num_parts + usize::from(part < num_buckets % num_parts);
        let percentiles = Percentiles::of(&counted(numbers.into_iter()), share);
        let next = start + percentiles.num_buckets();
        inner.push((start, percentiles));
        start = next;
    }
    let bucket = |&[equity, square]: &[u32; 2]| {
        let (start, percentiles) = &inner[outer.bucket(equity)];
        (start + percentiles.bucket(square)) as u16
    };
    Ok(Learned { buckets: table.values.par_iter().map(bucket).collect(), num_buckets: start as u16 })
}

/// The hands to learn from, each with its weight: all of them, each row weighing as many boards as it stands for, or a
/// sample.
fn weighted<'a, T: Copy>(
    table: &'a Table<T>,
    config: &AbstractionConfig,
) -> Box<dyn Iterator<Item = (T, u64)> + 'a> {
    match config.samples_per_street {
        None => {
            Box::new(table.rows().flat_map(|(_, class_size, row)| {
                row.iter().map(move |&value| (value, u64::from(class_size)))
            }))
        }
        Some(num_samples) => {
            let drawn = draw_hands(table.rows, num_samples, config.random_seed);
            let len = table.rows.len();
            Box::new(drawn.into_iter().map(move |(row, place)| (table.values[row * len + place], 1)))
        }
    }
}

/// The numbers in ascending order, each once, with the sum of its weights.
pub(super) fn counted(numbers: impl Iterator<Item = (u32, u64)>) -> Vec<(u32, u64)> {
    // Equities of the flop, the longest list, are below two million; squares may be anything.
    const MOST_COUNTED: usize = 1 << 22;
    let mut counts: Vec<u64> = Vec::new();
    let mut rest: Vec<(u32, u64)> = Vec::new();
    for (number, weight) in numbers {
        let place = number as usize;
        if place >= MOST_COUNTED {
            rest.push((number, weight));
            continue;
        }
        if place >= counts.len() {
            counts.resize((place + 1).next_power_of_two(), 0);
        }
        counts[place] += weight;
    }
    rest.sort_unstable();
    rest.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    let small = (0_u32..).zip(counts).filter(|(_, weight)| *weight > 0);
    small.chain(rest).collect()
}

/// Hands drawn at random, every deal equally likely, as row and place, sorted.
pub(super) fn draw_hands(rows: Rows, num_samples: u32, seed: u64) -> Vec<(usize, usize)> {
    let mut upto = Vec::with_capacity(rows.count());
    let mut num_boards = 0;
    for row in 0..rows.count() {
        num_boards += u64::from(rows.board(row).expect("the row exists").1);
        upto.push(num_boards);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ (rows.street() as u64) << 56);
    let mut hands: Vec<(usize, usize)> = (0..num_samples)
        .map(|_| {
            let board = below(&mut rng, num_boards);
            let row = upto.partition_point(|&upto| upto <= board);
            (row, below(&mut rng, rows.len() as u64) as usize)
        })
        .collect();
    hands.sort_unstable();
    hands
}

/// How much of the time the steps of clustering take: up to the end of the sample, and of k-means.
const STEPS: [f64; 2] = [0.35, 0.5];

fn clustered<S: Space<D>, const D: usize>(
    space: &S,
    rows: Rows,
    num_buckets: usize,
    config: &AbstractionConfig,
    observer: &mut dyn Observer,
) -> Result<Learned, AbstractionError> {
    let num_samples = config.samples_per_street.unwrap_or(AbstractionConfig::CLUSTER_SAMPLES);
    let mut sampling = Part::new(observer, 0.0, STEPS[0]);
    let points = sample(space, rows, &draw_hands(rows, num_samples, config.random_seed), &mut sampling)?;
    let mut clustering = Part::new(observer, STEPS[0], STEPS[1]);
    let progress = Progress::new(&mut clustering, 1);
    let centres = cluster(space.metric(), &points, num_buckets, config.random_seed, &progress)?;
    let assigner = Assigner::new(space, centres);
    let mut assigning = Part::new(observer, STEPS[1], 1.0);
    let num_buckets = assigner.centres.centres().len() as u16;
    Ok(Learned { buckets: assigner.all(rows, &mut assigning)?, num_buckets })
}

/// The vectors and weights of hands given by row and place, sorted.
fn sample<S: Space<D>, const D: usize>(
    space: &S,
    rows: Rows,
    hands: &[(usize, usize)],
    observer: &mut dyn Observer,
) -> Result<Points<D>, AbstractionError> {
    let groups: Vec<&[(usize, usize)]> = hands.chunk_by(|a, b| a.0 == b.0).collect();
    let progress = Progress::new(observer, groups.len() as u64);
    let found: Vec<Vec<([f32; D], f32)>> = groups
        .par_iter()
        .map_init(
            || space.scratch(),
            |scratch, hands| {
                let (board, _) = rows.board(hands[0].0).expect("hands are drawn from the rows");
                let all = space.vectors(&board, scratch)?;
                let combos: Vec<Combo> = live(&board).collect();
                progress.advance(1)?;
                Ok(hands.iter().map(|&(_, place)| (all[place], space.weight(combos[place]))).collect())
            },
        )
        .collect::<Result<_, AbstractionError>>()?;
    let (points, weights) = found.into_iter().flatten().unzip();
    Ok(Points { points, weights })
}

/// The combos that share no card with a board, in the order of their index.
pub(super) fn live(board: &Board) -> impl Iterator<Item = Combo> + use<> {
    let dead = board.set();
    Combo::all().filter(move |combo| !combo.cards().intersects(dead))
}

/// Finds the nearest centre of each hand, and where the search begins.
pub(super) struct Assigner<'a, S: Space<D>, const D: usize> {
    space: &'a S,
    centres: Centres<S::Metric, D>,
    /// For each part of the strengths, the centre that is nearest by strength.
    starts: [u16; NUM_STARTS],
}

const NUM_STARTS: usize = 256;

impl<'a, S: Space<D>, const D: usize> Assigner<'a, S, D> {
    /// Numbers the centres by strength, the weakest first.
    pub(super) fn new(space: &'a S, centres: Centres<S::Metric, D>) -> Assigner<'a, S, D> {
        let mut sorted = centres.centres().to_vec();
        sorted.sort_by(|a, b| space.strength(a).total_cmp(&space.strength(b)));
        let strengths: Vec<f32> = sorted.iter().map(|centre| space.strength(centre)).collect();
        let starts = std::array::from_fn(|i| {
            let strength = i as f32 / (NUM_STARTS - 1) as f32;
            strengths.partition_point(|&other| other < strength).min(strengths.len() - 1) as u16
        });
        Assigner { space, centres: Centres::new(space.metric(), sorted), starts }
    }

    /// The buckets of all hands.
    fn all(&self, rows: Rows, observer: &mut dyn Observer) -> Result<Vec<u16>, AbstractionError> {
        let progress = Progress::new(observer, rows.count() as u64);
        let mut buckets = vec![0; rows.count() * rows.len()];
        buckets
            .par_chunks_mut(rows.len())
            .enumerate()
            .with_max_len(stride(rows.street()))
            .try_for_each_init(
                || self.space.scratch(),
                |scratch, (row, buckets)| {
                    let (board, _) = rows.board(row).expect("the row exists");
                    self.row(&self.space.vectors(&board, scratch)?, buckets);
                    progress.advance(1).map_err(AbstractionError::from)
                },
            )?;
        Ok(buckets)
    }

    pub(super) fn row(&self, vectors: &[[f32; D]], row: &mut [u16]) {
        kernel::run(AssignRow { assigner: self, vectors, row });
    }
}

struct AssignRow<'a, S: Space<D>, const D: usize> {
    assigner: &'a Assigner<'a, S, D>,
    vectors: &'a [[f32; D]],
    row: &'a mut [u16],
}

impl<S: Space<D>, const D: usize> IsaKernel for AssignRow<'_, S, D> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        // The last hand of like strength on this board is a better start than any other hand of like strength.
        let mut starts = self.assigner.starts;
        for (vector, bucket) in self.vectors.iter().zip(self.row) {
            let strength = self.assigner.space.strength(vector).clamp(0.0, 1.0);
            let start = &mut starts[(strength * (NUM_STARTS - 1) as f32) as usize];
            (*bucket, _) = self.assigner.centres.nearest(vector, *start);
            *start = *bucket;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_features::CDF_LEN;
    use crate::buckets::kmeans::{Manhattan, Metric};
    use equipoise_cards::{Street, SuitPermutation};

    /// Learns on a few hands and compares the buckets of boards in other suits, and with a plain search.
    fn check<S: Space<D>, const D: usize>(space: &S, street: Street, boards: &[&str]) {
        let rows = Rows::of(street).unwrap();
        let hands = draw_hands(rows, 20, 3);
        let mut scratch = space.scratch();
        let mut points = sample(space, rows, &hands, &mut ()).unwrap();
        for board in boards {
            let board: Board = board.parse().unwrap();
            let vectors = space.vectors(&board, &mut scratch).unwrap();
            vectors
                .into_iter()
                .zip(live(&board))
                .for_each(|(point, combo)| points.push(point, space.weight(combo)));
        }
        let centres = cluster(space.metric(), &points, 50, 1, &Progress::new(&mut (), 1)).unwrap();
        let assigner = Assigner::new(space, centres);
        let strengths: Vec<f32> =
            assigner.centres.centres().iter().map(|centre| space.strength(centre)).collect();
        assert!(strengths.is_sorted());
        for board in boards {
            let board: Board = board.parse().unwrap();
            let mut buckets = |board: &Board| {
                let vectors = space.vectors(board, &mut scratch).unwrap();
                let mut row = vec![0; vectors.len()];
                assigner.row(&vectors, &mut row);
                (live(board).collect::<Vec<_>>(), vectors, row)
            };
            let (combos, vectors, row) = buckets(&board);
            for (vector, &bucket) in vectors.iter().zip(&row) {
                let centres = assigner.centres.centres().iter();
                let distances = centres.map(|centre| S::Metric::distance(vector, centre));
                let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                assert_eq!(nearest.0, usize::from(bucket));
            }
            let suits = SuitPermutation::ALL[17];
            let (images, _, image_row) = buckets(&suits.map_board(&board));
            for (combo, bucket) in combos.iter().zip(&row) {
                let image = images.iter().position(|&image| image == suits.map_combo(*combo)).unwrap();
                assert_eq!(image_row[image], *bucket, "{combo} on {board}");
            }
        }
    }

    #[test]
    fn nearest_centres_do_not_depend_on_suits_or_on_where_the_search_begins() {
        check(&Distributions, Street::Turn, &["Td9d6hQc", "7s7h2s2h"]);
        check(&Distributions, Street::Flop, &["Td9d6h"]);
        check(&Ochs::ALL_BOARDS, Street::River, &["Td9d6hQc2h", "7s7h2s2hAs"]);
        let config = AbstractionConfig {
            river: StreetConfig { method: Method::Percentile, buckets: 100 },
            ..AbstractionConfig::default()
        };
        let river = StreetBuckets::build(Street::River, &config, &mut ()).unwrap();
        check(&Potential::new(&river, &mut ()).unwrap(), Street::Turn, &["Td9d6hQc", "7s7h2s2h"]);
    }

    #[test]
    fn the_distance_of_distributions_is_the_earth_mover_s() {
        // All in bin 10 against half in bin 12 and half in bin 20: 0.5 · 2 + 0.5 · 10 bins.
        let cdf = |upto: &dyn Fn(usize) -> f32| -> [f32; CDF_LEN] {
            std::array::from_fn(|bin| if bin < 49 { upto(bin) } else { 0.0 })
        };
        let one = cdf(&|bin| if bin >= 10 { 1.0 } else { 0.0 });
        let two = cdf(&|bin| 0.5 * f32::from(u8::from(bin >= 12) + u8::from(bin >= 20)));
        assert_eq!(Manhattan::distance(&one, &two), 6.0);
    }

    #[test]
    fn numbers_are_counted_once_each() {
        let numbers = [(5, 1), (u32::MAX, 2), (5, 3), (9_000_000, 1), (u32::MAX, 1), (0, 2)];
        assert_eq!(counted(numbers.into_iter()), [(0, 2), (5, 4), (9_000_000, 1), (u32::MAX, 3)]);
    }
}
