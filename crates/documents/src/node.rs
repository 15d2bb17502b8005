//! A decision, without its combos.

use equipoise_game::{Chips, Player};
use equipoise_postflop::{NodeView, Reader, ResolvedSubgame};
use serde::Serialize;

use crate::{Both, ExploitabilityDocument, Locked};

/// A decision, without its combos.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NodeDocument<A = ActionDocument> {
    /// The actions and cards that lead there.
    pub path: String,
    /// The cards there.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// Who acts: `oop` or `ip`.
    pub player: String,
    /// In chips, bets on the table included.
    pub pot: u32,
    /// In chips.
    pub stacks: Both<u32>,
    /// How often play gets there when these cards come.
    pub probability: f64,
    /// Whether play never gets there: then the strategy is what the player would do, and there are no values.
    pub unreached: bool,
    /// Whether that is so rare that the strategy was hardly trained.
    pub unreliable: bool,
    /// Whether `all` or `some` combos of the player who acts have a given strategy there.
    pub locked: Option<&'static str>,
    /// If the street was re-solved, because the file leaves it out.
    pub solved_again: Option<ResolvedStreetDocument>,
    /// What can be done.
    pub actions: Vec<A>,
    /// What both have.
    pub players: Both<PlayerDocument>,
}

/// A street that the file leaves out, re-solved.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct ResolvedStreetDocument {
    /// Of the subgame, in percent of its own pot.
    pub exploitability: ExploitabilityDocument,
    /// In how many iterations.
    pub iterations: u32,
}

/// One action of a decision.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ActionDocument {
    /// As paths name it, such as `bet:120`.
    pub name: String,
    /// `fold`, `check`, `call`, `bet`, `raise` or `allin`.
    pub kind: &'static str,
    /// Invested by the player on this street after it.
    pub chips: u32,
    /// How often the range takes it.
    pub frequency: f64,
    /// What it is worth for those who take it.
    pub ev: Option<f64>,
}

/// One player at a decision.
#[derive(Clone, Copy, Debug, Serialize)]
#[allow(clippy::exhaustive_structs)] // Filled in by whoever has the numbers.
pub struct PlayerDocument {
    /// How many combos get there.
    pub combos: usize,
    /// Their weight.
    pub weighted_combos: f64,
    /// Win plus tie share without further betting.
    pub equity: Option<f64>,
    /// Chips from there on, or prizes.
    pub ev: Option<f64>,
    /// ev / (equity × pot); not defined for prizes.
    pub eqr: Option<f64>,
}

impl NodeDocument {
    /// The document of what was seen.
    #[must_use]
    pub fn new(reader: &Reader, view: &NodeView) -> NodeDocument {
        let node = reader.spot().tree().node(view.node);
        let actions = view.actions.iter().zip(view.frequencies()).zip(view.action_evs());
        NodeDocument {
            path: reader.path_to(view.node, &view.runout).to_string(),
            board: view.board.to_string(),
            street: view.board.street().to_string(),
            player: view.player.to_string(),
            pot: view.pot.count(),
            stacks: view.stacks.map(Chips::count).into_array().into(),
            probability: view.probability,
            unreached: !view.is_reached(),
            unreliable: view.is_unreliable(),
            locked: Locked::at(reader.spot(), view.node, &view.runout).map(|locked| locked.word()),
            solved_again: view.subgame.map(ResolvedStreetDocument::new),
            actions: actions
                .map(|((&action, frequency), ev)| ActionDocument {
                    name: action.to_string(),
                    kind: action.kind(),
                    chips: node.street_total_after(action).count(),
                    frequency,
                    ev,
                })
                .collect(),
            players: Player::ALL.map(|player| PlayerDocument::new(view, player)).into(),
        }
    }
}

impl<A> NodeDocument<A> {
    /// The same with other documents of actions.
    pub(crate) fn map_actions<B>(self, action: impl FnMut(A) -> B) -> NodeDocument<B> {
        NodeDocument {
            path: self.path,
            board: self.board,
            street: self.street,
            player: self.player,
            pot: self.pot,
            stacks: self.stacks,
            probability: self.probability,
            unreached: self.unreached,
            unreliable: self.unreliable,
            locked: self.locked,
            solved_again: self.solved_again,
            actions: self.actions.into_iter().map(action).collect(),
            players: self.players,
        }
    }
}

impl ResolvedStreetDocument {
    fn new(part: ResolvedSubgame) -> ResolvedStreetDocument {
        ResolvedStreetDocument { exploitability: part.exploitability.into(), iterations: part.iterations }
    }
}

impl PlayerDocument {
    /// What a player has there.
    #[must_use]
    pub fn new(view: &NodeView, player: Player) -> PlayerDocument {
        let seen = &view.players[player];
        let (equity, ev) = (seen.equity(), seen.ev());
        PlayerDocument {
            combos: seen.combos.iter().filter(|combo| combo.share() > 0.0).count(),
            weighted_combos: seen.weight(),
            equity,
            ev,
            eqr: view.eqr(ev, equity),
        }
    }
}
