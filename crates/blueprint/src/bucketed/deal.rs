//! The combos of both ranges on a board.

use std::collections::BTreeMap;

use equipoise_cards::{Board, BoardStrengths, Combo};
use equipoise_game::{PerPlayer, Player};
use equipoise_postflop::Spot;

use crate::bucketed::buckets::Buckets;
use crate::bucketed::error::BucketedError;

/// An index into a player's list of combos on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListIndex(u32);

impl ListIndex {
    fn new(at: usize) -> ListIndex {
        ListIndex(at as u32)
    }

    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The combos of one player on a board, on the river weakest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hands {
    pub combos: Vec<Combo>,
    pub cards: Vec<[u8; 2]>,
    pub weights: Vec<f64>,
    /// The same combo in the player's list at the root.
    pub at_root: Vec<ListIndex>,
    /// The same combo in the opponent's list on this board.
    pub same: Vec<Option<ListIndex>>,
    /// The bucket, numbered among those of the player's range on this street.
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
    pub hands: PerPlayer<Hands>,
    /// On the river: the end of each group of equal strength in both lists.
    pub groups: Vec<PerPlayer<usize>>,
}

/// A combo of a range on a board.
struct Hand {
    /// 0 before the river.
    strength: u16,
    combo: Combo,
    at_root: ListIndex,
    weight: f64,
}

impl Deal {
    pub(crate) fn hands(&self, player: Player) -> &Hands {
        &self.hands[player]
    }

    /// The deal of a board, without buckets.
    fn new(spot: &Spot, board: Board) -> Deal {
        let strengths = BoardStrengths::new(&board);
        let number = |combo: Combo| strengths.as_ref().map_or(0, |all| all.numbers()[combo.index()]);
        let lists = PerPlayer::from_fn(|player| {
            let range = spot.ranges()[player.index()].iter().enumerate();
            let live = range.filter(|(_, (combo, _))| !combo.cards().intersects(board.set()));
            let hand = |(at, (combo, weight))| Hand {
                strength: number(combo),
                combo,
                at_root: ListIndex::new(at),
                weight: f64::from(weight),
            };
            let mut list: Vec<Hand> = live.map(hand).collect();
            list.sort_by_key(|hand| (hand.strength, hand.combo));
            list
        });
        let mut groups = Vec::new();
        let mut ends = PerPlayer::new(0, 0);
        while let Some(next) = Player::ALL
            .iter()
            .filter_map(|&player| lists[player].get(ends[player]))
            .map(|hand| hand.strength)
            .min()
        {
            for player in Player::ALL {
                let rest = &lists[player][ends[player]..];
                ends[player] += rest.iter().take_while(|hand| hand.strength == next).count();
            }
            groups.push(ends);
        }
        let hands = PerPlayer::from_fn(|player| {
            let (list, other) = (&lists[player], &lists[player.opponent()]);
            let same =
                |hand: &Hand| other.iter().position(|other| other.combo == hand.combo).map(ListIndex::new);
            Hands {
                combos: list.iter().map(|hand| hand.combo).collect(),
                cards: list.iter().map(|hand| [hand.combo.low().id(), hand.combo.high().id()]).collect(),
                weights: list.iter().map(|hand| hand.weight).collect(),
                at_root: list.iter().map(|hand| hand.at_root).collect(),
                same: list.iter().map(same).collect(),
                buckets: Vec::new(),
            }
        });
        Deal { board, hands, groups }
    }
}

/// The boards of a street with their deals, and how many buckets each player's range has on all of them.
#[derive(Clone, Debug)]
pub(crate) struct StreetDeals {
    pub deals: Vec<Deal>,
    pub num_buckets: PerPlayer<usize>,
}

impl StreetDeals {
    pub(crate) fn new(
        spot: &Spot,
        boards: impl Iterator<Item = Board>,
        buckets: &dyn Buckets,
    ) -> Result<StreetDeals, BucketedError> {
        let mut deals = Vec::new();
        // Buckets are numbered in the order of their first combo.
        let mut numbers = PerPlayer::<BTreeMap<u32, u32>>::default();
        for board in boards {
            let of_board = buckets.of_board(&board)?;
            let mut deal = Deal::new(spot, board);
            for (hands, numbers) in deal.hands.as_mut().zip(numbers.as_mut()) {
                let number = |combo: &Combo| {
                    let next = numbers.len() as u32;
                    *numbers.entry(of_board[combo.index()]).or_insert(next)
                };
                hands.buckets = hands.combos.iter().map(number).collect();
            }
            deals.push(deal);
        }
        Ok(StreetDeals { deals, num_buckets: numbers.as_ref().map(BTreeMap::len) })
    }
}
