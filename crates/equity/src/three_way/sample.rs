//! Three classes all-in on many boards at once.
//!
//! Every class draws its combos on a board at random, from those that the board leaves; then every three classes meet there. A
//! meeting counts by the number of ways that it could have been drawn, so that all deals without a shared card count alike,
//! and not at all if the combos share a card. Boards are all of them, up to suits, or a random part: with all of them, chance is
//! only in the suits of the combos.

use equipoise_cards::{
    Board, BoardStrengths, Card, CardSet, Combo, HandClass, Isa, Street, canonical_boards,
};
use equipoise_progress::{Cancelled, Progress};
use rayon::prelude::*;

use super::super::kernel::{AddRows, LANES, Place, Row};
use super::super::sample::Random;
use super::{ShowdownOrder, ThreeWayBoards, pair_index, rows_of_pair};

/// Boards that are prepared together.
const CHUNK: usize = 2048;

/// Combos that a class draws: of three players, all may hold the same class.
const COPIES: usize = 3;

/// All classes.
const EVERY: [u8; HandClass::COUNT] = {
    let mut classes = [0; HandClass::COUNT];
    let mut class = 0;
    while class < HandClass::COUNT {
        classes[class] = class as u8;
        class += 1;
    }
    classes
};

/// What the classes hold on a board.
struct Dealt {
    /// How many boards this one stands for.
    weight: f32,
    strengths: [Row; COPIES],
    /// How many combos of the class the board leaves.
    num_combos: Row,
    cards: [Vec<CardSet>; COPIES],
    /// For each class, the later ones whose first combos share a card with its first.
    collisions: Vec<Vec<u8>>,
}

/// Sums over boards: for each pair of classes, the third from the second on, by order. Laid out as in the table.
pub(super) struct Sums {
    pub(super) by_pair: Vec<Vec<f32>>,
}

/// The boards of the two halves of a sample, with how many each stands for.
fn halves(boards: ThreeWayBoards, seed: u64) -> [Vec<([Card; 5], f32)>; 2] {
    let cards = |board: &Board| -> [Card; 5] { board.cards().try_into().expect("five cards") };
    match boards {
        ThreeWayBoards::All { passes } => {
            let all: Vec<_> =
                canonical_boards(Street::River).map(|(board, size)| (cards(&board), size as f32)).collect();
            [passes.div_ceil(2), passes / 2].map(|passes| all.repeat(passes as usize))
        }
        ThreeWayBoards::Random(count) => {
            let mut random = Random::new(seed, u64::MAX);
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

impl Dealt {
    fn new(board: [Card; 5], weight: f32, classes: &[Vec<Combo>], random: &mut Random) -> Dealt {
        let mut strengths = BoardStrengths::default();
        strengths.fill(board);
        let mut dealt = Dealt {
            weight,
            strengths: [[0.0; LANES]; COPIES],
            num_combos: [0.0; LANES],
            cards: [const { Vec::new() }; COPIES],
            collisions: Vec::with_capacity(classes.len()),
        };
        let mut live: Vec<Combo> = Vec::with_capacity(12);
        for (id, combos) in classes.iter().enumerate() {
            live.clear();
            live.extend(combos.iter().filter(|combo| !combo.cards().intersects(strengths.board())));
            dealt.num_combos[id] = live.len() as f32;
            for copy in 0..COPIES {
                let drawn = (!live.is_empty()).then(|| live[random.below(live.len() as u32) as usize]);
                let number = drawn.map_or(0, |combo| strengths.numbers()[combo.index()]);
                dealt.strengths[copy][id] = f32::from(number);
                dealt.cards[copy].push(drawn.map_or(CardSet::EMPTY, Combo::cards));
            }
        }
        let first = &dealt.cards[0];
        for (id, own) in first.iter().enumerate() {
            let meets = |other: &usize| first[*other].intersects(*own);
            dealt.collisions.push((id + 1..first.len()).filter(meets).map(|other| other as u8).collect());
        }
        dealt
    }
}

/// Adds what happens on a board to the rows of class `a`, one block of sums for each second class from `a` on.
fn meet(isa: Isa, board: &Dealt, a: usize, sums: &mut [Box<[Row; ShowdownOrder::COUNT]>]) {
    let num_a = board.num_combos[a];
    if num_a == 0.0 {
        return;
    }
    let cards_a = board.cards[0][a];
    let strength_a = board.strengths[0][a];
    // The third player's combos, from the class after the second player's on.
    let mut free = board.num_combos;
    for (class, cards) in board.cards[0].iter().enumerate() {
        if cards.intersects(cards_a) {
            free[class] = 0.0;
        }
    }
    free[..a].fill(0.0);
    for (b, sums) in (a..HandClass::COUNT).zip(sums) {
        free[b] = 0.0;
        let copy = usize::from(a == b);
        let (cards_b, strength_b) = (board.cards[copy][b], board.strengths[copy][b]);
        if board.num_combos[b] == 0.0 || cards_b.intersects(cards_a) {
            continue;
        }
        let scale = board.weight * num_a * board.num_combos[b];
        let (high, low) = (strength_a.max(strength_b), strength_a.min(strength_b));
        // The third player holds the same class as the second: another of its combos.
        if !board.cards[copy + 1][b].intersects(cards_a | cards_b) {
            let strengths = [strength_a, strength_b, board.strengths[copy + 1][b]];
            let order = ShowdownOrder::of(strengths.map(|strength| strength as u16));
            sums[order.index()][b] += scale * board.num_combos[b];
        }
        // What the second player's combo takes from later classes is given back below.
        let collide = |class: &u8| copy == 0 || board.cards[0][usize::from(*class)].intersects(cards_b);
        let later: &[u8] = if copy == 0 { &board.collisions[b] } else { &EVERY[b + 1..] };
        let mut taken = [(0_u8, 0.0); HandClass::COUNT];
        let mut num_taken = 0;
        for &class in later.iter().filter(|class| collide(class)) {
            taken[num_taken] = (class, std::mem::take(&mut free[usize::from(class)]));
            num_taken += 1;
        }
        let strengths = &board.strengths[0];
        let place = |sums: &mut [Row; 5]| {
            isa.run(Place { strengths, weights: &free, scale, high, low, from: b + 1, sums });
        };
        if strength_a > strength_b {
            place((&mut sums[..5]).try_into().expect("five"));
        } else if strength_a < strength_b {
            place((&mut sums[8..]).try_into().expect("five"));
        } else {
            let mut placed = [[0.0; LANES]; 5];
            place(&mut placed);
            for (sum, row) in sums[5..8].iter_mut().zip([0, 1, 4]) {
                isa.run(AddRows { weight: 1.0, rows: &placed[row..=row], sums: std::slice::from_mut(sum) });
            }
        }
        taken[..num_taken].iter().for_each(|&(class, number)| free[usize::from(class)] = number);
    }
}

/// The sums of both halves of a sample.
pub(super) fn sample(
    from: ThreeWayBoards,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<[Sums; 2], Cancelled> {
    let [first, second] = halves(from, seed);
    Ok([sums(&first, seed, 0, progress)?, sums(&second, seed, 1 << 40, progress)?])
}

/// The sums over boards, each with a generator of its own: the one of its number after `from`.
fn sums(
    boards: &[([Card; 5], f32)],
    seed: u64,
    from: u64,
    progress: &Progress<'_>,
) -> Result<Sums, Cancelled> {
    let isa = Isa::detect();
    let classes: Vec<Vec<Combo>> = HandClass::all().map(|class| class.combos().collect()).collect();
    let mut by_pair: Vec<Vec<f32>> = (0..HandClass::COUNT)
        .flat_map(|a| a..HandClass::COUNT)
        .map(|b| vec![0.0; rows_of_pair(b) * ShowdownOrder::COUNT])
        .collect();
    for (number, chunk) in boards.chunks(CHUNK).enumerate() {
        let dealt: Vec<Dealt> = chunk
            .par_iter()
            .enumerate()
            .map(|(id, &(board, weight))| {
                let mut random = Random::new(seed, from + (number * CHUNK + id) as u64);
                Dealt::new(board, weight, &classes, &mut random)
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
            dealt.iter().for_each(|board| meet(isa, board, a, &mut sums));
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
pub(super) fn num_steps(from: ThreeWayBoards) -> u64 {
    let boards = match from {
        ThreeWayBoards::All { passes } => canonical_boards(Street::River).len() as u64 * u64::from(passes),
        ThreeWayBoards::Random(count) => u64::from(count),
    };
    boards * pair_index(HandClass::COUNT, HandClass::COUNT) as u64
}
