//! Playing heads-up hold'em, and measuring it honestly.
//!
//! An [`Agent`] plays hands: a [`SimpleAgent`], or a blueprint with its own strategy ([`BlueprintAgent`]), whose off-tree
//! bets are translated ([`Follower`], [`lower_probability`]). [`play_match`] plays two of them with duplicate deals and says
//! what the first wins, as it was and by AIVAT. [`local_best_response`] is a lower bound on what a strategy loses. [`AcpcAgent`]
//! is any program that speaks the ACPC protocol, and [`serve_acpc`] plays for a dealer who does.

mod acpc;
mod agent;
mod aivat;
mod draw;
mod follow;
mod hand;
mod lbr;
mod matches;
mod translate;

#[doc(hidden)]
pub use acpc::check_acpc_text;
pub use acpc::{AcpcAgent, ServedHands, serve_acpc};
pub use agent::{
    Agent, AgentError, BlueprintAgent, Decision, HandEnd, Seat, Simple, SimpleAgent, Taken, View,
};
pub use aivat::{Corrected, ValueModel};
pub use draw::Deal;
pub use follow::Follower;
pub use hand::{PlayedHand, play_hand};
pub use lbr::{LbrError, LbrMenu, LbrOptions, LbrOutcome, Opponent, local_best_response};
pub use matches::{Estimate, MatchOptions, MatchOutcome, play_match};
pub use translate::lower_probability;
