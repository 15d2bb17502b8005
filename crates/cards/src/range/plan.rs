//! Which groups of classes to write, and in which order.

use std::cmp::Reverse;

use super::Range;
use super::cover::{Problem, cover};
use super::run::{ClassSet, Pattern};
use crate::combo::Combo;
use crate::hand_class::HandClass;

/// The number of a weight among the different weights of a range, ascending.
pub(super) type Level = usize;

/// The weight 0, which every combo has before anything is read.
pub(super) const ZERO: Level = 0;

/// Patterns with their levels in the order in which they are to be read. Exact combos that mend what is still wrong
/// come after it, so that every plan leads to the right range; some only take more letters than others.
pub(super) type Plan = Vec<(&'static Pattern, Level)>;

/// The level of every class after reading a plan.
pub(super) fn painted(plan: &Plan, ground: Level) -> [Level; HandClass::COUNT] {
    let mut painted = [ground; HandClass::COUNT];
    for &(pattern, level) in plan {
        for class in pattern.classes.iter() {
            painted[class.index()] = level;
        }
    }
    painted
}

/// A range by levels of weight.
pub(super) struct Levels {
    /// How each level is written after a group: nothing for 1, `:0.5` for ½.
    suffixes: Vec<String>,
    /// The level of each combo.
    combos: [Level; Combo::COUNT],
}

/// The weight as it stands after a group.
fn suffix(weight: f32) -> String {
    if weight == 1.0 {
        String::new()
    } else if weight == 0.0 || weight >= 1e-6 {
        format!(":{weight}")
    } else {
        // Rather 1e-30 than thirty zeros.
        format!(":{weight:e}")
    }
}

impl Levels {
    pub(super) fn new(range: &Range) -> Levels {
        // Floats that are not negative are ordered like their bits.
        let mut bits: Vec<u32> = range.weights.iter().map(|weight| weight.to_bits()).chain([0]).collect();
        bits.sort_unstable();
        bits.dedup();
        let level = |weight: f32| bits.partition_point(|&other| other < weight.to_bits());
        Levels {
            combos: range.weights.map(level),
            suffixes: bits.iter().map(|&bits| suffix(f32::from_bits(bits))).collect(),
        }
    }

    pub(super) fn of(&self, combo: Combo) -> Level {
        self.combos[combo.index()]
    }

    pub(super) fn suffix(&self, level: Level) -> &str {
        &self.suffixes[level]
    }

    /// Letters of a level and the comma of its group.
    pub(super) fn extra(&self, level: Level) -> u32 {
        self.suffixes[level].len() as u32 + 1
    }

    /// The levels that may be worth giving to everything at first: 0, which costs nothing, and the two commonest
    /// others unless some level is more than twice as common.
    pub(super) fn grounds(&self) -> Vec<Level> {
        let mut counts = vec![0; self.suffixes.len()];
        self.combos.iter().for_each(|&level| counts[level] += 1);
        let mut others: Vec<Level> =
            (1..counts.len()).filter(|&level| 2 * counts[level] > counts[ZERO]).collect();
        others.sort_by_key(|&level| Reverse((counts[level], level)));
        [ZERO].into_iter().chain(others.into_iter().take(2)).collect()
    }

    /// Letters for the exact combos of a class that do not have this level.
    fn mending(&self, class: HandClass, level: Level) -> u32 {
        let others = class.combos().map(|combo| self.of(combo)).filter(|&other| other != level);
        others.map(|other| 4 + self.extra(other)).sum()
    }

    /// Letters of a group that names one class.
    fn naming(&self, class: HandClass, level: Level) -> u32 {
        self.extra(level) + if class.is_pair() { 2 } else { 3 }
    }
}

/// Which classes a pattern may name although their own level is another one.
#[derive(Clone, Copy, PartialEq)]
enum Overlap {
    /// None.
    Never,
    /// Those of levels that are written later.
    Later,
    /// Also those that the ground has right, against a price: this many quarters of the letters that it takes to undo
    /// it class by class. Runs can undo it for less.
    Ground(u32),
}

/// More levels than this in one scope are written in one order only, without trying others.
const MOST_LEVELS_TO_ORDER: usize = 4;

/// The classes to plan for, and what they hold before the plan is read.
pub(super) struct Canvas<'a> {
    levels: &'a Levels,
    scope: ClassSet,
    ground: Level,
    /// The level at which each class is best written as a whole, before exact combos mend the rest; the ground's if
    /// it is best not written.
    bases: [Level; HandClass::COUNT],
}

impl<'a> Canvas<'a> {
    pub(super) fn new(levels: &'a Levels, scope: ClassSet, ground: Level) -> Canvas<'a> {
        let mut bases = [ground; HandClass::COUNT];
        for class in scope.iter() {
            let unnamed = (levels.mending(class, ground), ground);
            let present = class.combos().map(|combo| levels.of(combo)).filter(|&level| level != ground);
            let named =
                present.map(|level| (levels.mending(class, level) + levels.naming(class, level), level));
            bases[class.index()] =
                named.chain([unnamed]).min_by_key(|&(letters, _)| letters).unwrap_or(unnamed).1;
        }
        Canvas { levels, scope, ground, bases }
    }

    fn classes_of(&self, level: Level) -> ClassSet {
        self.scope.iter().filter(|class| self.bases[class.index()] == level).collect()
    }

    /// A plan that makes short text, and its letters with those of the exact combos that mend it.
    ///
    /// Tries several ways and keeps the shortest result, the plainest one if several are equal.
    pub(super) fn shortest_plan(&self) -> (Plan, u32) {
        let mut order: Vec<Level> = self.scope.iter().map(|class| self.bases[class.index()]).collect();
        order.sort_unstable();
        order.dedup();
        order.retain(|&level| level != self.ground);
        order.sort_by_key(|&level| Reverse((self.classes_of(level).len(), level)));

        let mut best = (self.plan(&order, Overlap::Never, 0), (order.clone(), Overlap::Never));
        let mut attempt = |order: &[Level], overlap| {
            let result = self.plan(order, overlap, 0);
            let is_shorter = result.1 < best.0.1;
            if is_shorter {
                best = (result, (order.to_vec(), overlap));
            }
            is_shorter
        };
        if order.len() > 1 {
            attempt(&order, Overlap::Later);
        }
        if order.len() <= MOST_LEVELS_TO_ORDER {
            // Moves single levels to other places as long as that helps.
            let mut from = 0;
            while from < order.len() {
                let moved = (0..order.len()).filter(|&to| to != from).find_map(|to| {
                    let mut moved = order.clone();
                    let level = moved.remove(from);
                    moved.insert(to, level);
                    attempt(&moved, Overlap::Later).then_some(moved)
                });
                from = if moved.is_some() { 0 } else { from + 1 };
                order = moved.unwrap_or(order);
            }
            attempt(&order, Overlap::Ground(4));
            attempt(&order, Overlap::Ground(2));
        }
        let (plain, (order, overlap)) = best;
        let attempts = if order.len() <= MOST_LEVELS_TO_ORDER { 200 } else { 0 };
        let shaken = self.plan(&order, overlap, attempts);
        if shaken.1 < plain.1 { shaken } else { plain }
    }

    /// Plans the levels in this order, with this many attempts to shorten each, and counts the letters.
    fn plan(&self, order: &[Level], overlap: Overlap, attempts: u32) -> (Plan, u32) {
        let mut plan = Plan::new();
        for (i, &level) in order.iter().enumerate() {
            let later = order[i + 1..].iter().map(|&later| self.classes_of(later));
            let problem = Problem {
                must: self.classes_of(level),
                may: match overlap {
                    Overlap::Never => ClassSet::EMPTY,
                    _ => later.fold(ClassSet::EMPTY, ClassSet::or),
                },
                price: self.prices_of_ground(&plan, level, overlap),
                extra: self.levels.extra(level),
                attempts,
            };
            plan.extend(cover(&problem).into_iter().map(|pattern| (pattern, level)));
        }
        if matches!(overlap, Overlap::Ground(_)) {
            self.restore_ground(&mut plan, attempts);
        }
        let letters = self.letters(&plan);
        (plan, letters)
    }

    /// What it costs later to name classes that the ground has right.
    fn prices_of_ground(
        &self,
        plan: &Plan,
        level: Level,
        overlap: Overlap,
    ) -> Option<[u32; HandClass::COUNT]> {
        let Overlap::Ground(quarters) = overlap else { return None };
        let painted = painted(plan, self.ground);
        let mut prices = [u32::MAX; HandClass::COUNT];
        for class in self.classes_of(self.ground).iter() {
            let is_paid = painted[class.index()] != self.ground;
            let price = if is_paid { 0 } else { self.removal(class, level) };
            prices[class.index()] = (price * quarters).div_ceil(4);
        }
        Some(prices)
    }

    /// Letters to undo that a class was named at a level although the ground had it right: by a group, or by mending
    /// its combos.
    fn removal(&self, class: HandClass, level: Level) -> u32 {
        let mended =
            self.levels.mending(class, level).saturating_sub(self.levels.mending(class, self.ground));
        mended.min(self.levels.naming(class, self.ground))
    }

    /// Writes the ground again over classes that were named although the ground had them right.
    fn restore_ground(&self, plan: &mut Plan, attempts: u32) {
        let painted = painted(plan, self.ground);
        let ground = self.classes_of(self.ground);
        let is_due = |class: &HandClass| {
            let mended = self.levels.mending(*class, painted[class.index()]);
            let restored = self.levels.naming(*class, self.ground) + self.levels.mending(*class, self.ground);
            painted[class.index()] != self.ground && restored < mended
        };
        let must: ClassSet = ground.iter().filter(is_due).collect();
        let extra = self.levels.extra(self.ground);
        let problem = Problem { must, may: ground.minus(must), price: None, extra, attempts };
        plan.extend(cover(&problem).into_iter().map(|pattern| (pattern, self.ground)));
    }

    /// The letters of the plan and of the exact combos that mend it, counting a comma after each group.
    fn letters(&self, plan: &Plan) -> u32 {
        let groups: u32 = plan.iter().map(|&(pattern, level)| pattern.len + self.levels.extra(level)).sum();
        let painted = painted(plan, self.ground);
        groups
            + self.scope.iter().map(|class| self.levels.mending(class, painted[class.index()])).sum::<u32>()
    }
}
