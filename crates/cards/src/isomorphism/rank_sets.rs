//! Numbering of sets of ranks: the thirteen cards of one suit as 13 bits, deuce lowest.
//!
//! Sets of the same size are numbered in the order of their bits, which is the order of the highest rank, then the
//! second-highest, and so on: the sets of size n have the numbers `0..choose(13, n)`. (Combinatorics calls it
//! colexicographic. The number of a set does not depend on how many ranks exist above its highest one, so the same
//! numbers serve for subsets of any other ordered set of at most thirteen things.)

use crate::card::{Rank, Suit};
use crate::card_set::CardSet;

/// How many sets of ranks there are.
const NUM_SETS: usize = 1 << Rank::COUNT;
/// Where the size stands in a [`place`]; the number among the sets of that size, at most 1715, stands below.
pub(super) const SIZE_SHIFT: u32 = 11;

/// The place of every set.
static PLACES: [u16; NUM_SETS] = {
    let mut places = [0; NUM_SETS];
    let mut next = [0u16; Rank::COUNT + 1];
    let mut set = 0;
    while set < NUM_SETS {
        let size = set.count_ones() as usize;
        places[set] = (size as u16) << SIZE_SHIFT | next[size];
        next[size] += 1;
        set += 1;
    }
    places
};

/// Where the sets of a size begin in [`SETS`].
static FIRST_OF_SIZE: [u16; Rank::COUNT + 1] = {
    let mut first = [0; Rank::COUNT + 1];
    let mut size = 0;
    while size < Rank::COUNT {
        first[size + 1] = first[size] + choose(Rank::COUNT as u64, size as u64) as u16;
        size += 1;
    }
    first
};

/// Every set, by size and then by number.
static SETS: [u16; NUM_SETS] = {
    let mut sets = [0; NUM_SETS];
    let mut set = 0;
    while set < NUM_SETS {
        let size = set.count_ones() as usize;
        let number = PLACES[set] & ((1 << SIZE_SHIFT) - 1);
        sets[(FIRST_OF_SIZE[size] + number) as usize] = set as u16;
        set += 1;
    }
    sets
};

/// The number of ways to choose `k` of `n`.
pub(super) const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let (mut ways, mut i) = (1, 0);
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// Size and number of a set in one, such that places order the sets by size, then by highest rank, second-highest …
#[inline]
pub(super) fn place(set: u16) -> u16 {
    PLACES[set as usize % NUM_SETS]
}

/// How many ranks a set has.
#[inline]
pub(super) fn size(set: u16) -> u32 {
    u32::from(place(set) >> SIZE_SHIFT)
}

/// The number of a set among those of its size.
#[inline]
pub(super) fn number(set: u16) -> u32 {
    u32::from(place(set) & ((1 << SIZE_SHIFT) - 1))
}

/// The set of a size with a number below `choose(13, size)`.
#[inline]
pub(super) fn set(size: u8, number: u32) -> u16 {
    SETS[FIRST_OF_SIZE[usize::from(size)] as usize + number as usize]
}

/// How many bits of a set [`SQUEEZED`] takes at a time.
const HALF_BITS: u32 = 7;
const HALF: usize = 1 << HALF_BITS;

/// [`squeeze`] for sets of seven ranks, by universe and subset.
static SQUEEZED: [[u8; HALF]; HALF] = {
    let mut squeezed = [[0; HALF]; HALF];
    let mut universe = 0;
    while universe < HALF {
        let mut subset = 0;
        while subset < HALF {
            let (mut rank, mut position) = (0, 0);
            while rank < HALF_BITS {
                squeezed[universe][subset] |= ((universe & subset) >> rank & 1) as u8 * (1 << position);
                position += universe >> rank & 1;
                rank += 1;
            }
            subset += 1;
        }
        universe += 1;
    }
    squeezed
};

/// A subset of `universe` as the set of its positions there: closes the gaps.
///
/// By tables and in two halves, because a loop over the ranks would cost a mispredicted branch or two for each suit.
#[inline]
pub(super) fn squeeze(subset: u16, universe: u16) -> u16 {
    let half = |set: u16| usize::from(set) % HALF;
    let low = SQUEEZED[half(universe)][half(subset)];
    let high = SQUEEZED[half(universe >> HALF_BITS)][half(subset >> HALF_BITS)];
    u16::from(low) | u16::from(high) << size(universe % HALF as u16)
}

/// The subset of `universe` at these positions: the inverse of [`squeeze`].
#[inline]
pub(super) fn spread(mut positions: u16, mut universe: u16) -> u16 {
    let mut subset = 0;
    while positions != 0 {
        if positions & 1 != 0 {
            subset |= universe & universe.wrapping_neg();
        }
        universe &= universe.wrapping_sub(1);
        positions >>= 1;
    }
    subset
}

/// Exchanges the roles of two bits in the numbers of the places: the bit at each place of `mask`, which has the lower
/// of the two set and the higher clear, changes places with the one `distance` above, which has it the other way round.
const fn swap_bits(x: u64, distance: u32, mask: u64) -> u64 {
    let changed = (x ^ x >> distance) & mask;
    x ^ changed ^ changed << distance
}

/// The ranks that a set of cards has in each suit, clubs first.
///
/// The place of a card's bit is rank·4 + suit. This exchanges the roles of rank and suit, so that the place becomes
/// suit·16 + rank: the two low bits of the place travel to the top by four exchanges of two bits.
#[inline]
pub(super) fn by_suit(cards: CardSet) -> [u16; Suit::COUNT] {
    let mut x = cards.bits();
    x = swap_bits(x, 3, 0x0a0a_0a0a_0a0a_0a0a);
    x = swap_bits(x, 6, 0x00cc_00cc_00cc_00cc);
    x = swap_bits(x, 12, 0x0000_f0f0_0000_f0f0);
    x = swap_bits(x, 24, 0x0000_0000_ff00_ff00);
    [x as u16, (x >> 16) as u16, (x >> 32) as u16, (x >> 48) as u16]
}

/// The cards with these ranks in each suit, clubs first: the inverse of [`by_suit`].
#[inline]
pub(super) fn from_suits([c, d, h, s]: [u16; Suit::COUNT]) -> CardSet {
    let mut x = u64::from(c) | u64::from(d) << 16 | u64::from(h) << 32 | u64::from(s) << 48;
    x = swap_bits(x, 24, 0x0000_0000_ff00_ff00);
    x = swap_bits(x, 12, 0x0000_f0f0_0000_f0f0);
    x = swap_bits(x, 6, 0x00cc_00cc_00cc_00cc);
    x = swap_bits(x, 3, 0x0a0a_0a0a_0a0a_0a0a);
    CardSet::from_bits(x).expect("a suit has thirteen ranks")
}

/// Sorts four numbers, the largest first.
#[inline]
pub(super) fn sort_descending<T: Ord + Copy>([a, b, c, d]: [T; 4]) -> [T; 4] {
    let (a, b) = (a.max(b), a.min(b));
    let (c, d) = (c.max(d), c.min(d));
    let (a, c) = (a.max(c), a.min(c));
    let (b, d) = (b.max(d), b.min(d));
    [a, b.max(c), b.min(c), d]
}

/// How many deals a class has whose suits, sorted, look like this: 24 by the number of ways to exchange equal suits.
#[inline]
pub(super) fn class_size<T: PartialEq>([a, b, c, d]: [T; 4]) -> u32 {
    const SIZES: [u32; 8] = [24, 12, 12, 4, 12, 6, 4, 1];
    SIZES[usize::from(a == b) | usize::from(b == c) << 1 | usize::from(c == d) << 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_places_order_the_sets() {
        for ranks in 0..NUM_SETS as u16 {
            assert_eq!(size(ranks), ranks.count_ones());
            assert!(u64::from(number(ranks)) < choose(13, u64::from(size(ranks))));
            assert_eq!(set(size(ranks) as u8, number(ranks)), ranks);
        }
        let mut sorted: Vec<u16> = (0..NUM_SETS as u16).collect();
        sorted.sort_by_key(|&ranks| (ranks.count_ones(), ranks));
        assert!(sorted.is_sorted_by_key(|&ranks| place(ranks)));
        assert_eq!(sorted[..], SETS[..]);
    }

    #[test]
    fn squeezing_keeps_order_and_spreading_undoes_it() {
        let universe = 0b1_0110_1001_0110;
        assert_eq!(squeeze(universe, universe), 0b111_1111);
        assert_eq!(squeeze(0b1_0000_0001_0000, universe), 0b100_0100);
        for subset in (0..NUM_SETS as u16).map(|set| set & universe) {
            assert_eq!(spread(squeeze(subset, universe), universe), subset);
        }
    }

    #[test]
    fn class_sizes_are_orbits() {
        let multinomial = |list: [u8; 4]| {
            let equal = |x| list.iter().filter(|&&y| y == x).count() as u64;
            24 / (0..4).map(|x| (1..=equal(x)).product::<u64>()).product::<u64>()
        };
        for list in (0..256usize).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]) {
            let sorted = sort_descending(list.map(|x| x as u8));
            assert!(sorted.is_sorted_by(|a, b| a >= b));
            assert_eq!(u64::from(class_size(sorted)), multinomial(sorted));
        }
    }

    proptest! {
        #[test]
        fn suits_are_taken_apart_and_put_together(bits in 0u64..1 << 52) {
            let cards = CardSet::from_bits(bits).unwrap();
            prop_assert_eq!(by_suit(cards), Suit::ALL.map(|suit| cards.ranks_of(suit)));
            prop_assert_eq!(from_suits(by_suit(cards)), cards);
        }
    }
}
