//! A Texas hold'em game-theory engine: hand strength, ranges, equity and exact postflop equilibria.
//!
//! This crate is the library face of the engine and the home of the `equipoise` command (feature `cli`, on by
//! default). The work is done in smaller crates, each of which can be used alone; here they have one name.
//!
//! ```
//! use equipoise::PotOdds;
//! use equipoise::cards::{Range, Strength};
//!
//! let royal = Strength::of("As Ks Qs Js Ts 2c 3d".parse()?).ok_or("needs 5, 6 or 7 cards")?;
//! assert_eq!(royal.get(), 7461);
//!
//! let range: Range = "TT+,AKs:0.5".parse()?;
//! assert_eq!((range.num_combos(), range.total_weight()), (34, 32.0));
//!
//! assert_eq!(PotOdds::new(150.0, 50.0)?.required_equity(), 0.25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`cards`] | cards, combos, boards, ranges and their text, suit isomorphism, hand strength |
//! | [`equity`] | exact and sampled equity of any number of players |
//! | [`abstraction`] | what hands are worth on every street, and buckets of hands that are alike |
//! | [`game`] | bet menus, the public betting tree, payoffs and rake |
//! | [`cfr`] | the algorithms of counterfactual regret minimisation, and small games to try them on |
//! | [`postflop`] | exact equilibria of postflop spots |
//! | [`progress`] | the observer of long work: how far it is, and whether to end it |
//! | [`blueprint`] | games in card buckets, blueprints of the whole game, their exact exploitability |
//! | `batch` | one spot over many flops (feature `batch`, part of `cli`) |
//! | `documents` | what the command prints with `--json` (feature `documents`, part of `cli`) |
//! | `export` | tables as Parquet and pictures as SVG (feature `export`, part of `cli`) |
//! | `histories` | hand histories in other programs' formats (feature `histories`, part of `cli`) |
//! | `spot_file` | a postflop problem from TOML (feature `spot-file`, part of `cli`) |
//! | `game_file` | a whole heads-up game from TOML (feature `spot-file`) |
//! | `spot_import` | a postflop problem from a file of another program (feature `spot-file`) |
//! | `play` | bots, matches with duplicate deals, AIVAT, local best response (feature `play`, part of `cli`) |
//! | `run` | one way to run a solve: admission, checkpoints, saving (feature `spot-file`) |
//! | `solution_file` | files of solutions among others (feature `spot-file`) |

mod pot_odds;

pub use equipoise_abstraction as abstraction;
#[cfg(feature = "batch")]
pub use equipoise_batch as batch;
pub use equipoise_blueprint as blueprint;
pub use equipoise_cards as cards;
pub use equipoise_cfr as cfr;
#[cfg(feature = "documents")]
pub use equipoise_documents as documents;
pub use equipoise_equity as equity;
#[cfg(feature = "export")]
pub use equipoise_export as export;
pub use equipoise_game as game;
#[cfg(feature = "histories")]
pub use equipoise_histories as histories;
#[cfg(feature = "play")]
pub use equipoise_play as play;
pub use equipoise_postflop as postflop;
pub use equipoise_progress as progress;
#[cfg(feature = "spot-file")]
pub use equipoise_run::{self as run, solution_file};
#[cfg(feature = "spot-file")]
pub use equipoise_spots::{game_file, import as spot_import, spot_file};
pub use pot_odds::{PotOdds, PotOddsError};
