//! Reading ranges from text.

use std::str::FromStr;

use thiserror::Error;

use super::Range;
use super::named::{self, MOST_DEEP};
use super::run::{ClassSet, Kind, Ranks, Run, Unrelated};
use super::top::best_classes;
use crate::card::{Card, Rank, Suit};
use crate::combo::Combo;

/// Why a text is not a range; `at` is the byte where the trouble begins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseRangeError {
    /// A text that names no group.
    #[error("the range is empty: write groups such as QQ+,AKs or random")]
    EmptyRange,
    /// A comma or the end of a block with no group before it.
    #[error("there is no group before byte {at}: remove the extra '{found}'")]
    EmptyGroup {
        /// Where the comma or the end of the block stands.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// A character that does not belong where it stands.
    #[error("unexpected '{found}' at byte {at}: expected {expected}")]
    Unexpected {
        /// Where it stands.
        at: usize,
        /// What stands there.
        found: char,
        /// What can stand there.
        expected: &'static str,
    },
    /// A text that ends in the middle of a group.
    #[error("the range ends too early at byte {at}: expected {expected}")]
    EndsEarly {
        /// Where the text ends.
        at: usize,
        /// What is missing.
        expected: &'static str,
    },
    /// A pair with a suffix.
    #[error("{group} at byte {at}: a pair is neither suited nor offsuit, write it like 88")]
    PairWithSuffix {
        /// Where the group begins.
        at: usize,
        /// The pair and its suffix.
        group: String,
    },
    /// The same card twice.
    #[error("{group} at byte {at} holds the same card twice: write two different cards like AhKd")]
    SameCard {
        /// Where the group begins.
        at: usize,
        /// The two cards.
        group: String,
    },
    /// A `+` or `-` after exact cards.
    #[error(
        "{group} at byte {at} is an exact combo, which starts no '+' or '-' run: list the combos one by one"
    )]
    RunOfCombos {
        /// Where the group begins.
        at: usize,
        /// The combo.
        group: String,
    },
    /// A run whose ends lie neither in one row nor on one diagonal of the grid.
    #[error(
        "{run} at byte {at}: both ends of a run need the same high card (A5s-A2s) or the same gap (KQo-JTo, 88-55)"
    )]
    UnrelatedEnds {
        /// Where the run begins.
        at: usize,
        /// The run.
        run: String,
    },
    /// A run whose ends have different suffixes.
    #[error("{run} at byte {at}: both ends of a run need the same suffix, s, o or none (A5s-A2s)")]
    MixedEnds {
        /// Where the run begins.
        at: usize,
        /// The run.
        run: String,
    },
    /// Something else where a number must stand.
    #[error("'{found}' at byte {at} is no number: write a weight as AKs:0.5 or AKs@50, a share as 15%")]
    NotANumber {
        /// Where it stands.
        at: usize,
        /// What stands there.
        found: String,
    },
    /// A weight that is too small or too large.
    #[error("the weight {found} at byte {at} is not between 0 and {most}")]
    WeightOutOfRange {
        /// Where the number stands.
        at: usize,
        /// The number.
        found: String,
        /// The largest weight of this dialect: 1, or 100 for percents.
        most: u8,
    },
    /// A share of combos that is zero or above 100 %.
    #[error("the share {found}% at byte {at} is not above 0% and up to 100%")]
    ShareOutOfRange {
        /// Where the number stands.
        at: usize,
        /// The number.
        found: String,
    },
    /// An `@` that no name follows.
    #[error(
        "no name follows the '@' at byte {at}: names have small letters, digits and hyphens, as in @btn-open"
    )]
    NoName {
        /// Where the `@` stands.
        at: usize,
    },
    /// A name that no range has.
    #[error("no range is called @{name} at byte {at}{}", suggestion(*similar))]
    UnknownName {
        /// Where the `@` stands.
        at: usize,
        /// The name.
        name: String,
        /// One that is like it.
        similar: Option<&'static str>,
    },
    /// A name whose range cannot be read.
    #[error("the range @{name} at byte {at} cannot be read: {reason}")]
    BadNamedRange {
        /// Where the `@` stands.
        at: usize,
        /// The name.
        name: String,
        /// What is wrong with its text.
        reason: String,
    },
    /// A list of weights that is too short or too long.
    #[error("the list of weights has {found} numbers and not 1,326, one for each combo")]
    WeightCount {
        /// How many it has.
        found: usize,
    },
    /// A weight inside a weighted block.
    #[error("the weight at byte {at} stands inside a block that has a weight: keep only one of the two")]
    SecondWeight {
        /// Where the inner weight stands.
        at: usize,
    },
    /// A block inside a block.
    #[error("the block at byte {at} begins inside another one: close that first, as in [50]AKs[/50]")]
    NestedBlock {
        /// Where the inner block begins.
        at: usize,
    },
    /// A block without end.
    #[error("the block at byte {at} is never closed: write it like [50]AKs,QQ[/50]")]
    UnclosedBlock {
        /// Where the block begins.
        at: usize,
    },
    /// The end of a block that does not match its beginning.
    #[error(
        "the block's end at byte {at} has no beginning of the same weight: write it like [50]AKs,QQ[/50]"
    )]
    UnmatchedBlockEnd {
        /// Where the end stands.
        at: usize,
    },
}

fn suggestion(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!(": did you mean @{name}?"))
}

impl ParseRangeError {
    /// The byte of the text that the error is about.
    #[must_use]
    pub const fn at(&self) -> usize {
        match *self {
            ParseRangeError::EmptyRange | ParseRangeError::WeightCount { .. } => 0,
            ParseRangeError::EmptyGroup { at, .. }
            | ParseRangeError::Unexpected { at, .. }
            | ParseRangeError::EndsEarly { at, .. }
            | ParseRangeError::PairWithSuffix { at, .. }
            | ParseRangeError::SameCard { at, .. }
            | ParseRangeError::RunOfCombos { at, .. }
            | ParseRangeError::UnrelatedEnds { at, .. }
            | ParseRangeError::MixedEnds { at, .. }
            | ParseRangeError::NotANumber { at, .. }
            | ParseRangeError::WeightOutOfRange { at, .. }
            | ParseRangeError::ShareOutOfRange { at, .. }
            | ParseRangeError::NoName { at }
            | ParseRangeError::UnknownName { at, .. }
            | ParseRangeError::BadNamedRange { at, .. }
            | ParseRangeError::SecondWeight { at }
            | ParseRangeError::NestedBlock { at }
            | ParseRangeError::UnclosedBlock { at }
            | ParseRangeError::UnmatchedBlockEnd { at } => at,
        }
    }
}

impl FromStr for Range {
    type Err = ParseRangeError;

    fn from_str(text: &str) -> Result<Range, ParseRangeError> {
        read(text, 0)
    }
}

/// Reads a text behind this many nested names.
pub(super) fn read(text: &str, depth: u8) -> Result<Range, ParseRangeError> {
    if is_list(text) {
        return listed(text);
    }
    Parser { text, at: 0, depth, block: None, range: Range::empty() }.range()
}

/// The numbers of a list, with the bytes where they stand.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
    let place = move |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    words.filter(|word| !word.is_empty()).map(move |word| (place(word), word))
}

/// Whether a text is a list of weights: it then begins with a number from 0 to 1, which no group does, and has a second
/// number. A number in brackets of its own opens a block: `[0.5]22[/0.5]` are deuces at half a percent.
fn is_list(text: &str) -> bool {
    let is_number = |word: Option<(usize, &str)>| word.is_some_and(|(_, word)| word.parse::<f32>().is_ok());
    let mut words = numbers(text);
    let Some((at, first)) = words.next() else { return false };
    let opens_block = text[at + first.len()..].trim_start().starts_with(']');
    let is_weight = first.parse::<f32>().is_ok_and(super::is_weight) && !first.starts_with('+');
    is_weight && !opens_block && is_number(words.next())
}

/// One weight for each combo, in the order of [`Combo::listed`].
fn listed(text: &str) -> Result<Range, ParseRangeError> {
    let mut range = Range::empty();
    let mut combos = Combo::listed();
    let mut found = 0;
    for (at, word) in numbers(text) {
        found += 1;
        let wrong = || ParseRangeError::NotANumber { at, found: word.to_owned() };
        let weight = word.parse::<f32>().map_err(|_| wrong())?;
        let Some(combo) = combos.next() else { continue };
        range.set(combo, weight).map_err(|_| ParseRangeError::WeightOutOfRange {
            at,
            found: word.to_owned(),
            most: 1,
        })?;
    }
    if found == Combo::COUNT { Ok(range) } else { Err(ParseRangeError::WeightCount { found }) }
}

const GROUP: &str = "a group such as AKs, 88+, A5s-A2s, AhKd, 15%, random or @btn-open";
const SEPARATOR: &str = "a comma or a blank between groups, or a weight such as :0.5";

/// What a group names, before its weight is known.
enum Group {
    Classes(ClassSet),
    Combo(Combo),
    Named(Box<Range>),
}

/// A word of two ranks or two cards.
enum Word {
    Class(Ranks, Kind),
    Combo(Combo),
}

/// The `[50]` that is open.
struct Block {
    at: usize,
    weight: f32,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u8,
    block: Option<Block>,
    range: Range,
}

impl<'a> Parser<'a> {
    fn range(mut self) -> Result<Range, ParseRangeError> {
        let mut is_empty = true;
        // Whether a group stands before this place that no comma has closed yet.
        let mut has_group = false;
        loop {
            self.skip_blanks();
            let at = self.at;
            match self.peek() {
                None => break,
                Some(',') if has_group => {
                    self.next();
                    has_group = false;
                }
                Some(',') => return Err(ParseRangeError::EmptyGroup { at, found: ',' }),
                Some('[') if self.rest().starts_with("[/") => {
                    self.close_block()?;
                    has_group = true;
                }
                Some('[') => {
                    self.open_block()?;
                    has_group = false;
                }
                Some(_) => {
                    self.weighted_group()?;
                    (is_empty, has_group) = (false, true);
                }
            }
        }
        match self.block {
            Some(Block { at, .. }) => Err(ParseRangeError::UnclosedBlock { at }),
            None if is_empty => Err(ParseRangeError::EmptyRange),
            None => Ok(self.range),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes the text up to the first character of which `stop` is true.
    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(stop).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// The error for what stands here instead of what should.
    fn unexpected(&self, expected: &'static str) -> ParseRangeError {
        match self.peek() {
            Some(found) => ParseRangeError::Unexpected { at: self.at, found, expected },
            None => ParseRangeError::EndsEarly { at: self.at, expected },
        }
    }

    fn weighted_group(&mut self) -> Result<(), ParseRangeError> {
        let group = self.group()?;
        let block = self.block.as_ref().map(|block| block.weight);
        let weight = match (self.peek(), block) {
            (Some(':' | '@'), Some(_)) => return Err(ParseRangeError::SecondWeight { at: self.at }),
            (Some(':'), None) => self.weight(1)?,
            (Some('@'), None) => self.weight(100)?,
            (_, block) => block.unwrap_or(1.0),
        };
        let at_end = match self.peek() {
            None | Some(',') => true,
            Some('[') => self.rest().starts_with("[/"),
            Some(c) => c.is_whitespace(),
        };
        if !at_end {
            return Err(self.unexpected(SEPARATOR));
        }
        self.write(&group, weight);
        Ok(())
    }

    fn write(&mut self, group: &Group, weight: f32) {
        match group {
            Group::Classes(classes) => classes.iter().for_each(|class| self.range.paint(class, weight)),
            Group::Combo(combo) => self.range.weights[combo.index()] = weight,
            Group::Named(range) => {
                range.iter().for_each(|(combo, own)| self.range.weights[combo.index()] = own * weight);
            }
        }
    }

    fn group(&mut self) -> Result<Group, ParseRangeError> {
        let is_share =
            self.rest().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').starts_with('%');
        let is_random = self.rest().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("random"));
        match self.peek() {
            _ if is_share => self.share(),
            _ if is_random => {
                self.at += 6;
                Ok(Group::Classes(ClassSet::FULL))
            }
            Some('*') => {
                self.next();
                Ok(Group::Classes(ClassSet::FULL))
            }
            Some('@') => self.named(),
            _ => self.run(),
        }
    }

    /// `@btn-open`.
    fn named(&mut self) -> Result<Group, ParseRangeError> {
        let at = self.at;
        self.next();
        let name =
            self.take_until(|c| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')).to_owned();
        if !super::NamedRange::is_name(&name) {
            return Err(ParseRangeError::NoName { at });
        }
        if self.depth >= MOST_DEEP {
            let reason = "names stand for each other in a circle".to_owned();
            return Err(ParseRangeError::BadNamedRange { at, name, reason });
        }
        match named::parse(&name, self.depth) {
            None => Err(ParseRangeError::UnknownName { at, similar: named::similar(&name), name }),
            Some(Err(error)) => Err(ParseRangeError::BadNamedRange { at, name, reason: error.to_string() }),
            Some(Ok(range)) => Ok(Group::Named(Box::new(range))),
        }
    }

    /// `15%`.
    fn share(&mut self) -> Result<Group, ParseRangeError> {
        let at = self.at;
        let found = self.take_until(|c| c == '%').to_owned();
        self.next();
        let Ok(percent) = found.parse::<f64>() else {
            return Err(ParseRangeError::NotANumber { at, found });
        };
        match best_classes(percent) {
            Ok(classes) if percent > 0.0 => Ok(Group::Classes(classes)),
            _ => Err(ParseRangeError::ShareOutOfRange { at, found }),
        }
    }

    /// A class or combo, or a run of classes.
    fn run(&mut self) -> Result<Group, ParseRangeError> {
        let start = self.at;
        let word = self.word(GROUP)?;
        let (ranks, kind) = match (word, self.peek()) {
            (Word::Combo(_), Some('+' | '-')) => {
                let group = self.text[start..self.at].to_owned();
                return Err(ParseRangeError::RunOfCombos { at: start, group });
            }
            (Word::Combo(combo), _) => return Ok(Group::Combo(combo)),
            (Word::Class(ranks, kind), _) => (ranks, kind),
        };
        match self.peek() {
            Some('+') => {
                self.next();
                Ok(Group::Classes(Run::plus(ranks, kind).classes()))
            }
            Some('-') => {
                self.next();
                self.run_to_end(start, ranks, kind)
            }
            _ => Ok(Group::Classes(Run::single(ranks, kind).classes())),
        }
    }

    /// What follows the `-` of a run.
    fn run_to_end(&mut self, start: usize, ranks: Ranks, kind: Kind) -> Result<Group, ParseRangeError> {
        let end_at = self.at;
        let end = self.word("the other end of the run, as in A5s-A2s")?;
        let Word::Class(end_ranks, end_kind) = end else {
            let group = self.text[end_at..self.at].to_owned();
            return Err(ParseRangeError::RunOfCombos { at: end_at, group });
        };
        let run = || self.text[start..self.at].to_owned();
        match Run::between(ranks, end_ranks, kind) {
            _ if (kind == Kind::Pair) == (end_kind == Kind::Pair) && kind != end_kind => {
                Err(ParseRangeError::MixedEnds { at: start, run: run() })
            }
            Ok(run) => Ok(Group::Classes(run.classes())),
            Err(Unrelated) => Err(ParseRangeError::UnrelatedEnds { at: start, run: run() }),
        }
    }

    /// `AK`, `AKs`, `AKo` or `AhKd`.
    fn word(&mut self, expected: &'static str) -> Result<Word, ParseRangeError> {
        let start = self.at;
        let first = self.rank(expected)?;
        if let Some(suit) = self.suit() {
            return self.combo(start, Card::new(first, suit));
        }
        let second = self.rank("a second rank as in AK, or a suit as in AhKd")?;
        let ranks = Ranks::new(first, second);
        let kind = match self.peek() {
            Some('s') => Kind::Suited,
            Some('o') => Kind::Offsuit,
            _ => return Ok(Word::Class(ranks, if ranks.is_pair() { Kind::Pair } else { Kind::Both })),
        };
        self.next();
        if ranks.is_pair() {
            let group = self.text[start..self.at].to_owned();
            return Err(ParseRangeError::PairWithSuffix { at: start, group });
        }
        Ok(Word::Class(ranks, kind))
    }

    /// The second card of an exact combo.
    fn combo(&mut self, start: usize, first: Card) -> Result<Word, ParseRangeError> {
        let rank = self.rank("the second card of a combo as in AhKd")?;
        let suit =
            self.suit().ok_or_else(|| self.unexpected("a suit: c, d, h, s (lower case) or ♣ ♦ ♥ ♠"))?;
        Combo::new(first, Card::new(rank, suit)).map(Word::Combo).ok_or_else(|| {
            let group = self.text[start..self.at].to_owned();
            ParseRangeError::SameCard { at: start, group }
        })
    }

    fn rank(&mut self, expected: &'static str) -> Result<Rank, ParseRangeError> {
        let (rank, len) = match self.peek().and_then(Rank::from_char) {
            Some(rank) => (rank, 1),
            None if self.rest().starts_with("10") => (Rank::TEN, 2),
            None => return Err(self.unexpected(expected)),
        };
        self.at += len;
        Ok(rank)
    }

    fn suit(&mut self) -> Option<Suit> {
        let suit = self.peek().and_then(Suit::from_char)?;
        self.next();
        Some(suit)
    }

    /// The number after `:` or `@`, where `most` stands for the weight 1.
    fn weight(&mut self, most: u8) -> Result<f32, ParseRangeError> {
        self.next();
        self.skip_blanks();
        let at = self.at;
        let number = self.take_until(|c| c.is_whitespace() || c == ',' || c == '[');
        read_weight(number, at, most)
    }

    /// `[50]`.
    fn open_block(&mut self) -> Result<(), ParseRangeError> {
        let at = self.at;
        if self.block.is_some() {
            return Err(ParseRangeError::NestedBlock { at });
        }
        self.at += "[".len();
        self.block = Some(Block { at, weight: self.block_weight(at)? });
        if self.block_is_empty() {
            return Err(ParseRangeError::EmptyGroup { at: self.at, found: '[' });
        }
        Ok(())
    }

    /// Whether the block that has just been opened is closed at once.
    fn block_is_empty(&mut self) -> bool {
        self.skip_blanks();
        self.rest().starts_with("[/")
    }

    /// `[/50]`.
    fn close_block(&mut self) -> Result<(), ParseRangeError> {
        let at = self.at;
        self.at += "[/".len();
        let weight = self.block_weight(at)?;
        match self.block.take() {
            Some(block) if block.weight == weight => Ok(()),
            _ => Err(ParseRangeError::UnmatchedBlockEnd { at }),
        }
    }

    /// The percents before the `]` of a block that begins or ends at `start`.
    fn block_weight(&mut self, start: usize) -> Result<f32, ParseRangeError> {
        let at = self.at;
        let number = self.take_until(|c| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        if self.peek() != Some(']') {
            return Err(ParseRangeError::UnclosedBlock { at: start });
        }
        self.next();
        read_weight(number, at, 100)
    }
}

/// Reads a weight or a percentage that stands at byte `at`.
///
/// A percentage is read by moving its decimal point in the text, so `@10` is `:0.1` to the bit.
fn read_weight(number: &str, at: usize, most: u8) -> Result<f32, ParseRangeError> {
    let not_a_number = || ParseRangeError::NotANumber { at, found: number.to_owned() };
    if !number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E')) {
        return Err(not_a_number());
    }
    let value: f64 = number.parse().map_err(|_| not_a_number())?;
    if !(0.0..=f64::from(most)).contains(&value) {
        return Err(ParseRangeError::WeightOutOfRange { at, found: number.to_owned(), most });
    }
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    // An exponent that fits no integer, or that moving the point takes out of them, is that of a vanishing weight, or of
    // zero.
    let exponent: i64 = exponent.parse().unwrap_or(i64::MIN);
    let shift = if most == 100 { 2 } else { 0 };
    let moved = format!("{digits}e{}", exponent.saturating_sub(shift));
    let weight = moved.parse().ok().filter(|&weight| super::is_weight(weight)).ok_or_else(not_a_number)?;
    // Adding zero turns the negative zero into the positive one.
    Ok(weight + 0.0)
}
