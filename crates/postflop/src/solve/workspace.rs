//! What passes work in: vectors of each street, for the root and for each thread.

use std::sync::Mutex;

use equipoise_cards::Street;
use equipoise_game::{TreeConfig, TreeStats};

use crate::compile::program::{LANES, Plan, StreetPlan, chunk_lines};
use crate::kernel::{LaneScratch, Lines, Row, Soon};
use crate::solve::state::State;
use crate::solve::store::Store;

/// Vectors of one street.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub reach: Vec<Row>,
    pub values: Vec<Row>,
    /// Packs for the next street: reaches on the way down, sums of values on the way up.
    pub down: Vec<Row>,
    pub up: Vec<Row>,
}

/// What one thread works with.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub levels: Vec<Level>,
    pub work: Work,
}

/// What one decision or batch at a time is worked on in.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// What is asked for beside the work.
    pub soon: Soon,
    /// What the opponent's steps read on the board that comes after this one.
    pub after: Option<Lines>,
    /// Whether what the opponent's next steps read has been asked for.
    pub is_fetched: bool,
    pub lanes: LaneScratch,
    /// Unpacked regrets, last instant regrets and averages.
    pub unpacked: [Vec<Row>; 3],
}

impl Scratch {
    /// Room for every board below (and with) a root, for either traverser.
    pub(crate) fn new<R: Store, S: Store>(plan: &Plan, root: &State<R, S>) -> Scratch {
        let mut rows = vec![0; plan.streets.len()];
        measure(root, 0, &mut rows);
        let level = |(depth, &rows): (usize, &usize)| {
            let [reach, values, down, up] =
                level_rows(plan, depth, rows).map(|num_rows| vec![Row::ZERO; num_rows]);
            Level { reach, values, down, up }
        };
        let levels = rows.iter().enumerate().map(level).collect();
        let most = rows.iter().copied().max().unwrap_or(0);
        let work = Work {
            soon: Soon::default(),
            after: None,
            is_fetched: false,
            lanes: LaneScratch::new(most, most),
            unpacked: Default::default(),
        };
        Scratch { levels, work }
    }

    pub(crate) fn bytes(&self) -> usize {
        let level =
            |level: &Level| level.reach.len() + level.values.len() + level.down.len() + level.up.len();
        size_of::<Row>() * self.levels.iter().map(level).sum::<usize>()
    }
}

/// Rows of reaches, values and packs on the way down and up that a street needs if its longest list has so many rows.
fn level_rows(plan: &Plan, depth: usize, rows: usize) -> [usize; 4] {
    let programs = || plan.streets[depth].programs.iter().flatten();
    let reaches = programs().map(|program| program.num_reaches).max().unwrap_or(0);
    let values = programs().map(|program| program.num_values).max().unwrap_or(0);
    let packs = plan.streets.get(depth + 1).map_or(0, StreetPlan::num_packs);
    [rows * reaches, rows * values, packs * (8 * rows + 1), packs * (8 * rows + 1)]
}

/// The most rows of any list, by depth.
fn measure<R, S>(state: &State<R, S>, depth: usize, rows: &mut [usize]) {
    rows[depth] = rows[depth].max(state.layout.rows[0]).max(state.layout.rows[1]);
    state.children.iter().for_each(|child| measure(child, depth + 1, rows));
}

/// Scratch for the root and for as many threads as ask for it, and a place for the result of each next card.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub root: Scratch,
    pub pool: Mutex<Vec<Scratch>>,
    pub results: Vec<Vec<Row>>,
}

impl Workspace {
    pub(crate) fn new<R: Store, S: Store>(plan: &Plan, root: &State<R, S>, threads: usize) -> Workspace {
        let scratch = Scratch::new(plan, root);
        let packs = plan.streets.get(1).map_or(0, StreetPlan::num_packs);
        let result =
            |child: &State<R, S>| vec![Row::ZERO; packs * 8 * child.layout.rows[0].max(child.layout.rows[1])];
        Workspace {
            results: root.children.iter().map(result).collect(),
            pool: Mutex::new(vec![scratch.clone(); if root.children.is_empty() { 0 } else { threads }]),
            root: scratch,
        }
    }

    /// Bytes that a workspace will take at most, if the longest list has so many rows and so many cards may come next.
    /// From counts, since compiling a large tree takes longer than a question of its size should.
    pub(crate) fn estimate(
        stats: &TreeStats,
        config: &TreeConfig,
        rows: u64,
        num_next: u64,
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
            let actions = (0..2).map(|player| {
                counts.num_actions[player].min(chunk.saturating_mul(counts.max_line_actions[player]))
            });
            // A reach for each line and each of the opponent's actions; a value for each own one, and one to spare.
            let slots = 2 * (chunk + actions.max().unwrap_or(0)) + 1;
            rows * slots + 2 * packs(depth + 1) * (8 * rows + 1)
        };
        let scratch: u64 = streets.iter().enumerate().map(level).sum();
        let copies = if num_next == 0 { 1 } else { 1 + threads };
        size_of::<Row>() as u64 * (copies * scratch + num_next * packs(1) * 8 * rows)
    }

    pub(crate) fn bytes(&self) -> usize {
        let pool = self.pool.lock().map_or(0, |pool| pool.len());
        self.root.bytes() * (1 + pool)
            + self.results.iter().map(|result| size_of_val(&result[..])).sum::<usize>()
    }
}
