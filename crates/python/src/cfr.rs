//! CFR on games of one's own: the rules are walked in Python, the iterations run here.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use equipoise_cfr::{Algorithm, Game, Player, Strategy, ToyGame, Tree, Turn};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{array_error, slice};
use crate::errors::wrong;
use crate::work::watch_fraction;

/// A position of a game that was walked.
#[derive(FromPyObject)]
pub(crate) enum Position {
    /// Player, number of the information set, positions after each action.
    #[pyo3(transparent)]
    Decision((usize, usize, Vec<usize>)),
    /// Probabilities, positions after each outcome.
    #[pyo3(transparent)]
    Chance((Vec<f64>, Vec<usize>)),
    /// What both win.
    #[pyo3(transparent)]
    End([f64; 2]),
}

/// A game that was walked: its positions, the root first, and the names of its information sets.
struct Walked {
    positions: Vec<Position>,
    infosets: Vec<Arc<str>>,
}

/// An information set by its number, shown by its name.
#[derive(Clone)]
struct Named(usize, Arc<str>);

impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        self.0 == other.0
    }
}

impl Eq for Named {}

impl std::hash::Hash for Named {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.1)
    }
}

impl Game for Walked {
    type State = usize;
    type Infoset = Named;

    fn root(&self) -> usize {
        0
    }

    fn turn(&self, &at: &usize) -> Turn<Named> {
        match &self.positions[at] {
            Position::Decision((player, infoset, next)) => Turn::Decision {
                player: Player::ALL[*player],
                infoset: Named(*infoset, Arc::clone(&self.infosets[*infoset])),
                num_actions: next.len(),
            },
            Position::Chance((probabilities, _)) => Turn::Chance(probabilities.clone()),
            Position::End(payoffs) => Turn::Terminal(*payoffs),
        }
    }

    fn next(&self, &at: &usize, action: usize) -> usize {
        match &self.positions[at] {
            Position::Decision((_, _, next)) | Position::Chance((_, next)) => next[action],
            Position::End(_) => at,
        }
    }
}

impl Walked {
    /// Checks the numbers, so that walking cannot leave the lists or go round.
    fn check(&self) -> PyResult<()> {
        if self.positions.is_empty() {
            return Err(wrong("the game has no positions"));
        }
        for (at, position) in self.positions.iter().enumerate() {
            let next = match position {
                Position::Decision((player, infoset, next)) => {
                    if *player > 1 || *infoset >= self.infosets.len() {
                        return Err(wrong(format!(
                            "position {at}: player {player} or information set {infoset} is none"
                        )));
                    }
                    next
                }
                Position::Chance((probabilities, next)) => {
                    if probabilities.len() != next.len() {
                        return Err(wrong(format!("position {at}: as many probabilities as outcomes")));
                    }
                    next
                }
                Position::End(_) => continue,
            };
            if next.iter().any(|&next| next <= at || next >= self.positions.len()) {
                return Err(wrong(format!("position {at}: what follows a position stands after it")));
            }
        }
        Ok(())
    }
}

/// A game as a tree.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct GameTree {
    tree: Arc<Tree>,
}

impl GameTree {
    fn strategy(&self, probabilities: &PyReadonlyArray1<'_, f64>) -> PyResult<Strategy> {
        Strategy::new(&self.tree, slice(probabilities)?.to_vec()).map_err(array_error)
    }
}

#[pymethods]
impl GameTree {
    /// A game that was walked.
    #[new]
    fn new(py: Python<'_>, positions: Vec<Position>, infosets: Vec<String>) -> PyResult<GameTree> {
        let walked = Walked { positions, infosets: infosets.into_iter().map(Arc::from).collect() };
        walked.check()?;
        let tree = watch_fraction(py, None, None, move |_| Tree::compile(&walked))?;
        Ok(GameTree { tree: Arc::new(tree.map_err(wrong)?) })
    }

    /// A game that comes with the engine: `kuhn` or `leduc`.
    #[staticmethod]
    fn shipped(name: &str) -> PyResult<(GameTree, f64)> {
        let game: ToyGame = name.parse().map_err(wrong)?;
        Ok((GameTree { tree: Arc::new(game.tree()) }, game.equilibrium_ev()))
    }

    #[getter]
    fn num_nodes(&self) -> usize {
        self.tree.num_nodes()
    }

    #[getter]
    fn num_entries(&self) -> usize {
        self.tree.num_entries()
    }

    /// The information sets: name, player, first entry and number of actions.
    fn infosets(&self) -> Vec<(String, usize, usize, usize)> {
        let of = |infoset: &equipoise_cfr::Infoset| {
            (
                infoset.name().to_owned(),
                infoset.player().index(),
                infoset.entries().start,
                infoset.num_actions(),
            )
        };
        self.tree.infosets().iter().map(of).collect()
    }

    /// What both win when this strategy is played.
    fn evs(&self, probabilities: PyReadonlyArray1<'_, f64>) -> PyResult<[f64; 2]> {
        Ok(self.tree.evs(&self.strategy(&probabilities)?))
    }

    /// The mean of what both could gain by the best response.
    fn exploitability(&self, probabilities: PyReadonlyArray1<'_, f64>) -> PyResult<f64> {
        Ok(self.tree.exploitability(&self.strategy(&probabilities)?))
    }
}

/// Runs one algorithm on one game.
#[pyclass(frozen, module = "equipoise._equipoise")]
pub(crate) struct Trainer {
    tree: Arc<Tree>,
    trainer: Arc<Mutex<equipoise_cfr::Trainer<Arc<Tree>, Algorithm>>>,
}

#[pymethods]
impl Trainer {
    #[new]
    fn new(tree: &GameTree, algorithm: &str) -> PyResult<Trainer> {
        let algorithm: Algorithm = algorithm.parse().map_err(wrong)?;
        let tree = Arc::clone(&tree.tree);
        let trainer = equipoise_cfr::Trainer::new(Arc::clone(&tree), algorithm);
        Ok(Trainer { tree, trainer: Arc::new(Mutex::new(trainer)) })
    }

    /// Runs iterations.
    fn run(&self, py: Python<'_>, iterations: u32, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let trainer = Arc::clone(&self.trainer);
        watch_fraction(py, Some(1), progress.as_ref(), move |reporter| {
            let mut trainer = trainer.lock().unwrap_or_else(PoisonError::into_inner);
            let mut done = 0;
            trainer.run(iterations, |_| {
                done += 1;
                // Few iterations of a small game are over before anybody could look.
                if done % 64 == 0 {
                    reporter.tell(f64::from(done) / f64::from(iterations))
                } else {
                    look(reporter)
                }
            });
        })
    }

    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, equipoise_cfr::Trainer::iterations)
    }

    #[getter]
    fn algorithm(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |trainer| trainer.scheme().to_string())
    }

    /// The average strategy: a probability for every action of every information set.
    fn average_strategy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.with(py, |trainer| trainer.average_strategy().probabilities().to_vec())?;
        Ok(found.into_pyarray(py))
    }

    /// The strategy of the next iteration.
    fn current_strategy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.with(py, |trainer| trainer.current_strategy().probabilities().to_vec())?;
        Ok(found.into_pyarray(py))
    }

    /// The exploitability of the average strategy.
    fn exploitability(&self, py: Python<'_>) -> PyResult<f64> {
        let tree = Arc::clone(&self.tree);
        self.with(py, move |trainer| tree.exploitability(&trainer.average_strategy()))
    }
}

impl Trainer {
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&equipoise_cfr::Trainer<Arc<Tree>, Algorithm>) -> T + Send + 'static,
    ) -> PyResult<T> {
        let trainer = Arc::clone(&self.trainer);
        watch_fraction(py, Some(1), None, move |_| {
            work(&trainer.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}

fn look(reporter: &crate::work::Reporter<f64>) -> ControlFlow<()> {
    if reporter.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
