//! Terminal nodes of the betting tree, eight at a time, one per lane. Showdowns are computed sixteen at a time where there
//! are enough.
//!
//! # The showdown
//! Both players' combos are in order of strength and cut into groups of equal strength. With r the opponent's reach, one
//! forward sweep accumulates the sum of r and, for each card, the sum over the combos that hold it:
//!
//! ```text
//! for each group, weakest first
//!     for own combos (a, b):        out  = sum − card[a] − card[b]            wins
//!     for the opponent's (a, b):    sum, card[a], card[b] += r
//!     for own combos (a, b):        out += sum − card[a] − card[b]            wins and ties
//! for own combos (a, b):            n    = sum − card[a] − card[b] + r[same]  matchup count
//!                                   cfv  = half · (out + r[same]) + lose · n
//! ```
//!
//! r\[same\] is the opponent's reach with the same combo, which was subtracted with both cards (in `out`, only the second
//! time). A win pays 2·half more than a loss and a tie half more, with rake too, since a tie loses half of it. Payments
//! that do not depend on the cards are proportional to the matchup count n.

// Closures over lanes are not always compiled for the instructions of their caller; loops are.
#![allow(clippy::needless_range_loop, unsafe_code)]

mod ties;

pub(crate) use ties::Ties;

use super::Kernel;
#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Sixteen;
use super::lanes::{Apart, BatchSums, LaneSums, Lanes};
use super::prefetch::{PrefetchStream, RowPrefetch};
use super::rows::{ListIndex, Row};

/// Cards of padding: the sum of the first stays 0, the second gets the total.
const NO_CARD: u8 = 52;
const EVERY_CARD: u8 = 53;
/// Cards with a sum.
const NUM_SUMS: usize = 54;

/// A card as the offset of its sum, in bytes if a sum is one vector, so that its address takes one instruction.
#[derive(Clone, Copy, Debug)]
struct CardOffset(u16);

impl CardOffset {
    /// Every offset lies within the sums of 32 bytes, which reading them relies on.
    fn new(card: u8) -> CardOffset {
        assert!(usize::from(card) < NUM_SUMS);
        CardOffset(32 * u16::from(card))
    }
}

/// An index into the opponent's padded list or just behind it, which only [`Matchup::new`] makes.
#[derive(Clone, Copy, Debug)]
struct SameCombo(ListIndex);

/// The end of a group of combos of equal strength in the own and in the opponent's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub own_end: ListIndex,
    pub opponent_end: ListIndex,
}

/// One player's combos against the other's on one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matchup {
    /// The cards of the own combos, padded to whole rows.
    own: Vec<[CardOffset; 2]>,
    /// The opponent's.
    opponent: Vec<[CardOffset; 2]>,
    /// For each own combo, the same combo in the opponent's list.
    same: Vec<SameCombo>,
    groups: Vec<Group>,
}

impl Matchup {
    pub(crate) fn new(own: &[[u8; 2]], opponent: &[[u8; 2]], groups: Vec<Group>) -> Matchup {
        let pad = |cards: &[[u8; 2]], padding: [u8; 2]| {
            let mut padded = cards.to_vec();
            padded.resize(cards.len().next_multiple_of(8), padding);
            padded
        };
        let mut indices = [None; 64 * 64];
        for (at, &[a, b]) in opponent.iter().enumerate() {
            indices[usize::from(a) * 64 + usize::from(b)] = Some(ListIndex::new(at));
        }
        let opponent = pad(opponent, [NO_CARD; 2]);
        let none = ListIndex::new(opponent.len());
        let own = pad(own, [NO_CARD, EVERY_CARD]);
        let same = own
            .iter()
            .map(|&[a, b]| SameCombo(indices[usize::from(a) * 64 + usize::from(b)].unwrap_or(none)))
            .collect();
        let offsets = |cards: Vec<[u8; 2]>| cards.into_iter().map(|pair| pair.map(CardOffset::new)).collect();
        Matchup { own: offsets(own), opponent: offsets(opponent), same, groups }
    }

    pub(crate) fn own_rows(&self) -> usize {
        self.own.len() / 8
    }

    pub(crate) fn opponent_rows(&self) -> usize {
        self.opponent.len() / 8
    }

    /// The opponent's reach with the same combo, by lane.
    #[inline(always)]
    fn same_reach<'a, const B: usize>(&self, opponent: &'a [[Row; B]], same: SameCombo) -> &'a [Row; B] {
        assert!(opponent.len() == self.opponent.len() + 1);
        // SAFETY: the index is at most the length of the opponent's list, and there is one row more than that.
        unsafe { opponent.get_unchecked(same.0.get()) }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.own.len() + 4 * self.opponent.len() + 2 * self.same.len() + 4 * self.groups.len()
    }
}

/// Scratch for the interleaved vectors of each player, of one or two batches.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneScratch {
    /// The opponent's reaches by combo, and a row of zeros.
    opponent: Vec<Row>,
    own: Vec<Row>,
}

impl LaneScratch {
    pub(crate) fn new(own_rows: usize, opponent_rows: usize) -> LaneScratch {
        // One more, so that they can begin at a cache line.
        let rows = |count: usize| vec![Row::ZERO; MOST_BATCHES * count + 1];
        LaneScratch { opponent: rows(8 * opponent_rows + 1), own: rows(8 * own_rows) }
    }
}

/// The slots of eight vectors of values, and their factors.
#[derive(Clone, Debug)]
pub(crate) struct Payout {
    pub dest: [u32; 8],
    /// A bit per lane: whether it is added to what the slot holds or replaces it.
    pub accumulate: u8,
    pub factor: Row,
}

/// Eight reaches, and what is paid per matchup whatever the cards: folds, what each all-in pays on a tie, and fold
/// baselines. At most [`MOST_PAYOUTS`] a batch.
#[derive(Clone, Debug)]
pub(crate) struct FoldBatch {
    pub reach: [u32; 8],
    pub payouts: Vec<Payout>,
}

/// Eight all-ins before the river, without what they pay on a tie; or what eight showdowns pay for [ties](Ties).
#[derive(Clone, Debug)]
pub(crate) struct RunoutBatch {
    pub reach: [u32; 8],
    /// Half of what is at stake, for each river won less each river lost.
    pub payout: Payout,
}

/// Eight showdowns, and what their reaches pay per matchup.
#[derive(Clone, Debug)]
pub(crate) struct ShowBatch {
    /// Half of what is at stake.
    pub half: Payout,
    pub lose: Row,
    pub folds: FoldBatch,
}

/// The most payouts per matchup of a batch.
pub(crate) const MOST_PAYOUTS: usize = 4;

/// How many batches of showdowns are computed at once: the work per combo that does not depend on reaches is shared.
pub(crate) const MOST_BATCHES: usize = 2;

/// Sums of reach by card, of all batches. The total is apart: it should stay in a register.
struct CardSums<G> {
    cards: [G; NUM_SUMS],
}

impl<G: Copy> CardSums<G> {
    #[inline(always)]
    fn new<V: Lanes, const B: usize>() -> CardSums<G>
    where
        G: BatchSums<V, B>,
    {
        CardSums { cards: [G::zero(); NUM_SUMS] }
    }

    #[inline(always)]
    fn card<V: Lanes, const B: usize>(&self, card: CardOffset) -> &G
    where
        G: BatchSums<V, B>,
    {
        const { assert!(size_of::<G>() == 32 * size_of::<G::Unit>()) };
        let start = self.cards.as_ptr().cast::<G::Unit>();
        // SAFETY: an offset is 32 · c for a c below NUM_SUMS; in units of a 32nd of the sums of a card, that is where the
        // c-th of them begin.
        unsafe { &*start.wrapping_add(usize::from(card.0)).cast::<G>() }
    }

    #[inline(always)]
    fn card_mut<V: Lanes, const B: usize>(&mut self, card: CardOffset) -> &mut G
    where
        G: BatchSums<V, B>,
    {
        let start = self.cards.as_mut_ptr().cast::<G::Unit>();
        // SAFETY: as in `card`, which asserts the size.
        unsafe { &mut *start.wrapping_add(usize::from(card.0)).cast::<G>() }
    }

    #[inline(always)]
    fn add<V: Lanes, const B: usize>(&mut self, cards: [CardOffset; 2], reach: G)
    where
        G: BatchSums<V, B>,
    {
        for card in cards {
            let sums = self.card_mut(card);
            *sums = sums.plus(reach);
        }
    }

    /// The totals without two cards.
    #[inline(always)]
    fn without<V: Lanes, const B: usize>(&self, total: G, [a, b]: [CardOffset; 2]) -> G
    where
        G: BatchSums<V, B>,
    {
        total.minus(*self.card(a)).minus(*self.card(b))
    }

    /// A batch's total without two cards.
    #[inline(always)]
    fn of_batch<V: Lanes, const B: usize>(&self, total: &G, [a, b]: [CardOffset; 2], batch: usize) -> G::Sums
    where
        G: BatchSums<V, B>,
    {
        total.batch(batch).minus(self.card(a).batch(batch)).minus(self.card(b).batch(batch))
    }
}

/// Reads eight vectors into interleaved rows of a batch.
#[inline(always)]
fn interleave<V: Lanes, const B: usize>(
    reach: &[Row],
    slots: &[u32; 8],
    rows: usize,
    to: &mut [[Row; B]],
    batch: usize,
    prefetch: &mut PrefetchStream,
) {
    let mut starts = [&reach[..0]; 8];
    for lane in 0..8 {
        starts[lane] = &reach[slots[lane] as usize * rows..][..rows];
    }
    for (block, to) in to.chunks_exact_mut(8).take(rows).enumerate() {
        prefetch.next_row();
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

/// Eight slots of values, which are written eight combos of all lanes at a time.
struct Slots {
    starts: [usize; 8],
    rows: usize,
    /// The rows of all slots.
    len: usize,
    accumulate: u8,
}

impl Slots {
    /// The slots of a payout.
    #[inline(always)]
    fn new(values: &[Row], payout: &Payout, rows: usize) -> Slots {
        let mut starts = [0; 8];
        for lane in 0..8 {
            starts[lane] = payout.dest[lane] as usize * rows;
            assert!(starts[lane] + rows <= values.len());
        }
        Slots { starts, rows, len: values.len(), accumulate: payout.accumulate }
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

    /// Writes eight combos of all lanes times the factor.
    #[inline(always)]
    fn put_times<V: Lanes>(&self, values: &mut [Row], block: usize, mut combos: [V; 8], factor: V) {
        for at in 0..8 {
            combos[at] = combos[at].mul(factor);
        }
        self.put(values, block, combos);
    }

    /// Writes eight combos of all lanes.
    #[inline(always)]
    fn put<V: Lanes>(&self, values: &mut [Row], block: usize, combos: [V; 8]) {
        assert!(block < self.rows && values.len() == self.len);
        let lanes = V::transpose(combos);
        for lane in 0..8 {
            // SAFETY: `new` has checked that these values have `rows` rows from each start on.
            let row = unsafe { values.get_unchecked_mut(self.starts[lane] + block) };
            let accumulates = self.accumulate >> lane & 1 != 0;
            let value = if accumulates { V::load(row).add(lanes[lane]) } else { lanes[lane] };
            value.store(row);
        }
    }
}

/// See [`FoldBatch`]. If it is wide, reaches are added up in 64 bits.
pub(crate) struct Fold<'a, const WIDE: bool> {
    pub matchup: &'a Matchup,
    pub batch: &'a FoldBatch,
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
    pub scratch: &'a mut LaneScratch,
    pub prefetch: PrefetchStream,
}

impl<const WIDE: bool> Fold<'_, WIDE> {
    #[inline(always)]
    fn body<V: Lanes, A: LaneSums<V>>(self) {
        let Fold { matchup, batch, reach, values, scratch, mut prefetch } = self;
        let (own_rows, opponent_rows) = (matchup.own_rows(), matchup.opponent_rows());
        let opponent = &mut scratch.opponent.as_chunks_mut::<1>().0[..=8 * opponent_rows];
        interleave::<V, 1>(reach, &batch.reach, opponent_rows, opponent, 0, &mut prefetch);
        let opponent = &*opponent;
        let (mut sums, mut total) = (CardSums::<Apart<A, 1>>::new(), Apart::zero());
        accumulate(&matchup.opponent, opponent, &mut sums, &mut total);
        sums.cards[usize::from(EVERY_CARD)] = total;
        let payouts = Slots::of_folds::<V>(values, batch, own_rows);
        let own = matchup.own.chunks_exact(8).zip(matchup.same.chunks_exact(8));
        for (block, (cards, same)) in own.enumerate() {
            let mut counts = [V::zero(); 8];
            for at in 0..8 {
                let [same] = matchup.same_reach(opponent, same[at]);
                let same = A::of(V::load(same));
                counts[at] = sums.of_batch(&total, cards[at], 0).plus(same).rounded();
            }
            for (slots, factor) in payouts.iter().flatten() {
                slots.put_times(values, block, counts, *factor);
            }
        }
    }
}

impl<const WIDE: bool> Kernel for Fold<'_, WIDE> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        if WIDE { self.body::<V, V::Wide>() } else { self.body::<V, V>() }
    }
}

/// One or two batches of showdowns. If it is wide, reaches are added up in 64 bits, and it is one batch. See [`ShowBatch`].
pub(crate) struct Showdown<'a, const WIDE: bool> {
    pub matchup: &'a Matchup,
    pub batches: &'a [ShowBatch],
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
    pub scratch: &'a mut LaneScratch,
    pub prefetch: PrefetchStream,
}

impl<const WIDE: bool> Showdown<'_, WIDE> {
    #[inline(always)]
    fn body<V: Lanes, G: BatchSums<V, B>, const B: usize>(self, batches: &[ShowBatch; B]) {
        let Showdown { matchup, reach, values, scratch, mut prefetch, .. } = self;
        let (own_rows, opponent_rows) = (matchup.own_rows(), matchup.opponent_rows());
        let opponent = &mut aligned(&mut scratch.opponent).as_chunks_mut::<B>().0[..=8 * opponent_rows];
        for batch in 0..B {
            let slots = &batches[batch].folds.reach;
            interleave::<V, B>(reach, slots, opponent_rows, opponent, batch, &mut prefetch);
        }
        let opponent = &*opponent;
        let out = &mut G::places(aligned(&mut scratch.own))[..8 * own_rows];
        let mut sums = CardSums::<G>::new();
        let total = sweep(matchup, opponent, out, &mut sums);
        sums.cards[usize::from(EVERY_CARD)] = total;
        for batch in 0..B {
            let ShowBatch { half, lose, folds } = &batches[batch];
            let slots = Slots::new(values, half, own_rows);
            let payouts = Slots::of_folds::<V>(values, folds, own_rows);
            let (half, lose) = (V::load(&half.factor), V::load(lose));
            let own = matchup.own.chunks_exact(8).zip(matchup.same.chunks_exact(8)).zip(out.chunks_exact(8));
            for (block, ((cards, same), out)) in own.enumerate() {
                let (mut counts, mut combos) = ([V::zero(); 8], [V::zero(); 8]);
                for at in 0..8 {
                    let same = G::Sums::of(V::load(&matchup.same_reach(opponent, same[at])[batch]));
                    counts[at] = sums.of_batch(&total, cards[at], batch).plus(same).rounded();
                    let won = G::load_batch(&out[at], batch).plus(same).rounded();
                    combos[at] = won.mul_add(half, counts[at].mul(lose));
                }
                slots.put(values, block, combos);
                for (slots, factor) in payouts.iter().flatten() {
                    slots.put_times(values, block, counts, *factor);
                }
            }
        }
    }
}

impl<const WIDE: bool> Kernel for Showdown<'_, WIDE> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        match self.batches {
            [one] if WIDE => self.body::<V, Apart<V::Wide, 1>, 1>(std::array::from_ref(one)),
            [one] => self.body::<V, Apart<V, 1>, 1>(std::array::from_ref(one)),
            two => self.body::<V, Apart<V, MOST_BATCHES>, MOST_BATCHES>(Self::two(two)),
        }
    }

    /// Two batches are swept as sixteen lanes. All else stays at eight: wider transposes were measured to be no faster.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run_avx512(self) {
        match self.batches {
            [_] => self.run::<Avx2>(),
            two => self.body::<Avx2, Sixteen, MOST_BATCHES>(Self::two(two)),
        }
    }

    #[cfg(target_arch = "x86_64")]
    const HAS_AVX512: bool = !WIDE;
}

impl<const WIDE: bool> Showdown<'_, WIDE> {
    fn two(batches: &[ShowBatch]) -> &[ShowBatch; MOST_BATCHES] {
        assert!(!WIDE, "one batch at a time");
        batches.try_into().expect("one or two batches")
    }
}

/// The rows from the first on that begins a cache line, for vectors of 64 bytes.
#[inline(always)]
fn aligned(rows: &mut [Row]) -> &mut [Row] {
    let skipped = rows.as_ptr().align_offset(64).min(rows.len());
    &mut rows[skipped..]
}

/// Adds the reaches of combos to the sums.
#[inline(always)]
fn accumulate<V: Lanes, G: BatchSums<V, B>, const B: usize>(
    combos: &[[CardOffset; 2]],
    reach: &[[Row; B]],
    sums: &mut CardSums<G>,
    total: &mut G,
) {
    for (&cards, reach) in combos.iter().zip(reach) {
        let reach = G::load(reach);
        *total = total.plus(reach);
        sums.add(cards, reach);
    }
}

/// The forward sweep: returns the total and leaves the sums by card.
#[inline(always)]
fn sweep<V: Lanes, G: BatchSums<V, B>, const B: usize>(
    matchup: &Matchup,
    opponent: &[[Row; B]],
    out: &mut [G::Stored],
    sums: &mut CardSums<G>,
) -> G {
    let mut total = G::zero();
    let (mut own_start, mut opponent_start) = (0, 0);
    for group in &matchup.groups {
        let (own_end, opponent_end) = (group.own_end.get(), group.opponent_end.get());
        let own = &matchup.own[own_start..own_end];
        let out = &mut out[own_start..own_end];
        if opponent_start == opponent_end {
            // No ties: the wins twice.
            for (&cards, out) in own.iter().zip(out) {
                let wins = sums.without(total, cards);
                wins.plus(wins).store_sums(out);
            }
            own_start = own_end;
            continue;
        }
        for (&cards, out) in own.iter().zip(out.iter_mut()) {
            sums.without(total, cards).store_sums(out);
        }
        let theirs = opponent_start..opponent_end;
        accumulate(&matchup.opponent[theirs.clone()], &opponent[theirs], sums, &mut total);
        for (&cards, out) in own.iter().zip(out) {
            let wins_and_ties = sums.without(total, cards);
            G::load_sums(out).plus(wins_and_ties).store_sums(out);
        }
        (own_start, opponent_start) = (own_end, opponent_end);
    }
    let rest = opponent_start..matchup.opponent.len();
    accumulate(&matchup.opponent[rest.clone()], &opponent[rest], sums, &mut total);
    for out in &mut out[own_start..] {
        G::zero().store_sums(out);
    }
    total
}

/// Eight all-ins before the river. For each own combo, `matrix` has rows of rivers won less rivers lost against each of the
/// opponent's combos.
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
