//! What must hold at every node of every tree, for any configuration.

use equipoise_cards::Street;
use equipoise_game::{
    Action, BetMenu, Chips, Node, NodeId, NodeKind, Player, Rake, StreetMenus, Thresholds, Tree, TreeConfig,
    TreeCount, TreeError,
};
use proptest::prelude::*;

/// Chips on the table, in the stacks and in the starting pot never change in sum.
fn check_chips(tree: &Tree, id: NodeId) {
    let total = |pot: Chips, stacks: [Chips; 2]| {
        u64::from(pot.count()) + u64::from(stacks[0].count()) + u64::from(stacks[1].count())
    };
    let (pot, stack) = (tree.config().starting_pot, tree.config().effective_stack);
    let now = Player::ALL.map(|player| tree.stack(id, player));
    assert_eq!(total(tree.pot(id), now), total(pot, [stack; 2]));
}

fn check_decision(tree: &Tree, id: NodeId, player: Player) {
    let node = tree.node(id);
    let actions: Vec<(Action, NodeId)> = tree.actions(id).collect();
    assert!(!actions.is_empty());
    assert_eq!(actions.len(), node.num_children());
    assert!(actions.is_sorted_by(|a, b| a.0 < b.0 && b.1.index() == a.1.index() + 1));
    let own = node.street_total(player);
    let to_beat = node.street_total(player.opponent());
    let all_in = own + tree.stack(id, player);
    assert!(own <= to_beat && own < all_in);
    // Who acts has been raised over: the last increment is what the opponent has more.
    let min_raise = u64::from(to_beat.count()) + u64::from((to_beat - own).count().max(1));
    for (action, child) in actions {
        let after = tree.node(child);
        assert_eq!(after.parent(), Some(id));
        assert_eq!(after.street(), node.street());
        assert_eq!(after.invested(player.opponent()), node.invested(player.opponent()));
        let invested = after.street_total(player);
        match action {
            Action::Fold => {
                assert!(to_beat > own && invested == own && after.kind() == NodeKind::Fold(player));
            }
            Action::Check => assert!(to_beat == own && invested == own),
            Action::Call => assert!(to_beat > own && invested == to_beat),
            Action::Bet(total) => assert!(to_beat == Chips::ZERO && invested == total && total < all_in),
            Action::Raise(total) => assert!(to_beat > own && invested == total && total < all_in),
            Action::AllIn(total) => assert!(invested == total && total == all_in && to_beat < all_in),
        }
        if let Action::Bet(total) | Action::Raise(total) = action {
            assert!(u64::from(total.count()) >= min_raise);
        }
    }
}

fn check_end(tree: &Tree, id: NodeId) {
    let node = tree.node(id);
    assert_eq!(node.num_children(), 0);
    let end = tree.terminal(id).unwrap();
    let [oop, ip] = Player::ALL.map(|player| node.invested(player));
    let all_in = tree.config().effective_stack;
    match node.kind() {
        NodeKind::Fold(player) => {
            assert!(node.invested(player) < node.invested(player.opponent()));
            assert_eq!(end.folded(), Some(player));
        }
        NodeKind::Showdown => assert!(oop == ip && node.street() == Street::River),
        NodeKind::Runout => assert!(oop == ip && oop == all_in && node.street() < Street::River),
        other => panic!("{other:?} is no end"),
    }
    let want = tree.config().starting_pot.as_f64() - end.rake();
    let near = |sum: f64| (sum - want).abs() <= 1e-6 * end.pot().as_f64();
    assert!(near(end.win(Player::Oop) + end.lose(Player::Ip)) && near(2.0 * end.tie(Player::Oop)));
    assert!(end.rake() >= 0.0 && end.rake() <= end.pot().as_f64());
}

fn check_chance(tree: &Tree, node: &Node) {
    let [oop, ip] = Player::ALL.map(|player| node.invested(player));
    assert!(oop == ip && oop < tree.config().effective_stack && node.street() < Street::River);
    let next: Vec<&Node> = node.children().map(|child| tree.node(child)).collect();
    assert_eq!(next.len(), 1);
    assert_eq!((next[0].kind(), next[0].action()), (NodeKind::Decision(Player::Oop), None));
    assert_eq!(next[0].street().num_board_cards(), node.street().num_board_cards() + 1);
    assert!(Player::ALL.iter().all(|&player| next[0].street_total(player) == Chips::ZERO));
}

fn check_tree(tree: &Tree) {
    let mut num_parents = vec![0; tree.nodes().len()];
    for id in tree.node_ids() {
        let node = tree.node(id);
        check_chips(tree, id);
        match node.kind() {
            NodeKind::Decision(player) => check_decision(tree, id, player),
            NodeKind::Chance => check_chance(tree, node),
            _ => check_end(tree, id),
        }
        for child in node.children() {
            assert!(child > id);
            num_parents[child.index()] += 1;
        }
    }
    assert_eq!(num_parents[0], 0);
    assert!(num_parents[1..].iter().all(|&count| count == 1), "every node is reached in one way");
    for id in tree.node_ids().step_by(tree.nodes().len() / 16 + 1) {
        let line = tree.line_to(id);
        assert_eq!(tree.find(&line), Ok(id));
        assert_eq!(tree.find(&line.to_string().parse().unwrap()), Ok(id));
    }
}

/// What is counted is what is built, to the last note; and a limit that is one too low is one.
fn check_count(config: &TreeConfig, tree: &Tree) {
    let count = TreeCount::of(config, &|| false).unwrap();
    assert_eq!(count.num_nodes(), tree.nodes().len() as u64);
    assert_eq!(*count.stats(), tree.stats());
    assert_eq!(count.notes(), tree.notes());
    let invested = |id: NodeId| Player::ALL.map(|player| tree.node(id).invested(player)).into_iter().max();
    assert_eq!(Some(count.max_invested()), tree.node_ids().filter_map(invested).max());
    for (key, bets) in count.first_bets() {
        let has_bets = |id: NodeId| {
            let totals = tree.actions(id).filter_map(|(action, _)| action.total());
            tree.node(id).player() == Some(key.player) && totals.eq(bets.iter().copied())
        };
        assert!(tree.node_ids().any(|id| tree.node(id).street() == key.street && has_bets(id)));
    }
    assert_eq!(TreeCount::with_work(config, count.work(), &|| false), Ok(count));
    let mut smaller = config.clone();
    smaller.max_nodes = tree.nodes().len() - 1;
    match TreeCount::of(&smaller, &|| false).unwrap_err() {
        TreeError::TooManyNodes { nodes, limit, .. } => {
            assert!(nodes > limit as u64 && nodes <= tree.nodes().len() as u64);
        }
        other => panic!("{other}"),
    }
}

fn any_menu(is_raise: bool) -> impl Strategy<Value = BetMenu> {
    let share = (1_u32..400).prop_map(|percent| format!("{percent}%"));
    let chips = prop_oneof![1_u32..50, 1_u32..=1_000_000_000].prop_map(|count| format!("{count}c"));
    let geometric = prop_oneof![Just("e"), Just("2e"), Just("3e200%"), Just("e50%")].prop_map(str::to_owned);
    let raise = prop_oneof![
        (11_u32..60).prop_map(|tenths| format!("{}x", f64::from(tenths) / 10.0)),
        (1_u32..50, 1_u32..5).prop_map(|(count, cap)| format!("{count}c{cap}r")),
    ];
    let size = prop_oneof![
        4 => share,
        1 => chips,
        2 => geometric,
        1 => Just("a".to_owned()),
        if is_raise { 3 } else { 0 } => raise,
    ];
    proptest::collection::vec(size, 0..4).prop_map(|sizes| sizes.join(", ").parse().unwrap())
}

prop_compose! {
    fn any_street()(
        (oop_bet, ip_bet) in (any_menu(false), any_menu(false)),
        (oop_raise, ip_raise) in (any_menu(true), any_menu(true)),
        donk in proptest::option::of(any_menu(false)),
    ) -> StreetMenus {
        let mut menus = StreetMenus { donk, ..StreetMenus::default() };
        (menus.oop.bet, menus.oop.raise) = (oop_bet, oop_raise);
        (menus.ip.bet, menus.ip.raise) = (ip_bet, ip_raise);
        menus
    }
}

fn any_chips() -> impl Strategy<Value = u32> {
    prop_oneof![0_u32..12, 1_u32..2_000, 1_u32..=1_000_000_000]
}

prop_compose! {
    fn any_config()(
        street in 1_usize..4,
        (pot, stack) in (any_chips(), any_chips()),
        (mut flop, turn, river) in (any_street(), any_street(), any_street()),
        (add_allin, force_allin, merging) in (0.0..3.0, 0.0..0.5, 0.0..0.5),
        add_allin_without_sizes: bool,
        (rate, cap) in (0.0..0.2, proptest::option::of(0.0..50.0)),
    ) -> TreeConfig {
        let mut config = TreeConfig::new(Street::ALL[street], Chips::new(pot.max(1)), Chips::new(stack));
        flop.donk = None;
        (config.flop, config.turn, config.river) = (flop, turn, river);
        config.thresholds = Thresholds { add_allin, force_allin, merging, add_allin_without_sizes };
        config.rake = Rake { rate, cap };
        config.max_nodes = 20_000;
        config
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn every_tree_is_sound(config in any_config()) {
        // Only the limit on nodes may stop a configuration like these.
        match Tree::build(&config) {
            Ok(tree) => {
                check_tree(&tree);
                check_count(&config, &tree);
            }
            Err(TreeError::TooManyNodes { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn bad_numbers_are_errors_not_panics(
        mut config in any_config(),
        (pot, stack) in (any::<u32>(), any::<u32>()),
        numbers in proptest::array::uniform5(prop_oneof![any::<f64>(), 0.0..2.0]),
        line in "((check|call|fold|allin|bet:[0-9]{1,3}|raise:[0-9]{1,4}|[|]) ){0,5}",
        is_added: bool,
    ) {
        (config.starting_pot, config.effective_stack) = (Chips::new(pot), Chips::new(stack));
        let [add_allin, force_allin, merging, rate, cap] = numbers;
        config.thresholds = Thresholds { add_allin, force_allin, merging, ..config.thresholds };
        config.rake = Rake { rate, cap: Some(cap) };
        let lines = if is_added { &mut config.add_lines } else { &mut config.remove_lines };
        lines.push(line.parse().unwrap());
        if let Ok(tree) = Tree::build(&config) {
            check_tree(&tree);
        }
    }

    #[test]
    fn added_and_removed_lines_leave_sound_trees(
        mut config in any_config(),
        picks in proptest::collection::vec((any::<prop::sample::Index>(), 1_u32..2_000), 1..4),
    ) {
        let Ok(plain) = Tree::build(&config) else { return Ok(()) };
        for (id, (pick, total)) in picks.into_iter().enumerate() {
            let at = plain.node_ids().nth(pick.index(plain.nodes().len())).unwrap_or(NodeId::ROOT);
            let mut line = plain.line_to(at);
            if id % 2 == 0 {
                config.remove_lines.push(line);
            } else {
                let [oop, ip] = Player::ALL.map(|player| plain.node(at).invested(player));
                let is_bet = oop == ip;
                let text = if is_bet { format!("bet:{total}") } else { format!("raise:{total}") };
                line.act(text.parse().unwrap());
                config.add_lines.push(line);
            }
        }
        if let Ok(tree) = Tree::build(&config) {
            check_tree(&tree);
            check_count(&config, &tree);
        }
    }
}
