//! The order of the classes of one grouping: which numbers belong to which cards.
//!
//! See [`Indexer`](super::Indexer) for the idea.

use crate::card::{Rank, Suit};

use super::grouping::MAX_GROUPS;
use super::rank_sets::choose;

/// How many cards one suit has in each group.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Number of cards by group.
    pub(super) sizes: [u8; MAX_GROUPS],
    /// Number of cards in all groups.
    pub(super) total: u8,
    /// In how many ways each group can be chosen from the cards of its suit that are in no group before it.
    pub(super) radices: [u32; MAX_GROUPS],
    /// How many ways one suit has to take this shape.
    pub(super) num_ways: u32,
}

/// A multiset of four shapes that together have the cards of the grouping.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    /// The number of its first class.
    pub(super) offset: u64,
    /// What one step of a suit's run counts in the number of the class.
    pub(super) weights: [u64; Suit::COUNT],
    /// The shapes of the suits, the largest first; equal ones stand together in a run.
    pub(super) shapes: [u8; Suit::COUNT],
    /// How many suits the run has from this one on, this one included; 1 for all without cards, which have one way.
    pub(super) run_lengths: [u8; Suit::COUNT],
    /// How many ways a run has that begins at this suit.
    pub(super) num_run_ways: [u64; Suit::COUNT],
    /// Whether a run has three suits or four.
    pub(super) has_long_run: bool,
}

/// The shapes and configurations of one grouping.
#[derive(Debug)]
pub(super) struct Layout {
    /// What one card of each group counts in the number of the shape.
    pub(super) strides: [u32; MAX_GROUPS],
    pub(super) shapes: Vec<Shape>,
    pub(super) configurations: Vec<Configuration>,
    pub(super) count: u64,
    /// By the largest and the second shape: where their part of `configuration_ids` begins, divided by the number of
    /// shapes.
    rows: Vec<u16>,
    /// By row and third shape; the fourth shape is what is left.
    configuration_ids: Vec<u16>,
}

/// The number of multisets of `k` out of `n` things. `k` is at most 4.
#[inline]
pub(super) fn multichoose(n: u64, k: u8) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * (n + 1) / 2,
        3 => n * (n + 1) * (n + 2) / 6,
        _ => n * (n + 1) * (n + 2) * (n + 3) / 24,
    }
}

impl Layout {
    pub(super) fn new(sizes: &[usize]) -> Layout {
        let mut strides = [0; MAX_GROUPS];
        let mut num_shapes = 1;
        for (stride, &size) in strides.iter_mut().zip(sizes) {
            *stride = num_shapes;
            num_shapes *= size as u32 + 1;
        }
        let shapes: Vec<Shape> = (0..num_shapes).map(|id| Shape::new(id, sizes)).collect();
        let num_shapes = shapes.len();
        let mut layout = Layout {
            strides,
            shapes,
            configurations: Vec::new(),
            count: 0,
            rows: vec![0; num_shapes * num_shapes],
            configuration_ids: Vec::new(),
        };
        layout.add_configurations(num_shapes);
        layout
    }

    /// Goes through all `a ≥ b ≥ c ≥ d` that add up to the whole grouping, which is the last shape.
    fn add_configurations(&mut self, num_shapes: usize) {
        let whole = num_shapes - 1;
        for a in (0..num_shapes).rev() {
            let Some(rest_a) = self.minus(whole, a) else { continue };
            for b in (0..=a).rev() {
                let Some(rest_b) = self.minus(rest_a, b) else { continue };
                let row = self.configuration_ids.len();
                self.rows[a * num_shapes + b] = (row / num_shapes) as u16;
                self.configuration_ids.resize(row + num_shapes, 0);
                for c in (0..=b).rev() {
                    let Some(d) = self.minus(rest_b, c).filter(|&d| d <= c) else { continue };
                    self.configuration_ids[row + c] = self.configurations.len() as u16;
                    self.add_configuration([a, b, c, d]);
                }
            }
        }
    }

    /// The shape that `part` leaves of `whole`; `None` if it does not fit. Without a borrow between the digits,
    /// shapes subtract as their numbers do.
    fn minus(&self, whole: usize, part: usize) -> Option<usize> {
        let fits = |(whole, part): (&u8, &u8)| part <= whole;
        let all = self.shapes[whole].sizes.iter().zip(&self.shapes[part].sizes).all(fits);
        all.then(|| whole - part)
    }

    fn add_configuration(&mut self, shapes: [usize; Suit::COUNT]) {
        let mut configuration = Configuration {
            offset: self.count,
            weights: [0; Suit::COUNT],
            shapes: shapes.map(|shape| shape as u8),
            run_lengths: [1; Suit::COUNT],
            num_run_ways: [1; Suit::COUNT],
            has_long_run: false,
        };
        let mut num_classes = 1;
        let mut suit = 0;
        while suit < Suit::COUNT && shapes[suit] != 0 {
            let run = shapes[suit..].iter().take_while(|&&shape| shape == shapes[suit]).count();
            let ways = multichoose(u64::from(self.shapes[shapes[suit]].num_ways), run as u8);
            for (place, left) in (suit..suit + run).zip((1..=run).rev()) {
                configuration.weights[place] = num_classes;
                configuration.run_lengths[place] = left as u8;
                configuration.num_run_ways[place] = ways;
            }
            configuration.has_long_run |= run > 2;
            num_classes *= ways;
            suit += run;
        }
        self.count += num_classes;
        self.configurations.push(configuration);
    }

    /// The configuration with these shapes, the largest first, which must have the cards of the grouping.
    #[inline]
    pub(super) fn configuration(&self, [a, b, c, _]: [u32; Suit::COUNT]) -> &Configuration {
        let num_shapes = self.shapes.len();
        let row = usize::from(self.rows[a as usize * num_shapes + b as usize]);
        let id = self.configuration_ids[row * num_shapes + c as usize];
        &self.configurations[usize::from(id)]
    }
}

impl Shape {
    /// The shape whose number has these digits: a card of the first group counts 1, and so on.
    fn new(id: u32, group_sizes: &[usize]) -> Shape {
        let mut sizes = [0; MAX_GROUPS];
        let mut rest = id;
        for (size, &group_size) in sizes.iter_mut().zip(group_sizes) {
            *size = (rest % (group_size as u32 + 1)) as u8;
            rest /= group_size as u32 + 1;
        }
        let total: u8 = sizes.iter().sum();
        let mut num_ways = choose(Rank::COUNT as u64, u64::from(total));
        let mut left = total;
        let radices = sizes.map(|size| {
            let radix = choose(u64::from(left), u64::from(size));
            left -= size;
            num_ways *= radix;
            radix as u32
        });
        Shape { sizes, total, radices, num_ways: num_ways as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_counted() {
        for n in 0..20 {
            for k in 0..=4 {
                let expected =
                    if k == 0 { 1 } else { choose((n + u64::from(k)).saturating_sub(1), u64::from(k)) };
                assert_eq!(multichoose(n, k), expected, "{n} {k}");
            }
        }
    }

    #[test]
    fn the_classes_of_a_flop_are_those_of_the_textbook() {
        // Three suits, two suits, one suit: 13·14·15/6, 78·13 and 286.
        let layout = Layout::new(&[3]);
        let num_classes: Vec<u64> = layout.configurations.iter().map(|c| c.offset).collect();
        assert_eq!(num_classes, [0, 286, 286 + 1014]);
        assert_eq!(layout.count, 286 + 1014 + 455);
    }
}
