//! The shared problems, whose answers another solver has given.

mod common;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use equipoise_cards::{Range, Street};
use equipoise_cfr::Algorithm;
use equipoise_game::{Chips, Preset, StreetMenus, TreeConfig};
use equipoise_postflop::{
    Options, Precision, SolveProgress, Solver, Spot, SpotError, StopReason, Storage, solve,
};

struct Answer {
    combos: [usize; 2],
    equity: [f64; 2],
    ev: [f64; 2],
    frequencies: &'static [f64],
    target_pct: f64,
    /// Of the pot.
    ev_tolerance: f64,
    frequency_tolerance: f64,
}

const RIVER: Answer = Answer {
    combos: [167, 246],
    equity: [0.516174, 0.483826],
    ev: [92.773, 107.227],
    frequencies: &[0.687, 0.313, 0.0],
    target_pct: 0.05,
    ev_tolerance: 0.0005,
    frequency_tolerance: 0.02,
};
const TURN: Answer = Answer {
    combos: [167, 250],
    equity: [0.530603, 0.469397],
    ev: [91.961, 108.039],
    frequencies: &[0.964, 0.036, 0.0, 0.0],
    ..RIVER
};
const FLOP: Answer = Answer {
    combos: [180, 265],
    equity: [0.536470, 0.463530],
    ev: [107.129, 92.871],
    frequencies: &[0.374, 0.626, 0.0],
    target_pct: 0.1,
    ev_tolerance: 0.001,
    frequency_tolerance: 0.05,
};

fn read(text: &str) -> Spot {
    common::spot_file::read(text).unwrap().0
}

fn turn() -> Spot {
    read(include_str!("../../spots/spots/turn-std.toml"))
}

fn check(spot: Spot, answer: &Answer, storage: Storage) {
    let pot = spot.pot();
    let options = Options { target_pct: answer.target_pct, storage, ..Options::default() };
    let mut solution = solve(spot, &options).unwrap();
    assert!(solution.converged());
    for (at, found) in solution.evs().iter().enumerate() {
        assert_eq!(found.combos.len(), answer.combos[at]);
        assert!((found.equity - answer.equity[at]).abs() < 1e-5, "equity {}", found.equity);
        assert!((found.mean - answer.ev[at]).abs() < answer.ev_tolerance * pot, "ev {}", found.mean);
    }
    let found = solution.root_frequencies();
    assert_eq!(found.len(), answer.frequencies.len());
    for ((action, found), expected) in found.iter().zip(answer.frequencies) {
        assert!((found - expected).abs() < answer.frequency_tolerance, "{action} {found}");
    }
}

#[test]
fn river_std() {
    check(read(include_str!("../../spots/spots/river-std.toml")), &RIVER, Storage::of(Precision::Bits32));
}

#[test]
fn turn_std() {
    check(turn(), &TURN, Storage::of(Precision::Bits32));
}

#[test]
fn turn_std_in_16_bits() {
    check(turn(), &TURN, Storage::of(Precision::Bits16));
}

#[test]
fn flop_std() {
    check(read(include_str!("../../spots/spots/flop-std.toml")), &FLOP, Storage::of(Precision::Bits32));
}

#[test]
fn flop_std_in_16_bits() {
    check(read(include_str!("../../spots/spots/flop-std.toml")), &FLOP, Storage::of(Precision::Bits16));
}

/// The same bits whatever the number of threads.
#[test]
fn threads_do_not_change_the_answer() {
    let run = |threads: usize| {
        let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
        let mut solver = Solver::new(turn(), &options).unwrap();
        solver.iterate(20);
        let exploitability = solver.check();
        let evs = solver.solution_mut().evs();
        (exploitability, evs)
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn isomorphism_changes_nothing_but_rounding() {
    let run = |isomorphism: bool| {
        let options = Options { isomorphism, target_pct: 0.1, ..Options::default() };
        // Clubs and spades are alike on this board.
        let spot = read(&include_str!("../../spots/spots/turn-std.toml").replace("\"Qc\"", "\"Qd\""));
        let mut solution = solve(spot, &options).unwrap();
        (solution.memory_bytes(), solution.evs(), solution.exploitability().unwrap())
    };
    let (with, without) = (run(true), run(false));
    assert!(with.0 < without.0, "fewer boards take less memory");
    for (with, without) in with.1.iter().zip(&without.1) {
        assert!((with.equity - without.equity).abs() < 1e-12);
        assert!((with.mean - without.mean).abs() < 0.1);
    }
    assert!(with.2.pct_pot <= 0.1 && without.2.pct_pot <= 0.1);
}

#[test]
fn every_algorithm_reaches_half_a_percent() {
    for algorithm in Algorithm::all() {
        let options = Options { algorithm, target_pct: 0.5, max_iterations: 3000, ..Options::default() };
        let mut solver = Solver::new(turn(), &options).unwrap();
        assert_eq!(solver.run(&mut ()), StopReason::Converged, "{algorithm}");
    }
}

#[test]
fn memory_is_known_before() {
    for storage in Precision::ALL.map(Storage::of) {
        let options = Options { storage, threads: NonZeroUsize::new(2), ..Options::default() };
        let needed = Solver::memory(&turn(), &options).total() as f64;
        let taken = Solver::new(turn(), &options).unwrap().solution().memory_bytes() as f64;
        assert!((needed / taken - 1.0).abs() < 0.15, "{needed} {taken}");
        let options = Options { memory_limit: Some(1 << 20), ..options };
        assert!(Solver::new(turn(), &options).unwrap_err().to_string().contains("16-bit"));
    }
}

/// A run that misses its target ends with its best check; one that was stopped on the way continues as if it had not been.
#[test]
fn the_best_strategy_can_be_kept() {
    let options = Options {
        target_pct: 0.0,
        max_iterations: 60,
        keep_best: true,
        algorithm: "cfr".parse().unwrap(),
        ..Options::default()
    };
    let spot = || read(include_str!("../../spots/spots/river-std.toml"));
    let run = |solver: &mut Solver, last: u32| {
        let mut best = f64::INFINITY;
        let reason = solver.run(&mut |progress: &SolveProgress| {
            best = progress.exploitability.map_or(best, |found| best.min(found.chips));
            if progress.iteration >= last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (reason, best)
    };
    let mut solver = Solver::new(spot(), &options).unwrap();
    let (reason, best) = run(&mut solver, u32::MAX);
    assert_eq!(reason, StopReason::MaxIterations);
    assert_eq!(solver.solution().exploitability().unwrap().chips, best);
    assert!((solver.check().chips - best).abs() < 1e-9);

    let mut stopped = Solver::new(spot(), &options).unwrap();
    let (reason, before) = run(&mut stopped, 30);
    assert_eq!(reason, StopReason::Stopped);
    let (reason, after) = run(&mut stopped, u32::MAX);
    assert_eq!((reason, before.min(after)), (StopReason::MaxIterations, best));
    assert_eq!(stopped.solution().exploitability().unwrap().chips, best);

    // Stopped for good.
    let mut stopped = Solver::new(spot(), &options).unwrap();
    let (_, best) = run(&mut stopped, 50);
    stopped.keep_best();
    assert_eq!(stopped.solution().exploitability().unwrap().chips, best);
    assert!((stopped.check().chips - best).abs() < 1e-9);
}

/// Only proportions of weights count: whole ranges made smaller change no answer, in any storage, down to the smallest
/// numbers there are.
#[test]
fn ranges_may_have_any_scale() {
    let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
    Preset::Standard.apply(&mut config);
    let range = |text: &str, factor: f32| {
        let mut range: Range = text.parse().unwrap();
        for (combo, weight) in range.clone().iter() {
            range.set(combo, weight * factor).unwrap();
        }
        range
    };
    let run = |precision: Precision, factors: [f32; 2]| {
        let ranges = [range("66+,A8s+:0.5,AJo+,KQo", factors[0]), range("QQ-22,ATs+", factors[1])];
        let spot = Spot::new(ranges, "Td9d6hQc".parse().unwrap(), &config).unwrap();
        let options = Options { storage: Storage::of(precision), ..Options::default() };
        let mut solver = Solver::new(spot, &options).unwrap();
        solver.iterate(40);
        let found = solver.check().pct_pot;
        let evs = solver.solution_mut().evs();
        let of_combos: Vec<f64> = evs.iter().flat_map(|ev| ev.combos.iter().map(|combo| combo.ev)).collect();
        (found, evs.map(|ev| (ev.mean, ev.equity)), of_combos)
    };
    for precision in [Precision::Bits32, Precision::Bits16] {
        let whole = run(precision, [1.0; 2]);
        // Powers of two change no digit.
        let half = run(precision, [0.5, 0.125]);
        assert_eq!(half.0, whole.0);
        for factors in [[1e-10, 1.0], [1e-15; 2], [1e-30, 1e-3], [2e-38, 1.0]] {
            let small = run(precision, factors);
            assert!((small.0 / whole.0 - 1.0).abs() < 0.2, "{factors:?}: {} {}", small.0, whole.0);
            for (small, whole) in small.1.iter().zip(whole.1) {
                assert!((small.0 - whole.0).abs() < 0.5, "{factors:?}: {small:?} {whole:?}");
                assert!((small.1 - whole.1).abs() < 1e-6, "{factors:?}: {small:?} {whole:?}");
            }
            for (small, whole) in small.2.iter().zip(&whole.2) {
                assert!((small - whole).abs() < 10.0, "{factors:?}: {small} {whole}");
            }
        }
    }
}

/// What is lost in rounding is refused with the way out; just below the bound the answer is right.
#[test]
fn stacks_that_dwarf_the_pot_are_refused() {
    let spot = |stack: u32, menu: &str| {
        let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(stack));
        *config.menus_mut(Street::River).unwrap() =
            StreetMenus::same(menu.parse().unwrap(), "".parse().unwrap());
        let ranges = ["66+,A8s+,AJo+,KQo", "QQ-22,ATs+"].map(|range| range.parse().unwrap());
        Spot::new(ranges, "Td9d6hQc2h".parse().unwrap(), &config)
    };
    let error = spot(1_000_000_000, "60%, a").unwrap_err();
    assert!(matches!(error, SpotError::TooDeep { .. }));
    assert!(error.to_string().contains("make the stack smaller"), "{error}");
    // Nobody can bet it.
    assert!(spot(1_000_000_000, "60%").is_ok());
    let deep = spot(2_000_000, "60%, a").unwrap();
    let options = Options { target_pct: 0.2, max_iterations: 50_000, ..Options::default() };
    let mut solution = solve(deep, &options).unwrap();
    assert!(solution.converged(), "{:?} {}", solution.exploitability(), solution.iterations());
    let evs = solution.evs();
    assert!((evs.iter().map(|ev| ev.mean).sum::<f64>() - 200.0).abs() < 0.2, "{evs:?}");
}

/// Cards that leave a player without any combo, a stack of nothing, and streets without bets.
#[test]
fn odd_spots_have_answers() {
    for (stack, menu) in [(0, "a"), (300, "a"), (300, ""), (1_000_000, "50%, a")] {
        for (street, board) in
            [(Street::Flop, "Qs7h2d"), (Street::Turn, "Qs7h2d3c"), (Street::River, "Qs7h2d3c4c")]
        {
            let mut config = TreeConfig::new(street, Chips::new(100), Chips::new(stack));
            let menus = StreetMenus::same(menu.parse().unwrap(), "".parse().unwrap());
            for street in config.streets().collect::<Vec<_>>() {
                *config.menus_mut(street).unwrap() = menus.clone();
            }
            config.flop = StreetMenus::default();
            let ranges = ["KhKd".parse().unwrap(), "AhAd".parse().unwrap()];
            let spot = Spot::new(ranges, board.parse().unwrap(), &config).unwrap();
            let mut solver =
                Solver::new(spot, &Options { max_iterations: 30, ..Options::default() }).unwrap();
            solver.run(&mut ());
            let evs = solver.solution_mut().evs();
            assert!(
                (evs.iter().map(|ev| ev.mean).sum::<f64>() - 100.0).abs() < 1e-6 * f64::from(stack.max(1000)),
                "{evs:?}"
            );
            assert!((evs.iter().map(|ev| ev.equity).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
