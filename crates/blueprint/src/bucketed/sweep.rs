//! The values of terminal nodes, for all own combos at once.
//!
//! The matchup count of an own combo is the opponent's reach less that of both cards, plus that of the same combo, which was
//! subtracted twice. At a showdown one sweep over the groups of equal strength, weakest first, accumulates these counts:
//! wins W before a group, W + T with the ties after it, N at the end. A hand pays win · W + tie · T + lose · (N − W − T).
//! Several terminals are swept together, one in each lane.

use equipoise_cards::Card;
use equipoise_game::{Player, Terminal};

use crate::bucketed::deal::{Deal, Hands};

/// Terminals that are swept together.
pub(crate) const LANES: usize = 4;

type Lanes = [f64; LANES];

/// Terminals of one kind, one in each lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminals {
    len: usize,
    reach: [usize; LANES],
    to: [usize; LANES],
    /// Factors of W, of W + T and of N.
    wins: Lanes,
    wins_and_ties: Lanes,
    matchups: Lanes,
}

impl Terminals {
    /// Adds a terminal with the slot of its reach and the slot of its values.
    pub(crate) fn push(&mut self, reach: usize, to: usize, end: &Terminal, traverser: Player) {
        let at = self.len;
        (self.reach[at], self.to[at]) = (reach, to);
        match end.folded() {
            Some(folded) => self.matchups[at] = if folded == traverser { end.lose() } else { end.win() },
            None => {
                self.wins[at] = end.win() - end.tie();
                self.wins_and_ties[at] = end.tie() - end.lose();
                self.matchups[at] = end.lose();
            }
        }
        self.len += 1;
    }
}

/// Scratch for a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepScratch {
    reach: Vec<Lanes>,
    values: Vec<Lanes>,
}

/// Sums of reach: the total, and by card.
struct Sums {
    total: Lanes,
    cards: [Lanes; Card::COUNT],
}

impl Sums {
    const EMPTY: Sums = Sums { total: [0.0; LANES], cards: [[0.0; LANES]; Card::COUNT] };

    #[inline]
    fn add(&mut self, [low, high]: [u8; 2], reach: &Lanes) {
        for (sum, reach) in self.total.iter_mut().zip(reach) {
            *sum += reach;
        }
        for card in [low, high] {
            for (sum, reach) in self.cards[usize::from(card)].iter_mut().zip(reach) {
                *sum += reach;
            }
        }
    }

    /// The total without both cards; a combo of both is subtracted twice.
    #[inline]
    fn without(&self, [low, high]: [u8; 2]) -> Lanes {
        let (low, high) = (&self.cards[usize::from(low)], &self.cards[usize::from(high)]);
        std::array::from_fn(|lane| self.total[lane] - low[lane] - high[lane])
    }

    /// The matchup count of the own combo at an index, after the same combo of the opponent was added.
    #[inline]
    fn matchups(&self, ours: &Hands, at: usize, reach: &[Lanes]) -> Lanes {
        let mut matchups = self.without(ours.cards[at]);
        if let Some(same) = ours.same[at] {
            add(&mut matchups, &reach[same.get()]);
        }
        matchups
    }
}

#[inline]
fn scaled(sum: &Lanes, factor: &Lanes) -> Lanes {
    std::array::from_fn(|lane| sum[lane] * factor[lane])
}

#[inline]
fn add(values: &mut Lanes, more: &Lanes) {
    values.iter_mut().zip(more).for_each(|(value, more)| *value += more);
}

/// Fills the values of showdowns. `reaches` and `values` have slots of as many numbers as the players have combos.
pub(crate) fn show(
    terminals: &Terminals,
    deal: &Deal,
    own: Player,
    reaches: &[f64],
    values: &mut [f64],
    scratch: &mut SweepScratch,
) {
    let (ours, theirs) = (deal.hands(own), deal.hands(own.opponent()));
    scratch.load(terminals, theirs, ours, reaches);
    let SweepScratch { reach, values: found } = scratch;
    let mut sums = Sums::EMPTY;
    let [mut at, mut other] = [0; 2];
    for group in &deal.groups {
        let (end, other_end) = (group[own], group[own.opponent()]);
        for (found, cards) in found[at..end].iter_mut().zip(&ours.cards[at..end]) {
            *found = scaled(&sums.without(*cards), &terminals.wins);
        }
        for (reach, cards) in reach[other..other_end].iter().zip(&theirs.cards[other..other_end]) {
            sums.add(*cards, reach);
        }
        for (offset, found) in found[at..end].iter_mut().enumerate() {
            add(found, &scaled(&sums.matchups(ours, at + offset, reach), &terminals.wins_and_ties));
        }
        (at, other) = (end, other_end);
    }
    for (at, found) in found.iter_mut().enumerate() {
        add(found, &scaled(&sums.matchups(ours, at, reach), &terminals.matchups));
    }
    scratch.store(terminals, values);
}

/// Fills the values where somebody has folded.
pub(crate) fn fold(
    terminals: &Terminals,
    deal: &Deal,
    own: Player,
    reaches: &[f64],
    values: &mut [f64],
    scratch: &mut SweepScratch,
) {
    let (ours, theirs) = (deal.hands(own), deal.hands(own.opponent()));
    scratch.load(terminals, theirs, ours, reaches);
    let SweepScratch { reach, values: found } = scratch;
    let mut sums = Sums::EMPTY;
    for (cards, reach) in theirs.cards.iter().zip(&*reach) {
        sums.add(*cards, reach);
    }
    for (at, found) in found.iter_mut().enumerate() {
        *found = scaled(&sums.matchups(ours, at, reach), &terminals.matchups);
    }
    scratch.store(terminals, values);
}

impl SweepScratch {
    /// Interleaves the reaches of all lanes.
    fn load(&mut self, terminals: &Terminals, theirs: &Hands, ours: &Hands, reaches: &[f64]) {
        let num_combos = theirs.len();
        self.values.resize(ours.len(), [0.0; LANES]);
        self.reach.resize(num_combos, [0.0; LANES]);
        for lane in 0..LANES {
            // Unused lanes repeat the first one and are never read.
            let slot = terminals.reach[if lane < terminals.len { lane } else { 0 }];
            let reach = &reaches[slot * num_combos..][..num_combos];
            for (lanes, reach) in self.reach.iter_mut().zip(reach) {
                lanes[lane] = *reach;
            }
        }
    }

    /// Writes the lanes to their slots.
    fn store(&self, terminals: &Terminals, values: &mut [f64]) {
        let num_combos = self.values.len();
        for (lane, &slot) in terminals.to[..terminals.len].iter().enumerate() {
            let to = &mut values[slot * num_combos..][..num_combos];
            for (value, lanes) in to.iter_mut().zip(&self.values) {
                *value = lanes[lane];
            }
        }
    }
}
