//! Suit isomorphism against known counts, exhaustively where that ends, and against a naive twin.
//!
//! The twin is the smallest of the 24 deals that renaming the suits makes.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use equipoise_cards::{
    Board, CanonicalBoard, CanonicalDeal, Card, CardSet, Combo, Grouping, GroupsError, Indexer, Street,
    SuitPermutation, canonical_boards,
};
use proptest::prelude::*;

/// Known number of classes by grouping.
const COUNTS: [(Grouping, u64); Grouping::COUNT] = [
    (Grouping::Combo, 169),
    (Grouping::ComboFlop, 1_286_792),
    (Grouping::ComboTurn, 13_960_050),
    (Grouping::ComboRiver, 123_156_254),
    (Grouping::ComboFlopTurn, 55_190_538),
    (Grouping::ComboFlopTurnRiver, 2_428_287_420),
    (Grouping::Flop, 1_755),
    (Grouping::Turn, 16_432),
    (Grouping::River, 134_459),
    (Grouping::FlopTurn, 63_193),
    (Grouping::FlopTurnRiver, 2_554_656),
];

/// Every image of these groups under the permutations of the suits.
fn images(groups: &[CardSet]) -> impl Iterator<Item = Vec<CardSet>> {
    SuitPermutation::ALL.into_iter().map(|suits| groups.iter().map(|&set| suits.map_set(set)).collect())
}

fn naive_canonical(groups: &[CardSet]) -> Vec<CardSet> {
    images(groups).min().unwrap()
}

/// Cuts the first cards of a list into the groups of a grouping.
fn cut(grouping: Grouping, mut cards: &[Card]) -> Vec<CardSet> {
    let mut groups = Vec::new();
    for &size in grouping.sizes() {
        let (group, rest) = cards.split_at(size);
        groups.push(group.iter().copied().collect());
        cards = rest;
    }
    groups
}

/// The aces and kings, or the queens too, shuffled twice: deals from so few ranks are often isomorphic.
fn two_small_decks() -> impl Strategy<Value = (Vec<Card>, Vec<Card>)> {
    prop::sample::select(vec![40, 44]).prop_flat_map(|lowest| {
        let deck = Just(Card::ALL[lowest..].to_vec());
        (deck.clone().prop_shuffle(), deck.prop_shuffle())
    })
}

fn shuffled_deck() -> impl Strategy<Value = Vec<Card>> {
    Just(Card::ALL.to_vec()).prop_shuffle()
}

fn any_grouping() -> impl Strategy<Value = Grouping> {
    prop::sample::select(Grouping::ALL.to_vec())
}

#[test]
fn the_classes_number_as_known() {
    for (grouping, count) in COUNTS {
        assert_eq!(Indexer::of(grouping).count(), count, "{grouping}");
        assert_eq!(Indexer::of(grouping).grouping(), grouping);
    }
    let num_deals = [1326, 25_989_600, 305_377_800, 2_809_475_760, 1_221_511_200, 56_189_515_200];
    assert_eq!(Grouping::ALL.map(Grouping::num_deals)[..6], num_deals);
    let num_boards = [22_100, 270_725, 2_598_960, 22_100 * 49, 22_100 * 49 * 48];
    assert_eq!(Grouping::ALL.map(Grouping::num_deals)[6..], num_boards);
}

/// Walks all classes on two threads: each comes back from its canonical member, and the sizes add up to all deals.
fn assert_bijection(grouping: Grouping) {
    let indexer = Indexer::of(grouping);
    let walk = |first: u64, end: u64| -> u64 {
        (first..end)
            .map(|index| {
                let groups = indexer.unindex(index).unwrap();
                assert_eq!(indexer.index(&groups), Ok(index), "{groups}");
                u64::from(indexer.class_size(index).unwrap())
            })
            .sum()
    };
    let count = indexer.count();
    // In portions, so that a thread that the machine leaves waiting does not hold up the other.
    let portion = count / 256 + 1;
    let next = AtomicU64::new(0);
    let work = || -> u64 {
        let starts = std::iter::from_fn(|| Some(next.fetch_add(portion, Ordering::Relaxed)));
        starts.take_while(|&start| start < count).map(|start| walk(start, count.min(start + portion))).sum()
    };
    let num_deals = thread::scope(|scope| {
        let other = scope.spawn(work);
        work() + other.join().unwrap()
    });
    assert_eq!(num_deals, grouping.num_deals(), "{grouping}");
    assert_eq!(indexer.unindex(count), None);
    assert_eq!(indexer.class_size(count), None);
    assert_eq!(indexer.unindex(u64::MAX), None);
}

#[test]
fn every_index_up_to_the_turn_comes_back() {
    for (grouping, count) in COUNTS {
        if count < 50_000_000 {
            assert_bijection(grouping);
        }
    }
}

#[test]
fn every_river_index_comes_back() {
    assert_bijection(Grouping::ComboRiver);
}

#[test]
fn spread_indices_with_the_streets_apart_come_back() {
    for grouping in [Grouping::ComboFlopTurn, Grouping::ComboFlopTurnRiver] {
        let indexer = Indexer::of(grouping);
        let last = indexer.count() - 1;
        // A prime stride, so as not to fall in step with the digits of the numbers.
        for index in (0..indexer.count()).step_by(1_009).chain([last]) {
            let groups = indexer.unindex(index).unwrap();
            assert_eq!(indexer.index(&groups), Ok(index), "{groups}");
        }
        assert_eq!(indexer.unindex(last + 1), None);
    }
}

#[test]
fn isomorphic_boards_and_only_they_share_an_index() {
    for street in [Street::Flop, Street::Turn, Street::River] {
        let indexer = Indexer::of(Grouping::of_board(street).unwrap());
        let mut index_of_canonical = HashMap::new();
        let mut num_boards = vec![0; indexer.count() as usize];
        for_each_set(street.num_board_cards(), |set| {
            let index = indexer.index(&[set]).unwrap();
            let canonical = naive_canonical(&[set])[0];
            assert_eq!(*index_of_canonical.entry(canonical).or_insert(index), index);
            num_boards[index as usize] += 1;
        });
        assert_eq!(index_of_canonical.len(), num_boards.len());
        for (index, num_boards) in num_boards.into_iter().enumerate() {
            assert_eq!(indexer.class_size(index as u64), Some(num_boards));
        }
    }
}

/// Calls `visit` with every set of this many cards.
fn for_each_set(num_cards: usize, mut visit: impl FnMut(CardSet)) {
    let mut bits = (1u64 << num_cards) - 1;
    while let Some(set) = CardSet::from_bits(bits) {
        visit(set);
        // The next larger number with as many bits: carry the lowest run of ones, the rest of it falls down.
        let carried = bits + (bits & bits.wrapping_neg());
        bits = carried | ((bits ^ carried) >> bits.trailing_zeros()) >> 2;
    }
}

#[test]
fn canonical_flop_deals_are_as_many_as_the_classes() {
    let flops: Vec<Board> = canonical_boards(Street::Flop).map(|(board, _)| board).collect();
    let flop_ids: HashMap<Board, usize> = flops.iter().enumerate().map(|(id, &board)| (board, id)).collect();
    let indexer = Indexer::of_combo(Street::Flop);
    let mut index_of_deal = vec![None; flops.len() * Combo::COUNT];
    let mut by_board_alone = vec![false; flops.len() * Combo::COUNT];
    for_each_set(3, |set| {
        let board = Board::new(&set.iter().collect::<Vec<_>>()).unwrap();
        let canonical = CanonicalBoard::new(&board);
        let flop_id = flop_ids[&canonical.board()];
        for combo in Combo::all().filter(|combo| !combo.cards().intersects(set)) {
            let deal = CanonicalDeal::new(combo, &board).unwrap();
            assert_eq!(deal.board(), flops[flop_id]);
            let index = indexer.index_deal(combo, &board).unwrap();
            let known = index_of_deal[flop_id * Combo::COUNT + deal.combo().index()].get_or_insert(index);
            assert_eq!(*known, index);
            by_board_alone[flop_id * Combo::COUNT + canonical.map_combo(combo).index()] = true;
        }
    });
    assert_eq!(index_of_deal.iter().flatten().count(), 1_286_792);
    let indices: HashSet<u64> = index_of_deal.into_iter().flatten().collect();
    assert_eq!(indices.len(), 1_286_792);
    // The board's suits alone leave more keys: what the board's symmetries do to the combo is missing.
    assert_eq!(by_board_alone.into_iter().filter(|&seen| seen).count(), 2_063_880);
}

#[test]
fn the_index_gives_canonical_flop_deals() {
    let indexer = Indexer::of_combo(Street::Flop);
    for index in 0..indexer.count() {
        let (combo, board) = indexer.unindex_deal(index).unwrap();
        let deal = CanonicalDeal::new(combo, &board).unwrap();
        assert_eq!((deal.combo(), deal.board()), (combo, board));
        assert_eq!(Some(deal.class_size()), indexer.class_size(index));
        assert_eq!(indexer.index_deal(combo, &board), Ok(index));
    }
    assert_eq!(indexer.unindex_deal(indexer.count()), None);
}

#[test]
fn canonical_boards_walk_all_classes() {
    for (street, count, num_boards) in [
        (Street::Preflop, 1, 1),
        (Street::Flop, 1_755, 22_100),
        (Street::Turn, 16_432, 270_725),
        (Street::River, 134_459, 2_598_960),
    ] {
        let mut seen = HashSet::new();
        let mut sum = 0;
        for (board, class_size) in canonical_boards(street) {
            let canonical = CanonicalBoard::new(&board);
            assert_eq!(canonical.board(), board);
            assert_eq!(canonical.class_size(), class_size);
            assert!(board.cards().is_sorted_by(|a, b| a > b));
            assert!(seen.insert(board));
            sum += class_size;
        }
        assert_eq!((seen.len(), sum), (count, num_boards));
        assert_eq!(canonical_boards(street).len(), count);
    }
}

#[test]
fn cards_that_make_no_groups_are_refused() {
    let set = |text: &str| text.parse::<CardSet>().unwrap();
    let grouping = Grouping::ComboFlop;
    let indexer = Indexer::of(grouping);
    let cases = [
        (vec![], GroupsError::WrongNumGroups { grouping, found: 0 }),
        (vec![set("AhKh")], GroupsError::WrongNumGroups { grouping, found: 1 }),
        (vec![set("AhKh"), set("2c3c")], GroupsError::WrongSize { grouping, group: 1, found: 2 }),
        (vec![set("Ah"), set("2c3c4c5c")], GroupsError::WrongSize { grouping, group: 0, found: 1 }),
        (vec![CardSet::FULL, set("2c3c4c")], GroupsError::WrongSize { grouping, group: 0, found: 52 }),
        (vec![set("AhKh"), set("Kh3c4c")], GroupsError::SharedCard { card: "Kh".parse().unwrap() }),
    ];
    for (groups, error) in cases {
        assert_eq!(indexer.index(&groups), Err(error.clone()));
        assert_eq!(indexer.class_size_of(&groups), Err(error));
    }
    let (combo, turn): (Combo, Board) = ("AhKh".parse().unwrap(), "AhKd7c2s".parse().unwrap());
    let wrong = |grouping, num_private| Err(GroupsError::WrongDeal { grouping, num_private, num_public: 4 });
    assert_eq!(indexer.index_deal(combo, &turn), wrong(grouping, 2));
    assert_eq!(Indexer::of(Grouping::Turn).index_deal(combo, &turn), wrong(Grouping::Turn, 2));
    assert_eq!(Indexer::of(Grouping::ComboTurn).index_board(&turn), wrong(Grouping::ComboTurn, 0));
    let shared = GroupsError::SharedCard { card: "Ah".parse().unwrap() };
    assert_eq!(Indexer::of(Grouping::ComboTurn).index_deal(combo, &turn), Err(shared.clone()));
    assert_eq!(CanonicalDeal::new(combo, &turn).unwrap_err(), shared);
    assert_eq!(Indexer::of(Grouping::Turn).unindex_deal(0), None);
    assert_eq!(Indexer::of(Grouping::ComboTurn).unindex_board(0), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn all_images_share_index_and_class_size(grouping in any_grouping(), deck in shuffled_deck()) {
        let indexer = Indexer::of(grouping);
        let groups = cut(grouping, &deck);
        let index = indexer.index(&groups).unwrap();
        let mut different = HashSet::new();
        for image in images(&groups) {
            prop_assert_eq!(indexer.index(&image), Ok(index));
            different.insert(image);
        }
        prop_assert_eq!(indexer.class_size(index), Some(different.len() as u32));
        prop_assert_eq!(indexer.class_size_of(&groups), Ok(different.len() as u32));
        let representative = indexer.unindex(index).unwrap();
        prop_assert!(different.contains(&representative[..]));
    }

    #[test]
    fn deals_share_an_index_iff_isomorphic(
        grouping in any_grouping(),
        (a, b) in two_small_decks(),
    ) {
        let indexer = Indexer::of(grouping);
        let (a, b) = (cut(grouping, &a), cut(grouping, &b));
        let isomorphic = naive_canonical(&a) == naive_canonical(&b);
        prop_assert_eq!(indexer.index(&a) == indexer.index(&b), isomorphic);
    }

    #[test]
    fn canonical_deals_are_equal_iff_isomorphic(
        num_board_cards in prop::sample::select(vec![0, 3, 4, 5]),
        (a, b) in two_small_decks(),
    ) {
        let deal = |deck: &[Card]| {
            let combo = Combo::new(deck[0], deck[1]).unwrap();
            let board = Board::new(&deck[2..2 + num_board_cards]).unwrap();
            let deal = CanonicalDeal::new(combo, &board).unwrap();
            let by_street = CanonicalDeal::by_street(combo, &board).unwrap();
            let set = naive_canonical(&[combo.cards(), board.set()]);
            let (flop, later) = board.cards().split_at(num_board_cards.min(3));
            let mut groups = vec![combo.cards(), flop.iter().copied().collect()];
            groups.extend(later.iter().map(|&card| CardSet::from(card)));
            ((deal.combo(), deal.board()), set, (by_street.combo(), by_street.board()), naive_canonical(&groups))
        };
        let (a, b) = (deal(&a), deal(&b));
        prop_assert_eq!(a.0 == b.0, a.1 == b.1);
        prop_assert_eq!(a.2 == b.2, a.3 == b.3);
    }

    #[test]
    fn the_index_gives_canonical_deals(grouping in any_grouping(), deck in shuffled_deck()) {
        let indexer = Indexer::of(grouping);
        let num_private = if grouping.has_combo() { 2 } else { 0 };
        let num_cards: usize = grouping.sizes().iter().sum();
        let board = Board::new(&deck[num_private..num_cards]).unwrap();
        let apart = grouping.sizes().len() > 1 + usize::from(grouping.has_combo());
        if grouping.has_combo() {
            let combo = Combo::new(deck[0], deck[1]).unwrap();
            let canonical = if apart { CanonicalDeal::by_street } else { CanonicalDeal::new };
            let deal = canonical(combo, &board).unwrap();
            let index = indexer.index_deal(combo, &board).unwrap();
            prop_assert_eq!(indexer.unindex_deal(index), Some((deal.combo(), deal.board())));
            prop_assert_eq!(deal.suits().map_combo(combo), deal.combo());
            prop_assert_eq!(deal.suits().map_set(board.set()), deal.board().set());
            prop_assert_eq!(indexer.class_size(index), Some(deal.class_size()));
        } else {
            let canonical = if apart { CanonicalBoard::by_street } else { CanonicalBoard::new };
            let index = indexer.index_board(&board).unwrap();
            prop_assert_eq!(indexer.unindex_board(index), Some(canonical(&board).board()));
            prop_assert_eq!(indexer.class_size(index), Some(canonical(&board).class_size()));
        }
    }
}
