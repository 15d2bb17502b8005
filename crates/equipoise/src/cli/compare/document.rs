//! The JSON document of `equipoise compare`.

use equipoise::documents::NodeDocument;
use equipoise::documents::command::{
    ActionDifference, CompareDocument, DifferenceRow, PlayerDifference, SideDocument, Sides,
};
use equipoise::game::Player;

use super::{Difference, Listed, Pair, minus};
use crate::cli::print::SCHEMA_VERSION;

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
                let [a, b] = pair.views.each_ref().map(|view| &view.players[player]);
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

fn row_document<T: ToString>(row: Difference<T>) -> DifferenceRow {
    let ([a, b], [of_a, of_b]) = (row.ev, row.frequencies);
    DifferenceRow {
        name: row.what.to_string(),
        share: row.share,
        moved: row.moved,
        ev: Sides { a, b },
        difference: minus(b, a),
        frequencies: Sides { a: of_a, b: of_b },
    }
}
