//! What two ranges are worth on every flop, exactly.
//!
//! Each of the 134,459 river boards that differ in more than suits is evaluated once: who wins against how much of the
//! other range. It holds ten flops, and counts for each of them as often as there are boards that differ from it in suits
//! only; over all boards, every flop meets each of its 1,176 runouts once. So one pass gives the equities of all 1,755
//! flops, at the price of what a single one of them would take a hundredth of otherwise. Ranges must treat suits alike.

use equipoise_cards::{
    BlockerSums, Board, Card, Combo, ComboSet, Grouping, Indexer, Range, Street, StrengthOrder,
    canonical_boards,
};
use equipoise_game::{PerPlayer, Player};
use equipoise_progress::{Cancelled, Observer, Progress};
use rayon::prelude::*;

use super::ranges::Pair;
use crate::flops::Flop;

/// Shares of river equities: below 20 %, below 40 %, and so on.
const NUM_BINS: usize = 5;
/// River boards between two reports to the observer.
const STRIDE: usize = 1024;

/// What two ranges are worth on one flop, over all runouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OnFlop {
    /// The weight of all deals, runouts included.
    deals: f64,
    /// Of these, what OOP wins; ties count half.
    won: f64,
    /// The weight of hands by their equity on the river.
    bins: PerPlayer<[f64; NUM_BINS]>,
}

impl OnFlop {
    fn add(&mut self, other: &OnFlop, times: f64) {
        self.deals += times * other.deals;
        self.won += times * other.won;
        for (bins, others) in self.bins.iter_mut().zip(&other.bins) {
            bins.iter_mut().zip(others).for_each(|(bin, other)| *bin += times * other);
        }
    }

    /// OOP's equity.
    pub(super) fn equity(&self) -> f64 {
        self.won / self.deals
    }

    /// The quantities by which flops are compared: OOP's equity and, for both, how often the river equity is in each
    /// part of the scale.
    pub(super) fn quantities(&self) -> Vec<f64> {
        let shares = self.bins.iter().flatten().map(|bin| bin / self.deals);
        [self.equity()].into_iter().chain(shares).collect()
    }
}

/// What the quantities are called.
pub(super) fn quantity_names(pair: &Pair) -> Vec<String> {
    let mut names = vec![format!("{}: equity of OOP", pair.name)];
    for player in ["OOP", "IP"] {
        for bin in 0..NUM_BINS {
            let step = 100 / NUM_BINS;
            names.push(format!("{}: {player} with {} to {} %", pair.name, bin * step, (bin + 1) * step));
        }
    }
    names
}

/// What two ranges are worth on every flop, in the order of [`all_flops`](crate::flops::all_flops).
///
/// # Errors
/// If the observer stops it.
pub(super) fn measure(pair: &Pair, watch: &mut dyn Observer) -> Result<Vec<OnFlop>, Cancelled> {
    let sweep = Sweep::new(&pair.ranges());
    let boards: Vec<(Board, u32)> = canonical_boards(Street::River).collect();
    let flops = Indexer::of(Grouping::of_board(Street::Flop).expect("a flop is a board"));
    let num_flops = usize::try_from(flops.count()).expect("there are few");
    let progress = Progress::new(watch, boards.len() as u64);
    // Each part's sums are added in order, so that threads change nothing.
    let parts: Vec<Vec<(OnFlop, [u16; 10])>> = boards
        .par_chunks(STRIDE)
        .map(|some| {
            let mut order = StrengthOrder::default();
            let mut found = Vec::with_capacity(some.len());
            for (board, _) in some {
                let number = |flop: Board| flops.index_board(&flop).expect("three of its cards") as u16;
                found.push((sweep.on_board(board, &mut order), flops_of(board.cards()).map(number)));
            }
            progress.advance(some.len() as u64)?;
            Ok(found)
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut totals = vec![OnFlop::default(); num_flops];
    for ((on_board, holds), (_, size)) in parts.into_iter().flatten().zip(&boards) {
        holds.iter().for_each(|&flop| totals[usize::from(flop)].add(&on_board, f64::from(*size)));
    }
    // A class of several flops has met the runouts of all of them.
    let sizes = crate::flops::all_flops();
    Ok(totals.iter().zip(sizes).map(|(total, Flop { weight, .. })| total.divided(weight)).collect())
}

impl OnFlop {
    fn divided(&self, by: f64) -> OnFlop {
        let mut scaled = OnFlop::default();
        scaled.add(self, 1.0 / by);
        scaled
    }
}

/// The ten flops among five cards: each leaves two of them out.
fn flops_of(cards: &[Card]) -> [Board; 10] {
    const LEFT_OUT: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    LEFT_OUT.map(|(a, b)| {
        let kept: Vec<Card> =
            cards.iter().enumerate().filter(|&(at, _)| at != a && at != b).map(|(_, &card)| card).collect();
        Board::new(&kept).expect("three different cards")
    })
}

/// Two ranges, ready to be compared on boards.
struct Sweep {
    weights: PerPlayer<Vec<f64>>,
    combos: Vec<Combo>,
    union: ComboSet,
}

impl Sweep {
    fn new(ranges: &PerPlayer<Range>) -> Sweep {
        let weights =
            ranges.as_ref().map(|range| range.weights().iter().map(|&weight| f64::from(weight)).collect());
        let combos = Combo::all().collect();
        let union = Combo::all().filter(|&combo| ranges.iter().any(|range| range.get(combo) > 0.0)).collect();
        Sweep { weights, combos, union }
    }

    fn on_board(&self, board: &Board, order: &mut StrengthOrder) -> OnFlop {
        order.fill(board.cards().try_into().expect("five cards"), &self.union);
        let mut found = OnFlop::default();
        for player in Player::ALL {
            let (mine, theirs) = (&self.weights[player], &self.weights[player.opponent()]);
            let mut all = BlockerSums::default();
            order
                .combos()
                .iter()
                .for_each(|&combo| all.add(self.combos[usize::from(combo)], theirs[usize::from(combo)]));
            let mut below = BlockerSums::default();
            for (group, _) in order.groups() {
                // Twice what is beaten plus what ties: what is below, and all up to here.
                let worse: Vec<f64> =
                    group.iter().map(|&c| below.without(self.combos[usize::from(c)])).collect();
                group.iter().for_each(|&c| below.add(self.combos[usize::from(c)], theirs[usize::from(c)]));
                for (&combo, worse) in group.iter().zip(worse) {
                    let at = usize::from(combo);
                    if mine[at] == 0.0 {
                        continue;
                    }
                    let upto = below.without(self.combos[at]) + theirs[at];
                    let matchups = all.matchups(self.combos[at], theirs[at]);
                    if matchups <= 0.0 {
                        continue;
                    }
                    let won = (worse + upto) / 2.0;
                    let bin = ((won / matchups * NUM_BINS as f64) as usize).min(NUM_BINS - 1);
                    found.bins[player][bin] += mine[at] * matchups;
                    if player == Player::Oop {
                        found.deals += mine[at] * matchups;
                        found.won += mine[at] * won;
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subset::ranges::{CHOSEN_BY, HELD_OUT};
    use equipoise_equity::{Matchup, Method, Options, Seat, equity};

    #[test]
    fn ranges_treat_suits_alike() {
        for pair in CHOSEN_BY.iter().chain(&HELD_OUT) {
            assert!(
                pair.ranges().iter().all(|range| range.is_suit_symmetric() && !range.is_empty()),
                "{}",
                pair.name
            );
        }
    }

    /// Against the equity crate, which counts each flop on its own.
    #[test]
    fn equities_are_those_of_single_flops() {
        let pair = &CHOSEN_BY[3];
        let found = measure(pair, &mut ()).unwrap();
        let options = Options { method: Method::Exact, ..Options::default() };
        let flops = crate::flops::all_flops();
        for number in (0..flops.len()).step_by(137) {
            let seats = pair.ranges().map(|range| Seat::Range(Box::new(range)));
            let matchup =
                Matchup::new(seats.into_iter().collect(), flops[number].board, Default::default()).unwrap();
            let expected = equity(&matchup, &options, &mut ()).unwrap();
            let OnFlop { deals, bins, .. } = found[number];
            assert!((found[number].equity() - expected.players[0].equity).abs() < 1e-12, "{}", flops[number]);
            assert!(
                (deals - expected.deals as f64).abs() < 1e-6,
                "{} {deals} {}",
                flops[number],
                expected.deals
            );
            for bins in bins {
                assert!((bins.iter().sum::<f64>() / deals - 1.0).abs() < 1e-12);
            }
        }
    }
}
