//! Known numbers, slow twins and properties of the features.

use equipoise_abstraction::{
    AbstractionError, BoardFeatures, Features, OpponentClusters, Parts, Table, preflop_features,
};
use equipoise_cards::{Board, Card, Combo, HandClass, Street, SuitPermutation};
use equipoise_equity::{Matchup, Method, Options, Seat, equity};
use equipoise_progress::Observer;
use proptest::prelude::*;

fn features(combo: &str, board: &str) -> Features {
    Features::of(combo.parse().unwrap(), &board.parse().unwrap()).unwrap()
}

fn near(found: f64, known: f64) -> bool {
    (found - known).abs() < 5e-7
}

/// HS·(1 − NPot) + (1 − HS)·PPot.
fn formula(features: &Features) -> f64 {
    let (hs, ppot, npot) = (features.hs().unwrap(), features.ppot().unwrap(), features.npot().unwrap());
    hs * (1.0 - npot) + (1.0 - hs) * ppot
}

#[test]
fn the_known_hand() {
    let hand = features("AdQc", "3h4cJh");
    assert_eq!(hand.cells(), Some([[449_005, 3_211, 169_504], [0, 8_370, 540], [91_981, 1_036, 346_543]]));
    assert!(near(hand.hs().unwrap(), 0.585106));
    assert!(near(hand.ppot().unwrap(), 0.208324));
    assert!(near(hand.npot().unwrap(), 0.273693));
    assert!(near(hand.equity(), 0.511399));
    let strength = hand.hand_strength().unwrap();
    assert_eq!((strength.ehs, strength.ehs2), (hand.hs().unwrap() as f32, hand.equity() as f32));
    assert_eq!((strength.ppot, strength.npot), (hand.ppot().unwrap() as f32, hand.npot().unwrap() as f32));
}

#[test]
fn known_classes_before_the_flop() {
    let all = preflop_features(&mut ()).unwrap();
    let of = |name: &str| &all[name.parse::<HandClass>().unwrap().index()];
    for (name, equity, equity_sq) in [
        ("AA", 0.852037, Some(0.737211)),
        ("KK", 0.823957, Some(0.692248)),
        ("AKs", 0.670446, Some(0.511127)),
        ("T9s", 0.540275, None),
        ("72o", 0.345836, None),
        ("32o", 0.323032, Some(0.199510)),
    ] {
        assert!(near(of(name).equity(), equity), "{name} {}", of(name).equity());
        let square = of(name).equity_sq();
        assert!(equity_sq.is_none_or(|known| near(square, known)), "{name} {square}");
    }
    for class in HandClass::all() {
        let features = &all[class.index()];
        let halves = f64::from(class.equity_halves()) / f64::from(HandClass::DEAL_HALVES);
        assert_eq!(features.equity(), halves, "{class}");
        assert_eq!(features.histogram().iter().map(|&n| u64::from(n)).sum::<u64>(), features.num_runouts());
        assert_eq!((features.cells(), features.hs(), features.hand_strength()), (None, None, None));
        assert_eq!((features.ppot(), features.npot()), (None, None));
    }
    // The empty board leads to the same table.
    assert_eq!(&features("AhAd", ""), of("AA"));
    ochs_before_the_flop_is_equity_too();
}

#[test]
fn the_river_as_a_whole() {
    let table = Table::equity_halves(Street::River, &mut ()).unwrap();
    let (mut sum, mut nuts, mut hands) = (0_u64, 0_u64, 0_u64);
    let mut seen = vec![false; 1981];
    for (_, class_size, row) in table.rows() {
        let weight = u64::from(class_size);
        for &halves in row {
            seen[halves as usize] = true;
            sum += weight * u64::from(halves);
            nuts += weight * u64::from(halves == 1980);
        }
        hands += weight * row.len() as u64;
    }
    assert_eq!(hands, 2_598_960 * 1081);
    assert_eq!(sum, hands * 990, "the mean is one half");
    assert_eq!(seen.iter().filter(|&&seen| seen).count(), 1950);
    let share = 100.0 * nuts as f64 / hands as f64;
    assert!((share - 0.34027).abs() < 5e-6, "{share} %");
    let (combo, board) = ("AhKh".parse().unwrap(), "Qs Jh 2h 3c Td".parse().unwrap());
    assert_eq!(
        f64::from(*table.get(combo, &board).unwrap()) / 1980.0,
        features("AhKh", "QsJh2h3cTd").equity()
    );
    assert!(matches!(
        table.get(combo, &"QsJh2h".parse().unwrap()),
        Err(AbstractionError::InvalidBoardSize { expected: "5", got: 3 })
    ));
    assert!(matches!(
        table.get(combo, &"AhJh2h3cTd".parse().unwrap()),
        Err(AbstractionError::DuplicateCard { card }) if card.to_string() == "Ah"
    ));
}

#[test]
fn nuts_and_air() {
    for (combo, board) in
        [("AhKh", "QhJhTh"), ("AhKh", "QhJhTh2c"), ("AhKh", "QhJhTh2c2d"), ("7c7d", "7h7s2c3d4h")]
    {
        let nuts = features(combo, board);
        assert_eq!((nuts.hs(), nuts.equity(), nuts.equity_sq()), (Some(1.0), 1.0, 1.0), "{combo} on {board}");
        assert_eq!((nuts.ppot(), nuts.npot()), (Some(0.0), Some(0.0)));
        assert_eq!(nuts.histogram()[49], nuts.num_runouts() as u32);
        assert_eq!(nuts.ochs(), [1.0; OpponentClusters::COUNT]);
    }
    // The board plays: nobody is beaten, and only hands as bad as this one share.
    let air = features("3c2d", "AhKhQh9h7s");
    assert_eq!((air.cells().unwrap()[0], air.ppot(), air.npot()), ([0, 0, 0], Some(0.0), Some(0.0)));
    assert_eq!(air.hs(), Some(67.0 / 1980.0));
    assert!(features("3c2d", "AhKhQh").hs().unwrap() < 0.01);
}

#[test]
fn draws_are_worth_more_than_they_are_now() {
    for (name, combo, board) in [
        ("flush draw", "6h5h", "AhKh2c"),
        ("open-ended straight draw", "8c7d", "9h6sAc"),
        ("gutshot", "8c7d", "5h4sAc"),
        ("overcards and a royal draw", "AhKh", "QsJh2h"),
        ("flush draw on the turn", "6h5h", "AhKh2c9d"),
        ("straight and flush draw", "8h7h", "9h6hAc"),
    ] {
        let draw = features(combo, board).hand_strength().unwrap();
        assert!(
            draw.ehs2 > draw.ehs && draw.ppot > draw.npot * (draw.ehs / (1.0 - draw.ehs)),
            "{name}: {draw:?}"
        );
    }
    // A made hand that can only be caught up with is worth less.
    let made = features("AcAd", "9h8h7h").hand_strength().unwrap();
    assert!(made.ehs2 < made.ehs, "{made:?}");
}

#[test]
fn suits_change_nothing_to_the_last_bit() {
    for (combo, board) in [("AhKh", "Td9d6h"), ("7c2d", "AhKhQh9s"), ("8s8d", "8h2c2d3s3c")] {
        let (combo, board): (Combo, Board) = (combo.parse().unwrap(), board.parse().unwrap());
        let expected = Features::of(combo, &board).unwrap();
        for suits in SuitPermutation::ALL {
            assert_eq!(Features::of(suits.map_combo(combo), &suits.map_board(&board)).unwrap(), expected);
        }
    }
}

#[test]
fn all_combos_of_named_boards_equal_single_ones() {
    let mut all = BoardFeatures::new(Parts::ALL);
    for text in ["7s7h7d", "9s8s7s6s", "AhKhQhJhTh", "2c2d2h2s3c", "Td9d6hQc2h", "AsAhKs"] {
        let board: Board = text.parse().unwrap();
        all.fill(&board).unwrap();
        for (i, combo) in all.combos().enumerate().step_by(97) {
            let expected = Features::of(combo, &board).unwrap();
            assert_eq!(all.get(combo).as_ref(), Some(&expected), "{combo} on {board}");
            assert_eq!(all.equities().nth(i), Some(expected.equity()));
        }
        assert!(all.get(Combo::new(board.cards()[0], board.cards()[1]).unwrap()).is_none());
    }
    assert!(matches!(all.fill(&Board::EMPTY), Err(AbstractionError::InvalidBoardSize { .. })));
    // What was not asked for is not there.
    let mut some = BoardFeatures::new(Parts::default());
    some.fill(&"Td9d6hQc2h".parse().unwrap()).unwrap();
    let combo = "AhKh".parse().unwrap();
    assert_eq!((some.get(combo), some.cells(combo), some.histogram(combo)), (None, None, None));
}

#[test]
fn the_formula_is_the_equity_on_every_combo_of_many_flops() {
    let mut all = BoardFeatures::new(Parts::ALL);
    for (board, _) in equipoise_cards::canonical_boards(Street::Flop).step_by(90) {
        all.fill(&board).unwrap();
        for combo in all.combos() {
            let features = all.get(combo).unwrap();
            assert!((formula(&features) - features.equity()).abs() < 1e-14, "{combo} on {board}");
            check_ranges(&features);
        }
    }
}

/// Everything lies in 0..=1, and the parts add up to the whole.
fn check_ranges(features: &Features) {
    let numbers = [features.hs().unwrap(), features.equity(), features.equity_sq()];
    let potentials = [features.ppot().unwrap(), features.npot().unwrap()];
    let all = numbers.into_iter().chain(potentials).chain(features.ochs());
    assert!(all.into_iter().all(|x| (0.0..=1.0).contains(&x)), "{features:?}");
    assert!(
        features.equity_sq() <= features.equity()
            && features.equity().powi(2) <= features.equity_sq() + 1e-12
    );
    assert_eq!(features.histogram().iter().map(|&n| u64::from(n)).sum::<u64>(), features.num_runouts());
    let cells: u32 = features.cells().unwrap().iter().flatten().sum();
    assert_eq!(u64::from(cells), features.num_runouts() * 990);
}

fn deal() -> impl Strategy<Value = (Combo, Board)> {
    let deck = proptest::sample::subsequence(Card::ALL.to_vec(), 7).prop_shuffle();
    (deck, prop::sample::select(vec![3_usize, 4, 5])).prop_map(|(deck, len)| {
        (Combo::new(deck[0], deck[1]).unwrap(), Board::new(&deck[2..2 + len]).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_hand((combo, board) in deal(), id in 0..SuitPermutation::COUNT) {
        let single = Features::of(combo, &board).unwrap();
        check_ranges(&single);
        prop_assert!((formula(&single) - single.equity()).abs() < 1e-14);
        let mut all = BoardFeatures::new(Parts::ALL);
        all.fill(&board).unwrap();
        prop_assert_eq!(all.get(combo), Some(single.clone()));
        let suits = SuitPermutation::ALL[id];
        all.fill(&suits.map_board(&board)).unwrap();
        prop_assert_eq!(all.get(suits.map_combo(combo)), Some(single));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// OCHS is the equity that another crate finds by other ways.
    #[test]
    fn ochs_is_equity_against_the_clusters((combo, board) in deal()) {
        let features = Features::of(combo, &board).unwrap();
        let ranges = OpponentClusters::standard().ranges();
        for (range, ochs) in ranges.into_iter().zip(features.ochs()) {
            let matchup = Matchup::new(vec![Seat::Combo(combo), range.into()], board, "".parse().unwrap()).unwrap();
            let exact = equity(&matchup, &Options { method: Method::Exact, ..Options::default() }, &mut ()).unwrap();
            prop_assert!((exact.players[0].equity - ochs).abs() < 1e-12);
        }
    }
}

/// OCHS before the flop is the equity that another crate finds by other ways.
fn ochs_before_the_flop_is_equity_too() {
    for text in ["AhKh", "7c2d"] {
        let ranges = OpponentClusters::standard().ranges();
        for (range, ochs) in ranges.into_iter().zip(features(text, "").ochs()) {
            let seats = vec![text.parse().unwrap(), range.into()];
            let matchup = Matchup::new(seats, Board::EMPTY, "".parse().unwrap()).unwrap();
            let exact =
                equity(&matchup, &Options { method: Method::Exact, ..Options::default() }, &mut ()).unwrap();
            assert!((exact.players[0].equity - ochs).abs() < 1e-12, "{text}");
        }
    }
}

#[test]
fn a_card_dealt_twice_is_refused() {
    let refused = Features::of("AhKh".parse().unwrap(), &"AhQs2c".parse().unwrap());
    assert!(matches!(refused, Err(AbstractionError::DuplicateCard { card }) if card.to_string() == "Ah"));
}

#[test]
fn an_observer_sees_progress_and_may_stop_it() {
    struct Stop;
    impl Observer for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let stopped = Table::equity_halves(Street::Flop, &mut Stop);
    assert!(matches!(stopped, Err(AbstractionError::Cancelled)));
    let before = Table::equity_halves(Street::Preflop, &mut ());
    assert!(matches!(before, Err(AbstractionError::InvalidBoardSize { .. })));
}
