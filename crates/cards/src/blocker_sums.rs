//! Card removal: what a combo leaves of a sum over combos.

use std::ops::{Add, AddAssign, Sub};

use crate::card::Card;
use crate::combo::Combo;

/// How far sums may be off that should cancel out, as a part of what was summed.
const ROUNDING: f64 = 1e-13;

/// Sums of weights of combos, in total and by card, from which any combo's blockers are subtracted in no time.
///
/// ```
/// use equipoise_cards::{BlockerSums, Combo, Range};
/// let range: Range = "AA,KK".parse()?;
/// let mut sums = BlockerSums::default();
/// range.iter().for_each(|(combo, weight)| sums.add(combo, f64::from(weight)));
/// assert_eq!(sums.total(), 12.0);
/// // An ace and a king leave three combos of each pair.
/// assert_eq!(sums.without("AhKh".parse()?), 6.0);
/// // A pair of aces leaves one of the aces: its own combo was subtracted for both its cards.
/// let aces: Combo = "AhAd".parse()?;
/// assert_eq!((sums.without(aces), sums.matchups(aces, 1.0)), (6.0, 7.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockerSums<T = f64> {
    total: T,
    /// By card; as many as need no check of bounds.
    of_card: [T; 64],
}

impl<T: Copy + Default> Default for BlockerSums<T> {
    fn default() -> BlockerSums<T> {
        BlockerSums { total: T::default(), of_card: [T::default(); 64] }
    }
}

impl<T: Copy + Add<Output = T> + AddAssign + Sub<Output = T>> BlockerSums<T> {
    /// Adds the weight of a combo.
    #[inline]
    pub fn add(&mut self, combo: Combo, weight: T) {
        self.total += weight;
        self.of_card[place(combo.low())] += weight;
        self.of_card[place(combo.high())] += weight;
    }

    /// The sum over all combos.
    #[inline]
    pub fn total(&self) -> T {
        self.total
    }

    /// The sum over the combos that share no card with this one, less the weight of the same combo, which is subtracted
    /// for both its cards.
    #[inline]
    pub fn without(&self, combo: Combo) -> T {
        self.total - self.of_card[place(combo.low())] - self.of_card[place(combo.high())]
    }
}

impl BlockerSums {
    /// The weight of the combos that share no card with this one, whose own weight among them is `same`. What is left of
    /// sums that cancel out is rounding, and counts as nothing.
    #[must_use]
    pub fn matchups(&self, combo: Combo, same: f64) -> f64 {
        let matchups = self.without(combo) + same;
        if matchups > ROUNDING * self.total { matchups } else { 0.0 }
    }
}

#[inline]
fn place(card: Card) -> usize {
    card.index() & 63
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_are_those_over_combos_without_shared_cards(
            weights in proptest::collection::vec((0usize..Combo::COUNT, 0i32..100), 0..60),
            own in 0usize..Combo::COUNT,
        ) {
            let own = Combo::from_index(own).unwrap();
            let (mut sums, mut exact, mut matchups, mut same) = (BlockerSums::default(), BlockerSums::default(), 0, 0);
            for (index, weight) in weights {
                let combo = Combo::from_index(index).unwrap();
                sums.add(combo, weight);
                exact.add(combo, f64::from(weight));
                matchups += if combo.cards().intersects(own.cards()) { 0 } else { weight };
                same += if combo == own { weight } else { 0 };
            }
            prop_assert_eq!(sums.without(own) + same, matchups);
            prop_assert_eq!(exact.matchups(own, f64::from(same)), f64::from(matchups));
        }
    }
}
