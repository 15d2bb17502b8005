//! What a spot compiles to: programs of steps from the betting tree, boards with their combo lists, orbits of combos.

pub(crate) mod boards;
pub(crate) mod images;
pub(crate) mod layout;
pub(crate) mod orbits;
pub(crate) mod program;
