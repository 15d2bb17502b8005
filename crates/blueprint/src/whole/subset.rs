//! A game on a few flops: hands before the river lossless, the river in buckets that are local to each turn board.

use std::collections::HashMap;
use std::num::NonZeroU16;

use equipoise_cards::{
    Board, CanonicalBoard, Card, CardSet, Combo, ComboSet, Grouping, HandClass, Indexer, Street,
    StrengthOrder,
};

use crate::bucketed::{BucketedError, Buckets, Lossless};

/// A turn board, isomorphic ones together: its rivers.
#[derive(Clone, Debug)]
struct Turn {
    /// The row of each combo; any number for those that the board blocks.
    rows: Vec<u32>,
    /// The first row of its rivers.
    first_river: u32,
    /// By card: which rivers are alike.
    classes: [u8; Card::COUNT],
}

/// The buckets of a game on a few flops.
///
/// Hands are told apart on flop and turn as far as they differ by more than suits. On the river a hand is known by the
/// turn board, by what the river card changes on it (suits, pairs, straights, the highest card), and by how many hands it
/// beats, in as many parts as were asked for.
#[derive(Clone, Debug)]
pub struct SubsetBuckets {
    /// Canonical flops, with their weights.
    flops: Vec<(Board, f64)>,
    /// By the cards of a flop.
    numbers: HashMap<CardSet, usize>,
    /// By flop and combo.
    flop_rows: Vec<Vec<u32>>,
    /// By flop and card.
    turns: Vec<Option<Turn>>,
    strengths: u32,
    num_rows: [usize; 4],
}

impl SubsetBuckets {
    /// The buckets of some flops, each with its weight; flops that differ by suits only become one. `strengths` is into how
    /// many parts hands of a river are put by strength.
    #[must_use]
    pub fn new(flops: &[(Board, f64)], strengths: NonZeroU16) -> SubsetBuckets {
        let mut buckets = SubsetBuckets {
            flops: Vec::new(),
            numbers: HashMap::new(),
            flop_rows: Vec::new(),
            turns: Vec::new(),
            strengths: strengths.get().into(),
            num_rows: [HandClass::COUNT, 0, 0, 0],
        };
        for &(flop, weight) in flops {
            let flop = CanonicalBoard::new(&flop).board();
            match buckets.numbers.get(&flop.set()) {
                Some(&number) => buckets.flops[number].1 += weight,
                None => buckets.add(flop, weight),
            }
        }
        buckets
    }

    /// The flops, canonical, with their weights.
    #[must_use]
    pub fn flops(&self) -> &[(Board, f64)] {
        &self.flops
    }

    fn add(&mut self, flop: Board, weight: f64) {
        self.numbers.insert(flop.set(), self.flops.len());
        self.flops.push((flop, weight));
        let [_, flop_count, turn_count, river_count] = &mut self.num_rows;
        let rows = rows_of(&flop, Grouping::ComboFlop, &mut HashMap::new(), flop_count);
        self.flop_rows.push(rows);
        let mut classes = HashMap::new();
        let mut rivers: HashMap<u64, (u32, HashMap<RiverKey, u8>)> = HashMap::new();
        for card in Card::ALL {
            let turn = flop.deal(card).map(|board| {
                let rows = rows_of(&board, Grouping::ComboFlopTurn, &mut classes, turn_count);
                let index = Indexer::of(Grouping::FlopTurn).index_board(&board).expect("a turn board");
                let (first_river, keys) = rivers.entry(index).or_insert_with(|| {
                    let mut keys = HashMap::new();
                    for river in Card::ALL.into_iter().filter_map(|card| board.deal(card)) {
                        let next = keys.len() as u8;
                        keys.entry(RiverKey::of(&river)).or_insert(next);
                    }
                    let first = *river_count as u32;
                    *river_count += keys.len() * self.strengths as usize;
                    (first, keys)
                });
                let class = |card: Card| board.deal(card).map_or(0, |river| keys[&RiverKey::of(&river)]);
                Turn { rows, first_river: *first_river, classes: Card::ALL.map(class) }
            });
            self.turns.push(turn);
        }
    }

    fn turn(&self, flop: usize, card: Card) -> Option<&Turn> {
        self.turns[flop * Card::COUNT + card.index()].as_ref()
    }

    fn river_rows(&self, turn: &Turn, board: &Board) -> Vec<u32> {
        let cards: [Card; 5] = board.cards().try_into().expect("a river has five cards");
        let mut order = StrengthOrder::default();
        order.fill(cards, &ComboSet::full());
        let class = u32::from(turn.classes[cards[4].index()]);
        let first = turn.first_river + class * self.strengths;
        let count = order.combos().len() as u32;
        let mut rows = vec![first; Combo::COUNT];
        let mut below = 0;
        for (group, _) in order.groups() {
            let len = group.len() as u32;
            let part = (2 * below + len) * self.strengths / (2 * count);
            group.iter().for_each(|&combo| rows[usize::from(combo)] = first + part);
            below += len;
        }
        rows
    }
}

/// The rows of the combos of a board, isomorphic ones together, new ones numbered on.
fn rows_of(
    board: &Board,
    grouping: Grouping,
    classes: &mut HashMap<u64, u32>,
    count: &mut usize,
) -> Vec<u32> {
    let indexer = Indexer::of(grouping);
    let row = |combo: Combo| {
        let Ok(class) = indexer.index_deal(combo, board) else { return 0 };
        *classes.entry(class).or_insert_with(|| {
            *count += 1;
            *count as u32 - 1
        })
    };
    Combo::all().map(row).collect()
}

/// What a river card makes of a board, as far as it is told apart. It does not depend on suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RiverKey {
    /// The most cards of one suit.
    suited: u32,
    /// By how often a rank is there: how many ranks.
    ranks: [u8; 5],
    /// Whether the card pairs the board, and how many of its ranks are higher otherwise.
    place: u32,
    /// The most ranks that one straight has.
    connected: u32,
}

impl RiverKey {
    fn of(river: &Board) -> RiverKey {
        let cards = river.cards();
        let mut suits = [0; 4];
        let mut counts = [0_u8; 13];
        for card in cards {
            suits[usize::from(card.suit().id())] += 1;
            counts[usize::from(card.rank().id())] += 1;
        }
        let mut ranks = [0; 5];
        counts.iter().for_each(|&count| ranks[usize::from(count)] += 1);
        let last = usize::from(cards[4].rank().id());
        let higher = counts[last + 1..].iter().filter(|&&count| count > 0).count() as u32;
        let set = counts.iter().rev().fold(0_u32, |set, &count| set << 1 | u32::from(count > 0));
        let with_low_ace = set << 1 | set >> 12 & 1;
        let connected = (0..10).map(|low| (with_low_ace >> low & 0b1_1111).count_ones()).max();
        RiverKey {
            suited: suits.into_iter().max().unwrap_or(0).max(2),
            ranks,
            place: higher.min(1),
            connected: connected.unwrap_or(0).max(3),
        }
    }
}

impl Buckets for SubsetBuckets {
    fn of_board(&self, board: &Board) -> Result<Vec<u32>, BucketedError> {
        if board.street() == Street::Preflop {
            return Lossless.of_board(board);
        }
        let cards = board.cards();
        let flop: CardSet = cards[..3].iter().copied().collect();
        let missing = BucketedError::NoBuckets { street: board.street() };
        let Some(&number) = self.numbers.get(&flop) else { return Err(missing) };
        let turn = cards.get(3).and_then(|&card| self.turn(number, card));
        match (turn, board.street()) {
            (_, Street::Flop) => Ok(self.flop_rows[number].clone()),
            (Some(turn), Street::Turn) => Ok(turn.rows.clone()),
            (Some(turn), _) => Ok(self.river_rows(turn, board)),
            (None, _) => Err(missing),
        }
    }

    fn num_buckets(&self, street: Street) -> Option<usize> {
        Some(self.num_rows[street as usize])
    }
}
