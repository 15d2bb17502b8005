//! The abstracted game of Texas hold'em.
//!
//! A blueprint is the average strategy of a game in which players see buckets instead of cards. [`bucketed`] is the engine
//! that solves such games, and measures what opponents who see the cards win from the answer. [`InfoSetKey`] is the text
//! form of an information set.
//!
//! ```
//! use equipoise_blueprint::bucketed::{BucketedSolver, BucketedOptions};
//! use equipoise_cards::{Board, Combo, Street, Strength};
//! use equipoise_game::{Chips, Preset, TreeConfig};
//! use equipoise_postflop::Spot;
//!
//! let mut config = TreeConfig::new(Street::River, Chips::new(200), Chips::new(900));
//! Preset::Standard.apply(&mut config);
//! let spot = Spot::new(["66+,A8s+,KQo".parse()?, "QQ-22,AQs-A2s,KJo+".parse()?], "Td9d6hQc2h".parse()?, &config)?;
//! // The category alone: a pair is a pair.
//! let categories = |combo: Combo, board: &Board| {
//!     Strength::of(combo.cards() | board.set()).map_or(0, |strength| strength.category() as u32)
//! };
//! let options = BucketedOptions { max_iterations: 100, ..BucketedOptions::default() };
//! let mut solver = BucketedSolver::new(&spot, &categories, &options)?;
//! solver.run(&mut ())?;
//! let measured = solver.measure()?;
//! assert!(measured.exploitability_pct > 1.0);
//! println!("{:.2} % of pot", measured.exploitability_pct);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bucketed;
mod info_set;
pub mod pushfold;
pub mod resolve;
pub mod whole;

pub use info_set::{Blind, HandKey, InfoSetKey, ParseKeyError};
