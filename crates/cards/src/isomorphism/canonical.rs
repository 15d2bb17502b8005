//! The canonical member of a class: cards that a person can read.

use crate::board::{Board, Street};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::combo::Combo;

use super::grouping::{Grouping, Groups, GroupsError, MAX_GROUPS};
use super::index::Indexer;
use super::rank_sets::{by_suit, class_size, place, sort_descending};
use super::suits::SuitPermutation;

/// The numbers of the suits in canonical order, and the number of different deals that renaming the suits makes.
///
/// `groups` has the ranks of each suit for each group. Suits are ordered by how many cards they have in the first
/// group, the most first, ties by the highest card there, the second-highest …, then by the second group likewise,
/// and so on. Suits alike in everything keep their order from spades to clubs.
#[inline]
pub(super) fn descending_suits(groups: impl Iterator<Item = [u16; Suit::COUNT]>) -> ([usize; 4], u32) {
    // A place has 15 bits; four of them leave two bits for the number of the suit, the last tie-break.
    const { assert!(15 * MAX_GROUPS + 2 <= 64) };
    let mut keys = [0u64; Suit::COUNT];
    for ranks in groups {
        for (key, ranks) in keys.iter_mut().zip(ranks) {
            *key = *key << 15 | u64::from(place(ranks));
        }
    }
    for (suit, key) in keys.iter_mut().enumerate() {
        *key = *key << 2 | suit as u64;
    }
    let sorted = sort_descending(keys);
    (sorted.map(|key| key as usize & 3), class_size(sorted.map(|key| key >> 2)))
}

/// The permutation that brings these groups into canonical form, and the size of their class.
fn canonical_suits(groups: &[CardSet]) -> (SuitPermutation, u32) {
    let (suits, class_size) = descending_suits(groups.iter().map(|&set| by_suit(set)));
    (SuitPermutation::from_descending(suits.map(|suit| Suit::ALL[suit])), class_size)
}

/// The public cards in groups: one for the board, or one for each street.
fn board_groups(board: &Board, by_street: bool) -> Groups {
    let mut groups = Groups::default();
    let mut cards = board.cards();
    while !cards.is_empty() {
        let size = match cards.len() {
            len if !by_street => len,
            len if len == board.cards().len() => 3,
            _ => 1,
        };
        let (group, rest) = cards.split_at(size);
        groups.push(group.iter().copied().collect());
        cards = rest;
    }
    groups
}

/// The board of these groups one after the other, each from its highest card down; `None` if there is no such board.
pub(super) fn board_of(groups: &[CardSet]) -> Option<Board> {
    let mut cards = [Card::ALL[0]; 5];
    let mut num_cards = 0;
    for card in groups.iter().flat_map(|set| set.iter().rev()) {
        *cards.get_mut(num_cards)? = card;
        num_cards += 1;
    }
    Board::new(&cards[..num_cards]).ok()
}

/// The canonical member of a board's class, and how to get there.
///
/// The suits are ordered by how many board cards they have, ties by the highest card, then the second-highest, and so
/// on. The first suit becomes spades, then hearts, diamonds and clubs. Suits alike in all that (those absent from the
/// board, for instance) keep their order from spades to clubs.
///
/// Compare canonical boards by [`board`](CanonicalBoard::board): isomorphic boards share it, but each has its own way
/// to get there.
///
/// ```
/// use equipoise_cards::{Board, CanonicalBoard};
/// let board: Board = "AhKd7c".parse()?;
/// let canonical = CanonicalBoard::new(&board);
/// assert_eq!(canonical.board().to_string(), "AsKh7d");
/// assert_eq!(canonical.suits().to_string(), "h→s d→h c→d s→c");
/// assert_eq!(canonical.map_combo("AsQh".parse()?).to_string(), "AcQs");
/// assert_eq!(canonical.class_size(), 24);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CanonicalBoard {
    board: Board,
    groups: Groups,
    suits: SuitPermutation,
    class_size: u32,
}

impl CanonicalBoard {
    /// The canonical form of a board as a set: the cards from the highest down, whichever street they came on.
    #[must_use]
    pub fn new(board: &Board) -> CanonicalBoard {
        CanonicalBoard::of_groups(&board_groups(board, false))
    }

    /// The canonical form of a board with its streets kept apart: the flop from its highest card down, then the turn,
    /// then the river. The flop alone decides as far as it can, so it is the same on every street.
    ///
    /// ```
    /// use equipoise_cards::{Board, CanonicalBoard};
    /// let board: Board = "2h7d7h Ac".parse()?;
    /// assert_eq!(CanonicalBoard::by_street(&board).board().to_string(), "7s7h2sAd");
    /// assert_eq!(CanonicalBoard::new(&board).board().to_string(), "Ah7s7d2s");
    /// # Ok::<(), equipoise_cards::BoardError>(())
    /// ```
    #[must_use]
    pub fn by_street(board: &Board) -> CanonicalBoard {
        CanonicalBoard::of_groups(&board_groups(board, true))
    }

    fn of_groups(groups: &[CardSet]) -> CanonicalBoard {
        let (suits, class_size) = canonical_suits(groups);
        let mut canonical = Groups::default();
        for &set in groups {
            canonical.push(suits.map_set(set));
        }
        let board = board_of(&canonical).expect("the groups are those of a board");
        CanonicalBoard { board, groups: canonical, suits, class_size }
    }

    /// The canonical board.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// What the suits of the given board become.
    #[must_use]
    pub const fn suits(&self) -> SuitPermutation {
        self.suits
    }

    /// What a combo becomes.
    ///
    /// The same combo on isomorphic boards may map to different ones, because of the
    /// [`symmetries`](CanonicalBoard::symmetries) of the board; see [`CanonicalDeal`] for a key that does not.
    #[must_use]
    pub const fn map_combo(&self, combo: Combo) -> Combo {
        self.suits.map_combo(combo)
    }

    /// How many boards are isomorphic to this one, itself included.
    #[must_use]
    pub const fn class_size(&self) -> u32 {
        self.class_size
    }

    /// The permutations that map the canonical board to itself, the identity first: `24 / class_size` of them.
    ///
    /// ```
    /// use equipoise_cards::{Board, CanonicalBoard};
    /// let board: Board = "AhKh7d".parse()?;
    /// let canonical = CanonicalBoard::new(&board);
    /// let symmetries: Vec<String> = canonical.symmetries().map(|suits| suits.to_string()).collect();
    /// assert_eq!(symmetries, ["s→s h→h d→d c→c", "s→s h→h c→d d→c"]);
    /// # Ok::<(), equipoise_cards::BoardError>(())
    /// ```
    pub fn symmetries(&self) -> impl Iterator<Item = SuitPermutation> + use<> {
        let groups = self.groups;
        SuitPermutation::ALL
            .into_iter()
            .filter(move |suits| groups.iter().all(|&set| suits.map_set(set) == set))
    }
}

/// The canonical member of the class of a combo on a board, and how to get there.
///
/// Two pairs of combo and board have the same canonical [`combo`](CanonicalDeal::combo) and
/// [`board`](CanonicalDeal::board) if and only if a permutation of the suits maps one to the other. The board is that
/// of [`CanonicalBoard`]; where the board leaves suits alike, the combo decides between them by the same rules.
///
/// ```
/// use equipoise_cards::CanonicalDeal;
/// let deal = |combo: &str, board: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let deal = CanonicalDeal::new(combo.parse()?, &board.parse()?)?;
///     Ok(format!("{} {}", deal.combo(), deal.board()))
/// };
/// assert_eq!(deal("2cAd", "Qh8h5h")?, "Ah2d Qs8s5s");
/// assert_eq!(deal("Ac2s", "5dQd8d")?, "Ah2d Qs8s5s");
/// assert_eq!(deal("Ah2s", "5dQd8d")?, "Ah2d Qs8s5s");
/// assert!(deal("Ad2s", "5dAd8d").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CanonicalDeal {
    combo: Combo,
    board: Board,
    suits: SuitPermutation,
    class_size: u32,
}

impl CanonicalDeal {
    /// The canonical form of a combo and a board as a set.
    ///
    /// # Errors
    /// [`GroupsError::SharedCard`] if a card of the combo is on the board.
    pub fn new(combo: Combo, board: &Board) -> Result<CanonicalDeal, GroupsError> {
        CanonicalDeal::of_groups(combo, board_groups(board, false))
    }

    /// The canonical form of a combo and a board with its streets kept apart.
    ///
    /// # Errors
    /// [`GroupsError::SharedCard`] if a card of the combo is on the board.
    pub fn by_street(combo: Combo, board: &Board) -> Result<CanonicalDeal, GroupsError> {
        CanonicalDeal::of_groups(combo, board_groups(board, true))
    }

    fn of_groups(combo: Combo, mut groups: Groups) -> Result<CanonicalDeal, GroupsError> {
        if let Some(card) = groups.union().first_shared(combo.cards()) {
            return Err(GroupsError::SharedCard { card });
        }
        groups.push(combo.cards());
        let (suits, class_size) = canonical_suits(&groups);
        let mut canonical = Groups::default();
        for &set in &groups[..groups.len() - 1] {
            canonical.push(suits.map_set(set));
        }
        let board = board_of(&canonical).expect("the groups are those of a board");
        Ok(CanonicalDeal { combo: suits.map_combo(combo), board, suits, class_size })
    }

    /// The canonical combo.
    #[must_use]
    pub const fn combo(&self) -> Combo {
        self.combo
    }

    /// The canonical board.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// What the suits of the given deal become.
    #[must_use]
    pub const fn suits(&self) -> SuitPermutation {
        self.suits
    }

    /// How many deals are isomorphic to this one, itself included.
    #[must_use]
    pub const fn class_size(&self) -> u32 {
        self.class_size
    }
}

/// The canonical boards of a street as sets, each with the number of boards that it stands for, in the order of
/// [`Grouping::of_board`]'s index. Before the flop that is the empty board alone.
///
/// ```
/// use equipoise_cards::{Street, canonical_boards};
/// assert_eq!(canonical_boards(Street::Flop).count(), 1755);
/// assert_eq!(canonical_boards(Street::Flop).map(|(_, class_size)| class_size).sum::<u32>(), 22_100);
/// ```
pub fn canonical_boards(street: Street) -> impl ExactSizeIterator<Item = (Board, u32)> {
    let indexer = Grouping::of_board(street).map(Indexer::of);
    let num_boards = indexer.map_or(1, |indexer| indexer.count() as usize);
    (0..num_boards).map(move |index| {
        indexer.map_or((Board::EMPTY, 1), |indexer| {
            indexer.unindex_board_and_size(index as u64).expect("the index is below the count")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn suits_are_ordered_by_frequency_then_by_cards() {
        for (text, canonical, suits) in [
            ("AhKd7c", "AsKh7d", "h→s d→h c→d s→c"),
            // Two cards go before a higher one.
            ("Ac3h2h", "Ah3s2s", "h→s c→h s→d d→c"),
            // A tie in the highest card goes to the second-highest, and on.
            ("AcAdKd5c", "AsAhKs5h", "d→s c→h s→d h→c"),
            ("9c8d7h6s", "9s8h7d6c", "c→s d→h h→d s→c"),
            // Suits that are alike keep their order.
            ("AcAdAh", "AsAhAd", "h→s d→h c→d s→c"),
            ("7d2dAd", "As7s2s", "d→s s→h h→d c→c"),
            ("", "", "s→s h→h d→d c→c"),
        ] {
            let result = CanonicalBoard::new(&board(text));
            assert_eq!(result.board().to_string(), canonical, "{text}");
            assert_eq!(result.suits().to_string(), suits, "{text}");
        }
    }

    #[test]
    fn a_flop_keeps_its_form_on_later_streets() {
        let river = board("2h7d7h Ac Ks");
        let turn = board("2h7d7h Ac");
        assert_eq!(CanonicalBoard::new(&board("2h7d7h")).board(), board("7s7h2s"));
        assert_eq!(CanonicalBoard::by_street(&turn).board(), board("7s7h2s Ad"));
        assert_eq!(CanonicalBoard::by_street(&river).board(), board("7s7h2s Ad Kc"));
        assert_eq!(CanonicalBoard::new(&river).board(), board("AhKd7s7c2s"));
    }

    proptest! {
        #[test]
        fn all_images_of_a_board_share_the_canonical_one(
            deck in Just(Card::ALL.to_vec()).prop_shuffle(),
            len in prop::sample::select(vec![0, 3, 4, 5]),
        ) {
            let board = Board::new(&deck[..len]).unwrap();
            for canonical in [CanonicalBoard::new, CanonicalBoard::by_street] {
                let expected = canonical(&board);
                let mut different = std::collections::HashSet::new();
                for suits in SuitPermutation::ALL {
                    let image = suits.map_board(&board);
                    let result = canonical(&image);
                    prop_assert_eq!(result.board(), expected.board());
                    prop_assert_eq!(result.suits().map_set(image.set()), expected.board().set());
                    prop_assert_eq!(result.class_size(), expected.class_size());
                    different.insert(image.set());
                }
                if let Some(grouping) = Grouping::of_board(board.street()) {
                    let (indexer, expected) = (Indexer::of(grouping), CanonicalBoard::new(&board));
                    let found = indexer.index_board_and_suits(&board);
                    prop_assert_eq!(found, Ok((indexer.index_board(&board).unwrap(), expected.suits())));
                }
                let symmetries: Vec<_> = expected.symmetries().collect();
                prop_assert_eq!(symmetries[0], SuitPermutation::IDENTITY);
                prop_assert_eq!(symmetries.len() as u32 * expected.class_size(), 24);
                if len == 0 || len == 3 {
                    prop_assert_eq!(different.len() as u32, expected.class_size());
                }
            }
            // The order of the cards within a street, and of the streets where they are not kept apart, is nothing.
            let mut cards = deck[..len].to_vec();
            cards.sort();
            let sorted = Board::new(&cards).unwrap();
            prop_assert_eq!(CanonicalBoard::new(&sorted).board(), CanonicalBoard::new(&board).board());
        }
    }
}
