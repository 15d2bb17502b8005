//! Exact counts: the cheapest of three ways.

use equipoise_cards::CardSet;
use equipoise_progress::Observer;

use crate::matchup::Matchup;
use crate::options::EquityError;
use crate::symmetry::Symmetry;
use crate::totals::Totals;
use crate::{enumerate, sweep, tuples};

/// A way to count every deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One class of combo choices at a time, by ranks: before the flop only.
    Tuples,
    /// One board at a time, both ranges in order of strength: two players only.
    Sweep,
    /// One board at a time, every choice of combos.
    Enumerate,
}

/// Seconds of one core, measured; only their ratios matter.
mod cost {
    /// To find the class of one choice.
    pub(super) const CHOICE: f64 = 60e-9;
    /// To count a class of choices, for two players and for each player more.
    pub(super) const CLASS: f64 = 35e-6;
    pub(super) const CLASS_MULTIWAY: f64 = 100e-6;
    pub(super) const CLASS_PLAYER: f64 = 15e-6;
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
        let num_players = sizes.len();
        let choices: f64 = sizes.iter().product();
        let boards = symmetry.num_boards(matchup);
        let mut ways = vec![(Way::Enumerate, boards * (cost::RANK + choices * cost::COMPARE))];
        if num_players == 2 {
            let swept = sizes.iter().sum::<f64>() * cost::SWEPT_COMBO;
            ways.push((Way::Sweep, boards * (cost::ORDER + swept)));
        }
        if matchup.num_to_come() == 5 && choices <= MAX_CHOICES {
            let class = match num_players {
                2 => cost::CLASS,
                _ => cost::CLASS_MULTIWAY + num_players as f64 * cost::CLASS_PLAYER,
            };
            let classes = (choices / symmetry.order() as f64 * 1.25).min(choices);
            let finding = choices * cost::CHOICE * symmetry.order() as f64 / 8.0;
            ways.push((Way::Tuples, finding + classes * class));
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
            Way::Tuples => tuples::count(matchup, symmetry, empty, observer),
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
