//! ACPC match states and logs.
//!
//! `MATCHSTATE:<position>:<hand>:<betting>:<cards>` while a hand is played, as one player sees it, and
//! `STATE:<hand>:<betting>:<cards>:<values>:<names>` once it is over. Position 0 is the big blind, position 1 the button. `f`,
//! `c` and `r` with the total of the whole hand; rounds are separated by `/`.

use std::fmt::Write as _;

use equipoise_cards::parse_cards;

use crate::amount::bet_amount;
use crate::error::Problem;
use crate::history::{Event, Format, History, Player};
use crate::reader::Stakes;
use crate::replay::{Move, Replay};
use crate::slumbot::{Round, heads_up_without_ante};

/// A line of a log or a match state; `None` for scores and comments.
pub(crate) fn parse(line: &str, stakes: &Stakes) -> Result<Option<History>, Problem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("SCORE:") {
        return Ok(None);
    }
    let fields: Vec<&str> = line.split(':').collect();
    match fields[..] {
        ["STATE", hand, betting, cards, values, names] => {
            let mut history = base(hand, betting, cards, stakes)?;
            history.stated_winnings = Some(pair(values, "values", parse_value)?.into());
            let [first, second] = pair(names, "names", |name| Ok(name.to_owned()))?;
            (history.players[0].name, history.players[1].name) = (Some(first), Some(second));
            Ok(Some(history))
        }
        ["MATCHSTATE", position, hand, betting, cards] => {
            let mut history = base(hand, betting, cards, stakes)?;
            history.hero = match position {
                "0" => Some(0),
                "1" => Some(1),
                _ => return Err(Problem::syntax(format!("the position '{position}' is neither 0 nor 1"))),
            };
            Ok(Some(history))
        }
        ["STATE", ..] => Err(wrong_fields("STATE:hand:betting:cards:values:names", fields.len())),
        ["MATCHSTATE", ..] => Err(wrong_fields("MATCHSTATE:position:hand:betting:cards", fields.len())),
        _ => Err(Problem::syntax("a line of an ACPC log begins with STATE:, MATCHSTATE:, SCORE: or #")),
    }
}

fn wrong_fields(form: &str, count: usize) -> Problem {
    let wanted = form.split(':').count();
    let reason = format!("{count} fields instead of {wanted}: write {form}");
    match count < wanted {
        true => Problem::CutOff(reason),
        false => Problem::Syntax(format!("{reason}; are two hands glued together?")),
    }
}

fn parse_value(text: &str) -> Result<i64, Problem> {
    // Other programs write halves of a chip where a pot is split.
    let number: f64 = text.parse().map_err(|_| Problem::syntax(format!("'{text}' is no amount")))?;
    match number.fract() == 0.0 && number.abs() < 1e12 {
        true => Ok(number as i64),
        false => Err(Problem::syntax(format!("'{text}' is no whole number of chips"))),
    }
}

fn pair<T>(text: &str, what: &str, read: impl Fn(&str) -> Result<T, Problem>) -> Result<[T; 2], Problem> {
    match text.split_once('|') {
        Some((first, second)) if !second.contains('|') => Ok([read(first)?, read(second)?]),
        _ => Err(Problem::syntax(format!("the {what} '{text}' are not those of two players"))),
    }
}

fn base(hand: &str, betting: &str, cards: &str, stakes: &Stakes) -> Result<History, Problem> {
    if hand.is_empty() || !hand.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::syntax(format!("'{hand}' is no number of a hand")));
    }
    let mut history = stakes.history(Format::Acpc);
    history.id = Some(hand.to_owned());
    let mut rounds_of_cards = cards.split('/');
    let holes = pair(rounds_of_cards.next().unwrap_or(""), "hole cards", |text| Ok(text.to_owned()))?;
    for (player, text) in history.players.iter_mut().zip(holes) {
        hole(player, &text)?;
    }
    let mut rounds = betting.split('/');
    let mut round = Round::begin();
    actions(&mut history, rounds.next().unwrap_or(""), &mut round)?;
    // The board may have fewer rounds than the betting: the cards of the last one may not have come yet.
    for cards in rounds_of_cards {
        let cards = parse_cards(cards)?;
        let Some(betting) = rounds.next() else {
            return Err(Problem::syntax("there are more rounds of cards than of betting"));
        };
        history.events.push(Event::Board(cards));
        round.next();
        actions(&mut history, betting, &mut round)?;
    }
    match rounds.next() {
        Some(rest) if !rest.is_empty() => {
            Err(Problem::CutOff("betting on a street whose cards are not there".to_owned()))
        }
        _ => Ok(history),
    }
}

/// Two cards, or none if they are unknown.
fn hole(player: &mut Player, text: &str) -> Result<(), Problem> {
    match parse_cards(text)?[..] {
        [] => {}
        [first, second] => player.take_cards(first, second),
        _ => return Err(Problem::syntax(format!("'{text}' are not two cards"))),
    }
    Ok(())
}

fn actions(history: &mut History, text: &str, round: &mut Round) -> Result<(), Problem> {
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let player = round.player();
        let event = match letter {
            'f' => Event::Fold(player),
            'c' => Event::CheckOrCall(player),
            'r' => {
                let end = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (digits, after) = rest.split_at(end);
                rest = after;
                let total: u64 = bet_amount(digits)
                    .ok_or_else(|| Problem::syntax(format!("'r{digits}' has no amount")))?;
                let street_total = total.checked_sub(round.matched()).ok_or_else(|| {
                    Problem::Illegal(format!(
                        "r{total} is less than what was bet on earlier streets, {}",
                        round.matched()
                    ))
                })?;
                Event::BetTo(player, street_total)
            }
            _ => return Err(Problem::syntax(format!("'{letter}' is no action: f, c or r and an amount"))),
        };
        round.record(&event, history);
        history.events.push(event);
    }
    Ok(())
}

/// A line of a log if the hand is over and its winnings are known, otherwise a match state. What was a match state stays one.
pub(crate) fn write(history: &History) -> Result<String, Problem> {
    let replay = heads_up_without_ante(history, Format::Acpc)?;
    let id = history.id.as_deref().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or("0");
    let (betting, cards) = (betting(history, &replay), cards(history, &replay));
    let name = |player: usize| history.name(player).replace([':', '|', '\n', '\r'], "_");
    let is_match_state = history.format == Format::Acpc && history.hero.is_some();
    match history.winnings().filter(|_| replay.is_over && !is_match_state) {
        Some(winnings) => Ok(format!(
            "STATE:{id}:{betting}:{cards}:{}|{}:{}|{}",
            winnings[0],
            winnings[1],
            name(0),
            name(1)
        )),
        None => Ok(format!("MATCHSTATE:{}:{id}:{betting}:{cards}", history.hero.unwrap_or(0))),
    }
}

fn betting(history: &History, replay: &Replay) -> String {
    let mut text = String::new();
    for (id, street) in replay.streets.iter().enumerate() {
        text.push_str(if id == 0 { "" } else { "/" });
        for step in &street.steps {
            match step.action {
                Move::Fold => text.push('f'),
                Move::Check | Move::Call => text.push('c'),
                Move::Bet | Move::Raise => {
                    let _ = write!(text, "r{}", step.hand_total);
                }
            }
        }
    }
    debug_assert!(history.players.len() == 2);
    text
}

fn cards(history: &History, replay: &Replay) -> String {
    let hole = |player: usize| history.players[player].dealt_text().unwrap_or_default();
    let mut text = format!("{}|{}", hole(0), hole(1));
    for street in &replay.streets[1..] {
        text.push('/');
        street.cards.iter().for_each(|card| {
            let _ = write!(text, "{card}");
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> History {
        parse(line, &Stakes::default()).unwrap().unwrap()
    }

    /// Lines of the protocol's documentation.
    #[test]
    fn known_lines() {
        for (line, pot) in [
            ("MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d", 1_000),
            ("MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc", 40_000),
            ("STATE:14:cr6666f:2d3s|6sQh:100|-100:Alice|Bob", 6_766),
            ("STATE:15:f:3c4c|Th7s:50|-50:Bob|Alice", 150),
            ("STATE:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h:20000|-20000:Bob|Alice", 40_000),
            ("MATCHSTATE:1:1662:r250c/cr583c/cc/r1500f:6d5h|AhQc/Kc4s3h/Ks/Th", 2_083),
        ] {
            let hand = read(line);
            let replay = hand.replay().unwrap();
            assert_eq!(replay.invested.iter().sum::<u64>(), pot, "{line}");
            assert_eq!(write(&hand).unwrap(), line);
            if let Some(stated) = &hand.stated_winnings {
                assert_eq!(replay.winnings(&hand).as_ref(), Some(stated), "{line}");
            }
        }
        let hand = read("MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d");
        let totals: Vec<u64> = hand
            .events
            .iter()
            .filter_map(|event| match event {
                Event::BetTo(_, total) => Some(*total),
                _ => None,
            })
            .collect();
        assert_eq!(totals, [150, 250]);
        assert_eq!(hand.replay().unwrap().to_act, Some(0));
    }

    #[test]
    fn what_is_wrong() {
        for (line, words) in [
            ("STATE:1:f:3c4c|Th7s:50|-50", "cut off: 5 fields instead of 6"),
            ("STATE:1:f:3c4c|Th7s:50|-50:A|B:STATE", "7 fields"),
            ("STATE:x:f:3c4c|Th7s:50|-50:A|B", "no number of a hand"),
            ("STATE:1:q:3c4c|Th7s:50|-50:A|B", "'q' is no action"),
            ("STATE:1:r:3c4c|Th7s:50|-50:A|B", "has no amount"),
            ("STATE:1:cc/r50c:3c4c|Th7s/8c8d5c:50|-50:A|B", "less than what was bet on earlier streets, 100"),
            ("STATE:1:f:3c4c:50|-50:A|B", "hole cards"),
            ("STATE:1:f:3c|Th7s:50|-50:A|B", "not two cards"),
            ("MATCHSTATE:2:1:f:3c4c|", "neither 0 nor 1"),
            ("HELLO:1", "begins with STATE:"),
            ("STATE:1:cc/cc:3c4c|Th7s:50|-50:A|B", "cards are not there"),
        ] {
            let error = parse(line, &Stakes::default()).unwrap_err().to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
        assert!(parse("SCORE:195857|-195857:Alice|Bob", &Stakes::default()).unwrap().is_none());
        assert!(parse("# comment", &Stakes::default()).unwrap().is_none());
    }
}
