//! Boards with their tables, as a tree: the root's board, its next cards, their next cards.

use std::ops::Range;

use equipoise_cards::{Board, Card, Combo, Street, SuitPermutation};
use equipoise_cfr::AsymmetrySums;
use equipoise_game::{NodeId, Player};
use rayon::prelude::*;

use crate::boards::follow;
use crate::kernel::{Arena, Format, Isa, ReadStrategy, Row};
use crate::layout::{Layout, stabiliser};
use crate::lock::LockedStrategy;
use crate::program::Plan;
use crate::spot::{CardClass, Spot, card_classes};
use crate::store::Store;

/// What one player keeps on one board: for each decision `[action][combo]`.
#[derive(Debug)]
pub(crate) struct Table<R, S> {
    pub regret: R,
    /// The last instant regrets; empty unless the algorithm predicts.
    pub last: R,
    pub average: S,
    /// By decision; empty unless the asymmetry is measured.
    pub sums: Vec<AsymmetrySums>,
}

impl<R: Store, S: Store> Table<R, S> {
    /// The average strategies at a decision whose entries these are, so many rows for each action; where there is no
    /// average, the current strategy; where there is none, every action alike.
    pub(crate) fn read_strategy(&self, isa: Isa, entries: Range<usize>, rows: usize, to: &mut [Row]) {
        let (mut averages, mut regrets) = (Vec::new(), Vec::new());
        let average = self.average.view(isa, entries.clone(), &mut averages);
        let regret = self.regret.view(isa, entries, &mut regrets);
        isa.run(ReadStrategy { average, regret, rows, to });
    }
}

/// What one player's decisions on one board are worth: for each own combo chips, scaled as payoffs are, for each weight of
/// the opponent that it meets. Empty until it is asked for, and on the river, where it is quickly found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// `[action][combo]`, in the order of [`Place::action`](crate::program::Place).
    pub actions: Vec<f32>,
    /// `[line][combo]`: where the street begins.
    pub lines: Vec<f32>,
}

/// A locked decision on one board.
#[derive(Clone, Debug)]
pub(crate) struct LockTable {
    pub node: NodeId,
    /// By combo of the list: the frequencies, or nothing where the combo is solved.
    pub frequencies: Vec<Option<Vec<f32>>>,
}

/// One board.
#[derive(Debug)]
pub(crate) struct State<R, S> {
    pub layout: Layout,
    /// What the noise of roundings on this board depends on.
    pub seed: u32,
    pub tables: [Table<R, S>; 2],
    pub recorded: [Recorded; 2],
    pub locks: Vec<LockTable>,
    /// The cards that can come next; `children` has a board for each if there is any betting left.
    pub classes: Vec<CardClass>,
    pub children: Vec<State<R, S>>,
}

/// What is kept in tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub regret: Format,
    pub average: Format,
    /// The last instant regrets.
    pub last: bool,
    /// What the asymmetry is measured with.
    pub sums: bool,
}

impl<R: Store, S: Store> State<R, S> {
    /// All boards of a spot, with empty tables.
    pub(crate) fn build(
        spot: &Spot,
        plan: &Plan,
        symmetries: &[SuitPermutation],
        kept: Kept,
        arena: &Arena,
    ) -> State<R, S> {
        State::grow(spot, plan, symmetries, (kept, arena), Layout::of_spot(spot), 0)
    }

    fn grow(
        spot: &Spot,
        plan: &Plan,
        symmetries: &[SuitPermutation],
        (kept, arena): (Kept, &Arena),
        mut layout: Layout,
        depth: usize,
    ) -> State<R, S> {
        let street = &plan.streets[depth];
        let classes = if layout.board.street() == Street::River {
            Vec::new()
        } else {
            card_classes(&layout.board, symmetries)
        };
        if street.has_runouts() {
            layout.count_runouts(&classes);
        }
        let goes_on = plan.streets.get(depth + 1).is_some_and(|next| !next.lines.is_empty());
        let grow = |class: &CardClass| {
            let fixed = stabiliser(symmetries, class.card);
            State::grow(spot, plan, &fixed, (kept, arena), layout.child(class), depth + 1)
        };
        let children = match (goes_on, depth) {
            (false, _) => Vec::new(),
            (true, 0) => classes.par_iter().map(grow).collect(),
            (true, _) => classes.iter().map(grow).collect(),
        };
        let table = |player: Player| {
            let len = street.num_actions[player.index()] * layout.rows[player.index()];
            let num_decisions = if kept.sums { street.decisions[player.index()].len() } else { 0 };
            Table {
                regret: R::new(len, kept.regret, arena),
                last: R::new(if kept.last { len } else { 0 }, kept.regret, arena),
                average: S::new(len, kept.average, arena),
                sums: vec![AsymmetrySums::default(); num_decisions],
            }
        };
        let tables = Player::ALL.map(table);
        let locks = locks_of(spot, &layout);
        let bits = layout.board.set().bits();
        let seed = ((bits ^ bits >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        State { layout, seed, tables, recorded: Default::default(), locks, classes, children }
    }

    /// The lock of a decision, if it has one here.
    pub(crate) fn lock(&self, node: NodeId) -> Option<&LockTable> {
        self.locks.iter().find(|lock| lock.node == node)
    }

    /// Visits the averages of every table, always in the same order.
    pub(crate) fn for_each_average(&mut self, visit: &mut dyn FnMut(&mut S)) {
        self.tables.iter_mut().for_each(|table| visit(&mut table.average));
        self.children.iter_mut().for_each(|child| child.for_each_average(visit));
    }

    /// Bytes that tables and layouts take.
    pub(crate) fn bytes(&self) -> usize {
        let table = |table: &Table<R, S>| {
            table.regret.bytes() + table.last.bytes() + table.average.bytes() + size_of_val(&table.sums[..])
        };
        self.layout.bytes()
            + self.tables.iter().map(table).sum::<usize>()
            + self.children.iter().map(State::bytes).sum::<usize>()
    }

    /// The board that stands for a runout, and what its suits become there.
    pub(crate) fn find(&self, runout: &[Card]) -> Option<(&State<R, S>, SuitPermutation)> {
        follow(self, runout, |state| (&state.classes, &state.children))
    }

    /// The board behind these numbers of children.
    pub(crate) fn at(&self, path: &[usize]) -> &State<R, S> {
        path.iter().fold(self, |state, &child| &state.children[child])
    }

    /// The same, to be changed.
    pub(crate) fn at_mut(&mut self, path: &[usize]) -> &mut State<R, S> {
        path.iter().fold(self, |state, &child| &mut state.children[child])
    }

    pub(crate) fn is_river(&self) -> bool {
        self.layout.board.street() == Street::River
    }
}

/// The locks of a spot that hold on a board. Where two speak of the same combo, the later one holds.
fn locks_of(spot: &Spot, layout: &Layout) -> Vec<LockTable> {
    let mut tables: Vec<LockTable> = Vec::new();
    for lock in spot.locks() {
        let node = spot.tree().find(&lock.line).expect("the spot has checked its locks");
        let player = spot.tree().node(node).player().expect("the spot has checked its locks");
        let dealt = runout(spot.board(), &layout.board);
        let holds = lock.runout.is_empty() || lock.runout == dealt;
        if spot.tree().node(node).street() != layout.board.street() || !holds {
            continue;
        }
        let combos = &layout.combos[player.index()];
        let at = tables.iter().position(|table| table.node == node).unwrap_or_else(|| {
            tables.push(LockTable { node, frequencies: vec![None; combos.len()] });
            tables.len() - 1
        });
        let normal = |frequencies: &Vec<f64>| {
            let sum: f64 = frequencies.iter().sum();
            Some(frequencies.iter().map(|frequency| (frequency / sum) as f32).collect())
        };
        match &lock.strategy {
            LockedStrategy::Every(frequencies) => tables[at].frequencies.fill(normal(frequencies)),
            LockedStrategy::Combos(list) => {
                for (combo, frequencies) in list {
                    if let Some(place) = combos.iter().position(|&other| other == index(*combo)) {
                        tables[at].frequencies[place] = normal(frequencies);
                    }
                }
            }
        }
    }
    tables
}

fn index(combo: Combo) -> u16 {
    combo.index() as u16
}

/// The cards that a board has more than the root.
fn runout<'a>(root: &Board, board: &'a Board) -> &'a [Card] {
    &board.cards()[root.cards().len()..]
}
