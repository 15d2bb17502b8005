//! Averages over flops, as the command prints them with `--json` and the server answers.

use serde::Serialize;

use super::{EngineDocument, JobId};
use crate::{Both, UnitDocument};

/// What a player gets at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayerNumbers {
    /// Win plus tie share.
    pub equity: Option<f64>,
    /// Chips from there on, or prizes.
    pub ev: Option<f64>,
    /// ev / (equity × pot); not defined for prizes.
    pub eqr: Option<f64>,
}

/// One flop at a decision; after its street, the mean over the runouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlopRow {
    /// The job.
    pub id: JobId,
    /// The cards where the job begins.
    pub board: String,
    /// How many flops it stands for.
    pub weight: f64,
    /// How many boards were read: 1, or the runouts that differ in more than suits.
    pub boards: usize,
    /// Bytes of the solution that is kept; 0 if none is.
    pub file_bytes: u64,
    /// The weight of all pairs of combos that the flop leaves possible.
    pub deals: f64,
    /// How often play gets to the decision there.
    pub probability: f64,
    /// `rainbow`, `two-tone` or `monotone`.
    pub suits: String,
    /// `unpaired`, `paired` or `trips`.
    pub pairing: String,
    /// The highest rank.
    pub high: String,
    /// `disconnected`, `semi-connected` or `connected`.
    pub connectedness: String,
    /// How often the range takes each action, in the order of [`SpotAggregate::actions`].
    pub frequencies: Vec<f64>,
    /// OOP and IP.
    pub players: Both<PlayerNumbers>,
    /// In percent of the starting pot.
    pub exploitability_pct: f64,
}

/// Weighted means of flops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// How many flops there are.
    pub flops: usize,
    /// What they count together.
    pub weight: f64,
    /// How often play gets to the decision.
    pub probability: f64,
    /// How often the range takes each action.
    pub frequencies: Vec<f64>,
    /// OOP and IP.
    pub players: Both<PlayerNumbers>,
}

/// Flops that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AverageGroup {
    /// What they have in common.
    pub name: String,
    /// Their means.
    #[serde(flatten)]
    pub mean: Mean,
}

/// Runouts that have something in common: by what the last card changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CardGroups {
    /// How many cards of its suit it finds: none, one, or two and more.
    pub suit: Vec<AverageGroup>,
    /// Whether its rank is on the board already.
    pub pairing: Vec<AverageGroup>,
    /// Whether it makes straights possible.
    pub straights: Vec<AverageGroup>,
    /// Above, among or below the ranks of the board.
    pub height: Vec<AverageGroup>,
    /// Its rank.
    pub rank: Vec<AverageGroup>,
}

/// One spot over all of its flops that are done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpotAggregate {
    /// What the plan calls the spot.
    pub spot: String,
    /// Of the decision: `flop`, `turn` or `river`.
    pub street: String,
    /// In chips, if the spot says what a big blind is.
    pub big_blind: Option<f64>,
    /// In chips, where the spot begins.
    pub starting_pot: f64,
    /// Who acts; absent if nobody does.
    pub player: Option<String>,
    /// In chips, bets on the table included.
    pub pot: f64,
    /// What EVs are counted in.
    pub unit: UnitDocument,
    /// What can be done, as paths name it.
    pub actions: Vec<String>,
    /// Of each action that is a bet or raise its share of the pot, in percent.
    pub pct_pot: Vec<Option<f64>>,
    /// How many flops the plan has.
    pub planned: usize,
    /// Flop by flop.
    pub flops: Vec<FlopRow>,
    /// The means of all flops.
    pub total: Mean,
    /// The same, each flop by its deals too.
    pub total_by_deals: Mean,
    /// By what the last card changes; absent if no card of the path is open.
    pub cards: Option<CardGroups>,
}

impl SpotAggregate {
    /// The greatest exploitability of any flop, in percent of the starting pot.
    #[must_use]
    pub fn worst_exploitability_pct(&self) -> f64 {
        self.flops.iter().map(|row| row.exploitability_pct).fold(0.0, f64::max)
    }
}

/// The groups of a spot, by texture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlopGroups {
    /// Rainbow, two-tone, monotone.
    pub suits: Vec<AverageGroup>,
    /// Unpaired, paired, trips.
    pub pairing: Vec<AverageGroup>,
    /// By the highest card.
    pub high_card: Vec<AverageGroup>,
    /// By the straights that are possible.
    pub connectedness: Vec<AverageGroup>,
}

/// A spot with its groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpotDocument<'a> {
    /// Flops and totals.
    #[serde(flatten)]
    pub spot: &'a SpotAggregate,
    /// By texture.
    pub groups: FlopGroups,
}

/// How many jobs an engine solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineCount {
    /// The engine; absent for summaries of programs that did not name it.
    pub engine: Option<EngineDocument>,
    /// How many jobs.
    pub jobs: usize,
}

/// The averages of a batch at a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AggregateDocument<'a> {
    /// Of this document.
    pub schema_version: u32,
    /// The actions that lead to the decision.
    pub path: &'a str,
    /// Spot by spot.
    pub spots: Vec<SpotDocument<'a>>,
    /// Who solved them: more than one where the engine changed on the way.
    pub engines: &'a [EngineCount],
}
