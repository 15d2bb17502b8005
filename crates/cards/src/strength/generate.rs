//! How the strength tables come to be. Shared by the build script, which writes them, and by the crate, which tests
//! them; nothing here runs when a program starts.
//!
//! 1. A five-card hand is described by a *value*: `category << 26 | primary ranks << 13 | kicker ranks`, both rank
//!    fields being sets of 13 bits. Larger values win, equal values split. There are 7,462 distinct values; sorted,
//!    they are [`Tables::values`], and the position in that list is the strength.
//! 2. Without a flush, only the multiset of ranks matters. Every rank has a key such that the sums over all multisets
//!    of 7 (6, 5) cards with at most four of a rank are distinct, so the sum identifies the multiset. The keys are
//!    small numbers found greedily ([`SMALL_KEYS`]) times an odd [`MULTIPLIER`] modulo 2³², which keeps the sums
//!    distinct and scatters them. A sum is looked up in a row-displacement perfect hash: its high bits select a row,
//!    the bits below are a place in that row, and every row is shifted along one shared array until its entries fall
//!    on free slots. Two dependent loads find the strength; 134 KB serve all seven-card hands.
//! 3. With a flush, only the ranks of the flush suit matter (seven cards that hold five of one suit cannot also make
//!    a full house or quads): one table over 2¹³ rank sets.
//! 4. For all combos of one board at once, every multiset of five board ranks has a row of 91 strengths, one for
//!    each pair of private ranks; the same numbers by pair of private ranks are columns over all multisets.

/// Number of distinct five-card values, hence of strengths.
pub(crate) const NUM_STRENGTHS: usize = 7462;

/// By rank: each is the smallest number that keeps the sums of 5, of 6 and of 7 cards distinct, given those before
/// it (a greedy search, which a test repeats as far as its patience goes).
pub(crate) const SMALL_KEYS: [u32; 13] =
    [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262_349, 636_345, 1_479_181];

/// The best of 20,000 odd multipliers tried: no two sums of the same number of cards share both row and place, and
/// first fit leaves few slots free.
pub(crate) const MULTIPLIER: u32 = 3_409_638_967;

/// High bits of a scattered sum that select a row of the perfect hash.
pub(crate) const ROW_BITS: u32 = 12;
/// The bits below those, which are the place in the row.
pub(crate) const PLACE_BITS: u32 = 13;
/// Number of slots of a perfect hash; those behind the last entry are never touched, and a `u16` needs no check.
pub(crate) const NUM_SLOTS: usize = 1 << 16;
/// Numbers of a perfect hash: the rows' shifts and then the slots, behind one address.
pub(crate) const HASH_LEN: usize = (1 << ROW_BITS) + NUM_SLOTS;

/// Number of multisets of five ranks, the thirteen impossible ones with five of a kind included.
pub(crate) const NUM_BOARD_RANKS: usize = 6188;
/// Unordered pairs of private ranks.
pub(crate) const NUM_RANK_PAIRS: usize = 91;
/// Places of one row of the board table: the 91 pairs of private ranks, padded to three cache lines.
pub(crate) const ROW_LEN: usize = 96;

/// Places behind the last row, so that a kernel may read whole vectors from inside it.
pub(crate) const ROW_PADDING: usize = 16;

/// The scattered key of a rank.
pub(crate) const fn rank_key(rank: usize) -> u32 {
    SMALL_KEYS[rank].wrapping_mul(MULTIPLIER)
}

/// Row and place of a scattered sum.
const fn row_and_place(sum: u32) -> (usize, u16) {
    let place = sum >> (32 - ROW_BITS - PLACE_BITS) & ((1 << PLACE_BITS) - 1);
    ((sum >> (32 - ROW_BITS)) as usize, place as u16)
}

/// What the lookup takes for the place: the sixteen bits that end with it. The four bits above the place belong to the
/// row's number, so that the row's shift can make up for them and no mask is needed.
const fn wide_place(sum: u32) -> u16 {
    (sum >> (32 - ROW_BITS - PLACE_BITS)) as u16
}

/// The position of a pair of private ranks in a row of the board table, `low <= high`: pairs with the same low rank
/// are neighbours.
pub(crate) const fn row_place(low: usize, high: usize) -> usize {
    low * (25 - low) / 2 + high
}

/// The position of an unordered pair of ranks among the 91, `low <= high`.
pub(crate) const fn rank_pair(low: usize, high: usize) -> usize {
    high * (high + 1) / 2 + low
}

/// The tables that the build script writes.
pub(crate) struct Tables {
    /// The distinct five-card values in ascending order.
    pub(crate) values: Vec<u32>,
    /// For each strength, its position among those that seven cards can have; `u16::MAX` where they cannot.
    pub(crate) dense: Vec<u16>,
    /// The strengths of all rank multisets of five, six and seven cards.
    pub(crate) hashes: [PerfectHash; 3],
    /// The numbers of the multisets of five ranks, in the slots of `hashes[0]`.
    pub(crate) board_ids: Vec<u16>,
    /// The strength of each set of ranks in one suit; 0 for fewer than five.
    pub(crate) flushes: Vec<u16>,
    /// `[board ranks][row_place(private ranks)]`.
    pub(crate) board_rows: Vec<u16>,
    /// `[private rank pair][board ranks]`.
    pub(crate) columns: Vec<u16>,
    /// For each board ranks its rank pairs, weakest first: `[board ranks][91]`.
    pub(crate) pair_order: Vec<u8>,
}

/// A row-displacement perfect hash.
pub(crate) struct PerfectHash {
    /// What to add, wrapping, to the wide place of a sum in each row.
    pub(crate) rows: Vec<u16>,
    /// The strengths.
    pub(crate) slots: Vec<u16>,
}

impl PerfectHash {
    fn slot(&self, sum: u32) -> usize {
        usize::from(self.rows[row_and_place(sum).0].wrapping_add(wide_place(sum)))
    }
}

/// Number of cards of each rank.
pub(crate) type RankCounts = [u8; 13];

/// The value of the best five cards without regard to suits.
pub(crate) fn value_of_counts(counts: &RankCounts) -> u32 {
    let with = |n: u8| (0..13).filter(|&r| counts[r] == n).fold(0u32, |set, r| set | 1 << r);
    let (quads, trips, pairs) = (with(4), with(3), with(2));
    let all = quads | trips | pairs | with(1);
    let pack = |category: u32, primary: u32, kickers: u32| category << 26 | primary << 13 | kickers;
    if quads != 0 {
        let primary = highest(quads, 1);
        return pack(7, primary, highest(all & !primary, 1));
    }
    if trips != 0 && (trips.count_ones() > 1 || pairs != 0) {
        let primary = highest(trips, 1);
        return pack(6, primary, highest((trips | pairs) & !primary, 1));
    }
    if let Some(high) = straight_high(all) {
        return pack(4, 0, high);
    }
    if trips != 0 {
        return pack(3, trips, highest(all & !trips, 2));
    }
    if pairs.count_ones() > 1 {
        let primary = highest(pairs, 2);
        return pack(2, primary, highest(all & !primary, 1));
    }
    if pairs != 0 {
        return pack(1, pairs, highest(all & !pairs, 3));
    }
    highest(all, 5)
}

/// The value of a flush with these ranks, five or more.
pub(crate) fn value_of_flush(ranks: u32) -> u32 {
    match straight_high(ranks) {
        Some(high) => 8 << 26 | high,
        None => 5 << 26 | highest(ranks, 5),
    }
}

/// The bit of a straight's high card; the ace is also below the deuce.
fn straight_high(ranks: u32) -> Option<u32> {
    let with_low_ace = ranks << 1 | ranks >> 12;
    let runs = (0..5).fold(u32::MAX, |runs, step| runs & with_low_ace << step);
    (runs != 0).then(|| highest(runs, 1) >> 1)
}

/// The `n` highest bits of a set, or all if there are fewer.
fn highest(mut set: u32, n: u32) -> u32 {
    while set.count_ones() > n {
        set &= set - 1;
    }
    set
}

/// Calls `visit` with each multiset of `num_cards` ranks that a deck allows, in ascending colexicographic order.
pub(crate) fn for_each_counts(num_cards: u8, visit: &mut dyn FnMut(&RankCounts)) {
    fn go(rank: usize, left: u8, counts: &mut RankCounts, visit: &mut dyn FnMut(&RankCounts)) {
        if left == 0 {
            return visit(counts);
        }
        for n in 0..=left.min(4) {
            if n == left || rank > 0 {
                counts[rank] = n;
                if rank > 0 {
                    go(rank - 1, left - n, counts, visit);
                } else {
                    visit(counts);
                }
            }
        }
        counts[rank] = 0;
    }
    go(12, num_cards, &mut [0; 13], visit);
}

/// The scattered sum of a multiset.
pub(crate) fn sum_of(counts: &RankCounts) -> u32 {
    (0..13).fold(0, |sum, rank| sum.wrapping_add(rank_key(rank).wrapping_mul(u32::from(counts[rank]))))
}

/// The place of a multiset of five ranks among all 6,188: with the ranks r₁ ≤ … ≤ r₅, Σ C(rᵢ + i − 1, i).
///
/// The share of the high ranks and that of the low ones add up, so that multisets with equal high ranks are
/// neighbours; equity sums rely on this.
pub(crate) fn board_ranks_id(counts: &RankCounts) -> usize {
    let (mut id, mut i) = (0, 0);
    for (rank, &n) in counts.iter().enumerate() {
        for _ in 0..n {
            i += 1;
            id += choose(rank + i - 1, i);
        }
    }
    id
}

/// The binomial coefficient, for small numbers.
pub(crate) const fn choose(n: usize, k: usize) -> usize {
    let (mut result, mut i) = (1, 0);
    while i < k {
        if n < k {
            return 0;
        }
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}

/// Makes every table.
pub(crate) fn generate() -> Tables {
    let values = five_card_values();
    let strength = |value: u32| values.binary_search(&value).map_or(0, |at| at as u16);
    let flushes: Vec<u16> = (0..1u32 << 13)
        .map(|ranks| if ranks.count_ones() < 5 { 0 } else { strength(value_of_flush(ranks)) })
        .collect();
    let entries_of = |num_cards: u8| {
        let mut entries = Vec::new();
        for_each_counts(num_cards, &mut |counts| {
            entries.push((sum_of(counts), strength(value_of_counts(counts))));
        });
        entries
    };
    let entries = [entries_of(5), entries_of(6), entries_of(7)];
    let mut by_seven = vec![false; NUM_STRENGTHS];
    let flushes_by_seven = (0..1usize << 13).filter(|ranks| (5..=7).contains(&ranks.count_ones()));
    for strength in entries[2].iter().map(|entry| entry.1).chain(flushes_by_seven.map(|ranks| flushes[ranks]))
    {
        by_seven[usize::from(strength)] = true;
    }
    let hashes = entries.map(|entries| displace(&entries));
    let mut board_ids = vec![0; NUM_SLOTS];
    for_each_counts(5, &mut |counts| {
        board_ids[hashes[0].slot(sum_of(counts))] = board_ranks_id(counts) as u16;
    });
    let (board_rows, columns) = board_tables(&hashes[2]);
    let pair_order = pair_order(&columns);
    Tables {
        values,
        dense: number_the_set(&by_seven),
        hashes,
        board_ids,
        flushes,
        board_rows,
        columns,
        pair_order,
    }
}

fn five_card_values() -> Vec<u32> {
    let mut values = Vec::with_capacity(NUM_STRENGTHS);
    for_each_counts(5, &mut |counts| values.push(value_of_counts(counts)));
    values.extend((0..1u32 << 13).filter(|ranks| ranks.count_ones() == 5).map(value_of_flush));
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), NUM_STRENGTHS);
    values
}

fn number_the_set(present: &[bool]) -> Vec<u16> {
    let mut next = 0;
    let number = |&is_there: &bool| {
        next += u16::from(is_there);
        if is_there { next - 1 } else { u16::MAX }
    };
    present.iter().map(number).collect()
}

/// Packs `(sum, strength)` entries: rows with most entries first, each at the first shift where all its entries fall
/// on free slots.
fn displace(entries: &[(u32, u16)]) -> PerfectHash {
    let mut by_row = vec![Vec::new(); 1 << ROW_BITS];
    for &(sum, strength) in entries {
        let (row, place) = row_and_place(sum);
        by_row[row].push((usize::from(place), strength));
    }
    let mut order: Vec<usize> = (0..by_row.len()).filter(|&row| !by_row[row].is_empty()).collect();
    order.sort_by_key(|&row| std::cmp::Reverse(by_row[row].len()));
    let mut hash = PerfectHash { rows: vec![0; 1 << ROW_BITS], slots: vec![0; NUM_SLOTS] };
    let mut used = vec![false; NUM_SLOTS];
    for row in order {
        let entries = &by_row[row];
        let shift = (0..)
            .find(|shift| entries.iter().all(|(place, _)| !used[shift + place]))
            .expect("there is always room behind the last entry");
        for &(place, strength) in entries {
            assert!(!used[shift + place], "two sums share row and place");
            (hash.slots[shift + place], used[shift + place]) = (strength, true);
        }
        hash.rows[row] = (shift as u16).wrapping_sub((row << PLACE_BITS) as u16);
    }
    hash
}

fn board_tables(sevens: &PerfectHash) -> (Vec<u16>, Vec<u16>) {
    let mut board_rows = vec![0; NUM_BOARD_RANKS * ROW_LEN + ROW_PADDING];
    let mut columns = vec![0; NUM_RANK_PAIRS * NUM_BOARD_RANKS];
    for_each_counts(5, &mut |board| {
        let id = board_ranks_id(board);
        for high in 0..13 {
            for low in 0..=high {
                let mut counts = *board;
                counts[low] += 1;
                counts[high] += 1;
                if counts[low].max(counts[high]) > 4 {
                    continue;
                }
                let strength = sevens.slots[sevens.slot(sum_of(&counts))];
                board_rows[id * ROW_LEN + row_place(low, high)] = strength;
                columns[rank_pair(low, high) * NUM_BOARD_RANKS + id] = strength;
            }
        }
    });
    (board_rows, columns)
}

fn pair_order(columns: &[u16]) -> Vec<u8> {
    let mut order = Vec::with_capacity(NUM_BOARD_RANKS * NUM_RANK_PAIRS);
    for id in 0..NUM_BOARD_RANKS {
        let mut pairs: Vec<u8> = (0..NUM_RANK_PAIRS as u8).collect();
        pairs.sort_by_key(|&pair| columns[usize::from(pair) * NUM_BOARD_RANKS + id]);
        order.extend(pairs);
    }
    order
}
