//! Ranking hands.

use std::hint::black_box;

use equipoise_cards::{BoardStrengths, Card, CardSet, CardSum, Combo, Strength, Tally};

use crate::measure::{Contestant, Line, ROUNDS, race};
use crate::peers::{aya, pokers_hand, rs};

/// Random sets of seven cards.
pub(crate) fn random_sevens(count: usize) -> Vec<[Card; 7]> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count)
        .map(|_| {
            let mut deck = Card::ALL;
            for i in 0..7 {
                let j = i + (next() % (52 - i as u64)) as usize;
                deck.swap(i, j);
            }
            std::array::from_fn(|i| deck[i])
        })
        .collect()
}

/// Every evaluator must order random hands alike before any is timed.
pub(crate) fn check() -> anyhow::Result<()> {
    let hands = random_sevens(200_000);
    for pair in hands.windows(2) {
        let ours = Strength::of_seven(pair[0]).cmp(&Strength::of_seven(pair[1]));
        let of = |f: &dyn Fn(&[Card; 7]) -> u32| f(&pair[0]).cmp(&f(&pair[1]));
        anyhow::ensure!(of(&|cards| aya::rank(cards)) == ours, "aya_poker orders {pair:?} otherwise");
        anyhow::ensure!(of(&|cards| pokers_hand::rank(cards)) == ours, "pokers orders {pair:?} otherwise");
        anyhow::ensure!(of(&|cards| rs::rank(cards)) == ours, "rs_poker orders {pair:?} otherwise");
    }
    Ok(())
}

/// Walks all hands of seven in order; `$last` adds up the strengths of six with each of the cards behind them.
macro_rules! enumerate_sevens {
    ($cards:expr, $start:expr, $with:expr, $last:expr) => {{
        let cards = &$cards[..];
        let mut sum = 0u64;
        for (a, ca) in cards.iter().enumerate() {
            let ha = $with($start, ca);
            for (b, cb) in cards.iter().enumerate().skip(a + 1) {
                let hb = $with(ha, cb);
                for (c, cc) in cards.iter().enumerate().skip(b + 1) {
                    let hc = $with(hb, cc);
                    for (d, cd) in cards.iter().enumerate().skip(c + 1) {
                        let hd = $with(hc, cd);
                        for (e, ce) in cards.iter().enumerate().skip(d + 1) {
                            let he = $with(hd, ce);
                            for (f, cf) in cards.iter().enumerate().skip(e + 1) {
                                sum = sum.wrapping_add($last($with(he, cf), f, &cards[f + 1..]));
                            }
                        }
                    }
                }
            }
        }
        black_box(sum);
        NUM_SEQUENTIAL
    }};
}

/// Hands of the sequential enumeration: all of a deck without deuces.
const FIRST: usize = 4;
const NUM_SEQUENTIAL: f64 = 73_629_072.0; // C(48, 7)

pub(crate) fn sequential() -> Line {
    let ours = Card::ALL.map(CardSum::of)[FIRST..].to_vec();
    let ayas = aya::all_cards().split_off(FIRST);
    let pokers = &pokers::CARDS[FIRST..52];
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                let with = |tally: Tally, card: &CardSum| tally + *card;
                let last = |six: Tally, at: usize, _: &[CardSum]| {
                    let mut sum = 0;
                    six.for_each_seventh_after(Card::ALL[FIRST + at], |strength| {
                        sum += u64::from(strength.get());
                    });
                    sum
                };
                enumerate_sevens!(ours, Tally::EMPTY, with, last)
            }),
            Contestant::new("aya_poker", || {
                let last = |six, _, cards: &[_]| {
                    cards.iter().map(|card| u64::from(aya::rank_of(&aya::with(six, card)))).sum::<u64>()
                };
                enumerate_sevens!(ayas, aya::empty(), aya::with, last)
            }),
            Contestant::new("pokers", || {
                let with = |hand: pokers::Hand, card: &pokers::Hand| hand + *card;
                let last = |six: pokers::Hand, _, cards: &[pokers::Hand]| {
                    cards.iter().map(|card| u64::from((six + *card).evaluate())).sum::<u64>()
                };
                enumerate_sevens!(pokers, pokers::Hand::default(), with, last)
            }),
        ],
        ROUNDS,
    );
    line("7-card hands in sequence", timings, 1.0, 1.3)
}

pub(crate) fn from_cards() -> Line {
    let hands = random_sevens(1 << 16);
    let ayas: Vec<_> = hands.iter().map(aya::cards).collect();
    let indices: Vec<[usize; 7]> = hands.iter().map(|cards| cards.map(Card::index)).collect();
    let rses: Vec<_> = hands.iter().map(rs::cards).collect();
    let n = (hands.len() * 16) as f64;
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                repeat(&hands, n, |cards| Strength::of_seven(*cards).get().into())
            }),
            Contestant::new("aya_poker", || repeat(&ayas, n, aya::rank_cards)),
            Contestant::new("pokers", || repeat(&indices, n, pokers_hand::rank_indices)),
            Contestant::new("rs_poker", || repeat(&rses, n, rs::rank_cards)),
        ],
        ROUNDS * 3,
    );
    line("random hands from seven cards", timings, 1.0, 1.0)
}

pub(crate) fn from_sum() -> Line {
    let hands = random_sevens(1 << 16);
    let tallies: Vec<Tally> = hands.iter().map(|cards| cards.iter().copied().collect()).collect();
    let ayas: Vec<_> = hands.iter().map(|cards| aya::hand(&aya::cards(cards))).collect();
    let pokers: Vec<_> = hands.iter().map(pokers_hand::hand).collect();
    let n = (hands.len() * 16) as f64;
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || repeat(&tallies, n, |tally| tally.strength7().get().into())),
            Contestant::new("aya_poker", || repeat(&ayas, n, aya::rank_of)),
            Contestant::new("pokers", || repeat(&pokers, n, |hand| hand.evaluate().into())),
        ],
        ROUNDS * 3,
    );
    line("random hands from a prebuilt sum", timings, 1.0, 1.2)
}

/// Sixteen times over all hands.
fn repeat<T>(hands: &[T], work: f64, rank: impl Fn(&T) -> u32) -> f64 {
    for _ in 0..16 {
        let sum = hands.iter().fold(0u64, |sum, hand| sum.wrapping_add(u64::from(rank(black_box(hand)))));
        black_box(sum);
    }
    work
}

pub(crate) fn whole_boards() -> anyhow::Result<Line> {
    let boards: Vec<[Card; 5]> =
        random_sevens(20_000).iter().map(|cards| std::array::from_fn(|i| cards[i])).collect();
    let mut strengths = BoardStrengths::default();
    for board in &boards[..200] {
        strengths.fill(*board);
        let tally: Tally = board.iter().copied().collect();
        for combo in Combo::all().filter(|combo| !combo.cards().intersects(tally.cards())) {
            let single = tally.with_all(combo.cards()).strength7();
            anyhow::ensure!(strengths.get(combo) == Some(single), "{combo} on {board:?}");
        }
    }
    let live: Vec<Vec<(usize, usize)>> = boards
        .iter()
        .map(|board| {
            let set: CardSet = board.iter().copied().collect();
            let free = |combo: &Combo| !combo.cards().intersects(set);
            Combo::all().filter(free).map(|combo| (combo.low().index(), combo.high().index())).collect()
        })
        .collect();
    let n = boards.len() as f64;
    let cards = aya::all_cards();
    let timings = race(
        &mut [
            Contestant::new("Equipoise", || {
                for board in &boards {
                    strengths.fill(*board);
                    black_box(strengths.numbers());
                }
                n
            }),
            Contestant::new("aya_poker", || {
                for (board, live) in boards.iter().zip(&live) {
                    let base =
                        board.iter().fold(aya::empty(), |hand, card| aya::with(hand, &cards[card.index()]));
                    for &(a, b) in live {
                        black_box(aya::rank_of(&aya::with(aya::with(base, &cards[a]), &cards[b])));
                    }
                }
                n
            }),
            Contestant::new("pokers", || {
                for (board, live) in boards.iter().zip(&live) {
                    let base = board
                        .iter()
                        .fold(pokers::Hand::default(), |hand, card| hand + pokers::CARDS[card.index()]);
                    for &(a, b) in live {
                        black_box((base + pokers::CARDS[a] + pokers::CARDS[b]).evaluate());
                    }
                }
                n
            }),
        ],
        ROUNDS * 3,
    );
    Ok(line("all combos of a random board", timings, 15.0, 20.0))
}

fn line(job: &str, timings: Vec<crate::measure::Timing>, must: f64, goal: f64) -> Line {
    let unit = if job.contains("board") { "board" } else { "hand" };
    Line { job: job.to_owned(), unit, timings, must: Some(must), goal: Some(goal) }
}
