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
//! exact in `f64`.

use equipoise_cards::{Combo, ComboSet, StrengthOrder};

use crate::matchup::Matchup;
use crate::options::{EquityError, Observer};
use crate::symmetry::{FullBoard, Symmetry};
use crate::totals::Totals;
use crate::work::{Progress, sum_parts};

/// Boards between two reports of progress.
const STRIDE: usize = 256;

pub(crate) fn count(
    matchup: &Matchup,
    symmetry: &Symmetry,
    empty: &Totals,
    observer: &dyn Observer,
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
    cards: Vec<[u8; 2]>,
    union: ComboSet,
}

/// Sums of one direction of the sweep.
#[derive(Clone, Copy, Default)]
struct Sums {
    below: f64,
    upto: f64,
}

/// The second player's weight so far, in total and by card.
struct Swept {
    total: f64,
    of: [f64; 64],
}

impl Swept {
    const EMPTY: Swept = Swept { total: 0.0, of: [0.0; 64] };

    #[inline]
    fn add(&mut self, [a, b]: [u8; 2], weight: f64) {
        self.total += weight;
        self.of[usize::from(a & 63)] += weight;
        self.of[usize::from(b & 63)] += weight;
    }

    #[inline]
    fn without(&self, [a, b]: [u8; 2]) -> f64 {
        self.total - self.of[usize::from(a & 63)] - self.of[usize::from(b & 63)]
    }
}

impl Sweep {
    fn new(matchup: &Matchup) -> Sweep {
        let weights = [0, 1].map(|player: usize| {
            matchup.ranges()[player].weights().iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>()
        });
        let in_either = |combo: &Combo| weights.iter().any(|weights| weights[combo.index()] != 0.0);
        let union = Combo::all().filter(in_either).collect();
        let cards = Combo::all().map(|combo| [combo.low().id(), combo.high().id()]).collect();
        Sweep { weights, cards, union }
    }

    fn add_board(&self, board: &FullBoard, order: &StrengthOrder, sums: &mut [Sums; 2], totals: &mut Totals) {
        let times = f64::from(board.class_size);
        if totals.has_details() {
            for (player, sums) in sums.iter_mut().enumerate() {
                self.sweep_details(player, times, order, sums, totals);
            }
        } else {
            let once = self.sweep(order);
            sums[0].below += times * once.below;
            sums[0].upto += times * once.upto;
        }
    }

    /// One board, the sums only.
    fn sweep(&self, order: &StrengthOrder) -> Sums {
        let [mine, theirs] = self.weights.each_ref().map(Vec::as_slice);
        let mut swept = Swept::EMPTY;
        let mut sums = Sums::default();
        for (group, _) in order.groups() {
            for &combo in group {
                let combo = usize::from(combo);
                sums.below += mine[combo] * swept.without(self.cards[combo]);
            }
            for &combo in group {
                swept.add(self.cards[usize::from(combo)], theirs[usize::from(combo)]);
            }
            for &combo in group {
                let combo = usize::from(combo);
                sums.upto += mine[combo] * (swept.without(self.cards[combo]) + theirs[combo]);
            }
        }
        sums
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
        let mut all = Swept::EMPTY;
        for &combo in order.combos() {
            all.add(self.cards[usize::from(combo)], theirs[usize::from(combo)]);
        }
        let detail = &mut totals.details_mut()[player];
        let mut swept = Swept::EMPTY;
        let mut below = Vec::new();
        for (group, _) in order.groups() {
            let cards = |combo: u16| self.cards[usize::from(combo)];
            below.clear();
            below.extend(group.iter().map(|&combo| swept.without(cards(combo))));
            group.iter().for_each(|&combo| swept.add(cards(combo), theirs[usize::from(combo)]));
            for (&combo, &below) in group.iter().zip(&below) {
                let index = usize::from(combo);
                let weight = times * mine[index];
                let upto = swept.without(cards(combo)) + theirs[index];
                let deals = all.without(cards(combo)) + theirs[index];
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
        let mut all = Swept::EMPTY;
        self.cards.iter().zip(theirs).for_each(|(&cards, &weight)| all.add(cards, weight));
        let of = |combo: usize| mine[combo] * (all.without(self.cards[combo]) + theirs[combo]);
        (0..Combo::COUNT).map(of).sum()
    }
}
