//! Betting lines as the protocol writes them: what the player who acts has invested since the root, action by action.
//!
//! `0 0 0 412 412 1442` on a flop is: check, check; check, bet 412, call; bet 1,442, which adds 1,030 to the 412. A number
//! that repeats the player's own total is a check, one that repeats the opponent's is a call.

use std::fmt;

use equipoise_game::{Chips, Line, PerPlayer, Player, WrittenAction};

use crate::arguments::chips;
use crate::error::UpiError;

/// A betting line: totals since the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BetLine(Vec<Chips>);

/// What the last number of a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastAction {
    Passive,
    Aggressive,
}

impl BetLine {
    pub(crate) fn parse(words: &[String]) -> Result<BetLine, UpiError> {
        if words.is_empty() {
            return Err(UpiError::new("a line needs totals, as in 0 40 40: check, bet 40, call"));
        }
        let total = |(at, word): (usize, &String)| {
            chips(word).map_err(|error| error.at(format!("number {} of the line", at + 1)))
        };
        let line = BetLine(words.iter().enumerate().map(total).collect::<Result<_, _>>()?);
        line.walk(None)?;
        Ok(line)
    }

    pub(crate) fn starts_with(&self, other: &BetLine) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The line without its last action; `None` if nothing is left.
    pub(crate) fn before_last(&self) -> Option<BetLine> {
        let kept = &self.0[..self.0.len() - 1];
        (!kept.is_empty()).then(|| BetLine(kept.to_vec()))
    }

    pub(crate) fn last_action(&self) -> LastAction {
        match self.walk(None) {
            Ok((_, WrittenAction::Check | WrittenAction::Call)) | Err(_) => LastAction::Passive,
            Ok(_) => LastAction::Aggressive,
        }
    }

    /// The line of a tree whose players have this much.
    pub(crate) fn in_tree(&self, stack: Chips) -> Result<Line, UpiError> {
        self.walk(Some(stack)).map(|(line, _)| line)
    }

    /// Follows the totals; also the last action. Without a stack, nothing is too much.
    fn walk(&self, stack: Option<Chips>) -> Result<(Line, WrittenAction), UpiError> {
        let mut line = Line::root();
        let mut invested = PerPlayer::new(Chips::ZERO, Chips::ZERO);
        let (mut player, mut base) = (Player::Oop, Chips::ZERO);
        let (mut is_over, mut is_all_in) = (false, false);
        let mut last = WrittenAction::Check;
        for (at, &total) in self.0.iter().enumerate() {
            let wrong =
                |reason: String| UpiError::new(format!("number {} of the line '{self}': {reason}", at + 1));
            if is_all_in {
                return Err(wrong("both players are all-in before it".to_owned()));
            }
            if is_over {
                line.deal();
                (player, base) = (Player::Oop, invested[Player::Oop]);
            }
            let (own, other) = (invested[player], invested[player.opponent()]);
            if let Some(stack) = stack.filter(|&stack| total > stack) {
                return Err(wrong(format!("{total} is more than the stack of {stack} chips")));
            }
            if total < other {
                let what = if own == other { "a check" } else { "a call" };
                return Err(wrong(format!(
                    "{total} is less than {other}, which would be {what}: totals never shrink"
                )));
            }
            last = match (total == other, own == other) {
                (true, true) => WrittenAction::Check,
                (true, false) => WrittenAction::Call,
                _ if Some(total) == stack => WrittenAction::AllIn,
                (false, true) => WrittenAction::Bet(total - base),
                (false, false) => WrittenAction::Raise(total - base),
            };
            line.act(last);
            invested[player] = total;
            is_over = last == WrittenAction::Call || (last == WrittenAction::Check && player == Player::Ip);
            is_all_in = last == WrittenAction::Call && Some(total) == stack;
            player = player.opponent();
        }
        Ok((line, last))
    }
}

impl fmt::Display for BetLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, total) in self.0.iter().enumerate() {
            write!(f, "{}{total}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<BetLine, UpiError> {
        BetLine::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn totals_become_actions() {
        for (text, want) in [
            ("0", "check"),
            ("0 0", "check check"),
            ("0 0 0 412 412 1442", "check check | check bet:412 call | bet:1030"),
            ("412 412 412 412 412 1442", "bet:412 call | check check | check bet:1030"),
            ("412 1442 1442 9750", "bet:412 raise:1442 call | allin"),
            ("0 41 112 257 553 975", "check bet:41 raise:112 raise:257 raise:553 raise:975"),
        ] {
            assert_eq!(line(text).unwrap().in_tree(Chips::new(9750)).unwrap().to_string(), want, "{text}");
        }
        let all = line("0 41 112 975").unwrap().in_tree(Chips::new(975)).unwrap();
        assert_eq!(all.to_string(), "check bet:41 raise:112 allin");
    }

    #[test]
    fn what_cannot_be() {
        for (text, part) in [
            ("0 -4", "number 2"),
            ("10 5", "less than 10"),
            ("10 10 0", "number 3 of the line '10 10 0': 0 is less than 10"),
            ("x", "number 1"),
        ] {
            assert!(line(text).unwrap_err().to_string().contains(part), "{text}");
        }
        let stack = Chips::new(100);
        assert!(
            line("0 101").unwrap().in_tree(stack).unwrap_err().to_string().contains("more than the stack")
        );
        assert!(
            line("100 100 100").unwrap().in_tree(stack).unwrap_err().to_string().contains("all-in before")
        );
    }

    #[test]
    fn the_last_action() {
        assert_eq!(line("0 0").unwrap().last_action(), LastAction::Passive);
        assert_eq!(line("10 10").unwrap().last_action(), LastAction::Passive);
        assert_eq!(line("10 30").unwrap().last_action(), LastAction::Aggressive);
    }
}
