//! Postflop problems as files, and what solving one takes.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`spot_file`] | a postflop problem from TOML |
//! | [`solution_file`] | a solution and its problem from a file |
//! | [`import`] | problems from files of other programs |
//! | [`shipped`] | the spots that ship with the program |
//! | [`memory`] | how much memory there is, and what to do where a solve does not fit |
//! | [`saving`] | checkpoints, final saves and the room for them on the disk |
//!
//! ```
//! use equipoise_spots::shipped::ShippedText;
//! use equipoise_spots::spot_file::Problem;
//! let problem: Problem = ShippedText::RIVER.toml.parse()?;
//! assert_eq!(problem.spot.board().to_string(), "Td9d6hQc2h");
//! # Ok::<(), equipoise_spots::spot_file::SpotFileError>(())
//! ```

mod fewer_sizes;
pub mod import;
pub mod memory;
pub mod saving;
pub mod shipped;
pub mod solution_file;
pub mod spot_file;

use equipoise_cards as cards;
use equipoise_cfr as cfr;
use equipoise_game as game;
use equipoise_postflop as postflop;
