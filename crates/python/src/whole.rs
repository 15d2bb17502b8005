//! ICM and hand histories.

use std::io::Cursor;

use equipoise_cards::Card;
use equipoise_game::Payouts;
use equipoise_histories::{Format, History, HistoryReader, Stakes};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::wrong;
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
