//! The bucketed engine: games in which players see buckets instead of cards.
//!
//! Hands that share a bucket must play the same strategy, which makes large games solvable and costs exploitability. One
//! traversal serves every root. The [`BucketedSolver`] solves a [`Spot`] on flop, turn or river, lifts the strategies to
//! every combo on every board, and measures exactly what opponents who see the cards would win from them; the
//! [`Trainer`](crate::whole::Trainer) plays whole hands.
//!
//! # Information sets
//! A player knows its bucket on this street and the betting since the root: neither its bucket on the street before nor the
//! cards that came, except through the bucket. So regrets are sums over all boards and all combos of a bucket, each
//! weighted by the range.
//!
//! # A pass
//! An iteration is a pass for each player, one after the other. A pass carries the opponent's reach, combo by combo, down
//! the betting, and the player's values up; strategies of buckets are expanded to combos on the way down, and values of
//! combos folded into buckets on the way up. Boards are all that there are, or a batch of runouts that are drawn without
//! replacement, each weighted so that the expected sums are those of all boards. Strategies change only between passes.
//! With all boards and [`Lossless`] buckets this is the algorithm of the exact solver, which a test checks.
//!
//! # Data
//! - A street's *betting line* is the betting that led to the street; lines have a *shape*, the betting tree of the street
//!   without chips. Lines of equal shape share a *pack* of one, four or eight lanes, a line in each: all loops over combos
//!   work on a vector of lanes, so buckets and cards are read once for all of them and no vector is gathered.
//! - Regrets and averages of a decision are tables `[bucket][action][lane]`. A pass has only the buckets that its boards
//!   touch: strategies are made from their regrets when it begins, as `[action][place][lane]`, where places are those of
//!   the touched buckets in the order of the boards. It works on one action at a time, whose places stay in the
//!   second-level cache. Rows that no board touches cost nothing but memory; their discounts are made up for when one does
//!   (`touched.rs`). So buckets may be many, or local to a board.
//! - A board is a list of the combos of each player, on the river in order of strength with the ends of groups of equal
//!   strength, elsewhere by number; for each combo its cards, its bucket, its place in the list of the board before, and its
//!   place in the opponent's list. Lists of equal ranges are one.
//! - Within a street and a board the betting is walked depth first with one vector a level, which keeps all of them in the
//!   cache. Between streets a pack keeps the reach of its chance steps by board on the way down, and its values, added up by
//!   board of the street before, on the way up.
//! - An all-in before the flop is a product with the table of hand classes: strategies before the flop are those of classes,
//!   so the sum over suits is exact. Later runouts go on as lines without decisions to the showdown.
//!
//! # Threads
//! Threads own packs, never boards: in each street all packs run in parallel, and each sees the boards in their order. No
//! number is added by two threads, and the answer is the same to the last bit at any number of them.
//!
//! There is no bound on the exploitability of an abstract equilibrium in the real game, and it need not fall with finer
//! buckets or more iterations: that is why it is measured.
//!
//! [`Spot`]: equipoise_postflop::Spot

pub(crate) mod all_in;
pub(crate) mod betting;
mod buckets;
pub(crate) mod chance;
pub(crate) mod deal;
pub(crate) mod engine;
mod error;
mod kernel;
pub(crate) mod pack;
mod real;
mod solver;
pub(crate) mod table;
pub(crate) mod touched;

pub use buckets::{Buckets, Lossless};
pub use error::BucketedError;
pub use solver::{BucketedOptions, BucketedProgress, BucketedSolver, Chance, LiftedStrategy, Measurement};
