//! What each action of a decision is worth when both play the blueprint: on boards that are drawn, against all combos of the
//! opponent at once. For decisions whose street is too large to be solved again.

use std::num::NonZeroUsize;

use equipoise_cards::{Board, Card, CardSet, Combo, Street, Strength};
use equipoise_game::{Action, NodeKind, Player, Winner};
use equipoise_progress::{Observer, Progress};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::bucketed::betting::Betting;
use crate::bucketed::{BucketedError, Buckets};
use crate::resolve::ResolveError;
use crate::whole::{Blueprint, Line};

/// How many boards are drawn, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct RolloutOptions {
    /// How many.
    pub boards: u32,
    /// What determines which.
    pub seed: u64,
    /// How many threads work; absent: one per processor. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for RolloutOptions {
    fn default() -> RolloutOptions {
        RolloutOptions { boards: 200, seed: 0, threads: None }
    }
}

/// What a combo's actions are worth at a decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ActionValues {
    /// Who acts.
    pub player: Player,
    /// What the blueprint considers.
    pub actions: Vec<Action>,
    /// How often it takes each action.
    pub frequencies: Vec<f64>,
    /// Chips received less chips invested, from here on.
    pub evs: Vec<f64>,
    /// By action: how much less it is worth than the best one.
    pub losses: Vec<f64>,
    /// The standard errors of the losses: the same boards come after every action.
    pub std_errors: Vec<f64>,
}

/// What each action is worth to a combo at the end of a line; `None` if nobody acts there, the board blocks the combo, or the
/// blueprint never brings the opponent there.
///
/// # Errors
/// [`ResolveError`] if the buckets of a board cannot be read, or the observer ends the work.
pub fn action_values(
    blueprint: &Blueprint,
    buckets: &dyn Buckets,
    line: &Line<'_>,
    combo: Combo,
    options: &RolloutOptions,
    observer: &mut dyn Observer,
) -> Result<Option<ActionValues>, ResolveError> {
    let hand = line.position.hand();
    let NodeKind::Decision(player) = hand.kind() else { return Ok(None) };
    let street = hand.street();
    let known =
        Board::new(&line.board.cards()[..street.num_board_cards()]).expect("a part of a board is one");
    if combo.cards().intersects(known.set()) {
        return Ok(None);
    }
    let reaches = line.reaches(blueprint, buckets)?;
    let reach = &reaches[player.opponent()];
    let is_live =
        |other: Combo| reach[other.index()] > 0.0 && !other.cards().intersects(combo.cards() | known.set());
    let opponents: Vec<(Combo, f64)> =
        Combo::all().filter(|&other| is_live(other)).map(|other| (other, reach[other.index()])).collect();
    if opponents.is_empty() {
        return Ok(None);
    }
    let walk = Walk { blueprint, betting: blueprint.betting(), player, combo, opponents: &opponents };
    let node = line.position.node;
    // Every board is drawn once if few can come.
    let count = if street == Street::River { 1 } else { u64::from(options.boards.max(2)) };
    let progress = Progress::new(observer, count);
    let one = |number: u64| -> Result<Vec<f64>, ResolveError> {
        let values = walk.board(buckets, node, known, options.seed, number)?;
        progress.advance(1).map_err(|_| ResolveError::Cancelled)?;
        Ok(values)
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, NonZeroUsize::get))
        .build()
        .map_err(|error| BucketedError::Threads { reason: error.to_string() })?;
    let boards: Vec<Vec<f64>> =
        pool.install(|| (0..count).into_par_iter().map(one).collect::<Result<_, _>>())?;
    // A board blocks as large a part of the opponent's combos on average as of any one of them.
    let deck = (52 - 2 - known.cards().len()) as f64;
    let missing = (5 - known.cards().len()) as f64;
    let is_free = (deck - missing) * (deck - missing - 1.0) / (deck * (deck - 1.0));
    let all = is_free * opponents.iter().map(|(_, weight)| weight).sum::<f64>();
    let invested = -(hand.winnings(Winner::Player(player.opponent()))[player] as f64);
    let n = boards.len() as f64;
    let actions = line.position.actions();
    let mean = |of: &dyn Fn(&[f64]) -> f64| boards.iter().map(|board| of(board) / all).sum::<f64>() / n;
    let evs: Vec<f64> = (0..actions.len()).map(|action| mean(&|board| board[action]) + invested).collect();
    let best = (0..evs.len()).fold(0, |best, action| if evs[action] > evs[best] { action } else { best });
    let losses: Vec<f64> = evs.iter().map(|ev| evs[best] - ev).collect();
    let std_error = |action: usize| {
        let off = |board: &[f64]| (board[best] - board[action]) / all - losses[action];
        let squares: f64 = boards.iter().map(|board| off(board).powi(2)).sum();
        if boards.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 }
    };
    let std_errors = (0..actions.len()).map(std_error).collect();
    let bucket = buckets.of_board(&known)?[combo.index()];
    let frequencies = blueprint.strategy(&line.position, bucket as usize);
    Ok(Some(ActionValues { player, actions, frequencies, evs, losses, std_errors }))
}

/// A decision of one combo against all combos of the opponent.
struct Walk<'a> {
    blueprint: &'a Blueprint,
    betting: &'a Betting,
    player: Player,
    combo: Combo,
    opponents: &'a [(Combo, f64)],
}

/// One board.
struct OnBoard<'a> {
    walk: &'a Walk<'a>,
    /// By street: the bucket of the combo, and those of the opponent's.
    own: [usize; 4],
    theirs: [Vec<u32>; 4],
    /// By combo of the opponent: 1 if it loses the showdown, ½ if it ties.
    won: Vec<f64>,
}

impl Walk<'_> {
    /// By action: chips won on a board, times the weights of the opponent's combos.
    fn board(
        &self,
        buckets: &dyn Buckets,
        node: usize,
        known: Board,
        seed: u64,
        number: u64,
    ) -> Result<Vec<f64>, BucketedError> {
        let mut deck: Vec<Card> =
            CardSet::FULL.iter().filter(|&card| !(self.combo.cards() | known.set()).contains(card)).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut cards = known.cards().to_vec();
        while cards.len() < 5 {
            let at = ((u128::from(random.next_u64()) * deck.len() as u128) >> 64) as usize;
            cards.push(deck.swap_remove(at));
        }
        let board = Board::new(&cards).expect("the cards differ");
        let mut own = [0; 4];
        let mut theirs: [Vec<u32>; 4] = Default::default();
        for street in Street::ALL.into_iter().filter(|street| street.num_board_cards() >= known.cards().len())
        {
            let part = Board::new(&cards[..street.num_board_cards()]).expect("a part of a board is one");
            let of_board = buckets.of_board(&part)?;
            own[street as usize] = of_board[self.combo.index()] as usize;
            theirs[street as usize] =
                self.opponents.iter().map(|(other, _)| of_board[other.index()]).collect();
        }
        let strength = |combo: Combo| Strength::of(combo.cards() | board.set());
        let mine = strength(self.combo);
        let mut won = Vec::with_capacity(self.opponents.len());
        let mut weights = Vec::with_capacity(self.opponents.len());
        for &(other, weight) in self.opponents {
            let is_blocked = other.cards().intersects(board.set());
            weights.push(if is_blocked { 0.0 } else { weight });
            let theirs = if is_blocked { mine } else { strength(other) };
            won.push(match mine.cmp(&theirs) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            });
        }
        let on_board = OnBoard { walk: self, own, theirs, won };
        let street = known.street() as usize;
        let at = &self.betting.nodes[node];
        Ok((0..at.num_children)
            .map(|action| on_board.value(at.first_child + action, street, &weights))
            .collect())
    }
}

impl OnBoard<'_> {
    /// Chips that the combo wins below a node, times the weights.
    fn value(&self, node: usize, street: usize, weights: &[f64]) -> f64 {
        let Walk { blueprint, betting, player, .. } = *self.walk;
        let at = &betting.nodes[node];
        match at.kind {
            NodeKind::Chance => self.value(at.first_child, street + 1, weights),
            NodeKind::Decision(acts) if acts == player => (0..at.num_children)
                .map(|action| {
                    let frequency = blueprint.frequency(node, action, self.own[street]);
                    if frequency > 0.0 {
                        frequency * self.value(at.first_child + action, street, weights)
                    } else {
                        0.0
                    }
                })
                .sum(),
            NodeKind::Decision(_) => (0..at.num_children)
                .map(|action| {
                    let of_combo = |(&weight, &bucket): (&f64, &u32)| match weight > 0.0 {
                        true => weight * blueprint.frequency(node, action, bucket as usize),
                        false => 0.0,
                    };
                    let next: Vec<f64> = weights.iter().zip(&self.theirs[street]).map(of_combo).collect();
                    let is_taken = next.iter().any(|&weight| weight > 0.0);
                    if is_taken { self.value(at.first_child + action, street, &next) } else { 0.0 }
                })
                .sum(),
            NodeKind::Fold(folded) => {
                let pays = at.pays[player];
                let won = if folded == player { pays.lose } else { pays.win() };
                won * weights.iter().sum::<f64>()
            }
            _ => {
                let pays = at.pays[player];
                let stake = 2.0 * pays.half;
                weights.iter().zip(&self.won).map(|(weight, won)| weight * (pays.lose + stake * won)).sum()
            }
        }
    }
}
