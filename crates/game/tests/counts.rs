//! The trees of four spots against the counts that another solver gives for them: the proof that the
//! conventions of bet sizes are the same.
//!
//! That solver counts a street's nodes once per board, boards up to suit isomorphism. Ranges in these spots
//! treat all suits alike, so a permutation of suits is a symmetry of a street if it maps the flop onto itself
//! and every later card onto itself.

use equipoise_cards::{Board, Card, Street, Suit};
use equipoise_game::{Chips, Player, Preset, StreetMenus, Tree, TreeConfig, TreeCount, TreeError, TreeStats};

fn tree(street: Street, pot: u32, stack: u32, preset: Preset) -> Tree {
    let mut config = TreeConfig::new(street, Chips::new(pot), Chips::new(stack));
    preset.apply(&mut config);
    Tree::build(&config).unwrap()
}

fn root_actions(tree: &Tree) -> Vec<String> {
    tree.actions(tree.root()).map(|(action, _)| action.to_string()).collect()
}

/// Every permutation of the four suits.
fn permutations() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for code in 0..256_usize {
        let images = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        let mut seen = [false; 4];
        images.iter().for_each(|&image| seen[image] = true);
        if seen == [true; 4] {
            all.push(images);
        }
    }
    all
}

fn image(card: Card, permutation: &[usize; 4]) -> Card {
    Card::new(card.rank(), Suit::ALL[permutation[card.suit().id() as usize]])
}

/// The permutations that keep the starting cards as a set and every later card.
fn symmetries(board: &Board, num_starting: usize) -> Vec<[usize; 4]> {
    let (start, later) = board.cards().split_at(num_starting);
    let keeps = |permutation: &[usize; 4]| {
        start.iter().all(|&card| start.contains(&image(card, permutation)))
            && later.iter().all(|&card| image(card, permutation) == card)
    };
    permutations().into_iter().filter(keeps).collect()
}

/// The boards one card on, one of each class.
fn deal(board: &Board, num_starting: usize) -> Vec<Board> {
    let symmetries = symmetries(board, num_starting);
    let is_first = |card: Card| symmetries.iter().all(|permutation| card <= image(card, permutation));
    Card::ALL.into_iter().filter(|&card| is_first(card)).filter_map(|card| board.deal(card)).collect()
}

/// How many boards up to isomorphism each street has when play begins on this one.
fn num_boards(start: &str) -> impl Fn(Street) -> u64 + Copy {
    let start: Board = start.parse().unwrap();
    let num_starting = start.cards().len();
    let mut counts = [0_u64; 4];
    let mut boards = vec![start];
    while let Some(board) = boards.first() {
        counts[board.street() as usize] = boards.len() as u64;
        boards = boards.iter().flat_map(|board| deal(board, num_starting)).collect();
    }
    move |street| counts[street as usize]
}

/// Decisions of both players, terminals, and action × combo entries where each board keeps all starting
/// combos.
fn counts(stats: &TreeStats, boards: impl Fn(Street) -> u64 + Copy, combos: [u64; 2]) -> [u64; 4] {
    let [oop, ip] = Player::ALL.map(|player| stats.total_decisions(player, boards));
    let entries = stats.total_entries(|street, player| boards(street) * combos[player.index()]);
    [oop, ip, stats.total_terminals(boards), entries]
}

#[test]
fn river_std() {
    let tree = tree(Street::River, 200, 900, Preset::Standard);
    assert_eq!(root_actions(&tree), ["check", "bet:120", "allin"]);
    assert_eq!(counts(&tree.stats(), num_boards("Td9d6hQc2h"), [167, 246]), [5, 5, 17, 5_369]);
}

#[test]
fn turn_std() {
    let tree = tree(Street::Turn, 200, 900, Preset::Standard);
    assert_eq!(root_actions(&tree), ["check", "bet:120", "bet:216", "allin"]);
    let boards = num_boards("Td9d6hQc");
    assert_eq!(boards(Street::River), 48);
    assert_eq!(counts(&tree.stats(), boards, [167, 250]), [1_401, 1_353, 4_576, 1_359_513]);
}

#[test]
fn flop_std() {
    let tree = tree(Street::Flop, 200, 900, Preset::Standard);
    assert_eq!(root_actions(&tree), ["check", "bet:120", "allin"]);
    let boards = num_boards("Td9d6h");
    assert_eq!((boards(Street::Turn), boards(Street::River)), (36, 23 * 35 + 13 * 48));
    assert_eq!(counts(&tree.stats(), boards, [180, 265]), [82_358, 80_929, 274_387, 82_064_240]);
}

#[test]
fn flop_wide() {
    let tree = tree(Street::Flop, 100, 1000, Preset::Wide);
    let boards = num_boards("Qs7h2d");
    assert_eq!((boards(Street::Turn), boards(Street::River)), (49, 49 * 48));
    assert_eq!(counts(&tree.stats(), boards, [529, 542]), [779_355, 779_355, 2_806_346, 2_185_308_027]);
}

/// Ten sizes in every field of three streets, as deep as this.
fn ten_sizes(pot: u32, stack: u32) -> TreeConfig {
    let mut config = TreeConfig::new(Street::Flop, Chips::new(pot), Chips::new(stack));
    let shares = "10%, 20%, 33%, 50%, 66%, 75%, 100%, 125%, 150%, 200%";
    let menus = StreetMenus::same(shares.parse().unwrap(), shares.parse().unwrap());
    (config.flop, config.turn, config.river) = (menus.clone(), menus.clone(), menus);
    config.thresholds.merging = 0.0;
    config
}

/// Far beyond what can be built, or built only with a hundred megabytes: what is walked is a small part of it.
#[test]
fn large_trees_are_counted_without_building_them() {
    let count = TreeCount::of(&ten_sizes(200, 900), &|| false).unwrap();
    let tree = Tree::build(&ten_sizes(200, 900)).unwrap();
    assert_eq!((count.num_nodes(), *count.stats()), (tree.nodes().len() as u64, tree.stats()));
    assert!(count.num_nodes() > 1_000_000 && count.work() < count.num_nodes() / 5, "{}", count.work());
    for (pot, stack) in [(55, 975), (600, 10_000), (5_500, 97_500)] {
        let config = ten_sizes(pot, stack);
        let TreeError::TooManyNodes { nodes, limit, .. } = TreeCount::of(&config, &|| false).unwrap_err()
        else {
            panic!("{pot} {stack}");
        };
        assert!(nodes > limit as u64);
    }
}

#[test]
fn counting_and_building_end_when_nobody_wants_them() {
    let asked = std::cell::Cell::new(0);
    let until = |most: u32| {
        asked.set(0);
        let asked = &asked;
        move || {
            asked.set(asked.get() + 1);
            asked.get() == most
        }
    };
    let mut config = ten_sizes(5_500, 97_500);
    config.max_nodes = usize::MAX;
    assert_eq!(TreeCount::of(&config, &until(3)), Err(TreeError::Cancelled));
    assert_eq!(asked.get(), 3);
    let config = ten_sizes(200, 900);
    assert!(TreeCount::of(&config, &until(u32::MAX)).is_ok());
    let counting = asked.get();
    assert!(counting > 3);
    // Counted, and given up while it is built.
    let built = Tree::build_unless(&config, &until(counting + 3));
    assert_eq!(built.unwrap_err(), TreeError::Cancelled);
    assert_eq!(asked.get(), counting + 3);
}
