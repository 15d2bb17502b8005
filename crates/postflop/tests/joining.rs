//! Isomorphic boards joined or solved apart: the same numbers to the last bit after the same iterations.
//!
//! Boards that are solved apart have tables, strengths and values of their own; only the order of their sums follows the
//! joined ones. How far isomorphic boards differ before they are made equal is asserted too, so that a symmetry that is none
//! cannot hide.

#![allow(unreachable_pub, missing_docs)]

mod common;

use common::random::{Dice, spot_on};
use equipoise_cards::Board;
use equipoise_cfr::Algorithm;
use equipoise_game::{NodeId, NodeKind};
use equipoise_postflop::{Lock, LockedStrategy, Options, Precision, Solver, Spot, Storage};

/// How far values of combos that a symmetry exchanges may differ when strategies are uniform, in pots: the rounding of sums
/// of numbers near 1 in 32 bits.
const ROUNDING: f64 = 2e-6;

/// Solves a spot in both ways and compares them every ten iterations; the greatest difference within an orbit.
fn compare(what: &str, spot: &Spot, options: &Options, iterations: u32) -> f64 {
    let mut joined = Solver::new(spot.clone(), options).unwrap();
    let mut apart = Solver::new(spot.clone(), &Options { isomorphism: false, ..options.clone() }).unwrap();
    assert_eq!(joined.check(), apart.check(), "{what}");
    let deviation = |apart: &Solver| apart.orbit_deviation().expect("the spot has suit isomorphisms");
    assert!(deviation(&apart) <= ROUNDING, "{what}: {:e}", deviation(&apart));
    assert_eq!(joined.orbit_deviation(), None);
    for iteration in (10..=iterations).step_by(10) {
        joined.iterate(10);
        apart.iterate(10);
        let (one, two) = (joined.solution_mut().evs(), apart.solution_mut().evs());
        for (one, two) in one.iter().zip(&two) {
            let difference = (one.mean - two.mean).abs() / spot.pot();
            assert!(difference == 0.0, "{what}, iteration {iteration}: {difference:e} of the pot");
            let mut evs = one.combos.iter().zip(&two.combos);
            assert!(evs.all(|(one, two)| one.ev == two.ev), "{what}, iteration {iteration}");
        }
    }
    assert_eq!(joined.check(), apart.check(), "{what}");
    deviation(&apart)
}

#[test]
fn with_the_ranges_of_the_standard_spot() {
    let standard = include_str!("../../spots/spots/turn-std.toml");
    for board in ["Td9d6hQd", "Td9d6hQh", "AsKs2s7s", "8c4c5cKd", "7c7d2s2h"] {
        let (flop, turn) = board.split_at(6);
        let text =
            standard.replace("\"Td9d6h\"", &format!("{flop:?}")).replace("\"Qc\"", &format!("{turn:?}"));
        let (spot, _) = common::spot_file::read(&text).unwrap();
        assert_eq!(spot.board().to_string(), board);
        let deviation = compare(board, &spot, &Options::default(), 200);
        println!("{board}: {deviation:e} of the pot within an orbit");
    }
}

const TURNS: [&str; 6] = ["Ts9s2h5s", "Qd9d6h3d", "8c4c5cKd", "AsKs2s7s", "JhTd9h8d", "7c7d2s2h"];
const FLOPS: [&str; 3] = ["Ts9s2h", "AsKs2s", "8d8c3s"];

/// A lock of every combo, whatever cards come, at one of the decisions.
fn lock(spot: &Spot, dice: &mut Dice) -> Lock {
    let tree = spot.tree();
    let decisions: Vec<NodeId> =
        tree.node_ids().filter(|&id| matches!(tree.node(id).kind(), NodeKind::Decision(_))).collect();
    let node = decisions[dice.below(decisions.len())];
    let actions = tree.node(node).num_children();
    let mut frequencies: Vec<f64> = (0..actions).map(|_| (1 + dice.below(5)) as f64).collect();
    let sum: f64 = frequencies.iter().sum();
    frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
    Lock::new(tree.line_to(node), LockedStrategy::Every(frequencies))
}

/// Random small spots, in 32 bits with the default algorithm, then with every other and in every storage mode.
#[test]
fn with_small_ranges() {
    let mut greatest = 0.0f64;
    let algorithms = Algorithm::all();
    let [bits32, bits16, bits8, bits4] = Precision::ALL.map(Storage::of);
    for seed in 0..60u64 {
        let at = seed as usize;
        let board: Board = match at % 15 {
            7 => FLOPS[at / 15 % FLOPS.len()],
            _ => TURNS[at % TURNS.len()],
        }
        .parse()
        .unwrap();
        let mut spot = spot_on(seed, board, true);
        let mut options = Options::default();
        if at >= 30 {
            options.algorithm = algorithms[at % algorithms.len()];
            options.storage = [bits32, bits32, bits16, bits8, bits4][at % 5];
        }
        if at % 4 == 3 {
            let locks = vec![lock(&spot, &mut Dice::new(seed))];
            spot = spot.with_locks(locks).unwrap();
        }
        let what = format!("seed {seed}, {board}, {}, {}", options.algorithm, options.storage);
        let iterations = if board.cards().len() == 3 { 50 } else { 200 };
        let deviation = compare(&what, &spot, &options, iterations);
        // With fewer bits, combos that a symmetry exchanges are rounded at random on rivers.
        if options.storage == bits32 {
            assert!(deviation <= 5.0 * ROUNDING, "{what}: {deviation:e}");
            greatest = greatest.max(deviation);
        }
    }
    println!("{greatest:e} of the pot within an orbit");
}
