//! Boards without their suits.

use super::Strength;
use super::generate::{NUM_BOARD_RANKS, board_ranks_id, rank_pair};
use super::tally::flush_number;
use crate::card::Rank;
use crate::kernel::tables::COLUMNS;

/// The ranks of a board's five cards, whatever their order and suits, numbered 0..6188.
///
/// With the ranks r₁ ≤ … ≤ r₅ the number is Σ C(rᵢ + i − 1, i). It is a sum of a part that depends on the high ranks
/// only and of one that depends on the low ranks and how many they are; so boards that share their high ranks are
/// neighbours. Thirteen of the numbers, those with five cards of a rank, belong to no board.
///
/// ```
/// use equipoise_cards::{BoardRanks, Rank, Strength};
/// let ranks = [Rank::ACE, Rank::TWO, Rank::TEN, Rank::TWO, Rank::KING];
/// let board = BoardRanks::new(ranks).unwrap();
/// let strengths = BoardRanks::strengths(Rank::ACE, Rank::ACE);
/// let full = Strength::try_new(strengths[board.index()]).unwrap();
/// assert_eq!(full.to_string(), "full house, aces full of deuces");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardRanks(u16);

impl BoardRanks {
    /// How many numbers there are.
    pub const COUNT: usize = NUM_BOARD_RANKS;

    /// The number of these ranks; `None` for five of a kind.
    #[must_use]
    pub fn new(ranks: [Rank; 5]) -> Option<BoardRanks> {
        let mut counts = [0; Rank::COUNT];
        ranks.iter().for_each(|rank| counts[rank.index()] += 1);
        counts.iter().all(|&n| n <= 4).then(|| BoardRanks(board_ranks_id(&counts) as u16))
    }

    /// The number of these ranks.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The numbers of the strengths that two private ranks have on each board when nobody makes a flush, by
    /// [`BoardRanks::index`].
    ///
    /// Boards that leave too few cards of a private rank have a meaningless number.
    #[must_use]
    pub fn strengths(a: Rank, b: Rank) -> &'static [u16; BoardRanks::COUNT] {
        let pair = rank_pair(a.min(b).index(), a.max(b).index());
        COLUMNS[pair * NUM_BOARD_RANKS..].first_chunk().expect("the table has a column for every pair")
    }
}

impl Strength {
    /// The strength of a flush with these ranks, a set of 13 bits; `None` for fewer than five.
    #[must_use]
    pub fn of_flush(ranks: u16) -> Option<Strength> {
        let enough = ranks < 1 << 13 && ranks.count_ones() >= 5;
        enough.then(|| Strength::from_table(flush_number(usize::from(ranks))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_are_distinct_and_strengths_are_those_of_rainbow_cards() {
        let mut seen = HashSet::new();
        let all = || Rank::ALL.into_iter();
        for a in all() {
            for b in all().take(a.index() + 1) {
                for c in all().take(b.index() + 1) {
                    for d in all().take(c.index() + 1) {
                        for e in all().take(d.index() + 1) {
                            if let Some(ranks) = BoardRanks::new([d, a, c, e, b]) {
                                assert!(ranks.index() < BoardRanks::COUNT && seen.insert(ranks));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), 6175);
        let board = BoardRanks::new([8, 7, 4, 10, 0].map(|id| Rank::ALL[id])).unwrap();
        let pair = BoardRanks::strengths(Rank::KING, Rank::KING)[board.index()];
        let cards = "Td9d6hQc2hKhKc".parse().unwrap();
        assert_eq!(Strength::try_new(pair), Strength::of(cards));
    }
}
