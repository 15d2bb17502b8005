//! Iterations: the solver, its schedule of checks, the passes over all boards, tables and threads.

pub(crate) mod engine;
mod locked;
pub(crate) mod progress;
pub(crate) mod schedule;
pub(crate) mod solver;
pub(crate) mod state;
pub(crate) mod store;
pub(crate) mod thread_pool;
pub(crate) mod traverse;
pub(crate) mod warm_start;
pub(crate) mod workspace;
