//! The problem: spot, options, locks, paths, and what solving takes before anything is built.

pub(crate) mod bytes;
pub(crate) mod count;
pub(crate) mod lock;
pub(crate) mod memory;
pub(crate) mod node_path;
pub(crate) mod options;
pub(crate) mod spot;
