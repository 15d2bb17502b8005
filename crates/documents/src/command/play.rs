//! `equipoise translate`, `match`, `lbr` and `bot`.

use serde::Serialize;

use super::MeanDocument;

/// `equipoise translate`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct TranslateDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The smaller and the larger neighbour, in pots; 0 is a check or a call.
    pub sizes: [f64; 2],
    /// The bet, in pots.
    pub bet: f64,
    /// The probability that it is translated to the smaller one.
    pub lower: f64,
    /// The bet that is translated to either with probability ½, in pots.
    pub even: f64,
}

/// `equipoise match`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MatchDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The names of both.
    pub players: [String; 2],
    /// Hands that count, both of each duplicate pair.
    pub hands: u64,
    /// Seed of cards and choices.
    pub seed: u64,
    /// Chips of a big blind.
    pub big_blind: u32,
    /// The stacks, in big blinds.
    pub stack_bb: f64,
    /// The winnings of the first.
    pub mbb_per_hand: MatchMeans,
    /// Of the blueprints, the stack they were trained for if it is another one.
    pub other_stack_bb: Vec<f64>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// Why it ended before its time, if a player could not go on.
    pub failed: Option<String>,
}

/// What the first player of a match wins, in thousandths of a big blind a hand.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MatchMeans {
    /// As played.
    pub raw: MeanDocument,
    /// Corrected by AIVAT.
    pub aivat: MeanDocument,
}

/// `equipoise lbr`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct LbrDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The responder's opponent.
    pub player: String,
    /// `fc` or `fcpa`.
    pub menu: &'static str,
    /// The first and the last street on which it chooses, 1 to 4.
    pub streets: [u8; 2],
    /// Hands that were played.
    pub hands: u64,
    /// Seed of cards and choices.
    pub seed: u64,
    /// The stacks, in big blinds.
    pub stack_bb: f64,
    /// The responder's winnings: a lower bound on those of a best response.
    pub mbb_per_hand: MeanDocument,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// `equipoise bot`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct BotDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The blueprint.
    pub blueprint: String,
    /// Hands that began.
    pub hands: u64,
    /// Decisions that were made.
    pub decisions: u64,
    /// The stacks, in big blinds.
    pub stack_bb: f64,
    /// The stack of the blueprint if it is another one.
    pub other_stack_bb: Vec<f64>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}
