//! The values of ends of a hand, for all own combos at once, one betting line in each lane.
//!
//! The matchup count of an own combo is the opponent's reach less that of both cards, plus that of the same combo, which was
//! subtracted twice. At a showdown one sweep over the groups of equal strength, weakest first, finds the reach W that loses
//! to a combo and the reach W + T that does not win. A win pays as much more than a tie as a tie pays more than a loss,
//! `half`, so a combo gets half · (W + (W + T)) + lose · N.

use equipoise_cards::IsaKernel;

use super::lanes;
use crate::bucketed::real::Real;

/// Sums for 52 cards, and as many more as an index of six bits can name.
const CARDS: usize = 64;

/// Sums of reach: the total, and by card.
struct Sums<R, const L: usize> {
    total: [R; L],
    cards: [[R; L]; CARDS],
}

impl<R: Real, const L: usize> Sums<R, L> {
    #[inline(always)]
    fn new() -> Sums<R, L> {
        Sums { total: [R::ZERO; L], cards: [[R::ZERO; L]; CARDS] }
    }

    #[inline(always)]
    fn add(&mut self, [low, high]: [u8; 2], reach: &[R; L]) {
        lanes::add(&mut self.total, *reach);
        for card in [low, high] {
            lanes::add(&mut self.cards[usize::from(card) % CARDS], *reach);
        }
    }

    /// The total without both cards; a combo of both is subtracted twice.
    #[inline(always)]
    fn without(&self, [low, high]: [u8; 2]) -> [R; L] {
        let (low, high) = (self.cards[usize::from(low) % CARDS], self.cards[usize::from(high) % CARDS]);
        let mut without = self.total;
        for lane in 0..L {
            without[lane] = without[lane] - low[lane] - high[lane];
        }
        without
    }
}

/// Adds the values where somebody has folded.
pub(crate) struct Fold<'a, R, const L: usize> {
    /// The opponent's, and a row of zeros.
    pub reach: &'a [[R; L]],
    pub theirs: &'a [[u8; 2]],
    pub ours: &'a [[u8; 2]],
    /// The same combo in the opponent's list, or the row of zeros.
    pub same: &'a [u16],
    pub pays: [R; L],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Fold<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let mut sums = Sums::<R, L>::new();
        for (&cards, reach) in self.theirs.iter().zip(self.reach) {
            sums.add(cards, reach);
        }
        for ((to, &cards), &same) in self.to.iter_mut().zip(self.ours).zip(self.same) {
            let mut count = sums.without(cards);
            lanes::add(&mut count, self.reach[usize::from(same)]);
            lanes::add_product(to, self.pays, count);
        }
    }
}

/// Adds the values of showdowns.
pub(crate) struct Showdown<'a, R, const L: usize> {
    /// The opponent's, and a row of zeros.
    pub reach: &'a [[R; L]],
    pub theirs: &'a [[u8; 2]],
    pub ours: &'a [[u8; 2]],
    /// The same combo in the opponent's list, or the row of zeros.
    pub same: &'a [u16],
    /// The end of each group of equal strength in the own and in the opponent's list.
    pub groups: &'a [[u16; 2]],
    pub half: [R; L],
    pub lose: [R; L],
    pub to: &'a mut [[R; L]],
}

impl<R: Real, const L: usize> IsaKernel for Showdown<'_, R, L> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let mut sums = Sums::<R, L>::new();
        let [mut at, mut other] = [0; 2];
        for &[end, other_end] in self.groups {
            let (end, other_end) = (usize::from(end), usize::from(other_end));
            let (to, ours) = (&mut self.to[at..end], &self.ours[at..end]);
            for (to, &cards) in to.iter_mut().zip(ours) {
                lanes::add_product(to, self.half, sums.without(cards));
            }
            for (&cards, reach) in self.theirs[other..other_end].iter().zip(&self.reach[other..other_end]) {
                sums.add(cards, reach);
            }
            for (to, &cards) in to.iter_mut().zip(ours) {
                lanes::add_product(to, self.half, sums.without(cards));
            }
            (at, other) = (end, other_end);
        }
        for ((to, &cards), &same) in self.to.iter_mut().zip(self.ours).zip(self.same) {
            let same = self.reach[usize::from(same)];
            let mut count = sums.without(cards);
            lanes::add(&mut count, same);
            let mut value = lanes::product(self.half, same);
            lanes::add_product(&mut value, self.lose, count);
            lanes::add(to, value);
        }
    }
}
