//! Random small spots on all streets, against a naive solver.

#![allow(unreachable_pub, missing_docs)]

mod common;

use std::cell::RefCell;
use std::collections::HashMap;

use common::twin::{Numbers, Own, Trainer, Twin};
use equipoise_cards::{Board, Card, Combo, HandClass, Range, Street};
use equipoise_cfr::Algorithm;
use equipoise_game::{Chips, NodeId, NodeKind, Player, Rake, StreetMenus, TreeConfig};
use equipoise_postflop::{Lock, LockedStrategy, Options, Solution, Solver, Spot};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn weight(&mut self) -> f32 {
        [1.0, 1.0, 0.5, 0.25][self.below(4)]
            + if self.below(4) == 0 { -0.01 * self.below(20) as f32 } else { 0.0 }
    }

    fn range(&mut self, symmetric: bool, size: usize, board: &Board) -> Range {
        let mut range = Range::empty();
        while range.without(board.set()).num_combos() < size {
            let combo = Combo::from_index(self.below(Combo::COUNT)).unwrap();
            let weight = self.weight().clamp(0.05, 1.0);
            if symmetric {
                let class: HandClass = combo.class();
                range.set_class(class, weight).unwrap();
            } else {
                range.set(combo, weight).unwrap();
            }
        }
        range
    }
}

/// A random spot; early streets have smaller ranges and menus, since the twin is slow.
fn spot(seed: u64) -> Spot {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(seed));
    loop {
        let street =
            [Street::River, Street::Turn, Street::River, Street::Turn, Street::Flop][seed as usize % 5];
        let mut cards: Vec<Card> = Vec::new();
        while cards.len() < street.num_board_cards() {
            let card = Card::ALL[dice.below(52)];
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        let board = Board::new(&cards).unwrap();
        let symmetric = dice.below(3) > 0;
        let size = match street {
            Street::River => 12,
            Street::Turn => 8,
            _ => 4,
        };
        let ranges = [dice.range(symmetric, size, &board), dice.range(symmetric, size, &board)];
        let stack = [0, 30, 150, 1000][dice.below(4)];
        let mut config = TreeConfig::new(street, Chips::new(100), Chips::new(stack));
        if dice.below(2) == 0 {
            config.rake = Rake { rate: 0.05, cap: [None, Some(3.0), Some(20.0)][dice.below(3)] };
        }
        let (bets, raises) = match street {
            Street::River => {
                (dice.pick(&["50%, 100%, a", "33%, 75%, 150%", "a", ""]), dice.pick(&["60%, a", "2.5x", ""]))
            }
            Street::Turn => (dice.pick(&["50%", "75%, a", "a"]), dice.pick(&["a", ""])),
            _ => (dice.pick(&["50%", "a"]), ""),
        };
        let menus = StreetMenus::same(bets.parse().unwrap(), raises.parse().unwrap());
        for street in [Street::Flop, Street::Turn, Street::River] {
            *config.menus_mut(street).unwrap() = menus.clone();
        }
        if street == Street::Flop {
            config.flop = StreetMenus::default();
        }
        let Ok(spot) = Spot::new(ranges, board, &config) else { continue };
        let locks = if dice.below(2) == 0 { locks(&spot, &mut dice) } else { Vec::new() };
        return spot.with_locks(locks).unwrap();
    }
}

fn locks(spot: &Spot, dice: &mut Dice) -> Vec<Lock> {
    let tree = spot.tree();
    let decisions: Vec<NodeId> =
        tree.node_ids().filter(|&id| matches!(tree.node(id).kind(), NodeKind::Decision(_))).collect();
    if decisions.is_empty() {
        return Vec::new();
    }
    let one = |dice: &mut Dice| {
        let node = decisions[dice.below(decisions.len())];
        let actions = tree.node(node).num_children();
        let mut frequencies: Vec<f64> = (0..actions).map(|_| (1 + dice.below(5)) as f64).collect();
        let sum: f64 = frequencies.iter().sum();
        frequencies.iter_mut().for_each(|frequency| *frequency /= sum);
        let player = tree.node(node).player().unwrap();
        let strategy = if dice.below(2) == 0 {
            LockedStrategy::Every(frequencies)
        } else {
            let combos: Vec<Combo> = spot.ranges()[player.index()].iter().map(|(combo, _)| combo).collect();
            LockedStrategy::Combos(vec![(combos[dice.below(combos.len())], frequencies)])
        };
        let mut runout = Vec::new();
        let dealt = tree.node(node).street().num_board_cards() - spot.board().cards().len();
        if dice.below(2) == 0 {
            while runout.len() < dealt {
                let card = Card::ALL[dice.below(52)];
                if !spot.board().set().contains(card) && !runout.contains(&card) {
                    runout.push(card);
                }
            }
        }
        Lock::new(tree.line_to(node), strategy).on(runout)
    };
    (0..1 + dice.below(2)).map(|_| one(dice)).collect()
}

/// The solution's strategy over the twin's lists, read through the public face for every runout.
fn read<'a>(solution: &'a Solution, twin: &'a Twin<'_>) -> impl Fn(NodeId, &[Card]) -> Numbers + 'a {
    let cache: RefCell<HashMap<(NodeId, Vec<Card>), Numbers>> = RefCell::default();
    move |node, runout| {
        let key = (node, runout.to_vec());
        if let Some(found) = cache.borrow().get(&key) {
            return found.clone();
        }
        let strategy = solution.strategy(node, runout).unwrap();
        let numbers: Numbers = twin.combos[strategy.player.index()]
            .iter()
            .map(|(combo, _)| {
                let found = strategy.combos.iter().find(|other| other.combo == *combo);
                found.map_or_else(|| vec![0.0; strategy.actions.len()], |found| found.frequencies.clone())
            })
            .collect();
        cache.borrow_mut().insert(key, numbers.clone());
        numbers
    }
}

fn solver(spot: &Spot, algorithm: Algorithm, isomorphism: bool) -> Solver {
    let options = Options { algorithm, isomorphism, ..Options::default() };
    Solver::new(spot.clone(), &options).unwrap()
}

fn algorithm(seed: u64) -> Algorithm {
    let all = Algorithm::all();
    all[seed as usize % all.len()]
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
        let strategy = read(solver.solution(), &twin);
        let scale = spot.pot() + 2.0 * spot.tree().config().effective_stack.as_f64();
        let mut expected = 0.0;
        for player in Player::ALL {
            let values = |own: Own| {
                let reach = twin.weights(player.opponent());
                twin.values(NodeId::ROOT, spot.board(), player, &reach, own, &strategy)
            };
            let average = values(Own::Average);
            let mean = twin.mean(player, &average);
            expected += (twin.mean(player, &values(Own::Best)) - mean) / 2.0;
            let found = &evs[player.index()];
            assert!((found.mean - mean).abs() < 1e-4 * scale, "seed {seed}: {} {mean}", found.mean);
            for combo in found.combos.iter().filter(|combo| combo.meets > 0.0) {
                let at = twin.combos[player.index()].iter().position(|other| other.0 == combo.combo).unwrap();
                let (found, expected) = (combo.ev * combo.meets, average[at]);
                assert!(
                    (found - expected).abs() < 1e-4 * scale * combo.meets.max(1.0),
                    "seed {seed} {found} {expected}"
                );
            }
        }
        assert!((exploitability - expected).abs() < 1e-4 * scale, "seed {seed}: {exploitability} {expected}");
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
            let scale = spot.pot() + 2.0 * spot.tree().config().effective_stack.as_f64();
            for player in Player::ALL {
                let reach = trainer.twin.weights(player.opponent());
                let strategy = |node: NodeId, runout: &[Card]| trainer.average(node, runout);
                let values =
                    trainer.twin.values(NodeId::ROOT, spot.board(), player, &reach, Own::Average, &strategy);
                let (mean, found) = (trainer.twin.mean(player, &values), evs[player.index()].mean);
                assert!(
                    (found - mean).abs() < 1e-4 * scale,
                    "seed {seed} {num_compared} {algorithm}: {found} {mean}"
                );
            }
        }
    }
    assert!(num_compared >= 50, "only {num_compared} spots were compared");
}
