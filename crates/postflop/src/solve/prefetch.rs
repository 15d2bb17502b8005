//! Which tables are prefetched, and when.
//!
//! Small tables stay in the caches, and nothing is prefetched. Larger ones are prefetched decision by decision, one step
//! ahead. Tables that come from memory are streamed in training: while the kernels of one phase run, they prefetch, row by
//! row, what the next phase reads. The down pass and the terminals of a program prefetch the tables of its up pass; the up
//! pass prefetches the tables of the next down pass, be it of the same board or of the next one. Where nobody was there to
//! stream a down pass, it goes decision by decision.

use std::ops::Range;

use equipoise_game::{NodeId, Player};

use crate::compile::program::{CompiledTree, DownStep, Program, UpStep};
use crate::kernel::{PrefetchQueue, PrefetchStream, TableLines};
use crate::solve::pass::Pass;
use crate::solve::state::State;
use crate::solve::store::Store;

/// Tables up to these sizes, in bytes, stay in the L2 cache from one iteration to the next, and in any cache.
const LARGEST_IN_L2: usize = 1 << 20;
const LARGEST_IN_CACHE: usize = 32 << 20;

/// How tables are prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrefetchPolicy {
    Never,
    /// The tables of the next decision, at once.
    ByDecision,
    /// The tables of the next phase, beside the work of this one.
    Streamed,
}

impl PrefetchPolicy {
    /// The policy for tables of a size.
    pub(crate) fn of_size(bytes: usize) -> PrefetchPolicy {
        if bytes <= LARGEST_IN_L2 {
            PrefetchPolicy::Never
        } else if bytes <= LARGEST_IN_CACHE {
            PrefetchPolicy::ByDecision
        } else {
            PrefetchPolicy::Streamed
        }
    }

    /// The policy in a pass. Passes that do not train read too little to be streamed.
    pub(crate) fn in_pass(self, pass: &Pass) -> PrefetchPolicy {
        match self {
            PrefetchPolicy::Streamed if !pass.is_training() => PrefetchPolicy::ByDecision,
            policy => policy,
        }
    }
}

/// The steps of a program on a board, and the tables that they read.
pub(crate) struct Reads<'a, R, S> {
    pub policy: PrefetchPolicy,
    pub pass: &'a Pass,
    pub tree: &'a CompiledTree,
    pub state: &'a State<R, S>,
    pub program: &'a Program,
}

impl<R: Store, S: Store> Reads<'_, R, S> {
    fn opponent(&self) -> Player {
        self.pass.player.opponent()
    }

    /// The rows of a decision in its player's tables.
    fn rows(&self, node: NodeId, num_actions: usize, player: Player) -> Range<usize> {
        let (rows, first) = (self.state.layout.rows[player], self.tree.first_action(node));
        first * rows..(first + num_actions) * rows
    }

    fn down_rows(&self, step: &DownStep) -> Range<usize> {
        self.rows(step.node, step.actions, self.opponent())
    }

    fn up_rows(&self, step: &UpStep) -> Range<usize> {
        self.rows(step.node, step.actions, self.pass.player)
    }

    /// The cache lines that the down pass of training reads.
    fn down_lines(&self) -> TableLines {
        let [Some(first), Some(last)] = [self.program.downs.first(), self.program.downs.last()] else {
            return TableLines::default();
        };
        let rows = self.down_rows(first).start..self.down_rows(last).end;
        let table = &self.state.tables[self.opponent()];
        [
            table.regret.cache_lines(rows.clone()),
            table.average.cache_lines(rows.clone()),
            table.last.cache_lines(rows),
        ]
    }

    /// The cache lines that the up pass of training reads. Its steps are in descending order of their places.
    fn up_lines(&self) -> TableLines {
        let [Some(last), Some(first)] = [self.program.ups.first(), self.program.ups.last()] else {
            return TableLines::default();
        };
        let rows = self.up_rows(first).start..self.up_rows(last).end;
        let table = &self.state.tables[self.pass.player];
        [table.regret.cache_lines(rows.clone()), table.last.cache_lines(rows), Default::default()]
    }

    /// Rows that the kernels of the terminals have.
    fn terminal_rows(&self) -> usize {
        let num_batches = self.program.shows.len() + self.program.folds.len();
        num_batches * self.state.layout.rows[self.opponent()]
    }

    /// Rows that the kernels of the down pass have.
    fn down_pass_rows(&self) -> usize {
        self.program.downs.len() * self.state.layout.rows[self.opponent()]
    }

    /// Rows that the kernels of the up pass have.
    fn up_pass_rows(&self) -> usize {
        self.program.ups.len() * self.state.layout.rows[self.pass.player]
    }
}

/// Prefetches for one thread's part of a pass. It is told of each phase before it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefetcher {
    /// What the kernels of this phase prefetch beside their work.
    queue: PrefetchQueue,
    /// What the first down pass on the board after this one reads.
    next_board: Option<TableLines>,
    /// Whether the tables of the next down pass have been streamed.
    is_down_streamed: bool,
    /// Whether the tables of this down pass are prefetched decision by decision.
    is_down_by_decision: bool,
}

impl Prefetcher {
    /// The board that comes after the one that is visited next, if any.
    pub(crate) fn set_next_board<R: Store, S: Store>(&mut self, reads: Option<Reads<'_, R, S>>) {
        let streamed = reads.filter(|reads| reads.policy == PrefetchPolicy::Streamed);
        self.next_board = streamed.map(|reads| reads.down_lines());
    }

    pub(crate) fn start_down<R: Store, S: Store>(&mut self, reads: &Reads<'_, R, S>) {
        let is_streamed = std::mem::take(&mut self.is_down_streamed);
        self.is_down_by_decision = !is_streamed && reads.policy != PrefetchPolicy::Never;
        self.queue = if is_streamed {
            PrefetchQueue::new(reads.up_lines(), reads.down_pass_rows() + reads.terminal_rows())
        } else {
            PrefetchQueue::default()
        };
    }

    /// Before step `at` of the down pass.
    pub(crate) fn before_down<R: Store, S: Store>(&mut self, reads: &Reads<'_, R, S>, at: usize) {
        if let (true, Some(next)) = (self.is_down_by_decision, reads.program.downs.get(at + 1)) {
            let table = &reads.state.tables[reads.opponent()];
            table.average.prefetch(reads.down_rows(next));
            if reads.pass.is_training() {
                table.regret.prefetch(reads.down_rows(next));
            }
        }
    }

    pub(crate) fn start_terminals<R: Store, S: Store>(&mut self, reads: &Reads<'_, R, S>) {
        if self.is_down_by_decision && reads.policy == PrefetchPolicy::Streamed {
            self.queue = PrefetchQueue::new(reads.up_lines(), reads.terminal_rows());
        }
    }

    /// `next` are the reads of the next program on the same board, if any.
    pub(crate) fn start_up<R: Store, S: Store>(
        &mut self,
        reads: &Reads<'_, R, S>,
        next: Option<Reads<'_, R, S>>,
    ) {
        self.queue = PrefetchQueue::default();
        if reads.policy != PrefetchPolicy::Streamed {
            return;
        }
        let next_down = next.map(|next| next.down_lines()).or_else(|| self.next_board.take());
        if let Some(lines) = next_down {
            self.queue = PrefetchQueue::new(lines, reads.up_pass_rows());
            self.is_down_streamed = true;
        }
    }

    /// Before step `at` of the up pass.
    pub(crate) fn before_up<R: Store, S: Store>(&mut self, reads: &Reads<'_, R, S>, at: usize) {
        let is_by_decision = reads.policy == PrefetchPolicy::ByDecision && reads.pass.is_training();
        if let (true, Some(next)) = (is_by_decision, reads.program.ups.get(at + 1)) {
            reads.state.tables[reads.pass.player].regret.prefetch(reads.up_rows(next));
        }
    }

    /// What the next kernel prefetches with its rows.
    #[inline]
    pub(crate) fn stream(&mut self, rows: usize) -> PrefetchStream {
        self.queue.take(rows)
    }
}
