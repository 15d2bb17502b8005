//! How the cards of a deal fall into groups whose inner order does not matter.

use std::fmt;
use std::ops::Deref;

use thiserror::Error;

use crate::board::{Board, Street};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::combo::Combo;

/// The most groups that a grouping has.
pub(super) const MAX_GROUPS: usize = 4;

/// How the cards of a deal fall into groups: cards of one group may change places, cards of different groups may not.
///
/// The groupings whose names end in one street take the board as one set. The others keep the streets apart, so
/// that they tell a card that came on the turn from one that came on the flop.
///
/// ```
/// use equipoise_cards::Grouping;
/// assert_eq!(Grouping::ComboFlopTurn.to_string(), "2+3+1");
/// assert_eq!(Grouping::ComboFlopTurn.sizes(), [2, 3, 1]);
/// assert_eq!(Grouping::ComboFlopTurn.num_deals(), 1326 * 19600 * 47);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grouping {
    /// 2: a combo before the flop, 169 classes.
    Combo,
    /// 2+3: a combo and a flop, 1,286,792 classes.
    ComboFlop,
    /// 2+4: a combo and the four cards of a turn board, 13,960,050 classes.
    ComboTurn,
    /// 2+5: a combo and the five cards of a river board, 123,156,254 classes.
    ComboRiver,
    /// 2+3+1: a combo, a flop and a turn card, 55,190,538 classes.
    ComboFlopTurn,
    /// 2+3+1+1: a combo, a flop, a turn and a river card, 2,428,287,420 classes.
    ComboFlopTurnRiver,
    /// 3: a flop, 1,755 classes.
    Flop,
    /// 4: the four cards of a turn board, 16,432 classes.
    Turn,
    /// 5: the five cards of a river board, 134,459 classes.
    River,
    /// 3+1: a flop and a turn card, 63,193 classes.
    FlopTurn,
    /// 3+1+1: a flop, a turn and a river card, 2,554,656 classes.
    FlopTurnRiver,
}

impl Grouping {
    /// How many groupings there are.
    pub const COUNT: usize = 11;
    /// Every grouping.
    pub const ALL: [Grouping; Grouping::COUNT] = [
        Grouping::Combo,
        Grouping::ComboFlop,
        Grouping::ComboTurn,
        Grouping::ComboRiver,
        Grouping::ComboFlopTurn,
        Grouping::ComboFlopTurnRiver,
        Grouping::Flop,
        Grouping::Turn,
        Grouping::River,
        Grouping::FlopTurn,
        Grouping::FlopTurnRiver,
    ];

    /// A combo on a board of this street, the board as a set.
    #[must_use]
    pub const fn of_combo(street: Street) -> Grouping {
        match street {
            Street::Preflop => Grouping::Combo,
            Street::Flop => Grouping::ComboFlop,
            Street::Turn => Grouping::ComboTurn,
            Street::River => Grouping::ComboRiver,
        }
    }

    /// A board of this street as a set; `None` before the flop.
    #[must_use]
    pub const fn of_board(street: Street) -> Option<Grouping> {
        match street {
            Street::Preflop => None,
            Street::Flop => Some(Grouping::Flop),
            Street::Turn => Some(Grouping::Turn),
            Street::River => Some(Grouping::River),
        }
    }

    /// How many cards each group has.
    #[must_use]
    pub const fn sizes(self) -> &'static [usize] {
        match self {
            Grouping::Combo => &[2],
            Grouping::ComboFlop => &[2, 3],
            Grouping::ComboTurn => &[2, 4],
            Grouping::ComboRiver => &[2, 5],
            Grouping::ComboFlopTurn => &[2, 3, 1],
            Grouping::ComboFlopTurnRiver => &[2, 3, 1, 1],
            Grouping::Flop => &[3],
            Grouping::Turn => &[4],
            Grouping::River => &[5],
            Grouping::FlopTurn => &[3, 1],
            Grouping::FlopTurnRiver => &[3, 1, 1],
        }
    }

    /// Whether the first group is a combo.
    #[must_use]
    pub const fn has_combo(self) -> bool {
        self.sizes()[0] == 2
    }

    /// How many deals there are, isomorphic ones counted apart.
    #[must_use]
    pub fn num_deals(self) -> u64 {
        let mut num_left = Card::COUNT as u64;
        let mut num_deals = 1;
        for &size in self.sizes() {
            num_deals *= super::rank_sets::choose(num_left, size as u64);
            num_left -= size as u64;
        }
        num_deals
    }

    /// Cuts a combo, where there is one, and the cards of a board in the order they were dealt into these groups.
    ///
    /// ```
    /// use equipoise_cards::{Board, Combo, Grouping};
    /// let (combo, board): (Combo, Board) = ("AhKh".parse()?, "2c7d9s 2h".parse()?);
    /// let groups = Grouping::ComboFlopTurn.split(Some(combo), &board)?;
    /// assert_eq!(groups.to_string(), "AhKh | 9s7d2c | 2h");
    /// assert_eq!(Grouping::ComboTurn.split(Some(combo), &board)?.to_string(), "AhKh | 9s7d2h2c");
    /// assert!(Grouping::ComboFlop.split(Some(combo), &board).is_err());
    /// assert!(Grouping::ComboTurn.split(None, &board).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`GroupsError::WrongDeal`] if the grouping is not one for these cards. Whether combo and board share a card is
    /// left to the user of the groups.
    #[inline]
    pub fn split(self, combo: Option<Combo>, board: &Board) -> Result<Groups, GroupsError> {
        let mut board_sizes = self.sizes();
        if self.has_combo() {
            board_sizes = &board_sizes[1..];
        }
        let mut cards = board.cards();
        if combo.is_some() != self.has_combo() || board_sizes.iter().sum::<usize>() != cards.len() {
            let num_private = if combo.is_some() { 2 } else { 0 };
            return Err(GroupsError::WrongDeal { grouping: self, num_private, num_public: cards.len() });
        }
        let mut groups = Groups::default();
        if let Some(combo) = combo {
            groups.push(combo.cards());
        }
        for &size in board_sizes {
            let (group, rest) = cards.split_at(size);
            groups.push(group.iter().copied().collect());
            cards = rest;
        }
        Ok(groups)
    }
}

impl fmt::Display for Grouping {
    /// The sizes: `2+3+1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, size) in self.sizes().iter().enumerate() {
            write!(f, "{}{size}", if i == 0 { "" } else { "+" })?;
        }
        Ok(())
    }
}

/// Up to four groups of cards, a slice of [`CardSet`]s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Groups {
    sets: [CardSet; MAX_GROUPS],
    num_sets: usize,
}

impl Groups {
    /// Adds a group after the others; for callers in this module, who have at most four.
    pub(super) fn push(&mut self, set: CardSet) {
        self.sets[self.num_sets] = set;
        self.num_sets += 1;
    }

    /// All the cards in one set.
    #[must_use]
    pub fn union(&self) -> CardSet {
        self.iter().fold(CardSet::EMPTY, |union, &set| union | set)
    }
}

impl Deref for Groups {
    type Target = [CardSet];

    fn deref(&self) -> &[CardSet] {
        &self.sets[..self.num_sets]
    }
}

impl fmt::Display for Groups {
    /// The groups with bars between them: `AsKs | Qh7d2c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, set) in self.iter().enumerate() {
            write!(f, "{}{set}", if i == 0 { "" } else { " | " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// Why cards do not make the groups that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupsError {
    /// Another number of groups than the grouping has.
    #[error("the grouping {grouping} has {} group(s), not {found}", grouping.sizes().len())]
    WrongNumGroups {
        /// The grouping asked for.
        grouping: Grouping,
        /// How many groups were given.
        found: usize,
    },
    /// A group with another number of cards than it should have.
    #[error("group {} of the grouping {grouping} has {found} card(s)", group + 1)]
    WrongSize {
        /// The grouping asked for.
        grouping: Grouping,
        /// Which group it is, counted from 0.
        group: usize,
        /// How many cards it has.
        found: usize,
    },
    /// A combo or a board where the grouping wants none, or with other numbers of cards.
    #[error("{num_private} private and {num_public} public card(s) do not make the groups {grouping}")]
    WrongDeal {
        /// The grouping asked for.
        grouping: Grouping,
        /// How many private cards were given.
        num_private: usize,
        /// How many public cards were given.
        num_public: usize,
    },
    /// A card in two groups.
    #[error("the card {card} is dealt twice")]
    SharedCard {
        /// The card.
        card: Card,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groupings_hold_the_deals_of_their_streets() {
        for street in Street::ALL {
            let num_cards = |grouping: Grouping| grouping.sizes().iter().sum::<usize>();
            assert_eq!(num_cards(Grouping::of_combo(street)), 2 + street.num_board_cards());
            assert!(Grouping::of_combo(street).has_combo());
            if let Some(grouping) = Grouping::of_board(street) {
                assert_eq!(num_cards(grouping), street.num_board_cards());
                assert!(!grouping.has_combo());
            }
        }
        assert!(Grouping::ALL.is_sorted());
        for (id, grouping) in Grouping::ALL.into_iter().enumerate() {
            assert_eq!(grouping as usize, id);
            assert!(grouping.sizes().len() <= MAX_GROUPS);
        }
    }

    #[test]
    fn errors_say_what_was_wrong() {
        let grouping = Grouping::ComboFlop;
        let texts = [
            (GroupsError::WrongNumGroups { grouping, found: 3 }, "the grouping 2+3 has 2 group(s), not 3"),
            (
                GroupsError::WrongSize { grouping, group: 1, found: 4 },
                "group 2 of the grouping 2+3 has 4 card(s)",
            ),
            (
                GroupsError::WrongDeal { grouping, num_private: 2, num_public: 4 },
                "2 private and 4 public card(s) do not make the groups 2+3",
            ),
            (GroupsError::SharedCard { card: Card::ALL[51] }, "the card As is dealt twice"),
        ];
        for (error, text) in texts {
            assert_eq!(error.to_string(), text);
        }
    }
}
