//! Jam or fold as JSON.

use equipoise::blueprint::pushfold::PushFoldSolution;
use equipoise::cards::HandClass;
use equipoise::game::Payouts;
use serde_json::{Map, Value, json};

use super::super::print::SCHEMA_VERSION;
use super::stakes::{Game, Unit};

pub(super) fn document(game: &Game, solution: &PushFoldSolution) -> Value {
    let unit = game.unit;
    let mut document = json!({ "schema_version": SCHEMA_VERSION });
    match unit {
        Unit::BigBlinds(big) => {
            let stacks = game.stakes.stacks.map(|stack| stack / big);
            document["stack_bb"] = json!(game.stakes.effective_stack() / big);
            document["stacks_bb"] = json!(stacks);
            document["ante_bb"] = json!(game.stakes.ante / big);
            document["small_blind_bb"] = json!(game.stakes.small_blind / big);
        }
        Unit::Prizes => {
            document["stacks"] = json!(game.stakes.stacks);
            document["blinds"] = json!([game.stakes.small_blind, game.stakes.big_blind]);
            document["ante"] = json!(game.stakes.ante);
            document["payouts"] = json!(game.payouts.as_ref().map(Payouts::prizes));
        }
    }
    merge(&mut document, summary(solution, unit));
    document["iterations"] = json!(solution.iterations());
    let class = |class: HandClass| {
        let mut entry = json!({ "jam": solution.jam(class), "call": solution.call(class) });
        entry[key("ev_jam", unit)] = json!(unit.of(solution.ev_jam(class)));
        entry[key("ev_call", unit)] = json!(unit.of(solution.ev_call(class)));
        (class.to_string(), entry)
    };
    document["classes"] = HandClass::all().map(class).collect::<Map<_, _>>().into();
    document
}

/// What both players do and win.
pub(super) fn summary(solution: &PushFoldSolution, unit: Unit) -> Value {
    let player = |name: &str, share: f64, id: usize| {
        let mut entry = json!({ name: share });
        entry[key("ev", unit)] = json!(unit.of(solution.ev()[id]));
        entry[key("ev_fold", unit)] = json!(unit.of(solution.ev_fold()[id]));
        entry[key("gain", unit)] = json!(unit.of(solution.gains()[id]));
        entry
    };
    let mut document = json!({
        "sb": player("jam", solution.jam_share(), 0),
        "bb": player("call", solution.call_share(), 1),
    });
    match unit {
        Unit::BigBlinds(_) => document["exploitability_bb"] = json!(unit.of(solution.exploitability())),
        Unit::Prizes => document["epsilon"] = json!(solution.gains()[0].max(solution.gains()[1])),
    }
    document
}

pub(super) fn merge(document: &mut Value, other: Value) {
    if let (Value::Object(own), Value::Object(other)) = (document, other) {
        own.extend(other);
    }
}

pub(super) fn key(name: &str, unit: Unit) -> String {
    format!("{name}{}", unit.suffix())
}
