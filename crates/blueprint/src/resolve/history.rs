//! Where a hand stands, and lines whose last street leaves the blueprint.

use equipoise_cards::{Combo, Street};
use equipoise_game::{Action, Chips, HandState, IllegalAction, NodeKind};
use thiserror::Error;

use crate::whole::{Blueprint, Line, LineError};

/// Where a hand stands: its line in the blueprint up to where its street begins, and what has happened since.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // Plain data that callers fill in.
pub struct History<'a> {
    /// The blueprint's line to the first decision of the street.
    pub line: Line<'a>,
    /// The hand as it is played at the first decision of the street. Its pot may differ from the blueprint's if bets before
    /// were taken for others; what combos are worth is then scaled by the pots.
    pub hand: HandState,
    /// The actions of the street so far, in the blueprint or not.
    pub actions: Vec<Action>,
    /// An action that the decision shall offer, whether the blueprint considers it or not.
    pub offered: Option<Action>,
    /// A combo that the hero's range shall have, however rarely the blueprint comes with it: at least once in ten thousand.
    pub held: Option<Combo>,
}

/// Why a text is no line to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// Not in the blueprint, where nobody acts.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An action that is none.
    #[error(
        "'{text}' is no action here: write f, x, c, a, b75 for 75 % of the pot, b350c for a total of 350 chips, or before the flop r3.2 for 3.2 big blinds"
    )]
    Action {
        /// What was written.
        text: String,
    },
    /// More after a street with bets that the blueprint lacks.
    #[error(
        "'{text}' comes after the end of a street with bets that the blueprint lacks: only the street of the decision may have them"
    )]
    StreetIsOver {
        /// What was written.
        text: String,
    },
    /// An action that the rules do not allow.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

impl<'a> History<'a> {
    /// Of a line that is in the blueprint.
    #[must_use]
    pub fn of_line(line: &Line<'a>) -> History<'a> {
        let (root, actions) = (line.street_root(), line.street_actions());
        History { hand: *root.position.hand(), line: root, actions, offered: None, held: None }
    }

    /// Walks a line as [`Line::walk`] does. On its last street any bet may be made: `b120` is 120 % of the pot, `b350c` a bet or
    /// raise to 350 chips on the street, and before the flop `r3.2` a raise to 3.2 big blinds.
    ///
    /// # Errors
    /// [`HistoryError`] names what does not fit.
    pub fn walk(blueprint: &'a Blueprint, text: &str) -> Result<History<'a>, HistoryError> {
        let is_between = |letter: char| letter == '|' || letter == ',' || letter.is_whitespace();
        let words: Vec<&str> = text.split(is_between).filter(|word| !word.is_empty()).collect();
        // As far as the blueprint goes; then the actions of one street.
        let mut line = Line::walk(blueprint, "")?;
        let mut failed = None;
        let mut at = 0;
        while at < words.len() && failed.is_none() {
            match Line::walk(blueprint, &words[..=at].join(" ")) {
                Ok(next) => (line, at) = (next, at + 1),
                Err(error) => failed = Some(error),
            }
        }
        let mut history = History::of_line(&line);
        let Some(error) = failed else { return Ok(history) };
        if !matches!(line.position.hand().kind(), NodeKind::Decision(_)) {
            return Err(error.into());
        }
        let mut hand = *line.position.hand();
        let big_blind = blueprint.header().game.hand.big_blind;
        for &word in &words[at..] {
            let text = word.to_owned();
            if hand.to_act().is_none() {
                return Err(HistoryError::StreetIsOver { text });
            }
            let action = written_action(&hand, word, big_blind).ok_or(HistoryError::Action { text })?;
            hand = hand.act(action)?;
            history.actions.push(action);
        }
        Ok(history)
    }

    /// Whether the blueprint's hand is where the street begins; it is not if bets were taken for others that ended it.
    pub(super) fn is_followed(&self) -> bool {
        let there = self.line.position.hand();
        there.street() == self.hand.street() && there.to_act().is_some()
    }
}

/// An action of the rules, in the blueprint or not.
fn written_action(hand: &HandState, word: &str, big_blind: Chips) -> Option<Action> {
    let legal = hand.legal_actions()?;
    let find = |wanted: Action| legal.passive().iter().copied().find(|&action| action == wanted);
    match word.to_ascii_lowercase().as_str() {
        "f" | "fold" => find(Action::Fold),
        "x" | "k" | "check" => find(Action::Check),
        "c" | "call" => find(Action::Call),
        "a" | "jam" | "allin" | "all-in" => legal.totals().and_then(|(_, most)| legal.to_total(most)),
        other => {
            let number = other.strip_prefix(['b', 'r'])?;
            let whole = |total: f64| {
                (total.is_finite() && (0.0..1e9).contains(&total)).then_some(total.round() as u32)
            };
            let total = match number.strip_suffix('c') {
                Some(chips) => chips.parse::<u32>().ok()?,
                None if hand.street() == Street::Preflop && other.starts_with('r') => {
                    whole(number.parse::<f64>().ok()? * big_blind.as_f64())?
                }
                None => {
                    let share: f64 = number.trim_end_matches('%').parse().ok()?;
                    let point = hand.bet_point()?;
                    whole(point.to_beat.as_f64() + share / 100.0 * point.pot_after_call.as_f64())?
                }
            };
            legal.to_total(Chips::new(total))
        }
    }
}
