//! Loops over the buckets of a decision.

use equipoise_cards::IsaKernel;
use equipoise_cfr::Coefficients;

use super::lanes;
use crate::bucketed::real::Real;

/// Updates regrets and makes the strategy of the next iteration, without predictions. Tables have the buckets of one action
/// after those of another.
pub(crate) struct Regrets<'a, R, const L: usize> {
    pub num_buckets: usize,
    pub regret: &'a mut [[R; L]],
    pub current: &'a mut [[R; L]],
    /// Sums of this pass; 0 afterwards.
    pub values: &'a mut [[R; L]],
    pub now: &'a Coefficients,
}

impl<R: Real, const L: usize> IsaKernel for Regrets<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let Regrets { num_buckets, regret, current, values, now } = self;
        let actions = regret.len() / num_buckets.max(1);
        let (positive, negative, instant) = (R::of(now.positive), R::of(now.negative), R::of(now.instant));
        for bucket in 0..num_buckets {
            let mut mean = [R::ZERO; L];
            for action in 0..actions {
                let at = action * num_buckets + bucket;
                lanes::add_product(&mut mean, current[at], values[at]);
            }
            let mut sum = [R::ZERO; L];
            for action in 0..actions {
                let at = action * num_buckets + bucket;
                let (old, value) = (regret[at], values[at]);
                let (mut new, mut above) = (old, old);
                for lane in 0..L {
                    let factor = if old[lane] > R::ZERO { positive } else { negative };
                    new[lane] = factor * old[lane] + instant * (value[lane] - mean[lane]);
                    above[lane] = new[lane].larger(R::ZERO);
                }
                regret[at] = if now.clamp { above } else { new };
                values[at] = [R::ZERO; L];
                current[at] = above;
                lanes::add(&mut sum, above);
            }
            share(current, num_buckets, bucket, actions, &sum);
        }
    }
}

/// Divides the actions of a bucket by their sum; uniform where that is 0.
#[inline(always)]
fn share<R: Real, const L: usize>(
    rows: &mut [[R; L]],
    num_buckets: usize,
    bucket: usize,
    actions: usize,
    sum: &[R; L],
) {
    let uniform = R::ONE / R::of(actions as f64);
    for action in 0..actions {
        let mut row = rows[action * num_buckets + bucket];
        for lane in 0..L {
            row[lane] = if sum[lane] > R::ZERO { row[lane] / sum[lane] } else { uniform };
        }
        rows[action * num_buckets + bucket] = row;
    }
}

/// Divides the actions of every bucket by their sum; uniform where that is 0.
pub(crate) struct Normalise<'a, R, const L: usize> {
    pub num_buckets: usize,
    pub rows: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Normalise<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let actions = self.rows.len() / self.num_buckets.max(1);
        for bucket in 0..self.num_buckets {
            let mut sum = [R::ZERO; L];
            for action in 0..actions {
                let row = &self.rows[action * self.num_buckets + bucket];
                for lane in 0..L {
                    sum[lane] += row[lane];
                }
            }
            share(self.rows, self.num_buckets, bucket, actions, &sum);
        }
    }
}

/// Accumulates a strategy, weighted by the own reach, in the average.
pub(crate) struct Accumulate<'a, R, const L: usize> {
    pub average: &'a mut [[R; L]],
    pub current: &'a [[R; L]],
    /// Sums of this pass; 0 afterwards. By bucket.
    pub reach: &'a mut [[R; L]],
    /// The factor of what was accumulated before.
    pub factor: R,
    /// Whether reach counts, or every pass the same.
    pub own_reach: bool,
}

impl<R: Real, const L: usize> IsaKernel for Accumulate<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let num_buckets = self.reach.len().max(1);
        let actions = self.average.chunks_exact_mut(num_buckets).zip(self.current.chunks_exact(num_buckets));
        for (average, current) in actions {
            for ((average, current), reach) in average.iter_mut().zip(current).zip(&*self.reach) {
                let weight = if self.own_reach { *reach } else { [R::ONE; L] };
                let mut sum = lanes::product([self.factor; L], *average);
                lanes::add_product(&mut sum, weight, *current);
                *average = sum;
            }
        }
        self.reach.fill([R::ZERO; L]);
    }
}
