//! `/ranges/…` and `/cards`.

use axum::Json;
use equipoise_cards::{Combo, NamedRange, ParseRangeError, Range};
use equipoise_documents::api::{CardsDocument, PresetDocument, PresetsDocument, RangeDocument};
use serde::Deserialize;

use crate::error::ApiError;
use crate::extract::Input;

pub(crate) async fn cards() -> Json<CardsDocument> {
    Json(CardsDocument::default())
}

pub(crate) async fn presets() -> Json<PresetsDocument> {
    Json(PresetsDocument { presets: NamedRange::all().into_iter().map(PresetDocument::from).collect() })
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
