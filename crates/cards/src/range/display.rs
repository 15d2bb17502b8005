//! Writing ranges as short text.

use std::cmp::Reverse;
use std::fmt;

use super::Range;
use super::plan::{Canvas, Level, Levels, Plan, ZERO, painted};
use super::run::{ClassSet, Pattern, RANDOM};
use crate::combo::Combo;
use crate::hand_class::HandClass;

impl fmt::Display for Range {
    /// Short text that reads back as the same range, bit for bit; empty for the empty range.
    ///
    /// Weights are fractions with the fewest digits that read back as the same `f32`. Of the grammar it uses classes,
    /// `+` and `-` runs, exact combos and `random`, with `:` weights; it never writes `15%`, whose meaning depends on
    /// an order of classes, nor the dialects of weights in percent. Later groups may overwrite earlier ones where that
    /// is shorter: `22+,88:0.5`. Where order does not matter, groups come as people write them: pairs, classes
    /// without suffix, suited, offsuit, each from the ace down, and exact combos at the end.
    ///
    /// The text is never longer than the plain list of classes and combos. It is not always the shortest possible,
    /// as finding that is a set cover problem; a deterministic search stands in for it. Where the optimum over all
    /// sequences of groups can be computed, the tests compare: of 1,000 random sets of the classes of the four highest
    /// ranks at least 985 come out at their shortest, with two or three weights on those of the three highest ranks at
    /// least 960, and none more than 10 % longer. Nothing is proven about larger ranges.
    ///
    /// ```
    /// use equipoise_cards::Range;
    /// let shown = |text: &str| text.parse::<Range>().map(|range| range.to_string());
    /// assert_eq!(shown("77,66,55,AKs,AKo,A2s,A3s,A4s,A5s")?, "77-55,AK,A5s-A2s");
    /// assert_eq!(shown("22+,88@50")?, "22+,88:0.5");
    /// assert_eq!(shown("*,AhKh:0")?, "random,AhKh:0");
    /// # Ok::<(), equipoise_cards::ParseRangeError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = Levels::new(self);
        for (i, group) in in_natural_order(&levels, shortest_plan(&levels)).into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match group {
                Group::Classes(pattern, level) => write!(f, "{comma}{pattern}{}", levels.suffix(level))?,
                Group::Combo(combo, level) => write!(f, "{comma}{combo}{}", levels.suffix(level))?,
            }
        }
        Ok(())
    }
}

/// A group of the text.
enum Group {
    Classes(&'static Pattern, Level),
    Combo(Combo, Level),
}

/// The shortest of the plans that begin with nothing or with `random` at a common weight.
///
/// No other pattern names both pairs and classes of two ranks, so these are planned apart.
fn shortest_plan(levels: &Levels) -> Plan {
    let pairs: ClassSet = HandClass::all().filter(|class| class.is_pair()).collect();
    let plan_from = |ground: Level| {
        let [(mut plan, letters), (rest, rest_letters)] = [pairs, ClassSet::FULL.minus(pairs)]
            .map(|scope| Canvas::new(levels, scope, ground).shortest_plan());
        let mut total = letters + rest_letters;
        if ground != ZERO {
            plan.insert(0, (&RANDOM, ground));
            total += RANDOM.len + levels.extra(ground);
        }
        plan.extend(rest);
        (plan, total)
    };
    levels
        .grounds()
        .into_iter()
        .map(plan_from)
        .min_by_key(|&(_, letters)| letters)
        .map(|(plan, _)| plan)
        .unwrap_or_default()
}

/// The groups of the plan as people order them, as far as overwriting allows, and then the exact combos.
fn in_natural_order(levels: &Levels, mut plan: Plan) -> Vec<Group> {
    let painted = painted(&plan, ZERO);
    let mut groups = Vec::new();
    while !plan.is_empty() {
        let must_wait = |i: usize| {
            let (pattern, level) = plan[i];
            let overwrites = |&(other, other_level): &(&Pattern, Level)| {
                other_level != level && other.classes.intersects(pattern.classes)
            };
            plan[..i].iter().any(overwrites)
        };
        let free = (0..plan.len()).filter(|&i| !must_wait(i));
        let next = free.min_by_key(|&i| plan[i].0.run.map(|run| run.natural_key())).unwrap_or(0);
        let (pattern, level) = plan.remove(next);
        groups.push(Group::Classes(pattern, level));
    }
    let differs = |combo: &Combo| levels.of(*combo) != painted[combo.class().index()];
    let mut combos: Vec<Combo> = Combo::all().filter(differs).collect();
    combos.sort_by_key(|combo| Reverse((combo.high(), combo.low())));
    groups.extend(combos.into_iter().map(|combo| Group::Combo(combo, levels.of(combo))));
    groups
}
