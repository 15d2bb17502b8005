//! `/spots/…`.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use equipoise_game::{Action, Chips, MenuKind, NodeId, NodeKind, Player, Tree};
use equipoise_postflop::Solver;
use equipoise_report::documents::{Both, SizeDocument, StreetDocument};
use equipoise_spots::memory::TooLarge;
use equipoise_spots::shipped::ShippedText;
use equipoise_spots::spot_file::Problem;
use serde::{Deserialize, Serialize};

use crate::App;
use crate::error::ApiError;
use crate::extract::Input;
use crate::jobs::resolve;

#[derive(Serialize)]
pub(crate) struct ExamplesDocument {
    examples: Vec<Example>,
}

#[derive(Serialize)]
struct Example {
    name: &'static str,
    title: &'static str,
    toml: &'static str,
}

pub(crate) async fn examples() -> Json<ExamplesDocument> {
    let example = |text: ShippedText| Example { name: text.name, title: text.title, toml: text.toml };
    Json(ExamplesDocument { examples: ShippedText::ALL.map(example).into() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpotRequest {
    toml: String,
    #[serde(default)]
    locks: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct SpotCheck {
    document: toml::Table,
    toml: String,
    board: String,
    street: String,
    combos: Both<u64>,
    tree: TreeDocument,
    algorithm: String,
    memory: Vec<MemoryRow>,
    memory_bytes: u64,
    available_bytes: Option<u64>,
    fits: bool,
    advice: Option<String>,
    notes: Vec<String>,
    menus: Vec<MenuPreview>,
}

#[derive(Serialize)]
struct TreeDocument {
    nodes: usize,
    decisions: usize,
    terminals: usize,
    entries: u64,
    streets: Vec<StreetDocument>,
}

#[derive(Serialize)]
struct MemoryRow {
    storage: String,
    bytes: u64,
    fits: bool,
    selected: bool,
}

/// What the sizes of a menu come to, where the tree first uses it.
#[derive(Serialize)]
struct MenuPreview {
    street: String,
    player: String,
    key: String,
    chips: Vec<u32>,
}

pub(crate) async fn check(
    State(app): State<Arc<App>>,
    Input(request): Input<SpotRequest>,
) -> Result<Json<SpotCheck>, ApiError> {
    let limit = app.jobs.memory_limit();
    let threads = app.config.threads;
    let check = move |_| {
        let mut problem = resolve(&request.toml, &request.locks)?;
        problem.options.threads = threads;
        SpotCheck::new(&problem, limit)
    };
    app.work.run(check).await.map(Json)
}

impl SpotCheck {
    fn new(problem: &Problem, limit: Option<u64>) -> Result<SpotCheck, ApiError> {
        let document =
            problem.text.parse().map_err(|error: toml::de::Error| ApiError::bad_input(error.message()))?;
        let (spot, tree) = (&problem.spot, problem.spot.tree());
        let size = SizeDocument::new(problem, limit);
        let too_large = limit.and_then(|limit| TooLarge::check(spot, &problem.options, limit));
        let is_within = |bytes: u64| limit.is_none_or(|limit| bytes <= limit);
        let memory = size.memory.iter().map(|row| MemoryRow {
            storage: row.quantization.clone(),
            bytes: row.total_bytes,
            fits: is_within(row.total_bytes),
            selected: row.selected,
        });
        Ok(SpotCheck {
            document,
            toml: problem.text.clone(),
            board: spot.board().to_string(),
            street: spot.board().street().to_string(),
            combos: size.combos,
            tree: TreeDocument {
                nodes: size.nodes,
                decisions: tree.nodes().iter().filter(|node| node.player().is_some()).count(),
                terminals: tree.nodes().iter().filter(|node| node.is_terminal()).count(),
                entries: size.entries,
                streets: size.streets,
            },
            algorithm: size.algorithm,
            memory: memory.collect(),
            memory_bytes: Solver::memory(spot, &problem.options).total(),
            available_bytes: limit,
            fits: too_large.is_none(),
            advice: too_large.map(|too_large| format!("{too_large}: {}", too_large.advice.join("; "))),
            notes: size.notes,
            menus: menus(tree),
        })
    }
}

/// The first bets, donk bets and raises of each player on each street.
fn menus(tree: &Tree) -> Vec<MenuPreview> {
    let mut found: HashMap<(usize, usize, usize), Vec<u32>> = HashMap::new();
    for id in tree.node_ids() {
        let node = tree.node(id);
        let Some(player) = node.player() else { continue };
        let kind = kind_at(tree, id, player);
        let place = (node.street().num_board_cards(), player.index(), kind as usize);
        if found.contains_key(&place) {
            continue;
        }
        let chips = tree.actions(id).filter_map(|(action, _)| match action {
            Action::Bet(_) | Action::Raise(_) | Action::AllIn(_) => action.total(),
            _ => None,
        });
        found.insert(place, chips.map(Chips::count).collect());
    }
    let mut previews = Vec::new();
    for street in tree.config().streets() {
        for player in Player::ALL {
            for kind in MenuKind::ALL {
                let place = (street.num_board_cards(), player.index(), kind as usize);
                let Some(chips) = found.remove(&place) else { continue };
                let key = format!("{player}_{}", ["bet", "raise", "donk"][kind as usize]);
                previews.push(MenuPreview {
                    street: street.to_string(),
                    player: player.to_string(),
                    key,
                    chips,
                });
            }
        }
    }
    previews
}

/// Which menu a decision uses.
fn kind_at(tree: &Tree, id: NodeId, player: Player) -> MenuKind {
    let node = tree.node(id);
    if node.street_total(player.opponent()) > node.street_total(player) {
        return MenuKind::Raise;
    }
    let street_begins = node.action().is_none();
    let before = node.parent().filter(|_| street_begins && player == Player::Oop);
    // OOP called the last bet of the street before, which was therefore IP's.
    let called = before.is_some_and(|chance| {
        tree.node(chance).kind() == NodeKind::Chance && tree.node(chance).action() == Some(Action::Call) && {
            let caller = tree.node(chance).parent().and_then(|parent| tree.node(parent).player());
            caller == Some(Player::Oop)
        }
    });
    let has_menu = || {
        let menus = tree.config().menus(node.street());
        menus.is_some_and(|menus| menus.menu(player, MenuKind::Donk).is_some())
    };
    if called && has_menu() { MenuKind::Donk } else { MenuKind::Bet }
}
