//! Which way to count, by estimated cost.

use crate::matchup::Matchup;
use crate::options::{EquityError, Observer};
use crate::symmetry::Symmetry;
use crate::totals::Totals;
use crate::{enumerate, sweep, tuples};

/// A way to count every deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// One class of combo choices at a time, by ranks: before the flop only.
    Tuples,
    /// One board at a time, both ranges in order of strength: two players only.
    Sweep,
    /// One board at a time, every choice of combos.
    Enumerate,
}

/// How long one core needs, in seconds, from measurements; only their order matters much.
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
    /// To rank a board and to look at one choice.
    pub(super) const RANK: f64 = 0.2e-6;
    pub(super) const LOOK: f64 = 1.2e-9;
}

/// The most choices that are kept in memory for finding their classes.
const MAX_CHOICES: f64 = 400_000.0;

/// The cheapest way and what it costs in seconds of one core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) way: Way,
    pub(crate) seconds: f64,
}

impl Plan {
    pub(crate) fn new(matchup: &Matchup, symmetry: &Symmetry) -> Plan {
        let sizes: Vec<f64> = matchup.ranges().iter().map(|range| range.num_combos() as f64).collect();
        let num_players = sizes.len();
        let choices: f64 = sizes.iter().product();
        let boards = symmetry.num_boards(matchup);
        let mut plans =
            vec![Plan { way: Way::Enumerate, seconds: boards * (cost::RANK + choices * cost::LOOK) }];
        if num_players == 2 {
            let swept = sizes.iter().sum::<f64>() * cost::SWEPT_COMBO;
            plans.push(Plan { way: Way::Sweep, seconds: boards * (cost::ORDER + swept) });
        }
        if matchup.num_to_come() == 5 && choices <= MAX_CHOICES {
            let class = match num_players {
                2 => cost::CLASS,
                _ => cost::CLASS_MULTIWAY + num_players as f64 * cost::CLASS_PLAYER,
            };
            let classes = (choices / symmetry.order() as f64 * 1.25).min(choices);
            let finding = choices * cost::CHOICE * symmetry.order() as f64 / 8.0;
            plans.push(Plan { way: Way::Tuples, seconds: finding + classes * class });
        }
        plans.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there is at least one way")
    }
}

impl Way {
    /// Counts every deal this way.
    pub(crate) fn count(
        self,
        matchup: &Matchup,
        symmetry: &Symmetry,
        empty: &Totals,
        observer: &dyn Observer,
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
    use equipoise_cards::CardSet;
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
