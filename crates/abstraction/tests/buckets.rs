//! The way from hands to buckets to files and back, on all streets.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use equipoise_abstraction::{
    AbstractionConfig, AbstractionError, CardAbstraction, Features, HandKey, Method, Position, StreetBuckets,
    StreetConfig,
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
    let config = AbstractionConfig {
        flop: StreetConfig { method: Method::Percentile, buckets: 100 },
        turn: StreetConfig { method: Method::Nested, buckets: 60 },
        river: StreetConfig { method: Method::Ochs, buckets: 30 },
        samples_per_street: Some(5_000),
        ..AbstractionConfig::default()
    };
    let built = CardAbstraction::build(&config, &()).unwrap();
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
    stronger_hands_have_higher_percentiles(&loaded);
    cards_that_make_no_deal_are_refused(&loaded);
    keys(&loaded);
    damaged_files_are_refused(&folder);
}

fn stronger_hands_have_higher_percentiles(loaded: &CardAbstraction) {
    let board: Board = "Td9d6h".parse().unwrap();
    let mut hands: Vec<(f64, u16)> = ["AhKh", "TcTh", "7c2s", "AcTs", "5c4c", "QsJs", "KcKs", "6c6s"]
        .map(|text| text.parse().unwrap())
        .map(|combo| {
            let equity = Features::of(combo, &board).unwrap().equity();
            (equity, loaded.bucket(combo, &board).unwrap().get())
        })
        .to_vec();
    hands.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(hands.is_sorted_by_key(|hand| hand.1), "{hands:?}");
    assert!(hands[0].1 < 40 && hands[7].1 > 90, "{hands:?}");
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

fn keys(loaded: &CardAbstraction) {
    let (combo, flop) = deal("AhKh", "Td9d6h");
    let before = loaded.info_set_key(Position::Sb, combo, &Board::EMPTY, "r500").unwrap();
    assert_eq!(before.to_string(), "SB:AKs:r500");
    let key = loaded.info_set_key(Position::Bb, combo, &flop, "xr500").unwrap();
    let bucket = loaded.bucket(combo, &flop).unwrap();
    assert_eq!(key.to_string(), format!("BB:{bucket}:Fxr500"));
    assert_eq!(key.to_string().parse(), Ok(key.clone()));
    assert_eq!(key.hand, HandKey::Bucket(Street::Flop, bucket));
}

fn damaged_files_are_refused(folder: &Path) {
    let path = CardAbstraction::file(folder, Street::Flop);
    let good = fs::read(&path).unwrap();
    let reason = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match CardAbstraction::load(folder) {
            Err(AbstractionError::InvalidBoundaries { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let changed = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 0xff;
        bytes
    };
    assert!(reason(b"").contains("short"));
    assert!(reason(&[b'x'; 4000]).contains("another kind"));
    assert!(reason(&changed(8)).contains("version"));
    assert!(reason(&changed(25)).contains("header is damaged"));
    assert!(reason(&good[..good.len() - 1]).contains("bytes instead of"));
    assert!(reason(&[&good[..], b"x"].concat()).contains("bytes instead of"));
    assert!(reason(&fs::read(CardAbstraction::file(folder, Street::Turn)).unwrap()).contains("of the turn"));
    // Damage to a bucket shows when all are checked, or when that one is asked for.
    let mut bytes = good.clone();
    bytes[128..130].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    let loaded = CardAbstraction::load(folder).unwrap();
    let flop = loaded.street(Street::Flop).unwrap();
    assert!(matches!(flop.verify(), Err(AbstractionError::InvalidBoundaries { .. })));
    assert!(matches!(flop.sizes(), Err(AbstractionError::InvalidBoundaries { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(CardAbstraction::load(folder), Err(AbstractionError::LoadError { .. })));
}

#[test]
fn more_buckets_than_values_are_not_made_and_threads_change_nothing() {
    let river = |threads: usize, samples| {
        let config = AbstractionConfig {
            threads: NonZeroUsize::new(threads),
            samples_per_street: samples,
            ..AbstractionConfig::seed()
        };
        StreetBuckets::build(Street::River, &config, &()).unwrap()
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
