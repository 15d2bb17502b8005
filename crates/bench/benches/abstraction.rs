//! Criterion benchmarks of the card abstraction, for comparing commits: features of whole streets, and lookups in a river
//! file. Answers are checked before anything is timed.

use std::path::PathBuf;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use equipoise_abstraction::{AbstractionConfig, Features, StreetBuckets, Table};
use equipoise_cards::{Board, Card, Combo, Street};

/// River deals, scattered over all of them by a linear congruence.
fn deals(count: usize) -> Vec<(Board, Combo)> {
    let mut state = 1_u64;
    let mut card = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Card::ALL[((state >> 33) % 52) as usize]
    };
    let mut deal = || {
        let mut cards: Vec<Card> = Vec::new();
        while cards.len() < 7 {
            let next = card();
            if !cards.contains(&next) {
                cards.push(next);
            }
        }
        let board = Board::new(&cards[..5]).expect("a board");
        (board, Combo::new(cards[5], cards[6]).expect("a combo"))
    };
    (0..count).map(|_| deal()).collect()
}

/// A file of river buckets, mapped into memory and read once.
fn river() -> (PathBuf, StreetBuckets) {
    let built = StreetBuckets::build(Street::River, &AbstractionConfig::seed(), &mut ()).expect("it fits");
    let path = std::env::temp_dir().join(format!("equipoise-bench-{}.buckets", std::process::id()));
    built.save(&path).expect("room for 300 MB");
    let loaded = StreetBuckets::load(&path).expect("it was just written");
    loaded.verify().expect("it is what was written");
    (path, loaded)
}

fn lookups(criterion: &mut Criterion) {
    let (path, river) = river();
    let deals = deals(1 << 20);
    // Lookups one by one find what whole rows say.
    for &(board, combo) in &deals[..10_000] {
        let all = river.board(&board).expect("a river");
        assert_eq!(all.get(combo), Some(river.bucket(combo, &board).expect("a river")), "{combo} on {board}");
    }
    let mut next = deals.iter().cycle();
    criterion.bench_function("bucket of a river hand", |bencher| {
        bencher.iter(|| {
            let (board, combo) = next.next().expect("deals go round");
            river.bucket(*combo, board)
        });
    });
    let mut group = criterion.benchmark_group("batch");
    group.throughput(Throughput::Elements(1081));
    let mut next = deals.iter().cycle();
    group.bench_function("buckets of all hands of a river board", |bencher| {
        bencher.iter(|| river.board(&next.next().expect("deals go round").0));
    });
    group.finish();
    std::fs::remove_file(path).expect("it was there");
}

fn streets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("equity of all hands");
    group.sample_size(10);
    for (street, board) in
        [(Street::River, "Td9d6hQc2h"), (Street::Turn, "Td9d6hQc"), (Street::Flop, "Td9d6h")]
    {
        let (combo, board) = ("AhKh".parse().expect("a combo"), board.parse().expect("a board"));
        let table = Table::equity_halves(street, &mut ()).expect("nobody stops it");
        let runouts = f64::from([0_u32, 1081, 46, 1][street as usize]);
        let found = f64::from(*table.get(combo, &board).expect("a hand")) / (1980.0 * runouts);
        assert_eq!(found, Features::of(combo, &board).expect("a hand").equity(), "{street}");
        drop(table);
        group.bench_function(street.to_string(), |bencher| {
            bencher.iter_batched(
                || (),
                |()| Table::equity_halves(street, &mut ()).expect("nobody stops it"),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, lookups, streets);
criterion_main!(benches);
