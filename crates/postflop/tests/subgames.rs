//! Subgames of real spots.

use std::num::NonZeroUsize;

use equipoise_cards::{Combo, Range, Street};
use equipoise_game::{Chips, NodeId, Player, Preset, TreeConfig};
use equipoise_postflop::{
    NodePath, Opponent, Options, Precision, Reader, Solver, Spot, Storage, SubgameSolver, ViewDetail,
};

const OOP: &str = "66+,A8s+,KQo,T8s+,AJo+";
const IP: &str = "QQ-22,AQs-A2s,KJo+,98s,87s,QJs";

fn config(street: Street) -> TreeConfig {
    let mut config = TreeConfig::new(street, Chips::new(200), Chips::new(900));
    Preset::Simple.apply(&mut config);
    config
}

fn spot(street: Street, oop: &Range, ip: &Range) -> Spot {
    let board = if street == Street::Turn { "Td9d6hQc" } else { "Td9d6hQc2h" };
    Spot::new([oop.clone(), ip.clone()], board.parse().unwrap(), &config(street)).unwrap()
}

fn ranges() -> [Range; 2] {
    [OOP, IP].map(|range| range.parse().unwrap())
}

fn options(target_pct: f64, max_iterations: u32) -> Options {
    Options { target_pct, max_iterations, ..Options::default() }
}

fn solved(spot: Spot, options: &Options) -> Solver {
    let mut solver = Solver::new(spot, options).unwrap();
    solver.run(&mut ());
    solver
}

/// A range with weight 1 for each of its combos.
fn every(range: &Range) -> Range {
    Range::from_combos(range.iter().map(|(combo, _)| combo))
}

fn by_combo(values: &[(Combo, f64)]) -> Vec<f64> {
    let mut all = vec![0.0; Combo::COUNT];
    values.iter().for_each(|&(combo, value)| all[combo.index()] = value);
    all
}

/// Values of the opponent's best response against the hero's strategy of a subgame, in the whole river spot.
fn best_against(subgame: &SubgameSolver, spot: &Spot) -> Vec<(Combo, f64)> {
    let mut solver = Solver::new(spot.clone(), &options(0.0, 1)).unwrap();
    solver.set_strategies(&|node, runout| {
        let found = subgame.strategy(node, runout).unwrap();
        found.combos.into_iter().map(|combo| (combo.combo, combo.frequencies)).collect()
    });
    solver.root_values(subgame.hero().opponent(), true)
}

/// The first decisions of the river in a turn spot.
fn rivers(spot: &Spot) -> Vec<NodeId> {
    let tree = spot.tree();
    let begins = |id: &NodeId| {
        let node = tree.node(*id);
        node.street() == Street::River && node.action().is_none() && node.player().is_some()
    };
    tree.node_ids().filter(begins).collect()
}

/// Test 1 of the seven that `crates/cfr/tests/subgames.rs` lists: leaves with the exact values of the subtrees, two of different pots and on two cards: what is won with each combo there is
/// what the full solve says.
#[test]
fn test_1_leaves_have_the_values_of_the_full_solve() {
    let [oop, ip] = ranges();
    let options = options(0.3, 300);
    let whole = spot(Street::Turn, &oop, &ip);
    let mut solver = solved(whole.clone(), &options);
    let mut subgame = SubgameSolver::new(whole.clone(), Player::Oop, Opponent::Range, &options).unwrap();
    subgame.iterate(solver.solution().iterations());
    let leaves = rivers(&whole);
    let pots: Vec<Chips> = leaves.iter().map(|&leaf| whole.tree().pot(leaf)).collect();
    assert!(pots.iter().any(|pot| *pot != pots[0]), "{pots:?}");
    let reader = Reader::of(solver.solution_mut());
    let mut compared = 0;
    for &leaf in &leaves[..leaves.len().min(4)] {
        for card in ["2h", "Ah"] {
            let runout = [card.parse().unwrap()];
            let continuation = subgame.continuation(leaf, &runout).unwrap();
            // The same numbers from the solution's own reader.
            let path: NodePath = format!("{} {card} |", whole.tree().line_to(leaf)).parse().unwrap();
            let view = reader.view(&path, ViewDetail::default(), &mut ()).unwrap();
            let pot = whole.tree().pot(leaf).as_f64();
            let player = view.players.iter().find(|player| player.player == Player::Ip).unwrap();
            for combo in player.combos.iter().filter(|combo| combo.ev.is_some()) {
                let (value, other) =
                    (combo.ev.unwrap() * combo.matchups, continuation.values[combo.combo.index()]);
                assert!((value - other).abs() < 1e-5 * pot * combo.matchups, "{path}: {value} {other}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Without a choice of the opponent a subgame is the spot, to the last bit.
#[test]
fn an_unsafe_subgame_is_the_spot() {
    let [oop, ip] = ranges();
    let whole = spot(Street::Turn, &oop, &ip);
    let mut solver = Solver::new(whole.clone(), &options(0.0, 30)).unwrap();
    solver.iterate(30);
    let mut subgame = SubgameSolver::new(whole, Player::Ip, Opponent::Range, &options(0.0, 30)).unwrap();
    subgame.iterate(30);
    let [a, b] = [solver.solution().strategy(NodeId::ROOT, &[]), subgame.strategy(NodeId::ROOT, &[])]
        .map(Result::unwrap);
    assert_eq!(a, b);
    let (plain, checked) = (solver.check().chips, subgame.check().chips);
    assert!((plain - checked).abs() < 1e-3, "{plain} {checked}");
}

/// Test 2: at −∞ all combos follow, at +∞ none, and with equilibrium values the equilibrium is recovered.
#[test]
fn test_2_alternatives_decide_who_follows() {
    let [oop, ip] = ranges();
    let river = spot(Street::River, &oop, &every(&ip));
    let solve = |opponent| {
        let mut subgame =
            SubgameSolver::new(river.clone(), Player::Oop, opponent, &options(0.05, 2000)).unwrap();
        subgame.run(&mut ());
        subgame
    };
    let live: Vec<usize> = river.ranges()[Player::Ip].iter().map(|(combo, _)| combo.index()).collect();
    for (alternative, expected) in [(f64::NEG_INFINITY, 1.0), (f64::INFINITY, 0.0)] {
        let coming = solve(Opponent::Alternatives(vec![alternative; Combo::COUNT])).opponent_weights();
        assert!(live.iter().all(|&combo| coming[combo] == expected));
    }
    for (alternative, follows) in [(-1e6, true), (1e6, false)] {
        let coming = solve(Opponent::Alternatives(vec![alternative; Combo::COUNT])).opponent_weights();
        assert!(
            live.iter().all(|&combo| (coming[combo] > 0.99) == follows && (coming[combo] < 0.01) != follows)
        );
    }
    // With values of an equilibrium, that equilibrium is recovered.
    let mut exact = solved(river.clone(), &options(0.02, 5000));
    let values = by_combo(&exact.root_values(Player::Ip, true));
    for opponent in [Opponent::Alternatives(values.clone()), Opponent::MaxMargin(values)] {
        let mut again = solve(opponent);
        let check = again.check();
        assert!(check.pct_pot < 0.2 && check.mean_excess.unwrap() < 0.4, "{check:?}");
    }
}

/// Test 3: a strategy of few iterations, re-solved on the river: with alternatives no combo wins more than before, up to the
/// exploitability of the solve; without them combos do.
#[test]
fn test_3_resolve_gives_no_combo_more() {
    let [oop, ip] = ranges();
    let old = spot(Street::River, &oop, &ip);
    let mut crude = Solver::new(old, &options(0.0, 4)).unwrap();
    crude.iterate(4);
    let river = spot(Street::River, &oop, &every(&ip));
    let mut valued = Solver::new(river.clone(), &options(0.0, 1)).unwrap();
    valued.set_strategies(&|node, runout| {
        let found = crude.solution().strategy(node, runout).unwrap();
        found.combos.into_iter().map(|combo| (combo.combo, combo.frequencies)).collect()
    });
    let before = by_combo(&valued.root_values(Player::Ip, true));
    let matchups = oop.total_weight();
    let excess = |subgame: &SubgameSolver| {
        let after = best_against(subgame, &river);
        after.iter().map(|(combo, value)| value - before[combo.index()]).fold(f64::MIN, f64::max) / matchups
    };
    let solve = |spot: &Spot, opponent| {
        let mut subgame =
            SubgameSolver::new(spot.clone(), Player::Oop, opponent, &options(0.02, 5000)).unwrap();
        subgame.run(&mut ());
        subgame
    };
    let resolved = excess(&solve(&river, Opponent::Alternatives(before.clone())));
    let margin = excess(&solve(&river, Opponent::MaxMargin(before.clone())));
    // A range that is far from the opponent's reach.
    let wrong = spot(Street::River, &oop, &"22,33,44,55,87s".parse().unwrap());
    let unsafe_ = excess(&solve(&wrong, Opponent::Range));
    assert!(resolved < 1.0 && margin < 1.0, "chips: {resolved} {margin}");
    assert!(unsafe_ > 10.0 * resolved.max(1.0), "chips: {unsafe_} {resolved}");
}

#[test]
fn threads_change_nothing_and_every_storage_comes_near() {
    let [oop, ip] = ranges();
    let turn = spot(Street::Turn, &oop, &every(&ip));
    let mut base = Solver::new(turn.clone(), &options(0.0, 10)).unwrap();
    base.iterate(10);
    let values = by_combo(&base.root_values(Player::Ip, true));
    let solve = |storage: Storage, threads: usize, opponent: Opponent| {
        let options = Options { storage, threads: NonZeroUsize::new(threads), ..options(0.0, 60) };
        let mut subgame = SubgameSolver::new(turn.clone(), Player::Oop, opponent, &options).unwrap();
        subgame.iterate(60);
        let check = subgame.check();
        (subgame.strategy(NodeId::ROOT, &[]).unwrap(), subgame.opponent_weights(), check)
    };
    for opponent in [Opponent::Alternatives(values.clone()), Opponent::MaxMargin(values)] {
        let plain = solve(Storage::default(), 1, opponent.clone());
        assert!(plain == solve(Storage::default(), 2, opponent.clone()));
        for precision in [Precision::Bits16, Precision::Bits8] {
            let (_, _, check) = solve(Storage::of(precision), 1, opponent.clone());
            assert!((check.pct_pot - plain.2.pct_pot).abs() < 1.0, "{precision:?}: {check:?} {:?}", plain.2);
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let [oop, ip] = ranges();
    let river = || spot(Street::River, &oop, &ip);
    let new = |opponent| SubgameSolver::new(river(), Player::Oop, opponent, &Options::default());
    let error = new(Opponent::Alternatives(vec![0.0; 5])).unwrap_err();
    assert!(error.to_string().contains("every combo of the range needs a number"), "{error}");
    let error = new(Opponent::MaxMargin(vec![f64::INFINITY; Combo::COUNT])).unwrap_err();
    assert!(error.to_string().contains("is inf"), "{error}");
    let subgame = new(Opponent::Range).unwrap();
    assert!(subgame.continuation(NodeId::ROOT, &["Ah".parse().unwrap()]).is_err());
}
