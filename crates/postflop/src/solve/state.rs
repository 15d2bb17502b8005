//! Boards with their tables, as a tree: the root's board, its next cards, their next cards.

use std::ops::Range;

use equipoise_cards::{Board, Card, Street, SuitPermutation};
use equipoise_cfr::AsymmetrySums;
use equipoise_game::{NodeId, PerPlayer, Player};
use equipoise_progress::{Cancelled, Observer, Progress};
use rayon::prelude::*;

use crate::compile::boards::follow;
use crate::compile::images::{BoardSymmetry, Image};
use crate::compile::layout::{Layout, stabiliser};
use crate::compile::orbits::Orbits;
use crate::compile::program::CompiledTree;
use crate::kernel::{ALWAYS, Arena, Cell as _, Format, Isa, ListIndex, ReadStrategy, Row, parts_of};
use crate::problem::lock::Lock;
use crate::problem::spot::{CardClass, Spot, card_classes};
use crate::solve::store::Store;

/// One player's tables on one board: for each decision `[action][combo]`.
#[derive(Debug)]
pub(crate) struct Table<R, S> {
    pub regret: R,
    /// The last instant regrets; empty unless the algorithm predicts.
    pub last: R,
    pub average: S,
    /// By decision; empty unless the asymmetry is measured.
    pub sums: Vec<AsymmetrySums>,
}

/// What one player's decisions on one board are worth, for each own combo: chips per matchup, scaled as payoffs are. Empty
/// until a pass records it, and on the river, where it is quickly computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// `[action][combo]`, in the order of [`Place::action`](crate::compile::program::Place).
    pub actions: Vec<f32>,
    /// `[betting line][combo]`: where the street begins.
    pub lines: Vec<f32>,
}

/// A locked decision on one board.
#[derive(Clone, Debug)]
pub(crate) struct LockTable {
    pub node: NodeId,
    /// By combo of the list: the frequencies, or none where the combo is solved.
    combos: Vec<Option<Vec<f32>>>,
}

impl LockTable {
    /// The frequencies of a combo; none where it is solved.
    pub(crate) fn at(&self, combo: ListIndex) -> Option<&[f32]> {
        self.combos.get(combo.get())?.as_deref()
    }

    /// The locked combos with their frequencies.
    fn locked(&self) -> impl Iterator<Item = (ListIndex, &[f32])> {
        ListIndex::all(self.combos.len()).filter_map(|combo| Some((combo, self.at(combo)?)))
    }
}

/// A decision and its place in a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    pub node: NodeId,
    pub player: Player,
    /// Actions of the same player on the same street before it, and its own.
    pub first_action: usize,
    pub num_actions: usize,
}

/// One board.
#[derive(Debug)]
pub(crate) struct State<R, S> {
    pub layout: Layout,
    /// The seed of stochastic rounding on this board.
    pub seed: u32,
    /// The combos that play the same strategy, if boards below this one are joined or are isomorphic.
    pub orbits: PerPlayer<Orbits>,
    pub tables: PerPlayer<Table<R, S>>,
    pub recorded: PerPlayer<Recorded>,
    pub locks: Vec<LockTable>,
    /// The cards that can come next; `children` has a board for each if there is any betting left.
    pub classes: Vec<CardClass>,
    pub children: Vec<State<R, S>>,
    /// Where isomorphic boards are solved apart: the indices of isomorphic children together, in the order in which their
    /// values are added. Otherwise empty.
    pub apart: Vec<Vec<usize>>,
}

/// What tables hold, and in which formats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableFormats {
    pub regret: Format,
    pub average: Format,
    /// Whether there are last instant regrets.
    pub has_last: bool,
    /// Whether there are sums that the asymmetry is measured with.
    pub has_sums: bool,
}

impl<R: Store, S: Store> State<R, S> {
    /// All boards of a spot, with empty tables.
    pub(crate) fn build(
        spot: &Spot,
        tree: &CompiledTree,
        symmetry: &BoardSymmetry,
        formats: TableFormats,
        arena: &Arena,
        observer: &mut dyn Observer,
    ) -> Result<State<R, S>, Cancelled> {
        let layout = Layout::of_spot(spot);
        let num_parts = match layout.board.street() {
            Street::River => 0,
            _ => card_classes(&layout.board, symmetry.joined()).len(),
        };
        // Runouts of a flop are counted before its turns are built.
        let street = &tree.streets[0];
        let counts = [street.has_runouts(), street.has_tied_runouts()].map(u64::from);
        let counts: u64 = if layout.board.street() == Street::Flop { counts.iter().sum() } else { 0 };
        let progress = Progress::new(observer, num_parts as u64 * (1 + counts));
        let image = symmetry.apart(spot.board());
        let builder = Builder { spot, tree, formats, arena, progress: &progress };
        builder.grow(symmetry.joined(), image.as_ref(), layout, 0)
    }
}

/// What all boards are built from.
#[derive(Clone, Copy)]
struct Builder<'a> {
    spot: &'a Spot,
    tree: &'a CompiledTree,
    formats: TableFormats,
    arena: &'a Arena,
    progress: &'a Progress<'a>,
}

impl Builder<'_> {
    /// A board and those after it, with the symmetries under which boards are joined. `image` says which isomorphic board it
    /// follows, if such boards are solved apart.
    fn grow<R: Store, S: Store>(
        &self,
        symmetries: &[SuitPermutation],
        image: Option<&Image>,
        mut layout: Layout,
        depth: usize,
    ) -> Result<State<R, S>, Cancelled> {
        let Builder { spot, tree, formats, arena, progress } = *self;
        let street = &tree.streets[depth];
        let classes = if layout.board.street() == Street::River {
            Vec::new()
        } else {
            card_classes(&layout.board, symmetries)
        };
        if street.has_runouts() {
            layout.count_runouts(&classes, progress)?;
        }
        if street.has_tied_runouts() {
            layout.count_tied_runouts(&classes, progress)?;
        }
        let has_more_betting = tree.streets.get(depth + 1).is_some_and(|next| !next.lines.is_empty());
        let next = image.filter(|_| has_more_betting).map_or_else(Vec::new, Image::next);
        let grow = |class: &CardClass| {
            let fixed = stabiliser(symmetries, class.card);
            let child = match next.iter().flatten().find(|(card, _)| *card == class.card) {
                None => self.grow(&fixed, None, layout.child(class), depth + 1)?,
                Some((card, image)) => {
                    let lists = PerPlayer::from_fn(|player| spot.combos_on(player, &image.board));
                    let representative = Layout::of_lists(image.board, lists);
                    let child = layout.child_apart(*card, &representative, image.suits);
                    self.grow(&fixed, Some(image), child, depth + 1)?
                }
            };
            progress.advance(u64::from(depth == 0))?;
            Ok(child)
        };
        let children: Vec<State<R, S>> = match (has_more_betting, depth) {
            (false, _) => Vec::new(),
            (true, 0) => classes.par_iter().map(grow).collect::<Result<_, _>>()?,
            (true, _) => classes.iter().map(grow).collect::<Result<_, _>>()?,
        };
        let index = |(card, _): &(Card, Image)| {
            classes.iter().position(|class| class.card == *card).expect("an image is one of the next cards")
        };
        let apart = next.iter().map(|class| class.iter().map(index).collect()).collect();
        let table = |player: Player| {
            let len = street.num_actions[player] * layout.rows[player];
            let num_decisions = if formats.has_sums { street.decisions[player].len() } else { 0 };
            Table {
                regret: R::new(len, formats.regret, arena),
                last: R::new(if formats.has_last { len } else { 0 }, formats.regret, arena),
                average: S::new(len, formats.average, arena),
                sums: vec![AsymmetrySums::default(); num_decisions],
            }
        };
        let tables = PerPlayer::from_fn(table);
        let orbits = layout.combos.as_ref().map(|combos| match children.is_empty() {
            true => Orbits::default(),
            false => match image {
                None => Orbits::new(combos, symmetries),
                Some(image) => Orbits::new(combos, &image.symmetries()),
            },
        });
        let locks = locks_of(spot, &layout);
        let bits = image.map_or(layout.board, |image| image.board).set().bits();
        let seed = ((bits ^ bits >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let recorded = PerPlayer::default();
        Ok(State { layout, seed, orbits, tables, recorded, locks, classes, children, apart })
    }
}

impl<R: Store, S: Store> State<R, S> {
    /// The rows that a decision has in its player's tables.
    pub(crate) fn rows_of(&self, entries: &Entries) -> Range<usize> {
        let rows = self.layout.rows[entries.player];
        entries.first_action * rows..(entries.first_action + entries.num_actions) * rows
    }

    /// The strategies of a decision, in parts of [`ALWAYS`]: the average, in whole parts; where a combo has none, regret
    /// matching; exactly the lock where there is one. Combos without reach, if that is given, may get anything.
    pub(crate) fn read_strategy(
        &self,
        isa: Isa,
        entries: &Entries,
        reach: Option<&[Row]>,
        unpacked: &mut Vec<Row>,
        to: &mut [Row],
    ) {
        let own = entries.player;
        let (rows, num_combos) = (self.layout.rows[own], self.layout.combos[own].len());
        let (table, orbits) = (&self.tables[own], &self.orbits[own]);
        let average = table.average.view(isa, self.rows_of(entries), orbits, unpacked);
        if isa.run(ReadStrategy { average, rows, num_combos, reach, to }) {
            let regret = table.regret.view(isa, self.rows_of(entries), orbits, unpacked);
            for at in ListIndex::all(num_combos) {
                let mut parts =
                    (0..entries.num_actions).map(|action| to[action * rows + at.row()].0[at.lane()]);
                if parts.all(|part| part == 0.0) {
                    let regrets: Vec<f32> = (0..entries.num_actions)
                        .map(|action| regret[action * rows + at.row()].numbers()[at.lane()])
                        .collect();
                    put_parts(parts_of(&regrets).into_iter().map(f32::from), rows, at, to);
                }
            }
        }
        for (at, frequencies) in self.lock(entries.node).iter().flat_map(|lock| lock.locked()) {
            let parts = frequencies.iter().map(|frequency| frequency * f32::from(ALWAYS));
            put_parts(parts, rows, at, to);
        }
    }

    /// The lock of a decision, if it has one here.
    pub(crate) fn lock(&self, node: NodeId) -> Option<&LockTable> {
        self.locks.iter().find(|lock| lock.node == node)
    }

    /// The locks of a decision that hold on this board. The last one of a combo holds.
    pub(crate) fn locks_at<'a>(&'a self, spot: &'a Spot, node: NodeId) -> Vec<&'a Lock> {
        let locks = spot.locks_on(runout(spot.board(), &self.layout.board));
        locks.filter(|(locked, _)| *locked == node).map(|(_, lock)| lock).collect()
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
            + self.orbits.iter().map(Orbits::bytes).sum::<usize>()
            + self.tables.iter().map(table).sum::<usize>()
            + self.children.iter().map(State::bytes).sum::<usize>()
    }

    /// The board that represents a runout, and what its suits become there.
    pub(crate) fn find(&self, runout: &[Card]) -> Option<(&State<R, S>, SuitPermutation)> {
        follow(self, runout, |state| (&state.classes, &state.children))
    }

    /// The board at the end of a path of child indices.
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

/// The locks of a spot that hold on a board. The last lock of a combo holds.
fn locks_of(spot: &Spot, layout: &Layout) -> Vec<LockTable> {
    let mut tables: Vec<LockTable> = Vec::new();
    for (node, lock) in spot.locks_on(runout(spot.board(), &layout.board)) {
        let player = spot.tree().node(node).player().expect("the spot has checked its locks");
        let combos = &layout.combos[player];
        let at = tables.iter().position(|table| table.node == node).unwrap_or_else(|| {
            tables.push(LockTable { node, combos: vec![None; combos.len()] });
            tables.len() - 1
        });
        for (&combo, locked) in combos.iter().zip(&mut tables[at].combos) {
            if let Some(frequencies) = lock.frequencies(combo) {
                *locked = Some(frequencies.map(|frequency| frequency as f32).collect());
            }
        }
    }
    tables
}

/// Writes the parts of one combo.
fn put_parts(parts: impl Iterator<Item = f32>, rows: usize, at: ListIndex, to: &mut [Row]) {
    for (action, part) in parts.enumerate() {
        to[action * rows + at.row()].0[at.lane()] = part;
    }
}

/// The cards of a board after the root's.
fn runout<'a>(root: &Board, board: &'a Board) -> &'a [Card] {
    &board.cards()[root.cards().len()..]
}
