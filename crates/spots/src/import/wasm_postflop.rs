//! The configuration of WASM Postflop and Desktop Postflop as JSON: ranges beside an object `config`, or all in one.
//!
//! Sizes, thresholds, rake and lines mean there what they mean here; thresholds and rake are percents. All-in is added by its
//! threshold also where there are no sizes, which is a key of its own here.

use serde_json::{Map, Value};

use super::ImportError;
use super::draft::{At, Draft, Move, STREETS, share, shortened};
use super::sizes::sizes;
use crate::cards::{Card, parse_cards};
use crate::game::Player;

pub(super) fn read(text: &str) -> Result<Draft<'_>, ImportError> {
    let body = text.trim_start_matches('\u{feff}');
    let value: Value = serde_json::from_str(body).map_err(|error| {
        let lines: usize =
            body.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = text.len() - body.len() + lines + error.column().saturating_sub(1);
        ImportError::at(text, offset, format!("this is no JSON: {error}"))
    })?;
    let Value::Object(top) = value else {
        return Err(ImportError::at(text, 0, "this is no JSON object with a configuration in it"));
    };
    let mut draft = Draft::new(text);
    draft.add_allin_without_sizes = true;
    let mut reading = Reading { text, draft, lines: [Vec::new(), Vec::new()], expected: 0, donk: false };
    reading.object(&top)?;
    reading.finish()
}

struct Reading<'a> {
    text: &'a str,
    draft: Draft<'a>,
    /// Added and removed.
    lines: [Vec<(usize, String)>; 2],
    /// How many cards the lines are for, if that is said.
    expected: u32,
    donk: bool,
}

impl<'a> Reading<'a> {
    /// Where a key stands.
    fn place(&self, key: &str) -> usize {
        self.text.find(&format!("\"{key}\"")).unwrap_or(0)
    }

    fn object(&mut self, object: &Map<String, Value>) -> Result<(), ImportError> {
        for (key, value) in object {
            match (key.as_str(), value) {
                ("config" | "value", Value::Object(inner)) => self.object(inner)?,
                _ => self.field(key, value)?,
            }
        }
        Ok(())
    }

    fn text_of(&self, key: &str, value: &Value) -> Result<String, ImportError> {
        match value {
            Value::String(text) => Ok(text.clone()),
            Value::Null => Ok(String::new()),
            Value::Number(number) => Ok(number.to_string()),
            _ => Err(self.draft.wrong(self.place(key), format!("'{key}' must be text"))),
        }
    }

    fn number_of(&self, key: &str, value: &Value) -> Result<f64, ImportError> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::Bool(switch) => Some(f64::from(u8::from(*switch))),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| {
            self.draft.wrong(self.place(key), format!("'{key}' must be a number of 0 or more"))
        })
    }

    fn field(&mut self, key: &str, value: &Value) -> Result<(), ImportError> {
        let offset = self.place(key);
        match key {
            "oopRange" | "ipRange" => {
                let player = if key == "oopRange" { Player::Oop } else { Player::Ip };
                let range = self.text_of(key, value)?;
                // The text stands in the file verbatim, unless something in it is escaped.
                let at = self.text.find(&range).filter(|_| !range.is_empty()).unwrap_or(offset);
                self.draft.set_range(player, at, &range)?;
            }
            "board" => {
                let cards = self.board(value)?;
                self.draft.set_board(offset, &cards)?;
            }
            "startingPot" => self.draft.pot = Some(At { value: self.number_of(key, value)?, offset }),
            "effectiveStack" => self.draft.stack = Some(At { value: self.number_of(key, value)?, offset }),
            "rakePercent" => self.draft.rake_rate = Some(share(self.number_of(key, value)?)),
            "rakeCap" => self.draft.rake_cap = Some(self.number_of(key, value)?),
            "donkOption" => self.donk = self.number_of(key, value)? != 0.0,
            "addAllInThreshold" => self.draft.add_allin = Some(share(self.number_of(key, value)?)),
            "forceAllInThreshold" => self.draft.force_allin = Some(share(self.number_of(key, value)?)),
            "mergingThreshold" => self.draft.merging = Some(share(self.number_of(key, value)?)),
            "expectedBoardLength" => {
                let number = self.number_of(key, value)?;
                self.expected = number as u32;
            }
            "addedLines" | "removedLines" => {
                let lines = self.text_of(key, value)?;
                let list = lines.split(',').map(str::trim).filter(|line| !line.is_empty());
                self.lines[usize::from(key == "removedLines")] =
                    list.map(|line| (offset, line.to_owned())).collect();
            }
            _ => match menu(key) {
                Some((street, player, kind)) => self.menu(key, value, (street, player, kind))?,
                None => {
                    let shown = format!("{key} = {value}");
                    self.draft.note(offset, &shown, "an unknown key");
                }
            },
        }
        Ok(())
    }

    fn menu(
        &mut self,
        key: &str,
        value: &Value,
        (street, player, kind): (usize, Player, &str),
    ) -> Result<(), ImportError> {
        let text = self.text_of(key, value)?;
        let found = sizes(&self.draft, 0, &text).map_err(|error| ImportError {
            message: format!("{key}: {}", error.message),
            ..ImportError { help: error.help, ..self.draft.wrong(self.place(key), "") }
        })?;
        let menus = self.draft.menus(street, player);
        match kind {
            "Bet" => menus.bet = found,
            "Raise" => menus.raise = found,
            _ => menus.donk = Some(found),
        }
        Ok(())
    }

    /// Cards as numbers, as a list of texts or as one text.
    fn board(&self, value: &Value) -> Result<Vec<Card>, ImportError> {
        let offset = self.place("board");
        let wrong = |found: &dyn std::fmt::Display| {
            self.draft.wrong(offset, format!("the board: {} is no card", shortened(&found.to_string())))
        };
        let cards = |text: &str| {
            parse_cards(text).map_err(|error| self.draft.wrong(offset, format!("the board: {error}")))
        };
        match value {
            Value::String(text) => cards(text),
            Value::Array(list) => {
                let card = |value: &Value| match value {
                    Value::Number(number) => {
                        let card = number.as_u64().and_then(|id| Card::try_new(u8::try_from(id).ok()?));
                        card.map(|card| vec![card]).ok_or_else(|| wrong(number))
                    }
                    Value::String(text) => cards(text),
                    other => Err(wrong(other)),
                };
                Ok(list.iter().map(card).collect::<Result<Vec<_>, _>>()?.concat())
            }
            other => Err(wrong(other)),
        }
    }

    fn finish(mut self) -> Result<Draft<'a>, ImportError> {
        if !self.donk {
            (1..3).for_each(|street| self.draft.menus(street, Player::Oop).donk = None);
        }
        let num_cards = self.draft.board.as_ref().map_or(0, |board| board.value.cards().len() as u32);
        let [added, removed] = std::mem::take(&mut self.lines);
        for (is_removed, (offset, line)) in
            added.into_iter().map(|line| (false, line)).chain(removed.into_iter().map(|line| (true, line)))
        {
            let moves = moves(&line)
                .ok_or_else(|| self.draft.wrong(offset, format!("'{}' is no line", shortened(&line))))?;
            if self.expected != 0 && self.expected != num_cards {
                let reason = format!("the line is for a board of {} cards", self.expected);
                self.draft.note(offset, &line, reason);
            } else if is_removed {
                self.draft.remove_lines.push(moves);
            } else {
                self.draft.add_lines.push(moves);
            }
        }
        Ok(self.draft)
    }
}

/// The street, player and kind of a key such as `oopTurnDonk`.
fn menu(key: &str) -> Option<(usize, Player, &str)> {
    let (player, rest) = match (key.strip_prefix("oop"), key.strip_prefix("ip")) {
        (Some(rest), _) => (Player::Oop, rest),
        (_, Some(rest)) => (Player::Ip, rest),
        _ => return None,
    };
    let street = ["Flop", "Turn", "River"].iter().position(|street| rest.starts_with(street))?;
    let kind = &rest[STREETS[street].to_string().len()..];
    let is_known = matches!(kind, "Bet" | "Raise") || (kind == "Donk" && player == Player::Oop && street > 0);
    is_known.then_some((street, player, kind))
}

/// Actions such as `X>B50>C|X`: amounts are the street's totals.
fn moves(line: &str) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    for (street, part) in line.split('|').enumerate() {
        if street > 0 {
            moves.push(Move::NextStreet);
        }
        for word in part.split(['>', '-']).map(str::trim).filter(|word| !word.is_empty()) {
            let (letter, amount) = word.split_at_checked(1)?;
            let amount = || amount.parse::<u32>().ok();
            moves.push(match letter {
                "F" if word.len() == 1 => Move::Fold,
                "X" if word.len() == 1 => Move::Check,
                "C" if word.len() == 1 => Move::Call,
                "B" => Move::Bet(amount()?),
                "R" => Move::Raise(amount()?),
                "A" if word.len() == 1 => Move::AllIn,
                "A" => amount().map(|_| Move::AllIn)?,
                _ => return None,
            });
        }
    }
    Some(moves)
}
