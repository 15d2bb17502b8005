//! Card abstractions against the real game.
//!
//! A player who sees buckets instead of cards can solve a game that is too large otherwise, and pays for it: hands that
//! share a bucket must play alike. This crate says how much. [`AbstractSolver`] solves a turn or river [`Spot`] as two
//! such players see it, then lifts what they found to every combo on every board, and measures, exactly, what opponents
//! who see the cards would win from it:
//!
//! ```
//! use equipoise_blueprint::{AbstractSolver, Options};
//! use equipoise_cards::{Board, Combo, Street, Strength};
//! use equipoise_game::{Chips, Preset, TreeConfig};
//! use equipoise_postflop::Spot;
//!
//! let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
//! Preset::Standard.apply(&mut config);
//! let spot = Spot::new(["66+,A8s+,KQo".parse()?, "QQ-22,AQs-A2s,KJo+".parse()?], "Td9d6hQc2h".parse()?, &config)?;
//! // Everything below a straight by what it is, no matter how high.
//! let categories = |combo: Combo, board: &Board| {
//!     Strength::of(combo.cards() | board.set()).map_or(0, |strength| strength.category() as u32)
//! };
//! let options = Options { max_iterations: 100, ..Options::default() };
//! let mut solver = AbstractSolver::new(&spot, &categories, &options)?;
//! solver.run(&mut ());
//! let measured = solver.measure();
//! assert!(measured.exploitability_pct > 1.0);
//! println!("{:.2} % of pot", measured.exploitability_pct);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What an abstract player knows
//! Its own bucket on this street and the betting since the root, and nothing else: neither which bucket it had on the
//! turn, nor which river card fell, except through the bucket ("buckets shared over rivers"). So its regrets are sums
//! over all rivers and all combos of the bucket, each weighted by how often the range holds it.
//!
//! # How it is solved
//! Full-width CFR in `f64`: each pass for a player carries the opponent's reach, combo by combo, through the betting of
//! the root's street and of every river, and brings the values back. Rivers of one line are swept one after another,
//! and lines share nothing, so they are worked on in parallel and the answer does not depend on the number of threads.
//! With buckets that lose nothing this is the exact solver's algorithm, and a test holds it to that.
//!
//! There is no bound on how exploitable an abstract equilibrium is in the real game, nor must it fall as buckets get
//! finer or iterations more: that is why it is measured.
//!
//! [`Spot`]: equipoise_postflop::Spot

mod betting;
mod buckets;
mod deal;
mod error;
mod infosets;
mod part;
mod solver;
mod sweep;

pub use buckets::{Buckets, Lossless};
pub use error::AbstractSpotError;
pub use solver::{AbstractSolver, LiftedStrategy, Measurement, Options, Progress};
