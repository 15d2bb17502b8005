//! Criterion benchmarks of the kernels, for comparing commits.

use std::num::NonZeroUsize;

use criterion::{Criterion, criterion_group, criterion_main};
use equipoise_cards::{
    Board, BoardStrengths, Card, Combo, ComboSet, Grouping, Indexer, Strength, StrengthOrder,
};
use equipoise_game::{Chips, Payouts, StreetMenus, TreeConfig};
use equipoise_postflop::{Options, Precision, Solver, Spot, Storage};

fn boards() -> Vec<[Card; 5]> {
    // Every 1,009th board of a walk through all of them: all suit patterns occur as often as they should.
    let mut boards = Vec::new();
    let mut step = 0;
    for a in 0..52 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    for e in d + 1..52 {
                        step += 1;
                        if step % 1009 == 0 {
                            boards.push([a, b, c, d, e].map(|id| Card::ALL[id]));
                        }
                    }
                }
            }
        }
    }
    boards
}

fn kernels(criterion: &mut Criterion) {
    let boards = boards();
    let mut next = boards.iter().cycle().copied();
    let mut board = move || next.next().expect("boards go round");
    let mut strengths = BoardStrengths::default();
    criterion.bench_function("strengths of all combos of a board", |bencher| {
        bencher.iter(|| strengths.fill(std::hint::black_box(board())));
    });
    let (mut order, all) = (StrengthOrder::default(), ComboSet::full());
    let mut next = boards.iter().cycle().copied();
    criterion.bench_function("all combos of a board in order", |bencher| {
        bencher.iter(|| order.fill(next.next().expect("boards go round"), &all));
    });
    let mut next = boards.iter().cycle().copied();
    criterion.bench_function("one hand of seven cards", |bencher| {
        bencher.iter(|| {
            let [a, b, c, d, e] = next.next().expect("boards go round");
            let free = |card: &Card| ![a, b, c, d, e].contains(card);
            let mut rest = Card::ALL.into_iter().filter(free);
            let (f, g) = rest.next().zip(rest.next()).expect("47 cards are left");
            Strength::of_seven([a, b, c, d, e, f, g])
        });
    });
    let indexer = Indexer::of(Grouping::ComboRiver);
    let combo = Combo::from_index(700).expect("a combo");
    let deals: Vec<_> = boards
        .iter()
        .map(|cards| cards.iter().copied().collect::<equipoise_cards::CardSet>())
        .filter(|board| !board.intersects(combo.cards()))
        .map(|board| [combo.cards(), board])
        .collect();
    let mut next = deals.iter().cycle();
    criterion.bench_function("index of a combo on a river", |bencher| {
        bencher.iter(|| indexer.index(next.next().expect("deals go round")));
    });
}

/// A spot of the middling kind, from the turn or the river on.
fn spot(board: &str) -> Spot {
    let board: Board = board.parse().expect("a board");
    let mut config = TreeConfig::new(board.street(), Chips::new(200), Chips::new(900));
    for street in config.streets() {
        if let Some(menus) = config.menus_mut(street) {
            *menus = StreetMenus::same(
                "60%, e, a".parse().expect("bet sizes"),
                "2.5x".parse().expect("raise sizes"),
            );
        }
    }
    let ranges = [
        "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
        "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    ];
    Spot::new(ranges.map(|range| range.parse().expect("a range")), board, &config).expect("a spot")
}

/// On one thread, so that the kernels are timed and not the scheduler. Iterations are timed by the hundred or by the
/// ten: the first of a call wakes the threads.
fn solver(criterion: &mut Criterion) {
    let (river, turn) = (spot("Td9d6hQc2h"), spot("Td9d6hQc"));
    for (name, spot, algorithm, storage, count) in [
        ("100 iterations of a river", &river, "dcfr", Storage::of(Precision::Bits32), 100),
        ("10 iterations of a turn", &turn, "dcfr", Storage::of(Precision::Bits32), 10),
        ("10 iterations of a turn in 16 bits", &turn, "dcfr", Storage::of(Precision::Bits16), 10),
        ("10 iterations of a turn by apcfr+", &turn, "apcfr+", Storage::of(Precision::Bits32), 10),
    ] {
        let algorithm = algorithm.parse().expect("an algorithm");
        let threads = NonZeroUsize::new(1);
        let options = Options { algorithm, storage, threads, ..Options::default() };
        let mut solver = Solver::new(spot.clone(), &options).expect("it fits");
        // Nothing is timed whose answer is wrong.
        solver.iterate(200);
        let found = solver.check();
        assert!(found.pct_pot > 0.0 && found.pct_pot < 1.0, "{name}: {found:?}");
        criterion.bench_function(name, |bencher| bencher.iter(|| solver.iterate(count)));
        if algorithm == Options::default().algorithm && storage == Storage::of(Precision::Bits32) {
            let name = name.replace("100 iterations", "check").replace("10 iterations", "check");
            criterion.bench_function(&name, |bencher| bencher.iter(|| solver.check()));
        }
    }
}

/// The prizes of a final table.
fn icm(criterion: &mut Criterion) {
    let payouts = Payouts::new((1..=10).rev().map(f64::from).collect()).expect("they are prizes");
    let stacks: Vec<f64> = (1..=10).map(|id| 1000.0 + 137.0 * f64::from(id)).collect();
    let sum: f64 = payouts.equities(&stacks).expect("they are stacks").iter().sum();
    assert!((sum - 55.0).abs() < 1e-9, "{sum}");
    criterion.bench_function("icm of ten players", |bencher| {
        bencher.iter(|| payouts.equities(std::hint::black_box(&stacks)));
    });
}

criterion_group!(benches, kernels, solver, icm);
criterion_main!(benches);
