//! How far two ways to put the hands of a street into buckets agree.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use equipoise_cards::Street;
use equipoise_progress::{Observer, Part, Progress};
use rayon::prelude::*;

use crate::board_features::{BoardFeatures, Parts};
use crate::buckets::{BucketId, MAX_LEN, StreetBuckets};
use crate::error::AbstractionError;
use crate::report::{ExampleHand, example};
use crate::statistics::{MOST_PARTS, Statistics};

/// Two partitions of the hands of a street side by side; every deal counts once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreetComparison {
    /// The street.
    pub street: Street,
    /// The adjusted Rand index: 1 if both put the same hands together, about 0 if they agree no more than by chance.
    pub agreement: f64,
    /// The variation of information in bits: what knowing one bucket leaves unknown of the other, both ways. 0 if both
    /// put the same hands together.
    pub variation: f64,
    /// For each of the two, the root of the mean square of how far a hand's equity is from the mean of its bucket.
    pub spreads: [f64; 2],
    /// For each of the two, hands that share a bucket of it and no bucket of the other; the largest groups first.
    pub joined: [Vec<JoinedHands>; 2],
}

/// Two hands in one bucket that the other partition keeps apart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JoinedHands {
    /// The bucket that they share.
    pub bucket: BucketId,
    /// For each the bucket of the other partition.
    pub others: [BucketId; 2],
    /// How many deals have these two buckets.
    pub deals: [u64; 2],
    /// Of each such group, the hand whose equity is nearest to the mean of the group.
    pub hands: [ExampleHand; 2],
}

/// How many pairs of hands are found for each of the two.
const NUM_SHOWN: usize = 3;

/// Hands with the same two buckets.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    deals: u64,
    /// The sum of the deals' halves.
    halves: u64,
}

/// The cells by both buckets, the first in the upper half.
type Cells = HashMap<u32, Cell, BuildHasherDefault<Scatter>>;

/// Two numbers of 16 bits, scattered by a multiplication.
#[derive(Clone, Copy, Default)]
struct Scatter(u64);

impl Hasher for Scatter {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

fn key(buckets: [u16; 2]) -> u32 {
    u32::from(buckets[0]) << 16 | u32::from(buckets[1])
}

fn buckets_of(key: u32) -> [u16; 2] {
    [(key >> 16) as u16, key as u16]
}

/// What a part of the boards says.
struct Sums {
    cells: Cells,
    statistics: [Statistics; 2],
}

impl StreetComparison {
    /// Compares the buckets of a street.
    ///
    /// # Errors
    /// [`AbstractionError::OtherStreet`] if they are of different streets, [`AbstractionError::InvalidBoundaries`] if a file
    /// is damaged, and [`AbstractionError::Cancelled`].
    pub fn new(
        both: [&StreetBuckets; 2],
        observer: &mut dyn Observer,
    ) -> Result<StreetComparison, AbstractionError> {
        let [first, second] = both.map(StreetBuckets::street);
        if first != second {
            return Err(AbstractionError::OtherStreet { first, second });
        }
        let sums = count(both, &mut Part::new(observer, 0.0, 0.6))?;
        // Sorted, so that sums of fractions always add up alike.
        let mut cells: Vec<(u32, Cell)> = sums.cells.into_iter().collect();
        cells.sort_unstable_by_key(|&(key, _)| key);
        let sizes = sums
            .statistics
            .each_ref()
            .map(|statistics| statistics.buckets.iter().map(|sums| sums.deals).collect::<Vec<u64>>());
        let joined = [0, 1].map(|side| largest_splits(&cells, side));
        Ok(StreetComparison {
            street: first,
            agreement: adjusted_rand(&cells, &sizes),
            variation: variation(&cells, &sizes),
            spreads: sums.statistics.each_ref().map(Statistics::spread),
            joined: find_hands(both, joined, &mut Part::new(observer, 0.6, 1.0))?,
        })
    }
}

fn count(both: [&StreetBuckets; 2], observer: &mut dyn Observer) -> Result<Sums, AbstractionError> {
    let rows = both[0].rows();
    let progress = Progress::new(observer, rows.count() as u64);
    let empty = || Sums {
        cells: Cells::default(),
        statistics: both.map(|buckets| Statistics::new(buckets.street(), buckets.num_buckets())),
    };
    let add_row = |(mut sums, mut features): (Sums, BoardFeatures), row: usize| {
        let (board, class_size) = rows.board(row).expect("the row exists");
        features.fill(&board)?;
        let of_row = rows_of(both, row)?;
        let [first, second] = of_row.each_ref().map(|of_row| &of_row[..rows.len()]);
        for ((&first, &second), halves) in first.iter().zip(second).zip(features.equity_halves()) {
            let cell = sums.cells.entry(key([first, second])).or_default();
            cell.deals += u64::from(class_size);
            cell.halves += u64::from(class_size) * u64::from(halves);
        }
        sums.statistics[0].add_row(class_size, &features, first);
        sums.statistics[1].add_row(class_size, &features, second);
        progress.advance(1)?;
        Ok::<_, AbstractionError>((sums, features))
    };
    (0..rows.count())
        .into_par_iter()
        .with_min_len(rows.count().div_ceil(MOST_PARTS))
        .try_fold(|| (empty(), BoardFeatures::new(Parts::default())), add_row)
        .map(|part| Ok(part?.0))
        .try_reduce(empty, |sums, other| Ok(merged(sums, other)))
}

fn merged(mut sums: Sums, other: Sums) -> Sums {
    for (key, cell) in other.cells {
        let sum = sums.cells.entry(key).or_default();
        sum.deals += cell.deals;
        sum.halves += cell.halves;
    }
    let [first, second] = sums.statistics;
    sums.statistics = [first.merged(&other.statistics[0]), second.merged(&other.statistics[1])];
    sums
}

/// A row of both.
fn rows_of(both: [&StreetBuckets; 2], row: usize) -> Result<[[u16; MAX_LEN]; 2], AbstractionError> {
    let mut of_row = [[0; MAX_LEN]; 2];
    for (buckets, room) in both.iter().zip(&mut of_row) {
        buckets.copy_row(row, &mut room[..buckets.rows().len()])?;
    }
    Ok(of_row)
}

/// Hubert and Arabie's index: pairs of deals that both put together, less what chance would, by the most that could be.
fn adjusted_rand(cells: &[(u32, Cell)], sizes: &[Vec<u64>; 2]) -> f64 {
    let pairs = |deals: u64| (u128::from(deals) * u128::from(deals.saturating_sub(1)) / 2) as f64;
    let together: f64 = cells.iter().map(|(_, cell)| pairs(cell.deals)).sum();
    let [first, second] = sizes.each_ref().map(|sizes| sizes.iter().map(|&size| pairs(size)).sum::<f64>());
    let chance = first * second / pairs(sizes[0].iter().sum());
    let most = (first + second) / 2.0;
    // Both have one bucket, or each hand has its own.
    if most == chance { 1.0 } else { (together - chance) / (most - chance) }
}

fn variation(cells: &[(u32, Cell)], sizes: &[Vec<u64>; 2]) -> f64 {
    let all = sizes[0].iter().sum::<u64>() as f64;
    let lost = |&(key, cell): &(u32, Cell)| {
        let [first, second] = buckets_of(key).map(usize::from);
        let deals = cell.deals as f64;
        let apart = (sizes[0][first] as f64 / deals).log2() + (sizes[1][second] as f64 / deals).log2();
        deals / all * apart
    };
    cells.iter().map(lost).sum()
}

/// The two largest parts of a bucket of one side into which the other side takes it apart.
#[derive(Clone, Copy)]
struct Split {
    cells: [(u32, Cell); 2],
}

/// The buckets of one side whose second-largest part is the largest.
fn largest_splits(cells: &[(u32, Cell)], side: usize) -> Vec<Split> {
    let own = |cell: &(u32, Cell)| buckets_of(cell.0)[side];
    let mut sorted = cells.to_vec();
    sorted.sort_by_key(|cell| (own(cell), std::cmp::Reverse(cell.1.deals)));
    let largest = |part: &[(u32, Cell)]| Some(Split { cells: [*part.first()?, *part.get(1)?] });
    let mut splits: Vec<Split> = sorted.chunk_by(|a, b| own(a) == own(b)).filter_map(largest).collect();
    splits.sort_by_key(|split| std::cmp::Reverse(split.cells[1].1.deals));
    splits.truncate(NUM_SHOWN);
    splits
}

/// A hand of a wanted cell: how far its halves are from the cell's mean, and where it is.
type Found = (f64, usize, usize, u32);

fn find_hands(
    both: [&StreetBuckets; 2],
    splits: [Vec<Split>; 2],
    observer: &mut dyn Observer,
) -> Result<[Vec<JoinedHands>; 2], AbstractionError> {
    let wanted: Vec<(u32, f64)> = splits
        .iter()
        .flatten()
        .flat_map(|split| split.cells)
        .map(|(key, cell)| (key, cell.halves as f64 / cell.deals as f64))
        .collect();
    let rows = both[0].rows();
    let progress = Progress::new(observer, rows.count() as u64);
    let of_row = |features: &mut BoardFeatures, row: usize| {
        progress.advance(1)?;
        let of_row = rows_of(both, row)?;
        let keys: Vec<u32> = (0..rows.len()).map(|place| key([of_row[0][place], of_row[1][place]])).collect();
        if !wanted.iter().any(|(wanted, _)| keys.contains(wanted)) {
            return Ok(Vec::new());
        }
        let (board, _) = rows.board(row).expect("the row exists");
        features.fill(&board)?;
        let halves: Vec<u32> = features.equity_halves().collect();
        let best = |&(wanted, mean): &(u32, f64)| -> Option<Found> {
            let places = (0..rows.len()).filter(|&place| keys[place] == wanted);
            let found =
                places.map(|place| ((f64::from(halves[place]) - mean).abs(), row, place, halves[place]));
            found.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        Ok::<_, AbstractionError>(wanted.iter().map(best).collect::<Vec<_>>())
    };
    let found: Vec<Vec<Option<Found>>> = (0..rows.count())
        .into_par_iter()
        .map_init(|| BoardFeatures::new(Parts::default()), of_row)
        .collect::<Result<_, _>>()?;
    let mut hands = (0..wanted.len()).map(|cell| {
        let of_cell = found.iter().filter_map(|of_row| of_row.get(cell).copied().flatten());
        let (_, row, place, halves) = of_cell.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(example(rows, row, place, halves))
    });
    let mut side = 0;
    Ok(splits.map(|splits| {
        let joined = splits
            .iter()
            .filter_map(|split| {
                let (first, second) = (hands.next().flatten(), hands.next().flatten());
                Some(split.shown(side, [first?, second?]))
            })
            .collect();
        side += 1;
        joined
    }))
}

impl Split {
    fn shown(&self, side: usize, hands: [ExampleHand; 2]) -> JoinedHands {
        let buckets = self.cells.map(|(key, _)| buckets_of(key));
        JoinedHands {
            bucket: BucketId::new(buckets[0][side]),
            others: buckets.map(|buckets| BucketId::new(buckets[1 - side])),
            deals: self.cells.map(|(_, cell)| cell.deals),
            hands,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(table: &[&[u64]]) -> (Vec<(u32, Cell)>, [Vec<u64>; 2]) {
        let mut cells = Vec::new();
        let mut sizes = [vec![0; table.len()], vec![0; table[0].len()]];
        for (i, row) in table.iter().enumerate() {
            for (j, &deals) in row.iter().enumerate().filter(|(_, deals)| **deals > 0) {
                cells.push((key([i as u16, j as u16]), Cell { deals, halves: 0 }));
                sizes[0][i] += deals;
                sizes[1][j] += deals;
            }
        }
        (cells, sizes)
    }

    #[test]
    fn agreement_is_that_of_the_formula() {
        let (found, sizes) = cells(&[&[3, 2, 1], &[1, 2, 0], &[0, 1, 2]]);
        let pairs = |n: u64| (n * n.saturating_sub(1) / 2) as f64;
        let (together, first, second) =
            (pairs(3) + 3.0 * pairs(2), pairs(6) + 2.0 * pairs(3), pairs(4) + pairs(5) + pairs(3));
        let chance = first * second / pairs(12);
        let expected = (together - chance) / ((first + second) / 2.0 - chance);
        assert!((adjusted_rand(&found, &sizes) - expected).abs() < 1e-12);
    }

    #[test]
    fn equal_partitions_agree_and_independent_ones_do_not() {
        let (same, sizes) = cells(&[&[0, 5], &[7, 0]]);
        assert_eq!(adjusted_rand(&same, &sizes), 1.0);
        assert_eq!(variation(&same, &sizes), 0.0);
        let (independent, sizes) = cells(&[&[50, 50], &[50, 50]]);
        assert!(adjusted_rand(&independent, &sizes).abs() < 0.02);
        // One bit of each is left unknown.
        assert!((variation(&independent, &sizes) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn the_largest_splits_come_first() {
        let (found, _) = cells(&[&[9, 1, 0], &[4, 5, 6], &[0, 0, 8]]);
        let splits = largest_splits(&found, 0);
        let deals: Vec<[u64; 2]> =
            splits.iter().map(|split| split.cells.map(|(_, cell)| cell.deals)).collect();
        assert_eq!(deals, [[6, 5], [9, 1]]);
        let splits = largest_splits(&found, 1);
        let deals: Vec<[u64; 2]> =
            splits.iter().map(|split| split.cells.map(|(_, cell)| cell.deals)).collect();
        assert_eq!(deals, [[8, 6], [9, 4], [5, 1]]);
    }
}
