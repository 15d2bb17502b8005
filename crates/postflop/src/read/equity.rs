//! Equity of every combo on a board, exactly.

use equipoise_cards::{BlockerSums, Board, BoardStrengths, Combo, Street, SuitPermutation};
use equipoise_game::{PerPlayer, Player};
use rayon::prelude::*;

use crate::compile::layout::{Layout, combo_at, stabiliser};
use crate::problem::spot::{CardClass, Spot, card_classes};
use crate::read::list::{ByStrength, sweep};

/// Both players' weights by combo number.
pub(crate) type Weights = PerPlayer<Vec<f64>>;

/// Both players' combos by number.
type Lists = PerPlayer<Vec<u16>>;

/// The weights of a spot's ranges.
pub(crate) fn range_weights(spot: &Spot) -> Weights {
    spot.ranges().as_ref().map(|range| range.weights().iter().map(|&weight| f64::from(weight)).collect())
}

/// For each player and each combo of a board's list: its matchups (the opponent's weight on combos that share no card with
/// it), and its wins without further betting, over all runouts. The symmetries map board and weights to themselves.
pub(crate) fn shares(
    layout: &Layout,
    weights: &Weights,
    symmetries: &[SuitPermutation],
) -> PerPlayer<Vec<(f64, f64)>> {
    let won = of_board(layout, weights, symmetries);
    PerPlayer::from_fn(|player| {
        let opponent = player.opponent();
        let sums = sums_of(&layout.combos[opponent], &weights[opponent]);
        let matchups = |&combo: &u16| matchups(&sums, combo, &weights[opponent]);
        layout.combos[player].iter().map(matchups).zip(won[player].iter().copied()).collect()
    })
}

/// The combos of both players at the root with their weights, in the order of all tables.
pub(crate) fn root_lists(spot: &Spot) -> PerPlayer<Vec<(Combo, f64)>> {
    let layout = Layout::of_spot(spot);
    let weights = range_weights(spot);
    PerPlayer::from_fn(|player| {
        let with_weight = |&combo: &u16| (combo_at(combo), weights[player][usize::from(combo)]);
        layout.combos[player].iter().map(with_weight).collect()
    })
}

fn of_board(layout: &Layout, weights: &Weights, symmetries: &[SuitPermutation]) -> Weights {
    let won = by_number(&layout.board, &layout.combos, weights, symmetries);
    PerPlayer::from_fn(|player| {
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
        let is_live = |&combo: &u16| !combo_at(combo).cards().contains(class.card);
        let live = lists.as_ref().map(|list| list.iter().copied().filter(is_live).collect());
        let won = by_number(&next, &live, weights, &stabiliser(symmetries, class.card));
        (live, won)
    };
    let classes = card_classes(board, symmetries);
    // Added in the order of the cards, so that the number of threads changes nothing.
    let found: Vec<(Lists, Weights)> = match board.street() {
        Street::Flop => classes.par_iter().map(after).collect(),
        _ => classes.iter().map(after).collect(),
    };
    let mut sums = PerPlayer::from_fn(|_| vec![0.0; Combo::COUNT]);
    let left = (52 - 4 - board.cards().len()) as f64;
    for (class, (live, won)) in classes.iter().zip(&found) {
        for suits in &class.images {
            for player in Player::ALL {
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
    let sorted = lists.as_ref().map(|list| {
        let keyed =
            |&combo: &u16| (u32::from(strengths.numbers()[usize::from(combo)]) << 16) | u32::from(combo);
        let mut keys: Vec<u32> = list.iter().map(keyed).collect();
        keys.sort_unstable();
        keys
    });
    PerPlayer::from_fn(|player| {
        let opponent = player.opponent();
        swept(&sorted[player], &sorted[opponent], &weights[opponent])
    })
}

/// Combos as keys that sort by strength: the strength, then the combo's number.
impl ByStrength for [u32] {
    fn len(&self) -> usize {
        <[u32]>::len(self)
    }

    fn strength(&self, place: usize) -> u16 {
        (self[place] >> 16) as u16
    }

    fn combo(&self, place: usize) -> Combo {
        combo_at(self[place] as u16)
    }
}

/// What each own combo wins of the opponent's weights, by combo number.
fn swept(own: &[u32], theirs: &[u32], weights: &[f64]) -> Vec<f64> {
    let number = |key: u32| usize::from(key as u16);
    let mut won = vec![0.0; own.len()];
    let weight = |keys: &[u32], place: usize| weights[number(keys[place])];
    sweep(own, theirs, |place| weight(theirs, place), |place| weight(own, place), &mut won);
    let mut by_number = vec![0.0; Combo::COUNT];
    own.iter().zip(won).for_each(|(&key, won)| by_number[number(key)] = won);
    by_number
}

/// The sums of a list's weights.
pub(crate) fn sums_of(combos: &[u16], weights: &[f64]) -> BlockerSums {
    let mut sums = BlockerSums::default();
    combos.iter().for_each(|&number| sums.add(combo_at(number), weights[usize::from(number)]));
    sums
}

/// Matchups of a combo, from summed weights.
pub(crate) fn matchups(sums: &BlockerSums, number: u16, weights: &[f64]) -> f64 {
    sums.matchups(combo_at(number), weights[usize::from(number)])
}

/// What each combo becomes when suits are renamed.
fn images(suits: SuitPermutation, combos: &[u16]) -> Vec<u16> {
    if suits == SuitPermutation::IDENTITY {
        return combos.to_vec();
    }
    let image = |&combo: &u16| suits.map_combo(combo_at(combo)).index() as u16;
    combos.iter().map(image).collect()
}
