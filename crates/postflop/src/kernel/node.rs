//! Decisions: reaches on the way down, values and regrets on the way up, eight combos at a time.
//!
//! The strategy is regret matching: each action's share of the positive part. Instead of a case for "nothing is
//! positive", every part is raised to a tiny number, which gives the uniform strategy there and changes nothing
//! elsewhere. Every table entry is read and written once; one division serves eight combos.

use super::Kernel;
use super::lanes::Lanes;
use super::prefetch::Aside;
use super::rows::{Cell, Row};

/// The most actions that a decision may have.
pub(crate) const MAX_ACTIONS: usize = 64;

/// What the uniform strategy is made of.
const TINY: f32 = 1e-20;
/// Reaches and regrets of this size or less become 0, before they turn into slow denormal numbers.
const REACH_FLOOR: f32 = 1e-12;
/// The same where strategies are read and not trained: whatever files can say of reaches is far above it.
const READING_FLOOR: f32 = 1e-30;
const REGRET_FLOOR: f32 = 1e-18;

/// How a strategy is made of regrets and predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opening {
    pub regret: f32,
    /// Already divided by 1 + the asymmetry.
    pub instant: f32,
}

/// Runs a body with the number of actions as a constant where it is small, and whether the algorithm predicts.
macro_rules! by_actions {
    ($self:ident, $predicts:expr, $actions:expr) => {
        match ($actions, $predicts) {
            (1, false) => $self.body::<V, 1, true, false>(1),
            (2, false) => $self.body::<V, 2, true, false>(2),
            (3, false) => $self.body::<V, 3, true, false>(3),
            (4, false) => $self.body::<V, 4, true, false>(4),
            (5, false) => $self.body::<V, 5, true, false>(5),
            (actions, false) => $self.body::<V, MAX_ACTIONS, false, false>(actions),
            (2, true) => $self.body::<V, 2, true, true>(2),
            (3, true) => $self.body::<V, 3, true, true>(3),
            (actions, true) => $self.body::<V, MAX_ACTIONS, false, true>(actions),
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

/// A part's share of the reach. What would be below the floor becomes 0, and the rest loses as little as that.
#[inline(always)]
fn reached<V: Lanes>(part: V, share: V) -> V {
    part.mul_add(share, V::splat(-REACH_FLOOR)).max(V::zero())
}

/// Replaces what a row holds, or adds to it.
#[inline(always)]
fn put<V: Lanes>(value: V, to: &mut Row, keep: bool) {
    let value = if keep { V::load(to).add(value) } else { value };
    value.store(to);
}

/// What regret matching sees.
#[inline(always)]
fn seen<V: Lanes, C: Cell>(regret: V, last: Option<&C>, opening: Opening) -> V {
    match last {
        None => regret,
        Some(last) => {
            let predicted = last.get::<V>().mul(V::splat(opening.instant));
            regret.mul_add(V::splat(opening.regret), predicted)
        }
    }
}

/// How an average strategy takes up the current one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Averaging {
    /// What the past and what is added are multiplied by.
    pub factors: [f32; 2],
    /// Whether what is added is weighted by the own reach.
    pub own_reach: bool,
    /// What the noise of roundings depends on.
    pub seed: u32,
}

/// A decision of the opponent: reach times current strategy for each action, which the average takes up.
pub(crate) struct Down<'a, R, S, A> {
    pub regret: &'a [R],
    /// Empty unless the algorithm predicts.
    pub last: &'a [R],
    pub average: &'a mut [S],
    pub opening: Opening,
    pub rule: Averaging,
    pub rows: usize,
    pub reach: &'a [Row],
    /// One vector per action.
    pub to: &'a mut [Row],
    pub aside: A,
}

impl<R: Cell, S: Cell, A: Aside> Down<'_, R, S, A> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(self, actions: usize) {
        let actions = if EXACT { N } else { actions };
        let Down { regret, last, average, opening, rule, rows, reach, to, mut aside } = self;
        let len = actions * rows;
        let (regret, average, to) = (&regret[..len], &mut average[..len], &mut to[..len]);
        let last = if PREDICTS { &last[..len] } else { last };
        let [past, present] = rule.factors.map(V::splat);
        let mut noise = V::noise(rule.seed);
        for (row, reach) in reach[..rows].iter().enumerate() {
            aside.ask();
            let (parts, sum) = parts::<V, N>(actions, |action| {
                let at = action * rows + row;
                seen(regret[at].get::<V>(), PREDICTS.then(|| &last[at]), opening)
            });
            let share = V::load(reach).div(sum);
            for (action, part) in parts.iter().enumerate().take(actions) {
                let at = action * rows + row;
                let reach = reached(*part, share);
                reach.store(&mut to[at]);
                let added = if rule.own_reach { reach } else { part.div(sum) };
                noise = V::next_noise(noise);
                average[at].set_noisily(average[at].get::<V>().mul_add(past, added.mul(present)), noise);
            }
        }
    }
}

impl<R: Cell, S: Cell, A: Aside> Kernel for Down<'_, R, S, A> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let actions = self.to.len() / self.rows.max(1);
        let predicts = !self.last.is_empty();
        by_actions!(self, predicts, actions);
    }
}

/// A decision of the opponent who plays a strategy that is given in parts, as [`ReadStrategy`] makes them.
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
    /// What the noise of roundings depends on.
    pub seed: u32,
}

/// How far an update moved a node: squares of changes of the instant regrets and of the regrets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub instant: f32,
    pub regret: f32,
}

/// A decision of the own player: the value under the current strategy, and the regrets' update.
pub(crate) struct Up<'a, R, A> {
    pub regret: &'a mut [R],
    /// Empty unless the algorithm predicts.
    pub last: &'a mut [R],
    pub opening: Opening,
    pub update: Update,
    pub rows: usize,
    /// One vector per action.
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what is there.
    pub keep: bool,
    pub aside: A,
}

impl<R: Cell, A: Aside> Up<'_, R, A> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(
        self,
        actions: usize,
    ) -> Moved {
        let actions = if EXACT { N } else { actions };
        let Up { regret, last, opening, update, rows, children, to, keep, mut aside } = self;
        let len = actions * rows;
        let (regret, children) = (&mut regret[..len], &children[..len]);
        let last = if PREDICTS { &mut last[..len] } else { last };
        // Of a regret r > 0 the update keeps r · positive, of another r · negative: together r · negative + the positive
        // part times the difference.
        let (negative, more) = (V::splat(update.negative), V::splat(update.positive - update.negative));
        let (weight, floor) = (V::splat(update.instant), V::splat(update.floor));
        let mut noise = V::noise(update.seed);
        let mut moved = [V::zero(); 2];
        for (row, to) in to[..rows].iter_mut().enumerate() {
            aside.ask();
            let mut old = [V::zero(); N];
            let (parts, sum) = parts::<V, N>(actions, |action| {
                let at = action * rows + row;
                old[action] = regret[at].get::<V>();
                seen(old[action], PREDICTS.then(|| &last[at]), opening)
            });
            let mut value = V::zero();
            for (action, part) in parts.iter().enumerate().take(actions) {
                value = V::load(&children[action * rows + row]).mul_add(*part, value);
            }
            let value = value.div(sum);
            for (action, (old, part)) in old.iter().zip(parts).enumerate().take(actions) {
                let at = action * rows + row;
                let instant = V::load(&children[at]).sub(value);
                let above = if PREDICTS { old.max(V::zero()) } else { part };
                let decayed = above.mul_add(more, old.mul(negative));
                let new = instant.mul_add(weight, decayed).max(floor);
                let new = if R::HAS_DENORMALS { new.flush(V::splat(REGRET_FLOOR)) } else { new };
                noise = V::next_noise(noise);
                regret[at].set_noisily(new, noise);
                if PREDICTS {
                    let [change, step] = [instant.sub(last[at].get::<V>()), new.sub(*old)];
                    moved = [change.mul_add(change, moved[0]), step.mul_add(step, moved[1])];
                    last[at].set(instant);
                }
            }
            put(value, to, keep);
        }
        Moved { instant: moved[0].sum(), regret: moved[1].sum() }
    }
}

impl<R: Cell, A: Aside> Kernel for Up<'_, R, A> {
    type Output = Moved;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Moved {
        let actions = self.children.len() / self.rows.max(1);
        let predicts = !self.last.is_empty();
        by_actions!(self, predicts, actions)
    }
}

/// A decision of the own player who plays a strategy that is given in parts, as [`ReadStrategy`] makes them.
pub(crate) struct UpStrategy<'a> {
    pub strategy: &'a [Row],
    pub rows: usize,
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what is there.
    pub keep: bool,
}

impl UpStrategy<'_> {
    #[inline(always)]
    fn body<V: Lanes, const N: usize, const EXACT: bool, const PREDICTS: bool>(self, actions: usize) {
        let actions = if EXACT { N } else { actions };
        let UpStrategy { strategy, rows, children, to, keep } = self;
        for (row, to) in to[..rows].iter_mut().enumerate() {
            let (parts, sum) = whole_parts::<V, N>(actions, |action| &strategy[action * rows + row]);
            let mut value = V::zero();
            for (action, part) in parts.iter().enumerate().take(actions) {
                value = V::load(&children[action * rows + row]).mul_add(*part, value);
            }
            put(value.div(sum), to, keep);
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

/// A decision of the own player who plays the best action.
pub(crate) struct UpBest<'a> {
    pub rows: usize,
    pub children: &'a [Row],
    pub to: &'a mut [Row],
    /// Whether the value is added to what is there.
    pub keep: bool,
}

impl Kernel for UpBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let UpBest { rows, children, to, keep } = self;
        for (row, to) in to[..rows].iter_mut().enumerate() {
            let mut best = V::load(&children[row]);
            for child in children[row..].iter().step_by(rows).skip(1) {
                best = best.max(V::load(child));
            }
            put(best, to, keep);
        }
    }
}

/// The strategy that a solution has, in whole parts of [`ALWAYS`]: each action's share of the average, rounded to the
/// sixteen bits that files have. Whatever is read, measured or saved is of this strategy. Running sums are rounded, so
/// that the parts add up to [`ALWAYS`] and reading what was read before changes nothing.
///
/// Says whether a combo that counts has no average: its parts are 0, and [`parts_of`] makes them of its regrets.
pub(crate) struct ReadStrategy<'a, S> {
    pub average: &'a [S],
    pub rows: usize,
    /// How many combos there are; what follows is padding.
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
        let mut lacks = false;
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
                // Beside the rounder, a float has no bits left for fractions.
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
            lacks |= (0..8).any(|lane| !has_average(sums.0[lane]) && counts(lane));
        }
        lacks
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

/// What an average strategy must sum to at least to be one.
const LEAST_AVERAGE: f32 = 1e-30;

/// Whether sums of an average strategy that add up to this are one.
pub(crate) fn has_average(sum: f32) -> bool {
    sum >= LEAST_AVERAGE
}

/// A frequency of 1. Sixteen bits are finer than any strategy is solved.
pub(crate) const ALWAYS: u16 = u16::MAX;

/// A float of this size has no bits left for fractions, and is far above [`ALWAYS`].
const ROUNDER: f32 = 8_388_608.0;

/// The strategy of one combo in whole parts of [`ALWAYS`], from numbers that are shares or regrets; every action alike
/// where none is positive.
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

/// The parts of one row as they are, and their sum, which is never 0.
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
