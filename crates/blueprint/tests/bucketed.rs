//! The abstract solver against the exact one, against a naive twin, and against best responses to locked strategies.

mod common;

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;

use common::twin::Twin;
use common::{coarse, small, standard};
use equipoise_blueprint::bucketed::{
    BucketedError, BucketedOptions, BucketedProgress, BucketedSolver, Buckets, Chance, Lossless, Measurement,
};
use equipoise_cards::{Board, Card, Combo, Street, Strength};
use equipoise_game::{Chips, NodeId, Player, StreetMenus, TreeConfig};
use equipoise_postflop::{Lock, LockedStrategy, Solver, Spot, StopReason};

fn options(algorithm: &str) -> BucketedOptions {
    BucketedOptions { algorithm: algorithm.parse().unwrap(), ..BucketedOptions::default() }
}

fn exact(spot: Spot, algorithm: &str) -> Solver {
    let options = equipoise_postflop::Options {
        algorithm: algorithm.parse().unwrap(),
        isomorphism: false,
        ..Default::default()
    };
    Solver::new(spot, &options).unwrap()
}

/// Frequencies in whole parts of 65,535, as the exact solver reads its averages: running sums are rounded.
fn in_sixteen_bits(frequencies: &[f64]) -> Vec<f64> {
    let (mut running, mut before) = (0.0, 0.0);
    let part = |&frequency: &f64| {
        running += frequency;
        let rounded = (running * 65_535.0_f64).round_ties_even();
        (rounded - std::mem::replace(&mut before, rounded)) / 65_535.0
    };
    frequencies.iter().map(part).collect()
}

/// A lock on the lifted strategy of a decision.
fn lock(
    spot: &Spot,
    solver: &BucketedSolver<'_>,
    (node, runout): (NodeId, Vec<Card>),
    frequencies: fn(&[f64]) -> Vec<f64>,
) -> Lock {
    let lifted = solver.strategy(node, &runout).unwrap();
    let combos = lifted.into_iter().map(|lifted| (lifted.combo, frequencies(&lifted.frequencies))).collect();
    Lock::new(spot.tree().line_to(node), LockedStrategy::Combos(combos)).on(runout)
}

/// What the exact solver says that both players' lifted strategies are worth.
fn evs_of_lifted(spot: &Spot, solver: &BucketedSolver<'_>, frequencies: fn(&[f64]) -> Vec<f64>) -> [f64; 2] {
    let locks =
        decisions(spot).into_iter().map(|decision| lock(spot, solver, decision, frequencies)).collect();
    let mut exact = exact(spot.clone().with_locks(locks).unwrap(), "dcfr");
    exact.solution_mut().evs().map(|ev| ev.mean).into_array()
}

/// Test 6 of subgame solving, its second part: buckets that lose nothing give the exact solver's strategies. The exact solver evaluates its own in whole parts of
/// 65,535: after the first iteration both are compared in such parts, and the evaluators in the lifted strategies as they are. On a river with wide ranges both stay together. Elsewhere,
/// after the second iteration, the exact solver's roundings, in 32 bits, decide what combos do that the opponent cannot
/// meet; both then go their own ways to the same equilibrium. With lcfr on the small spots, after a hundred iterations
/// either solver is up to 0.43 % (river) or 0.7 % (turn) of the pot away from itself if single weights change by a
/// millionth, so it is compared later.
#[test]
fn test_6_without_loss_it_is_the_exact_solver() {
    let together = (98, 1e-3, 1e-4);
    let apart = (98, 0.3, 5e-3);
    let later = (298, 0.3, 2e-3);
    for (spot, last) in
        [(standard("Td9d6hQc2h"), together), (small("Td9d6hQc"), apart), (small("Td9d6h2cQs"), apart)]
    {
        for algorithm in ["dcfr", "cfr+", "lcfr", "pcfr+", "sapcfr+"] {
            let last = if algorithm == "lcfr" && last == apart { later } else { last };
            let mut lossless = BucketedSolver::new(&spot, &Lossless, &options(algorithm)).unwrap();
            let mut solver = exact(spot.clone(), algorithm);
            for (iterations, tolerance, of_pot) in [(1, 1e-5, 1e-5), (1, 2e-2, 5e-3), last] {
                lossless.iterate(iterations).unwrap();
                solver.iterate(iterations);
                let found = lossless.measure().unwrap();
                let expected = solver.check().pct_pot;
                let case = format!("{algorithm} on {}: {found:?} {expected}", spot.board());
                let difference = (found.exploitability_pct - expected).abs();
                assert!(difference < tolerance * expected.max(1.0), "{case}");
                let close = |found: f64, expected: f64| (found - expected).abs() < of_pot * spot.pot();
                let evs = found.evs.into_array();
                let expected = solver.solution_mut().evs().map(|ev| ev.mean).into_array();
                if solver.solution().iterations() == 1 {
                    let lifted = evs_of_lifted(&spot, &lossless, <[f64]>::to_vec);
                    let rounded = evs_of_lifted(&spot, &lossless, in_sixteen_bits);
                    for at in 0..2 {
                        assert!(close(evs[at], lifted[at]), "{case}: {lifted:?}");
                        assert!(close(rounded[at], expected[at]), "{case}: {rounded:?} {expected:?}");
                    }
                } else {
                    assert!(
                        evs.into_iter().zip(expected).all(|(found, expected)| close(found, expected)),
                        "{case}"
                    );
                }
            }
        }
    }
}

/// The equilibrium, with values that another solver has given.
#[test]
fn the_standard_river_is_solved() {
    let mut solver = BucketedSolver::new(
        &standard("Td9d6hQc2h"),
        &Lossless,
        &BucketedOptions { target_pct: 0.02, max_iterations: 3000, ..BucketedOptions::default() },
    )
    .unwrap();
    assert_eq!(solver.run(&mut ()).unwrap(), StopReason::Converged);
    let Measurement { evs, exploitability_pct, .. } = solver.measure().unwrap();
    assert!((0.0..=0.02).contains(&exploitability_pct), "{exploitability_pct}");
    assert!((evs[Player::Oop] - 92.773).abs() < 0.05 && (evs[Player::Ip] - 107.227).abs() < 0.05, "{evs:?}");
    assert_eq!(solver.num_buckets(Street::River, Player::Oop), 167);
    assert_eq!(solver.num_buckets(Street::Turn, Player::Oop), 0);
}

#[test]
fn a_naive_twin_learns_the_same() {
    let lossless = |combo: Combo, board: &Board| Lossless.of_board(board).unwrap()[combo.index()];
    type Bucketing<'a> = &'a (dyn Fn(Combo, &Board) -> u32 + Sync);
    let cases: [(&str, &str, Bucketing<'_>); 4] = [
        ("Td9d6hQc", "dcfr", &coarse),
        ("Td9d6hQc", "pcfr+", &coarse),
        ("Td9d6hQc2h", "cfr", &coarse),
        ("Td9d6hQc2h", "dcfr", &lossless),
    ];
    for (board, algorithm, buckets) in cases {
        let spot = small(board);
        let mut solver = BucketedSolver::new(&spot, &buckets, &options(algorithm)).unwrap();
        let mut twin = Twin::new(&spot, buckets, algorithm.parse().unwrap());
        (1..=6).for_each(|t| twin.iterate(t));
        solver.iterate(6).unwrap();
        let mut num_compared = 0;
        for (node, runout) in decisions(&spot) {
            let mut cards = spot.board().cards().to_vec();
            cards.extend(&runout);
            let board = Board::new(&cards).unwrap();
            for lifted in solver.strategy(node, &runout).unwrap() {
                let expected = twin.average(node, &board, lifted.combo);
                for (found, expected) in lifted.frequencies.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-9, "{algorithm} {node:?} {board} {lifted:?}");
                }
                num_compared += 1;
            }
        }
        assert!(num_compared > 30, "{num_compared}");
    }
}

/// Every decision on every board.
fn decisions(spot: &Spot) -> Vec<(NodeId, Vec<Card>)> {
    let tree = spot.tree();
    let mut found = Vec::new();
    for id in tree.node_ids().filter(|&id| tree.node(id).player().is_some()) {
        if tree.node(id).street() == spot.board().street() {
            found.push((id, Vec::new()));
        } else {
            let rivers = Card::ALL.into_iter().filter(|&card| spot.board().deal(card).is_some());
            found.extend(rivers.map(|card| (id, vec![card])));
        }
    }
    found
}

/// The exact solver's best response to a player whose every decision is locked to the lifted strategy.
#[test]
fn best_responses_are_those_to_locked_strategies() {
    for board in ["Td9d6hQc", "Td9d6hQc2h"] {
        let spot = small(board);
        let mut solver = BucketedSolver::new(&spot, &coarse, &options("dcfr")).unwrap();
        solver.iterate(20).unwrap();
        let found = solver.measure().unwrap();
        for locked in Player::ALL {
            let mut locks = Vec::new();
            for (node, runout) in decisions(&spot) {
                if spot.tree().node(node).player() == Some(locked) {
                    locks.push(lock(&spot, &solver, (node, runout), <[f64]>::to_vec));
                }
            }
            let mut exact = exact(spot.clone().with_locks(locks).unwrap(), "dcfr");
            // The locked player can gain nothing, so that all there is to gain is the other's.
            let gain = 2.0 * exact.check().chips;
            let free = locked.opponent();
            let expected = exact.solution_mut().evs()[free].mean + gain;
            let best = found.best_responses[free];
            assert!((best - expected).abs() < 1e-3, "{board} {locked}: {best} {expected}");
        }
        assert!(found.exploitability_pct > 1.0, "{found:?}");
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let run = |threads: usize| {
        let options = BucketedOptions { threads: NonZeroUsize::new(threads), ..BucketedOptions::default() };
        let mut solver = BucketedSolver::new(&standard("Td9d6hQc"), &coarse, &options).unwrap();
        solver.iterate(4).unwrap();
        solver.measure().unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn an_observer_can_stop_it_and_a_target_ends_it() {
    let spot = small("Td9d6hQc2h");
    let mut solver = BucketedSolver::new(&spot, &Lossless, &BucketedOptions::default()).unwrap();
    let mut told = 0;
    let reason = solver.run(&mut |progress: &BucketedProgress| {
        told += 1;
        assert_eq!(progress.measured.is_some(), progress.iteration == 10 || progress.iteration == 13);
        if progress.iteration < 15 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let reason = reason.unwrap();
    assert_eq!((reason, told, solver.iterations()), (StopReason::Stopped, 15, 15));
    let mut solver = BucketedSolver::new(
        &spot,
        &Lossless,
        &BucketedOptions { target_pct: 50.0, ..BucketedOptions::default() },
    )
    .unwrap();
    assert_eq!(solver.run(&mut ()).unwrap(), StopReason::Converged);
    assert_eq!(solver.iterations(), 10);
}

/// Stacks of nothing and streets without bets have values too.
#[test]
fn odd_spots_have_answers() {
    for (stack, menu) in [(0, "a"), (300, ""), (300, "a")] {
        for (street, board) in [(Street::Turn, "Qs7h2d3c"), (Street::River, "Qs7h2d3c4c")] {
            let mut config = TreeConfig::new(street, Chips::new(100), Chips::new(stack));
            for street in config.streets().collect::<Vec<_>>() {
                config.menus_mut(street).unwrap().oop.bet = menu.parse().unwrap();
            }
            let ranges = ["KhKd,QhQd".parse().unwrap(), "AhAd".parse().unwrap()];
            let spot = Spot::new(ranges, board.parse().unwrap(), &config).unwrap();
            let mut solver = BucketedSolver::new(&spot, &Lossless, &BucketedOptions::default()).unwrap();
            solver.iterate(30).unwrap();
            let found = solver.measure().unwrap();
            let mut exact = exact(spot, "dcfr");
            exact.iterate(30);
            let expected = exact.solution_mut().evs();
            assert!((found.evs.iter().sum::<f64>() - 100.0).abs() < 1e-9, "{found:?}");
            assert!(
                (found.evs[Player::Oop] - expected[Player::Oop].mean).abs() < 0.05,
                "{found:?} {}",
                expected[Player::Oop].mean
            );
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refused =
        |spot: &Spot, options: BucketedOptions| BucketedSolver::new(spot, &Lossless, &options).err().unwrap();
    let spot = small("Td9d6hQc");
    let error = refused(&spot, BucketedOptions { target_pct: f64::NAN, ..BucketedOptions::default() });
    assert!(matches!(error, BucketedError::Target { .. }), "{error}");
    let error = refused(&spot, BucketedOptions { memory_limit: Some(1000), ..BucketedOptions::default() });
    assert!(matches!(error, BucketedError::Memory { needed: 1001.., limit: 1000 }), "{error}");
    let algorithm = "dcfr(look_ahead=0.5)".parse().unwrap();
    let error = refused(&spot, BucketedOptions { algorithm, ..BucketedOptions::default() });
    assert!(matches!(error, BucketedError::LookAhead { .. }), "{error}");
    let lock = Lock::new("".parse().unwrap(), LockedStrategy::Every(vec![1.0, 0.0, 0.0]));
    let error = refused(&spot.clone().with_locks(vec![lock]).unwrap(), BucketedOptions::default());
    assert!(matches!(error, BucketedError::Locks), "{error}");
    let no_streets: &[&equipoise_abstraction::StreetBuckets] = &[];
    let error = BucketedSolver::new(&spot, &no_streets, &BucketedOptions::default()).err().unwrap();
    assert!(matches!(error, BucketedError::NoBuckets { street: Street::Turn }), "{error}");
    let solver = BucketedSolver::new(&spot, &Lossless, &BucketedOptions::default()).unwrap();
    assert!(solver.strategy(NodeId::ROOT, &["Qc".parse().unwrap()]).is_none());
    assert!(solver.strategy(NodeId::ROOT, &["2c".parse().unwrap()]).is_none());
}

/// From the flop on, without loss, the exact solver's numbers.
#[test]
fn a_flop_without_loss_is_the_exact_solver() {
    let mut config = TreeConfig::new(Street::Flop, Chips::new(100), Chips::new(150));
    for street in config.streets().collect::<Vec<_>>() {
        *config.menus_mut(street).unwrap() =
            StreetMenus::same("75%, a".parse().unwrap(), "a".parse().unwrap());
    }
    let ranges = ["AhKh,QQ,Ts9s:0.5,7c6c", "KK,Td9d,AsQs:0.25,8s7s"].map(|range| range.parse().unwrap());
    let spot = Spot::new(ranges, "Td9d6h".parse().unwrap(), &config).unwrap();
    let mut lossless = BucketedSolver::new(&spot, &Lossless, &options("dcfr")).unwrap();
    let mut solver = exact(spot.clone(), "dcfr");
    for (iterations, tolerance, of_pot) in [(1, 1e-5, 1e-5), (1, 2e-2, 5e-3), (58, 0.3, 5e-3)] {
        lossless.iterate(iterations).unwrap();
        solver.iterate(iterations);
        let (found, expected) = (lossless.measure().unwrap(), solver.check().pct_pot);
        let case = format!("{found:?} {expected}");
        assert!((found.exploitability_pct - expected).abs() < tolerance * expected.max(1.0), "{case}");
        for (found, expected) in found.evs.iter().zip(&solver.solution_mut().evs()) {
            assert!((found - expected.mean).abs() < of_pot * spot.pot(), "{case}");
        }
    }
}

/// Rivers that are drawn, a few an iteration, lead to the same equilibrium as all of them.
#[test]
fn drawn_rivers_converge_too() {
    let spot = small("Td9d6hQc");
    let chance = Chance::Sampled { boards: NonZeroU32::new(6).unwrap(), seed: 5 };
    let drawn = BucketedOptions { chance, ..options("lcfr") };
    let mut sampled = BucketedSolver::new(&spot, &Lossless, &drawn).unwrap();
    let mut full = BucketedSolver::new(&spot, &Lossless, &options("lcfr")).unwrap();
    sampled.iterate(4_000).unwrap();
    full.iterate(2_000).unwrap();
    let (sampled, full) = (sampled.measure().unwrap(), full.measure().unwrap());
    assert!(full.exploitability_pct < 0.05, "{full:?}");
    assert!(sampled.exploitability_pct < 0.5, "{sampled:?}");
    for (sampled, full) in sampled.evs.iter().zip(&full.evs) {
        assert!((sampled - full).abs() < 0.3, "{sampled} {full}");
    }
}

/// Test 6, its other parts: what the buckets say is what is played: with numbers at random strategies are much worse, with other names the same.
#[test]
fn test_6_buckets_are_read() {
    let spot = standard("Td9d6hQc");
    let strength = |combo: Combo, board: &Board| match Strength::of(combo.cards() | board.set()) {
        Some(strength) if board.street() == Street::River => u32::from(strength.get()) / 75,
        _ => combo.class().index() as u32,
    };
    let renamed = |combo: Combo, board: &Board| 7_000 - strength(combo, board);
    let random = |combo: Combo, board: &Board| {
        let cards = board.cards().iter().fold(combo.index() as u32, |hash, card| {
            hash.wrapping_mul(0x9e37_79b1).rotate_left(11) ^ u32::from(card.id())
        });
        cards.wrapping_mul(0x85eb_ca6b) >> 16 & 0x7f
    };
    let measure = |buckets: &dyn Buckets| {
        let mut solver = BucketedSolver::new(&spot, buckets, &options("dcfr")).unwrap();
        solver.iterate(60).unwrap();
        solver.measure().unwrap()
    };
    let plain = measure(&strength);
    assert_eq!(plain, measure(&renamed));
    let random = measure(&random);
    let [plain, random] = [plain, random].map(|measured| measured.exploitability_pct);
    assert!(random > 3.0 * plain, "{plain} {random}");
}
