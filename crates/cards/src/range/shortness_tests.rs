//! How near the text of a range comes to the shortest possible one, and how fast.

use std::time::Instant;

use super::Range;
use super::run::{ClassSet, PATTERNS};
use crate::card::Rank;
use crate::hand_class::HandClass;

/// Small numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The fewest letters, over all sequences of groups, for every way to give the classes of the highest ranks one of
/// the levels.
///
/// A state is a number whose digits, to the base of the number of levels, are the levels of the classes. Reading a
/// group leads from one state to another, so the shortest texts are shortest paths from the empty range. Groups that
/// reach out of the corner would have to be undone there and cannot help.
struct Corner {
    classes: Vec<HandClass>,
    levels: Vec<f32>,
    letters: Vec<u32>,
}

impl Corner {
    fn new(num_ranks: u8, levels: &[f32]) -> Corner {
        let in_corner = |class: &HandClass| class.low() > Rank::ALL[usize::from(12 - num_ranks)];
        let classes: Vec<HandClass> = HandClass::all().filter(in_corner).collect();
        let num_states = levels.len().pow(classes.len() as u32);
        let corner: ClassSet = classes.iter().copied().collect();
        let place =
            |class: HandClass| levels.len().pow(classes.iter().position(|&c| c == class).unwrap() as u32);
        let mut groups = Vec::new();
        for pattern in PATTERNS.iter().filter(|pattern| pattern.classes.is_subset(corner)) {
            for (digit, weight) in levels.iter().enumerate() {
                let suffix = if *weight == 1.0 { String::new() } else { format!(":{weight}") };
                let places: Vec<usize> = pattern.classes.iter().map(place).collect();
                groups.push((places, digit, pattern.len + suffix.len() as u32 + 1));
            }
        }
        let mut letters = vec![u32::MAX; num_states];
        let mut queue = vec![vec![0]];
        letters[0] = 0;
        let mut at = 0;
        while at < queue.len() {
            while let Some(state) = queue[at].pop() {
                if letters[state] < at as u32 {
                    continue;
                }
                for (places, digit, len) in &groups {
                    let next = places.iter().fold(state, |state, place| {
                        state - state / place % levels.len() * place + digit * place
                    });
                    let total = at + *len as usize;
                    if (total as u32) < letters[next] {
                        letters[next] = total as u32;
                        if queue.len() <= total {
                            queue.resize(total + 1, Vec::new());
                        }
                        queue[total].push(next);
                    }
                }
            }
            at += 1;
        }
        Corner { classes, levels: levels.to_vec(), letters }
    }

    fn range(&self, mut state: usize) -> Range {
        let mut range = Range::empty();
        for &class in &self.classes {
            range.paint(class, self.levels[state % self.levels.len()]);
            state /= self.levels.len();
        }
        range
    }

    /// How many of these ranges are written at their shortest, and the largest excess in percent.
    fn compare(&self, num_ranges: usize) -> (usize, u32) {
        let mut random = Random(1);
        let (mut optimal, mut worst) = (0, 0);
        for _ in 0..num_ranges {
            let state = 1 + random.below(self.letters.len() - 1);
            let text = self.range(state).to_string();
            // The optimum counts a comma after the last group too.
            let (found, least) = (text.len() as u32, self.letters[state] - 1);
            assert!(found >= least, "{text}");
            optimal += usize::from(found == least);
            worst = worst.max(100 * (found - least) / least);
        }
        (optimal, worst)
    }
}

#[test]
fn short_text_is_near_the_shortest() {
    for (num_ranks, levels, per_mille) in
        [(4, &[0.0, 1.0][..], 985), (3, &[0.0, 1.0, 0.5], 960), (3, &[0.0, 0.25, 0.5, 1.0], 960)]
    {
        let (optimal, worst) = Corner::new(num_ranks, levels).compare(1000);
        assert!(optimal >= per_mille && worst <= 10, "{levels:?}: {optimal} of 1000, worst {worst} %");
    }
}

#[test]
fn no_range_takes_long() {
    let mut random = Random(7);
    for num_levels in [2, 3, 4, 5, 6, 11, 101, 1 << 24] {
        for by_class in [true, false] {
            let mut range = Range::empty();
            let mut weight = || random.below(num_levels) as f32 / (num_levels - 1) as f32;
            for class in HandClass::all() {
                range.set_class(class, weight()).unwrap();
                if !by_class {
                    class.combos().for_each(|combo| range.set(combo, weight()).unwrap());
                }
            }
            let seconds = |range: &Range| {
                let start = Instant::now();
                assert!(!range.to_string().is_empty());
                start.elapsed().as_secs_f64()
            };
            let fastest = (0..5).map(|_| seconds(&range)).fold(f64::INFINITY, f64::min);
            // Some 0.02 s on an idle machine; the margin is for busy ones.
            assert!(fastest < 0.2, "{num_levels} {by_class} {fastest}");
            assert!(range.to_string().parse::<Range>().unwrap() == range);
        }
    }
}
