//! Iterations: the solver, its schedule of checks, the passes over all boards, and the tables.

mod decisions;
pub(crate) mod engine;
mod gadget;
mod locked;
pub(crate) mod pass;
mod prefetch;
pub(crate) mod progress;
mod record;
pub(crate) mod schedule;
pub(crate) mod solver;
pub(crate) mod state;
pub(crate) mod store;
pub(crate) mod subgame;
mod traverse;
pub(crate) mod warm_start;
pub(crate) mod workspace;
