//! Which bets of a whole hand are considered: one configuration from the first raise to the river.

use equipoise_cards::Street;
use thiserror::Error;

use super::config::{HandConfig, HandConfigError};
use super::state::HandState;
use crate::action::Action;
use crate::bet_menu::{BetMenu, Thresholds};
use crate::bet_size::BetSize;
use crate::player::Player;
use crate::tree::NodeKind;

/// Sizes of raises by how many raises came before: the first, the second, and so on; the last menu holds for all that
/// follow. Empty: no raises.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RaiseMenus(Vec<BetMenu>);

/// The bet sizes before the flop. A multiple is of the bet to beat: `2.5x` opens to 2.5 big blinds.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PreflopMenus {
    /// Whether the button may limp.
    pub limp: bool,
    /// The button's first raise.
    pub open: BetMenu,
    /// The big blind's raise over a limp.
    pub over_limp: BetMenu,
    /// Raises over a raise: the 3-bet, the 4-bet, and so on.
    pub raises: RaiseMenus,
}

/// The bet sizes of a street after the flop, the same for both players.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct PostflopMenus {
    /// Opening bets.
    pub bet: BetMenu,
    /// Raises.
    pub raises: RaiseMenus,
}

/// The betting abstraction of a whole heads-up hand: which of the legal actions are considered at each decision.
///
/// Fold, check and call are always among them (a limp if it is allowed), sizes become chips by the rules of
/// [`BetSize`] and [`Thresholds`]. What is left is a subset of the legal actions.
///
/// ```
/// use equipoise_game::{BettingPreset, Chips, HandConfig, HandState};
/// let abstraction = BettingPreset::A.abstraction();
/// let hand = HandState::new(&HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000)))?;
/// let actions: Vec<String> = abstraction.actions(&hand).iter().map(ToString::to_string).collect();
/// assert_eq!(actions, ["fold", "call", "raise:250", "allin"]);
/// # Ok::<(), equipoise_game::HandConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BettingAbstraction {
    /// Before the flop.
    pub preflop: PreflopMenus,
    /// On the flop.
    pub flop: PostflopMenus,
    /// On the turn.
    pub turn: PostflopMenus,
    /// On the river.
    pub river: PostflopMenus,
    /// What adds, forces and merges sizes.
    pub thresholds: Thresholds,
}

/// Why bet sizes make no abstraction.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BettingAbstractionError {
    /// A size that needs a bet to go over, among opening bets.
    #[error("{street} bet: '{size}' is for raises only; open with a share of the pot, such as 75%")]
    RaiseSizeInBets {
        /// The street.
        street: Street,
        /// The size.
        size: BetSize,
    },
    /// A threshold that is negative, infinite or no number.
    #[error("{name} = {value} must be 0 or more and finite")]
    Threshold {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// Blinds or stacks with which no hand can begin.
    #[error(transparent)]
    Config(#[from] HandConfigError),
    /// More nodes than asked for.
    #[error("the betting has more than {limit} decisions: use fewer or larger sizes")]
    TooManyNodes {
        /// The most.
        limit: u64,
    },
}

impl RaiseMenus {
    /// The menus of the first raise, the second, and so on.
    #[must_use]
    pub fn new(menus: Vec<BetMenu>) -> RaiseMenus {
        RaiseMenus(menus)
    }

    /// The menus as they were given.
    #[must_use]
    pub fn menus(&self) -> &[BetMenu] {
        &self.0
    }

    /// The menu after this many raises.
    #[must_use]
    pub fn after(&self, num_raises: u32) -> Option<&BetMenu> {
        self.0.get(num_raises as usize).or(self.0.last())
    }
}

impl BettingAbstraction {
    /// The bet sizes of a street after the flop; `None` before it.
    #[must_use]
    pub const fn postflop(&self, street: Street) -> Option<&PostflopMenus> {
        match street {
            Street::Preflop => None,
            Street::Flop => Some(&self.flop),
            Street::Turn => Some(&self.turn),
            Street::River => Some(&self.river),
        }
    }

    /// Whether the sizes can be used.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), BettingAbstractionError> {
        let Thresholds { add_allin, force_allin, merging, .. } = self.thresholds;
        let named = [
            ("add_allin_threshold", add_allin),
            ("force_allin_threshold", force_allin),
            ("merging_threshold", merging),
        ];
        if let Some((name, value)) = named.into_iter().find(|(_, value)| !value.is_finite() || *value < 0.0) {
            return Err(BettingAbstractionError::Threshold { name, value });
        }
        for street in [Street::Flop, Street::Turn, Street::River] {
            let sizes = self.postflop(street).map_or(&[][..], |menus| menus.bet.sizes());
            if let Some(&size) = sizes.iter().find(|size| size.is_for_raises_only()) {
                return Err(BettingAbstractionError::RaiseSizeInBets { street, size });
            }
        }
        Ok(())
    }

    /// The menu that a decision uses.
    fn menu(&self, hand: &HandState) -> Option<&BetMenu> {
        let Some(menus) = self.postflop(hand.street()) else {
            return match (hand.num_bets(), hand.to_act()) {
                (0, Some(Player::Ip)) => Some(&self.preflop.open),
                (0, _) => Some(&self.preflop.over_limp),
                (bets, _) => self.preflop.raises.after(bets - 1),
            };
        };
        match hand.num_bets() {
            0 => Some(&menus.bet),
            bets => menus.raises.after(bets - 1),
        }
    }

    /// The actions that are considered, in order; none if nobody acts.
    #[must_use]
    pub fn actions(&self, hand: &HandState) -> Vec<Action> {
        let (Some(legal), Some(point)) = (hand.legal_actions(), hand.bet_point()) else { return Vec::new() };
        let mut actions = legal.passive().to_vec();
        let is_limp = hand.street() == Street::Preflop && hand.is_first_action();
        // A call that is all-in is no limp.
        if is_limp && !self.preflop.limp && legal.totals().is_some() {
            actions.retain(|&action| action != Action::Call);
        }
        if let Some(menu) = self.menu(hand) {
            actions.extend(
                menu.totals(&point, &self.thresholds).into_iter().filter_map(|total| legal.to_total(total)),
            );
        }
        actions
    }
}

/// How many decisions an abstraction has, street by street, whatever the cards.
///
/// ```
/// use equipoise_game::{AbstractionCount, BettingPreset, Chips, HandConfig};
/// let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
/// let count = AbstractionCount::of(&BettingPreset::A.abstraction(), &config, 1 << 20)?;
/// assert_eq!(count.num_decisions()[0], 12);
/// # Ok::<(), equipoise_game::BettingAbstractionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbstractionCount {
    num_decisions: [u64; 4],
    num_actions: [u64; 4],
    num_beginnings: [u64; 4],
    num_ends: u64,
}

impl AbstractionCount {
    /// Walks every betting line.
    ///
    /// # Errors
    /// If sizes or blinds and stacks make no game, or if there are more decisions than `limit`.
    pub fn of(
        abstraction: &BettingAbstraction,
        config: &HandConfig,
        limit: u64,
    ) -> Result<AbstractionCount, BettingAbstractionError> {
        abstraction.check()?;
        let mut count = AbstractionCount::default();
        let mut pending = vec![HandState::new(config)?];
        count.num_beginnings[0] = 1;
        while let Some(hand) = pending.pop() {
            let street = hand.street() as usize;
            match hand.kind() {
                NodeKind::Decision(_) => {
                    let actions = abstraction.actions(&hand);
                    count.num_decisions[street] += 1;
                    count.num_actions[street] += actions.len() as u64;
                    if count.num_decisions.iter().sum::<u64>() > limit {
                        return Err(BettingAbstractionError::TooManyNodes { limit });
                    }
                    pending.extend(actions.iter().map(|&action| hand.act(action).expect("it is legal")));
                }
                NodeKind::Chance => {
                    count.num_beginnings[street + 1] += 1;
                    pending.push(hand.deal().expect("a card comes"));
                }
                _ => count.num_ends += 1,
            }
        }
        Ok(count)
    }

    /// Decisions of both players, by street.
    #[must_use]
    pub const fn num_decisions(&self) -> &[u64; 4] {
        &self.num_decisions
    }

    /// Actions summed over the decisions of both players, by street.
    #[must_use]
    pub const fn num_actions(&self) -> &[u64; 4] {
        &self.num_actions
    }

    /// Betting lines with which a street begins.
    #[must_use]
    pub const fn num_beginnings(&self) -> &[u64; 4] {
        &self.num_beginnings
    }

    /// Betting lines to the end of the hand.
    #[must_use]
    pub const fn num_ends(&self) -> u64 {
        self.num_ends
    }
}

#[cfg(test)]
mod tests {
    use super::super::preset::BettingPreset;
    use super::*;
    use crate::chips::Chips;

    fn line(abstraction: &BettingAbstraction, stack: u32, line: &[&str]) -> Vec<String> {
        let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(stack));
        let mut hand = HandState::new(&config).unwrap();
        for &word in line {
            hand = match word {
                "|" => hand.deal().unwrap(),
                _ => {
                    let written: crate::WrittenAction = word.parse().unwrap();
                    let actions = abstraction.actions(&hand);
                    let &action = actions
                        .iter()
                        .find(|&&action| written.matches(action))
                        .unwrap_or_else(|| panic!("{word} is not among {actions:?}"));
                    hand.act(action).unwrap()
                }
            };
        }
        abstraction.actions(&hand).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn sizes_of_the_whole_hand() {
        let b = BettingPreset::B.abstraction();
        assert_eq!(line(&b, 20_000, &["call"]), ["check", "raise:350", "allin"]);
        assert_eq!(line(&b, 20_000, &["raise:250"]), ["fold", "call", "raise:875", "allin"]);
        assert_eq!(line(&b, 20_000, &["raise:250", "raise:875"]), ["fold", "call", "raise:2013", "allin"]);
        let four_bet = ["raise:250", "raise:875", "raise:2013"];
        assert_eq!(line(&b, 20_000, &four_bet), ["fold", "call", "allin"]);
        assert_eq!(line(&b, 20_000, &["call", "check", "|"]), ["check", "bet:100", "bet:150", "allin"]);
        let raised = ["call", "check", "|", "bet:150"];
        assert_eq!(line(&b, 20_000, &raised), ["fold", "call", "raise:450", "allin"]);
        let reraised = ["call", "check", "|", "bet:150", "raise:450"];
        assert_eq!(line(&b, 20_000, &reraised), ["fold", "call", "allin"]);
        assert_eq!(line(&b, 20_000, &["allin"]), ["fold", "call"]);
    }

    #[test]
    fn without_limps() {
        let mut a = BettingPreset::A.abstraction();
        a.preflop.limp = false;
        assert_eq!(line(&a, 2_000, &[]), ["fold", "raise:250", "allin"]);
        assert_eq!(line(&a, 100, &[]), ["fold", "call"], "all-in for the big blind is a call");
    }

    #[test]
    fn bad_sizes() {
        let mut a = BettingPreset::A.abstraction();
        a.turn.bet = "3x".parse().unwrap();
        let config = HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(2_000));
        let error = AbstractionCount::of(&a, &config, 10).unwrap_err();
        assert!(error.to_string().starts_with("turn bet: '3x' is for raises only"));
        a.turn.bet = BetMenu::default();
        assert_eq!(
            AbstractionCount::of(&a, &config, 10),
            Err(BettingAbstractionError::TooManyNodes { limit: 10 })
        );
        a.thresholds.merging = f64::NAN;
        assert!(matches!(a.check(), Err(BettingAbstractionError::Threshold { .. })));
    }
}
