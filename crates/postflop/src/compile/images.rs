//! Isomorphic boards that are solved apart.
//!
//! Without suit isomorphism every board has tables, strengths and values of its own. If boards were free to put their combos
//! in any order, sums would be rounded in another way than with joined boards, and regret matching makes a bit large where
//! two actions are worth the same. So each board takes the order of the board that would represent it: the combo at each
//! index is the image of the one there, the cards of a combo are subtracted in the order of theirs, and next cards are added
//! up class by class. Then both ways round alike, and agree to the last bit.
//!
//! What a wrong symmetry would do is not hidden by that. An order that does not fit the board's own cards and strengths is
//! refused ([`Layout::of_image`](crate::compile::layout::Layout::of_image)), and how far the values of combos that a
//! symmetry exchanges differ before they are made equal is measured
//! ([`Solver::orbit_deviation`](crate::Solver::orbit_deviation)).

use equipoise_cards::{Board, Card, SuitPermutation};

use crate::compile::layout::stabiliser;
use crate::problem::spot::card_classes;

/// The suit isomorphisms of a spot, and what they are used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoardSymmetry {
    /// The isomorphisms, the identity first.
    pub suits: Vec<SuitPermutation>,
    /// Whether isomorphic boards are solved once, or apart in the same order.
    pub are_joined: bool,
}

impl BoardSymmetry {
    /// Every board is solved on its own, in an order of its own.
    pub(crate) fn none() -> BoardSymmetry {
        BoardSymmetry { suits: vec![SuitPermutation::IDENTITY], are_joined: true }
    }

    /// The isomorphisms under which boards are solved once.
    pub(crate) fn joined(&self) -> &[SuitPermutation] {
        if self.are_joined { &self.suits } else { &[SuitPermutation::IDENTITY] }
    }

    /// The root as its own image, if there are isomorphic boards that are solved apart.
    pub(crate) fn apart(&self, root: &Board) -> Option<Image> {
        let is_any = !self.are_joined && self.suits.len() > 1;
        is_any.then(|| Image {
            board: *root,
            suits: SuitPermutation::IDENTITY,
            symmetries: self.suits.clone(),
        })
    }
}

/// A board as the image of the one that would represent it.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// The representative.
    pub board: Board,
    /// What its suits become here.
    pub suits: SuitPermutation,
    /// The symmetries of the representative, the identity first.
    symmetries: Vec<SuitPermutation>,
}

impl Image {
    /// The symmetries of the board itself.
    pub(crate) fn symmetries(&self) -> Vec<SuitPermutation> {
        let inverse = self.suits.inverse();
        self.symmetries.iter().map(|&suits| inverse.then(suits).then(self.suits)).collect()
    }

    /// The next cards with their boards, those that a symmetry maps to each other together.
    pub(crate) fn next(&self) -> Vec<Vec<(Card, Image)>> {
        let classes = card_classes(&self.board, &self.symmetries);
        let images = classes.into_iter().map(|class| {
            let board = self.board.deal(class.card).expect("the card is not on the board");
            let symmetries = stabiliser(&self.symmetries, class.card);
            let image = |image: &SuitPermutation| {
                let suits = image.then(self.suits);
                (suits.map_card(class.card), Image { board, suits, symmetries: symmetries.clone() })
            };
            class.images.iter().map(image).collect()
        });
        images.collect()
    }
}
