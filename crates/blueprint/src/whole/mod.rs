//! The whole heads-up game in buckets: from the blinds to the river, on boards that are drawn.
//!
//! A [`Trainer`] plays the game of a [`HandConfig`] and a [`BettingAbstraction`] against itself. Before the flop players see
//! their hand class, later their bucket. Every batch of boards is one iteration of CFR: strategies stay as they are while
//! the boards of the batch are played, with all 1,326 combos of both players on each.
//!
//! [`BettingAbstraction`]: equipoise_game::BettingAbstraction
//! [`HandConfig`]: equipoise_game::HandConfig

mod trainer;

pub use trainer::{Trainer, TrainerOptions};
