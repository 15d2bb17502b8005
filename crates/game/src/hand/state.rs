//! The betting of a heads-up hand.

use equipoise_cards::Street;

use super::config::{HandConfig, HandConfigError};
use super::legal::{IllegalAction, LegalActions};
use crate::action::{Action, WrittenAction};
use crate::bet_size::BetPoint;
use crate::chips::Chips;
use crate::per_player::PerPlayer;
use crate::player::Player;
use crate::tree::NodeKind;

/// Where a heads-up no-limit hand stands, without its cards: it begins with the blinds, and legal actions and deals are
/// the only way on, so that no other state can be built.
///
/// The big blind is [`Player::Oop`], the button [`Player::Ip`]. The effective stack plays: nobody can bet more than the
/// shorter stack, so what would not be called never goes in.
///
/// # Rules
/// 1. Before the flop the button acts first, then the big blind; from the flop on the other way round.
/// 2. A bet is at least the big blind. A raise adds at least the last bet or raise of the street, and at least the big
///    blind. All-in may be less than either.
/// 3. Fold is legal only where there is something to call.
/// 4. After all-in and call nobody acts, and the rest of the board is dealt. The same holds where a blind is all-in and
///    the other player has invested as much already.
///
/// ```
/// use equipoise_game::{Action, Chips, HandConfig, HandState, NodeKind, PerPlayer, Player, Winner};
/// let hand = HandState::new(&HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000)))?;
/// let flop = hand.act(Action::Raise(Chips::new(250)))?.act(Action::Call)?.deal()?;
/// assert_eq!((flop.pot(), flop.to_act()), (Chips::new(500), Some(Player::Oop)));
/// let end = flop.act(Action::Check)?.act(Action::Bet(Chips::new(333)))?.act(Action::Fold)?;
/// assert_eq!(end.kind(), NodeKind::Fold(Player::Oop));
/// assert_eq!(end.winnings(Winner::Player(Player::Ip)), PerPlayer::new(-250, 250));
/// assert!(flop.act(Action::Bet(Chips::new(99))).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandState {
    kind: NodeKind,
    street: Street,
    /// What each has bet and the other has matched on the streets before this one.
    matched: Chips,
    /// The bets of this street.
    bets: PerPlayer<Chips>,
    /// The antes that were paid.
    dead: PerPlayer<Chips>,
    /// The least bet, and the least that a raise adds.
    big_blind: Chips,
    /// How much the last bet or raise of this street went over what it had to beat; 0 if there is none.
    last_increment: Chips,
    /// The most that either can bet in the whole hand.
    effective_stack: Chips,
    /// Bets and raises of this street, blinds not counted.
    num_bets: u32,
    /// Whether anybody has acted on this street.
    has_begun: bool,
}

/// Who takes the pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // Two players win or share.
pub enum Winner {
    /// One player.
    Player(Player),
    /// Both, in equal parts. A chip that cannot be split goes to the player out of position.
    Split,
}

impl HandState {
    /// The hand after the blinds are posted.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub fn new(config: &HandConfig) -> Result<HandState, HandConfigError> {
        config.check()?;
        let mut dead = config.antes.zip(config.stacks).map(|(ante, stack)| ante.min(stack));
        if config.antes[Player::Oop] == config.antes[Player::Ip] {
            // What the other cannot match is returned, as with any bet.
            let both = dead[Player::Oop].min(dead[Player::Ip]);
            dead = PerPlayer::new(both, both);
        }
        let left = config.stacks.zip(dead).map(|(stack, ante)| stack - ante);
        let effective_stack = left[Player::Oop].min(left[Player::Ip]);
        let blinds = PerPlayer::new(config.big_blind, config.small_blind);
        let bets = blinds.map(|blind| blind.min(effective_stack));
        let is_all_in = bets[Player::Ip] == effective_stack;
        Ok(HandState {
            kind: if is_all_in { NodeKind::Runout } else { NodeKind::Decision(Player::Ip) },
            street: Street::Preflop,
            matched: Chips::ZERO,
            bets,
            dead,
            big_blind: config.big_blind,
            last_increment: Chips::ZERO,
            effective_stack,
            num_bets: 0,
            has_begun: false,
        })
    }

    /// What happens next.
    #[must_use]
    pub const fn kind(&self) -> NodeKind {
        self.kind
    }

    /// The street that is played.
    #[must_use]
    pub const fn street(&self) -> Street {
        self.street
    }

    /// Who acts; `None` if a card comes or the hand is over.
    #[must_use]
    pub const fn to_act(&self) -> Option<Player> {
        match self.kind {
            NodeKind::Decision(player) => Some(player),
            _ => None,
        }
    }

    /// Whether nobody acts any more.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self.kind, NodeKind::Decision(_) | NodeKind::Chance)
    }

    /// Everything in the middle: antes, earlier streets and the bets of this one.
    #[must_use]
    pub fn pot(&self) -> Chips {
        self.invested(Player::Oop) + self.invested(Player::Ip)
    }

    /// What a player has invested in the hand, the ante included. A bet that may still be folded to counts.
    #[must_use]
    pub fn invested(&self, player: Player) -> Chips {
        self.dead[player] + self.matched + self.bets[player]
    }

    /// What a player has bet over the whole hand: invested without the ante.
    #[must_use]
    pub fn hand_total(&self, player: Player) -> Chips {
        self.matched + self.bets[player]
    }

    /// What a player has bet on this street, the blind included.
    #[must_use]
    pub fn street_total(&self, player: Player) -> Chips {
        self.bets[player]
    }

    /// The most that either player can bet in the whole hand, antes not counted.
    #[must_use]
    pub const fn effective_stack(&self) -> Chips {
        self.effective_stack
    }

    /// What either player can still bet once the bet of this street is matched.
    #[must_use]
    pub fn behind(&self) -> Chips {
        self.effective_stack - self.matched - self.highest_bet()
    }

    /// Bets and raises made on this street; blinds are none.
    #[must_use]
    pub const fn num_bets(&self) -> u32 {
        self.num_bets
    }

    /// Whether the player to act is the first on this street to do so.
    #[must_use]
    pub const fn is_first_action(&self) -> bool {
        !self.has_begun
    }

    fn highest_bet(&self) -> Chips {
        self.bets[Player::Oop].max(self.bets[Player::Ip])
    }

    /// What the player to act may do; `None` if nobody acts.
    #[must_use]
    pub fn legal_actions(&self) -> Option<LegalActions> {
        let player = self.to_act()?;
        let to_beat = self.highest_bet();
        let all_in = self.effective_stack - self.matched;
        let totals = (all_in > to_beat).then(|| {
            let least = to_beat.wide() + self.min_increment().wide();
            (Chips::within(least, Chips::ZERO, all_in), all_in)
        });
        Some(LegalActions { to_call: to_beat - self.bets[player], to_beat, totals })
    }

    fn min_increment(&self) -> Chips {
        self.big_blind.max(self.last_increment)
    }

    /// The point at which a bet size becomes chips; `None` if nobody acts.
    #[must_use]
    pub fn bet_point(&self) -> Option<BetPoint> {
        self.to_act()?;
        let to_beat = self.highest_bet();
        let both = self.matched + to_beat;
        Some(BetPoint {
            pot_after_call: self.dead[Player::Oop] + self.dead[Player::Ip] + both + both,
            to_beat,
            last_increment: self.min_increment(),
            all_in: self.effective_stack - self.matched,
            num_streets: 4 - self.street as u32,
            raises_made: match self.street {
                Street::Preflop => self.num_bets,
                _ => self.num_bets.saturating_sub(1),
            },
        })
    }

    /// The hand after an action.
    ///
    /// # Errors
    /// If it is not legal, with what is.
    pub fn act(&self, action: Action) -> Result<HandState, IllegalAction> {
        let NodeKind::Decision(player) = self.kind else {
            let action = WrittenAction::from(action);
            return Err(IllegalAction::NoDecision { action, is_over: self.is_over() });
        };
        let legal = self.legal_actions().expect("somebody acts");
        if !legal.allows(action) {
            return Err(match action.total() {
                Some(total) => IllegalAction::Total { total, legal },
                None => IllegalAction::NotLegal { action: action.into(), legal },
            });
        }
        Ok(self.after(player, action))
    }

    /// The hand after a bet or raise to a total of this street, all-in or not.
    ///
    /// # Errors
    /// If it is not legal, with what is.
    pub fn bet_to(&self, total: Chips) -> Result<HandState, IllegalAction> {
        match self.legal_actions().and_then(|legal| legal.to_total(total)) {
            Some(action) => self.act(action),
            None => self.act(Action::Raise(total)),
        }
    }

    fn after(&self, player: Player, action: Action) -> HandState {
        let mut next = *self;
        next.has_begun = true;
        match action {
            Action::Fold => next.kind = NodeKind::Fold(player),
            Action::Check | Action::Call => {
                next.bets[player] = self.highest_bet();
                let is_all_in = next.hand_total(player) == self.effective_stack;
                next.kind = match self.street {
                    _ if !self.has_begun && !is_all_in => NodeKind::Decision(player.opponent()),
                    Street::River => NodeKind::Showdown,
                    _ if is_all_in => NodeKind::Runout,
                    _ => NodeKind::Chance,
                };
            }
            Action::Bet(total) | Action::Raise(total) | Action::AllIn(total) => {
                next.last_increment = total - self.highest_bet();
                next.bets[player] = total;
                next.num_bets += 1;
                next.kind = NodeKind::Decision(player.opponent());
            }
        }
        next
    }

    /// The first decision of the next street, once its cards have come.
    ///
    /// # Errors
    /// If no card comes here. An all-in runout is dealt without decisions, so it needs no deal.
    pub fn deal(&self) -> Result<HandState, IllegalAction> {
        let street = match (self.kind, self.street) {
            (NodeKind::Chance, Street::Preflop) => Street::Flop,
            (NodeKind::Chance, Street::Flop) => Street::Turn,
            (NodeKind::Chance, _) => Street::River,
            _ => return Err(IllegalAction::NoCard { legal: self.legal_actions() }),
        };
        Ok(HandState {
            kind: NodeKind::Decision(Player::Oop),
            street,
            matched: self.matched + self.highest_bet(),
            bets: PerPlayer::new(Chips::ZERO, Chips::ZERO),
            last_increment: Chips::ZERO,
            num_bets: 0,
            has_begun: false,
            ..*self
        })
    }

    /// What each player has won or lost, in chips, if this hand ends here with this winner. A bet that was not called is
    /// returned.
    #[must_use]
    pub fn winnings(&self, winner: Winner) -> PerPlayer<i64> {
        let called = self.bets[Player::Oop].min(self.bets[Player::Ip]);
        let lost = self.dead.map(|dead| i64::from((dead + self.matched + called).count()));
        match winner {
            Winner::Player(Player::Oop) => PerPlayer::new(lost[Player::Ip], -lost[Player::Ip]),
            Winner::Player(Player::Ip) => PerPlayer::new(-lost[Player::Oop], lost[Player::Oop]),
            Winner::Split => {
                let pot = lost[Player::Oop] + lost[Player::Ip];
                let oop = pot - pot / 2 - lost[Player::Oop];
                PerPlayer::new(oop, -oop)
            }
        }
    }

    /// Who takes the pot because the other folded.
    #[must_use]
    pub const fn winner_by_fold(&self) -> Option<Winner> {
        match self.kind {
            NodeKind::Fold(player) => Some(Winner::Player(player.opponent())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn config(small: u32, big: u32, antes: [u32; 2], stacks: [u32; 2]) -> HandConfig {
        HandConfig {
            small_blind: Chips::new(small),
            big_blind: Chips::new(big),
            antes: antes.map(Chips::new).into(),
            stacks: stacks.map(Chips::new).into(),
        }
    }

    fn hand(small: u32, big: u32, antes: [u32; 2], stacks: [u32; 2]) -> HandState {
        HandState::new(&config(small, big, antes, stacks)).unwrap()
    }

    fn legal(hand: &HandState) -> String {
        hand.legal_actions().unwrap().to_string()
    }

    #[test]
    fn minimum_raises() {
        let start = hand(50, 100, [0, 0], [20_000, 20_000]);
        let raised = start.bet_to(Chips::new(200)).unwrap();
        assert_eq!(legal(&raised), "fold, call, raise:300 to raise:19999, allin (20000)");
        let again = raised.bet_to(Chips::new(700)).unwrap();
        assert_eq!(again.legal_actions().unwrap().totals(), Some((Chips::new(1_200), Chips::new(20_000))));
        let flop = again.act(Action::Call).unwrap().deal().unwrap();
        assert_eq!(legal(&flop), "check, bet:100 to bet:19299, allin (19300)");
        let limped = start.act(Action::Call).unwrap();
        assert_eq!(legal(&limped), "check, raise:200 to raise:19999, allin (20000)");
        assert_eq!(limped.act(Action::Check).unwrap().kind(), NodeKind::Chance);
    }

    #[test]
    fn all_in_for_less() {
        let start = hand(50, 100, [0, 0], [350, 20_000]);
        assert_eq!(legal(&start), "fold, call, raise:200 to raise:349, allin (350)");
        let raised = start.bet_to(Chips::new(250)).unwrap();
        assert_eq!(legal(&raised), "fold, call, allin (350)", "less than a minimum raise");
        let jammed = raised.bet_to(Chips::new(350)).unwrap();
        assert_eq!(legal(&jammed), "fold, call", "nobody goes over an all-in");
        let called = jammed.act(Action::Call).unwrap();
        assert_eq!((called.kind(), called.pot()), (NodeKind::Runout, Chips::new(700)));
        assert!(called.deal().is_err() && called.act(Action::Check).is_err());
        assert_eq!(called.winnings(Winner::Player(Player::Oop)), PerPlayer::new(350, -350));
        assert_eq!(called.winnings(Winner::Split), PerPlayer::new(0, 0));
    }

    #[test]
    fn short_blinds() {
        // The big blind has less than the small blind: what the button posted too much is returned.
        let short_big = hand(50, 100, [0, 0], [30, 5_000]);
        assert_eq!((short_big.kind(), short_big.pot()), (NodeKind::Runout, Chips::new(60)));
        // Between the blinds: the button may call or fold.
        assert_eq!(legal(&hand(50, 100, [0, 0], [80, 5_000])), "fold, call");
        let called = hand(50, 100, [0, 0], [80, 5_000]).act(Action::Call).unwrap();
        assert_eq!((called.kind(), called.pot()), (NodeKind::Runout, Chips::new(160)));
        // The button has less than the small blind.
        let short_button = hand(50, 100, [0, 0], [5_000, 40]);
        assert_eq!(short_button.winnings(Winner::Player(Player::Ip)), PerPlayer::new(-40, 40));
        // All-in for the ante, the same for both or the big blind's alone.
        let ante = hand(50, 100, [10, 10], [5_000, 4]);
        assert_eq!((ante.kind(), ante.pot()), (NodeKind::Runout, Chips::new(8)));
        let big_blind_ante = hand(50, 100, [100, 0], [60, 5_000]);
        assert_eq!((big_blind_ante.kind(), big_blind_ante.pot()), (NodeKind::Runout, Chips::new(60)));
        assert_eq!(big_blind_ante.winnings(Winner::Player(Player::Ip)), PerPlayer::new(-60, 60));
    }

    #[test]
    fn antes_are_dead_money() {
        let start = hand(50, 100, [25, 25], [1_000, 1_000]);
        assert_eq!((start.pot(), start.effective_stack()), (Chips::new(200), Chips::new(975)));
        let folded = start.act(Action::Fold).unwrap();
        assert_eq!(folded.winnings(folded.winner_by_fold().unwrap()), PerPlayer::new(75, -75));
        let split = hand(50, 100, [25, 0], [1_000, 1_000]).act(Action::Call).unwrap();
        assert_eq!(split.winnings(Winner::Split), PerPlayer::new(-12, 12), "the odd chip is out of position");
    }

    #[test]
    fn illegal_actions_name_the_legal_ones() {
        let start = hand(50, 100, [0, 0], [1_000, 1_000]);
        let error = start.act(Action::Check).unwrap_err().to_string();
        assert_eq!(
            error,
            "'check' is not legal here; legal: fold, call, raise:200 to raise:999, allin (1000)"
        );
        let error = start.bet_to(Chips::new(150)).unwrap_err().to_string();
        assert!(
            error.starts_with("a bet or raise to 150 is not legal here; legal: fold, call, raise:200"),
            "{error}"
        );
        let dealt = start.act(Action::Call).unwrap().act(Action::Check).unwrap();
        assert_eq!(
            dealt.act(Action::Check).unwrap_err().to_string(),
            "'check' is not legal here: a card comes first"
        );
        let folded = start.act(Action::Fold).unwrap();
        assert_eq!(
            folded.act(Action::Call).unwrap_err().to_string(),
            "'call' is not legal here: the hand is over"
        );
        assert_eq!(folded.deal().unwrap_err().to_string(), "no card comes here: the hand is over");
        assert!(start.deal().unwrap_err().to_string().starts_with("no card comes here: legal: fold"));
        assert!(start.act(Action::Bet(Chips::new(200))).is_err(), "over the blind it is a raise");
    }

    #[test]
    fn bad_configurations() {
        for (bad, words) in [
            (config(50, 0, [0, 0], [1, 1]), "the big blind is 0"),
            (config(200, 100, [0, 0], [1, 1]), "the small blind of 200 is larger"),
            (config(50, 100, [0, 0], [1, 0]), "the button has no chips"),
            (config(50, 100, [0, 0], [0, 1]), "the big blind has no chips"),
            (config(50, 100, [0, 0], [1, 1_000_000_001]), "1000000001 chips are too many"),
        ] {
            let error = HandState::new(&bad).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }

    proptest! {
        /// Whatever legal actions are taken, the hand ends, chips are neither made nor lost, and nobody loses more than
        /// the shorter stack.
        #[test]
        fn any_legal_hand(
            blinds in (0_u32..20, 1_u32..20),
            antes in proptest::array::uniform2(0_u32..5),
            stacks in proptest::array::uniform2(1_u32..200),
            choices in proptest::collection::vec(any::<u16>(), 64),
        ) {
            let config = config(blinds.0.min(blinds.1), blinds.1, antes, stacks);
            let mut hand = HandState::new(&config).unwrap();
            let mut choices = choices.into_iter();
            while !hand.is_over() {
                let Some(legal) = hand.legal_actions() else {
                    hand = hand.deal().unwrap();
                    continue;
                };
                let choice = choices.next().map_or(0, usize::from);
                let totals = legal.totals().map_or(0..0, |(least, most)| least.count()..most.count() + 1);
                let actions: Vec<Action> = legal
                    .passive()
                    .iter()
                    .rev()
                    .copied()
                    .chain(totals.filter_map(|total| legal.to_total(Chips::new(total))))
                    .collect();
                prop_assert!(actions.iter().all(|&action| legal.allows(action)));
                hand = hand.act(actions[choice % actions.len()]).unwrap();
            }
            for winner in [Winner::Player(Player::Oop), Winner::Player(Player::Ip), Winner::Split] {
                let [oop, ip] = hand.winnings(winner).into_array();
                prop_assert_eq!(oop + ip, 0);
                prop_assert!(oop >= -i64::from(stacks[0]) && ip >= -i64::from(stacks[1]));
            }
        }
    }
}
