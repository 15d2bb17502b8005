//! What a board leaves of both ranges.

use std::collections::BTreeMap;

use equipoise_cards::{Board, BoardStrengths, Combo};
use equipoise_game::Player;
use equipoise_postflop::Spot;

use crate::buckets::Buckets;
use crate::error::AbstractSpotError;

/// No such place.
pub(crate) const NONE: u32 = u32::MAX;

/// The combos of one player on a board, on the river weakest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hands {
    pub combos: Vec<Combo>,
    pub cards: Vec<[u8; 2]>,
    pub weights: Vec<f64>,
    /// Where the list of the root has the combo.
    pub places: Vec<u32>,
    /// Where the opponent's list on this board has the same combo, or [`NONE`].
    pub same: Vec<u32>,
    /// The bucket, numbered among those that the player's range meets on this street.
    pub buckets: Vec<u32>,
}

impl Hands {
    pub(crate) fn len(&self) -> usize {
        self.combos.len()
    }
}

/// A board and the combos of both players on it.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    pub board: Board,
    pub hands: [Hands; 2],
    /// On the river: where each group of equal strength ends in both lists.
    pub groups: Vec<[usize; 2]>,
}

impl Deal {
    pub(crate) fn hands(&self, player: Player) -> &Hands {
        &self.hands[player.index()]
    }

    /// The deal of a board, without buckets.
    fn new(spot: &Spot, board: Board) -> Deal {
        let strengths = BoardStrengths::new(&board);
        let number = |combo: Combo| strengths.as_ref().map_or(0, |all| all.numbers()[combo.index()]);
        let lists = Player::ALL.map(|player| {
            let range = spot.ranges()[player.index()].iter().enumerate();
            let live = range.filter(|(_, (combo, _))| !combo.cards().intersects(board.set()));
            let mut list: Vec<(u16, Combo, u32, f64)> = live
                .map(|(place, (combo, weight))| (number(combo), combo, place as u32, f64::from(weight)))
                .collect();
            list.sort_by_key(|&(number, combo, ..)| (number, combo));
            list
        });
        let mut groups = Vec::new();
        let mut ends = [0; 2];
        while let Some(next) =
            (0..2).filter_map(|player: usize| lists[player].get(ends[player])).map(|hand| hand.0).min()
        {
            for (end, list) in ends.iter_mut().zip(&lists) {
                *end += list[*end..].iter().take_while(|hand| hand.0 == next).count();
            }
            groups.push(ends);
        }
        let hands = [0, 1].map(|player: usize| {
            let (list, other) = (&lists[player], &lists[1 - player]);
            let same = |combo: Combo| other.iter().position(|hand| hand.1 == combo);
            Hands {
                combos: list.iter().map(|hand| hand.1).collect(),
                cards: list.iter().map(|hand| [hand.1.low().id(), hand.1.high().id()]).collect(),
                weights: list.iter().map(|hand| hand.3).collect(),
                places: list.iter().map(|hand| hand.2).collect(),
                same: list.iter().map(|hand| same(hand.1).map_or(NONE, |place| place as u32)).collect(),
                buckets: Vec::new(),
            }
        });
        Deal { board, hands, groups }
    }
}

/// The boards of a street with their deals, and how many buckets each player's range meets on them together.
#[derive(Clone, Debug)]
pub(crate) struct StreetDeals {
    pub deals: Vec<Deal>,
    pub num_buckets: [usize; 2],
}

impl StreetDeals {
    pub(crate) fn new(
        spot: &Spot,
        boards: impl Iterator<Item = Board>,
        buckets: &dyn Buckets,
    ) -> Result<StreetDeals, AbstractSpotError> {
        let mut deals = Vec::new();
        // Buckets get their numbers in the order in which they come up.
        let mut numbers: [BTreeMap<u32, u32>; 2] = Default::default();
        for board in boards {
            let of_board = buckets.of_board(&board)?;
            let mut deal = Deal::new(spot, board);
            for (hands, numbers) in deal.hands.iter_mut().zip(&mut numbers) {
                let number = |combo: &Combo| {
                    let next = numbers.len() as u32;
                    *numbers.entry(of_board[combo.index()]).or_insert(next)
                };
                hands.buckets = hands.combos.iter().map(number).collect();
            }
            deals.push(deal);
        }
        Ok(StreetDeals { deals, num_buckets: numbers.each_ref().map(BTreeMap::len) })
    }
}
