//! Solutions: decisions and what is known there, as arrays.

use std::path::PathBuf;
use std::sync::Arc;

use equipoise_cards::{Card, Combo};
use equipoise_export::{
    ExportScope, SolutionTable, StrategyGrid, action_colour, equity_graph, strategy_grid,
};
use equipoise_files::AtomicFile;
use equipoise_game::{NodeId, NodeKind, PerPlayer, Player};
use equipoise_postflop::{
    Exploitability, HandDetail, Header, NodePath, NodeView, PlayerEv, PlayerView, ReadError, Reader,
    ViewDetail,
};
use equipoise_progress::Observer;
use equipoise_spots::spot_file;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::street;
use crate::errors::{Error, wrong};
use crate::problem::Problem;
use crate::solver::{Shared, contents, file_error};
use crate::work::{Reporter, watch_fraction};

/// What is said of a solution as a whole.
#[derive(Clone, Debug)]
pub(crate) struct SolutionInfo {
    iterations: u32,
    exploitability_pct: f64,
    exploitability_chips: f64,
    seconds: f64,
    converged: bool,
    algorithm: String,
    storage: String,
    contents: &'static str,
    /// Both players' EV and equity at the root.
    evs: [[f64; 2]; 2],
    /// Checks: iteration, exploitability in percent of the pot, seconds (NaN of files, which do not keep them).
    pub(crate) history: Vec<[f64; 3]>,
    problem: Arc<spot_file::Problem>,
}

impl SolutionInfo {
    /// Of a solve in memory.
    pub(crate) fn of(
        solution: &equipoise_postflop::Solution,
        exploitability: Exploitability,
        evs: &PerPlayer<PlayerEv>,
        problem: &Arc<spot_file::Problem>,
    ) -> SolutionInfo {
        SolutionInfo {
            iterations: solution.iterations(),
            exploitability_pct: exploitability.pct_pot,
            exploitability_chips: exploitability.chips,
            seconds: solution.elapsed().as_secs_f64(),
            converged: solution.converged(),
            algorithm: solution.algorithm().to_string(),
            storage: problem.options.storage.to_string(),
            contents: "memory",
            evs: evs.as_ref().map(|player| [player.mean, player.equity]).into_array(),
            history: Vec::new(),
            problem: Arc::clone(problem),
        }
    }

    fn of_file(header: &Header, problem: spot_file::Problem) -> SolutionInfo {
        let check = |&(iteration, pct): &(u32, f64)| [f64::from(iteration), pct, f64::NAN];
        SolutionInfo {
            iterations: header.iterations,
            exploitability_pct: header.exploitability_pct,
            exploitability_chips: header.exploitability_chips,
            seconds: header.elapsed_s,
            converged: header.converged,
            algorithm: header.algorithm.clone(),
            storage: header.storage.clone(),
            contents: header.contents.name(),
            evs: header.evs.as_ref().map(|saved| [saved.ev, saved.equity]).into_array(),
            history: header.checks.iter().map(check).collect(),
            problem: Arc::new(problem),
        }
    }
}

/// Where a solution comes from.
pub(crate) enum Source {
    Solver(Arc<Shared>),
    File(PathBuf),
}

/// A solution that is read.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Solution {
    reader: Arc<Reader>,
    info: SolutionInfo,
    source: Source,
}

/// Why there is nothing to read.
fn read_error(path: &str, error: &ReadError) -> PyErr {
    match error {
        ReadError::File(error) => file_error(error),
        error => Error::new("SpotError", format!("'{path}': {error}")).into(),
    }
}

fn node_path(path: &str) -> PyResult<NodePath> {
    path.parse().map_err(|error: equipoise_postflop::ParsePathError| {
        Error::new("SpotError", &error).at(path, error.at()).into()
    })
}

fn player(name: &str) -> PyResult<Player> {
    name.parse().map_err(wrong)
}

/// An observer of re-solves that tells nothing but may end them.
struct Asking<'a>(&'a Reporter<f64>);

impl Observer<equipoise_postflop::SolveProgress> for Asking<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// A number for each combo.
fn by_combo<'py>(
    py: Python<'py>,
    view: &PlayerView,
    rest: f64,
    of: impl Fn(&equipoise_postflop::ComboView) -> Option<f64>,
) -> Bound<'py, PyArray1<f64>> {
    let mut values = vec![rest; Combo::COUNT];
    for combo in &view.combos {
        values[combo.combo.index()] = of(combo).unwrap_or(f64::NAN);
    }
    values.into_pyarray(py)
}

impl Solution {
    pub(crate) fn new(reader: Reader, info: SolutionInfo, source: Source) -> Solution {
        Solution { reader: Arc::new(reader), info, source }
    }

    /// Reads something on a thread of its own.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        path: &str,
        work: impl FnOnce(&Reader, &NodePath, &mut Asking<'_>) -> Result<T, ReadError> + Send + 'static,
    ) -> PyResult<T> {
        let parsed = node_path(path)?;
        let reader = Arc::clone(&self.reader);
        let found =
            watch_fraction(py, None, None, move |reporter| work(&reader, &parsed, &mut Asking(reporter)))?;
        found.map_err(|error| read_error(path, &error))
    }

    fn view(&self, py: Python<'_>, path: &str, detail: ViewDetail) -> PyResult<NodeView> {
        self.read(py, path, move |reader, path, asking| reader.view(path, detail, asking))
    }

    fn node_dict<'py>(&self, py: Python<'py>, path: &NodePath, id: NodeId) -> PyResult<Bound<'py, PyDict>> {
        let spot = self.reader.spot();
        let tree = spot.tree();
        let node = tree.node(id);
        let answer = PyDict::new(py);
        let kind = match node.kind() {
            NodeKind::Decision(_) => "decision",
            NodeKind::Chance => "chance",
            _ => "end",
        };
        answer.set_item("path", path.to_string())?;
        answer.set_item("kind", kind)?;
        answer.set_item("player", node.player().map(|player| player.to_string()))?;
        let mut board = *spot.board();
        for &card in &path.runout {
            board = board.deal(card).ok_or_else(|| wrong("a card that has been dealt"))?;
        }
        answer.set_item("board", board.to_string())?;
        answer.set_item("street", node.street().to_string())?;
        answer.set_item("pot", tree.pot(id).count())?;
        answer.set_item("stacks", Player::ALL.map(|player| tree.stack(id, player).count()))?;
        let actions: Vec<String> = match node.player() {
            Some(_) => tree.actions(id).map(|(action, _)| action.to_string()).collect(),
            None => Vec::new(),
        };
        answer.set_item("actions", actions)?;
        Ok(answer)
    }

    fn strategy_svg(&self, view: &NodeView, title: &str) -> String {
        let tree = self.reader.spot().tree();
        let frequencies = view.frequencies();
        let actions = view.actions.iter().zip(&frequencies);
        let actions = actions
            .map(|(&action, &frequency)| {
                (action.to_string(), action_colour(tree, view.node, action), frequency)
            })
            .collect();
        let mut sums = vec![(0.0, vec![0.0; view.actions.len()]); equipoise_cards::HandClass::COUNT];
        for combo in &view.actor().combos {
            let (total, of_actions) = &mut sums[combo.combo.class().index()];
            *total += combo.share();
            of_actions
                .iter_mut()
                .zip(&combo.frequencies)
                .for_each(|(sum, part)| *sum += combo.share() * part);
        }
        let cell = |(total, sums): (f64, Vec<f64>)| {
            (total > 0.0).then(|| sums.into_iter().map(|sum| sum / total).collect())
        };
        strategy_grid(&StrategyGrid {
            title: title.to_owned(),
            actions,
            cells: sums.into_iter().map(cell).collect(),
        })
    }
}

#[pymethods]
impl Solution {
    /// Opens a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: String) -> PyResult<Solution> {
        let source = Source::File(PathBuf::from(&path));
        let opened = watch_fraction(py, None, None, move |reporter| {
            Reader::open_unless(path.as_ref(), &|| reporter.is_cancelled()).map(|(reader, header)| {
                let problem = spot_file::Problem::of_solution(reader.spot(), &header);
                (reader, SolutionInfo::of_file(&header, problem))
            })
        })?;
        let (reader, info) = opened.map_err(|error| file_error(&error))?;
        Ok(Solution::new(reader, info, source))
    }

    /// What is said of it as a whole.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (info, answer) = (&self.info, PyDict::new(py));
        answer.set_item("iterations", info.iterations)?;
        answer.set_item("exploitability_pct", info.exploitability_pct)?;
        answer.set_item("exploitability_chips", info.exploitability_chips)?;
        answer.set_item("seconds", info.seconds)?;
        answer.set_item("converged", info.converged)?;
        answer.set_item("algorithm", &info.algorithm)?;
        answer.set_item("storage", &info.storage)?;
        answer.set_item("contents", info.contents)?;
        answer.set_item("evs", info.evs.map(|of| of[0]))?;
        answer.set_item("equities", info.evs.map(|of| of[1]))?;
        let num_rows = info.history.len();
        answer.set_item("history", info.history.concat().into_pyarray(py).reshape([num_rows, 3])?)?;
        let path = match &self.source {
            Source::File(path) => Some(path.display().to_string()),
            Source::Solver(_) => None,
        };
        answer.set_item("path", path)?;
        Ok(answer)
    }

    /// The problem that was solved.
    fn problem(&self) -> Problem {
        Problem { inner: Arc::clone(&self.info.problem) }
    }

    /// What is at the end of a path, without its strategies.
    fn node<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        let parsed = node_path(path)?;
        let id = self.reader.find(&parsed).map_err(|error| read_error(path, &error))?;
        // With the actions as the tree writes them.
        let parsed = self.reader.path_to(id, &parsed.runout);
        self.node_dict(py, &parsed, id)
    }

    /// A decision: its strategy and values, as arrays over the combos of the player who acts.
    fn decision<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        let view = self.view(py, path, ViewDetail::Strategies)?;
        let answer = PyDict::new(py);
        let (actor, num_actions) = (view.actor(), view.actions.len());
        let num_combos = actor.combos.len();
        let combos: Vec<u16> = actor.combos.iter().map(|combo| combo.combo.index() as u16).collect();
        answer.set_item("combos", combos.into_pyarray(py))?;
        let table = |of: &dyn Fn(&equipoise_postflop::ComboView, usize) -> f64| {
            let rows = actor
                .combos
                .iter()
                .flat_map(|combo| (0..num_actions).map(move |action| of(combo, action) as f32));
            rows.collect::<Vec<f32>>().into_pyarray(py).reshape([num_combos, num_actions])
        };
        answer.set_item("strategy", table(&|combo, action| combo.frequencies[action])?)?;
        answer
            .set_item("action_evs", table(&|combo, action| combo.action_evs[action].unwrap_or(f64::NAN))?)?;
        answer.set_item("frequencies", view.frequencies().into_pyarray(py))?;
        let means: Vec<f64> = view.action_evs().into_iter().map(|ev| ev.unwrap_or(f64::NAN)).collect();
        answer.set_item("mean_action_evs", means.into_pyarray(py))?;
        answer.set_item("probability", view.probability)?;
        answer.set_item("is_unreliable", view.is_unreliable())?;
        answer.set_item("evs", Player::ALL.map(|player| view.players[player].ev()))?;
        let resolved = view.subgame.map(|subgame| (subgame.exploitability.pct_pot, subgame.iterations));
        answer.set_item("resolved", resolved)?;
        Ok(answer)
    }

    /// What a player has at a node: weights, matchups, and `equities` or `evs`, as arrays over all combos.
    fn hands<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        name: &str,
        what: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let player = player(name)?;
        let detail = match what {
            "weights" => HandDetail::Weights,
            "equities" => HandDetail::Equities,
            "evs" => HandDetail::Evs,
            _ => return Err(wrong(format!("'{what}' is no detail of hands"))),
        };
        let view =
            self.read(py, path, move |reader, path, asking| reader.hands(path, player, detail, asking))?;
        let answer = PyDict::new(py);
        answer.set_item("weights", by_combo(py, &view, 0.0, |combo| Some(combo.weight)))?;
        answer.set_item("matchups", by_combo(py, &view, 0.0, |combo| Some(combo.matchups)))?;
        match detail {
            HandDetail::Weights => {}
            HandDetail::Equities => {
                answer.set_item("values", by_combo(py, &view, f64::NAN, |combo| combo.equity))?;
                answer.set_item("mean", view.equity())?;
            }
            HandDetail::Evs => {
                answer.set_item("values", by_combo(py, &view, f64::NAN, |combo| combo.ev))?;
                answer.set_item("mean", view.ev())?;
            }
        }
        Ok(answer)
    }

    /// The cards that can come where a street ends, one of those that differ in suits only, and how many each stands for.
    fn next_cards(&self, path: &str, all: bool) -> PyResult<Vec<(String, usize)>> {
        let parsed = node_path(path)?;
        let id = self.reader.find(&parsed).map_err(|error| read_error(path, &error))?;
        let mut scope = ExportScope::whole(&self.reader);
        scope.all_cards = all;
        if self.reader.spot().tree().node(id).kind() != NodeKind::Chance {
            return Err(read_error(path, &ReadError::NoChance { path: parsed }));
        }
        let dealt = self.reader.spot().board().set();
        let cards: Vec<(Card, usize)> = if all {
            let is_new = |card: &Card| !dealt.contains(*card) && !parsed.runout.contains(card);
            Card::ALL.into_iter().filter(is_new).map(|card| (card, 1)).collect()
        } else {
            self.reader.next_cards(&parsed.runout).map_err(|error| read_error(path, &error))?
        };
        Ok(cards.into_iter().map(|(card, count)| (card.to_string(), count)).collect())
    }

    /// A row for each card that can come: the first decision after it.
    fn runouts<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyList>> {
        let found = self.read(py, path, |reader, path, asking| reader.runouts(path, asking))?;
        let rows = PyList::empty(py);
        for (card, view) in &found {
            let row = PyDict::new(py);
            row.set_item("card", card.to_string())?;
            for player in Player::ALL {
                row.set_item(format!("{player}_equity"), view.players[player].equity().unwrap_or(f64::NAN))?;
                row.set_item(format!("{player}_ev"), view.players[player].ev().unwrap_or(f64::NAN))?;
            }
            row.set_item("probability", view.probability)?;
            for (action, frequency) in view.actions.iter().zip(view.frequencies()) {
                row.set_item(action.to_string(), frequency)?;
            }
            rows.append(row)?;
        }
        Ok(rows)
    }

    /// The columns of docs/exports.md for one decision.
    fn columns<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        let view = self.view(py, path, ViewDetail::Equities)?;
        let is_held = |combo: &&equipoise_postflop::ComboView| {
            combo.weight > 0.0 && (view.probability == 0.0 || combo.matchups > 0.0)
        };
        let combos: Vec<_> = view.actor().combos.iter().filter(is_held).collect();
        let node = self.reader.spot().tree().node(view.node);
        let (mut actions, mut chips, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut numbers: [Vec<f32>; 5] = Default::default();
        let number = |value: Option<f64>| value.map_or(f32::NAN, |value| value as f32);
        for (at, &action) in view.actions.iter().enumerate() {
            for combo in &combos {
                actions.push(action.to_string());
                chips.push(node.street_total_after(action).count());
                names.push(combo.combo.to_string());
                let row = [
                    combo.weight as f32,
                    number(combo.equity),
                    number(combo.ev),
                    combo.frequencies[at] as f32,
                    number(combo.action_evs[at]),
                ];
                numbers.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
            }
        }
        let answer = PyDict::new(py);
        answer.set_item("action", actions)?;
        answer.set_item("chips", chips.into_pyarray(py))?;
        answer.set_item("combo", names)?;
        for (name, column) in ["reach", "equity", "ev", "frequency", "action_ev"].into_iter().zip(numbers) {
            answer.set_item(name, column.into_pyarray(py))?;
        }
        answer.set_item("probability", view.probability)?;
        Ok(answer)
    }

    /// Writes every decision below a node as Parquet; decisions and rows.
    #[pyo3(signature = (file, path, until, all_cards, ranges, threads, progress))]
    #[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
    fn to_parquet(
        &self,
        py: Python<'_>,
        file: String,
        path: &str,
        until: &str,
        all_cards: bool,
        ranges: bool,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(u64, u64)> {
        let parsed = node_path(path)?;
        let below = ExportScope::below(&self.reader, &parsed).map_err(|error| read_error(path, &error))?;
        let scope = ExportScope { until: street(until)?, all_cards, ..below };
        let (reader, text) = (Arc::clone(&self.reader), self.info.problem.text.clone());
        let name = file.clone();
        let written = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            let io = |error: std::io::Error| format!("{name}: {error}");
            let sink = AtomicFile::create(name.as_ref()).map_err(io)?;
            let notes = [("equipoise.solution", name.as_str()), ("equipoise.spot", text.as_str())];
            let begin = if ranges { SolutionTable::of_ranges } else { SolutionTable::new };
            let said = |error: equipoise_export::ExportError| format!("{name}: {error}");
            let mut table = begin(sink, &[], &notes).map_err(said)?;
            table.add(&reader, &scope, &[], reporter).map_err(said)?;
            let decisions = table.num_decisions();
            let (sink, written) = table.finish().map_err(said)?;
            sink.finish().map_err(io)?;
            Ok::<_, String>((decisions, written.num_rows))
        })?;
        written.map_err(|message| Error::new("FileError", message).into())
    }

    /// Saves the solution; bytes.
    fn save(&self, py: Python<'_>, path: String, what: Option<&str>) -> PyResult<u64> {
        match &self.source {
            Source::Solver(shared) => shared.save(py, path, contents(what.unwrap_or("full"))?),
            Source::File(own) => {
                if what.is_some_and(|what| what != self.info.contents) {
                    let message = format!("this solution is a file that keeps '{}'", self.info.contents);
                    let help = "solve the spot again to save it otherwise".to_owned();
                    return Err(Error::new("FileError", message).help(Some(help)).into());
                }
                let own = own.clone();
                let copied = watch_fraction(py, None, None, move |_| {
                    let mut from = std::fs::File::open(&own)?;
                    let mut to = AtomicFile::create(path.as_ref())?;
                    let bytes = std::io::copy(&mut from, &mut to)?;
                    to.finish()?;
                    Ok::<u64, std::io::Error>(bytes)
                })?;
                copied.map_err(|error| Error::new("FileError", error).into())
            }
        }
    }

    /// Whether a solver stands behind it, so that it can be saved with its tables.
    #[getter]
    fn has_solver(&self) -> bool {
        matches!(self.source, Source::Solver(_))
    }

    /// The strategy of a decision as a picture.
    fn plot(&self, py: Python<'_>, path: &str) -> PyResult<String> {
        let view = self.view(py, path, ViewDetail::Strategies)?;
        let place = if path.trim().is_empty() { String::new() } else { format!(" after {path}") };
        let title = format!("{} on {}{place}", view.player.to_string().to_uppercase(), view.board);
        Ok(self.strategy_svg(&view, &title))
    }

    /// How equity is distributed over both ranges, as a picture.
    fn plot_equity(&self, py: Python<'_>, path: &str) -> PyResult<String> {
        let view = self.view(py, path, ViewDetail::Equities)?;
        let of = |player: Player| -> Vec<(f64, f64)> {
            let combos = view.players[player].combos.iter();
            combos
                .filter_map(|combo| Some((combo.share(), combo.equity?)))
                .filter(|hand| hand.0 > 0.0)
                .collect()
        };
        let [oop, ip] = Player::ALL.map(of);
        Ok(equity_graph(&view.board.to_string(), [&oop, &ip]))
    }
}
