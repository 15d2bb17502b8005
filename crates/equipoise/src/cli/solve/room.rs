//! What to say when a tree does not fit.

use equipoise::postflop::{Options, SolveError, Spot};
use equipoise_spots::memory::TooLarge;

use crate::cli::failure::BadInput;

/// The error with what would help: another storage, or a size whose loss saves most.
pub(super) fn too_large(error: &SolveError, spot: &Spot, options: &Options) -> BadInput {
    let &SolveError::Memory { needed, limit } = error else { return BadInput::new(error) };
    let mut found = TooLarge::new(spot, options, needed, limit);
    found.advice.push("fewer bet sizes or narrower ranges take less".to_owned());
    BadInput::new(&found).help(found.advice.join("; "))
}
