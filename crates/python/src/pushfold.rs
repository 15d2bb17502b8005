//! Jam or fold: heads-up, at a table, and for a row of stacks.

use std::ops::ControlFlow;
use std::path::Path;

use equipoise_blueprint::pushfold::{
    Chart, MultiwayOptions, MultiwayProgress, MultiwayPushFold, MultiwaySolution, Played, PushFold,
    PushFoldSolution, PushFoldStakes, TableDecision, TableStakes,
};
use equipoise_cards::HandClass;
use equipoise_equity::{ThreeWayBoards, ThreeWayJoint, ThreeWayTable};
use equipoise_export::{HandGrid, hand_grids};
use equipoise_files::AtomicFile;
use equipoise_game::Payouts;
use equipoise_progress::{Observer, Part};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Error, wrong};
use crate::work::watch_fraction;

/// A number for each class.
fn by_class<'py>(py: Python<'py>, of: impl Fn(HandClass) -> f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
    HandClass::all().map(of).collect::<Vec<f64>>().into_pyarray(py).reshape([13, 13])
}

fn hand_grid(title: String, of: impl Fn(HandClass) -> f64) -> HandGrid {
    HandGrid { title, cells: HandClass::all().map(|class| (of(class), String::new())).collect() }
}

fn push_fold_svg(title: &str, solution: &PushFoldSolution) -> String {
    let (jam, call) = (100.0 * solution.jam_share(), 100.0 * solution.call_share());
    let jam = hand_grid(format!("small blind jams {jam:.2} %"), |class| solution.jam(class));
    let call = hand_grid(format!("big blind calls {call:.2} %"), |class| solution.call(class));
    hand_grids(title, &[jam, call])
}

/// An equilibrium of jam or fold, heads-up; for prizes if there are payouts.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
pub(crate) fn push_fold<'py>(
    py: Python<'py>,
    stacks: [f64; 2],
    small_blind: f64,
    big_blind: f64,
    ante: f64,
    payouts: Option<Vec<f64>>,
    others: Vec<f64>,
    title: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let stakes = PushFoldStakes { small_blind, big_blind, ante, stacks };
    let game = match payouts {
        None => PushFold::new(&stakes).map_err(wrong)?,
        Some(prizes) => {
            let payouts = Payouts::new(prizes).map_err(wrong)?;
            PushFold::for_prizes(&stakes, &others, &payouts).map_err(wrong)?
        }
    };
    let found = watch_fraction(py, None, None, move |_| game.solve())?;
    let answer = PyDict::new(py);
    answer.set_item("jam", by_class(py, |class| found.jam(class))?)?;
    answer.set_item("call", by_class(py, |class| found.call(class))?)?;
    answer.set_item("ev_jam", by_class(py, |class| found.ev_jam(class))?)?;
    answer.set_item("ev_call", by_class(py, |class| found.ev_call(class))?)?;
    answer.set_item("ev_fold", found.ev_fold())?;
    answer.set_item("ev", found.ev())?;
    answer.set_item("gains", found.gains())?;
    answer.set_item("jam_share", found.jam_share())?;
    answer.set_item("call_share", found.call_share())?;
    answer.set_item("iterations", found.iterations())?;
    answer.set_item("svg", push_fold_svg(title, &found))?;
    Ok(answer)
}

/// The deepest stack at which each class is played, and whether it is at every one up to it; NaN for never.
#[pyfunction]
pub(crate) fn push_fold_chart<'py>(
    py: Python<'py>,
    depths: [f64; 3],
    small_blind: f64,
    ante: f64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let stakes = PushFoldStakes { small_blind, big_blind: 1.0, ante, stacks: [1.0; 2] };
    let [from, to, step] = depths;
    let chart =
        watch_fraction(py, threads, None, move |_| Chart::new(&stakes, from, to, step))?.map_err(wrong)?;
    let answer = PyDict::new(py);
    let flag = |is_so: bool| f64::from(u8::from(is_so));
    answer.set_item("jam", by_class(py, |class| chart.jam(class).deepest.unwrap_or(f64::NAN))?)?;
    answer.set_item("call", by_class(py, |class| chart.call(class).deepest.unwrap_or(f64::NAN))?)?;
    answer.set_item("jam_is_monotone", by_class(py, |class| flag(chart.jam(class).is_monotone))?)?;
    answer.set_item("call_is_monotone", by_class(py, |class| flag(chart.call(class).is_monotone))?)?;
    let rows: Vec<[f64; 5]> = chart
        .solutions()
        .map(|(stack, found)| {
            [stack, found.jam_share(), found.call_share(), found.ev()[0], found.exploitability()]
        })
        .collect();
    answer.set_item("rows", rows)?;
    Ok(answer)
}

/// What a solve at a table found.
struct Found {
    stakes: TableStakes,
    solution: MultiwaySolution,
    played: Option<Played>,
    std_error: f64,
}

/// An ε-equilibrium of jam or fold of three to nine players.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
pub(crate) fn push_fold_table<'py>(
    py: Python<'py>,
    stacks: Vec<f64>,
    blinds: [f64; 2],
    ante: f64,
    payouts: Option<Vec<f64>>,
    others: Vec<f64>,
    table: Option<String>,
    boards: u32,
    seed: u64,
    options: (f64, u32),
    deals: u64,
    title: String,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let [small_blind, big_blind] = blinds;
    let payouts = payouts.map(Payouts::new).transpose().map_err(wrong)?;
    let stakes = TableStakes { small_blind, big_blind, ante, stacks, others, payouts };
    stakes.check().map_err(wrong)?;
    let table = table.map(|path| read_table(&path)).transpose()?;
    let (target, max_iterations) = options;
    let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
        let table = match table {
            Some(table) => table,
            None => {
                let mut part = Part::new(reporter, 0.0, 0.3);
                ThreeWayTable::sample(ThreeWayBoards::Random(boards), seed, &mut part)?
            }
        };
        let joint = ThreeWayJoint::new(&table);
        let game = MultiwayPushFold::new(stakes.clone(), Some(&joint)).expect("stakes were checked");
        let options = MultiwayOptions { target, max_iterations };
        let part = Part::new(reporter, 0.3, 0.9);
        let solution = game.solve(&options, &mut Solving { part, max_iterations });
        let played = match deals {
            0 => None,
            deals => Some(solution.play(&stakes, deals, seed, &mut Part::new(reporter, 0.9, 1.0))?),
        };
        Ok::<_, equipoise_progress::Cancelled>(Found {
            stakes,
            solution,
            played,
            std_error: table.std_error(),
        })
    })?;
    table_document(py, &found.map_err(wrong)?, &title)
}

/// A solve as a part of all work.
struct Solving<'a> {
    part: Part<'a>,
    max_iterations: u32,
}

impl Observer<MultiwayProgress> for Solving<'_> {
    fn progress(&mut self, progress: &MultiwayProgress) -> ControlFlow<()> {
        self.part.progress(&progress.fraction(self.max_iterations))
    }

    fn is_cancelled(&self) -> bool {
        self.part.is_cancelled()
    }
}

fn table_document<'py>(py: Python<'py>, found: &Found, title: &str) -> PyResult<Bound<'py, PyDict>> {
    let Found { stakes, solution, played, std_error } = found;
    let names: Vec<&str> = (0..stakes.stacks.len()).map(|seat| stakes.name(seat)).collect();
    let answer = PyDict::new(py);
    answer.set_item("ev", solution.ev())?;
    answer.set_item("gains", solution.gains())?;
    answer.set_item("epsilon", solution.epsilon())?;
    answer.set_item("converged", solution.converged())?;
    answer.set_item("iterations", solution.iterations())?;
    answer.set_item("std_error", std_error)?;
    let decisions = PyList::empty(py);
    for decision in solution.decisions() {
        let one = PyDict::new(py);
        one.set_item("player", names[decision.seat()])?;
        one.set_item("after", decision.all_in().map(|seat| names[seat]).collect::<Vec<_>>())?;
        one.set_item("reach", decision.reach())?;
        one.set_item("share", decision.share())?;
        one.set_item("play", by_class(py, |class| decision.play(class))?)?;
        one.set_item("ev_play", by_class(py, |class| decision.ev_play(class))?)?;
        one.set_item("ev_fold", by_class(py, |class| decision.ev_fold(class))?)?;
        decisions.append(one)?;
    }
    answer.set_item("decisions", decisions)?;
    answer.set_item("svg", table_svg(title, solution, &names))?;
    answer.set_item("names", names)?;
    if let Some(played) = played {
        let seats: Vec<_> = played
            .seats
            .iter()
            .map(|seat| (seat.ev, seat.std_error, seat.real_gain, seat.fourth_gain))
            .collect();
        answer.set_item("played", (played.deals, played.after_three, seats))?;
    }
    Ok(answer)
}

/// All decisions of three players, and the first jams of more.
fn table_svg(title: &str, solution: &MultiwaySolution, names: &[&str]) -> String {
    let is_drawn = |decision: &&TableDecision| names.len() == 3 || decision.all_in().count() == 0;
    let grid = |decision: &TableDecision| {
        let after: Vec<&str> = decision.all_in().map(|seat| names[seat]).collect();
        let after = if after.is_empty() { String::new() } else { format!(" after {}", after.join(", ")) };
        let title = format!("{}{after}: {:.2} %", names[decision.seat()], 100.0 * decision.share());
        hand_grid(title, |class| decision.play(class))
    };
    let grids: Vec<HandGrid> = solution.decisions().iter().filter(is_drawn).map(grid).collect();
    hand_grids(title, &grids)
}

fn read_table(path: &str) -> PyResult<ThreeWayTable> {
    let failed = |error: String| {
        let help = "eq.make_three_way_table(path), or equipoise pushfold --make-table FILE, makes one";
        PyErr::from(Error::new("FileError", format!("{path}: {error}")).help(Some(help.to_owned())))
    };
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    ThreeWayTable::from_bytes(&bytes).map_err(|error| failed(error.to_string()))
}

/// Samples how three hands rank and writes the table; the standard error of an equity.
#[pyfunction]
pub(crate) fn make_three_way_table(
    py: Python<'_>,
    path: String,
    boards: Option<u32>,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let failed = |error: std::io::Error| PyErr::from(Error::new("FileError", format!("{path}: {error}")));
    // Opened before the work, so that a folder that cannot be written to shows at once.
    let mut file = AtomicFile::create(Path::new(&path)).map_err(failed)?;
    let boards = boards.map_or(ThreeWayBoards::FINE, ThreeWayBoards::Random);
    let table = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
        ThreeWayTable::sample(boards, seed, reporter)
    })?;
    let table = table.map_err(wrong)?;
    std::io::Write::write_all(&mut file, &table.to_bytes()).map_err(failed)?;
    file.finish().map_err(failed)?;
    Ok(table.std_error())
}
