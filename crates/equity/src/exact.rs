//! Exact counts: the cheapest of three ways.

use std::collections::BTreeSet;

use equipoise_cards::{CardSet, Range, SuitPermutation};
use equipoise_progress::Observer;

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::symmetry::Symmetry;
use crate::totals::Totals;
use crate::{enumerate, sweep, tuples};

/// A way to count every deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One class of combo choices at a time, by the ranks that they hold: before the flop only.
    Tuples,
    /// One board at a time, both ranges in order of strength: two players only.
    Sweep,
    /// One board at a time, every choice of combos.
    Enumerate,
}

/// Seconds of one core, measured; only their ratios matter.
mod cost {
    /// To find the class of one choice, and to add up a class.
    pub(super) const CHOICE: f64 = 40e-9;
    pub(super) const CLASS: f64 = 1e-6;
    /// To count choices of the same ranks without flushes, and the flushes of a suit, for two players.
    pub(super) const RANKS: f64 = 30e-6;
    pub(super) const SUIT: f64 = 20e-6;
    /// The same for more players, and for each of them.
    pub(super) const RANKS_MULTIWAY: f64 = 20e-6;
    pub(super) const SUIT_MULTIWAY: f64 = 25e-6;
    pub(super) const PLAYER: f64 = 5e-6;
    /// To order a board and to sweep over one combo.
    pub(super) const ORDER: f64 = 1e-6;
    pub(super) const SWEPT_COMBO: f64 = 3.5e-9;
    /// To rank a board and to compare one choice.
    pub(super) const RANK: f64 = 0.2e-6;
    pub(super) const COMPARE: f64 = 1.2e-9;
}

/// The most choices that are kept in memory for finding their classes.
const MAX_CHOICES: f64 = 400_000.0;

/// An exact count of a matchup: the cheapest way, and what it costs in seconds of one core.
#[derive(Clone, Debug)]
pub(crate) struct ExactCount {
    way: Way,
    symmetry: Symmetry,
    pub(crate) seconds: f64,
}

impl ExactCount {
    pub(crate) fn new(matchup: &Matchup) -> ExactCount {
        let symmetry = Symmetry::of(matchup);
        let sizes: Vec<f64> = matchup.ranges().iter().map(|range| range.num_combos() as f64).collect();
        let choices: f64 = sizes.iter().product();
        let boards = symmetry.num_boards(matchup);
        let mut ways = vec![(Way::Enumerate, boards * (cost::RANK + choices * cost::COMPARE))];
        if let [_, _] = sizes[..] {
            let swept = sizes.iter().sum::<f64>() * cost::SWEPT_COMBO;
            ways.push((Way::Sweep, boards * (cost::ORDER + swept)));
        }
        if matchup.num_to_come() == 5 && choices <= MAX_CHOICES {
            ways.push((Way::Tuples, tuples_seconds(matchup, choices)));
        }
        let (way, seconds) =
            ways.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("one way is always open");
        ExactCount { way, symmetry, seconds }
    }

    /// Counts every deal.
    pub(crate) fn count(
        &self,
        matchup: &Matchup,
        empty: &Totals,
        observer: &mut dyn Observer,
    ) -> Result<Totals, EquityError> {
        self.way.count(matchup, &self.symmetry, empty, observer)
    }
}

/// Suits that choices of the same ranks have on average, as flushes see them: each of a few is seen by many choices.
const SUITS: f64 = 3.0;
const MOST_SUITS: f64 = 12.0;

/// What it takes to count choices of combos by the ranks that they hold.
fn tuples_seconds(matchup: &Matchup, choices: f64) -> f64 {
    let num_ranks = |range: &Range| {
        let ranks = range.iter().map(|(combo, _)| (combo.low().rank(), combo.high().rank()));
        ranks.collect::<BTreeSet<_>>().len() as f64
    };
    let ranks = matchup.ranges().iter().map(num_ranks).product::<f64>().min(choices);
    // Suits can be exchanged in 24 ways, some of which change nothing.
    let classes = (choices / SuitPermutation::COUNT as f64 * 1.25).max(ranks);
    let players = matchup.ranges().len() as f64;
    let (of_ranks, of_suit) = match matchup.ranges().len() {
        2 => (cost::RANKS, cost::SUIT),
        _ => (cost::RANKS_MULTIWAY + players * cost::PLAYER, cost::SUIT_MULTIWAY + players * cost::PLAYER),
    };
    let suits = (SUITS * classes).min(MOST_SUITS * ranks);
    choices * cost::CHOICE + classes * cost::CLASS + ranks * of_ranks + suits * of_suit
}

impl Way {
    /// Counts every deal this way.
    fn count(
        self,
        matchup: &Matchup,
        symmetry: &Symmetry,
        empty: &Totals,
        observer: &mut dyn Observer,
    ) -> Result<Totals, EquityError> {
        match self {
            Way::Tuples => tuples::count(matchup, empty, observer),
            Way::Sweep => sweep::count(matchup, symmetry, empty, observer),
            Way::Enumerate => enumerate::count(matchup, symmetry, empty, observer),
        }
    }
}

/// How many deals there are, each counted once whatever its weight.
pub(crate) fn num_deals(matchup: &Matchup) -> u128 {
    u128::from(num_choices(matchup)) * u128::from(matchup.num_runouts())
}

/// How many choices of one combo for each player share no card.
fn num_choices(matchup: &Matchup) -> u64 {
    let mut ranges: Vec<Vec<CardSet>> =
        matchup.ranges().iter().map(|range| range.iter().map(|(combo, _)| combo.cards()).collect()).collect();
    ranges.sort_by_key(Vec::len);
    fn go(ranges: &[Vec<CardSet>], used: CardSet) -> u64 {
        match ranges {
            [] => 1,
            [last] => last.iter().filter(|cards| !cards.intersects(used)).count() as u64,
            [first, rest @ ..] => first
                .iter()
                .filter(|cards| !cards.intersects(used))
                .map(|&cards| go(rest, used | cards))
                .sum(),
        }
    }
    go(&ranges, CardSet::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matchup::Seat;

    /// Every way gives the same sums, whatever the suits, weights, board and dead cards.
    #[test]
    fn ways_agree() {
        let cases: &[(&[&str], &str, &str)] = &[
            (&["AA,KQs", "AKs,QQ"], "", ""),
            (&["AsKs,AhKh,QdQc:0.5", "AKo:0.25,77"], "", "Ad7c"),
            (&["AhKh,AdKd:0.5,QdQc", "JTs:0.25,AsKc"], "", ""),
            (&["QsJs,AA", "T9s,AK"], "Td9d6h", "2c"),
            (&["AsKs,QQ", "random"], "Td9d6hQc", ""),
            (&["22+,A2s+:0.3", "77+,ATs+"], "Td9d6hQc2h", "3d"),
            (&["AA,KK", "AK,QQ:0.5", "AKs,76s"], "Ks8d3c", ""),
        ];
        for &(players, board, dead) in cases {
            let seats: Vec<Seat> = players.iter().map(|text| text.parse().unwrap()).collect();
            let matchup = Matchup::new(seats, board.parse().unwrap(), dead.parse().unwrap()).unwrap();
            let symmetry = Symmetry::of(&matchup);
            let mut ways = vec![Way::Enumerate];
            ways.extend((players.len() == 2).then_some(Way::Sweep));
            ways.extend(board.is_empty().then_some(Way::Tuples));
            let found: Vec<Totals> = ways
                .iter()
                .map(|way| {
                    way.count(&matchup, &symmetry, &Totals::new(players.len(), true), &mut ()).unwrap()
                })
                .collect();
            for totals in &found[1..] {
                for (a, b) in found[0].outcomes().iter().zip(totals.outcomes()) {
                    assert_eq!(a.winners, b.winners);
                    assert!((a.weight / b.weight - 1.0).abs() < 1e-12, "{players:?} {a:?} {b:?}");
                }
                let combos = || matchup.ranges().iter().map(equipoise_cards::Range::num_combos);
                for (a, b) in found[0].players(combos(), None).iter().zip(totals.players(combos(), None)) {
                    assert_eq!(a.by_combo.len(), b.by_combo.len());
                    for (a, b) in a.by_combo.iter().zip(&b.by_combo) {
                        assert_eq!(a.combo, b.combo);
                        assert!((a.equity - b.equity).abs() < 1e-12 && (a.tie - b.tie).abs() < 1e-12);
                        assert!((a.probability - b.probability).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
