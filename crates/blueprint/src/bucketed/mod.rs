//! The bucketed engine: games in which players see buckets instead of cards.
//!
//! Hands that share a bucket must play the same strategy, which makes large games solvable and costs exploitability. The
//! [`BucketedSolver`] solves a turn or river [`Spot`] as two such players see it, lifts their strategies to every combo on
//! every board, and measures exactly what opponents who see the cards would win from them.
//!
//! # Information sets
//! A player knows its bucket on this street and the betting since the root: neither its bucket on the turn nor the river
//! card, except through the bucket. So regrets are sums over all rivers and all combos of a bucket, each weighted by the
//! range.
//!
//! # Algorithm
//! Full-width CFR in `f64`: each pass for a player carries the opponent's reach, combo by combo, down the betting of the
//! root's street and of every river, and the values up. The rivers of one betting line are swept one after another. Lines
//! share nothing, so they run in parallel, and the answer does not depend on the number of threads. With [`Lossless`]
//! buckets this is the algorithm of the exact solver, which a test checks.
//!
//! There is no bound on the exploitability of an abstract equilibrium in the real game, and it need not fall with finer
//! buckets or more iterations: that is why it is measured.
//!
//! [`Spot`]: equipoise_postflop::Spot

mod betting;
mod buckets;
mod deal;
mod error;
mod infosets;
mod solver;
mod street;
mod sweep;

pub use buckets::{Buckets, Lossless};
pub use error::BucketedError;
pub use solver::{BucketedSolver, LiftedStrategy, Measurement, Options, Progress};
