//! Locks on a command line.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use super::Problem;
use crate::cards::{HandKinds, KindFilter, Range};
use crate::game::Line;
use crate::postflop::NodePath;

/// A lock in one line: `PATH => HANDS = ACTION @ FREQUENCY, …`.
///
/// The path is the one of `equipoise show`; without cards, as in `check check | bet:50`, the lock holds whatever card comes.
/// Hands are a range (`AKs,QQ+`), a kind (`flush draw`), or `all`. A frequency is a fraction (`0.7`) or percent (`70%`, or `70`:
/// what is above 1 is percent). Actions that are not written are not played.
///
/// ```
/// use equipoise_spots::spot_file::{LockText, Problem, SHIPPED};
/// let problem: Problem = SHIPPED.parse()?;
/// let lock: LockText = "check bet:120 => flush draw = call @ 1".parse()?;
/// let locked = problem.with_locks(&[lock])?;
/// assert_eq!(locked.spot.locks().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LockText {
    path: String,
    hands: String,
    actions: Vec<(String, f64)>,
}

/// Why a text is no lock, or not one of the problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the lock '{text}': {reason}")]
pub struct LockTextError {
    text: String,
    reason: String,
}

impl FromStr for LockText {
    type Err = LockTextError;

    fn from_str(text: &str) -> Result<LockText, LockTextError> {
        let wrong = |reason: &str| LockTextError { text: text.to_owned(), reason: reason.to_owned() };
        let form =
            "write PATH => HANDS = ACTION @ FREQUENCY, as in 'check => AQs = bet:120 @ 0.7, check @ 0.3'";
        let (path, rest) = text.split_once("=>").ok_or_else(|| wrong(form))?;
        let (hands, rest) = rest.split_once('=').ok_or_else(|| wrong(form))?;
        let action = |part: &str| {
            let (action, frequency) = part.split_once('@').ok_or_else(|| wrong(form))?;
            let frequency = frequency.trim();
            let read = read_frequency(frequency)
                .ok_or_else(|| wrong(&format!("'{frequency}' is no frequency: write 0.7, 70 or 70%")))?;
            Ok((action.trim().to_owned(), read))
        };
        let actions = rest.split(',').map(action).collect::<Result<_, _>>()?;
        Ok(LockText { path: path.trim().to_owned(), hands: hands.trim().to_owned(), actions })
    }
}

/// A fraction of 1, or percent: with its sign, or above 1, as weights of ranges after `@` are.
fn read_frequency(text: &str) -> Option<f64> {
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    };
    let number: f64 = number.parse().ok()?;
    Some(if is_percent || number > 1.0 { number / 100.0 } else { number })
}

impl LockText {
    fn wrong(&self, reason: impl ToString) -> LockTextError {
        LockTextError { text: self.shown(), reason: reason.to_string() }
    }

    /// Where it holds and for which hands; at the beginning there is no path.
    fn shown(&self) -> String {
        format!("{} => {}", self.path, self.hands).trim_start().to_owned()
    }

    /// The line and the cards, as a spot file has them.
    fn place(&self) -> Result<(Line, String), LockTextError> {
        if let Ok(line) = self.path.parse::<Line>() {
            return Ok((line, String::new()));
        }
        let path: NodePath = self.path.parse().map_err(|error| self.wrong(error))?;
        Ok((path.line, path.runout.iter().map(ToString::to_string).collect()))
    }

    /// The hands as range text; nothing for all.
    fn range(&self, problem: &Problem, line: &Line, cards: &str) -> Result<Option<String>, LockTextError> {
        if self.hands.is_empty() || self.hands == "all" {
            return Ok(None);
        }
        let of_range = match self.hands.parse::<Range>() {
            Ok(_) => return Ok(Some(self.hands.clone())),
            Err(error) => error,
        };
        let Ok(filter) = self.hands.parse::<KindFilter>() else { return Err(self.wrong(of_range)) };
        let tree = problem.spot.tree();
        let node = tree.find(line).map_err(|error| self.wrong(error))?;
        let player = tree.node(node).player().ok_or_else(|| self.wrong("nobody acts there"))?;
        let board = format!("{}{cards}", problem.spot.board());
        let board = board.parse().map_err(|error| self.wrong(error))?;
        let kinds =
            HandKinds::new(&board).filter(|_| board.street() == tree.node(node).street()).ok_or_else(
                || self.wrong("what kind a hand is depends on the cards: write them into the path"),
            )?;
        let range = &problem.spot.ranges()[player];
        let held = kinds.matching(&filter).filter(|&combo| range.get(combo) > 0.0);
        let combos: Vec<String> = held.map(|combo| combo.to_string()).collect();
        if combos.is_empty() {
            return Err(self.wrong(format!("{player} holds no such hand there")));
        }
        Ok(Some(combos.join(",")))
    }
}

impl Problem {
    /// The same problem with more locks; its text has them too.
    ///
    /// # Errors
    /// [`LockTextError`] if a lock does not fit.
    pub fn with_locks(&self, locks: &[LockText]) -> Result<Problem, LockTextError> {
        self.with_locks_unless(locks, &|| false)
    }

    /// The same, cancelled by `is_cancelled`.
    ///
    /// # Errors
    /// [`LockTextError`] if a lock does not fit, or if it was given up.
    pub fn with_locks_unless(
        &self,
        locks: &[LockText],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Problem, LockTextError> {
        // Locks of one decision stand together, as spot files want them.
        let mut tables: Vec<(Line, String, String, Vec<String>)> = Vec::new();
        for lock in locks {
            let (line, cards) = lock.place()?;
            let actions: Vec<String> = lock
                .actions
                .iter()
                .map(|(action, frequency)| format!("{action:?} = {frequency:?}"))
                .collect();
            let actions = format!("{{ {} }}", actions.join(", "));
            let at = tables.iter().position(|table| table.0 == line && table.1 == cards);
            let at = at.unwrap_or_else(|| {
                tables.push((line.clone(), cards.clone(), String::new(), Vec::new()));
                tables.len() - 1
            });
            match lock.range(self, &line, &cards)? {
                None => tables[at].2 = actions,
                Some(hands) => tables[at].3.push(format!("{hands:?} = {actions}")),
            }
        }
        let mut text = self.text.trim_end().to_owned();
        for (line, cards, strategy, hands) in tables {
            let _ = write!(text, "\n\n[[locks]]\nline = {:?}\n", line.to_string());
            if !cards.is_empty() {
                let _ = writeln!(text, "runout = {cards:?}");
            }
            if !strategy.is_empty() {
                let _ = writeln!(text, "strategy = {strategy}");
            }
            if !hands.is_empty() {
                let _ = writeln!(text, "hands = {{ {} }}", hands.join(", "));
            }
        }
        let problem = Problem::read_unless(&text, is_cancelled).map_err(|error| {
            let text: Vec<String> = locks.iter().map(LockText::shown).collect();
            LockTextError { text: text.join("', '"), reason: error.message() }
        })?;
        Ok(Problem { options: self.options.clone(), ..problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot_file::SHIPPED;

    fn locked(locks: &[&str]) -> Result<Problem, LockTextError> {
        let problem: Problem = SHIPPED.parse().unwrap();
        problem.with_locks(&locks.iter().map(|lock| lock.parse()).collect::<Result<Vec<_>, _>>()?)
    }

    #[test]
    fn locks_of_one_decision_stand_together() {
        let problem = locked(&[
            "check => AQs = bet:120 @ 1",
            "check=>all=check@1.0",
            "=> QQ+ = check @ 0.5, bet:120 @ 0.5",
        ]);
        let problem = problem.unwrap();
        assert_eq!(problem.spot.locks().len(), 2);
        assert!(problem.text.contains("strategy = { \"check\" = 1.0 }"), "{}", problem.text);
        assert_eq!(problem.text.parse::<Problem>().unwrap().spot.locks(), problem.spot.locks());
        let river =
            locked(&["check check | 7s | => set = check @ 1", "check check | check => all = check @ 1"]);
        assert_eq!(river.unwrap().spot.locks()[0].runout.len(), 1);
    }

    #[test]
    fn frequencies_are_fractions_or_percent() {
        let of = |lock: &str| locked(&[lock]).unwrap().spot.locks()[0].strategy.clone();
        let fractions = of("check => all = check @ 0.7, bet:120 @ 0.3");
        assert_eq!(of("check => all = check @ 70, bet:120 @ 30"), fractions);
        assert_eq!(of("check => all = check @ 70%, bet:120 @ 30 %"), fractions);
        assert_eq!(of("check => all = check @ 100"), of("check => all = check @ 1"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (lock, words) in [
            ("check", "write PATH"),
            ("check => AQs", "write PATH"),
            ("check => AQs = bet:120", "write PATH"),
            ("check => AQs = bet:120 @ often", "no frequency"),
            ("check => AQs = bet:121 @ 1", "not possible"),
            ("check => AQs = bet:120 @ 0.5", "sum to"),
            ("check => AKx = check @ 1", "AKx"),
            ("check check | check => set = check @ 1", "write them into the path"),
            ("chek => all = check @ 1", "chek"),
            ("check => quads = check @ 1", "holds no such hand"),
            (
                "=> 72o = check @ 1",
                "'=> 72o': [locks.0.hands] 72o: none of its combos is in the range of oop on the board Td9d6hQc",
            ),
            ("check check | 7s | => 7s6s = check @ 1", "on the board Td9d6hQc7s"),
        ] {
            let error = locked(&[lock]).expect_err(lock).to_string();
            assert!(error.contains(words), "{lock}: {error}");
        }
    }
}
