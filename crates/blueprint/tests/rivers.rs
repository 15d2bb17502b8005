//! All rivers of a crudely bucketed turn, re-solved: the third test of subgame solving, after units and limits of alternatives
//! (`crates/postflop/tests/subgames.rs`), in hold'em. `docs/subgames.md` has the same on wide ranges.

use std::num::NonZeroUsize;

use equipoise_blueprint::bucketed::{BucketedOptions, BucketedSolver};
use equipoise_blueprint::resolve::{Mode, ResolvedRivers, resolve_rivers};
use equipoise_cards::{Board, Combo, Street, Strength};
use equipoise_game::{Chips, StreetMenus, TreeConfig};
use equipoise_postflop::{Options, Solver, Spot, SubgameError};

/// Ten buckets on the river; on the turn nothing is lost.
fn crude(combo: Combo, board: &Board) -> u32 {
    match Strength::of(combo.cards() | board.set()) {
        Some(strength) if board.street() == Street::River => u32::from(strength.get()) / 750,
        _ => combo.index() as u32,
    }
}

fn spot(street: Street, board: &str) -> Spot {
    let mut config = TreeConfig::new(street, Chips::new(200), Chips::new(400));
    let menus = StreetMenus::same("75%, a".parse().unwrap(), "a".parse().unwrap());
    (config.turn, config.river) = (menus.clone(), menus);
    let ranges = ["99+,AJs+,KQs,JTs,87s,AQo", "JJ-77,ATs+,KQs,QJs,98s,AKo"];
    Spot::new(ranges.map(|range| range.parse().unwrap()), board.parse().unwrap(), &config).unwrap()
}

/// The exact solver with the bucketed strategies in it.
fn base(spot: &Spot) -> Solver {
    let mut bucketed = BucketedSolver::new(spot, &crude, &BucketedOptions::default()).unwrap();
    bucketed.iterate(100).unwrap();
    let options = Options { isomorphism: false, target_pct: 0.0, ..Options::default() };
    let mut solver = Solver::new(spot.clone(), &options).unwrap();
    solver.set_strategies(&|node, runout| {
        let lifted = bucketed.strategy(node, runout).unwrap();
        lifted.into_iter().map(|lifted| (lifted.combo, lifted.frequencies)).collect()
    });
    // What both solvers say of them agrees.
    let (exact, lifted) = (solver.check().pct_pot, bucketed.measure().unwrap().exploitability_pct);
    assert!((exact - lifted).abs() < 0.01, "{exact} {lifted}");
    solver
}

/// Exact to 1 %: `resolve` and `maxmargin` are at most as exploitable as the base, `estimate` is the best of all.
#[test]
fn test_3_resolve_never_raises_exploitability_on_all_rivers_of_a_turn() {
    let mut base = base(&spot(Street::Turn, "Td9d6hQc"));
    let before = base.check().pct_pot;
    let options = Options { target_pct: 1.0, max_iterations: 2000, ..Options::default() };
    let found = Mode::ALL.map(|mode| resolve_rivers(&base, mode, &options).unwrap());
    let text = format!("base {before}: {found:?}");
    assert!(found.iter().all(|found| found.missed == 0 && found.subgames >= 96), "{text}");
    let [estimate, resolve, max_margin, unsafe_] = found.map(|found| found.exploitability_pct);
    assert!(before > 3.0 && resolve <= before && max_margin <= before, "{text}");
    assert!(estimate < resolve && estimate < max_margin && unsafe_ > 0.0, "{text}");
    // Each river on its own: nothing depends on the number of threads.
    let alone = Options { threads: NonZeroUsize::new(1), ..options };
    let again: ResolvedRivers = resolve_rivers(&base, Mode::Estimate, &alone).unwrap();
    assert_eq!(again, found[0]);
}

/// What is near an equilibrium stays as near to it as rivers are solved.
#[test]
fn rivers_of_an_equilibrium_stay_as_good_as_they_are_solved() {
    let options = Options { target_pct: 0.2, max_iterations: 5000, ..Options::default() };
    let mut exact = Solver::new(spot(Street::Turn, "Td9d6hQc"), &options).unwrap();
    exact.run(&mut ());
    let before = exact.check().pct_pot;
    assert!(before <= 0.2, "{before}");
    for mode in [Mode::Resolve, Mode::MaxMargin, Mode::Estimate] {
        let after = resolve_rivers(&exact, mode, &options).unwrap().exploitability_pct;
        assert!(after < before + 0.2, "{mode:?}: {before} {after}");
    }
}

#[test]
fn only_turns_have_rivers_to_solve() {
    let river = Solver::new(spot(Street::River, "Td9d6hQc2h"), &Options::default()).unwrap();
    let refused = resolve_rivers(&river, Mode::Estimate, &Options::default());
    assert!(matches!(refused, Err(SubgameError::NoRoot)));
}
