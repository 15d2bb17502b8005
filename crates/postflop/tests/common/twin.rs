//! A solver that is as naive as can be: recursion, no isomorphism, every pair of combos compared, `f64`.

use std::cell::Cell;
use std::collections::HashMap;

use equipoise_cards::{Board, Card, Combo, Range, Strength};
use equipoise_cfr::{Algorithm, Asymmetry, AsymmetrySums, Coefficients, Scheme};
use equipoise_game::{NodeId, NodeKind, Player};
use equipoise_postflop::{LockedStrategy, Spot};

use super::prizes::payoff;

/// Frequencies, regrets or sums: by combo, then by action.
pub type Numbers = Vec<Vec<f64>>;
type Key = (NodeId, Vec<Card>);

/// What the own player does with the values of the actions.
#[derive(Clone, Copy, PartialEq)]
pub enum Own {
    Average,
    Best,
}

/// A spot and a list of combos per player; vectors are over these lists whatever the board.
pub struct Twin<'a> {
    pub spot: &'a Spot,
    pub combos: [Vec<(Combo, f64)>; 2],
}

impl<'a> Twin<'a> {
    pub fn new(spot: &'a Spot) -> Twin<'a> {
        let list = |range: &Range| range.iter().map(|(combo, weight)| (combo, f64::from(weight))).collect();
        Twin { spot, combos: spot.ranges().as_ref().map(list).into_array() }
    }

    /// The weight of all deals.
    pub fn num_deals(&self) -> f64 {
        let pairs = self.combos[0].iter().flat_map(|a| self.combos[1].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| !a.0.cards().intersects(b.0.cards())).map(|(a, b)| a.1 * b.1).sum()
    }

    pub fn weights(&self, player: Player) -> Vec<f64> {
        self.combos[player.index()].iter().map(|&(_, weight)| weight).collect()
    }

    /// The locked frequencies of a combo.
    pub fn lock(&self, node: NodeId, runout: &[Card], combo: Combo) -> Option<Vec<f64>> {
        let mut found = None;
        for lock in self.spot.locks() {
            let here = self.spot.tree().find(&lock.line) == Ok(node);
            if !here || !(lock.runout.is_empty() || lock.runout == runout) {
                continue;
            }
            match &lock.strategy {
                LockedStrategy::Every(frequencies) => found = Some(frequencies.clone()),
                LockedStrategy::Combos(combos) => {
                    found =
                        combos.iter().rfind(|(other, _)| *other == combo).map(|(_, f)| f.clone()).or(found);
                }
            }
        }
        found
    }

    fn runout(&self, board: &Board) -> Vec<Card> {
        board.cards()[self.spot.board().cards().len()..].to_vec()
    }

    /// Values of the own combos at the end of a hand.
    fn end(&self, node: NodeId, board: &Board, player: Player, reach: &[f64]) -> Vec<f64> {
        let end = self.spot.tree().terminal(node).unwrap();
        let (own, other) = (player.index(), player.opponent().index());
        // What losing, sharing and winning pay.
        let pays = [0.0, 0.5, 1.0].map(|share| {
            let won = share * (end.pot().as_f64() - end.rake());
            payoff(self.spot, player, won - end.invested().as_f64())
        });
        let mut values = vec![0.0; self.combos[own].len()];
        for (value, (combo, _)) in values.iter_mut().zip(&self.combos[own]) {
            for ((theirs, _), reach) in self.combos[other].iter().zip(reach) {
                let cards = combo.cards() | theirs.cards();
                if cards.len() < 4 || cards.intersects(board.set()) {
                    continue;
                }
                let strength = |combo: &Combo| Strength::of(combo.cards() | board.set());
                let result = match end.folded() {
                    Some(folded) if folded == player => 0,
                    Some(_) => 2,
                    None => (strength(combo).cmp(&strength(theirs)) as i8 + 1) as usize,
                };
                *value += reach * pays[result];
            }
        }
        values
    }

    /// The mean over the next cards of what `then` says.
    fn deal(
        &self,
        board: &Board,
        player: Player,
        reach: &[f64],
        then: &mut dyn FnMut(&Board, &[f64]) -> Vec<f64>,
    ) -> Vec<f64> {
        let mut sum = vec![0.0; self.combos[player.index()].len()];
        let left = (48 - board.cards().len()) as f64;
        for card in Card::ALL {
            let Some(next) = board.deal(card) else { continue };
            let theirs = &self.combos[player.opponent().index()];
            let reach: Vec<f64> = theirs
                .iter()
                .zip(reach)
                .map(|((combo, _), &reach)| if combo.cards().contains(card) { 0.0 } else { reach })
                .collect();
            for ((sum, value), (combo, _)) in
                sum.iter_mut().zip(then(&next, &reach)).zip(&self.combos[player.index()])
            {
                if !combo.cards().contains(card) {
                    *sum += value / left;
                }
            }
        }
        sum
    }

    /// Values of the own combos when the opponent plays `strategy`.
    pub fn values(
        &self,
        node: NodeId,
        board: &Board,
        player: Player,
        reach: &[f64],
        own: Own,
        strategy: &dyn Fn(NodeId, &[Card]) -> Numbers,
    ) -> Vec<f64> {
        let tree = self.spot.tree();
        let go = |child: NodeId, board: &Board, reach: &[f64]| {
            self.values(child, board, player, reach, own, strategy)
        };
        match tree.node(node).kind() {
            NodeKind::Chance => {
                let child = tree.node(node).children().next().unwrap();
                self.deal(board, player, reach, &mut |board, reach| go(child, board, reach))
            }
            NodeKind::Runout if board.cards().len() < 5 => {
                self.deal(board, player, reach, &mut |board, reach| go(node, board, reach))
            }
            NodeKind::Decision(actor) => {
                let runout = self.runout(board);
                let numbers = strategy(node, &runout);
                let children: Vec<Vec<f64>> = tree
                    .node(node)
                    .children()
                    .enumerate()
                    .map(|(action, child)| {
                        let reach: Vec<f64> = if actor == player {
                            reach.to_vec()
                        } else {
                            reach.iter().zip(&numbers).map(|(reach, shares)| reach * shares[action]).collect()
                        };
                        go(child, board, &reach)
                    })
                    .collect();
                let of_combo = |at: usize| {
                    let values = children.iter().map(|values| values[at]);
                    let locked = self.lock(node, &runout, self.combos[player.index()][at].0).is_some();
                    match (actor == player, own) {
                        (false, _) => values.sum(),
                        (true, Own::Best) if !locked => values.fold(f64::NEG_INFINITY, f64::max),
                        _ => values.zip(&numbers[at]).map(|(value, share)| value * share).sum(),
                    }
                };
                (0..self.combos[player.index()].len()).map(of_combo).collect()
            }
            _ => self.end(node, board, player, reach),
        }
    }

    /// The mean over deals of values that are sums over the opponent's weight.
    pub fn mean(&self, player: Player, values: &[f64]) -> f64 {
        let weighted =
            self.combos[player.index()].iter().zip(values).map(|((_, weight), value)| weight * value);
        weighted.sum::<f64>() / self.num_deals()
    }
}

#[derive(Clone)]
struct Entry {
    regret: Numbers,
    last: Numbers,
    average: Numbers,
    sums: AsymmetrySums,
    /// Whether the opponent has been here; even a combo without matchups then has rounding errors.
    is_open: Vec<bool>,
}

/// Training in the naive way, with the schedule of the real solver: the average is updated at the decisions of
/// the opponent of whoever traverses.
pub struct Trainer<'a> {
    pub twin: Twin<'a>,
    algorithm: Algorithm,
    tables: HashMap<Key, Entry>,
    t: u32,
    /// Whether some combo had regrets so near to 0 that rounding decides its strategy.
    pub is_ambiguous: Cell<bool>,
}

impl<'a> Trainer<'a> {
    pub fn new(spot: &'a Spot, algorithm: Algorithm) -> Trainer<'a> {
        Trainer {
            twin: Twin::new(spot),
            algorithm,
            tables: HashMap::new(),
            t: 0,
            is_ambiguous: Cell::new(false),
        }
    }

    pub fn iterate(&mut self) {
        self.t += 1;
        let (now, next) = (self.algorithm.coefficients(self.t), self.algorithm.coefficients(self.t + 1));
        let board = *self.twin.spot.board();
        for (player, theirs) in [(Player::Oop, now), (Player::Ip, next)] {
            let reach = self.twin.weights(player.opponent());
            self.visit(NodeId::ROOT, &board, player, &reach, &now, &theirs);
        }
    }

    fn current(
        &self,
        entry: &Entry,
        node: NodeId,
        runout: &[Card],
        player: usize,
        opening: &Coefficients,
    ) -> Numbers {
        let a = match self.algorithm.requirements().asymmetry {
            Some(Asymmetry::Auto { max }) => entry.sums.asymmetry(max),
            _ => 0.0,
        };
        let of_combo = |at: usize| {
            if let Some(lock) = self.twin.lock(node, runout, self.twin.combos[player][at].0) {
                return lock;
            }
            let seen = |(&regret, &last): (&f64, &f64)| opening.prediction.apply(regret, last, a);
            let seen: Vec<f64> = entry.regret[at].iter().zip(&entry.last[at]).map(seen).collect();
            let best = seen.iter().copied().fold(0.0, f64::max);
            let live = self.t > 1 && seen.len() > 1 && entry.is_open[at];
            if live && best < 1e-4 * opening.instant {
                self.is_ambiguous.set(true);
            }
            share(&seen.iter().map(|part| part.max(0.0)).collect::<Vec<f64>>())
        };
        (0..entry.regret.len()).map(of_combo).collect()
    }

    fn visit(
        &mut self,
        node: NodeId,
        board: &Board,
        player: Player,
        reach: &[f64],
        now: &Coefficients,
        theirs: &Coefficients,
    ) -> Vec<f64> {
        let spot = self.twin.spot;
        let tree = spot.tree();
        let NodeKind::Decision(actor) = tree.node(node).kind() else {
            let twin = Twin::new(spot);
            return match tree.node(node).kind() {
                NodeKind::Chance => {
                    let child = tree.node(node).children().next().unwrap();
                    twin.deal(board, player, reach, &mut |board, reach| {
                        self.visit(child, board, player, reach, now, theirs)
                    })
                }
                _ => twin.values(node, board, player, reach, Own::Average, &|_, _| unreachable!()),
            };
        };
        let runout = self.twin.runout(board);
        let actions = tree.node(node).num_children();
        let empty = vec![vec![0.0; actions]; self.twin.combos[actor.index()].len()];
        let sums = AsymmetrySums::default();
        let entry = self.tables.entry((node, runout.clone())).or_insert_with(|| Entry {
            regret: empty.clone(),
            last: empty.clone(),
            average: empty.clone(),
            sums,
            is_open: vec![false; empty.len()],
        });
        let entry = entry.clone();
        let opening = if actor == player { now } else { theirs };
        let strategy = self.current(&entry, node, &runout, actor.index(), opening);
        let mut children = Vec::new();
        for (action, child) in tree.node(node).children().enumerate() {
            let reach: Vec<f64> = if actor == player {
                reach.to_vec()
            } else {
                reach.iter().zip(&strategy).map(|(reach, shares)| reach * shares[action]).collect()
            };
            children.push(self.visit(child, board, player, &reach, now, theirs));
        }
        let blocked = |at: usize| self.twin.combos[actor.index()][at].0.cards().intersects(board.set());
        let mut entry = entry;
        if actor != player {
            let own_reach = self.algorithm.requirements().own_reach;
            for (at, shares) in strategy.iter().enumerate() {
                let weight = if own_reach { reach[at] } else { 1.0 };
                for (sum, share) in entry.average[at].iter_mut().zip(shares) {
                    *sum = now.average * *sum + weight * share;
                }
            }
        }
        let num_combos = self.twin.combos[player.index()].len();
        let mut values = vec![0.0; num_combos];
        for (at, value) in values.iter_mut().enumerate() {
            if actor != player {
                *value = children.iter().map(|child| child[at]).sum();
                continue;
            }
            *value = children.iter().zip(&strategy[at]).map(|(child, share)| child[at] * share).sum();
            if blocked(at) || self.twin.lock(node, &runout, self.twin.combos[actor.index()][at].0).is_some() {
                continue;
            }
            entry.is_open[at] |= reach.iter().any(|&reach| reach > 0.0);
            for (action, child) in children.iter().enumerate() {
                let instant = child[at] - *value;
                let old = entry.regret[at][action];
                let new = now.next_regret(old, instant);
                entry.sums.instant += (instant - entry.last[at][action]).powi(2);
                entry.sums.regret += (new - old).powi(2);
                entry.regret[at][action] = new;
                entry.last[at][action] = instant;
            }
        }
        self.tables.insert((node, runout), entry);
        values
    }

    /// The average strategy.
    pub fn average(&self, node: NodeId, runout: &[Card]) -> Numbers {
        let player = self.twin.spot.tree().node(node).player().unwrap().index();
        let entry = &self.tables[&(node, runout.to_vec())];
        let of_combo = |(at, sums): (usize, &Vec<f64>)| {
            self.twin.lock(node, runout, self.twin.combos[player][at].0).unwrap_or_else(|| share(sums))
        };
        entry.average.iter().enumerate().map(of_combo).collect()
    }
}

fn share(parts: &[f64]) -> Vec<f64> {
    let sum: f64 = parts.iter().sum();
    if sum > 0.0 {
        parts.iter().map(|part| part / sum).collect()
    } else {
        vec![1.0 / parts.len() as f64; parts.len()]
    }
}
