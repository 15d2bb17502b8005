use crate::game::{Game, Player, Turn};
use crate::subgame::{Entrance, Subgames};

/// Leduc hold'em: two suits of J, Q, K; one private card and an ante of 1 each; two rounds with at most two
/// raises, of 2 in the first and of 4 in the second; a public card between them.
///
/// The first player opens both rounds. A pair with the public card wins, then the higher rank, and equal
/// ranks split. Suits do not matter but are told apart: 936 information sets, named by the private card, the
/// public card if dealt and the actions of each round, such as `Qa Kb/cr/c` (f fold, c check or call, r
/// raise).
#[derive(Clone, Copy, Debug, Default)]
pub struct Leduc;

/// The cards dealt and the actions taken.
#[derive(Clone, Debug, Default)]
pub struct LeducState {
    /// Rank × 2 + suit: the first player's, the second player's, the public card.
    cards: Vec<u8>,
    /// The actions of the first round, then of the second.
    rounds: [String; 2],
}

const NUM_CARDS: u8 = 6;
const MAX_RAISES: usize = 2;
const RAISES: [f64; 2] = [2.0, 4.0];
const ANTE: f64 = 1.0;

fn card_text(card: u8) -> String {
    let (rank, suit) = (usize::from(card / 2), usize::from(card % 2));
    format!("{}{}", ["J", "Q", "K"][rank], ["a", "b"][suit])
}

impl LeducState {
    fn undealt(&self) -> Vec<u8> {
        (0..NUM_CARDS).filter(|card| !self.cards.contains(card)).collect()
    }

    /// 0 before the public card, 1 after.
    fn round(&self) -> usize {
        usize::from(self.cards.len() > 2)
    }

    /// Whether the betting of a round has ended without a fold.
    fn is_closed(&self, round: usize) -> bool {
        let actions = &self.rounds[round];
        actions.len() > 1 && actions.ends_with('c')
    }

    fn is_deal(&self) -> bool {
        self.cards.len() < 2 || (self.cards.len() == 2 && self.is_closed(0))
    }

    fn num_raises(&self) -> usize {
        self.rounds[self.round()].matches('r').count()
    }

    /// The letters of the actions that the player to act has.
    fn actions(&self) -> &'static str {
        match (self.rounds[self.round()].ends_with('r'), self.num_raises() < MAX_RAISES) {
            (true, true) => "fcr",
            (true, false) => "fc",
            (false, _) => "cr",
        }
    }

    /// Chips that each player has invested, antes included.
    fn invested(&self) -> [f64; 2] {
        let mut chips = [ANTE; 2];
        for (round, actions) in self.rounds.iter().enumerate() {
            for (i, action) in actions.chars().enumerate() {
                let (player, other) = (i % 2, 1 - i % 2);
                match action {
                    'r' => chips[player] = chips[other] + RAISES[round],
                    'c' => chips[player] = chips[other],
                    _ => {}
                }
            }
        }
        chips
    }

    /// What the first player wins once the game is over.
    fn payoff(&self) -> Option<f64> {
        let chips = self.invested();
        let actions = &self.rounds[self.round()];
        if actions.ends_with('f') {
            let folder = (actions.len() - 1) % 2;
            return Some(if folder == 0 { -chips[0] } else { chips[1] });
        }
        if !(self.round() == 1 && self.is_closed(1)) {
            return None;
        }
        let strength = |player: Player| {
            let (rank, public) = (self.cards[player.index()] / 2, self.cards[2] / 2);
            (rank == public, rank)
        };
        Some(match strength(Player::First).cmp(&strength(Player::Second)) {
            std::cmp::Ordering::Greater => chips[1],
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => -chips[0],
        })
    }

    fn infoset(&self, player: Player) -> String {
        let private = card_text(self.cards[player.index()]);
        match self.cards.get(2) {
            None => format!("{private}/{}", self.rounds[0]),
            Some(&public) => format!("{private} {}/{}/{}", card_text(public), self.rounds[0], self.rounds[1]),
        }
    }
}

impl Game for Leduc {
    type State = LeducState;
    type Infoset = String;

    fn root(&self) -> LeducState {
        LeducState::default()
    }

    fn turn(&self, state: &LeducState) -> Turn<String> {
        if state.is_deal() {
            let undealt = state.undealt().len();
            return Turn::Chance(vec![1.0 / undealt as f64; undealt]);
        }
        if let Some(payoff) = state.payoff() {
            return Turn::Terminal([payoff, -payoff]);
        }
        let player = Player::ALL[state.rounds[state.round()].len() % 2];
        Turn::Decision { player, infoset: state.infoset(player), num_actions: state.actions().len() }
    }

    fn next(&self, state: &LeducState, action: usize) -> LeducState {
        let mut next = state.clone();
        if state.is_deal() {
            next.cards.push(state.undealt()[action]);
        } else {
            let letter = state.actions().chars().nth(action);
            next.rounds[state.round()].extend(letter);
        }
        next
    }
}

/// The second round after each public card and each way through the first round.
impl Subgames for Leduc {
    fn entrance(&self, state: &LeducState) -> Option<Entrance> {
        let &[first, second, public] = &state.cards[..] else { return None };
        let is_entrance = state.rounds[1].is_empty();
        is_entrance.then(|| Entrance {
            subgame: format!("{}/{}", card_text(public), state.rounds[0]),
            hands: [first, second].map(card_text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(cards: [u8; 3], rounds: [&str; 2]) -> Option<f64> {
        LeducState { cards: cards.to_vec(), rounds: rounds.map(String::from) }.payoff()
    }

    #[test]
    fn payoffs() {
        assert_eq!(play([0, 2, 1], ["cc", "cc"]), Some(1.0), "a pair of jacks beats a queen");
        assert_eq!(play([0, 1, 2], ["rrc", "rrc"]), Some(0.0), "equal ranks split");
        assert_eq!(play([0, 2, 4], ["crrc", "crrc"]), Some(-13.0), "1 + 4 + 8");
        assert_eq!(play([4, 2, 0], ["rc", "rf"]), Some(3.0), "a fold loses what was called");
        assert_eq!(play([4, 2, 0], ["rc", "crf"]), Some(-3.0));
        assert_eq!(play([4, 2, 0], ["rc", "cr"]), None);
    }
}
