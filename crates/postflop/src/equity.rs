//! Equity of every combo on a board, exactly.

use equipoise_cards::{Board, BoardStrengths, Card, Combo, Street, SuitPermutation};
use equipoise_game::Player;

use crate::layout::{Layout, stabiliser};
use crate::spot::{Spot, card_classes};

/// Both players' weights by combo number.
pub(crate) type Weights = [Vec<f64>; 2];

/// The weights of a spot's ranges.
pub(crate) fn range_weights(spot: &Spot) -> Weights {
    spot.ranges().each_ref().map(|range| range.weights().iter().map(|&weight| f64::from(weight)).collect())
}

/// For each player and each combo of a board's list: the opponent's weight that it can meet, and the share of the pot that
/// it wins of it without further betting, over all runouts. The symmetries leave board and weights as they are.
pub(crate) fn shares(
    layout: &Layout,
    weights: &Weights,
    symmetries: &[SuitPermutation],
) -> [Vec<(f64, f64)>; 2] {
    let won = of_board(layout, weights, symmetries);
    Player::ALL.map(|player| {
        let (own, other) = (player.index(), player.opponent().index());
        let sums = CardSums::of(&layout.combos[other], &weights[other]);
        let meets = |&combo: &u16| sums.meets(combo, &weights[other]);
        layout.combos[own].iter().map(meets).zip(won[own].iter().copied()).collect()
    })
}

/// The combos of both players at the root with their weights, in the order of all tables.
pub(crate) fn root_lists(spot: &Spot) -> [Vec<(Combo, f64)>; 2] {
    let layout = Layout::of_spot(spot);
    let weights = range_weights(spot);
    [0, 1].map(|player: usize| {
        let with_weight = |&combo: &u16| {
            let cards = Combo::from_index(usize::from(combo)).expect("lists hold combos");
            (cards, weights[player][usize::from(combo)])
        };
        layout.combos[player].iter().map(with_weight).collect()
    })
}

fn of_board(layout: &Layout, weights: &Weights, symmetries: &[SuitPermutation]) -> [Vec<f64>; 2] {
    if layout.board.street() == Street::River {
        return [of_river(layout, weights, 0), of_river(layout, weights, 1)];
    }
    let mut sums = layout.combos.each_ref().map(|list| vec![0.0; list.len()]);
    let left = (52 - 4 - layout.board.cards().len()) as f64;
    for class in card_classes(&layout.board, symmetries) {
        let child = layout.child(&class);
        let won = of_board(&child, weights, &stabiliser(symmetries, class.card));
        for player in 0..2 {
            for places in &child.images[player] {
                for (&place, won) in places.iter().zip(&won[player]) {
                    sums[player][usize::from(place)] += won / left;
                }
            }
        }
    }
    sums
}

/// Sweeps the groups of equal strength.
fn of_river(layout: &Layout, weights: &Weights, own: usize) -> Vec<f64> {
    let strengths = strengths(&layout.board);
    let number = |combo: u16| strengths.numbers()[usize::from(combo)];
    let theirs = &layout.combos[1 - own];
    let weights = &weights[1 - own];
    let mut sums = CardSums::default();
    let mut beaten = 0;
    let mut won = Vec::with_capacity(layout.combos[own].len());
    let mut group = 0;
    let list = &layout.combos[own];
    while group < list.len() {
        let strength = number(list[group]);
        while beaten < theirs.len() && number(theirs[beaten]) < strength {
            sums.add(theirs[beaten], weights[usize::from(theirs[beaten])]);
            beaten += 1;
        }
        let mut tied = sums.clone();
        for &combo in theirs[beaten..].iter().take_while(|&&combo| number(combo) == strength) {
            tied.add(combo, weights[usize::from(combo)]);
        }
        while group < list.len() && number(list[group]) == strength {
            let combo = list[group];
            won.push((sums.without(combo) + tied.meets(combo, weights)) / 2.0);
            group += 1;
        }
    }
    won
}

fn strengths(board: &Board) -> BoardStrengths {
    BoardStrengths::new(board).expect("a river board")
}

/// Sums of weights: of everything and by card.
#[derive(Clone, Debug)]
pub(crate) struct CardSums {
    total: f64,
    cards: [f64; Card::COUNT],
}

impl Default for CardSums {
    fn default() -> CardSums {
        CardSums { total: 0.0, cards: [0.0; Card::COUNT] }
    }
}

impl CardSums {
    /// The sums of a list's weights.
    pub(crate) fn of(combos: &[u16], weights: &[f64]) -> CardSums {
        let mut sums = CardSums::default();
        combos.iter().for_each(|&combo| sums.add(combo, weights[usize::from(combo)]));
        sums
    }

    /// What a combo can meet; `weights` are those that were summed.
    pub(crate) fn meets(&self, combo: u16, weights: &[f64]) -> f64 {
        (self.without(combo) + weights[usize::from(combo)]).max(0.0)
    }

    pub(crate) fn add(&mut self, combo: u16, weight: f64) {
        self.total += weight;
        for card in cards(combo) {
            self.cards[card] += weight;
        }
    }

    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// Everything less both cards' sums; the same combo has been taken away twice.
    pub(crate) fn without(&self, combo: u16) -> f64 {
        cards(combo).into_iter().fold(self.total, |sum, card| sum - self.cards[card])
    }
}

fn cards(combo: u16) -> [usize; 2] {
    let combo = Combo::from_index(usize::from(combo)).expect("lists hold combos");
    [combo.low().index(), combo.high().index()]
}
