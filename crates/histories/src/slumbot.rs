//! Slumbot's action strings, and the answers of its API.
//!
//! `b200c/kk/kb200c/kk`: `k` check, `c` call, `f` fold, `b` with the total of the street; streets are separated by `/`. The
//! API answers with JSON that has such a string as `action`, and cards.

use std::fmt::Write as _;

use equipoise_cards::{Card, parse_cards};
use serde::Deserialize;

use crate::amount::{MAX_CHIPS, bet_amount};
use crate::error::Problem;
use crate::history::{Event, Format, History, Player, Said};
use crate::reader::Stakes;
use crate::replay::{Move, Replay};

/// Whose turn it is heads-up, and what was bet on earlier streets, for formats that do not name the player.
pub(crate) struct Round {
    player: usize,
    matched: u64,
    /// The bets of this street; `None` until somebody bets.
    bet: Option<u64>,
    is_first_street: bool,
}

impl Round {
    /// Before the flop the button acts first.
    pub(crate) fn begin() -> Round {
        Round { player: 1, matched: 0, bet: None, is_first_street: true }
    }

    pub(crate) const fn player(&self) -> usize {
        self.player
    }

    /// What each has bet on earlier streets.
    pub(crate) const fn matched(&self) -> u64 {
        self.matched
    }

    /// The other player's turn comes.
    pub(crate) fn record(&mut self, event: &Event, history: &History) {
        if let Event::BetTo(_, total) = event {
            self.bet = Some(*total);
        }
        if self.is_first_street && self.bet.is_none() {
            self.bet = Some(history.players[0].blind.min(history.players[1].stack));
        }
        self.player = 1 - self.player;
    }

    /// The next street begins with the big blind.
    pub(crate) fn next(&mut self) {
        self.matched += self.bet.unwrap_or(0);
        (self.bet, self.player, self.is_first_street) = (None, 0, false);
    }
}

/// What the API answers.
#[derive(Deserialize)]
struct Answer {
    action: Option<String>,
    client_pos: Option<usize>,
    hole_cards: Option<Vec<String>>,
    bot_hole_cards: Option<Vec<String>>,
    board: Option<Vec<String>>,
    winnings: Option<i64>,
    error_msg: Option<String>,
}

/// A line: an action string, or an answer of the API; `None` if it is empty.
pub(crate) fn parse(line: &str, stakes: &Stakes) -> Result<Option<History>, Problem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if !line.starts_with('{') {
        return action_string(line, &[], stakes).map(Some);
    }
    let answer: Answer = serde_json::from_str(line)
        .map_err(|error| Problem::syntax(format!("no answer of Slumbot's API: {error}")))?;
    if let Some(message) = answer.error_msg {
        return Err(Problem::syntax(format!("Slumbot answered with an error: {message}")));
    }
    let action = answer.action.ok_or_else(|| Problem::syntax("the answer has no `action`"))?;
    let board = cards(&answer.board.unwrap_or_default())?;
    let mut history = action_string(&action, &board, stakes)?;
    let hero = answer.client_pos.unwrap_or(0);
    if hero > 1 {
        return Err(Problem::syntax(format!("client_pos is {hero}: 0 is the big blind, 1 the button")));
    }
    history.hero = answer.client_pos;
    hole(&mut history.players[hero], answer.hole_cards)?;
    hole(&mut history.players[1 - hero], answer.bot_hole_cards)?;
    if let Some(won) = answer.winnings {
        if won.unsigned_abs() > MAX_CHIPS {
            return Err(Problem::syntax(format!("winnings of {won} chips: the most is {MAX_CHIPS}")));
        }
        history.stated_winnings = Some(if hero == 0 { vec![won, -won] } else { vec![-won, won] });
    }
    Ok(Some(history))
}

fn cards(texts: &[String]) -> Result<Vec<Card>, Problem> {
    Ok(parse_cards(&texts.concat())?)
}

fn hole(player: &mut Player, texts: Option<Vec<String>>) -> Result<(), Problem> {
    match cards(&texts.unwrap_or_default())?[..] {
        [] => {}
        [first, second] => player.take_cards(first, second),
        ref cards => {
            return Err(Problem::syntax(format!("{} private cards: a hand has two", cards.len())));
        }
    }
    Ok(())
}

/// The hand of an action string. Public cards that are not given are unknown.
fn action_string(text: &str, board: &[Card], stakes: &Stakes) -> Result<History, Problem> {
    let mut history = stakes.history(Format::Slumbot);
    let mut round = Round::begin();
    for (id, street) in text.split('/').enumerate() {
        if id > 3 {
            return Err(Problem::syntax("there are more than four streets"));
        }
        if id > 0 {
            let (from, to) = ([0, 0, 3, 4][id], [0, 3, 4, 5][id]);
            match board.get(from..to) {
                Some(cards) => history.events.push(Event::Board(cards.to_vec())),
                None if board.is_empty() => history.events.push(Event::Board(Vec::new())),
                // The last cards of an answer may not have come yet.
                None if street.is_empty() => break,
                None => return Err(Problem::syntax(format!("the board has {} cards", board.len()))),
            }
            round.next();
        }
        actions(&mut history, street, &mut round)?;
    }
    // Cards that came after an all-in have no betting.
    let dealt = history.events.iter().filter(|event| matches!(event, Event::Board(_))).count();
    for range in [0..3, 3..4, 4..5].into_iter().skip(dealt) {
        if let Some(cards) = board.get(range) {
            history.events.push(Event::Board(cards.to_vec()));
        }
    }
    Ok(history)
}

fn actions(history: &mut History, text: &str, round: &mut Round) -> Result<(), Problem> {
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let player = round.player();
        let event = match letter {
            'f' => Event::Fold(player),
            'c' | 'k' => {
                round.record(&Event::CheckOrCall(player), history);
                history.push_passive(player, if letter == 'k' { Said::Check } else { Said::Call(None) });
                continue;
            }
            'b' => {
                let end = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (digits, after) = rest.split_at(end);
                rest = after;
                let total = bet_amount(digits)
                    .ok_or_else(|| Problem::syntax(format!("'b{digits}' has no amount")))?;
                Event::BetTo(player, total)
            }
            _ => return Err(Problem::syntax(format!("'{letter}' is no action: k, c, f or b and an amount"))),
        };
        round.record(&event, history);
        history.events.push(event);
    }
    Ok(())
}

/// The replay of a hand that formats for two players without antes can hold.
pub(crate) fn heads_up_without_ante(history: &History, format: Format) -> Result<Replay, Problem> {
    let not_held = |reason: &str| Problem::NotHeld { format, reason: reason.to_owned() };
    if history.players.len() != 2 {
        return Err(not_held("it has more than two players"));
    }
    if history.players.iter().any(|player| player.ante > 0) {
        return Err(not_held("it has antes"));
    }
    history.replay().map_err(|(_, problem)| problem)
}

pub(crate) fn write(history: &History) -> Result<String, Problem> {
    let replay = heads_up_without_ante(history, Format::Slumbot)?;
    let mut text = String::new();
    let betting = replay.streets.iter().rposition(|street| !street.steps.is_empty()).unwrap_or(0);
    // After an all-in no street is written; a street that has begun without an action is.
    let last = if replay.is_over { betting } else { replay.streets.len() - 1 };
    for (id, street) in replay.streets[..=last].iter().enumerate() {
        text.push_str(if id == 0 { "" } else { "/" });
        for step in &street.steps {
            match step.action {
                Move::Fold => text.push('f'),
                Move::Check => text.push('k'),
                Move::Call => text.push('c'),
                Move::Bet | Move::Raise => {
                    let _ = write!(text, "b{}", step.street_total);
                }
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> History {
        parse(line, &Stakes::default()).unwrap().unwrap()
    }

    #[test]
    fn known_hands() {
        let hand = read("b250c/kb333c/kk/b917f");
        assert_eq!(hand.winnings(), Some(vec![583, -583]));
        assert_eq!(write(&hand).unwrap(), "b250c/kb333c/kk/b917f");
        assert_eq!(hand.write(Format::Acpc).unwrap(), "STATE:0:r250c/cr583c/cc/r1500f:|///:583|-583:p1|p2");
        assert_eq!(read("b200f").winnings(), Some(vec![-100, 100]));
        let answer = r#"{"old_action": "", "action": "b200c/kk/kb200c/kk", "client_pos": 0, "hole_cards": ["Ac", "9d"],
            "board": ["6d", "5d", "Jh", "2s", "Tc"], "bot_hole_cards": ["Jc", "Js"], "winnings": -400, "won_pot": -800}"#;
        let hand = read(&answer.replace('\n', " "));
        assert_eq!(hand.replay().unwrap().winnings(&hand), Some(vec![-400, 400]));
        assert_eq!(hand.winnings(), Some(vec![-400, 400]));
        let jam = r#"{"action": "b20000c", "client_pos": 1, "hole_cards": ["Ac", "Ad"], "board": ["6d", "5d", "Jh", "2s", "Tc"], "bot_hole_cards": ["Kc", "Ks"]}"#;
        assert_eq!(read(jam).winnings(), Some(vec![-20_000, 20_000]));
        assert_eq!(write(&read(jam)).unwrap(), "b20000c");
        assert_eq!(write(&read("b20000c///")).unwrap(), "b20000c");
        assert_eq!(write(&read("b200c/")).unwrap(), "b200c/");
    }

    #[test]
    fn checks_are_no_calls() {
        for (line, words) in [
            ("b200k", "p1 checks where 100 is to be called; legal: fold, call 100, raise to 300 up to 20000"),
            ("cc", "p1 calls where nothing is to be called; legal: check, raise to 200 up to 20000"),
            ("k", "p2 checks where 50 is to be called"),
        ] {
            let error = read(line).replay().unwrap_err().1.to_string();
            assert!(error.starts_with(words), "{line}: {error}");
        }
    }

    #[test]
    fn minimum_raises() {
        let error = read("b200b250").replay().unwrap_err().1.to_string();
        assert!(
            error.contains("p1 bets or raises to 250; legal: fold, call 100, raise to 300 up to 20000"),
            "{error}"
        );
        assert!(read("b200b300").replay().is_ok());
    }

    #[test]
    fn what_is_wrong() {
        for (line, words) in [
            ("b200c/kk/kk/kk/kk", "more than four streets"),
            ("b200x", "'x' is no action"),
            ("bc", "has no amount"),
            ("{\"error_msg\": \"no\"}", "answered with an error: no"),
            ("{\"client_pos\": 1}", "no `action`"),
            ("{\"action\": \"\", \"client_pos\": 3}", "client_pos is 3"),
            ("{", "no answer"),
        ] {
            let error = parse(line, &Stakes::default()).unwrap_err().to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
    }
}
