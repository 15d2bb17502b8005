//! The whole hand: ICM, jam or fold, hand histories, blueprints.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use equipoise_abstraction::CardAbstraction;
use equipoise_blueprint::bucketed::{Buckets, Lossless};
use equipoise_blueprint::pushfold::{PushFold, PushFoldSolution, PushFoldStakes};
use equipoise_blueprint::whole::{Blueprint as WholeBlueprint, Line, seat};
use equipoise_cards::{Card, Combo, HandClass, Street};
use equipoise_export::{HandGrid, hand_grids};
use equipoise_game::Payouts;
use equipoise_histories::{Format, History, HistoryReader, Stakes};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{Error, wrong};
use crate::work::watch_fraction;

/// The expected prizes, and for each player against each other the bubble factor and the risk premium; NaN where there is
/// none.
#[pyfunction]
#[allow(clippy::type_complexity)] // A tuple for Python.
pub(crate) fn icm<'py>(
    py: Python<'py>,
    stacks: Vec<f64>,
    payouts: Vec<f64>,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
    let payouts = Payouts::new(payouts).map_err(wrong)?;
    let equities = payouts.equities(&stacks).map_err(wrong)?;
    let count = stacks.len();
    let found = watch_fraction(py, None, None, move |reporter| {
        let mut tables = [vec![f64::NAN; count * count], vec![f64::NAN; count * count]];
        for (player, opponent) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
            if player == opponent || stacks[player].min(stacks[opponent]) == 0.0 || reporter.is_cancelled() {
                continue;
            }
            let pressure = payouts.pressure(&stacks, player, opponent)?;
            tables[0][player * count + opponent] = pressure.bubble_factor;
            tables[1][player * count + opponent] = pressure.risk_premium;
        }
        Ok::<_, equipoise_game::IcmError>(tables)
    })?;
    let [factors, premiums] = found.map_err(wrong)?;
    let square = |table: Vec<f64>| table.into_pyarray(py).reshape([count, count]);
    Ok((equities.into_pyarray(py), square(factors)?, square(premiums)?))
}

/// A number for each class.
fn by_class<'py>(py: Python<'py>, of: impl Fn(HandClass) -> f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
    HandClass::all().map(of).collect::<Vec<f64>>().into_pyarray(py).reshape([13, 13])
}

fn push_fold_svg(title: &str, solution: &PushFoldSolution) -> String {
    let grid = |name: &str, share: f64, of: &dyn Fn(HandClass) -> f64| HandGrid {
        title: format!("{name} {:.2} %", 100.0 * share),
        cells: HandClass::all().map(|class| (of(class), String::new())).collect(),
    };
    let jam = grid("small blind jams", solution.jam_share(), &|class| solution.jam(class));
    let call = grid("big blind calls", solution.call_share(), &|class| solution.call(class));
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

/// A hand history.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Hand {
    history: History,
}

/// The hands of a text, or what is wrong with one: hand, line and words of each.
#[pyfunction]
#[allow(clippy::type_complexity)] // A tuple for Python.
pub(crate) fn read_hands(
    py: Python<'_>,
    text: String,
    stakes: (u64, u64, u64),
) -> PyResult<(Vec<Hand>, Vec<(u64, u64, String)>)> {
    let stakes = Stakes { small_blind: stakes.0, big_blind: stakes.1, stack: stakes.2 };
    let found = watch_fraction(py, None, None, move |reporter| {
        HistoryReader::new(Cursor::new(text), &stakes)
            .take_while(|_| !reporter.is_cancelled())
            .collect::<Vec<_>>()
    })?;
    let (mut hands, mut wrong) = (Vec::new(), Vec::new());
    for hand in found {
        match hand {
            Ok(history) => hands.push(Hand { history }),
            Err(error) => wrong.push((error.hand, error.line, error.problem.to_string())),
        }
    }
    Ok((hands, wrong))
}

#[pymethods]
impl Hand {
    /// What happened, as a dictionary; amounts are in the history's smallest unit.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let hand = &self.history;
        let answer = PyDict::new(py);
        let seats = 0..hand.players.len();
        answer.set_item("id", &hand.id)?;
        answer.set_item("format", hand.format.name())?;
        answer.set_item("currency", &hand.currency)?;
        answer.set_item("decimals", hand.decimals)?;
        answer.set_item("players", seats.clone().map(|seat| hand.name(seat)).collect::<Vec<_>>())?;
        answer.set_item("positions", seats.map(|seat| hand.position(seat)).collect::<Vec<_>>())?;
        answer.set_item("hero", hand.hero)?;
        answer.set_item("blinds", hand.blinds())?;
        answer.set_item("stacks", hand.players.iter().map(|player| player.stack).collect::<Vec<u64>>())?;
        let cards = |player: &equipoise_histories::Player| player.cards.map(|combo| combo.to_string());
        answer.set_item("cards", hand.players.iter().map(cards).collect::<Vec<_>>())?;
        answer.set_item("winnings", hand.winnings())?;
        answer.set_item("rake", hand.rake)?;
        let streets = PyList::empty(py);
        let replay = hand.replay().ok();
        for play in replay.iter().flat_map(|replay| &replay.streets) {
            let street = PyDict::new(py);
            street.set_item("street", play.street.to_string())?;
            street.set_item("board", play.cards.iter().map(Card::to_string).collect::<String>())?;
            street.set_item("pot", play.pot)?;
            street.set_item("behind", &play.behind)?;
            let actions = play
                .steps
                .iter()
                .map(|step| (step.player, step.action.name(), step.street_total, step.is_all_in));
            street.set_item("actions", actions.collect::<Vec<_>>())?;
            streets.append(street)?;
        }
        answer.set_item("streets", streets)?;
        answer.set_item("is_over", replay.is_some_and(|replay| replay.is_over))?;
        Ok(answer)
    }

    /// The hand in a format: `phh`, `acpc` or `slumbot`.
    fn write(&self, format: &str) -> PyResult<String> {
        let format: Format = format.parse().map_err(wrong)?;
        self.history.write(format).map_err(wrong)
    }
}

/// A strategy of the whole heads-up game.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Blueprint {
    blueprint: Arc<WholeBlueprint>,
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
        let said = text.clone();
        let found = watch_fraction(py, None, None, move |_| {
            let line = Line::walk(&blueprint, &text).map_err(|error| error.to_string())?;
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
                (_, Some(folder)) => {
                    Some(CardAbstraction::load(Path::new(folder)).map_err(|error| error.to_string())?)
                }
                (_, None) => {
                    return Err(
                        "after the flop strategies are those of buckets: name their folder with buckets="
                            .to_owned(),
                    );
                }
            };
            let buckets: &dyn Buckets = of_folder.as_ref().map_or(&Lossless, |buckets| buckets);
            let strategies = line.strategies(&blueprint, buckets).map_err(|error| error.to_string())?;
            Ok::<_, String>((place, strategies))
        })?;
        let ((board, pot, behind, actions), strategies) =
            found.map_err(|message| PyErr::from(Error::new("SpotError", format!("'{said}': {message}"))))?;
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
}
