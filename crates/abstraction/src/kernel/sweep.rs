//! How many opponents each combo beats on a board of five cards, all combos in one sweep.
//!
//! The combos come in groups of equal strength, weakest first. A sweep keeps how many combos it has passed, and for
//! each card how many of them hold it:
//!
//! ```text
//! for each group:
//!     for each combo (a, b) of it: wins = passed − of[a] − of[b]
//!     pass the combos of the group
//!     for each combo (a, b) of it: wins + ties = passed − of[a] − of[b] + 1
//! ```
//!
//! The 1 comes back because the combo itself was passed once and taken away for both its cards. What is kept for a combo is
//! `2 · wins + ties`, its *halves*: twice the number of pots it would get.

use equipoise_cards::{Card, Combo, IsaKernel, StrengthOrder};

/// The numbers of both cards of each combo.
pub(crate) static CARDS_OF: [[u8; 2]; Combo::COUNT] = {
    let mut cards = [[0; 2]; Combo::COUNT];
    let (mut index, mut low) = (0, 0);
    while low < Card::COUNT as u8 {
        let mut high = low + 1;
        while high < Card::COUNT as u8 {
            cards[index] = [low, high];
            index += 1;
            high += 1;
        }
        low += 1;
    }
    cards
};

/// The cards of a combo as places in an array of 64, which needs no check.
#[inline(always)]
pub(super) fn cards_of(index: u16) -> [usize; 2] {
    CARDS_OF[usize::from(index)].map(|card| usize::from(card & 63))
}

/// Finds `wins` and `2 · wins + ties` of each combo against all others, by combo index. What stands at the index of a
/// combo that is not in the order is left as it was.
pub(crate) struct Sweep<'a> {
    pub(crate) order: &'a StrengthOrder,
    pub(crate) wins: &'a mut [u16; Combo::COUNT],
    pub(crate) halves: &'a mut [u16; Combo::COUNT],
}

impl IsaKernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let (mut passed, mut of) = (0_u32, [0_u32; 64]);
        for (group, _) in self.order.groups() {
            for &index in group {
                let [a, b] = cards_of(index);
                self.wins[usize::from(index)] = (passed - of[a] - of[b]) as u16;
            }
            passed += group.len() as u32;
            for &index in group {
                let [a, b] = cards_of(index);
                of[a] += 1;
                of[b] += 1;
            }
            for &index in group {
                let [a, b] = cards_of(index);
                let upto = (passed + 1 - of[a] - of[b]) as u16;
                self.halves[usize::from(index)] = self.wins[usize::from(index)] + upto;
            }
        }
    }
}

/// A number for each of the eight clusters of opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub(crate) struct Lanes(pub(crate) [u16; 8]);

impl Lanes {
    #[inline(always)]
    fn plus(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    #[inline(always)]
    fn minus(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
}

/// Finds `2 · wins + ties` of each combo against the combos of each cluster.
///
/// A cluster has at most 1,326 combos, so that nothing leaves 16 bits; differences wrap on the way only.
pub(crate) struct ClusterSweep<'a> {
    pub(crate) order: &'a StrengthOrder,
    /// For each combo, a 1 at its cluster.
    pub(crate) cluster: &'a [Lanes; Combo::COUNT],
    pub(crate) halves: &'a mut [Lanes; Combo::COUNT],
}

impl IsaKernel for ClusterSweep<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let (mut passed, mut of) = (Lanes::default(), [Lanes::default(); 64]);
        for (group, _) in self.order.groups() {
            for &index in group {
                let [a, b] = cards_of(index);
                self.halves[usize::from(index)] = passed.minus(of[a]).minus(of[b]);
            }
            for &index in group {
                let [a, b] = cards_of(index);
                let cluster = self.cluster[usize::from(index)];
                passed = passed.plus(cluster);
                of[a] = of[a].plus(cluster);
                of[b] = of[b].plus(cluster);
            }
            for &index in group {
                let [a, b] = cards_of(index);
                let upto = passed.minus(of[a]).minus(of[b]).plus(self.cluster[usize::from(index)]);
                let halves = &mut self.halves[usize::from(index)];
                *halves = halves.plus(upto);
            }
        }
    }
}

/// Adds what a [`ClusterSweep`] has found to the sums.
pub(crate) struct AddClusters<'a> {
    pub(crate) order: &'a StrengthOrder,
    pub(crate) halves: &'a [Lanes; Combo::COUNT],
    pub(crate) sums: &'a mut [[u32; 8]; Combo::COUNT],
}

impl IsaKernel for AddClusters<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        for &index in self.order.combos() {
            let (sums, halves) = (&mut self.sums[usize::from(index)], self.halves[usize::from(index)]);
            *sums = std::array::from_fn(|i| sums[i].wrapping_add(u32::from(halves.0[i])));
        }
    }
}
