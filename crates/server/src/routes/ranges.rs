//! `/ranges/…` and `/cards`.

use axum::Json;
use equipoise_cards::{Combo, ParseRangeError, Range};
use equipoise_documents::api::{CardsDocument, PresetDocument, PresetsDocument, RangeDocument};
use serde::Deserialize;

use crate::error::ApiError;
use crate::extract::Input;

pub(crate) async fn cards() -> Json<CardsDocument> {
    Json(CardsDocument::default())
}

/// Ranges to begin with: the best hands by equity against a random one, and what is commonly played six-handed with
/// 100 big blinds, roughly.
const PRESETS: [(&str, &str); 14] = [
    ("Any two cards", "random"),
    ("Top 5 %", "5%"),
    ("Top 10 %", "10%"),
    ("Top 20 %", "20%"),
    ("Top 40 %", "40%"),
    ("Pairs", "22+"),
    ("Broadways", "ATs+,KTs+,QTs+,JTs,ATo+,KTo+,QTo+,JTo"),
    ("Suited connectors", "54s,65s,76s,87s,98s,T9s,JTs"),
    ("UTG opens", "66+,A3s+,K9s+,QTs+,JTs,T9s,98s,AJo+,KQo"),
    ("CO opens", "33+,A2s+,K6s+,Q8s+,J8s+,T8s+,97s+,87s,76s,65s,A9o+,KTo+,QJo"),
    ("BTN opens", "22+,A2s+,K2s+,Q3s+,J5s+,T6s+,96s+,85s+,75s+,64s+,54s,A3o+,K8o+,Q9o+,J9o+,T9o"),
    (
        "BB calls BTN",
        "JJ-22,AJs-A2s,KJs-K2s,QTs-Q2s,J9s-J4s,T9s-T6s,98s-96s,87s-85s,76s-75s,65s-64s,54s,AJo-A4o,KJo-K9o,QJo-Q9o,JTo-J9o,T9o",
    ),
    ("BB 3-bets BTN", "QQ+,AQs+,A5s-A4s,KQs,K9s:0.5,QJs:0.5,J9s:0.5,T9s:0.5,AKo,AQo:0.5"),
    ("BTN calls a 3-bet", "JJ-55,AQs-A9s,A5s:0.5,KTs+,QTs+,J9s+,T9s,98s,87s,76s,AQo,AJo:0.5,KQo:0.5"),
];

pub(crate) async fn presets() -> Json<PresetsDocument> {
    Json(PresetsDocument { presets: PRESETS.map(|(name, text)| PresetDocument { name, text }).into() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeText {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeWeights {
    weights: Vec<f32>,
}

pub(crate) async fn parse(Input(input): Input<RangeText>) -> Result<Json<RangeDocument>, ApiError> {
    if input.text.trim().is_empty() {
        return Ok(Json(RangeDocument::new(&Range::empty())));
    }
    let range: Range = input.text.parse().map_err(|error: ParseRangeError| {
        let at = error.at();
        ApiError::bad_input(error).at_key("text").at_byte(&input.text, at)
    })?;
    Ok(Json(RangeDocument::new(&range)))
}

pub(crate) async fn format(Input(input): Input<RangeWeights>) -> Result<Json<RangeDocument>, ApiError> {
    let found = input.weights.len();
    let weights: [f32; Combo::COUNT] = input.weights.try_into().map_err(|_| {
        ApiError::bad_input(format!("{found} weights: there is one for each of the {} combos", Combo::COUNT))
            .at_key("weights")
            .help("GET /api/v1/cards tells their order")
    })?;
    let range = Range::from_weights(weights).map_err(|error| ApiError::bad_input(error).at_key("weights"))?;
    Ok(Json(RangeDocument::new(&range)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_ranges() {
        for (name, text) in PRESETS {
            assert!(text.parse::<Range>().is_ok_and(|range| !range.is_empty()), "{name}");
        }
    }
}
