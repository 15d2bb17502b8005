//! How exploitable a blueprint is from the turn on, by itself and with every turn solved again: board by board.
//!
//! Both players come to a turn with the reach that the blueprint gives them. There the gains of both best responses, which
//! see every card, are counted: against the blueprint's own strategy, and against those of subgames that were solved for
//! each player as the hero. What a responder could gain by other play before the turn is not in these figures.

use equipoise_cards::{BlockerSums, Board, Card, CardSet, Combo, Range, Street};
use equipoise_game::{Action, NodeKind, PerPlayer, Player};
use equipoise_postflop::{Options, Solver, Spot, SubgameError};
use equipoise_progress::Observer;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bucketed::Buckets;
use crate::resolve::tree::StreetTree;
use crate::resolve::{BlueprintPlay, History, ResolveError, ResolveOptions, live, resolve};
use crate::whole::{Blueprint, Flops, Line, Position};

/// What one turn board gives, in thousandths of a big blind a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TurnExploitability {
    /// Lines of the blueprint that come to the turn.
    pub entries: usize,
    /// The mean of both best responses' gains against the blueprint.
    pub blueprint: f64,
    /// The same where every turn is solved again.
    pub resolved: f64,
    /// Iterations of all re-solves.
    pub iterations: u64,
}

/// Random flops, each with random turn cards; at most the 49 that there are.
#[must_use]
pub fn random_turns(flops: usize, turns: usize, seed: u64) -> Vec<(Board, Vec<Board>)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let of_flop = |flop: Board| {
        let mut deck: Vec<Card> = CardSet::FULL.iter().filter(|&card| !flop.set().contains(card)).collect();
        let mut boards = Vec::new();
        while boards.len() < turns && !deck.is_empty() {
            let at = ((u128::from(random.next_u64()) * deck.len() as u128) >> 64) as usize;
            boards.push(flop.deal(deck.swap_remove(at)).expect("the card is in the deck"));
        }
        (flop, boards)
    };
    Flops::Sampled { count: flops, seed }.list().into_iter().map(|(flop, _)| flop).map(of_flop).collect()
}

/// The lines that come to a turn.
fn entries<'a>(
    blueprint: &'a Blueprint,
    position: &Position<'a>,
    path: &mut Vec<usize>,
    board: Board,
    found: &mut Vec<Line<'a>>,
) {
    match position.hand().kind() {
        NodeKind::Decision(_) if position.hand().street() == Street::Turn => {
            found.extend(Line::of_actions(blueprint, path, board));
        }
        NodeKind::Decision(_) => {
            for action in 0..position.actions().len() {
                let Some(next) = blueprint.act(position, action) else { continue };
                path.push(action);
                entries(blueprint, &next, path, board, found);
                path.pop();
            }
        }
        NodeKind::Chance => {
            if let Some(next) = blueprint.deal(position) {
                entries(blueprint, &next, path, board, found);
            }
        }
        _ => {}
    }
}

/// What a best response wins, times the weights of both players.
pub(super) fn best_response(solver: &mut Solver, player: Player, reach: &[f64]) -> f64 {
    solver.root_values(player, true).into_iter().map(|(combo, value)| value * reach[combo.index()]).sum()
}

/// Pairs of hands, weighted.
pub(super) fn pairs(reaches: &PerPlayer<Vec<f64>>) -> f64 {
    let (own, theirs) = (&reaches[Player::Oop], &reaches[Player::Ip]);
    let mut sums = BlockerSums::default();
    Combo::all().for_each(|combo| sums.add(combo, theirs[combo.index()]));
    Combo::all()
        .filter(|combo| own[combo.index()] > 0.0)
        .map(|combo| own[combo.index()] * sums.matchups(combo, theirs[combo.index()]))
        .sum()
}

/// Measures one turn; the observer is told the fraction done.
///
/// # Errors
/// [`ResolveError`] if a turn cannot be solved.
pub fn turn_exploitability(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    board: Board,
    options: &ResolveOptions,
    observer: &mut dyn Observer,
) -> Result<TurnExploitability, ResolveError> {
    let mut lines = Vec::new();
    entries(blueprint, &blueprint.root(), &mut Vec::new(), board, &mut lines);
    let mut found = TurnExploitability::default();
    let count = lines.len();
    for (at, line) in lines.into_iter().enumerate() {
        if let Some(gains) = entry(blueprint, buckets, line, options)? {
            found.entries += 1;
            found.blueprint += gains.blueprint;
            found.resolved += gains.resolved;
            found.iterations += gains.iterations;
        }
        if observer.progress(&((at + 1) as f64 / count as f64)).is_break() {
            return Err(ResolveError::Cancelled);
        }
    }
    // All pairs of hands on a board of four cards are equally likely.
    let all = f64::from(48 * 47 / 2) * f64::from(46 * 45 / 2);
    let unit = 1000.0 * blueprint.header().game.big_blinds(1.0) / all;
    (found.blueprint, found.resolved) = (unit * found.blueprint, unit * found.resolved);
    Ok(found)
}

/// One line; `None` if the blueprint never brings both players there.
fn entry(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    line: Line<'_>,
    options: &ResolveOptions,
) -> Result<Option<TurnExploitability>, ResolveError> {
    let board = line.board;
    let hand = *line.position.hand();
    let reaches = line.reaches(blueprint, buckets)?;
    let pairs = pairs(&reaches);
    if pairs <= 0.0 {
        return Ok(None);
    }
    let tree = StreetTree::new(&hand, &blueprint.header().game.betting, &[])?;
    let ranges = PerPlayer::from_fn(|player| {
        let mut range = Range::default();
        for combo in live(board) {
            let weight = reaches[player][combo.index()].min(1.0) as f32;
            range.set(combo, weight).expect("a weight from 0 to 1");
        }
        range
    });
    let spot = Spot::new(ranges, board, &tree.config)?;
    let solver_options =
        Options { threads: options.threads, memory_limit: options.memory_limit, ..Options::default() };
    let mut solver = Solver::new(spot, &solver_options).map_err(SubgameError::from)?;
    let positions = tree.positions(solver.solution().spot().tree(), blueprint, &line.position);
    BlueprintPlay { blueprint, buckets, board, positions, end: None }.set(&mut solver)?;
    let shared = hand.pot().as_f64() * pairs;
    let gain = |both: f64| (both - shared) / 2.0;
    let both: f64 =
        Player::ALL.map(|player| best_response(&mut solver, player, &reaches[player])).iter().sum();
    let mut found = TurnExploitability { entries: 1, blueprint: gain(both), ..TurnExploitability::default() };
    let mut both = 0.0;
    for hero in Player::ALL {
        let actions = if hero == Player::Oop { Vec::new() } else { vec![Action::Check] };
        let history = History { line: line.clone(), hand, actions, offered: None, held: None };
        let resolved = resolve(blueprint, buckets, &history, None, options, &mut ())?;
        found.iterations += u64::from(resolved.iterations);
        let Some(solved) = &resolved.solved else { continue };
        let tree = solved.subgame.spot().tree();
        solver.set_strategies(&|node, runout| {
            if tree.node(node).player() != Some(hero) {
                return Vec::new();
            }
            let found = solved.subgame.strategy(node, runout).map(|found| found.combos).unwrap_or_default();
            found.into_iter().map(|combo| (combo.combo, combo.frequencies)).collect()
        });
        both += best_response(&mut solver, hero.opponent(), &reaches[hero.opponent()]);
    }
    found.resolved = gain(both);
    Ok(Some(found))
}
