//! The boards of a spot, isomorphic boards once.

use equipoise_cards::{Board, Card, Street, SuitPermutation};

use crate::compile::layout::stabiliser;
use crate::problem::spot::{CardClass, Spot, card_classes};

/// A board and the boards after it.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    pub board: Board,
    /// The number of the board: the root's is 0, each is followed by those after it.
    pub number: usize,
    /// The indices of the children that lead here from the root.
    pub path: Vec<usize>,
    classes: Vec<CardClass>,
    pub children: Vec<Boards>,
}

impl Boards {
    /// The boards on which there is betting.
    pub(crate) fn of_spot(spot: &Spot, symmetries: &[SuitPermutation]) -> Boards {
        let stats = spot.tree().stats();
        let has_betting = [Street::Turn, Street::River].map(|street| stats.street(street).num_lines > 0);
        let mut count = 0;
        Boards::grow(has_betting, *spot.board(), symmetries, Vec::new(), &mut count)
    }

    /// The boards from this one on, given whether there is betting on the turn and on the river.
    fn grow(
        has_betting: [bool; 2],
        board: Board,
        symmetries: &[SuitPermutation],
        path: Vec<usize>,
        count: &mut usize,
    ) -> Boards {
        let number = *count;
        *count += 1;
        let goes_on = match board.street() {
            Street::Flop => has_betting[0],
            Street::Turn => has_betting[1],
            _ => false,
        };
        let classes = if goes_on { card_classes(&board, symmetries) } else { Vec::new() };
        let child = |(at, class): (usize, &CardClass)| {
            let board = board.deal(class.card).expect("the card is not on the board");
            let path = path.iter().copied().chain([at]).collect();
            Boards::grow(has_betting, board, &stabiliser(symmetries, class.card), path, count)
        };
        let children = classes.iter().enumerate().map(child).collect();
        Boards { board, number, path, classes, children }
    }

    /// The board that represents a runout, and what its suits become there.
    pub(crate) fn find(&self, runout: &[Card]) -> Option<(&Boards, SuitPermutation)> {
        follow(self, runout, |boards| (&boards.classes, &boards.children))
    }

    /// The cards that can come next.
    pub(crate) fn classes(&self) -> &[CardClass] {
        &self.classes
    }

    /// All boards, in the order of their numbers.
    pub(crate) fn all(&self) -> Vec<&Boards> {
        let mut all = vec![self];
        self.children.iter().for_each(|child| all.extend(child.all()));
        all
    }
}

/// Follows a runout down a tree of boards with a child for each class of next cards; also what the suits become.
pub(crate) fn follow<'a, T>(
    root: &'a T,
    runout: &[Card],
    next: impl Fn(&'a T) -> (&'a Vec<CardClass>, &'a Vec<T>),
) -> Option<(&'a T, SuitPermutation)> {
    let mut at = root;
    let mut suits = SuitPermutation::IDENTITY;
    for &card in runout {
        let card = suits.inverse().map_card(card);
        let (classes, children) = next(at);
        let (child, image) = classes.iter().zip(children).find_map(|(class, child)| {
            let image = class.images.iter().find(|image| image.map_card(class.card) == card)?;
            Some((child, *image))
        })?;
        at = child;
        suits = image.then(suits);
    }
    Some((at, suits))
}
