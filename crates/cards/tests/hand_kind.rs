//! Hand categories: examples judged by hand, known counts, and twins that go through cards one by one.

use equipoise_cards::{
    Board, Card, CardSet, Category, Combo, Draw, HandKind, HandKinds, KindFilter, KindName, MadeGroup,
    MadeHand, Rank, Street, Strength, SuitPermutation, canonical_boards,
};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn combo(text: &str) -> Combo {
    text.parse().unwrap()
}

/// Checks `combo: kind` lines on one board.
fn check(board_text: &str, examples: &[(&str, &str)]) {
    let kinds = HandKinds::new(&board(board_text)).unwrap();
    for &(text, want) in examples {
        let kind = HandKind::of(combo(text), &board(board_text)).unwrap();
        assert_eq!(kind.to_string(), want, "{text} on {board_text}");
        assert_eq!(kinds.get(combo(text)), Some(kind));
    }
}

#[test]
fn pairs_on_a_flop() {
    check(
        "Kh9d4c",
        &[
            ("AsKd", "top pair top kicker"),
            ("AdKd", "top pair top kicker, backdoor flush draw"),
            ("KsQc", "top pair good kicker, backdoor straight draw"),
            ("KsJc", "top pair good kicker, backdoor straight draw"),
            ("KsTc", "top pair weak kicker, backdoor straight draw"),
            ("Ks2c", "top pair weak kicker"),
            ("AsAc", "overpair"),
            ("QsQc", "pocket pair below top pair, backdoor straight draw"),
            ("8s8c", "pocket pair below second pair"),
            ("3s3h", "underpair"),
            ("As9c", "second pair"),
            ("7s4s", "third pair"),
            ("Ks9s", "top two pair"),
            ("Ks4s", "lower two pair"),
            ("9s4s", "lower two pair"),
            ("9s9c", "set"),
            ("4s4h", "set"),
        ],
    );
    check(
        "AhKd7c",
        &[
            ("AsQd", "top pair top kicker, backdoor straight draw"),
            ("AsJd", "top pair good kicker, backdoor straight draw"),
            ("AsTd", "top pair good kicker, backdoor straight draw"),
            ("As9d", "top pair weak kicker"),
            ("AsKs", "top two pair"),
            ("Ks7s", "lower two pair"),
            ("QsQh", "pocket pair below second pair, backdoor straight draw"),
        ],
    );
}

#[test]
fn no_pair_on_a_flop() {
    check(
        "Kh9d4c",
        &[
            ("As7c", "ace high"),
            ("AsQc", "ace high, backdoor straight draw"),
            ("QsJc", "nothing, gutshot"),
            ("JsTc", "nothing, gutshot"),
            ("8s7c", "nothing, backdoor straight draw"),
            ("3h2s", "nothing, backdoor straight draw"),
            ("7s2h", "nothing"),
        ],
    );
    check(
        "9h7c2d",
        &[
            ("AsKh", "ace high, overcards"),
            ("As3s", "ace high, backdoor straight draw"),
            ("KsQc", "king high, overcards, backdoor straight draw"),
            ("Ks3s", "king high"),
            ("QsJh", "low overcards, backdoor straight draw"),
            ("JdTc", "low overcards, gutshot"),
            ("8s6h", "nothing, open-ended straight draw"),
            ("8d5s", "nothing, gutshot"),
            ("Js8s", "nothing, gutshot"),
        ],
    );
    // The board's ace does not make the king another card.
    check("AhJd7c", &[("KsQs", "king high, gutshot"), ("Qs2s", "nothing, backdoor straight draw")]);
}

#[test]
fn air_is_no_pair_and_no_draw() {
    let is_air = |text: &str, on: &str| HandKind::of(combo(text), &board(on)).unwrap().is_air();
    for text in ["7s2h", "As7c", "AsQc", "8s7c"] {
        assert!(is_air(text, "Kh9d4c"), "{text}");
    }
    for text in ["QsJc", "3s3h", "7s4s"] {
        assert!(!is_air(text, "Kh9d4c"), "{text}");
    }
    assert!(!is_air("AsKh", "9h7c2d"), "overcards are a draw");
    assert!(is_air("AsKh", "9h7c2d4s3s"), "there are no draws on the river");
    assert!(is_air("6s4h", "KhKd9c8s2d"), "a pair on the board is nobody's");
    assert!(!is_air("6s4h", "KhQdJcTs9d"), "the board may be good");
}

#[test]
fn straight_draws() {
    check("Qh8c6d", &[("Ts9h", "nothing, open-ended straight draw")]); // A double gutshot.
    check("QhJc2d", &[("AsKd", "ace high, gutshot, overcards")]); // One end only.
    check(
        "4h3c2d",
        &[
            ("AsKc", "ace high, gutshot, overcards"),
            ("Ks5c", "king high, open-ended straight draw, overcards"),
            ("As5s", "straight"),
            ("6s5s", "straight"),
            ("As4s", "top pair top kicker, gutshot"),
        ],
    );
    check(
        "5h4c3d",
        &[
            ("As2s", "straight"),
            ("7s6s", "straight"),
            ("AcKs", "ace high, gutshot, overcards"),
            ("Ks2s", "king high, open-ended straight draw"),
        ],
    );
    check(
        "9h8h2c",
        &[
            ("JsTd", "low overcards, open-ended straight draw"),
            ("JhTh", "low overcards, flush draw, open-ended straight draw"),
            ("Th9s", "top pair weak kicker, backdoor flush draw, backdoor straight draw"),
            ("Ts9s", "top pair weak kicker, backdoor straight draw"),
            ("Jd7d", "nothing, gutshot"),
        ],
    );
    // Aces do not go round the corner.
    check(
        "KhAd2c",
        &[
            ("QsJd", "nothing, gutshot"),
            ("3s4d", "nothing, gutshot"),
            ("Qs3d", "nothing, backdoor straight draw"),
        ],
    );
}

#[test]
fn what_the_board_draws_to_is_nobodys_draw() {
    check(
        "5h6d7c8s",
        &[
            ("AsKd", "ace high, overcards"),
            ("Ts2c", "nothing, gutshot"),
            ("JsTd", "low overcards, gutshot"),
            ("3s2c", "nothing"),
            ("9s2c", "straight"),
            ("4s2c", "straight"),
        ],
    );
    check(
        "KhQdJcTs",
        &[("2s2d", "underpair"), ("8s2d", "nothing"), ("As2d", "straight"), ("9s8d", "straight")],
    );
    check(
        "Kh9h4h2h",
        &[
            ("AsKd", "top pair top kicker"),
            ("Ah3c", "nut flush"),
            ("AhQh", "nut flush"),
            ("Qh8s", "one-card flush"),
            ("QhJh", "two-card flush"),
        ],
    );
    check("9h8c7d", &[("Ks2s", "king high"), ("Qs2s", "nothing, backdoor straight draw")]);
}

#[test]
fn flushes_and_flush_draws() {
    check(
        "Kh9h4h",
        &[
            ("AhQh", "nut flush"),
            ("QhJh", "two-card flush"),
            ("AhQs", "ace high, nut flush draw, one-card flush draw, backdoor straight draw"),
            ("8h3s", "nothing, one-card flush draw"),
            ("KsQh", "top pair good kicker, one-card flush draw, backdoor straight draw"),
            ("KsKd", "set"),
            ("9s9c", "set"),
        ],
    );
    check(
        "Kh9h4c",
        &[
            ("Ah7h", "ace high, nut flush draw"),
            ("Ah5h", "ace high, nut flush draw, backdoor straight draw"),
            ("8h3h", "nothing, flush draw"),
            ("8h3s", "nothing, backdoor flush draw"),
            ("8c3c", "nothing, backdoor flush draw"),
            ("8s3s", "nothing"),
        ],
    );
    check(
        "Ah9h4c2s",
        &[("Kh7h", "king high, nut flush draw"), ("Qh7h", "nothing, flush draw"), ("Kh7s", "king high")],
    );
    // Two flush draws for others, one for each suit.
    check(
        "Ah9h4c2c",
        &[
            ("Kh7c", "king high"),
            ("Kc7c", "king high, flush draw"),
            ("AcKc", "top pair top kicker, nut flush draw"),
        ],
    );
    check(
        "9h8h7h",
        &[
            ("JhTh", "straight flush"),
            ("6h5h", "straight flush"),
            ("AhTh", "nut flush"),
            ("JsTs", "straight"),
            ("JhTs", "straight, one-card flush draw"),
            ("AhTs", "ace high, nut flush draw, one-card flush draw, open-ended straight draw, overcards"),
        ],
    );
    check(
        "9h4h2h9c",
        &[
            ("KhQs", "king high, one-card flush draw, overcards"),
            ("9dKh", "trips, one-card flush draw"),
            ("9d4s", "full house"),
        ],
    );
}

#[test]
fn boards_with_a_pair() {
    check(
        "KhKd4c",
        &[
            ("AsQc", "ace high, backdoor straight draw"),
            ("As4s", "second pair"),
            ("AsAc", "overpair"),
            ("QsQc", "pocket pair below top pair"),
            ("3s3h", "underpair"),
            ("KsQs", "trips"),
            ("Ks4s", "full house"),
            ("4s4h", "full house"),
            ("KsKc", "quads"),
            ("7s6c", "nothing, backdoor straight draw"),
        ],
    );
    check(
        "4h4dKc",
        &[
            ("KsQc", "top pair good kicker"),
            ("AsKs", "top pair top kicker"),
            ("5s5c", "pocket pair below top pair"),
            ("As4s", "trips"),
            ("KsKd", "full house"),
        ],
    );
    check("7h7d2c", &[("KsQs", "king high, overcards"), ("JsTs", "low overcards, backdoor straight draw")]);
    check(
        "4h4dKc9s",
        &[
            ("Ks9c", "top two pair"),
            ("AsAc", "overpair"),
            ("9c2c", "second pair"),
            ("QcQd", "pocket pair below top pair"),
        ],
    );
    check("4h4dKc9s7d", &[("9c7c", "lower two pair"), ("Kd7c", "lower two pair"), ("As7c", "third pair")]);
}

#[test]
fn counterfeit_pairs_do_not_count() {
    check(
        "9c9dKh4s",
        &[("Ks4c", "top pair weak kicker"), ("As4c", "third pair"), ("AcKs", "top pair top kicker")],
    );
    check(
        "KhKd9c9s",
        &[
            ("2c2d", "nothing"),
            ("As2c", "ace high"),
            ("QsQc", "pocket pair below top pair"),
            ("AsAc", "overpair"),
            ("9h2c", "full house"),
            ("QsJc", "nothing, gutshot"),
        ],
    );
    check(
        "KhKd9c9s4c",
        &[
            ("2c2d", "plays the board"),
            ("4s3s", "plays the board"),
            ("5s3d", "nothing"),
            ("AsQd", "ace high"),
            ("As4d", "ace high"),
            ("KcQs", "full house"),
            ("4s4d", "full house"),
            ("TsTd", "pocket pair below top pair"),
        ],
    );
}

#[test]
fn boards_with_trips_and_quads() {
    check(
        "7h7d7c",
        &[
            ("AsKd", "ace high, overcards"),
            ("AsAd", "full house"),
            ("2s2d", "full house"),
            ("6s5d", "nothing, backdoor straight draw"),
            ("7s2c", "quads"),
        ],
    );
    check(
        "7h7d7cKsKd",
        &[
            ("As2c", "plays the board"),
            ("QsQd", "plays the board"),
            ("AsAc", "full house"),
            ("Kc2d", "full house"),
            ("7s2c", "quads"),
        ],
    );
    check(
        "7h7d7c7s",
        &[("AsKd", "ace high"), ("AsAd", "ace high"), ("QsJd", "low overcards"), ("3s2d", "nothing")],
    );
    check("7h7d7c7sKd", &[("AsQd", "ace high"), ("QsQd", "plays the board"), ("KcQs", "plays the board")]);
    check(
        "7h7d7c7s2d",
        &[("KsQd", "king high"), ("JsTd", "low overcards"), ("4d3s", "nothing"), ("2s2c", "plays the board")],
    );
}

#[test]
fn boards_with_straights_and_flushes() {
    check(
        "5h6d7c8s9h",
        &[
            ("AsKd", "plays the board"),
            ("5s5d", "plays the board"),
            ("4s3s", "plays the board"),
            ("Ts2c", "straight"),
            ("JsTs", "straight"),
        ],
    );
    check("AhKdQcJsTh", &[("AsAd", "plays the board"), ("2s2d", "plays the board")]);
    check("2h3d4c5s9h", &[("As9d", "straight"), ("6s6d", "straight"), ("AcKd", "straight"), ("9s9d", "set")]);
    check(
        "AhKhQh7h5h",
        &[
            ("AsAd", "plays the board"),
            ("3h2c", "plays the board"),
            ("3h2h", "plays the board"),
            ("6h2c", "one-card flush"),
            ("9h8h", "two-card flush"),
            ("Jh3c", "nut flush"),
            ("JhTh", "straight flush"),
            ("Th3c", "one-card flush"),
        ],
    );
    check("AhKhQhJhTh", &[("9h8h", "plays the board"), ("AsAd", "plays the board")]);
    check(
        "9h8h7h6h5h",
        &[("Th2c", "straight flush"), ("4h3h", "plays the board"), ("AhKh", "plays the board")],
    );
}

#[test]
fn low_pairs_on_later_streets() {
    check(
        "Kh9d6c2s",
        &[
            ("3s2d", "low pair"),
            ("3s3d", "low pair"),
            ("4s4d", "low pair"),
            ("7s7d", "pocket pair below second pair"),
            ("6s3d", "third pair"),
        ],
    );
    check(
        "Kh9d6c4s2d",
        &[
            ("5s5c", "low pair"),
            ("3s3c", "low pair"),
            ("4d3c", "low pair"),
            ("As2c", "low pair"),
            ("7s7d", "pocket pair below second pair"),
        ],
    );
    check("Kh9d6c4s3d", &[("2s2c", "underpair")]);
}

#[test]
fn no_kind_before_the_flop_or_with_a_card_of_the_board() {
    assert_eq!(HandKind::of(combo("AsAd"), &Board::EMPTY), None);
    assert_eq!(HandKinds::new(&Board::EMPTY), None);
    assert_eq!(HandKind::of(combo("KhQs"), &board("Kh9d4c")), None);
    assert_eq!(HandKinds::new(&board("Kh9d4c")).unwrap().get(combo("KhQs")), None);
}

/// How many combos of a board each name has.
fn count(board_text: &str, filter: &str) -> usize {
    let filter: KindFilter = filter.parse().unwrap();
    HandKinds::new(&board(board_text)).unwrap().matching(&filter).count()
}

#[test]
fn combos_of_a_dry_flop() {
    let flop = "Kh9d4c";
    for (name, want) in [
        ("set", 3 * 3),
        ("top two pair", 9),
        ("lower two pair", 2 * 9),
        ("overpair", 6),
        ("top pair", 3 * 40),
        ("top pair top kicker", 3 * 4),
        ("top pair good kicker", 3 * 8),
        ("top pair weak kicker", 3 * 28),
        ("second pair", 3 * 40),
        ("third pair", 3 * 40),
        ("pocket pair below top pair", 3 * 6),
        ("pocket pair below second pair", 4 * 6),
        ("underpair", 2 * 6),
        ("middle pair", 3 * 40 + 3 * 6),
        ("weak pair", 3 * 40 + 4 * 6 + 2 * 6),
        ("ace high", 9 * 16),
        ("king high", 0),
        ("nothing", 36 * 16),
        ("no pair", 45 * 16),
        ("low pair, trips, straight, flush, full house, quads, straight flush, plays the board", 0),
        ("backdoor flush draw", 3 * 66),
        ("flush draw, open-ended, overcards, combo draw", 0),
        ("gutshot", 3 * 16), // QJ, QT, JT.
    ] {
        assert_eq!(count(flop, name), want, "{name}");
    }
}

#[test]
fn combos_of_wet_and_paired_boards() {
    // Three straights by ranks, less what is a straight flush or a flush.
    let flop = "9h8h7h";
    assert_eq!(count(flop, "straight flush"), 3);
    assert_eq!(count(flop, "straight"), 3 * (16 - 1));
    assert_eq!(count(flop, "flush"), 45 - 3);
    assert_eq!(count(flop, "nut flush"), 9);
    assert_eq!(count(flop, "one-card flush draw"), 10 * 39);
    assert_eq!(count(flop, "nut flush draw"), 39);
    // On a board of one pair: one of two for trips, and no three with another rank.
    let flop = "KhKd4c";
    assert_eq!(count(flop, "trips"), 2 * (49 - 2 - 3));
    assert_eq!(count(flop, "full house"), 2 * 3 + 3);
    assert_eq!(count(flop, "quads"), 1);
    assert_eq!(count(flop, "second pair"), 3 * (49 - 2 - 3));
    assert_eq!(count(flop, "overpair"), 6);
    assert_eq!(count(flop, "pocket pair below top pair"), 8 * 6);
    assert_eq!(count(flop, "underpair"), 2 * 6);
    // Everybody has this straight; a six or a king adds nothing, an ace does.
    let river = "KhQdJcTs9h";
    assert_eq!(count(river, "straight"), 4 * 43 + 6);
    assert_eq!(count(river, "plays the board"), 1081 - (4 * 43 + 6));
}

/// Flops of one combo, of which how often what happens is well known.
#[test]
fn how_often_combos_flop_what() {
    let flops = || {
        let all = Card::ALL;
        (2..52).flat_map(move |c| {
            (1..c).flat_map(move |b| (0..b).map(move |a| Board::new(&[all[a], all[b], all[c]]).unwrap()))
        })
    };
    let count = |text: &str, name: &str| {
        let filter: KindFilter = name.parse().unwrap();
        flops()
            .filter_map(|flop| HandKind::of(combo(text), &flop))
            .filter(|kind| filter.matches(*kind))
            .count()
    };
    assert_eq!(count("8s8h", "set"), 2112); // 10.8 % of 19,600.
    assert_eq!(count("8s8h", "quads"), 48);
    assert_eq!(count("8s8h", "full house"), 144 + 48); // With an eight, or three of another rank.
    assert_eq!(count("Ks7s", "flush draw"), 2145); // 10.9 %
    assert_eq!(count("Ks7s", "flush, straight flush"), 165); // 0.84 %
    assert_eq!(count("Ks7s", "two pair"), 396); // 2.0 %
    assert_eq!(count("Ks7s", "trips"), 264); // 1.35 %
    assert_eq!(count("Ks7s", "full house"), 18);
    assert_eq!(count("Ks7s", "quads"), 2);
    assert_eq!(count("AdKc", "top pair top kicker"), 5280 + 396); // One of six, and two other cards alike or not.
    assert_eq!(count("AdKc", "top pair"), 5280 + 396);
    assert_eq!(count("JsTd", "straight"), 4 * 64); // 1.3 %
}

/// Boards of every street that are unlike each other: every n-th canonical one.
fn sample_boards(steps: [usize; 3]) -> impl Iterator<Item = Board> {
    [Street::Flop, Street::Turn, Street::River]
        .into_iter()
        .zip(steps)
        .flat_map(|(street, step)| canonical_boards(street).step_by(step).map(|(board, _)| board))
}

/// What the board is without private cards, by the ranks it has.
fn own_category(board: &Board) -> Category {
    if let Some(strength) = Strength::of(board.set()) {
        return strength.category();
    }
    let mut counts = Rank::ALL.map(|rank| board.cards().iter().filter(|card| card.rank() == rank).count());
    counts.sort_unstable();
    match (counts[12], counts[11]) {
        (4, _) => Category::Quads,
        (3, _) => Category::Trips,
        (2, 2) => Category::TwoPair,
        (2, _) => Category::Pair,
        _ => Category::HighCard,
    }
}

/// The category that a hand of this group must have on a board that has one of its own.
fn category_of(group: MadeGroup, own: Category) -> Category {
    match group {
        MadeGroup::PlaysTheBoard | MadeGroup::NoPair => own,
        MadeGroup::WeakPair | MadeGroup::MiddlePair | MadeGroup::TopPair | MadeGroup::Overpair => {
            if own == Category::HighCard { Category::Pair } else { Category::TwoPair }
        }
        MadeGroup::TwoPair => Category::TwoPair,
        MadeGroup::Trips | MadeGroup::Set => Category::Trips,
        MadeGroup::Straight => Category::Straight,
        MadeGroup::Flush => Category::Flush,
        MadeGroup::FullHouse => Category::FullHouse,
        MadeGroup::Quads => Category::Quads,
        MadeGroup::StraightFlush => Category::StraightFlush,
        other => panic!("{other} is new"),
    }
}

#[test]
fn kinds_agree_with_strengths() {
    for board in sample_boards([1, 16, 128]) {
        let (own, alone) = (own_category(&board), Strength::of(board.set()));
        let mut num_combos = 0;
        for (combo, kind) in HandKinds::new(&board).unwrap().iter() {
            let strength = Strength::of(board.set() | combo.cards()).unwrap();
            let place = || format!("{combo} on {board} is {kind}, {strength}");
            assert_eq!(strength.category(), category_of(kind.made.group(), own), "{}", place());
            let plays = alone == Some(strength) && own >= Category::TwoPair;
            assert_eq!(kind.made == MadeHand::PlaysTheBoard, plays, "{}", place());
            // Whatever adds a pair or more beats the board.
            assert!(
                kind.made <= MadeHand::AceHigh || alone.is_none_or(|alone| strength > alone),
                "{}",
                place()
            );
            num_combos += 1;
        }
        let left = 52 - board.cards().len();
        assert_eq!(num_combos, left * (left - 1) / 2);
    }
}

/// The place in the order of strength: hands without a pair are one, and so are flushes but for the nuts.
fn level(made: MadeHand) -> MadeHand {
    match made {
        MadeHand::Nothing | MadeHand::LowOvercards | MadeHand::KingHigh => MadeHand::AceHigh,
        MadeHand::OneCardFlush => MadeHand::TwoCardFlush,
        other => other,
    }
}

#[test]
fn on_boards_without_a_pair_the_order_is_that_of_strength() {
    let paired = [Category::Pair, Category::TwoPair, Category::Trips, Category::FullHouse, Category::Quads];
    let unpaired = |board: &Board| !paired.contains(&own_category(board));
    for board in sample_boards([3, 60, 300]).filter(unpaired) {
        let mut hands: Vec<(Strength, MadeHand)> = HandKinds::new(&board)
            .unwrap()
            .iter()
            .map(|(combo, kind)| (Strength::of(board.set() | combo.cards()).unwrap(), level(kind.made)))
            .collect();
        hands.sort_unstable();
        assert!(hands.is_sorted_by_key(|(_, made)| *made), "{board}");
    }
}

#[test]
fn suits_have_no_names() {
    for board in sample_boards([40, 400, 4000]) {
        let kinds = HandKinds::new(&board).unwrap();
        for suits in SuitPermutation::ALL {
            let mapped = HandKinds::new(&suits.map_board(&board)).unwrap();
            for (combo, kind) in kinds.iter() {
                assert_eq!(mapped.get(suits.map_combo(combo)), Some(kind), "{combo} on {board}");
            }
        }
        let mut reversed = board.cards().to_vec();
        reversed.reverse();
        assert_eq!(HandKinds::new(&Board::new(&reversed).unwrap()).unwrap(), kinds);
    }
}

#[test]
fn each_combo_is_in_one_row_of_made_hands() {
    for board in sample_boards([100, 1000, 8000]) {
        for (_, kind) in HandKinds::new(&board).unwrap().iter() {
            let in_rows = |names: &mut dyn Iterator<Item = KindName>| {
                let made = |name: &KindName| matches!(name, KindName::Made(_) | KindName::Group(_));
                names.filter(|name| made(name) && name.matches(kind)).count()
            };
            assert_eq!(in_rows(&mut KindName::table()), 1);
            assert_eq!(MadeHand::ALL.iter().filter(|made| KindName::Made(**made).matches(kind)).count(), 1);
            let listed =
                KindName::table().filter(|n| matches!(n, KindName::Draw(_)) && n.matches(kind)).count();
            assert_eq!(listed, kind.draws.iter().count());
        }
    }
}

/// All five of some cards, and which are best; by going through them.
fn best_fives(cards: CardSet) -> (Strength, Vec<CardSet>) {
    let cards: Vec<Card> = cards.iter().collect();
    let fives = (0u32..1 << cards.len()).filter(|bits| bits.count_ones() == 5).map(|bits| {
        let five: CardSet = (0..cards.len()).filter(|i| bits >> i & 1 != 0).map(|i| cards[i]).collect();
        (Strength::of(five).unwrap(), five)
    });
    let fives: Vec<(Strength, CardSet)> = fives.collect();
    let best = fives.iter().map(|five| five.0).max().unwrap();
    (best, fives.into_iter().filter(|five| five.0 == best).map(|five| five.1).collect())
}

/// The made hand by the words of the documentation, from the best five cards.
fn made_twin(combo: Combo, board: &Board) -> MadeHand {
    let (strength, fives) = best_fives(combo.cards() | board.set());
    let times = |cards: CardSet, rank: Rank| cards.iter().filter(|card| card.rank() == rank).count();
    let private: Vec<Rank> = combo.cards().iter().map(Card::rank).collect();
    let (low, high) = (private[0].min(private[1]), private[0].max(private[1]));
    if fives.contains(&board.set()) && strength.category() >= Category::TwoPair {
        return MadeHand::PlaysTheBoard;
    }
    // Ranks that the best five have several times, and more often than the board has them.
    let five = fives[0];
    let mut added: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    added.retain(|&rank| times(five, rank) > times(board.set(), rank).max(1));
    let mut ranks: Vec<Rank> = board.cards().iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.reverse();
    let num_above = |rank: Rank| ranks.iter().filter(|other| **other > rank).count();
    match (strength.category(), &added[..]) {
        (Category::StraightFlush, _) => MadeHand::StraightFlush,
        (Category::FullHouse, _) => MadeHand::FullHouse,
        (Category::Straight, _) => MadeHand::Straight,
        (Category::Flush, _) => {
            let suit = five.iter().next().unwrap().suit();
            let left = |card: &&Card| card.suit() == suit && !board.set().contains(**card);
            let nut = *Card::ALL.iter().rev().find(left).unwrap();
            match combo.cards().iter().filter(|card| card.suit() == suit).count() {
                _ if combo.cards().contains(nut) => MadeHand::NutFlush,
                1 => MadeHand::OneCardFlush,
                2 => MadeHand::TwoCardFlush,
                _ => panic!("{combo} has no flush on {board}"),
            }
        }
        (Category::Quads, [_]) => MadeHand::Quads,
        (Category::Trips, [rank]) if times(board.set(), *rank) == 1 => MadeHand::Set,
        (Category::Trips, [_]) => MadeHand::Trips,
        (Category::TwoPair, [a, b]) if [*a, *b] == ranks[..2] => MadeHand::TopTwoPair,
        (Category::TwoPair, [_, _]) => MadeHand::LowerTwoPair,
        (Category::TwoPair | Category::Pair, [rank]) if low == high => match num_above(*rank) {
            0 => MadeHand::Overpair,
            n if n == ranks.len() => MadeHand::Underpair,
            1 => MadeHand::PocketPairBelowTop,
            2 => MadeHand::PocketPairBelowSecond,
            _ => MadeHand::LowPair,
        },
        (Category::TwoPair | Category::Pair, [rank]) => match num_above(*rank) {
            0 => {
                let kicker = if *rank == low { high } else { low };
                let mut kickers: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
                kickers.retain(|rank| !ranks.contains(rank));
                match kickers.iter().position(|other| *other == kicker) {
                    Some(0) => MadeHand::TopPairTopKicker,
                    Some(1 | 2) => MadeHand::TopPairGoodKicker,
                    _ => MadeHand::TopPairWeakKicker,
                }
            }
            1 => MadeHand::SecondPair,
            2 => MadeHand::ThirdPair,
            _ => MadeHand::LowPair,
        },
        (_, []) if high == Rank::ACE => MadeHand::AceHigh,
        (_, []) if high == Rank::KING => MadeHand::KingHigh,
        (_, []) if low > ranks[0] => MadeHand::LowOvercards,
        (_, []) => MadeHand::Nothing,
        (category, added) => panic!("{combo} on {board}: {category} with {added:?}"),
    }
}

#[test]
fn made_hands_agree_with_a_twin_that_looks_at_the_best_five() {
    for board in sample_boards([1, 60, 600]) {
        for (combo, kind) in HandKinds::new(&board).unwrap().iter() {
            assert_eq!(kind.made, made_twin(combo, &board), "{combo} on {board}");
        }
    }
}

/// The highest rank of a straight among these ranks, the ace counted as 1 and as 14.
fn best_straight(cards: impl Iterator<Item = Card> + Clone) -> Option<u8> {
    let has =
        |number: u8| cards.clone().any(|card| card.rank().id() + 2 == if number == 1 { 14 } else { number });
    (5..=14).rev().find(|&high| (high - 4..=high).all(has))
}

/// Whether private cards make a straight better than that of the board, if these cards come.
fn makes_straight(combo: Combo, board: &Board, coming: &[Card]) -> bool {
    let public = board.cards().iter().chain(coming).copied();
    best_straight(public.clone().chain(combo.cards())) > best_straight(public)
}

/// One card of each rank that is not yet seen; in straights one is as good as another.
fn cards_to_come(seen: CardSet) -> Vec<Card> {
    let left = |rank: &Rank| Card::ALL.into_iter().find(|card| card.rank() == *rank && !seen.contains(*card));
    Rank::ALL.iter().filter_map(left).collect()
}

#[test]
fn straight_draws_agree_with_a_twin_that_deals_the_next_card() {
    for board in sample_boards([8, 140, 20_000]) {
        for (combo, kind) in HandKinds::new(&board).unwrap().iter().step_by(3) {
            let has = |draw| kind.draws.contains(draw);
            let category = Strength::of(board.set() | combo.cards()).unwrap().category();
            let open = board.street() != Street::River && category < Category::Straight;
            let cards = cards_to_come(board.set() | combo.cards());
            let outs = cards.iter().filter(|card| makes_straight(combo, &board, &[**card])).count();
            let place = || format!("{combo} on {board}: {kind}, {outs} ranks");
            assert_eq!(has(Draw::OpenEnded), open && outs >= 2, "{}", place());
            assert_eq!(has(Draw::Gutshot), open && outs == 1, "{}", place());
            assert_eq!(has(Draw::StraightDraw), open && outs >= 1, "{}", place());
            assert_eq!(has(Draw::ComboDraw), has(Draw::StraightDraw) && has(Draw::FlushDraw), "{}", place());
        }
    }
}

/// Where the next card can make no flush, nor the hand have a pair, cards that make a straight are counted.
#[test]
fn outs_are_cards_that_make_the_category_a_straight() {
    for text in ["9h8c2d", "KhQd7c", "5h4c2d", "Ah3d2c"] {
        let board = board(text);
        for (combo, kind) in HandKinds::new(&board).unwrap().iter() {
            let suited = kind.draws.contains(Draw::BackdoorFlushDraw) || kind.made > MadeHand::AceHigh;
            if suited {
                continue;
            }
            let seen = board.set() | combo.cards();
            let next = Card::ALL.into_iter().filter(|card| !seen.contains(*card));
            let is_straight =
                |card: &Card| Strength::of(seen.with(*card)).unwrap().category() == Category::Straight;
            let outs = next.filter(is_straight).count();
            let want = match outs {
                0 => None,
                4 => Some(Draw::Gutshot),
                8 => Some(Draw::OpenEnded),
                _ => panic!("{combo} has {outs} outs on {text}"),
            };
            let direct = |draw: &Draw| matches!(draw, Draw::Gutshot | Draw::OpenEnded);
            assert_eq!(kind.draws.iter().find(direct), want, "{combo} on {text}");
        }
    }
}

#[test]
fn backdoor_straight_draws_agree_with_a_twin_that_deals_two_cards() {
    for (board, _) in canonical_boards(Street::Flop).step_by(29) {
        for (combo, kind) in HandKinds::new(&board).unwrap().iter().step_by(5) {
            let category = Strength::of(board.set() | combo.cards()).unwrap().category();
            let open = category < Category::Straight && !kind.draws.contains(Draw::StraightDraw);
            let cards = cards_to_come(board.set() | combo.cards());
            let two = |turn: &Card| cards.iter().any(|river| makes_straight(combo, &board, &[*turn, *river]));
            let want = open && cards.iter().any(two);
            assert_eq!(kind.draws.contains(Draw::BackdoorStraightDraw), want, "{combo} on {board}: {kind}");
        }
    }
}

#[test]
fn flush_draws_are_as_many_as_there_are_suited_cards() {
    let unpaired = |board: &Board| own_category(board) == Category::HighCard;
    for board in sample_boards([7, 70, 20_000]).filter(unpaired) {
        let kinds = HandKinds::new(&board).unwrap();
        let count = |draw: Draw| kinds.iter().filter(|(_, kind)| kind.draws.contains(draw)).count();
        let left = 52 - board.cards().len();
        let mut want = [0; 4];
        for suit in equipoise_cards::Suit::ALL {
            let on_board = board.cards().iter().filter(|card| card.suit() == suit).count();
            let free = 13 - on_board;
            let (both, one) = (free * (free - 1) / 2, free * (left - free));
            let add = match (board.street(), on_board) {
                (Street::Flop, 1) => [0, 0, 0, both],
                (Street::Flop, 2) => [both, free - 1, 0, one],
                (Street::Turn, 2) => [both, free - 1, 0, 0],
                (Street::Flop | Street::Turn, 3) => [one, left - free, one, 0],
                _ => [0; 4],
            };
            (0..4).for_each(|i| want[i] += add[i]);
        }
        let draws = [Draw::FlushDraw, Draw::NutFlushDraw, Draw::OneCardFlushDraw, Draw::BackdoorFlushDraw];
        assert_eq!(draws.map(count), want, "{board}");
    }
}

#[test]
fn overcards_are_two_cards_above_the_board_without_a_pair() {
    for board in sample_boards([20, 300, 20_000]) {
        let top = board.cards().iter().map(|card| card.rank()).max().unwrap();
        for (combo, kind) in HandKinds::new(&board).unwrap().iter() {
            let above = combo.cards().iter().all(|card| card.rank() > top) && !combo.class().is_pair();
            let useful = board.street() != Street::River && own_category(&board) != Category::Quads;
            // Two cards above the board can also be a flush, or a straight.
            let made = kind.made.group() == MadeGroup::NoPair;
            assert_eq!(kind.draws.contains(Draw::Overcards), above && useful && made, "{combo} on {board}");
        }
    }
}
