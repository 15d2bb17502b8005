//! A heads-up no-limit hand from the blinds to the end.

mod abstraction;
mod config;
mod count;
mod legal;
mod preset;
mod state;

pub use abstraction::{
    AbstractionCount, BettingAbstraction, BettingAbstractionError, PostflopMenus, PreflopMenus, RaiseMenus,
};
pub use config::{HandConfig, HandConfigError};
pub use count::{GameCount, GameCountError};
pub use legal::{IllegalAction, LegalActions};
pub use preset::{BettingPreset, ParseBettingPresetError};
pub use state::{HandState, Winner};
