//! What a player may do.

use std::fmt;

use thiserror::Error;

use crate::action::{Action, WrittenAction};
use crate::chips::Chips;

/// What the rules allow at a decision. Totals are the street's.
///
/// ```
/// use equipoise_game::{Action, Chips, HandConfig, HandState};
/// let hand = HandState::new(&HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(20_000)))?;
/// let legal = hand.legal_actions().ok_or("nobody acts")?;
/// assert_eq!(legal.to_string(), "fold, call, raise:200 to raise:19999, allin (20000)");
/// assert!(legal.allows(Action::Raise(Chips::new(250))));
/// assert!(!legal.allows(Action::Raise(Chips::new(199))) && !legal.allows(Action::Check));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LegalActions {
    pub(super) to_call: Chips,
    pub(super) to_beat: Chips,
    /// The least and the largest total of a bet or raise.
    pub(super) totals: Option<(Chips, Chips)>,
}

/// An action that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalAction {
    /// Not at this decision.
    #[error("'{action}' is not legal here; legal: {legal}")]
    NotLegal {
        /// What was tried.
        action: WrittenAction,
        /// What is legal.
        legal: LegalActions,
    },
    /// A bet or raise to a total that is too small or too large.
    #[error("a bet or raise to {total} is not legal here; legal: {legal}")]
    Total {
        /// The total that was tried.
        total: Chips,
        /// What is legal.
        legal: LegalActions,
    },
    /// Nobody acts: a card comes, or the hand is over.
    #[error("'{action}' is not legal here: {}", if *.is_over { "the hand is over" } else { "a card comes first" })]
    NoDecision {
        /// What was tried.
        action: WrittenAction,
        /// Whether the hand is over.
        is_over: bool,
    },
    /// A card where no card comes.
    #[error("no card comes here: {}", legal.map_or_else(|| "the hand is over".to_owned(), |legal| format!("legal: {legal}")))]
    NoCard {
        /// What is legal; `None` if the hand is over.
        legal: Option<LegalActions>,
    },
}

impl LegalActions {
    /// What a call costs; 0 where a check is legal.
    #[must_use]
    pub const fn to_call(&self) -> Chips {
        self.to_call
    }

    /// The least and the largest total of a bet or raise, both included; `None` if there is none. Only the largest is
    /// all-in; where the least is the same, it may be less than a minimum raise.
    #[must_use]
    pub const fn totals(&self) -> Option<(Chips, Chips)> {
        self.totals
    }

    /// The bet, raise or all-in with this total; `None` if it is not legal.
    #[must_use]
    pub fn to_total(&self, total: Chips) -> Option<Action> {
        let (least, all_in) = self.totals?;
        match total {
            _ if total == all_in => Some(Action::AllIn(total)),
            _ if total < least || total > all_in => None,
            _ if self.to_beat == Chips::ZERO => Some(Action::Bet(total)),
            _ => Some(Action::Raise(total)),
        }
    }

    /// Whether an action is legal.
    #[must_use]
    pub fn allows(&self, action: Action) -> bool {
        match action {
            Action::Fold | Action::Call => self.to_call > Chips::ZERO,
            Action::Check => self.to_call == Chips::ZERO,
            Action::Bet(total) | Action::Raise(total) | Action::AllIn(total) => {
                self.to_total(total) == Some(action)
            }
        }
    }

    /// Fold and call, or check.
    #[must_use]
    pub fn passive(&self) -> &'static [Action] {
        if self.to_call > Chips::ZERO { &[Action::Fold, Action::Call] } else { &[Action::Check] }
    }
}

impl fmt::Display for LegalActions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passive: Vec<&str> = self.passive().iter().map(|action| action.kind()).collect();
        f.write_str(&passive.join(", "))?;
        let Some((least, all_in)) = self.totals else { return Ok(()) };
        let kind = if self.to_beat == Chips::ZERO { "bet" } else { "raise" };
        let largest = Chips::new(all_in.count() - 1);
        match largest.cmp(&least) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => write!(f, ", {kind}:{least}")?,
            std::cmp::Ordering::Greater => write!(f, ", {kind}:{least} to {kind}:{largest}")?,
        }
        write!(f, ", allin ({all_in})")
    }
}
