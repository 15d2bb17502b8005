//! Which boards come: all of them, or some, drawn without replacement.

use equipoise_cards::{Board, Card, CardSet, Range, Street, SuitPermutation};
use equipoise_game::PerPlayer;
use rayon::prelude::*;

use crate::bucketed::buckets::Buckets;
use crate::bucketed::deal::{BucketRows, Deal, Dealer, StreetDeals};
use crate::bucketed::error::BucketedError;
use crate::bucketed::real::Real;

/// Every board after the root's, street by street, with probabilities: all flops are never dealt at once.
pub(crate) fn all_boards<R: Real>(
    dealer: &Dealer<'_>,
    root: Board,
    num_streets: usize,
) -> Result<Vec<StreetDeals<R>>, BucketedError> {
    let mut streets = vec![dealer.street(vec![dealer.deal(root, None, 1.0)?])];
    while streets.len() < num_streets {
        let before: &StreetDeals<R> = &streets[streets.len() - 1];
        let mut deals = Vec::new();
        for (parent, deal) in before.deals.iter().enumerate() {
            // Both players hold two cards.
            let num_left = (Card::COUNT - 4 - deal.board.cards().len()) as f64;
            for board in next_boards(&deal.board) {
                deals.push(dealer.deal(board, Some((parent, deal)), 1.0 / num_left)?);
            }
        }
        streets.push(dealer.street(deals));
    }
    Ok(streets)
}

/// Every board after a flop, street by street, with probabilities, after the empty board; of boards that differ by a suit
/// isomorphism only, one is dealt and stands for all. The flop itself counts as if it were drawn from all.
pub(crate) fn boards_of_flop<R: Real>(
    dealer: &Dealer<'_>,
    root: &Deal<R>,
    flop: Board,
    num_streets: usize,
) -> Result<Vec<StreetDeals<R>>, BucketedError> {
    let first = dealer.deal(flop, Some((0, root)), FLOP_FACTOR)?;
    let mut streets = vec![dealer.street(vec![root.clone()]), dealer.street(vec![first])];
    while streets.len() < num_streets {
        let before: &StreetDeals<R> = &streets[streets.len() - 1];
        let next = |(parent, deal): (usize, &Deal<R>)| {
            let num_left = (Card::COUNT - 4 - deal.board.cards().len()) as f64;
            let deals = orbits(&deal.board)
                .into_iter()
                .map(|(board, images)| dealer.deal_for(board, Some((parent, deal)), 1.0 / num_left, &images));
            deals.collect::<Result<Vec<_>, BucketedError>>()
        };
        let deals = before.deals.par_iter().enumerate().map(next).collect::<Result<Vec<_>, _>>()?;
        streets.push(dealer.street(deals.into_iter().flatten().collect()));
    }
    streets.truncate(num_streets);
    Ok(streets)
}

/// The boards with one card more, one of each class of suit isomorphisms that keep the board, and for each of the others of
/// the class an isomorphism to it.
pub(crate) fn orbits(board: &Board) -> Vec<(Board, Vec<SuitPermutation>)> {
    let (flop, later) = board.cards().split_at(3.min(board.cards().len()));
    let flop: CardSet = flop.iter().copied().collect();
    let keeps = |suits: &SuitPermutation| {
        suits.map_set(flop) == flop && later.iter().all(|&card| suits.map_card(card) == card)
    };
    let symmetries: Vec<SuitPermutation> = SuitPermutation::ALL.into_iter().filter(keeps).collect();
    let mut seen = CardSet::EMPTY;
    let mut found = Vec::new();
    for (card, next) in Card::ALL.into_iter().filter_map(|card| Some((card, board.deal(card)?))) {
        if seen.contains(card) {
            continue;
        }
        seen.insert(card);
        let mut images = Vec::new();
        for suits in &symmetries {
            let image = suits.map_card(card);
            if !seen.contains(image) {
                seen.insert(image);
                images.push(*suits);
            }
        }
        found.push((next, images));
    }
    found
}

/// How many flops there are, by how many fit both players' cards.
const FLOP_FACTOR: f64 = 22_100.0 / 17_296.0;

/// The boards with one card more.
pub(crate) fn next_boards(board: &Board) -> impl Iterator<Item = Board> {
    let board = *board;
    Card::ALL.into_iter().filter_map(move |card| board.deal(card))
}

/// The rows of the buckets that the ranges have on all boards after the root's.
pub(crate) fn count_buckets(
    ranges: &PerPlayer<Range>,
    buckets: &dyn Buckets,
    root: Board,
    num_streets: usize,
) -> Result<[PerPlayer<BucketRows>; 4], BucketedError> {
    let empty = || BucketRows::Counted(std::collections::BTreeMap::new());
    let mut rows = std::array::from_fn(|_| PerPlayer::from_fn(|_| empty()));
    let mut boards = vec![root];
    for street in 0..num_streets {
        for board in &boards {
            let of_board = buckets.of_board(board)?;
            let rows = &mut rows[board.street() as usize];
            for (rows, range) in rows.as_mut().zip(ranges.as_ref()) {
                rows.count(range, board, &of_board);
            }
        }
        if street + 1 < num_streets {
            boards = boards.iter().flat_map(next_boards).collect();
        }
    }
    Ok(rows)
}

/// Boards that were drawn, each with all its streets from the root's on, as if they were all there are.
pub(crate) fn drawn_boards<R: Real>(
    dealer: &Dealer<'_>,
    root: Board,
    rivers: &[Board],
    num_streets: usize,
) -> Result<Vec<StreetDeals<R>>, BucketedError> {
    let first = dealer.deal(root, None, 1.0)?;
    let factor = drawn_factor(&root) / rivers.len() as f64;
    let path = |(number, river): (usize, &Board)| {
        let mut deals: Vec<Deal<R>> = Vec::new();
        for street in 1..num_streets {
            let street = Street::ALL[root.street() as usize + street];
            let board = Board::new(&river.cards()[..street.num_board_cards()]);
            let board = board.expect("a part of a board is one");
            let deal = match deals.last() {
                None => dealer.deal(board, Some((0, &first)), factor)?,
                Some(before) => dealer.deal(board, Some((number, before)), 1.0)?,
            };
            deals.push(deal);
        }
        Ok(deals)
    };
    let paths = rivers.par_iter().enumerate().map(path).collect::<Result<Vec<_>, BucketedError>>()?;
    let mut streets: Vec<Vec<Deal<R>>> = (1..num_streets).map(|_| Vec::new()).collect();
    for path in paths {
        streets.iter_mut().zip(path).for_each(|(street, deal)| street.push(deal));
    }
    streets.insert(0, vec![first]);
    Ok(streets.into_par_iter().map(|deals| dealer.street(deals)).collect())
}

/// The probability of a runout that fits both players' cards, given these, by that of the same runout drawn from all.
fn drawn_factor(root: &Board) -> f64 {
    num_runouts(Card::COUNT, root) as f64 / num_runouts(Card::COUNT - 4, root) as f64
}

/// How many runouts a board has, streets in order, with this many cards in the deck.
fn num_runouts(deck: usize, root: &Board) -> u64 {
    let left = (deck - root.cards().len()) as u64;
    match root.street() {
        Street::Preflop => left * (left - 1) * (left - 2) / 6 * (left - 3) * (left - 4),
        Street::Flop => left * (left - 1),
        Street::Turn => left,
        Street::River => 1,
    }
}

/// All runouts of a board in a random order that a seed determines: each comes once before any comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunoutOrder {
    root: Board,
    seed: u64,
    count: u64,
}

impl RunoutOrder {
    pub(crate) fn new(root: Board, seed: u64) -> RunoutOrder {
        RunoutOrder { root, seed, count: num_runouts(Card::COUNT, &root) }
    }

    /// The river board that comes at a place of the order.
    pub(crate) fn board(&self, place: u64) -> Board {
        let key = mixed(self.seed ^ mixed(place / self.count));
        self.nth(permuted(place % self.count, self.count, key))
    }

    /// The river board with this number.
    fn nth(&self, number: u64) -> Board {
        let mut cards = self.root.cards().to_vec();
        let mut rest = number;
        let mut left: Vec<Card> = (!self.root.set()).iter().collect();
        if self.root.street() == Street::Preflop {
            let flop = take_three(&left, rest % 22_100);
            rest /= 22_100;
            let taken: CardSet = flop.into_iter().collect();
            left.retain(|&card| !taken.contains(card));
            cards.extend(flop);
        }
        while cards.len() < 5 {
            let at = rest % left.len() as u64;
            rest /= left.len() as u64;
            cards.push(left.remove(at as usize));
        }
        Board::new(&cards).expect("five different cards are a board")
    }
}

/// Runouts of a few flops. Flops come as often as their weights say, evenly spread; the runouts of a flop come in a random
/// order, each once before any comes again.
#[derive(Clone, Debug)]
pub(crate) struct SubsetOrder {
    /// With the sum of the weights up to each, of a total of one.
    orders: Vec<(RunoutOrder, f64)>,
    offset: f64,
    /// How many boards of each flop have come, and in all.
    taken: Vec<u64>,
    place: u64,
}

/// The golden ratio less one: multiples of it are spread evenly over the numbers below one.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl SubsetOrder {
    /// Flops with weights above 0.
    pub(crate) fn new(flops: &[(Board, f64)], seed: u64) -> SubsetOrder {
        let total: f64 = flops.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        let order = |&(flop, weight): &(Board, f64)| {
            sum += weight / total;
            (RunoutOrder::new(flop, seed), sum)
        };
        SubsetOrder {
            orders: flops.iter().map(order).collect(),
            offset: (mixed(seed) >> 11) as f64 / (1_u64 << 53) as f64,
            taken: vec![0; flops.len()],
            place: 0,
        }
    }

    /// The boards at some places of the order.
    pub(crate) fn boards(&mut self, first: u64, count: u64) -> Vec<Board> {
        if first < self.place {
            self.taken.fill(0);
            self.place = 0;
        }
        while self.place < first {
            self.advance();
        }
        (0..count).map(|_| self.next_board()).collect()
    }

    /// Which flop comes next.
    fn advance(&mut self) -> usize {
        let at = (self.offset + self.place as f64 * GOLDEN).fract();
        let flop = self.orders.partition_point(|(_, end)| *end <= at).min(self.orders.len() - 1);
        self.place += 1;
        self.taken[flop] += 1;
        flop
    }

    fn next_board(&mut self) -> Board {
        let flop = self.advance();
        self.orders[flop].0.board(self.taken[flop] - 1)
    }
}

/// All flops in a random order that a seed determines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlopOrder {
    seed: u64,
}

impl FlopOrder {
    pub(crate) fn new(seed: u64) -> FlopOrder {
        FlopOrder { seed }
    }

    /// The flop that comes at a place, below 22,100.
    pub(crate) fn flop(&self, place: u64) -> Board {
        let cards = take_three(&Card::ALL, permuted(place, 22_100, mixed(self.seed)));
        Board::new(&cards).expect("three different cards are a flop")
    }
}

/// Three of 52 cards by their number among all triples.
fn take_three(cards: &[Card], number: u64) -> [Card; 3] {
    let mut rest = number;
    for third in 2..cards.len() as u64 {
        let pairs = third * (third - 1) / 2;
        if rest < pairs {
            for second in 1..third {
                if rest < second {
                    return [cards[rest as usize], cards[second as usize], cards[third as usize]];
                }
                rest -= second;
            }
        }
        rest -= pairs;
    }
    unreachable!("a number below the number of triples names one")
}

/// A permutation of the numbers below `count`: a Feistel network on as few bits as hold them, applied until the number is
/// below `count`.
fn permuted(number: u64, count: u64, key: u64) -> u64 {
    let half = (u64::BITS - count.max(2).leading_zeros()).div_ceil(2);
    let mask = (1 << half) - 1;
    let mut found = number;
    loop {
        let (mut left, mut right) = (found >> half, found & mask);
        for round in 0..6 {
            (left, right) = (right, left ^ (mixed(right ^ mixed(key ^ round)) & mask));
        }
        found = left << half | right;
        if found < count {
            return found;
        }
    }
}

/// A number whose every bit depends on every bit of another.
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_runout_comes_once() {
        for (root, count) in [("Td9d6hQc2h", 1), ("Td9d6hQc", 48), ("Td9d6h", 49 * 48)] {
            let root: Board = root.parse().unwrap();
            let order = RunoutOrder::new(root, 7);
            for epoch in 0..2 {
                let boards: HashSet<Board> = (0..count).map(|at| order.board(epoch * count + at)).collect();
                assert_eq!(boards.len() as u64, count);
                assert!(boards.iter().all(|board| board.cards()[..root.cards().len()] == *root.cards()));
            }
        }
    }

    #[test]
    fn boards_before_the_flop() {
        let order = RunoutOrder::new(Board::EMPTY, 1);
        assert_eq!(order.count, 51_979_200);
        let boards: HashSet<Board> = (0..5_000).map(|at| order.board(at)).collect();
        assert_eq!(boards.len(), 5_000);
        let flops: HashSet<CardSet> =
            (0..22_100).map(|at| order.nth(at).cards()[..3].iter().copied().collect()).collect();
        assert_eq!(flops.len(), 22_100);
        assert_ne!(order.board(0), RunoutOrder::new(Board::EMPTY, 2).board(0));
    }

    #[test]
    fn flops_of_a_subset_come_as_often_as_they_weigh() {
        let flops = [("Td9d6h", 1.0), ("AsKsQs", 3.0), ("7s7h2d", 4.0)];
        let flops = flops.map(|(flop, weight)| (flop.parse::<Board>().unwrap(), weight));
        let boards = SubsetOrder::new(&flops, 5).boards(0, 8_000);
        for (flop, weight) in &flops {
            let of_flop: Vec<&Board> =
                boards.iter().filter(|board| board.cards()[..3] == *flop.cards()).collect();
            assert!((of_flop.len() as f64 - 1_000.0 * weight).abs() < 5.0, "{}", of_flop.len());
            let first: HashSet<&Board> = of_flop.iter().copied().take(49 * 48).collect();
            assert_eq!(first.len(), of_flop.len().min(49 * 48));
        }
        // From any place on.
        let mut order = SubsetOrder::new(&flops, 5);
        assert_eq!(order.boards(4_000, 100), boards[4_000..4_100]);
        assert_eq!(order.boards(64, 16), boards[64..80]);
    }

    /// Every pair of disjoint combos sees as many runouts as it should.
    #[test]
    fn factors_are_those_of_the_deck() {
        let root: Board = "Td9d6h".parse().unwrap();
        assert!((drawn_factor(&root) - 49.0 * 48.0 / (45.0 * 44.0)).abs() < 1e-12);
        let all = 22_100.0 * 49.0 * 48.0 / (17_296.0 * 45.0 * 44.0);
        assert!((drawn_factor(&Board::EMPTY) - all).abs() < 1e-12);
    }
}
