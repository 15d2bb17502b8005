//! The `equipoise` command, apart from equities.

#[path = "../common/mod.rs"]
mod common;

mod abstraction;
#[cfg(unix)]
mod at_a_terminal;
mod bad_input;
mod batch;
mod bench;
mod blueprint;
#[cfg(unix)]
mod bot_apis;
mod browse;
mod cfr;
mod cluster;
mod disk;
mod eval;
mod examples;
mod help;
mod import;
mod output;
mod outputs;
mod play;
mod pot_odds;
mod prizes;
mod range;
mod saved;
mod saving;
mod serve;
pub(crate) mod solve;
mod solve_bad_input;
mod study;
#[cfg(unix)]
mod terminal;
mod upi;
mod whole_hand;
