//! What a player does, and how people write it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chips::{Chips, ChipsError};

/// What a player does at a decision. Amounts are the street's total: what the player has invested on this
/// street once the action is done, not what the action adds.
///
/// Actions sort as they are listed: fold, check, call, bet, raise, all-in, and then by amount.
///
/// ```
/// use equipoise_game::{Action, Chips};
/// assert_eq!(Action::Raise(Chips::new(300)).to_string(), "raise:300");
/// assert_eq!(Action::AllIn(Chips::new(900)).to_string(), "allin");
/// assert!(Action::Call < Action::Bet(Chips::new(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // The rules of poker know no other.
pub enum Action {
    /// Gives up the pot.
    Fold,
    /// Invests nothing where nothing is to be called.
    Check,
    /// Matches the bet.
    Call,
    /// Opens the betting.
    Bet(Chips),
    /// Goes over a bet.
    Raise(Chips),
    /// Bets or raises everything.
    AllIn(Chips),
}

impl Action {
    /// The kind of action without its amount: fold, check, call, bet, raise or allin.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Action::Fold => "fold",
            Action::Check => "check",
            Action::Call => "call",
            Action::Bet(_) => "bet",
            Action::Raise(_) => "raise",
            Action::AllIn(_) => "allin",
        }
    }

    /// The street's total of a bet, raise or all-in; `None` for the others.
    #[must_use]
    pub const fn total(self) -> Option<Chips> {
        match self {
            Action::Fold | Action::Check | Action::Call => None,
            Action::Bet(total) | Action::Raise(total) | Action::AllIn(total) => Some(total),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WrittenAction::from(*self).fmt(f)
    }
}

/// An action as a person writes it: `fold check call bet:120 raise:300 allin`. How much all-in is, the tree
/// knows.
///
/// ```
/// use equipoise_game::{Action, Chips, WrittenAction};
/// let written: WrittenAction = "allin".parse()?;
/// assert!(written.matches(Action::AllIn(Chips::new(900))));
/// // A bet of everything is the all-in, whichever way it is written.
/// assert!("bet:900".parse::<WrittenAction>()?.matches(Action::AllIn(Chips::new(900))));
/// assert!(!"bet:900".parse::<WrittenAction>()?.matches(Action::Raise(Chips::new(900))));
/// # Ok::<(), equipoise_game::ParseActionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_enums)] // As Action.
pub enum WrittenAction {
    /// `fold`
    Fold,
    /// `check`
    Check,
    /// `call`
    Call,
    /// `bet:N`, N the street's total.
    Bet(Chips),
    /// `raise:N`, N the street's total.
    Raise(Chips),
    /// `allin`
    AllIn,
}

/// Why a text is no action.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParseActionError {
    /// A word that names no action.
    #[error("'{text}' is no action: write fold, check, call, bet:N, raise:N or allin")]
    Unknown {
        /// The word.
        text: String,
    },
    /// `bet` or `raise` without its amount.
    #[error("'{kind}' needs the street's total, as in {kind}:120")]
    MissingAmount {
        /// `bet` or `raise`.
        kind: &'static str,
    },
    /// An amount that is no whole number of chips.
    #[error("the amount of '{kind}': {source}")]
    Amount {
        /// `bet` or `raise`.
        kind: &'static str,
        /// What is wrong with it.
        source: ChipsError,
    },
}

impl WrittenAction {
    /// Whether this names that action. A bet or raise of everything names the all-in.
    #[must_use]
    pub fn matches(self, action: Action) -> bool {
        match (self, action) {
            (WrittenAction::Bet(total) | WrittenAction::Raise(total), Action::AllIn(all)) => total == all,
            _ => self == WrittenAction::from(action),
        }
    }
}

impl From<Action> for WrittenAction {
    fn from(action: Action) -> WrittenAction {
        match action {
            Action::Fold => WrittenAction::Fold,
            Action::Check => WrittenAction::Check,
            Action::Call => WrittenAction::Call,
            Action::Bet(total) => WrittenAction::Bet(total),
            Action::Raise(total) => WrittenAction::Raise(total),
            Action::AllIn(_) => WrittenAction::AllIn,
        }
    }
}

impl fmt::Display for WrittenAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenAction::Fold => f.pad("fold"),
            WrittenAction::Check => f.pad("check"),
            WrittenAction::Call => f.pad("call"),
            WrittenAction::AllIn => f.pad("allin"),
            WrittenAction::Bet(total) => write!(f, "bet:{total}"),
            WrittenAction::Raise(total) => write!(f, "raise:{total}"),
        }
    }
}

impl FromStr for WrittenAction {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<WrittenAction, ParseActionError> {
        let amount = |kind, count: &str| {
            count.parse::<Chips>().map_err(|source| ParseActionError::Amount { kind, source })
        };
        match text.split_once(':') {
            None => match text {
                "fold" => Ok(WrittenAction::Fold),
                "check" => Ok(WrittenAction::Check),
                "call" => Ok(WrittenAction::Call),
                "allin" => Ok(WrittenAction::AllIn),
                "bet" => Err(ParseActionError::MissingAmount { kind: "bet" }),
                "raise" => Err(ParseActionError::MissingAmount { kind: "raise" }),
                _ => Err(ParseActionError::Unknown { text: text.to_owned() }),
            },
            Some(("bet", count)) => amount("bet", count).map(WrittenAction::Bet),
            Some(("raise", count)) => amount("raise", count).map(WrittenAction::Raise),
            Some(_) => Err(ParseActionError::Unknown { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_action_reads_back() {
        let chips = Chips::new(120);
        for action in [
            Action::Fold,
            Action::Check,
            Action::Call,
            Action::Bet(chips),
            Action::Raise(chips),
            Action::AllIn(chips),
        ] {
            let written: WrittenAction = action.to_string().parse().unwrap();
            assert!(written.matches(action));
            assert!(action.to_string().starts_with(action.kind()));
        }
    }

    #[test]
    fn what_is_no_action() {
        for text in ["", "Fold", "bet 120", "allin:900", "call:5", "x:1", "7s"] {
            assert!(matches!(text.parse::<WrittenAction>(), Err(ParseActionError::Unknown { .. })), "{text}");
        }
        assert_eq!("bet".parse::<WrittenAction>(), Err(ParseActionError::MissingAmount { kind: "bet" }));
        assert!(matches!("raise:x".parse::<WrittenAction>(), Err(ParseActionError::Amount { .. })));
        assert!(matches!("bet:-1".parse::<WrittenAction>(), Err(ParseActionError::Amount { .. })));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,16}|(bet|raise|allin|fold):?[0-9]{0,12}") {
            if let Ok(written) = text.parse::<WrittenAction>() {
                prop_assert_eq!(written.to_string().parse::<WrittenAction>(), Ok(written));
            }
        }
    }
}
