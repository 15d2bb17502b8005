use crate::game::{Game, Player, Turn};

/// Kuhn poker: three cards J, Q, K; one card and an ante of 1 each; one bet of 1.
///
/// The first player checks or bets; facing a bet a player folds or calls; a check can be followed by a bet.
/// Twelve information sets, named by the card and the actions so far, such as `K/kb` (k check, b bet).
#[derive(Clone, Copy, Debug, Default)]
pub struct Kuhn;

/// The cards dealt and the actions taken.
#[derive(Clone, Debug, Default)]
pub struct KuhnState {
    /// 0, 1 or 2 for J, Q, K; the first player's first.
    cards: Vec<u8>,
    /// `k` check or fold, `b` bet or call.
    actions: String,
}

impl KuhnState {
    /// Cards that the next deal can give.
    fn undealt(&self) -> Vec<u8> {
        (0..3).filter(|card| !self.cards.contains(card)).collect()
    }

    /// What the first player wins once the betting is over.
    fn payoff(&self) -> Option<f64> {
        let stake = match self.actions.as_str() {
            "kk" => 1.0,
            "bb" | "kbb" => 2.0,
            "bk" => return Some(1.0),
            "kbk" => return Some(-1.0),
            _ => return None,
        };
        Some(if self.cards[0] > self.cards[1] { stake } else { -stake })
    }
}

impl Game for Kuhn {
    type State = KuhnState;
    type Infoset = String;

    fn root(&self) -> KuhnState {
        KuhnState::default()
    }

    fn turn(&self, state: &KuhnState) -> Turn<String> {
        let undealt = state.undealt().len();
        if undealt > 1 {
            return Turn::Chance(vec![1.0 / undealt as f64; undealt]);
        }
        if let Some(payoff) = state.payoff() {
            return Turn::Terminal([payoff, -payoff]);
        }
        let player = Player::ALL[state.actions.len() % 2];
        let card = ["J", "Q", "K"][usize::from(state.cards[player.index()])];
        Turn::Decision { player, infoset: format!("{card}/{}", state.actions), num_actions: 2 }
    }

    fn next(&self, state: &KuhnState, action: usize) -> KuhnState {
        let mut next = state.clone();
        let undealt = state.undealt();
        if undealt.len() > 1 {
            next.cards.push(undealt[action]);
        } else {
            next.actions.push(if action == 0 { 'k' } else { 'b' });
        }
        next
    }
}
