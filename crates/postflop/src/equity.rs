//! Equity of every combo on a board, exactly.

use std::sync::LazyLock;

use equipoise_cards::{Board, BoardStrengths, Card, Combo, Street, SuitPermutation};
use equipoise_game::Player;
use rayon::prelude::*;

use crate::layout::{Layout, stabiliser};
use crate::spot::{CardClass, Spot, card_classes};

/// Both players' weights by combo number.
pub(crate) type Weights = [Vec<f64>; 2];

/// Both players' combos by number.
type Lists = [Vec<u16>; 2];

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
    let won = by_number(&layout.board, &layout.combos, weights, symmetries);
    [0, 1].map(|player: usize| {
        layout.combos[player].iter().map(|&combo| won[player][usize::from(combo)]).collect()
    })
}

/// What each combo of the lists wins, by combo number.
fn by_number(board: &Board, lists: &Lists, weights: &Weights, symmetries: &[SuitPermutation]) -> Weights {
    if board.street() == Street::River {
        return of_river(board, lists, weights);
    }
    let after = |class: &CardClass| {
        let next = board.deal(class.card).expect("the card is not on the board");
        let table = &*CARDS;
        let is_live = |&combo: &u16| !table[usize::from(combo)].contains(&class.card.id());
        let live = lists.each_ref().map(|list| list.iter().copied().filter(is_live).collect());
        let won = by_number(&next, &live, weights, &stabiliser(symmetries, class.card));
        (live, won)
    };
    let classes = card_classes(board, symmetries);
    // Added in the order of the cards, so that the number of threads changes nothing.
    let found: Vec<(Lists, Weights)> = match board.street() {
        Street::Flop => classes.par_iter().map(after).collect(),
        _ => classes.iter().map(after).collect(),
    };
    let mut sums = [0, 1].map(|_| vec![0.0; Combo::COUNT]);
    let left = (52 - 4 - board.cards().len()) as f64;
    for (class, (live, won)) in classes.iter().zip(&found) {
        for suits in &class.images {
            for player in 0..2 {
                for (&combo, image) in live[player].iter().zip(images(*suits, &live[player])) {
                    sums[player][usize::from(image)] += won[player][usize::from(combo)] / left;
                }
            }
        }
    }
    sums
}

fn of_river(board: &Board, lists: &Lists, weights: &Weights) -> Weights {
    let strengths = BoardStrengths::new(board).expect("a river board");
    // Strength first, so that plain numbers sort.
    let sorted = lists.each_ref().map(|list| {
        let keyed =
            |&combo: &u16| (u32::from(strengths.numbers()[usize::from(combo)]) << 16) | u32::from(combo);
        let mut keys: Vec<u32> = list.iter().map(keyed).collect();
        keys.sort_unstable();
        keys
    });
    [sweep(&sorted[0], &sorted[1], &weights[1]), sweep(&sorted[1], &sorted[0], &weights[0])]
}

/// Sweeps the groups of equal strength of two lists that are sorted by strength.
fn sweep(own: &[u32], theirs: &[u32], weights: &[f64]) -> Vec<f64> {
    let (strength, combo) = (|key: u32| key >> 16, |key: u32| (key & 0xffff) as u16);
    let mut won = vec![0.0; Combo::COUNT];
    let mut sums = CardSums::default();
    let mut theirs = theirs.iter().copied().peekable();
    for group in own.chunk_by(|&a, &b| strength(a) == strength(b)) {
        let mut add_while = |sums: &mut CardSums, is_there: &dyn Fn(u32) -> bool| {
            while let Some(key) = theirs.next_if(|&key| is_there(strength(key))) {
                sums.add(combo(key), weights[usize::from(combo(key))]);
            }
        };
        add_while(&mut sums, &|other| other < strength(group[0]));
        for &key in group {
            won[usize::from(combo(key))] = sums.without(combo(key)) / 2.0;
        }
        add_while(&mut sums, &|other| other == strength(group[0]));
        for &key in group {
            won[usize::from(combo(key))] += sums.meets(combo(key), weights) / 2.0;
        }
    }
    won
}

/// How far sums may be off that should cancel out, as a part of what was summed.
const ROUNDING: f64 = 1e-13;

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
        self.met(cards(combo), weights[usize::from(combo)])
    }

    /// The same for cards, if the same two have this weight. What is left of sums that cancel out is rounding, and nothing.
    pub(crate) fn met(&self, cards: [u8; 2], same: f64) -> f64 {
        let met = self.without_cards(cards) + same;
        if met > ROUNDING * self.total { met } else { 0.0 }
    }

    pub(crate) fn add(&mut self, combo: u16, weight: f64) {
        self.add_cards(cards(combo), weight);
    }

    /// The same for a combo whose cards are known.
    pub(crate) fn add_cards(&mut self, cards: [u8; 2], weight: f64) {
        self.total += weight;
        for card in cards {
            self.cards[usize::from(card)] += weight;
        }
    }

    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// Everything less both cards' sums; the same combo has been taken away twice.
    pub(crate) fn without(&self, combo: u16) -> f64 {
        self.without_cards(cards(combo))
    }

    /// The same for a combo whose cards are known.
    pub(crate) fn without_cards(&self, cards: [u8; 2]) -> f64 {
        cards.into_iter().fold(self.total, |sum, card| sum - self.cards[usize::from(card)])
    }
}

/// The cards of every combo: found once, since sums over all runouts ask for them millions of times.
static CARDS: LazyLock<[[u8; 2]; Combo::COUNT]> = LazyLock::new(|| {
    let mut cards = [[0; 2]; Combo::COUNT];
    Combo::all().for_each(|combo| cards[combo.index()] = [combo.low().id(), combo.high().id()]);
    cards
});

/// The cards of a combo number.
pub(crate) fn cards(combo: u16) -> [u8; 2] {
    CARDS[usize::from(combo)]
}

/// What each combo becomes when suits are renamed.
fn images(suits: SuitPermutation, combos: &[u16]) -> Vec<u16> {
    if suits == SuitPermutation::IDENTITY {
        return combos.to_vec();
    }
    let image = |&combo: &u16| {
        let combo = Combo::from_index(usize::from(combo)).expect("lists hold combos");
        suits.map_combo(combo).index() as u16
    };
    combos.iter().map(image).collect()
}
