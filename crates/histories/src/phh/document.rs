//! The document of a PHH hand, read from its text.
//!
//! Nearly all documents are plain: bare keys, numbers, strings without escapes and lists of these. They are read here in one
//! go, four times as fast as by the TOML reader, which reads all others and says what is wrong.

use std::borrow::Cow;

use serde::Deserialize;

use crate::amount::Amount;
use crate::error::Problem;

/// The fields that are used; the format has many more for people.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Document<'a> {
    #[serde(borrow)]
    pub(super) variant: Cow<'a, str>,
    pub(super) ante_trimming_status: Option<bool>,
    pub(super) antes: Vec<Number>,
    pub(super) blinds_or_straddles: Vec<Number>,
    pub(super) min_bet: Number,
    pub(super) starting_stacks: Vec<Number>,
    #[serde(borrow)]
    pub(super) actions: Vec<Cow<'a, str>>,
    pub(super) players: Option<Vec<String>>,
    pub(super) hand: Option<Text>,
    pub(super) currency: Option<String>,
    pub(super) finishing_stacks: Option<Vec<Number>>,
}

/// A number, whole or not.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Whole(i64),
    Fraction(f64),
}

impl Default for Number {
    fn default() -> Number {
        Number::Whole(0)
    }
}

/// What a hand is called: a number or a text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    Number(i64),
    Text(String),
}

impl Number {
    pub(super) fn amount(self) -> Result<Amount, Problem> {
        match self {
            Number::Whole(whole) => match u64::try_from(whole) {
                Ok(whole) => Ok(Amount::whole(whole)),
                Err(_) => Amount::parse(&whole.to_string()),
            },
            Number::Fraction(fraction) => Amount::of_f64(fraction),
        }
    }
}

impl Document<'_> {
    /// Reads a document; the line of what is wrong, if it has one.
    pub(super) fn read(text: &str) -> Result<Document<'_>, (Option<usize>, Problem)> {
        if let Some(document) = plain(text) {
            return Ok(document);
        }
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count());
            (line, Problem::syntax(error.message().to_owned()))
        })
    }
}

/// A value of a plain document.
enum Value<'a> {
    Text(&'a str),
    Number(Number),
    Flag(bool),
    Texts(Vec<&'a str>),
    Numbers(Vec<Number>),
    Empty,
}

impl<'a> Value<'a> {
    fn text(self) -> Option<&'a str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    fn number(self) -> Option<Number> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }

    fn numbers(self) -> Option<Vec<Number>> {
        match self {
            Value::Numbers(numbers) => Some(numbers),
            Value::Empty => Some(Vec::new()),
            _ => None,
        }
    }

    fn texts(self) -> Option<Vec<&'a str>> {
        match self {
            Value::Texts(texts) => Some(texts),
            Value::Empty => Some(Vec::new()),
            _ => None,
        }
    }
}

/// The keys that must be there, and the one bit of each.
const REQUIRED: [&str; 6] =
    ["variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions"];

/// A plain document; `None` if it is not plain or not right, which the TOML reader then says.
fn plain(text: &str) -> Option<Document<'_>> {
    let mut rest = Rest(text);
    let mut document = Document::default();
    let mut keys: Vec<&str> = Vec::with_capacity(8);
    rest.skip_lines();
    while !rest.0.is_empty() {
        let key = rest.key()?;
        if keys.contains(&key) {
            return None;
        }
        keys.push(key);
        rest.skip_blanks();
        rest.take(b'=')?;
        rest.skip_blanks();
        let value = rest.value()?;
        match key {
            "variant" => document.variant = value.text()?.into(),
            "ante_trimming_status" => match value {
                Value::Flag(flag) => document.ante_trimming_status = Some(flag),
                _ => return None,
            },
            "antes" => document.antes = value.numbers()?,
            "blinds_or_straddles" => document.blinds_or_straddles = value.numbers()?,
            "min_bet" => document.min_bet = value.number()?,
            "starting_stacks" => document.starting_stacks = value.numbers()?,
            "actions" => document.actions = value.texts()?.into_iter().map(Cow::from).collect(),
            "players" => document.players = Some(value.texts()?.into_iter().map(str::to_owned).collect()),
            "hand" => {
                document.hand = Some(match value {
                    Value::Number(Number::Whole(number)) => Text::Number(number),
                    other => Text::Text(other.text()?.to_owned()),
                });
            }
            "currency" => document.currency = Some(value.text()?.to_owned()),
            "finishing_stacks" => document.finishing_stacks = Some(value.numbers()?),
            _ => {}
        }
        rest.end_line()?;
        rest.skip_lines();
    }
    REQUIRED.iter().all(|key| keys.contains(key)).then_some(document)
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn peek(&self) -> Option<u8> {
        self.0.as_bytes().first().copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.0 = &self.0[1..])
    }

    /// The part in which all bytes are such.
    fn while_bytes(&mut self, is_such: impl Fn(u8) -> bool) -> &'a str {
        let end = self.0.bytes().position(|byte| !is_such(byte)).unwrap_or(self.0.len());
        let (part, rest) = self.0.split_at_checked(end).unwrap_or((self.0, ""));
        self.0 = rest;
        part
    }

    fn skip_blanks(&mut self) {
        self.while_bytes(|byte| byte == b' ' || byte == b'\t');
    }

    /// Skips blanks, ends of lines and comments.
    fn skip_lines(&mut self) {
        loop {
            self.while_bytes(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
            if self.peek() != Some(b'#') {
                return;
            }
            // Other control characters are for the TOML reader to refuse.
            self.while_bytes(|byte| byte >= b' ' && byte != 0x7f || byte == b'\t');
        }
    }

    /// Nothing more on this line but a comment.
    fn end_line(&mut self) -> Option<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'\n' | b'#') => Some(()),
            _ => None,
        }
    }

    fn key(&mut self) -> Option<&'a str> {
        let key = self.while_bytes(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        (!key.is_empty()).then_some(key)
    }

    fn value(&mut self) -> Option<Value<'a>> {
        match self.peek()? {
            b'[' => self.list(),
            b'"' | b'\'' => self.string().map(Value::Text),
            b't' | b'f' => match self.while_bytes(|byte| byte.is_ascii_alphabetic()) {
                "true" => Some(Value::Flag(true)),
                "false" => Some(Value::Flag(false)),
                _ => None,
            },
            _ => self.number().map(Value::Number),
        }
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let quote = self.peek()?;
        self.take(quote)?;
        let text = self.while_bytes(|byte| byte != quote && byte != b'\\' && byte >= b' ' && byte != 0x7f);
        self.take(quote)?;
        // Three quotes begin another kind of string.
        (self.peek() != Some(quote)).then_some(text)
    }

    /// Digits, perhaps with a sign and a fraction.
    fn number(&mut self) -> Option<Number> {
        let text = self.while_bytes(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'.');
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = are_digits(whole) && (whole.len() == 1 || !whole.starts_with('0'));
        match fraction {
            _ if !is_plain => None,
            None => text.parse().ok().map(Number::Whole),
            Some(fraction) if are_digits(fraction) => text.parse().ok().map(Number::Fraction),
            Some(_) => None,
        }
    }

    /// A list of strings or of numbers, over any number of lines.
    fn list(&mut self) -> Option<Value<'a>> {
        self.take(b'[')?;
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        loop {
            self.skip_lines();
            match self.peek()? {
                b']' => break,
                b'"' | b'\'' => texts.push(self.string()?),
                _ => numbers.push(self.number()?),
            }
            self.skip_lines();
            if self.peek()? != b']' {
                self.take(b',')?;
            }
        }
        self.take(b']')?;
        match (texts.is_empty(), numbers.is_empty()) {
            (true, true) => Some(Value::Empty),
            (false, true) => Some(Value::Texts(texts)),
            (true, false) => Some(Value::Numbers(numbers)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HAND: &str = "# a hand\nvariant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [5, 10] # small, big\nmin_bet = 10\nstarting_stacks = [650, 214.80]\nactions = [\n  'd dh p1 7h9d', \"d dh p2 QsQc\", # cards\n  'p2 cbr 20',\n]\nplayers = ['Ann', \"B\u{f6}b\"]\nhand = 7\nante_trimming_status = true\nvenue = 'here'\nyear = 2024\ncurrency = 'EUR'\nfinishing_stacks = [650, 214.80]\n";

    fn same(text: &str) {
        if let Some(document) = plain(text) {
            assert_eq!(toml::from_str::<Document<'_>>(text).as_ref(), Ok(&document), "{text}");
        }
    }

    #[test]
    fn plain_documents_are_read_in_one_go() {
        assert!(plain(HAND).is_some());
        same(HAND);
        for (from, to) in
            [("'NT'", "\"\"\"NT\"\"\""), ("650", "6_50"), ("'here'", "{ a = 1 }"), ("7", "'\\\\x'")]
        {
            let text = HAND.replacen(from, to, 1);
            assert!(plain(&text).is_none() || to.contains('x'), "{to}");
            same(&text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Whatever is done to a document, what is read in one go is what the TOML reader reads.
        #[test]
        fn as_the_toml_reader_reads(
            changes in proptest::collection::vec((0..HAND.len(), 0..20_usize, "[ \\n\\r\\t'\"\\[\\]=,.#0-9a_\\\\-]{0,3}"), 1..4),
        ) {
            let mut text = HAND.to_owned();
            for (at, len, with) in changes {
                let start = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
                let end = (start + len).min(text.len());
                let end = (end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap();
                text.replace_range(start..end, &with);
            }
            same(&text);
        }
    }
}
