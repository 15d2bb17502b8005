//! Counting all runouts of known hands before the flop by ranks instead of by cards.
//!
//! # How
//! Without flushes a showdown depends on the ranks of the board only, and there are 6,188 multisets of five ranks
//! instead of 1.7 million boards. So count each multiset as often as it can be dealt, as if there were no flushes:
//!
//! ```text
//! for each multiset m: counts[winners by rank on m] += Π C(cards left of rank, times in m)
//! ```
//!
//! Then correct the boards with a flush, suit by suit. A board has a flush for a hand that holds h
//! cards of the suit if it has at least 5 − h of them itself; for each set of ranks that the board may hold in the
//! suit (3, 4 or 5 of them) and each multiset of ranks in other suits for the rest, take the deal from the winners by
//! rank and give it to the true winners.
//!
//! Choices of combos of the same ranks differ only in which cards of a suit each hand holds: AhKd against 9s8s and AcKh
//! against 9d8d have the same counts by rank, and the same corrections for a suit of which nobody holds a card, one hand
//! the ace, or one hand nine and eight. So what is counted by rank is kept for all of them, and each correction by what the
//! hands hold of the suit ([`RankGroup`]).
//!
//! Multisets are numbered such that those with the same ranks above eight are neighbours ([`BoardRanks`]): the number
//! of ways is a product of a high and a low part, and the inner loop runs along three arrays.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use equipoise_cards::{BoardRanks, CardSet, Combo, Rank, Strength, Suit};

/// Ranks below this one belong to the low part of a multiset.
const SPLIT: usize = 7;

/// Cards left of each rank.
type Left = [u8; 13];

/// C(n, k) for up to four cards of a rank, and 0 for five of a kind.
const WAYS: [[u32; 6]; 5] =
    [[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0], [1, 3, 3, 1, 0, 0], [1, 4, 6, 4, 1, 0]];

/// A multiset as its top rank and what is left without it.
#[derive(Clone, Copy, Default)]
struct Step {
    rest: u16,
    rank: u8,
    times: u8,
}

/// What does not depend on the hands.
struct Tables {
    /// `[cards][number]`: multisets of low ranks.
    low: [Vec<Step>; 6],
    /// `[cards][number]`: multisets of high ranks, as if they began at the deuce.
    high: [Vec<Step>; 6],
    /// `[cards][number]`: where the multisets with these high ranks begin.
    high_start: [Vec<u16>; 6],
    /// Sets of three ranks with the numbers of their multisets with each of 91 pairs more.
    threes: Vec<(u16, [u16; 91])>,
    /// Sets of four ranks with the numbers of their multisets with each rank more.
    fours: Vec<(u16, [u16; 13])>,
    /// Sets of five ranks with their numbers.
    fives: Vec<(u16, u16)>,
}

/// C(r + i, i + 1): what the i-th lowest rank of a multiset, counted from 0, adds to its number.
fn place(rank: usize, i: usize) -> usize {
    (0..=i).fold(1, |result, k| result * (rank + k) / (k + 1))
}

/// The number of a multiset of any size, its ranks ascending.
fn number(ranks: &[usize]) -> usize {
    ranks.iter().enumerate().map(|(i, &rank)| place(rank, i)).sum()
}

/// Calls `visit` with every ascending list of `len` ranks below `num_ranks`.
fn for_each_multiset(len: usize, num_ranks: usize, visit: &mut dyn FnMut(&[usize])) {
    fn go(left: usize, top: usize, ranks: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
        if left == 0 {
            let ascending: Vec<usize> = ranks.iter().rev().copied().collect();
            return visit(&ascending);
        }
        for rank in 0..=top {
            ranks.push(rank);
            go(left - 1, rank, ranks, visit);
            ranks.pop();
        }
    }
    go(len, num_ranks - 1, &mut Vec::new(), visit);
}

impl Tables {
    fn get() -> &'static Tables {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(Tables::new)
    }

    fn new() -> Tables {
        let steps = |num_ranks: usize| {
            std::array::from_fn(|len| {
                let mut steps = Vec::new();
                for_each_multiset(len, num_ranks, &mut |ranks| {
                    debug_assert_eq!(number(ranks), steps.len());
                    let top = ranks.last().copied().unwrap_or(0);
                    let times = ranks.iter().filter(|&&rank| rank == top).count();
                    let rest = number(&ranks[..len - times]) as u16;
                    steps.push(Step { rest, rank: top as u8, times: times as u8 });
                });
                steps
            })
        };
        let high_start = std::array::from_fn(|len: usize| {
            let mut starts = Vec::new();
            for_each_multiset(len, 13 - SPLIT, &mut |ranks| {
                let lifted = ranks.iter().enumerate().map(|(i, &rank)| place(rank + SPLIT, 5 - len + i));
                starts.push(lifted.sum::<usize>() as u16);
            });
            starts
        });
        Tables {
            low: steps(SPLIT),
            high: steps(13 - SPLIT),
            high_start,
            threes: rank_sets(3).map(|(set, ranks)| (set, with_two_more(&ranks))).collect(),
            fours: rank_sets(4)
                .map(|(set, ranks)| (set, std::array::from_fn(|rank| number_with(&ranks, &[rank]))))
                .collect(),
            fives: rank_sets(5).map(|(set, ranks)| (set, number_with(&ranks, &[]))).collect(),
        }
    }
}

/// All sets of this many ranks, as bits and as an ascending list.
fn rank_sets(len: u32) -> impl Iterator<Item = (u16, Vec<usize>)> {
    (0..1u16 << 13)
        .filter(move |set| set.count_ones() == len)
        .map(|set| (set, (0..13).filter(|rank| set >> rank & 1 != 0).collect()))
}

fn number_with(ranks: &[usize], more: &[usize]) -> u16 {
    let mut all = [0; 5];
    let len = ranks.len() + more.len();
    all[..ranks.len()].copy_from_slice(ranks);
    all[ranks.len()..len].copy_from_slice(more);
    all[..len].sort_unstable();
    number(&all[..len]) as u16
}

fn with_two_more(ranks: &[usize]) -> [u16; 91] {
    let mut numbers = [0; 91];
    for high in 0..13 {
        for low in 0..=high {
            numbers[pair_number(low, high)] = number_with(ranks, &[low, high]);
        }
    }
    numbers
}

const fn pair_number(low: usize, high: usize) -> usize {
    high * (high + 1) / 2 + low
}

/// In how many ways each multiset can be dealt from the cards left.
fn ways(steps: &[Vec<Step>; 6], left: &[u8]) -> [Vec<u32>; 6] {
    let mut ways: [Vec<u32>; 6] = Default::default();
    for len in 0..6 {
        let of = |step: &Step| {
            let rest = if len == 0 { 1 } else { ways[len - usize::from(step.times)][usize::from(step.rest)] };
            let times = if len == 0 { 0 } else { usize::from(step.times) };
            rest * WAYS[usize::from(left[usize::from(step.rank)])][times]
        };
        ways[len] = if len == 0 { vec![1] } else { steps[len].iter().map(of).collect() };
    }
    ways
}

/// A suit as the flush corrections see it: what they depend on, given the ranks of all hands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SuitView {
    /// Ranks left in the suit.
    left: u16,
    /// Ranks of the suit in each hand.
    held: Vec<u16>,
}

/// Deals by the set of players who win or share, or changes of such counts.
type Outcomes = Vec<(u32, i64)>;

type Column = [u16; BoardRanks::COUNT];

/// Choices of combos that differ in suits only, and what has been counted for them.
pub(crate) struct RankGroup {
    dead: CardSet,
    left: Left,
    columns: Vec<&'static Column>,
    by_rank: ByRank,
    counts: Outcomes,
    changes: HashMap<SuitView, Outcomes>,
}

/// Who wins on each multiset of board ranks if nobody has a flush.
enum ByRank {
    /// Of two players, as the [`packed::field`] of their counter.
    HeadsUp(Box<[u8; BoardRanks::COUNT]>),
    /// The set of winners.
    Multiway(Vec<u32>),
}

impl RankGroup {
    /// The group of a choice of combos that share no card with each other nor with the dead cards.
    pub(crate) fn new(combos: &[Combo], dead: CardSet) -> RankGroup {
        let gone = combos.iter().fold(dead, |gone, combo| gone | combo.cards());
        let mut left = [4; 13];
        gone.iter().for_each(|card| left[card.rank().index()] -= 1);
        let columns: Vec<&'static Column> = combos
            .iter()
            .map(|combo| BoardRanks::strengths(combo.low().rank(), combo.high().rank()))
            .collect();
        let (by_rank, counts) = match columns[..] {
            [a, b] => count_two_by_rank(&left, [a, b]),
            _ => count_by_rank(&left, &columns),
        };
        RankGroup { dead, left, columns, by_rank, counts, changes: HashMap::new() }
    }

    /// How many deals of the board each set of players wins or shares, in the order of the sets.
    pub(crate) fn count(&mut self, combos: &[Combo]) -> Vec<(u32, u64)> {
        let RankGroup { dead, left, columns, by_rank, counts, changes } = self;
        debug_assert!(combos.iter().zip(&*columns).all(|(combo, column)| std::ptr::eq(
            *column,
            BoardRanks::strengths(combo.low().rank(), combo.high().rank())
        )));
        let gone = combos.iter().fold(*dead, |gone, combo| gone | combo.cards());
        let mut sums = BTreeMap::new();
        let mut add = |outcomes: &Outcomes| {
            outcomes.iter().for_each(|&(winners, count)| *sums.entry(winners).or_insert(0) += count);
        };
        add(counts);
        for suit in Suit::ALL {
            let held = combos.iter().map(|combo| combo.cards().ranks_of(suit)).collect();
            let view = SuitView { left: (!gone).ranks_of(suit), held };
            add(changes.entry(view).or_insert_with_key(|view| view.changes(left, columns, by_rank)));
        }
        sums.into_iter().filter(|&(_, count)| count != 0).map(|(set, count)| (set, count as u64)).collect()
    }
}

impl SuitView {
    /// By how much the flushes of the suit change the counts by rank.
    fn changes(&self, left: &Left, columns: &[&'static Column], by_rank: &ByRank) -> Outcomes {
        let others = std::array::from_fn(|rank| u32::from(left[rank]) - u32::from(self.left >> rank & 1));
        match by_rank {
            ByRank::HeadsUp(fields) => {
                by_winners(heads_up_flushes(self, &others, [columns[0], columns[1]], fields))
            }
            ByRank::Multiway(winners) => multiway_flushes(self, &others, columns, winners),
        }
    }
}

/// Counts of two players: won by the first, won by the second, shared.
fn by_winners(counts: [i64; 3]) -> Outcomes {
    [1, 2, 3].into_iter().zip(counts).collect()
}

/// Calls `visit` with each run of neighbouring multisets: its start, the ways of its low part, and the factor
/// that its high part brings.
fn for_each_run(left: &Left, mut visit: impl FnMut(usize, &[u32], u32)) {
    let tables = Tables::get();
    let low = ways(&tables.low, &left[..SPLIT]);
    let high = ways(&tables.high, &left[SPLIT..]);
    for len in 0..6 {
        for (&start, &factor) in tables.high_start[len].iter().zip(&high[len]).filter(|run| *run.1 != 0) {
            visit(usize::from(start), &low[5 - len], factor);
        }
    }
}

fn flush(ranks: u16) -> u16 {
    Strength::of_flush(ranks).map_or(0, Strength::get)
}

/// Ways to take two cards of other suits, by pair of ranks.
fn pairs_of_others(others: &[u32; 13]) -> [u32; 91] {
    let mut pairs = [0; 91];
    for high in 0..13 {
        for low in 0..high {
            pairs[pair_number(low, high)] = others[low] * others[high];
        }
        pairs[pair_number(high, high)] = others[high] * others[high].saturating_sub(1) / 2;
    }
    pairs
}

/// Deals of two hands by rank.
fn count_two_by_rank(left: &Left, columns: [&Column; 2]) -> (ByRank, Outcomes) {
    let [a, b] = columns;
    let mut fields = Box::new([0; BoardRanks::COUNT]);
    for ((field, a), b) in fields.iter_mut().zip(a).zip(b) {
        *field = packed::field(*a, *b);
    }
    let mut counts = [0i64; 3];
    for_each_run(left, |start, ways, factor| {
        let (mut all, mut first, mut shared) = (0, 0, 0);
        let (a, b) = (&a[start..start + ways.len()], &b[start..start + ways.len()]);
        for ((&ways, &a), &b) in ways.iter().zip(a).zip(b) {
            all += ways;
            first += if a > b { ways } else { 0 };
            shared += if a == b { ways } else { 0 };
        }
        let factor = i64::from(factor);
        counts[0] += i64::from(first) * factor;
        counts[1] += i64::from(all - first - shared) * factor;
        counts[2] += i64::from(shared) * factor;
    });
    (ByRank::HeadsUp(fields), by_winners(counts))
}

/// Three counters in one `u64`, so that adding to the right one is a shift and an addition.
mod packed {
    /// Bits of a counter: enough for the 741 pairs of other cards.
    const BITS: u8 = 21;

    /// Where the counter for this showdown lies.
    pub(super) const fn field(a: u16, b: u16) -> u8 {
        if a > b {
            0
        } else if a < b {
            BITS
        } else {
            2 * BITS
        }
    }

    /// The three counters.
    pub(super) fn unpack(counters: u64) -> [i64; 3] {
        [0, BITS, 2 * BITS].map(|shift| (counters >> shift & ((1 << BITS) - 1)) as i64)
    }
}

/// By how much the flushes of one suit change the counts by rank.
fn heads_up_flushes(
    suit: &SuitView,
    others: &[u32; 13],
    columns: [&Column; 2],
    fields: &[u8; BoardRanks::COUNT],
) -> [i64; 3] {
    let tables = Tables::get();
    let [a, b] = [suit.held[0], suit.held[1]];
    let most = a.count_ones().max(b.count_ones());
    let mut change = [0i64; 3];
    // `given` to the true winners, `taken` from the winners by rank.
    let mut mend = |given: u64, taken: u64| {
        let (given, taken) = (packed::unpack(given), packed::unpack(taken));
        (0..3).for_each(|i| change[i] += given[i] - taken[i]);
    };
    for &(set, id) in tables.fives.iter().filter(|five| five.0 & !suit.left == 0) {
        mend(1 << packed::field(flush(set | a), flush(set | b)), 1 << fields[usize::from(id)]);
    }
    // With fewer cards of the suit on the board, only hands that hold the rest have a flush.
    let made = |on_board: u32, held: u16| on_board + held.count_ones() >= 5;
    let strengths = |set: u16, on_board: u32| {
        [a, b].map(|held| if made(on_board, held) { Some(flush(set | held)) } else { None })
    };
    if most >= 1 {
        for (set, ids) in tables.fours.iter().filter(|four| four.0 & !suit.left == 0) {
            let (given, taken) = compare(strengths(*set, 4), columns, fields, ids, others);
            mend(given, taken);
        }
    }
    if most >= 2 {
        let pairs = pairs_of_others(others);
        for (set, ids) in tables.threes.iter().filter(|three| three.0 & !suit.left == 0) {
            let (given, taken) = compare(strengths(*set, 3), columns, fields, ids, &pairs);
            mend(given, taken);
        }
    }
    change
}

/// Packed counts of true winners and of winners by rank over the boards `ids`, each dealt in `ways` ways. A hand
/// without a flush has the strength of its ranks.
fn compare<const N: usize>(
    flushes: [Option<u16>; 2],
    columns: [&Column; 2],
    fields: &[u8; BoardRanks::COUNT],
    ids: &[u16; N],
    ways: &[u32; N],
) -> (u64, u64) {
    let (mut given, mut taken) = (0u64, 0u64);
    for (&id, &ways) in ids.iter().zip(ways) {
        taken += u64::from(ways) << fields[usize::from(id)];
    }
    match flushes {
        [Some(a), Some(b)] => {
            let all: u32 = ways.iter().sum();
            given += u64::from(all) << packed::field(a, b);
        }
        [Some(a), None] => {
            for (&id, &ways) in ids.iter().zip(ways) {
                given += u64::from(ways) << packed::field(a, columns[1][usize::from(id)]);
            }
        }
        [None, Some(b)] => {
            for (&id, &ways) in ids.iter().zip(ways) {
                given += u64::from(ways) << packed::field(columns[0][usize::from(id)], b);
            }
        }
        [None, None] => given = taken,
    }
    (given, taken)
}

/// Deals of any number of hands by rank.
fn count_by_rank(left: &Left, columns: &[&Column]) -> (ByRank, Outcomes) {
    let winners = Best::of(columns, |_| true).winners;
    let mut counts = Counts::new(columns.len());
    for_each_run(left, |start, ways, factor| {
        for (&winners, &ways) in winners[start..].iter().zip(ways) {
            counts.add(winners, i64::from(ways) * i64::from(factor));
        }
    });
    (ByRank::Multiway(winners), counts.finish())
}

/// Counts by set of players: a flat array for few players, a map for many.
enum Counts {
    Flat(Vec<i64>),
    Map(BTreeMap<u32, i64>),
}

impl Counts {
    fn new(num_players: usize) -> Counts {
        if num_players <= 10 { Counts::Flat(vec![0; 1 << num_players]) } else { Counts::Map(BTreeMap::new()) }
    }

    #[inline]
    fn add(&mut self, winners: u32, count: i64) {
        match self {
            Counts::Flat(counts) => counts[winners as usize] += count,
            Counts::Map(counts) => *counts.entry(winners).or_insert(0) += count,
        }
    }

    fn finish(self) -> Outcomes {
        let counts: Outcomes = match self {
            Counts::Flat(counts) => counts.into_iter().enumerate().map(|(set, n)| (set as u32, n)).collect(),
            Counts::Map(counts) => counts.into_iter().collect(),
        };
        counts.into_iter().filter(|&(_, n)| n != 0).collect()
    }
}

/// For each multiset of board ranks, the best strength of some players if nobody has a flush, and who has it.
struct Best {
    strengths: Column,
    winners: Vec<u32>,
}

impl Best {
    /// Of the players for whom `is_in` holds.
    fn of(columns: &[&Column], is_in: impl Fn(usize) -> bool) -> Best {
        let players = || columns.iter().enumerate().filter(|(player, _)| is_in(*player));
        let mut strengths = [0; BoardRanks::COUNT];
        for (_, column) in players() {
            strengths.iter_mut().zip(*column).for_each(|(best, &strength)| *best = (*best).max(strength));
        }
        let mut winners = vec![0; BoardRanks::COUNT];
        for (player, column) in players() {
            for ((winners, &best), &strength) in winners.iter_mut().zip(&strengths).zip(*column) {
                *winners |= u32::from(strength == best) << player;
            }
        }
        Best { strengths, winners }
    }
}

/// The best of some strengths and the set of players who have it.
fn best_of(strengths: impl Iterator<Item = (usize, u16)>) -> (u16, u32) {
    strengths.fold((0, 0), |(best, winners), (player, strength)| match strength.cmp(&best) {
        std::cmp::Ordering::Greater => (strength, 1 << player),
        std::cmp::Ordering::Equal => (best, winners | 1 << player),
        std::cmp::Ordering::Less => (best, winners),
    })
}

/// By how much the flushes of one suit change the counts by rank.
fn multiway_flushes(suit: &SuitView, others: &[u32; 13], columns: &[&Column], by_rank: &[u32]) -> Outcomes {
    let tables = Tables::get();
    let mut counts = Counts::new(columns.len());
    let most = suit.held.iter().map(|held| held.count_ones()).max().unwrap_or(0);
    for &(set, id) in tables.fives.iter().filter(|five| five.0 & !suit.left == 0) {
        let winners = best_of(suit.held.iter().map(|held| flush(set | held)).enumerate()).1;
        counts.add(winners, 1);
        counts.add(by_rank[usize::from(id)], -1);
    }
    if most >= 1 {
        let boards = tables.fours.iter().filter(|four| four.0 & !suit.left == 0);
        suit.mend(4, boards, others, columns, by_rank, &mut counts);
    }
    if most >= 2 {
        let boards = tables.threes.iter().filter(|three| three.0 & !suit.left == 0);
        suit.mend(3, boards, &pairs_of_others(others), columns, by_rank, &mut counts);
    }
    counts.finish()
}

impl SuitView {
    /// Gives the deals with `on_board` cards of the suit on the board to their true winners. `boards` are the sets of
    /// these cards' ranks with the multisets that the rest makes of them, in `ways` ways.
    fn mend<'a, const N: usize>(
        &self,
        on_board: u32,
        boards: impl Iterator<Item = &'a (u16, [u16; N])>,
        ways: &[u32; N],
        columns: &[&Column],
        by_rank: &[u32],
        counts: &mut Counts,
    ) {
        let makes_flush = |player: usize| on_board + self.held[player].count_ones() >= 5;
        let without = Best::of(columns, |player| !makes_flush(player));
        let all: u32 = ways.iter().sum();
        for (set, ids) in boards {
            let flushes = self.held.iter().map(|held| flush(set | held)).enumerate();
            let (flush, winners) = best_of(flushes.filter(|(player, _)| makes_flush(*player)));
            counts.add(winners, i64::from(all));
            for (&id, &ways) in ids.iter().zip(ways) {
                let (id, ways) = (usize::from(id), i64::from(ways));
                counts.add(by_rank[id], -ways);
                // Full houses and quads: few boards.
                if without.strengths[id] > flush {
                    counts.add(winners, -ways);
                    counts.add(without.winners[id], ways);
                }
            }
        }
    }
}

/// Makes the tables now rather than at the first count.
pub(crate) fn warm_up() {
    Tables::get();
    let _ = BoardRanks::strengths(Rank::ACE, Rank::ACE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_cards::{Card, Tally};
    use proptest::prelude::*;

    /// Every board, one by one.
    fn naive(combos: &[Combo], dead: CardSet) -> Vec<(u32, u64)> {
        let gone = combos.iter().fold(dead, |gone, combo| gone | combo.cards());
        let live: Vec<Card> = (!gone).iter().collect();
        let mut counts = BTreeMap::new();
        let hands: Vec<Tally> = combos.iter().map(|combo| combo.cards().into()).collect();
        let n = live.len();
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    for d in c + 1..n {
                        for e in d + 1..n {
                            let board: CardSet = [a, b, c, d, e].iter().map(|&i| live[i]).collect();
                            let strengths = hands.iter().map(|hand| hand.with_all(board).strength7().get());
                            *counts.entry(best_of(strengths.enumerate()).1).or_insert(0) += 1;
                        }
                    }
                }
            }
        }
        counts.into_iter().collect()
    }

    /// One group counts every choice of suits, whatever it has counted before.
    #[test]
    fn a_group_serves_all_suits() {
        // Few cards are left, so that the naive count is short.
        let live: CardSet = "AhAdAcKhKdKcQhQdTsTh9s9h9d8s8h8d7h6h5h4h3hJs7s6s".parse().unwrap();
        let dead = !live;
        let choices = [
            ["AhKh", "QhQd", "9s8s"],
            ["AdKd", "QhQd", "9h8h"],
            ["AdKc", "QhQd", "9d8h"],
            ["AcKd", "QhQd", "9s8d"],
            ["AcKh", "QhQd", "9d8s"],
        ];
        for players in 2..=3 {
            let mut group = None;
            for choice in choices {
                let combos: Vec<Combo> = choice[..players].iter().map(|text| text.parse().unwrap()).collect();
                let group = group.get_or_insert_with(|| RankGroup::new(&combos, dead));
                assert_eq!(group.count(&combos), naive(&combos, dead), "{choice:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn counts_are_those_of_every_board(
            deck in proptest::sample::subsequence(Card::ALL.to_vec(), 30..40).prop_shuffle(),
            num_players in 2usize..6,
        ) {
            // Many dead cards keep the naive count short.
            let combos: Vec<Combo> =
                (0..num_players).map(|i| Combo::new(deck[2 * i], deck[2 * i + 1]).unwrap()).collect();
            let dead: CardSet = deck[2 * num_players..].iter().copied().collect();
            prop_assert_eq!(RankGroup::new(&combos, dead).count(&combos), naive(&combos, dead));
        }
    }

    #[test]
    fn suited_hands_and_a_full_deck() {
        for [a, b] in
            [["AhKh", "QsQd"], ["AhKh", "QhJh"], ["AsKs", "2h2d"], ["JhTh", "AcKd"], ["7c7d", "7h7s"]]
        {
            let combos = [a, b].map(|text| text.parse::<Combo>().unwrap());
            let found = RankGroup::new(&combos, CardSet::EMPTY).count(&combos);
            assert_eq!(found, naive(&combos, CardSet::EMPTY));
        }
    }
}
