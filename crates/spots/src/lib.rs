//! Postflop problems as files.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`formation`] | a spot file to begin with: who raised whom before the flop |
//! | [`betting_file`] | the bet sizes of a whole hand from TOML |
//! | [`spot_file`] | a postflop problem from TOML |
//! | [`import`] | problems from files of other programs |
//! | [`shipped`] | the spots that ship with the program |
//!
//! ```
//! use equipoise_spots::shipped::ShippedText;
//! use equipoise_spots::spot_file::Problem;
//! let problem: Problem = ShippedText::RIVER.toml.parse()?;
//! assert_eq!(problem.spot.board().to_string(), "Td9d6hQc2h");
//! # Ok::<(), equipoise_spots::spot_file::SpotFileError>(())
//! ```

pub mod betting_file;
pub mod formation;
pub mod game_file;
pub mod import;
pub mod shipped;
pub mod spot_file;

use equipoise_cards as cards;
use equipoise_cfr as cfr;
use equipoise_game as game;
use equipoise_postflop as postflop;
