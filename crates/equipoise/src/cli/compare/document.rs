//! The JSON document of `equipoise compare`.

use equipoise::documents::{Both, NodeDocument, SolutionDocument};
use equipoise::game::Player;
use serde::Serialize;

use super::{Difference, Listed, Pair, minus};
use crate::cli::print::SCHEMA_VERSION;

#[derive(Serialize)]
pub(super) struct CompareDocument {
    schema_version: u32,
    a: SideDocument,
    b: SideDocument,
    players: Both<PlayerDifference>,
    actions: Vec<ActionDifference>,
    classes: Vec<RowDocument>,
    combos: Vec<RowDocument>,
}

#[derive(Serialize)]
struct SideDocument {
    solution: SolutionDocument,
    node: NodeDocument,
}

#[derive(Serialize)]
struct PlayerDifference {
    ev: Option<f64>,
    equity: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct ActionDifference {
    pub(super) name: String,
    pub(super) a: Option<f64>,
    pub(super) b: Option<f64>,
    pub(super) difference: Option<f64>,
}

#[derive(Serialize)]
struct RowDocument {
    name: String,
    share: f64,
    moved: f64,
    ev: Sides<Option<f64>>,
    difference: Option<f64>,
    frequencies: Sides<Vec<Option<f64>>>,
}

/// The first and the second solution.
#[derive(Serialize)]
struct Sides<T> {
    a: T,
    b: T,
}

pub(super) fn document(pair: &Pair<'_>) -> CompareDocument {
    let side = |side: usize| SideDocument {
        solution: pair.saved[side].document(),
        node: NodeDocument::new(&pair.saved[side].reader, &pair.views[side]),
    };
    CompareDocument {
        schema_version: SCHEMA_VERSION,
        a: side(0),
        b: side(1),
        players: Player::ALL
            .map(|player| {
                let [a, b] = pair.views.each_ref().map(|view| &view.players[player.index()]);
                PlayerDifference { ev: minus(b.ev(), a.ev()), equity: minus(b.equity(), a.equity()) }
            })
            .into(),
        actions: overall(pair),
        classes: pair.classes().into_iter().map(row_document).collect(),
        combos: pair.combos().into_iter().map(row_document).collect(),
    }
}

pub(super) fn overall(pair: &Pair<'_>) -> Vec<ActionDifference> {
    let [a, b] = [0, 1].map(|side| pair.spread(side, &pair.views[side].frequencies()));
    let of = |(at, listed): (usize, &Listed)| ActionDifference {
        name: listed.action.to_string(),
        a: a[at],
        b: b[at],
        difference: minus(b[at], a[at]),
    };
    pair.actions.iter().enumerate().map(of).collect()
}

fn row_document<T: ToString>(row: Difference<T>) -> RowDocument {
    let ([a, b], [of_a, of_b]) = (row.ev, row.frequencies);
    RowDocument {
        name: row.what.to_string(),
        share: row.share,
        moved: row.moved,
        ev: Sides { a, b },
        difference: minus(b, a),
        frequencies: Sides { a: of_a, b: of_b },
    }
}
