//! One hand between two players.

use equipoise_blueprint::bucketed::BucketedError;
use equipoise_cards::{Board, Combo, Street, Strength};
use equipoise_game::{
    Action, HandConfig, HandConfigError, HandState, IllegalAction, NodeKind, PerPlayer, Player, Winner,
};

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

/// A hand that is being played, action by action.
#[derive(Clone, Debug)]
pub struct LiveHand {
    number: u64,
    deal: Deal,
    hand: HandState,
    taken: Vec<Taken>,
    /// By action: how likely each one was, where that is known.
    policies: Vec<Option<Vec<(Action, f64)>>>,
}

impl LiveHand {
    /// Begins a hand.
    ///
    /// # Errors
    /// [`HandConfigError`] if blinds and stacks make no hand.
    pub fn new(config: &HandConfig, deal: Deal, number: u64) -> Result<LiveHand, HandConfigError> {
        let hand = HandState::new(config)?;
        Ok(LiveHand { number, deal, hand, taken: Vec::new(), policies: Vec::new() })
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The betting.
    #[must_use]
    pub const fn state(&self) -> &HandState {
        &self.hand
    }

    /// What was done.
    #[must_use]
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// The public cards as far as they came.
    #[must_use]
    pub fn board(&self) -> Board {
        shown(&self.deal.board, &self.hand)
    }

    /// What a player sees.
    #[must_use]
    pub fn view(&self, seat: Player) -> View<'_> {
        View {
            number: self.number,
            seat,
            combo: self.deal.combos[seat],
            board: self.board(),
            hand: self.hand,
            taken: &self.taken,
        }
    }

    /// The player to act acts.
    ///
    /// # Errors
    /// [`IllegalAction`] if that is not legal; nothing has changed then.
    pub fn act(&mut self, decision: Decision) -> Result<(), IllegalAction> {
        let Decision { action, policy } = decision;
        let next = self.hand.act(action)?;
        self.taken.push(Taken { before: self.hand, action });
        self.policies.push(policy);
        self.hand = next;
        if self.hand.kind() == NodeKind::Chance {
            self.hand = self.hand.deal().expect("a card comes");
        }
        Ok(())
    }

    /// The hand as it was played, once nobody acts any more.
    ///
    /// # Errors
    /// [`BucketedError`] if the model's buckets cannot be read.
    ///
    /// # Panics
    /// If somebody still has to act.
    pub fn finish(self, model: &ValueModel<'_>) -> Result<PlayedHand, BucketedError> {
        let LiveHand { number, deal, hand, taken, policies } = self;
        assert!(hand.is_over(), "somebody still has to act");
        let mut aivat = Aivat::new(model, deal.combos);
        let mut street = Street::Preflop;
        let mut begin = |aivat: &mut Aivat<'_>, hand: &HandState| {
            // Nothing comes to a player who has folded, nor one by one to players who are all-in.
            if hand.street() == street {
                return Ok(());
            }
            street = hand.street();
            aivat.dealt(hand, &shown(&deal.board, hand))
        };
        for (Taken { before, action }, policy) in taken.iter().zip(&policies) {
            begin(&mut aivat, before)?;
            aivat.decided(before, *action, policy.as_deref());
        }
        let winner = hand.winner_by_fold().unwrap_or_else(|| showdown(&deal.combos, &deal.board));
        let winnings = hand.winnings(winner);
        let before = if hand.kind() == NodeKind::Runout { hand.street().num_board_cards() } else { 5 };
        let before = Board::new(&deal.board.cards()[..before]).expect("a part of a board is one");
        let aivat = aivat.finish(&hand, &before, winnings)?;
        Ok(PlayedHand { number, deal, taken, end: hand, winnings, aivat })
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
    let mut live = LiveHand::new(config, deal, number).expect("the game of a match was checked");
    while let Some(seat) = live.state().to_act() {
        seats[seat.opponent()].sees(&live.view(seat.opponent()))?;
        let decision = seats[seat].act(&live.view(seat))?;
        live.act(decision).map_err(|error| AgentError::Illegal { name: agents[seat].name(), error })?;
    }
    let played = live.finish(model)?;
    let end = HandEnd {
        number,
        hand: played.end,
        taken: &played.taken,
        combos: deal.combos,
        board: played.board(),
        winnings: played.winnings,
    };
    for player in [Player::Oop, Player::Ip] {
        seats[player].over(player, &end)?;
    }
    Ok(played)
}
