//! The way from hands to buckets to files and back, on all streets.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use equipoise_abstraction::{
    AbstractionConfig, AbstractionError, BucketId, CardAbstraction, Features, Method, StreetBuckets,
    StreetComparison, StreetConfig,
};
use equipoise_cards::{Board, Combo, Street, SuitPermutation};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn deal(combo: &str, board: &str) -> (Combo, Board) {
    (combo.parse().unwrap(), board.parse().unwrap())
}

const HANDS: [(&str, &str); 6] = [
    ("AhKh", "Td9d6h"),
    ("7c2d", "AhKhQh"),
    ("AhKh", "Td9d6hQc"),
    ("8s8d", "8h2c2d3s"),
    ("AhKh", "Td9d6hQc2h"),
    ("3c2d", "AhKhQh9h7s"),
];

#[test]
fn all_streets_from_hands_to_files_and_back() {
    // A method of each sort, those that take the least time: one number, two, and k-means on what comes next.
    let config = AbstractionConfig {
        flop: StreetConfig { method: Method::Potential, buckets: 40 },
        turn: StreetConfig { method: Method::Nested, buckets: 60 },
        river: StreetConfig { method: Method::Percentile, buckets: 100 },
        samples_per_street: Some(5_000),
        ..AbstractionConfig::default()
    };
    let built = CardAbstraction::build(&config, &mut ()).unwrap();
    let folder = folder("all-streets");
    built.save(&folder).unwrap();
    let loaded = CardAbstraction::load(&folder).unwrap();
    for street in [Street::Flop, Street::Turn, Street::River] {
        let buckets = loaded.street(street).unwrap();
        buckets.verify().unwrap();
        assert!(buckets.is_of(&config) && !buckets.is_of(&AbstractionConfig { random_seed: 1, ..config }));
        assert_eq!(Some(buckets.config()), config.street(street));
        assert!(buckets.num_buckets() > 20 && buckets.num_buckets() <= buckets.config().buckets, "{street}");
        let sizes = buckets.sizes().unwrap();
        assert_eq!(sizes.len(), usize::from(buckets.num_buckets()));
        assert!(sizes.iter().all(|&size| size > 0), "{street}: {sizes:?}");
        let indexer = equipoise_cards::Grouping::of_combo(street);
        assert_eq!(sizes.iter().sum::<u64>(), indexer.num_deals());
    }
    for (combo, board) in HANDS.map(|(combo, board)| deal(combo, board)) {
        let bucket = built.bucket(combo, &board).unwrap();
        assert_eq!(loaded.bucket(combo, &board).unwrap(), bucket);
        let all = loaded.street(board.street()).unwrap().board(&board).unwrap();
        for other in Combo::all() {
            assert_eq!(all.get(other), loaded.bucket(other, &board).ok(), "{other} on {board}");
        }
        for suits in SuitPermutation::ALL {
            let image = loaded.bucket(suits.map_combo(combo), &suits.map_board(&board)).unwrap();
            assert_eq!(image, bucket, "{combo} on {board}");
        }
    }
    stronger_hands_have_higher_buckets(&loaded, "Td9d6hQc2h", 20..90);
    stronger_hands_have_higher_buckets(&loaded, "Td9d6h", 20..30);
    cards_that_make_no_deal_are_refused(&loaded);
    potential_needs_its_next_street(&loaded, &config);
    let [flop, turn] = [Street::Flop, Street::Turn].map(|street| CardAbstraction::file(&folder, street));
    fs::copy(&turn, &flop).unwrap();
    let refused = CardAbstraction::load(&folder).unwrap_err().to_string();
    assert!(refused.contains("it is of the turn"), "{refused}");
    fs::remove_file(&flop).unwrap();
    assert!(matches!(CardAbstraction::load(&folder), Err(AbstractionError::LoadError { .. })));
}

/// The weakest hand is below a stretch of buckets, the strongest above it, and equity orders them all where one number does.
fn stronger_hands_have_higher_buckets(loaded: &CardAbstraction, board: &str, between: std::ops::Range<u16>) {
    let board: Board = board.parse().unwrap();
    let mut hands: Vec<(f64, u16)> = ["AhKh", "TcTh", "7c3s", "AcTs", "5c4c", "QsJs", "KcKs", "6c6s"]
        .map(|text| text.parse().unwrap())
        .map(|combo| {
            let equity = Features::of(combo, &board).unwrap().equity();
            (equity, loaded.bucket(combo, &board).unwrap().get())
        })
        .to_vec();
    hands.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(hands[0].1 < between.start && hands[7].1 >= between.end, "{hands:?}");
    if board.street() == Street::River {
        assert!(hands.is_sorted_by_key(|hand| hand.1), "{hands:?}");
    }
}

fn potential_needs_its_next_street(loaded: &CardAbstraction, config: &AbstractionConfig) {
    let [flop, turn, river] =
        [Street::Flop, Street::Turn, Street::River].map(|street| loaded.street(street).unwrap());
    assert!(flop.fits(turn) && !flop.fits(river) && turn.fits(river));
    let build = |next| StreetBuckets::build_on(Street::Flop, config, next, &mut ());
    assert!(matches!(build(None), Err(AbstractionError::NoNextStreet { street: Street::Flop })));
    assert!(matches!(build(Some(river)), Err(AbstractionError::OtherNextStreet { .. })));
    let other = AbstractionConfig { random_seed: 5, ..*config };
    let of_other = StreetBuckets::build_on(Street::Flop, &other, Some(turn), &mut ());
    assert!(matches!(of_other, Err(AbstractionError::OtherNextStreet { .. })));
    assert!(matches!(flop.report(None, None, &mut ()), Err(AbstractionError::NoNextStreet { .. })));
    // Again, with another number of threads.
    let one = AbstractionConfig { threads: NonZeroUsize::new(1), ..*config };
    let again = StreetBuckets::build_on(Street::Flop, &one, Some(turn), &mut ()).unwrap();
    assert_eq!(again.sizes().unwrap(), flop.sizes().unwrap());
    for board in ["Td9d6h", "AsKsQs", "2c2d7h"].map(|board| board.parse().unwrap()) {
        assert_eq!(again.board(&board).unwrap(), flop.board(&board).unwrap());
    }
}

fn cards_that_make_no_deal_are_refused(loaded: &CardAbstraction) {
    let cards = equipoise_cards::parse_cards("Td9d6hAhKh").unwrap();
    let holding = (cards[3], cards[4]);
    let expected = loaded.bucket("AhKh".parse().unwrap(), &"Td9d6h".parse().unwrap()).unwrap();
    assert_eq!(loaded.get_bucket(&cards[..3], holding).unwrap(), expected);
    assert_eq!(loaded.get_bucket(&[], holding).unwrap().get(), 1, "AKs is the second class of the grid");
    for (board, holding) in [(&cards[1..4], holding), (&cards[..3], (cards[3], cards[3]))] {
        let refused = loaded.get_bucket(board, holding);
        assert!(matches!(refused, Err(AbstractionError::DuplicateCard { card }) if card.to_string() == "Ah"));
    }
    assert!(matches!(
        loaded.get_bucket(&cards[..2], holding),
        Err(AbstractionError::InvalidBoardSize { got: 2, .. })
    ));
}

#[test]
fn more_buckets_than_values_are_not_made_and_threads_change_nothing() {
    let river = |threads: usize, samples| {
        let config = AbstractionConfig {
            threads: NonZeroUsize::new(threads),
            samples_per_street: samples,
            ..AbstractionConfig::seed()
        };
        StreetBuckets::build(Street::River, &config, &mut ()).unwrap()
    };
    let (one, three) = (river(1, Some(100_000)), river(3, Some(100_000)));
    assert_eq!(one.config().buckets, 20_000);
    assert!(one.num_buckets() <= 1950 && one.num_buckets() > 1000, "{}", one.num_buckets());
    assert_eq!(one.num_buckets(), three.num_buckets());
    for (combo, board) in HANDS[4..].iter().map(|(combo, board)| deal(combo, board)) {
        assert_eq!(one.board(&board).unwrap(), three.board(&board).unwrap());
        assert!(one.bucket(combo, &board).is_ok());
    }
    assert_eq!(one.sizes().unwrap(), three.sizes().unwrap());
}

#[test]
fn a_report_and_a_comparison_of_the_river() {
    let river = |buckets| {
        let river = StreetConfig { method: Method::Percentile, buckets };
        StreetBuckets::build(
            Street::River,
            &AbstractionConfig { river, ..AbstractionConfig::default() },
            &mut (),
        )
    };
    let (fine, coarse) = (river(50).unwrap(), river(2).unwrap());
    let report = fine.report(None, Some(BucketId::new(40)), &mut ()).unwrap();
    let sizes: Vec<u64> = report.buckets.iter().map(|bucket| bucket.deals).collect();
    assert_eq!(sizes, fine.sizes().unwrap());
    // The mean of all equities is one half exactly.
    let sum: f64 = report.buckets.iter().map(|bucket| bucket.deals as f64 * bucket.equity).sum();
    assert!((sum / sizes.iter().sum::<u64>() as f64 - 0.5).abs() < 1e-12);
    // Percentiles are stretches of equity: they do not overlap, and neighbours are nearest.
    for (i, bucket) in report.buckets.iter().enumerate() {
        assert!(bucket.range[0] <= bucket.equity && bucket.equity <= bucket.range[1]);
        assert!(bucket.spread <= bucket.range[1] - bucket.range[0]);
        assert!(report.buckets.get(i + 1).is_none_or(|next| next.range[0] > bucket.range[1]));
        let (nearest, distance) = bucket.nearest[0];
        assert_eq!(usize::from(nearest.get()).abs_diff(i), 1);
        let apart = (report.buckets[usize::from(nearest.get())].equity - bucket.equity).abs();
        assert!((distance - apart).abs() < 1e-6);
    }
    let examples = report.examples.unwrap();
    assert_eq!(examples.typical.len(), 5);
    let extremes = [examples.weakest, examples.strongest].map(Option::unwrap);
    for (hand, distance) in examples.typical.iter().chain(&extremes) {
        assert_eq!(fine.bucket(hand.combo, &hand.board).unwrap().get(), 40);
        assert_eq!(Features::of(hand.combo, &hand.board).unwrap().equity(), hand.equity);
        assert!(((hand.equity - report.buckets[40].equity).abs() - distance).abs() < 1e-6);
    }
    assert_eq!(extremes.map(|(hand, _)| hand.equity), report.buckets[40].range);
    let wrong = fine.report(None, Some(BucketId::new(50)), &mut ());
    assert!(matches!(wrong, Err(AbstractionError::NoSuchBucket { buckets: 50, .. })));

    let found = StreetComparison::new([&fine, &coarse], &mut ()).unwrap();
    assert!((found.spreads[0] - report.spread).abs() < 1e-12 && found.spreads[0] < found.spreads[1] / 10.0);
    // Of 50 buckets about as large as each other, 25 lie in each of two: 2 / 50 − 1 / 50 of the pairs more than by chance,
    // and log₂ 25 bits.
    assert!(found.agreement > 0.03 && found.agreement < 0.05, "{}", found.agreement);
    assert!((found.variation - 25_f64.log2()).abs() < 0.1, "{}", found.variation);
    let [by_fine, by_coarse] = &found.joined;
    assert!(by_fine.len() <= 1, "at most the middle bucket lies on both sides: {by_fine:?}");
    assert_eq!(by_coarse.len(), 2);
    for joined in by_coarse {
        let [one, other] = joined.hands.each_ref().map(|hand| (hand.combo, hand.board));
        assert_eq!(coarse.bucket(one.0, &one.1).unwrap(), coarse.bucket(other.0, &other.1).unwrap());
        assert_ne!(fine.bucket(one.0, &one.1).unwrap(), fine.bucket(other.0, &other.1).unwrap());
        assert_eq!(fine.bucket(one.0, &one.1).unwrap(), joined.others[0]);
    }
}
