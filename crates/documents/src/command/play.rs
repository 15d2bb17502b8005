//! `equipoise translate`, `match`, `lbr`, `bot` and `review`.

use equipoise_blueprint::whole::seat;
use equipoise_game::{Action, Player};
use equipoise_play::{Estimate, LossGroup, Reviewed, ReviewedDecision, Source};
use serde::Serialize;

use super::MeanDocument;

impl MeanDocument {
    /// A mean with its interval; of one observation or none the interval is the mean.
    #[must_use]
    pub fn of_estimate(estimate: &Estimate) -> MeanDocument {
        let interval = estimate.interval();
        let ci95 = if interval.iter().all(|end| end.is_finite()) { interval } else { [estimate.mean; 2] };
        MeanDocument { mean: estimate.mean, ci95 }
    }
}

/// An action in words, with its amount in big blinds: `raise to 2.50 bb`.
#[must_use]
pub fn action_text(action: Action, big_blind: f64) -> String {
    match action.total() {
        Some(total) => format!(
            "{} to {:.2} bb",
            if matches!(action, Action::AllIn(_)) { "all-in" } else { action.kind() },
            total.as_f64() / big_blind
        ),
        None => action.kind().to_owned(),
    }
}

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
    /// What was won through an API; a dealer does not say. Where the API corrects nothing both are the same.
    pub mbb_per_hand: Option<MatchMeans>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// Why it ended before its time, if the API could not go on.
    pub failed: Option<String>,
}

/// `equipoise review`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ReviewDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The blueprint.
    pub blueprint: String,
    /// The file of the hands.
    pub file: String,
    /// The first street that was re-solved; `none` if none was.
    pub search: String,
    /// Hands that were reviewed.
    pub hands: u64,
    /// Hands that were left out, each with the reason.
    pub skipped: Vec<SkippedHandDocument>,
    /// What was given away in all, in big blinds.
    pub ev_loss_bb: f64,
    /// The same for a hundred hands.
    pub ev_loss_bb_per_100: f64,
    /// By street.
    pub by_street: Vec<ReviewGroupDocument>,
    /// By kind of pot, position, and what was answered.
    pub by_situation: Vec<ReviewGroupDocument>,
    /// Every decision.
    pub decisions: Vec<ReviewedDecisionDocument>,
    /// The stack that the blueprint was trained for, if hands were played with others.
    pub other_stack_bb: Vec<f64>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// A hand that was not reviewed.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SkippedHandDocument {
    /// Its number in the file, from 1.
    pub hand: u64,
    /// Why.
    pub reason: String,
}

/// Decisions that are alike.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ReviewGroupDocument {
    /// What they have in common.
    pub name: String,
    /// How many.
    pub decisions: u64,
    /// What they gave away, in big blinds.
    pub ev_loss_bb: f64,
    /// The same for each.
    pub ev_loss_bb_per_decision: f64,
    /// How many took an action that the strategy takes less than once in a hundred.
    pub rare_actions: u64,
}

impl ReviewGroupDocument {
    /// The document of decisions that are alike.
    #[must_use]
    pub fn new(group: &LossGroup) -> ReviewGroupDocument {
        ReviewGroupDocument {
            name: group.name.clone(),
            decisions: group.decisions,
            ev_loss_bb: group.loss_bb,
            ev_loss_bb_per_decision: group.loss_bb / group.decisions as f64,
            rare_actions: group.rare_actions,
        }
    }
}

/// A decision that was reviewed.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ReviewedDecisionDocument {
    /// The number of its hand in the file or sitting, from 1.
    pub hand: u64,
    /// How many actions of the hand came before it.
    pub at: usize,
    /// The street.
    pub street: String,
    /// The street, the kind of pot, the position and what was answered.
    pub situation: String,
    /// `sb` or `bb`.
    pub player: &'static str,
    /// The private cards.
    pub combo: String,
    /// The public cards.
    pub board: String,
    /// The pot, bets on the table included, in big blinds.
    pub pot_bb: f64,
    /// What was done.
    pub action: String,
    /// What it was taken for, if the strategy does not have it.
    pub taken_as: Option<String>,
    /// What could have been done.
    pub actions: Vec<ReviewedActionDocument>,
    /// How often the strategy takes what was done.
    pub frequency: f64,
    /// The action that is worth most.
    pub best: String,
    /// What was done was worth this much less, in big blinds.
    pub ev_loss_bb: f64,
    /// The standard error of that; 0 if the street was re-solved.
    pub std_error_bb: f64,
    /// `resolved` or `blueprint`.
    pub source: &'static str,
    /// How far the re-solved street is from being solved, in percent of the pot where it begins.
    pub exploitability_pct: Option<f64>,
    /// Iterations of the re-solve.
    pub iterations: Option<u32>,
}

impl ReviewedDecisionDocument {
    /// The document of a decision.
    #[must_use]
    pub fn new(reviewed: &Reviewed) -> ReviewedDecisionDocument {
        let Reviewed { hand, at, big_blind, decision } = reviewed;
        let (hand, at, big_blind) = (*hand, *at, *big_blind);
        let actions = decision.actions.iter().map(|found| ReviewedActionDocument {
            action: action_text(found.action, big_blind),
            frequency: found.frequency,
            ev_bb: found.ev / big_blind,
        });
        let (exploitability_pct, iterations) = match decision.source {
            Source::Resolved { exploitability_pct, iterations } => {
                (Some(exploitability_pct), Some(iterations))
            }
            _ => (None, None),
        };
        ReviewedDecisionDocument {
            hand,
            at,
            street: decision.before.street().to_string(),
            situation: decision.situation.to_string(),
            player: seat(decision.before.to_act().unwrap_or(Player::Oop)),
            combo: decision.combo.to_string(),
            board: decision.board.to_string(),
            pot_bb: decision.before.pot().as_f64() / big_blind,
            action: action_text(decision.action, big_blind),
            taken_as: taken_as(decision, big_blind),
            actions: actions.collect(),
            frequency: decision.frequency(),
            best: action_text(decision.best(), big_blind),
            ev_loss_bb: decision.loss / big_blind,
            std_error_bb: decision.std_error / big_blind,
            source: decision.source.name(),
            exploitability_pct,
            iterations,
        }
    }
}

/// What an action was taken for, if the strategy does not have it.
fn taken_as(decision: &ReviewedDecision, big_blind: f64) -> Option<String> {
    let found = decision.actions[decision.chosen].action;
    decision.is_translated().then(|| action_text(found, big_blind))
}

/// An action of a decision that was reviewed.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ReviewedActionDocument {
    /// The action.
    pub action: String,
    /// How often the strategy takes it.
    pub frequency: f64,
    /// What it is worth: big blinds received less invested, from here on.
    pub ev_bb: f64,
}

/// `equipoise resolve --flops`: thousandths of a big blind a hand.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ResolveMeasureDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The blueprint.
    pub path: String,
    /// What the opponent could do where the subgames begin.
    pub mode: &'static str,
    /// How many flops were drawn.
    pub flops: usize,
    /// How many turn cards of each.
    pub turns: u8,
    /// What determined which.
    pub seed: u64,
    /// Iterations of each re-solve.
    pub iterations: u32,
    /// The mean of both best responses' gains from the turn on.
    pub mbb_per_hand: ResolveMeans,
    /// How many times as much the blueprint loses by itself.
    pub ratio: f64,
    /// By board.
    pub boards: Vec<MeasuredBoardDocument>,
    /// How long it took.
    pub seconds: f64,
}

/// Means over flops, by itself and re-solved.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ResolveMeans {
    /// The blueprint's own strategy.
    pub blueprint: MeanDocument,
    /// With every turn re-solved.
    pub resolved: MeanDocument,
}

/// One turn board of a measurement.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct MeasuredBoardDocument {
    /// The board.
    pub board: String,
    /// Lines that come to it.
    pub entries: usize,
    /// Against the blueprint's own strategy.
    pub blueprint: f64,
    /// Against the re-solved ones.
    pub resolved: f64,
}
