//! `…/node`: a decision of a solution or of a job's average so far.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use equipoise_cards::{Card, Range, Street};
use equipoise_documents::Held;
use equipoise_documents::api::{CardDocument, ComboRow, CrumbDocument, LinkedNode, Next, NodeAnswer};
use equipoise_game::PerPlayer;
use equipoise_postflop::{ComboView, NodePath, NodeView, Reader, ViewDetail};
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id, Id2};
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

pub(crate) async fn of_flop(
    State(app): State<Arc<App>>,
    Id2(id, job): Id2,
    Asked(query): Asked<NodeQuery>,
) -> Result<Response, ApiError> {
    let source = app.flop(&id, &job).await?;
    answer(&app, source, query).await
}

async fn answer(app: &App, source: Source, query: NodeQuery) -> Result<Response, ApiError> {
    let path = source.path(&query.path)?;
    // On the river they take no time worth a second request.
    let num_cards = source.reader.spot().board().cards().len() + path.runout.len();
    let equities = query.equities || num_cards == Street::River.num_board_cards();
    let key = format!("{} node {equities} {path}", source.key);
    let find = app.work.run(move |cancel| view(&source, &path, equities, cancel));
    // Others may have asked for it before, and gone.
    app.work.within(app.answers.get(key, find)).await.map(json)
}

fn view(source: &Source, path: &NodePath, equities: bool, mut cancel: Cancel) -> Result<Bytes, ApiError> {
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
        breadcrumb: CrumbDocument::way(reader, node, path),
        cards: None,
    };
    match next {
        Next::Decision => {
            let view = if equities {
                reader.view(path, ViewDetail::Equities, &mut cancel)
            } else {
                reader.view(path, ViewDetail::Strategies, &mut cancel)
            }?;
            describe(&mut answer, reader, &view);
        }
        Next::Card => {
            let cards = reader.alike_cards(&path.runout)?;
            let document = |&(card, first): &(Card, Card)| CardDocument {
                card: card.to_string(),
                stands_for: (first != card).then(|| first.to_string()),
            };
            answer.cards = Some(cards.iter().map(document).collect());
        }
        Next::End => {}
    }
    bytes_of(&answer)
}

/// Adds what there is at a decision.
fn describe(answer: &mut NodeAnswer<'_>, reader: &Reader, view: &NodeView) {
    answer.node = Some(LinkedNode::linked(reader, view));
    let held = PerPlayer::from_fn(|player| Held::new(view, player));
    let rows = |held: &Held<'_>| -> Vec<ComboRow> {
        present(held).map(|combo| ComboRow::new(view, held, combo)).collect()
    };
    answer.combos = Some(held.as_ref().map(rows).into());
    let actor = &held[view.player];
    let combos: Vec<&ComboView> = present(actor).collect();
    let kinds = actor.by_kind(&combos);
    answer.by_kind = Some(kinds.iter().map(|(name, group)| actor.group(*name, group)).collect());
    answer.ranges = Some(held.as_ref().map(|held| range_text(&held.seen().range())).into());
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
