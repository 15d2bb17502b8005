//! Counterfactual regret minimisation that knows no cards.
//!
//! An [`Algorithm`] is parsed from the name that people write and reduces, iteration by iteration, to a few
//! numbers, [`Coefficients`]. Every solver of the workspace runs the same update with those numbers; the one
//! in this crate, the [`Trainer`], is exact, simple and in `f64`, and is where the algorithms are proven on
//! small games:
//!
//! ```
//! use equipoise_cfr::{Algorithm, ToyGame, Trainer};
//! use std::ops::ControlFlow;
//!
//! let tree = ToyGame::Leduc.tree();
//! let algorithm: Algorithm = "apcfr+".parse()?;
//! let mut trainer = Trainer::new(&tree, algorithm);
//! trainer.run(50, |trainer| {
//!     let asymmetry = trainer.asymmetry().expect("apcfr+ is asymmetric");
//!     assert!(asymmetry.max <= 5.0);
//!     ControlFlow::Continue(())
//! });
//! let average = trainer.average_strategy();
//! assert!((tree.exploitability(&average) - 0.03286).abs() < 1e-4);
//! assert!((tree.evs(&average)[0] - -0.0856).abs() < 0.02);
//! # Ok::<(), equipoise_cfr::AlgorithmError>(())
//! ```
//!
//! A game of one's own implements [`Game`] and is compiled once into a [`Tree`], which checks it.
//! Exploitability is the mean of both players' best-response gains, in the game's own unit.

pub mod algorithms;
mod best_response;
mod coefficients;
mod error;
mod game;
mod games;
mod options;
mod parameter;
mod scheme;
mod strategy;
pub mod subgame;
mod trainer;
mod tree;

pub use algorithms::Algorithm;
pub use coefficients::{Coefficients, Prediction};
pub use error::{AlgorithmError, ParameterError};
pub use game::{Game, Player, Turn};
pub use games::{Kuhn, KuhnState, Leduc, LeducState, ToyGame, UnknownGameError};
pub use options::{AsymmetryMode, Options};
pub use scheme::{Asymmetry, AsymmetrySums, Requirements, Scheme};
pub use strategy::{Strategy, StrategyError};
pub use trainer::{AsymmetryReport, Trainer};
pub use tree::{Infoset, Tree, TreeError};
