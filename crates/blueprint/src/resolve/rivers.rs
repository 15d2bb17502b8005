//! A turn whose strategies are crude, such as those of a bucketed solve, with every river solved again: how exploitable each
//! [`Mode`] leaves it, exactly.
//!
//! Each player in turn is the hero. It keeps its crude strategy on the turn and plays the re-solved ones on the rivers; the
//! other player's best response, which sees every card, is counted over the turn and all rivers.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use equipoise_cards::{Card, Combo, Street};
use equipoise_game::{NodeId, PerPlayer, Player, Tree};
use equipoise_postflop::{Opponent, Options, Solver, SubgameError, SubgameSolver};

use crate::resolve::Mode;
use crate::resolve::measure::{best_response, pairs};

/// A turn with its rivers re-solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ResolvedRivers {
    /// The mean of both best responses' gains in percent of the turn's pot.
    pub exploitability_pct: f64,
    /// Rivers that were solved: one for each betting line, card and hero.
    pub subgames: usize,
    /// Their iterations.
    pub iterations: u64,
    /// Subgames that did not come to the target.
    pub missed: usize,
}

/// The strategies of a decision on a river.
type Rivers = HashMap<(NodeId, Card), Vec<(Combo, Vec<f64>)>>;

/// Solves every river again after a turn whose strategies are in `base` ([`Solver::set_strategies`]); each to the target of the
/// options, in percent of its own pot, or to their last iteration. Threads have a river each, so the answer does not depend on their
/// number.
///
/// # Errors
/// [`SubgameError`] if the spot does not begin on the turn, if it is not zero-sum, or if a river cannot be solved.
pub fn resolve_rivers(base: &Solver, mode: Mode, options: &Options) -> Result<ResolvedRivers, SubgameError> {
    let spot = base.solution().spot();
    if spot.board().street() != Street::Turn {
        return Err(SubgameError::NoRoot);
    }
    let roots = first_decisions(spot.tree());
    let cards = Card::ALL.into_iter().filter(|&card| spot.board().deal(card).is_some());
    let jobs: Vec<(NodeId, Card)> =
        cards.flat_map(|card| roots.iter().map(move |&root| (root, card))).collect();
    let reaches = PerPlayer::from_fn(|player| {
        spot.ranges()[player].weights().iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>()
    });
    // Boards that a suit apart makes isomorphic have strategies of their own.
    let mut whole =
        Solver::new(spot.clone(), &Options { isomorphism: false, target_pct: 0.0, ..options.clone() })?;
    let mut found = ResolvedRivers::default();
    let mut both = 0.0;
    for hero in Player::ALL {
        let of_hero = side_by_side(base, hero, &jobs, mode, options)?;
        let mut rivers = Rivers::new();
        for river in of_hero.into_iter().flatten() {
            found.subgames += 1;
            found.iterations += u64::from(river.iterations);
            found.missed += usize::from(river.is_missed);
            rivers.extend(river.strategies);
        }
        whole.set_strategies(&|node, runout| {
            let new = runout.first().and_then(|&card| rivers.get(&(node, card)));
            new.cloned().unwrap_or_else(|| combos(base, node, runout))
        });
        both += best_response(&mut whole, hero.opponent(), &reaches[hero.opponent()]);
    }
    let (pairs, pot) = (pairs(&reaches), spot.pot());
    found.exploitability_pct = 100.0 * (both / pairs - pot) / 2.0 / pot;
    Ok(found)
}

/// The rivers of a hero, in the order of the jobs. Threads of their own: a solver waits for its thread pool, and a worker of
/// another pool would begin with the next river meanwhile, and the next.
fn side_by_side(
    base: &Solver,
    hero: Player,
    jobs: &[(NodeId, Card)],
    mode: Mode,
    options: &Options,
) -> Result<Vec<Option<River>>, SubgameError> {
    let threads =
        options.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let options = Options { threads: Some(NonZeroUsize::MIN), ..options.clone() };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Numbered::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&job) = jobs.get(at) else { return Ok(found) };
            found.push((at, river(base, hero, job, mode, &options)?));
        }
    };
    let mut found = Vec::with_capacity(jobs.len());
    let results: Vec<Result<Numbered, SubgameError>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    for rivers in results {
        found.extend(rivers?);
    }
    found.sort_by_key(|(at, _)| *at);
    Ok(found.into_iter().map(|(_, river)| river).collect())
}

/// The first decisions of the river.
fn first_decisions(tree: &Tree) -> Vec<NodeId> {
    let begins = |id: &NodeId| {
        let node = tree.node(*id);
        node.street() == Street::River && node.action().is_none() && node.player().is_some()
    };
    tree.node_ids().filter(begins).collect()
}

/// What the combos of the player to act do.
fn combos(solver: &Solver, node: NodeId, runout: &[Card]) -> Vec<(Combo, Vec<f64>)> {
    let found = solver.solution().strategy(node, runout).map(|found| found.combos).unwrap_or_default();
    found.into_iter().map(|combo| (combo.combo, combo.frequencies)).collect()
}

/// Rivers with the numbers of their jobs.
type Numbered = Vec<(usize, Option<River>)>;

/// A river that was solved for a hero.
struct River {
    strategies: Rivers,
    iterations: u32,
    is_missed: bool,
}

/// `None` if the hero never comes there, or, without alternatives, the opponent: the crude strategy is kept.
fn river(
    base: &Solver,
    hero: Player,
    (root, card): (NodeId, Card),
    mode: Mode,
    options: &Options,
) -> Result<Option<River>, SubgameError> {
    let runout = [card];
    let reaches = base.solution().reaches(root, &runout);
    let comes = |player: Player| reaches[player].iter().any(|&reach| reach > 0.0);
    if !comes(hero) || (mode == Mode::Unsafe && !comes(hero.opponent())) {
        return Ok(None);
    }
    let (spot, nodes) = base.subgame_spot(root, &runout, (mode != Mode::Unsafe).then_some(hero))?;
    let opponent = match mode {
        Mode::Unsafe => Opponent::Range,
        _ => {
            let mut crude = Solver::new(spot.clone(), &Options { isomorphism: false, ..options.clone() })?;
            crude.set_strategies(&|node, _| combos(base, nodes[node.index()], &runout));
            let is_best = matches!(mode, Mode::Resolve | Mode::MaxMargin);
            let mut values = vec![0.0; Combo::COUNT];
            for (combo, value) in crude.root_values(hero.opponent(), is_best) {
                values[combo.index()] = value;
            }
            if mode == Mode::MaxMargin { Opponent::MaxMargin(values) } else { Opponent::Alternatives(values) }
        }
    };
    let mut subgame = SubgameSolver::new(spot, hero, opponent, options)?;
    subgame.run(&mut ());
    let is_missed = subgame.check().pct_pot > options.target_pct;
    let tree = subgame.spot().tree();
    let own = tree.node_ids().filter(|&node| tree.node(node).player() == Some(hero));
    let strategy = |node: NodeId| {
        let found = subgame.strategy(node, &[]).map(|found| found.combos).unwrap_or_default();
        let found = found.into_iter().map(|combo| (combo.combo, combo.frequencies)).collect();
        ((nodes[node.index()], card), found)
    };
    let strategies = own.map(strategy).collect();
    Ok(Some(River { strategies, iterations: subgame.iterations(), is_missed }))
}
