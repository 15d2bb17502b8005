//! What was read so far, and the spot file that it becomes.

use std::fmt::{Display, Write as _};

use super::sizes::Size;
use super::{ImportError, ImportFormat, ImportNote, Imported};
use crate::cards::{Board, Card, ParseRangeError, Range, Street};
use crate::game::{Line, PerPlayer, Player};
use crate::spot_file::{Position, Problem};

/// A value and the byte where it stands.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) offset: usize,
}

/// The menus of one player on one street.
#[derive(Clone, Debug, Default)]
pub(super) struct Menus {
    pub(super) bet: Vec<Size>,
    pub(super) raise: Vec<Size>,
    /// Nothing: as the ordinary bets.
    pub(super) donk: Option<Vec<Size>>,
}

/// An action of a line, with chips as written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Fold,
    Check,
    Call,
    Bet(u32),
    Raise(u32),
    AllIn,
    NextStreet,
}

/// Everything that can be carried over.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    text: &'a str,
    pub(super) ranges: PerPlayer<Option<At<String>>>,
    pub(super) board: Option<At<Board>>,
    pub(super) pot: Option<At<f64>>,
    pub(super) stack: Option<At<f64>>,
    pub(super) rake_rate: Option<f64>,
    pub(super) rake_cap: Option<f64>,
    pub(super) add_allin: Option<f64>,
    pub(super) force_allin: Option<f64>,
    pub(super) merging: Option<f64>,
    /// Whether all-in is added where there are no sizes.
    pub(super) add_allin_without_sizes: bool,
    /// By street from the flop on, then by player.
    pub(super) menus: [PerPlayer<Menus>; 3],
    pub(super) add_lines: Vec<Vec<Move>>,
    pub(super) remove_lines: Vec<Vec<Move>>,
    pub(super) target_pct: Option<f64>,
    pub(super) max_iterations: Option<u32>,
    pub(super) isomorphism: Option<bool>,
    notes: Vec<ImportNote>,
}

/// Bytes of a range's text that is kept verbatim.
const MOST_TEXT: usize = 2000;

/// The streets of menus.
pub(super) const STREETS: [Street; 3] = [Street::Flop, Street::Turn, Street::River];

impl<'a> Draft<'a> {
    pub(super) fn new(text: &'a str) -> Draft<'a> {
        Draft {
            text,
            ranges: PerPlayer::default(),
            board: None,
            pot: None,
            stack: None,
            rake_rate: None,
            rake_cap: None,
            add_allin: None,
            force_allin: None,
            merging: None,
            add_allin_without_sizes: false,
            menus: Default::default(),
            add_lines: Vec::new(),
            remove_lines: Vec::new(),
            target_pct: None,
            max_iterations: None,
            isomorphism: None,
            notes: Vec::new(),
        }
    }

    /// An error at a byte.
    pub(super) fn wrong(&self, offset: usize, message: impl Display) -> ImportError {
        ImportError::at(self.text, offset, message)
    }

    /// Notes that what stands at a byte was not carried over.
    pub(super) fn note(&mut self, offset: usize, text: &str, reason: impl Into<String>) {
        let line = Some(Position::new(self.text, offset).line);
        self.notes.push(ImportNote { line, text: shortened(text), reason: reason.into() });
    }

    /// A number that is not negative.
    pub(super) fn number(&self, offset: usize, text: &str, what: &str) -> Result<f64, ImportError> {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| self.wrong(offset, format!("'{}' is no {what}", shortened(text))))
    }

    /// A whole number.
    pub(super) fn whole(&self, offset: usize, text: &str, what: &str) -> Result<u32, ImportError> {
        let number = self.number(offset, text, what)?;
        let is_whole = number.fract() == 0.0 && number <= f64::from(u32::MAX);
        if is_whole { Ok(number as u32) } else { Err(self.wrong(offset, format!("'{text}' is no {what}"))) }
    }

    pub(super) fn set_range(&mut self, player: Player, offset: usize, text: &str) -> Result<(), ImportError> {
        let range: Range = text.parse().map_err(|error: ParseRangeError| {
            let at = offset + error.at().min(text.len());
            self.wrong(at, format!("the range of {player}: {error}"))
        })?;
        for group in text.split([',', ' ']).filter(|group| is_ladder(group)) {
            let reason = "programs differ on '+' after ranks that are one apart; it was read as the ladder \
                          upwards, as T9s+ = T9s, JTs … AKs";
            self.note(offset, group, reason);
        }
        if range.is_empty() {
            return Err(self.wrong(offset, format!("the range of {player} is empty")));
        }
        // Verbatim, so that people recognise it; long lists and odd characters are shortened.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ",+-:.@[]/*% ".contains(c);
        let keeps = text.chars().all(is_plain) && text.len() <= MOST_TEXT;
        let value = if keeps { text.trim().to_owned() } else { range.to_string() };
        self.ranges[player] = Some(At { value, offset });
        Ok(())
    }

    pub(super) fn set_board(&mut self, offset: usize, cards: &[Card]) -> Result<(), ImportError> {
        let board = Board::new(cards).map_err(|error| self.wrong(offset, format!("the board: {error}")))?;
        if board.street() == Street::Preflop {
            return Err(self.wrong(offset, "the board has no card: three to five are needed"));
        }
        self.board = Some(At { value: board, offset });
        Ok(())
    }

    pub(super) fn menus(&mut self, street: usize, player: Player) -> &mut Menus {
        &mut self.menus[street][player]
    }

    /// The spot file.
    pub(super) fn finish(mut self, format: ImportFormat) -> Result<Imported, ImportError> {
        let places = self.places()?;
        self.drop_multiples();
        let body = self.body(places)?;
        self.notes.sort_by_key(|note| note.line.unwrap_or(0));
        let mut toml = format!("# Imported from a file of {format} by `equipoise import`.\n");
        if !self.notes.is_empty() {
            toml.push_str("# Not carried over:\n");
        }
        for ImportNote { line, text, reason } in &self.notes {
            let place = line.map_or_else(String::new, |line| format!("line {line}, "));
            let _ = writeln!(toml, "#   {place}{text}: {reason}");
        }
        toml.push_str(&body);
        let problem: Problem = toml.parse().map_err(|error: crate::spot_file::SpotFileError| {
            let help = error.suggestion().map(str::to_owned);
            let message = format!(
                "what is written makes no spot: {}: {}",
                error.key().unwrap_or("file"),
                error.cause()
            );
            ImportError { help, ..ImportError::new(message) }
        })?;
        Ok(Imported { format, toml, problem, notes: self.notes })
    }

    /// How many places the point of chips must move so that they are whole.
    fn places(&mut self) -> Result<i32, ImportError> {
        let missing = |what: &str, example: &str| {
            Err(ImportError::new(format!("the file has no {what}")).help(format!("add {example}")))
        };
        let Some(pot) = self.pot.clone() else { return missing("pot", "the pot when play begins") };
        let Some(stack) = self.stack.clone() else {
            return missing("effective stack", "what both have left");
        };
        let is_whole = |number: f64| (number - number.round()).abs() < 1e-9 * number.max(1.0);
        let found = (0..4)
            .find(|&places| is_whole(shifted(pot.value, places)) && is_whole(shifted(stack.value, places)));
        let Some(places) = found else {
            return Err(self.wrong(pot.offset, "pot and stack have more than three digits after the point"));
        };
        if places > 0 {
            let scale = 10_u32.pow(places.unsigned_abs());
            let text = format!("pot {}, stack {}", pot.value, stack.value);
            let reason = format!("chips are whole here, so all amounts are multiplied by {scale}");
            self.note(pot.offset, &text, reason);
        }
        Ok(places)
    }

    /// Multiples of the bet are for raises; there is nothing to multiply when the betting is opened.
    fn drop_multiples(&mut self) {
        let mut dropped = Vec::new();
        for menus in self.menus.iter_mut().flatten() {
            for list in [Some(&mut menus.bet), menus.donk.as_mut()].into_iter().flatten() {
                dropped.extend(list.extract_if(.., |size| size.is_multiple()));
            }
        }
        for size in dropped {
            self.note(size.offset, &size.to_string(), "a multiple of the bet cannot open the betting");
        }
    }

    fn body(&self, places: i32) -> Result<String, ImportError> {
        let mut toml = String::from("schema_version = 1\n\n[ranges]\n");
        for player in Player::ALL {
            let Some(range) = &self.ranges[player] else {
                return Err(ImportError::new(format!("the file has no range of {player}")));
            };
            let _ = writeln!(toml, "{player} = \"{}\"", range.value);
        }
        let Some(board) = &self.board else {
            return Err(ImportError::new("the file has no board").help("add a flop, such as Qs,Jh,2h"));
        };
        let cards: Vec<String> = board.value.cards().iter().map(Card::to_string).collect();
        let _ = writeln!(toml, "\n[cards]\nflop = \"{}\"", cards[..3].concat());
        for (name, card) in ["turn", "river"].iter().zip(&cards[3..]) {
            let _ = writeln!(toml, "{name} = \"{card}\"");
        }
        toml.push_str("\n[tree]\n");
        let chips = |amount: &Option<At<f64>>| amount.as_ref().map(|at| shifted(at.value, places).round());
        let numbers = [
            ("starting_pot", chips(&self.pot)),
            ("effective_stack", chips(&self.stack)),
            ("rake_rate", self.rake_rate),
            ("rake_cap", self.rake_cap.map(|cap| shifted(cap, places))),
            ("add_allin_threshold", self.add_allin),
            ("force_allin_threshold", self.force_allin),
            ("merging_threshold", self.merging),
        ];
        write_numbers(&mut toml, &numbers);
        if self.add_allin_without_sizes {
            toml.push_str("add_allin_without_sizes = true\n");
        }
        for (key, lines) in [("add_lines", &self.add_lines), ("remove_lines", &self.remove_lines)] {
            if !lines.is_empty() {
                let texts: Vec<String> =
                    lines.iter().map(|line| format!("\"{}\"", line_text(line, places))).collect();
                let _ = writeln!(toml, "{key} = [{}]", texts.join(", "));
            }
        }
        for (street, menus) in STREETS.iter().zip(&self.menus).filter(|(s, _)| **s >= board.value.street()) {
            write_menus(&mut toml, *street, menus, places);
        }
        let iterations = self.max_iterations.map(f64::from);
        let numbers = [("max_iterations", iterations), ("target_exploitability_pct", self.target_pct)];
        if numbers.iter().any(|(_, number)| number.is_some()) || self.isomorphism.is_some() {
            toml.push_str("\n[solver]\n");
        }
        if let Some(isomorphism) = self.isomorphism {
            let _ = writeln!(toml, "isomorphism = {isomorphism}");
        }
        write_numbers(&mut toml, &numbers);
        Ok(toml)
    }
}

fn write_numbers(toml: &mut String, numbers: &[(&str, Option<f64>)]) {
    for (key, number) in numbers {
        if let Some(number) = number {
            let _ = writeln!(toml, "{key} = {number}");
        }
    }
}

fn write_menus(toml: &mut String, street: Street, menus: &PerPlayer<Menus>, places: i32) {
    let text = |sizes: &[Size]| {
        let sizes: Vec<String> = sizes.iter().map(|size| size.text(places)).collect();
        sizes.join(", ")
    };
    let mut body = String::new();
    for player in Player::ALL {
        let Menus { bet, raise, donk } = &menus[player];
        for (key, sizes) in [("bet", bet), ("raise", raise)] {
            if !sizes.is_empty() {
                let _ = writeln!(body, "{player}_{key} = \"{}\"", text(sizes));
            }
        }
        if let (Some(donk), Player::Oop, true) = (donk, player, street > Street::Flop) {
            let _ = writeln!(body, "oop_donk = \"{}\"", text(donk));
        }
    }
    if !body.is_empty() {
        let _ = write!(toml, "\n[bet_sizes.{street}]\n{body}");
    }
}

fn line_text(moves: &[Move], places: i32) -> String {
    let chips = |amount: u32| shifted(f64::from(amount), places);
    let word = |step: &Move| match *step {
        Move::Fold => "fold".to_owned(),
        Move::Check => "check".to_owned(),
        Move::Call => "call".to_owned(),
        Move::Bet(amount) => format!("bet:{}", chips(amount)),
        Move::Raise(amount) => format!("raise:{}", chips(amount)),
        Move::AllIn => "allin".to_owned(),
        Move::NextStreet => "|".to_owned(),
    };
    let words: Vec<String> = moves.iter().map(word).collect();
    let text = words.join(" ");
    // As lines are written here.
    text.parse::<Line>().map_or(text, |line| line.to_string())
}

/// A number that was typed, times a power of ten. The point moves in the text: a product would be rounded a second time,
/// and 33.3 % would not be 0.333.
pub(super) fn shifted(number: f64, places: i32) -> f64 {
    format!("{number}e{places}").parse().unwrap_or(number)
}

/// A percentage as a fraction.
pub(super) fn share(percent: f64) -> f64 {
    shifted(percent, -2)
}

/// Text of a stranger on one line of moderate length.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let clean: String =
        text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST + 1).collect();
    match clean.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}

/// Whether a group such as `T9s+` climbs.
fn is_ladder(group: &str) -> bool {
    let Some(word) = group.trim().split(':').next().and_then(|word| word.strip_suffix('+')) else {
        return false;
    };
    let rank = |c: char| "23456789TJQKA".find(c.to_ascii_uppercase());
    let mut chars = word.chars();
    match (chars.next().and_then(rank), chars.next().and_then(rank)) {
        (Some(one), Some(other)) => one.abs_diff(other) == 1,
        _ => false,
    }
}
