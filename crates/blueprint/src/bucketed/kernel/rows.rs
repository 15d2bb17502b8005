//! Loops over the buckets of a decision that the boards of a pass touch.
//!
//! Tables of training have rows, with the actions of a row one after another; `rows` says which row stands at each place of a
//! pass. Vectors of a pass have the places of one action after those of another.

use equipoise_cards::IsaKernel;
use equipoise_cfr::Coefficients;

use super::lanes;
use crate::bucketed::real::Real;

/// Makes strategies from regrets, without predictions.
pub(crate) struct MatchRegrets<'a, R, const L: usize> {
    pub rows: &'a [u32],
    pub regret: &'a [[R; L]],
    pub current: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for MatchRegrets<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let MatchRegrets { rows, regret, current } = self;
        let num_places = rows.len();
        let actions = current.len() / num_places.max(1);
        for (place, &row) in rows.iter().enumerate() {
            let mut sum = [R::ZERO; L];
            let of_row = &regret[row as usize * actions..][..actions];
            for (action, regret) in of_row.iter().enumerate() {
                let mut above = *regret;
                for lane in 0..L {
                    above[lane] = above[lane].larger(R::ZERO);
                }
                current[action * num_places + place] = above;
                lanes::add(&mut sum, above);
            }
            share(current, num_places, place, actions, &sum);
        }
    }
}

/// Updates regrets and makes the strategy of the next iteration, without predictions.
pub(crate) struct Regrets<'a, R, const L: usize> {
    pub rows: &'a [u32],
    /// Factors of old regrets above 0 and others, by place.
    pub factors: &'a [[R; 2]],
    pub regret: &'a mut [[R; L]],
    pub current: &'a mut [[R; L]],
    /// Sums of this pass.
    pub values: &'a [[R; L]],
    pub now: &'a Coefficients,
}

impl<R: Real, const L: usize> IsaKernel for Regrets<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let Regrets { rows, factors, regret, current, values, now } = self;
        let num_places = rows.len();
        let actions = current.len() / num_places.max(1);
        let instant = R::of(now.instant);
        for ((place, &row), &[positive, negative]) in rows.iter().enumerate().zip(factors) {
            let mut mean = [R::ZERO; L];
            for action in 0..actions {
                let at = action * num_places + place;
                lanes::add_product(&mut mean, current[at], values[at]);
            }
            let mut sum = [R::ZERO; L];
            let of_row = &mut regret[row as usize * actions..][..actions];
            for (action, regret) in of_row.iter_mut().enumerate() {
                let at = action * num_places + place;
                let (old, value) = (*regret, values[at]);
                let (mut new, mut above) = (old, old);
                for lane in 0..L {
                    let factor = if old[lane] > R::ZERO { positive } else { negative };
                    new[lane] = factor * old[lane] + instant * (value[lane] - mean[lane]);
                    above[lane] = new[lane].larger(R::ZERO);
                }
                *regret = if now.clamp { above } else { new };
                current[at] = above;
                lanes::add(&mut sum, above);
            }
            share(current, num_places, place, actions, &sum);
        }
    }
}

/// Divides the actions of a bucket by their sum; uniform where that is 0.
#[inline(always)]
fn share<R: Real, const L: usize>(
    rows: &mut [[R; L]],
    num_places: usize,
    place: usize,
    actions: usize,
    sum: &[R; L],
) {
    let uniform = R::ONE / R::of(actions as f64);
    for action in 0..actions {
        let mut row = rows[action * num_places + place];
        for lane in 0..L {
            row[lane] = if sum[lane] > R::ZERO { row[lane] / sum[lane] } else { uniform };
        }
        rows[action * num_places + place] = row;
    }
}

/// Divides the actions of every place by their sum; uniform where that is 0.
pub(crate) struct Normalise<'a, R, const L: usize> {
    pub num_places: usize,
    pub rows: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Normalise<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let actions = self.rows.len() / self.num_places.max(1);
        for place in 0..self.num_places {
            let mut sum = [R::ZERO; L];
            for action in 0..actions {
                let row = &self.rows[action * self.num_places + place];
                for lane in 0..L {
                    sum[lane] += row[lane];
                }
            }
            share(self.rows, self.num_places, place, actions, &sum);
        }
    }
}

/// Accumulates a strategy, weighted by the own reach, in the average.
pub(crate) struct Accumulate<'a, R, const L: usize> {
    pub rows: &'a [u32],
    /// The factor of what was accumulated before, by place.
    pub factors: &'a [R],
    pub average: &'a mut [[R; L]],
    pub current: &'a [[R; L]],
    /// Sums of this pass, by place.
    pub reach: &'a [[R; L]],
    /// Whether reach counts, or every pass the same.
    pub own_reach: bool,
}

impl<R: Real, const L: usize> IsaKernel for Accumulate<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let Accumulate { rows, factors, average, current, reach, own_reach } = self;
        let num_places = rows.len();
        let actions = current.len() / num_places.max(1);
        for (place, &row) in rows.iter().enumerate() {
            let weight = if own_reach { reach[place] } else { [R::ONE; L] };
            let of_row = &mut average[row as usize * actions..][..actions];
            for (action, average) in of_row.iter_mut().enumerate() {
                let mut sum = lanes::product([factors[place]; L], *average);
                lanes::add_product(&mut sum, weight, current[action * num_places + place]);
                *average = sum;
            }
        }
    }
}
