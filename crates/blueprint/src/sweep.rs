//! What the ends of hands are worth, for all own combos at once.
//!
//! The opponent's reach that an own combo can meet is all of it less that of both cards, plus that of the same combo,
//! which was taken away twice. At a showdown one sweep over the groups of equal strength, weakest first, keeps these
//! sums of what is beaten so far: W before a group, W + T behind it, N at the end. A hand pays
//! win · W + tie · T + lose · (N − W − T). Several ends are swept together, one in each lane.

use equipoise_cards::Card;
use equipoise_game::{Player, Terminal};

use crate::deal::{Deal, Hands};

/// Ends of hands that are swept together.
pub(crate) const LANES: usize = 4;

type Lanes = [f64; LANES];

/// Ends of hands of one kind, one in each lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    len: usize,
    reach: [usize; LANES],
    to: [usize; LANES],
    /// Factors of W, of W + T and of N.
    beaten: Lanes,
    tied: Lanes,
    met: Lanes,
}

impl Ends {
    /// Adds an end with the slot of its reach and the slot of its values.
    pub(crate) fn push(&mut self, reach: usize, to: usize, end: &Terminal, traverser: Player) {
        let at = self.len;
        (self.reach[at], self.to[at]) = (reach, to);
        match end.folded() {
            Some(folded) => self.met[at] = if folded == traverser { end.lose() } else { end.win() },
            None => {
                self.beaten[at] = end.win() - end.tie();
                self.tied[at] = end.tie() - end.lose();
                self.met[at] = end.lose();
            }
        }
        self.len += 1;
    }
}

/// Room for a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepScratch {
    reach: Vec<Lanes>,
    values: Vec<Lanes>,
}

/// Reach so far: of everything, and by card.
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

    /// Everything without both cards; what has them both is taken away twice.
    #[inline]
    fn without(&self, [low, high]: [u8; 2]) -> Lanes {
        let (low, high) = (&self.cards[usize::from(low)], &self.cards[usize::from(high)]);
        std::array::from_fn(|lane| self.total[lane] - low[lane] - high[lane])
    }

    /// What the own combo at a place can meet, after the same combo of the opponent was added.
    #[inline]
    fn met(&self, ours: &Hands, place: usize, reach: &[Lanes]) -> Lanes {
        let mut met = self.without(ours.cards[place]);
        if let Some(same) = reach.get(ours.same[place] as usize) {
            add(&mut met, same);
        }
        met
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
    ends: &Ends,
    deal: &Deal,
    own: Player,
    reaches: &[f64],
    values: &mut [f64],
    scratch: &mut SweepScratch,
) {
    let (ours, theirs) = (deal.hands(own), deal.hands(own.opponent()));
    scratch.load(ends, theirs, ours, reaches);
    let SweepScratch { reach, values: found } = scratch;
    let mut sums = Sums::EMPTY;
    let [mut at, mut other] = [0; 2];
    for group in &deal.groups {
        let (end, other_end) = (group[own.index()], group[own.opponent().index()]);
        for (found, cards) in found[at..end].iter_mut().zip(&ours.cards[at..end]) {
            *found = scaled(&sums.without(*cards), &ends.beaten);
        }
        for (reach, cards) in reach[other..other_end].iter().zip(&theirs.cards[other..other_end]) {
            sums.add(*cards, reach);
        }
        for (place, found) in found[at..end].iter_mut().enumerate() {
            add(found, &scaled(&sums.met(ours, at + place, reach), &ends.tied));
        }
        (at, other) = (end, other_end);
    }
    for (place, found) in found.iter_mut().enumerate() {
        add(found, &scaled(&sums.met(ours, place, reach), &ends.met));
    }
    scratch.store(ends, values);
}

/// Fills the values where somebody has folded.
pub(crate) fn fold(
    ends: &Ends,
    deal: &Deal,
    own: Player,
    reaches: &[f64],
    values: &mut [f64],
    scratch: &mut SweepScratch,
) {
    let (ours, theirs) = (deal.hands(own), deal.hands(own.opponent()));
    scratch.load(ends, theirs, ours, reaches);
    let SweepScratch { reach, values: found } = scratch;
    let mut sums = Sums::EMPTY;
    for (cards, reach) in theirs.cards.iter().zip(&*reach) {
        sums.add(*cards, reach);
    }
    for (place, found) in found.iter_mut().enumerate() {
        *found = scaled(&sums.met(ours, place, reach), &ends.met);
    }
    scratch.store(ends, values);
}

impl SweepScratch {
    /// Puts the reaches of all lanes side by side, and makes room for the values.
    fn load(&mut self, ends: &Ends, theirs: &Hands, ours: &Hands, reaches: &[f64]) {
        let num_combos = theirs.len();
        self.values.resize(ours.len(), [0.0; LANES]);
        self.reach.resize(num_combos, [0.0; LANES]);
        for lane in 0..LANES {
            // Lanes without an end repeat the first one's, and nobody reads them.
            let slot = ends.reach[if lane < ends.len { lane } else { 0 }];
            let reach = &reaches[slot * num_combos..][..num_combos];
            for (lanes, reach) in self.reach.iter_mut().zip(reach) {
                lanes[lane] = *reach;
            }
        }
    }

    /// Puts the lanes into their slots.
    fn store(&self, ends: &Ends, values: &mut [f64]) {
        let num_combos = self.values.len();
        for (lane, &slot) in ends.to[..ends.len].iter().enumerate() {
            let to = &mut values[slot * num_combos..][..num_combos];
            for (value, lanes) in to.iter_mut().zip(&self.values) {
                *value = lanes[lane];
            }
        }
    }
}
