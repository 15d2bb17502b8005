//! The document of `equipoise pushfold` for two players.

use equipoise_blueprint::pushfold::{PushFoldSolution, PushFoldStakes};
use equipoise_cards::HandClass;
use equipoise_game::Payouts;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::SCHEMA_VERSION;

/// In what EVs of jam or fold are shown; names of fields say it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums)] // Players win chips or prizes.
pub enum PushFoldUnit {
    /// Big blinds of this many chips.
    BigBlinds(f64),
    /// Prizes.
    Prizes,
}

impl PushFoldUnit {
    /// A value of the game in this unit.
    #[must_use]
    pub fn of(self, value: f64) -> f64 {
        match self {
            PushFoldUnit::BigBlinds(chips) => value / chips,
            PushFoldUnit::Prizes => value,
        }
    }

    /// How names of fields and columns in this unit end.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            PushFoldUnit::BigBlinds(_) => "_bb",
            PushFoldUnit::Prizes => "",
        }
    }

    /// The name of a field in this unit.
    #[must_use]
    pub fn key(self, name: &str) -> String {
        format!("{name}{}", self.suffix())
    }
}

/// What `equipoise pushfold --json` prints for two players.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct PushFoldDocument(Value);

impl PushFoldDocument {
    /// The document of a solution; with payouts it is in prizes, else in big blinds.
    #[must_use]
    pub fn new(
        stakes: &PushFoldStakes,
        payouts: Option<&Payouts>,
        solution: &PushFoldSolution,
    ) -> PushFoldDocument {
        let mut document = json!({ "schema_version": SCHEMA_VERSION, "iterations": solution.iterations() });
        let unit = if let Some(payouts) = payouts {
            document["stacks"] = json!(stakes.stacks);
            document["blinds"] = json!([stakes.small_blind, stakes.big_blind]);
            document["ante"] = json!(stakes.ante);
            document["payouts"] = json!(payouts.prizes());
            PushFoldUnit::Prizes
        } else {
            let big = stakes.big_blind;
            document["stack_bb"] = json!(stakes.effective_stack() / big);
            document["stacks_bb"] = json!(stakes.stacks.map(|stack| stack / big));
            document["ante_bb"] = json!(stakes.ante / big);
            document["small_blind_bb"] = json!(stakes.small_blind / big);
            PushFoldUnit::BigBlinds(big)
        };
        merge(&mut document, pushfold_summary(solution, unit));
        let class = |class: HandClass| {
            let mut entry = json!({ "jam": solution.jam(class), "call": solution.call(class) });
            entry[unit.key("ev_jam")] = json!(unit.of(solution.ev_jam(class)));
            entry[unit.key("ev_call")] = json!(unit.of(solution.ev_call(class)));
            (class.to_string(), entry)
        };
        document["classes"] = HandClass::all().map(class).collect::<Map<_, _>>().into();
        PushFoldDocument(document)
    }
}

/// What both players do and win, as it stands in the document and for each stack of a chart.
#[must_use]
pub fn pushfold_summary(solution: &PushFoldSolution, unit: PushFoldUnit) -> Value {
    let player = |name: &str, share: f64, id: usize| {
        let mut entry = json!({ name: share });
        entry[unit.key("ev")] = json!(unit.of(solution.ev()[id]));
        entry[unit.key("ev_fold")] = json!(unit.of(solution.ev_fold()[id]));
        entry[unit.key("gain")] = json!(unit.of(solution.gains()[id]));
        entry
    };
    let mut document = json!({
        "sb": player("jam", solution.jam_share(), 0),
        "bb": player("call", solution.call_share(), 1),
    });
    match unit {
        PushFoldUnit::BigBlinds(_) => {
            document["exploitability_bb"] = json!(unit.of(solution.exploitability()));
        }
        PushFoldUnit::Prizes => document["epsilon"] = json!(solution.gains()[0].max(solution.gains()[1])),
    }
    document
}

fn merge(document: &mut Value, other: Value) {
    if let (Value::Object(own), Value::Object(other)) = (document, other) {
        own.extend(other);
    }
}
