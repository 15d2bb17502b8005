//! The 24 ways to rename the suits.

use std::fmt;

use crate::board::Board;
use crate::card::{Card, Suit};
use crate::card_set::{CLUBS, CardSet};
use crate::combo::Combo;

/// A renaming of the four suits, one of 24.
///
/// ```
/// use equipoise_cards::{CardSet, Suit, SuitPermutation};
/// let [c, d, h, s] = Suit::ALL;
/// // Clubs become diamonds, diamonds hearts, hearts spades, spades clubs.
/// let turn = SuitPermutation::new([d, h, s, c]).unwrap();
/// assert_eq!(turn.to_string(), "h→s d→h c→d s→c");
/// let cards: CardSet = "AhKd7c".parse()?;
/// assert_eq!(turn.map_set(cards).to_string(), "AsKh7d");
/// assert_eq!(turn.inverse().map_set(turn.map_set(cards)), cards);
/// assert_eq!(turn.then(turn.inverse()), SuitPermutation::IDENTITY);
/// # Ok::<(), equipoise_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuitPermutation {
    /// What each suit becomes, by the number of the suit.
    images: [Suit; Suit::COUNT],
}

impl SuitPermutation {
    /// How many permutations of the suits there are.
    pub const COUNT: usize = 24;
    /// The identity.
    pub const IDENTITY: SuitPermutation = SuitPermutation { images: Suit::ALL };
    /// Every permutation, the identity first.
    pub const ALL: [SuitPermutation; SuitPermutation::COUNT] = {
        let mut all = [SuitPermutation::IDENTITY; SuitPermutation::COUNT];
        let (mut num_found, mut code) = (0, 0);
        // The codes are the images as digits in base four, clubs first; 24 of the 256 have four different digits.
        while code < 256 {
            let images = [
                Suit::ALL[code >> 6],
                Suit::ALL[code >> 4 & 3],
                Suit::ALL[code >> 2 & 3],
                Suit::ALL[code & 3],
            ];
            if let Some(permutation) = SuitPermutation::new(images) {
                all[num_found] = permutation;
                num_found += 1;
            }
            code += 1;
        }
        assert!(num_found == SuitPermutation::COUNT);
        all
    };

    /// The permutation that makes clubs the first of these suits, diamonds the second, hearts the third and spades
    /// the fourth; `None` if a suit comes twice.
    #[must_use]
    pub const fn new(images: [Suit; Suit::COUNT]) -> Option<SuitPermutation> {
        let [c, d, h, s] = images;
        let seen = 1 << c.id() | 1 << d.id() | 1 << h.id() | 1 << s.id();
        if seen == 0b1111 { Some(SuitPermutation { images }) } else { None }
    }

    /// The permutation that makes the first of these suits spades, the second hearts, then diamonds and clubs.
    ///
    /// For callers in this crate whose suits are all different by construction.
    pub(crate) fn from_descending(suits: [Suit; Suit::COUNT]) -> SuitPermutation {
        let mut images = Suit::ALL;
        for (suit, image) in suits.into_iter().zip(Suit::ALL.into_iter().rev()) {
            images[suit.id() as usize] = image;
        }
        debug_assert!(SuitPermutation::new(images).is_some());
        SuitPermutation { images }
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(self) -> SuitPermutation {
        let mut images = Suit::ALL;
        for suit in Suit::ALL {
            images[self.map_suit(suit).id() as usize] = suit;
        }
        SuitPermutation { images }
    }

    /// The permutation that does this one first and `next` after it.
    #[must_use]
    pub fn then(self, next: SuitPermutation) -> SuitPermutation {
        SuitPermutation { images: self.images.map(|suit| next.map_suit(suit)) }
    }

    /// What a suit becomes.
    #[must_use]
    pub const fn map_suit(self, suit: Suit) -> Suit {
        self.images[suit.id() as usize]
    }

    /// What a card becomes: the same rank in another suit.
    #[must_use]
    pub const fn map_card(self, card: Card) -> Card {
        Card::new(card.rank(), self.map_suit(card.suit()))
    }

    /// What a set of cards becomes.
    #[must_use]
    pub const fn map_set(self, cards: CardSet) -> CardSet {
        let bits = cards.bits();
        let [c, d, h, s] = self.images;
        let mapped = (bits & CLUBS) << c.id()
            | (bits >> 1 & CLUBS) << d.id()
            | (bits >> 2 & CLUBS) << h.id()
            | (bits >> 3 & CLUBS) << s.id();
        CardSet::from_bits(mapped).expect("every bit stays in its rank")
    }

    /// What a combo becomes.
    #[must_use]
    pub const fn map_combo(self, combo: Combo) -> Combo {
        Combo::new(self.map_card(combo.low()), self.map_card(combo.high()))
            .expect("different cards stay different")
    }

    /// What a board becomes; the cards keep their order.
    #[must_use]
    pub fn map_board(self, board: &Board) -> Board {
        let mut mapped = [Card::ALL[0]; 5];
        let cards = board.cards();
        for (slot, &card) in mapped.iter_mut().zip(cards) {
            *slot = self.map_card(card);
        }
        Board::new(&mapped[..cards.len()]).expect("different cards stay different")
    }
}

impl Default for SuitPermutation {
    fn default() -> SuitPermutation {
        SuitPermutation::IDENTITY
    }
}

impl fmt::Display for SuitPermutation {
    /// What becomes spades, hearts, diamonds and clubs, in this order: `h→s d→h c→d s→c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inverse = self.inverse();
        for image in Suit::ALL.into_iter().rev() {
            let blank = if image == Suit::SPADES { "" } else { " " };
            write!(f, "{blank}{}→{image}", inverse.map_suit(image))?;
        }
        Ok(())
    }
}

impl fmt::Debug for SuitPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_permutations_are_a_group_of_24() {
        let all: HashSet<_> = SuitPermutation::ALL.into_iter().collect();
        assert_eq!(all.len(), 24);
        assert_eq!(SuitPermutation::ALL[0], SuitPermutation::IDENTITY);
        for a in SuitPermutation::ALL {
            assert_eq!(a.then(a.inverse()), SuitPermutation::IDENTITY);
            assert_eq!(a.inverse().then(a), SuitPermutation::IDENTITY);
            for b in SuitPermutation::ALL {
                for suit in Suit::ALL {
                    assert_eq!(a.then(b).map_suit(suit), b.map_suit(a.map_suit(suit)));
                }
            }
        }
        let [c, d, h, _] = Suit::ALL;
        assert_eq!(SuitPermutation::new([c, d, h, h]), None);
    }

    #[test]
    fn descending_suits_become_spades_to_clubs() {
        let [c, d, h, s] = Suit::ALL;
        let permutation = SuitPermutation::from_descending([h, d, c, s]);
        assert_eq!(permutation.to_string(), "h→s d→h c→d s→c");
        assert_eq!(SuitPermutation::from_descending([s, h, d, c]), SuitPermutation::IDENTITY);
    }

    proptest! {
        #[test]
        fn sets_combos_and_boards_map_card_by_card(
            bits in 0u64..1 << 52,
            deck in Just(Card::ALL.to_vec()).prop_shuffle(),
            id in 0..SuitPermutation::COUNT,
        ) {
            let permutation = SuitPermutation::ALL[id];
            let cards = CardSet::from_bits(bits).unwrap();
            let mapped: CardSet = cards.iter().map(|card| permutation.map_card(card)).collect();
            prop_assert_eq!(permutation.map_set(cards), mapped);
            let combo = Combo::new(deck[0], deck[1]).unwrap();
            prop_assert_eq!(permutation.map_combo(combo).cards(), permutation.map_set(combo.cards()));
            for len in [0, 3, 4, 5] {
                let board = permutation.map_board(&Board::new(&deck[..len]).unwrap());
                let cards: Vec<Card> = deck[..len].iter().map(|&card| permutation.map_card(card)).collect();
                prop_assert_eq!(board.cards(), &cards[..]);
            }
        }
    }
}
