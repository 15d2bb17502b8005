//! One hand between two players.

use equipoise_cards::{Board, Combo, Strength};
use equipoise_game::{HandConfig, HandState, NodeKind, PerPlayer, Player, Winner};

use crate::agent::{Agent, AgentError, Decision, HandEnd, Seat, Taken, View};
use crate::aivat::{Aivat, ValueModel};
use crate::draw::Deal;

/// A hand that was played to its end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayedHand {
    /// Its number in the match.
    pub number: u64,
    /// The cards.
    pub deal: Deal,
    /// What was done.
    pub taken: Vec<Taken>,
    /// How the betting ended.
    pub end: HandState,
    /// What each won, in chips.
    pub winnings: PerPlayer<i64>,
    /// What the player out of position won by AIVAT, in chips.
    pub aivat: f64,
}

impl PlayedHand {
    /// The public cards as far as they came.
    #[must_use]
    pub fn board(&self) -> Board {
        shown(&self.deal.board, &self.end)
    }
}

/// The public cards of a street, or all of them where no more is bet.
fn shown(board: &Board, hand: &HandState) -> Board {
    let count = match hand.kind() {
        NodeKind::Runout | NodeKind::Showdown => 5,
        _ => hand.street().num_board_cards(),
    };
    Board::new(&board.cards()[..count]).expect("a part of a board is one")
}

/// Who wins with these cards on a whole board.
#[must_use]
pub(crate) fn showdown(combos: &PerPlayer<Combo>, board: &Board) -> Winner {
    let strength = |player: Player| Strength::of(combos[player].cards() | board.set());
    match strength(Player::Oop).cmp(&strength(Player::Ip)) {
        std::cmp::Ordering::Greater => Winner::Player(Player::Oop),
        std::cmp::Ordering::Less => Winner::Player(Player::Ip),
        std::cmp::Ordering::Equal => Winner::Split,
    }
}

/// Plays one hand.
///
/// # Errors
/// [`AgentError`] of the player who cannot go on.
pub fn play_hand(
    config: &HandConfig,
    agents: &PerPlayer<&dyn Agent>,
    deal: Deal,
    number: u64,
    model: &ValueModel<'_>,
) -> Result<PlayedHand, AgentError> {
    let mut seats: PerPlayer<Box<dyn Seat + '_>> = PerPlayer::new(
        agents[Player::Oop].sit(number, Player::Oop)?,
        agents[Player::Ip].sit(number, Player::Ip)?,
    );
    let mut hand = HandState::new(config).expect("the game of a match was checked");
    let mut taken: Vec<Taken> = Vec::new();
    let mut aivat = Aivat::new(model, deal.combos);
    loop {
        match hand.kind() {
            NodeKind::Decision(seat) => {
                let board = shown(&deal.board, &hand);
                let view = |seat: Player| View {
                    number,
                    seat,
                    combo: deal.combos[seat],
                    board,
                    hand,
                    taken: &taken,
                };
                seats[seat.opponent()].sees(&view(seat.opponent()))?;
                let Decision { action, policy } = seats[seat].act(&view(seat))?;
                let next = hand
                    .act(action)
                    .map_err(|error| AgentError::Illegal { name: agents[seat].name(), error })?;
                aivat.decided(&hand, action, policy.as_deref());
                taken.push(Taken { before: hand, action });
                hand = next;
            }
            NodeKind::Chance => {
                let next = hand.deal().expect("a card comes");
                aivat.dealt(&next, &shown(&deal.board, &next))?;
                hand = next;
            }
            _ => break,
        }
    }
    let winner = hand.winner_by_fold().unwrap_or_else(|| showdown(&deal.combos, &deal.board));
    let winnings = hand.winnings(winner);
    let mut before = hand.street().num_board_cards();
    if hand.kind() != NodeKind::Runout {
        before = 5;
    }
    let aivat = aivat.finish(
        &hand,
        &Board::new(&deal.board.cards()[..before]).expect("a part of a board is one"),
        winnings,
    )?;
    let board = shown(&deal.board, &hand);
    let end = HandEnd { number, hand, taken: &taken, combos: deal.combos, board, winnings };
    for player in [Player::Oop, Player::Ip] {
        seats[player].over(player, &end)?;
    }
    Ok(PlayedHand { number, deal, taken, end: hand, winnings, aivat })
}
