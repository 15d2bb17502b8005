//! The game of hold'em without its cards: chips, bet menus and their text, the public betting tree, what the end of a
//! hand pays, rake, and the rules of a whole heads-up hand ([`HandState`]).
//!
//! A [`TreeConfig`] says how play begins and which sizes each player may use; [`Tree::build`] makes the tree
//! of every betting sequence through the river. The tree does not depend on the cards that come: it is built
//! once and holds for every board, and [`Tree::stats`] tells how large a problem it makes. [`TreeCount`] tells it
//! before anything is built.
//!
//! ```
//! use equipoise_cards::Street;
//! use equipoise_game::{Chips, StreetMenus, Tree, TreeConfig};
//!
//! let mut config = TreeConfig::new(Street::Turn, Chips::new(200), Chips::new(900));
//! config.turn = StreetMenus::same("60%, e, a".parse()?, "2.5x".parse()?);
//! config.river = StreetMenus::same("60%, a".parse()?, "2.5x".parse()?).with_donk("50%".parse()?);
//! config.remove_lines.push("check allin".parse()?);
//! let tree = Tree::build(&config)?;
//! for (action, child) in tree.actions(tree.root()) {
//!     println!("{action}: pot {}", tree.pot(child));
//! }
//! assert!(tree.find(&"check allin".parse()?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//! P is the pot after the call, B the bet to beat (0 when opening), M the all-in total; amounts are totals of
//! the street.
//! 1. A size becomes whole chips, halves rounded up, and is clamped to [B + the last raise's increment (at least
//!    1), M].
//! 2. Where M is within [`Thresholds::add_allin`] pots, all-in is added; a size that would leave less than
//!    [`Thresholds::force_allin`] of the pot behind becomes all-in; sizes too near to each other merge
//!    ([`Thresholds::merging`]).
//! 3. Nothing goes over an all-in, and after an all-in and a call the rest of the board is dealt without
//!    decisions.
//! 4. Where no size of the menu applies there is no bet, and no all-in is added either, unless
//!    [`Thresholds::add_allin_without_sizes`] says so.
//! 5. Lines to be added are taken as written, without thresholds; then lines are removed.
//! 6. Rounding and thresholds are computed exactly from the decimals that were written; only geometric sizes, which are
//!    roots, are not. Of two sizes at exactly the merging threshold the smaller is dropped.
//! 7. A bet that is not called is returned before rake is taken ([`Terminal`]).
//! 8. A hand may be played for prizes instead of chips ([`Prizes`]): what final stacks are worth, by ICM ([`Payouts`]) or a
//!    table.

mod action;
mod bet_menu;
mod bet_size;
mod build;
mod bytes;
mod chips;
mod config;
mod count;
mod decimal;
mod hand;
mod icm;
mod line;
mod note;
mod payoff;
mod per_player;
mod player;
mod preset;
mod prizes;
mod stats;
mod thin;
mod tree;

pub use action::{Action, ParseActionError, WrittenAction};
pub use bet_menu::{BetMenu, ParseMenuError, Thresholds};
pub use bet_size::{BetPoint, BetSize};
#[doc(hidden)] // For the canonical bytes of `equipoise-postflop`.
pub use bytes::ByteReader;
pub use chips::{Chips, ChipsError};
pub use config::{ConfigError, MenuKey, MenuKind, PlayerMenus, StreetMenus, TreeConfig};
pub use count::TreeCount;
pub use hand::{
    AbstractionCount, BettingAbstraction, BettingAbstractionError, BettingPreset, GameCount, GameCountError,
    HandConfig, HandConfigError, HandState, IllegalAction, LegalActions, ParseBettingPresetError,
    PostflopMenus, PreflopMenus, RaiseMenus, Winner,
};
pub use icm::{IcmError, Payouts, Pressure};
pub use line::{Line, LineError, ParseLineError};
pub use note::TreeNote;
pub use payoff::{Rake, Terminal};
pub use per_player::PerPlayer;
pub use player::{ParsePlayerError, Player};
pub use preset::{ParsePresetError, Preset};
pub use prizes::{PrizeModel, Prizes, PrizesError, ValueUnit};
pub use stats::{StreetStats, TreeStats};
pub use tree::{Node, NodeId, NodeKind, Tree, TreeError};
