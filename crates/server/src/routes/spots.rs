//! `/spots/…`.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use equipoise_cards::Board;
use equipoise_documents::SizeDocument;
use equipoise_documents::api::{
    BeginningDocument, BeginningsDocument, ExampleDocument, ExamplesDocument, MemoryRow, MenuPreview,
    SpotCheckDocument, TreeDocument,
};
use equipoise_documents::command::FormationDocument;
use equipoise_game::{Chips, MenuKey, MenuKind, Player, PrizeModel, Prizes};
use equipoise_postflop::{Options, SpotCount};
use equipoise_run::memory::TooLarge;
use equipoise_spots::formation::{Formation, FormationRake};
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::ProblemCount;
use serde::Deserialize;

use crate::App;
use crate::error::ApiError;
use crate::extract::Input;
use crate::jobs::resolve;
use crate::work::Cancel;

pub(crate) async fn examples() -> Json<ExamplesDocument> {
    let example = |text: ShippedText| ExampleDocument { name: text.name, title: text.title, toml: text.toml };
    Json(ExamplesDocument { examples: ShippedText::ALL.map(example).into() })
}

pub(crate) async fn formations() -> Json<BeginningsDocument> {
    let document = |formation: Formation| FormationDocument { name: formation.name, title: formation.title };
    let formations = Formation::ALL.map(document).into();
    Json(BeginningsDocument { formations, rakes: FormationRake::names().into() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BeginningRequest {
    formation: String,
    #[serde(default = "hundred")]
    depth_bb: f64,
    #[serde(default)]
    rake: String,
    board: String,
}

fn hundred() -> f64 {
    100.0
}

pub(crate) async fn begin(
    Input(request): Input<BeginningRequest>,
) -> Result<Json<BeginningDocument>, ApiError> {
    let formation = Formation::named(&request.formation).ok_or_else(|| {
        ApiError::bad_input("there is no such formation")
            .at_key("formation")
            .help("GET /api/v1/spots/formations lists them")
    })?;
    let rake = match request.rake.as_str() {
        "" => FormationRake::default(),
        name => name.parse().map_err(|error: String| ApiError::bad_input(error).at_key("rake"))?,
    };
    let board = request.board.parse::<Board>();
    let board = board.map_err(|error| ApiError::bad_input(error).at_key("board"))?;
    if board.cards().is_empty() {
        return Err(ApiError::bad_input("a spot begins on the flop or later").at_key("board"));
    }
    let toml = formation.spot_file(&board, request.depth_bb, rake);
    let toml = toml.map_err(|error| ApiError::bad_input(error).at_key("depth_bb"))?;
    Ok(Json(BeginningDocument { toml }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpotRequest {
    toml: String,
    #[serde(default)]
    locks: Vec<String>,
}

pub(crate) async fn check(
    State(app): State<Arc<App>>,
    Input(request): Input<SpotRequest>,
) -> Result<Json<SpotCheckDocument>, ApiError> {
    let limit = app.jobs.memory_limit();
    let threads = app.config.threads;
    app.work.run(move |cancel| check_of(&request, threads, limit, &cancel)).await.map(Json)
}

fn check_of(
    request: &SpotRequest,
    threads: Option<NonZeroUsize>,
    limit: Option<u64>,
    cancel: &Cancel,
) -> Result<SpotCheckDocument, ApiError> {
    let is_cancelled = || cancel.is_set();
    let ProblemCount { spot, mut options, has_locks, .. } =
        ProblemCount::read_unless(&request.toml, &is_cancelled)?;
    options.threads = threads;
    if !has_locks && request.locks.is_empty() {
        return document(&spot, &options, request.toml.clone(), limit, cancel);
    }
    // Locks need a tree to be checked, and may leave fewer symmetries of suits.
    let problem = resolve(&request.toml, &request.locks, cancel)?;
    let spot = SpotCount::of(&problem.spot, &is_cancelled).map_err(ApiError::bad_input)?;
    document(&spot, &options, problem.text, limit, cancel)
}

fn document(
    spot: &SpotCount,
    options: &Options,
    text: String,
    limit: Option<u64>,
    cancel: &Cancel,
) -> Result<SpotCheckDocument, ApiError> {
    let mut document: toml::Table =
        text.parse().map_err(|error: toml::de::Error| ApiError::bad_input(error.message()))?;
    amounts_in_chips(&mut document, spot);
    let size = SizeDocument::of_count(spot, options, limit);
    let too_large = limit.and_then(|limit| TooLarge::check_count(spot, options, limit, &|| cancel.is_set()));
    let is_within = |bytes: u64| limit.is_none_or(|limit| bytes <= limit);
    let memory = size.memory.iter().map(|row| MemoryRow {
        storage: row.quantization.clone(),
        bytes: row.total_bytes,
        fits: is_within(row.total_bytes),
        selected: row.selected,
    });
    Ok(SpotCheckDocument {
        document,
        toml: text,
        board: spot.board().to_string(),
        street: spot.board().street().to_string(),
        combos: size.combos,
        tree: TreeDocument {
            nodes: size.nodes,
            decisions: spot.tree().stats().num_decisions(),
            terminals: spot.tree().stats().num_terminals(),
            entries: size.entries,
            streets: size.streets,
        },
        algorithm: size.algorithm,
        memory: memory.collect(),
        memory_bytes: spot.memory(options).total(),
        available_bytes: limit,
        fits: too_large.is_none(),
        advice: too_large.map(|too_large| format!("{too_large}: {}", too_large.advice.join("; "))),
        notes: size.notes,
        menus: menus(spot),
    })
}

/// Readers of the document compute in chips: amounts that are written in big blinds are replaced.
fn amounts_in_chips(document: &mut toml::Table, spot: &SpotCount) {
    let config = spot.config();
    let chips = |chips: Chips| toml::Value::Integer(chips.count().into());
    let amounts = [
        ("starting_pot", Some(chips(config.starting_pot))),
        ("effective_stack", Some(chips(config.effective_stack))),
        ("rake_cap", config.rake.cap.map(toml::Value::Float)),
        ("oop_stack", config.prizes.as_ref().map(|prizes| chips(prizes.stacks()[Player::Oop]))),
        ("ip_stack", config.prizes.as_ref().map(|prizes| chips(prizes.stacks()[Player::Ip]))),
    ];
    let Some(tree) = document.get_mut("tree").and_then(toml::Value::as_table_mut) else { return };
    let others = tree.get_mut("other_stacks").and_then(toml::Value::as_array_mut);
    if let (Some(others), Some(PrizeModel::Icm { other_stacks, .. })) =
        (others, config.prizes.as_ref().map(Prizes::model))
    {
        *others = other_stacks.iter().map(|&stack| chips(stack)).collect();
    }
    for (key, amount) in amounts {
        if let (Some(written), Some(amount)) = (tree.get_mut(key).filter(|value| value.is_str()), amount) {
            *written = amount;
        }
    }
}

/// The first bets, donk bets and raises of each player on each street.
fn menus(spot: &SpotCount) -> Vec<MenuPreview> {
    let mut previews = Vec::new();
    for street in spot.config().streets() {
        for player in Player::ALL {
            for kind in MenuKind::ALL {
                let key = MenuKey { street, player, kind };
                let found = spot.tree().first_bets().iter().find(|(known, _)| *known == key);
                let Some((_, chips)) = found else { continue };
                previews.push(MenuPreview {
                    street: street.to_string(),
                    player: player.to_string(),
                    key: format!("{player}_{}", ["bet", "raise", "donk"][kind as usize]),
                    chips: chips.iter().map(|chips| chips.count()).collect(),
                });
            }
        }
    }
    previews
}
