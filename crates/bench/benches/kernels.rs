//! Criterion benchmarks of the kernels, for comparing commits.

use criterion::{Criterion, criterion_group, criterion_main};
use equipoise_cards::{BoardStrengths, Card, Combo, ComboSet, Grouping, Indexer, Strength, StrengthOrder};

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

criterion_group!(benches, kernels);
criterion_main!(benches);
