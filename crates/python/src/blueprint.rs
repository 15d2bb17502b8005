//! Blueprints: trained, read, measured, played against each other; and the chart of a joint solve before the flop.

use std::cmp::Reverse;
use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use equipoise_abstraction::CardAbstraction;
use equipoise_batch::{Flop, Subset, engine};
use equipoise_blueprint::bucketed::{BucketedError, Buckets, Lossless};
use equipoise_blueprint::whole::{
    Blueprint as WholeBlueprint, BlueprintBuckets, ChartDecision, Contestant, Exploiter, FlopValues, Flops,
    JointSolver, JointStop, Line, Session, SessionError, SessionOptions, SessionProgress, StreetView,
    SubsetBuckets, Trainer, TrainerOptions, WholeGame, head_to_head, num_boards, seat,
};
use equipoise_cards::{Board, Combo, HandClass, Street};
use equipoise_game::{BettingPreset, Chips, HandConfig, Player};
use equipoise_progress::Observer;
use equipoise_run::memory;
use equipoise_spots::game_file::GameFile;
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Error, wrong};
use crate::job::Stop;
use crate::work::{Reporter, Told, watch, watch_apart, watch_fraction, watch_saving};

/// What can go wrong with a blueprint, in words and as a class of Python's.
#[derive(Debug)]
pub(crate) enum Trouble {
    Game(BucketedError),
    /// A file or folder.
    File(String),
    /// A line that leads nowhere.
    Line(String),
    Other(String),
    /// The caller has left.
    Left,
}

impl From<BucketedError> for Trouble {
    fn from(error: BucketedError) -> Trouble {
        Trouble::Game(error)
    }
}

impl From<SessionError> for Trouble {
    fn from(error: SessionError) -> Trouble {
        match error {
            SessionError::Game(error) => Trouble::Game(error),
            error => Trouble::File(error.to_string()),
        }
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> PyErr {
        match trouble {
            Trouble::Game(BucketedError::Memory { needed, limit }) => {
                let error = BucketedError::Memory { needed, limit };
                Error::new("TooLarge", error).number("needed", needed).number("limit", limit).into()
            }
            Trouble::Game(error) => wrong(error),
            Trouble::File(message) => Error::new("FileError", message).into(),
            Trouble::Line(message) => Error::new("SpotError", message).into(),
            Trouble::Other(message) => wrong(message),
            Trouble::Left => wrong("the work was stopped"),
        }
    }
}

fn load_buckets(folder: &str) -> Result<CardAbstraction, Trouble> {
    CardAbstraction::load(Path::new(folder)).map_err(|error| Trouble::File(format!("{folder}: {error}")))
}

pub(crate) fn buckets_of(blueprint: &WholeBlueprint, folder: &str) -> Result<BlueprintBuckets, Trouble> {
    Ok(BlueprintBuckets::of_blueprint(blueprint.header(), load_buckets(folder)?)?)
}

fn num_threads(threads: Option<usize>) -> Option<NonZeroUsize> {
    threads.and_then(NonZeroUsize::new)
}

fn memory_limit(bytes: Option<u64>) -> Option<u64> {
    bytes.or_else(|| memory::limit(None))
}

/// How far a training is, with a guess of the whole.
struct TrainingState {
    fraction: f64,
    progress: SessionProgress,
}

impl Told for TrainingState {
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let answer = PyDict::new(py);
        answer.set_item("fraction", self.fraction)?;
        answer.set_item("boards", self.progress.boards)?;
        answer.set_item("boards_per_s", self.progress.boards_per_s)?;
        answer.set_item("self_play_bb", self.progress.self_play_bb)?;
        answer.set_item("exploitability_mbb", self.progress.exploitability_mbb)?;
        Ok(answer.into_any())
    }
}

/// Tells how far a training is, by its boards and its time.
struct Training<'a> {
    reporter: &'a Reporter<TrainingState>,
    boards: Option<u64>,
    time: Option<Duration>,
}

impl Observer<SessionProgress> for Training<'_> {
    fn progress(&mut self, progress: &SessionProgress) -> ControlFlow<()> {
        let by_boards = self.boards.map(|boards| progress.boards as f64 / boards as f64);
        let by_time = self.time.map(|time| progress.elapsed.as_secs_f64() / time.as_secs_f64());
        let fraction = by_boards.into_iter().chain(by_time).fold(0.0, f64::max).min(1.0);
        self.reporter.tell(TrainingState { fraction, progress: *progress })
    }

    fn is_cancelled(&self) -> bool {
        self.reporter.is_cancelled()
    }
}

/// A time that was checked to be one.
fn seconds(number: Option<f64>) -> PyResult<Option<Duration>> {
    let time = |number: f64| match number > 0.0 && number <= 1e8 {
        true => Ok(Duration::from_secs_f64(number)),
        false => Err(wrong("the time must be above 0 minutes")),
    };
    number.map(time).transpose()
}

/// A game by name, or as TOML.
fn game_file(text: &str) -> Result<GameFile, Trouble> {
    match GameFile::preset(text) {
        Some(game) => Ok(game),
        None => GameFile::parse(text).map_err(|error| Trouble::Other(format!("the game: {error}"))),
    }
}

fn views(game: &GameFile) -> Result<[StreetView; 3], Trouble> {
    let view = |name: &str, view: &Option<String>| match view.as_deref() {
        None => Ok(StreetView::default()),
        Some(text) => text.parse().map_err(|()| {
            let there_are = "there are buckets, texture and, on the flop, lossless";
            Trouble::Other(format!("[buckets.{name}] view: '{text}' is none; {there_are}"))
        }),
    };
    let streets = &game.buckets;
    Ok([
        view("flop", &streets.flop.view)?,
        view("turn", &streets.turn.view)?,
        view("river", &streets.river.view)?,
    ])
}

fn trainer_options(
    game: &GameFile,
    seed: Option<u64>,
    limit: Option<u64>,
    threads: Option<usize>,
) -> Result<TrainerOptions, Trouble> {
    let mut options = TrainerOptions {
        threads: num_threads(threads),
        memory_limit: memory_limit(limit),
        ..TrainerOptions::default()
    };
    if let Some(algorithm) = &game.algorithm {
        options.algorithm =
            algorithm.parse().map_err(|error| Trouble::Other(format!("algorithm: {error}")))?;
    }
    if let Some(batch) = game.batch {
        let none = || Trouble::Other("batch: a batch has at least one board".to_owned());
        options.batch = NonZeroU32::new(batch).ok_or_else(none)?;
    }
    options.seed = seed.or(game.seed).unwrap_or(options.seed);
    Ok(options)
}

/// Trains a game in the buckets of a folder; the checkpoints as boards, seconds and thousandths of a big blind (NaN: not
/// measured), and whether it was stopped.
#[pyfunction]
#[allow(clippy::too_many_arguments, clippy::type_complexity)] // As many as the Python function has keywords.
pub(crate) fn train_blueprint(
    py: Python<'_>,
    game: String,
    path: String,
    buckets: String,
    boards: Option<u64>,
    time: Option<f64>,
    seed: Option<u64>,
    flops: u32,
    resume: bool,
    limit: Option<u64>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Vec<[f64; 3]>, f64)> {
    let time = seconds(time)?;
    let found = watch_saving(py, threads, progress.as_ref(), move |reporter| {
        let file = game_file(&game)?;
        let options = trainer_options(&file, seed, limit, threads)?;
        let abstraction = BlueprintBuckets::new(load_buckets(&buckets)?, views(&file)?)?;
        let source = abstraction.source();
        let game = WholeGame { hand: file.hand, betting: file.betting };
        let trainer = Trainer::new(&game, &abstraction, &options)?;
        let options = SessionOptions { boards, time, flops, ..SessionOptions::default() };
        let mut session = Session::new(trainer, &abstraction, Some(source), Path::new(&path), options);
        if resume {
            session.resume()?;
        }
        let outcome = session.run(&mut Training { reporter, boards, time })?;
        let row = |point: &equipoise_blueprint::whole::Checkpoint| {
            [point.boards as f64, point.elapsed_s, point.exploitability_mbb.unwrap_or(f64::NAN)]
        };
        Ok::<_, Trouble>((outcome.checkpoints.iter().map(row).collect(), outcome.boards_per_s))
    })?;
    Ok(found?)
}

/// A decision before the flop as arrays of hand classes.
fn chart<'py>(py: Python<'py>, decisions: &[ChartDecision]) -> PyResult<Bound<'py, PyList>> {
    let answer = PyList::empty(py);
    for decision in decisions {
        let one = PyDict::new(py);
        let by_action = |rows: &[Vec<f64>]| {
            rows.concat().into_pyarray(py).reshape([HandClass::COUNT, decision.actions.len()])
        };
        one.set_item("line", &decision.line)?;
        one.set_item("player", seat(decision.player))?;
        one.set_item("actions", &decision.actions)?;
        one.set_item("reach", decision.reach.clone().into_pyarray(py))?;
        one.set_item("strategy", by_action(&decision.frequencies)?)?;
        one.set_item("evs", by_action(&decision.evs_bb)?)?;
        answer.append(one)?;
    }
    Ok(answer)
}

/// The flops of a subset, or flops one by one.
fn flops(names: &[String]) -> Result<Vec<(Board, f64)>, Trouble> {
    let subset = |name: &String| Subset::SHIPPED.into_iter().find(|subset| subset.name() == *name);
    let list = match names {
        [name] if let Some(subset) = subset(name) => subset.flops(),
        names => {
            let flop = |name: &String| {
                let cannot = |error| {
                    let there_are = "name 25, 49 or 95, or flops such as As7d2c";
                    Trouble::Other(format!("the flop '{name}': {error}; {there_are}"))
                };
                name.trim().parse::<Flop>().map_err(cannot)
            };
            names.iter().map(flop).collect::<Result<_, _>>()?
        }
    };
    Ok(list.into_iter().map(|flop| (flop.board, flop.weight)).collect())
}

/// Solves the betting before the flop together with a few flops.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
pub(crate) fn preflop<'py>(
    py: Python<'py>,
    stack: u32,
    menu: String,
    names: Vec<String>,
    boards: Option<u64>,
    time: Option<f64>,
    target_mbb: f64,
    strengths: u16,
    seed: u64,
    limit: Option<u64>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let time = seconds(time)?;
    let menu: BettingPreset = menu.parse().map_err(|error| wrong(format!("bet sizes: {error}")))?;
    let strengths = NonZeroU16::new(strengths).ok_or_else(|| wrong("strengths must be 1 or more"))?;
    let found = watch(py, threads, progress.as_ref(), move |reporter| {
        let flops = flops(&names)?;
        if flops.is_empty() {
            return Err(Trouble::Other("name at least one flop".to_owned()));
        }
        let hand = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(100 * stack));
        let game = WholeGame { hand, betting: menu.abstraction() };
        let options = TrainerOptions {
            seed,
            threads: num_threads(threads),
            memory_limit: memory_limit(limit),
            ..TrainerOptions::default()
        };
        let buckets = SubsetBuckets::new(&flops, strengths);
        let mut solver = JointSolver::new(&game, &buckets, &options)?;
        let memory_bytes = solver.memory_bytes();
        let stop = JointStop { boards, time, target_mbb };
        let outcome = solver.run(&stop, &mut Training { reporter, boards, time })?;
        Ok((outcome, memory_bytes))
    })?;
    let (outcome, memory_bytes) = found?;
    let answer = PyDict::new(py);
    let measured = &outcome.exploitability;
    answer.set_item("boards", outcome.boards)?;
    answer.set_item("seconds", outcome.elapsed.as_secs_f64())?;
    answer.set_item("memory_bytes", memory_bytes)?;
    answer.set_item("exploitability_mbb", measured.estimate)?;
    answer.set_item("by_seat", (measured.by_seat[Player::Ip], measured.by_seat[Player::Oop]))?;
    answer.set_item("self_play_bb", measured.self_play_bb)?;
    answer.set_item("decisions", chart(py, &outcome.chart)?)?;
    Ok(answer)
}

fn make_folder(folder: &str) -> Result<(), Trouble> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Trouble::File(format!("cannot make the folder {folder}: {error}")))
}

/// Flops say which engine has measured them.
fn named(exploiter: Exploiter<'_>) -> Exploiter<'_> {
    let here = engine();
    exploiter.named(format!("{} ({})", here.short(), here.kernel))
}

/// A strategy of the whole heads-up game.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Blueprint {
    pub(crate) blueprint: Arc<WholeBlueprint>,
}

#[pymethods]
impl Blueprint {
    /// Opens a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: String) -> PyResult<Blueprint> {
        let opened = watch_fraction(py, None, None, move |_| WholeBlueprint::open(Path::new(&path)))?;
        let blueprint = opened.map_err(|error| PyErr::from(Error::new("FileError", error)))?;
        Ok(Blueprint { blueprint: Arc::new(blueprint) })
    }

    /// What the file says about itself, as JSON.
    fn header(&self) -> PyResult<String> {
        serde_json::to_string(self.blueprint.header()).map_err(wrong)
    }

    /// The decision after a line, with its strategies by combo; those after the flop need the folder of the buckets.
    fn line<'py>(
        &self,
        py: Python<'py>,
        text: String,
        buckets: Option<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let blueprint = Arc::clone(&self.blueprint);
        let found = watch_fraction(py, None, None, move |_| {
            let line =
                Line::walk(&blueprint, &text).map_err(|error| Trouble::Line(format!("'{text}': {error}")))?;
            let game = &blueprint.header().game;
            let hand = line.position.hand();
            let big_blinds = |chips: equipoise_game::Chips| game.big_blinds(f64::from(chips.count()));
            let place = (
                line.board.to_string(),
                big_blinds(hand.pot()),
                big_blinds(hand.behind()),
                line.position.labels(),
            );
            let of_folder = match (hand.street(), &buckets) {
                (Street::Preflop, _) => None,
                (_, Some(folder)) => Some(buckets_of(&blueprint, folder)?),
                (_, None) => {
                    return Err(Trouble::Other(
                        "after the flop strategies are those of buckets: name their folder with buckets="
                            .to_owned(),
                    ));
                }
            };
            let buckets: &dyn Buckets = of_folder.as_ref().map_or(&Lossless, |buckets| buckets);
            let strategies = line.strategies(&blueprint, buckets)?;
            Ok::<_, Trouble>((place, strategies))
        })?;
        let ((board, pot, behind, actions), strategies) = found?;
        let answer = PyDict::new(py);
        answer.set_item("board", board)?;
        answer.set_item("pot_bb", pot)?;
        answer.set_item("behind_bb", behind)?;
        let num_actions = actions.len();
        answer.set_item("actions", actions)?;
        let Some(strategies) = strategies else {
            answer.set_item("player", py.None())?;
            return Ok(answer);
        };
        answer.set_item("player", seat(strategies.player))?;
        answer.set_item("reach", strategies.reach.into_pyarray(py))?;
        answer.set_item("buckets", strategies.buckets.into_pyarray(py))?;
        let flat = strategies.frequencies.concat().into_pyarray(py).reshape([Combo::COUNT, num_actions])?;
        answer.set_item("strategy", flat)?;
        Ok(answer)
    }

    /// How exploitable it is in the real game, on flops that are drawn (all without a number).
    #[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
    fn exploit<'py>(
        &self,
        py: Python<'py>,
        buckets: String,
        flops: Option<usize>,
        seed: u64,
        folder: Option<String>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let blueprint = Arc::clone(&self.blueprint);
        let flops = flops.map_or(Flops::All, |count| Flops::Sampled { count, seed });
        let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            let abstraction = buckets_of(&blueprint, &buckets)?;
            let mut exploiter = named(Exploiter::new(&blueprint, &abstraction, num_threads(threads))?);
            if let Some(folder) = &folder {
                make_folder(folder)?;
            }
            let (hash, list) = (blueprint.content_hash(), flops.list());
            let mut values: Vec<(FlopValues, u32)> = Vec::new();
            for &(flop, weight) in &list {
                if reporter.tell(values.len() as f64 / list.len() as f64).is_break() {
                    return Err(Trouble::Left);
                }
                let measured = match &folder {
                    Some(folder) => exploiter.kept_flop(flop, Path::new(folder), hash)?,
                    None => exploiter.flop(flop)?,
                };
                values.push((measured, weight));
            }
            let values: Vec<_> = values.iter().map(|(values, weight)| (values, *weight)).collect();
            Ok(exploiter.summary(&values, flops.is_exact()))
        })?;
        let found = found?;
        let answer = PyDict::new(py);
        answer.set_item("flops", found.flops)?;
        answer.set_item("is_exact", found.is_exact)?;
        answer.set_item("estimate", found.estimate)?;
        answer.set_item("std_error", found.std_error)?;
        answer.set_item("lower", found.lower)?;
        answer.set_item("upper", found.upper)?;
        answer.set_item("by_seat", (found.by_seat[Player::Ip], found.by_seat[Player::Oop]))?;
        answer.set_item("self_play_bb", found.self_play_bb)?;
        Ok(answer)
    }

    /// The flops of a measurement that a folder does not have yet, each with the name of its file there; those with most
    /// boards first. The folder is made.
    fn flops_left(
        &self,
        py: Python<'_>,
        flops: Option<usize>,
        seed: u64,
        folder: String,
    ) -> PyResult<Vec<(String, String)>> {
        let blueprint = Arc::clone(&self.blueprint);
        let flops = flops.map_or(Flops::All, |count| Flops::Sampled { count, seed });
        let found = watch_fraction(py, None, None, move |_| {
            make_folder(&folder)?;
            let (hash, folder) = (blueprint.content_hash(), Path::new(&folder));
            let mut list: Vec<Board> = flops.list().into_iter().map(|(flop, _)| flop).collect();
            list.sort_by_key(|flop| (Reverse(num_boards(flop)), flop.to_string()));
            list.dedup();
            list.retain(|&flop| !FlopValues::is_kept(folder, flop, hash));
            let name = |flop: Board| {
                let path = FlopValues::path(folder, flop, hash);
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            };
            Ok::<_, Trouble>(list.into_iter().map(|flop| (flop.to_string(), name(flop))).collect())
        })?;
        Ok(found?)
    }

    /// Measures flops and keeps them in a folder; how many were done before it was stopped.
    fn measure_flops(
        &self,
        py: Python<'_>,
        buckets: String,
        flops: Vec<String>,
        folder: String,
        threads: usize,
        stop: &Stop,
    ) -> PyResult<usize> {
        let blueprint = Arc::clone(&self.blueprint);
        let stop = stop.flag();
        let found = watch_apart(py, threads, None, move |reporter: &mut Reporter<f64>| {
            let abstraction = buckets_of(&blueprint, &buckets)?;
            make_folder(&folder)?;
            let mut exploiter = named(Exploiter::new(&blueprint, &abstraction, num_threads(Some(threads)))?);
            let hash = blueprint.content_hash();
            for (done, flop) in flops.iter().enumerate() {
                if stop.load(Ordering::Relaxed) || reporter.is_cancelled() {
                    return Ok(done);
                }
                let flop: Board =
                    flop.parse().map_err(|error| Trouble::Other(format!("the flop '{flop}': {error}")))?;
                if flop.cards().len() != 3 {
                    return Err(Trouble::Other(format!("'{flop}' is no flop")));
                }
                exploiter.kept_flop(flop, Path::new(&folder), hash)?;
            }
            Ok(flops.len())
        })?;
        Ok(found?)
    }

    /// Every decision before the flop, valued on flops that are drawn.
    fn chart<'py>(
        &self,
        py: Python<'py>,
        buckets: String,
        flops: usize,
        seed: u64,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let blueprint = Arc::clone(&self.blueprint);
        let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            let abstraction = buckets_of(&blueprint, &buckets)?;
            let mut exploiter = Exploiter::new(&blueprint, &abstraction, num_threads(threads))?;
            let list = Flops::Sampled { count: flops, seed }.list();
            let mut done = Vec::new();
            for &(flop, _) in &list {
                if reporter.tell(done.len() as f64 / list.len() as f64).is_break() {
                    return Err(Trouble::Left);
                }
                done.push(exploiter.flop_evs(flop)?);
            }
            Ok(exploiter.chart(&done))
        })?;
        chart(py, &found?)
    }

    /// What it wins from another, in thousandths of a big blind: mean, standard error, as small and as big blind.
    #[allow(clippy::too_many_arguments)] // As many as the Python function has keywords.
    fn play<'py>(
        &self,
        py: Python<'py>,
        other: &Blueprint,
        folders: [String; 2],
        boards: u64,
        seed: u64,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(u64, f64, f64, f64, f64)> {
        let both = [Arc::clone(&self.blueprint), Arc::clone(&other.blueprint)];
        let found = watch_fraction(py, threads, progress.as_ref(), move |reporter| {
            let buckets = [buckets_of(&both[0], &folders[0])?, buckets_of(&both[1], &folders[1])?];
            let contestants =
                [0, 1].map(|at: usize| Contestant { blueprint: &both[at], buckets: &buckets[at] });
            Ok::<_, Trouble>(head_to_head(contestants, boards, seed, num_threads(threads), reporter)?)
        })?;
        let won = found?;
        Ok((won.boards, won.mean, won.std_error, won.by_seat[Player::Ip], won.by_seat[Player::Oop]))
    }
}
