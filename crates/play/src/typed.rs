//! Actions as people give them, in big blinds.

use equipoise_game::{Action, Chips, HandState, LegalActions};
use thiserror::Error;

/// An action as a person gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TypedAction {
    /// Folds.
    Fold,
    /// Checks.
    Check,
    /// Calls.
    Call,
    /// Checks or calls, whichever is legal.
    CheckOrCall,
    /// Bets or raises to this many big blinds on the street.
    To(f64),
    /// Everything.
    AllIn,
}

/// An action that cannot be taken.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TypedActionError {
    /// A text that is no action.
    #[error("type f, c, a, q, or the big blinds that you bet or raise to, such as 2.5")]
    Unknown,
    /// Nobody acts.
    #[error("nobody acts: the hand is over")]
    NobodyActs,
    /// The rules do not allow it.
    #[error("{what} is not legal here; legal: {legal}")]
    Illegal {
        /// What was tried.
        what: String,
        /// What is legal.
        legal: String,
    },
    /// A size that is too small or too large.
    #[error("from {least} to {most} big blinds are legal here")]
    Size {
        /// The least total of the street.
        least: String,
        /// All-in.
        most: String,
    },
}

/// An amount in big blinds, as short as it is exact to a hundredth.
fn bb(chips: Chips, big_blind: f64) -> String {
    let text = format!("{:.2}", chips.as_f64() / big_blind);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is legal, with amounts in big blinds: `fold, call 1 bb, raise to 2 to 100 bb (all-in)`.
#[must_use]
pub fn legal_text(legal: &LegalActions, big_blind: f64) -> String {
    let bb = |chips| bb(chips, big_blind);
    let mut can = if legal.to_call() > Chips::ZERO {
        format!("fold, call {} bb", bb(legal.to_call()))
    } else {
        "check".to_owned()
    };
    if let Some((least, most)) = legal.totals() {
        let size = if least == most { bb(most) } else { format!("{} to {}", bb(least), bb(most)) };
        can.push_str(&format!(", bet or raise to {size} bb ({} bb is all-in)", bb(most)));
    }
    can
}

impl TypedAction {
    /// Reads `f`, `c`, `a`, or a number of big blinds as in `2.5`, `r2.5` and `2.5bb`.
    ///
    /// # Errors
    /// [`TypedActionError::Unknown`] if it is none of them.
    pub fn read(text: &str) -> Result<TypedAction, TypedActionError> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "f" | "fold" => TypedAction::Fold,
            "c" | "call" | "check" | "x" | "k" => TypedAction::CheckOrCall,
            "a" | "allin" | "all-in" => TypedAction::AllIn,
            other => {
                let number = other.trim_start_matches(['b', 'r', ' ']).trim_end_matches("bb").trim();
                let size = number.parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0);
                TypedAction::To(size.ok_or(TypedActionError::Unknown)?)
            }
        })
    }

    /// The action of the rules, in a hand with this big blind.
    ///
    /// # Errors
    /// [`TypedActionError`] says what is legal.
    pub fn of(self, hand: &HandState, big_blind: f64) -> Result<Action, TypedActionError> {
        let legal = hand.legal_actions().ok_or(TypedActionError::NobodyActs)?;
        let illegal = |what: &str| TypedActionError::Illegal {
            what: what.to_owned(),
            legal: legal_text(&legal, big_blind),
        };
        let is_bet = legal.to_call() > Chips::ZERO;
        match self {
            TypedAction::Fold if is_bet => Ok(Action::Fold),
            TypedAction::Fold => Err(illegal("a fold")),
            TypedAction::Call | TypedAction::CheckOrCall if is_bet => Ok(Action::Call),
            TypedAction::Check | TypedAction::CheckOrCall if !is_bet => Ok(Action::Check),
            TypedAction::Call => Err(illegal("a call")),
            TypedAction::Check | TypedAction::CheckOrCall => Err(illegal("a check")),
            TypedAction::AllIn => {
                let (_, all) = legal.totals().ok_or_else(|| illegal("a bet or raise"))?;
                Ok(Action::AllIn(all))
            }
            TypedAction::To(size) => {
                let (least, most) = legal.totals().ok_or_else(|| illegal("a bet or raise"))?;
                let total = (size * big_blind).round();
                let fits = total >= least.as_f64() && total <= most.as_f64();
                let action = fits.then(|| legal.to_total(Chips::new(total as u32))).flatten();
                action.ok_or_else(|| TypedActionError::Size {
                    least: bb(least, big_blind),
                    most: bb(most, big_blind),
                })
            }
        }
    }
}

/// A size that people choose often.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SizePreset {
    /// What it is called: `75 %`.
    pub name: String,
    /// The total of the street.
    pub total: Chips,
}

/// The least size, shares of the pot after a call (33, 75 and 100 %), and all-in, as far as they are legal and differ.
#[must_use]
pub fn size_presets(hand: &HandState) -> Vec<SizePreset> {
    let (Some(legal), Some(point)) = (hand.legal_actions(), hand.bet_point()) else { return Vec::new() };
    let Some((least, most)) = legal.totals() else { return Vec::new() };
    let share = |pct: f64| {
        let total = point.to_beat.as_f64() + pct / 100.0 * point.pot_after_call.as_f64();
        (format!("{pct} %"), Chips::new(total.round().min(most.as_f64()) as u32))
    };
    let mut found: Vec<SizePreset> = Vec::new();
    let sizes = [("Min".to_owned(), least), share(33.0), share(75.0), share(100.0)];
    for (name, total) in sizes.into_iter().filter(|&(_, total)| total >= least && total < most) {
        if found.iter().all(|other| other.total != total) {
            found.push(SizePreset { name, total });
        }
    }
    found.push(SizePreset { name: "All-in".to_owned(), total: most });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_game::HandConfig;

    fn hand(stack: u32) -> HandState {
        HandState::new(&HandConfig::new(Chips::new(50), Chips::new(100), Chips::new(stack))).unwrap()
    }

    #[test]
    fn typed_actions_are_those_of_the_rules() {
        let first = hand(10_000);
        for (text, wanted) in [
            ("f", Ok(Action::Fold)),
            ("C ", Ok(Action::Call)),
            ("2.5", Ok(Action::Raise(Chips::new(250)))),
            ("r3bb", Ok(Action::Raise(Chips::new(300)))),
            ("all-in", Ok(Action::AllIn(Chips::new(10_000)))),
            ("1.5", Err("from 2 to 100 big blinds are legal here")),
            ("101", Err("from 2 to 100 big blinds are legal here")),
            ("-3", Err("type f, c, a, q, or")),
            ("nan", Err("type f, c, a, q, or")),
            ("raise", Err("type f, c, a, q, or")),
        ] {
            let found = TypedAction::read(text).and_then(|typed| typed.of(&first, 100.0));
            match wanted {
                Ok(action) => assert_eq!(found, Ok(action), "{text}"),
                Err(words) => assert!(found.clone().unwrap_err().to_string().contains(words), "{found:?}"),
            }
        }
        let error = TypedAction::Check.of(&first, 100.0).unwrap_err().to_string();
        assert_eq!(
            error,
            "a check is not legal here; legal: fold, call 0.5 bb, bet or raise to 2 to 100 bb (100 bb is all-in)"
        );
        let flop = first.act(Action::Call).unwrap().act(Action::Check).unwrap().deal().unwrap();
        let error = TypedAction::Fold.of(&flop, 100.0).unwrap_err().to_string();
        assert!(
            error.starts_with("a fold is not legal here; legal: check, bet or raise to 1 to 99 bb"),
            "{error}"
        );
        let over = first.act(Action::Fold).unwrap();
        assert_eq!(TypedAction::AllIn.of(&over, 100.0), Err(TypedActionError::NobodyActs));
    }

    #[test]
    fn presets_are_legal_and_differ() {
        let text = |hand: &HandState| -> Vec<String> {
            size_presets(hand).iter().map(|preset| format!("{} {}", preset.name, preset.total)).collect()
        };
        // The pot after a call of the small blind is two big blinds; a third of it would be no raise.
        assert_eq!(text(&hand(10_000)), ["Min 200", "75 % 250", "100 % 300", "All-in 10000"]);
        assert_eq!(text(&hand(250)), ["Min 200", "All-in 250"]);
        let flop = hand(10_000).act(Action::Raise(Chips::new(250))).unwrap().act(Action::Call).unwrap();
        let flop = flop.deal().unwrap();
        assert_eq!(text(&flop), ["Min 100", "33 % 165", "75 % 375", "100 % 500", "All-in 9750"]);
        let all_in = flop.act(Action::AllIn(Chips::new(9_750))).unwrap();
        assert!(size_presets(&all_in).is_empty());
    }
}
