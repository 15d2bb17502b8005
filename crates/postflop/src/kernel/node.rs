//! Decisions: reaches in the down pass, values and regrets in the up pass, eight combos at a time.
//!
//! The strategy is regret matching: each action's share of the positive part. There is no case for "nothing is positive":
//! every part is raised to a tiny number, which gives the uniform strategy there and changes nothing elsewhere. Every
//! table entry is read and written once; one division serves eight combos.

use super::Kernel;
use super::lanes::Lanes;
use super::prefetch::{PrefetchStream, RowPrefetch};
use super::rows::{Cell, Row};

/// The most actions that a decision may have.
pub(crate) const MAX_ACTIONS: usize = 64;

/// The least part of an action, which makes the uniform strategy where no regret is positive.
const TINY: f32 = 1e-20;
/// Reaches and regrets of this size or less are flushed to 0, before they turn into slow denormal numbers.
const REACH_FLOOR: f32 = 1e-12;
/// The same in passes that read strategies and do not train: reaches from files are far above it.
const READING_FLOOR: f32 = 1e-30;
const REGRET_FLOOR: f32 = 1e-18;

/// The prediction of predictive CFR: factors of the regret and of the last instant regret in regret matching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub regret: f32,
    /// Already divided by 1 + the asymmetry.
    pub instant: f32,
}

/// Runs a body with the number of actions as a constant where it is small, and with or without a prediction.
macro_rules! by_actions {
    ($self:ident, $predicts:expr, $actions:expr $(, $prefetch:expr $(, $ahead:literal)?)?) => {
        match ($actions, $predicts) {
            (1, false) => $self.body::<V, 1, true, false $($(, $ahead)?)?>(1 $(, $prefetch)?),
            (2, false) => $self.body::<V, 2, true, false $($(, $ahead)?)?>(2 $(, $prefetch)?),
            (3, false) => $self.body::<V, 3, true, false $($(, $ahead)?)?>(3 $(, $prefetch)?),
            (4, false) => $self.body::<V, 4, true, false $($(, $ahead)?)?>(4 $(, $prefetch)?),
            (5, false) => $self.body::<V, 5, true, false $($(, $ahead)?)?>(5 $(, $prefetch)?),
            (actions, false) => {
                $self.body::<V, MAX_ACTIONS, false, false $($(, $ahead)?)?>(actions $(, $prefetch)?)
            }
            (2, true) => $self.body::<V, 2, true, true $($(, $ahead)?)?>(2 $(, $prefetch)?),
            (3, true) => $self.body::<V, 3, true, true $($(, $ahead)?)?>(3 $(, $prefetch)?),
            (actions, true) => {
                $self.body::<V, MAX_ACTIONS, false, true $($(, $ahead)?)?>(actions $(, $prefetch)?)
            }
        }
    };
}

/// The raised parts of one row and their sum.
#[inline(always)]
fn parts<V: Lanes, const N: usize>(actions: usize, mut part: impl FnMut(usize) -> V) -> ([V; N], V) {
    let mut parts = [V::zero(); N];
    let mut sum = V::zero();
    for (action, slot) in parts.iter_mut().enumerate().take(actions) {
        *slot = part(action).max(V::splat(TINY));
        sum = sum.add(*slot);
    }
    (parts, sum)
}

/// The reach times an action's share, less the floor: shares below the floor become 0.
#[inline(always)]
fn reached<V: Lanes>(part: V, share: V) -> V {
    part.mul_add(share, V::splat(-REACH_FLOOR)).max(V::zero())
}

/// Replaces what a row holds, or adds to it.
#[inline(always)]
fn put<V: Lanes>(value: V, to: &mut Row, accumulate: bool) {
    let value = if accumulate { V::load(to).add(value) } else { value };
    value.store(to);
}

/// The number that regret matching is applied to: the regret, with the prediction where the algorithm has one.
#[inline(always)]
fn predicted<V: Lanes, C: Cell>(regret: V, last: Option<&C>, prediction: Prediction) -> V {
    match last {
        None => regret,
        Some(last) => {
            let instant = last.get::<V>().mul(V::splat(prediction.instant));
            regret.mul_add(V::splat(prediction.regret), instant)
        }
    }
}

/// How the current strategy is accumulated in the average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Averaging {
    /// Factors of the average so far and of what is added.
    pub factors: [f32; 2],
    /// Whether what is added is weighted by the own reach.
    pub own_reach: bool,
    /// The seed of stochastic rounding.
    pub seed: u32,
}

/// A decision of the opponent in training: the reach times the current strategy for each action, which is accumulated in
/// the average.
pub(crate) struct Down<'a, R, S> {
    pub regret: &'a [R],
    /// Empty unless the algorithm predicts.
    pub last: &'a [R],
    pub average: &'a mut [S],
    pub prediction: Prediction,
    pub averaging: Averaging,
    pub rows: usize,
    pub reach: &'a [Row],
    /// One vector per action.
    pub to: &'a mut [Row],
    pub prefetch: PrefetchStream,
}

impl<R: Cell, S: Cell> Down<'_, R, S> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(
        self,
        actions: usize,
        mut prefetch: impl RowPrefetch,
    ) {
        let actions = if EXACT { N } else { actions };
        let Down { regret, last, average, prediction, averaging, rows, reach, to, .. } = self;
        let len = actions * rows;
        let (regret, average, to) = (&regret[..len], &mut average[..len], &mut to[..len]);
        let last = if PREDICTS { &last[..len] } else { last };
        let [past, present] = averaging.factors.map(V::splat);
        let mut noise = V::noise(averaging.seed);
        for (row, reach) in reach[..rows].iter().enumerate() {
            prefetch.next_row();
            let (parts, sum) = parts::<V, N>(actions, |action| {
                let at = action * rows + row;
                predicted(regret[at].get::<V>(), PREDICTS.then(|| &last[at]), prediction)
            });
            let share = V::load(reach).div(sum);
            for (action, part) in parts.iter().enumerate().take(actions) {
                let at = action * rows + row;
                let reach = reached(*part, share);
                reach.store(&mut to[at]);
                let added = if averaging.own_reach { reach } else { part.div(sum) };
                noise = V::next_noise(noise);
                average[at].set_noisily(average[at].get::<V>().mul_add(past, added.mul(present)), noise);
            }
        }
    }
}

impl<R: Cell, S: Cell> Kernel for Down<'_, R, S> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let actions = self.to.len() / self.rows.max(1);
        let predicts = !self.last.is_empty();
        match self.prefetch {
            stream if stream.is_empty() => by_actions!(self, predicts, actions, ()),
            stream => by_actions!(self, predicts, actions, stream),
        }
    }
}

/// A decision of the opponent, who plays a strategy that is given in parts, as [`ReadStrategy`] makes them.
pub(crate) struct DownStrategy<'a> {
    pub strategy: &'a [Row],
    pub rows: usize,
    pub reach: &'a [Row],
    pub to: &'a mut [Row],
}

impl DownStrategy<'_> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(self, actions: usize) {
        let actions = if EXACT { N } else { actions };
        let DownStrategy { strategy, rows, reach, to } = self;
        for (row, reach) in reach[..rows].iter().enumerate() {
            let (parts, sum) = whole_parts::<V, N>(actions, |action| &strategy[action * rows + row]);
            let share = V::load(reach).div(sum);
            for (action, part) in parts.iter().enumerate().take(actions) {
                let reach = part.mul_add(share, V::splat(-READING_FLOOR)).max(V::zero());
                reach.store(&mut to[action * rows + row]);
            }
        }
    }
}

impl Kernel for DownStrategy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let actions = self.to.len() / self.rows.max(1);
        by_actions!(self, false, actions);
    }
}

/// The numbers of one regret update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Update {
    pub positive: f32,
    pub negative: f32,
    pub instant: f32,
    /// 0 to clamp, minus infinity not to.
    pub floor: f32,
    /// The seed of stochastic rounding.
    pub seed: u32,
    pub look_ahead: Option<LookAhead>,
}

/// What a decision passes up beside its value under the current strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LookAhead {
    /// The weight of the value under the next strategy.
    pub weight: f32,
    /// Of the next strategy.
    pub prediction: Prediction,
}

/// The squared change of the instant regrets and of the regrets of a decision in one update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SquaredChange {
    pub instant: f32,
    pub regret: f32,
}

/// A decision of the own player: the regrets' update, and the value under the current strategy, perhaps mixed with that under
/// the next one.
pub(crate) struct Up<'a, R> {
    pub regret: &'a mut [R],
    /// Empty unless the algorithm predicts.
    pub last: &'a mut [R],
    pub prediction: Prediction,
    pub update: Update,
    pub rows: usize,
    /// One vector per action.
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what `to` holds.
    pub accumulate: bool,
    pub prefetch: PrefetchStream,
}

impl<R: Cell> Up<'_, R> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool, const AHEAD: bool>(
        self,
        actions: usize,
        mut prefetch: impl RowPrefetch,
    ) -> SquaredChange {
        let actions = if EXACT { N } else { actions };
        let Up { regret, last, prediction, update, rows, children, to, accumulate, .. } = self;
        let len = actions * rows;
        let (regret, children) = (&mut regret[..len], &children[..len]);
        let last = if PREDICTS { &mut last[..len] } else { last };
        // A regret r decays to r · positive if r > 0 and to r · negative otherwise: r · negative + the positive part times
        // the difference.
        let (negative, more) = (V::splat(update.negative), V::splat(update.positive - update.negative));
        let (weight, floor) = (V::splat(update.instant), V::splat(update.floor));
        let ahead = update.look_ahead.unwrap_or(LookAhead { weight: 0.0, prediction });
        let mut noise = V::noise(update.seed);
        let mut changes = [V::zero(); 2];
        for (row, to) in to[..rows].iter_mut().enumerate() {
            prefetch.next_row();
            let mut old = [V::zero(); N];
            let (parts, sum) = parts::<V, N>(actions, |action| {
                let at = action * rows + row;
                old[action] = regret[at].get::<V>();
                predicted(old[action], PREDICTS.then(|| &last[at]), prediction)
            });
            let mut value = V::zero();
            for (action, part) in parts.iter().enumerate().take(actions) {
                value = V::load(&children[action * rows + row]).mul_add(*part, value);
            }
            let value = value.div(sum);
            let (mut next_value, mut next_sum) = (V::zero(), V::zero());
            for (action, (old, part)) in old.iter().zip(parts).enumerate().take(actions) {
                let at = action * rows + row;
                let instant = V::load(&children[at]).sub(value);
                let above = if PREDICTS { old.max(V::zero()) } else { part };
                let decayed = above.mul_add(more, old.mul(negative));
                let new = instant.mul_add(weight, decayed).max(floor);
                let new = if R::HAS_DENORMALS { new.flush(V::splat(REGRET_FLOOR)) } else { new };
                if AHEAD {
                    let number = if PREDICTS {
                        let predicted = instant.mul(V::splat(ahead.prediction.instant));
                        new.mul_add(V::splat(ahead.prediction.regret), predicted)
                    } else {
                        new
                    };
                    let part = number.max(V::splat(TINY));
                    next_sum = next_sum.add(part);
                    // What is better than the value by: the sum is what the next strategy gains.
                    next_value = instant.mul_add(part, next_value);
                }
                noise = V::next_noise(noise);
                regret[at].set_noisily(new, noise);
                if PREDICTS {
                    let [of_instant, of_regret] = [instant.sub(last[at].get::<V>()), new.sub(*old)];
                    changes = [
                        of_instant.mul_add(of_instant, changes[0]),
                        of_regret.mul_add(of_regret, changes[1]),
                    ];
                    last[at].set(instant);
                }
            }
            let value =
                if AHEAD { next_value.div(next_sum).mul_add(V::splat(ahead.weight), value) } else { value };
            put(value, to, accumulate);
        }
        SquaredChange { instant: changes[0].sum(), regret: changes[1].sum() }
    }
}

impl<R: Cell> Kernel for Up<'_, R> {
    type Output = SquaredChange;

    #[inline(always)]
    fn run<V: Lanes>(self) -> SquaredChange {
        let actions = self.children.len() / self.rows.max(1);
        let predicts = !self.last.is_empty();
        match (self.prefetch, self.update.look_ahead) {
            (stream, None) if stream.is_empty() => by_actions!(self, predicts, actions, (), false),
            (stream, None) => by_actions!(self, predicts, actions, stream, false),
            (stream, Some(_)) if stream.is_empty() => by_actions!(self, predicts, actions, (), true),
            (stream, Some(_)) => by_actions!(self, predicts, actions, stream, true),
        }
    }
}

/// A decision of the own player, who plays a strategy that is given in parts, as [`ReadStrategy`] makes them.
pub(crate) struct UpStrategy<'a> {
    pub strategy: &'a [Row],
    pub rows: usize,
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what `to` holds.
    pub accumulate: bool,
}

impl UpStrategy<'_> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(self, actions: usize) {
        let actions = if EXACT { N } else { actions };
        let UpStrategy { strategy, rows, children, to, accumulate } = self;
        for (row, to) in to[..rows].iter_mut().enumerate() {
            let (parts, sum) = whole_parts::<V, N>(actions, |action| &strategy[action * rows + row]);
            let mut value = V::zero();
            for (action, part) in parts.iter().enumerate().take(actions) {
                value = V::load(&children[action * rows + row]).mul_add(*part, value);
            }
            put(value.div(sum), to, accumulate);
        }
    }
}

impl Kernel for UpStrategy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let actions = self.children.len() / self.rows.max(1);
        by_actions!(self, false, actions);
    }
}

/// A decision of the own player, who plays the best action.
pub(crate) struct UpBest<'a> {
    pub rows: usize,
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what `to` holds.
    pub accumulate: bool,
}

impl Kernel for UpBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let UpBest { rows, children, to, accumulate } = self;
        for (row, to) in to[..rows].iter_mut().enumerate() {
            let mut best = V::load(&children[row]);
            for child in children[row..].iter().step_by(rows).skip(1) {
                best = best.max(V::load(child));
            }
            put(best, to, accumulate);
        }
    }
}

/// The strategy of a solution, in whole parts of [`ALWAYS`]: each action's share of the average, rounded to the sixteen
/// bits of files. Everything that is read, measured or saved is of this strategy. Running sums are rounded, so that the
/// parts add up to [`ALWAYS`] and rounding is idempotent.
///
/// Returns whether a combo that counts has no average: its parts are 0, and [`parts_of`] makes them from its regrets.
pub(crate) struct ReadStrategy<'a, S> {
    pub average: &'a [S],
    pub rows: usize,
    /// The combos of the list; the rest of the last row is padding.
    pub num_combos: usize,
    /// The combos that count are those with reach; without it, all.
    pub reach: Option<&'a [Row]>,
    pub to: &'a mut [Row],
}

impl<S: Cell> ReadStrategy<'_, S> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(self, actions: usize) -> bool {
        let actions = if EXACT { N } else { actions };
        let ReadStrategy { average, rows, num_combos, reach, to } = self;
        let (always, rounder) = (V::splat(f32::from(ALWAYS)), V::splat(ROUNDER));
        let mut is_any_missing = false;
        for row in 0..rows {
            let mut parts = [V::zero(); N];
            let mut sum = V::zero();
            for (action, slot) in parts.iter_mut().enumerate().take(actions) {
                *slot = average[action * rows + row].get::<V>().max(V::zero());
                sum = sum.add(*slot);
            }
            let share = always.div(sum.max(V::splat(LEAST_AVERAGE)));
            let (mut running, mut before) = (V::zero(), V::zero());
            for (action, part) in parts.iter().enumerate().take(actions) {
                running = running.add(*part);
                // The sum with the rounder has no bits left for fractions.
                let rounded = running.mul(share).add(rounder).sub(rounder);
                rounded.sub(before).store(&mut to[action * rows + row]);
                before = rounded;
            }
            let mut sums = Row::ZERO;
            sum.store(&mut sums);
            let counts = |lane: usize| match reach {
                Some(reach) => reach[row].0[lane] > 0.0,
                None => 8 * row + lane < num_combos,
            };
            is_any_missing |= (0..8).any(|lane| !has_average(sums.0[lane]) && counts(lane));
        }
        is_any_missing
    }
}

impl<S: Cell> Kernel for ReadStrategy<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Lanes>(self) -> bool {
        let actions = self.to.len() / self.rows.max(1);
        by_actions!(self, false, actions)
    }
}

/// The least sum over the actions of an average strategy.
const LEAST_AVERAGE: f32 = 1e-30;

/// Whether the entries of an average strategy with this sum are one.
pub(crate) fn has_average(sum: f32) -> bool {
    sum >= LEAST_AVERAGE
}

/// A frequency of 1. Sixteen bits are finer than any strategy is solved.
pub(crate) const ALWAYS: u16 = u16::MAX;

/// A float of this size has no bits left for fractions, and is far above [`ALWAYS`].
const ROUNDER: f32 = 8_388_608.0;

/// The strategy of one combo in whole parts of [`ALWAYS`], from shares or regrets; uniform where none is positive.
pub(crate) fn parts_of(numbers: &[f32]) -> Vec<u16> {
    let is_any_positive = numbers.iter().any(|&number| number > 0.0);
    let share = |number: f32| if is_any_positive { number.max(0.0) } else { 1.0 };
    let always = f32::from(ALWAYS) / numbers.iter().map(|&number| share(number)).sum::<f32>();
    let (mut running, mut before) = (0.0, 0);
    let part = |&number: &f32| {
        running += share(number);
        let rounded = (running * always).round_ties_even() as u16;
        rounded - std::mem::replace(&mut before, rounded)
    };
    numbers.iter().map(part).collect()
}

/// The given parts of one row and their sum, which is never 0.
#[inline(always)]
fn whole_parts<'a, V: Lanes, const N: usize>(actions: usize, part: impl Fn(usize) -> &'a Row) -> ([V; N], V) {
    let mut parts = [V::zero(); N];
    let mut sum = V::zero();
    for (action, slot) in parts.iter_mut().enumerate().take(actions) {
        *slot = V::load(part(action));
        sum = sum.add(*slot);
    }
    (parts, sum.max(V::splat(TINY)))
}
