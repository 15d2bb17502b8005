//! All decisions of a board at once, for whoever reads a whole solution.
//!
//! [`Reader::view`] finds what one decision is worth from nothing; over all decisions of a board the same weights,
//! strategies and values would be found again and again. Here every betting line of a board is walked once down, with both
//! players' weights, and on the river once up, with what both get. Equities before the river are products of weights with
//! the matrix of rivers won less rivers lost, which a board has once.

use equipoise_cards::{BlockerSums, Board, BoardStrengths, Card, Combo, Street};
use equipoise_game::{NodeId, NodeKind, Player, Terminal};

use super::{Numbers, ReadError, Reader};
use crate::compile::layout::{Layout, combo_at, stabiliser};
use crate::kernel::ALWAYS;
use crate::problem::spot::card_classes;
use crate::read::equity::Weights;
use crate::read::page::Page;
use crate::read::view::{ComboView, NodeView};

/// Where reading a board begins: the first nodes of it that are wanted, with the weights with which both players get there.
#[derive(Clone, Debug)]
pub struct SheetStart {
    board: Board,
    runout: Vec<Card>,
    /// Combo numbers of both players.
    lists: [Vec<u16>; 2],
    /// Weights by place in the lists.
    entries: Vec<(NodeId, Weights)>,
}

impl SheetStart {
    /// The cards after the root's board.
    #[must_use]
    pub fn runout(&self) -> &[Card] {
        &self.runout
    }

    /// Whether there is no betting on this board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same on the board after one more card; whatever holds that card is gone.
    #[must_use]
    pub fn deal(&self, card: Card) -> Option<SheetStart> {
        let board = self.board.deal(card)?;
        let is_live = |combo: u16| !combo_at(combo).cards().contains(card);
        let live = self
            .lists
            .each_ref()
            .map(|list| (0..list.len()).filter(|&place| is_live(list[place])).collect::<Vec<usize>>());
        let pick =
            |player: usize, weights: &Vec<f64>| live[player].iter().map(|&place| weights[place]).collect();
        let entries = self.entries.iter().map(|(node, [oop, ip])| (*node, [pick(0, oop), pick(1, ip)]));
        Some(SheetStart {
            board,
            runout: self.runout.iter().copied().chain([card]).collect(),
            lists: [0, 1]
                .map(|player: usize| live[player].iter().map(|&place| self.lists[player][place]).collect()),
            entries: entries.collect(),
        })
    }
}

/// All decisions of a board that are wanted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sheet {
    /// The board, in the suits that were asked for.
    pub board: Board,
    /// The cards after the root's board.
    pub runout: Vec<Card>,
    /// The combos of OOP and IP that the board leaves, in the order of all lists of the decisions.
    pub combos: [Vec<Combo>; 2],
    /// The decisions, each before those below it.
    pub decisions: Vec<SheetDecision>,
}

/// A decision on a [`Sheet`]; the lists have a number for each combo of the player who acts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SheetDecision {
    /// Where.
    pub node: NodeId,
    /// Who acts.
    pub player: Player,
    /// How often play gets here when these cards come.
    pub probability: f64,
    /// The weight with which each combo gets here.
    pub weights: Vec<f64>,
    /// The same for each combo of the other player.
    pub other_weights: Vec<f64>,
    /// The opponent's weight that it can meet here.
    pub meets: Vec<f64>,
    /// Win plus tie share without further betting; not a number where it meets nobody.
    pub equities: Vec<f64>,
    /// Chips from here on; not a number where it meets nobody.
    pub evs: Vec<f64>,
    /// By action: how often each combo takes it.
    pub frequencies: Vec<Vec<f64>>,
    /// By action: what it is worth; not a number where the combo meets nobody.
    pub action_evs: Vec<Vec<f64>>,
}

impl SheetDecision {
    /// Whether the combo at a place of the actor's list gets here; where play never gets, whether it would be here if the
    /// opponent had come.
    #[must_use]
    pub fn holds(&self, place: usize) -> bool {
        let is_met = self.probability == 0.0 || self.meets[place] > 0.0;
        self.weights[place] > 0.0 && is_met
    }
}

impl Sheet {
    /// A sheet with one decision, of what was seen there.
    #[must_use]
    pub fn of_view(view: &NodeView) -> Sheet {
        let seen = &view.actor().combos;
        let others = &view.players[view.player.opponent().index()].combos;
        let list = |of: &dyn Fn(&ComboView) -> f64| seen.iter().map(of).collect::<Vec<f64>>();
        let there = |number: Option<f64>| number.unwrap_or(f64::NAN);
        let actions = 0..view.actions.len();
        let decision = SheetDecision {
            node: view.node,
            player: view.player,
            probability: view.probability,
            weights: list(&|combo| combo.weight),
            other_weights: others.iter().map(|combo| combo.weight).collect(),
            meets: list(&|combo| combo.meets),
            equities: list(&|combo| there(combo.equity)),
            evs: list(&|combo| there(combo.ev)),
            frequencies: actions.clone().map(|action| list(&|combo| combo.frequencies[action])).collect(),
            action_evs: actions.map(|action| list(&|combo| there(combo.action_evs[action]))).collect(),
        };
        let combos =
            view.players.each_ref().map(|player| player.combos.iter().map(|combo| combo.combo).collect());
        Sheet { board: view.board, runout: view.runout.clone(), combos, decisions: vec![decision] }
    }
}

impl Reader {
    /// Whether decisions of a street are read from the solution and not solved again.
    #[must_use]
    pub fn has(&self, street: Street) -> bool {
        street <= self.last
    }

    /// Begins to read everything below a node after a runout. A node where a card comes has nothing on its own board; see
    /// [`sheet`](Self::sheet).
    ///
    /// # Errors
    /// [`ReadError`] if the runout cannot come or the file cannot be read.
    pub fn sheet_start(&self, node: NodeId, runout: &[Card]) -> Result<SheetStart, ReadError> {
        self.start_with(node, runout, &self.weights(node, runout)?)
    }

    /// What both players' combos get of the other's weights at a river node, and the actor's by action, in chips since the
    /// root; by combo number.
    pub(super) fn river_values(
        &self,
        node: NodeId,
        runout: &[Card],
        weights: &Weights,
    ) -> Result<([Numbers; 2], Vec<Numbers>), ReadError> {
        let start = self.start_with(node, runout, weights)?;
        let mut work = Work::new(self, &start)?;
        let in_order = work.in_order(&start.entries[0].1);
        if let Some(end) = self.spot.tree().terminal(node) {
            let values = Player::ALL.map(|player| {
                let values = work.end(&end, player, &in_order[player.opponent().index()]);
                work.spread(player.index(), &values)
            });
            return Ok((values, Vec::new()));
        }
        work.down(node, in_order, &mut Vec::new());
        work.up();
        let Seen { player, values, action_values, .. } = &work.decisions[0];
        let values = [0, 1].map(|player: usize| work.spread(player, &values[player]));
        let by_action = action_values.iter().map(|values| work.spread(player.index(), values)).collect();
        Ok((values, by_action))
    }

    /// Begins to read below a node with these weights, by combo number.
    fn start_with(&self, node: NodeId, runout: &[Card], weights: &Weights) -> Result<SheetStart, ReadError> {
        let board = self.board(runout)?;
        let lists = [0, 1].map(|player: usize| self.spot.combos_on(player, &board));
        let of_list = [0, 1].map(|player: usize| {
            lists[player].iter().map(|&combo| weights[player][usize::from(combo)]).collect()
        });
        Ok(SheetStart { board, runout: runout.to_vec(), lists, entries: vec![(node, of_list)] })
    }

    /// Reads all decisions of a board, and where those after the next card begin: that is for [`SheetStart::deal`].
    ///
    /// # Errors
    /// [`ReadError`] if the file cannot be read.
    ///
    /// # Panics
    /// If the solution does not [have](Self::has) the street.
    pub fn sheet(&self, start: &SheetStart) -> Result<(Sheet, SheetStart), ReadError> {
        assert!(self.has(start.board.street()), "the street is in the solution");
        let mut work = Work::new(self, start)?;
        let mut next = Vec::new();
        for (node, weights) in &start.entries {
            let weights = work.in_order(weights);
            work.down(*node, weights, &mut next);
        }
        if work.is_river {
            work.up();
        }
        let decisions = (0..work.decisions.len()).map(|at| work.decision(at)).collect();
        let combos = work.lists.each_ref().map(|list| list.combos.clone());
        let (board, runout) = (start.board, start.runout.clone());
        let entries = next.into_iter().map(|(node, weights)| (node, work.by_number(weights))).collect();
        let next = SheetStart { board, runout: runout.clone(), lists: start.lists.clone(), entries };
        Ok((Sheet { board, runout, combos, decisions }, next))
    }
}

/// One player's combos on a board: on the river from weakest to strongest, before it by number.
struct List {
    numbers: Vec<u16>,
    combos: Vec<Combo>,
    /// On the river.
    strengths: Vec<u16>,
    /// Where the other list has the same combo.
    same: Vec<Option<u16>>,
    /// The place of each combo in lists by number, and of each of those among these.
    by_number: Vec<u16>,
    /// The place of each combo on the page.
    on_page: Vec<u16>,
}

/// A decision on the way.
struct Seen {
    node: NodeId,
    player: Player,
    /// Of OOP and IP, in the order of the lists.
    weights: Weights,
    frequencies: Vec<Vec<f64>>,
    /// What both get of the other's weights, in chips since the root; on the river.
    values: Weights,
    /// What the player who acts gets by action.
    action_values: Vec<Vec<f64>>,
}

struct Work<'a> {
    reader: &'a Reader,
    runout: Vec<Card>,
    page: std::sync::Arc<Page>,
    is_river: bool,
    lists: [List; 2],
    /// Before the river: rivers won less rivers lost of OOP against IP, row by row, and how many come.
    counts: (Vec<f32>, f64),
    /// All pairs of weights that the board leaves.
    all_pairs: f64,
    /// In the order of the way down.
    decisions: Vec<Seen>,
    /// Where each node is among them.
    places: Vec<u32>,
}

impl<'a> Work<'a> {
    fn new(reader: &'a Reader, start: &SheetStart) -> Result<Work<'a>, ReadError> {
        let (page, canonical, suits) = reader.page(&start.runout)?;
        let is_river = start.board.street() == Street::River;
        let strengths = is_river.then(|| BoardStrengths::new(&start.board).expect("a river board"));
        let mut lists = [0, 1].map(|player: usize| {
            let mut on_page = vec![0; Combo::COUNT];
            for (place, &combo) in reader.spot.combos_on(player, &canonical).iter().enumerate() {
                on_page[suits.map_combo(combo_at(combo)).index()] = place as u16;
            }
            List::new(&start.lists[player], strengths.as_ref(), &on_page)
        });
        let [oop, ip] = &mut lists;
        oop.find_same(ip);
        ip.find_same(oop);
        let mut work = Work {
            reader,
            runout: start.runout.clone(),
            page,
            is_river,
            lists,
            counts: (Vec::new(), 0.0),
            all_pairs: 0.0,
            decisions: Vec::new(),
            places: vec![u32::MAX; reader.spot.tree().nodes().len()],
        };
        if !is_river && !start.is_empty() {
            work.counts = work.count_runouts(start);
        }
        let range = |player: usize| {
            let range = &reader.spot.ranges()[player];
            let weight = |&number: &u16| f64::from(range.weights()[usize::from(number)]);
            work.lists[player].numbers.iter().map(weight).collect()
        };
        let ranges = [range(0), range(1)];
        work.all_pairs = work.pairs(&ranges);
        Ok(work)
    }

    /// See [`Layout::count_runouts`]: combos that differ only by names of suits are counted once there.
    fn count_runouts(&self, start: &SheetStart) -> (Vec<f32>, f64) {
        let mut symmetries = self.reader.symmetries.clone();
        for &card in &start.runout {
            symmetries = stabiliser(&symmetries, card);
        }
        let mut layout = Layout::of_lists(start.board, start.lists.clone().into());
        layout.count_runouts(&card_classes(&start.board, &symmetries));
        let rows = layout.rows[Player::Ip];
        let counts = layout.runouts[Player::Oop].chunks(rows.max(1)).take(start.lists[0].len());
        let width = start.lists[1].len();
        let flat = counts.flat_map(|row| row.iter().flatten().take(width).map(|&count| f32::from(count)));
        let rivers = if start.board.street() == Street::Flop { 45.0 * 44.0 } else { 44.0 };
        (flat.collect(), rivers)
    }

    /// Weights by combo number, put into the order of the lists.
    fn in_order(&self, weights: &Weights) -> Weights {
        let sort = |player: usize| {
            let from = &weights[player];
            self.lists[player].by_number.iter().map(|&place| from[usize::from(place)]).collect()
        };
        [sort(0), sort(1)]
    }

    /// Numbers in the order of a list, by combo number.
    fn spread(&self, player: usize, values: &[f64]) -> Numbers {
        let mut numbers = vec![0.0; Combo::COUNT];
        for (&number, &value) in self.lists[player].numbers.iter().zip(values) {
            numbers[usize::from(number)] = value;
        }
        numbers
    }

    /// Weights in the order of the lists, put back into that of combo numbers.
    fn by_number(&self, weights: Weights) -> Weights {
        let sort = |player: usize| {
            let list = &self.lists[player];
            let mut sorted = vec![0.0; list.numbers.len()];
            list.by_number
                .iter()
                .zip(&weights[player])
                .for_each(|(&to, &weight)| sorted[usize::from(to)] = weight);
            sorted
        };
        [sort(0), sort(1)]
    }

    fn frequencies(&self, node: NodeId, player: usize) -> Vec<Vec<f64>> {
        let at = self.reader.spot.tree().node(node);
        let list = &self.lists[player];
        let len = list.numbers.len();
        let first = self.reader.plan.places[node.index()].action as usize;
        let parts = |action: usize| {
            let parts = &self.page.players[player].frequencies[(first + action) * len..][..len];
            list.on_page
                .iter()
                .map(|&place| f64::from(parts[usize::from(place)]) / f64::from(ALWAYS))
                .collect()
        };
        let mut actions: Vec<Vec<f64>> = (0..at.num_children()).map(parts).collect();
        // Rounding to sixteen bits left sums that are not quite 1.
        let mut sums = vec![0.0; len];
        for action in &actions {
            sums.iter_mut().zip(action).for_each(|(sum, part)| *sum += part);
        }
        for action in &mut actions {
            for (part, &sum) in action.iter_mut().zip(&sums) {
                *part /= if sum > 0.0 { sum } else { 1.0 };
            }
        }
        self.reader.put_locks(node, &self.runout, &list.numbers, |at, action, frequency| {
            actions[action][at] = frequency;
        });
        actions
    }

    /// Walks down from the beginning of a line, or from anywhere on it.
    fn down(&mut self, node: NodeId, weights: Weights, next: &mut Vec<(NodeId, Weights)>) {
        let tree = self.reader.spot.tree();
        let at = tree.node(node);
        match at.kind() {
            NodeKind::Decision(player) => {
                let own = player.index();
                let frequencies = self.frequencies(node, own);
                self.places[node.index()] = self.decisions.len() as u32;
                let goes_on = |child: NodeId| !tree.node(child).is_terminal();
                let children: Vec<(NodeId, Weights)> = at
                    .children()
                    .zip(&frequencies)
                    .filter(|(child, _)| goes_on(*child))
                    .map(|(child, part)| {
                        let mut weights = weights.clone();
                        weights[own].iter_mut().zip(part).for_each(|(weight, part)| *weight *= part);
                        (child, weights)
                    })
                    .collect();
                self.decisions.push(Seen {
                    node,
                    player,
                    weights,
                    frequencies,
                    values: Default::default(),
                    action_values: Vec::new(),
                });
                children.into_iter().for_each(|(child, weights)| self.down(child, weights, next));
            }
            NodeKind::Chance => next.extend(at.children().next().map(|child| (child, weights))),
            _ => {}
        }
    }

    /// Finds what both players get on a river, from the ends of hands up.
    fn up(&mut self) {
        let tree = self.reader.spot.tree();
        for place in (0..self.decisions.len()).rev() {
            let seen = &self.decisions[place];
            let (own, other) = (seen.player.index(), seen.player.opponent().index());
            let mut values = [0, 1].map(|player: usize| vec![0.0; self.lists[player].numbers.len()]);
            let mut by_action = Vec::with_capacity(seen.frequencies.len());
            for (child, frequency) in tree.node(seen.node).children().zip(&seen.frequencies) {
                let ended;
                let (mine, theirs) = if let Some(end) = tree.terminal(child) {
                    let reach: Vec<f64> =
                        seen.weights[own].iter().zip(frequency).map(|(w, f)| w * f).collect();
                    ended = [
                        self.end(&end, seen.player, &seen.weights[other]),
                        self.end(&end, seen.player.opponent(), &reach),
                    ];
                    (&ended[0], &ended[1])
                } else {
                    let below = &self.decisions[self.places[child.index()] as usize].values;
                    (&below[own], &below[other])
                };
                for ((sum, value), frequency) in values[own].iter_mut().zip(mine).zip(frequency) {
                    *sum += value * frequency;
                }
                values[other].iter_mut().zip(theirs).for_each(|(sum, value)| *sum += value);
                by_action.push(mine.clone());
            }
            let seen = &mut self.decisions[place];
            (seen.values, seen.action_values) = (values, by_action);
        }
    }

    /// What each combo of a player gets of the opponent's weights at the end of a hand on the river.
    fn end(&self, end: &Terminal, player: Player, reach: &[f64]) -> Vec<f64> {
        let (own, other) = (&self.lists[player.index()], &self.lists[player.opponent().index()]);
        match end.folded() {
            Some(folded) => {
                let payoff = if folded == player { end.lose() } else { end.win() };
                meets(own, other, reach).into_iter().map(|meets| payoff * meets).collect()
            }
            // A tie pays half of what lies between a win and a loss, with rake too.
            None => {
                let (lose, stake) = (end.lose(), end.win() - end.lose());
                let (won, meets) = showdown(own, other, reach);
                won.into_iter().zip(meets).map(|(won, meets)| won * stake + meets * lose).collect()
            }
        }
    }

    /// For each combo of a player: the opponent's weight that it can meet, and what it wins of it without further betting.
    fn shares(&self, player: Player, reach: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (own, other) = (&self.lists[player.index()], &self.lists[player.opponent().index()]);
        if self.is_river {
            let (won, meets) = showdown(own, other, reach);
            return (meets, won);
        }
        let meets = meets(own, other, reach);
        let won = self.won(player, &meets, reach);
        (meets, won)
    }

    /// The same before the river: the share of the pot that each combo wins.
    fn won(&self, player: Player, meets: &[f64], reach: &[f64]) -> Vec<f64> {
        let own = &self.lists[player.index()];
        let (counts, rivers) = &self.counts;
        let width = self.lists[1].numbers.len().max(1);
        let mut sums = vec![0.0; own.numbers.len()];
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
        sums.iter().zip(meets).map(|(sum, meets)| (meets + sum / rivers) / 2.0).collect()
    }

    /// The sum over all pairs of combos that can meet.
    fn pairs(&self, weights: &Weights) -> f64 {
        let meets = meets(&self.lists[0], &self.lists[1], &weights[1]);
        weights[0].iter().zip(meets).map(|(weight, meets)| weight * meets).sum()
    }

    fn decision(&mut self, place: usize) -> SheetDecision {
        let Seen { node, player, weights, frequencies, values, action_values } = std::mem::replace(
            &mut self.decisions[place],
            Seen {
                node: self.reader.spot.tree().root(),
                player: Player::Oop,
                weights: Default::default(),
                frequencies: Vec::new(),
                values: Default::default(),
                action_values: Vec::new(),
            },
        );
        let (own, other) = (player.index(), player.opponent().index());
        let (met, won) = self.shares(player, &weights[other]);
        let total: f64 = weights[other].iter().sum();
        let pairs: f64 = weights[own].iter().zip(&met).map(|(weight, meets)| weight * meets).sum();
        let put_in = self.reader.spot.tree().node(node).put_in(player).as_f64();
        let least_met = self.reader.spot.least_met()[own];
        let least = (1e-7 * total).max(least_met);
        let (evs, action_evs) = if self.is_river {
            let real =
                |value: &f64, meets: &f64| if *meets > least { value / meets + put_in } else { f64::NAN };
            let of = |values: &Vec<f64>| {
                values.iter().zip(&met).map(|(value, meets)| real(value, meets)).collect()
            };
            (of(&values[own]), action_values.iter().map(of).collect())
        } else {
            self.kept(node, own, put_in, &met, &frequencies)
        };
        let [oop, ip] = weights;
        let (own_weights, other_weights) = if player == Player::Oop { (oop, ip) } else { (ip, oop) };
        let equity = |(won, &meets): (f64, &f64)| if meets > least_met { won / meets } else { f64::NAN };
        SheetDecision {
            node,
            player,
            probability: if self.all_pairs > 0.0 { pairs / self.all_pairs } else { 0.0 },
            equities: won.into_iter().zip(&met).map(equity).collect(),
            meets: met,
            evs,
            frequencies,
            action_evs,
            weights: own_weights,
            other_weights,
        }
    }

    /// What is kept of a decision before the river: what it is worth, and each action.
    fn kept(
        &self,
        node: NodeId,
        own: usize,
        put_in: f64,
        meets: &[f64],
        frequencies: &[Vec<f64>],
    ) -> (Vec<f64>, Vec<Vec<f64>>) {
        let list = &self.lists[own];
        let len = list.numbers.len();
        let first = self.reader.plan.places[node.index()].action as usize;
        let least_met = self.reader.spot.least_met()[own];
        let evs = |action: usize| -> Vec<f64> {
            let kept = &self.page.players[own].action_evs[(first + action) * len..][..len];
            let real = |(&place, &meets): (&u16, &f64)| {
                if meets > least_met { f64::from(kept[usize::from(place)]) + put_in } else { f64::NAN }
            };
            list.on_page.iter().zip(meets).map(real).collect()
        };
        let by_action: Vec<Vec<f64>> = (0..frequencies.len()).map(evs).collect();
        let mut sum = vec![0.0; len];
        for (evs, frequency) in by_action.iter().zip(frequencies) {
            for ((sum, ev), part) in sum.iter_mut().zip(evs).zip(frequency) {
                *sum += ev * part;
            }
        }
        (sum, by_action)
    }
}

impl List {
    fn new(by_number: &[u16], strengths: Option<&BoardStrengths>, on_page: &[u16]) -> List {
        let strength = |combo: u16| strengths.map_or(0, |all| all.numbers()[usize::from(combo)]);
        let mut order: Vec<u16> = (0..by_number.len() as u16).collect();
        order.sort_by_key(|&place| strength(by_number[usize::from(place)]));
        let numbers: Vec<u16> = order.iter().map(|&place| by_number[usize::from(place)]).collect();
        List {
            combos: numbers.iter().map(|&number| combo_at(number)).collect(),
            strengths: numbers.iter().map(|&combo| strength(combo)).collect(),
            same: Vec::new(),
            on_page: numbers.iter().map(|&combo| on_page[usize::from(combo)]).collect(),
            by_number: order,
            numbers,
        }
    }

    fn find_same(&mut self, other: &List) {
        let mut places = vec![None; Combo::COUNT];
        for (place, &combo) in other.numbers.iter().enumerate() {
            places[usize::from(combo)] = Some(place as u16);
        }
        self.same = self.numbers.iter().map(|&combo| places[usize::from(combo)]).collect();
    }

    /// The opponent's weight with the same combo.
    fn same_reach(&self, place: usize, reach: &[f64]) -> f64 {
        self.same[place].map_or(0.0, |same| reach[usize::from(same)])
    }
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

/// The opponent's weight that each combo can meet.
fn meets(own: &List, other: &List, reach: &[f64]) -> Vec<f64> {
    let mut sums = BlockerSums::default();
    other.combos.iter().zip(reach).for_each(|(&combo, &weight)| sums.add(combo, weight));
    without_own(own, &sums, reach)
}

/// What sums of all weights leave to each combo.
fn without_own(own: &List, sums: &BlockerSums, reach: &[f64]) -> Vec<f64> {
    let meets = |(place, &combo): (usize, &Combo)| sums.met(combo, own.same_reach(place, reach));
    own.combos.iter().enumerate().map(meets).collect()
}

/// What each combo wins of the opponent's weights on the river, ties counted half, and all that it can meet.
fn showdown(own: &List, other: &List, reach: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut won = vec![0.0; own.numbers.len()];
    let mut sums = BlockerSums::default();
    let mut next = 0;
    let mut at = 0;
    while at < own.numbers.len() {
        let strength = own.strengths[at];
        while next < other.numbers.len() && other.strengths[next] < strength {
            sums.add(other.combos[next], reach[next]);
            next += 1;
        }
        let group = at;
        while at < own.numbers.len() && own.strengths[at] == strength {
            won[at] = sums.without(own.combos[at]) / 2.0;
            at += 1;
        }
        while next < other.numbers.len() && other.strengths[next] == strength {
            sums.add(other.combos[next], reach[next]);
            next += 1;
        }
        for (place, won) in (group..at).zip(&mut won[group..at]) {
            *won += (sums.without(own.combos[place]) + own.same_reach(place, reach)) / 2.0;
        }
    }
    let rest = other.combos[next..].iter().zip(&reach[next..]);
    rest.for_each(|(&combo, &weight)| sums.add(combo, weight));
    (won, without_own(own, &sums, reach))
}
