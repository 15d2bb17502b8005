//! What showdowns pay for ties beyond the mean of winning and losing, which is nothing where chips are played for.

use super::super::Kernel;
use super::super::lanes::{Apart, BatchSums, LaneSums, Lanes};
use super::super::prefetch::PrefetchStream;
use super::super::rows::Row;
use super::{CardSums, LaneScratch, Matchup, RunoutBatch, Slots, accumulate, interleave};

/// Eight showdowns, with what each pays for a tie. If it is wide, reaches are added up in 64 bits.
///
/// ```text
/// for each group of equal strength that both have
///     for the opponent's (a, b):    sum, card[a], card[b] += r
///     for own combos (a, b):        ties = sum − card[a] − card[b] + r[same]
///     sum, card = 0
/// ```
pub(crate) struct Ties<'a, const WIDE: bool> {
    pub matchup: &'a Matchup,
    pub batch: &'a RunoutBatch,
    pub reach: &'a [Row],
    pub values: &'a mut [Row],
    pub scratch: &'a mut LaneScratch,
}

impl<const WIDE: bool> Ties<'_, WIDE> {
    #[inline(always)]
    fn body<V: Lanes, A: LaneSums<V>>(self) {
        let Ties { matchup, batch, reach, values, scratch } = self;
        let (own_rows, opponent_rows) = (matchup.own_rows(), matchup.opponent_rows());
        let opponent = &mut scratch.opponent.as_chunks_mut::<1>().0[..=8 * opponent_rows];
        let mut prefetch = PrefetchStream::default();
        interleave::<V, 1>(reach, &batch.reach, opponent_rows, opponent, 0, &mut prefetch);
        let opponent = &*opponent;
        let out = &mut A::places::<1>(&mut scratch.own)[..8 * own_rows];
        let zero = A::of(V::zero());
        out.iter_mut().for_each(|out| zero.store_sums(&mut out[0]));
        let mut sums = CardSums::<Apart<A, 1>>::new();
        let (mut own_start, mut opponent_start) = (0, 0);
        for group in &matchup.groups {
            let own = own_start..group.own_end.get();
            let theirs = opponent_start..group.opponent_end.get();
            (own_start, opponent_start) = (own.end, theirs.end);
            if own.is_empty() || theirs.is_empty() {
                continue;
            }
            let mut total = Apart::zero();
            let combos = &matchup.opponent[theirs.clone()];
            accumulate(combos, &opponent[theirs], &mut sums, &mut total);
            for at in own {
                let same = Apart::load(matchup.same_reach(opponent, matchup.same[at]));
                sums.without(total, matchup.own[at]).plus(same).store_sums(&mut out[at]);
            }
            for &card in combos.iter().flatten() {
                *sums.card_mut(card) = Apart::zero();
            }
        }
        let slots = Slots::new(values, &batch.payout, own_rows);
        let factor = V::load(&batch.payout.factor);
        for (block, out) in out.chunks_exact(8).enumerate() {
            let mut combos = [V::zero(); 8];
            for at in 0..8 {
                combos[at] = A::load_sums(&out[at][0]).rounded();
            }
            slots.put_times(values, block, combos, factor);
        }
    }
}

impl<const WIDE: bool> Kernel for Ties<'_, WIDE> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        if WIDE { self.body::<V, V::Wide>() } else { self.body::<V, V>() }
    }
}
