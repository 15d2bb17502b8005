//! What solving subgames again does to a strategy.

use std::collections::HashMap;
use std::ops::ControlFlow;

use equipoise_abstraction::{BoardBuckets, Method, StreetConfig};
use equipoise_blueprint::bucketed::{BucketedSolver, Buckets, Options as BucketedOptions};
use equipoise_cards::{Board, Card, Combo, Range, Street};
use equipoise_cfr::subgame::{Formulation, Gifts, Resolving, resolve_all};
use equipoise_cfr::{Algorithm, Leduc, ToyGame, Trainer};
use equipoise_game::{NodeId, Player};
use equipoise_postflop::{Opponent, Options, Solver, Spot, SubgameSolver};
use equipoise_spots::shipped::ShippedText;

use crate::markdown::{Table, grouped};
use crate::timing;

/// Iterations of the old strategies.
const BASES: [u32; 5] = [3, 10, 30, 300, 4000];
/// Iterations of each subgame.
const ITERATIONS: u32 = 2000;

/// Leduc: exploitability before and after every second round was solved again, for both players.
pub(super) fn leduc() -> String {
    let tree = ToyGame::Leduc.tree();
    let ways: Vec<(String, Resolving)> = Formulation::ALL
        .into_iter()
        .flat_map(|formulation| {
            let gifts: &[Gifts] = match formulation {
                Formulation::Resolve | Formulation::Estimate => &[Gifts::Without, Gifts::Reach],
                _ => &[Gifts::Without],
            };
            gifts.iter().map(move |&gifts| {
                let name = format!("{formulation:?}").to_lowercase();
                let name = if gifts == Gifts::Reach { format!("{name} + gifts") } else { name };
                (name, Resolving { gifts, iterations: ITERATIONS, ..Resolving::new(formulation) })
            })
        })
        .collect();
    let names = ways.iter().map(|(name, _)| name.clone());
    let columns: Vec<String> =
        ["iterations".to_owned(), "base".to_owned()].into_iter().chain(names).collect();
    let mut table = Table::new(&columns);
    for iterations in BASES {
        let mut trainer = Trainer::new(&tree, Algorithm::default());
        trainer.run(iterations, |_| ControlFlow::Continue(()));
        let base = trainer.average_strategy();
        let milli = |exploitability: f64| format!("{:.1}", 1000.0 * exploitability);
        let mut row = vec![grouped(iterations.into()), milli(tree.exploitability(&base))];
        for (_, resolving) in &ways {
            row.push(milli(tree.exploitability(&resolve_all(&Leduc, &tree, &base, resolving))));
        }
        table.row(row);
    }
    table.finish()
}

/// Buckets a street.
const NUM_BUCKETS: [u16; 2] = [100, 1000];
/// Iterations of the bucketed strategy, and of each river.
const BASE_ITERATIONS: u32 = 300;
const RIVER_ITERATIONS: u32 = 200;

/// How the rivers of a turn endgame are solved again.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Unsafe,
    Resolve,
    MaxMargin,
    Estimate,
}

impl Way {
    const ALL: [Way; 4] = [Way::Unsafe, Way::Resolve, Way::MaxMargin, Way::Estimate];

    fn is_best_response(self) -> bool {
        matches!(self, Way::Resolve | Way::MaxMargin)
    }
}

/// Strategies of river decisions: by node and card.
type Rivers = HashMap<(NodeId, Card), Vec<(Combo, Vec<f64>)>>;

/// A bucketed strategy of a turn endgame, whose rivers can be solved again.
struct Endgame<'a> {
    spot: &'a Spot,
    base: BucketedSolver<'a>,
    /// The base strategy in the exact game.
    exact: Solver,
}

impl<'a> Endgame<'a> {
    fn new(spot: &'a Spot, buckets: &'a dyn Buckets, iterations: u32) -> anyhow::Result<Endgame<'a>> {
        let mut base = BucketedSolver::new(spot, buckets, &BucketedOptions::default())?;
        base.iterate(iterations)?;
        let exact = Solver::new(spot.clone(), &options(1))?;
        let mut endgame = Endgame { spot, base, exact };
        endgame.play(&Rivers::new());
        Ok(endgame)
    }

    /// The base strategy on the turn and, where there is nothing better, on rivers; exploitability in percent of the pot.
    fn play(&mut self, rivers: &Rivers) -> f64 {
        let base = &self.base;
        self.exact.set_strategies(&|node, runout| {
            let found = runout.first().and_then(|&card| rivers.get(&(node, card)));
            found.cloned().unwrap_or_else(|| of_base(base, node, runout))
        });
        self.exact.check().pct_pot
    }

    /// Exploitability with every river solved again, for each player as the hero against the base strategy.
    fn solved_again(&mut self, way: Way, iterations: u32) -> anyhow::Result<f64> {
        self.play(&Rivers::new());
        let tree = self.spot.tree();
        let starts = tree.node_ids().filter(|&id| {
            let node = tree.node(id);
            node.street() == Street::River && node.action().is_none() && node.player().is_some()
        });
        let jobs: Vec<(NodeId, Card, Player)> = starts
            .flat_map(|start| Card::ALL.into_iter().map(move |card| (start, card)))
            .filter(|(_, card)| self.spot.board().deal(*card).is_some())
            .flat_map(|(start, card)| Player::ALL.map(|hero| (start, card, hero)))
            .collect();
        let mut rivers = Rivers::new();
        for (start, card, hero) in jobs {
            let solved = self.river((start, card), hero, way, iterations)?;
            rivers.extend(solved);
        }
        Ok(self.play(&rivers))
    }

    /// A river solved again for a hero; nothing where it never comes.
    fn river(
        &self,
        (start, card): (NodeId, Card),
        hero: Player,
        way: Way,
        iterations: u32,
    ) -> anyhow::Result<Rivers> {
        let reaches = self.exact.solution().reaches(start, &[card]);
        if reaches.iter().any(|reach| reach.iter().all(|&reach| reach < 1e-6)) {
            return Ok(Rivers::new());
        }
        let (part, nodes) = self.exact.part(start, &[card], hero)?;
        let opponent = if way == Way::Unsafe {
            Opponent::Range
        } else {
            let mut old = Solver::new(part.clone(), &options(1))?;
            old.set_strategies(&|node, _| of_base(&self.base, nodes[node.index()], &[card]));
            let mut values = vec![0.0; Combo::COUNT];
            for (combo, value) in old.root_values(hero.opponent(), way.is_best_response()) {
                values[combo.index()] = value;
            }
            if way == Way::MaxMargin { Opponent::MaxMargin(values) } else { Opponent::Alternatives(values) }
        };
        let spot = match way {
            Way::Unsafe => {
                let ranges = reaches.map(|reach| {
                    let weights = reach.iter().enumerate().filter(|(_, weight)| **weight > 1e-6);
                    let mut range = Range::default();
                    for (combo, &weight) in weights {
                        let combo = Combo::from_index(combo).expect("it is one of 1,326");
                        range.set(combo, weight.min(1.0) as f32).expect("a weight from 0 to 1");
                    }
                    range
                });
                Spot::new(ranges, *part.board(), part.tree().config())?
            }
            _ => part,
        };
        let mut subgame = SubgameSolver::new(spot, hero, opponent, &options(iterations))?;
        subgame.iterate(iterations);
        let tree = subgame.spot().tree();
        let mut found = Rivers::new();
        for id in tree.node_ids().filter(|&id| tree.node(id).player() == Some(hero)) {
            let strategy = subgame.strategy(id, &[])?;
            let combos = strategy.combos.into_iter().map(|combo| (combo.combo, combo.frequencies));
            found.insert((nodes[id.index()], card), combos.collect());
        }
        Ok(found)
    }
}

fn of_base(base: &BucketedSolver<'_>, node: NodeId, runout: &[Card]) -> Vec<(Combo, Vec<f64>)> {
    let lifted = base.strategy(node, runout).unwrap_or_default();
    lifted.into_iter().map(|lifted| (lifted.combo, lifted.frequencies)).collect()
}

fn options(max_iterations: u32) -> Options {
    Options { target_pct: 0.0, max_iterations, isomorphism: false, ..Options::default() }
}

/// The buckets of a turn board and its rivers, learned from their own hands.
fn buckets_of(turn: &Board, count: u16) -> anyhow::Result<HashMap<Board, BoardBuckets>> {
    let rivers: Vec<Board> = Card::ALL.into_iter().filter_map(|card| turn.deal(card)).collect();
    let config = StreetConfig { method: Method::Percentile, buckets: count };
    let mut found = HashMap::new();
    for boards in [vec![*turn], rivers] {
        let learned: Vec<BoardBuckets> = BoardBuckets::learn(&boards, config, 0)?;
        found.extend(boards.into_iter().zip(learned));
    }
    Ok(found)
}

/// Exploitability of a turn endgame in one row: base, the ways, and the exact solve to 1 %.
fn endgame(spot: &Spot, count: u16, iterations: [u32; 2]) -> anyhow::Result<[f64; 6]> {
    let learned = buckets_of(spot.board(), count)?;
    let of_combo = |combo: Combo, board: &Board| {
        let bucket = learned.get(board).and_then(|found| found.get(combo));
        bucket.map_or(0, |id| u32::from(id.get()))
    };
    let mut endgame = Endgame::new(spot, &of_combo, iterations[0])?;
    let mut row = [endgame.play(&Rivers::new()), 0.0, 0.0, 0.0, 0.0, 0.0];
    for (cell, way) in row[1..].iter_mut().zip(Way::ALL) {
        *cell = endgame.solved_again(way, iterations[1])?;
    }
    let mut exact = Solver::new(spot.clone(), &Options { target_pct: 1.0, ..Options::default() })?;
    exact.run(&mut ());
    row[5] = exact.check().pct_pot;
    Ok(row)
}

/// The shipped turn spot in buckets, its rivers solved again.
pub(super) fn turn() -> anyhow::Result<String> {
    let problem = timing::problem(ShippedText::TURN.toml)?;
    let columns = ["buckets", "base", "unsafe", "resolve", "maxmargin", "estimate", "exact to 1 %"];
    let mut table = Table::new(&columns.map(str::to_owned));
    for count in NUM_BUCKETS {
        let row = endgame(&problem.spot, count, [BASE_ITERATIONS, RIVER_ITERATIONS])?;
        let cells = row.iter().map(|pct| format!("{pct:.3}"));
        table.row([grouped(count.into())].into_iter().chain(cells));
    }
    Ok(table.finish())
}

#[cfg(test)]
mod tests {
    use equipoise_game::{Chips, Preset, TreeConfig};

    use super::*;

    /// Test 3 on all rivers of a crudely bucketed turn endgame: what is safe makes nothing worse.
    #[test]
    fn test_3_rivers_of_a_bucketed_turn() {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(400));
        Preset::Simple.apply(&mut config);
        let ranges = ["AA,KK,AQs,T9s,87s,55,KJs", "QQ,99,AJs,QJs,T8s,66,A5s"];
        let ranges = ranges.map(|range| range.parse().unwrap());
        let spot = Spot::new(ranges, "Td9d6hQc".parse().unwrap(), &config).unwrap();
        let [base, reckless, resolve, margin, estimate, exact] = endgame(&spot, 5, [200, 300]).unwrap();
        println!("{base} {reckless} {resolve} {margin} {estimate} {exact}");
        assert!(exact <= 1.0 && base > 2.0);
        assert!(resolve <= base + 0.2 && margin <= base + 0.2, "{base} {resolve} {margin}");
        assert!(estimate < base, "{base} {estimate}");
    }
}
