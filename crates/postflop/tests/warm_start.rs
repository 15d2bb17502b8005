//! Solves that begin with the regrets of another solution.

#![allow(unreachable_pub, missing_docs)]

mod common;

use std::ops::ControlFlow;

use common::temporary::Temporary;
use equipoise_cards::Street;
use equipoise_game::{Chips, PerPlayer, Player, Preset, TreeConfig};
use equipoise_postflop::{
    Contents, Lock, LockedStrategy, Options, Precision, SaveOptions, SolveProgress, Solver, Spot, StopReason,
    Storage, WarmStartError,
};

/// A turn with two suits that may be exchanged.
const BOARD: &str = "Qs9s6h3s";

fn spot_on(board: &str, bets: &str) -> Spot {
    let mut config = TreeConfig::new(Street::Turn, Chips::new(100), Chips::new(400));
    Preset::Simple.apply(&mut config);
    for street in [Street::Turn, Street::River] {
        let menus = config.menus_mut(street).unwrap();
        menus.oop.bet = bets.parse().unwrap();
        menus.ip.bet = bets.parse().unwrap();
    }
    let ranges = ["TT+,AQs,KQs,JTs,87s,A5s".parse().unwrap(), "QQ-66,AJs+,KJs+,T9s,76s".parse().unwrap()];
    Spot::new(ranges, board.parse().unwrap(), &config).unwrap()
}

fn spot(bets: &str) -> Spot {
    spot_on(BOARD, bets)
}

fn options(target_pct: f64) -> Options {
    Options { target_pct, max_iterations: 2000, ..Options::default() }
}

fn save(solver: &mut Solver, file: &Temporary, contents: Contents) {
    let options = SaveOptions { contents, note: String::new(), target_pct: 0.5 };
    solver.solution_mut().save(&file.0, &options).unwrap();
}

/// A file with a solution of a spot.
fn solved(name: &str, spot: &Spot, options: &Options) -> Temporary {
    let file = Temporary::new(&format!("warm-{name}"));
    let mut solver = Solver::new(spot.clone(), options).unwrap();
    assert_eq!(solver.run(&mut ()), StopReason::Converged);
    save(&mut solver, &file, Contents::Resumable);
    file
}

/// Iterations to the target, and the root's expected values.
fn run(mut solver: Solver) -> (u32, PerPlayer<f64>) {
    assert_eq!(solver.run(&mut ()), StopReason::Converged);
    let evs = solver.solution_mut().evs().map(|ev| ev.mean);
    (solver.solution().iterations(), evs)
}

#[test]
fn similar_spots_need_fewer_iterations_and_have_the_same_answers() {
    let (old, options) = (spot("50%"), options(0.3));
    let file = solved("similar", &old, &options);
    let lock = Lock::new("check".parse().unwrap(), LockedStrategy::Every(vec![1.0, 0.0]));
    let locked = old.clone().with_locks(vec![lock]).unwrap();
    let cases =
        [("itself", old.clone()), ("added", spot("50%, 100%")), ("locked", locked), ("resized", spot("60%"))];
    let (mut all_cold, mut all_warm) = (0, 0);
    for (name, new) in cases {
        let cold = run(Solver::new(new.clone(), &options).unwrap());
        let mut solver = Solver::new(new.clone(), &options).unwrap();
        let start = solver.start_from(&file.0).unwrap();
        assert!(
            start.known <= start.decisions && 4 * start.known >= 3 * start.decisions,
            "{name}: {start:?}"
        );
        let warm = run(solver);
        for player in Player::ALL {
            // Each is within 0.3 % of the pot of what best answers leave.
            let difference = (cold.1[player] - warm.1[player]).abs();
            assert!(difference < 0.6, "{name}: {:?} and {:?} chips", cold.1, warm.1);
        }
        all_cold += cold.0;
        all_warm += warm.0;
    }
    assert!(all_warm * 3 < all_cold * 2, "{all_warm} of {all_cold} iterations");
}

#[test]
fn any_storage_algorithm_and_symmetry_can_be_begun_with() {
    let spot = spot("50%");
    let target = options(0.5);
    let cold = run(Solver::new(spot.clone(), &target).unwrap());
    let modes = [
        Options { storage: Storage::of(Precision::Bits16), ..target.clone() },
        Options {
            storage: Storage { strategy: Precision::Bits8, ..Storage::of(Precision::Bits16) },
            ..target.clone()
        },
        Options {
            storage: Storage { log_encoding: true, ..Storage::of(Precision::Bits8) },
            ..target.clone()
        },
        Options { isomorphism: false, ..target.clone() },
        Options { algorithm: "pcfr+".parse().unwrap(), ..target.clone() },
        Options { algorithm: "apcfr+".parse().unwrap(), ..target.clone() },
    ];
    for (number, old) in modes.iter().enumerate() {
        let file = solved(&format!("mode-{number}"), &spot, old);
        // Into plain tables, and into tables of its own kind.
        for new in [&target, old] {
            let mut solver = Solver::new(spot.clone(), new).unwrap();
            solver.start_from(&file.0).unwrap();
            let warm = run(solver);
            assert!(warm.0 <= cold.0, "{number}: {} of {} iterations", warm.0, cold.0);
            assert!(
                (warm.1[Player::Oop] - cold.1[Player::Oop]).abs() < 1.0,
                "{number}: {:?} and {:?} chips",
                warm.1,
                cold.1
            );
        }
    }
}

#[test]
fn a_warm_solve_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let (old, new, options) = (spot("50%"), spot("50%, 100%"), options(0.2));
    let file = solved("gone-on", &old, &options);
    let begun = || {
        let mut solver = Solver::new(new.clone(), &options).unwrap();
        solver.start_from(&file.0).unwrap();
        solver
    };
    let whole = run(begun());
    let mut stopped = begun();
    let stop = |progress: &SolveProgress| {
        if progress.iteration < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    assert_eq!(stopped.run(&mut { stop }), StopReason::Stopped);
    let saved = Temporary::new("warm-gone-on-half");
    save(&mut stopped, &saved, Contents::Resumable);
    assert_eq!(run(Solver::resume(&saved.0, &options).unwrap()), whole);
}

#[test]
fn what_does_not_help_is_refused() {
    let (old, options) = (spot("50%"), options(0.5));
    let file = solved("refused", &old, &options);
    let mut elsewhere = Solver::new(spot_on("Qs9s6h3c", "50%"), &options).unwrap();
    let refused = elsewhere.start_from(&file.0).unwrap_err();
    assert!(matches!(refused, WarmStartError::Board { .. }), "{refused}");
    // The first three cards are the flop; which came first makes no difference.
    let mut turned = Solver::new(spot_on("6h9sQs3s", "50%"), &options).unwrap();
    turned.start_from(&file.0).unwrap();

    let mut late = Solver::new(old.clone(), &options).unwrap();
    late.iterate(1);
    let refused = late.start_from(&file.0).unwrap_err();
    assert!(matches!(refused, WarmStartError::Late), "{refused}");

    let mut solver = Solver::new(old.clone(), &options).unwrap();
    save(&mut solver, &file, Contents::Full);
    let refused = solver.start_from(&file.0).unwrap_err();
    assert!(matches!(refused, WarmStartError::NoTables { .. }), "{refused}");
}
