//! Exact heads-up equity of wide ranges, one board at a time.
//!
//! On each board the combos of both ranges are put in order of strength. One sweep from weak to strong keeps the
//! total weight of the second player's combos so far and, for each card, the weight of those that hold it:
//!
//! ```text
//! for each group of equal strength:
//!     for each combo of player 1 in it: below += weight · (total − of[card 1] − of[card 2])
//!     add the group's combos of player 2 to total and of[…]
//!     for each combo of player 1 in it: upto += weight · (total − of[card 1] − of[card 2] + weight 2 of the same combo)
//! ```
//!
//! The last term comes back because a combo equal to player 1's own is subtracted for both its cards. `below` are
//! the wins, `upto − below` the ties; what remains of all deals are the losses. Sums of whole numbers below 2⁵³ are
//! exact in `f64`; on one board, where all weights are 1, they even fit `i32`, which is faster.

use std::ops::{Add, AddAssign, Mul, Sub};

use equipoise_cards::{BlockerSums, Combo, ComboSet, StrengthOrder};
use equipoise_progress::{Observer, Progress};

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::symmetry::{FullBoard, Symmetry};
use crate::totals::Totals;
use crate::work::sum_parts;

/// Boards between two reports of progress.
const STRIDE: usize = 256;

pub(crate) fn count(
    matchup: &Matchup,
    symmetry: &Symmetry,
    empty: &Totals,
    observer: &mut dyn Observer,
) -> Result<Totals, EquityError> {
    let boards = symmetry.boards(matchup);
    let sweep = Sweep::new(matchup);
    let progress = Progress::new(observer, boards.len() as u64);
    let mut totals = sum_parts(&boards, empty, |boards, totals| {
        let mut order = StrengthOrder::default();
        let mut sums = [Sums::default(), Sums::default()];
        for some in boards.chunks(STRIDE) {
            for board in some {
                order.fill(board.cards, &sweep.union);
                sweep.add_board(board, &order, &mut sums, totals);
            }
            progress.advance(some.len() as u64)?;
        }
        totals.add(1, sums[0].below);
        totals.add(3, sums[0].upto - sums[0].below);
        totals.add(2, -sums[0].upto);
        Ok(())
    })?;
    totals.add(2, sweep.all_choices() * matchup.num_runouts() as f64);
    totals.average_details(symmetry);
    Ok(totals)
}

/// Both ranges, ready for sweeping.
struct Sweep {
    weights: [Vec<f64>; 2],
    /// The same as whole numbers, if they are all 0 or 1.
    ones: Option<[Vec<i32>; 2]>,
    combos: Vec<Combo>,
    union: ComboSet,
}

/// Sums of one direction of the sweep.
#[derive(Clone, Copy, Default)]
struct Sums {
    below: f64,
    upto: f64,
}

/// What weights are added up in.
trait Amount: Copy + Default + Add<Output = Self> + AddAssign + Sub<Output = Self> + Mul<Output = Self> {}

impl<T> Amount for T where T: Copy + Default + Add<Output = T> + AddAssign + Sub<Output = T> + Mul<Output = T> {}

impl Sweep {
    fn new(matchup: &Matchup) -> Sweep {
        let weights = [0, 1].map(|player: usize| {
            matchup.ranges()[player].weights().iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>()
        });
        let in_either = |combo: &Combo| weights.iter().any(|weights| weights[combo.index()] != 0.0);
        let union = Combo::all().filter(in_either).collect();
        let combos = Combo::all().collect();
        let all_ones = weights.iter().flatten().all(|&weight| weight == 0.0 || weight == 1.0);
        let whole = |weights: &Vec<f64>| weights.iter().map(|&weight| weight as i32).collect();
        let ones = all_ones.then(|| weights.each_ref().map(whole));
        Sweep { weights, ones, combos, union }
    }

    fn add_board(&self, board: &FullBoard, order: &StrengthOrder, sums: &mut [Sums; 2], totals: &mut Totals) {
        let times = f64::from(board.class_size);
        if totals.has_details() {
            for (player, sums) in sums.iter_mut().enumerate() {
                self.sweep_details(player, times, order, sums, totals);
            }
            return;
        }
        let (below, upto) = match &self.ones {
            Some([mine, theirs]) => {
                let (below, upto) = self.sweep(mine, theirs, order);
                (f64::from(below), f64::from(upto))
            }
            None => self.sweep(&self.weights[0], &self.weights[1], order),
        };
        sums[0].below += times * below;
        sums[0].upto += times * upto;
    }

    /// One board, `below` and `upto` only.
    fn sweep<T: Amount>(&self, mine: &[T], theirs: &[T], order: &StrengthOrder) -> (T, T) {
        let mut swept = BlockerSums::default();
        let (mut below, mut upto) = (T::default(), T::default());
        for (group, _) in order.groups() {
            for &combo in group {
                let combo = usize::from(combo);
                below += mine[combo] * swept.without(self.combos[combo]);
            }
            for &combo in group {
                swept.add(self.combos[usize::from(combo)], theirs[usize::from(combo)]);
            }
            for &combo in group {
                let combo = usize::from(combo);
                upto += mine[combo] * (swept.without(self.combos[combo]) + theirs[combo]);
            }
        }
        (below, upto)
    }

    /// One board, with the sums of each combo of one player.
    fn sweep_details(
        &self,
        player: usize,
        times: f64,
        order: &StrengthOrder,
        sums: &mut Sums,
        totals: &mut Totals,
    ) {
        let (mine, theirs) = (&self.weights[player], &self.weights[1 - player]);
        let mut all = BlockerSums::default();
        for &combo in order.combos() {
            all.add(self.combos[usize::from(combo)], theirs[usize::from(combo)]);
        }
        let detail = &mut totals.details_mut()[player];
        let mut swept = BlockerSums::default();
        let mut below = Vec::new();
        for (group, _) in order.groups() {
            let combo_of = |combo: u16| self.combos[usize::from(combo)];
            below.clear();
            below.extend(group.iter().map(|&combo| swept.without(combo_of(combo))));
            group.iter().for_each(|&combo| swept.add(combo_of(combo), theirs[usize::from(combo)]));
            for (&combo, &below) in group.iter().zip(&below) {
                let index = usize::from(combo);
                let weight = times * mine[index];
                let upto = swept.without(combo_of(combo)) + theirs[index];
                let deals = all.without(combo_of(combo)) + theirs[index];
                let (won, tied) = (weight * below, weight * (upto - below));
                sums.below += won;
                sums.upto += won + tied;
                detail.add(index, weight * deals, won + tied / 2.0, won, tied);
            }
        }
    }

    /// The weight of all choices of two combos that share no card.
    fn all_choices(&self) -> f64 {
        let [mine, theirs] = &self.weights;
        let mut all = BlockerSums::default();
        self.combos.iter().zip(theirs).for_each(|(&combo, &weight)| all.add(combo, weight));
        let of = |combo: usize| mine[combo] * (all.without(self.combos[combo]) + theirs[combo]);
        (0..Combo::COUNT).map(of).sum()
    }
}
