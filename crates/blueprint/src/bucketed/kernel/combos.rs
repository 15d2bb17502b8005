//! Loops over the combos of a board: strategies of buckets on the way down, values into buckets on the way up.

use equipoise_cards::IsaKernel;

use super::lanes;
use crate::bucketed::real::Real;

/// The reach after an action: that before it times the frequency of the combo's bucket.
pub(crate) struct Descend<'a, R, const L: usize> {
    pub reach: &'a [[R; L]],
    pub buckets: &'a [u32],
    /// Of one action, by bucket.
    pub strategy: &'a [[R; L]],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Descend<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for ((to, reach), &bucket) in self.to.iter_mut().zip(self.reach).zip(self.buckets) {
            *to = lanes::product(*reach, self.strategy[bucket as usize]);
        }
    }
}

/// Adds reaches to those of their buckets.
pub(crate) struct AddReach<'a, R, const L: usize> {
    pub reach: &'a [[R; L]],
    pub buckets: &'a [u32],
    pub sums: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for AddReach<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for (reach, &bucket) in self.reach.iter().zip(self.buckets) {
            lanes::add(&mut self.sums[bucket as usize], *reach);
        }
    }
}

/// Adds the values of an action, times its frequency, to those of the decision.
pub(crate) struct Mix<'a, R, const L: usize> {
    pub values: &'a [[R; L]],
    pub buckets: &'a [u32],
    pub strategy: &'a [[R; L]],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Mix<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for ((to, values), &bucket) in self.to.iter_mut().zip(self.values).zip(self.buckets) {
            lanes::add_product(to, *values, self.strategy[bucket as usize]);
        }
    }
}

/// [`Mix`], and adds the values, weighted by the range, to those of the buckets.
pub(crate) struct Train<'a, R, const L: usize> {
    pub values: &'a [[R; L]],
    pub buckets: &'a [u32],
    pub weights: &'a [R],
    pub strategy: &'a [[R; L]],
    pub sums: &'a mut [[R; L]],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Train<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let combos = self.to.iter_mut().zip(self.values).zip(self.buckets).zip(self.weights);
        for (((to, values), &bucket), &weight) in combos {
            let values = *values;
            lanes::add_product(to, values, self.strategy[bucket as usize]);
            lanes::add_product(&mut self.sums[bucket as usize], values, [weight; L]);
        }
    }
}

/// The larger of the values of actions.
pub(crate) struct MixBest<'a, R, const L: usize> {
    pub values: &'a [[R; L]],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for MixBest<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for (to, values) in self.to.iter_mut().zip(self.values) {
            let (mut best, values) = (*to, *values);
            for lane in 0..L {
                best[lane] = best[lane].larger(values[lane]);
            }
            *to = best;
        }
    }
}

/// The reach of neighbouring lanes with which a board is entered: that of the same combo on the board before, times chance.
pub(crate) struct Enter<'a, R, const L: usize> {
    /// All lanes of the lines before.
    pub from: &'a [R],
    pub from_lanes: usize,
    /// The place of each combo on the board before.
    pub parents: &'a [u16],
    pub factor: R,
    pub to: &'a mut [[R; L]],
    pub lanes: LaneRun,
}

impl<R: Real, const L: usize> IsaKernel for Enter<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(mut self) {
        while let Some(part) = self.lanes.take_part() {
            match part.count {
                8 => self.enter::<8>(part),
                4 => self.enter::<4>(part),
                2 => self.enter::<2>(part),
                _ => self.enter::<1>(part),
            }
        }
    }
}

impl<R: Real, const L: usize> Enter<'_, R, L> {
    #[inline(always)]
    fn enter<const W: usize>(&mut self, LaneRun { from, to: lane, .. }: LaneRun) {
        for (to, &parent) in self.to.iter_mut().zip(self.parents) {
            let reach = window::<R, W>(self.from, usize::from(parent) * self.from_lanes + from);
            to[lane..lane + W].copy_from_slice(&lanes::product(reach, [self.factor; W]));
        }
    }
}

/// Adds the values of neighbouring lanes of the lines after a chance step.
pub(crate) struct AddLanes<'a, R, const L: usize> {
    /// All lanes of the lines after.
    pub from: &'a [R],
    pub from_lanes: usize,
    pub to: &'a mut [[R; L]],
    pub lanes: LaneRun,
}

impl<R: Real, const L: usize> IsaKernel for AddLanes<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(mut self) {
        while let Some(part) = self.lanes.take_part() {
            match part.count {
                8 => self.add::<8>(part),
                4 => self.add::<4>(part),
                2 => self.add::<2>(part),
                _ => self.add::<1>(part),
            }
        }
    }
}

impl<R: Real, const L: usize> AddLanes<'_, R, L> {
    #[inline(always)]
    fn add<const W: usize>(&mut self, LaneRun { from, to: lane, .. }: LaneRun) {
        for (to, values) in self.to.iter_mut().zip(self.from.chunks_exact(self.from_lanes)) {
            let mut sum = window::<R, W>(to, lane);
            lanes::add(&mut sum, window(values, from));
            to[lane..lane + W].copy_from_slice(&sum);
        }
    }
}

/// Lanes that follow each other, both where they are read and where they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneRun {
    pub from: usize,
    pub to: usize,
    pub count: usize,
}

impl LaneRun {
    /// Takes the first eight, four, two or one lanes.
    #[inline(always)]
    fn take_part(&mut self) -> Option<LaneRun> {
        let width = 1 << self.count.min(8).checked_ilog2()?;
        let part = LaneRun { count: width, ..*self };
        *self = LaneRun { from: self.from + width, to: self.to + width, count: self.count - width };
        Some(part)
    }
}

/// Some numbers that follow each other.
#[inline(always)]
fn window<R: Real, const W: usize>(numbers: &[R], first: usize) -> [R; W] {
    numbers[first..first + W].try_into().expect("as many as there are")
}

/// Adds the values of a board to those of the board before.
pub(crate) struct Scatter<'a, R, const L: usize> {
    pub values: &'a [[R; L]],
    pub parents: &'a [u16],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Scatter<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for (values, &parent) in self.values.iter().zip(self.parents) {
            lanes::add(&mut self.to[usize::from(parent)], *values);
        }
    }
}
