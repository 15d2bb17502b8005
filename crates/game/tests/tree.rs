//! Betting trees by example: donk bets, lines, all-ins, payoffs, notes and what is refused.

use equipoise_cards::Street;
use equipoise_game::{
    BetMenu, Chips, ConfigError, Line, LineError, MenuKey, MenuKind, NodeKind, Player, Preset, Rake,
    StreetMenus, Tree, TreeConfig, TreeError, TreeNote,
};

fn chips(count: u32) -> Chips {
    Chips::new(count)
}

fn menu(text: &str) -> BetMenu {
    text.parse().unwrap()
}

fn line(text: &str) -> Line {
    text.parse().unwrap()
}

fn both(bet: &str, raise: &str) -> StreetMenus {
    StreetMenus::same(menu(bet), menu(raise))
}

fn config(street: Street, pot: u32, stack: u32) -> TreeConfig {
    TreeConfig::new(street, chips(pot), chips(stack))
}

fn actions(tree: &Tree, path: &str) -> Vec<String> {
    let id = tree.find(&line(path)).unwrap_or_else(|error| panic!("{error}"));
    tree.actions(id).map(|(action, _)| action.to_string()).collect()
}

fn kind(tree: &Tree, path: &str) -> NodeKind {
    tree.node(tree.find(&line(path)).unwrap()).kind()
}

#[test]
fn donk_sizes_replace_bets_only_after_calling_a_bet() {
    let mut config = config(Street::Flop, 100, 1000);
    config.flop = both("50%", "3x");
    config.turn = both("50%", "3x").with_donk(menu("20%"));
    config.river = both("50%", "3x").with_donk(menu(""));
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, "check bet:50 call |"), ["check", "bet:40"]);
    assert_eq!(actions(&tree, "bet:50 raise:150 call |"), ["check", "bet:80"], "IP's raise is IP's last bet");
    assert_eq!(actions(&tree, "bet:50 call |"), ["check", "bet:100"], "IP called");
    assert_eq!(actions(&tree, "check bet:50 raise:150 call |"), ["check", "bet:200"], "IP called the raise");
    assert_eq!(actions(&tree, "check check |"), ["check", "bet:50"]);
    assert_eq!(actions(&tree, "check bet:50 call | check"), ["check", "bet:100"], "IP never donks");
    assert_eq!(
        actions(&tree, "check bet:50 call | check check |"),
        ["check", "bet:100"],
        "nobody bet the turn"
    );
    assert_eq!(actions(&tree, "check check | check bet:50 call |"), ["check"], "an empty donk menu: no bet");
    // Absent, the ordinary sizes hold.
    config.turn.donk = None;
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, "check bet:50 call |"), ["check", "bet:100"]);
}

#[test]
fn there_is_no_donk_where_play_begins() {
    let mut config = config(Street::Turn, 100, 1000);
    config.turn = both("50%", "").with_donk(menu("20%"));
    config.river = both("50%", "");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check", "bet:50"]);
    let key = MenuKey { street: Street::Turn, player: Player::Oop, kind: MenuKind::Donk };
    assert_eq!(tree.notes(), [TreeNote::UnusedMenu { key }]);
}

#[test]
fn all_in_and_call_ends_the_betting() {
    let mut config = config(Street::Turn, 100, 100);
    config.turn = both("a", "a");
    config.river = both("a", "a");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, "allin"), ["fold", "call"]);
    assert_eq!(kind(&tree, "allin call"), NodeKind::Runout);
    assert_eq!(kind(&tree, "allin fold"), NodeKind::Fold(Player::Ip));
    assert_eq!(kind(&tree, "check check"), NodeKind::Chance);
    assert_eq!(kind(&tree, "check check | check allin call"), NodeKind::Showdown);
    assert_eq!(kind(&tree, "check check | check allin fold"), NodeKind::Fold(Player::Oop));
}

#[test]
fn no_chips_behind_is_a_runout() {
    for (street, want) in [(Street::Flop, NodeKind::Runout), (Street::River, NodeKind::Showdown)] {
        let mut config = config(street, 100, 0);
        Preset::Standard.apply(&mut config);
        config.rake = Rake { rate: 0.1, cap: None };
        let tree = Tree::build(&config).unwrap();
        assert_eq!((tree.nodes().len(), kind(&tree, "")), (1, want));
        assert_eq!(tree.terminal(tree.root()).unwrap().win(Player::Oop), 90.0);
        assert_eq!(tree.notes(), [TreeNote::NoDecisions]);
    }
}

#[test]
fn raises_grow_until_all_in() {
    let mut config = config(Street::River, 100, 1000);
    config.river = both("75%", "50%");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, "bet:75"), ["fold", "call", "raise:200"]);
    // Pot after the call 500: 200 + 250; M = 1000 is above 200 + 750.
    assert_eq!(actions(&tree, "bet:75 raise:200"), ["fold", "call", "raise:450"]);
    // Pot after the call 1000: 950 would leave 50, which is within 0.15 of 2000.
    assert_eq!(actions(&tree, "bet:75 raise:200 raise:450"), ["fold", "call", "allin"]);
    assert_eq!(actions(&tree, "bet:75 raise:200 raise:450 allin"), ["fold", "call"]);
}

#[test]
fn fixed_limit_is_bets_of_chips_with_a_cap() {
    let mut config = config(Street::River, 100, 1000);
    config.river = both("20c", "20c3r");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check", "bet:20"]);
    assert_eq!(actions(&tree, "bet:20 raise:40 raise:60"), ["fold", "call", "raise:80"]);
    assert_eq!(actions(&tree, "bet:20 raise:40 raise:60 raise:80"), ["fold", "call"]);
}

#[test]
fn geometric_bets_are_all_in_on_the_river() {
    let mut config = config(Street::Flop, 100, 1000);
    config.flop = both("e", "");
    config.turn = both("e", "");
    config.river = both("e", "");
    let tree = Tree::build(&config).unwrap();
    // (21^(1/3) − 1)/2 of each pot: 88 of 100, 243 of 276, then everything.
    assert_eq!(actions(&tree, ""), ["check", "bet:88"]);
    assert_eq!(actions(&tree, "bet:88 call |"), ["check", "bet:243"]);
    assert_eq!(actions(&tree, "bet:88 call | bet:243 call |"), ["check", "allin"]);
}

#[test]
fn an_uncalled_bet_is_returned_and_not_raked() {
    let mut config = config(Street::River, 200, 900);
    config.river = both("60%, a", "2.5x");
    config.rake = Rake { rate: 0.05, cap: Some(12.0) };
    let tree = Tree::build(&config).unwrap();
    let end = |path: &str| tree.terminal(tree.find(&line(path)).unwrap()).unwrap();
    // A bet of everything that folds the other out wins the 200 that were there.
    let fold = end("allin fold");
    assert_eq!((fold.pot(), fold.rake(), fold.folded()), (chips(200), 10.0, Some(Player::Ip)));
    assert_eq!((fold.win(Player::Oop), fold.lose(Player::Ip)), (190.0, 0.0));
    // A raise to 300 over 120: 120 each are in the pot.
    let fold = end("bet:120 raise:300 fold");
    assert_eq!((fold.pot(), fold.invested(), fold.rake()), (chips(440), chips(120), 12.0));
    assert_eq!((fold.win(Player::Oop), fold.lose(Player::Ip)), (440.0 - 12.0 - 120.0, -120.0));
    let showdown = end("bet:120 call");
    assert_eq!(
        (showdown.win(Player::Oop), showdown.tie(Player::Ip), showdown.lose(Player::Oop)),
        (308.0, 94.0, -120.0)
    );
    assert_eq!(tree.terminal(tree.root()), None);
}

#[test]
fn a_street_without_sizes_is_checked_through() {
    let mut config = config(Street::Turn, 100, 100);
    config.river = both("50%", "");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check"], "not even the all-in of the threshold");
    assert_eq!(actions(&tree, "check check |"), ["check", "bet:50", "allin"]);
    assert_eq!(actions(&tree, "check check | bet:50"), ["fold", "call"]);
    assert_eq!(tree.notes(), [TreeNote::CheckOnly { street: Street::Turn }]);
    assert!(tree.notes()[0].to_string().contains("the turn has no bet sizes"));
}

#[test]
fn a_street_without_sizes_has_the_all_in_of_the_threshold_if_that_is_wanted() {
    let mut config = config(Street::Turn, 100, 120);
    config.thresholds.add_allin_without_sizes = true;
    config.river = both("50%", "");
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check", "allin"]);
    assert_eq!(actions(&tree, "check"), ["check", "allin"]);
    assert_eq!(actions(&tree, "check check | bet:50"), ["fold", "call", "allin"]);
    assert_eq!(tree.notes(), []);
    // Too deep for it: nothing but checks.
    config.effective_stack = chips(151);
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check"]);
    assert_eq!(tree.notes(), [TreeNote::CheckOnly { street: Street::Turn }]);
}

#[test]
fn lines_give_bets_to_a_street_without_sizes() {
    let mut config = config(Street::River, 100, 100);
    config.add_lines = vec![line("bet:50")];
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check", "bet:50"]);
    assert_eq!(tree.notes(), []);
}

#[test]
fn sizes_that_collapse_are_named() {
    let mut config = config(Street::River, 200, 900);
    config.river = both("60%, 120c, 55%, a", "2.5x");
    config.flop = both("60%", "");
    let tree = Tree::build(&config).unwrap();
    let notes: Vec<String> = tree.notes().iter().map(ToString::to_string).collect();
    let collapsed = |player: &str| {
        [
            format!(
                "river {player}_bet: '120c' is never an action of its own: it comes to 120, as another size does"
            ),
            format!(
                "river {player}_bet: '55%' is never an action of its own: it comes to 110, too near to 120"
            ),
        ]
    };
    let mut want = vec![
        "the sizes of flop oop_bet are never used".to_owned(),
        "the sizes of flop ip_bet are never used".to_owned(),
    ];
    want.extend(collapsed("oop"));
    want.extend(collapsed("ip"));
    assert_eq!(notes, want);
}

#[test]
fn lines_are_added_as_written() {
    let mut config = config(Street::Turn, 200, 900);
    Preset::Standard.apply(&mut config);
    config.add_lines =
        vec![line("check bet:118 raise:250"), line("check check | bet:50 call"), line("bet:120 allin")];
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, "check"), ["check", "bet:118", "bet:120", "bet:216", "allin"]);
    assert_eq!(actions(&tree, "check bet:118"), ["fold", "call", "raise:250", "raise:295"]);
    assert_eq!(
        actions(&tree, "check bet:118 raise:250 call |"),
        ["check", "allin"],
        "420 of 650 is nearly all"
    );
    assert_eq!(actions(&tree, "check check |"), ["check", "bet:50", "bet:120", "allin"]);
    assert_eq!(actions(&tree, "bet:120"), ["fold", "call", "raise:300", "allin"]);
    assert_eq!(
        actions(&tree, "check bet:120"),
        ["fold", "call", "raise:300"],
        "other lines are as they were"
    );
}

#[test]
fn lines_are_removed_with_what_follows() {
    let mut config = config(Street::Turn, 200, 900);
    Preset::Standard.apply(&mut config);
    config.remove_lines = vec![line("bet:900"), line("check bet:216"), line("check check | check")];
    let tree = Tree::build(&config).unwrap();
    assert_eq!(actions(&tree, ""), ["check", "bet:120", "bet:216"]);
    assert_eq!(actions(&tree, "check"), ["check", "bet:120", "allin"]);
    assert_eq!(actions(&tree, "check check |"), ["bet:120", "allin"]);
}

#[test]
fn lines_that_do_not_fit_say_why() {
    let error = |add: &[&str], remove: &[&str]| {
        let mut config = config(Street::Turn, 200, 900);
        config.turn = both("60%", "2.5x");
        config.add_lines = add.iter().map(|text| line(text)).collect();
        config.remove_lines = remove.iter().map(|text| line(text)).collect();
        match Tree::build(&config).unwrap_err() {
            TreeError::Line(error) => error,
            other => panic!("{other}"),
        }
    };
    assert!(matches!(error(&["call"], &[]), LineError::NotPossible { .. }));
    assert!(matches!(error(&["raise:300"], &[]), LineError::NotPossible { .. }));
    assert!(matches!(error(&["check bet:120 bet:300"], &[]), LineError::NotPossible { .. }));
    assert!(matches!(error(&["allin allin"], &[]), LineError::NotPossible { .. }));
    assert!(matches!(error(&["bet:120 raise:239"], &[]), LineError::IllegalAmount { .. }));
    assert!(matches!(error(&["bet:901"], &[]), LineError::IllegalAmount { .. }));
    assert!(matches!(error(&["bet:0"], &[]), LineError::IllegalAmount { .. }));
    assert!(matches!(error(&["check check bet:5"], &[]), LineError::StreetOver { .. }));
    assert!(matches!(error(&["check | check"], &[]), LineError::StreetGoesOn { .. }));
    assert!(matches!(error(&["allin call | bet:5"], &[]), LineError::HandOver { .. }));
    assert!(matches!(error(&["check check | check check | bet:5"], &[]), LineError::HandOver { .. }));
    assert!(matches!(error(&[], &["bet:77"]), LineError::NotPossible { .. }));
    assert!(matches!(error(&[], &[""]), LineError::NoAction { .. }));
    assert!(matches!(error(&["check check |"], &[]), LineError::NoAction { .. }));
    assert!(matches!(error(&[], &["check check | check"]), LineError::OnlyAction { .. }));
    assert!(matches!(error(&["check bet:77"], &["check"]), LineError::Removed { .. }));
    assert!(matches!(error(&["bet:77"], &["bet:77"]), LineError::Removed { .. }));
    assert_eq!(
        error(&[], &["check bet:77"]).to_string(),
        "the line 'check bet:77': 'bet:77' is not possible there; possible: check, bet:120"
    );
}

#[test]
fn paths_that_leave_the_tree_say_what_is_possible() {
    let mut config = config(Street::Turn, 200, 900);
    Preset::Simple.apply(&mut config);
    let tree = Tree::build(&config).unwrap();
    let error = |path: &str| tree.find(&line(path)).unwrap_err().to_string();
    assert!(error("bet:7").ends_with("possible: check, bet:120"));
    assert!(error("check | check").contains("before the street is over"));
    assert!(error("check check check").contains("write '|' there"));
    assert!(error("bet:120 fold |").contains("after the hand is over"));
}

#[test]
fn a_thousand_million_chips_work_and_more_are_refused() {
    let mut config = config(Street::Flop, 1_000_000_000, 1_000_000_000);
    Preset::Wide.apply(&mut config);
    let tree = Tree::build(&config).unwrap();
    let deepest = tree.node_ids().map(|id| tree.pot(id)).max();
    assert_eq!(deepest, Some(chips(3_000_000_000)));
    config.effective_stack = chips(1_000_000_001);
    assert!(matches!(Tree::build(&config), Err(TreeError::Config(ConfigError::TooManyChips { .. }))));
}

#[test]
fn endless_raises_end_at_the_limit() {
    let mut config = config(Street::Flop, 1, 1_000_000_000);
    config.flop = both("1c", "1c");
    config.river = both("1c", "1c");
    match Tree::build(&config).unwrap_err() {
        TreeError::TooManyNodes { limit, nodes, street, .. } => {
            assert_eq!((limit, street), (TreeConfig::DEFAULT_MAX_NODES, Street::River));
            assert!(nodes > limit as u64);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn deep_lines_need_no_stack_of_their_own() {
    let mut config = config(Street::River, 1, 300_000);
    config.river = both("1c", "1c");
    let tree = Tree::build(&config).unwrap();
    assert!(tree.stats().total_decisions(Player::Oop, |_| 1) > 100_000);
    let deepest = tree.node_ids().max_by_key(|&id| tree.pot(id)).unwrap();
    assert_eq!(tree.find(&tree.line_to(deepest)), Ok(deepest));
}
