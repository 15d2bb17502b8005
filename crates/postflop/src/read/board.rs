//! The evaluator of a board: every number that is read of a decision comes from here.
//!
//! A betting line is walked down with both players' weights, and on the river up again with what both get. Before the river
//! values are in the solution. Equities of all decisions before the river are products of weights with the matrix of rivers
//! won less rivers lost, which a board has once; that of a single decision is found river by river.

use equipoise_cards::{Board, BoardStrengths, Card, Combo, Street, SuitPermutation};
use equipoise_game::{NodeId, NodeKind, PerPlayer, Player, Terminal};
use equipoise_progress::Progress;

use super::board_page::BoardPage;
use super::board_view::BoardStart;
use super::list::ComboList;
use super::{ReadError, Reader};
use crate::compile::layout::{Layout, stabiliser};
use crate::problem::spot::card_classes;
use crate::read::equity;

/// Both players' weights, in the order of their lists.
pub(super) type Weights = PerPlayer<Vec<f64>>;

/// A decision.
#[derive(Debug)]
pub(super) struct Row {
    pub node: NodeId,
    pub player: Player,
    pub weights: Weights,
    /// By action.
    pub frequencies: Vec<Vec<f64>>,
    /// What both get of the other's weights, in chips or prizes since the root; on the river.
    values: Weights,
    /// What the player who acts gets by action.
    action_values: Vec<Vec<f64>>,
}

/// Rivers won less rivers lost of OOP against IP, row by row, and how many come.
#[derive(Debug)]
struct RunoutCounts {
    counts: Vec<f32>,
    rivers: f64,
}

/// One board of a solution.
#[derive(Debug)]
pub(super) struct BoardReader<'a> {
    reader: &'a Reader,
    board: Board,
    page: BoardPage,
    pub lists: PerPlayer<ComboList>,
    /// Where the page has the combos of the lists.
    on_page: PerPlayer<Vec<u16>>,
    /// If equities of many decisions are read.
    counts: Option<RunoutCounts>,
    /// All pairs of weights that the board leaves.
    all_pairs: f64,
    /// In the order of the way down.
    pub rows: Vec<Row>,
    /// Where each node is among them.
    row_of: Vec<u32>,
}

impl<'a> BoardReader<'a> {
    pub(super) fn new(reader: &'a Reader, start: &BoardStart) -> Result<BoardReader<'a>, ReadError> {
        let page = BoardPage::new(reader, start.runout())?;
        let lists = start.lists();
        let on_page = PerPlayer::from_fn(|player| page.places(player, &lists[player].numbers));
        let all_pairs = pairs(&lists, &range_weights(reader, &lists));
        let board = start.board;
        let (rows, row_of) = (Vec::new(), Vec::new());
        Ok(BoardReader { reader, board, page, lists, on_page, counts: None, all_pairs, rows, row_of })
    }

    /// The cards after the root's board.
    pub(super) fn runout(&self) -> &[Card] {
        self.page.runout()
    }

    fn is_river(&self) -> bool {
        self.board.street() == Street::River
    }

    /// Prepares for equities of many decisions before the river; see [`Layout::count_runouts`]: combos that differ by a suit
    /// isomorphism only are counted once there.
    pub(super) fn count_runouts(&mut self, start: &BoardStart) {
        if self.is_river() || start.is_empty() {
            return;
        }
        let mut symmetries = self.reader.symmetries.clone();
        for &card in start.runout() {
            symmetries = stabiliser(&symmetries, card);
        }
        let mut layout = Layout::of_lists(self.board, start.numbers.clone());
        let mut nobody = ();
        let progress = Progress::new(&mut nobody, 0);
        layout.count_runouts(&card_classes(&self.board, &symmetries), &progress).expect("nobody cancels it");
        let [rows, width] = [layout.rows[Player::Ip], start.numbers[Player::Ip].len()];
        let counts = layout.runouts[Player::Oop].chunks(rows.max(1)).take(start.numbers[Player::Oop].len());
        let counts = counts.flat_map(|row| row.iter().flatten().take(width).map(|&count| f32::from(count)));
        self.counts = Some(RunoutCounts { counts: counts.collect(), rivers: self.num_rivers() });
    }

    /// Weights of lists by number, put into the order of the lists.
    pub(super) fn in_order(&self, weights: &Weights) -> Weights {
        PerPlayer::from_fn(|player| self.lists[player].in_order(&weights[player]))
    }

    /// Reads a decision; on the river also all below it.
    pub(super) fn read_decision(&mut self, node: NodeId, weights: Weights) {
        if self.is_river() {
            self.read_below(node, weights, &mut Vec::new());
            self.find_values();
        } else {
            self.enter(node, weights);
        }
    }

    /// Walks down from a node, and collects where the street ends.
    pub(super) fn read_below(&mut self, node: NodeId, weights: Weights, next: &mut Vec<(NodeId, Weights)>) {
        let at = self.reader.spot.tree().node(node);
        match at.kind() {
            NodeKind::Decision(_) => {
                let children = self.enter(node, weights);
                children.into_iter().for_each(|(child, weights)| self.read_below(child, weights, next));
            }
            NodeKind::Chance => next.extend(at.children().next().map(|child| (child, weights))),
            _ => {}
        }
    }

    /// Reads a decision; its children with their weights.
    fn enter(&mut self, node: NodeId, weights: Weights) -> Vec<(NodeId, Weights)> {
        let tree = self.reader.spot.tree();
        let at = tree.node(node);
        let player = at.player().expect("a decision");
        let (numbers, on_page) = (&self.lists[player].numbers, &self.on_page[player]);
        let frequencies = self.page.frequencies(self.reader, node, numbers, on_page);
        if self.row_of.is_empty() {
            self.row_of = vec![u32::MAX; tree.nodes().len()];
        }
        self.row_of[node.index()] = self.rows.len() as u32;
        let after = |(child, part): (NodeId, &Vec<f64>)| {
            let mut weights = weights.clone();
            weights[player].iter_mut().zip(part).for_each(|(weight, part)| *weight *= part);
            (child, weights)
        };
        let goes_on = |(child, _): &(NodeId, &Vec<f64>)| !tree.node(*child).is_terminal();
        let children = at.children().zip(&frequencies).filter(goes_on).map(after).collect();
        let (values, action_values) = (PerPlayer::default(), Vec::new());
        self.rows.push(Row { node, player, weights, frequencies, values, action_values });
        children
    }

    /// Finds what both players get on a river, from the ends of hands up.
    pub(super) fn find_values(&mut self) {
        let tree = self.reader.spot.tree();
        for place in (0..self.rows.len()).rev() {
            let row = &self.rows[place];
            let (own, other) = (row.player, row.player.opponent());
            let mut values = self.lists.as_ref().map(|list| vec![0.0; list.len()]);
            let mut by_action = Vec::with_capacity(row.frequencies.len());
            for (child, frequency) in tree.node(row.node).children().zip(&row.frequencies) {
                let ended;
                let below = if let Some(end) = tree.terminal(child) {
                    let reach: Vec<f64> =
                        row.weights[own].iter().zip(frequency).map(|(weight, part)| weight * part).collect();
                    let of = |player: Player| {
                        let reach = if player == own { &row.weights[other] } else { &reach };
                        self.end(&end, player, reach)
                    };
                    ended = PerPlayer::from_fn(of);
                    &ended
                } else {
                    &self.rows[self.row_of[child.index()] as usize].values
                };
                for ((sum, value), part) in values[own].iter_mut().zip(&below[own]).zip(frequency) {
                    *sum += value * part;
                }
                values[other].iter_mut().zip(&below[other]).for_each(|(sum, value)| *sum += value);
                by_action.push(below[own].clone());
            }
            let row = &mut self.rows[place];
            (row.values, row.action_values) = (values, by_action);
        }
    }

    /// What each combo of a player gets of the opponent's weights at the end of a hand on the river.
    fn end(&self, end: &Terminal, player: Player, reach: &[f64]) -> Vec<f64> {
        let (own, other) = (&self.lists[player], &self.lists[player.opponent()]);
        match end.folded() {
            Some(folded) => {
                let payoff = if folded == player { end.lose(player) } else { end.win(player) };
                own.matchups(other, reach).into_iter().map(|matchups| payoff * matchups).collect()
            }
            // For chips a tie pays half of what lies between a win and a loss, with rake too.
            None => {
                let (lose, stake) = (end.lose(player), end.win(player) - end.lose(player));
                let (won, matchups) = own.showdown(other, reach);
                let mut values: Vec<f64> = won
                    .into_iter()
                    .zip(matchups)
                    .map(|(won, matchups)| won * stake + matchups * lose)
                    .collect();
                let excess = end.tie_excess(player);
                if excess != 0.0 {
                    values
                        .iter_mut()
                        .zip(own.ties(other, reach))
                        .for_each(|(value, ties)| *value += ties * excess);
                }
                values
            }
        }
    }

    /// The opponent's weight that each combo of a player ties with, without further betting.
    pub(super) fn tied(&self, player: Player, weights: &Weights) -> Vec<f64> {
        let other = player.opponent();
        if self.is_river() {
            return self.lists[player].ties(&self.lists[other], &weights[other]);
        }
        let numbers = self.lists.as_ref().map(|list| list.numbers.clone());
        let mut layout = Layout::of_lists(self.board, numbers);
        let classes = card_classes(&self.board, &[SuitPermutation::IDENTITY]);
        let mut nobody = ();
        layout.count_tied_runouts(&classes, &Progress::new(&mut nobody, 0)).expect("nobody cancels it");
        let rows = layout.rows[other].max(1);
        let rivers = self.num_rivers();
        let row = |counts: &[[i16; 8]]| {
            let counts = counts.iter().flatten().zip(&weights[other]);
            counts.map(|(&count, weight)| f64::from(count) * weight).sum::<f64>() / rivers
        };
        layout.tied_runouts[player].chunks(rows).take(self.lists[player].len()).map(row).collect()
    }

    /// How many rivers come after two hands, turns and rivers in order.
    fn num_rivers(&self) -> f64 {
        if self.board.street() == Street::Flop { 45.0 * 44.0 } else { 44.0 }
    }

    /// Matchups of each combo of a player: the opponent's weight on combos that share no card with it.
    pub(super) fn matchups(&self, player: Player, weights: &Weights) -> Vec<f64> {
        let other = player.opponent();
        self.lists[player].matchups(&self.lists[other], &weights[other])
    }

    /// The same, and what each combo wins of it without further betting. Before the river runouts must have been
    /// [counted](Self::count_runouts).
    pub(super) fn shares(&self, player: Player, weights: &Weights) -> (Vec<f64>, Vec<f64>) {
        let other = player.opponent();
        match &self.counts {
            Some(counts) => {
                let matchups = self.matchups(player, weights);
                let won = self.won(counts, player, &matchups, &weights[other]);
                (matchups, won)
            }
            None => {
                let (won, matchups) = self.lists[player].showdown(&self.lists[other], &weights[other]);
                (matchups, won)
            }
        }
    }

    fn won(&self, counts: &RunoutCounts, player: Player, matchups: &[f64], reach: &[f64]) -> Vec<f64> {
        let RunoutCounts { counts, rivers } = counts;
        let width = self.lists[Player::Ip].len().max(1);
        let mut sums = vec![0.0; self.lists[player].len()];
        match player {
            Player::Oop => {
                for (sum, row) in sums.iter_mut().zip(counts.chunks_exact(width)) {
                    *sum = dot(row, reach);
                }
            }
            Player::Ip => {
                for (&weight, row) in reach.iter().zip(counts.chunks_exact(width)) {
                    sums.iter_mut().zip(row).for_each(|(sum, &count)| *sum -= weight * f64::from(count));
                }
            }
        }
        sums.iter().zip(matchups).map(|(sum, matchups)| (matchups + sum / rivers) / 2.0).collect()
    }

    /// What each combo of both players wins without further betting, for one decision.
    pub(super) fn won_once(&self, weights: &Weights) -> Weights {
        if self.is_river() {
            return PerPlayer::from_fn(|player| self.shares(player, weights).1);
        }
        let mut by_number = PerPlayer::from_fn(|_| vec![0.0; Combo::COUNT]);
        for ((list, weights), to) in self.lists.iter().zip(weights).zip(&mut by_number) {
            list.numbers.iter().zip(weights).for_each(|(&number, &weight)| to[usize::from(number)] = weight);
        }
        let symmetries: Vec<SuitPermutation> = (self.reader.symmetries.iter().copied())
            .filter(|suits| self.runout().iter().all(|&card| suits.map_card(card) == card))
            .filter(|&suits| are_symmetric(&by_number, suits))
            .collect();
        let numbers = self.lists.as_ref().map(|list| list.numbers.clone());
        let layout = Layout::of_lists(self.board, numbers);
        let shares = equity::shares(&layout, &by_number, &symmetries);
        shares.map(|shares| shares.into_iter().map(|(_, won)| won).collect())
    }

    /// How often play gets to these weights when the board's cards come.
    pub(super) fn probability(&self, own: &[f64], matchups: &[f64]) -> f64 {
        let pairs: f64 = own.iter().zip(matchups).map(|(weight, matchups)| weight * matchups).sum();
        if self.all_pairs > 0.0 { pairs / self.all_pairs } else { 0.0 }
    }

    /// What a row is worth to the player who acts, and each action, in chips from there on; NaN without
    /// matchups.
    pub(super) fn actor_evs(&self, row: &Row, matchups: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let player = row.player;
        if self.is_river() {
            let of = |values: &Vec<f64>| self.river_evs(row, player, values, matchups);
            return (of(&row.values[player]), row.action_values.iter().map(of).collect());
        }
        let kept = |action: usize| {
            let evs = self.page.action_evs(self.reader, row.node, action, &self.on_page[player]);
            self.relative_to(row.node, player, evs, matchups)
        };
        let by_action: Vec<Vec<f64>> = (0..row.frequencies.len()).map(kept).collect();
        let mut sums = vec![0.0; matchups.len()];
        for (evs, frequency) in by_action.iter().zip(&row.frequencies) {
            for ((sum, ev), part) in sums.iter_mut().zip(evs).zip(frequency) {
                *sum += ev * part;
            }
        }
        (sums, by_action)
    }

    /// What a row is worth to the player who does not act.
    pub(super) fn waiting_evs(&self, row: &Row, matchups: &[f64]) -> Vec<f64> {
        let player = row.player.opponent();
        if self.is_river() {
            return self.river_evs(row, player, &row.values[player], matchups);
        }
        let tree = self.reader.spot.tree();
        // The player has just acted, or the street begins.
        let parent = tree.node(row.node).parent().filter(|&parent| tree.node(parent).player().is_some());
        let evs = match parent {
            Some(parent) => {
                let action = tree.node(parent).children().position(|id| id == row.node).expect("a child");
                self.page.action_evs(self.reader, parent, action, &self.on_page[player])
            }
            None => self.page.line_evs(self.reader, row.node, player, &self.on_page[player]),
        };
        self.relative_to(row.node, player, evs, matchups)
    }

    /// What the node after a decision's action is worth to the player who took it; before the river.
    pub(super) fn acted_evs(&self, decision: NodeId, node: NodeId, matchups: &[f64]) -> Vec<f64> {
        let at = self.reader.spot.tree().node(decision);
        let player = at.player().expect("a decision");
        let action = at.children().position(|id| id == node).expect("a child");
        let evs = self.page.action_evs(self.reader, decision, action, &self.on_page[player]);
        self.relative_to(node, player, evs, matchups)
    }

    /// Values of a river per matchup.
    fn river_evs(&self, row: &Row, player: Player, values: &[f64], matchups: &[f64]) -> Vec<f64> {
        let sunk = self.reader.spot.tree().sunk(row.node, player);
        let total: f64 = row.weights[player.opponent()].iter().sum();
        let least = (1e-7 * total).max(self.min_matchups(player));
        let ev = |(value, matchups): (&f64, &f64)| {
            if *matchups > least { value / matchups + sunk } else { f64::NAN }
        };
        values.iter().zip(matchups).map(ev).collect()
    }

    /// Values since the root as values from a node on.
    fn relative_to(&self, node: NodeId, player: Player, mut evs: Vec<f64>, matchups: &[f64]) -> Vec<f64> {
        let (sunk, least) = (self.reader.spot.tree().sunk(node, player), self.min_matchups(player));
        for (ev, matchups) in evs.iter_mut().zip(matchups) {
            *ev = if *matchups > least { *ev + sunk } else { f64::NAN };
        }
        evs
    }

    /// The weight below which matchups are rounding.
    pub(super) fn min_matchups(&self, player: Player) -> f64 {
        self.reader.spot.min_matchups()[player]
    }

    /// Win plus tie share; NaN without matchups.
    pub(super) fn equities(&self, player: Player, won: Vec<f64>, matchups: &[f64]) -> Vec<f64> {
        let least = self.min_matchups(player);
        let equity = |(won, &matchups): (f64, &f64)| if matchups > least { won / matchups } else { f64::NAN };
        won.into_iter().zip(matchups).map(equity).collect()
    }
}

/// Both players' lists of a board.
pub(super) fn lists(board: &Board, numbers: &PerPlayer<Vec<u16>>) -> PerPlayer<ComboList> {
    let strengths =
        (board.street() == Street::River).then(|| BoardStrengths::new(board).expect("a river board"));
    let [mut oop, mut ip] =
        numbers.as_ref().map(|numbers| ComboList::new(numbers, strengths.as_ref())).into_array();
    oop.find_same(&ip);
    ip.find_same(&oop);
    PerPlayer::new(oop, ip)
}

/// The weights of the ranges.
pub(super) fn range_weights(reader: &Reader, lists: &PerPlayer<ComboList>) -> Weights {
    PerPlayer::from_fn(|player| {
        let range = &reader.spot.ranges()[player];
        let weight = |&number: &u16| f64::from(range.weights()[usize::from(number)]);
        lists[player].numbers.iter().map(weight).collect()
    })
}

/// The sum over all pairs of combos that share no card.
pub(super) fn pairs(lists: &PerPlayer<ComboList>, weights: &Weights) -> f64 {
    let matchups = lists[Player::Oop].matchups(&lists[Player::Ip], &weights[Player::Ip]);
    weights[Player::Oop].iter().zip(matchups).map(|(weight, matchups)| weight * matchups).sum()
}

fn are_symmetric(weights: &PerPlayer<Vec<f64>>, suits: SuitPermutation) -> bool {
    Combo::all().all(|combo| {
        let (at, image) = (combo.index(), suits.map_combo(combo).index());
        weights.iter().all(|weights| weights[at] == weights[image])
    })
}

fn dot(counts: &[f32], weights: &[f64]) -> f64 {
    // Four sums at once, always the same four.
    let mut sums = [0.0; 4];
    let (blocks, rest) = counts.as_chunks::<4>();
    let (weight_blocks, weight_rest) = weights.as_chunks::<4>();
    for (counts, weights) in blocks.iter().zip(weight_blocks) {
        for lane in 0..4 {
            sums[lane] += f64::from(counts[lane]) * weights[lane];
        }
    }
    let rest: f64 = rest.iter().zip(weight_rest).map(|(&count, weight)| f64::from(count) * weight).sum();
    sums.iter().sum::<f64>() + rest
}
