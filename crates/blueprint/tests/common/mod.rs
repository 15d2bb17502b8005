//! Small spots, and buckets made up for tests.

pub(crate) mod twin;

use equipoise_cards::{Board, Combo, Street, Strength};
use equipoise_game::{Chips, Rake, StreetMenus, TreeConfig};
use equipoise_postflop::Spot;

/// A spot of a few combos with bets on both streets, all-ins before the river, weights and rake.
pub(crate) fn small(board: &str) -> Spot {
    let board: Board = board.parse().unwrap();
    let mut config = TreeConfig::new(board.street(), Chips::new(100), Chips::new(260));
    let menus = StreetMenus::same("60%, a".parse().unwrap(), "a".parse().unwrap());
    (config.turn, config.river) = (menus.clone(), menus);
    config.rake = Rake { rate: 0.05, cap: Some(6.0) };
    let ranges = ["QQ,AhKh,Ts9s:0.5,7c6c,AdAc", "KK,Td9d,AhKh:0.25,8s7s,5d5c:0.75"];
    Spot::new(ranges.map(|range| range.parse().unwrap()), board, &config).unwrap()
}

/// The spot that `equipoise bench` measures, on any board of turn or river.
pub(crate) fn standard(board: &str) -> Spot {
    let board: Board = board.parse().unwrap();
    let mut config = TreeConfig::new(board.street(), Chips::new(200), Chips::new(900));
    let menus = StreetMenus::same("60%, e, a".parse().unwrap(), "2.5x".parse().unwrap());
    config.river = menus.clone();
    if board.street() == Street::Turn {
        config.river = menus.clone().with_donk("50%".parse().unwrap());
        config.turn = menus;
    }
    let ranges = [
        "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
        "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    ];
    Spot::new(ranges.map(|range| range.parse().unwrap()), board, &config).unwrap()
}

/// Few buckets: before the river the high card, on it what the hand is. Rivers share them.
pub(crate) fn coarse(combo: Combo, board: &Board) -> u32 {
    match Strength::of(combo.cards() | board.set()) {
        Some(strength) if board.street() == Street::River => strength.category() as u32,
        _ => combo.high().rank().index() as u32 / 3,
    }
}
