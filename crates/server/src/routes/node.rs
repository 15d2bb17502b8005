//! `…/node`: a decision of a solution or of a job's average so far.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use equipoise_cards::{Draw, Range, Street};
use equipoise_game::{Action, NodeId, NodeKind, Player, Tree};
use equipoise_postflop::{ComboView, NodePath, NodeView, Reader};
use equipoise_report::documents::{
    ActionDocument, Both, Held, KindDocument, NodeDocument, PlayerDocument, SolutionDocument,
    SolvedAgainDocument,
};
use serde::{Deserialize, Serialize};

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id};
use crate::source::Source;
use crate::work::Cancel;

#[derive(Deserialize)]
pub(crate) struct NodeQuery {
    #[serde(default)]
    path: String,
    #[serde(default = "yes")]
    equities: bool,
}

fn yes() -> bool {
    true
}

pub(crate) async fn of_solution(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<NodeQuery>,
) -> Result<Response, ApiError> {
    let source = app.solution(id).await?;
    answer(&app, source, query).await
}

pub(crate) async fn of_job(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<NodeQuery>,
) -> Result<Response, ApiError> {
    let source = app.job(&id).await?;
    answer(&app, source, query).await
}

async fn answer(app: &App, source: Source, query: NodeQuery) -> Result<Response, ApiError> {
    let path = source.path(&query.path)?;
    // On the river they take no time worth a second request.
    let num_cards = source.reader.spot().board().cards().len() + path.runout.len();
    let equities = query.equities || num_cards == Street::River.num_board_cards();
    let key = format!("{} node {equities} {path}", source.key);
    let find = app.work.run(move |cancel| look(&source, &path, equities, cancel));
    // Others may have asked for it before, and gone.
    app.work.within(app.answers.get(key, find)).await.map(json)
}

/// What comes after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Next {
    Decision,
    Card,
    End,
}

impl Next {
    pub(super) fn at(tree: &Tree, id: NodeId) -> Next {
        match tree.node(id).kind() {
            NodeKind::Decision(_) => Next::Decision,
            NodeKind::Chance => Next::Card,
            _ => Next::End,
        }
    }
}

#[derive(Serialize)]
struct NodeAnswer<'a> {
    solution: &'a SolutionDocument,
    next: Next,
    equities: bool,
    node: Option<FullNode>,
    combos: Option<Both<Vec<ComboRow>>>,
    by_kind: Option<Vec<KindDocument>>,
    ranges: Option<Both<String>>,
    breadcrumb: Vec<Crumb>,
    cards: Option<Vec<CardDocument>>,
}

/// The document of `equipoise show`, in which actions also tell what comes after them.
#[derive(Serialize)]
pub(super) struct FullNode {
    path: String,
    pub(super) board: String,
    pub(super) street: String,
    pub(super) player: String,
    pub(super) pot: u32,
    pub(super) stacks: Both<u32>,
    probability: f64,
    unreached: bool,
    unreliable: bool,
    solved_again: Option<SolvedAgainDocument>,
    pub(super) actions: Vec<FullAction>,
    players: Both<PlayerDocument>,
}

#[derive(Serialize)]
pub(super) struct FullAction {
    #[serde(flatten)]
    action: ActionDocument,
    pct_pot: Option<f64>,
    next: Next,
}

impl FullNode {
    pub(super) fn new(reader: &Reader, view: &NodeView) -> FullNode {
        let node = NodeDocument::new(reader, view);
        let tree = reader.spot().tree();
        let after = tree
            .actions(view.node)
            .map(|(action, child)| (pct_pot(tree, view.node, view.player, action), Next::at(tree, child)));
        FullNode {
            path: node.path,
            board: node.board,
            street: node.street,
            player: node.player,
            pot: node.pot,
            stacks: node.stacks,
            probability: node.probability,
            unreached: node.unreached,
            unreliable: node.unreliable,
            solved_again: node.solved_again,
            actions: node
                .actions
                .into_iter()
                .zip(after)
                .map(|(action, (pct_pot, next))| FullAction { action, pct_pot, next })
                .collect(),
            players: node.players,
        }
    }
}

/// A combo in a table whose columns are the node's actions.
#[derive(Serialize)]
struct ComboRow {
    combo: String,
    made: &'static str,
    draws: Vec<&'static str>,
    weight: f64,
    share: f64,
    equity: Option<f64>,
    ev: Option<f64>,
    eqr: Option<f64>,
    frequencies: Vec<f64>,
    action_evs: Vec<Option<f64>>,
    ev_losses: Vec<Option<f64>>,
}

impl ComboRow {
    fn new(view: &NodeView, held: &Held<'_>, combo: &ComboView) -> ComboRow {
        let kind = held.kind(combo);
        ComboRow {
            combo: combo.combo.to_string(),
            made: kind.made.key(),
            draws: kind.draws.iter().map(Draw::key).collect(),
            weight: short(combo.weight),
            share: short(combo.share() / held.total()),
            equity: combo.equity.map(short),
            ev: combo.ev.map(short),
            eqr: view.eqr(combo.ev, combo.equity).map(short),
            frequencies: combo.frequencies.iter().copied().map(short).collect(),
            action_evs: combo.action_evs.iter().map(|ev| ev.map(short)).collect(),
            ev_losses: (0..combo.frequencies.len()).map(|action| combo.ev_loss(action).map(short)).collect(),
        }
    }
}

/// Seven digits: strategies have no more, and the rest would be half of every answer.
fn short(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let digits = 6 - number.abs().log10().floor() as i32;
    // Far smaller numbers than anybody looks at would not survive the scaling.
    if !(-20..=20).contains(&digits) {
        return number;
    }
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}

/// A street of the way.
#[derive(Serialize)]
pub(super) struct Crumb {
    street: String,
    board: String,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    player: String,
    action: String,
    alternatives: Vec<Alternative>,
}

#[derive(Serialize)]
struct Alternative {
    name: String,
    kind: &'static str,
    chips: u32,
    pct_pot: Option<f64>,
}

#[derive(Serialize)]
struct CardDocument {
    card: String,
    stands_for: Option<String>,
}

fn look(source: &Source, path: &NodePath, equities: bool, mut cancel: Cancel) -> Result<Bytes, ApiError> {
    let reader = &source.reader;
    let node = reader.find(path)?;
    let next = Next::at(reader.spot().tree(), node);
    let mut answer = NodeAnswer {
        solution: &source.solution,
        next,
        equities,
        node: None,
        combos: None,
        by_kind: None,
        ranges: None,
        breadcrumb: breadcrumb(reader, node, path),
        cards: None,
    };
    match next {
        Next::Decision => {
            let view = if equities {
                reader.view_with(path, &mut cancel)
            } else {
                reader.glance(path, &mut cancel)
            }?;
            answer.describe(reader, &view);
        }
        Next::Card => {
            let cards = reader.alike_cards(&path.runout)?;
            let document = |&(card, first): &(equipoise_cards::Card, equipoise_cards::Card)| CardDocument {
                card: card.to_string(),
                stands_for: (first != card).then(|| first.to_string()),
            };
            answer.cards = Some(cards.iter().map(document).collect());
        }
        Next::End => {}
    }
    bytes_of(&answer)
}

impl NodeAnswer<'_> {
    fn describe(&mut self, reader: &Reader, view: &NodeView) {
        self.node = Some(FullNode::new(reader, view));
        let [oop, ip] = Player::ALL.map(|player| Held::new(view, player));
        let rows = |held: &Held<'_>| -> Vec<ComboRow> {
            present(held).map(|combo| ComboRow::new(view, held, combo)).collect()
        };
        self.combos = Some(Both { oop: rows(&oop), ip: rows(&ip) });
        let actor = if view.player == Player::Oop { &oop } else { &ip };
        let combos: Vec<&ComboView> = present(actor).collect();
        let kinds = actor.by_kind(&combos);
        self.by_kind = Some(kinds.iter().map(|(name, group)| actor.group(*name, group)).collect());
        let text = |held: &Held<'_>| range_text(&held.seen().range());
        self.ranges = Some(Both { oop: text(&oop), ip: text(&ip) });
    }
}

/// The combos that get there.
fn present<'a>(held: &Held<'a>) -> impl Iterator<Item = &'a ComboView> + use<'a> {
    held.seen().combos.iter().filter(|combo| combo.share() > 0.0)
}

fn range_text(range: &Range) -> String {
    // Weights to four digits: what people copy, and short enough to read.
    let mut rounded = Range::empty();
    for (combo, weight) in range.iter() {
        let weight = ((f64::from(weight) * 1e4).round() / 1e4) as f32;
        let _ = rounded.set(combo, weight);
    }
    if rounded.is_empty() { String::new() } else { rounded.to_string() }
}

/// The way from the root, street by street, with what could have been done instead.
pub(super) fn breadcrumb(reader: &Reader, node: NodeId, path: &NodePath) -> Vec<Crumb> {
    let tree = reader.spot().tree();
    let mut way = vec![node];
    while let Some(parent) = tree.node(way[way.len() - 1]).parent() {
        way.push(parent);
    }
    way.reverse();
    let mut board = *reader.spot().board();
    let mut cards = path.runout.iter();
    let crumb = |board: &equipoise_cards::Board| Crumb {
        street: board.street().to_string(),
        board: board.to_string(),
        steps: Vec::new(),
    };
    let mut crumbs = vec![crumb(&board)];
    for pair in way.windows(2) {
        let (from, to) = (tree.node(pair[0]), tree.node(pair[1]));
        match (from.player(), to.action()) {
            (Some(player), Some(action)) => {
                let step = Step {
                    player: player.to_string(),
                    action: action.to_string(),
                    alternatives: alternatives(tree, pair[0], player),
                };
                crumbs.last_mut().expect("there is the first").steps.push(step);
            }
            _ => {
                if let Some(next) = cards.next().and_then(|&card| board.deal(card)) {
                    board = next;
                }
                crumbs.push(crumb(&board));
            }
        }
    }
    crumbs
}

fn alternatives(tree: &Tree, id: NodeId, player: Player) -> Vec<Alternative> {
    let node = tree.node(id);
    let chips = |action: Action| match action {
        Action::Call => node.street_total(player.opponent()),
        _ => action.total().unwrap_or_else(|| node.street_total(player)),
    };
    tree.actions(id)
        .map(|(action, _)| Alternative {
            name: action.to_string(),
            kind: action.kind(),
            chips: chips(action).count(),
            pct_pot: pct_pot(tree, id, player, action),
        })
        .collect()
}

/// How large a bet or raise is in percent of the pot that it is made into, as sizes are written: of the pot after a call,
/// what goes beyond the call.
fn pct_pot(tree: &Tree, id: NodeId, player: Player, action: Action) -> Option<f64> {
    let (node, total) = (tree.node(id), action.total()?);
    let to_beat = node.street_total(player.opponent());
    let call = to_beat - node.street_total(player);
    Some(short(100.0 * (total - to_beat).as_f64() / (tree.pot(id) + call).as_f64()))
}

#[cfg(test)]
mod tests {
    use equipoise_cards::Street;
    use equipoise_game::{Chips, StreetMenus, TreeConfig};

    use super::*;

    /// What a line was made into is its own pot, however large it has become since.
    #[test]
    fn bets_are_in_percent_of_the_pot_that_they_are_made_into() {
        let mut config = TreeConfig::new(Street::Turn, Chips::new(60), Chips::new(5_000));
        let menus = StreetMenus::same("33%, 75%".parse().unwrap(), "50%, 100%".parse().unwrap());
        (config.turn, config.river) = (menus.clone(), menus);
        let tree = Tree::build(&config).unwrap();
        for (line, percents) in [
            ("", vec![33.0, 75.0]),
            ("check bet:45", vec![50.0, 100.0]),
            ("bet:20 raise:120 call |", vec![33.0, 75.0]),
            ("bet:20 raise:120 call | check bet:99", vec![50.0, 100.0]),
        ] {
            let id = tree.find(&line.parse().unwrap()).unwrap();
            let player = tree.node(id).player().unwrap();
            let found = tree.actions(id).filter_map(|(action, _)| pct_pot(&tree, id, player, action));
            for (found, want) in found.zip(percents) {
                assert!((found - want).abs() < 1.0, "{line}: {found} for {want}");
            }
        }
    }

    #[test]
    fn numbers_keep_seven_digits() {
        for (number, want) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (0.123_456_789, 0.123_456_8),
            (-1_234.567_89, -1_234.568),
            (1e-9, 1e-9),
            (0.999_999_99, 1.0),
            (f64::NAN, 0.0),
        ] {
            assert_eq!(short(number), want, "{number}");
        }
        assert_eq!(short(1e-300), 1e-300);
    }
}
