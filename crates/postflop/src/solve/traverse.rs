//! One pass over all boards for one player.
//!
//! On each board the pass runs the programs of its street: down (the opponent's decisions), terminals, the next cards, up
//! (the own decisions). The next cards of the root are the tasks of a thread pool.

use std::sync::Mutex;

use equipoise_game::{PerPlayer, Player};

use crate::compile::layout::Layout;
use crate::compile::program::{CompiledTree, Program};
use crate::kernel::{
    AddLists, AddRows, Fold, Gather, Isa, ListIndex, MOST_BATCHES, Pack, Row, Runout, Scatter, Showdown,
    ThreadPool, Ties, Unpack,
};
use crate::solve::pass::Pass;
use crate::solve::prefetch::{PrefetchPolicy, Reads};
use crate::solve::state::State;
use crate::solve::store::Store;
use crate::solve::workspace::{Level, Scratch, Work, Workspace};

/// A pass with everything that it needs.
#[derive(Clone, Copy)]
pub(crate) struct Traversal<'a> {
    pub tree: &'a CompiledTree,
    pub isa: Isa,
    pub pass: Pass,
    pub prefetch: PrefetchPolicy,
}

/// Packs of vectors on the way to or from a street.
#[derive(Clone, Copy)]
struct Packs<'a> {
    rows: &'a [Row],
    /// Rows of a pack.
    stride: usize,
}

/// Where the values of a board go.
struct Target<'a> {
    /// Whether the packs are in the board's own order and are replaced, or are sums in the order of the board before.
    is_result: bool,
    /// The probability of the board's last card.
    factor: f32,
    /// Rows of a pack.
    stride: usize,
    packs: &'a mut [Row],
}

const NO_PANIC: &str = "no thread panics with the lock";

impl<'a> Traversal<'a> {
    pub(super) fn own(&self) -> Player {
        self.pass.player
    }

    pub(super) fn opponent(&self) -> Player {
        self.pass.player.opponent()
    }

    /// Runs the pass from the root, given the weights of both players there; the values of the own combos.
    pub(crate) fn run<'w, R: Store, S: Store>(
        &self,
        root: &mut State<R, S>,
        weights: &PerPlayer<Vec<Row>>,
        workspace: &'w mut Workspace,
        pool: &ThreadPool,
    ) -> &'w [Row] {
        let Workspace { root: Scratch { levels, work }, scratches, results } = workspace;
        let level = &mut levels[0];
        let program = self.root_program();
        let weights = &weights[self.opponent()];
        level.reach[..weights.len()].copy_from_slice(weights);
        self.descend(root, program, level, work);
        if !root.children.is_empty() {
            self.pack(root, program, level);
            self.visit_next_cards(root, level, scratches, results, pool);
            level.up.fill(Row::ZERO);
            // In a fixed order, so that the sum does not depend on the threads.
            let mut add = |at: usize| {
                let layout = &root.children[at].layout;
                self.add_result(layout, root.layout.rows[self.own()], level, &results[at]);
            };
            match &root.apart[..] {
                [] => (0..root.children.len()).for_each(add),
                classes => classes.iter().flatten().for_each(|&at| add(at)),
            }
            self.unpack(root, program, level);
        }
        self.ascend(root, program, None, level, work);
        &level.values[..root.layout.rows[self.own()]]
    }

    fn root_program(&self) -> &'a Program {
        let [program] = &self.tree.streets[0].programs[self.own()][..] else {
            unreachable!("the root is one betting line")
        };
        program
    }

    /// Visits the next cards of the root, each with a result of its own.
    fn visit_next_cards<R: Store, S: Store>(
        &self,
        root: &mut State<R, S>,
        level: &Level,
        scratches: &[Mutex<Scratch>],
        results: &mut [Vec<Row>],
        pool: &ThreadPool,
    ) {
        let factor = chance_factor(root);
        let down = Packs { rows: &level.down, stride: 8 * root.layout.rows[self.opponent()] + 1 };
        let cards: Vec<_> = root.children.iter_mut().zip(results).map(Mutex::new).collect();
        pool.run(cards.len(), &|thread, card| {
            let (child, result) = &mut *cards[card].lock().expect(NO_PANIC);
            let Scratch { levels, work } = &mut *scratches[thread].lock().expect(NO_PANIC);
            let stride = 8 * child.layout.rows[self.own()];
            let target = Target { is_result: true, factor, stride, packs: result };
            self.visit(child, 1, down, target, &mut levels[1..], work);
        });
    }

    /// Adds the result of a next card to the sums of the root.
    fn add_result(&self, child: &Layout, root_rows: usize, level: &mut Level, result: &[Row]) {
        let len = 8 * child.rows[self.own()];
        if len == 0 {
            return;
        }
        let images = &child.images[self.own()];
        for (pack, from) in level.up.chunks_exact_mut(8 * root_rows + 1).zip(result.chunks_exact(len)) {
            self.isa.run(AddRows { from, images, pack });
        }
    }

    /// One board whose reaches come from packs and whose values go to packs.
    fn visit<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        depth: usize,
        down: Packs<'_>,
        target: Target<'_>,
        levels: &mut [Level],
        work: &mut Work,
    ) {
        let (level, deeper) = levels.split_first_mut().expect("a level for each street");
        let programs = &self.tree.streets[depth].programs[self.own()];
        for (at, program) in programs.iter().enumerate() {
            for (pack, first, num_lines) in program.packs() {
                let indices = &state.layout.images[self.opponent()][0];
                let pack = &down.rows[pack * down.stride..][..down.stride];
                self.isa.run(Gather { pack, indices, first, num_lines, to: &mut level.reach });
            }
            self.descend(state, program, level, work);
            if !state.children.is_empty() {
                self.pack(state, program, level);
                match state.apart.is_empty() {
                    true => self.visit_children(state, depth, level, deeper, work),
                    false => self.visit_apart(state, depth, level, deeper, work),
                }
                self.unpack(state, program, level);
            }
            self.ascend(state, program, programs.get(at + 1), level, work);
            for (pack, first, num_lines) in program.packs() {
                let pack = &mut target.packs[pack * target.stride..][..target.stride];
                let images = (!target.is_result).then_some(&state.layout.images[self.own()][..]);
                let (factor, rows) = (target.factor, state.layout.rows[self.own()]);
                self.isa.run(Scatter { from: &level.values, first, num_lines, factor, rows, images, pack });
            }
        }
    }

    /// Visits the next cards of a board that is not the root and sums their values.
    fn visit_children<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        depth: usize,
        level: &mut Level,
        deeper: &mut [Level],
        work: &mut Work,
    ) {
        let Level { down, up, .. } = level;
        up.fill(Row::ZERO);
        let down = Packs { rows: down, stride: 8 * state.layout.rows[self.opponent()] + 1 };
        let stride = 8 * state.layout.rows[self.own()] + 1;
        let factor = chance_factor(state);
        let first_program = self.tree.streets[depth + 1].programs[self.own()].first();
        for at in 0..state.children.len() {
            let (visited, later) = state.children.split_at_mut(at + 1);
            let next = later.first().zip(first_program);
            work.prefetcher.set_next_board(next.map(|(board, program)| self.reads(board, program)));
            let target = Target { is_result: false, factor, stride, packs: up };
            self.visit(&mut visited[at], depth + 1, down, target, deeper, work);
        }
    }

    /// The same for isomorphic cards that are solved apart: their values are added in the order of joined ones.
    fn visit_apart<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        depth: usize,
        level: &mut Level,
        deeper: &mut [Level],
        work: &mut Work,
    ) {
        let Level { down, up, apart: results, .. } = level;
        up.fill(Row::ZERO);
        let down = Packs { rows: down, stride: 8 * state.layout.rows[self.opponent()] + 1 };
        let stride = 8 * state.layout.rows[self.own()] + 1;
        let factor = chance_factor(state);
        for class in &state.apart {
            for (&at, result) in class.iter().zip(&mut *results) {
                let child = &mut state.children[at];
                work.prefetcher.set_next_board::<R, S>(None);
                let stride = 8 * child.layout.rows[self.own()];
                let target = Target { is_result: true, factor, stride, packs: result };
                self.visit(child, depth + 1, down, target, deeper, work);
            }
            let len = 8 * state.children[class[0]].layout.rows[self.own()];
            for (number, pack) in up.chunks_exact_mut(stride).enumerate() {
                let mut lists: Vec<(&[Row], &[ListIndex])> = Vec::with_capacity(class.len());
                for (&at, result) in class.iter().zip(&*results) {
                    let image = &state.children[at].layout.images[self.own()][0];
                    lists.push((&result[number * len..][..len], image));
                }
                self.isa.run(AddLists { lists: &lists, pack });
            }
        }
    }

    /// The down pass and the terminals of a program.
    fn descend<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        program: &Program,
        level: &mut Level,
        work: &mut Work,
    ) {
        work.prefetcher.start_down(&self.reads(state, program));
        for (at, step) in program.downs.iter().enumerate() {
            work.prefetcher.before_down(&self.reads(state, program), at);
            self.down(state, step, &mut level.reach, work);
        }
        work.prefetcher.start_terminals(&self.reads(state, program));
        match self.pass.has_wide_sums {
            false => self.terminals::<false>(&state.layout, program, level, work),
            true => self.terminals::<true>(&state.layout, program, level, work),
        }
    }

    fn terminals<const WIDE: bool>(
        &self,
        layout: &Layout,
        program: &Program,
        level: &mut Level,
        work: &mut Work,
    ) {
        let Work { prefetcher, lanes: scratch, .. } = work;
        let Level { reach, values, .. } = level;
        let matchup = &layout.matchups[self.own()];
        let opponent_rows = layout.rows[self.opponent()];
        for batches in program.shows.chunks(if WIDE { 1 } else { MOST_BATCHES }) {
            let prefetch = prefetcher.stream(batches.len() * opponent_rows);
            self.isa.run(Showdown::<WIDE> { matchup, batches, reach, values, scratch, prefetch });
        }
        for batch in &program.folds {
            let prefetch = prefetcher.stream(opponent_rows);
            self.isa.run(Fold::<WIDE> { matchup, batch, reach, values, scratch, prefetch });
        }
        let matrix = &layout.runouts[self.own()];
        let own_rows = layout.rows[self.own()];
        for batch in &program.runouts {
            self.isa.run(Runout { matrix, own_rows, opponent_rows, batch, reach, values });
        }
        for batch in &program.ties {
            self.isa.run(Ties::<WIDE> { matchup, batch, reach, values, scratch });
        }
        let matrix = &layout.tied_runouts[self.own()];
        for batch in &program.tied_runouts {
            self.isa.run(Runout { matrix, own_rows, opponent_rows, batch, reach, values });
        }
    }

    /// The up pass of a program. `next` is the program that follows on the same board.
    fn ascend<R: Store, S: Store>(
        &self,
        state: &mut State<R, S>,
        program: &Program,
        next: Option<&Program>,
        level: &mut Level,
        work: &mut Work,
    ) {
        let next = next.map(|next| self.reads(state, next));
        work.prefetcher.start_up(&self.reads(state, program), next);
        let (rows, orbits) = (state.layout.rows[self.own()], &state.orbits[self.own()]);
        if !state.apart.is_empty() {
            let given = program.given_slots().map(|slot| &level.values[slot * rows..][..rows]);
            let deviations = given.map(|list| orbits.deviation(list));
            work.orbit_deviation = deviations.fold(work.orbit_deviation, f32::max);
        }
        if self.pass.is_training() {
            // The combos of an orbit are updated with their mean value.
            orbits.average(&mut level.values[..program.num_values * rows]);
        }
        let records = self.pass.records && !state.is_river();
        for (at, step) in program.ups.iter().enumerate() {
            work.prefetcher.before_up(&self.reads(state, program), at);
            if records {
                self.record_actions(state, step, level);
            }
            self.up(state, step, &mut level.values, work);
        }
        if records {
            self.record_lines(state, program, level);
        }
    }

    /// The tables that a program reads on a board, for the prefetcher.
    fn reads<'r, R, S>(&'r self, state: &'r State<R, S>, program: &'r Program) -> Reads<'r, R, S> {
        Reads { policy: self.prefetch, pass: &self.pass, tree: self.tree, state, program }
    }

    fn pack<R, S>(&self, state: &State<R, S>, program: &Program, level: &mut Level) {
        let rows = state.layout.rows[self.opponent()];
        let packs = level.down.chunks_exact_mut(8 * rows + 1);
        for (slots, pack) in program.chances.reach.chunks(8).zip(packs) {
            self.isa.run(Pack { slots, from: &level.reach, rows, pack });
        }
    }

    fn unpack<R, S>(&self, state: &State<R, S>, program: &Program, level: &mut Level) {
        let rows = state.layout.rows[self.own()];
        let chances = program.chances.dest.chunks(8).zip(program.chances.accumulate.chunks(8));
        for ((slots, accumulate), pack) in chances.zip(level.up.chunks_exact(8 * rows + 1)) {
            self.isa.run(Unpack { slots, accumulate, pack, rows, to: &mut level.values });
        }
    }
}

/// The probability of each next card that two combos and the board leave.
fn chance_factor<R, S>(state: &State<R, S>) -> f32 {
    let num_left = 52 - 4 - state.layout.board.cards().len();
    1.0 / num_left as f32
}
