//! Abstract players as naive as can be: every pair of combos and every river is walked apart, with one number at a time.

use std::collections::HashMap;

use equipoise_cards::{Board, Card, Combo, Strength};
use equipoise_cfr::{Algorithm, Coefficients, Scheme};
use equipoise_game::{NodeId, NodeKind, Player};
use equipoise_postflop::Spot;

/// What a player knows: the betting and a bucket.
type Key = (NodeId, u32);

#[derive(Clone, Debug)]
struct Entry {
    regret: Vec<f64>,
    last: Vec<f64>,
    current: Vec<f64>,
    average: Vec<f64>,
    /// Of this pass.
    instant: Vec<f64>,
    reach: f64,
}

pub(crate) struct Twin<'a> {
    spot: &'a Spot,
    buckets: &'a dyn Fn(Combo, &Board) -> u32,
    algorithm: Algorithm,
    entries: HashMap<Key, Entry>,
}

impl<'a> Twin<'a> {
    pub(crate) fn new(
        spot: &'a Spot,
        buckets: &'a dyn Fn(Combo, &Board) -> u32,
        algorithm: Algorithm,
    ) -> Twin<'a> {
        Twin { spot, buckets, algorithm, entries: HashMap::new() }
    }

    pub(crate) fn iterate(&mut self, t: u32) {
        let (now, next) = (self.algorithm.coefficients(t), self.algorithm.coefficients(t + 1));
        for own in Player::ALL {
            let spot = self.spot;
            for (ours, weight) in spot.ranges()[own].iter() {
                for (theirs, other) in spot.ranges()[own.opponent()].iter() {
                    if !ours.cards().intersects(theirs.cards()) {
                        let reach = f64::from(weight) * f64::from(other);
                        self.walk(NodeId::ROOT, spot.board(), own, [ours, theirs], reach);
                    }
                }
            }
            for (theirs, weight) in spot.ranges()[own.opponent()].iter() {
                self.reach(NodeId::ROOT, spot.board(), own.opponent(), theirs, f64::from(weight));
            }
            self.close(own, &now, &next);
        }
    }

    /// The average strategy of a combo; uniform where its bucket was never reached.
    pub(crate) fn average(&self, node: NodeId, board: &Board, combo: Combo) -> Vec<f64> {
        let sums = &self.entries[&(node, (self.buckets)(combo, board))].average;
        let total: f64 = sums.iter().sum();
        sums.iter().map(|sum| if total > 0.0 { sum / total } else { 1.0 / sums.len() as f64 }).collect()
    }

    fn entry(&mut self, node: NodeId, board: &Board, combo: Combo) -> &mut Entry {
        let actions = self.spot.tree().node(node).num_children();
        self.entries.entry((node, (self.buckets)(combo, board))).or_insert_with(|| Entry {
            regret: vec![0.0; actions],
            last: vec![0.0; actions],
            current: vec![1.0 / actions as f64; actions],
            average: vec![0.0; actions],
            instant: vec![0.0; actions],
            reach: 0.0,
        })
    }

    /// What the own player gets from here with these cards; collects instant regrets, weighted by all reach but its own.
    fn walk(&mut self, node: NodeId, board: &Board, own: Player, cards: [Combo; 2], reach: f64) -> f64 {
        let tree = self.spot.tree();
        let used = cards[0].cards() | cards[1].cards();
        let children: Vec<NodeId> = tree.node(node).children().collect();
        match tree.node(node).kind() {
            NodeKind::Decision(player) if player == own => {
                let strategy = self.entry(node, board, cards[0]).current.clone();
                let values: Vec<f64> =
                    children.iter().map(|&child| self.walk(child, board, own, cards, reach)).collect();
                let value: f64 = values.iter().zip(&strategy).map(|(value, share)| value * share).sum();
                let entry = self.entry(node, board, cards[0]);
                for (instant, action) in entry.instant.iter_mut().zip(values) {
                    *instant += reach * (action - value);
                }
                value
            }
            NodeKind::Decision(_) => {
                let strategy = self.entry(node, board, cards[1]).current.clone();
                let walk = |(&child, share): (&NodeId, &f64)| {
                    share * self.walk(child, board, own, cards, reach * share)
                };
                children.iter().zip(&strategy).map(walk).sum()
            }
            NodeKind::Chance => each_river(board, used)
                .map(|river| self.walk(children[0], &river, own, cards, reach / 44.0) / 44.0)
                .sum(),
            NodeKind::Runout => {
                each_river(board, used).map(|river| self.end(node, &river, own, cards) / 44.0).sum()
            }
            NodeKind::Fold(_) | NodeKind::Showdown => self.end(node, board, own, cards),
        }
    }

    fn end(&self, node: NodeId, board: &Board, own: Player, cards: [Combo; 2]) -> f64 {
        let end = self.spot.tree().terminal(node).unwrap();
        let [ours, theirs] = cards.map(|combo| Strength::of(combo.cards() | board.set()));
        match end.folded() {
            Some(folded) if folded == own => end.lose(own),
            Some(_) => end.win(own),
            None if ours > theirs => end.win(own),
            None if ours < theirs => end.lose(own),
            None => end.tie(own),
        }
    }

    /// Adds up a player's own reach, river by river.
    fn reach(&mut self, node: NodeId, board: &Board, player: Player, combo: Combo, reach: f64) {
        let tree = self.spot.tree();
        let children: Vec<NodeId> = tree.node(node).children().collect();
        match tree.node(node).kind() {
            NodeKind::Decision(acts) => {
                let mut shares = vec![1.0; children.len()];
                if acts == player {
                    let entry = self.entry(node, board, combo);
                    entry.reach += reach;
                    shares = entry.current.clone();
                }
                for (&child, share) in children.iter().zip(shares) {
                    self.reach(child, board, player, combo, reach * share);
                }
            }
            NodeKind::Chance => {
                for river in each_river(board, combo.cards()) {
                    self.reach(children[0], &river, player, combo, reach);
                }
            }
            _ => {}
        }
    }

    /// The own player's regrets and the opponent's average move.
    fn close(&mut self, own: Player, now: &Coefficients, next: &Coefficients) {
        for (&(node, _), entry) in &mut self.entries {
            let actions = entry.regret.len();
            if self.spot.tree().node(node).player() != Some(own) {
                for action in 0..actions {
                    entry.average[action] =
                        now.average * entry.average[action] + entry.reach * entry.current[action];
                }
                entry.reach = 0.0;
                continue;
            }
            for action in 0..actions {
                entry.regret[action] = now.next_regret(entry.regret[action], entry.instant[action]);
            }
            entry.last = std::mem::replace(&mut entry.instant, vec![0.0; actions]);
            let seen = |action| next.prediction.apply(entry.regret[action], entry.last[action], 0.0).max(0.0);
            let parts: Vec<f64> = (0..actions).map(seen).collect();
            let sum: f64 = parts.iter().sum();
            let share = |part: f64| if sum > 0.0 { part / sum } else { 1.0 / actions as f64 };
            entry.current = parts.into_iter().map(share).collect();
        }
    }
}

fn each_river(board: &Board, used: equipoise_cards::CardSet) -> impl Iterator<Item = Board> {
    let board = *board;
    Card::ALL.into_iter().filter(move |&card| !used.contains(card)).filter_map(move |card| board.deal(card))
}
