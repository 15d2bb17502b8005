//! Buckets of about equally many hands, by one number.

/// Which numbers begin a new bucket: strictly ascending, and a number belongs to as many buckets up as bounds are not
/// above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Percentiles {
    bounds: Vec<u32>,
}

impl Percentiles {
    /// Cuts numbers, given in ascending order with their weights, into at most `k` buckets of about equal weight.
    ///
    /// A number goes to the bucket in which the middle of its weight lies, so that a heavy number does not push all
    /// that follow. Buckets that no number reaches are left out: there are never more buckets than different numbers.
    pub(crate) fn of(weights: &[(u32, u64)], k: usize) -> Percentiles {
        let total: u128 = weights.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let mut bounds = Vec::new();
        let (mut before, mut last) = (0_u128, None);
        for &(number, weight) in weights.iter().filter(|(_, weight)| *weight > 0) {
            let bucket = (2 * before + u128::from(weight)) * k as u128 / (2 * total);
            if last.is_some_and(|last| bucket > last) {
                bounds.push(number);
            }
            last = Some(bucket);
            before += u128::from(weight);
        }
        Percentiles { bounds }
    }

    /// How many buckets there are.
    pub(crate) fn num_buckets(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The bucket of a number, by binary search.
    pub(crate) fn bucket(&self, number: u32) -> usize {
        self.bounds.partition_point(|&bound| bound <= number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_weights_make_equal_buckets() {
        let weights: Vec<(u32, u64)> = (0..100).map(|number| (number, 1)).collect();
        let percentiles = Percentiles::of(&weights, 10);
        assert_eq!(percentiles.bounds, [10, 20, 30, 40, 50, 60, 70, 80, 90]);
        assert_eq!((percentiles.bucket(0), percentiles.bucket(99), percentiles.bucket(500)), (0, 9, 9));
    }

    #[test]
    fn a_heavy_number_has_a_bucket_of_its_own() {
        let percentiles = Percentiles::of(&[(1, 1), (2, 98), (3, 1)], 100);
        assert_eq!(percentiles.num_buckets(), 3);
        assert_eq!(Percentiles::of(&[], 5).num_buckets(), 1);
    }

    proptest! {
        #[test]
        fn bounds_ascend_and_buckets_follow_the_numbers(
            weights in proptest::collection::btree_map(any::<u32>(), 0_u64..1000, 1..200),
            k in 1_usize..300,
        ) {
            let weights: Vec<(u32, u64)> = weights.into_iter().collect();
            let percentiles = Percentiles::of(&weights, k);
            prop_assert!(percentiles.bounds.is_sorted_by(|a, b| a < b));
            prop_assert!(percentiles.num_buckets() <= k.min(weights.len()));
            let buckets: Vec<usize> = weights.iter().map(|&(number, _)| percentiles.bucket(number)).collect();
            prop_assert!(buckets.is_sorted());
            prop_assert!(buckets.iter().all(|&bucket| bucket < percentiles.num_buckets()));
        }
    }
}
