//! Exact equilibria of postflop hold'em spots.
//!
//! Every board and every combo of both ranges is solved exactly, without card abstraction. A [`Spot`] is the problem,
//! resolved and checked; a [`Solver`] runs iterations on it; a [`Solution`] is what can be read afterwards (or in
//! between). The simplest way:
//!
//! ```
//! use equipoise_cards::Street;
//! use equipoise_game::{Chips, Player, Preset, TreeConfig};
//! use equipoise_postflop::{Options, Spot, solve};
//!
//! let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
//! Preset::Standard.apply(&mut config);
//! let spot = Spot::new(["66+,A8s+,KQo".parse()?, "QQ-22,AQs-A2s,KJo+".parse()?], "Td9d6hQc2h".parse()?, &config)?;
//! let mut solution = solve(spot, &Options::default())?;
//! assert!(solution.converged());
//! let evs = solution.evs();
//! assert!((evs[Player::Oop].mean + evs[Player::Ip].mean - 200.0).abs() < 1e-2);
//! for (action, frequency) in solution.root_frequencies() {
//!     println!("{action}: {:.1} %", 100.0 * frequency);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! The betting of a street does not depend on the board, so it is compiled once, for each player, into a flat program:
//! reaches in the down pass, terminals in batches of eight, values in the up pass. A board has compact lists of the combos
//! that it leaves, on the river in order of strength, and two tables per player: regrets and the sums of the average
//! strategy. Players update in turn; the coefficients of the update come from an
//! [`Algorithm`](equipoise_cfr::Algorithm). Payoffs are chips received minus chips invested, from the root on, so both
//! expected values sum to the pot less the rake.
//!
//! The next cards of the root are the tasks of a thread pool, each with a result of its own; results are added in the
//! order of the cards, so the answer does not depend on the number of threads.

mod compile;
mod file;
mod kernel;
mod problem;
mod read;
mod solve;

pub use file::{Contents, FORMAT_MAJOR, FileError, Header, SaveOptions, SavedEv};
pub use problem::bytes::SpotBytesError;
pub use problem::count::SpotCount;
pub use problem::lock::{Lock, LockedStrategy};
pub use problem::node_path::{NodePath, ParsePathError};
pub use problem::options::{Memory, Options, ParseStorageError, Precision, Storage};
pub use problem::spot::{Spot, SpotError};
pub use read::solution::{
    ComboEv, ComboStrategy, Exploitability, NodeStrategy, PlayerEv, RunoutError, Solution,
};
pub use read::view::{ComboView, NodeView, PlayerView, ResolvedSubgame};
pub use read::{BoardStart, BoardView, DecisionView, HandDetail, ReadError, Reader, ViewDetail};
pub use solve::progress::{SolveProgress, StopReason};
pub use solve::solver::{PlayError, ResumeError, SolveError, Solver, solve};
pub use solve::subgame::{
    Continuation, DecisionStrategies, Opponent, SubgameCheck, SubgameError, SubgameProgress, SubgameSolver,
};
pub use solve::warm_start::{WarmStart, WarmStartError};
