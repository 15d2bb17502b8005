//! What a pass over all boards does at decisions.
//!
//! Training plays the current strategies, updates the own regrets, and accumulates the opponent's current strategy in its
//! average, weighted by its own reach, which the pass carries anyway. The other passes read the average strategies.

use equipoise_cfr::{Asymmetry, Coefficients, Requirements};
use equipoise_game::Player;

use crate::kernel::{LookAhead, Prediction, Update};

/// What the opponent plays.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpponentRule {
    /// The current strategy, which is accumulated in the average.
    Current {
        prediction: Prediction,
        /// Factors of the average so far and of what is added.
        factors: [f32; 2],
        /// Whether what is added is weighted by the own reach.
        own_reach: bool,
        /// The greatest asymmetry, if it is measured.
        max_asymmetry: Option<f64>,
    },
    Average,
}

/// What the traverser plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OwnRule {
    /// The current strategy, whose regrets are updated.
    Update {
        prediction: Prediction,
        update: Update,
        /// The greatest asymmetry, if it is measured.
        max_asymmetry: Option<f64>,
    },
    Average,
    /// The best action.
    Best,
}

/// A pass for one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub player: Player,
    pub own: OwnRule,
    pub opponent: OpponentRule,
    /// The seed of stochastic rounding.
    pub seed: u32,
    /// Whether the values of every decision before the river are recorded.
    pub records: bool,
    /// Whether reaches are added up in 64 bits: for values of single combos, which may meet little of a range.
    pub has_wide_sums: bool,
}

impl Pass {
    /// Whether it changes tables.
    pub(crate) fn is_training(&self) -> bool {
        matches!(self.own, OwnRule::Update { .. })
    }

    /// The training pass of a player in iteration `t`, whose coefficients are `now` and those of the one after it `next`;
    /// `factors` are those of the opponent's average strategy so far and of
    /// what is added to it.
    pub(crate) fn train(
        player: Player,
        t: u32,
        [now, next]: [&Coefficients; 2],
        factors: [f64; 2],
        needs: Requirements,
    ) -> Pass {
        let max_asymmetry = match needs.asymmetry {
            Some(Asymmetry::Auto { max }) => Some(max),
            _ => None,
        };
        // OOP has already been updated when IP is: it plays the strategy of the next iteration.
        let opponent = if player == Player::Oop { now } else { next };
        let prediction = |coefficients: &Coefficients| Prediction {
            regret: coefficients.prediction.regret as f32,
            instant: coefficients.prediction.instant as f32,
        };
        let update = Update {
            positive: now.positive as f32,
            negative: now.negative as f32,
            instant: now.instant as f32,
            floor: if now.clamp { 0.0 } else { f32::NEG_INFINITY },
            seed: 0,
            look_ahead: (now.look_ahead > 0.0)
                .then(|| LookAhead { weight: now.look_ahead as f32, prediction: prediction(next) }),
        };
        let own = OwnRule::Update { prediction: prediction(now), update, max_asymmetry };
        let opponent = OpponentRule::Current {
            prediction: prediction(opponent),
            factors: factors.map(|factor| factor as f32),
            own_reach: needs.own_reach,
            max_asymmetry,
        };
        let seed = 2 * t + player.index() as u32;
        Pass { player, own, opponent, seed, records: false, has_wide_sums: false }
    }

    /// The best response to the opponent's average strategy.
    pub(crate) fn best_response(player: Player) -> Pass {
        Pass { own: OwnRule::Best, ..Pass::average(player) }
    }

    /// Both play their average strategies; for means over a range.
    pub(crate) fn average(player: Player) -> Pass {
        Pass {
            player,
            own: OwnRule::Average,
            opponent: OpponentRule::Average,
            seed: 0,
            records: false,
            has_wide_sums: false,
        }
    }

    /// The same, for the values of single combos.
    pub(crate) fn evs(player: Player) -> Pass {
        Pass { has_wide_sums: true, ..Pass::average(player) }
    }

    /// The same, and the values of every decision before the river are recorded.
    pub(crate) fn record(player: Player) -> Pass {
        Pass { records: true, ..Pass::evs(player) }
    }
}
