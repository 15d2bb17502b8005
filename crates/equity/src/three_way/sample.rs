//! Three classes all-in on many boards at once.
//!
//! On a board every class has its combos in a random order, and every three classes meet: the first combo of the first class,
//! the first of the second class that shares no card with it, the first of the third that shares none with both. That is a deal
//! drawn uniformly, one player after the other, so it counts by the number of combos that each draw had to choose from.
//!
//! Boards are random, or all of them. Hands rank alike on boards that differ only by suits that make no flush, so one board is
//! drawn for all of those at a time: 43,000 for 2,598,960, and those without a flush several times. Chance is then only in
//! suits, and most of it in whether a suited hand has the suit of a board's flush. So boards that follow each other, which
//! are alike, are strata: on four of them each suited class draws every suit once, counted from that of the flush.

use std::collections::BTreeMap;

use equipoise_cards::{BoardStrengths, Card, Combo, HandClass, Isa, Rank, Street, canonical_boards};
use equipoise_progress::{Cancelled, Progress};
use rayon::prelude::*;

use super::super::kernel::{AddRows, LANES, Place, Row};
use super::super::sample::Random;
use super::{ShowdownOrder, ThreeWayBoards, pair_index, rows_of_pair};

/// Boards that are prepared together.
const CHUNK: usize = 512;

/// Boards on which one pair of classes meets all third ones before the next pair does: their rows and the sums of the pair stay
/// in the nearest cache.
const TILE: usize = 8;

/// The most combos of a class.
const MOST: usize = 12;

/// Suits, which are also the combos of a suited class.
const SUITS: usize = 4;

/// How often boards without a flush are drawn in each pass.
const RAINBOW_DRAWS: usize = 4;

/// What the classes hold on a board.
struct Dealt {
    /// How many boards this one stands for.
    weight: f32,
    /// By class, [`MOST`] each: the combos that the board leaves, in random order.
    cards: Vec<[u8; 2]>,
    strengths: Vec<u16>,
    /// A bit for each of them.
    live: [u16; LANES],
    /// By card: the bits of those that hold it.
    holding: Vec<[u16; LANES]>,
}

/// Sums over boards: for each pair of classes, the third from the second on, by order. Laid out as in the table.
pub(super) struct Sums {
    pub(super) by_pair: Vec<Vec<f32>>,
}

/// A board with how many it stands for.
pub(super) type WeightedBoard = ([Card; 5], f32);

/// Boards on which all hands rank alike but for the suits that make no flush.
#[derive(Default)]
struct Alike {
    boards: Vec<WeightedBoard>,
    size: f32,
    has_flush: bool,
}

/// All boards, those together on which hands rank alike.
fn alike() -> Vec<Alike> {
    let mut found: BTreeMap<[Vec<Rank>; 2], Alike> = BTreeMap::new();
    for (board, size) in canonical_boards(Street::River) {
        let cards: [Card; 5] = board.cards().try_into().expect("five cards");
        let in_flush = |card: &&Card| cards.iter().filter(|other| other.suit() == card.suit()).count() >= 3;
        let (flush, rest): (Vec<&Card>, Vec<&Card>) = cards.iter().partition(in_flush);
        let has_flush = !flush.is_empty();
        let mut key = [flush, rest].map(|cards| cards.iter().map(|card| card.rank()).collect::<Vec<Rank>>());
        key.iter_mut().for_each(|ranks| ranks.sort_unstable());
        let alike = found.entry(key).or_default();
        alike.boards.push((cards, size as f32));
        alike.size += size as f32;
        alike.has_flush = has_flush;
    }
    found.into_values().collect()
}

impl Alike {
    /// Draws boards that stand for all of these.
    fn draw<'a>(&'a self, random: &'a mut Random) -> impl Iterator<Item = WeightedBoard> + 'a {
        // All of them if they are that few.
        let count = if self.has_flush { 1 } else { RAINBOW_DRAWS };
        let all = (self.boards.len() <= count).then_some(&self.boards);
        let drawn = (0..if all.is_some() { 0 } else { count }).map(move |_| {
            let mut at = random.below(self.size as u32) as f32;
            let found = self.boards.iter().find(|(_, size)| {
                at -= size;
                at < 0.0
            });
            (found.expect("the sizes add up").0, self.size / count as f32)
        });
        all.into_iter().flatten().copied().chain(drawn)
    }
}

/// The boards of the two halves of a sample.
pub(super) fn halves(boards: ThreeWayBoards, seed: u64) -> [Vec<WeightedBoard>; 2] {
    let mut random = Random::new(seed, u64::MAX);
    match boards {
        ThreeWayBoards::All { passes } => {
            let alike = alike();
            let mut pass = || {
                alike.iter().flat_map(|alike| alike.draw(&mut random).collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            [passes.div_ceil(2), passes / 2].map(|passes| (0..passes).flat_map(|_| pass()).collect())
        }
        ThreeWayBoards::Random(count) => {
            let mut draw = |_| {
                let mut deck = Card::ALL;
                for place in 0..5 {
                    deck.swap(place, place + random.below(52 - place as u32) as usize);
                }
                (*deck.first_chunk().expect("five of 52"), 1.0)
            };
            [count.div_ceil(2), count / 2].map(|count| (0..count).map(&mut draw).collect())
        }
    }
}

/// The suit of a board's flush; any where there is none.
fn flush_suit(board: &[Card; 5]) -> usize {
    let count = |suit: usize| board.iter().filter(|card| card.suit().index() == suit).count();
    (0..SUITS).max_by_key(|&suit| count(suit)).unwrap_or(0)
}

/// Brings things into random order.
fn shuffle<T>(places: &mut [T], random: &mut Random) {
    for place in (1..places.len()).rev() {
        places.swap(place, random.below(place as u32 + 1) as usize);
    }
}

impl Dealt {
    /// `stratum` is the same for the boards of a stratum, of which this is number `slot`.
    fn new(
        (board, weight): WeightedBoard,
        classes: &[Vec<Combo>],
        random: &mut Random,
        stratum: &mut Random,
        slot: usize,
    ) -> Dealt {
        let mut strengths = BoardStrengths::default();
        strengths.fill(board);
        let mut dealt = Dealt {
            weight,
            cards: vec![[0; 2]; MOST * LANES],
            strengths: vec![0; MOST * LANES],
            live: [0; LANES],
            holding: vec![[0; LANES]; Card::COUNT],
        };
        let flush = flush_suit(&board);
        let mut live: Vec<Combo> = Vec::with_capacity(MOST);
        for (id, combos) in classes.iter().enumerate() {
            live.clear();
            live.extend(combos);
            if combos.len() == SUITS {
                let mut suits: [usize; SUITS] = std::array::from_fn(|suit| (flush + suit) % SUITS);
                shuffle(&mut suits, stratum);
                suits.rotate_left(slot);
                live.sort_unstable_by_key(|combo| suits.map(|suit| suit != combo.low().suit().index()));
            } else {
                shuffle(&mut live, random);
            }
            live.retain(|combo| !combo.cards().intersects(strengths.board()));
            for (place, combo) in live.iter().enumerate() {
                let cards = [combo.low().id(), combo.high().id()];
                dealt.cards[MOST * id + place] = cards;
                dealt.strengths[MOST * id + place] = strengths.numbers()[combo.index()];
                dealt.live[id] |= 1 << place;
                cards.iter().for_each(|&card| dealt.holding[usize::from(card)][id] |= 1 << place);
            }
        }
        dealt
    }

    /// The first combo of some of a class, and how many they are.
    fn first(&self, class: usize, some: u16) -> (usize, f32) {
        (MOST * class + some.trailing_zeros() as usize, some.count_ones() as f32)
    }
}

/// A board on which the first player has drawn.
struct Opened<'a> {
    board: &'a Dealt,
    strength: f32,
    /// What the draw counts.
    weight: f32,
    /// By class: the combos that are left, the first one's strength, and how many they are; none of classes that the second
    /// player has been through.
    left: [u16; LANES],
    strengths: Row,
    counts: Row,
}

impl Opened<'_> {
    /// The board after the first draw of class `a`, if it has one.
    fn new(board: &Dealt, a: usize) -> Option<Opened<'_>> {
        if board.live[a] == 0 {
            return None;
        }
        let (first, count) = board.first(a, board.live[a]);
        let [low, high] = board.cards[first].map(|card| &board.holding[usize::from(card)]);
        let mut opened = Opened {
            board,
            strength: f32::from(board.strengths[first]),
            weight: board.weight * count,
            left: std::array::from_fn(|class| board.live[class] & !(low[class] | high[class])),
            strengths: [0.0; LANES],
            counts: [0.0; LANES],
        };
        for class in a..HandClass::COUNT {
            opened.set(class, opened.left[class]);
        }
        Some(opened)
    }

    /// Makes some combos of a class those that the third player may draw.
    fn set(&mut self, class: usize, some: u16) {
        let (first, count) = self.board.first(class, some);
        self.counts[class] = count;
        self.strengths[class] = if some == 0 { 0.0 } else { f32::from(self.board.strengths[first]) };
    }

    /// Lets the second player draw class `b`, and adds how the hands rank with each third class from there on.
    fn meet(&mut self, isa: Isa, b: usize, sharing: &[u8], sums: &mut [Row; ShowdownOrder::COUNT]) {
        let left = self.left[b];
        if left != 0 {
            let (first, count) = self.board.first(b, left);
            let [low, high] = self.board.cards[first].map(usize::from);
            let (own, other) = (self.strength, f32::from(self.board.strengths[first]));
            // Only classes with a rank of the second hand have fewer combos left.
            for &class in sharing {
                let class = usize::from(class);
                let taken = self.board.holding[low][class] | self.board.holding[high][class];
                self.set(class, self.left[class] & !taken);
            }
            let place = |sums: &mut [Row; 5]| {
                isa.run(Place {
                    strengths: &self.strengths,
                    weights: &self.counts,
                    scale: self.weight * count,
                    high: own.max(other),
                    low: own.min(other),
                    from: b,
                    sums,
                });
            };
            if own > other {
                place((&mut sums[..5]).try_into().expect("five"));
            } else if own < other {
                place((&mut sums[8..]).try_into().expect("five"));
            } else {
                let mut placed = [[0.0; LANES]; 5];
                place(&mut placed);
                for (sum, row) in sums[5..8].iter_mut().zip([0, 1, 4]) {
                    isa.run(AddRows {
                        weight: 1.0,
                        rows: &placed[row..=row],
                        sums: std::slice::from_mut(sum),
                    });
                }
            }
            for &class in sharing {
                self.set(usize::from(class), self.left[usize::from(class)]);
            }
        }
        self.counts[b] = 0.0;
    }
}

/// For each class the classes from it on that have one of its ranks.
fn sharing(classes: &[Vec<Combo>]) -> Vec<Vec<u8>> {
    let ranks: Vec<[Rank; 2]> =
        classes.iter().map(|combos| [combos[0].low().rank(), combos[0].high().rank()]).collect();
    let shares = |a: usize, b: usize| ranks[a].iter().any(|rank| ranks[b].contains(rank));
    (0..ranks.len()).map(|a| (a..ranks.len()).filter(|&b| shares(a, b)).map(|b| b as u8).collect()).collect()
}

/// The sums of both halves of a sample.
pub(super) fn sample(
    [first, second]: &[Vec<WeightedBoard>; 2],
    seed: u64,
    progress: &Progress<'_>,
) -> Result<[Sums; 2], Cancelled> {
    Ok([sums(first, seed, 0, progress)?, sums(second, seed, 1 << 40, progress)?])
}

/// What the numbers of the generators of strata begin with, after those of boards.
const STRATA: u64 = 1 << 39;

/// The sums over boards, each with a generator of its own: the one of its number after `from`.
fn sums(boards: &[WeightedBoard], seed: u64, from: u64, progress: &Progress<'_>) -> Result<Sums, Cancelled> {
    let isa = Isa::detect();
    let classes: Vec<Vec<Combo>> = HandClass::all().map(|class| class.combos().collect()).collect();
    let sharing = sharing(&classes);
    let mut by_pair: Vec<Vec<f32>> = (0..HandClass::COUNT)
        .flat_map(|a| a..HandClass::COUNT)
        .map(|b| vec![0.0; rows_of_pair(b) * ShowdownOrder::COUNT])
        .collect();
    for (number, chunk) in boards.chunks(CHUNK).enumerate() {
        let dealt: Vec<Dealt> = chunk
            .par_iter()
            .enumerate()
            .map(|(id, &board)| {
                let number = number * CHUNK + id;
                let mut random = Random::new(seed, from + number as u64);
                let mut stratum = Random::new(seed, from + STRATA + (number / SUITS) as u64);
                Dealt::new(board, &classes, &mut random, &mut stratum, number % SUITS)
            })
            .collect();
        // The pairs of each first class are a run of their own.
        let mut rest = &mut by_pair[..];
        let mut runs = Vec::new();
        for a in 0..HandClass::COUNT {
            let (run, others) = rest.split_at_mut(HandClass::COUNT - a);
            runs.push((a, run));
            rest = others;
        }
        runs.into_par_iter().with_max_len(1).try_for_each(|(a, run)| {
            // Sums of a chunk first, so that little is lost by adding a board to a large sum.
            let mut sums = vec![Box::new([[0.0; LANES]; ShowdownOrder::COUNT]); run.len()];
            for tile in dealt.chunks(TILE) {
                let mut opened: Vec<Opened<'_>> =
                    tile.iter().filter_map(|board| Opened::new(board, a)).collect();
                for (b, sums) in (a..).zip(&mut sums) {
                    opened.iter_mut().for_each(|board| board.meet(isa, b, &sharing[b], sums));
                }
            }
            for ((b, total), sums) in (a..).zip(&mut *run).zip(&sums) {
                for (class, total) in (b..).zip(total.chunks_exact_mut(ShowdownOrder::COUNT)) {
                    total.iter_mut().zip(sums.iter()).for_each(|(total, row)| *total += row[class]);
                }
            }
            progress.advance((run.len() * chunk.len()) as u64)
        })?;
    }
    Ok(Sums { by_pair })
}

/// How many steps [`sample`] reports.
pub(super) fn num_steps(halves: &[Vec<WeightedBoard>; 2]) -> u64 {
    let boards: usize = halves.iter().map(Vec::len).sum();
    boards as u64 * pair_index(HandClass::COUNT, HandClass::COUNT) as u64
}
