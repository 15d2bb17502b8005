//! Random small spots on all streets, against a naive solver.

#![allow(unreachable_pub, missing_docs)]

mod common;

use common::random::spot;
use common::strategies::of_solution;
use common::twin::{Own, Trainer, Twin};
use equipoise_cards::Card;
use equipoise_cfr::Algorithm;
use equipoise_game::{NodeId, Player};
use equipoise_postflop::{Options, Solver, Spot};

fn solver(spot: &Spot, algorithm: Algorithm, isomorphism: bool) -> Solver {
    let options = Options { algorithm, isomorphism, ..Options::default() };
    Solver::new(spot.clone(), &options).unwrap()
}

fn algorithm(seed: u64) -> Algorithm {
    let all = Algorithm::all();
    all[seed as usize % all.len()]
}

/// One part in ten thousand of what is expected, or of the pot where less than a pot is expected: tables and passes are in
/// 32-bit floats.
fn is_close(found: f64, expected: f64, spot: &Spot) -> bool {
    (found - expected).abs() <= 1e-4 * expected.abs().max(spot.pot())
}

/// The numbers that the solver reports are those of the strategies that it reports.
#[test]
fn evs_and_exploitability_of_60_random_spots() {
    for seed in 0..60 {
        let spot = spot(seed);
        let mut solver = solver(&spot, algorithm(seed), true);
        solver.iterate(12);
        let exploitability = solver.check().chips;
        let evs = solver.solution_mut().evs();
        let twin = Twin::new(&spot);
        let strategy = of_solution(solver.solution(), &twin);
        let mut expected = 0.0;
        for player in Player::ALL {
            let values = |own: Own| {
                let reach = twin.weights(player.opponent());
                twin.values(NodeId::ROOT, spot.board(), player, &reach, own, &strategy)
            };
            let average = values(Own::Average);
            let mean = twin.mean(player, &average);
            expected += (twin.mean(player, &values(Own::Best)) - mean) / 2.0;
            let found = &evs[player];
            assert!(is_close(found.mean, mean, &spot), "seed {seed}: {} {mean}", found.mean);
            for combo in found.combos.iter().filter(|combo| combo.matchups > 0.0) {
                let at = twin.combos[player.index()].iter().position(|other| other.0 == combo.combo).unwrap();
                let expected = average[at] / combo.matchups;
                assert!(is_close(combo.ev, expected, &spot), "seed {seed} {} {expected}", combo.ev);
            }
        }
        // A ten-thousandth of itself, however small it is; only what is next to nothing is measured by the pot.
        let most = 1e-4 * expected.max(0.01 * spot.pot());
        assert!((exploitability - expected).abs() <= most, "seed {seed}: {exploitability} {expected}");
    }
}

/// Training itself is the naive one's: the same average strategy after a few iterations.
#[test]
fn average_strategies_of_random_spots() {
    let mut num_compared = 0;
    for seed in 0..120 {
        let spot = spot(seed);
        let algorithm = algorithm(seed);
        let mut trainer = Trainer::new(&spot, algorithm);
        let mut solvers = [solver(&spot, algorithm, true), solver(&spot, algorithm, false)];
        for _ in 0..2 {
            trainer.iterate();
            solvers.iter_mut().for_each(|solver| solver.iterate(1));
        }
        if trainer.is_ambiguous.get() {
            continue;
        }
        num_compared += 1;
        for solver in &mut solvers {
            let evs = solver.solution_mut().evs();
            for player in Player::ALL {
                let reach = trainer.twin.weights(player.opponent());
                let strategy = |node: NodeId, runout: &[Card]| trainer.average(node, runout);
                let values =
                    trainer.twin.values(NodeId::ROOT, spot.board(), player, &reach, Own::Average, &strategy);
                let (mean, found) = (trainer.twin.mean(player, &values), evs[player].mean);
                assert!(
                    is_close(found, mean, &spot),
                    "seed {seed} {num_compared} {algorithm}: {found} {mean}"
                );
            }
        }
    }
    assert!(num_compared >= 50, "only {num_compared} spots were compared");
}
