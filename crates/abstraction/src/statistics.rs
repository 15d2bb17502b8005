//! The equities of the hands of each bucket.

use equipoise_cards::Street;
use equipoise_progress::{Observer, Progress};
use rayon::prelude::*;

use crate::board_features::{BoardFeatures, Parts};
use crate::buckets::{MAX_LEN, StreetBuckets};
use crate::error::AbstractionError;
use crate::features::{MAX_HALVES, num_runouts};

/// Sums over the deals of a bucket, as whole numbers: threads change nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquitySums {
    pub(crate) deals: u64,
    /// Of `2 · wins + ties` over opponents and runouts.
    halves: u64,
    squares: u128,
    lowest: u32,
    highest: u32,
}

impl Default for EquitySums {
    fn default() -> EquitySums {
        EquitySums { deals: 0, halves: 0, squares: 0, lowest: u32::MAX, highest: 0 }
    }
}

impl EquitySums {
    /// Adds a hand that stands for `deals` deals.
    #[inline]
    pub(crate) fn add(&mut self, deals: u32, halves: u32) {
        let weighted = u64::from(deals) * u64::from(halves);
        self.deals += u64::from(deals);
        self.halves += weighted;
        self.squares += u128::from(weighted * u64::from(halves));
        self.lowest = self.lowest.min(halves);
        self.highest = self.highest.max(halves);
    }

    pub(crate) fn merge(&mut self, other: &EquitySums) {
        self.deals += other.deals;
        self.halves += other.halves;
        self.squares += other.squares;
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
    }

    pub(crate) fn mean(&self, street: Street) -> f64 {
        self.halves as f64 / (self.deals.max(1) as f64 * whole(street))
    }

    /// The standard deviation.
    pub(crate) fn spread(&self, street: Street) -> f64 {
        let deals = u128::from(self.deals.max(1));
        let variance = (deals * self.squares).saturating_sub(u128::from(self.halves).pow(2));
        (variance as f64).sqrt() / (deals as f64 * whole(street))
    }

    pub(crate) fn extremes(&self, street: Street) -> [f64; 2] {
        [self.lowest.min(self.highest), self.highest].map(|halves| f64::from(halves) / whole(street))
    }
}

/// The halves of a hand that always wins.
pub(crate) fn whole(street: Street) -> f64 {
    num_runouts(street) as f64 * f64::from(MAX_HALVES)
}

/// Into how many parts work on all boards is cut at most: each begins with empty sums, which take time too.
pub(crate) const MOST_PARTS: usize = 128;

/// The equities of every bucket of a street.
#[derive(Clone, Debug)]
pub(crate) struct Statistics {
    street: Street,
    pub(crate) buckets: Vec<EquitySums>,
}

impl Statistics {
    pub(crate) fn new(street: Street, num_buckets: u16) -> Statistics {
        Statistics { street, buckets: vec![EquitySums::default(); usize::from(num_buckets)] }
    }

    /// Counts the equities of all hands.
    pub(crate) fn of(
        buckets: &StreetBuckets,
        observer: &mut dyn Observer,
    ) -> Result<Statistics, AbstractionError> {
        let rows = buckets.rows();
        let progress = Progress::new(observer, rows.count() as u64);
        let empty = || Statistics::new(buckets.street(), buckets.num_buckets());
        let start = || (empty(), BoardFeatures::new(Parts::default()));
        (0..rows.count())
            .into_par_iter()
            .with_min_len(rows.count().div_ceil(MOST_PARTS))
            .try_fold(start, |(mut sums, mut features), row| {
                let (board, class_size) = rows.board(row).expect("the row exists");
                features.fill(&board)?;
                let mut room = [0; MAX_LEN];
                let of_row = &mut room[..rows.len()];
                buckets.copy_row(row, of_row)?;
                sums.add_row(class_size, &features, of_row);
                progress.advance(1)?;
                Ok::<_, AbstractionError>((sums, features))
            })
            .map(|part| Ok(part?.0))
            .try_reduce(empty, |sums, other| Ok(sums.merged(&other)))
    }

    pub(crate) fn add_row(&mut self, class_size: u32, features: &BoardFeatures, of_row: &[u16]) {
        for (halves, &bucket) in features.equity_halves().zip(of_row) {
            self.buckets[usize::from(bucket)].add(class_size, halves);
        }
    }

    pub(crate) fn merged(mut self, other: &Statistics) -> Statistics {
        self.buckets.iter_mut().zip(&other.buckets).for_each(|(sums, other)| sums.merge(other));
        self
    }

    /// The mean equity of each bucket.
    pub(crate) fn means(&self) -> Vec<f64> {
        self.buckets.iter().map(|sums| sums.mean(self.street)).collect()
    }

    /// The root of the mean square of how far a hand's equity is from the mean of its bucket, over all deals.
    pub(crate) fn spread(&self) -> f64 {
        let square = |sums: &EquitySums| sums.deals as f64 * sums.spread(self.street).powi(2);
        let deals: u64 = self.buckets.iter().map(|sums| sums.deals).sum();
        (self.buckets.iter().map(square).sum::<f64>() / deals.max(1) as f64).sqrt()
    }
}
