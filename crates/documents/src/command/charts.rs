//! What `equipoise preflop` and `equipoise blueprint chart` print: the decisions before the flop, and what reaches it.

use std::collections::BTreeMap;

use equipoise_blueprint::whole::{Blueprint, BlueprintHeader, ChartDecision, FlopEntry, seat};
use equipoise_cards::{HandClass, Range};
use equipoise_game::{BettingPreset, Player};
use serde::Serialize;

use super::SeatsDocument;
use crate::SCHEMA_VERSION;

/// `blueprint chart`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ChartDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The file.
    pub path: String,
    /// Stacks in big blinds.
    pub stack_bb: f64,
    /// The bet sizes.
    pub menu: String,
    /// Boards that were played.
    pub boards: u64,
    /// On how many flops EVs are means.
    pub flops: usize,
    /// What was measured in training, if anything was.
    pub exploitability_mbb: Option<f64>,
    /// The decisions before the flop.
    pub decisions: Vec<ChartDecisionDocument>,
    /// The lines that reach the flop with betting to come.
    pub entries: Vec<FlopEntryDocument>,
}

/// `preflop`.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PreflopDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// Stacks in big blinds.
    pub stack_bb: f64,
    /// The bet sizes.
    pub menu: String,
    /// On how many flops it was solved, or valued.
    pub flops: usize,
    /// Boards that were played.
    pub boards: u64,
    /// How many of them in a second.
    pub boards_per_s: Option<f64>,
    /// Seconds spent.
    pub elapsed_s: Option<f64>,
    /// The bytes of the tables.
    pub memory_bytes: Option<u64>,
    /// Thousandths of a big blind a hand, the mean of both seats' gains: on the flops solved; of a blueprint what was measured in training, if
    /// anything was.
    pub exploitability_mbb: Option<f64>,
    /// The gain of each seat's best response.
    pub by_seat: Option<SeatsDocument>,
    /// What the hand is worth to the button, in big blinds.
    pub self_play_bb: f64,
    /// Whether it was stopped.
    pub is_interrupted: bool,
    /// The decisions before the flop.
    pub decisions: Vec<ChartDecisionDocument>,
    /// The lines that reach the flop with betting to come.
    pub entries: Vec<FlopEntryDocument>,
}

/// A decision of a chart.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ChartDecisionDocument {
    /// The actions that lead there.
    pub line: String,
    /// `sb` or `bb`.
    pub player: &'static str,
    /// Short names of the actions.
    pub actions: Vec<String>,
    /// How often each action is taken with hands that reach the decision.
    pub frequencies: Vec<f64>,
    /// By hand class.
    pub classes: BTreeMap<String, ChartClassDocument>,
}

/// A hand class at a decision of a chart.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct ChartClassDocument {
    /// How often the player's own actions lead there.
    pub reach: f64,
    /// In the order of the actions.
    pub frequencies: Vec<f64>,
    /// In big blinds from the start of the hand, blinds included; empty if no flop was played.
    pub evs_bb: Vec<f64>,
    /// Standard errors of the EVs over flops; absent from one flop alone.
    pub std_errors_bb: Option<Vec<f64>>,
}

/// A line that reaches the flop.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct FlopEntryDocument {
    /// The actions that lead there.
    pub line: String,
    /// The pot on the flop, in big blinds.
    pub pot_bb: f64,
    /// What each player has behind, in big blinds.
    pub behind_bb: f64,
    /// The range of each player, weights in ten-thousandths.
    pub ranges: SeatRangesDocument,
}

/// A range of each seat, as text.
#[derive(Clone, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct SeatRangesDocument {
    /// The button, who posts the small blind.
    pub sb: String,
    /// The big blind.
    pub bb: String,
}

impl PreflopDocument {
    /// The chart of a blueprint, with decisions that were valued on `flops` flops; without EVs if there are none.
    #[must_use]
    pub fn of_blueprint(blueprint: &Blueprint, decisions: &[ChartDecision], flops: usize) -> PreflopDocument {
        let header = blueprint.header();
        let (stack_bb, menu) = stack_and_sizes(header);
        PreflopDocument {
            schema_version: SCHEMA_VERSION,
            stack_bb,
            menu,
            flops,
            boards: header.boards,
            boards_per_s: None,
            elapsed_s: None,
            memory_bytes: None,
            exploitability_mbb: header.exploitability.map(|found| found.mbb),
            by_seat: None,
            self_play_bb: header.self_play_bb,
            is_interrupted: false,
            decisions: decisions.iter().map(ChartDecisionDocument::new).collect(),
            entries: blueprint.flop_entries().iter().map(FlopEntryDocument::new).collect(),
        }
    }
}

/// Stacks in big blinds, and the preset of the bet sizes if they are those of one.
#[must_use]
pub fn stack_and_sizes(header: &BlueprintHeader) -> (f64, String) {
    let stack = header.game.hand.stacks.into_array()[0].count();
    let preset = BettingPreset::ALL.into_iter().find(|preset| preset.abstraction() == header.game.betting);
    let menu = preset.map_or_else(|| "of the blueprint".to_owned(), |preset| preset.to_string());
    (header.game.big_blinds(f64::from(stack)), menu)
}

impl ChartDecisionDocument {
    /// The document of a decision.
    #[must_use]
    pub fn new(decision: &ChartDecision) -> ChartDecisionDocument {
        let mut frequencies = vec![0.0; decision.actions.len()];
        let weight = |class: HandClass| class.num_combos() as f64 * decision.reach[class.index()];
        let total: f64 = HandClass::all().map(weight).sum();
        for class in HandClass::all() {
            for (sum, share) in frequencies.iter_mut().zip(&decision.frequencies[class.index()]) {
                *sum += weight(class) / total.max(f64::MIN_POSITIVE) * share;
            }
        }
        let class = |class: HandClass| {
            let at = class.index();
            let errors = decision.std_errors_bb.get(at);
            let strategy = ChartClassDocument {
                reach: decision.reach[at],
                frequencies: decision.frequencies[at].clone(),
                evs_bb: decision.evs_bb.get(at).cloned().unwrap_or_default(),
                std_errors_bb: errors.filter(|errors| errors.iter().all(|error| error.is_finite())).cloned(),
            };
            (class.to_string(), strategy)
        };
        ChartDecisionDocument {
            line: decision.line.clone(),
            player: seat(decision.player),
            actions: decision.actions.clone(),
            frequencies,
            classes: HandClass::all().map(class).collect(),
        }
    }
}

impl FlopEntryDocument {
    /// The document of a line that reaches the flop.
    #[must_use]
    pub fn new(entry: &FlopEntry) -> FlopEntryDocument {
        let range = |player: Player| range_of(|class| entry.reach[player][class.index()], 1e4).to_string();
        FlopEntryDocument {
            line: entry.line.clone(),
            pot_bb: entry.pot_bb,
            behind_bb: entry.behind_bb,
            ranges: SeatRangesDocument { sb: range(Player::Ip), bb: range(Player::Oop) },
        }
    }
}

/// A range of hand classes, with weights in this part of one.
pub fn range_of(weight: impl Fn(HandClass) -> f64, parts: f64) -> Range {
    let mut range = Range::empty();
    for class in HandClass::all() {
        let weight = ((parts * weight(class)).round() / parts).clamp(0.0, 1.0);
        range.set_class(class, weight as f32).expect("a frequency is a weight");
    }
    range
}
