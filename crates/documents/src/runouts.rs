//! Documents of runouts.

use equipoise_cards::Card;
use equipoise_game::{Player, ValueUnit};
use equipoise_postflop::NodeView;
use serde::Serialize;

use crate::{ActionDocument, Both, NodeDocument};

/// The first decision after a card.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunoutDocument<A = ActionDocument> {
    /// The card.
    pub card: String,
    /// What both get, in percent of the pot; not defined for prizes.
    pub ev_pct_pot: Both<Option<f64>>,
    /// The decision.
    pub node: NodeDocument<A>,
}

impl<A> RunoutDocument<A> {
    /// The document of what was seen after a card; `node` is that of the view.
    #[must_use]
    pub fn new(card: Card, view: &NodeView, node: NodeDocument<A>) -> RunoutDocument<A> {
        RunoutDocument {
            card: card.to_string(),
            ev_pct_pot: Player::ALL.map(|player| pct_pot(view, player)).into(),
            node,
        }
    }
}

/// What a player gets, in percent of the pot; not defined for prizes.
#[must_use]
pub fn pct_pot(view: &NodeView, player: Player) -> Option<f64> {
    let ev = view.players[player].ev()?;
    (view.pot.count() > 0 && view.unit == ValueUnit::Chips).then(|| 100.0 * ev / view.pot.as_f64())
}
