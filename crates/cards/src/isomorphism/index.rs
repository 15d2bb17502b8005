//! A number for every class of isomorphic deals.

use std::sync::OnceLock;

use crate::board::{Board, Street};
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::combo::Combo;

use super::canonical::{board_of, descending_suits};
use super::grouping::{Grouping, Groups, GroupsError};
use super::layout::{Configuration, Layout, Shape, multichoose};
use super::rank_sets::{
    SIZE_SHIFT, by_suit, class_size, from_suits, number, place, set, size, sort_descending, spread, squeeze,
};
use super::suits::SuitPermutation;

/// Where the number of a suit's shape stands in its code; the number of the way to take the shape stands below.
const SHAPE_SHIFT: u32 = 24;

/// The shape of one suit and the way it takes it, in one number.
type SuitCode = u32;

/// Numbers the classes of isomorphic deals of one [`Grouping`] without gaps, and finds the class of a number.
///
/// ```
/// use equipoise_cards::{Grouping, Indexer};
/// let indexer = Indexer::of(Grouping::ComboFlop);
/// assert_eq!(indexer.count(), 1_286_792);
/// let index = indexer.index(&["AhKh".parse()?, "Qh7d2c".parse()?])?;
/// assert_eq!(indexer.index(&["AdKd".parse()?, "2s7cQd".parse()?])?, index);
/// assert_eq!(indexer.unindex(index).unwrap().to_string(), "AsKs | Qs7h2d");
/// assert_eq!(indexer.class_size(index), Some(24));
/// assert_eq!(indexer.unindex(indexer.count()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The numbering
///
/// The idea is that of Waugh's "A fast and optimal hand isomorphism algorithm" (2013): since suits may change places,
/// a class is a *multiset* of what four suits hold, and multisets can be counted off.
///
/// 1. What one suit holds is a set of ranks for each group. How many ranks it has in each group is its *shape*, and
///    among those of one shape it has a number, its *way*: first the number of the union of the groups among the sets
///    of 13 ranks, then the number of the first group among the subsets of the union, of the second among the subsets
///    of what is left, and so on, as the digits of one number.
/// 2. The four shapes, sorted, are the *configuration*. The classes of one configuration follow one another; a table
///    has the number of the first one.
/// 3. Within a configuration, suits of the same shape make a run. A run of m suits with the ways w₁ ≥ w₂ ≥ … is
///    number C(w₁+m−1, m) + C(w₂+m−2, m−1) + … + w_m among the multisets of m ways. The numbers of the runs are the
///    digits of the number of the class.
#[derive(Debug)]
pub struct Indexer {
    grouping: Grouping,
    layout: Layout,
}

impl Indexer {
    /// The indexer of a grouping, made when it is first asked for.
    #[must_use]
    pub fn of(grouping: Grouping) -> &'static Indexer {
        static INDEXERS: [OnceLock<Indexer>; Grouping::COUNT] = [const { OnceLock::new() }; Grouping::COUNT];
        INDEXERS[grouping as usize]
            .get_or_init(|| Indexer { grouping, layout: Layout::new(grouping.sizes()) })
    }

    /// The indexer of a combo on a board of this street, the board as a set.
    #[must_use]
    pub fn of_combo(street: Street) -> &'static Indexer {
        Indexer::of(Grouping::of_combo(street))
    }

    /// The groups that this indexer numbers.
    #[must_use]
    pub const fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// How many classes there are.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.layout.count
    }

    /// The number of the class of these groups, below [`count`](Indexer::count).
    ///
    /// # Errors
    /// [`GroupsError`] if the groups are not as many or not as large as the grouping says, or share a card.
    #[inline]
    pub fn index(&self, groups: &[CardSet]) -> Result<u64, GroupsError> {
        Ok(self.index_of_codes(self.checked_codes(groups)?))
    }

    /// The number of the class of a combo on a board, whose cards fall into the groups in the order they were dealt.
    ///
    /// ```
    /// use equipoise_cards::{Grouping, Indexer, Street};
    /// let indexer = Indexer::of_combo(Street::Turn);
    /// let index = indexer.index_deal("AhKh".parse()?, &"2c7d9s 2h".parse()?)?;
    /// // The streets do not matter to 2+4 …
    /// assert_eq!(indexer.index_deal("AhKh".parse()?, &"2h7d9s 2c".parse()?)?, index);
    /// // … but they do to 2+3+1.
    /// let indexer = Indexer::of(Grouping::ComboFlopTurn);
    /// let index = indexer.index_deal("AhKh".parse()?, &"2c7d9s 2h".parse()?)?;
    /// assert_ne!(indexer.index_deal("AhKh".parse()?, &"2h7d9s 2c".parse()?)?, index);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`GroupsError`] if the grouping has no combo, if the board has another number of cards than the grouping says,
    /// or if a card of the combo is on the board.
    #[inline]
    pub fn index_deal(&self, combo: Combo, board: &Board) -> Result<u64, GroupsError> {
        match self.grouping.sizes() {
            // Most callers take the board as a set, and often.
            &[2, size] if size == board.cards().len() => self.index(&[combo.cards(), board.set()]),
            _ => self.index(&self.grouping.split(Some(combo), board)?),
        }
    }

    /// The number of the class of a board, whose cards fall into the groups in the order they were dealt.
    ///
    /// # Errors
    /// [`GroupsError`] if the grouping has a combo, or if the board has another number of cards than the grouping says.
    #[inline]
    pub fn index_board(&self, board: &Board) -> Result<u64, GroupsError> {
        self.index(&self.grouping.split(None, board)?)
    }

    /// [`index_board`](Indexer::index_board) of a board as a set, and what its suits become on the canonical board: those
    /// of [`CanonicalBoard::new`](super::CanonicalBoard::new), found on the way.
    ///
    /// ```
    /// use equipoise_cards::{Board, CanonicalBoard, Grouping, Indexer};
    /// let (indexer, board): (_, Board) = (Indexer::of(Grouping::Turn), "2h7d7hAc".parse()?);
    /// let (index, suits) = indexer.index_board_and_suits(&board)?;
    /// assert_eq!(index, indexer.index_board(&board)?);
    /// assert_eq!(suits, CanonicalBoard::new(&board).suits());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`GroupsError`] if the grouping is not that of a board as a set, or of one with another number of cards.
    #[inline]
    pub fn index_board_and_suits(&self, board: &Board) -> Result<(u64, SuitPermutation), GroupsError> {
        if *self.grouping.sizes() != [board.cards().len()] {
            let (grouping, num_public) = (self.grouping, board.cards().len());
            return Err(GroupsError::WrongDeal { grouping, num_private: 0, num_public });
        }
        // With one group the place of a suit's ranks is its shape and its way. Below it stands the number of the suit.
        let ranks = by_suit(board.set());
        let keys =
            sort_descending(std::array::from_fn(|suit| u32::from(place(ranks[suit])) << 2 | suit as u32));
        let codes =
            keys.map(|key| (key >> (SIZE_SHIFT + 2)) << SHAPE_SHIFT | key >> 2 & ((1 << SIZE_SHIFT) - 1));
        let suits = SuitPermutation::from_descending(keys.map(|key| Suit::ALL[key as usize & 3]));
        Ok((self.index_of_codes(codes), suits))
    }

    /// The canonical member of the class with this number; `None` from [`count`](Indexer::count) on.
    ///
    /// Its board is that of [`CanonicalBoard::new`](super::CanonicalBoard::new), or of
    /// [`CanonicalBoard::by_street`](super::CanonicalBoard::by_street) where the grouping keeps the streets apart, and
    /// combo and board are those of [`CanonicalDeal`](super::CanonicalDeal).
    #[must_use]
    pub fn unindex(&self, index: u64) -> Option<Groups> {
        Some(self.groups_of_codes(self.codes_of_index(index)?))
    }

    /// The canonical combo and board of the class with this number, the board with each group from its highest card
    /// down; `None` from [`count`](Indexer::count) on, or if the grouping has no combo.
    #[must_use]
    pub fn unindex_deal(&self, index: u64) -> Option<(Combo, Board)> {
        if !self.grouping.has_combo() {
            return None;
        }
        let groups = self.unindex(index)?;
        let (private, public) = groups.split_first()?;
        let mut cards = private.iter();
        Some((Combo::new(cards.next()?, cards.next()?)?, board_of(public)?))
    }

    /// The canonical board of the class with this number, each group from its highest card down; `None` from
    /// [`count`](Indexer::count) on, or if the grouping has a combo.
    #[must_use]
    pub fn unindex_board(&self, index: u64) -> Option<Board> {
        self.unindex_board_and_size(index).map(|(board, _)| board)
    }

    /// [`unindex_board`](Indexer::unindex_board) and [`class_size`](Indexer::class_size) in one.
    pub(super) fn unindex_board_and_size(&self, index: u64) -> Option<(Board, u32)> {
        if self.grouping.has_combo() {
            return None;
        }
        let codes = self.codes_of_index(index)?;
        Some((board_of(&self.groups_of_codes(codes))?, class_size(codes)))
    }

    /// How many deals the class with this number has; `None` from [`count`](Indexer::count) on.
    #[must_use]
    pub fn class_size(&self, index: u64) -> Option<u32> {
        Some(class_size(self.codes_of_index(index)?))
    }

    /// How many deals are isomorphic to these groups, themselves included.
    ///
    /// # Errors
    /// As [`index`](Indexer::index).
    pub fn class_size_of(&self, groups: &[CardSet]) -> Result<u32, GroupsError> {
        Ok(class_size(self.checked_codes(groups)?))
    }

    /// What the four suits hold, the largest code first.
    #[inline]
    fn checked_codes(&self, groups: &[CardSet]) -> Result<[SuitCode; Suit::COUNT], GroupsError> {
        let grouping = self.grouping;
        let sizes = grouping.sizes();
        if groups.len() != sizes.len() {
            return Err(GroupsError::WrongNumGroups { grouping, found: groups.len() });
        }
        let mut seen = CardSet::EMPTY;
        for (group, (&set, &size)) in groups.iter().zip(sizes).enumerate() {
            if set.len() != size {
                return Err(GroupsError::WrongSize { grouping, group, found: set.len() });
            }
            if let Some(card) = seen.first_shared(set) {
                return Err(GroupsError::SharedCard { card });
            }
            seen |= set;
        }
        // The number of groups as a constant lets the compiler unroll all loops.
        let codes = match *groups {
            [a] => self.codes([a], seen),
            [a, b] => self.codes([a, b], seen),
            [a, b, c] => self.codes([a, b, c], seen),
            [a, b, c, d] => self.codes([a, b, c, d], seen),
            _ => unreachable!("a grouping has one to four groups"),
        };
        Ok(sort_descending(codes))
    }

    #[inline]
    fn codes<const N: usize>(&self, groups: [CardSet; N], union: CardSet) -> [SuitCode; Suit::COUNT] {
        let unions = by_suit(union);
        let groups = groups.map(by_suit);
        std::array::from_fn(|suit| self.suit_code(groups.map(|ranks| ranks[suit]), unions[suit]))
    }

    /// The code of a suit with these ranks in the groups.
    #[inline]
    fn suit_code<const N: usize>(&self, groups: [u16; N], union: u16) -> SuitCode {
        let mut shape = 0;
        for (ranks, stride) in groups.into_iter().zip(self.layout.strides) {
            shape += size(ranks) * stride;
        }
        let radices = &self.layout.shapes[shape as usize].radices;
        let mut way = number(union);
        let mut rest = union;
        // The last group is what the others leave of the union.
        for (&ranks, radix) in groups[..N - 1].iter().zip(radices) {
            way = way * radix + number(squeeze(ranks, rest));
            rest ^= ranks;
        }
        shape << SHAPE_SHIFT | way
    }

    /// The number of the class whose suits have these codes, the largest first.
    #[inline]
    fn index_of_codes(&self, codes: [SuitCode; Suit::COUNT]) -> u64 {
        let configuration = self.layout.configuration(codes.map(|code| code >> SHAPE_SHIFT));
        let ways = codes.map(|code| u64::from(code & ((1 << SHAPE_SHIFT) - 1)));
        let terms = ways.into_iter().zip(configuration.run_lengths).zip(configuration.weights);
        let within: u64 = if configuration.has_long_run {
            terms.map(|((way, length), weight)| weight * multichoose(way, length)).sum()
        } else {
            // The same for lengths of 1 and 2, without a branch for each suit.
            let short = |way, length| (way * (1 + way * (length - 1))) >> (length - 1);
            terms.map(|((way, length), weight)| weight * short(way, u64::from(length))).sum()
        };
        configuration.offset + within
    }

    /// The codes of the suits of a class, the largest first.
    #[inline]
    fn codes_of_index(&self, index: u64) -> Option<[SuitCode; Suit::COUNT]> {
        if index >= self.count() {
            return None;
        }
        let configurations = &self.layout.configurations;
        let configuration = &configurations[configurations.partition_point(|c| c.offset <= index) - 1];
        let ways = ways_of_runs(configuration, index - configuration.offset);
        Some(std::array::from_fn(|suit| u32::from(configuration.shapes[suit]) << SHAPE_SHIFT | ways[suit]))
    }

    /// The cards of suits with these codes, in canonical form.
    #[inline]
    fn groups_of_codes(&self, codes: [SuitCode; Suit::COUNT]) -> Groups {
        match self.grouping.sizes().len() {
            1 => self.canonical_groups::<1>(codes),
            2 => self.canonical_groups::<2>(codes),
            3 => self.canonical_groups::<3>(codes),
            _ => self.canonical_groups::<4>(codes),
        }
    }

    #[inline]
    fn canonical_groups<const N: usize>(&self, codes: [SuitCode; Suit::COUNT]) -> Groups {
        let by_suit = codes.map(|code| {
            let shape = &self.layout.shapes[(code >> SHAPE_SHIFT) as usize];
            ranks_of_way::<N>(shape, code & ((1 << SHAPE_SHIFT) - 1))
        });
        let ranks: [[u16; Suit::COUNT]; N] = std::array::from_fn(|group| by_suit.map(|held| held[group]));
        // The codes of one group are in canonical order already.
        let mut order = [0, 1, 2, 3];
        if N > 1 {
            // The board decides before the combo, so that canonical deals are on canonical boards.
            let (private, public) = ranks.split_at(usize::from(self.grouping.has_combo()));
            (order, _) = descending_suits(public.iter().chain(private).copied());
        }
        let [s, h, d, c] = order;
        let mut groups = Groups::default();
        for ranks in ranks {
            groups.push(from_suits([ranks[c], ranks[d], ranks[h], ranks[s]]));
        }
        groups
    }
}

/// The ways of the suits of a configuration's class: takes the number of the class apart into the numbers of the runs,
/// and these into the ways.
#[inline]
fn ways_of_runs(configuration: &Configuration, index: u64) -> [u32; Suit::COUNT] {
    let mut ways = [0; Suit::COUNT];
    let (mut rest, mut suit) = (index, 0);
    while suit < Suit::COUNT && rest > 0 {
        let num_ways = configuration.num_run_ways[suit];
        let mut run = rest % num_ways;
        rest /= num_ways;
        let end = suit + usize::from(configuration.run_lengths[suit]);
        while suit < end {
            let length = configuration.run_lengths[suit];
            let way = last_multichoose_up_to(run, length);
            run -= multichoose(way, length);
            ways[suit] = way as u32;
            suit += 1;
        }
    }
    ways
}

/// The largest `n` with `multichoose(n, k) <= limit`.
#[inline]
fn last_multichoose_up_to(limit: u64, k: u8) -> u64 {
    match k {
        1 => limit,
        // Exact: a double holds the root of a number below 2⁵² well enough to round down.
        2 => (((8 * limit + 1) as f64).sqrt() as u64 - 1) / 2,
        // Three or four suits alike have one card each: there are thirteen ways.
        _ => (1..).take_while(|&n| multichoose(n, k) <= limit).count() as u64,
    }
}

/// The ranks in each group of a suit that takes a shape in this way.
#[inline]
fn ranks_of_way<const N: usize>(shape: &Shape, mut way: u32) -> [u16; N] {
    let mut numbers = [0; N];
    for group in (0..N - 1).rev() {
        let radix = shape.radices[group];
        if radix > 1 {
            numbers[group] = way % radix;
            way /= radix;
        }
    }
    let mut rest = set(shape.total, way);
    let mut ranks = [0; N];
    for group in 0..N - 1 {
        ranks[group] = match shape.sizes[group] {
            0 => 0,
            _ if shape.radices[group] == 1 => rest,
            size => spread(set(size, numbers[group]), rest),
        };
        rest ^= ranks[group];
    }
    ranks[N - 1] = rest;
    ranks
}
