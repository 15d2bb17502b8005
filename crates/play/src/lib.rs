//! Playing heads-up hold'em, and measuring it honestly.
//!
//! An [`Agent`] plays hands: a [`SimpleAgent`], a blueprint with its own strategy ([`BlueprintAgent`]), whose off-tree
//! bets are translated ([`Follower`], [`lower_probability`]), or one that re-solves what it comes to ([`SearchAgent`]). A
//! [`Reviewer`] says what decisions gave away, [`Losses`] sums them up. A [`Sitting`] is a person at a table with a bot. [`play_match`] plays two of them with duplicate deals and says
//! what the first wins, as it was and by AIVAT. [`local_best_response`] is a lower bound on what a strategy loses. [`AcpcAgent`]
//! is any program that speaks the ACPC protocol, and [`serve_acpc`] plays for a dealer who does; [`play_api`] plays through the
//! APIs of other bots.

mod acpc;
mod agent;
mod aivat;
mod draw;
mod follow;
mod hand;
mod http;
mod lbr;
mod losses;
mod matches;
mod recorded;
mod review;
mod search;
mod sitting;
mod translate;
mod typed;
mod web_api;

#[doc(hidden)]
pub use acpc::check_acpc_text;
pub use acpc::{AcpcAgent, ServedHands, serve_acpc};
pub use agent::{
    Agent, AgentError, BlueprintAgent, Decision, HandEnd, Seat, Simple, SimpleAgent, Taken, View,
};
pub use aivat::{Corrected, ValueModel};
pub use draw::Deal;
pub use follow::Follower;
pub use hand::{LiveHand, PlayedHand, play_hand};
pub use http::{ApiAddress, ParseAddressError};
pub use lbr::{LbrError, LbrMenu, LbrOptions, LbrOutcome, Opponent, local_best_response};
pub use losses::{LossGroup, Losses, Reviewed};
pub use matches::{Estimate, MatchOptions, MatchOutcome, play_match};
pub use recorded::RecordedHand;
pub use review::{
    Facing, ReviewOptions, ReviewedAction, ReviewedDecision, Reviewer, Situation, Source, Study,
};
pub use search::{IsCancelled, Search, SearchAgent, SearchStats};
pub use sitting::{
    BOT, MadeDecision, PERSON, SatHand, Score, Sitting, SittingError, SittingOptions, Strategy, phh_section,
};
pub use translate::lower_probability;
pub use typed::{SizePreset, TypedAction, TypedActionError, legal_text, size_presets};
#[doc(hidden)]
pub use web_api::check_api_text;
pub use web_api::{Api, ApiOptions, ApiOutcome, play_api};
