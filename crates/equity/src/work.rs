//! Running the parts of a count on all threads, in an order that does not depend on them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::options::EquityError;
use crate::totals::Totals;

/// The thread pool of a size, kept for the next call: starting threads takes longer than a small count.
pub(crate) fn pool(threads: NonZeroUsize) -> Result<Arc<ThreadPool>, EquityError> {
    static POOLS: Mutex<BTreeMap<NonZeroUsize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool = Arc::new(pool.map_err(|error| EquityError::Threads { reason: error.to_string() })?);
    pools.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

/// Parts into which a count is cut, whatever the number of threads, so that sums of fractions always add up alike.
const NUM_PARTS: usize = 128;

/// Up to this many items take less time than starting another thread.
const FEW_ITEMS: usize = 8;

/// Sums the totals that `count` finds for consecutive parts of `items`; few items are not worth waking other threads.
pub(crate) fn sum_parts<T: Sync>(
    items: &[T],
    empty: &Totals,
    count: impl Fn(&[T], &mut Totals) -> Result<(), EquityError> + Sync,
) -> Result<Totals, EquityError> {
    let part_len = items.len().div_ceil(NUM_PARTS).max(1);
    let part = |part: &[T]| {
        let mut totals = empty.clone();
        count(part, &mut totals)?;
        Ok(totals)
    };
    let parts: Vec<Result<Totals, EquityError>> = if items.len() <= FEW_ITEMS {
        items.chunks(part_len).map(part).collect()
    } else {
        // Left alone, rayon would bind as many parts together as it has threads at the start and wait for the slowest.
        items.par_chunks(part_len).with_max_len(1).map(part).collect()
    };
    let mut sum = empty.clone();
    for part in parts {
        sum.merge(&part?);
    }
    Ok(sum)
}
