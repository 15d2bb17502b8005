//! What can be seen at a decision.

use equipoise_cards::{Board, Card, Combo, Range};
use equipoise_game::{Action, Chips, NodeId, PerPlayer, Player, ValueUnit};

use crate::read::solution::Exploitability;

/// Decisions that are reached more rarely than this are marked: what is played there was hardly trained.
const RARELY: f64 = 1e-3;

/// One combo at a decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComboView {
    /// The combo.
    pub combo: Combo,
    /// The weight with which it gets here: range times own strategy on the way.
    pub weight: f64,
    /// Matchups: the opponent's weight on combos that share no card with it.
    pub matchups: f64,
    /// Win plus tie share without further betting; none without matchups.
    pub equity: Option<f64>,
    /// Chips received minus chips invested, from here on, or prizes; none without matchups.
    pub ev: Option<f64>,
    /// How often it takes each action; empty for the player who does not act.
    pub frequencies: Vec<f64>,
    /// What each action is worth, from here on; empty for the player who does not act.
    pub action_evs: Vec<Option<f64>>,
    /// See [`share`](Self::share).
    pub(crate) share: f64,
}

impl ComboView {
    /// What an action gives away against the best one.
    #[must_use]
    pub fn ev_loss(&self, action: usize) -> Option<f64> {
        let best = self.action_evs.iter().flatten().copied().reduce(f64::max)?;
        Some(best - self.action_evs.get(action).copied().flatten()?)
    }

    /// The share of this combo among all hands here, not normalised: its [`weighted_matchups`](Self::weighted_matchups). Where play never
    /// gets, its weight, so that what the player would do can be seen.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The weight of all pairs of hands here in which the player holds this combo.
    #[must_use]
    pub fn weighted_matchups(&self) -> f64 {
        self.weight * self.matchups
    }
}

/// One player at a decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayerView {
    /// Who.
    pub player: Player,
    /// Combo by combo, in the order of combo numbers; those that the board blocks or the range leaves out are not listed,
    /// those that never get here are.
    pub combos: Vec<ComboView>,
}

impl PlayerView {
    /// The mean over all hands that get here.
    #[must_use]
    pub fn mean(&self, of: impl Fn(&ComboView) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut shares) = (0.0, 0.0);
        for combo in self.combos.iter().filter(|combo| combo.share() > 0.0) {
            if let Some(value) = of(combo) {
                sum += combo.share() * value;
                shares += combo.share();
            }
        }
        (shares > 0.0).then(|| sum / shares)
    }

    /// The expected value of the range, from here on.
    #[must_use]
    pub fn ev(&self) -> Option<f64> {
        self.mean(|combo| combo.ev)
    }

    /// The equity of the range.
    #[must_use]
    pub fn equity(&self) -> Option<f64> {
        self.mean(|combo| combo.equity)
    }

    /// The weight of all combos.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.combos.iter().map(|combo| combo.weight).sum()
    }

    /// The range with which the player gets here: every weight that a 32-bit number can be, however small.
    #[must_use]
    pub fn range(&self) -> Range {
        let mut range = Range::default();
        for combo in &self.combos {
            range.set(combo.combo, combo.weight.min(1.0) as f32).expect("a weight from 0 to 1");
        }
        range
    }
}

/// A subgame that was re-solved because the file leaves its street out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResolvedSubgame {
    /// How far from equilibrium the subgame is, in percent of its own pot.
    pub exploitability: Exploitability,
    /// In how many iterations.
    pub iterations: u32,
}

/// A decision on one board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeView {
    /// The decision.
    pub node: NodeId,
    /// The board, in the suits that were asked for.
    pub board: Board,
    /// The cards after the root's board.
    pub runout: Vec<Card>,
    /// Who acts.
    pub player: Player,
    /// What can be done.
    pub actions: Vec<Action>,
    /// The pot, bets on the table included.
    pub pot: Chips,
    /// What each player has left.
    pub stacks: PerPlayer<Chips>,
    /// How often play gets here when these cards come.
    pub probability: f64,
    /// Both players.
    pub players: PerPlayer<PlayerView>,
    /// If the file leaves this street out.
    pub subgame: Option<ResolvedSubgame>,
    /// What expected values are counted in.
    pub unit: ValueUnit,
}

impl NodeView {
    /// The player who acts.
    #[must_use]
    pub fn actor(&self) -> &PlayerView {
        &self.players[self.player]
    }

    /// How often each action is taken by the whole range.
    #[must_use]
    pub fn frequencies(&self) -> Vec<f64> {
        let of = |action: usize| self.actor().mean(|combo| combo.frequencies.get(action).copied());
        (0..self.actions.len()).map(|action| of(action).unwrap_or(0.0)).collect()
    }

    /// What each action is worth for the combos that take it, from here on.
    #[must_use]
    pub fn action_evs(&self) -> Vec<Option<f64>> {
        let of = |action: usize| {
            let (mut sum, mut shares) = (0.0, 0.0);
            for combo in &self.actor().combos {
                if let (Some(Some(ev)), share) =
                    (combo.action_evs.get(action), combo.share() * combo.frequencies[action])
                {
                    sum += share * ev;
                    shares += share;
                }
            }
            (shares > 0.0).then(|| sum / shares)
        };
        (0..self.actions.len()).map(of).collect()
    }

    /// The share of the pot that a player gets of what the equity says: ev / (equity × pot); not defined for prizes.
    #[must_use]
    pub fn eqr(&self, ev: Option<f64>, equity: Option<f64>) -> Option<f64> {
        if self.unit == ValueUnit::Prizes {
            return None;
        }
        let fair = equity? * self.pot.as_f64();
        (fair > 0.0).then(|| ev.map(|ev| ev / fair)).flatten()
    }

    /// Whether play gets here at all. Where it does not, the actor's combos are those that would be there if the opponent
    /// had come; what they are worth is not defined.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.probability > 0.0
    }

    /// Whether play gets here so rarely that the strategy was hardly trained.
    #[must_use]
    pub fn is_unreliable(&self) -> bool {
        self.probability < RARELY
    }
}
