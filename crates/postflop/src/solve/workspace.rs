//! Scratch memory of passes: vectors of each street, for the root and for each thread.

use std::sync::Mutex;

use equipoise_cards::Street;
use equipoise_game::{Player, TreeConfig, TreeStats};

use crate::compile::program::{CompiledStreet, CompiledTree, LANES, chunk_lines};
use crate::kernel::{LaneScratch, Row};
use crate::solve::prefetch::Prefetcher;
use crate::solve::state::State;
use crate::solve::store::Store;

/// Vectors of one street.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub reach: Vec<Row>,
    pub values: Vec<Row>,
    /// Packs for the next street: reaches in the down pass, sums of values in the up pass.
    pub down: Vec<Row>,
    pub up: Vec<Row>,
    /// Values of isomorphic next cards that are solved apart.
    pub apart: Vec<Vec<Row>>,
}

/// The scratch of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub levels: Vec<Level>,
    pub work: Work,
}

/// Scratch of single decisions and batches.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub prefetcher: Prefetcher,
    pub lanes: LaneScratch,
    /// Unpacked regrets, last instant regrets and averages.
    pub unpacked: [Vec<Row>; 3],
    /// The greatest difference so far between combos of an orbit on boards that are solved apart.
    pub orbit_deviation: f32,
}

impl Scratch {
    /// Scratch that is large enough for the root and every board below, for either traverser.
    pub(crate) fn new<R: Store, S: Store>(tree: &CompiledTree, root: &State<R, S>) -> Scratch {
        let mut sizes = vec![Sizes::default(); tree.streets.len()];
        measure(root, 0, &mut sizes);
        let level = |(depth, sizes): (usize, &Sizes)| {
            let [reach, values, down, up] =
                level_rows(tree, depth, sizes.rows).map(|num_rows| vec![Row::ZERO; num_rows]);
            // The next cards of the root have results of their own.
            let num_apart = if depth == 0 { 0 } else { sizes.apart };
            let apart = vec![vec![Row::ZERO; down.len()]; num_apart];
            Level { reach, values, down, up, apart }
        };
        let levels = sizes.iter().enumerate().map(level).collect();
        let most = sizes.iter().map(|sizes| sizes.rows).max().unwrap_or(0);
        let work = Work {
            prefetcher: Prefetcher::default(),
            lanes: LaneScratch::new(most, most),
            unpacked: Default::default(),
            orbit_deviation: 0.0,
        };
        Scratch { levels, work }
    }

    pub(crate) fn bytes(&self) -> usize {
        let level = |level: &Level| {
            let apart: usize = level.apart.iter().map(Vec::len).sum();
            level.reach.len() + level.values.len() + level.down.len() + level.up.len() + apart
        };
        size_of::<Row>() * self.levels.iter().map(level).sum::<usize>()
    }
}

/// Rows of reaches, values, and packs of the down and the up pass of a street whose longest list has `rows` rows.
fn level_rows(tree: &CompiledTree, depth: usize, rows: usize) -> [usize; 4] {
    let programs = || tree.streets[depth].programs.iter().flatten();
    let reaches = programs().map(|program| program.num_reaches).max().unwrap_or(0);
    let values = programs().map(|program| program.num_values).max().unwrap_or(0);
    let packs = tree.streets.get(depth + 1).map_or(0, CompiledStreet::num_packs);
    [rows * reaches, rows * values, packs * (8 * rows + 1), packs * (8 * rows + 1)]
}

/// What the boards of one street need at most.
#[derive(Clone, Default)]
struct Sizes {
    /// The rows of a list.
    rows: usize,
    /// Isomorphic next cards that are solved apart.
    apart: usize,
}

/// What all boards need, by depth.
fn measure<R, S>(state: &State<R, S>, depth: usize, sizes: &mut [Sizes]) {
    let Sizes { rows, apart } = &mut sizes[depth];
    *rows = state.layout.rows.into_iter().fold(*rows, usize::max);
    *apart = state.apart.iter().map(Vec::len).fold(*apart, usize::max);
    state.children.iter().for_each(|child| measure(child, depth + 1, sizes));
}

/// Scratch for the root and for each thread, and the results of the next cards.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub root: Scratch,
    /// By thread, each locked by its own only.
    pub scratches: Vec<Mutex<Scratch>>,
    pub results: Vec<Vec<Row>>,
}

impl Workspace {
    pub(crate) fn new<R: Store, S: Store>(
        tree: &CompiledTree,
        root: &State<R, S>,
        threads: usize,
    ) -> Workspace {
        let scratch = Scratch::new(tree, root);
        let packs = tree.streets.get(1).map_or(0, CompiledStreet::num_packs);
        let result = |child: &State<R, S>| {
            let most_rows = child.layout.rows.into_iter().fold(0, usize::max);
            vec![Row::ZERO; packs * 8 * most_rows]
        };
        let num_scratches = if root.children.is_empty() { 0 } else { threads };
        Workspace {
            results: root.children.iter().map(result).collect(),
            scratches: (0..num_scratches).map(|_| Mutex::new(scratch.clone())).collect(),
            root: scratch,
        }
    }

    /// The most bytes of a workspace whose longest list has `rows` rows and whose root has `num_next` next cards. From
    /// counts: compiling a large tree only to measure it would take too long. At most `num_apart` isomorphic next cards are
    /// solved apart.
    pub(crate) fn estimate(
        stats: &TreeStats,
        config: &TreeConfig,
        rows: u64,
        num_next: u64,
        num_apart: u64,
        threads: u64,
    ) -> u64 {
        let streets: Vec<Street> = config.streets().collect();
        let packs = |depth: usize| {
            let lines = streets.get(depth).map_or(0, |&street| stats.street(street).num_lines);
            lines.div_ceil(LANES as u64)
        };
        let level = |(depth, &street): (usize, &Street)| {
            let counts = stats.street(street);
            let chunk = chunk_lines(street, counts.num_lines as usize) as u64;
            let actions = Player::ALL.into_iter().map(|player| {
                counts.num_actions[player].min(chunk.saturating_mul(counts.max_line_actions[player]))
            });
            // A reach for each line and each of the opponent's actions; a value for each line and own action, and a spare.
            let slots = 2 * (chunk + actions.max().unwrap_or(0)) + 1;
            let num_apart = if depth == 0 { 0 } else { num_apart };
            rows * slots + (2 + num_apart) * packs(depth + 1) * (8 * rows + 1)
        };
        let scratch: u64 = streets.iter().enumerate().map(level).sum();
        let copies = if num_next == 0 { 1 } else { 1 + threads };
        size_of::<Row>() as u64 * (copies * scratch + num_next * packs(1) * 8 * rows)
    }

    /// The greatest difference so far between combos of an orbit on boards that are solved apart.
    pub(crate) fn orbit_deviation(&self) -> f32 {
        let of_thread =
            |scratch: &Mutex<Scratch>| scratch.lock().map_or(0.0, |scratch| scratch.work.orbit_deviation);
        let of_threads = self.scratches.iter().map(of_thread).fold(0.0, f32::max);
        of_threads.max(self.root.work.orbit_deviation)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.root.bytes() * (1 + self.scratches.len())
            + self.results.iter().map(|result| size_of_val(&result[..])).sum::<usize>()
    }
}
