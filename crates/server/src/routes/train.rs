//! `…/train`: a decision to be guessed, as often as it comes up.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use equipoise_cards::{Card, Combo};
use equipoise_documents::api::{CrumbDocument, LinkedNode, Next, QuestionAnswer, QuestionDocument};
use equipoise_game::{PerPlayer, Player, ValueUnit, WrittenAction};
use equipoise_postflop::{ComboView, NodePath, NodeView, ViewDetail};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;

use super::{bytes_of, json};
use crate::App;
use crate::error::ApiError;
use crate::extract::{Asked, Id, Id2};
use crate::source::Source;
use crate::work::Cancel;

#[derive(Deserialize)]
pub(crate) struct TrainQuery {
    #[serde(default)]
    seed: u64,
}

pub(crate) async fn of_solution(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<TrainQuery>,
) -> Result<Response, ApiError> {
    let source = app.solution(id).await?;
    app.work.run(move |cancel| question(&source, query.seed, cancel)).await.map(json)
}

pub(crate) async fn of_job(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<TrainQuery>,
) -> Result<Response, ApiError> {
    let source = app.job(&id).await?;
    app.work.run(move |cancel| question(&source, query.seed, cancel)).await.map(json)
}

pub(crate) async fn of_flop(
    State(app): State<Arc<App>>,
    Id2(id, job): Id2,
    Asked(query): Asked<TrainQuery>,
) -> Result<Response, ApiError> {
    let source = app.flop(&id, &job).await?;
    app.work.run(move |cancel| question(&source, query.seed, cancel)).await.map(json)
}

/// Plays a hand as both strategies play it, and asks about one of its decisions.
fn question(source: &Source, seed: u64, mut cancel: Cancel) -> Result<Bytes, ApiError> {
    let reader = &source.reader;
    if reader.spot().tree().unit() == ValueUnit::Prizes {
        let message = "the trainer counts what is lost in percent of the pot: a solution for prizes has none";
        return Err(ApiError::bad_input(message));
    }
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(seed));
    let root = NodePath::root();
    let nobody = || ApiError::bad_input("nobody decides anything in this solution: both players are all-in");
    if Next::at(reader.spot().tree(), reader.find(&root)?) != Next::Decision {
        return Err(nobody());
    }
    let hands = dice.deal(&reader.view(&root, ViewDetail::Strategies, &mut cancel)?).ok_or_else(nobody)?;
    let ways = play(source, &mut dice, hands, &mut cancel)?;
    let path = &ways[dice.below(ways.len())];
    let view = reader.view(path, ViewDetail::Strategies, &mut cancel)?;
    let combo = held(&view, hands).ok_or_else(nobody)?;
    let node = LinkedNode::linked(reader, &view);
    bytes_of(&QuestionDocument {
        path: path.to_string(),
        board: node.board,
        street: node.street,
        player: node.player,
        combo: combo.combo.to_string(),
        pot: node.pot,
        stacks: node.stacks,
        actions: node.actions,
        breadcrumb: CrumbDocument::way(reader, view.node, path),
        answer: QuestionAnswer {
            frequencies: combo.frequencies.clone(),
            action_evs: combo.action_evs.clone(),
            ev_losses: (0..combo.frequencies.len()).map(|action| combo.ev_loss(action)).collect(),
        },
    })
}

/// The decisions of one hand, from the first to the last whose street is in the file.
fn play(
    source: &Source,
    dice: &mut Dice,
    hands: PerPlayer<Combo>,
    cancel: &mut Cancel,
) -> Result<Vec<NodePath>, ApiError> {
    let (reader, tree) = (&source.reader, source.reader.spot().tree());
    let mut path = NodePath::root();
    let mut ways = Vec::new();
    loop {
        let node = reader.find(&path)?;
        match Next::at(tree, node) {
            Next::End => return Ok(ways),
            Next::Card => {
                let next = tree.node(node).children().next().map(|child| tree.node(child).street());
                if next.is_none_or(|street| street > source.last_street()) {
                    return Ok(ways);
                }
                let known = path.runout.iter().chain(reader.spot().board().cards());
                let known: Vec<Card> =
                    known.copied().chain(hands.iter().flat_map(|hand| [hand.low(), hand.high()])).collect();
                let left: Vec<Card> = Card::ALL.into_iter().filter(|card| !known.contains(card)).collect();
                path.runout.push(left[dice.below(left.len())]);
                path.line.deal();
            }
            Next::Decision => {
                let view = reader.view(&path, ViewDetail::Strategies, cancel)?;
                let Some(combo) = held(&view, hands) else { return Ok(ways) };
                ways.push(path.clone());
                let taken = dice.choose(&combo.frequencies).unwrap_or(0);
                path.line.act(written(&view, taken)?);
            }
        }
    }
}

/// The combo of whoever acts.
fn held(view: &NodeView, hands: PerPlayer<Combo>) -> Option<&ComboView> {
    let own = hands[view.player];
    view.actor().combos.iter().find(|combo| combo.combo == own)
}

fn written(view: &NodeView, action: usize) -> Result<WrittenAction, ApiError> {
    view.actions[action].to_string().parse().map_err(|error| ApiError::internal(format!("{error}")))
}

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.part() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// One of them by weight; nothing if they have none.
    fn choose(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        let mut left = self.part() * total;
        let last = weights.iter().rposition(|&weight| weight > 0.0)?;
        for (at, &weight) in weights.iter().enumerate() {
            if weight > 0.0 && (left < weight || at == last) {
                return Some(at);
            }
            left -= weight;
        }
        None
    }

    /// Both players' hands at the root.
    fn deal(&mut self, view: &NodeView) -> Option<PerPlayer<Combo>> {
        let [oop, ip] = Player::ALL.map(|player| &view.players[player].combos);
        let shares: Vec<f64> = oop.iter().map(ComboView::share).collect();
        let own = oop[self.choose(&shares)?].combo;
        let weight = |combo: &ComboView| {
            if combo.combo.cards().intersects(own.cards()) { 0.0 } else { combo.weight }
        };
        let weights: Vec<f64> = ip.iter().map(weight).collect();
        Some(PerPlayer::new(own, ip[self.choose(&weights)?].combo))
    }
}
