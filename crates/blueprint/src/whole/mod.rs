//! The whole heads-up game in buckets: from the blinds to the river, on boards that are drawn.
//!
//! A [`Trainer`] plays a [`WholeGame`] against itself. Before the flop players see their hand class, later their bucket.
//! Every batch of boards is one iteration of CFR: strategies stay as they are while the boards of the batch are played, with
//! all 1,326 combos of both players on each. What comes of it is a [`Blueprint`]. An [`Exploiter`] says what it loses to a
//! best response that sees every card.

mod blueprint;
mod chart;
mod container;
mod exploit;
mod game;
mod joint;
mod keys;
mod line;
mod preflop;
mod session;
mod source;
mod strategies;
mod subset;
mod trainer;
mod training_file;
mod versus;
mod views;

pub use blueprint::{Blueprint, BlueprintHeader, SavedExploitability, seat};
pub use chart::{ChartDecision, FlopEntry, FlopEvs};
pub use container::BlueprintFileError;
pub use exploit::{Exploitability, Exploiter, FlopValues, Flops, num_boards};
pub use game::{Position, WholeGame};
pub use joint::{JointOutcome, JointSolver, JointStop};
pub use keys::KeyError;
pub use line::{Line, LineError, LineStrategies};
pub use session::{Session, SessionError, SessionOptions, SessionOutcome, SessionProgress};
pub use source::{BucketSource, StreetSource};
pub use subset::SubsetBuckets;
pub use trainer::{Trainer, TrainerOptions};
pub use training_file::{Checkpoint, training_path};
pub use versus::{Contestant, HeadToHead, head_to_head};
pub use views::{BlueprintBuckets, StreetView};
