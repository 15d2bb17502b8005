//! What hands are worth where the flop comes, when both go on by the blueprint: a value for each pair of hand classes, so that
//! play before the flop can change who comes there.
//!
//! A player may also go on by one of three other *continuations*: the blueprint with every fold, every check and call, or every
//! bet and raise made ten times as likely. What a continuation gains on the blueprint, against the range with which the other
//! player comes there, is a weakness of the blueprint's play after the flop; it is subtracted, so that it does not count before.
//!
//! Values are means over boards that are drawn, with a combo of each class drawn for each player. A showdown on the board
//! is the control variate, whose mean over all boards is the exact equity.

use std::num::NonZeroUsize;

use equipoise_cards::{Board, Card, CardSet, Combo, HandClass, Street, Strength};
use equipoise_equity::ClassTable;
use equipoise_game::{Action, HandState, NodeKind, PerPlayer, Player};
use equipoise_progress::{Observer, Progress};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::bucketed::betting::Betting;
use crate::bucketed::{BucketedError, Buckets};
use crate::resolve::ResolveError;
use crate::whole::Blueprint;

pub(super) const N: usize = HandClass::COUNT;
/// The blueprint, and what folds, calls and raises more.
pub(super) const CONTINUATIONS: usize = 4;
/// How much likelier they do.
const BIAS: f32 = 10.0;
/// Sums are made in this many parts, whatever the number of threads.
const PARTS: u64 = 8;

/// By player and continuation: a number for each class of the player and each class of the other one, row by row.
pub(super) type Matrices = PerPlayer<[Vec<f32>; CONTINUATIONS]>;

/// How flop entries are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct EntryOptions {
    /// How many boards are drawn.
    pub boards: u32,
    /// What determines which.
    pub seed: u64,
    /// How many threads work; absent: one per processor. The answer does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for EntryOptions {
    fn default() -> EntryOptions {
        EntryOptions { boards: 64, seed: 0, threads: None }
    }
}

/// Where the flop comes in the betting of a blueprint.
#[derive(Debug)]
pub(super) struct Entry {
    /// The hand before the cards come.
    pub hand: HandState,
    /// Who raised last; nobody after a limp and a check.
    pub raiser: Option<Player>,
    /// What a player receives from here on less what it invests, as a share of the pot; what continuations gain is subtracted.
    pub shares: Matrices,
}

/// What a blueprint's flop entries are worth.
#[derive(Debug)]
pub struct FlopEntries {
    pub(super) entries: Vec<Entry>,
    /// The blueprint that was measured.
    content_hash: u64,
}

/// A flop entry on the way, and how often each class of a player comes there.
struct Found {
    node: usize,
    hand: HandState,
    raiser: Option<Player>,
    reaches: PerPlayer<Vec<f64>>,
}

impl FlopEntries {
    /// Measures them: some seconds. The observer is told the fraction done.
    ///
    /// # Errors
    /// [`ResolveError`] if the buckets of a board cannot be read, or if the observer ends it.
    pub fn measure(
        blueprint: &Blueprint,
        buckets: &dyn Buckets,
        options: &EntryOptions,
        observer: &mut dyn Observer,
    ) -> Result<FlopEntries, ResolveError> {
        let mut found = Vec::new();
        let start = Found {
            node: 0,
            hand: *blueprint.root().hand(),
            raiser: None,
            reaches: PerPlayer::from_fn(|_| vec![1.0; N]),
        };
        find(blueprint, start, &mut found);
        let count = u64::from(options.boards.max(1));
        let progress = Progress::new(observer, count);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.map_or(0, NonZeroUsize::get))
            .build()
            .map_err(|error| BucketedError::Threads { reason: error.to_string() })?;
        let parts: Vec<Sums> = pool.install(|| {
            let part = |part: u64| -> Result<Sums, ResolveError> {
                let mut sums = Sums::new(found.len());
                for number in (part..count).step_by(PARTS as usize) {
                    let deal = Deal::new(blueprint, buckets, options.seed, number)?;
                    sums.add(blueprint, &found, &deal);
                    if progress.advance(1).is_err() {
                        return Err(ResolveError::Cancelled);
                    }
                }
                Ok(sums)
            };
            (0..PARTS).into_par_iter().map(part).collect::<Result<_, _>>()
        })?;
        let sums = parts.into_iter().reduce(Sums::join).expect("there are parts");
        let entries = found.into_iter().zip(sums.entries);
        let entries = entries.map(|(found, matrices)| entry(found, matrices, &sums.weights)).collect();
        Ok(FlopEntries { entries, content_hash: blueprint.content_hash() })
    }

    /// Whether these are the flop entries of a blueprint.
    #[must_use]
    pub fn are_of(&self, blueprint: &Blueprint) -> bool {
        self.content_hash == blueprint.content_hash()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether every hand ends before the flop.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of an entry to a player when both go on by the blueprint: by its class and the other player's, what it receives
    /// from the flop on less what it invests, as a share of the pot. Entries are in the order of the betting.
    #[must_use]
    pub fn share(&self, entry: usize, player: Player, own: HandClass, other: HandClass) -> f64 {
        f64::from(self.entries[entry].shares[player][0][own.index() * N + other.index()])
    }

    /// The hand where an entry begins, before the cards come.
    #[must_use]
    pub fn hand(&self, entry: usize) -> &HandState {
        &self.entries[entry].hand
    }
}

/// All entries below a node.
fn find(blueprint: &Blueprint, at: Found, entries: &mut Vec<Found>) {
    let node = &blueprint.betting().nodes[at.node];
    match node.kind {
        NodeKind::Chance => entries.push(at),
        NodeKind::Decision(player) => {
            let actions = blueprint.header().game.betting.actions(&at.hand);
            for (place, action) in actions.into_iter().enumerate() {
                let Ok(hand) = at.hand.act(action) else { continue };
                let mut reaches = at.reaches.clone();
                for (class, reach) in reaches[player].iter_mut().enumerate() {
                    *reach *= blueprint.frequency(at.node, place, class);
                }
                let raiser = action.total().map(|_| player).or(at.raiser);
                find(blueprint, Found { node: node.first_child + place, hand, raiser, reaches }, entries);
            }
        }
        _ => {}
    }
}

/// What was summed: values of entries less the control variate, times weights, and the weights.
struct Sums {
    entries: Vec<PerPlayer<[Vec<f32>; CONTINUATIONS]>>,
    /// By class of the small blind and of the big blind.
    weights: Vec<f32>,
}

fn zeros() -> PerPlayer<[Vec<f32>; CONTINUATIONS]> {
    PerPlayer::from_fn(|_| std::array::from_fn(|_| vec![0.0; N * N]))
}

impl Sums {
    fn new(count: usize) -> Sums {
        Sums { entries: (0..count).map(|_| zeros()).collect(), weights: vec![0.0; N * N] }
    }

    fn join(mut self, other: Sums) -> Sums {
        let add =
            |to: &mut Vec<f32>, from: &Vec<f32>| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        for (to, from) in self.entries.iter_mut().zip(&other.entries) {
            for player in Player::ALL {
                to[player].iter_mut().zip(&from[player]).for_each(|(to, from)| add(to, from));
            }
        }
        add(&mut self.weights, &other.weights);
        self
    }

    fn add(&mut self, blueprint: &Blueprint, found: &[Found], deal: &Deal) {
        for (entry, found) in self.entries.iter_mut().zip(found) {
            let pot = found.hand.pot().as_f64();
            let mut walk =
                Walk { blueprint, betting: blueprint.betting(), deal, lost: zeros(), staked: zeros() };
            let is_live = |count: &f32| f32::from(u8::from(*count > 0.0));
            let reach = PerPlayer::from_fn(|player| {
                std::array::from_fn(|_| deal.counts[player].iter().map(is_live).collect())
            });
            walk.visit(found.node, &found.hand, Street::Preflop, &reach);
            for player in Player::ALL {
                let invested = found.hand.invested(player).as_f64();
                for (place, to) in entry[player].iter_mut().enumerate() {
                    let (lost, staked) = (&walk.lost[player][place], &walk.staked[player][place]);
                    for (at, to) in to.iter_mut().enumerate() {
                        let (weight, won) = deal.pair(player, at / N, at % N);
                        if weight > 0.0 {
                            let value =
                                f64::from(lost[at]) + f64::from(won) * f64::from(staked[at]) + invested;
                            *to += weight * (value / pot - f64::from(won) / 2.0) as f32;
                        }
                    }
                }
            }
        }
        for (at, weight) in self.weights.iter_mut().enumerate() {
            *weight += deal.pair(Player::Ip, at / N, at % N).0;
        }
    }
}

/// A board, and a combo of each class for each player.
struct Deal {
    /// By street and player: the bucket of each class's combo.
    buckets: [PerPlayer<Vec<u32>>; 4],
    /// By player and class: how many combos the board leaves.
    counts: PerPlayer<Vec<f32>>,
    cards: PerPlayer<Vec<CardSet>>,
    strengths: PerPlayer<Vec<Option<Strength>>>,
}

impl Deal {
    fn new(
        blueprint: &Blueprint,
        buckets: &dyn Buckets,
        seed: u64,
        number: u64,
    ) -> Result<Deal, BucketedError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut below = |count: usize| ((u128::from(random.next_u64()) * count as u128) >> 64) as usize;
        let mut deck: Vec<Card> = CardSet::FULL.iter().collect();
        let cards: Vec<Card> = (0..5).map(|_| deck.swap_remove(below(deck.len()))).collect();
        let board = Board::new(&cards).expect("the cards differ");
        let mut counts = PerPlayer::from_fn(|_| vec![0.0; N]);
        let mut combos = PerPlayer::from_fn(|_| vec![None; N]);
        for player in Player::ALL {
            for class in HandClass::all() {
                let live: Vec<Combo> =
                    class.combos().filter(|combo| !combo.cards().intersects(board.set())).collect();
                if !live.is_empty() {
                    counts[player][class.index()] = live.len() as f32;
                    combos[player][class.index()] = Some(live[below(live.len())]);
                }
            }
        }
        let mut of_streets: [PerPlayer<Vec<u32>>; 4] = Default::default();
        for street in [Street::Flop, Street::Turn, Street::River] {
            let part = Board::new(&cards[..street.num_board_cards()]).expect("a part of a board is one");
            let of_board = buckets.of_board(&part)?;
            let count = blueprint.header().num_buckets[street as usize];
            if let Some(&bucket) = of_board.iter().find(|&&bucket| bucket as usize >= count) {
                return Err(BucketedError::UnknownBucket { street, bucket });
            }
            let bucket = |combo: &Option<Combo>| combo.map_or(0, |combo| of_board[combo.index()]);
            of_streets[street as usize] =
                PerPlayer::from_fn(|player: Player| combos[player].iter().map(bucket).collect());
        }
        let set = |combo: &Option<Combo>| combo.map_or(CardSet::EMPTY, Combo::cards);
        let strength =
            |combo: &Option<Combo>| combo.and_then(|combo| Strength::of(combo.cards() | board.set()));
        Ok(Deal {
            buckets: of_streets,
            counts,
            cards: combos.as_ref().map(|combos| combos.iter().map(set).collect()),
            strengths: combos.as_ref().map(|combos| combos.iter().map(strength).collect()),
        })
    }

    /// How many pairs of combos stand behind one of two classes, 0 if their cards meet; and what the player's wins at a showdown:
    /// 2, 1 for a tie, or 0.
    fn pair(&self, player: Player, own: usize, other: usize) -> (f32, f32) {
        let villain = player.opponent();
        let weight = self.counts[player][own] * self.counts[villain][other];
        if weight <= 0.0 || self.cards[player][own].intersects(self.cards[villain][other]) {
            return (0.0, 0.0);
        }
        let won = match self.strengths[player][own].cmp(&self.strengths[villain][other]) {
            std::cmp::Ordering::Greater => 2.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Less => 0.0,
        };
        (weight, won)
    }
}

/// By player and continuation: how likely each class's own actions lead to a node.
type Reach = PerPlayer<[Vec<f32>; CONTINUATIONS]>;

/// The betting after a flop entry on one board.
struct Walk<'a> {
    blueprint: &'a Blueprint,
    betting: &'a Betting,
    deal: &'a Deal,
    /// What hands pay where they lose, and what a tie pays more than a loss, by pair of classes.
    lost: Matrices,
    staked: Matrices,
}

impl Walk<'_> {
    fn visit(&mut self, node: usize, hand: &HandState, street: Street, reach: &Reach) {
        let at = &self.betting.nodes[node];
        match at.kind {
            NodeKind::Chance => {
                let next = Street::ALL[street as usize + 1];
                let Ok(hand) = hand.deal() else { return };
                self.visit(at.first_child, &hand, next, reach);
            }
            NodeKind::Decision(player) => {
                let actions = self.blueprint.header().game.betting.actions(hand);
                let shares = self.shares(node, player, street, &actions);
                for (place, &action) in actions.iter().enumerate() {
                    let Ok(after) = hand.act(action) else { continue };
                    let mut next = reach.clone();
                    let mut is_reached = false;
                    for (reach, shares) in next[player].iter_mut().zip(&shares[place]) {
                        for (reach, share) in reach.iter_mut().zip(shares) {
                            *reach *= share;
                            is_reached |= *reach > 0.0;
                        }
                    }
                    if is_reached {
                        self.visit(at.first_child + place, &after, street, &next);
                    }
                }
            }
            NodeKind::Fold(folded) => {
                let pays = at.pays;
                let won = |player| if folded == player { pays[player].lose } else { pays[player].win() };
                self.end(reach, PerPlayer::from_fn(won), None);
            }
            _ => self.end(reach, at.pays.map(|pays| pays.lose), Some(at.pays.map(|pays| pays.half))),
        }
    }

    /// By action and continuation: how often each class takes it.
    fn shares(
        &self,
        node: usize,
        player: Player,
        street: Street,
        actions: &[Action],
    ) -> Vec<[Vec<f32>; CONTINUATIONS]> {
        let kind = |action: &Action| match action {
            Action::Fold => 1,
            Action::Check | Action::Call => 2,
            _ => 3,
        };
        let mut shares: Vec<[Vec<f32>; CONTINUATIONS]> =
            actions.iter().map(|_| std::array::from_fn(|_| vec![0.0; N])).collect();
        let mut plain = vec![0.0_f32; actions.len()];
        let bias =
            |place: usize, continuation| if kind(&actions[place]) == continuation { BIAS } else { 1.0 };
        for (class, &bucket) in self.deal.buckets[street as usize][player].iter().enumerate() {
            for (place, share) in plain.iter_mut().enumerate() {
                *share = self.blueprint.frequency(node, place, bucket as usize) as f32;
            }
            let totals: [f32; CONTINUATIONS] = std::array::from_fn(|continuation| {
                plain.iter().enumerate().map(|(place, share)| share * bias(place, continuation)).sum()
            });
            for (place, shares) in shares.iter_mut().enumerate() {
                for (continuation, (shares, &total)) in shares.iter_mut().zip(&totals).enumerate() {
                    shares[class] =
                        if total > 0.0 { plain[place] * bias(place, continuation) / total } else { 0.0 };
                }
            }
        }
        shares
    }

    /// The end of a hand: the other player goes on by the blueprint.
    fn end(&mut self, reach: &Reach, lose: PerPlayer<f64>, half: Option<PerPlayer<f64>>) {
        for player in Player::ALL {
            let theirs = &reach[player.opponent()][0];
            let add = |to: &mut [f32], own: &[f32], pays: f64| {
                for (row, &own) in to.chunks_exact_mut(N).zip(own).filter(|(_, own)| **own > 0.0) {
                    let own = own * pays as f32;
                    row.iter_mut().zip(theirs).for_each(|(to, theirs)| *to += own * theirs);
                }
            };
            for continuation in 0..CONTINUATIONS {
                let own = &reach[player][continuation];
                add(&mut self.lost[player][continuation], own, lose[player]);
                if let Some(half) = &half {
                    add(&mut self.staked[player][continuation], own, half[player]);
                }
            }
        }
    }
}

/// The means, without what continuations gain.
fn entry(found: Found, mut shares: Matrices, weights: &[f32]) -> Entry {
    let table = ClassTable::shipped();
    let classes: Vec<HandClass> = HandClass::all().collect();
    for player in Player::ALL {
        for matrix in &mut shares[player] {
            for (at, share) in matrix.iter_mut().enumerate() {
                let (own, other) = (at / N, at % N);
                let weight = weights[if player == Player::Ip { at } else { other * N + own }];
                let matchup = table.matchup(classes[own], classes[other]);
                let equity = if matchup.num_combos() > 0 { matchup.equity() as f32 } else { 0.0 };
                *share = if weight > 0.0 { equity + *share / weight } else { equity };
            }
        }
        let theirs = &found.reaches[player.opponent()];
        let [blueprint, others @ ..] = &mut shares[player];
        for other in others {
            for own in 0..N {
                let row = own * N..(own + 1) * N;
                let (mut gain, mut total) = (0.0, 0.0);
                for (column, at) in row.clone().enumerate() {
                    let combos = f64::from(table.matchup(classes[own], classes[column]).num_combos());
                    let weight = combos * theirs[column];
                    gain += weight * f64::from(other[at] - blueprint[at]);
                    total += weight;
                }
                if total > 0.0 && gain > 0.0 {
                    let gain = (gain / total) as f32;
                    other[row].iter_mut().for_each(|share| *share -= gain);
                }
            }
        }
    }
    Entry { hand: found.hand, raiser: found.raiser, shares }
}
