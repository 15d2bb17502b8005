//! The ends of hands, eight at a time: one lane is one terminal node of the betting tree. Showdowns are worked on sixteen at
//! a time where there are as many.
//!
//! # The showdown
//! Both players' combos are in order of strength and cut into groups of equal strength. With r the opponent's
//! reach, one forward pass keeps the sum of r so far and, for each card, the sum over the combos that hold it:
//!
//! ```text
//! for each group, weakest first
//!     for own combos (a, b):        out  = sum − card[a] − card[b]            what it beats
//!     for the opponent's (a, b):    sum, card[a], card[b] += r
//!     for own combos (a, b):        out += sum − card[a] − card[b]            what it beats or ties
//! for own combos (a, b):            n    = sum − card[a] − card[b] + r[same]  everything
//!                                   cfv  = half · (out + r[same]) + lose · n
//! ```
//!
//! r\[same\] is the opponent's reach with the very same combo, which both cards' sums have taken away (of `out`, only
//! the second time). A win pays 2·half more than a loss and a tie half more, with rake too, since a tie loses half of
//! it. n is what every payment needs that does not depend on the cards; a batch puts it wherever it is wanted.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop, unsafe_code)]

use super::Kernel;
use super::lanes::Lanes;
use super::prefetch::{Ahead, Aside};
use super::rows::Row;

/// Cards of which no combo is real: sums of the first stay 0, the second gets the sum of everything.
const NO_CARD: u8 = 52;
const EVERY_CARD: u8 = 53;

/// A card as the place of its sum, in bytes if a sum is one vector: an address is one instruction away.
#[derive(Clone, Copy, Debug)]
struct CardPlace(u16);

impl CardPlace {
    /// Every place lies within the 64 sums of 32 bytes, which is what reading them relies on.
    fn new(card: u8) -> CardPlace {
        assert!(card < 64);
        CardPlace(32 * u16::from(card))
    }
}

/// A place in the opponent's padded list or just behind it, which only [`Matchup::new`] makes.
#[derive(Clone, Copy, Debug)]
struct SamePlace(u16);

/// A group of combos of equal strength ends here in the own and in the opponent's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub own_end: u16,
    pub opponent_end: u16,
}

/// One player's combos against the other's on one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matchup {
    /// The cards of the own combos, padded to whole rows.
    own: Vec<[CardPlace; 2]>,
    /// The opponent's.
    opponent: Vec<[CardPlace; 2]>,
    /// Where the opponent's list has the same combo, for each of the own combos.
    same: Vec<SamePlace>,
    groups: Vec<Group>,
}

impl Matchup {
    pub(crate) fn new(own: &[[u8; 2]], opponent: &[[u8; 2]], groups: Vec<Group>) -> Matchup {
        let pad = |cards: &[[u8; 2]], padding: [u8; 2]| {
            let mut padded = cards.to_vec();
            padded.resize(cards.len().next_multiple_of(8), padding);
            padded
        };
        let mut place = [u16::MAX; 64 * 64];
        for (at, &[a, b]) in opponent.iter().enumerate() {
            place[usize::from(a) * 64 + usize::from(b)] = at as u16;
        }
        let opponent = pad(opponent, [NO_CARD; 2]);
        let none = opponent.len() as u16;
        let own = pad(own, [NO_CARD, EVERY_CARD]);
        let same = own
            .iter()
            .map(|&[a, b]| place[usize::from(a) * 64 + usize::from(b)].min(none))
            .map(SamePlace)
            .collect();
        let places = |cards: Vec<[u8; 2]>| cards.into_iter().map(|pair| pair.map(CardPlace::new)).collect();
        Matchup { own: places(own), opponent: places(opponent), same, groups }
    }

    pub(crate) fn own_rows(&self) -> usize {
        self.own.len() / 8
    }

    pub(crate) fn opponent_rows(&self) -> usize {
        self.opponent.len() / 8
    }

    /// The opponent's reach with the same combo, by lane.
    #[inline(always)]
    fn same_reach<'a, const B: usize>(&self, opponent: &'a [[Row; B]], same: SamePlace) -> &'a [Row; B] {
        assert!(opponent.len() == self.opponent.len() + 1);
        // SAFETY: a place is at most the length of the opponent's list, and there is one row more than that.
        unsafe { opponent.get_unchecked(usize::from(same.0)) }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.own.len() + 4 * self.opponent.len() + 2 * self.same.len() + 4 * self.groups.len()
    }
}

/// Room for the interleaved vectors of each player, of one or two batches.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneScratch {
    /// The opponent's reaches by combo, and a row of zeros.
    opponent: Vec<Row>,
    own: Vec<Row>,
}

impl LaneScratch {
    pub(crate) fn new(own_rows: usize, opponent_rows: usize) -> LaneScratch {
        let rows = |count: usize| vec![Row::ZERO; MOST_BATCHES * count];
        LaneScratch { opponent: rows(8 * opponent_rows + 1), own: rows(8 * own_rows) }
    }
}

/// Where eight vectors of values go, and what they are multiplied by.
#[derive(Clone, Debug)]
pub(crate) struct Payout {
    pub dest: [u32; 8],
    /// Bit 1 where the lane is added to what the slot holds, 0 where it replaces it.
    pub keep: u8,
    pub factor: Row,
}

/// Eight reaches, and what is paid to all that they meet whatever the cards: folds, what each all-in pays on a tie, and
/// the zero lines of decisions. At most [`MOST_PAYOUTS`] a batch.
#[derive(Clone, Debug)]
pub(crate) struct FoldBatch {
    pub reach: [u32; 8],
    pub payouts: Vec<Payout>,
}

/// Eight all-ins before the river, without what they pay on a tie.
#[derive(Clone, Debug)]
pub(crate) struct RunoutBatch {
    pub reach: [u32; 8],
    /// Half of what is at stake, for each river more that is won than lost.
    pub payout: Payout,
}

/// Eight showdowns, and what is paid to all that their reaches meet.
#[derive(Clone, Debug)]
pub(crate) struct ShowBatch {
    /// Half of what is at stake.
    pub half: Payout,
    pub lose: Row,
    pub folds: FoldBatch,
}

/// How often a batch may pay its lanes whatever the cards.
pub(crate) const MOST_PAYOUTS: usize = 4;

/// How many batches of showdowns are worked on at once: what has to be done for the combos of a board, whatever their
/// reaches, is then done once for both.
pub(crate) const MOST_BATCHES: usize = 2;

/// Sums of reach by card, for each batch. The sum of everything is kept apart: it should stay in a register.
struct CardSums<V, const B: usize> {
    cards: [[V; B]; 64],
}

impl<V: Lanes, const B: usize> CardSums<V, B> {
    #[inline(always)]
    fn new() -> CardSums<V, B> {
        CardSums { cards: [[V::zero(); B]; 64] }
    }

    #[inline(always)]
    fn card(&self, card: CardPlace) -> &[V; B] {
        const { assert!(size_of::<V>() == 32) };
        let start = self.cards.as_ptr().cast::<[u8; B]>();
        // SAFETY: a place is 32 · c for a c below 64, so as many units of B bytes on is where the c-th of 64 sums of
        // 32 · B bytes begins.
        unsafe { &*start.wrapping_add(usize::from(card.0)).cast::<[V; B]>() }
    }

    #[inline(always)]
    fn card_mut(&mut self, card: CardPlace) -> &mut [V; B] {
        let start = self.cards.as_mut_ptr().cast::<[u8; B]>();
        // SAFETY: as in `card`, which asserts the size.
        unsafe { &mut *start.wrapping_add(usize::from(card.0)).cast::<[V; B]>() }
    }

    #[inline(always)]
    fn add(&mut self, cards: [CardPlace; 2], reach: [V; B]) {
        for card in cards {
            let sums = self.card_mut(card);
            for batch in 0..B {
                sums[batch] = sums[batch].add(reach[batch]);
            }
        }
    }

    /// What is left of a batch's total without two cards.
    #[inline(always)]
    fn without(&self, total: &[V; B], [a, b]: [CardPlace; 2], batch: usize) -> V {
        total[batch].sub(self.card(a)[batch]).sub(self.card(b)[batch])
    }
}

/// What a row of each batch holds.
#[inline(always)]
fn load<V: Lanes, const B: usize>(rows: &[Row; B]) -> [V; B] {
    let mut loaded = [V::zero(); B];
    for batch in 0..B {
        loaded[batch] = V::load(&rows[batch]);
    }
    loaded
}

/// Reads eight vectors into interleaved rows of a batch, and asks for what is needed later.
#[inline(always)]
fn interleave<V: Lanes, const B: usize>(
    reach: &[Row],
    slots: &[u32; 8],
    rows: usize,
    to: &mut [[Row; B]],
    batch: usize,
    ahead: &mut Ahead,
) {
    let starts = slots.map(|slot| &reach[slot as usize * rows..][..rows]);
    for (block, to) in to.chunks_exact_mut(8).take(rows).enumerate() {
        ahead.ask();
        let mut lanes = [V::zero(); 8];
        for lane in 0..8 {
            lanes[lane] = V::load(&starts[lane][block]);
        }
        let columns = V::transpose(lanes);
        for at in 0..8 {
            columns[at].store(&mut to[at][batch]);
        }
    }
    V::zero().store(&mut to[8 * rows][batch]);
}

/// Eight slots of values that combos are written to, eight combos of all lanes at a time.
struct Slots {
    starts: [usize; 8],
    rows: usize,
    /// How many values there are, all slots taken together.
    len: usize,
    keep: u8,
}

impl Slots {
    /// Adds to what a slot holds where its bit of `keep` is set, replaces it elsewhere.
    #[inline(always)]
    fn new(values: &[Row], payout: &Payout, rows: usize) -> Slots {
        let starts = payout.dest.map(|slot| slot as usize * rows);
        for lane in 0..8 {
            assert!(starts[lane] + rows <= values.len());
        }
        Slots { starts, rows, len: values.len(), keep: payout.keep }
    }

    /// The slots and factors of every payout of a batch.
    #[inline(always)]
    fn of_folds<V: Lanes>(
        values: &[Row],
        batch: &FoldBatch,
        rows: usize,
    ) -> [Option<(Slots, V)>; MOST_PAYOUTS] {
        assert!(batch.payouts.len() <= MOST_PAYOUTS);
        let mut all = [const { None }; MOST_PAYOUTS];
        for (slots, payout) in all.iter_mut().zip(&batch.payouts) {
            *slots = Some((Slots::new(values, payout, rows), V::load(&payout.factor)));
        }
        all
    }

    /// Puts eight combos of all lanes times the factor.
    #[inline(always)]
    fn put_times<V: Lanes>(&self, values: &mut [Row], block: usize, mut combos: [V; 8], factor: V) {
        for at in 0..8 {
            combos[at] = combos[at].mul(factor);
        }
        self.put(values, block, combos);
    }

    #[inline(always)]
    fn put<V: Lanes>(&self, values: &mut [Row], block: usize, combos: [V; 8]) {
        assert!(block < self.rows && values.len() == self.len);
        let lanes = V::transpose(combos);
        for lane in 0..8 {
            // SAFETY: `new` has seen that these values have `rows` rows from each start on.
            let row = unsafe { values.get_unchecked_mut(self.starts[lane] + block) };
            let value = if self.keep >> lane & 1 == 0 { lanes[lane] } else { V::load(row).add(lanes[lane]) };
            value.store(row);
        }
    }
}

/// See [`FoldBatch`].
pub(crate) struct Fold<'a> {
    pub matchup: &'a Matchup,
    pub batch: &'a FoldBatch,
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
    pub scratch: &'a mut LaneScratch,
    pub ahead: Ahead,
}

impl Kernel for Fold<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Fold { matchup, batch, reach, values, scratch, mut ahead } = self;
        let (own_rows, opponent_rows) = (matchup.own_rows(), matchup.opponent_rows());
        let opponent = &mut scratch.opponent.as_chunks_mut::<1>().0[..=8 * opponent_rows];
        interleave::<V, 1>(reach, &batch.reach, opponent_rows, opponent, 0, &mut ahead);
        let opponent = &*opponent;
        let (mut sums, mut total) = (CardSums::<V, 1>::new(), [V::zero()]);
        take_in(&matchup.opponent, opponent, &mut sums, &mut total);
        sums.cards[usize::from(EVERY_CARD)] = total;
        let payouts = Slots::of_folds::<V>(values, batch, own_rows);
        let own = matchup.own.chunks_exact(8).zip(matchup.same.chunks_exact(8));
        for (block, (cards, same)) in own.enumerate() {
            let mut all = [V::zero(); 8];
            for at in 0..8 {
                let [same] = load::<V, 1>(matchup.same_reach(opponent, same[at]));
                all[at] = sums.without(&total, cards[at], 0).add(same);
            }
            for (slots, factor) in payouts.iter().flatten() {
                slots.put_times(values, block, all, *factor);
            }
        }
    }
}

/// One or two batches of showdowns. See [`ShowBatch`].
pub(crate) struct Showdown<'a> {
    pub matchup: &'a Matchup,
    pub batches: &'a [ShowBatch],
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
    pub scratch: &'a mut LaneScratch,
    pub ahead: Ahead,
}

impl Showdown<'_> {
    #[inline(always)]
    fn body<V: Lanes, const B: usize>(self, batches: &[ShowBatch; B]) {
        let Showdown { matchup, reach, values, scratch, mut ahead, .. } = self;
        let (own_rows, opponent_rows) = (matchup.own_rows(), matchup.opponent_rows());
        let opponent = &mut scratch.opponent.as_chunks_mut::<B>().0[..=8 * opponent_rows];
        for batch in 0..B {
            let slots = &batches[batch].folds.reach;
            interleave::<V, B>(reach, slots, opponent_rows, opponent, batch, &mut ahead);
        }
        let opponent = &*opponent;
        let out = &mut scratch.own.as_chunks_mut::<B>().0[..8 * own_rows];
        let mut sums = CardSums::<V, B>::new();
        let total = sweep::<V, B>(matchup, opponent, out, &mut sums);
        sums.cards[usize::from(EVERY_CARD)] = total;
        for batch in 0..B {
            let ShowBatch { half, lose, folds } = &batches[batch];
            let slots = Slots::new(values, half, own_rows);
            let payouts = Slots::of_folds::<V>(values, folds, own_rows);
            let (half, lose) = (V::load(&half.factor), V::load(lose));
            let own = matchup.own.chunks_exact(8).zip(matchup.same.chunks_exact(8)).zip(out.chunks_exact(8));
            for (block, ((cards, same), out)) in own.enumerate() {
                let (mut all, mut combos) = ([V::zero(); 8], [V::zero(); 8]);
                for at in 0..8 {
                    let same = V::load(&matchup.same_reach(opponent, same[at])[batch]);
                    all[at] = sums.without(&total, cards[at], batch).add(same);
                    combos[at] = V::load(&out[at][batch]).add(same).mul_add(half, all[at].mul(lose));
                }
                slots.put(values, block, combos);
                for (slots, factor) in payouts.iter().flatten() {
                    slots.put_times(values, block, all, *factor);
                }
            }
        }
    }
}

impl Kernel for Showdown<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        match self.batches {
            [one] => self.body::<V, 1>(std::array::from_ref(one)),
            batches => {
                let two: &[ShowBatch; MOST_BATCHES] = batches.try_into().expect("one or two batches");
                self.body::<V, MOST_BATCHES>(two);
            }
        }
    }
}

/// Adds reaches of combos to the sums.
#[inline(always)]
fn take_in<V: Lanes, const B: usize>(
    combos: &[[CardPlace; 2]],
    reach: &[[Row; B]],
    sums: &mut CardSums<V, B>,
    total: &mut [V; B],
) {
    for (&cards, reach) in combos.iter().zip(reach) {
        let reach = load::<V, B>(reach);
        for batch in 0..B {
            total[batch] = total[batch].add(reach[batch]);
        }
        sums.add(cards, reach);
    }
}

/// The forward pass; returns the sum over everything and leaves those by card.
#[inline(always)]
fn sweep<V: Lanes, const B: usize>(
    matchup: &Matchup,
    opponent: &[[Row; B]],
    out: &mut [[Row; B]],
    sums: &mut CardSums<V, B>,
) -> [V; B] {
    let mut total = [V::zero(); B];
    let (mut own_start, mut opponent_start) = (0, 0);
    for group in &matchup.groups {
        let (own_end, opponent_end) = (usize::from(group.own_end), usize::from(group.opponent_end));
        let own = &matchup.own[own_start..own_end];
        let out = &mut out[own_start..own_end];
        if opponent_start == opponent_end {
            // Nobody to tie with: what it beats, twice.
            for (&cards, out) in own.iter().zip(out) {
                for batch in 0..B {
                    let beaten = sums.without(&total, cards, batch);
                    beaten.add(beaten).store(&mut out[batch]);
                }
            }
            own_start = own_end;
            continue;
        }
        for (&cards, out) in own.iter().zip(out.iter_mut()) {
            for batch in 0..B {
                sums.without(&total, cards, batch).store(&mut out[batch]);
            }
        }
        let theirs = opponent_start..opponent_end;
        take_in(&matchup.opponent[theirs.clone()], &opponent[theirs], sums, &mut total);
        for (&cards, out) in own.iter().zip(out) {
            for batch in 0..B {
                let beaten_or_tied = sums.without(&total, cards, batch);
                V::load(&out[batch]).add(beaten_or_tied).store(&mut out[batch]);
            }
        }
        (own_start, opponent_start) = (own_end, opponent_end);
    }
    let rest = opponent_start..matchup.opponent.len();
    take_in(&matchup.opponent[rest.clone()], &opponent[rest], sums, &mut total);
    for out in &mut out[own_start..] {
        *out = [Row::ZERO; B];
    }
    total
}

/// Eight all-ins before the river. `matrix` has, for each own combo, rows of rivers won less rivers lost against each of
/// the opponent's combos.
pub(crate) struct Runout<'a> {
    pub matrix: &'a [[i16; 8]],
    pub own_rows: usize,
    pub opponent_rows: usize,
    pub batch: &'a RunoutBatch,
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
}

impl Kernel for Runout<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Runout { matrix, own_rows, opponent_rows, batch, reach, values } = self;
        if opponent_rows == 0 {
            return;
        }
        let half = V::load(&batch.payout.factor);
        let slots = Slots::new(values, &batch.payout, own_rows);
        let reach = batch.reach.map(|slot| &reach[slot as usize * opponent_rows..][..opponent_rows]);
        for (block, rows) in matrix.chunks_exact(8 * opponent_rows).enumerate() {
            let mut combos = [V::zero(); 8];
            for (combo, row) in combos.iter_mut().zip(rows.chunks_exact(opponent_rows)) {
                let mut sums = [V::zero(); 8];
                for (at, counts) in row.iter().enumerate() {
                    let counts = V::load_shorts(counts);
                    for lane in 0..8 {
                        sums[lane] = counts.mul_add(V::load(&reach[lane][at]), sums[lane]);
                    }
                }
                let columns = V::transpose(sums);
                let mut sum = columns[0];
                for at in 1..8 {
                    sum = sum.add(columns[at]);
                }
                *combo = sum.mul(half);
            }
            slots.put(values, block, combos);
        }
    }
}
